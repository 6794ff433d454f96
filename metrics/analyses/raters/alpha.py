"""Krippendorff's alpha: agreement of any number of raters with any gaps, at four levels of measurement."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from metrics.analyses.raters.tally import VoteTally, as_votes, summed
from metrics.data.order import MEASUREMENTS, Measurement
from metrics.measures.arrays import FloatArray, safe_ratio


def krippendorff_alpha(votes: ArrayLike, values: ArrayLike | None = None, level: Measurement = "nominal") -> FloatArray:
    r"""Return Krippendorff's alpha, :math:`1 - (n-1) \sum_{ck} o_{ck}\delta^2_{ck} / \sum_{ck} n_c n_k \delta^2_{ck}`.

    A unit of m ratings adds its ordered pairs of ratings over m - 1 to the coincidences o, so that it weighs m; units with
    fewer than two ratings add nothing.

    Parameters
    ----------
    votes : array_like, shape (..., U, K)
        Raters per unit and class.
    values : array_like, shape (K,), optional
        Number each class stands for; default 1 to K. At the ordinal level only their order counts.
    level : {"nominal", "ordinal", "interval", "ratio"}

    Returns
    -------
    ndarray, shape (...)
        At most 1; NaN where no unit has two ratings, or all of these are one label.

    Raises
    ------
    ValueError
        For votes that are no counts, values of another length, and an unknown level.

    References: Krippendorff (2004), Content Analysis, chapter 11.
    """
    return alpha_of(coincidences(votes), values, level)


def coincidences(votes: ArrayLike, times: ArrayLike | None = None) -> FloatArray:
    """Return coincidence counts, shape (..., K, K): ordered pairs of ratings of a unit over its ratings less one.

    Parameters
    ----------
    votes : array_like, shape (..., U, K)
        Raters per unit and class.
    times : array_like, shape (U,), optional
        How often each unit counts.

    Raises
    ------
    ValueError
        See `metrics.analyses.raters.tally.as_votes`.
    """
    counts = as_votes(votes)
    m = counts.sum(-1)
    weight = np.where(m >= 2, 1 / np.maximum(m - 1, 1), 0.0) * (1.0 if times is None else np.asarray(times, np.float64))
    weighted = counts * weight[..., None]
    pairs = np.swapaxes(counts, -1, -2) @ weighted
    place = np.arange(counts.shape[-1])
    pairs[..., place, place] = (weighted * (counts - 1)).sum(-2)
    return np.asarray(pairs)


def alpha_of(pairs: FloatArray, values: ArrayLike | None = None, level: Measurement = "nominal") -> FloatArray:
    """Return alpha from coincidence counts.

    Parameters
    ----------
    pairs : ndarray, shape (..., K, K)
        As `coincidences` gives them.
    values, level
        As in `krippendorff_alpha`.

    Returns
    -------
    ndarray, shape (...)
        At most 1; NaN where there is no pair, or all labels in pairs are one.

    Raises
    ------
    ValueError
        As `distances`.
    """
    margin = pairs.sum(-1)
    distance_matrix = distances(margin, values, level)
    observed = (pairs * distance_matrix).sum((-2, -1)) * (margin.sum(-1) - 1)
    return 1 - safe_ratio(observed, (margin[..., :, None] * margin[..., None, :] * distance_matrix).sum((-2, -1)))


def distances(margin: FloatArray, values: ArrayLike | None, level: Measurement) -> FloatArray:
    """Return squared distance of two classes.

    Parameters
    ----------
    margin : ndarray, shape (..., K)
        Pairable ratings of each class; only the ordinal level takes their number.
    values : array_like, shape (K,), or None
        Number each class stands for; None for 1 to K. At the ordinal level only their order counts.
    level : {"nominal", "ordinal", "interval", "ratio"}

    Returns
    -------
    ndarray, shape (..., K, K) at the ordinal level, else (K, K)

    Raises
    ------
    ValueError
        For values of another length than the classes, and an unknown level.
    """
    k = margin.shape[-1]
    numbers = np.arange(1.0, k + 1) if values is None else np.asarray(values, np.float64)
    if numbers.shape != (k,):
        raise ValueError(f"values must have shape ({k},), one for each class, got {numbers.shape}")
    if level == "nominal":
        return 1 - np.eye(k)
    if level == "ordinal":
        numbers = middle_ranks(margin, numbers)
    elif level == "ratio":
        total = np.add.outer(numbers, numbers)
        share: FloatArray = np.subtract.outer(numbers, numbers) / np.where(total == 0, 1.0, total)
        return share**2
    elif level != "interval":
        raise ValueError(f"level must be one of {', '.join(MEASUREMENTS)}, got {level!r}")
    return np.asarray((numbers[..., :, None] - numbers[..., None, :]) ** 2)


def middle_ranks(margin: FloatArray, values: FloatArray) -> FloatArray:
    """Return ratings below a class in the order of the values and half of those in it.

    Parameters
    ----------
    margin : ndarray, shape (..., K)
        Ratings of each class.
    values : ndarray, shape (K,)
        Number each class stands for; only their order counts.

    Returns
    -------
    ndarray, shape (..., K)
    """
    order = np.argsort(values, kind="stable")
    ordered_margin = margin[..., order]
    ranks = np.empty_like(ordered_margin)
    ranks[..., order] = np.cumsum(ordered_margin, axis=-1) - ordered_margin / 2
    return ranks


def alpha_left_out(tally: VoteTally, values: ArrayLike | None, level: Measurement) -> tuple[FloatArray, FloatArray]:
    """Return alpha without one pairable item of each kind, and the items of each kind, in O(U K²) at most.

    Parameters
    ----------
    tally : Tally
    values : array_like, shape (K,), or None
        Number each class stands for; None for 1 to K. At the ordinal level only their order counts.
    level : {"nominal", "ordinal", "interval", "ratio"}

    Returns
    -------
    ndarray, shape (G,)
        NaN where the other items leave alpha undefined.
    ndarray, shape (G,)
        Items of each kind.

    Raises
    ------
    ValueError
        As `distances`; at the ordinal level nothing is checked.
    """
    if level == "ordinal":
        return _ordinal_left_out(tally, values)
    distance_matrix = distances(np.zeros(tally.votes.shape[1]), values, level)
    inside = np.where(tally.pairable, ((tally.votes @ distance_matrix) * tally.votes).sum(1) / np.maximum(tally.m - 1, 1), 0.0)
    parts = np.column_stack([inside, tally.votes * tally.pairable[:, None]])

    def value(sums: FloatArray) -> FloatArray:
        margin = sums[..., 1:]
        by_chance = ((margin @ distance_matrix) * margin).sum(-1)
        return 1 - safe_ratio(sums[..., 0] * (margin.sum(-1) - 1), by_chance)

    return tally.left_out(parts, value)


def _ordinal_left_out(tally: VoteTally, values: ArrayLike | None) -> tuple[FloatArray, FloatArray]:
    """Return the same at the ordinal level, where every item moves the ranks, and with them the distance of all other pairs.

    With ranks z of sum zero, the coincidences o of margin n give :math:`2(\\sum_c n_c z_c^2 - z^T o z)` disagreement.
    """
    k = tally.votes.shape[1]
    numbers = np.arange(1.0, k + 1) if values is None else np.asarray(values, np.float64)
    item_votes, weight = tally.by_item(tally.votes * tally.pairable[:, None])
    pairs = coincidences(tally.votes, tally.times)
    left = np.maximum(pairs.sum(1) - item_votes, 0.0)
    n = left.sum(1)
    ranks = middle_ranks(left, numbers) / max(float(pairs.sum()), 1.0)
    ranks -= safe_ratio((left * ranks).sum(1), n)[:, None]
    squares = (left * ranks**2).sum(1)
    observed = squares - ((ranks @ pairs) * ranks).sum(1) + _inside(tally, ranks)
    alpha = 1 - safe_ratio((n - 1) * observed, n * squares)
    return np.where((left > 0).sum(1) > 1, alpha, np.nan), weight


def _inside(tally: VoteTally, ranks: FloatArray) -> FloatArray:
    """Return :math:`z^T o z` of the coincidences o of each item alone, with the ranks z that the others give, shape (G,)."""
    if tally.group is None:
        votes, m, z = tally.votes[tally.pairable], tally.m[tally.pairable], ranks
        return np.asarray((((votes * z).sum(1)) ** 2 - (votes * z**2).sum(1)) / (m - 1))
    units = np.flatnonzero(tally.pairable[tally.of_unit])
    votes, m = tally.votes[tally.of_unit[units]], tally.m[tally.of_unit[units]]
    items = np.unique(tally.group[units], return_inverse=True)[1]
    z = ranks[items]
    return summed((((votes * z).sum(1)) ** 2 - (votes * z**2).sum(1)) / (m - 1), items)


def of_mean_rating(alpha: float, n_ratings: float) -> float:
    r"""Return the reliability of the mean of n ratings, :math:`n\alpha / (1 + (n - 1)\alpha)`, after Spearman and Brown.

    Parameters
    ----------
    alpha : float
        Of single ratings that are numbers, or of two labels, whose mean is the share of one of them.
    n_ratings : float
        Ratings of an item, 1 or more.

    Returns
    -------
    float
        What the means of two such panels of raters correlate; NaN where alpha is not above 0.

    References: Spearman (1910), doi:10.1111/j.2044-8295.1910.tb00206.x; Brown (1910), doi:10.1111/j.2044-8295.1910.tb00207.x.
    """
    return n_ratings * alpha / (1 + (n_ratings - 1) * alpha) if alpha > 0 else float("nan")
