"""Intervals of agreement among raters where few items show a disagreement: each item taken as one pair of ratings."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from metrics.analyses.raters.alpha import alpha_of
from metrics.analyses.raters.coefficients import agreement_weights, gwet_of_rates
from metrics.analyses.raters.result import WEIGHTED
from metrics.data.order import Measurement
from metrics.intervals import rare_events
from metrics.intervals.single_table import dirichlet_quantiles, wilson
from metrics.measures.arrays import FloatArray
from metrics.measures.coefficients import cohen_kappa, gwet_ac1, mcc_multiclass, scott_pi

MOST_CLASSES = 10
"""Classes up to which a small sample has an interval from the Dirichlet."""


def few_disagree(
    both: FloatArray,
    agreement: float,
    values: FloatArray,
    level: Measurement,
    penalty: FloatArray | None,
    keys: list[str],
    n: tuple[float, int],
    confidence: float,
) -> dict[str, tuple[float, float]]:
    """Return intervals where few items show a disagreement: each item taken as one pair of ratings.

    Parameters
    ----------
    both : ndarray, shape (K, K)
        Coincidences, not all 0; of any total.
    agreement : float
        Percent agreement.
    values : ndarray, shape (K,)
        Number each class stands for.
    level : {"nominal", "ordinal", "interval", "ratio"}
    penalty : ndarray, shape (K, K), or None
        How far two labels are apart in the mean weighted kappa.
    keys : list of str
        Statistics that are asked for.
    n : (float, int)
        Pairable items, or as many as they are worth, and those on which raters differ.
    confidence : float
    """
    n_items, n_split = n
    table = both / both.sum() * n_items
    k, out = len(table), {}
    if "percent_agreement" in keys:
        agreed = agreement * n_items
        out["percent_agreement"] = rare_events.widened(*wilson(agreed, n_items, confidence), agreed, n_items, confidence)
    weights = agreement_weights(values, level)
    functions: dict[str, Callable[[FloatArray], FloatArray]] = {
        "alpha": lambda draws: alpha_of(draws + np.swapaxes(draws, -1, -2), values, level),
        "fleiss_kappa": scott_pi,
        WEIGHTED: partial(cohen_kappa, weights=penalty),
        "mean_pairwise_kappa": cohen_kappa,
        "mean_pairwise_phi": mcc_multiclass,
        "gwet_ac1": gwet_ac1,
        "gwet_ac2": lambda draws: _ac2_of_table(draws, weights),
    }
    wanted = {key: function for key, function in functions.items() if key in keys}
    if k > MOST_CLASSES or not wanted:
        return out
    tails: tuple[dict[str, float], float] = {}, rare_events.tail(n_split, n_items, confidence)
    return out | dirichlet_quantiles(table, wanted, confidence, tails)


def _ac2_of_table(counts: FloatArray, weights: FloatArray) -> FloatArray:
    n = counts.sum((-2, -1))
    rates = (counts.sum(-1) + counts.sum(-2)) / (2 * n[..., None])
    return gwet_of_rates((counts * weights).sum((-2, -1)) / n, rates, weights)
