"""Scores tallied by level: everything that follows costs as much as there are distinct scores, not rows."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metrics.measures.arrays import FloatArray, safe_ratio

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Direction = Literal["higher", "lower"]
"""Which scores speak for the positive label: declared, never found from the data."""

DECIMALS, EXACT = 2, 17
"""Decimals a cut is written with at least, and digits that write any number exactly."""
MOST_STOPS = 800
"""Thresholds at which a mark on the curve stops: each takes some 150 bytes to the browser."""


@dataclass(frozen=True, eq=False)
class ScoreTally:
    """Positive and negative decisions at every distinct score, the one that speaks most for the positive label first.

    Attributes
    ----------
    level : ndarray, shape (L,)
    positive, negative : ndarray of int64, shape (L,)
    """

    level: FloatArray
    positive: Ints
    negative: Ints
    direction: Direction = "higher"

    @property
    def n_positive(self) -> int:
        return int(self.positive.sum())

    @property
    def n_negative(self) -> int:
        return int(self.negative.sum())

    @property
    def n(self) -> int:
        return self.n_positive + self.n_negative

    @cached_property
    def thresholds(self) -> FloatArray:
        """Cuts, the strictest first: infinity, which no score reaches, and every level, shape (L + 1,)."""
        return np.concatenate([[np.inf if self.direction == "higher" else -np.inf], self.level])

    @cached_property
    def hits(self) -> Ints:
        """True positives at every cut, shape (L + 1,)."""
        return np.concatenate([[0], np.cumsum(self.positive)])

    @cached_property
    def alarms(self) -> Ints:
        """False positives at every cut, shape (L + 1,)."""
        return np.concatenate([[0], np.cumsum(self.negative)])

    @property
    def tied(self) -> float:
        """Share of pairs of a positive and a negative decision that have one score; NaN without either."""
        return float(safe_ratio(int(self.positive @ self.negative), self.n_positive * self.n_negative))

    @property
    def tpr(self) -> FloatArray:
        """Share of positives found at every cut; NaN without positives."""
        return safe_ratio(self.hits, self.n_positive)

    @property
    def fpr(self) -> FloatArray:
        """Share of negatives called positive at every cut; NaN without negatives."""
        return safe_ratio(self.alarms, self.n_negative)

    @property
    def ends(self) -> tuple[float, float]:
        """Lowest and highest score, a little apart where there is one."""
        low, high = sorted((float(self.level[-1]), float(self.level[0])))
        return (low, high) if low < high else (low, low + 1.0)

    def spot(self, threshold: float) -> tuple[float, float]:
        """Return FPR and TPR of a cut."""
        place = self.place(threshold)
        return float(self.fpr[place]), float(self.tpr[place])

    def table(self, threshold: float) -> Ints:
        """Return confusion [[TP, FN], [FP, TN]] of the cut."""
        (table,) = self.tables(np.array([self.place(threshold)]))
        return np.asarray(table)

    def tables(self, places: Ints) -> Ints:
        """Return confusion [[TP, FN], [FP, TN]] of cuts by their places among `thresholds`, shape (n,) to (n, 2, 2)."""
        hits, alarms = self.hits[places], self.alarms[places]
        return np.stack([hits, self.n_positive - hits, alarms, self.n_negative - alarms], -1).reshape(-1, 2, 2)

    def same(self, threshold: float, other: float) -> bool:
        """Return whether two cuts call the same scores positive."""
        return self.place(threshold) == self.place(other)

    def written(self, threshold: float) -> float:
        """Return the cut to as few digits as call the same scores positive, two decimals at least; infinity as it is."""
        if not np.isfinite(threshold):
            return threshold
        whole = len(str(int(abs(threshold)))) if abs(threshold) >= 1 else 0
        down = ROUND_FLOOR if self.direction == "higher" else ROUND_CEILING
        rounded = (
            float(Context(digits, way).create_decimal(threshold))
            for digits in range(whole + DECIMALS, EXACT)
            for way in (ROUND_HALF_EVEN, down)
        )
        return next((short for short in rounded if self.same(short, threshold)), threshold)

    @cached_property
    def _ascending(self) -> FloatArray:
        return np.ascontiguousarray(self.level[::-1]) if self.direction == "higher" else self.level

    def place(self, threshold: float) -> int:
        """Return how many levels a cut calls positive, which is its place among `thresholds`."""
        if self.direction == "lower":
            return int(np.searchsorted(self._ascending, threshold, "right"))
        return len(self.level) - int(np.searchsorted(self._ascending, threshold, "left"))


def stop_places(tally: ScoreTally, most: int = MOST_STOPS) -> Ints:
    """Return the places among `tally.thresholds` at which a mark on the curve stops, strictest first.

    Every score of the file; where there are more than `most`, about so many evenly along the curve.
    """
    if len(tally.level) <= most:
        return np.arange(1, len(tally.thresholds))
    along = np.floor((tally.fpr + tally.tpr) / 2 * most)
    return np.flatnonzero(np.diff(along)) + 1


def stop_of(tally: ScoreTally, places: Ints, threshold: float) -> int:
    """Return which of these stops calls the same scores positive as a threshold; the next laxer one where none does."""
    return min(int(np.searchsorted(places, tally.place(threshold))), len(places) - 1)


def reaches(score: FloatArray, threshold: float, direction: Direction) -> Bools:
    """Return which scores are called positive at a cut.

    Parameters
    ----------
    score : ndarray, shape (n,)
    threshold : float
        Itself called positive.
    direction : {"higher", "lower"}
        Which scores speak for the positive label.

    Returns
    -------
    ndarray of bool, shape (n,)
        False for NaN.
    """
    positives: Bools = score >= threshold if direction == "higher" else score <= threshold
    return positives


def tally_of(score: ArrayLike, positive: ArrayLike, direction: Direction = "higher") -> ScoreTally:
    """Return scores by level and class.

    Parameters
    ----------
    score : array_like of float, shape (n,)
        Finite.
    positive : array_like of bool, shape (n,)
    direction : {"higher", "lower"}
        Which scores speak for the positive label.
    """
    values, is_positive = np.asarray(score, np.float64), np.asarray(positive, bool)
    return tally_by_level(*levels_of(values, direction), is_positive, direction)


def levels_of(score: FloatArray, direction: Direction = "higher") -> tuple[FloatArray, Ints]:
    """Return distinct scores, the one that speaks least for the positive label first, and the place of every score among them.

    Parameters
    ----------
    score : ndarray, shape (n,)
    direction : {"higher", "lower"}
        Which scores speak for the positive label.

    Returns
    -------
    level : ndarray, shape (L,)
    which : ndarray of int64, shape (n,)
    """
    level, which = np.unique(score, return_inverse=True)
    return (level, which) if direction == "higher" else (level[::-1], len(level) - 1 - which)


def tally_by_level(
    level: FloatArray, which: Ints, positive: Bools, direction: Direction = "higher", weight: Ints | None = None
) -> ScoreTally:
    """Return the tally of decisions whose levels are known; levels without a decision are dropped.

    Parameters
    ----------
    level : ndarray, shape (L,)
        Distinct scores, as `levels_of` orders them.
    which : ndarray of int64, shape (n,)
        Place of each decision's score in `level`.
    positive : ndarray of bool, shape (n,)
    direction : {"higher", "lower"}
        Which scores speak for the positive label.
    weight : ndarray of int64, shape (n,), optional
        Decisions that each row stands for; by default one.
    """
    pairs = np.bincount(which * 2 + positive, weights=weight, minlength=2 * len(level)).reshape(-1, 2)
    there = np.flatnonzero(pairs.any(1))[::-1]
    return ScoreTally(level[there] + 0.0, pairs[there, 1].astype(np.int64), pairs[there, 0].astype(np.int64), direction)
