"""Intervals for a whole report: every block gets those of its own table or level."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from metrics.abstention import Mode
from metrics.aggregation import ItemRule
from metrics.arrays import FloatArray
from metrics.catalogue import WEIGHTED_KAPPA, applicable
from metrics.intervals.bootstrap import CRITERIA, ITEM, MACRO, MICRO, Progress
from metrics.intervals.cluster import Clustered, Clusters
from metrics.intervals.default import Unit, Units, alike_at_chance, macro_intervals, micro_intervals, table_intervals
from metrics.intervals.jackknife import Coded
from metrics.intervals.requested import (
    FLAT,
    Sampling,
    bootstrap_levels,
    jackknife_levels,
    jackknife_only,
    jackknife_table,
    table_by_name,
)
from metrics.intervals.resampling import Frame
from metrics.intervals.scale import Interval
from metrics.labels import Scheme
from metrics.patterns import Patterns
from metrics.results import Block, JudgeReport

Functions = Mapping[str, Callable[[FloatArray], FloatArray]]


def functions_with_interval(k: int, cost: tuple[tuple[float, ...], ...] | None) -> dict[str, Callable[[FloatArray], FloatArray]]:
    """Return count-level functions of the metrics of one table that have an interval."""
    found = {metric.key: metric.function for metric in applicable(k, "table") if metric.has_interval}
    return found | ({"weighted_kappa": partial(WEIGHTED_KAPPA.function, weights=cost)} if cost else {})


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
        return replace(whole, frame=whole.frame.decided()), whole.items()

    @cached_property
    def units(self) -> Coded | Clustered:
        """Units of the decisions."""
        return self.grouped[0] if self.grouped else Coded.of(self.patterns, self.scheme, self.mode)


def with_intervals(
    report: JudgeReport,
    tallied: Tallied,
    *,
    kind: str = "auto",
    cost: tuple[tuple[float, ...], ...] | None = None,
    confidence: float = 0.95,
    sampling: Sampling | None = None,
    progress: Progress | None = None,
) -> JudgeReport:
    """Return the report with intervals of every block: the default ones, those of one rule, or a bootstrap."""
    functions = functions_with_interval(len(report.micro.labels), cost)
    if sampling is not None:
        return _drawn(report, tallied, functions, sampling, progress)
    return _Rules(report, tallied, functions, kind, confidence).attached()


@dataclass(frozen=True, eq=False)
class _Rules:
    """Intervals without draws."""

    report: JudgeReport
    tallied: Tallied
    functions: Functions
    kind: str
    confidence: float

    def attached(self) -> JudgeReport:
        criteria = {
            name: replace(block, intervals=self._criterion(place, block))
            for place, (name, block) in enumerate(self.report.criteria.items())
        }
        micro, macro = self._levels([block.intervals for block in criteria.values()])
        item = replace(self.report.item, intervals=self._item())
        levels = replace(self.report.micro, intervals=micro), replace(self.report.macro, intervals=macro)
        return replace(self.report, micro=levels[0], macro=levels[1], item=item, criteria=criteria)

    @cached_property
    def by_criterion(self) -> FloatArray:
        return np.stack([_counts(block) for block in self.report.criteria.values()])

    @property
    def clusters(self) -> tuple[Clustered, Clustered] | None:
        return self.tallied.grouped

    @property
    def units(self) -> Units:
        return self.tallied.units

    def _criterion(self, place: int, block: Block) -> Mapping[str, Interval]:
        return self._table(block, self.clusters and self.clusters[0].criterion(place))

    def _item(self) -> Mapping[str, Interval]:
        return self._table(self.report.item, self.clusters and self.clusters[1])

    def _table(self, block: Block, units: Clustered | None) -> Mapping[str, Interval]:
        return alike_at_chance(self._by_rule(block, units), _counts(block))

    def _by_rule(self, block: Block, units: Clustered | None) -> Mapping[str, Interval]:
        counts = _counts(block)
        if self.kind in ("dirichlet", "wilson"):
            return table_by_name(self.kind, counts, self.functions, block.values, self.confidence)
        if units is None:
            rule = jackknife_table if self.kind == "jackknife" else table_intervals
            return rule(counts, self.functions, block.values, self.confidence)
        if not counts.sum():
            return {}
        if self.kind == "jackknife":
            errors = units.pooled(counts, self.functions)
            return jackknife_only(errors, block.values, units.n_units, self.confidence, units.word)
        return micro_intervals(Unit(units, counts[None], self.confidence), self.functions, block.values)

    def _levels(self, own: list[Mapping[str, Interval]]) -> tuple[Mapping[str, Interval], Mapping[str, Interval]]:
        if len(own) == 1:
            return _of_one_criterion(own[0]), own[0]
        micro, macro = self._over_criteria(own)
        return alike_at_chance(micro, _counts(self.report.micro)), macro

    def _over_criteria(self, own: list[Mapping[str, Interval]]) -> tuple[Mapping[str, Interval], Mapping[str, Interval]]:
        micro, macro = self.report.micro, self.report.macro
        if self.kind in ("dirichlet", "wilson"):
            pooled = self.by_criterion.sum(0)
            return table_by_name(self.kind, pooled, self.functions, micro.values, self.confidence, FLAT), {}
        if self.kind == "jackknife":
            return jackknife_levels(self.units, self.by_criterion, self.functions, micro.values, macro.values, self.confidence)
        alone = own.__getitem__ if self.clusters else None
        unit = Unit(self.units, self.by_criterion, self.confidence, alone)
        values = {key: np.array([block.values[key] for block in self.report.criteria.values()]) for key in self.functions}
        return micro_intervals(unit, self.functions, micro.values), macro_intervals(unit, self.functions, macro.values, values)


def _drawn(
    report: JudgeReport, tallied: Tallied, functions: Functions, sampling: Sampling, progress: Progress | None
) -> JudgeReport:
    over = {metric.key: metric.function for metric in applicable(len(report.micro.labels), "criteria") if metric.has_interval}
    frame = tallied.frame()
    if frame.n_units < 2:
        return report
    found = bootstrap_levels(frame, tallied.mode, {**functions, **over}, sampling, progress)
    alone = len(report.criteria) == 1
    tables = [_counts(own) for own in (report.micro, report.micro, report.item, *report.criteria.values())]
    intervals = [
        own if place == MACRO and not alone else alike_at_chance(own, counts)
        for place, (own, counts) in enumerate(zip(found.intervals, tables, strict=True))
    ]
    if alone:
        intervals[MICRO] = _of_one_criterion(intervals[MICRO])

    def block(own: Block, place: int) -> Block:
        more = {"replicates": found.replicates, "undefined_replicates": found.undefined[place]}
        return replace(own, intervals=intervals[place], more={**own.more, **more})

    return replace(
        report,
        micro=block(report.micro, MICRO),
        macro=block(report.macro, MACRO),
        item=block(report.item, ITEM),
        criteria={name: block(own, CRITERIA + place) for place, (name, own) in enumerate(report.criteria.items())},
    )


def _of_one_criterion(own: Mapping[str, Interval]) -> dict[str, Interval]:
    """Return intervals of the pooled table, where it is the criterion's own: κ within criteria is κ."""
    return {**own, "kappa_within": own["kappa"]} if "kappa" in own else dict(own)


def _counts(block: Block) -> FloatArray:
    return np.asarray(block.confusion, np.float64)
