"""Five coefficients that are one number on binary verdicts, each by a route of its own."""

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
