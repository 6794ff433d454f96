"""How many units settle a question, and how wide an interval so many would give: from a value and its standard error alone."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri

from metrics.data.checks import checks_arguments
from metrics.errors import InputError
from metrics.measures.arrays import FloatArray
from metrics.measures.transforms import Interval, Transform, student, transformed
from metrics.results import words

POWER = 0.80
CONFIDENCE = 0.95
TOO_CLOSE = 0.1
"""Share of a standard error within which an estimate is on the line for every practical purpose."""


@dataclass(frozen=True)
class Needed:
    """Items that would settle a question; where no number would, `n` is None and `reason` says why."""

    n: int | None
    reason: str = ""


@checks_arguments
def items_needed(
    value: float,
    error: float,
    line: float,
    n_now: int,
    transform: Transform = None,
    *,
    above: bool = True,
    confidence: float = CONFIDENCE,
    power: float = POWER,
) -> Needed:
    r"""Return items at which the interval would exclude a line, :math:`n ((z_{1-\alpha/2} + z_{power}) s / d)^2`.

    Parameters
    ----------
    value, error : float
        Estimate and its standard error on the metric's own scale, from `n_now` items.
    line : float
        What the value is compared with.
    transform : {"logit", "fisher"} or None
        Scale on which distance and standard error are taken.
    above : bool
        The question is whether the value lies above the line; else below.

    Raises
    ------
    InputError
        For a line outside the metric's range.
    """
    if math.isnan(value):
        return Needed(None, "the value is undefined")
    if not (math.isfinite(error) and error > 0):
        return Needed(None, "there is no standard error")
    here, there = _onto(value, transform), _onto(line, transform)
    if there is None:
        raise InputError(f"The line {line} is outside the range of the metric.")
    if here is None:
        return Needed(None, "the estimate is at the end of its range")
    distance, spread = here[0] - there[0], error * here[1]
    if abs(distance) <= TOO_CLOSE * spread:
        return Needed(None, "the estimate is on the line, within a tenth of a standard error")
    if (distance > 0) != above:
        return Needed(None, f"the estimate is {'below' if above else 'above'} the line")
    z = float(ndtri((1 + confidence) / 2) + ndtri(power))
    return Needed(max(2, math.ceil(n_now * (z * spread / distance) ** 2)))


def expected_interval(
    value: float, error: float, n_now: int, n: int, transform: Transform = None, confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """Return ends of the interval that n items would give, the value staying where it is.

    Parameters
    ----------
    value, error : float
        Estimate and its standard error on the metric's own scale, from `n_now` items.
    n_now, n : int
        Numbers of items; above 0.
    transform : {"logit", "fisher", "log", "root"} or None
        Scale on which the interval is symmetric.
    confidence : float
        In (0, 1).

    Returns
    -------
    (float, float)
        NaN where the value has no interval; see `transformed`.
    """
    return transformed(value, error * math.sqrt(n_now / n), transform, student(max(n - 1, 1), confidence))


@checks_arguments
def expected_width(
    value: float, error: float, n_now: int, n: ArrayLike, transform: Transform = None, confidence: float = CONFIDENCE
) -> FloatArray:
    """Return width of the interval at each number of items.

    Parameters
    ----------
    value, error : float
        Estimate and its standard error on the metric's own scale, from `n_now` items.
    n_now : int
    n : array_like of int
        Numbers of items; above 0.
    transform : {"logit", "fisher", "log", "root"} or None
        Scale on which the interval is symmetric.
    confidence : float
        In (0, 1).

    Returns
    -------
    ndarray, shape of `n`
        On the metric's own scale; NaN where the value has no interval.
    """
    sizes: NDArray[np.int64] = np.atleast_1d(np.asarray(n, np.int64))
    ends = np.array([expected_interval(value, error, n_now, int(size), transform, confidence) for size in sizes])
    return np.asarray((ends[:, 1] - ends[:, 0]).reshape(np.shape(n)), np.float64)


def error_behind(interval: Interval, value: float, transform: Transform, n: int, confidence: float = CONFIDENCE) -> float:
    """Return standard error on the metric's own scale that an interval stands for; exact where the jackknife gave it.

    An end on the boundary of the range says nothing, so the other one counts twice.

    Parameters
    ----------
    interval : Interval
    value : float
        The estimate that the interval is of.
    transform : {"logit", "fisher", "log", "root"} or None
        Scale on which the interval is symmetric.
    n : int
        Units that a jackknife left out one at a time.
    confidence : float
        Of the interval, in (0, 1).

    Returns
    -------
    float
        NaN without an interval, for a value at the end of its range, and where neither end is inside the range.
    """
    here = _onto(value, transform)
    if here is None or interval.ends is None:
        return math.nan
    ends = [_onto(end, transform) for end in interval.ends]
    sides = [abs(end[0] - here[0]) for end in ends if end is not None and math.isfinite(end[0])]
    quantile = student(max(n - 1, 1), confidence) if "jackknife" in interval.method else float(ndtri((1 + confidence) / 2))
    return sum(sides) / len(sides) / quantile / here[1] if sides else math.nan


def about(n: int) -> str:
    """Return a number of items in two digits, rounded up: about 960."""
    step = 10 ** max(0, len(str(n)) - 2)
    return f"about {words.count(math.ceil(n / step) * step)}"


def _onto(value: float, transform: Transform) -> tuple[float, float] | None:
    """Return value on the transformed scale and the slope there; None on the boundary of the range and beyond."""
    if transform == "logit":
        return (math.log(value / (1 - value)), 1 / (value * (1 - value))) if 0 < value < 1 else None
    if transform == "fisher":
        return (math.atanh(value), 1 / (1 - value * value)) if -1 < value < 1 else None
    if transform in ("log", "root"):
        return (math.log(value), 1 / value) if value > 0 else None
    return value, 1.0
