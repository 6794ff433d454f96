"""Scores tallied by level: everything that follows costs as much as there are distinct scores, not rows."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context
from functools import cached_property
from typing import Any, Literal

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
SAMPLED, FEW_LEVELS, FEWER_LEVELS = 2048, 256, 128
"""Scores looked at first, and distinct ones up to which a table of levels is tried before a sort."""
# Bits that name a bucket, fewer ones up to `FEWER_LEVELS`; and scores that are hashed at once.
BUCKET_BITS, FEWER_BITS, CHUNK = 14, 12, 1 << 15
ODD, TRIES, ROUNDS = 0x9E3779B97F4A7C15, 64, 4
"""Odd multiples of a constant, one of which hashes all levels apart; rounds with levels the sample had missed."""
NO_LEVEL = np.uint64(0x7FF8123456789ABC)
"""Bits of a NaN that no computation returns, in buckets without a level."""


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

    def turned(self) -> ScoreTally:
        """Return the same decisions when the other end of the scores speaks for the positive label."""
        other: Direction = "lower" if self.direction == "higher" else "higher"
        return ScoreTally(self.level[::-1], self.positive[::-1], self.negative[::-1], other)

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

    Raises
    ------
    ValueError
        For scores that are not finite, and lists of different lengths.
    """
    values, is_positive = _checked(score, positive)
    level_counts = _counted(values, is_positive)
    tally = (
        _merged(np.sort(values[is_positive]), np.sort(values[~is_positive]))
        if level_counts is None
        else _tally(*level_counts, "higher")
    )
    return tally if direction == "higher" else tally.turned()


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
    return _tally(level, np.bincount(which * 2 + positive, weights=weight, minlength=2 * len(level)), direction)


def _tally(level: FloatArray, counts: NDArray[Any], direction: Direction) -> ScoreTally:
    """Return the tally of counts of negatives and positives by turns, the level that speaks least for positive first."""
    pairs = counts.reshape(-1, 2)
    there = np.flatnonzero(pairs.any(1))[::-1]
    return ScoreTally(level[there] + 0.0, pairs[there, 1].astype(np.int64), pairs[there, 0].astype(np.int64), direction)


def _checked(score: ArrayLike, positive: ArrayLike) -> tuple[FloatArray, Bools]:
    values, is_positive = np.ascontiguousarray(score, np.float64), np.ascontiguousarray(positive, bool)
    if values.ndim != 1 or values.shape != is_positive.shape:
        raise ValueError(f"scores and classes must be two lists of one length, got {values.shape} and {is_positive.shape}")
    return values, is_positive


def _finite(level: FloatArray) -> FloatArray:
    """Return levels, or sorted scores, after a look at their ends, where a score that is not finite stands."""
    if len(level) and not np.isfinite(level[[0, -1]]).all():
        raise ValueError("scores must be finite")
    return level


def _counted(score: FloatArray, positive: Bools) -> tuple[FloatArray, Ints] | None:
    """Return levels, lowest first, and counts of negatives and positives at each by turns; None where levels are many."""
    if len(score) < SAMPLED:
        return None
    level = _distinct(score[:: len(score) // SAMPLED].view(np.uint64))
    for _ in range(ROUNDS):
        table = _Table.of(level)
        if table is None:
            return None
        missed = table.count(score.view(np.uint64), positive)
        if not len(missed):
            return table.result()
        level = np.union1d(level, missed)
    return None


def _distinct(bits: NDArray[np.uint64]) -> NDArray[np.uint64]:
    ordered: NDArray[np.uint64] = np.sort(bits)
    distinct_bits: NDArray[np.uint64] = ordered[np.append(True, ordered[1:] != ordered[:-1])]
    return distinct_bits


class _Table:
    """Counts by bucket of a hash that keeps the levels apart; a score in a bucket of another level is found by its bits."""

    def __init__(self, levels: NDArray[np.uint64], multiplier: np.uint64, width: int) -> None:
        self.multiplier, self.shift = multiplier, np.uint64(64 - width)
        self.held = np.full(1 << width, NO_LEVEL)
        self.counts = np.zeros(2 << width, np.int64)
        self.levels, self.bucket = levels, ((levels * multiplier) >> self.shift).view(np.int64)
        self.held[self.bucket] = levels

    @staticmethod
    def of(levels: NDArray[np.uint64]) -> _Table | None:
        """Return a table with a multiplier that keeps these levels apart; None where there is none, or they are many."""
        width = FEWER_BITS if len(levels) <= FEWER_LEVELS else BUCKET_BITS
        for turn in range(TRIES if len(levels) <= FEW_LEVELS else 0):
            table = _Table(levels, np.uint64(ODD * (2 * turn + 1) % 2**64), width)
            if (table.held[table.bucket] == levels).all():
                return table
        return None

    def count(self, bits: NDArray[np.uint64], positive: Bools) -> NDArray[np.uint64]:
        """Count all scores; where one is no known level, nothing counts, and the strange ones of that stretch are returned."""
        hashed, known = np.empty(CHUNK, np.uint64), np.empty(CHUNK, np.uint64)
        for first in range(0, len(bits), CHUNK):
            chunk = bits[first : first + CHUNK]
            place, there = hashed[: len(chunk)], known[: len(chunk)]
            np.multiply(chunk, self.multiplier, out=place)
            np.right_shift(place, self.shift, out=place)
            bucket = place.view(np.int64)
            np.take(self.held, bucket, out=there, mode="clip")
            strange = there != chunk
            if strange.any():
                return _distinct(chunk[strange])
            np.left_shift(bucket, 1, out=bucket)
            bucket += positive[first : first + CHUNK]
            self.counts += np.bincount(bucket, minlength=len(self.counts))
        return bits[:0]

    def result(self) -> tuple[FloatArray, Ints]:
        """Return levels, lowest first, with their counts; a zero of either sign is one level."""
        value = self.levels.view(np.float64)
        order = np.argsort(value)
        level, pairs = _finite(value[order]), self.counts.reshape(-1, 2)[self.bucket[order]]
        first = np.flatnonzero(np.append(True, level[1:] != level[:-1]))
        return level[first], np.add.reduceat(pairs, first, axis=0).ravel()


def _merged(positive: FloatArray, negative: FloatArray) -> ScoreTally:
    """Return the tally of two sorted lists; a stable sort of two runs is a merge."""
    both = np.concatenate([_finite(positive), _finite(negative)])
    order = np.argsort(both, kind="stable")
    value, is_positive = both[order], order < len(positive)
    last = np.flatnonzero(np.append(value[1:] != value[:-1], True)) if len(value) else np.empty(0, np.int64)
    up = np.cumsum(is_positive)[last]
    ups = np.diff(up, prepend=0)
    all_of = np.diff(last + 1, prepend=0)
    return ScoreTally(value[last][::-1] + 0.0, ups[::-1].astype(np.int64), (all_of - ups)[::-1].astype(np.int64))
