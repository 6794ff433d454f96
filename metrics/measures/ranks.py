"""Spearman and Kendall's tau-b of pairs of numbers, and both without each pair in turn, in O(n log n).

What counts is the order, so a side is coded by the places of its values. Where the places are few the pairs are a table, and
`metrics.measures.ordered` has the values; else every pair is compared with all others bit by bit of its place.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metrics.measures import ordered
from metrics.measures.arrays import FloatArray, safe_ratio
from metrics.measures.ordered import below_less_above

Ints = NDArray[np.int64]

MOST_WHOLE = 1 << 12
"""Whole numbers that span no more are their own places, without sorting."""
BLOCK = 1 << 15
"""Numbers worked on at a time where each step is quick: what fits the processor's cache."""
LARGEST = 2.0**53
"""Above, not every whole number is a float."""
MOST_CELLS, CELLS_A_PAIR, FEW_CELLS = 1 << 22, 16, 1 << 12
"""A table has no more cells than the first, and no more for each pair than the second unless it is smaller than the third."""


def places(values: ArrayLike) -> Ints:
    """Return place of each number in ascending order, from 0; equal numbers share one, and some places may be empty.

    Parameters
    ----------
    values : array_like, shape (n,)
        Finite numbers.

    Returns
    -------
    ndarray of int64, shape (n,)
    """
    array = np.asarray(values)
    if not len(array):
        return np.zeros(0, np.int64)
    low, high = float(array.min()), float(array.max())
    if low > -LARGEST and high < LARGEST and high - low < MOST_WHOLE:
        whole = np.empty(len(array), np.int64)
        if all(_is_whole(array[part], whole[part], int(low)) for part in _blocks(len(array))):
            return whole
    return np.unique(array, return_inverse=True)[1].astype(np.int64, copy=False)


def midranks(values: ArrayLike, times: ArrayLike | None = None) -> FloatArray:
    """Return mean rank of each number among all, from 1; equal numbers share their rank.

    Parameters
    ----------
    values : array_like, shape (n,)
        Finite numbers.
    times : array_like, shape (n,), optional
        How often each occurs. Default: once.

    Returns
    -------
    ndarray, shape (n,)
    """
    place = places(values)
    equal = np.bincount(place, weights=times)
    ranks: FloatArray = np.cumsum(equal) - (equal - 1) / 2
    return ranks[place]


def _is_whole(values: NDArray[Any], offsets: Ints, low: int) -> bool:
    """Return whether all are whole numbers; where they are, what they lie above the lowest is written down."""
    offsets[:] = values
    if not (offsets == values).all():
        return False
    offsets -= low
    return True


def _blocks(n: int) -> Iterator[slice]:
    return (slice(start, start + BLOCK) for start in range(0, n, BLOCK))


@dataclass(frozen=True, eq=False)
class Side:
    """One side of the pairs by place.

    Attributes
    ----------
    equal : ndarray of int64, shape (K,)
        Pairs at each place.
    rank : ndarray, shape (K,)
        Mean rank of each place less the mean of all.
    """

    equal: Ints
    rank: FloatArray

    @staticmethod
    def of(place: Ints, weight: Ints) -> Side:
        """Return one side from the place of each pair.

        Parameters
        ----------
        place : ndarray of int64, shape (n,)
            From 0, in the order of the numbers.
        weight : ndarray of int64, shape (n,)
            Pairs that each row stands for.
        """
        equal = np.bincount(place, weights=weight).astype(np.float64, copy=False)
        return Side(equal.astype(np.int64), below_less_above(equal) / 2)

    @property
    def n(self) -> int:
        return int(self.equal.sum())

    @property
    def below(self) -> Ints:
        """Pairs at lower places, shape (K,)."""
        lower: Ints = np.cumsum(self.equal) - self.equal
        return lower

    @property
    def squares(self) -> float:
        """Sum of the squared ranks."""
        return float((self.equal * self.rank**2).sum())

    @property
    def untied(self) -> float:
        """Ordered pairs of pairs that this side does not tie; of billions no machine word holds it."""
        return float((self.equal * (self.n - self.equal).astype(np.float64)).sum())

    @property
    def squares_without(self) -> FloatArray:
        """Sum of the squared ranks without a pair at each place, shape (K,); 0 where all others stand at one."""
        left = self.squares + below_less_above(self.equal * self.rank) + (self.n - self.equal) / 4 - self.rank**2
        return np.where(self.untied_without == 0, 0.0, left)

    @property
    def untied_without(self) -> FloatArray:
        """`untied` without a pair at each place, shape (K,)."""
        left: FloatArray = self.untied - 2 * (self.n - self.equal).astype(np.float64)
        return left


