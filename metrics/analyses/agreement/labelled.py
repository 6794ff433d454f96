"""What people's labels leave of the numbers on a judge where they depend on its verdicts."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from metrics.analyses.labelling import Labelling
from metrics.analyses.records import Block, JudgeReport, Weighted
from metrics.results.estimate import Estimate

KNOWN = ("precision", "npv")
"""Metrics of the decisions that a judge calls positive alone, and of those it calls negative: labels of these say them."""
FOLLOWS = "which decisions people labelled depends on its verdict"
Numbers = Mapping[str, Estimate]


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
