"""One record per number of an ordinal or continuous scale: what it is called, what it answers, and when it is undefined.

A new number of ordered classes is one function and one record here; reports, tables, texts and intervals follow.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np

from metrics.arrays import FloatArray
from metrics.catalogue import NO_COST, Need, why_not
from metrics.coefficients import cohen_kappa
from metrics.intervals.scale import Transform
from metrics.rates import baseline_accuracy
from metrics.scales import ordered
from metrics.scales.order import Order
from metrics.scales.rank_tables import kendall_tau_b, spearman

Function = Callable[[FloatArray], FloatArray]
Takes = Literal["places", "values", "cost", "numbers"]
Unit = Literal["", "%", "values", "p"]


@dataclass(frozen=True)
class Measure:
    """A number of an ordinal or continuous scale.

    Attributes
    ----------
    key : str
        Name in JSON and tables.
    takes : {"places", "values", "cost", "numbers"}
        What `function` needs beside the counts: nothing, what the classes are worth, or a cost for every confusion;
        "numbers" comes from pairs of numbers alone and has no function of counts.
    unit : {"", "%", "values", "p"}
        How it is written; "values" is in the unit of the options or scores, "p" a p-value.
    transform : {"logit", "fisher", "log", "root"} or None
        Scale on which its interval is symmetric; None: its own.
    has_interval : bool
    low, high : float
        Range of the values.
    needs : tuple of Need
        Undefined exactly when there is no decision, one of these does not hold, or, for `takes` "values", `varies` does not.
    varies : bool
        Whether the values of both sides must vary.
    fewest : int
        Options below which it is undefined, because it would say nothing.
    best : float
        Its value where judge and reference are equal.
    """

    key: str
    name: str
    symbol: str
    answers: str
    source: str
    function: Callable[..., FloatArray] | None = None
    takes: Takes = "places"
    unit: Unit = ""
    transform: Transform = None
    has_interval: bool = True
    low: float = -np.inf
    high: float = np.inf
    needs: tuple[Need, ...] = ()
    varies: bool = False
    best: float = 1.0
    fewest: int = 0


_BOTH: tuple[Need, ...] = ("reference varies", "judge varies")
_EITHER: tuple[Need, ...] = ("two labels",)
_COHEN = "Cohen (1968), doi:10.1037/h0026256"

EXACT = Measure(
    "exact_agreement", "Exact agreement", "exact", "Share of equal verdicts. Read it beside the baseline.",
    "share of the diagonal", ordered.exact_agreement, unit="%", transform="logit", low=0.0, high=1.0,
)  # fmt: skip
ADJACENT = Measure(
    "adjacent_agreement", "Adjacent agreement", "adjacent",
    "Share of verdicts at most one option apart. On a short scale nearly everything is; read it beside its baseline.",
    "share of the three middle diagonals", ordered.adjacent_agreement, unit="%", transform="logit", low=0.0, high=1.0,
    fewest=ordered.FEWEST_APART,
)  # fmt: skip
BASELINE = Measure(
    "baseline_accuracy", "Exact baseline", "baseline", "What always giving the reference’s commonest option would score.",
    "largest share of the reference margin", baseline_accuracy, unit="%", has_interval=False, low=0.0, high=1.0,
)  # fmt: skip
ADJACENT_BASELINE = Measure(
    "adjacent_baseline", "Adjacent baseline", "adjacent baseline",
    "Adjacent agreement of always giving the one option that reaches most.",
    "largest share within one option of one option", ordered.adjacent_baseline, unit="%", has_interval=False, low=0.0, high=1.0,
    fewest=ordered.FEWEST_APART,
)  # fmt: skip
QUADRATIC = Measure(
    "weighted_kappa_quadratic", "κ, quadratic weights", "κ quadratic",
    "Agreement beyond chance where an error costs the square of its distance in options. 1 is perfect, 0 is chance. "
    "On equally spaced options it equals Lin’s concordance correlation.",
    _COHEN, partial(cohen_kappa, weights="quadratic"), transform="fisher", low=-1.0, high=1.0, needs=_EITHER,
)  # fmt: skip
LINEAR = Measure(
    "weighted_kappa_linear", "κ, linear weights", "κ linear",
    "Agreement beyond chance where an error costs its distance in options. 1 is perfect, 0 is chance.",
    _COHEN, partial(cohen_kappa, weights="linear"), transform="fisher", low=-1.0, high=1.0, needs=_EITHER,
)  # fmt: skip
UNWEIGHTED = Measure(
    "kappa", "Cohen’s κ", "κ",
    "Agreement beyond chance where every error costs the same, near or far. It forgets the order of the options.",
    "Cohen (1960), doi:10.1177/001316446002000104", cohen_kappa, transform="fisher", low=-1.0, high=1.0, needs=_EITHER,
)  # fmt: skip
CUSTOM = Measure(
    "weighted_kappa", "κ, own weights", "κ_w",
    "κ in which each confusion counts by the stated cost matrix. Meaningless without that matrix.",
    _COHEN, lambda counts, cost: cohen_kappa(counts, weights=cost), "cost", transform="fisher", high=1.0, needs=_EITHER,
)  # fmt: skip
PEARSON = Measure(
    "pearson", "Pearson’s r", "r",
    "How well a straight line carries one side’s values to the other’s. It forgives a shift and another spread; bias does not.",
    "Pearson (1895), doi:10.1098/rspl.1895.0041", ordered.pearson, "values", transform="fisher", low=-1.0, high=1.0, varies=True,
)  # fmt: skip
SPEARMAN = Measure(
    "spearman", "Spearman’s ρ", "ρ",
    "How well the two orders of the items agree; ties share their mean rank. It forgives any change of the values that keeps "
    "their order.",
    "Spearman (1904), doi:10.2307/1412159", spearman, transform="fisher", low=-1.0, high=1.0, needs=_BOTH,
)  # fmt: skip
KENDALL = Measure(
    "kendall_tau_b", "Kendall’s τ_b", "τ_b",
    "Of two items that neither side ties: how much more often both sides order them alike than not.",
    "Kendall (1945), doi:10.1093/biomet/33.3.239", kendall_tau_b, transform="fisher", low=-1.0, high=1.0, needs=_BOTH,
)  # fmt: skip
RMSE = Measure(
    "rmse", "Root mean squared error", "RMSE",
    "Typical distance of judge and reference in the values; large errors weigh more. 0 is perfect.",
    "root of the mean squared difference", ordered.rmse, "values", "values", "root", low=0.0, best=0.0,
)  # fmt: skip
MAE = Measure(
    "mae", "Mean absolute error", "MAE", "Mean distance of judge and reference in the values. 0 is perfect.",
    "mean of the absolute differences", ordered.mae, "values", "values", "log", low=0.0, best=0.0,
)  # fmt: skip
BIAS = Measure(
    "bias", "Bias", "bias",
    "Judge minus reference on average, in the values. Plus: the judge is the more generous. Errors of both signs cancel.",
    "mean difference", ordered.bias, "values", "values", best=0.0,
)  # fmt: skip

_SHROUT = "Shrout & Fleiss (1979), doi:10.1037/0033-2909.86.2.420"
_BLAND = "Bland & Altman (1986), doi:10.1016/S0140-6736(86)90837-8"
CCC = Measure(
    "ccc", "Concordance (Lin’s CCC)", "CCC",
    "How near the pairs lie to the line of equality: the correlation, lowered by a shift or another spread. 1 is perfect.",
    "Lin (1989), doi:10.2307/2532051", takes="numbers", transform="fisher", low=-1.0, high=1.0,
)  # fmt: skip
ICC_2_1 = Measure(
    "icc_2_1", "ICC(2,1), agreement", "ICC(2,1)",
    "Share of the variance that lies between the items, a shift between the sides counting as disagreement. "
    "For raters who stand for others.",
    _SHROUT, takes="numbers", transform="fisher", high=1.0,
)  # fmt: skip
ICC_3_1 = Measure(
    "icc_3_1", "ICC(3,1), consistency", "ICC(3,1)",
    "As ICC(2,1), but a shift between the sides is forgiven. For exactly these two raters.",
    _SHROUT, takes="numbers", transform="fisher", low=-1.0, high=1.0,
)  # fmt: skip
BIAS_SD = Measure(
    "bias_sd", "Standard deviation of the differences", "s.d. of differences",
    "How far single differences scatter about the bias. 0 where every difference is the same.",
    _BLAND, takes="numbers", unit="values", transform="log", low=0.0, best=0.0,
)  # fmt: skip
BIAS_P = Measure(
    "bias_p", "Test that the bias is 0", "p (bias)",
    "How often chance alone would give so large a bias either way, if there were none. No measure of its size.",
    "Student’s t over the units", takes="numbers", unit="p", has_interval=False, low=0.0, high=1.0,
)  # fmt: skip
BIAS_D = Measure(
    "bias_d", "Effect size of the bias (Cohen’s d)", "d",
    "The bias in standard deviations of the differences: .2 is called small, .5 medium, .8 large.",
    "Cohen (1988), ISBN 978-0-8058-0283-2", takes="numbers", best=0.0,
)  # fmt: skip
LOA_LOW = Measure(
    "loa_low", "Lower limit of agreement", "lower limit",
    "Between it and the upper limit lie 95 % of the differences, where they are normal: bias − 1.96 standard deviations.",
    _BLAND, takes="numbers", unit="values", best=0.0,
)  # fmt: skip
LOA_HIGH = Measure(
    "loa_high", "Upper limit of agreement", "upper limit",
    "Between the lower limit and it lie 95 % of the differences, where they are normal: bias + 1.96 standard deviations.",
    _BLAND, takes="numbers", unit="values", best=0.0,
)  # fmt: skip

NUMBERS: tuple[Measure, ...] = (
    PEARSON, SPEARMAN, KENDALL, CCC, ICC_2_1, ICC_3_1, RMSE, MAE, BIAS, BIAS_SD, BIAS_D, BIAS_P, LOA_LOW, LOA_HIGH,
)  # fmt: skip
"""Numbers of pairs of numbers, computed in `metrics.scales.paired`."""
ORDERED: tuple[Measure, ...] = (
    EXACT, BASELINE, ADJACENT, ADJACENT_BASELINE, QUADRATIC, LINEAR, UNWEIGHTED, SPEARMAN, KENDALL, PEARSON, RMSE, MAE, BIAS,
)  # fmt: skip
"""Numbers of ordered classes; `CUSTOM` is added where a cost matrix is given."""

RECORDS: dict[str, Measure] = {measure.key: measure for measure in (*ORDERED, CUSTOM, *NUMBERS)}


def ordered_measures(*, with_cost: bool = False) -> tuple[Measure, ...]:
    """Numbers of ordered classes, in the order in which they are shown."""
    place = ORDERED.index(UNWEIGHTED)
    return (*ORDERED[:place], *([CUSTOM] if with_cost else []), *ORDERED[place:])


def functions_of(order: Order, cost: FloatArray | None = None) -> dict[str, Function]:
    """Every number of ordered classes as a function of the counts alone."""
    found: dict[str, Function] = {}
    for measure in ordered_measures(with_cost=cost is not None):
        if measure.function is not None:
            beside = {"values": (order.array,), "cost": (cost,)}.get(measure.takes, ())
            found[measure.key] = _with(measure.function, beside)
    return found


def _with(function: Callable[..., FloatArray], beside: tuple[object, ...]) -> Function:
    return (lambda counts: function(counts, *beside)) if beside else function


def why_undefined(measure: Measure, counts: FloatArray, order: Order, cost: FloatArray | None = None) -> str:
    """Why a number has no value on one K x K table; empty when it has one."""
    found = why_not(measure.needs, counts, order.classes)
    if found:
        return found
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
