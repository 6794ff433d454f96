"""Numbers of paired numbers that follow from sums over the pairs, so that leaving a unit out costs a subtraction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from metrics.measures.arrays import FloatArray, safe_ratio

WITHIN = float(ndtri(0.975))
"""Standard deviations of the differences between the bias and a limit of agreement: 95 % of normal differences lie within."""
ROUNDING = 1e-13
"""A sum of squares at or below this share of what it was is that of equal numbers."""


@dataclass(frozen=True, eq=False)
class Moments:
    """Counts, means and sums of squares of pairs (reference x, judge y) and of their differences y - x; arrays of one shape.

    Attributes
    ----------
    n : ndarray
        Pairs.
    bias : ndarray
        Mean difference.
    xx, yy, xy, dd : ndarray
        Sums of squares and products about the means: of x, of y, of x with y, and of the differences.
    square, absolute : ndarray
        Mean squared and mean absolute difference.
    """

    n: FloatArray
    bias: FloatArray
    xx: FloatArray
    yy: FloatArray
    xy: FloatArray
    dd: FloatArray
    square: FloatArray
    absolute: FloatArray


@dataclass(frozen=True, eq=False)
class Sums:
    """Sums over the pairs of each unit, about the means of all pairs, shape (10, units); of alike units once.

    Squares about a far point would drown the spread in rounding, and differences are summed by themselves for the same reason.
    """

    rows: FloatArray
    bias: float
    multiplicity: NDArray[np.int64]
    """Units that are like each, shape (units,)."""

    @staticmethod
    def of(
        reference: FloatArray, judge: FloatArray, unit: NDArray[np.int64], alike: NDArray[np.int64], times: NDArray[Any]
    ) -> Sums:
        """Return the sums of at least one finite pair.

        Parameters
        ----------
        reference, judge : ndarray, shape (n,)
        unit : ndarray, shape (n,)
            Unit of each, from 0 without gaps.
        alike : ndarray, shape (units,)
            Units that are like each.
        times : ndarray, shape (n,)
            Pairs that each stands for in one unit; need not be whole.
        """
        difference, weight = judge - reference, times * alike[unit]
        largest = float(max(np.abs(reference).max(), np.abs(judge).max()))
        x, y, d = (_about_mean(side, largest, weight) for side in (reference, judge, difference))
        rows = np.stack([np.ones_like(x), x, y, d, x * x, y * y, x * y, d * d, difference**2, np.abs(difference)])
        rows = rows * times.astype(np.float64)
        if len(alike) < len(unit) or not np.array_equal(unit, np.arange(len(alike))):
            rows = np.stack([np.bincount(unit, row, len(alike)).astype(np.float64, copy=False) for row in rows])
        return Sums(rows, _mean(difference, weight), alike)

    @cached_property
    def total(self) -> FloatArray:
        """Over all pairs, shape (10,)."""
        return np.asarray((self.rows * self.multiplicity).sum(1))

    @cached_property
    def all(self) -> Moments:
        """Of all pairs, as arrays without an axis."""
        return self.moments(self.total)

    @cached_property
    def without_each(self) -> Moments:
        """Of the pairs of all other units, shape (units,)."""
        return self.moments(self.total[:, None] - self.rows)

    def moments(self, sums: FloatArray) -> Moments:
        """Return what follows from sums over some of the pairs, shape (10, ...), about the means of all."""
        n, x, y, d, *squares, square, absolute = sums
        whole = self.total[4:8]
        about = [(x, x), (y, y), (x, y), (d, d)]
        xx, yy, xy, dd = (total - safe_ratio(a * b, n) for total, (a, b) in zip(squares, about, strict=True))
        xx, yy, dd = (
            np.where(moment > ROUNDING * most, moment, 0.0) for moment, most in zip((xx, yy, dd), whole[[0, 1, 3]], strict=True)
        )
        xy = np.where((xx > 0) & (yy > 0), xy, 0.0)
        return Moments(n, self.bias + safe_ratio(d, n), xx, yy, xy, dd, safe_ratio(square, n), safe_ratio(absolute, n))


def _mean(values: FloatArray, weight: NDArray[Any]) -> float:
    return float((values * weight).sum() / weight.sum())


def _about_mean(values: FloatArray, largest: float, weight: NDArray[Any]) -> FloatArray:
    """Return values less their mean; zeros where they differ by no more than the rounding of numbers of the largest size."""
    if np.ptp(values) <= 4 * np.finfo(np.float64).eps * largest:
        return np.zeros_like(values)
    about: FloatArray = values - _mean(values, weight)
    return about


def pearson(m: Moments) -> FloatArray:
    """Return Pearson's r; NaN where a side is constant."""
    return np.clip(safe_ratio(m.xy, np.sqrt(m.xx) * np.sqrt(m.yy)), -1.0, 1.0)


