"""Agreement and rank correlations of ordered classes, on counts of shape (..., K, K), reference in rows and judge in columns.

Classes go from low to high on both axes. A side that uses one class only leaves the rank correlations undefined (NaN); on 2 x 2
tables both equal phi.

Every function broadcasts over the leading axes, costs nothing per decision, and returns NaN where it is undefined. `values`,
shape (K,), are what the classes are worth; the rank correlations and weighted kappa
(`metrics.measures.coefficients`) take their places instead.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metrics.measures.arrays import FloatArray, as_confusion, safe_ratio
from metrics.measures.coefficients import accuracy

FEWEST_APART = 3
"""Classes from which two of them can be more than one place apart."""


def exact_agreement(counts: ArrayLike) -> FloatArray:
    """Return share of equal verdicts: accuracy under the name it has beside `adjacent_agreement`.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)

    Returns
    -------
    ndarray, shape (...)
        In [0, 1]; NaN where there is no decision.
    """
    return accuracy(counts)


def adjacent_agreement(counts: ArrayLike) -> FloatArray:
    """Return share of verdicts at most one place apart.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)

    Returns
    -------
    ndarray, shape (...)
        In [0, 1]; NaN where there is no decision, and of two classes, which are always adjacent.
    """
    counts = as_confusion(counts)
    if counts.shape[-1] < FEWEST_APART:
        return np.full(counts.shape[:-2], np.nan)
    near = np.abs(_offsets(counts.shape[-1])) <= 1
    return safe_ratio((counts * near).sum((-2, -1)), counts.sum((-2, -1)))


def adjacent_baseline(counts: ArrayLike) -> FloatArray:
    """Return adjacent agreement of always giving the one class that reaches most.

    It is what `baseline_accuracy` is to exact agreement. On a short scale it is high: of three classes the middle one always
    reaches 1.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)

    Returns
    -------
    ndarray, shape (...)
        In [0, 1]; NaN where there is no decision, and of two classes.
    """
    counts = as_confusion(counts)
    if counts.shape[-1] < FEWEST_APART:
        return np.full(counts.shape[:-2], np.nan)
    near = (np.abs(_offsets(counts.shape[-1])) <= 1).astype(np.float64)
    return safe_ratio((counts.sum(-1) @ near).max(-1), counts.sum((-2, -1)))


def pearson(counts: ArrayLike, values: ArrayLike) -> FloatArray:
    """Return Pearson's correlation of the values.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
    values : array_like, shape (K,)
        Finite worth of each class, in the order of the classes.

    Returns
    -------
    ndarray, shape (...)
        In [-1, 1]; NaN where a side gives classes of one value only, or there is no decision.

    Raises
    ------
    ValueError
        When there is not one finite value for each class.
    """
    counts, worth = as_confusion(counts), _values(counts, values)
    reference, judge = counts.sum(-1), counts.sum(-2)
    of_reference, of_judge = _centred(reference, worth), _centred(judge, worth)
    shared = (of_reference[..., None, :] @ counts @ of_judge[..., :, None])[..., 0, 0]
    spread = np.sqrt((reference * of_reference**2).sum(-1)) * np.sqrt((judge * of_judge**2).sum(-1))
    varies = _varies(reference, worth) & _varies(judge, worth)
    return np.clip(safe_ratio(shared, np.where(varies, spread, 0.0)), -1.0, 1.0)


def rmse(counts: ArrayLike, values: ArrayLike) -> FloatArray:
    """Return root of the mean squared difference of the values.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
    values : array_like, shape (K,)
        Finite worth of each class, in the order of the classes.

    Returns
    -------
    ndarray, shape (...)
        In the unit of the values; NaN where there is no decision.

    Raises
    ------
    ValueError
        When there is not one finite value for each class.
    """
    return np.sqrt(_mean(counts, _differences(counts, values) ** 2))


def mae(counts: ArrayLike, values: ArrayLike) -> FloatArray:
    """Return mean absolute difference of the values.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
    values : array_like, shape (K,)
        Finite worth of each class, in the order of the classes.

    Returns
    -------
    ndarray, shape (...)
        In the unit of the values; NaN where there is no decision.

    Raises
    ------
    ValueError
        When there is not one finite value for each class.
    """
    return _mean(counts, np.abs(_differences(counts, values)))


def bias(counts: ArrayLike, values: ArrayLike) -> FloatArray:
    """Return mean of judge minus reference.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
    values : array_like, shape (K,)
        Finite worth of each class, in the order of the classes.

    Returns
    -------
    ndarray, shape (...)
        In the unit of the values, above 0 where the judge is the more generous; NaN where there is no decision.

    Raises
    ------
    ValueError
        When there is not one finite value for each class.
    """
    return _mean(counts, _differences(counts, values))


def _offsets(k: int) -> NDArray[np.int64]:
    """Return places from the reference to the judge, shape (K, K)."""
    places = np.arange(k)
    return places[None, :] - places[:, None]


def _values(counts: FloatArray, values: ArrayLike) -> FloatArray:
    worth = np.asarray(values, dtype=np.float64)
    if worth.shape != counts.shape[-1:] or not np.isfinite(worth).all():
        raise ValueError(f"values must be {counts.shape[-1]} finite numbers, one for each class, got shape {worth.shape}")
    return worth


def _differences(counts: ArrayLike, values: ArrayLike) -> FloatArray:
    """Return judge minus reference of every cell, shape (K, K)."""
    worth = _values(as_confusion(counts), values)
    return worth[None, :] - worth[:, None]


def _mean(counts: ArrayLike, of_cell: FloatArray) -> FloatArray:
    counts = as_confusion(counts)
    return safe_ratio((counts * of_cell).sum((-2, -1)), counts.sum((-2, -1)))


def _centred(margin: FloatArray, worth: FloatArray) -> FloatArray:
    """Return value of each class less the mean of its side, shape (..., K)."""
    return worth - safe_ratio(margin @ worth, margin.sum(-1))[..., None]


def _varies(margin: FloatArray, worth: FloatArray) -> NDArray[np.bool_]:
    """Return whether a side gives classes of two values, exactly and not within rounding, shape (...)."""
    there = margin > 0
    highest, lowest = np.where(there, worth, -np.inf).max(-1), np.where(there, worth, np.inf).min(-1)
    varies: NDArray[np.bool_] = highest > lowest
    return varies


def spearman(counts: ArrayLike) -> FloatArray:
    r"""Return Spearman's :math:`\rho`: Pearson's correlation of the ranks, tied values sharing their mean rank.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        Counts of judgments, reference in rows, judge in columns, both from the lowest class to the highest.

    Returns
    -------
    ndarray, shape (...)
        In [-1, 1]; NaN where either side uses one class only, or there is no judgment.

    References: Spearman (1904), doi:10.2307/1412159.
    """
    counts = as_confusion(counts)
    reference, judge = counts.sum(-1), counts.sum(-2)
    of_reference, of_judge = below_less_above(reference), below_less_above(judge)
    shared = (of_reference[..., None, :] @ counts @ of_judge[..., :, None])[..., 0, 0]
    spread = np.sqrt((reference * of_reference**2).sum(-1)) * np.sqrt((judge * of_judge**2).sum(-1))
    return np.clip(safe_ratio(shared, spread), -1.0, 1.0)


def kendall_tau_b(counts: ArrayLike) -> FloatArray:
    r"""Return Kendall's :math:`\tau_b`: concordant minus discordant pairs, over the pairs that neither side ties.

    .. math:: \tau_b = \frac{C - D}{\sqrt{(P - T_r)(P - T_j)}}

    with :math:`P` all pairs and :math:`T_r`, :math:`T_j` the pairs tied by the reference and by the judge.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        As for `spearman`.

    Returns
    -------
    ndarray, shape (...)
        In [-1, 1]; NaN where either side uses one class only, or there is no judgment.

    References: Kendall (1945), doi:10.1093/biomet/33.3.239.
    """
    counts = as_confusion(counts)
    reference, judge = counts.sum(-1), counts.sum(-2)
    return np.clip(safe_ratio((counts * surplus(counts)).sum((-2, -1)), np.sqrt(untied(reference) * untied(judge))), -1.0, 1.0)


def surplus(counts: ArrayLike) -> FloatArray:
    """Return judgments that one in each cell is concordant with, less those it is discordant with.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
        As for `spearman`.

    Returns
    -------
    ndarray, shape (..., K, K)
    """
    return below_less_above(below_less_above(as_confusion(counts)), axis=-2)


def untied(margin: FloatArray) -> FloatArray:
    """Return ordered pairs of judgments in different classes of a side.

    Parameters
    ----------
    margin : ndarray, shape (..., K)
        Judgments of each class.

    Returns
    -------
    ndarray, shape (...)
    """
    pairs: FloatArray = (margin * (margin.sum(-1, keepdims=True) - margin)).sum(-1)
    return pairs


def below_less_above(values: FloatArray, axis: int = -1) -> FloatArray:
    """Return the sum of what stands before each place along an axis, less the sum of what stands after it.

    Of the counts of classes this is twice their mean rank less the mean of all ranks.

    Parameters
    ----------
    values : ndarray
    axis : int

    Returns
    -------
    ndarray
        Of the same shape.
    """
    balance: FloatArray = 2 * np.cumsum(values, axis=axis) - values - values.sum(axis=axis, keepdims=True)
    return balance
