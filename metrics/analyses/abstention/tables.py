"""The tables of the abstention page, and the columns of those that are files alone; there undefined is NaN."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Any

from metrics.analyses.abstention.bounds import Bounds
from metrics.analyses.abstention.nonresponse import Group
from metrics.analyses.abstention.relation import JointAbstention
from metrics.analyses.abstention.selective import Curve, Traded
from metrics.analyses.records import Block
from metrics.data.abstention import Coverage, Mode
from metrics.measures.catalogue import BY_KEY
from metrics.results.estimate import Estimate
from metrics.results.tables import ENDS, Column, Table, by_cell, cell

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
