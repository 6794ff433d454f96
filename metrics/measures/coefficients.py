"""Coefficients of agreement on counts of shape (..., K, K), reference in rows and judge in columns.

Every function broadcasts over the leading axes, works in counts, and returns NaN where it is undefined.
Counts of another shape, negative or not finite ones raise `ValueError`, as `as_confusion` does.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from metrics.measures.arrays import FloatArray, as_confusion, cells, safe_ratio

Weights = Literal["linear", "quadratic"] | ArrayLike | None


def accuracy(counts: ArrayLike) -> FloatArray:
    r"""Return share of equal verdicts, :math:`p_o`.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)

    Returns
    -------
    ndarray, shape (...)
        In [0, 1]; NaN where there is no decision.
    """
    counts = as_confusion(counts)
    return safe_ratio(_agreed(counts), counts.sum((-2, -1)))


def expected_agreement(counts: ArrayLike) -> FloatArray:
    r"""Return agreement expected from the two label rates alone, :math:`p_e = \sum_k r_k c_k / N^2`.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)

    Returns
    -------
    ndarray, shape (...)
        In [0, 1]; NaN where there is no decision.

    References: Cohen (1960), doi:10.1177/001316446002000104.
    """
    counts = as_confusion(counts)
    return safe_ratio((counts.sum(-1) * counts.sum(-2)).sum(-1), counts.sum((-2, -1)) ** 2)


def cohen_kappa(counts: ArrayLike, *, weights: Weights = None) -> FloatArray:
    r"""Return Cohen's kappa, :math:`1 - D_o / D_e`.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Counts of judgments, reference in rows, judge in columns.
    weights : {None, "linear", "quadratic"} or array_like, shape (K, K)
        Cost of confusing verdict i with verdict j.

    Returns
    -------
    ndarray, shape (...)
        At most 1; NaN where chance disagreement is zero: no judgments, or both sides constant on one verdict.
        Exactly 0 where one side alone is constant.

    References: Cohen (1960), doi:10.1177/001316446002000104; (1968), doi:10.1037/h0026256.
    """
    counts = as_confusion(counts)
    penalty = penalties(counts.shape[-1], weights)
    observed = counts.sum((-2, -1)) * (counts * penalty).sum((-2, -1))
    by_chance = ((counts.sum(-1) @ penalty) * counts.sum(-2)).sum(-1)
    return 1 - safe_ratio(observed, by_chance)


def weighted_kappa(counts: ArrayLike, weights: Weights) -> FloatArray:
    """Return Cohen's kappa with a cost for each confusion; see `cohen_kappa`.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
    weights : {None, "linear", "quadratic"} or array_like, shape (K, K)
        Cost of confusing verdict i with verdict j.

    Returns
    -------
    ndarray, shape (...)
        At most 1; NaN where chance disagreement costs nothing.

    Raises
    ------
    ValueError
        For a matrix that is no cost matrix; see `penalties`.
    """
    return cohen_kappa(counts, weights=weights)


def weighted_kappa_quadratic(counts: ArrayLike) -> FloatArray:
    """Return Cohen's kappa where a confusion costs the square of its distance in classes, which are in order.

    See `cohen_kappa`.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)

    Returns
    -------
    ndarray, shape (...)
        At most 1; NaN where there is no decision, or both sides are constant on one verdict.
    """
    return cohen_kappa(counts, weights="quadratic")


def kappa_within(counts: ArrayLike, *, weights: Weights = None) -> FloatArray:
    r"""Return kappa with chance computed inside each criterion, :math:`1 - \sum_c n_c D_{o,c} / \sum_c n_c D_{e,c}`.

    Parameters
    ----------
    counts : array_like, shape (..., C, K, K)
        One table per criterion.
    weights : {None, "linear", "quadratic"} or array_like, shape (K, K)
        Cost of confusing verdict i with verdict j.

    Returns
    -------
    ndarray, shape (...)
        NaN where no criterion has chance disagreement. Unlike pooled kappa it gives no credit for knowing which
        criterion is easy: criteria with kappa 0 give 0, whatever their prevalences.
    """
    observed, by_chance = disagreements(counts, weights=weights)
    return 1 - safe_ratio(observed.sum(-1), by_chance.sum(-1))


def disagreements(counts: ArrayLike, *, weights: Weights = None) -> tuple[FloatArray, FloatArray]:
    """Return disagreements seen, and expected from the label rates, in decisions.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
    weights : {None, "linear", "quadratic"} or array_like, shape (K, K)
        Cost of confusing verdict i with verdict j.

    Returns
    -------
    tuple of ndarray, shape (...)
        Seen and expected; both 0 where there is no decision.
    """
    counts = as_confusion(counts)
    n = counts.sum((-2, -1))
    if weights is not None:
        penalty = penalties(counts.shape[-1], weights)
        costly = ((counts.sum(-1) @ penalty) * counts.sum(-2)).sum(-1)
        return (counts * penalty).sum((-2, -1)), np.nan_to_num(safe_ratio(costly, n))
    by_chance = safe_ratio(n * n - (counts.sum(-1) * counts.sum(-2)).sum(-1), n)
    return n - _agreed(counts), np.nan_to_num(by_chance)


def phi(counts: ArrayLike) -> FloatArray:
    r"""Return phi, :math:`(TP\,TN - FP\,FN)/\sqrt{(TP+FN)(FP+TN)(TP+FP)(FN+TN)}`.

    On 2x2 tables the same number as MCC, Pearson, Spearman and Kendall's tau-b.

    Parameters
    ----------
    counts : array_like, shape (..., 2, 2)

    Returns
    -------
    ndarray, shape (...)
        In [-1, 1]; NaN where either side gives one label only.

    References: Matthews (1975), doi:10.1016/0005-2795(75)90109-9.
    """
    tp, fn, fp, tn = cells(counts)
    scale = np.sqrt((tp + fn) * (fp + tn) * ((tp + fp) * (fn + tn)))
    return np.clip(safe_ratio(tp * tn - fp * fn, scale), -1.0, 1.0)


def mcc_multiclass(counts: ArrayLike) -> FloatArray:
    r"""Return Gorodkin's :math:`R_K`, the correlation of two labelings in K classes; equals phi when K = 2.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)

    Returns
    -------
    ndarray, shape (...)
        In [-1, 1]; NaN where either side gives one label only.

    References: Gorodkin (2004), doi:10.1016/j.compbiolchem.2004.09.006.
    """
    counts = as_confusion(counts)
    reference, judge, n = counts.sum(-1), counts.sum(-2), counts.sum((-2, -1))
    shared = n * _agreed(counts) - (reference * judge).sum(-1)
    spread = np.sqrt((n * n - (reference**2).sum(-1)) * (n * n - (judge**2).sum(-1)))
    return np.clip(safe_ratio(shared, spread), -1.0, 1.0)


def kappa_phi_gap(counts: ArrayLike) -> FloatArray:
    """Return kappa minus phi; 0 when the label rates are equal, or when both coefficients are 0.

    Parameters
    ----------
    counts : array_like, shape (..., 2, 2)

    Returns
    -------
    ndarray, shape (...)
        NaN where phi is undefined.
    """
    return cohen_kappa(as_confusion(counts, classes=2)) - phi(counts)


def kappa_phi_ratio(counts: ArrayLike) -> FloatArray:
    r"""Return kappa over phi from the two label rates, :math:`2\sqrt{AB}/(A+B)`, :math:`A = \pi(1-\hat\pi)`, :math:`B =
    \hat\pi(1-\pi)`.

    Parameters
    ----------
    counts : array_like, shape (..., 2, 2)

    Returns
    -------
    ndarray, shape (...)
        In (0, 1], 1 without drift; defined also where both coefficients are 0; NaN where either side gives one label only.
    """
    tp, fn, fp, tn = cells(counts)
    a, b = (tp + fn) * (fn + tn), (tp + fp) * (fp + tn)
    both_vary = (a > 0) & (b > 0)
    ratio: FloatArray = np.where(both_vary, safe_ratio(2 * np.sqrt(a * b), a + b), np.nan)
    return np.minimum(ratio, 1.0)


def pabak(counts: ArrayLike) -> FloatArray:
    r"""Return prevalence- and bias-adjusted kappa, :math:`(K p_o - 1)/(K - 1)`.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)

    Returns
    -------
    ndarray, shape (...)
        NaN only where there is no decision.

    References: Byrt, Bishop & Carlin (1993), doi:10.1016/0895-4356(93)90018-V.
    """
    counts = as_confusion(counts)
    n, k = counts.sum((-2, -1)), counts.shape[-1]
    return safe_ratio(k * _agreed(counts) - n, n * (k - 1))


def gwet_ac1(counts: ArrayLike) -> FloatArray:
    r"""Return Gwet's AC1: chance agreement :math:`\sum_k q_k(1-q_k)/(K-1)`, q the mean of the two margins.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)

    Returns
    -------
    ndarray, shape (...)
        NaN only where there is no decision.

    References: Gwet (2008), doi:10.1348/000711006X126600.
    """
    counts = as_confusion(counts)
    n = counts.sum((-2, -1))
    twice = counts.sum(-1) + counts.sum(-2)
    spread = (twice * (2 * n[..., None] - twice)).sum(-1) / (counts.shape[-1] - 1)
    return safe_ratio(4 * n * _agreed(counts) - spread, 4 * n * n - spread)


def scott_pi(counts: ArrayLike) -> FloatArray:
    r"""Return Scott's pi: chance agreement :math:`\sum_k q_k^2`, q the mean of the two margins.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)

    Returns
    -------
    ndarray, shape (...)
        NaN where both sides are constant on one verdict, or there is no decision.

    References: Scott (1955), doi:10.1086/266577.
    """
    counts = as_confusion(counts)
    n = counts.sum((-2, -1))
    squares = ((counts.sum(-1) + counts.sum(-2)) ** 2).sum(-1)
    return safe_ratio(4 * n * _agreed(counts) - squares, 4 * n * n - squares)


def penalties(k: int, weights: Weights) -> FloatArray:
    """Return cost matrix of shape (K, K).

    Raises
    ------
    ValueError
        When a given matrix is not K x K, has a negative entry or a cost on the diagonal, or is all zero.
    """
    distance = np.abs(np.subtract.outer(np.arange(k), np.arange(k))).astype(np.float64)
    if weights is None:
        return (distance > 0).astype(np.float64)
    if isinstance(weights, str):
        if weights not in ("linear", "quadratic"):
            raise ValueError(f"weights must be 'linear', 'quadratic' or a matrix, got {weights!r}")
        scaled: FloatArray = distance / (k - 1)
        return scaled if weights == "linear" else np.asarray(scaled**2)
    try:
        matrix = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"weights must be 'linear', 'quadratic' or a matrix, got {weights!r}") from None
    if matrix.shape != (k, k):
        raise ValueError(f"the cost matrix must be {k} x {k}, got {matrix.shape}")
    if not np.isfinite(matrix).all() or (matrix < 0).any() or np.diagonal(matrix).any() or not matrix.any():
        raise ValueError("costs must be finite and not negative, zero on the diagonal, and not all zero")
    return matrix


def _agreed(counts: FloatArray) -> FloatArray:
    agreed: FloatArray = np.trace(counts, axis1=-2, axis2=-1)
    return agreed
