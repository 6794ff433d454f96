"""How far an end must reach where few units are in error: the sample may hold none of those that are wrong throughout.

Fifty items of which none is wrong on every criterion do not show that such items are rarer than one in fourteen. Single errors
seen beside them make the jackknife say so: of a judge that fails on 1 to 3 % of the items it covers 46 to 85 %
(benchmarks/README.md).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.special import ndtri

from metrics.intervals.in_use import classes_in_use
from metrics.measures.arrays import FloatArray
from metrics.measures.transforms import Interval


def with_unseen(counts: FloatArray, n_units: int, confidence: float) -> FloatArray:
    """Return the tables as if the share of units that a sample may leave unseen had a wrong label in every decision.

    That share is Wilson's upper end of none in n; wrong labels lie evenly on the other classes in use.

    Parameters
    ----------
    counts : ndarray, shape (..., K, K)
    n_units : int
        Units of the sample, n.
    confidence : float

    Returns
    -------
    ndarray, shape (..., K, K)
    """
    z2, used = float(ndtri((1 + confidence) / 2)) ** 2, classes_in_use(counts)
    share = z2 / (n_units + z2)
    wrong = counts.sum(-1, keepdims=True) * (used & ~np.eye(len(used), dtype=bool)) / (used.sum() - 1)
    mixed: FloatArray = (1 - share) * counts + share * wrong
    return mixed


def reaching(interval: Interval, value: float, worse: float, flat_error: float, confidence: float) -> Interval:
    """Return the interval, its end on the side of `worse` as far at least as units not seen and single errors take it together.

    The two are independent, so their distances add in squares.

    Parameters
    ----------
    interval : Interval
    value : float
    worse : float
        The value with units not seen; NaN leaves the interval as it is.
    flat_error : float
        Standard error by independent decisions; NaN counts as 0.
    confidence : float

    References: Zou & Donner (2008), doi:10.1002/sim.3095.
    """
    if np.isnan(worse):
        return interval
    chance = float(ndtri((1 + confidence) / 2)) * float(np.nan_to_num(flat_error))
    end = value + float(np.copysign(np.hypot(chance, worse - value), worse - value))
    low, high = (min(interval.low, end), interval.high) if worse < value else (interval.low, max(interval.high, end))
    changed = (low, high) != (interval.low, interval.high)
    method = f"{interval.method}+mover" if changed and "+" not in interval.method else interval.method
    return replace(interval, low=low, high=high, method=method)
