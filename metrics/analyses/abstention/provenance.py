"""Abstention in tables, and its numbers to quote with what they rest on."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Any

from metrics.analyses.abstention.bounds import Bounds
from metrics.analyses.abstention.nonresponse import Group
from metrics.analyses.abstention.relation import JointAbstention
from metrics.analyses.abstention.selective import Curve, Traded
from metrics.analyses.abstention.third_answer import Weighted
from metrics.analyses.provenance import citation, citation_line, declaration_parts, who
from metrics.analyses.records import AgreementReport, Block
from metrics.data.abstention import Coverage, Mode
from metrics.data.aggregation import Level
from metrics.measures.catalogue import BY_KEY
from metrics.measures.cost_matrices import cost_text
from metrics.results import words
from metrics.results.estimate import Estimate
from metrics.results.tables import ENDS, Column, Table, by_cell, cell

ON_VERDICTS = "on whether a verdict was given"


def abstention_kappa(
    report: AgreementReport, judge: str, *, ends: tuple[float, float] | None = None, confidence: float = 0.95
) -> str:
    """Return κ of "gave a verdict".

    Parameters
    ----------
    report : AgreementReport
    judge : str
    ends : (float, float), optional
        Interval, by the default rules; default: none is quoted.
    confidence : float
        Of the interval, in (0, 1).
    """
    judge_coverage = report.judges[judge].coverage
    shown, why = words.number(judge_coverage.abstention_kappa), judge_coverage.abstention_kappa_reason
    details = [ON_VERDICTS, *_decisions(report, judge)]
    if ends is not None:
        shown, details = f"{shown} {words.bounds(ends)}", [*details, f"interval {words.percent(confidence)}"]
    undefined = math.isnan(judge_coverage.abstention_kappa)
    return citation_line("abstention κ", shown, details, reason=why if undefined else "", beside="" if undefined else why)


def coverage(report: AgreementReport, judge: str, joint: JointAbstention, side: str) -> str:
    """Return joint, judge or human coverage.

    Parameters
    ----------
    report : AgreementReport
    judge : str
    joint : JointAbstention
        Of this judge.
    side : {"joint", "judge", "human"}
    """
    share = {"joint": joint.joint, "judge": joint.judge, "human": joint.human}[side]
    gave = {"joint": "both gave a verdict", "judge": "the judge gave a verdict", "human": "the human gave a verdict"}[side]
    reason = "" if joint.n else "there is no decision"
    return citation_line(f"{side} coverage", words.percent(share), [gave, *_decisions(report, judge)], reason=reason)


def f1(report: AgreementReport, judge: str, level: Level) -> str:
    """Return what stands for F1 in a mode.

    Parameters
    ----------
    report : AgreementReport
        In that mode.
    judge : str
    level : {"micro", "macro", "item"}
    """
    block, d = report.judges[judge].level(level), report.declaration
    for key in ("f1", "macro_f1"):
        if f1_of(block, d.abstention)[0] == {"f1": "F1", "macro_f1": "Macro-F1"}[key]:
            return citation(report, judge, level, key)
    estimate = f1_of(block, d.abstention)[1]
    reason = "" if estimate.defined else "it divides by 0"
    details = [f"of {block.labels[0]} against the rest", *declaration_parts(report, judge, level)]
    return citation_line("F1", words.number(estimate.value), details, reason=reason)


def items(report: AgreementReport, judge: str, name: str, shown: str, *more: str, reason: str = "") -> str:
    """Return a number of items with verdicts.

    Parameters
    ----------
    report : AgreementReport
    judge : str
    name : str
        What the number is called.
    shown : str
        The number as it is written.
    more : str
        What else it rests on, before the choices of the report.
    reason : str
        Why it is undefined; empty where it is not.
    """
    return citation_line(name, shown, [*more, *declaration_parts(report, judge, "item")], reason=reason)


def weighted_kappa(report: AgreementReport, judge: str, level: Level, weighted: Weighted) -> str:
    """Return weighted κ with its cost matrix, without which it is never quoted.

    Parameters
    ----------
    report : AgreementReport
    judge : str
    level : {"micro", "macro", "item"}
    weighted : Weighted
        Of this judge at this level.
    """
    shown = words.estimate(weighted)
    details = [
        f"costs, reference in rows: {cost_text(weighted.cost)}",
        *declaration_parts(report, judge, level, interval=weighted.interval),
    ]
    return citation_line("weighted κ", shown, details, reason=weighted.why)


def _decisions(report: AgreementReport, judge: str) -> list[str]:
    """Return all decisions that both sides rated, whatever the mode and the level."""
    d, judge_report = report.declaration, report.judges[judge]
    many = f"pooled over {words.count(len(d.criteria))} criteria" if len(d.criteria) > 1 else ""
    items = f" on {words.several(judge_report.n_items, 'items')}" if judge_report.n_items is not None else ""
    return [d.scale_words(), many, f"n = {words.count(judge_report.coverage.n_total)} decisions{items}", *who(d, judge)]


Columns = dict[str, list[Any]]
SHOWN = ("accuracy", "kappa", "f1")
COVERED: dict[str, Callable[[Coverage], float]] = {
    "coverage": lambda coverage: coverage.coverage,
    "judge answered": lambda coverage: coverage.judge_coverage,
    "reference answered": lambda coverage: coverage.human_coverage,
}
SILENT: dict[str, Callable[[Coverage], float]] = {
    "judge abstained": lambda coverage: coverage.judge_abstention_rate,
    "reference abstained": lambda coverage: coverage.human_abstention_rate,
    "both abstained": lambda coverage: coverage.both_abstention_rate,
    "ties, judge": lambda coverage: coverage.tie_rate["judge"],
    "ties, reference": lambda coverage: coverage.tie_rate["human"],
    "invalid, judge": lambda coverage: coverage.invalid_rate["judge"],
    "invalid, reference": lambda coverage: coverage.invalid_rate["human"],
    "failed calls": lambda coverage: coverage.error_rate,
}
SPLIT: dict[str, Callable[[Coverage], float]] = {"split votes": lambda coverage: coverage.split_rate}
"""Where several humans vote."""


def modes_table(blocks: Mapping[Mode, Block]) -> Table:
    """Return N, accuracy, κ and what stands for F1 of every mode."""
    rows = []
    for mode, block in blocks.items():
        name, f1 = f1_of(block, mode)
        rows.append((mode, block.n, block["accuracy"], block["kappa"], f1, name))
    numbers = (Column(key, "three", (f"{key}_low", f"{key}_high")) for key in SHOWN)
    return Table("modes", "", (Column("mode"), Column("n", "count"), *numbers, Column("f1_is")), tuple(rows))


def counts_table(blocks: Mapping[Mode, Block]) -> Columns:
    """Return the confusion table of every mode that has one, a row to each cell."""
    rows = [
        (mode, *row)
        for mode, block in blocks.items()
        if block.confusion is not None
        for row in by_cell(block.labels, block.confusion.tolist()).rows
    ]
    return {name: [row[place] for row in rows] for place, name in enumerate(("mode", "human", "judge", "n"))}


def coverage_columns(joint: JointAbstention, rows: int) -> Columns:
    """Return coverage and who left what open, the same in every row."""
    low, high = joint.kappa.ends or (math.nan, math.nan)
    facts = {
        "joint_coverage": joint.joint,
        "judge_coverage": joint.judge,
        "human_coverage": joint.human,
        "open_on_both": joint.both,
        "open_by_judge_only": joint.judge_only,
        "open_by_human_only": joint.human_only,
        "split_votes": joint.split,
        "abstention_kappa": joint.kappa.value,
        "abstention_kappa_low": low,
        "abstention_kappa_high": high,
        "abstention_kappa_reason": joint.kappa.why,
    }
    return {name: [fact] * rows for name, fact in facts.items()}


def coverage_table(head: str, coverages: Mapping[str, Coverage]) -> Table:
    """Return every rate of answers with and without a verdict; `head` is what the names of `coverages` are."""
    shares = COVERED | SILENT | SPLIT
    columns = (
        Column(head), Column("decisions", "count"), Column("with both verdicts", "count"),
        *(Column(name, "percent") for name in shares), Column("abstention κ", "number"),
    )  # fmt: skip
    numbers: list[Callable[[Coverage], float]] = [*shares.values(), attrgetter("abstention_kappa")]
    rows = tuple(
        (name, coverage.n_total, coverage.n_covered, *(cell(number(coverage)) for number in numbers))
        for name, coverage in coverages.items()
    )
    return Table("coverage", "", columns, rows)


def f1_of(block: Block, mode: Mode) -> tuple[str, Estimate]:
    """Return what stands for F1 and its value: of the positive label, with a third class against the rest, else the mean of
    classes.
    """
    if "f1" in block.values:
        return "F1", block["f1"]
    positive = block.more.get("per_class", {}).get(block.labels[0]) if mode == "as_category" and len(block.labels) == 3 else None
    if positive is None:
        return "Macro-F1", block["macro_f1"]
    value = positive["f1"]
    return "F1, one-vs-rest", Estimate(math.nan if value is None else float(value))


def bounds_table(bounds: Bounds, block: Block) -> Table:
    """Return value, interval and bounds of every metric that has bounds."""
    heads = (
        Column("metric"), Column("value", "number", ENDS), Column("worst_case", "number"), Column("best_case", "number"),
        Column("undefined_completions", "count"), Column("reason"),
    )  # fmt: skip
    rows = tuple(
        (BY_KEY[key].name, block[key], cell(bound.low), cell(bound.high), bound.undefined, bound.reason)
        for key, bound in bounds.by_metric.items()
    )
    return Table("bounds", "", heads, rows)


def groups_table(kinds: Mapping[str, Sequence[Group]]) -> Table:
    """Return one row per group and side: what is left open, of how much, with its interval."""
    heads = (
        Column("by"), Column("group"), Column("side"), Column("open", "count"), Column("decisions", "count"),
        Column("items", "count"), Column("rate", "percent", ENDS), Column("interval"),
    )  # fmt: skip
    rows = tuple(
        (kind, group.name, side, share.count, share.total, share.n_items, share, share.method or None)
        for kind, groups in kinds.items()
        for group in groups
        for side, share in (("judge", group.judge), ("human", group.human), ("split votes", group.split))
        if share is not None
    )
    return Table("abstention", "", heads, rows)


def tradeoff_table(points: Sequence[Traded]) -> Columns:
    """Return coverage and selective accuracy of every judge."""
    return {
        "judge": [point.judge for point in points],
        "coverage": [point.coverage for point in points],
        "accuracy": [point.accuracy for point in points],
        "n": [point.n for point in points],
        "n_total": [point.n_total for point in points],
    }


def curve_table(curve: Curve) -> Columns:
    """Return accuracy of the surest decisions at every coverage."""
    return {"coverage": curve.coverage.tolist(), "accuracy": curve.accuracy.tolist()}
