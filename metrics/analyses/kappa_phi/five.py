"""Closed forms of κ and φ: κ/φ over the two label rates, and five coefficients that are one number on binary verdicts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from metrics.measures.arrays import FloatArray, as_confusion, safe_ratio
from metrics.measures.coefficients import mcc_multiclass, phi
from metrics.measures.ranks import midranks

EQUAL = 1e-12
"""Largest difference that rounding explains."""
ROUTES: Mapping[str, str] = {
    "φ": "(TP·TN − FP·FN) over the root of the four margins",
    "MCC": "Gorodkin’s formula for any number of classes, with two",
    "Pearson’s r": "moments of the two lists of 0 and 1",
    "Spearman’s ρ": "the same moments of their midranks",
    "Kendall’s τ_b": "concordant less discordant pairs, ties excluded",
}
REFERENCE, JUDGE = np.array([1.0, 1.0, 0.0, 0.0]), np.array([1.0, 0.0, 1.0, 0.0])
"""Verdicts behind the four cells, in the order TP, FN, FP, TN."""
LEVELS = (0.99, 0.95, 0.9, 0.8, 0.6, 0.4)
"""Values of κ/φ whose lines are drawn."""
SIDE = 61
"""Points along a side of the grid."""


@dataclass(frozen=True)
class Five:
    """The five values by name, NaN where undefined, and their difference."""

    values: Mapping[str, float]
    largest: float
    """Largest difference between two of them."""

    @property
    def equal(self) -> bool:
        return bool(self.largest <= EQUAL)


def five_names(counts: ArrayLike) -> Five:
    """Return all five on one 2 x 2 table; all NaN where a side gives one label only.

    Parameters
    ----------
    counts : array_like, shape (2, 2)
    """
    n = as_confusion(counts, classes=2).ravel()
    coefficients = (float(phi(counts)), float(mcc_multiclass(counts)), pearson(n), spearman(n), tau_b(n))
    values = dict(zip(ROUTES, coefficients, strict=True))
    return Five(values, float(np.ptp(list(values.values()))))


def pearson(n: FloatArray) -> float:
    """Return Pearson's r of the 0/1 lists; NaN where a list is constant.

    Parameters
    ----------
    n : ndarray, shape (4,)
        Decisions in the cells TP, FN, FP, TN.
    """
    return _moments(REFERENCE, JUDGE, n)


def spearman(n: FloatArray) -> float:
    """Return Spearman's rho, Pearson's r of the midranks; NaN where a list is constant.

    Parameters
    ----------
    n : ndarray, shape (4,)
        Decisions in the cells TP, FN, FP, TN.
    """
    return _moments(midranks(REFERENCE, n), midranks(JUDGE, n), n)


def tau_b(n: FloatArray) -> float:
    r"""Return Kendall's tau-b from pairs of decisions, :math:`(C - D)/\sqrt{(P - T_y)(P - T_{\hat y})}`.

    NaN where a list is constant.

    Parameters
    ----------
    n : ndarray, shape (4,)
        Decisions in the cells TP, FN, FP, TN.
    """
    pairs = np.outer(n, n)
    signs = np.sign(np.subtract.outer(REFERENCE, REFERENCE)) * np.sign(np.subtract.outer(JUDGE, JUDGE))
    concordant, discordant = pairs[signs > 0].sum() / 2, pairs[signs < 0].sum() / 2
    untied = [_pairs(n.sum()) - _tied(values, n) for values in (REFERENCE, JUDGE)]
    return float(safe_ratio(concordant - discordant, np.sqrt(untied[0]) * np.sqrt(untied[1])))


def _moments(x: FloatArray, y: FloatArray, n: FloatArray) -> float:
    total = n.sum()
    dx, dy = (values - safe_ratio((n * values).sum(), total) for values in (x, y))
    spread = np.sqrt((n * dx * dx).sum()) * np.sqrt((n * dy * dy).sum())
    return float(safe_ratio((n * dx * dy).sum(), spread))


def _pairs(n: float) -> float:
    return n * (n - 1) / 2


def _tied(values: FloatArray, n: FloatArray) -> float:
    return sum(_pairs(float(n[values == value].sum())) for value in np.unique(values))


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
