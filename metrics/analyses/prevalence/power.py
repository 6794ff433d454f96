"""What a judge costs: how many answers it takes to tell two models apart by the rate it reports."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from metrics.data.checks import checks_arguments
from metrics.measures.arrays import FloatArray, cells, safe_ratio
from metrics.measures.catalogue import BY_KEY

POWER, CONFIDENCE = 0.80, 0.95
FEW = 30
"""Below so many golden items of a class, its rate says little."""


def carried(tpr: ArrayLike, fpr: ArrayLike, prevalence: ArrayLike) -> FloatArray:
    """Return table of a judge on items of another prevalence, as shares of all decisions.

    TPR and FPR stay what they are.

    Parameters
    ----------
    tpr, fpr, prevalence : array_like, shapes that broadcast to (...)
        In [0, 1].

    Returns
    -------
    ndarray, shape (..., 2, 2)
        [[TP, FN], [FP, TN]], which add up to 1; a row is NaN where its rate is, and both are where the prevalence is.
    """
    t, f, x = np.broadcast_arrays(*(np.asarray(value, np.float64) for value in (tpr, fpr, prevalence)))
    positive = np.stack([x * t, x * (1 - t)], axis=-1)
    negative = np.stack([(1 - x) * f, (1 - x) * (1 - f)], axis=-1)
    return np.stack([positive, negative], axis=-2)


def rates_of(counts: ArrayLike, prior: float = 0.0) -> tuple[FloatArray, FloatArray]:
    """Return TPR and FPR of 2 x 2 counts.

    Parameters
    ----------
    counts : array_like, shape (..., 2, 2)
        Reference in rows.
    prior : float
        Decisions added to every cell.

    Returns
    -------
    tpr, fpr : ndarray, shape (...)
        NaN where the reference has no decision of the class, and none is added.
    """
    tp, fn, fp, tn = (cell + prior for cell in cells(counts))
    return safe_ratio(tp, tp + fn), safe_ratio(fp, fp + tn)


def metric_at(key: str, tpr: ArrayLike, fpr: ArrayLike, prevalence: ArrayLike) -> FloatArray:
    """Return a metric of the catalogue for the same judge at another prevalence.

    Parameters
    ----------
    key : str
        Of a metric of two classes.
    tpr, fpr, prevalence : array_like, shapes that broadcast to (...)
        In [0, 1]; a rate may be NaN.

    Returns
    -------
    ndarray, shape (...)
        NaN where a rate is, or the metric is undefined.
    """
    t, f = np.asarray(tpr, np.float64), np.asarray(fpr, np.float64)
    known = ~np.isnan(t + f)
    values = BY_KEY[key].function(carried(np.where(known, t, 0.0), np.where(known, f, 0.0), prevalence))
    return np.where(known, values, np.nan)


def measured_rate(tpr: ArrayLike, fpr: ArrayLike, prevalence: ArrayLike) -> FloatArray:
    """Return share the judge calls positive where the truth is `prevalence`: y = FPR + J x.

    Parameters
    ----------
    tpr, fpr, prevalence : array_like, shapes that broadcast to (...)
        In [0, 1]; a rate may be NaN.

    Returns
    -------
    ndarray, shape (...)
        In [0, 1]; NaN where a rate is.
    """
    return metric_at("predicted_prevalence", tpr, fpr, prevalence)


def phi_at(counts: ArrayLike, prevalence: ArrayLike, prior: float = 0.0) -> FloatArray:
    """Return φ of the same judge on items of another prevalence.

    Parameters
    ----------
    counts : array_like, shape (..., 2, 2)
        Golden set, reference in rows.
    prevalence : array_like
        In [0, 1]; broadcasts with the leading axes of `counts`.
    prior : float
        Decisions added to every cell of the counts.

    Returns
    -------
    ndarray, shape (...)
        NaN where a rate of the counts is undefined, or one of the two sides would give one label only.
    """
    return metric_at("phi", *rates_of(counts, prior), prevalence)


@checks_arguments
def signal_to_noise(counts: ArrayLike, prevalence: ArrayLike) -> FloatArray:
    r"""Return signal over noise of a judge as a meter, :math:`J/\sqrt{y(1-y)}`, y the rate it reports at a prevalence.

    Signed; the same as φ at that prevalence over :math:`\sqrt{x(1-x)}`. Half a decision is added to every cell.

    Parameters
    ----------
    counts : array_like, shape (..., 2, 2)
        Golden set, reference in rows.
    prevalence : array_like
        Of the benchmark on which models will be compared, in (0, 1).

    Returns
    -------
    ndarray, shape (...)
    """
    x = np.asarray(prevalence, np.float64)
    return np.asarray(phi_at(counts, x, 0.5) / np.sqrt(x * (1 - x)), np.float64)


@checks_arguments
def answers_needed(
    tpr: ArrayLike,
    fpr: ArrayLike,
    x1: ArrayLike,
    x2: ArrayLike,
    *,
    confidence: float = CONFIDENCE,
    power: float = POWER,
    answered: float = 1.0,
) -> FloatArray:
    r"""Return answers per model at which a judge tells the prevalences x1 and x2 apart, not rounded.

    :math:`[z_{\alpha/2}\sqrt{2\bar y(1-\bar y)} + z_\beta\sqrt{y_1(1-y_1)+y_2(1-y_2)}]^2 / (J\Delta)^2`, for independent
    answers of the two models.

    Parameters
    ----------
    tpr, fpr, x1, x2 : array_like, shapes that broadcast to (...)
        In [0, 1]; a rate may be NaN.
    confidence, power : float
        In (0, 1).
    answered : float
        Share of the answers that get a verdict, in (0, 1]; the others are needed on top.

    Returns
    -------
    ndarray, shape (...)
        Infinite where the judge reports the same rate for both, as at chance; NaN where a rate is.
    """
    y1, y2 = measured_rate(tpr, fpr, x1), measured_rate(tpr, fpr, x2)
    mean = (y1 + y2) / 2
    z_alpha, z_beta = ndtri((1 + confidence) / 2), ndtri(power)
    noise = z_alpha * np.sqrt(2 * mean * (1 - mean)) + z_beta * np.sqrt(y1 * (1 - y1) + y2 * (1 - y2))
    apart = np.abs(y1 - y2)
    chance = apart <= 1e-12
    needed = np.where(chance, np.inf, (noise / np.where(chance, 1.0, apart)) ** 2 / answered)
    return np.asarray(np.where(np.isnan(y1 + y2), np.nan, needed), np.float64)


def whole(answers: float) -> int | None:
    """Return answers rounded up; None where no number of them is enough."""
    return math.ceil(answers - 1e-9) if math.isfinite(answers) else None
