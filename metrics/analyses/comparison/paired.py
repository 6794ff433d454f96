"""Two judges on the same decisions: identical items merged, values with every unit and without each one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from metrics.analyses.settings import Settings
from metrics.data.aggregation import Level
from metrics.data.patterns import dense_rank, merge_codes
from metrics.measures.arrays import FloatArray
from metrics.measures.catalogue import BY_KEY
from metrics.measures.coefficients import weighted_kappa
from metrics.measures.transforms import jackknife_error

Ints = NDArray[np.int64]
BLOCK = 2_000_000
"""Numbers held at a time while units are left out or swapped."""
MOST = 5 * BLOCK
"""Numbers among which equal rows are looked for."""


@dataclass(frozen=True)
class Statistic:
    """A metric on the tables of two judges, shape (..., G, K, K).

    Attributes
    ----------
    form : {"pooled", "joint", "mean"}
        The metric of the sum of the tables; a metric that takes all criteria's tables; or the mean over the criteria where
        the metric is defined for both judges.
    """

    function: Callable[[FloatArray], FloatArray]
    form: Literal["pooled", "joint", "mean"]

    def parts(self, tables: FloatArray) -> FloatArray:
        """Return what the value of one judge is made of: the value itself, or a mean's values by criterion.

        Parameters
        ----------
        tables : ndarray, shape (..., G, K, K)

        Returns
        -------
        ndarray, shape (...), of a mean (..., G)
            NaN where the metric is undefined.
        """
        return self.function(tables.sum(-3) if self.form == "pooled" else tables)

    def joined(self, first: FloatArray, second: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return value of each judge from the parts of both.

        Parameters
        ----------
        first, second : ndarray, shape (...), of a mean (..., G)
            Parts of A and of B.

        Returns
        -------
        (ndarray, ndarray), each of shape (...)
            A mean takes the criteria that are defined for both judges, and is NaN where there is none.
        """
        if self.form != "mean":
            return first, second
        used = ~np.isnan(first + second)
        count = used.sum(-1)
        return tuple(  # type: ignore[return-value]
            np.where(count > 0, np.where(used, parts, 0.0).sum(-1) / np.maximum(count, 1), np.nan) for parts in (first, second)
        )

    def both(self, a: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return value of each judge.

        Parameters
        ----------
        a, b : ndarray, shape (..., G, K, K)
            Tables of A and of B.

        Returns
        -------
        (ndarray, ndarray), each of shape (...)
            NaN where undefined.
        """
        return self.joined(self.parts(a), self.parts(b))

    def difference(self, a: FloatArray, b: FloatArray) -> FloatArray:
        """Return value of B less that of A.

        Parameters
        ----------
        a, b : ndarray, shape (..., G, K, K)
            Tables of A and of B.

        Returns
        -------
        ndarray, shape (...)
            NaN where either value is undefined.
        """
        first, second = self.both(a, b)
        return second - first


@dataclass(frozen=True, eq=False)
class Counts:
    """Tables of one unit of each kind, by the cells that hold a decision: most hold none.

    Attributes
    ----------
    unit, cell : ndarray of int, shape (n,)
        Kind of unit, in order, and cell of each number; a cell may have several, which add up.
    number : ndarray, shape (n,)
    shape : (int, int)
        Kinds of units, and cells of each.
    """

    unit: NDArray[np.integer[Any]]
    cell: NDArray[np.integer[Any]]
    number: FloatArray
    shape: tuple[int, int]

    @staticmethod
    def of(matrix: Any) -> Counts:
        """Return those of a matrix, dense or csr, with units in rows."""
        entries = sparse.csr_array(matrix).tocoo()
        return Counts(entries.row, entries.col, entries.data, entries.shape)

    def matrix(self) -> Any:
        return sparse.csr_array((self.number, (self.unit, self.cell)), shape=self.shape)

    def total(self, weight: Ints) -> FloatArray:
        """Return the sum of the units, each by its weight, shape (cells,)."""
        return np.bincount(self.cell, weight[self.unit] * self.number, self.shape[1]).astype(np.float64)

    def rows(self, first: int, last: int) -> FloatArray:
        """Return units from one to another, which is left out, shape (last - first, cells)."""
        part, size = slice(*np.searchsorted(self.unit, (first, last))), self.shape[1]
        place = (self.unit[part] - np.int64(first)) * size + self.cell[part]
        return np.bincount(place, self.number[part], (last - first) * size).astype(np.float64).reshape(-1, size)


@dataclass(frozen=True, eq=False)
class Paired:
    """Units (items, or clusters of them) by what two judges made of them.

    Attributes
    ----------
    tables : (Counts, Counts)
        Tables of A and of B on one unit of each of P kinds, G · K² cells.
    weight : ndarray of int64, shape (P,)
        Units of each kind; each has a decision that counts for a judge.
    changes : callable
        Returns what A's tables gain by a swap, for each of M kinds of unit on which the judges differ, csr array, shape
        (M, G · K²), and units of each kind.
    n_items : int
    k : int
    groups : int
        Tables kept apart: the criteria, or 1 where they are pooled.
    common : (Counts, Counts)
        As `tables`, of the decisions that count for both judges.
    """

    tables: tuple[Counts, Counts]
    weight: Ints
    changes: Callable[[], tuple[Any, Ints]]
    n_items: int
    k: int
    groups: int
    common: tuple[Counts, Counts]

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
        cluster: Ints | None = None,
        multiplicity: Ints | None = None,
    ) -> Paired:
        """Return the units from the cells of both judges on every shared decision.

        Parameters
        ----------
        item, criterion : ndarray of int32, shape (D,)
            Item (kind of item where identical ones are merged) and criterion of each decision.
        cell_a, cell_b : ndarray of int64, shape (D,)
            Reference · K + judge, or K² where the decision does not count for that judge.
        k : int
            Classes K.
        n_items, n_criteria : int
        apart : bool
            Whether the tables of the criteria are kept apart, not pooled.
        cluster : ndarray, shape (n_items,), optional
            Cluster of each item; clusters are then the units.
        multiplicity : ndarray, shape (n_items,), optional
            How many items each one stands for.
        """
        size = k * k + 1
        pair = cell_a * size + cell_b
        counted = pair != size * size - 1
        used, rank = dense_rank(pair[counted], size * size)
        codes, weight, of_item = merge_codes(
            item[counted], criterion[counted], rank + 1,
            base=len(used) + 1, n_items=n_items, n_criteria=n_criteria, multiplicity=multiplicity,
        )  # fmt: skip
        cells = np.concatenate([[[k * k, k * k]], np.stack(np.divmod(used, size), axis=1)]).astype(np.int64)
        merged = _Items(codes, weight, cells, k, n_criteria if apart else 1)
        if cluster is None:
            return merged.paired()
        return merged.clustered(of_item, cluster, np.ones(n_items, np.int64) if multiplicity is None else multiplicity)

    @property
    def n_units(self) -> int:
        return int(self.weight.sum())

    @cached_property
    def totals(self) -> FloatArray:
        """Tables of both judges, shape (2, G, K, K)."""
        return self._totals(self.tables)

    def _totals(self, sides: tuple[Counts, Counts]) -> FloatArray:
        return np.stack([self._tables(counts.total(self.weight)) for counts in sides])

    def _tables(self, flat: FloatArray) -> FloatArray:
        return flat.reshape(*flat.shape[:-1], self.groups, self.k, self.k)

    def values(self, statistic: Statistic) -> tuple[float, float]:
        return tuple(float(value) for value in statistic.both(*self.totals))  # type: ignore[return-value]

    def error(self, statistic: Statistic) -> float:
        """Return standard error of the difference: one unit left out at a time, for both judges at once."""
        return float(self.errors([statistic])[0])

    def errors(self, statistics: Sequence[Statistic]) -> FloatArray:
        """Return standard error of the difference of each statistic, shape (S,)."""
        return jackknife_error(self.without_one(statistics), self.weight.astype(np.float64))

    def without_one(self, statistics: Sequence[Statistic]) -> FloatArray:
        """Return difference of each statistic without one unit of each kind, shape (P, S)."""
        return self._left_out(self.tables, statistics)

    def left_open(self, statistic: Statistic) -> tuple[float, float]:
        """Return difference less that on the decisions that count for both, and its standard error."""
        whole = float(statistic.difference(*self.totals)) - float(statistic.difference(*self._totals(self.common)))
        left = self._left_out(self.tables, [statistic]) - self._left_out(self.common, [statistic])
        return whole, float(jackknife_error(left, self.weight.astype(np.float64))[0])

    def _left_out(self, sides: tuple[Counts, Counts], statistics: Sequence[Statistic]) -> FloatArray:
        totals = self._totals(sides)
        out = np.empty((len(self.weight), len(statistics)))
        step = max(1, BLOCK // (self.groups * self.k**2))
        for start in range(0, len(out), step):
            end = min(start + step, len(out))
            left = [total - self._tables(counts.rows(start, end)) for total, counts in zip(totals, sides, strict=True)]
            for place, statistic in enumerate(statistics):
                out[start:end, place] = statistic.difference(left[0], left[1])
        return out

    def permuted(self, statistics: Sequence[Statistic], swapped: NDArray[Any]) -> FloatArray:
        """Return difference of each statistic after swaps.

        Parameters
        ----------
        statistics : sequence of S Statistic
        swapped : ndarray, shape (n, M)
            Units of each kind of change that are swapped, in each of n replicates.

        Returns
        -------
        ndarray, shape (S, n)
            NaN where undefined.
        """
        shift = self._tables(np.asarray((self.changes()[0].T @ swapped.T).T, np.float64))
        first, second = self.totals[0] + shift, self.totals[1] - shift
        return np.stack([statistic.difference(first, second) for statistic in statistics])


@dataclass(frozen=True, eq=False)
class _Items:
    """Identical items merged.

    Attributes
    ----------
    codes : ndarray of int64, shape (C, P)
        What happened on a criterion: place in `cells`; 0 where no decision counts.
    weight : ndarray of int64, shape (P,)
    cells : ndarray of int64, shape (U + 1, 2)
        Confusion cell of A and of B.
    """

    codes: Ints
    weight: Ints
    cells: Ints
    k: int
    groups: int

    def paired(self) -> Paired:
        """Return items as units."""
        codes, weight = _merge_equal_columns(self.codes, self.weight, self.groups)
        sides, common = self._tables(codes), self._tables(self._common(codes))
        return Paired(sides, weight, cache(self._changes), int(weight.sum()), self.k, self.groups, common)

    def _changes(self) -> tuple[Any, Ints]:
        """Return what A's tables gain by a swap, of each kind of items on which the judges differ, and the items of each."""
        codes, weight = _merge_equal_columns(self._differing(), self.weight, self.groups)
        a, b = self._tables(codes)
        return b.matrix() - a.matrix(), weight

    def clustered(self, of_item: Ints, cluster: Ints, items: Ints) -> Paired:
        """Return clusters as units, from the pattern and the cluster of each kind of item, and how many items it stands for."""
        shape = int(cluster.max()) + 1, len(self.weight)
        belongs = sparse.csr_array((items.astype(np.float64), (cluster, of_item)), shape=shape)
        counted = np.asarray((self.codes > 0).any(0))
        differs = np.asarray((self._differing() > 0).any(0))
        there, apart = (belongs @ items.astype(np.float64) > 0 for items in (counted, differs))
        sides, both = (
            [sparse.csr_array(belongs @ counts.matrix()) for counts in self._tables(codes)]
            for codes in (self.codes, self._common(self.codes))
        )
        weight, n_items = np.ones(int(there.sum()), np.int64), int(self.weight[counted].sum())
        a, b, common_a, common_b = (Counts.of(side[there]) for side in (*sides, *both))
        changes = cache(lambda: _equal_rows(sparse.csr_array(sides[1][apart] - sides[0][apart])))
        return Paired((a, b), weight, changes, n_items, self.k, self.groups, (common_a, common_b))

    def _differing(self) -> Ints:
        """Return the codes without those of cells on which the judges do not differ."""
        same = self.cells[:, 0] == self.cells[:, 1]
        return np.where(same[self.codes], 0, self.codes)

    def _common(self, codes: Ints) -> Ints:
        """Return the codes without those of cells that count for one judge alone."""
        counted = (self.cells[:, 0] < self.k**2) & (self.cells[:, 1] < self.k**2)
        return np.where(counted[codes], codes, 0)

    def _tables(self, codes: Ints) -> tuple[Counts, Counts]:
        """Return tables of A and of B on one item of each pattern."""
        a, b = (self._counts(cell) for cell in np.moveaxis(self.cells[codes.T], -1, 0))
        return a, b

    def _counts(self, cell: Ints) -> Counts:
        """Return decisions by their cell, shape (P, C), as tables of one item of each pattern."""
        pattern, criterion = np.nonzero(cell < self.k**2)
        column = cell[pattern, criterion] + (criterion * self.k**2 if self.groups > 1 else 0)
        return Counts(pattern, column, np.ones(len(column)), (len(cell), self.groups * self.k**2))


def _merge_equal_columns(codes: Ints, weight: Ints, groups: int) -> tuple[Ints, Ints]:
    """Return equal columns as one, those of zeros left out; where criteria are pooled, their order does not matter."""
    present = (codes > 0).any(0)
    codes, weight = codes[:, present], weight[present]
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


def _equal_rows(rows: Any) -> tuple[Any, Ints]:
    """Return equal rows as one, and how many each stands for; left as they are where there is too much to look at."""
    if not rows.shape[0] or rows.shape[0] * rows.shape[1] > MOST:
        return rows, np.ones(rows.shape[0], np.int64)
    distinct, count = np.unique(rows.toarray(), axis=0, return_counts=True)
    return sparse.csr_array(distinct), count.astype(np.int64)


def statistic_of(metric: str, level: Level, settings: Settings, *, many: bool) -> Statistic:
    """Return the metric as a statistic on the tables of two judges.

    Parameters
    ----------
    metric : str
        Key of the catalogue.
    level : {"micro", "macro", "item"}
        Macro for the mean over criteria.
    settings : Settings
        Their cost matrix weighs `weighted_kappa`.
    many : bool
        Whether there is more than one criterion.
    """
    record = BY_KEY[metric]
    function = partial(weighted_kappa, weights=settings.cost) if metric == "weighted_kappa" else record.function
    if record.takes == "criteria":
        return Statistic(function, "joint")
    return Statistic(function, "mean" if level == "macro" and many else "pooled")
