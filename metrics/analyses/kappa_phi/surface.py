"""κ/φ over the two label rates, in closed form."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from metrics.measures.arrays import FloatArray

LEVELS = (0.99, 0.95, 0.9, 0.8, 0.6, 0.4)
"""Values of κ/φ whose lines are drawn."""
SIDE = 61
"""Points along a side of the grid."""


def logit(rate: ArrayLike) -> FloatArray:
    """Return the log odds of a rate; minus infinity at 0, infinity at 1.

    Parameters
    ----------
    rate : array_like
        In [0, 1].
    """
    rate = np.asarray(rate, np.float64)
    with np.errstate(divide="ignore"):
        result: FloatArray = np.log(rate) - np.log1p(-rate)
    return result


def ratio_at(prevalence: ArrayLike, predicted: ArrayLike) -> FloatArray:
    r"""Return κ/φ at two label rates, :math:`\operatorname{sech}((\operatorname{logit}\pi - \operatorname{logit}\hat\pi)/2)`.

    Parameters
    ----------
    prevalence, predicted : array_like
        Shares of positives of reference and judge; broadcast against each other.

    Returns
    -------
    ndarray
        In (0, 1]; NaN where a rate is 0 or 1, because a side that never varies has no φ.
    """
    pi, pihat = np.broadcast_arrays(np.asarray(prevalence, np.float64), np.asarray(predicted, np.float64))
    inside = (pi > 0) & (pi < 1) & (pihat > 0) & (pihat < 1)
    half = (logit(np.where(inside, pi, 0.5)) - logit(np.where(inside, pihat, 0.5))) / 2
    ratio: FloatArray = np.where(inside, 1 / np.cosh(half), np.nan)
    return ratio


def judge_rate_on_line(ratio: float, prevalence: ArrayLike, *, lenient: bool) -> FloatArray:
    """Return the judge's rate at which κ/φ has this value, of the shape of `prevalence`.

    Parameters
    ----------
    ratio : float
        κ/φ, in (0, 1].
    prevalence : array_like
        Share of positives of the reference; 0 and 1 stay what they are.
    lenient : bool
        Whether the judge's rate is the larger one, above the diagonal.
    """
    away = 2 * np.arccosh(1 / ratio) * (1 if lenient else -1)
    odds = logit(prevalence) + away
    rate: FloatArray = 1 / (1 + np.exp(-odds))
    return rate


def line(ratio: float, *, lenient: bool, points: int = 61) -> tuple[FloatArray, FloatArray]:
    """Return a line of equal κ/φ from corner to corner, close where it bends.

    Parameters
    ----------
    ratio : float
        κ/φ, in (0, 1].
    lenient : bool
        Whether the judge's rate is the larger one, above the diagonal.
    points : int
        Between the two corners.

    Returns
    -------
    (ndarray, ndarray), each of shape (points + 2,)
        Shares of positives of the reference and of the judge.
    """
    odds = np.linspace(-9, 9, points)
    away = np.arccosh(1 / ratio) * (1 if lenient else -1)
    pi = np.concatenate([[0.0], 1 / (1 + np.exp(-(odds - away))), [1.0]])
    pihat = np.concatenate([[0.0], 1 / (1 + np.exp(-(odds + away))), [1.0]])
    return pi, pihat


def grid(side: int = SIDE) -> tuple[FloatArray, FloatArray]:
    """Return rates along a side, and κ/φ of every pair of them, judge in rows; on the rim the limit from inside."""
    rates = np.linspace(0, 1, side)
    inner = np.clip(rates, 1e-3, 1 - 1e-3)
    return rates, ratio_at(inner[None, :], inner[:, None])
