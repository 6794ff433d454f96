"""What each rater does: how often it gives a label, and whether it agrees with itself where it labelled a unit twice."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.raters.units import LEAST, MATTERS, Units, rating_places, units_of
from metrics.data.abstention import Mode, on_axis
from metrics.data.ratings import Ratings, Role
from metrics.data.unique_items import kinds_of
from metrics.data.vocabulary import normalise
from metrics.intervals.single_table import wilson
from metrics.measures.arrays import FloatArray, safe_ratio
from metrics.measures.transforms import ROUNDING, Interval, interval_around, student
from metrics.readers.excluded_rows import REPEATED
from metrics.results.estimate import Estimate


@dataclass(frozen=True)
class LabelRate:
    """One label of one rater.

    Attributes
    ----------
    n, n_items : int
        Units this rater and another rated, and their items.
    rate : float
        Share of them that this rater gave the label; NaN where there is none.
    others : float
        Mean over the same units of the share of the others who gave it.
    drift : Estimate
        The first less the second; the interval by leaving out one item at a time.
    """

    rater: str
    label: str
    n: int
    n_items: int
    rate: float
    others: float
    drift: Estimate

    @property
    def level(self) -> bool:
        """Whether there is no difference at all."""
        return abs(self.drift.value) <= ROUNDING

    @property
    def differs(self) -> bool:
        """Whether the interval leaves out 0. Were none of many raters to differ, about one in twenty would seem to."""
        return self.drift.sign != 0


def label_rates(
    ratings: Ratings,
    *,
    role: Role | None = None,
    abstention: Mode = "exclude",
    criterion: str | None = None,
    confidence: float = 0.95,
) -> tuple[LabelRate, ...]:
    """Return rate and drift of every label of every rater, raters in the order of the file, labels in that of the verdict axis.

    Parameters
    ----------
    ratings : Ratings
    role : {"human", "judge", None}
        Whose labels; None as in `metrics.analyses.raters.units.units_of`.
    abstention : {"exclude", "as_unmet", "as_category"}
    criterion : str, optional
        That criterion alone; else all together.
    confidence : float
        In (0, 1).

    Raises
    ------
    InputError
        For fewer than two raters of the role, and an unknown criterion.
    """
    return rates_of(units_of(kinds_of(ratings), role, mode=abstention, criterion=criterion), confidence)


def rates_of(units: Units, confidence: float = 0.95) -> tuple[LabelRate, ...]:
    """Return the same for units at hand."""
    rates_by_class = [_rates_of_class(units, place, confidence) for place in range(len(units.classes))]
    return tuple(rate for rater in zip(*rates_by_class, strict=True) for rate in rater)


@dataclass(frozen=True, eq=False)
class Means:
    """Mean over the units of each rater of something, with an error from leaving out one item at a time.

    Attributes
    ----------
    n, n_items : ndarray of int64, shape (R,)
    mean, error : ndarray, shape (R,)
        NaN without a unit; the error also with fewer than two items.
    """

    n: NDArray[np.int64]
    n_items: NDArray[np.int64]
    mean: FloatArray
    error: FloatArray


def means_by_rater(
    item: NDArray[np.int32], rater: NDArray[np.int64], value: FloatArray, n_raters: int, times: NDArray[np.int64]
) -> Means:
    """Return mean by rater from one row per rating; items may carry several units.

    Parameters
    ----------
    item : ndarray of int32, shape (n,)
        Item of each rating.
    rater : ndarray of int64, shape (n,)
        Its rater, below `n_raters`.
    value : ndarray, shape (n,)
        What the mean is of.
    n_raters : int
    times : ndarray of int64, shape (n,)
        How often the item of each rating occurs.

    Returns
    -------
    Means
        Of shape (n_raters,).
    """
    key, first, group = np.unique(item.astype(np.int64) * n_raters + rater, return_index=True, return_inverse=True)
    owner, often = key % n_raters, times[first].astype(np.float64)
    size = np.bincount(group, minlength=len(key)).astype(np.float64)
    total = np.bincount(group, weights=value, minlength=len(key))
    n, sums = (np.bincount(owner, weights=part * often, minlength=n_raters) for part in (size, total))
    n_items = np.bincount(owner, weights=often, minlength=n_raters)
    left = safe_ratio(sums[owner] - total, n[owner] - size)
    centre = safe_ratio(np.bincount(owner, weights=often * left, minlength=n_raters), n_items)
    squares = np.bincount(owner, weights=often * (left - centre[owner]) ** 2, minlength=n_raters)
    error = np.where(n_items > 1, np.sqrt(squares * (n_items - 1) / np.maximum(n_items, 1)), np.nan)
    return Means(n.astype(np.int64), n_items.astype(np.int64), safe_ratio(sums, n), error)


def _rates_of_class(units: Units, place: int, confidence: float) -> list[LabelRate]:
    votes = units.votes
    unit, rater = np.nonzero((units.labels >= 0) & (votes.sum(1) > 1)[:, None])
    rater_votes = (units.labels[unit, rater] == place).astype(np.float64)
    others = (votes[unit, place] - rater_votes) / (votes[unit].sum(1) - 1)
    item, times, n_raters = units.item[unit], units.times[unit], len(units.raters)
    drift = means_by_rater(item, rater, rater_votes - others, n_raters, times)
    rate, beside = (means_by_rater(item, rater, part, n_raters, times).mean for part in (rater_votes, others))
    out = []
    for j, name in enumerate(units.raters):
        n, n_items, means = int(drift.n[j]), int(drift.n_items[j]), (float(rate[j]), float(beside[j]))
        out.append(LabelRate(name, units.classes[place], n, n_items, *means, _drift(drift, j, confidence)))
    return out


def _drift(drift: Means, place: int, confidence: float) -> Estimate:
    n_items, mean, error = int(drift.n_items[place]), float(drift.mean[place]), float(drift.error[place])
    if not n_items:
        return Estimate(mean, why="no unit is shared with another rater")
    if n_items < 2:
        return Estimate(mean, why="only one item is shared with another rater")
    if error <= ROUNDING:
        return Estimate(mean, why="leaving out one item never changes the difference")
    interval = interval_around(mean, error, "fisher", student(n_items - 1, confidence), "jackknife")
    return Estimate(mean, interval, "" if interval else "the difference is at the end of its range")


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
