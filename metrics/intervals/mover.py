"""MOVER: the interval of a mean from the intervals of its parts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from metrics.measures.arrays import FloatArray
from metrics.measures.transforms import Interval


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
