"""Practices 3 to 5: accuracy beside κ, which errors, and criteria with one label."""

from __future__ import annotations

import math

import numpy as np

from metrics.analyses.agreement.readings import confusion_reading
from metrics.analyses.ensembles.readings_matrices import matrices_reading
from metrics.analyses.records import Block
from metrics.asker import shell
from metrics.measures.catalogue import BY_KEY
from metrics.report.checklist.case import NOBODY, Case, estimate_text, from_to, listed
from metrics.report.checklist.practice import Lack, Practice, judged, put_back, without_object
from metrics.results import words

MOST = 8
"""One-sided criteria that are told one by one."""


def accuracy(case: Case) -> Practice:
    """Return the practice: met where κ stands beside accuracy."""
    if case.agreement is None and case.ordered is None:
        return without_object(3, NOBODY if not case.compared else "Scores on a continuous scale are not right or wrong")
    evidence = [_accuracy_and_kappa(case), *_over_judges(case), *_ordered(case)]
    if not _right(case):
        return without_object(3, *(text for text in evidence if text))
    return judged(3, evidence, [None if case.contents.has("kappa") else put_back("kappa"), _no_kappa(case)])


def _right(case: Case) -> bool:
    """Return whether an accuracy is there to stand beside κ."""
    scores = None if case.ordered is None else case.scores_of(case.ordered)
    counted = case.block is not None and "accuracy" not in case.block.undefined
    return counted or (scores is not None and "exact_agreement" not in scores.pooled.undefined)


def _no_kappa(case: Case) -> Lack | None:
    """Return the lack where an accuracy stands alone because κ is undefined."""
    block, scores = case.block, None if case.ordered is None else case.scores_of(case.ordered)
    why = "" if block is None or "accuracy" in block.undefined else block.undefined.get("kappa", "")
    if not why and scores is not None and "exact_agreement" not in scores.pooled.undefined:
        why = scores.pooled.undefined.get("weighted_kappa_quadratic", "")
    if block is not None and block.withheld:
        return _labels(case)
    return Lack(f"Add items on which the labels vary: κ is undefined, {why}", "data") if why else None


def _accuracy_and_kappa(case: Case) -> str:
    block = case.block
    if block is None:
        return ""
    if "accuracy" in block.undefined:
        return f"Accuracy and κ are undefined: {block.undefined['accuracy']}"
    base = block.values["baseline_accuracy"]
    start = (
        f"{words.capital(estimate_text(block, 'accuracy'))}; always giving the commonest label would score {words.percent(base)}"
    )
    start += "" if case.first == "kappa" else f"; {estimate_text(block, case.first)}"
    kappa = block.values["kappa"]
    if math.isnan(kappa):
        return f"{start}. {estimate_text(block, 'kappa')}"
    apart = words.printed(block.values["accuracy"]) - words.printed(kappa)
    beside = f"{words.number(apart)} below accuracy" if apart else "the same as accuracy"
    return f"{start}; {estimate_text(block, 'kappa')}, {beside}"


def _over_judges(case: Case) -> list[str]:
    if case.agreement is None or len(case.agreement.judges) < 2:
        return []
    blocks = [report.level(case.contents.level) for report in case.agreement.judges.values()]
    parts = [
        f"{name} {from_to([block.values[key] for block in blocks], unit)}"
        for name, key, unit in (("accuracy", "accuracy", "%"), (BY_KEY[case.first].symbol, case.first, ""))
    ]
    return [f"Over {words.count(len(blocks))} judges {' and '.join(parts)}{_coverage_caveat(case)}"]


def _coverage_caveat(case: Case) -> str:
    """Return that the judges' numbers stand on other decisions, where some left more open than others; else nothing."""
    shares = [coverage.coverage for coverage in case.coverages.values()]
    if case.declaration.abstention != "exclude" or max(shares) - min(shares) < 0.005:
        return ""
    low, high = (words.percent(end(shares)) for end in (min, max))
    return f", each on the decisions it answered (coverage {low} to {high}): that ranks no judges"


def _ordered(case: Case) -> list[str]:
    """Return exact agreement beside weighted κ."""
    scores = None if case.ordered is None else case.scores_of(case.ordered)
    if scores is None:
        return []
    block = scores.pooled
    base = words.percent(block.values["baseline_accuracy"])
    weighted = f"{estimate_text(block, 'weighted_kappa_quadratic')} and {estimate_text(block, 'weighted_kappa_linear')}"
    return [f"On ordered options {estimate_text(block, 'exact_agreement')} (baseline {base}), beside {weighted}"]


