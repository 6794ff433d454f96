"""Raters who labelled the same unit more than once: do they agree with themselves?"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.raters.units import LEAST, MATTERS, Units, rating_places
from metrics.data.abstention import Mode, on_axis
from metrics.data.ratings import Ratings
from metrics.data.vocabulary import normalise
from metrics.intervals.single_table import wilson
from metrics.measures.transforms import Interval
from metrics.readers.excluded_rows import REPEATED
from metrics.results.estimate import Estimate


@dataclass(frozen=True)
class Repeats:
    """Labels given again by the same rater to the same unit, each against the one that counts.

    Attributes
    ----------
    n, n_same : int
        Labels beside the one that counts, and those equal to it.
    share : Estimate
        Self-agreement, with Wilson's interval; undefined where nobody labelled anything twice.
    """

    n: int
    n_same: int
    share: Estimate

    @property
    def shows(self) -> bool:
        """Whether poor self-agreement is shown: `LEAST` labels or more, and surely more than `MATTERS` of them differ."""
        ends = self.share.ends
        return self.n >= LEAST and ends is not None and 1 - ends[1] > MATTERS


def repeats(
    unit_of: NDArray[np.int64],
    same: NDArray[np.bool_],
    chosen: NDArray[np.bool_],
    times: NDArray[np.int64],
    confidence: float = 0.95,
) -> Repeats:
    """Return how many of the further labels of some units equal the one that counts.

    Parameters
    ----------
    unit_of, same
        As `further_labels` gives them.
    chosen : ndarray of bool, shape (n_units,)
        Those units.
    times : ndarray of int64, shape (n_units,)
        Units that each stands for.
    confidence : float
        In (0, 1).
    """
    kept = chosen[unit_of]
    matches, often = same[kept], times[unit_of[kept]]
    if not len(matches):
        return Repeats(0, 0, Estimate(math.nan, why="nobody labelled anything twice"))
    n, n_same = int(often.sum()), int(often @ matches)
    return Repeats(n, n_same, Estimate(n_same / n, Interval(*wilson(n_same, n, confidence), "wilson")))


def further_labels(ratings: Ratings, units: Units, mode: Mode) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return labels of a rater on a unit beside the one that counts: the unit, and whether the label is the same.

    Without a column of runs these are rows left out because a later one gives the same item, criterion and rater; with one, the
    other runs. Labels of raters of another role are in neither, nor are labels that do not count in the mode.

    Parameters
    ----------
    ratings : Ratings
    units : Units
        Of these ratings in the same mode.
    mode : {"exclude", "as_unmet", "as_category"}

    Returns
    -------
    ndarray of int64, shape (n,)
        Place of the unit of each further label.
    ndarray of bool, shape (n,)
        Whether it equals the one that counts.
    """
    sources = _left_out(ratings, units), _other_runs(ratings, units)
    unit, rater = (np.concatenate([source[place] for source in sources]) for place in (0, 1))
    states = np.concatenate([source[2] for source in sources])
    other = on_axis(states, ratings.scheme, mode)
    labels = np.where((unit >= 0) & (rater >= 0), units.labels[unit, rater], -1) if len(units) else np.full(len(unit), -1)
    counts = (other >= 0) & (labels >= 0)
    return unit[counts], (other == labels)[counts]


_Found = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int8]]
"""Unit, rater (-1 where there is none) and state of labels."""


def _other_runs(ratings: Ratings, units: Units) -> _Found:
    runs = ratings.runs
    if runs is None:
        return np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.int8)
    n = max(1, len(ratings.criteria))
    keys = units.item.astype(np.int64) * n + units.criterion
    wanted = runs.item.astype(np.int64) * n + runs.criterion
    place = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
    unit = np.where(keys[place] == wanted, place, -1) if len(keys) else np.full(len(wanted), -1)
    column = np.full(len(ratings.raters), -1, np.int64)
    for code, rater in enumerate(ratings.raters):
        if (rater.role or units.role) == units.role and rater.name in units.raters:
            column[code] = units.raters.index(rater.name)
    rater_of = column[runs.rater]
    places = rating_places(ratings, units)
    rating_place = np.where((unit >= 0) & (rater_of >= 0), places[unit, rater_of], -1) if len(keys) else np.full(len(wanted), -1)
    others = (rating_place < 0) | (ratings.row[rating_place] != runs.row)
    states = ratings.scheme.states(ratings.labels)[runs.label]
    return unit[others], rater_of[others], states[others]


def _left_out(ratings: Ratings, units: Units) -> _Found:
    nothing = np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.int8)
    if ratings.table is None or ratings.source.shape != "raters" or REPEATED not in ratings.left_out.names:
        return nothing
    rows = _table_rows(ratings)
    names = dict(ratings.columns)
    wanted: tuple[str, ...] = ("item", "criterion", "rater", "label")
    texts = {role: _texts(ratings, names[role], rows) for role in wanted if role in names}
    if not {"item", "rater", "label"} <= set(texts):
        return nothing
    rater = np.array([_place(units.raters, name) for name in texts["rater"]], np.int64)
    return _unit(ratings, units, texts), rater, _states(ratings, texts["label"])


def _table_rows(ratings: Ratings) -> NDArray[np.int64]:
    """Return rows of the table that were left out as repeated."""
    left = ratings.left_out
    numbers = left.rows[left.reasons == left.names.index(REPEATED)]
    rows: NDArray[np.int64] = numbers - ratings.source.first_row
    return rows if ratings.numbers is None else np.searchsorted(ratings.numbers, numbers)


def _texts(ratings: Ratings, column: str, rows: NDArray[np.int64]) -> list[str]:
    assert ratings.table is not None, column
    return [text or "" for text in ratings.table.column(column).take(rows).to_pylist()]


def _unit(ratings: Ratings, units: Units, texts: dict[str, list[str]]) -> NDArray[np.int64]:
    """Return unit of each row; -1 where there is none."""
    wanted = dict.fromkeys(texts["item"], -1)
    for code, name in enumerate(ratings.items.to_pylist()):
        if name in wanted:
            wanted[name] = code
    criteria = {name: code for code, name in enumerate(ratings.criteria)}
    of = {(int(i), int(c)): place for place, (i, c) in enumerate(zip(units.item, units.criterion, strict=True))}
    named = [criteria.get(name.strip(), -1) for name in texts["criterion"]] if "criterion" in texts else [0] * len(texts["item"])
    return np.array(
        [of.get((wanted[item], criterion_code), -1) for item, criterion_code in zip(texts["item"], named, strict=True)], np.int64
    )


def _place(names: tuple[str, ...], name: str) -> int:
    text = name.strip()
    return names.index(text) if text in names else -1


def _states(ratings: Ratings, labels: list[str]) -> NDArray[np.int8]:
    """Return states of labels as they stand in the file; `missing` for one that has no meaning."""
    known = {normalise(label): state for label, state in zip(ratings.labels, ratings.scheme.states(ratings.labels), strict=True)}
    missing = ratings.scheme.state("missing")
    return np.array([known.get(normalise(label), missing) for label in labels], np.int8)
