"""Intervals for a whole report, and the directions of its tables: every block gets those of its own table or level."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from metrics.analyses.directions import Directions, contradicting, directions_of, opposite_of
from metrics.analyses.evaluation import Family, Functions, default_intervals, own_intervals
from metrics.analyses.records import Block, JudgeReport
from metrics.analyses.settings import Settings
from metrics.data.abstention import Mode
from metrics.data.aggregation import ItemRule
from metrics.data.labels import Scheme
from metrics.data.patterns import Patterns
from metrics.data.ratings import Ratings
from metrics.intervals.bootstrap import CRITERIA, ITEM, MACRO, MICRO, Progress
from metrics.intervals.chance_together import alike_at_chance
from metrics.intervals.cluster import Clustered, Clusters, clusters_of
from metrics.intervals.items import Coded
from metrics.intervals.jackknife import pooled_errors
from metrics.intervals.methods import (
    FLAT,
    Sampling,
    bootstrap_levels,
    jackknife_levels,
    jackknife_only,
    jackknife_table,
    table_by_name,
)
from metrics.intervals.resampling import Frame
from metrics.measures.arrays import FloatArray
from metrics.measures.catalogue import applicable
from metrics.measures.transforms import Interval
from metrics.results.words import MOST_NAMED, listed, shorten


@dataclass(frozen=True, eq=False)
class Tallied:
    """The merged items of one judge in one mode, and what may be asked of them.

    Attributes
    ----------
    rule : ItemRule or None
        None where there is no item level.
    clusters : Clusters or None
        The column above the item that is the unit.
    """

    patterns: Patterns
    scheme: Scheme
    mode: Mode
    rule: ItemRule | None = None
    clusters: Clusters | None = None
    criteria: tuple[str, ...] = ()

    @classmethod
    def of(cls, ratings: Ratings, patterns: Patterns, settings: Settings, rule: ItemRule | None = None) -> Tallied:
        """Return the patterns of one judge in the mode of the settings, and with their unit."""
        clusters = clusters_of(ratings, settings.unit) if settings.by_column else None
        return cls(patterns, ratings.scheme, settings.abstention, rule, clusters, ratings.criteria)

    @property
    def above(self) -> Clusters | None:
        """Clusters of more than one item."""
        return None if self.clusters is None or self.clusters.single else self.clusters

    def frame(self) -> Frame:
        frame = Frame.of(self.patterns, self.scheme, [self.mode], self.rule, self.criteria)
        if self.above is None:
            return frame.used()
        return frame.by_cluster(self.patterns.of_item, self.above.of_item, self.above.weight).used()

    @cached_property
    def grouped(self) -> tuple[Clustered, Clustered] | None:
        """Units of the decisions and of the item verdicts, where clusters hold more than one item."""
        if self.above is None:
            return None
        whole = Clustered(self.frame(), self.mode, self.above.column)
        return replace(whole, frame=whole.frame.decisions_only()), whole.items()

    @cached_property
    def units(self) -> Coded | Clustered:
        """Units of the decisions."""
        return self.grouped[0] if self.grouped else Coded.of(self.patterns, self.scheme, self.mode)


def with_intervals(
    report: JudgeReport,
    tallied: Tallied,
    *,
    family: Family,
    kind: str = "auto",
    confidence: float = 0.95,
    sampling: Sampling | None = None,
    progress: Progress | None = None,
    pooled_only: bool = False,
) -> JudgeReport:
    """Return the report with intervals of every block: the default ones, those of one rule, or a bootstrap.

    A number without a value gets no interval. A bootstrap of fewer than two units leaves the report as it is.

    Parameters
    ----------
    report : JudgeReport
    tallied : Tallied
        The items that the report was computed from.
    family : Family
        The metrics that get an interval are those of its `bounded`.
    kind : {"auto", "jackknife", "dirichlet", "wilson"}
        The default rules, or one rule for every number that it takes.
    confidence : float
    sampling : Sampling, optional
        A bootstrap; it has its own confidence, and `kind` and `confidence` are not read.
    progress : callable, optional
        Called with the share of the bootstrap done; returning True stops it and keeps the replicates done.
    pooled_only : bool
        Whether only the pooled numbers get intervals, unless they are drawn.
    """
    if sampling is not None:
        return _drawn(report, tallied, family.bounded, sampling, progress)
    by_criterion = np.stack([_counts(block) for block in report.criteria.values()])
    micro, macro, item, *criteria = (
        _default(report, tallied, by_criterion, family, confidence, pooled_only=pooled_only)
        if kind == "auto"
        else _Rule(report, tallied, by_criterion, family.bounded, kind, confidence).intervals()
    )
    if len(criteria) == 1:
        micro = _of_one_criterion(micro)
    report = replace(report, micro=report.micro.with_intervals(micro))
    if pooled_only:
        return report
    return replace(
        report,
        macro=report.macro.with_intervals(macro),
        item=report.item.with_intervals(item),
        criteria={
            name: block.with_intervals(intervals)
            for (name, block), intervals in zip(report.criteria.items(), criteria, strict=True)
        },
    )


def _default(
    report: JudgeReport, tallied: Tallied, by_criterion: FloatArray, family: Family, confidence: float, *, pooled_only: bool
) -> list[Mapping[str, Interval]]:
    """Return the intervals of micro, macro, item level and every criterion by the default rules."""
    functions = family.bounded
    groups, item_groups = tallied.grouped or (None, None)
    values = [block.values for block in (report.micro, report.macro, *report.criteria.values())]
    micro, macro, *criteria = default_intervals(
        by_criterion, tallied.units, groups, functions, values, confidence, pooled_only=pooled_only
    )
    if pooled_only:
        return [micro, macro, {}, *criteria]
    item = own_intervals(_counts(report.item), item_groups, functions, report.item.values, confidence)
    return [micro, macro, item, *criteria]


@dataclass(frozen=True, eq=False)
class _Rule:
    """Intervals by one rule that was asked for by its name."""

    report: JudgeReport
    tallied: Tallied
    by_criterion: FloatArray
    functions: Functions
    kind: str
    confidence: float

    def intervals(self) -> list[Mapping[str, Interval]]:
        """Return the intervals of micro, macro, item level and every criterion."""
        groups, item_groups = self.tallied.grouped or (None, None)
        criterion_intervals = [
            self._table(block, groups and groups.criterion(place)) for place, block in enumerate(self.report.criteria.values())
        ]
        micro, macro = (
            (criterion_intervals[0], criterion_intervals[0]) if len(criterion_intervals) == 1 else self._over_criteria()
        )
        return [micro, macro, self._table(self.report.item, item_groups), *criterion_intervals]

    def _table(self, block: Block, units: Clustered | None) -> Mapping[str, Interval]:
        return alike_at_chance(self._by_rule(block, units), _counts(block))

    def _by_rule(self, block: Block, units: Clustered | None) -> Mapping[str, Interval]:
        counts = _counts(block)
        if self.kind != "jackknife":
            return table_by_name(self.kind, counts, self.functions, block.values, self.confidence)
        if units is None:
            return jackknife_table(counts, self.functions, block.values, self.confidence)
        if not counts.sum():
            return {}
        errors = pooled_errors(units, counts, self.functions)
        return jackknife_only(errors, block.values, units.n_units, self.confidence, units.word)

    def _over_criteria(self) -> tuple[Mapping[str, Interval], Mapping[str, Interval]]:
        micro, macro = self.report.micro, self.report.macro
        if self.kind == "jackknife":
            pooled, mean = jackknife_levels(
                self.tallied.units, self.by_criterion, self.functions, micro.values, macro.values, self.confidence
            )
        else:
            pooled = table_by_name(self.kind, self.by_criterion.sum(0), self.functions, micro.values, self.confidence, FLAT)
            mean = {}
        return alike_at_chance(pooled, _counts(micro)), mean


def _drawn(
    report: JudgeReport, tallied: Tallied, functions: Functions, sampling: Sampling, progress: Progress | None
) -> JudgeReport:
    """Return the report with bootstrap intervals, and with the number of replicates and those without a value beside them."""
    over = {metric.key: metric.function for metric in applicable(len(report.micro.labels), "criteria") if metric.has_interval}
    frame = tallied.frame()
    if frame.n_units < 2:
        return report
    drawing = bootstrap_levels(frame, tallied.mode, {**functions, **over}, sampling, progress)
    alone = len(report.criteria) == 1
    tables = [_counts(block) for block in (report.micro, report.micro, report.item, *report.criteria.values())]
    intervals = [
        intervals if place == MACRO and not alone else alike_at_chance(intervals, counts)
        for place, (intervals, counts) in enumerate(zip(drawing.intervals, tables, strict=True))
    ]
    if alone:
        intervals[MICRO] = _of_one_criterion(intervals[MICRO])

    def block(block: Block, place: int) -> Block:
        more = {"replicates": drawing.replicates, "undefined_replicates": drawing.undefined[place]}
        return replace(block.with_intervals(intervals[place]), more={**block.more, **more})

    return replace(
        report,
        micro=block(report.micro, MICRO),
        macro=block(report.macro, MACRO),
        item=block(report.item, ITEM),
        criteria={
            name: block(criterion_block, CRITERIA + place)
            for place, (name, criterion_block) in enumerate(report.criteria.items())
        },
    )


def _of_one_criterion(intervals: Mapping[str, Interval]) -> dict[str, Interval]:
    """Return intervals of the pooled table, where it is the criterion's own: κ within criteria is κ."""
    return {**intervals, "kappa_within": intervals["kappa"]} if "kappa" in intervals else dict(intervals)


def _counts(block: Block) -> FloatArray:
    return np.asarray(block.confusion, np.float64)


def with_directions(
    report: JudgeReport,
    tallied: Tallied,
    word: str,
    confidence: float,
    *,
    binary: bool,
    known: dict[bytes, Directions | None] | None = None,
) -> JudgeReport:
    """Return the report with the directions of micro, item level and every criterion; a mean over criteria has none.

    Parameters
    ----------
    word : str
        What the units are where no column groups them: items, or decisions of a table of counts.
    binary : bool
        The labels say yes and no, so that a judge can be strict or lenient.
    known : dict, optional
        Directions of single tables of the same kind by their counts; those found here are added.
    """
    grouped, known = tallied.grouped, {} if known is None else known

    def tested(block: Block, units: Coded | Clustered | None) -> Block:
        if not block.n:
            return block
        key = np.asarray(block.confusion).tobytes() if units is None else b""
        if key in known:
            return replace(block, directions=known[key])
        tables = _single(block) if units is None else units.tables()
        called = grouped[0].word if grouped else word
        found = directions_of(*tables, word=called, binary=binary, confidence=confidence, drift=block["drift"])
        if key:
            known[key] = found
        return replace(block, directions=found)

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
