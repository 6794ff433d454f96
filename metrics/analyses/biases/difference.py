"""A difference between two groups of items within strata, and its interval over items."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from metrics.measures.transforms import Interval, student
from metrics.results.estimate import Estimate

FEWEST = 10
"""Items of a group below which no difference is given: with fewer the interval of sums of squares is too short."""
Ints = NDArray[np.int64]


def stratified_difference(outcome: NDArray[np.float64], group: Ints, stratum: Ints, item: Ints, confidence: float) -> Estimate:
    """Return the mean outcome of group 1 minus that of group 0 within strata, weighted as Mantel and Haenszel do.

    A stratum with n₁ and n₀ decisions weighs n₁n₀ / (n₁ + n₀); one that a group lacks weighs nothing. The interval is that of
    Student's t over items: the influence of each item is the sum of those of its decisions, with the weights taken as fixed.

    Parameters
    ----------
    outcome : ndarray of float64, shape (n,)
        Of each decision.
    group, stratum, item : ndarray of int64, shape (n,)
        Group 0 or 1; stratum and item from 0.
    confidence : float

    Returns
    -------
    Estimate
        Undefined where no stratum has both groups, or a group has fewer than `FEWEST` items in such strata.

    References: Mantel & Haenszel (1959); Greenland & Robins (1985), doi:10.2307/2530643.
    """
    n_strata = int(stratum.max(initial=-1)) + 1
    key = stratum * 2 + group
    n = np.bincount(key, minlength=2 * n_strata).reshape(-1, 2).astype(np.float64)
    sums = np.bincount(key, outcome, minlength=2 * n_strata).reshape(-1, 2)
    shared = np.asarray((n > 0).all(1))
    if not shared.any():
        return Estimate(float("nan"), None, "no stratum holds both groups")
    kept = shared[stratum]
    few = min(len(np.unique(item[kept & (group == place)])) for place in (0, 1))
    if few < FEWEST:
        return Estimate(float("nan"), None, f"a group has fewer than {FEWEST} items")
    mean = np.divide(sums, n, out=np.zeros_like(sums), where=n > 0)
    weight = np.where(shared, n.prod(1) / np.maximum(n.sum(1), 1), 0.0)
    weight /= weight.sum()
    value = float(weight @ (mean[:, 1] - mean[:, 0]))
    return Estimate(value, _interval(value, outcome, key, weight, mean, n, item, confidence))


def _interval(
    value: float,
    outcome: NDArray[np.float64],
    key: Ints,
    weight: NDArray[np.float64],
    mean: NDArray[np.float64],
    n: NDArray[np.float64],
    item: Ints,
    confidence: float,
) -> Interval:
    sign = np.where(key % 2, 1.0, -1.0)
    influence = sign * weight[key // 2] * (outcome - mean.ravel()[key]) / n.ravel()[key]
    of_item = np.bincount(item, influence)
    n_items = len(np.unique(item[weight[key // 2] > 0]))
    half = student(n_items - 2, confidence) * float(np.sqrt(n_items / (n_items - 2) * (of_item**2).sum()))
    return Interval(max(-1.0, value - half), min(1.0, value + half), "items")
