"""A metric of many groups at once, on its own scale and with its standard error, from sums over the units of each group."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from metrics.data.item_columns import Codes
from metrics.measures.arrays import FloatArray, Function
from metrics.measures.transforms import Transform, off_scale, on_scale

PSEUDO_UNITS = 2.0
"""Units that every group gets beside its own, spread over the cells as in the whole file: no group is then without an error."""
STEP = 1e-4
"""Share of a cell by which it is moved to find a slope."""
MOST_COUNTED = 1_000_000
"""Kinds × groups that are counted at once, beside four for each unit."""


@dataclass(frozen=True, eq=False)
class Units:
    """What is kept together: items, or whole clusters of them, each with its decisions.

    Attributes
    ----------
    tables : ndarray, shape (n, K, K)
        Decisions of a unit, reference in rows; as large as it weighs where units have weights.
    weight : ndarray of int64, shape (n,)
        Units that each row stands for.
    """

    tables: FloatArray
    weight: NDArray[np.int64]

    @property
    def k(self) -> int:
        return int(self.tables.shape[-1])

    @property
    def n(self) -> int:
        return int(self.weight.sum())

    def moments(self) -> FloatArray:
        """Return of every row 1, its cells, and the products of each two of them, shape (n, 1 + m + m(m + 1) / 2), m = K²."""
        cells = self.tables.reshape(len(self.tables), self.k**2)
        row, column = np.triu_indices(cells.shape[1])
        return np.column_stack([np.ones(len(cells)), cells, cells[:, row] * cells[:, column]])

    def sums(self, group: Codes, n_groups: int) -> FloatArray:
        """Return the moments summed over the units of each group, shape (G, F).

        Parameters
        ----------
        group : ndarray of int64, shape (n,)
            From 0; -1 for a unit of no group.
        n_groups : int
        """
        return group_sums(self.moments() * self.weight[:, None], group, n_groups)


def group_sums(moments: FloatArray, group: Codes, n_groups: int) -> FloatArray:
    """Return the sum of the rows of each group, shape (G, F).

    Parameters
    ----------
    moments : ndarray, shape (n, F)
    group : ndarray of int64, shape (n,)
        From 0; -1 for a row of no group.
    n_groups : int
    """
    place = np.where(group < 0, n_groups, group)
    columns = [np.bincount(place, weights=column, minlength=n_groups + 1)[:n_groups] for column in moments.T]
    return np.stack(columns, axis=1)


@dataclass(frozen=True, eq=False)
class Kinds:
    """Units of which many are alike.

    Attributes
    ----------
    distinct : Units
        One row for each kind, and how many units there are of it.
    kind : ndarray of int64, shape (n,)
        Row of each unit.
    weight : ndarray of int64, shape (n,)
        Units that each stands for.
    """

    distinct: Units
    kind: NDArray[np.int64]
    weight: NDArray[np.int64]

    @classmethod
    def of(cls, tables: FloatArray, kind: NDArray[np.int64], weight: NDArray[np.int64]) -> Kinds:
        """Return the units of the kinds whose tables are given, shape (P, K, K)."""
        times = np.bincount(kind, weights=weight, minlength=len(tables)).astype(np.int64)
        return cls(Units(tables, times), kind, weight)

    @cached_property
    def _each_once(self) -> bool:
        return bool((self.weight == 1).all())

    def each(self) -> Units:
        """Return the units one by one."""
        return Units(self.distinct.tables[self.kind], self.weight)

    def sums(self, held: FloatArray, group: Codes, n_groups: int) -> FloatArray:
        """Return what kinds hold, shape (P, F), summed over the units of each group, shape (G, F); exact of whole numbers.

        Parameters
        ----------
        held : ndarray, shape (P, F)
        group : ndarray of int, shape (n,)
            From 0; -1 for a unit of no group.
        n_groups : int
        """
        n_kinds, width = len(held), n_groups + 1
        if n_kinds * width > MOST_COUNTED + 4 * len(group):
            return group_sums(held[self.kind] * self.weight[:, None], group, n_groups)
        weight = None if self._each_once else self.weight
        counts = np.bincount(self.kind * width + group + 1, weights=weight, minlength=n_kinds * width)
        return np.asarray(counts.reshape(n_kinds, width)[:, 1:].T @ held, np.float64)


@dataclass(frozen=True, eq=False)
class Gauge:
    r"""A metric with what every group gets beside its own units.

    A group has the value of its table with two units more, spread over the cells as the decisions of the whole file are, each of
    as many decisions as the pooled design effect says. The standard error is that of the infinitesimal jackknife over units,
    :math:`\sqrt{n/(n-1) \sum_i (\nabla f \cdot T_i)^2}`, the added units among them.

    Attributes
    ----------
    prior : ndarray, shape (K²,)
        Decisions added to each cell.
    effect : float
        Design effect of the metric in the whole file, from 1 to the decisions of a unit.
    """

    function: Function
    transform: Transform
    k: int
    prior: FloatArray
    effect: float

    @classmethod
    def of(cls, whole: FloatArray, function: Function, transform: Transform, k: int) -> Gauge:
        """Return the gauge of a metric for groups of one file.

        Parameters
        ----------
        whole : ndarray, shape (F,)
            Moments of all units, summed.
        function : callable
            From counts, shape (..., K, K), to values, shape (...).
        transform : {"logit", "fisher"} or None
        k : int
        """
        cells = whole[1 : 1 + k * k] + PSEUDO_UNITS / k**2
        share = cells / cells.sum()
        plain = cls(function, transform, k, share * PSEUDO_UNITS, 1.0)
        slope = plain._slope(cells)
        clustered, flat = float(_form(slope, _matrix(whole, k))), float(cells @ slope**2)
        most = max(1.0, float(cells.sum() / max(whole[0], 1.0)))
        effect = float(np.clip(clustered / flat, 1.0, most)) if flat > 0 else most
        return cls(function, transform, k, share * PSEUDO_UNITS * effect, effect)

    def standing(self, sums: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return value on the metric's scale and its standard error, both of shape (...); NaN where there is no unit.

        Parameters
        ----------
        sums : ndarray, shape (..., F)
            Moments of the units of each group, summed.
        """
        size = self.k**2
        cells, units = sums[..., 1 : 1 + size] + self.prior, sums[..., 0]
        slope = self._slope(cells)
        variance = _form(slope, _matrix(sums, self.k)) + (slope**2 * self.prior * self.effect).sum(-1)
        value, stretch = on_scale(self._value(cells), self.transform)
        n = units + PSEUDO_UNITS
        error = np.sqrt(variance * n / (n - 1)) * stretch
        there = units > 0
        return np.where(there, value, np.nan), np.where(there, error, np.nan)

    def influence(self, counts: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return value on the metric's scale, shape (...), and its derivative by each cell, shape (..., K²).

        Parameters
        ----------
        counts : ndarray, shape (..., K²)
            Decisions of each group, without those that are added.
        """
        cells = counts + self.prior
        value, stretch = on_scale(self._value(cells), self.transform)
        return value, self._slope(cells) * stretch[..., None]

    def back(self, value: FloatArray) -> FloatArray:
        """Return values of the metric from values on its scale."""
        return off_scale(value, self.transform)

    def _value(self, cells: FloatArray) -> FloatArray:
        return self.function(cells.reshape(*cells.shape[:-1], self.k, self.k))

    def _slope(self, cells: FloatArray) -> FloatArray:
        """Return derivative of the metric by each cell, shape (..., K²)."""
        moved = np.eye(cells.shape[-1]) * STEP * cells[..., None, :]
        higher, lower = self._value(cells[..., None, :] + moved), self._value(cells[..., None, :] - moved)
        return np.asarray((higher - lower) / (2 * STEP * cells), np.float64)


def _matrix(sums: FloatArray, k: int) -> FloatArray:
    """Return the summed products of each two cells, shape (..., K², K²)."""
    size = k * k
    row, column = np.triu_indices(size)
    out = np.zeros((*sums.shape[:-1], size, size))
    out[..., row, column] = out[..., column, row] = sums[..., 1 + size :]
    return out


def _form(slope: FloatArray, matrix: FloatArray) -> FloatArray:
    return np.asarray(np.einsum("...a,...ab,...b->...", slope, matrix, slope), np.float64)
