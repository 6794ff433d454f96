"""What the golden decisions say about one judge, whatever it will be used on."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from metrics.analyses.comparison.levels import PooledJ, pooled_j
from metrics.analyses.leading import leading
from metrics.analyses.ordered_blocks import rules_for
from metrics.analyses.report_intervals import Tallied
from metrics.analyses.settings import Settings
from metrics.analyses.verification import verification_of
from metrics.data.abstention import answered_share, apply_mode, coverage_of, mode_labels
from metrics.data.pairs import patterns_of
from metrics.data.patterns import Patterns
from metrics.data.ratings import Ratings
from metrics.errors import InputError
from metrics.intervals.default import Unit, micro_intervals
from metrics.measures.arrays import FloatArray, Function, as_confusion
from metrics.measures.catalogue import BY_KEY, QUADRATIC_KAPPA, keys_at
from metrics.measures.coefficients import kappa_within
from metrics.measures.metric import why_undefined
from metrics.measures.transforms import Interval
from metrics.results.estimate import Estimate, Part, estimates_of, with_intervals

BA = "balanced_accuracy"
OF_TWO, OF_MANY = keys_at("choose", 2), keys_at("choose", 3)
"""Metrics of the catalogue that judges are ranked by, with two classes and with more."""


def catalogued(k: int, first: str = "kappa") -> tuple[str, ...]:
    """Return metrics of the catalogue that judges of K classes are ranked by.

    Of ordered labels that of the scale is the first.
    """
    if first == QUADRATIC_KAPPA.key:
        return (first, *OF_MANY)
    return OF_TWO if k == 2 else OF_MANY


@dataclass(frozen=True, eq=False)
class GoldenTable(Part):
    """A judge beside the reference.

    Attributes
    ----------
    counts : ndarray, shape (K, K)
    labels : tuple of str
    estimates : mapping
        Of the metrics that `catalogued` names, with intervals by the rules that every other number of the file follows.
    unit : Unit or None
        What is left out one at a time; None where every decision is a unit of its own.
    """

    name: str
    counts: FloatArray
    labels: tuple[str, ...]
    unit: Unit | None
    confidence: float
    coverage: float = math.nan
    refused: str = ""
    """Why nothing that rests on TPR or FPR may be read off; empty where it may."""
    pooling: PooledJ | None = None
    """J pooled and within criteria; None with one criterion, and with more than two classes."""
    answered: float = 1.0
    """Share of its answers, where the reference counts, that count for the judge too."""

    @property
    def unlike_within(self) -> str:
        """How J within criteria contradicts the pooled J that costs rest on; empty where it does not."""
        return "" if self.pooling is None else self.pooling.why

    def intervals_of(self, functions: Mapping[str, Function], values: Mapping[str, float]) -> dict[str, Interval]:
        """Return intervals of other metrics of the same decisions, under keys of the catalogue or variants of them."""
        return _intervals(self.counts, self.unit, self.confidence, functions, values)

    def one_vs_rest(self, place: int) -> GoldenTable:
        """Return the same decisions with one class as the positive label and all others as the negative one."""
        labels = self.labels[place], "any other"
        unit = self.unit
        if unit is not None:
            tables = one_vs_rest_tables(unit.by_criterion, place)
            unit = replace(unit, coded=unit.coded.one_vs_rest(place), by_criterion=tables)
        table = one_vs_rest_tables(self.counts, place)
        return _of(self.name, table, labels, unit, self.confidence, ("youden_j",), self.coverage)


def one_vs_rest_tables(counts: ArrayLike, place: int) -> FloatArray:
    """Return tables of one class against the rest.

    Parameters
    ----------
    counts : array_like, shape (..., K, K)
    place : int
        Place of the class among the K.

    Returns
    -------
    ndarray, shape (..., 2, 2)
        The class first, the rest second.
    """
    counts = as_confusion(counts)
    membership = np.zeros((2, counts.shape[-1]))
    membership[1], membership[:, place] = 1.0, (1.0, 0.0)
    merged: FloatArray = membership @ counts @ membership.T
    return merged


def golden_of_counts(name: str, counts: ArrayLike, labels: tuple[str, ...], confidence: float) -> GoldenTable:
    """Return a judge beside the reference from a table of independent decisions.

    Parameters
    ----------
    name : str
        Of the judge.
    counts : array_like, shape (K, K)
        Reference in rows.
    labels : tuple of str, length K
    confidence : float
        Of the intervals, in (0, 1).

    Raises
    ------
    InputError
        For a table that has not one row and one column for each label.
    """
    table = as_confusion(counts)
    if table.shape != (len(labels), len(labels)):
        raise InputError(f"The table of {name} has shape {table.shape}, but there are {len(labels)} labels.")
    return _of(name, table, labels, None, confidence, catalogued(len(table)))


def golden_of(ratings: Ratings, judge: str, settings: Settings, criterion: str | None = None) -> GoldenTable:
    """Return a judge beside the reference from the decisions of a file: pooled over its criteria, or of one criterion.

    Parameters
    ----------
    ratings : Ratings
    judge : str
    settings : Settings
        Reference, abstention mode, handling, unit and confidence.
    criterion : str, optional
        Default: all criteria, pooled.

    Returns
    -------
    GoldenTable
        Balanced accuracy and J are NaN, with the reason, where only answers of one verdict carry labels.
    """
    ratings = settings.on(ratings)
    patterns, mode = patterns_of(ratings, judge, settings.reference), settings.abstention
    tables = apply_mode(patterns.raw, ratings.scheme, mode).astype(np.float64)
    place = None if criterion is None else ratings.criteria.index(criterion)
    asked = slice(None) if place is None else slice(place, place + 1)
    unit = _unit(ratings, patterns, settings, tables, place)
    counts, labels = tables[asked].sum(0), mode_labels(ratings.scheme, mode)
    raw = patterns.raw[asked].sum(0)
    coverage = coverage_of(raw, ratings.scheme).coverage
    golden_table = _of(
        judge, counts, labels, unit, settings.confidence, catalogued(len(labels), leading(ratings, mode)), coverage
    )
    answered = answered_share(raw, ratings.scheme, mode)
    golden_table = replace(
        golden_table, answered=answered, pooling=None if unit is None or place is not None else _pooling(golden_table, unit)
    )
    why = verification_of(ratings, judge, settings, criterion).refusal() if len(labels) == 2 else ""
    return _without_rates(golden_table, why) if why else golden_table


def _pooling(golden: GoldenTable, unit: Unit) -> PooledJ | None:
    """Return J pooled over the criteria beside J within them."""
    if "youden_j" not in golden.values:
        return None
    kappa = {"kappa": BY_KEY["kappa"].function}
    values = {"kappa": golden.values["kappa"], "kappa_within": float(kappa_within(unit.by_criterion))}
    within = micro_intervals(unit, kappa, values).get("kappa_within")
    return pooled_j(unit.by_criterion, golden["youden_j"], within, golden.confidence)


def _without_rates(golden: GoldenTable, why: str) -> GoldenTable:
    """Refuse what rests on TPR and FPR: answers with one verdict only carry labels."""
    lost = dict.fromkeys((BA, "youden_j"), Estimate(math.nan, why=why))
    return replace(golden, estimates={**golden.estimates, **lost}, refused=why)


def golden_tables(ratings: Ratings, settings: Settings, criterion: str | None = None) -> tuple[GoldenTable, ...]:
    """Return what is known of every judge to be ranked, whatever it will be used on.

    Parameters
    ----------
    ratings : Ratings
    settings : Settings
        Of all judges where they name none.
    criterion : str, optional
        Default: all criteria, pooled.
    """
    return tuple(golden_of(ratings, name, settings, criterion) for name in settings.judges or ratings.judges)


def _unit(ratings: Ratings, patterns: Patterns, settings: Settings, tables: FloatArray, place: int | None) -> Unit | None:
    tallied = Tallied.of(ratings, patterns, settings)
    if tallied.above is None and (place is not None or len(tables) == 1):
        return None
    units = tallied.units if place is None else tallied.units.criterion(place)
    return Unit(units, tables if place is None else tables[[place]], settings.confidence)


def _of(
    name: str, counts: FloatArray, labels: tuple[str, ...], unit: Unit | None, confidence: float, keys: tuple[str, ...],
    coverage: float = 1.0,
) -> GoldenTable:  # fmt: skip
    functions = {key: BY_KEY[key].function for key in keys}
    values = {key: float(function(counts)) for key, function in functions.items()}
    undefined = {key: why_undefined(BY_KEY[key], counts, labels) for key in keys if math.isnan(values[key])}
    intervals = _intervals(counts, unit, confidence, functions, values)
    estimates = with_intervals(estimates_of(values, undefined), intervals)
    return GoldenTable(name, counts, labels, unit, confidence, coverage, estimates=estimates)


def _intervals(
    counts: FloatArray, unit: Unit | None, confidence: float, functions: Mapping[str, Function], values: Mapping[str, float]
) -> dict[str, Interval]:
    if not counts.sum():
        return {}
    intervals: dict[str, Interval] = {}
    for rules in dict.fromkeys(map(rules_for, functions)):
        rule_functions = {key: function for key, function in functions.items() if rules_for(key) is rules}
        if unit is None:
            intervals |= rules.single(counts, rule_functions, values, confidence)
        else:
            intervals |= micro_intervals(replace(unit, rules=rules), rule_functions, values)
    return {key: interval for key, interval in intervals.items() if interval.ends is not None}
