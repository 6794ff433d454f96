"""Blocks of one judge: every criterion's table, all of them pooled, and the mean over them, each with its intervals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.directions import against_baseline, label_rates
from metrics.analyses.evaluation import Family, Functions, default_intervals, evaluate
from metrics.analyses.item_weights import WeightedItems
from metrics.analyses.ordered_catalogue import (
    ADJACENT,
    BIAS,
    EXACT,
    LINEAR,
    MAE,
    PEARSON,
    QUADRATIC,
    RECORDS,
    RMSE,
    SPEARMAN,
    UNWEIGHTED,
)
from metrics.analyses.ordered_coding import Tables
from metrics.analyses.paired_numbers import FEWEST_UNITS
from metrics.analyses.records import Block
from metrics.data.order import Order
from metrics.data.vocabulary import normalise
from metrics.intervals.default import (
    FEW_DISAGREEMENTS,
    FEW_IN_MARGIN,
    FEW_ITEMS,
    MOST_CLASSES,
    OF_CATALOGUE,
    Rules,
    Unit,
    few_units,
)
from metrics.intervals.jackknife import Units, flat_errors, pooled_errors
from metrics.intervals.rare_events import is_few, widened
from metrics.intervals.single_table import dirichlet_quantiles, single_table, wilson
from metrics.measures.arrays import FloatArray, classes_in_use, mean_where_defined
from metrics.measures.catalogue import BY_KEY
from metrics.measures.transforms import Interval, covering, least_error, student, transformed, with_farther_ends
from metrics.results.estimate import Estimate
from metrics.results.report import OverCriteria
from metrics.results.words import shorten

SAME = 1e-9
"""Two computations of one number differ by less."""
DISTANCES = (RMSE.key, MAE.key, BIAS.key)
SPEARMAN_LESS_KAPPA = "spearman_less_kappa"


@dataclass(frozen=True, eq=False)
class Blocks(OverCriteria[Block]):
    """The blocks of one judge; with several criteria `pooled` is never shown without `mean`."""

    pooled: Block
    mean: Block
    criteria: Mapping[str, Block]


def blocks_of(tables: Tables, family: Family, confidence: float | None) -> Blocks:
    """Return every block; without a confidence no interval.

    Parameters
    ----------
    tables : Tables
        Of one judge. Where it has `labels`, the pooled block and each criterion's have the tests against always giving one
        option.
    family : Family
        What is computed on every table.
    confidence : float or None
        In (0, 1); None for no intervals, and tests at the level .05.
    """
    every = np.concatenate([tables.by_criterion.sum(0)[None], tables.by_criterion])
    pooled, *blocks = evaluate(every, family)
    by_criterion = Blocks(pooled, Block.mean_over(blocks, family.functions), dict(zip(tables.criteria, blocks, strict=True)))
    if tables.labels:
        by_criterion = _beside_baseline(by_criterion, tables, 0.05 if confidence is None else 1 - confidence)
    return by_criterion if confidence is None else _with_intervals(by_criterion, tables, family, confidence)


def _beside_baseline(blocks: Blocks, tables: Tables, level: float) -> Blocks:
    """Return the blocks with the tests against always giving one option, under `against_baseline`."""
    groups, counts = tables.whole_groups, tables.by_criterion.astype(np.float64)

    def tested(block: Block, block_counts: FloatArray, units: Units | None) -> Block:
        more = {**block.more, "against_baseline": against_baseline(block_counts, units, level)}
        return replace(
            block, more=more | ({"label_rates": label_rates(block_counts, units, level)} if block_counts.shape[-1] == 2 else {})
        )

    criteria = {
        name: tested(block, counts[place : place + 1], groups and groups.criterion(place))
        for place, (name, block) in enumerate(blocks.criteria.items())
    }
    pooled = tested(blocks.pooled, counts, tables.units) if len(criteria) > 1 else next(iter(criteria.values()), blocks.pooled)
    return Blocks(pooled, blocks.mean, criteria)


def not_pooled(pooled: Mapping[str, Estimate], order: Order, criterion: str, other: str) -> dict[str, Estimate]:
    """Return the pooled numbers without those that would also credit telling criteria of different options apart.

    What is a mean over single decisions stays: exact and adjacent agreement, and distances. Pearson stays where the options
    have values of their own. The others are NaN with the reason.

    Parameters
    ----------
    pooled : mapping of str to Estimate
    order : Order
    criterion, other : str
        Two criteria without an option in common, for the reason.
    """
    why = f"{shorten(criterion)} and {shorten(other)} have no option in common, so options cannot be pooled"
    kept = (EXACT.key, ADJACENT.key, *DISTANCES, *(() if order.source == "places" else (PEARSON.key,)))
    return {
        key: estimate if key in kept else Estimate(float("nan"), why=estimate.undefined or why)
        for key, estimate in pooled.items()
    }


def _with_intervals(blocks: Blocks, tables: Tables, family: Family, confidence: float) -> Blocks:
    every = (blocks.pooled, blocks.mean, *blocks.criteria.values())
    values = [block.values for block in every]
    block_intervals = _intervals(tables, family.bounded, values, family.rules, confidence)
    if tables.labels:
        shared = _of_agreement(tables, family, values, confidence)
        block_intervals = [{**intervals, **other} for intervals, other in zip(block_intervals, shared, strict=True)]
    groups = tables.whole_groups
    alone: list[Units | None] = [groups and groups.criterion(place) for place in range(len(blocks.criteria))]
    whole = tables.units if len(alone) > 1 else alone[0]
    more = [
        _paired(blocks.pooled, family, whole, confidence),
        blocks.mean.more,
        *(_paired(block, family, units, confidence) for block, units in zip(blocks.criteria.values(), alone, strict=True)),
    ]
    pooled, mean, *criteria = (
        replace(block.with_intervals(intervals), more=facts)
        for block, intervals, facts in zip(every, block_intervals, more, strict=True)
    )
    return Blocks(pooled, mean, dict(zip(blocks.criteria, criteria, strict=True)))


def _paired(block: Block, family: Family, units: Units | None, confidence: float) -> Mapping[str, object]:
    """Return the block's facts, with how far Spearman's ρ lies above quadratic κ on the same items.

    Parameters
    ----------
    units : Units or None
        What is left out one at a time; None for single decisions.

    Returns
    -------
    mapping
        As `SPEARMAN_LESS_KAPPA`: value, low, high; nothing where a number is undefined, or leaving one out never moves it.
    """
    spearman, other = (family.functions.get(record.key) for record in (SPEARMAN, QUADRATIC))
    if spearman is None or other is None or not block.n:
        return block.more
    functions: Functions = {SPEARMAN_LESS_KAPPA: lambda counts: spearman(counts) - other(counts)}
    counts = np.asarray(block.confusion, np.float64)
    n = int(counts.sum()) if units is None else units.n_units
    if n < FEWEST_UNITS:
        return block.more
    errors = flat_errors(counts, functions) if units is None else pooled_errors(units, counts, functions)
    value, error = float(functions[SPEARMAN_LESS_KAPPA](counts)), errors[SPEARMAN_LESS_KAPPA]
    ends = transformed(value, error, None, student(n - 1, confidence))
    return block.more if np.isnan(ends[0]) else {**block.more, SPEARMAN_LESS_KAPPA: [value, *ends]}


def _of_agreement(
    tables: Tables, family: Family, values: Sequence[Mapping[str, float]], confidence: float
) -> list[dict[str, Interval]]:
    """Return intervals of the numbers that `metrics.agreement` has as well, by its rules: one number has one interval."""
    unordered = tables.unordered()
    names = {key: name for key, name in _names(family, tables, unordered).items() if key in family.with_interval}
    functions: Functions = {key: BY_KEY[key].function for key in dict.fromkeys(name for name, _ in names.values())}
    counts = unordered.by_criterion.astype(np.float64)
    columns = {key: function(counts) for key, function in functions.items()}
    pooled = {key: float(function(counts.sum(0))) for key, function in functions.items()}
    mean = {key: float(mean_where_defined(column)[0]) for key, column in columns.items()}
    theirs = [pooled, mean, *({key: float(column[place]) for key, column in columns.items()} for place in range(len(counts)))]
    intervals = _intervals(unordered, functions, theirs, OF_CATALOGUE, confidence)
    return [
        {
            key: _carried(block[name], carry)
            for key, (name, carry) in names.items()
            if name in block and abs(values[place][key] - carry(theirs[place][name])) < SAME
        }
        for place, block in enumerate(intervals)
    ]


def _names(family: Family, tables: Tables, unordered: Tables) -> dict[str, tuple[str, Callable[[float], float]]]:
    """Return the name in agreement of each number, and how the number follows from that one.

    On two options a distance is a share of errors.
    """
    names = {UNWEIGHTED.key: "kappa", EXACT.key: "accuracy"}
    if unordered.scheme.n_classes != 2:
        return {key: (name, float) for key, name in names.items()}
    names |= {QUADRATIC.key: "kappa", LINEAR.key: "kappa"} | dict.fromkeys(("spearman", "kendall_tau_b", PEARSON.key), "phi")
    axis = [normalise(name) for name in tables.scheme.classes]
    judged, meant = (axis.index(normalise(name)) for name in unordered.scheme.classes)
    table = np.zeros((len(axis),) * 2)
    table[meant, judged] = 1
    step = float(family.functions[BIAS.key](table))
    return {key: (name, float) for key, name in names.items()} | {
        MAE.key: ("accuracy", lambda share: abs(step) * (1 - share)),
        RMSE.key: ("accuracy", lambda share: abs(step) * float(np.sqrt(1 - share))),
        BIAS.key: ("drift", lambda share: step * share),
    }


def _carried(interval: Interval, carry: Callable[[float], float]) -> Interval:
    """Return the interval of a number that follows from another one."""
    if interval.ends is None:
        return interval
    low, high = sorted(carry(end) for end in interval.ends)
    return replace(interval, low=low, high=high)


def _intervals(
    tables: Tables, functions: Functions, values: Sequence[Mapping[str, float]], rules: Rules, confidence: float
) -> list[Mapping[str, Interval]]:
    counts = tables.by_criterion.astype(np.float64)
    return default_intervals(counts, tables.units, tables.whole_groups, functions, values, confidence, rules)


def ordered_table(
    counts: FloatArray, functions: Functions, values: Mapping[str, float], confidence: float, span: float = np.inf
) -> dict[str, Interval]:
    """Return intervals of one table of independent decisions.

    Exact and adjacent agreement: Wilson. All others: the jackknife over the decisions; for kappa and the correlations the wider,
    end by end, of it and the quantiles of the Dirichlet of `metrics.intervals.single_table`, whose prior alone draws a good judge
    down too far (benchmarks/README.md). Where leaving one out changes nothing: the Dirichlet. Distances end at `span`; of fewer
    than four decisions the jackknife has none.

    Parameters
    ----------
    counts : ndarray, shape (K, K)
        Reference in rows, classes low to high.
    functions, values : mapping
        Key of a record of `metrics.analyses.ordered_catalogue` to function, and to its value on the table.
    confidence : float
        In (0, 1).
    span : float
        Between the lowest and the highest value of a class, in their unit.

    Returns
    -------
    dict
        Key to interval; none of an undefined number, and none at all with fewer than two decisions.
    """
    n = int(counts.sum())
    wanted = {key: function for key, function in functions.items() if not np.isnan(values[key])}
    if n < 2 or not wanted:
        return {}
    out = {key: _share(key, counts, values[key], confidence) for key in wanted if RECORDS[key].small_table == "share"}
    rest = {key: function for key, function in wanted.items() if key not in out}
    errors, quantile = flat_errors(counts, rest), student(n - 1, confidence)
    scale = {key: RECORDS[key].transform for key in rest}
    errors = {key: least_error(values[key], error, scale[key], n) for key, error in errors.items()}
    first = {key: transformed(values[key], errors[key], scale[key], quantile) for key in rest}
    nowhere = np.nan, np.nan
    first |= {key: _within(first[key], span) if n >= FEWEST_UNITS else nowhere for key in DISTANCES if key in rest}
    second = _by_points(counts, rest, values, confidence, first)
    for key in rest:
        interval = Interval(*covering(values[key], first[key]), "jackknife", few_units(n))
        if key in second:
            ends, note = second[key].ends or first[key], second[key].note
            interval = with_farther_ends(values[key], interval, ends, "dirichlet", note)
        if interval.ends is not None:
            out[key] = interval
    return {key: out[key] for key in wanted if key in out}


def _within(ends: tuple[float, float], span: float) -> tuple[float, float]:
    return float(np.clip(ends[0], -span, span)), float(np.clip(ends[1], -span, span))


def _by_points(
    counts: FloatArray,
    functions: Functions,
    values: Mapping[str, float],
    confidence: float,
    first: Mapping[str, tuple[float, float]],
) -> dict[str, Interval]:
    """Return quantiles of the Dirichlet: of kappa and the correlations, and of distances that the jackknife leaves without."""
    if classes_in_use(counts).sum() > MOST_CLASSES:
        return {}
    flat = {key: function for key, function in functions.items() if key in DISTANCES and np.isnan(first[key][0])}
    rest = {key: function for key, function in functions.items() if key not in DISTANCES}
    note = few_units(int(counts.sum()))
    ends = dirichlet_quantiles(counts, flat, confidence)
    intervals = {key: Interval(*bounds, "dirichlet", note) for key, bounds in ends.items()}
    return intervals | single_table(counts, rest, values, confidence, note)


def _share(key: str, counts: FloatArray, value: float, confidence: float) -> Interval:
    n = float(counts.sum())
    events = round(value * n)
    ends = widened(*wilson(events, n, confidence), events, n, confidence)
    missed = n - events
    what = "in disagreement" if key == EXACT.key else "more than one option apart"
    note = f"small cell: {missed:.0f} of {n:.0f} {what}" if is_few(missed, n) else ""
    return Interval(*covering(value, ends), "wilson", few_units(int(n)) or note)


def _small(unit: Unit) -> str:
    """Return why the jackknife of the pooled table is not trusted, or nothing."""
    return _few_of(unit.by_criterion.sum(0), unit.coded.units_with, unit.coded.word)


def small_by_weight(items: WeightedItems) -> str:
    """Return the same of items that have weights, or of groups of them: how many there are, whatever they weigh."""
    flat = items.tables.reshape(len(items.times), -1)
    counts = np.tensordot(items.times, items.tables, 1)
    return _few_of(counts, lambda cells: int(items.times[(flat[:, cells] > 0).any(1)].sum()), items.word)


def _few_of(counts: FloatArray, units_with: Callable[[NDArray[np.bool_]], int], word: str) -> str:
    k = len(counts)
    row, column = np.divmod(np.arange(k * k), k)
    checks = [
        (units_with(row != counts.sum(1).argmax()), "a reference outside its commonest option", FEW_ITEMS),
        (units_with(column != counts.sum(0).argmax()), "a verdict outside the judge’s commonest option", FEW_ITEMS),
        (units_with(row != column), "a disagreement", FEW_DISAGREEMENTS),
    ]
    small = [f"{count} {word} with {what}" for count, what, few in checks if count < few]
    return f"small cell: {small[0]}" if small else ""


def _thin(by_criterion: FloatArray) -> NDArray[np.bool_]:
    """Return criteria with fewer than five decisions outside the commonest option of a side, shape (C,)."""
    n = by_criterion.sum((1, 2))
    outside = np.stack([n - by_criterion.sum(axis).max(1) for axis in (1, 2)], axis=1)
    return np.asarray((outside < FEW_IN_MARGIN).any(1))


ORDERED: Rules = Rules(RECORDS.__getitem__, _small, _thin, "outside the commonest option of a side", ordered_table)
"""Of the numbers of ordered classes: a table is thin where a side hardly leaves one option."""


def rules_of(order: Order) -> Rules:
    """Return the same, where distances end at the span of the values."""
    span = float(np.ptp(order.array))
    ranges = {RMSE.key: (0.0, span), MAE.key: (0.0, span), BIAS.key: (-span, span)}
    records = {
        key: replace(metric, low=ranges[key][0], high=ranges[key][1]) if key in ranges else metric
        for key, metric in RECORDS.items()
    }
    return replace(ORDERED, record=records.__getitem__, single=partial(ordered_table, span=span))


def rules_for(key: str) -> Rules:
    """Return the rules that a metric of the catalogue follows wherever it is shown.

    Of quadratic-weighted κ they are those of ordered classes.
    """
    return ORDERED if key == QUADRATIC.key else OF_CATALOGUE
