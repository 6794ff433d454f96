"""Ratings in which every run of an item is an item of its own, so that a run, or a version, is a group like any other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from metrics.data.item_columns import encoded_column
from metrics.data.memo import memoised
from metrics.data.part import taken
from metrics.data.ratings import Ratings
from metrics.readers.long_form import with_every_run


@dataclass(frozen=True, eq=False)
class RunsApart:
    """Ratings with an item for every item and run.

    Attributes
    ----------
    ratings : Ratings
    item : ndarray of int64, shape (n_unique,)
        Of each of their items, the item of the file.
    """

    ratings: Ratings
    item: NDArray[np.int64]


def run_column(ratings: Ratings) -> str | None:
    """Return the column that tells repeated runs apart; None where nobody was asked twice."""
    return None if ratings.runs is None else dict(ratings.columns).get("run")


def runs_apart(ratings: Ratings) -> RunsApart:
    """Return every run of every decision, each beside the human labels of the decision.

    A human who was asked in several runs too is held against the judges of the same run.

    Parameters
    ----------
    ratings : Ratings
        With repeated runs.
    """
    return memoised(ratings, ("runs apart",), lambda: _runs_apart(ratings))


def _runs_apart(ratings: Ratings) -> RunsApart:
    runs, column = ratings.runs, run_column(ratings)
    assert runs is not None
    assert column is not None
    every = with_every_run(ratings)
    codes, values = encoded_column(ratings, column)
    own, n_runs = codes[every.row], len(values)
    repeated = np.zeros(len(ratings.raters), bool)
    repeated[runs.rater] = True
    human = np.array([rater.role == "human" for rater in ratings.raters], bool)
    in_run = (repeated | ~human)[every.rater]
    decision = every.item.astype(np.int64) * len(ratings.criteria) + every.criterion
    there, first = np.unique(decision[in_run] * n_runs + own[in_run], return_index=True)
    asked, others = np.flatnonzero(in_run), np.flatnonzero(~in_run)
    low, high = (np.searchsorted(there, decision[others] * n_runs + end) for end in (0, n_runs))
    n = high - low
    place = np.concatenate([asked, np.repeat(others, n)])
    # The runs that a human label stands beside are a range of those that are there, one range behind the other.
    beside = np.arange(n.sum()) + np.repeat(low - (np.cumsum(n) - n), n)
    run = np.concatenate([own[asked], there[beside] % n_runs])
    row = np.concatenate([every.row[asked], every.row[asked[first[beside]]]])
    pair, item = np.unique(every.item[place].astype(np.int64) * n_runs + run, return_inverse=True)
    of_file = pair // n_runs
    ids, named = ratings.items.take(pa.array(of_file)), pa.array(values, pa.string()).take(pa.array(pair % n_runs))
    names = pc.binary_join_element_wise(ids.cast(pa.string()), named, " · ")
    times = None if ratings.multiplicity is None else ratings.multiplicity[of_file]
    apart = taken(every, place, items=names, item=item.astype(np.int32), row=row, multiplicity=times, memo={})
    return RunsApart(apart, of_file)
