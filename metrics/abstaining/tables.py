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
from metrics.results import Block

Columns = dict[str, list[Any]]
Ends = tuple[float, float]
SHOWN = ("accuracy", "kappa", "f1")


def modes_table(blocks: Mapping[Mode, Block]) -> Columns:
    """Return N, accuracy, κ and F1 of every mode, with intervals."""
    numbers = {
        mode: (value_of(block, "accuracy"), value_of(block, "kappa"), f1_of(block, mode)[1:]) for mode, block in blocks.items()
    }
    out: Columns = {"mode": list(blocks), "n": [block.n for block in blocks.values()]}
    for place, key in enumerate(SHOWN):
        found = [own[place] for own in numbers.values()]
        out[key] = [value for value, _ in found]
        out |= {f"{key}_{side}": [ends[i] for _, ends in found] for i, side in enumerate(("low", "high"))}
    return out | {"f1_is": [f1_of(block, mode)[0] for mode, block in blocks.items()]}


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


def value_of(block: Block, key: str) -> tuple[float, Ends]:
    """Return value and interval, NaN where there is none."""
    return block.values.get(key, math.nan), block[key].ends or (math.nan, math.nan)


def f1_of(block: Block, mode: Mode) -> tuple[str, float, Ends]:
    """Return what stands for F1 and its value: of the positive label, with a third class against the rest, else the mean of
    classes.
    """
    if "f1" in block.values:
        return "F1", *value_of(block, "f1")
    positive = block.more.get("per_class", {}).get(block.labels[0]) if mode == "as_category" and len(block.labels) == 3 else None
    if positive is None:
        return "Macro-F1", *value_of(block, "macro_f1")
    found = positive["f1"]
    return "F1, one-vs-rest", math.nan if found is None else float(found), (math.nan, math.nan)


def bounds_table(found: Bounds, block: Block) -> Columns:
    """Return value, interval and bounds of every metric that has bounds."""
    rows = [(key, bound, *value_of(block, key)) for key, bound in found.by_metric.items()]
    return {
        "metric": [BY_KEY[key].name for key, *_ in rows],
        "value": [value for *_, value, _ in rows],
        "low": [ends[0] for *_, ends in rows],
        "high": [ends[1] for *_, ends in rows],
        "worst_case": [bound.low for _, bound, *_ in rows],
        "best_case": [bound.high for _, bound, *_ in rows],
        "undefined_completions": [bound.undefined for _, bound, *_ in rows],
        "reason": [bound.reason for _, bound, *_ in rows],
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
        "rate": [share.value for share in shares],
        **{key: [share.cells()[key] for share in shares] for key in ("low", "high", "interval")},
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
