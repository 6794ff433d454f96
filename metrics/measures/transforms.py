"""The scale on which a metric's interval is symmetric, and the interval record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.special import stdtrit

from metrics.measures.arrays import FloatArray

Transform = Literal["logit", "fisher", "log", "root"] | None
LEAST_ROOT = 0.05
"""Below, the cube root of a chi-square is no longer like a normal number, and its upper end would run away."""
ROUNDING = 1e-12
"""A standard error at or below this is that of equal numbers added in another order."""
MOST_ALIKE = 0.95
"""Correlation of two sides that is believed at most: few errors may look more alike than they are."""


@dataclass(frozen=True)
class Interval:
    """Ends of an interval and how it was found; NaN ends where there is none.

    Attributes
    ----------
    method : str
        `jackknife`, `dirichlet`, `wilson`, `beta`, `mover`, or two of them joined by `+` where the wider end of each counts;
        a bootstrap says what it draws.
    note : str
        What a reader must know, such as "small cell: 3 items with a disagreement".
    """

    low: float
    high: float
    method: str
    note: str = ""

    @property
    def ends(self) -> tuple[float, float] | None:
        return None if np.isnan(self.low) or np.isnan(self.high) else (self.low, self.high)


def student(df: int, confidence: float) -> float:
    """Return quantile of Student's t at (1 + confidence) / 2."""
    return float(stdtrit(df, (1 + confidence) / 2))


def transformed(value: float, error: float, transform: Transform, quantile: float) -> tuple[float, float]:
    r"""Return ends :math:`g^{-1}(g(x) \pm q \, s \, g'(x))`.

    `root` is for a root mean square: the wider of `log` and a chi-square. With 20 items `log` alone covers 86 to 93 %.

    Parameters
    ----------
    value, error : float
        The value x and its standard error s.
    transform : {"logit", "fisher", "log", "root"} or None
        The scale g; None is that of the value itself.
    quantile : float
        The q of Student's t.

    Returns
    -------
    (float, float)
        NaN on the boundary of the range, or where s is not above rounding.
    """
    nothing = (float("nan"), float("nan"))
    if not (np.isfinite(value) and np.isfinite(error) and error > ROUNDING):
        return nothing
    if transform == "logit":
        if not 0 < value < 1 - ROUNDING:
            return nothing
        centre, slope = np.log(value / (1 - value)), 1 / (value * (1 - value))
        with np.errstate(over="ignore"):  # of an end that is 0
            ends = [1 / (1 + np.exp(-(centre + side * quantile * error * slope))) for side in (-1, 1)]
    elif transform == "fisher":
        if not abs(value) < 1 - ROUNDING:
            return nothing
        centre, slope = np.arctanh(value), 1 / (1 - value * value)
        ends = [np.tanh(centre + side * quantile * error * slope) for side in (-1, 1)]
    elif transform in ("log", "root"):
        if not value > 0:
            return nothing
        with np.errstate(over="ignore"):
            ends = [value * np.exp(side * quantile * error / value) for side in (-1, 1)]
        if transform == "root":
            ends = list(wider((float(ends[0]), float(ends[1])), _chi_square(value, error, quantile)))
    else:
        ends = [value + side * quantile * error for side in (-1, 1)]
    return float(ends[0]), float(ends[1])


