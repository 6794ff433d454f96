"""Fleiss' kappa, percent agreement, and Gwet's AC1 and AC2 of many raters.

Fleiss' kappa takes the units that have one and the same number of ratings, the others any gaps.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from metrics.analyses.raters.tally import VoteTally, as_votes
from metrics.data.order import Measurement
from metrics.measures.arrays import FloatArray, safe_ratio


def agreement_weights(values: ArrayLike, level: Measurement) -> FloatArray:
    """Return partial agreement of two classes, shape (K, K): ordinal by the ranks between them, quadratic for interval, ratio.

    Parameters
    ----------
    values : array_like, shape (K,)
        Number each class stands for.
    """
    numbers = np.asarray(values, np.float64)
    if level == "nominal":
        return np.eye(len(numbers))
    if level == "ordinal":
        ranks = np.argsort(np.argsort(numbers, kind="stable"), kind="stable")
        steps = np.abs(np.subtract.outer(ranks, ranks)).astype(np.float64)
        lost = steps * (steps + 1) / 2
    else:
        lost = np.subtract.outer(numbers, numbers) ** 2
        if level == "ratio":
            total = np.add.outer(numbers, numbers)
            lost = lost / np.where(total == 0, 1.0, total) ** 2
    return np.asarray(1 - lost / lost.max())


def gwet_parts(votes: FloatArray, weights: FloatArray | None = None) -> FloatArray:
    """Return what a unit adds: agreement of its pairs, 1 for a pair, its label shares, 1 for a rating.

    Parameters
    ----------
    votes : ndarray, shape (..., K)
        Raters per class, of one unit.
    weights : ndarray, shape (K, K), optional
        Partial agreement of two classes, 1 on the diagonal. Default: the identity.

    Returns
    -------
    ndarray, shape (..., K + 3)
        A unit with fewer than two ratings adds no pair, one without a rating nothing.
    """
    m = votes.sum(-1, keepdims=True)
    weighted = votes if weights is None else votes @ weights
    pairs = np.where(m >= 2, m * (m - 1), 1.0)
    agreed = np.where(m >= 2, (votes * (weighted - 1)).sum(-1, keepdims=True) / pairs, 0.0)
    shares = votes / np.maximum(m, 1)
    return np.concatenate([agreed, (m >= 2).astype(np.float64), shares, (m > 0).astype(np.float64)], axis=-1)


def agreement_of_sums(sums: FloatArray) -> FloatArray:
    """Return percent agreement from sums of `gwet_parts`.

    Parameters
    ----------
    sums : ndarray, shape (..., K + 3)
        Of `gwet_parts`.

    Returns
    -------
    ndarray, shape (...)
        In [0, 1]; NaN where no unit has two ratings.
    """
    return safe_ratio(sums[..., 0], sums[..., 1])


def gwet_of_sums(sums: FloatArray, weights: FloatArray) -> FloatArray:
    """Return AC1 or AC2 from sums of `gwet_parts` with the same weights.

    Parameters
    ----------
    sums : ndarray, shape (..., K + 3)
        Of `gwet_parts`.
    weights : ndarray, shape (K, K)
        Partial agreement of two classes, 1 on the diagonal; the identity for AC1.

    Returns
    -------
    ndarray, shape (...)
        NaN where no unit has two ratings.
    """
    return gwet_of_rates(agreement_of_sums(sums), safe_ratio(sums[..., 2:-1], sums[..., -1:]), weights)


def gwet_of_rates(agreed: FloatArray, rates: FloatArray, weights: FloatArray) -> FloatArray:
    r"""Return AC1 or AC2 from agreement and label rates: :math:`(p_a - p_e)/(1 - p_e)`.

    :math:`p_e = \sum w \sum_k q_k(1-q_k) / (K(K-1))`.

    Parameters
    ----------
    agreed : ndarray, shape (...)
        Share of pairs that agree, in part where there are weights.
    rates : ndarray, shape (..., K)
        Share of each label.
    weights : ndarray, shape (K, K)
        Partial agreement of two classes, 1 on the diagonal; the identity for AC1.

    Returns
    -------
    ndarray, shape (...)
        NaN where the agreement or the rates are.

    References: Gwet (2008), doi:10.1348/000711006X126600; Gwet (2014), Handbook of Inter-Rater Reliability, chapter 5.
    """
    k = rates.shape[-1]
    by_chance = weights.sum() * (rates * (1 - rates)).sum(-1) / (k * (k - 1))
    return safe_ratio(agreed - by_chance, 1 - by_chance)


def fleiss_kappa(votes: ArrayLike) -> FloatArray:
    r"""Return Fleiss' kappa, :math:`(\bar P - P_e)/(1 - P_e)` with :math:`P_e = \sum_k p_k^2`.

    Parameters
    ----------
    votes : array_like, shape (..., U, K)
        Raters per unit and class, the same number m >= 2 in every unit; see `ratings_kept`.

    Returns
    -------
    ndarray, shape (...)
        At most 1; NaN where there is no unit, or only one label is used.

    Raises
    ------
    ValueError
        For votes that are no counts, and for units with different numbers of ratings or fewer than two.

    References: Fleiss (1971), doi:10.1037/h0031619.
    """
    counts = as_votes(votes)
    m = counts.sum(-1)
    if m.size and (m.min() < 2 or m.min() != m.max()):
        raise ValueError("Fleiss' kappa needs the same number of ratings, two or more, in every unit")
    return fleiss_of_sums(fleiss_parts(counts).sum(-2))


def ratings_kept(m: ArrayLike, times: ArrayLike | None = None) -> int:
    """Return the number of ratings m of a unit at which the units with exactly m keep most ratings.

    Of equals the larger, 0 for none.

    Parameters
    ----------
    m : array_like, shape (U,)
        Ratings of each unit.
    times : array_like, shape (U,), optional
        How often each unit counts.
    """
    sizes = np.asarray(m, np.int64)
    kept = np.bincount(sizes, weights=None if times is None else np.asarray(times, np.float64)).astype(np.float64)
    kept *= np.arange(len(kept))
    kept[:2] = 0
    return int(len(kept) - 1 - kept[::-1].argmax()) if kept.any() else 0


def fleiss_parts(votes: FloatArray) -> FloatArray:
    """Return what a unit adds: its share of agreeing pairs, 1, and its votes.

    Parameters
    ----------
    votes : ndarray, shape (..., K)
        Raters per class, of one unit.

    Returns
    -------
    ndarray, shape (..., K + 2)
        The share is NaN with fewer than two ratings.
    """
    m = votes.sum(-1, keepdims=True)
    agreed = safe_ratio((votes * (votes - 1)).sum(-1, keepdims=True), m * (m - 1))
    return np.concatenate([agreed, np.ones_like(agreed), votes], axis=-1)


def fleiss_of_sums(sums: FloatArray) -> FloatArray:
    """Return Fleiss' kappa from sums of `fleiss_parts`.

    Parameters
    ----------
    sums : ndarray, shape (..., K + 2)

    Returns
    -------
    ndarray, shape (...)
        At most 1; NaN where there is no unit, or only one label is used.
    """
    n = sums[..., 2:].sum(-1)
    by_chance = safe_ratio((sums[..., 2:] ** 2).sum(-1), n * n)
    return safe_ratio(safe_ratio(sums[..., 0], sums[..., 1]) - by_chance, np.where(by_chance >= 1, 0.0, 1 - by_chance))


def finite_sample_term(fleiss: float, n_items: int, n_ratings: int) -> float:
    r"""Return what alpha has more than Fleiss' kappa in a complete design at the nominal level, :math:`(1-\kappa_F)/(NR)`.

    Parameters
    ----------
    fleiss : float
        Fleiss' kappa.
    n_items : int
        Units, N.
    n_ratings : int
        Ratings of each, R.
    """
    return (1 - fleiss) / (n_items * n_ratings)


def fleiss_tally(tally: VoteTally) -> tuple[int, FloatArray]:
    """Return the ratings per unit kept, and `fleiss_parts` of each pattern, shape (P, K + 2).

    They are zero for a pattern with another number of ratings.
    """
    m = ratings_kept(tally.m, tally.times)
    kept = (tally.m == m) & (m >= 2)
    parts = np.zeros((len(tally.votes), tally.votes.shape[1] + 2))
    parts[kept] = fleiss_parts(tally.votes[kept])
    return m, parts
