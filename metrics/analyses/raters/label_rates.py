"""How often each rater gives a label, against the other raters on the same units."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.raters.units import Units, units_of
from metrics.data.abstention import Mode
from metrics.data.ratings import Ratings, Role
from metrics.data.unique_items import kinds_of
from metrics.measures.arrays import FloatArray, safe_ratio
from metrics.measures.transforms import ROUNDING, interval_around, student
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
