"""Validation and division shared by all count-level metrics, and the classes that a side gives.

A class that neither side gives changes no interval, so that no rule and no prior may count it.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.float64]
Function = Callable[[FloatArray], FloatArray]
"""From counts, or sums, to values along their leading axes."""
FEWEST = 2
"""Agreement is about telling classes apart: where one alone is given, the first other one counts as well."""


class BadCounts(ValueError):
    """Counts that are none: of another shape, negative, not finite, or no numbers."""


class OtherClasses(BadCounts):
    """Counts of another number of classes than the one that a metric is defined for."""


def as_confusion(counts: ArrayLike, *, classes: int | None = None) -> FloatArray:
    """Return counts as float64, shape (..., K, K), reference in rows, judge in columns.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
    classes : int, optional
        The K that a metric is defined for.

    Raises
    ------
    BadCounts
        When the last two axes are not square, not `classes` long, shorter than 2, or a count is no finite number from 0.
    """
    try:
        array = np.asarray(counts, dtype=np.float64)
    except (TypeError, ValueError):
        raise BadCounts("counts must be numbers") from None
    if array.ndim < 2 or array.shape[-1] != array.shape[-2] or array.shape[-1] < 2:
        raise BadCounts(f"counts must have shape (..., K, K) with K >= 2, got {array.shape}")
    if classes is not None and array.shape[-1] != classes:
        raise OtherClasses(f"this metric is defined for {classes} classes, got {array.shape[-1]}")
    if array.size and not (array.min() >= 0 and array.max() < np.inf):
        raise BadCounts("counts must be finite and not negative")
    return array


def cells(counts: ArrayLike) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return TP, FN, FP, TN of 2x2 counts, each of shape (...).

    Parameters
    ----------
    counts : array_like, shape (..., 2, 2)

    Raises
    ------
    ValueError
        As `as_confusion`.
    """
    array = as_confusion(counts, classes=2)
    return array[..., 0, 0], array[..., 0, 1], array[..., 1, 0], array[..., 1, 1]


def safe_ratio(numerator: ArrayLike, denominator: ArrayLike) -> FloatArray:
    """Return quotient, NaN where the denominator is exactly zero.

    Parameters
    ----------
    numerator, denominator : array_like
        Broadcast against each other.
    """
    below = np.asarray(denominator, dtype=np.float64)
    if np.count_nonzero(below) < below.size:
        below = np.where(below == 0, np.nan, below)
    ratio: FloatArray = np.asarray(numerator, dtype=np.float64) / below
    return ratio


def mean_where_defined(values: FloatArray) -> tuple[float, int]:
    """Return mean over the criteria with a value, and how many those are; NaN when there is none.

    Parameters
    ----------
    values : ndarray, shape (C,)
        NaN where a criterion has none.
    """
    defined = ~np.isnan(values)
    count = int(defined.sum())
    return (float(values[defined].mean()) if count else float("nan")), count


def classes_in_use(tables: FloatArray) -> NDArray[np.bool_]:
    """Return whether a side gives each class in one of the tables, shape (K,), True for at least `FEWEST` of them.

    Parameters
    ----------
    tables : ndarray, shape (..., K, K)
    """
    counts = tables.reshape(-1, *tables.shape[-2:]).sum(0)
    used = (counts.sum(0) > 0) | (counts.sum(1) > 0)
    missing = max(0, FEWEST - int(used.sum()))
    used[np.flatnonzero(~used)[:missing]] = True
    return np.asarray(used)


def among(tables: FloatArray, used: NDArray[np.bool_]) -> FloatArray:
    """Return tables without the classes that are not used, shape (..., k, k) with k used ones.

    Parameters
    ----------
    tables : ndarray, shape (..., K, K)
    used : ndarray of bool, shape (K,)
    """
    return tables if used.all() else tables[..., used, :][..., used]


def spread_out(tables: FloatArray, used: NDArray[np.bool_]) -> FloatArray:
    """Return the reverse of `among`, shape (..., K, K), with nothing in the classes that are not used.

    Parameters
    ----------
    tables : ndarray, shape (..., k, k)
        Of the k used classes alone.
    used : ndarray of bool, shape (K,)
    """
    if used.all():
        return tables
    place, whole = np.flatnonzero(used), np.zeros((*tables.shape[:-2], len(used), len(used)))
    whole[..., place[:, None], place] = tables
    return whole
