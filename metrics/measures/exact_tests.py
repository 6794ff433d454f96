"""Tests whose cost grows with the distinct values and never with the units, one-sided too, and the correction of several."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, gammaln, ndtr, stdtr

from metrics.measures.arrays import FloatArray
from metrics.measures.ranks import midranks

MOST_SUMS = 2**13
"""Sums or tables of which every one is counted; of more, the normal distribution gives the same p to three digits."""
ROUNDING = 1e-9
"""At or below this a difference is rounding, and counts as none."""


def sign_test(count: int, other: int) -> float:
    """Return two-sided p of as many cases of each of two outcomes if both are equally likely; 1 where there is no case."""
    fewer, more = sorted((count, other))
    # the sum of the binomial up to `fewer`; SciPy's own has no value beyond 2³¹ cases
    return min(1.0, 2 * float(betainc(more, fewer + 1, 0.5))) if more else 1.0


def sign_flip(sums: NDArray[np.int64], units: NDArray[np.int64], enough: float = 0.0) -> float:
    """Return two-sided p of the total if the sum of every unit were as likely of the other sign.

    The distribution over all 2ᵐ signs is a convolution of one binomial for each size of a sum, so nothing is drawn.

    Parameters
    ----------
    sums : ndarray of int64, shape (U,)
        Distinct sums, of either sign; units whose sum is 0 do not count.
    units : ndarray of int64, shape (U,)
        Units with each.
    enough : float
        Where Hoeffding's bound shows that p is no larger than this, the bound is as good.

    Returns
    -------
    float
        1 where no unit has a sum other than 0.
    """
    total, squares = abs(int(sums @ units)), int(sums**2 @ units)
    if squares and (bound := 2 * math.exp(-(total**2) / (2 * squares))) <= enough:
        return bound
    sizes, which = np.unique(np.abs(sums), return_inverse=True)
    times = np.array([int(units[which == place].sum()) for place in range(len(sizes))], np.int64)
    sizes, times = sizes[(sizes > 0) & (times > 0)], times[(sizes > 0) & (times > 0)]
    if not len(sizes):
        return 1.0
    if len(sizes) == 1:
        net, n = total // int(sizes[0]), int(times[0])
        return sign_test((n + net) // 2, (n - net) // 2)
    step = int(np.gcd.reduce(sizes))
    sizes, total = sizes // step, total // step
    span = int(sizes @ times)
    if span > MOST_SUMS:
        return _beyond(max(total - 1, 0) / math.sqrt(float((sizes.astype(np.float64) ** 2) @ times)))
    share = _sums_of(sizes, times, span)
    far = np.abs(2 * np.arange(span + 1) - span) >= total
    return float(min(1.0, max(share[far].sum(), 0.5 ** float(times.sum() - 1))))


def _sums_of(sizes: NDArray[np.int64], times: NDArray[np.int64], span: int) -> FloatArray:
    """Return probability of every sum of the sizes that come out positive, shape (span + 1,)."""
    length = 2 ** math.ceil(math.log2(span + 1))
    product = np.ones(length // 2 + 1, np.complex128)
    for size, n in zip(sizes.tolist(), times.tolist(), strict=True):
        part = np.zeros(length)
        part[: size * n + 1 : size] = _halves(n)
        product = product * np.fft.rfft(part)
    share: FloatArray = np.fft.irfft(product, length)[: span + 1]
    return share


def _halves(n: int) -> FloatArray:
    """Return binomial probabilities at ½, shape (n + 1,)."""
    k = np.arange(n + 1.0)
    share: FloatArray = np.exp(gammaln(n + 1.0) - gammaln(k + 1) - gammaln(n - k + 1) - n * math.log(2))
    return share


def fisher(table: NDArray[np.int64]) -> float:
    """Return two-sided p of Fisher's exact test that both rows have one rate; 1 where a margin is empty.

    Parameters
    ----------
    table : ndarray of int64, shape (2, 2)
    """
    rows, columns, n = table.sum(1).tolist(), table.sum(0).tolist(), int(table.sum())
    if not (min(rows) and min(columns)):
        return 1.0
    low, high = max(0, rows[0] - columns[1]), min(rows[0], columns[0])
    if high - low > MOST_SUMS:
        rates = table[:, 0] / table.sum(1)
        pooled = columns[0] / n
        return _beyond(float(rates[0] - rates[1]) / math.sqrt(pooled * (1 - pooled) * (1 / rows[0] + 1 / rows[1])))
    k = np.arange(low, high + 1.0)
    logs = -(gammaln(k + 1) + gammaln(rows[0] - k + 1) + gammaln(columns[0] - k + 1) + gammaln(columns[1] - rows[0] + k + 1))
    share = np.exp(logs - logs.max())
    seen = share[int(table[0, 0]) - low]
    return float(min(1.0, share[share <= seen * (1 + 1e-7)].sum() / share.sum()))


def holm(p: Sequence[float], more: int = 0) -> tuple[float, ...]:
    """Return p values corrected for their number; undefined ones are not counted and stay undefined.

    Parameters
    ----------
    more : int
        Comparisons planned beside these, whose p is not known and taken as 1.

    References: Holm (1979), Scandinavian Journal of Statistics 6, 65-70.
    """
    values = np.asarray(p, np.float64)
    order = np.argsort(values, kind="stable")[: int((~np.isnan(values)).sum())]
    steps = np.maximum.accumulate(values[order] * (len(order) + more - np.arange(len(order))))
    corrected = np.full(len(values), np.nan)
    corrected[order] = np.minimum(steps, 1.0)
    return tuple(corrected.tolist())


def _beyond(z: float) -> float:
    return float(2 * ndtr(-abs(z)))


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
