"""Few events say little about how rare they are: how much farther an end must then lie on their side.

Few events say little about how rare they are: how much farther must an end then lie on their side?

One to three cases: without it the intervals of a nearly perfect judge on one table cover as little as 72 to 84 %, because the
upper end of a table with a single disagreement lies below the truth too often; with it 87 % or more (benchmarks/README.md).

Few units in error: the sample may hold none of those that are wrong throughout. Fifty items of which none is wrong on every
criterion do not show that such items are rarer than one in fourteen. Single errors seen beside them make the jackknife say so: of
a judge that fails on 1 to 3 % of the items it covers 46 to 85 % (benchmarks/README.md).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.special import gammainc, gammaincinv, ndtri

from metrics.measures.arrays import FloatArray, classes_in_use
from metrics.measures.transforms import Interval

# The counts that Brown, Cai & DasGupta correct, see `rare_mean`.
MOST, MOST_OF_MANY, MANY = 2, 3, 50


def is_few(count: float, n: float) -> bool:
    """Return whether a count is small, but not none: up to 2, or up to 3 of more than 50."""
    return 1 <= count <= (MOST if n <= MANY else MOST_OF_MANY)


def rare_mean(count: float, confidence: float) -> float:
    """Return the Poisson mean under which so many events or more are seen with probability 1 - confidence.

    References: Brown, Cai & DasGupta (2001), doi:10.1214/ss/1009213286, section 4.1.1.
    """
    return float(gammaincinv(count, 1 - confidence))


def tail(count: float, n: float, confidence: float) -> float:
    """Return tail probability of a beta or Dirichlet posterior beyond its end on the side of `count` of `n`.

    It is never more than half of what the confidence leaves, which at 80 % the Poisson mean of two cases would be.

    Parameters
    ----------
    count : float
        Decisions on that side.
    n : float
        Decisions on both sides.
    confidence : float
    """
    plain = (1 - confidence) / 2
    return min(float(gammainc(count + 0.5, rare_mean(count, confidence))), plain) if is_few(count, n) else plain


def widened(low: float, high: float, count: float, n: float, confidence: float) -> tuple[float, float]:
    """Return the ends of an interval of count / n, farther out where the count or the rest is few.

    Parameters
    ----------
    low, high : float
        Ends of the share.
    count, n : float
    confidence : float
    """
    if is_few(count, n):
        low = min(low, rare_mean(count, confidence) / n)
    if is_few(n - count, n):
        high = max(high, 1 - rare_mean(n - count, confidence) / n)
    return low, high


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
