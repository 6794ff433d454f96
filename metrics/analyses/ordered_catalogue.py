"""One record per number of an ordinal or continuous scale: what it is called, what it answers, and when it is undefined.

A new number of ordered classes is one function and one record here; reports, tables, texts and intervals follow. What the
catalogue has too is its record, worded for options.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from metrics.data.order import Order
from metrics.measures import ordered
from metrics.measures.arrays import FloatArray, Function
from metrics.measures.catalogue import BY_KEY, NO_COST, QUADRATIC_KAPPA, WEIGHTED_KAPPA
from metrics.measures.coefficients import cohen_kappa
from metrics.measures.metric import Metric, Need, not_of_counts, why_not
from metrics.measures.ordered import kendall_tau_b, spearman

_BOTH: tuple[Need, ...] = ("reference varies", "judge varies")
_EITHER: tuple[Need, ...] = ("two labels",)
_COHEN = "Cohen (1968), doi:10.1037/h0026256"

EXACT = Metric(
    "exact_agreement", "Exact agreement", "exact", ordered.exact_agreement,
    "Share of equal verdicts. Read it beside the baseline.",
    "share of the diagonal", classes="any", transform="logit", unit="%", small_table="share",
    phrase="exact agreement", places={"scores terminal": 10, "scores headline": 20, "scores methods": 50},
    formula="agreed / N",
)  # fmt: skip
ADJACENT = Metric(
    "adjacent_agreement", "Adjacent agreement", "adjacent", ordered.adjacent_agreement,
    "Share of verdicts at most one option apart. On a short scale nearly everything is; read it beside its baseline.",
    "share of the three middle diagonals", classes="any", fewest=ordered.FEWEST_APART, transform="logit", unit="%",
    small_table="share",
    places={"scores terminal": 20, "scores headline": 30},
    formula="decisions with |i − j| ≤ 1 / N, for options i and j",
)  # fmt: skip
BASELINE = replace(
    BY_KEY["baseline_accuracy"], name="Exact baseline", answers="What always giving the reference’s commonest option would score."
)
ADJACENT_BASELINE = Metric(
    "adjacent_baseline", "Adjacent baseline", "adjacent baseline", ordered.adjacent_baseline,
    "Adjacent agreement of always giving the one option that reaches most.",
    "largest share within one option of one option", classes="any", fewest=ordered.FEWEST_APART, unit="%",
    has_interval=False,
    formula="largest sum over one option and its neighbours of r / N",
)  # fmt: skip
QUADRATIC = replace(
    QUADRATIC_KAPPA,
    answers="Agreement beyond chance where an error costs the square of its distance in options. 1 is perfect, 0 is chance. On "
    "equally spaced options it equals Lin’s concordance correlation.",
    places={"scores terminal": 30, "scores headline": 10, "scores methods": 10},
)
LINEAR = Metric(
    "weighted_kappa_linear", "κ, linear weights", "κ linear", partial(cohen_kappa, weights="linear"),
    "Agreement beyond chance where an error costs its distance in options. 1 is perfect, 0 is chance.",
    _COHEN, classes="any", low=-1.0, needs=_EITHER, transform="fisher",
    phrase="linearly weighted κ", places={"scores methods": 20},
    formula="1 − Σ w · n / (Σ w · r · c / N), w = |i − j| for options i and j",
)  # fmt: skip
UNWEIGHTED = replace(
    BY_KEY["kappa"],
    answers="Agreement beyond chance where every error costs the same, near or far. It forgets the order of the options.",
)
CUSTOM = replace(WEIGHTED_KAPPA, name="κ, own weights")
PEARSON = Metric(
    "pearson", "Pearson’s r", "r", ordered.pearson,
    "How well a straight line carries one side’s values to the other’s. It forgives a shift and another spread; bias does "
    "not.",
    "Pearson (1895), doi:10.1098/rspl.1895.0041", classes="any", takes="values", low=-1.0, varies=True, transform="fisher",
    places={"numbers terminal": 10, "numbers headline": 10, "item scores headline": 10, "numbers methods": 10},
    formula="Σ (x − x̄) · (y − ȳ) / √(Σ (x − x̄)² · Σ (y − ȳ)²)",
)  # fmt: skip
SPEARMAN = Metric(
    "spearman", "Spearman’s ρ", "ρ", spearman,
    "How well the two orders of the items agree; ties share their mean rank. It forgives any change of the values that "
    "keeps their order.",
    "Spearman (1904), doi:10.2307/1412159", classes="any", low=-1.0, needs=_BOTH, transform="fisher",
    places={"scores terminal": 40, "numbers terminal": 20, "numbers headline": 20, "item scores headline": 20,
        "scores methods": 30, "numbers methods": 20},
    formula="Pearson’s r of the ranks",
)  # fmt: skip
KENDALL = Metric(
    "kendall_tau_b", "Kendall’s τ_b", "τ_b", kendall_tau_b,
    "Of two items that neither side ties: how much more often both sides order them alike than not.",
    "Kendall (1945), doi:10.1093/biomet/33.3.239", classes="any", low=-1.0, needs=_BOTH, transform="fisher",
    places={"numbers terminal": 30, "scores methods": 40},
    formula="(concordant − discordant) / √((pairs − ties of x) · (pairs − ties of y))",
)  # fmt: skip
RMSE = Metric(
    "rmse", "Root mean squared error", "RMSE", ordered.rmse,
    "Typical distance of judge and reference in the values; large errors weigh more. 0 is perfect.",
    "root of the mean squared difference", classes="any", takes="values", high=np.inf, best=0.0, transform="root",
    unit="values",
    phrase="root mean squared error", places={"scores terminal": 50, "numbers terminal": 40, "item scores headline": 30,
        "numbers methods": 40},
    formula="√(Σ (y − x)² / N)",
)  # fmt: skip
MAE = Metric(
    "mae", "Mean absolute error", "MAE", ordered.mae,
    "Mean distance of judge and reference in the values. 0 is perfect.",
    "mean of the absolute differences", classes="any", takes="values", high=np.inf, best=0.0, transform="log",
    unit="values",
    phrase="mean absolute error", places={"numbers terminal": 50, "scores methods": 60, "numbers methods": 50},
    formula="Σ |y − x| / N",
)  # fmt: skip
BIAS = Metric(
    "bias", "Bias", "bias", ordered.bias,
    "Judge minus reference on average, in the values. Plus: the judge is the more generous. Errors of both signs cancel.",
    "mean difference", classes="any", takes="values", low=-np.inf, high=np.inf, best=0.0, unit="values",
    phrase="bias (judge minus reference)", places={"scores terminal": 60, "numbers terminal": 60, "scores headline": 40,
        "numbers headline": 40, "item scores headline": 40, "scores methods": 70, "numbers methods": 60},
    formula="Σ (y − x) / N",
)  # fmt: skip

_SHROUT = "Shrout & Fleiss (1979), doi:10.1037/0033-2909.86.2.420"
_BLAND = "Bland & Altman (1986), doi:10.1016/S0140-6736(86)90837-8"
CCC = Metric(
    "ccc", "Concordance (Lin’s CCC)", "CCC", not_of_counts,
    "How near the pairs lie to the line of equality: the correlation, lowered by a shift or another spread. 1 is perfect.",
    "Lin (1989), doi:10.2307/2532051", classes="any", takes="pairs", low=-1.0, transform="fisher",
    phrase="Lin’s concordance", places={"numbers headline": 30, "numbers methods": 30},
    formula="2 · Σ (x − x̄) · (y − ȳ) / (Σ (x − x̄)² + Σ (y − ȳ)² + N · (x̄ − ȳ)²)",
)  # fmt: skip
ICC_2_1 = Metric(
    "icc_2_1", "ICC(2,1), agreement", "ICC(2,1)", not_of_counts,
    "Share of the variance that lies between the items, a shift between the sides counting as disagreement. For raters who "
    "stand for others.",
    _SHROUT, classes="any", takes="pairs", low=-np.inf, transform="fisher",
    formula="(MSR − MSE) / (MSR + MSE + 2 · (MSC − MSE) / N), mean squares of items, sides and rest",
)  # fmt: skip
ICC_3_1 = Metric(
    "icc_3_1", "ICC(3,1), consistency", "ICC(3,1)", not_of_counts,
    "As ICC(2,1), but a shift between the sides is forgiven. For exactly these two raters.",
    _SHROUT, classes="any", takes="pairs", low=-1.0, transform="fisher",
    formula="(MSR − MSE) / (MSR + MSE), mean squares of items and rest",
)  # fmt: skip
BIAS_SD = Metric(
    "bias_sd", "Standard deviation of the differences", "s.d. of differences", not_of_counts,
    "How far single differences scatter about the bias. 0 where every difference is the same.",
    _BLAND, classes="any", takes="pairs", high=np.inf, best=0.0, transform="log", unit="values",
    formula="s = √(Σ (d − d̄)² / (N − 1)), d = y − x",
)  # fmt: skip
BIAS_P = Metric(
    "bias_p", "Test that the bias is 0", "p (bias)", not_of_counts,
    "How often chance alone would give so large a bias either way, if there were none. No measure of its size.",
    "Student’s t over the units", classes="any", takes="pairs", unit="p", has_interval=False,
    formula="two-sided p of t = d̄ / its standard error over the units",
)  # fmt: skip
BIAS_D = Metric(
    "bias_d", "Effect size of the bias (Cohen’s d)", "d", not_of_counts,
    "The bias in standard deviations of the differences: .2 is called small, .5 medium, .8 large.",
    "Cohen (1988), ISBN 978-0-8058-0283-2", classes="any", takes="pairs", low=-np.inf, high=np.inf, best=0.0,
    formula="d̄ / s, d = y − x",
)  # fmt: skip
SD_RATIO = Metric(
    "sd_ratio", "Spread against the reference", "s.d. ratio", not_of_counts,
    "Standard deviation of the judge’s numbers over that of the reference’s. Below 1 the judge uses less of the scale; noise of "
    "the judge alone makes it larger.",
    "ratio of the standard deviations", classes="any", takes="pairs", high=np.inf, transform="log",
    formula="√(Σ (y − ȳ)² / Σ (x − x̄)²)",
)  # fmt: skip
LOA_LOW = Metric(
    "loa_low", "Lower limit of agreement", "lower limit", not_of_counts,
    "Between it and the upper limit lie 95 % of the differences, where they are normal: bias − 1.96 standard deviations.",
    _BLAND, classes="any", takes="pairs", low=-np.inf, high=np.inf, best=0.0, unit="values",
    formula="d̄ − 1.96 · s, d = y − x",
)  # fmt: skip
LOA_HIGH = Metric(
    "loa_high", "Upper limit of agreement", "upper limit", not_of_counts,
    "Between the lower limit and it lie 95 % of the differences, where they are normal: bias + 1.96 standard deviations.",
    _BLAND, classes="any", takes="pairs", low=-np.inf, high=np.inf, best=0.0, unit="values",
    formula="d̄ + 1.96 · s, d = y − x",
)  # fmt: skip

NUMBERS: tuple[Metric, ...] = (
    PEARSON, SPEARMAN, KENDALL, CCC, ICC_2_1, ICC_3_1, RMSE, MAE, BIAS, BIAS_SD, BIAS_D, BIAS_P, SD_RATIO, LOA_LOW, LOA_HIGH,
)  # fmt: skip
"""Numbers of pairs of numbers, computed in `metrics.analyses.paired_numbers`."""
ORDERED: tuple[Metric, ...] = (
    EXACT, BASELINE, ADJACENT, ADJACENT_BASELINE, QUADRATIC, LINEAR, UNWEIGHTED, SPEARMAN, KENDALL, PEARSON, RMSE, MAE, BIAS,
)  # fmt: skip
"""Numbers of ordered classes; `CUSTOM` is added where a cost matrix is given."""

RECORDS: dict[str, Metric] = {measure.key: measure for measure in (*ORDERED, CUSTOM, *NUMBERS)}


def ordered_measures(*, with_cost: bool = False) -> tuple[Metric, ...]:
    """Return numbers of ordered classes, in the order in which they are shown."""
    place = ORDERED.index(UNWEIGHTED)
    return (*ORDERED[:place], *([CUSTOM] if with_cost else []), *ORDERED[place:])


def functions_of(order: Order, cost: FloatArray | None = None) -> dict[str, Function]:
    """Return every number of ordered classes as a function of the counts alone.

    Parameters
    ----------
    order : Order
    cost : ndarray, shape (K, K), optional
        What each disagreement costs, the reference in rows; without it there is no κ under a cost matrix.

    Returns
    -------
    dict of callable
        Of counts, shape (..., K, K).
    """
    functions: dict[str, Function] = {}
    for measure in ordered_measures(with_cost=cost is not None):
        beside = {"values": (order.array,), "cost": (cost,)}.get(measure.takes, ())
        functions[measure.key] = _with(measure.function, beside)
    return functions


def _with(function: Callable[..., FloatArray], beside: tuple[object, ...]) -> Function:
    return (lambda counts: function(counts, *beside)) if beside else function


def why_undefined(measure: Metric, counts: FloatArray, order: Order, cost: FloatArray | None = None) -> str:
    """Return why a number has no value on one K x K table; empty when it has one.

    Parameters
    ----------
    measure : Metric
    counts : ndarray, shape (K, K)
    order : Order
        Of the classes.
    cost : ndarray, shape (K, K), optional
        Of a measure that takes one.
    """
    reason = why_not(measure.needs, counts, order.classes)
    if reason:
        return reason
    if counts.shape[-1] < measure.fewest:
        return "two options are always adjacent"
    for side, axis in (("the reference", 1), ("the judge", 0)) if measure.varies else ():
        margin = counts.sum(axis)
        if len({order.values[place] for place in np.flatnonzero(margin)}) < 2:
            names = [order.classes[place] for place in np.flatnonzero(margin)]
            same = f"one label only, {names[0]}" if len(names) == 1 else f"only labels of one value, {', '.join(names[:6])}"
            return f"{side} gives {same}"
    if measure.takes == "cost" and np.isnan(float(cohen_kappa(counts, weights=cost))):
        return NO_COST
    return ""
