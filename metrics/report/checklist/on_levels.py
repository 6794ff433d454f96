"""Practice 10: what was averaged over, and what the interval takes as independent."""

from __future__ import annotations

from metrics.asker import shell
from metrics.intervals.cluster import is_above
from metrics.report.checklist.case import NOBODY, Case, estimate_text
from metrics.report.checklist.practice import Lack, Practice, judged, put_back, without_object
from metrics.results import words

FEWEST = 10
"""Groups that are enough to leave out one at a time."""
FLAT = ("dirichlet", "wilson")


def level(case: Case) -> Practice:
    """Return the practice: met where all levels stand side by side, and the interval keeps together what belongs together."""
    if not case.compared:
        return without_object(10, NOBODY)
    many = len(case.declaration.criteria) > 1
    above, runs = nested(case), case.declaration.runs
    if not many and not above and not runs:
        return without_object(10, "One criterion and one verdict for each item: every level is the same number")
    lacks = [
        None if case.contents.has("levels") or not many else put_back("levels"),
        _kept_apart(case, above),
        _flat(case, many),
    ]
    evidence = [*_groups(case, above), *_levels(case, many), *_scores(case, many), *_runs(runs)]
    return judged(10, evidence, lacks, ("temperature",) if runs else ())


def nested(case: Case) -> tuple[str, ...]:
    """Return columns whose name says that several items come from one of them, with groups enough to tell."""
    counts_by_column = case.findings.groups
    return tuple(name for name, (groups, items) in counts_by_column.items() if FEWEST <= groups < items and is_above(name))


def _levels(case: Case, many: bool) -> list[str]:
    report, first = case.judge_report, case.first
    if report is None:
        return []
    if not many:
        return [f"One criterion: {estimate_text(report.micro, first)}"]
    micro, macro = (estimate_text(block, first) for block in (report.micro, report.macro))
    item = estimate_text(report.item, first if first in report.item.values else "kappa")
    defined, of = report.macro[first].of or (len(report.criteria), len(report.criteria))
    mean = (
        f"mean over {words.count(defined)} of {words.count(of)} criteria"
        if defined < of
        else f"mean over {words.count(of)} criteria"
    )
    beside = ["kappa", "kappa_within"] if first != "kappa" else ["kappa_within"]
    within = "".join(f"; {estimate_text(report.micro, key)}" for key in beside if key in report.micro.values)
    named = {"micro": "pools all decisions", "macro": "is the mean over criteria", "item": "counts one verdict for each item"}
    return [
        f"All decisions {micro}{within}; {mean} {macro}; one verdict for each item {item}",
        f"The headline {named[case.contents.level]}",
    ]


def _scores(case: Case, many: bool) -> list[str]:
    sentences = []
    for scores_report in case.scored:
        scores = case.scores_of(scores_report)
        if scores is not None and many:
            key = "weighted_kappa_quadratic" if scores_report.on == "label" else "pearson"
            what = "ordered options" if scores_report.on == "label" else "scores"
            sentences.append(
                f"On {what}: pooled {estimate_text(scores.pooled, key)}; mean over criteria {estimate_text(scores.mean, key)}"
            )
    return sentences


def _method(case: Case) -> tuple[str, str]:
    """Return method of the intervals, and their unit."""
    record = case.declaration.interval
    return str(record["method"]), str(record["unit"])


def _groups(case: Case, above: tuple[str, ...]) -> list[str]:
    method, unit = _method(case)
    sentences = []
    for name in above:
        groups, items = case.findings.groups[name]
        sentences.append(f"{words.several(items, 'items')} come from {words.count(groups)} values of ‘{words.plain(name)}’")
    if method == "none":
        return sentences
    if sentences:
        return [*sentences[:-1], f"{sentences[-1]}; the units of the interval are {_unit_words(unit)}"]
    return [f"The units of the interval are {_unit_words(unit)}"]


def _unit_words(unit: str) -> str:
    named = {"item": "whole items", "decision": "single decisions", "criterion": "criteria", "hierarchical": "items and criteria"}
    return named.get(unit, f"whole groups by ‘{words.plain(unit)}’")


def _kept_apart(case: Case, above: tuple[str, ...]) -> Lack | None:
    """Return the lack where items of one group are taken as independent."""
    method, unit = _method(case)
    if method == "none" or not above or unit in above:
        return None
    name = words.plain(above[0])
    return Lack(
        f"Leave out whole groups by ‘{name}’ for the intervals: More choices, in the sidebar",
        "report",
        f"--unit {shell(above[0])}",
    )


def _flat(case: Case, many: bool) -> Lack | None:
    """Return the lack where decisions on one item are taken as independent."""
    method, unit = _method(case)
    if not many or (method not in FLAT and not (unit == "decision" and method != "none")):
        return None
    if case.judge_report is not None and case.judge_report.n_items is None:
        return None
    return Lack(
        "Keep the decisions on one item together: intervals by the default rules", "report", "--interval auto --unit item"
    )


def _runs(runs: str) -> list[str]:
    rater_labels_of = {"first": "the first counts", "majority": "what most of them say counts"}
    return [f"Of repeated runs of a decision {rater_labels_of[runs]}"] if runs in rater_labels_of else []
