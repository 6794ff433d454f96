"""From tables to numbers: every metric of a family on every table at once, and its interval by the default rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from math import isnan

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.records import Block
from metrics.intervals.cluster import Clustered
from metrics.intervals.default import OF_CATALOGUE, Rules, Unit, macro_intervals, micro_intervals
from metrics.intervals.jackknife import Units
from metrics.measures.arrays import FloatArray, Function, classes_in_use
from metrics.measures.catalogue import BY_KEY, NO_COST, WEIGHTED_KAPPA, applicable
from metrics.measures.metric import why_undefined
from metrics.measures.rates import class_scores, classes_used
from metrics.measures.transforms import Interval
from metrics.results.estimate import Estimate

Functions = Mapping[str, Function]


@dataclass(frozen=True)
class Family:
    """What is computed on every table.

    Attributes
    ----------
    functions : mapping
        Key to count-level function.
    with_interval : collection of str
        Keys that get one.
    why : callable
        Why a number is undefined on a table, by its key and the counts.
    labels : tuple of str
        Names on the axis of the tables.
    rules : Rules
        How intervals of its metrics are found.
    more : callable
        JSON-ready facts of one table.
    """

    functions: Functions
    with_interval: tuple[str, ...]
    why: Callable[[str, FloatArray], str]
    labels: tuple[str, ...]
    rules: Rules
    more: Callable[[FloatArray], Mapping[str, object]] = lambda counts: {}

    @property
    def bounded(self) -> dict[str, Function]:
        """Functions of the metrics that get an interval."""
        return {key: self.functions[key] for key in self.with_interval}


def catalogue_family(
    labels: tuple[str, ...], cost: tuple[tuple[float, ...], ...] | None = None, keys: Sequence[str] | None = None
) -> Family:
    """Return the metrics of the catalogue that tables with these labels have, with weighted kappa where a cost is given.

    Parameters
    ----------
    labels : tuple of str, length K
    cost : tuple of tuple of float, shape (K, K), optional
        Cost of each confusion, reference in rows.
    keys : sequence of str, optional
        Metrics that are wanted; by default all that K classes have.
    """
    wanted = applicable(len(labels), "table") if keys is None else [BY_KEY[key] for key in keys]
    metrics = {metric.key: metric for metric in wanted}
    functions: dict[str, Function] = {key: metric.function for key, metric in metrics.items()}
    if cost is not None:
        metrics[WEIGHTED_KAPPA.key] = WEIGHTED_KAPPA
        functions[WEIGHTED_KAPPA.key] = partial(WEIGHTED_KAPPA.function, weights=cost)
    return Family(
        functions=functions,
        with_interval=tuple(key for key, metric in metrics.items() if metric.has_interval),
        why=lambda key, counts: why_undefined(metrics[key], counts, labels) or NO_COST,
        labels=labels,
        rules=OF_CATALOGUE,
        more=(lambda counts: per_class(counts, labels)) if len(labels) > 2 else lambda counts: {},
    )


def per_class(counts: FloatArray, labels: tuple[str, ...]) -> dict[str, object]:
    """Return one-vs-rest scores by class name, null where undefined.

    Parameters
    ----------
    counts : ndarray, shape (K, K)
    labels : tuple of str, length K

    Returns
    -------
    dict
        `per_class`, and in `classes_used` the number of classes that the reference uses.
    """
    scores = class_scores(counts)
    by_class = {
        name: {key: None if np.isnan(column[i]) else float(column[i]) for key, column in scores.items()}
        for i, name in enumerate(labels)
    }
    return {"classes_used": int(classes_used(counts)), "per_class": by_class}


def evaluate(tables: NDArray[np.int64], family: Family) -> tuple[Block, ...]:
    """Return every number of the family on every table, without intervals.

    Parameters
    ----------
    tables : ndarray of int64, shape (P, K, K)
        Reference in rows, judge in columns. Every function is called once, on all of them.
    family : Family

    Returns
    -------
    tuple of Block
        One for each table; a number without a value there has the reason.
    """
    counts = tables.astype(np.float64)
    columns = [function(counts).tolist() for function in family.functions.values()]

    def block(table: NDArray[np.int64], table_counts: FloatArray, row: Sequence[float]) -> Block:
        values = zip(family.functions, row, strict=True)
        estimates = {key: Estimate(value, why=family.why(key, table_counts) if isnan(value) else "") for key, value in values}
        return Block(int(table.sum()), family.labels, table, more=family.more(table_counts), estimates=estimates)

    return tuple(map(block, tables, counts, zip(*columns, strict=True)))


def own_intervals(
    counts: FloatArray,
    groups: Clustered | None,
    functions: Functions,
    values: Mapping[str, float],
    confidence: float,
    rules: Rules = OF_CATALOGUE,
) -> dict[str, Interval]:
    """Return intervals of one table by the default rules.

    Parameters
    ----------
    counts : ndarray, shape (K, K)
    groups : Clustered or None
        What is left out one at a time where its decisions are not independent; None where they are.
    functions, values : mapping
        Key to function, and to its value on the table.
    confidence : float
        In (0, 1).
    rules : Rules
        Of the family.
    """
    if groups is None:
        return rules.single(counts, functions, values, confidence)
    if not counts.sum():
        return {}
    return micro_intervals(Unit(groups, counts[None], confidence, rules=rules), functions, values)


def default_intervals(
    by_criterion: FloatArray,
    units: Units,
    groups: Clustered | None,
    functions: Functions,
    values: Sequence[Mapping[str, float]],
    confidence: float,
    rules: Rules = OF_CATALOGUE,
    *,
    pooled_only: bool = False,
) -> list[Mapping[str, Interval]]:
    """Return intervals by the default rules of the pooled table, of the mean over the criteria, and of every criterion.

    Parameters
    ----------
    by_criterion : ndarray, shape (C, K, K)
    units : Units
        What is left out one at a time of all criteria together.
    groups : Clustered or None
        The same where they hold more than one item; None where decisions on one criterion are independent.
    functions : mapping
        Key to function.
    values : sequence of mapping
        Key to value, in the order of the result.
    confidence : float
        In (0, 1).
    rules : Rules
        Of the family.
    pooled_only : bool
        Whether only the pooled table gets intervals; those of a criterion are then found where its own need them.
    """

    @cache
    def own(place: int) -> Mapping[str, Interval]:
        units_there = groups and groups.criterion(place)
        return own_intervals(by_criterion[place], units_there, functions, values[place + 2], confidence, rules)

    if len(by_criterion) == 1:
        return [own(0), own(0), own(0)]
    unit = Unit(units, by_criterion, confidence, own, rules)
    if pooled_only:
        return [micro_intervals(unit, functions, values[0]), *({} for _ in values[1:])]
    for place in np.argsort([classes_in_use(table).sum() for table in by_criterion], kind="stable").tolist():
        own(place)  # tables of as many classes, one after the other, share the points that they are drawn at
    criterion_intervals = [own(place) for place in range(len(by_criterion))]
    by_key = {key: np.array([criterion_values[key] for criterion_values in values[2:]]) for key in functions}
    micro = micro_intervals(unit, functions, values[0])
    return [micro, macro_intervals(unit, functions, values[1], by_key, micro), *criterion_intervals]
