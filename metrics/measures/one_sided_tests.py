"""One-sided tests that values lie below 0: Wilcoxon's signed ranks, and Student's t."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr

from metrics.measures.arrays import FloatArray
from metrics.measures.ranks import midranks

ROUNDING = 1e-9
"""At or below this a difference is rounding, and counts as none."""


def signed_rank_p(values: FloatArray) -> float:
    """Return P of Wilcoxon's signed-rank test that the values lie below 0, exact with ties too.

    Zeros are left out; equal sizes share their mean rank, and the sum of the positive ranks is set against all ways to sign
    them.

    Parameters
    ----------
    values : ndarray, shape (n,)

    Returns
    -------
    float
        In (0, 1]; NaN where all are 0.

    References: Wilcoxon (1945), doi:10.2307/3001968.
    """
    sizes = np.round(values[np.abs(values) > ROUNDING], 9)
    if not len(sizes):
        return math.nan
    doubled = np.rint(2 * midranks(np.abs(sizes))).astype(np.int64)
    ways = np.zeros(int(doubled.sum()) + 1)
    ways[0] = 1.0
    for rank in doubled.tolist():
        ways[rank:] += ways[:-rank].copy()
    positive = int(doubled[sizes > 0].sum())
    return float(ways[: positive + 1].sum() / ways.sum())


def t_below(values: FloatArray, times: NDArray[np.int64]) -> float:
    """Return P of the one-sided t test that the mean of the values lies below 0.

    Parameters
    ----------
    values : ndarray, shape (n,)
    times : ndarray of int64, shape (n,)
        How often each counts.

    Returns
    -------
    float
        Without spread 0 for a mean below 0, 1 above it, and NaN at it; NaN with fewer than two values.
    """
    n = int(times.sum())
    if n < 2:
        return math.nan
    mean = float((values * times).sum() / n)
    spread = math.sqrt(float((times * (values - mean) ** 2).sum()) / (n - 1))
    if spread <= ROUNDING:
        return math.nan if abs(mean) <= ROUNDING else float(mean > 0)
    return float(stdtr(n - 1, mean / (spread / math.sqrt(n))))