def rmse(m: Moments) -> FloatArray:
    """Return root of the mean squared difference."""
    return np.sqrt(m.square)


def mae(m: Moments) -> FloatArray:
    """Return mean absolute difference."""
    return m.absolute


def bias(m: Moments) -> FloatArray:
    """Return mean difference, judge less reference."""
    return m.bias


def bias_sd(m: Moments) -> FloatArray:
    """Return standard deviation of the differences, n - 1 below; NaN with fewer than two pairs."""
    return np.sqrt(_variance(m, m.dd))


def bias_d(m: Moments) -> FloatArray:
    """Return Cohen's d of the differences: their mean in their standard deviations; NaN where they are all equal."""
    return safe_ratio(m.bias, bias_sd(m))


def sd_ratio(m: Moments) -> FloatArray:
    """Return standard deviation of the judge's numbers over that of the reference's; NaN where a side is constant."""
    return safe_ratio(np.sqrt(m.yy), np.where(m.yy > 0, np.sqrt(m.xx), 0.0))


def ccc(m: Moments) -> FloatArray:
    """Return Lin's concordance correlation coefficient, with variances of n below.

    NaN with one pair, or where all numbers are equal.

    References: Lin (1989), doi:10.2307/2532051.
    """
    apart = np.where(m.n < 2, 0.0, m.xx + m.yy + m.n * m.bias**2)
    return np.clip(safe_ratio(2 * m.xy, apart), -1.0, 1.0)


def icc_3_1(m: Moments) -> FloatArray:
    """Return consistency of two fixed raters, from the two-way analysis of variance; NaN where both sides are constant.

    References: Shrout & Fleiss (1979), doi:10.1037/0033-2909.86.2.420.
    """
    return np.clip(safe_ratio(2 * m.xy, m.xx + m.yy), -1.0, 1.0)


def icc_2_1(m: Moments) -> FloatArray:
    """Return absolute agreement of two raters drawn at random; as `icc_3_1`, with the variance between the raters below."""
    between_raters = m.bias**2 - safe_ratio(_variance(m, m.dd), m.n)
    return safe_ratio(2 * _variance(m, m.xy), _variance(m, m.xx) + _variance(m, m.yy) + between_raters)


def loa_low(m: Moments) -> FloatArray:
    """Return lower limit of agreement: bias less 1.96 standard deviations of the differences.

    References: Bland & Altman (1986), doi:10.1016/S0140-6736(86)90837-8.
    """
    return m.bias - WITHIN * bias_sd(m)


def loa_high(m: Moments) -> FloatArray:
    """Return upper limit of agreement: bias and 1.96 standard deviations of the differences."""
    return m.bias + WITHIN * bias_sd(m)


def _variance(m: Moments, squares: FloatArray) -> FloatArray:
    return safe_ratio(squares, np.where(m.n < 2, 0.0, m.n - 1))


FUNCTIONS: dict[str, Callable[[Moments], FloatArray]] = {
    "pearson": pearson, "rmse": rmse, "mae": mae, "bias": bias, "bias_sd": bias_sd, "bias_d": bias_d,
    "sd_ratio": sd_ratio, "ccc": ccc,
    "icc_2_1": icc_2_1, "icc_3_1": icc_3_1, "loa_low": loa_low, "loa_high": loa_high,
}  # fmt: skip
