"""Classes that a side gives: one that neither side gives changes no interval, so that no rule and no prior may count it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from metrics.measures.arrays import FloatArray

FEWEST = 2
"""Agreement is about telling classes apart: where one alone is given, the first other one counts as well."""


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


def of_all(function: Callable[[FloatArray], FloatArray], used: NDArray[np.bool_]) -> Callable[[FloatArray], FloatArray]:
    """Return a function of tables of all classes as one of tables of those in use.

    Parameters
    ----------
    function : callable
        Of tables, shape (..., K, K).
    used : ndarray of bool, shape (K,)
    """
    return function if used.all() else lambda tables: function(spread_out(tables, used))
