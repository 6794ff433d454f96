"""Practice 9: with three classes or more, what each confusion costs is stated."""

from __future__ import annotations

import numpy as np

from metrics.analyses.abstention.third_answer import STEPS
from metrics.analyses.agreement.readings import commonest_confusion
from metrics.measures.arrays import FloatArray
from metrics.measures.coefficients import weighted_kappa
from metrics.measures.cost_matrices import cost_text, preset_of, slide_cost
from metrics.report.checklist.case import NOBODY, Case, estimate_text, listed
from metrics.report.checklist.practice import Lack, Practice, judged, without_object
from metrics.results import words

UNSAID = Lack("State what confusing no verdict with a label costs", "abstention", "--cost halfway")


ORDER = "--scale nominal, or --order with the labels from low to high"


def cost(case: Case) -> Practice:
    """Return the practice: met where a cost matrix was stated, or where ordered options carry weights by their distance."""
    if not case.compared:
        return without_object(9, NOBODY)
    if case.ordered is not None and (case.agreement is None or not _third(case)):
        return _by_order(case)
    if case.classes == 2:
        return without_object(9, f"Two labels, {listed(case.labels)}: any cost that is the same both ways gives the same κ")
    if not case.classes:
        return without_object(9, "Scores on a continuous scale have distances, not confusions")
    stated = _has_costs(case)
    if not _third(case):
        return _of_names(case)
    return judged(9, [_costs_text(case), *_cost_path_lines(case)], [None if stated else UNSAID])


def _third(case: Case) -> bool:
    """Return whether the third class is giving no verdict."""
    return case.declaration.scale == "binary" and case.classes == 3


def _has_costs(case: Case) -> bool:
    settings = case.findings.settings
    return (settings is not None and settings.cost is not None) or (
        case.block is not None and "weighted_kappa" in case.block.values
    )


def _by_order(case: Case) -> Practice:
    report = case.ordered
    scores = None if report is None else case.scores_of(report)
    if report is None or scores is None:
        return without_object(9, NOBODY)
    keys = [key for key in ("weighted_kappa", "weighted_kappa_linear", "weighted_kappa_quadratic") if key in scores.pooled.values]
    text = "; ".join(estimate_text(scores.pooled, key) for key in keys)
    plain = f"; with every confusion alike {estimate_text(scores.pooled, 'kappa')}" if "kappa" in scores.pooled.values else ""
    return judged(9, [f"Each weighted κ names its weights: {text}{plain}"])


def _of_names(case: Case) -> Practice:
    """Return the practice of classes without an order.

    Every confusion counts alike, which is a choice that somebody has to have made.
    """
    block = case.table
    worst = ""
    if block is not None and block.confusion is not None:
        off = np.asarray(block.confusion) * (1 - np.eye(len(block.labels), dtype=np.int64))
        commonest = commonest_confusion(off)
        if commonest is not None:
            row, column, times = commonest
            pair = f"{words.plain(block.labels[row])} taken as {words.plain(block.labels[column])}"
            worst = f"The commonest, {pair}, is {words.count(times)} of {words.count(off.sum())}"
    first = f"{case.classes} classes: {listed(case.labels)}. κ here weighs every confusion equally"
    if _without_order(case):
        return judged(9, [f"{first}, as their scale was stated to have no order", worst])
    return judged(
        9,
        [first, worst],
        [Lack("Say that the labels have no order, so that all confusions cost the same, or give it", "data", ORDER)],
    )


def _without_order(case: Case) -> bool:
    """Return whether somebody stated that the labels of every criterion counted are names."""
    scales, report = case.findings.scales, case.agreement
    if scales is None or report is None:
        return False
    counted = [scales.on(name) for name in report.declaration.criteria]
    return all(scale.is_given and scale.scale == "nominal" for scale in counted)


def _costs_text(case: Case) -> str:
    settings = case.findings.settings
    if settings is None or settings.cost is None:
        return (
            ""
            if not _has_costs(case) or case.block is None
            else f"Under the stated costs {estimate_text(case.block, 'weighted_kappa')}"
        )
    name = preset_of(settings.cost)
    called = f"“{name}”, {cost_text(settings.cost)}" if name else cost_text(settings.cost)
    number = (
        f": {estimate_text(case.block, 'weighted_kappa')}"
        if case.block is not None and "weighted_kappa" in case.block.values
        else ""
    )
    return f"Costs {called} (positive, negative, no verdict){number}"


def _cost_path_lines(case: Case) -> list[str]:
    """Return how far weighted κ moves as no verdict goes from as good as negative to as good as positive."""
    block = case.table
    if block is None or not block.n:
        return ["No decision is left"]
    along = cost_path(np.asarray(block.confusion, np.float64))
    if np.isnan(along).any():
        return ["Weighted κ is undefined for some costs of giving no verdict"]
    where = "" if case.block is block else " (all decisions in one table)"
    low, high = words.number(along.min()), words.number(along.max())
    moved = words.number(along.max() - along.min())
    positive, negative = (words.plain(label) for label in block.labels[:2])
    line = f"With no verdict anywhere from as good as {negative} to as good as {positive}"
    return [f"{line}, weighted κ is between {low} and {high}, {moved} apart{where}"]


def cost_path(table: FloatArray) -> FloatArray:
    """Return weighted κ along the line of `metrics.analyses.abstention.third_answer`, shape (STEPS + 1,); NaN where undefined.

    Parameters
    ----------
    table : ndarray, shape (3, 3)
        Positive, negative, no verdict.
    """
    return np.array([float(weighted_kappa(table, slide_cost(place / STEPS))) for place in range(STEPS + 1)])
