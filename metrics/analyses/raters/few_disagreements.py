"""Intervals of agreement among raters that have a rule of their own: of two raters, and where few items show a disagreement."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.ordered_blocks import rules_for
from metrics.analyses.ordered_catalogue import QUADRATIC
from metrics.analyses.raters.alpha import alpha_of
from metrics.analyses.raters.coefficients import agreement_weights, gwet_of_rates
from metrics.analyses.raters.pairwise import Codes
from metrics.analyses.raters.result import WEIGHTED
from metrics.analyses.raters.units import Units
from metrics.data.order import Measurement
from metrics.intervals import rare_events
from metrics.intervals.default import Functions, Unit, micro_intervals
from metrics.intervals.items import Coded
from metrics.intervals.single_table import dirichlet_quantiles, wilson
from metrics.measures.arrays import FloatArray
from metrics.measures.catalogue import BY_KEY
from metrics.measures.coefficients import cohen_kappa, gwet_ac1, mcc_multiclass, scott_pi, weighted_kappa_quadratic
from metrics.measures.transforms import Interval

MOST_CLASSES = 10
"""Classes up to which a small sample has an interval from the Dirichlet."""
SAME = 1e-9
"""Two computations of one number differ by less; where labels are missing, AC1 of raters is another number."""


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


def pair_intervals(
    units: Units, values: Mapping[str, float], confidence: float, places: Codes | None = None
) -> dict[str, Interval]:
    """Return intervals of the statistics of two raters that are numbers of their table; none for more raters.

    Parameters
    ----------
    values : mapping
        Statistics of the raters by their keys.
    places : ndarray of int64, shape (K,), optional
        Of the classes in their order, where κ with quadratic weights is among the statistics: its interval is that of
        `metrics.scores`.
    """
    both = np.flatnonzero((units.labels >= 0).all(1))
    if units.labels.shape[1] != 2 or not len(both):
        return {}
    k = len(units.classes)
    names = {
        "mean_pairwise_kappa": "kappa",
        "mean_pairwise_phi": "phi" if k == 2 else "mcc_multiclass",
        "gwet_ac1": "gwet_ac1",
        "percent_agreement": "accuracy",
    }
    functions: Functions = {name: BY_KEY[name].function for name in names.values()}
    theirs, intervals = _of_table(units, units.labels[both].astype(np.int64), both, functions, confidence)
    if places is not None:
        names |= {WEIGHTED: QUADRATIC.key}
        ordered_functions: Functions = {QUADRATIC.key: weighted_kappa_quadratic}
        ordered = _of_table(units, places[units.labels[both]], both, ordered_functions, confidence)
        theirs, intervals = theirs | ordered[0], intervals | ordered[1]
    return {key: intervals[name] for key, name in names.items() if name in intervals and abs(values[key] - theirs[name]) < SAME}


def _of_table(
    units: Units, labels: NDArray[np.int64], both: NDArray[np.int64], functions: Functions, confidence: float
) -> tuple[dict[str, float], dict[str, Interval]]:
    """Return values and intervals from the labels, shape (n, 2), of the units that both raters labelled."""
    k = len(units.classes)
    items, item = np.unique(units.item[both], return_inverse=True)
    criteria, criterion = np.unique(units.criterion[both], return_inverse=True)
    weight = np.zeros(len(items), np.int64)
    weight[item] = units.times[both]
    coded = Coded.merged(item.astype(np.int32), criterion, labels[:, 0] * k + labels[:, 1], k, len(criteria), weight)
    tables = coded.per_criterion()
    values = {name: float(function(tables.sum(0))) for name, function in functions.items()}
    unit = Unit(coded, tables, confidence, rules=rules_for(next(iter(functions))))
    return values, micro_intervals(unit, functions, values)
