"""Intervals for a whole report: every block gets those of its own table or level."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

import numpy as np

from metrics.abstention import Mode
from metrics.arrays import FloatArray
from metrics.catalogue import WEIGHTED_KAPPA, applicable
from metrics.intervals.default import Unit, macro_intervals, micro_intervals, table_intervals
from metrics.intervals.jackknife import Coded
from metrics.intervals.scale import Interval
from metrics.labels import Scheme
from metrics.patterns import Patterns
from metrics.results import Block, JudgeReport

Functions = Mapping[str, Callable[[FloatArray], FloatArray]]


def functions_with_interval(k: int, cost: tuple[tuple[float, ...], ...] | None) -> dict[str, Callable[[FloatArray], FloatArray]]:
    """Count-level functions of the metrics of one table that have an interval."""
    found = {metric.key: metric.function for metric in applicable(k, "table") if metric.transform}
    return found | ({"weighted_kappa": partial(WEIGHTED_KAPPA.function, weights=cost)} if cost else {})


def with_intervals(
    report: JudgeReport,
    patterns: Patterns,
    scheme: Scheme,
    mode: Mode,
    *,
    cost: tuple[tuple[float, ...], ...] | None = None,
    confidence: float = 0.95,
) -> JudgeReport:
    """The report with the default intervals of every block."""
    functions = functions_with_interval(len(report.micro.labels), cost)

    def alone(block: Block) -> dict[str, Interval]:
        return table_intervals(np.asarray(block.confusion, np.float64), functions, block.values, confidence)

    criteria = {name: replace(block, intervals=alone(block)) for name, block in report.criteria.items()}
    if len(criteria) == 1:
        only = next(iter(criteria.values())).intervals
        micro = {**only, "kappa_within": only["kappa"]} if "kappa" in only else only
        macro = only
    else:
        by_criterion = np.stack([np.asarray(block.confusion, np.float64) for block in criteria.values()])
        unit = Unit(Coded.of(patterns, scheme, mode), by_criterion, confidence)
        own = {key: np.array([block.values[key] for block in criteria.values()]) for key in functions}
        micro = micro_intervals(unit, functions, report.micro.values)
        macro = macro_intervals(unit, functions, report.macro.values, own)
    return replace(
        report,
        micro=replace(report.micro, intervals=micro),
        macro=replace(report.macro, intervals=macro),
        item=replace(report.item, intervals=alone(report.item)),
        criteria=criteria,
    )