def confusion(case: Case) -> Practice:
    """Return the practice: met where the matrix is reported; on two labels precision and recall do as well."""
    block = case.table
    if block is None:
        return without_object(4, NOBODY if not case.compared else "Scores on a continuous scale have no matrix")
    two = case.classes == 2
    there = case.contents.has("confusion") or (two and case.contents.has("rates"))
    unit = "items" if case.contents.level == "item" and block.n is not None else "decisions"
    evidence = [words.capital(confusion_reading(block, unit=unit, name=words.plain))]
    if two and block.n:
        evidence += [_counts(block), words.capital(f"{estimate_text(block, 'precision')}, {estimate_text(block, 'recall')}")]
    if case.findings.matrices is not None:
        evidence.append(matrices_reading(case.findings.matrices, words.plain))
    return judged(4, [*_chosen(case), *evidence], [None if there else put_back("confusion"), _labels(case)])


def _chosen(case: Case) -> list[str]:
    """Return that whether people labelled a decision depends on the judge's verdict."""
    labelling = None if case.judge_report is None else case.judge_report.labelling
    return [text.removesuffix(".")] if labelling is not None and (text := labelling.sentence(words.plain(case.judge))) else []


def _labels(case: Case) -> Lack | None:
    """Return the lack where the labels cannot tell which errors the judge makes."""
    labelling = None if case.judge_report is None else case.judge_report.labelling
    if labelling is None or not labelling.chosen_by_verdict:
        return None
    return Lack(labelling.mend(words.plain(case.judge)).removesuffix("."), "data")


def _counts(block: Block) -> str:
    tp, fn, fp, tn = np.asarray(block.confusion).ravel().tolist()
    return ", ".join(f"{name} {words.count(n)}" for name, n in (("TP", tp), ("FN", fn), ("FP", fp), ("TN", tn)))


def one_sided(case: Case) -> Practice:
    """Return the practice: met where criteria with one label only are listed with their counts, and none is left out."""
    lines, gone = _degenerate(case), case.findings.left_out_criteria
    if not case.compared:
        return without_object(5, NOBODY)
    if not lines and not gone:
        return without_object(5, _both_sides(case))
    more = [f"And {words.count(len(lines) - MOST)} more"] if len(lines) > MOST else []
    left = [f"In no number of the report: {listed(gone)}"] if gone else []
    lacks = [
        put_back("criteria") if lines and not case.contents.has("criteria") else None,
        _take(case, gone) if gone else None,
    ]
    return judged(5, [*lines[:MOST], *more, *left], lacks)


def _both_sides(case: Case) -> str:
    n = sum(len(report.declaration.criteria) for report in (case.agreement or case.scored[0], *case.scored[1:]))
    what = "label" if case.agreement is not None else "value"
    return f"On {'the one criterion' if n == 1 else f'each of {words.count(n)} criteria'} both sides give more than one {what}"


def _degenerate(case: Case) -> list[str]:
    """Return every criterion on which a side of some judge does not vary, with its counts."""
    counted = [] if case.agreement is None else list(case.agreement.judges.items())
    many, lines = len(case.findings.judges) > 1, []
    for judge, report in counted:
        for name, block in report.criteria.items():
            if block.degenerate:
                lines.append(f"{_where(name, judge, many)}: {_constant(block, report.coverage_of(name).n_total)}")
    seen = set(case.agreement.declaration.criteria) if case.agreement is not None else set()
    for scores_report in case.scored:
        for judge, scored in scores_report.judges.items():
            for name, block in scored.criteria.items():
                if name not in seen and "pearson" in block.undefined:
                    n = words.count(block.n)
                    lines.append(f"{_where(name, judge, many)}: r undefined ({block.undefined['pearson']}; n = {n})")
    return lines


def _where(criterion: str, judge: str, many: bool) -> str:
    return f"{words.plain(criterion)} ({words.plain(judge)})" if many else words.plain(criterion)


def _constant(block: Block, total: int) -> str:
    if block.one_sided is None:
        return f"no decision is left of {words.count(total)}"
    side, label = block.one_sided
    margins = np.asarray(block.confusion).sum(1 if side == "judge" else 0)
    other = ", ".join(
        f"{words.several(int(n), 'times')} {words.plain(name)}" for name, n in zip(block.labels, margins, strict=True) if n
    )
    beside = "the reference" if side == "judge" else "the judge"
    kappa = "κ 0 by construction" if block.values["kappa"] == 0 else estimate_text(block, "kappa")
    return f"the {side} says only {words.plain(label)} on {words.several(block.n or 0, 'decisions')}, {beside} {other}; {kappa}"


def _take(case: Case, gone: tuple[str, ...]) -> Lack:
    """Return criteria on a scale that is counted nowhere, or that were not asked for."""
    scales = case.findings.scales
    there = [] if scales is None else [name for name in gone if name in scales.declaration()]
    if there:
        return Lack(f"Report {listed(there)} in a report of their own", "data", f"--criteria {shell(there)}")
    return Lack(f"Include {listed(gone)} again: without a choice of criteria the whole file is counted", "data")
