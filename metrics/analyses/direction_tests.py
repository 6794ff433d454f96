"""The directions of every table of a report, by the units that its intervals rest on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from metrics.analyses.directions import MOST_NAMED, contradicting, directions_of, opposite_of
from metrics.analyses.records import Block, JudgeReport
from metrics.analyses.report_intervals import Tallied
from metrics.intervals.cluster import Clustered
from metrics.intervals.jackknife import Coded
from metrics.measures.arrays import FloatArray
from metrics.results.words import listed, shorten


def with_directions(report: JudgeReport, tallied: Tallied, word: str, confidence: float, *, binary: bool) -> JudgeReport:
    """Return the report with the directions of micro, item level and every criterion; a mean over criteria has none.

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
        return replace(
            block, directions=directions_of(*tables, word=called, binary=binary, confidence=confidence, drift=block["drift"])
        )

    criteria = {
        name: tested(block, grouped and grouped[0].criterion(place))
        for place, (name, block) in enumerate(report.criteria.items())
    }
    micro = _cancelled(_not_across(tested(report.micro, tallied.units), criteria), criteria, 1 - confidence)
    item = tested(report.item, grouped and grouped[1])
    return replace(report, micro=micro, item=item, criteria=criteria)


def _not_across(pooled: Block, criteria: Mapping[str, Block]) -> Block:
    """Return a pooled block that errs in no direction where a criterion shows the other one."""
    directions = pooled.directions
    if directions is None or directions.error_rates is None or not directions.error_rates.sign:
        return pooled
    tested = {name: block.directions.error_rates for name, block in criteria.items() if block.directions}
    signs = {name: error_rates.sign for name, error_rates in tested.items() if error_rates}
    other = [shorten(name) for name in contradicting(directions.error_rates.sign, signs)]
    if not other:
        return pooled
    same = next((f"on {shorten(name)}" for name, sign in signs.items() if sign == directions.error_rates.sign), "pooled")
    untold = replace(
        directions.error_rates, sign=0, reason=f"it errs one way {same} and the other way on {listed(other, MOST_NAMED)}"
    )
    return replace(pooled, directions=replace(directions, error_rates=untold))


def _cancelled(pooled: Block, criteria: Mapping[str, Block], level: float) -> Block:
    """Return a pooled block with the criteria whose label-rate biases are opposite, where it shows none itself."""
    directions = pooled.directions
    if directions is None or directions.label_rates is None:
        return pooled
    tested = {name: block.directions.label_rates for name, block in criteria.items() if block.directions}
    signs = {shorten(name): (label_rates.sign, label_rates.p) for name, label_rates in tested.items() if label_rates}
    return replace(pooled, directions=replace(directions, opposite=opposite_of(directions.label_rates.sign, signs, level)))


def _single(block: Block) -> tuple[FloatArray, FloatArray]:
    """Return tables of one unit where each has one decision, and the units with each."""
    counts = np.asarray(block.confusion, np.float64)
    there = np.flatnonzero(counts)
    return np.eye(counts.size)[there].reshape(-1, *counts.shape), counts.ravel()[there]
