"""Two judges on the same decisions: identical items merged, values with every unit and without each one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
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
class Paired:
    """Units (items, or clusters of them) by what two judges made of them.

    Attributes
    ----------
    tables : (csr array, csr array), each of shape (P, G · K²)
        Tables of A and of B on one unit of each kind.
    weight : ndarray of int64, shape (P,)
        Units of each kind; each has a decision that counts for a judge.
    change : csr array, shape (M, G · K²)
        What A's tables gain when a unit's verdicts are swapped, for each kind of unit on which the judges differ.
    change_weight : ndarray of int64, shape (M,)
        Units of each kind of change.
    n_items : int
    k : int
    groups : int
        Tables kept apart: the criteria, or 1 where they are pooled.
    common : (csr array, csr array)
        As `tables`, of the decisions that count for both judges.
    """

    tables: tuple[Any, Any]
    weight: Ints
    change: Any
    change_weight: Ints
    n_items: int
    k: int
    groups: int
    common: tuple[Any, Any]

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
        cells = np.concatenate([[[k * k, k * k]], np.stack([used // size, used % size], axis=1)]).astype(np.int64)
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
        return np.stack([self._tables(self.weight.astype(np.float64) @ counts) for counts in self.tables])

    def _tables(self, flat: FloatArray) -> FloatArray:
        return flat.reshape(*flat.shape[:-1], self.groups, self.k, self.k)

    def values(self, statistic: Statistic) -> tuple[float, float]:
        first, second = statistic.both(*self.totals)
        return float(first), float(second)

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
        first, second = (self._tables(self.weight.astype(np.float64) @ counts) for counts in self.common)
        whole = float(statistic.difference(*self.totals)) - float(statistic.difference(first, second))
        left = self._left_out(self.tables, [statistic]) - self._left_out(self.common, [statistic])
        return whole, float(jackknife_error(left, self.weight.astype(np.float64))[0])

    def _left_out(self, sides: tuple[Any, Any], statistics: Sequence[Statistic]) -> FloatArray:
        totals = [self._tables(self.weight.astype(np.float64) @ counts) for counts in sides]
        out = np.empty((len(self.weight), len(statistics)))
        step = max(1, BLOCK // (self.groups * self.k**2))
        for start in range(0, len(out), step):
            rows = slice(start, start + step)
            left = [total - self._tables(counts[rows].toarray()) for total, counts in zip(totals, sides, strict=True)]
            for place, statistic in enumerate(statistics):
                out[rows, place] = statistic.difference(left[0], left[1])
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
        shift = self._tables(np.asarray((self.change.T @ swapped.T).T, np.float64))
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
        differing, change_weight = _merge_equal_columns(self._differing(), self.weight, self.groups)
        change = self._tables(differing, 1) - self._tables(differing, 0)
        sides = self._tables(codes, 0), self._tables(codes, 1)
        common = self._tables(self._common(codes), 0), self._tables(self._common(codes), 1)
        return Paired(sides, weight, change, change_weight, int(weight.sum()), self.k, self.groups, common)

    def clustered(self, of_item: Ints, cluster: Ints, items: Ints) -> Paired:
        """Return clusters as units, from the pattern and the cluster of each kind of item, and how many items it stands for."""
        shape = int(cluster.max()) + 1, len(self.weight)
        belongs = sparse.csr_array((items.astype(np.float64), (cluster, of_item)), shape=shape)
        counted = np.asarray((self.codes > 0).any(0))
        differs = np.asarray((self._differing() > 0).any(0))
        there, apart = (belongs @ items.astype(np.float64) > 0 for items in (counted, differs))
        a, b = (sparse.csr_array(belongs @ self._tables(self.codes, side)) for side in (0, 1))
        change, change_weight = _equal_rows(sparse.csr_array(b[apart] - a[apart]))
        weight, n_items = np.ones(int(there.sum()), np.int64), int(self.weight[counted].sum())
        both = [sparse.csr_array(belongs @ self._tables(self._common(self.codes), side))[there] for side in (0, 1)]
        return Paired((a[there], b[there]), weight, change, change_weight, n_items, self.k, self.groups, (both[0], both[1]))

    def _differing(self) -> Ints:
        """Return the codes without those of cells on which the judges do not differ."""
        same = self.cells[:, 0] == self.cells[:, 1]
        return np.where(same[self.codes], 0, self.codes)

    def _common(self, codes: Ints) -> Ints:
        """Return the codes without those of cells that count for one judge alone."""
        counted = (self.cells[:, 0] < self.k**2) & (self.cells[:, 1] < self.k**2)
        return np.where(counted[codes], codes, 0)

    def _tables(self, codes: Ints, side: int) -> Any:
        """Return tables of one item of each pattern, as a sparse matrix of shape (P, G · K²)."""
        cell = self.cells[codes, side]
        criterion, pattern = np.nonzero(cell < self.k**2)
        column = cell[criterion, pattern] + (criterion * self.k**2 if self.groups > 1 else 0)
        shape = (codes.shape[1], self.groups * self.k**2)
        return sparse.csr_array((np.ones(len(column)), (pattern, column)), shape=shape)


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
