"""Two judges on the same decisions: identical items merged, values with every item and without each one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from metrics.arrays import FloatArray
from metrics.intervals.scale import jackknife_error
from metrics.patterns import dense_rank, merge_codes

Ints = NDArray[np.int64]
BLOCK = 2_000_000
"""Numbers held at a time while items are left out or swapped."""


@dataclass(frozen=True)
class Statistic:
    """A metric on the tables of two judges, shape (..., G, K, K).

    Attributes
    ----------
    form : {"pooled", "joint", "mean"}
        The metric of the one table (G = 1); a metric that takes all criteria's tables; or the mean over the criteria where
        the metric is defined for both judges.
    """

    function: Callable[[FloatArray], FloatArray]
    form: Literal["pooled", "joint", "mean"]

    def both(self, a: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Value of each judge, shape (...)."""
        if self.form == "pooled":
            return self.function(a[..., 0, :, :]), self.function(b[..., 0, :, :])
        first, second = self.function(a), self.function(b)
        if self.form == "joint":
            return first, second
        used = ~np.isnan(first + second)
        count = used.sum(-1)
        return tuple(  # type: ignore[return-value]
            np.where(count > 0, np.where(used, own, 0.0).sum(-1) / np.maximum(count, 1), np.nan) for own in (first, second)
        )

    def difference(self, a: FloatArray, b: FloatArray) -> FloatArray:
        """Value of B less that of A, shape (...)."""
        first, second = self.both(a, b)
        return second - first


@dataclass(frozen=True, eq=False)
class Paired:
    """Items by what two judges made of them.

    Attributes
    ----------
    codes : ndarray of int64, shape (C, P)
        What happened on a criterion: place in `cells`; 0 where no decision counts.
    weight : ndarray of int64, shape (P,)
        Items of each pattern; each has a decision that counts for a judge.
    cells : ndarray of int64, shape (U + 1, 2)
        Confusion cell of A and of B, reference · K + judge, or K² where the decision does not count for that judge.
    k : int
    groups : int
        Tables kept apart: the criteria, or 1 where they are pooled.
    """

    codes: Ints
    weight: Ints
    cells: Ints
    k: int
    groups: int

    @staticmethod
    def of(
        item: NDArray[np.int32],
        criterion: NDArray[np.int32],
        cell_a: Ints,
        cell_b: Ints,
        *,
        k: int,
        n_items: int,
        n_criteria: int,
        apart: bool,
    ) -> Paired:
        """From the cells of both judges on every shared decision."""
        size = k * k + 1
        pair = cell_a * size + cell_b
        counted = pair != size * size - 1
        used, rank = dense_rank(pair[counted], size * size)
        codes, weight, _ = merge_codes(
            item[counted], criterion[counted], rank + 1, base=len(used) + 1, n_items=n_items, n_criteria=n_criteria
        )
        present = (codes > 0).any(0)
        cells = np.concatenate([[[k * k, k * k]], np.stack([used // size, used % size], axis=1)])
        groups = n_criteria if apart else 1
        return Paired(*_merged(codes[:, present], weight[present], groups), cells.astype(np.int64), k, groups)

    @property
    def n_items(self) -> int:
        return int(self.weight.sum())

    @cached_property
    def totals(self) -> FloatArray:
        """Tables of both judges, shape (2, G, K, K)."""
        return np.stack([self._tables(self.weight.astype(np.float64) @ self.matrix(side)) for side in (0, 1)])

    def matrix(self, side: int, codes: Ints | None = None) -> Any:
        """Tables of one item of each pattern, as a sparse matrix of shape (P, G · K²)."""
        codes = self.codes if codes is None else codes
        cell = self.cells[codes, side]
        criterion, pattern = np.nonzero(cell < self.k**2)
        column = cell[criterion, pattern] + (criterion * self.k**2 if self.groups > 1 else 0)
        shape = (codes.shape[1], self.groups * self.k**2)
        return sparse.csr_array((np.ones(len(column)), (pattern, column)), shape=shape)

    def _tables(self, flat: FloatArray) -> FloatArray:
        return flat.reshape(*flat.shape[:-1], self.groups, self.k, self.k)

    def values(self, statistic: Statistic) -> tuple[float, float]:
        first, second = statistic.both(*self.totals)
        return float(first), float(second)

    def error(self, statistic: Statistic) -> float:
        """Standard error of the difference: one item left out at a time, for both judges at once."""
        return float(jackknife_error(self.without_one(statistic), self.weight.astype(np.float64)))

    def without_one(self, statistic: Statistic) -> FloatArray:
        """Difference without one item of each pattern, shape (P,)."""
        ones = [self.matrix(side) for side in (0, 1)]
        out = np.empty(len(self.weight))
        for rows in self._blocks(len(out)):
            left = [total - self._tables(one[rows].toarray()) for total, one in zip(self.totals, ones, strict=True)]
            out[rows] = statistic.difference(left[0], left[1])
        return out

    def _blocks(self, n: int) -> Iterator[slice]:
        step = max(1, BLOCK // (self.groups * self.k**2))
        return (slice(start, start + step) for start in range(0, n, step))

    def moves(self) -> tuple[Any, Ints]:
        """What changes in A's tables when an item's verdicts are swapped, and the items of each kind of change.

        Items on which the judges do not differ are left out. Sparse matrix of shape (M, G · K²), counts of shape (M,).
        """
        same = self.cells[:, 0] == self.cells[:, 1]
        codes = np.where(same[self.codes], 0, self.codes)
        differ = (codes > 0).any(0)
        codes, weight = _merged(codes[:, differ], self.weight[differ], self.groups)
        return self.matrix(1, codes) - self.matrix(0, codes), weight

    def permuted(self, statistic: Statistic, swapped: NDArray[Any], change: Any) -> FloatArray:
        """Difference after swaps; `swapped` holds how many items of each kind, shape (n, M)."""
        shift = self._tables(np.asarray((change.T @ swapped.T).T, np.float64))
        first, second = self.totals
        return statistic.difference(first + shift, second - shift)


def _merged(codes: Ints, weight: Ints, groups: int) -> tuple[Ints, Ints]:
    """Equal columns as one; where criteria are pooled, their order does not matter."""
    if not codes.shape[1]:
        return codes, weight
    if groups == 1:
        codes = np.sort(codes, axis=0)
    if len(codes) == 1:
        distinct, place = np.unique(codes[0], return_inverse=True)
        columns = distinct[None]
    else:
        columns, place = np.unique(codes, axis=1, return_inverse=True)
    return columns, np.bincount(place.ravel(), weights=weight).astype(np.int64)
