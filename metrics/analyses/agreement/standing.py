"""What a reader must know before any number of a judge: below a baseline, pooled beyond criteria, labelled by its verdict."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from metrics.analyses.cautions import MIXED_LABELS, labels_in_two_units, labels_of_other_ends, on_criterion, two_units_words
from metrics.analyses.labelling import Labelling
from metrics.analyses.records import Block, JudgeReport, Warn, Weighted
from metrics.measures.catalogue import BY_KEY, QUADRATIC_KAPPA
from metrics.measures.exact_tests import holm
from metrics.results import words
from metrics.results.estimate import Estimate

TWO_UNITS, BELOW_CHANCE, BELOW_BASELINE, POOLED_OUTSIDE = "two_units", "below_chance", "below_baseline", "pooled_kappa_outside"
OTHER_ENDS, LABELS_BY_VERDICT = "other_ends", "labels_by_verdict"
CODES = (LABELS_BY_VERDICT, TWO_UNITS, OTHER_ENDS, BELOW_CHANCE, BELOW_BASELINE, POOLED_OUTSIDE)
"""Warnings that stand beside the first numbers and not among the notes."""
REVERSED = -0.3
"""A coefficient of ordered labels above it, though surely below 0, is no sign of a scale turned round."""
LEAST = 10
"""Items below which nothing is said of a pooled κ beside those of the criteria."""
KNOWN = ("precision", "npv")
"""Metrics of the decisions that a judge calls positive alone, and of those it calls negative: labels of these say them."""
FOLLOWS = "which decisions people labelled depends on its verdict"
Numbers = Mapping[str, Estimate]


def standing(judge: JudgeReport, confidence: float) -> tuple[Warn, ...]:
    """Return the warnings about one judge, the gravest first; none where the data do not show it.

    Two units alone where the labels of both sides are in two: what else they show is the units.
    """
    if apart := in_two_units(judge):
        return (Warn(TWO_UNITS, f"{judge.name}: {two_units_words(apart, len(judge.criteria), MIXED_LABELS)}"),)
    findings = [
        (LABELS_BY_VERDICT, "" if judge.labelling is None else judge.labelling.sentence()),
        (OTHER_ENDS, on_other_ends(judge)),
        (BELOW_CHANCE, _opposite(judge)),
        (BELOW_BASELINE, _below(judge)),
        (BELOW_BASELINE, _criteria_below(judge, 1 - confidence)),
        (POOLED_OUTSIDE, _outside(judge)),
    ]
    return tuple(Warn(code, f"{judge.name}: {text}") for code, text in findings if text)


def in_two_units(judge: JudgeReport) -> dict[str, str]:
    """Return criteria on which the ordered labels of judge and reference are in two units, to the reason."""
    apart = {name: labels_in_two_units(block) for name, block in judge.criteria.items()}
    return {name: why for name, why in apart.items() if why}


def on_other_ends(judge: JudgeReport) -> str:
    """Return that judge and reference may use two scales, on the first criterion that shows it; empty otherwise."""
    apart = {name: why for name, block in judge.criteria.items() if (why := labels_of_other_ends(block))}
    return on_criterion(apart, len(judge.criteria))


def _opposite(judge: JudgeReport) -> str:
    """Return labels that one side seems to use the other way round; criteria pooled or not, each below chance or undefined."""
    ordered = QUADRATIC_KAPPA.key in judge.micro.values
    record, least = BY_KEY[QUADRATIC_KAPPA.key if ordered else "kappa"], REVERSED if ordered else 0.0
    estimate = judge.micro[record.key]
    others = (block.values[record.key] for block in judge.criteria.values())
    two = len(judge.micro.labels) == 2
    if (
        not (ordered or two)
        or estimate.ends is None
        or estimate.ends[1] >= 0
        or estimate.value > least
        or any(other > 0 for other in others)
    ):
        return ""
    what = "the scale" if ordered else "the two labels"
    return f"{record.symbol} {words.estimate(estimate)} is below chance. Does one side use {what} the other way round?"


def _below(judge: JudgeReport) -> str:
    block = judge.micro
    if block.directions is None or against_baseline(block) >= 0 or one_label(block):
        return ""
    label = block.labels[int(np.asarray(block.confusion).sum(1).argmax())]
    accuracy, baseline = (words.percent(block.values[key]) for key in ("accuracy", "baseline_accuracy"))
    return (
        f"always answering {words.shorten(label)} would be right significantly more often, {baseline} of decisions against "
        f"{accuracy} (p {_equals(block.directions.baseline.p)})."
    )


def against_baseline(block: Block) -> int:
    """Return the direction of accuracy against the majority label.

    0 where the test does not tell, or the interval beside it, and of labels that may be on two scales.
    """
    if block.directions is None or labels_of_other_ends(block):
        return 0
    return block.beyond("accuracy", block.values["baseline_accuracy"], block.directions.baseline.sign)


def one_label(block: Block) -> bool:
    """Return whether the reference gives one label only, so that its majority label is right by construction."""
    return block.one_sided is not None and block.one_sided[0] == "reference"


def _criteria_below(judge: JudgeReport, level: float) -> str:
    names, n_tested = criteria_below(judge, level)
    if not names:
        return ""
    where, rest = f"on {words.count(len(names))} of {words.count(len(judge.criteria))} criteria", len(judge.criteria) - len(names)
    listed = words.named(names)
    claim = f"{where}, always answering the majority label would be right significantly more often"
    others = f" The other{f' {words.count(rest)} do' if rest > 1 else ' does'} not show it." if rest else ""
    return f"{claim}{words.corrected(n_tested, 'criteria')}: {listed}.{others}"


def criteria_below(judge: JudgeReport, level: float) -> tuple[list[str], int]:
    """Return criteria on which it is worse than the majority label, and how many were tested.

    By their interval and by p corrected by Holm over all criteria; none of a single criterion.
    """
    if len(judge.criteria) < 2:
        return [], 0
    tested = {
        name: block.directions.baseline for name, block in judge.criteria.items() if block.directions and not one_label(block)
    }
    corrected = holm([baseline.p for baseline in tested.values()])
    below = [name for name, p in zip(tested, corrected, strict=True) if p <= level]
    return [name for name in below if against_baseline(judge.criteria[name]) < 0], len(tested)


def _outside(judge: JudgeReport) -> str:
    """Return a pooled κ that no criterion of the sample shows: pooling credits, or blames, knowing which criterion gets which
    label.

    True of these labels by arithmetic, without a test; of few items it would tell nothing.
    """
    kappas = [
        block.values["kappa"] for block in judge.criteria.values() if not (block.degenerate or np.isnan(block.values["kappa"]))
    ]
    pooled, within = judge.micro.values["kappa"], judge.micro.values.get("kappa_within", np.nan)
    n = (judge.micro.n if judge.n_used is None else judge.n_used) or 0
    of = words.several(n, "decisions" if judge.n_used is None else "items")
    kappa = "unweighted κ" if QUADRATIC_KAPPA.key in judge.micro.values else "κ"
    if np.isnan(pooled) or n < LEAST:
        return ""
    if not kappas and len(judge.criteria) > 1 and round(pooled, 2):
        return (
            f"on these {of} pooled {kappa} {words.number(pooled)} shows only which criterion gets which label: on none of "
            f"{words.count(len(judge.criteria))} criteria do both sides give more than one."
        )
    if len(kappas) < 2:
        return ""
    low, high = round(min(kappas), 2), round(max(kappas), 2)
    if low <= round(pooled, 2) <= high:
        return ""
    where = "below" if round(pooled, 2) < low else "above"
    beside = "" if np.isnan(within) else f" Within criteria {kappa} is {words.number(within)}."
    varied = f"all {words.count(len(kappas))} criteria on which both sides vary"
    every = "every criterion" if len(kappas) == len(judge.criteria) else varied
    return (
        f"on these {of} pooled {kappa} {words.number(pooled)} is {where} {kappa} of {every}, {words.number(low)} to "
        f"{words.number(high)}: the criteria differ in their label rates.{beside}"
    )


def _equals(p: float) -> str:
    text = words.p3(p)
    return text if text.startswith("<") else f"= {text}"


def by_labelling(report: JudgeReport, labelling: Labelling | None) -> JudgeReport:
    """Return a report without the numbers that its labels cannot tell.

    Where people labelled decisions of one verdict only, all but that verdict's own precision is undefined. Where they labelled
    more of one verdict, the numbers stand, and no direction: which errors are the commoner follows from what was labelled.

    Parameters
    ----------
    report : JudgeReport
    labelling : Labelling or None
        Of this judge; None of labels that are no classes.
    """
    report = replace(report, labelling=labelling)
    if labelling is None or not labelling.chosen_by_verdict:
        return report
    criteria = {name: labelled_block(block, labelling, name) for name, block in report.criteria.items()}
    micro, macro, item = (labelled_block(block, labelling) for block in (report.micro, report.macro, report.item))
    weighted = None if report.weighted is None else labelled_numbers(report.weighted, labelling)
    return replace(report, micro=micro, macro=macro, item=item, criteria=criteria, weighted=weighted)


def labelled_block(block: Block, labelling: Labelling, criterion: str | None = None) -> Block:
    """Return a table without the numbers that labels cannot tell, of a criterion or of all together."""
    why = labelling.why_unknown(criterion)
    if why:
        estimates = _told(block.estimates, labelling, why, criterion)
        return replace(block, estimates=estimates, directions=None, more=_told_more(block.more), withheld=why)
    if block.directions is None or not labelling.follows(criterion):
        return block
    return replace(block, directions=block.directions.untold(FOLLOWS))


def _told(estimates: Numbers, labelling: Labelling, why: str, criterion: str | None = None) -> dict[str, Estimate]:
    only = labelling.verdict_alone(criterion)
    known = "" if only is None else KNOWN[only]
    return {key: one if key == known else Estimate(math.nan, why=why, of=one.of) for key, one in estimates.items()}


def _told_more(more: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts of a table without the numbers of each class, which rest on what was labelled."""
    return {key: value for key, value in more.items() if key not in ("per_class", "classes_used")}


def labelled_numbers(numbers: Weighted, labelling: Labelling, criterion: str | None = None) -> Weighted:
    """Return the same of numbers by weight."""
    criteria = {name: labelled_numbers(one, labelling, name) for name, one in numbers.criteria.items()}
    if not (why := labelling.why_unknown(criterion)):
        return replace(numbers, criteria=criteria)
    estimates, macro = (_told(those, labelling, why, criterion) for those in (numbers.estimates, numbers.macro))
    item = None if numbers.item is None else labelled_numbers(numbers.item, labelling)
    return replace(numbers, estimates=estimates, macro=macro, item=item, criteria=criteria, jackknife={})