@dataclass(frozen=True, eq=False)
class Ranked:
    """Pairs of numbers as places; alike pairs may be one row.

    Attributes
    ----------
    reference, judge : ndarray of int64, shape (rows,)
        As `places` gives them.
    weight : ndarray of int64, shape (rows,)
        Pairs that each row stands for.
    """

    reference: Ints
    judge: Ints
    weight: Ints

    @staticmethod
    def of(reference: ArrayLike, judge: ArrayLike, weight: Ints | None = None) -> Ranked:
        """Return pairs of numbers by their places.

        Parameters
        ----------
        reference, judge : array_like, shape (rows,)
            Finite numbers.
        weight : ndarray of int64, shape (rows,), optional
            Pairs that each row stands for. Default: one.
        """
        reference_places, other = places(reference), places(judge)
        return Ranked(reference_places, other, np.ones(len(reference_places), np.int64) if weight is None else weight)

    @cached_property
    def n(self) -> int:
        return int(self.weight.sum())

    def spearman(self) -> float:
        """Return correlation of the mean ranks; NaN where a side is constant."""
        if self.table is not None:
            return float(ordered.spearman(self.table))
        side, other = self.sides
        shared = (side.rank[self.reference] * other.rank[self.judge] * self.weight).sum()
        return _ratio(shared, side.squares, other.squares)

    def kendall_tau_b(self) -> float:
        """Return concordant less discordant pairs, over those that neither side ties; NaN where a side is constant."""
        if self.table is not None:
            return float(ordered.kendall_tau_b(self.table))
        side, other = self.sides
        return _ratio(self._concordant, side.untied, other.untied)

    def spearman_without_each(self) -> FloatArray:
        """Return Spearman of the other pairs, for a pair of each row left out, shape (rows,).

        NaN where a side becomes constant.

        Without pair i the rank of j less the mean rank is smaller by half the sign of :math:`x_j - x_i`, so that all sums follow
        from those over the places.
        """
        side, other = self.sides
        x, y = self.reference, self.judge
        of_one, of_other = side.rank[x], other.rank[y]
        across = below_less_above(_totals(y, of_one * self.weight))[y] + below_less_above(_totals(x, of_other * self.weight))[x]
        products = of_one * of_other
        shared = (products * self.weight).sum() + across / 2 + self.surplus / 4 - products
        return _ratios(shared, side.squares_without[x], other.squares_without[y])

    def kendall_tau_b_without_each(self) -> FloatArray:
        """Return tau-b of the other pairs, for a pair of each row left out, shape (rows,).

        NaN where a side becomes constant.
        """
        side, other = self.sides
        shared = self._concordant - 2 * self.surplus
        return _ratios(shared, side.untied_without[self.reference], other.untied_without[self.judge])

    def spearman_slopes(self) -> FloatArray:
        """Return how fast Spearman changes with the weight of each row, shape (rows,); NaN where a side is constant."""
        side, other = self.sides
        x, y = self.reference, self.judge
        of_one, of_other = side.rank[x], other.rank[y]
        across = below_less_above(_totals(y, of_one * self.weight))[y] + below_less_above(_totals(x, of_other * self.weight))[x]
        scale = np.sqrt(side.squares * other.squares)
        slopes = [
            safe_ratio(own**2 - below_less_above(one.equal * one.rank)[place], one.squares)
            for one, own, place in ((side, of_one, x), (other, of_other, y))
        ]
        return safe_ratio(of_one * of_other - across / 2, scale) - self.spearman() / 2 * (slopes[0] + slopes[1])

    def kendall_tau_b_slopes(self) -> FloatArray:
        """Return how fast tau-b changes with the weight of each row, shape (rows,); NaN where a side is constant."""
        side, other = self.sides
        lost = [safe_ratio((self.n - one.equal).astype(np.float64), one.untied) for one in (side, other)]
        slope = safe_ratio(2.0 * self.surplus, np.sqrt(side.untied * other.untied))
        return slope - self.kendall_tau_b() * (lost[0][self.reference] + lost[1][self.judge])

    @cached_property
    def table(self) -> FloatArray | None:
        """Counts by place, shape (K, K), where the places are few."""
        k = max(2, int(self.reference.max(initial=0)) + 1, int(self.judge.max(initial=0)) + 1)
        rows = len(self.reference)
        if k * k > min(MOST_CELLS, max(CELLS_A_PAIR * rows, FEW_CELLS)):
            return None
        counts = np.zeros(k * k)
        for part in _blocks(rows) if k * k <= FEW_CELLS else [slice(None)]:
            counts += np.bincount(self.reference[part] * k + self.judge[part], weights=self.weight[part], minlength=k * k)
        return counts.reshape(k, k)

    @cached_property
    def sides(self) -> tuple[Side, Side]:
        return Side.of(self.reference, self.weight), Side.of(self.judge, self.weight)

    @property
    def _concordant(self) -> float:
        """Ordered pairs of pairs that are concordant, less the discordant ones."""
        return float((self.surplus * self.weight.astype(np.float64)).sum())

    @cached_property
    def surplus(self) -> Ints:
        """Pairs that one of each row is concordant with, less those it is discordant with, shape (rows,)."""
        if self.table is not None:
            return ordered.surplus(self.table).astype(np.int64)[self.reference, self.judge]
        side, other = self.sides
        x, y = self.reference, self.judge
        lower, left, down, same = _compared(x, y, self.weight, side, other)
        marginal = side.equal[x] + other.equal[y] + 2 * (side.below[x] + other.below[y])
        return self.n - marginal + 4 * lower + 2 * (left + down) + same


