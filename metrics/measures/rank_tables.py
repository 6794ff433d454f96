"""Rank correlations on counts of shape (..., K, K), classes low to high on both axes.

A side that uses one class only leaves them undefined (NaN). On 2 x 2 tables both equal phi.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from metrics.measures.arrays import FloatArray, as_confusion, safe_ratio


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
