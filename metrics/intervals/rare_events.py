"""What rare events, chance and means do to the ends of intervals.

Few events say little about how rare they are: how much farther must an end then lie on their side?

One to three cases: without it the intervals of a nearly perfect judge on one table cover as little as 72 to 84 %, because the
upper end of a table with a single disagreement lies below the truth too often; with it 87 % or more (benchmarks/README.md).

Few units in error: the sample may hold none of those that are wrong throughout. Fifty items of which none is wrong on every
criterion do not show that such items are rarer than one in fourteen. Single errors seen beside them make the jackknife say so: of
a judge that fails on 1 to 3 % of the items it covers 46 to 85 % (benchmarks/README.md).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from scipy.special import gammainc, gammaincinv, ndtri

from metrics.measures.arrays import FloatArray, Function, classes_in_use
from metrics.measures.catalogue import BY_KEY
from metrics.measures.transforms import Interval

# The counts that Brown, Cai & DasGupta correct, see `rare_mean`.
MOST, MOST_OF_MANY, MANY = 2, 3, 50
AT_CHANCE = ("kappa", "phi", "youden_j", "balanced_accuracy", "mcc_multiclass", "macro_j")
"""Metrics that are at chance together (`at_chance`): the interval of one depends on those of the others."""


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


def at_chance(counts: FloatArray) -> dict[str, float]:
    """Return metrics of one table that are at chance together, and what they are there.

    Parameters
    ----------
    counts : ndarray, shape (K, K)

    Returns
    -------
    dict
        Metric key to its value at chance. With more than two classes in use κ and R_K alone.
    """
    correlation, of_rates = ("phi", "youden_j") if len(counts) == 2 else ("mcc_multiclass", "macro_j")
    together = {"kappa": 0.0, correlation: 0.0}
    return together | ({of_rates: 0.0, "balanced_accuracy": 0.5} if classes_in_use(counts).sum() == 2 else {})


def alike_at_chance(intervals: Mapping[str, Interval], counts: FloatArray) -> dict[str, Interval]:
    """Return intervals of one table, each holding chance where another does that is at chance together with it.

    The numerators of κ, φ, J and 2 BA - 1 have one sign where two classes are in use, those of κ and R_K on any table; means
    over tables do not.

    Parameters
    ----------
    intervals : mapping
        Metric key to interval; one with NaN ends stays as it is.
    counts : ndarray, shape (K, K)
    """
    null_by_key = {key: null for key, null in at_chance(counts).items() if key in intervals and intervals[key].ends}
    if not any(intervals[key].low <= null <= intervals[key].high for key, null in null_by_key.items()):
        return dict(intervals)
    held = {
        key: replace(intervals[key], low=min(intervals[key].low, at), high=max(intervals[key].high, at))
        for key, at in null_by_key.items()
    }
    return {**intervals, **held}


def by_rule_alike_at_chance(
    counts: FloatArray,
    functions: Mapping[str, Function],
    values: Mapping[str, float],
    rule: Callable[[Mapping[str, Function], Mapping[str, float]], dict[str, Interval]],
) -> dict[str, Interval]:
    """Return intervals of one table by a rule, with one conclusion about chance.

    What is at chance together is computed if lacking.

    Parameters
    ----------
    counts : ndarray, shape (K, K)
    functions : mapping
        Metric key to function of counts.
    values : mapping
        Metric key to the value on this table, NaN where undefined.
    rule : callable
        Intervals from functions and values.
    """
    at = at_chance(counts)
    lacking = {key: BY_KEY[key].function for key in at if key not in functions}
    if len(lacking) == len(at):
        return rule(functions, values)
    intervals = rule({**functions, **lacking}, {**values, **{key: float(function(counts)) for key, function in lacking.items()}})
    return {key: interval for key, interval in alike_at_chance(intervals, counts).items() if key not in lacking}


def mover(value: float, values: FloatArray, within: Sequence[Interval], correlation: FloatArray) -> tuple[float, float]:
    """Return interval of a mean from the intervals of its parts.

    References: Zou & Donner (2008), doi:10.1002/sim.3095.

    Parameters
    ----------
    value : float
        The mean.
    values : ndarray, shape (c,)
    within : sequence of Interval
        Of each value.
    correlation : ndarray, shape (c, c)
        Of the values.
    """
    below = values - np.array([interval.low for interval in within])
    above = np.array([interval.high for interval in within]) - values
    return value - _spread(below, correlation), value + _spread(above, correlation)


def _spread(sides: FloatArray, correlation: FloatArray) -> float:
    """Return half width of the mean.

    Criteria that mirror each other in the sample count as independent, so that it is never 0.
    """
    if not np.isfinite(sides).all():
        return float("inf")
    total, independent = float(sides @ correlation @ sides), float(sides @ sides)
    return float(np.sqrt(total if total > 1e-9 * independent else independent)) / len(sides)
