"""Practices 1 and 2: the scale is named, and two labels have one association."""

from __future__ import annotations

import numpy as np

from metrics.analyses.kappa_phi.five import five_names
from metrics.analyses.kappa_phi.readings import small
from metrics.analyses.scores.provenance import order_words
from metrics.asker import shell
from metrics.data.scales import TWO_SIDED, CriterionScale, Scales
from metrics.report.checklist.case import Case, estimate_text, listed
from metrics.report.checklist.contents import ASSOCIATIONS
from metrics.report.checklist.practice import Lack, Practice, judged, without_object
from metrics.results import words

UNSAID = "The labels are counted as classes without an order: say that they have none"


def scale(case: Case) -> Practice:
    """Return the practice: met where the scale of every criterion is known, is used as such, and no number pools two."""
    scales = case.findings.scales
    if scales is None:
        return _by_reports(case)
    unsure = [criterion_scale for criterion_scale in scales.criteria if not criterion_scale.settled]
    unordered = [
        name
        for name in scales.of("ordinal")
        if not any(name in scores_report.declaration.criteria for scores_report in case.scored)
    ]
    lacks = [
        _pooled(case),
        _confirm(unsure, scales) if unsure else None,
        _order(unordered) if unordered and case.compared else None,
    ]
    return judged(1, [*_scale_sentences(scales), *_doubts(unsure)], lacks, ("task",))


def _scale_sentences(scales: Scales) -> list[str]:
    sentences = []
    for kind in scales.used:
        names = scales.of(kind)
        labels = list(dict.fromkeys(label for name in names for label in _from_positive(scales.on(name))))
        shown = "" if kind == "continuous" else f": {listed(labels)}" if labels else ""
        sentences.append(f"{words.several(len(names), 'criteria')} {words.are(len(names))} {kind}{shown}")
    return sentences


def _from_positive(criterion_scale: CriterionScale) -> tuple[str, ...]:
    return criterion_scale.classes[::-1] if criterion_scale.scale in TWO_SIDED else criterion_scale.classes


def _doubts(unsure: list[CriterionScale]) -> list[str]:
    """Return criteria whose scale nobody stated, those alike in one sentence."""
    alike: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for criterion_scale in unsure:
        alike.setdefault((criterion_scale.scale, criterion_scale.possible), []).append(criterion_scale.criterion)
    return [
        f"Nobody said that {listed(names)} {words.are(len(names))} {kind}; the labels would fit "
        f"{' and '.join(other for other in possible if other != kind)} too"
        for (kind, possible), names in alike.items()
    ]


def _confirm(unsure: list[CriterionScale], scales: Scales) -> Lack:
    kinds = {criterion_scale.scale for criterion_scale in unsure}
    whole = len(unsure) == len(scales.criteria) and len(kinds) == 1
    option = unsure[0].scale if whole else shell({criterion_scale.criterion: criterion_scale.scale for criterion_scale in unsure})
    what = (
        f"{listed([criterion_scale.criterion for criterion_scale in unsure])} "
        f"{'are' if len(unsure) > 1 else 'is'} {' or '.join(sorted(kinds))}"
    )
    return Lack(
        f"Say on which scale {'they are' if len(unsure) > 1 else 'it is'}: confirm that {what}, or say what else",
        "data",
        f"--scale {option}",
    )


def _order(names: list[str]) -> Lack:
    return Lack(f"Report {listed(names)} by order too, not only as classes", "scores")


def _pooled(case: Case) -> Lack | None:
    """Return the lack where one table pools criteria on different scales."""
    if case.agreement is None or len(set(case.agreement.declaration.scales.values())) < 2:
        return None
    kinds = case.agreement.declaration.scales
    first = next(iter(kinds.values()))
    names = [name for name, kind in kinds.items() if kind == first]
    return Lack(
        f"One table counts {case.agreement.declaration.scale_words()}: choose the criteria of one scale, such as {listed(names)}",
        "data",
        f"--criteria {shell(names)}",
    )


def _by_reports(case: Case) -> Practice:
    """Return the practice where only a report is there, by what its declaration says."""
    evidence = []
    report = case.agreement
    if report is not None:
        evidence.append(f"The declaration says {report.declaration.scale_words()}: {listed(case.labels)}")
    for scores_report in case.scored:
        evidence.append(
            f"Ordinal {order_words(scores_report.order)}" if scores_report.order is not None else "Scores on a continuous scale"
        )
    unsure = report is not None and report.declaration.scale != "binary" and case.ordered is None
    lacks = [_pooled(case), Lack(UNSAID, "data", "--scale nominal") if unsure else None]
    return judged(1, evidence or ["Nothing is counted"], lacks, ("task",))


def association(case: Case) -> Practice:
    """Return the practice: met where two labels have at most one of five names for one number."""
    block = case.table
    if block is None or case.classes != 2:
        return without_object(2, _elsewhere(case))
    five = five_names(np.asarray(block.confusion, np.float64))
    names = case.contents.associations
    unit = "items" if case.contents.level == "item" else "decisions"
    if np.isnan(five.values["φ"]):
        return without_object(2, f"All five are undefined here: {block.undefined.get('phi', 'no decision is left')}")
    first = f"On these {words.several(block.n or 0, unit)} {listed(list(five.values))} are all {words.three(five.values['φ'])}"
    first += f" (largest difference {small(five.largest)})"
    shown = [ASSOCIATIONS[name] for name in names]
    rater_labels_of = f"Reported: {listed(shown)}" if shown else "No association is reported"
    lack = Lack(f"Report {shown[0]} alone; {listed(shown[1:])} would repeat it", "report") if len(shown) > 1 else None
    return judged(2, [first, rater_labels_of], [lack])


def _elsewhere(case: Case) -> str:
    """Return why the five are not one number, with their values where they have any."""
    for scores_report in case.scored:
        scores = case.scores_of(scores_report)
        if scores is not None:
            values = ", ".join(estimate_text(scores.pooled, key) for key in ("pearson", "spearman", "kendall_tau_b"))
            on = "ordered options" if scores_report.on == "label" else "scores"
            return f"The five names are one number only on two labels. On these {on} they are several: {values}"
    if case.classes:
        return f"The five names are one number only on two labels; {case.classes} are counted here"
    return "No labels of a judge and a reference are compared"
