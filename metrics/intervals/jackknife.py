"""The delete-one jackknife: standard errors of metrics, one unit or one decision left out at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from metrics.measures.arrays import FloatArray, Function, safe_ratio
from metrics.measures.coefficients import disagreements
from metrics.measures.transforms import jackknife_error

Ints = NDArray[np.int64]
MOST_AT_ONCE = 2_000_000
"""Cells of leave-one-out tables that are held at once."""


def pooled_errors(units: Units, counts: FloatArray, functions: Mapping[str, Function]) -> dict[str, float]:
    """Return standard error of each metric of the pooled table, one unit left out at a time; NaN where one is undefined.

    Parameters
    ----------
    units : Units
    counts : ndarray, shape (K, K)
        The pooled table of the same units.
    functions : mapping
        Metric key to function of counts.
    """
    tables, of_table = units.tables()
    left = (counts - tables[part] for part in _blocks(len(tables), counts.size))
    return _errors(left, of_table, functions)


def flat_errors(counts: FloatArray, functions: Mapping[str, Function]) -> dict[str, float]:
    """Return the same with single decisions as units: what independent decisions would give.

    Parameters
    ----------
    counts : ndarray, shape (K, K)
    functions : mapping
        Metric key to function of counts.
    """
    return _errors((left for _, left in _one_less(counts[None])), counts[counts > 0], functions)


def within_errors(units: Units, by_criterion: FloatArray) -> tuple[float, float]:
    """Return standard error of `kappa_within`: one unit left out at a time, and one decision at a time.

    Parameters
    ----------
    units : Units
    by_criterion : ndarray, shape (C, K, K)
        The tables of the same units.

    Returns
    -------
    (float, float)
        NaN where one left out leaves it undefined.
    """
    clustered = jackknife_error(units.within_left_out(by_criterion), units.weight.astype(np.float64))
    counts = by_criterion.reshape(len(by_criterion), -1)
    single = [(full + changes[:, :-1])[counts > 0] for full, changes in zip(*within_parts(by_criterion), strict=True)]
    flat = jackknife_error(1 - safe_ratio(single[0], single[1]), counts[counts > 0])
    return float(clustered), float(flat)


def level_errors(
    units: Units, by_criterion: FloatArray, functions: Mapping[str, Function], *, within: bool
) -> tuple[dict[str, float], dict[str, float]]:
    """Return standard error of each metric of the pooled table, and of its mean over criteria, one unit left out at a time.

    Parameters
    ----------
    units : Units
    by_criterion : ndarray, shape (C, K, K)
        The tables of the same units.
    functions : mapping
        Metric key to function of counts.
    within : bool
        Whether `kappa_within` is among those of the pooled table.
    """
    pooled = pooled_errors(units, by_criterion.sum(0), functions)
    if within:
        pooled["kappa_within"] = within_errors(units, by_criterion)[0]
    return pooled, dict(zip(functions, units.macro(by_criterion, functions).errors().tolist(), strict=True))


def within_parts(by_criterion: FloatArray) -> tuple[tuple[float, float], tuple[FloatArray, FloatArray]]:
    """Return disagreements seen and expected over all criteria, and what changes without one decision in a cell."""
    parts = without_each(by_criterion, lambda tables: np.stack(disagreements(tables), -1))
    observed, by_chance = parts[..., 0], parts[..., 1]
    total = float(observed[:, -1].sum()), float(by_chance[:, -1].sum())
    return total, (observed - observed[:, -1:], by_chance - by_chance[:, -1:])


def without_each(by_criterion: FloatArray, function: Function) -> FloatArray:
    """Return a function of each criterion's table without one decision in a cell, shape (C, K² + 1, ...).

    The last is that of the table itself, and so is that of a cell without a decision.

    Parameters
    ----------
    by_criterion : ndarray, shape (C, K, K)
    function : callable
        From tables, shape (n, K, K), to values, shape (n, ...).
    """
    values = np.repeat(function(by_criterion)[:, None], by_criterion[0].size + 1, axis=1)
    for places, left in _one_less(by_criterion):
        values[places] = function(left)
    return values


def _one_less(by_criterion: FloatArray) -> Iterator[tuple[tuple[Ints, Ints], FloatArray]]:
    """Yield criteria and cells that hold a decision, and the criteria's tables without one there, a block at a time."""
    flat = by_criterion.reshape(len(by_criterion), -1)
    criterion, cell = np.nonzero(flat)
    for part in _blocks(len(cell), flat.shape[1]):
        left = flat[criterion[part]]
        left[np.arange(len(left)), cell[part]] -= 1
        yield (criterion[part], cell[part]), left.reshape(-1, *by_criterion.shape[1:])


def _blocks(n: int, size: int) -> Iterator[slice]:
    """Yield places of n tables of so many cells, as many at a time as are held; once where there is none."""
    step = max(1, MOST_AT_ONCE // size)
    return (slice(first, first + step) for first in range(0, max(n, 1), step))


def _errors(left: Iterable[FloatArray], of_each: FloatArray, functions: Mapping[str, Function]) -> dict[str, float]:
    """Return standard error of each metric from blocks of leave-one-out tables, and the units that each table stands for."""
    values = zip(*([function(tables) for function in functions.values()] for tables in left), strict=True)
    return {key: float(jackknife_error(np.concatenate(one), of_each)) for key, one in zip(functions, values, strict=True)}


def correlation_of(values: FloatArray, whole: FloatArray, weight: FloatArray) -> FloatArray:
    """Return correlation of leave-one-out values, shape (c, c): 1 on the diagonal, 0 where one does not vary.

    Parameters
    ----------
    values : ndarray, shape (c, n)
    whole : ndarray, shape (c,)
        With all units, which stands in where a value is undefined.
    weight : ndarray, shape (n,)
    """
    values = np.where(np.isnan(values), whole[:, None], values)
    centred = values - (values @ weight / weight.sum())[:, None]
    covariance = (centred * weight) @ centred.T
    spread = np.sqrt(np.diagonal(covariance))
    scale = np.outer(spread, spread)
    correlation = np.where(scale > 0, covariance / np.where(scale > 0, scale, 1.0), 0.0)
    np.fill_diagonal(correlation, 1.0)
    return correlation


class MacroErrors(Protocol):
    """Leave-one-out values of the mean over criteria: `MacroJackknife` of items, `ClusteredMacro` of clusters."""

    def errors(self) -> FloatArray: ...

    def correlations(self, metric: int, criteria: NDArray[np.bool_]) -> FloatArray: ...


class Units(Protocol):
    """What is left out one at a time: items (`Coded`) or clusters of them (`Clustered`); these say what the arrays are."""

    @property
    def k(self) -> int: ...

    @property
    def n_units(self) -> int: ...

    @property
    def weight(self) -> NDArray[Any]: ...

    @property
    def word(self) -> str: ...

    def within_left_out(self, by_criterion: FloatArray) -> FloatArray: ...

    def macro(self, by_criterion: FloatArray, functions: Mapping[str, Function]) -> MacroErrors: ...

    def units_with(self, cells: NDArray[np.bool_], criteria: NDArray[np.bool_] | None = None) -> int: ...

    def sums(self, worth: FloatArray) -> tuple[FloatArray, FloatArray]: ...

    def one_vs_rest(self, place: int) -> Units: ...

    def tables(self) -> tuple[FloatArray, FloatArray]: ...