def on_scale(value: FloatArray, transform: Transform) -> tuple[FloatArray, FloatArray]:
    """Return g(x), and the slope g'(x) that a standard error of x is multiplied with.

    Parameters
    ----------
    value : ndarray, shape (...)
    transform : {"logit", "fisher"} or None
        The scale g; None is that of the value itself.

    Returns
    -------
    tuple of ndarray, shape (...)
        NaN at the ends of the range and beyond.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        if transform == "logit":
            inside = np.where((value > 0) & (value < 1), value, np.nan)
            return np.log(inside / (1 - inside)), 1 / (inside * (1 - inside))
        if transform == "fisher":
            inside = np.where(np.abs(value) < 1, value, np.nan)
            return np.arctanh(inside), 1 / (1 - inside * inside)
    return np.asarray(value, np.float64), np.ones_like(value)


def off_scale(value: FloatArray, transform: Transform) -> FloatArray:
    """Return the x whose g(x) is given, the reverse of `on_scale`.

    Parameters
    ----------
    value : ndarray, shape (...)
    transform : {"logit", "fisher"} or None
    """
    if transform == "logit":
        return np.asarray(1 / (1 + np.exp(-value)), np.float64)
    return np.asarray(np.tanh(value) if transform == "fisher" else value, np.float64)


def interval_around(value: float, error: float, transform: Transform, quantile: float, method: str) -> Interval | None:
    """Return the interval with the ends that `transformed` gives; None where it gives none, or one without an end.

    Parameters
    ----------
    value, error, transform, quantile
        As `transformed` takes them.
    method : str
        As in `Interval`.
    """
    low, high = transformed(value, error, transform, quantile)
    return Interval(low, high, method) if np.isfinite([low, high]).all() else None


def least_error(value: float, error: float, transform: Transform, n: int) -> float:
    """Return a standard error; of a root mean square no less than that of n normal differences.

    A few differences hide how far the tail reaches.

    Parameters
    ----------
    value, error : float
        The value and its standard error; a NaN error stays NaN.
    transform : {"logit", "fisher", "log", "root"} or None
        "root" is that of a root mean square.
    n : int
        Differences.
    """
    return max(error, value / np.sqrt(2 * n)) if transform == "root" and error > ROUNDING else error


def _chi_square(value: float, error: float, quantile: float) -> tuple[float, float]:
    """Return ends of a root mean square whose square is like a chi-square.

    Its standard error tells the degrees of freedom.

    References: Wilson & Hilferty (1931), doi:10.1073/pnas.17.12.684.
    """
    part = 2 / 9 * 2 * (error / value) ** 2
    low, high = (1 - part + side * quantile * np.sqrt(part) for side in (1, -1))
    nothing = float("nan")
    return float(value / low**1.5) if low > 0 else nothing, float(value / high**1.5) if high > LEAST_ROOT else nothing


def wider(first: tuple[float, float], second: tuple[float, float]) -> tuple[float, float]:
    """Return the wider of two intervals, end by end; an undefined end gives way."""
    return float(np.fmin(first[0], second[0])), float(np.fmax(first[1], second[1]))


def covering(value: float, ends: tuple[float, float]) -> tuple[float, float]:
    """Return the ends, one that would exclude the value moved to it."""
    return min(ends[0], value), max(ends[1], value)


def with_farther_ends(value: float, known: Interval | None, ends: tuple[float, float], method: str, note: str = "") -> Interval:
    """Return the interval with the farther ends of two, and both methods in its name; the second alone where there is no first.

    Parameters
    ----------
    value : float
        Lies in it.
    known : Interval or None
        The first; NaN ends count as none.
    ends : (float, float)
        Of the second.
    method : str
        How the second was found.
    note : str
        As in `Interval`.
    """
    if known is None or known.ends is None:
        return Interval(*covering(value, ends), method, note)
    return Interval(*covering(value, wider(known.ends, ends)), f"{known.method}+{method}", note)


def jackknife_error(left_out: FloatArray, weight: FloatArray) -> FloatArray:
    """Return standard error by delete-one jackknife from the distinct leave-one-out values, along the first axis.

    Parameters
    ----------
    left_out : ndarray, shape (U, ...)
        Value without one unit of each kind.
    weight : ndarray, shape (U,)
        Units of each kind.

    Returns
    -------
    ndarray, shape (...)
        NaN where a leave-one-out value is undefined, or there are fewer than two units.
    """
    n = weight.sum()
    if n < 2:
        return np.full(left_out.shape[1:], np.nan)
    total = np.dot if left_out.ndim == 1 else _over_first
    centre = total(weight, left_out) / n
    error: FloatArray = np.sqrt((n - 1) / n * total(weight, (left_out - centre) ** 2))
    return error


def _over_first(weight: FloatArray, values: FloatArray) -> FloatArray:
    return np.asarray(np.tensordot(weight, values, 1))


def of_difference(
    values: tuple[float, float], sides: tuple[tuple[float, float], tuple[float, float]], without: FloatArray, weight: FloatArray
) -> tuple[float, float]:
    """Return ends of the mean of a judge less that of humans from the ends of both, correlated as they are without an item.

    Parameters
    ----------
    values : (float, float)
        Means of the judge and of the humans.
    sides : ((float, float), (float, float))
        Ends of the interval of each.
    without : ndarray, shape (G, 3)
        Means without an item of each kind: of the judge, of the humans, and their difference, which is not used.
    weight : ndarray, shape (G,)
        Items of each kind.

    References: Zou & Donner (2008), doi:10.1002/sim.3095.
    """
    (judge, human), (judge_ends, theirs) = values, sides
    alike = _correlation(without[:, :2], weight)
    down, up = (judge - judge_ends[0], theirs[1] - human), (judge_ends[1] - judge, human - theirs[0])
    below, above = (np.sqrt(max(0.0, a * a + b * b - 2 * alike * a * b)) for a, b in (down, up))
    return judge - human - float(below), judge - human + float(above)


def _correlation(without: FloatArray, weight: FloatArray) -> float:
    """Return correlation of the two sides without an item, in [0, `MOST_ALIKE`]; 0 where one does not vary."""
    if np.isnan(without).any():
        return 0.0
    centred = without - weight @ without / weight.sum()
    covariance = (centred * weight[:, None]).T @ centred
    scale = np.sqrt(covariance[0, 0] * covariance[1, 1])
    return float(np.clip(covariance[0, 1] / scale, 0.0, MOST_ALIKE)) if scale > 0 else 0.0
