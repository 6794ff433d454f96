"""One record per metric: what it is called, what it answers, when it is undefined, and the function that computes it.

A new metric is one function and one record here; selectors, help texts, reports and the invariants of the tests follow.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np

from metrics.measures import coefficients, rates
from metrics.measures.metric import Classes, Metric, Need, Place, Takes

_COHEN = "Cohen (1960), doi:10.1177/001316446002000104"
_COUNTS = "counts of the 2 x 2 table"
_BOTH: tuple[Need, ...] = ("reference varies", "judge varies")

CATALOGUE: tuple[Metric, ...] = (
    Metric(
        "kappa", "Cohen’s κ", "κ", coefficients.cohen_kappa,
        "Agreement beyond what the two label rates alone would give. 1 is perfect, 0 is chance. "
        "It can fall when one label is rare, even with the same judge.",
        _COHEN, "beyond chance", "any", low=-1.0, needs=("two labels",), transposed="kappa", flipped="kappa", transform="fisher",
        phrase="Cohen’s κ",
        places={"terminal": 20, "terminal criteria": 20, "report": 50, "page": 10, "bounds": 10, "choose": 70,
            "independence": 20, "cuts": 10, "lab": 70, "lab of three": 40, "sweep": 10, "gap": 10, "table of two": 20,
            "table of many": 10, "ceiling": 10, "lab compared": 10, "headline": 20, "gap headline": 10, "bounds drawn": 30,
            "simulation": 60},
        formula="(agreement − chance) / (1 − chance)",
    ),
    Metric(
        "kappa_within", "κ within criteria", "κ within", coefficients.kappa_within,
        "κ with chance computed inside each criterion. Unlike pooled κ it gives no credit for knowing which criterion is easy.",
        "Cohen’s κ with stratified chance; 0 for criteria that are each at chance", "beyond chance", "any", "criteria",
        low=-1.0, transposed="kappa_within", flipped="kappa_within", transform="fisher",
        phrase="κ within criteria",
        places={"terminal": 30, "report": 60},
        formula="1 − Σ (N − agreed) / Σ (N − Σ r · c / N), the outer sums over the criteria",
    ),
    Metric(
        "phi", "φ", "φ", coefficients.phi,
        "The correlation of two yes/no lists; also MCC, Pearson, Spearman and τ_b here. Report one. "
        "κ is nearer to 0 where the two label rates differ, unless φ is 0.",
        "Matthews (1975), doi:10.1016/0005-2795(75)90109-9", "beyond chance",
        low=-1.0, needs=_BOTH, transposed="phi", flipped="phi", transform="fisher",
        places={"terminal": 40, "terminal criteria": 30, "page": 20, "bounds": 20, "choose": 80, "independence": 30,
            "cuts": 20, "lab": 60, "gap": 20, "table of two": 30, "ceiling": 20, "lab compared": 20,
            "headline": 30, "gap headline": 20, "bounds drawn": 40, "simulation": 50},
        formula="(TP · TN − FN · FP) / √((TP + FN) · (FP + TN) · (TP + FP) · (FN + TN))",
    ),
    Metric(
        "mcc_multiclass", "R_K", "R_K", coefficients.mcc_multiclass,
        "φ for more than two classes: the correlation of two labelings. κ is never further from 0, and equals R_K when the "
        "label rates agree.",
        "Gorodkin (2004), doi:10.1016/j.compbiolchem.2004.09.006", "beyond chance", "many",
        low=-1.0, needs=_BOTH, transposed="mcc_multiclass", flipped="mcc_multiclass", transform="fisher",
        places={"terminal": 50, "page": 30, "choose": 90, "independence": 40, "lab of three": 30, "table of many": 20,
            "ceiling": 30, "lab compared": 30, "headline": 30},
        formula="(N · agreed − Σ r · c) / √((N² − Σ r²) · (N² − Σ c²))",
    ),
    Metric(
        "kappa_phi_gap", "κ − φ", "κ − φ", coefficients.kappa_phi_gap,
        "How far κ is from φ. It is 0 when the label rates agree, and also when φ is 0, whatever the label-rate bias.",
        "difference of the two", "beyond chance",
        low=-1.0, needs=_BOTH, transposed="kappa_phi_gap", flipped="kappa_phi_gap", has_interval=False,
        places={"gap": 40},
        formula="κ − φ",
    ),
    Metric(
        "kappa_phi_ratio", "κ/φ", "κ/φ", coefficients.kappa_phi_ratio,
        "The share of φ that κ keeps. It depends on the two label rates alone: 1 without label-rate bias, less with it.",
        "2√(AB)/(A+B), A = π(1−π̂), B = π̂(1−π)", "beyond chance",
        needs=_BOTH, transposed="kappa_phi_ratio", flipped="kappa_phi_ratio", has_interval=False,
        places={"gap": 30},
        formula="2 · √(π · (1 − π̂) · π̂ · (1 − π)) / (π · (1 − π̂) + π̂ · (1 − π))",
    ),
    Metric(
        "gwet_ac1", "Gwet’s AC1", "AC1", coefficients.gwet_ac1,
        "A relative of κ whose chance agreement shrinks as one label gets rare. It answers “how often equal”, not “how far "
        "beyond the label rates”.",
        "Gwet (2008), doi:10.1348/000711006X126600", "beyond chance",
        low=-1.0, transposed="gwet_ac1", flipped="gwet_ac1", transform="fisher",
        places={"terminal": 180, "page": 90, "bounds": 130, "lab": 40, "lab compared": 70},
        formula="(agreement − 2 · q · (1 − q)) / (1 − 2 · q · (1 − q))",
    ),
    Metric(
        "pabak", "PABAK", "PABAK", coefficients.pabak,
        "Accuracy rescaled so that a coin toss is 0. It ignores the label rates, so a rare label alone does not lower it.",
        "Byrt, Bishop & Carlin (1993), doi:10.1016/0895-4356(93)90018-V", "beyond chance",
        low=-1.0, transposed="pabak", flipped="pabak", transform="fisher", small_table="share",
        places={"terminal": 190, "page": 100, "bounds": 140, "lab": 50, "lab compared": 60},
        formula="2 · agreement − 1",
    ),
    Metric(
        "scott_pi", "Scott’s π", "π (Scott)", coefficients.scott_pi,
        "Like κ, but chance is taken from the two label rates averaged, so label-rate bias counts as disagreement.",
        "Scott (1955), doi:10.1086/266577", "beyond chance",
        low=-1.0, needs=("two labels",), transposed="scott_pi", flipped="scott_pi", transform="fisher",
        places={"bounds": 150},
        formula="(agreement − q² − (1 − q)²) / (1 − q² − (1 − q)²)",
    ),
    Metric(
        "accuracy", "Accuracy", "accuracy", coefficients.accuracy,
        "Share of equal verdicts. Read it beside the baseline: what always giving the majority label would score.",
        "share of the diagonal", "agreement", "any", transposed="accuracy", flipped="accuracy", transform="logit", unit="%",
        small_table="share",
        phrase="accuracy",
        places={"terminal": 70, "terminal criteria": 40, "report": 20, "page": 40, "bounds": 30, "choose": 40,
            "independence": 50, "cuts": 50, "lab": 10, "lab of three": 10, "sweep": 20, "table of two": 40,
            "table of many": 30, "ceiling": 40, "lab compared": 90, "headline": 40, "bounds drawn": 10, "simulation": 20},
        formula="(TP + TN) / N",
    ),
    Metric(
        "expected_agreement", "Expected agreement", "p_e", coefficients.expected_agreement,
        "Agreement that the two label rates alone would give, if verdicts were dealt at random. "
        "Where the reference gives one label only, it is the judge’s share of that label, not 1.",
        _COHEN, "agreement", "any", transposed="expected_agreement", flipped="expected_agreement", unit="%", has_interval=False,
        formula="π · π̂ + (1 − π) · (1 − π̂)",
    ),
    Metric(
        "baseline_accuracy", "Baseline accuracy", "baseline", rates.baseline_accuracy,
        "What always giving the reference’s majority label would score.",
        "largest share of the reference margin", "agreement", "any", flipped="baseline_accuracy", unit="%", has_interval=False,
        phrase="baseline accuracy",
        places={"terminal": 80, "report": 30, "cuts": 60},
        formula="max(TP + FN, FP + TN) / N",
    ),
    Metric(
        "baseline_accuracy_by_criterion", "Baseline accuracy by criterion", "baseline by criterion",
        rates.baseline_accuracy_by_criterion,
        "What always giving each criterion’s majority label would score: the fair rival of pooled accuracy.",
        "decision-weighted mean of the criteria’s baselines", "agreement", "any", "criteria",
        flipped="baseline_accuracy_by_criterion", unit="%", has_interval=False,
        places={"report": 40},
        formula="Σ max(TP + FN, FP + TN) / Σ N, sums over the criteria",
    ),
    Metric(
        "balanced_accuracy", "Balanced accuracy", "BA", rates.balanced_accuracy,
        "Mean of the rates at which the judge finds each class. It does not move with prevalence.",
        "mean recall", "agreement", "any",
        needs=("reference has both",), flipped="balanced_accuracy", transform="logit", unit="%",
        phrase="balanced accuracy",
        places={"terminal": 90, "report": 130, "page": 50, "bounds": 50, "choose": 10, "independence": 80, "cuts": 30,
            "lab": 20, "lab compared": 80, "simulation": 10},
        formula="(TPR + TNR) / 2",
    ),
    Metric(
        "youden_j", "Youden’s J", "J", rates.youden_j,
        "True minus false positive rate; balanced accuracy is the same on a 0–1 scale. Neither depends on prevalence.",
        "Youden (1950)", "agreement",
        low=-1.0, needs=("reference positive", "reference negative"), transposed="markedness", flipped="youden_j",
        transform="fisher",
        places={"terminal": 100, "bounds": 60, "choose": 20, "cuts": 40, "lab rates": 50, "lab compared": 130},
        formula="TPR − FPR",
    ),
    Metric(
        "markedness", "Markedness", "markedness", rates.markedness,
        "How much more often the reference says positive where the judge does than where it does not: precision plus NPV less 1. "
        "Youden’s J seen from the judge’s side; unlike J it moves with prevalence.",
        "Powers (2011), arXiv:2010.16061", "agreement",
        low=-1.0, needs=("judge positive", "judge negative"), transposed="youden_j", flipped="markedness", transform="fisher",
        places={"page": 55, "report": 135},
        formula="TP / (TP + FP) + TN / (FN + TN) − 1",
    ),
    Metric(
        "macro_j", "Macro J (one-vs-rest)", "macro J", rates.macro_j,
        "Mean of Youden’s J of every class against the rest. With more than two classes it moves with the class sizes, "
        "so it need not rank judges as balanced accuracy does.",
        "mean over the classes of the one-vs-rest J", "agreement", "many",
        low=-1.0, needs=("reference varies",), flipped="macro_j", transform="fisher",
        places={"terminal": 110, "page": 60, "choose": 30},
        formula="mean over the classes of TPR − FPR, each class against the rest",
    ),
    Metric(
        "f1", "F1", "F1", rates.f1,
        "Harmonic mean of precision and recall of the positive label. Ignores true negatives; rises with prevalence.",
        _COUNTS, "agreement", needs=("some positive",), transposed="f1", flipped="f1_negative", transform="logit",
        small_table="overlap",
        phrase="F1",
        places={"terminal": 120, "report": 110, "page": 80, "bounds": 40, "choose": 50, "independence": 60, "lab": 30,
            "table of two": 50, "lab compared": 40, "bounds drawn": 20, "simulation": 30},
        formula="2 · TP / (2 · TP + FP + FN)",
    ),
    Metric(
        "f1_negative", "F1 of the negative label", "F1⁻", rates.f1_negative,
        "F1 with the negative label in the place of the positive one.",
        _COUNTS, "agreement", needs=("some negative",), transposed="f1_negative", flipped="f1", transform="logit",
        small_table="overlap",
        places={"bounds": 110},
        formula="2 · TN / (2 · TN + FP + FN)",
    ),
    Metric(
        "macro_f1", "Macro-F1", "macro-F1", rates.macro_f1,
        "Mean of the F1 of every class, each class counting once. Not an average over criteria.",
        _COUNTS, "agreement", "any", needs=("some positive", "some negative"),
        transposed="macro_f1", flipped="macro_f1", transform="logit",
        phrase="macro-F1 over the classes",
        places={"terminal": 130, "report": 120, "page": 70, "bounds": 120, "choose": 60, "independence": 70,
            "lab of three": 20, "table of many": 40, "lab compared": 50, "headline": 50, "simulation": 40},
        formula="mean over the classes of 2 · agreed / (r + c)",
    ),
    Metric(
        "precision", "Precision", "precision", rates.precision,
        "Of the judge’s positive verdicts, the share the reference calls positive.",
        _COUNTS, needs=("judge positive",), transposed="recall", flipped="npv", transform="logit", unit="%", small_table="rate",
        phrase="precision",
        places={"terminal": 140, "report": 80, "bounds": 70, "lab rates": 40, "lab compared": 120},
        formula="TP / (TP + FP)",
    ),
    Metric(
        "recall", "Recall (TPR)", "TPR", rates.recall,
        "Of the reference’s positives, the share the judge finds.",
        _COUNTS, needs=("reference positive",), transposed="precision", flipped="specificity", transform="logit", unit="%",
        small_table="rate",
        phrase="recall",
        places={"terminal": 150, "report": 90, "bounds": 80, "lab rates": 10, "lab compared": 100},
        formula="TP / (TP + FN)",
    ),
    Metric(
        "specificity", "Specificity (TNR)", "TNR", rates.specificity,
        "Of the reference’s negatives, the share the judge calls negative.",
        _COUNTS, needs=("reference negative",), transposed="npv", flipped="recall", transform="logit", unit="%",
        small_table="rate",
        phrase="specificity",
        places={"terminal": 160, "report": 100, "bounds": 90, "lab rates": 20, "lab compared": 110},
        formula="TN / (FP + TN)",
    ),
    Metric(
        "npv", "Negative predictive value", "NPV", rates.npv,
        "Of the judge’s negative verdicts, the share the reference calls negative.",
        _COUNTS, needs=("judge negative",), transposed="specificity", flipped="precision", transform="logit", unit="%",
        small_table="rate",
        places={"bounds": 100},
        formula="TN / (FN + TN)",
    ),
    Metric(
        "fpr", "False positive rate", "FPR", rates.fpr,
        "Of the reference’s negatives, the share the judge wrongly calls positive.",
        _COUNTS, needs=("reference negative",), flipped="fnr", transform="logit", unit="%", small_table="rate",
        places={"lab rates": 30},
        formula="FP / (FP + TN)",
    ),
    Metric(
        "fnr", "False negative rate", "FNR", rates.fnr,
        "Of the reference’s positives, the share the judge misses.",
        _COUNTS, needs=("reference positive",), flipped="fpr", transform="logit", unit="%", small_table="rate",
        formula="FN / (TP + FN)",
    ),
    Metric(
        "prevalence", "Prevalence π", "π", rates.prevalence,
        "How often the reference says positive. It belongs to the items, not to the judge.",
        _COUNTS, "shape", transposed="predicted_prevalence", transform="logit", unit="%", small_table="share",
        phrase="prevalence",
        places={"terminal criteria": 50, "report": 140, "cuts": 70, "lab rates": 60, "gap": 50, "table of two": 10,
            "lab compared": 140},
        formula="(TP + FN) / N",
    ),
    Metric(
        "predicted_prevalence", "Predicted prevalence π̂", "π̂", rates.predicted_prevalence,
        "How often the judge says positive.",
        _COUNTS, "shape", transposed="prevalence", transform="logit", unit="%", small_table="share",
        phrase="predicted prevalence",
        places={"report": 150, "cuts": 80, "lab rates": 70, "gap": 60, "lab compared": 150},
        formula="(TP + FP) / N",
    ),
    Metric(
        "drift", "Label-rate bias", "π̂ − π", rates.drift,
        "π̂ − π, in points. Plus: the judge gives the positive label more often than the reference.",
        _COUNTS, "shape", low=-1.0, transposed="-drift", flipped="-drift", transform="fisher", unit="points",
        small_table="points",
        phrase="label-rate bias",
        places={"terminal": 170, "report": 160, "page": 110, "cuts": 90, "lab rates": 80, "gap": 70, "lab compared": 160,
            "headline": 50, "gap headline": 30},
        formula="(FP − FN) / N",
    ),
    Metric(
        "bias_index", "Bias index", "bias", rates.bias_index,
        "The label-rate bias under its older name: (FP − FN) / N.",
        "Byrt, Bishop & Carlin (1993), doi:10.1016/0895-4356(93)90018-V", "shape",
        low=-1.0, transposed="-bias_index", flipped="-bias_index", transform="fisher", small_table="points",
        formula="(FP − FN) / N",
    ),
    Metric(
        "prevalence_index", "Prevalence index", "prevalence index", rates.prevalence_index,
        "(TP − TN) / N: how lopsided the agreed verdicts are. Far from 0, κ falls for the same accuracy and label-rate bias.",
        "Byrt, Bishop & Carlin (1993), doi:10.1016/0895-4356(93)90018-V", "shape",
        low=-1.0, transposed="prevalence_index", flipped="-prevalence_index", transform="fisher",
        formula="(TP − TN) / N",
    ),
)  # fmt: skip

WEIGHTED_KAPPA = Metric(
    "weighted_kappa", "Weighted κ", "κ_w", coefficients.weighted_kappa,
    "κ in which each confusion counts by the stated cost matrix. Meaningless without that matrix.",
    "Cohen (1968), doi:10.1037/h0026256", "beyond chance", "many", "cost", low=-np.inf, needs=("two labels",),
    transform="fisher",
    phrase="weighted κ",
    places={"terminal": 60, "report": 70},
    formula="1 − Σ w · n / (Σ w · r · c / N), w the cost of each confusion",
)  # fmt: skip

QUADRATIC_KAPPA = Metric(
    "weighted_kappa_quadratic", "κ, quadratic weights", "κ quadratic", coefficients.weighted_kappa_quadratic,
    "Agreement beyond chance where an error costs the square of its distance in labels. 1 is perfect, 0 is chance.",
    "Cohen (1968), doi:10.1037/h0026256", "beyond chance", "many", low=-1.0, needs=("two labels",), transform="fisher",
    phrase="quadratically weighted κ",
    places={"terminal": 10, "terminal criteria": 10, "report": 10, "independence": 10, "headline": 10},
    formula="1 − Σ w · n / (Σ w · r · c / N), w = (i − j)² for labels i and j",
)  # fmt: skip
"""Of ordered labels only; see `metrics.analyses.leading`."""

TURNED = -0.2
"""Value of a number that is 0 by chance from which on, downwards, labels that are turned round are the likely reason."""
NO_COST = "the cost matrix puts no cost on the labels in use"
BY_KEY: dict[str, Metric] = {metric.key: metric for metric in (*CATALOGUE, WEIGHTED_KAPPA, QUADRATIC_KAPPA)}


def record_of(key: str) -> Metric:
    """Return record of a metric, or of the metric of which a key names a variant after a colon: `weighted_kappa:halfway`."""
    return BY_KEY[key.partition(":")[0]]


def keys_at(place: Place, k: int | None = None, records: Mapping[str, Metric] = BY_KEY) -> tuple[str, ...]:
    """Return keys of the metrics that appear at a place, in their order there; of those for K classes, where K is given.

    Parameters
    ----------
    place : Place
    k : int, optional
        Number of classes.
    records : mapping of str to Metric
        Records by key.
    """
    there = [
        metric for metric in records.values() if place in metric.places and (k is None or metric.classes in _allowed_classes(k))
    ]
    return tuple(metric.key for metric in sorted(there, key=lambda metric: metric.places[place]))


def _allowed_classes(k: int) -> tuple[Classes, ...]:
    return ("two", "any") if k == 2 else ("any", "many")


@cache
def applicable(k: int, takes: Takes | None = None) -> tuple[Metric, ...]:
    """Return metrics shown for K classes, in catalogue order."""
    return tuple(m for m in CATALOGUE if m.classes in _allowed_classes(k) and (takes is None or m.takes == takes))
