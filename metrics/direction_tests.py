"""The directions of every table of a report, by the units that its intervals rest on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from metrics.arrays import FloatArray
from metrics.directions import directions_of
from metrics.intervals.attach import Tallied
from metrics.intervals.cluster import Clustered
from metrics.intervals.jackknife import Coded
from metrics.results import Block, JudgeReport


def with_directions(report: JudgeReport, tallied: Tallied, word: str, confidence: float, *, binary: bool) -> JudgeReport:
    """The report with the directions of micro, item level and every criterion; a mean over criteria has none.

    Parameters
    ----------
    word : str
        What the units are where no column groups them: items, or decisions of a table of counts.
    binary : bool
        The labels say yes and no, so that a judge can be strict or lenient.
    """
    grouped = tallied.grouped

    def tested(block: Block, units: Coded | Clustered | None) -> Block:
        if not block.n:
            return block
        tables = _single(block) if units is None else units.tables()
        called = grouped[0].word if grouped else word
        ends = block.ends("drift")
        return replace(
            block, directions=directions_of(*tables, word=called, binary=binary, confidence=confidence, drift_ends=ends)
        )

    criteria = {
        name: tested(block, grouped and grouped[0].criterion(place))
        for place, (name, block) in enumerate(report.criteria.items())
    }
    micro = tested(report.micro, tallied.units)
    item = tested(report.item, grouped and grouped[1])
    return replace(report, micro=micro, item=item, criteria=criteria)


def _single(block: Block) -> tuple[FloatArray, FloatArray]:
    """Tables of one unit where each has one decision, and the units with each."""
    counts = np.asarray(block.confusion, np.float64)
    there = np.flatnonzero(counts)
    return np.eye(counts.size)[there].reshape(-1, *counts.shape), counts.ravel()[there]
