"""Who wins how often: the systems behind the two answers, by the reference and by the judge.

Two columns name the system that gave the first and the second answer. A win counts 1, a tie one half; every decision counts for
both of its systems, so that all shares of wins have a mean of one half, weighted by decisions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.preferences.compute import CODES, labels_of
from metrics.analyses.preferences.positions import answers_of
from metrics.analyses.settings import settings_of
from metrics.data.pairs import cell_ratings, cells_of, reference_states
from metrics.data.ratings import Ratings
from metrics.data.unique_items import kinds_of
from metrics.data.vocabulary import normalise
from metrics.errors import InputError
from metrics.intervals.single_table import wilson
from metrics.measures.arrays import FloatArray
from metrics.measures.transforms import Interval, Transform, covering, jackknife_error, student, transformed
from metrics.results.estimate import Estimate

# Names of the two columns, either pair.
COLUMNS = (("model_a", "model_b"), ("system_a", "system_b"))


@dataclass(frozen=True)
class System:
    """One system.

    Attributes
    ----------
    n, n_items : int
        Decisions it is part of that both sides answered, and their items.
    reference, judge : Estimate
        Share of them that it wins, a tie counting one half.
    difference : Estimate
        Judge less reference, on the same decisions.
    """

    name: str
    n: int
    n_items: int
    reference: Estimate
    judge: Estimate
    difference: Estimate


def system_columns(ratings: Ratings) -> tuple[str, str] | None:
    """Return the columns that name the systems of the first and the second answer, where the file has them."""
    if ratings.table is None:
        return None
    column_names = {normalise(name): name for name in reversed(ratings.table.column_names)}
    for first, second in COLUMNS:
        pair = column_names.get(normalise(first)), column_names.get(normalise(second))
        if pair[0] and pair[1]:
            return pair[0], pair[1]
    return None


def systems(ratings: Ratings, judge: str, *, reference: str = "auto", confidence: float = 0.95) -> tuple[System, ...]:
    """Return how often each system wins, the most often by the reference first.

    Intervals by leaving whole items out, on the logit scale; Wilson for a share of 0 or 1.

    Parameters
    ----------
    ratings : Ratings
        With two columns of `COLUMNS`.
    judge : str
    reference : str
        `majority` or `unanimous` of the humans, or one human's name.
    confidence : float
        In (0, 1).

    Raises
    ------
    InputError
        Where no two columns name the systems, and where labels are not two answers.
    """
    settings = settings_of(ratings, reference=reference, judges=[judge], confidence=confidence)
    columns = system_columns(ratings)
    if columns is None:
        raise InputError(f"{ratings.source.name}: no two columns name the systems. Call them {' and '.join(COLUMNS[0])}.")
    labels_of(ratings)
    ratings = kinds_of(ratings, *columns)
    places = cell_ratings(ratings, judge, "judge")
    cell = np.flatnonzero(places >= 0)
    rating = places[cell]
    verdict = answers_of(ratings.scheme, ratings.state[rating])
    truth = answers_of(ratings.scheme, reference_states(ratings, settings.reference)[cell])
    names, first, second = named_systems(ratings, columns, ratings.row[rating])
    kept = (verdict >= 0) & (truth >= 0) & (first >= 0) & (second >= 0) & (first != second)
    item = cells_of(ratings).item[cell][kept]
    credit = np.stack([CODES[truth[kept]], CODES[verdict[kept]]])
    standings = []
    for place, name in enumerate(names):
        as_first, as_second = first[kept] == place, second[kept] == place
        mine = as_first | as_second
        if mine.any():
            system_credit = np.where(as_first, credit, 1 - credit)[:, mine]
            standings.append(_system(name, system_credit, item[mine], ratings.weight[item[mine]], confidence))
    return tuple(sorted(standings, key=lambda system: (-system.reference.value, system.name)))


def named_systems(
    ratings: Ratings, columns: tuple[str, str], rows: NDArray[np.int64]
) -> tuple[list[str], NDArray[np.int64], NDArray[np.int64]]:
    """Return names of all systems, and the code of each decision's first and second; -1 where a cell is empty.

    Parameters
    ----------
    ratings : Ratings
    columns : (str, str)
        As `system_columns` returns them.
    rows : ndarray of int64, shape (n,)
        Of the table, one for each decision.
    """
    assert ratings.table is not None
    texts = [ratings.table[name].cast("string").combine_chunks().take(rows).to_pylist() for name in columns]
    trimmed = [[(text or "").strip() for text in column] for column in texts]
    names = sorted({text for column in trimmed for text in column} - {""})
    code = {name: place for place, name in enumerate(names)} | {"": -1}
    first, second = (np.array([code[text] for text in column], np.int64) for column in trimmed)
    return names, first, second


def _system(name: str, credit: FloatArray, item: NDArray[np.integer[Any]], times: NDArray[np.int64], confidence: float) -> System:
    _, first, which = np.unique(item, return_index=True, return_inverse=True)
    weight = times[first]
    sides = [*credit, credit[1] - credit[0]]
    reference, judge, difference = (
        _mean(side, which, weight, confidence, None if place == 2 else "logit") for place, side in enumerate(sides)
    )
    return System(name, int(times.sum()), int(weight.sum()), reference, judge, difference)


def _mean(
    values: FloatArray, which: NDArray[np.integer[Any]], weight: NDArray[np.int64], confidence: float, scale: Transform
) -> Estimate:
    """Return mean over decisions, whole items left out at a time; each row counts as often as there are items of its kind."""
    sums, sizes, n_items = np.bincount(which, weights=values), np.bincount(which), int(weight.sum())
    total, n = float(weight @ sums), int(weight @ sizes)
    value = total / n
    if n_items < 2:
        return Estimate(value)
    error = float(jackknife_error((total - sums) / (n - sizes), weight.astype(np.float64)))
    ends = transformed(value, error, scale, student(n_items - 1, confidence))
    if not np.isnan(ends[0]):
        return Estimate(value, Interval(*covering(value, ends), "jackknife"))
    return Estimate(value, None if scale is None else Interval(*wilson(value * n_items, n_items, confidence), "wilson"))
