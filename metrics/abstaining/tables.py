"""The tables of the abstention page as columns, for reading and for export; undefined is NaN."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from metrics.abstaining.bounds import Bounds
from metrics.abstaining.relation import Together
from metrics.abstaining.selective import Curve, Traded
from metrics.abstaining.shares import Share
from metrics.abstaining.silence import Group
from metrics.abstention import Mode
from metrics.catalogue import BY_KEY
from metrics.estimate import Estimate
from metrics.results import Block

Columns = dict[str, list[Any]]
CELLS = ("value", "low", "high")


def modes_table(blocks: Mapping[Mode, Block]) -> Columns:
    """Return N, accuracy, κ and F1 of every mode, with intervals."""
    f1 = [f1_of(block, mode) for mode, block in blocks.items()]
    numbers = {key: [block[key] for block in blocks.values()] for key in ("accuracy", "kappa")} | {"f1": [own for _, own in f1]}
    out: Columns = {"mode": list(blocks), "n": [block.n for block in blocks.values()]}
    for key, found in numbers.items():
        out |= _columns(found, dict(zip(CELLS, (key, f"{key}_low", f"{key}_high"), strict=True)))
    return out | {"f1_is": [name for name, _ in f1]}


def _columns(estimates: Sequence[Estimate], names: Mapping[str, str]) -> Columns:
    """Return the cells of estimates by the names of their columns; NaN where there is no interval."""
    cells = [{key: math.nan if cell is None else cell for key, cell in own.cells().items()} for own in estimates]
    return {name: [own[key] for own in cells] for key, name in names.items()}


def counts_table(blocks: Mapping[Mode, Block]) -> Columns:
    """Return the confusion table of every mode that has one, a row to each cell."""
    rows = [
        (mode, human, judge, n)
        for mode, block in blocks.items()
        if block.confusion is not None
        for human, counts in zip(block.labels, block.confusion.tolist(), strict=True)
        for judge, n in zip(block.labels, counts, strict=True)
    ]
    return {name: [row[place] for row in rows] for place, name in enumerate(("mode", "human", "judge", "n"))}


def coverage_columns(its: Together, rows: int) -> Columns:
    """Return coverage and who left what open, the same in every row."""
    low, high = its.kappa.ends or (math.nan, math.nan)
    facts = {
        "joint_coverage": its.joint,
        "judge_coverage": its.judge,
        "human_coverage": its.human,
        "open_on_both": its.both,
        "open_by_judge_only": its.judge_only,
        "open_by_human_only": its.human_only,
        "split_votes": its.split,
        "abstention_kappa": its.kappa.value,
        "abstention_kappa_low": low,
        "abstention_kappa_high": high,
        "abstention_kappa_reason": its.kappa.why,
    }
    return {name: [fact] * rows for name, fact in facts.items()}


def f1_of(block: Block, mode: Mode) -> tuple[str, Estimate]:
    """Return what stands for F1 and its value: of the positive label, with a third class against the rest, else the mean of
    classes.
    """
    if "f1" in block.values:
        return "F1", block["f1"]
    positive = block.more.get("per_class", {}).get(block.labels[0]) if mode == "as_category" and len(block.labels) == 3 else None
    if positive is None:
        return "Macro-F1", block["macro_f1"]
    found = positive["f1"]
    return "F1, one-vs-rest", Estimate(math.nan if found is None else float(found))


def bounds_table(found: Bounds, block: Block) -> Columns:
    """Return value, interval and bounds of every metric that has bounds."""
    bounds = list(found.by_metric.values())
    return {
        "metric": [BY_KEY[key].name for key in found.by_metric],
        **_columns([block[key] for key in found.by_metric], {key: key for key in CELLS}),
        "worst_case": [bound.low for bound in bounds],
        "best_case": [bound.high for bound in bounds],
        "undefined_completions": [bound.undefined for bound in bounds],
        "reason": [bound.reason for bound in bounds],
    }


def groups_table(kinds: Mapping[str, Sequence[Group]]) -> Columns:
    """Return one row per group and side: what is left open, of how much, with its interval."""
    rows = [
        (kind, group.name, side, share)
        for kind, groups in kinds.items()
        for group in groups
        for side, share in (("judge", group.judge), ("human", group.human), ("split votes", group.split))
        if share is not None
    ]
    return {
        "by": [kind for kind, *_ in rows],
        "group": [name for _, name, *_ in rows],
        "side": [side for *_, side, _ in rows],
        **_share_columns([share for *_, share in rows]),
    }


def _share_columns(shares: Sequence[Share]) -> Columns:
    return {
        "open": [share.count for share in shares],
        "decisions": [share.total for share in shares],
        "items": [share.n_items for share in shares],
        **_columns(shares, {"value": "rate", "low": "low", "high": "high", "interval": "interval"}),
    }


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
