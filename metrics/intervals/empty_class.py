"""Numbers of a table whose class of abstentions is empty have the interval they have without that class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import isclose

import numpy as np

from metrics.intervals.scale import Interval
from metrics.results import Block, JudgeReport


def nobody_in_the_last(report: JudgeReport) -> bool:
    """Whether neither side ever gave the last class, on decisions and on items."""
    tables = [np.asarray(block.confusion) for block in (report.micro, report.item) if block.confusion is not None]
    return not any(table[-1].any() or table[:, -1].any() for table in tables)


def with_intervals_of(report: JudgeReport, without: JudgeReport) -> JudgeReport:
    """The report with the intervals of one that lacks the empty class, wherever both give the same number."""
    criteria = {name: _block(block, without.criteria[name]) for name, block in report.criteria.items()}
    micro, macro, item = (_block(report.level(level), without.level(level)) for level in ("micro", "macro", "item"))
    return replace(report, micro=micro, macro=macro, item=item, criteria=criteria)


def _block(block: Block, other: Block) -> Block:
    return block if block.n != other.n else replace(block, intervals={**block.intervals, **_shared(block, other)})


def _shared(block: Block, other: Block) -> Mapping[str, Interval]:
    return {
        key: interval
        for key, interval in other.intervals.items()
        if key in block.intervals and isclose(block.values[key], other.values[key], abs_tol=1e-12)
    }