def smaller_before(values: Ints, weight: Ints) -> tuple[Ints, Ints]:
    """Return what the smaller numbers before each number weigh together, and its place once sorted stably.

    Numbers that agree in all higher bits stand together, as they stood; those with a 1 in the next bit count the 0s before them,
    and the 0s are moved before the 1s. No comparison and no loop over numbers: one pass for each bit.

    Parameters
    ----------
    values : ndarray of int64, shape (n,)
        Whole numbers from 0 on.
    weight : ndarray of int64, shape (n,)

    Returns
    -------
    ndarray of int64, shape (n,)
        Summed weight of the smaller ones before each.
    ndarray of int64, shape (n,)
        Place of each among the sorted ones.
    """
    n = len(values)
    value, at, here = values.copy(), np.arange(n), np.arange(n)
    sums, weighs = np.zeros(n, np.int64), weight
    for bit in range(int(values.max(initial=0)).bit_length() - 1, -1, -1):
        group, digit = value >> (bit + 1), (value >> bit) & 1
        sizes = np.bincount(value >> bit, minlength=2 * int(group[-1]) + 2).reshape(-1, 2)
        start = np.cumsum(sizes.sum(1)) - sizes.sum(1)
        zeros = np.cumsum(1 - digit) - (1 - digit)
        zeros -= zeros[start[group]]
        light = np.cumsum(weighs * (1 - digit)) - weighs * (1 - digit)
        sums += digit * (light - light[start[group]])
        moved = np.where(digit == 1, here - zeros + sizes[group, 0], start[group] + zeros)
        value, at, sums, weighs = (_moved(column, moved) for column in (value, at, sums, weighs))
    return _moved(sums, at), _moved(here, at)


def _compared(x: Ints, y: Ints, weight: Ints, side: Side, other: Side) -> tuple[Ints, Ints, Ints, Ints]:
    """Return the pairs below one of each row on both sides, on x with y equal, on y with x equal, and the pairs equal on both.

    Each is of shape (rows,).
    """
    n_y = len(other.equal)
    key, of_row = np.unique(x * n_y + (n_y - 1 - y), return_inverse=True)
    of_x, of_y = key // n_y, n_y - 1 - key % n_y
    same = np.bincount(of_row, weights=weight).astype(np.int64)
    lower, sorted_at = smaller_before(of_y, same)
    by_y = _moved(same, sorted_at)
    left = (np.cumsum(by_y) - by_y)[sorted_at] - other.below[of_y]
    down = side.equal[of_x] + side.below[of_x] - np.cumsum(same)
    return lower[of_row], left[of_row], down[of_row], same[of_row]


def _moved(values: Ints, to: Ints) -> Ints:
    moved = np.empty_like(values)
    moved[to] = values
    return moved


def _ratio(shared: float, first: float, second: float) -> float:
    return float(_ratios(shared, first, second))


def _ratios(shared: ArrayLike, first: ArrayLike, second: ArrayLike) -> FloatArray:
    return np.clip(safe_ratio(shared, np.sqrt(first) * np.sqrt(second)), -1.0, 1.0)


def _totals(place: Ints, values: FloatArray) -> FloatArray:
    return np.bincount(place, weights=values).astype(np.float64, copy=False)
