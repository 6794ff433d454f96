"""The default interval of every number: which rule applies where, and what is said beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from metrics.intervals import rare_events
from metrics.intervals.chance_together import by_rule_alike_at_chance
from metrics.intervals.fixed_points import MOST_DIMENSIONS
from metrics.intervals.jackknife import Units, flat_errors, pooled_errors, within_errors
from metrics.intervals.mover import mover
from metrics.intervals.single_table import as_tested, dirichlet_quantiles, scaled, single_table, wilson
from metrics.measures.arrays import FloatArray, Function, among, classes_in_use
from metrics.measures.catalogue import record_of
from metrics.measures.coefficients import cohen_kappa, disagreements, kappa_within
from metrics.measures.exact_tests import sign_flip
from metrics.measures.metric import Metric
from metrics.measures.transforms import Interval, covering, least_error, student, transformed, with_farther_ends
from metrics.results.words import several

Functions = Mapping[str, Function]
FEW_ITEMS, FEW_DISAGREEMENTS, FEW_IN_MARGIN, FEW_UNITS = 20, 5, 5, 10
"""Below these the jackknife alone is not trusted. With 10 instead of 20 items of a rare class, balanced accuracy covers 91 %."""
FEW_IN_ERROR = 10
"""Units with a disagreement below which the sample cannot tell whether the criteria err together: the mean then takes it that
they do. Errors that take whole items would else leave macro with a coverage of 70 to 85 % (benchmarks/README.md)."""
MOST_CLASSES = 32
"""With more classes a table has too many cells for quantiles over the fixed points; the jackknife then stands alone."""


@dataclass(frozen=True)
class Rules:
    """What the rules must know of a family of metrics.

    Attributes
    ----------
    record : callable
        Record of a metric by its key.
    small : callable
        Why the jackknife of the pooled table alone is not trusted, or nothing.
    margins : callable
        Which criteria's tables, shape (C, K, K), are too thin for it, shape (C,).
    thin : str
        What these lack, behind "fewer than 5 decisions".
    single : callable
        Rule 2: intervals of one table from its counts, functions, values and confidence.
    """

    record: Callable[[str], Metric]
    small: Callable[[Unit], str]
    margins: Callable[[FloatArray], NDArray[np.bool_]]
    thin: str
    single: Callable[[FloatArray, Functions, Mapping[str, float], float], dict[str, Interval]]


@dataclass(frozen=True, eq=False)
class Unit:
    """Everything the rules need about one judge in one mode.

    Attributes
    ----------
    alone : callable, optional
        Intervals of one criterion by its place, where they are known already or its decisions are not independent either.
    """

    coded: Units
    by_criterion: FloatArray
    confidence: float
    alone: Callable[[int], Mapping[str, Interval]] | None = None
    rules: Rules = field(default_factory=lambda: OF_CATALOGUE)

    @property
    def quantile(self) -> float:
        return student(max(self.coded.n_units - 1, 1), self.confidence)

    @cached_property
    def small(self) -> str:
        """Why the jackknife of the pooled table alone is not trusted, or nothing."""
        return self.rules.small(self)

    @cached_property
    def unseen(self) -> FloatArray:
        """The criteria's tables as units that the sample may not hold would make them, shape (C, K, K)."""
        return rare_events.with_unseen(self.by_criterion, self.coded.n_units, self.confidence)

    @cached_property
    def few_in_error(self) -> dict[bytes, str]:
        """What is said of few units in error, by the criteria used, as far as it was asked for."""
        return {}


def few_units(n: int, word: str = "items") -> str:
    """Return the note on fewer units than `FEW_UNITS`; empty for as many or more."""
    return f"only {several(n, word)}" if n < FEW_UNITS else ""


def table_intervals(
    counts: FloatArray, functions: Functions, values: Mapping[str, float], confidence: float
) -> dict[str, Interval]:
    """Return rule 2: one decision per item. A metric without a value has no interval; of fewer than two decisions none has.

    Parameters
    ----------
    counts : ndarray, shape (K, K)
    functions : mapping
        Metric key to function of counts.
    values : mapping
        Metric key to the value on this table, NaN where undefined.
    confidence : float
    """
    note = few_units(int(counts.sum()))
    return by_rule_alike_at_chance(
        counts, functions, values, lambda every, known: single_table(counts, every, known, confidence, note)
    )


def micro_intervals(unit: Unit, functions: Functions, values: Mapping[str, float]) -> dict[str, Interval]:
    """Return rules 1 and 3 on the pooled table; rule 2 where every unit has one decision, whatever its criterion.

    A metric without a value has no interval, and with fewer than two units none has.

    Parameters
    ----------
    unit : Unit
    functions : mapping
        Metric key to function of counts, without `kappa_within`.
    values : mapping
        Metric key to the value on the pooled table, NaN where undefined; with `kappa_within` where its interval is wanted.
    """
    counts = unit.by_criterion.sum(0)
    if unit.coded.n_units == counts.sum():
        intervals = unit.rules.single(counts, functions, values, unit.confidence)
    elif unit.rules is not OF_CATALOGUE:
        intervals = _micro(unit, counts, functions, values)
    else:
        intervals = by_rule_alike_at_chance(counts, functions, values, lambda every, known: _micro(unit, counts, every, known))
        intervals = _as_tested(unit, intervals)
    return intervals | _within_criteria(unit, values, intervals.get("kappa"))


def _as_tested(unit: Unit, intervals: dict[str, Interval]) -> dict[str, Interval]:
    """Return the intervals, those of drift holding 0 where flipping the signs of whole units shows no direction."""
    drifts = [
        key for key in intervals if record_of(key).small_table == "points" and not intervals[key].low <= 0 <= intervals[key].high
    ]
    if unit.coded.k != 2 or not drifts:
        return intervals
    tables, units = unit.coded.tables()
    p = sign_flip((tables[:, 1, 0] - tables[:, 0, 1]).astype(np.int64), units.astype(np.int64), 1 - unit.confidence)
    for key in drifts:
        low, high = as_tested((intervals[key].low, intervals[key].high), p, unit.confidence)
        intervals[key] = replace(intervals[key], low=low, high=high)
    return intervals


def _micro(unit: Unit, counts: FloatArray, functions: Functions, values: Mapping[str, float]) -> dict[str, Interval]:
    wanted = {key: function for key, function in functions.items() if not np.isnan(values[key])}
    if unit.coded.n_units < 2 or not wanted:
        return {}
    errors = pooled_errors(unit.coded, counts, wanted)
    note, record = unit.small, unit.rules.record
    scale = {key: record(key).transform for key in wanted}
    least = {key: least_error(values[key], errors[key], scale[key], int(counts.sum())) for key in wanted}
    first = {key: transformed(values[key], least[key], scale[key], unit.quantile) for key in wanted}
    rest = [key for key in wanted if note or np.isnan(first[key][0])] if classes_in_use(counts).sum() <= MOST_CLASSES else []
    second = _second(unit, counts, {key: wanted[key] for key in rest}, errors, values) if rest else {}
    note = note or few_units(unit.coded.n_units, unit.coded.word)
    known = [key for key in wanted if key in second or not np.isnan(first[key][0])]
    out = {key: _combine(key, values[key], first[key], second, note) for key in known}
    few = _few_in_error(unit, np.ones(len(unit.by_criterion), bool))
    if not few or unit.rules is not OF_CATALOGUE:
        return out
    flat = flat_errors(counts, wanted)
    out = {key: replace(interval, note=note or few) for key, interval in out.items()}
    pooled = {key: lambda tables, function=wanted[key]: float(function(tables.sum(0))) for key in known}
    return {key: _with_unseen(unit, out[key], values[key], pooled[key], flat[key], record(key)) for key in known}


def _within_criteria(unit: Unit, values: Mapping[str, float], kappa: Interval | None) -> dict[str, Interval]:
    """Return the interval of `kappa_within`, where it is asked for and has a value; `kappa` is that of the pooled table."""
    value = values.get("kappa_within", np.nan)
    if np.isnan(value) or unit.coded.n_units < 2:
        return {}
    note = unit.small or few_units(unit.coded.n_units, unit.coded.word)
    within = _within(unit, value, note)
    if kappa is not None and _few_in_error(unit, np.ones(len(unit.by_criterion), bool)) and _complete(unit):
        within = _no_narrower(within, value, kappa, values["kappa"], unit.rules.record("kappa_within"))
    return {"kappa_within": within} if within.ends else {}


def _with_unseen(
    unit: Unit, interval: Interval, value: float, function: Callable[[FloatArray], float], flat: float, record: Metric
) -> Interval:
    """Return the interval as far as units of a kind not seen would take it, where few are in error, within the metric's range.

    `function` gives the value from the criteria's tables, shape (C, K, K); `flat` is its standard error by single decisions.
    """
    worse = function(unit.unseen)
    far = rare_events.reaching(interval, value, worse, flat, unit.confidence)
    return replace(far, low=max(far.low, record.low), high=min(far.high, record.high))


def _within(unit: Unit, value: float, note: str) -> Interval:
    """Return rules 1 and 3 for the metric that needs every criterion's table: each gets its own Dirichlet.

    With few units in error it is the mean of the criteria's κ, each with its share of the disagreements expected, and criteria
    count as if they erred together; the prior of every criterion's Dirichlet would else outweigh the decisions.
    """
    clustered, flat = within_errors(unit.coded, unit.by_criterion)
    first = transformed(value, clustered, "fisher", unit.quantile)
    few = _few_in_error(unit, np.ones(len(unit.by_criterion), bool))
    if few:
        return _combine("kappa_within", value, first, {"kappa_within": (_mean_of_kappas(unit, value), "mover")}, note or few)
    used = int(classes_in_use(unit.by_criterion).sum())
    small, many = bool(unit.small) and used <= MOST_CLASSES, len(unit.by_criterion) * used**2 > MOST_DIMENSIONS
    if many or (not small and not np.isnan(first[0])):
        return Interval(*covering(value, first), "jackknife", note)
    effect = _effect(clustered, flat, unit)
    ends = dirichlet_quantiles(unit.by_criterion / effect, {"kappa_within": kappa_within}, unit.confidence)["kappa_within"]
    return _combine("kappa_within", value, first, {"kappa_within": (ends, "dirichlet")}, note)


def _mean_of_kappas(unit: Unit, value: float) -> tuple[float, float]:
    """Return ends of `kappa_within` from those of the κ of every criterion, as if all of them erred together."""
    criterion_values = {"kappa": cohen_kappa(unit.by_criterion)}
    share = disagreements(unit.by_criterion)[1]
    used = np.flatnonzero(share > 0)
    within = [_by_criterion(unit, {"kappa": cohen_kappa}, criterion_values, int(place))["kappa"] for place in used]
    below, above = (
        np.array([getattr(interval, end) for interval in within]) - criterion_values["kappa"][used] for end in ("low", "high")
    )
    weight = share[used] / share.sum()
    return value + float(weight @ below), value + float(weight @ above)


def macro_intervals(
    unit: Unit,
    functions: Functions,
    values: Mapping[str, float],
    criterion_values: Mapping[str, FloatArray],
    pooled: Mapping[str, Interval] | None = None,
) -> dict[str, Interval]:
    """Return rules 1 and 3 on the mean over criteria.

    With few units in error the criteria count as if they erred together, and where every criterion has as many decisions the
    ends lie no nearer to the mean than those of the pooled table to its value: at accuracy both are one number. There is no
    interval where the mean has no value or an end is not finite, nor with fewer than two units.

    Parameters
    ----------
    unit : Unit
    functions : mapping
        Metric key to function of counts.
    values : mapping
        Metric key to the mean over criteria, NaN where undefined.
    criterion_values : mapping
        Metric key to ndarray, shape (C,): the values of the criteria, NaN where undefined.
    pooled : mapping, optional
        What `micro_intervals` gives for these functions, where it is known already.
    """
    wanted = {key: function for key, function in functions.items() if not np.isnan(values[key])}
    if unit.coded.n_units < 2 or not wanted:
        return {}
    jackknife = unit.coded.macro(unit.by_criterion, wanted)
    errors = jackknife.errors()
    small, (floor, at) = unit.rules.margins(unit.by_criterion), _pooled(unit, wanted, pooled)
    within: list[dict[str, Interval]] | None = None
    flat_by_table: list[dict[str, float]] | None = None
    out, catalogue = {}, unit.rules is OF_CATALOGUE
    for place, key in enumerate(wanted):
        record, used = unit.rules.record(key), ~np.isnan(criterion_values[key])
        first = transformed(values[key], float(errors[place]), record.transform, unit.quantile)
        few = _few_in_error(unit, used)
        note = _macro_note(small & used, unit.rules.thin) or few_units(unit.coded.n_units, unit.coded.word) or few
        second: dict[str, tuple[tuple[float, float], str]] = {}
        if few or (small & used).any() or np.isnan(first[0]):
            if within is None:
                within = [_by_criterion(unit, wanted, criterion_values, c) for c in range(len(criterion_values[key]))]
            alike = np.ones((used.sum(), used.sum())) if few and not catalogue else jackknife.correlations(place, used)
            parts = [w[key] for w, u in zip(within, used, strict=True) if u]
            second[key] = (mover(values[key], criterion_values[key][used], parts, alike), "mover")
        interval = _combine(key, values[key], first, second, note)
        interval = _no_narrower(interval, values[key], floor[key], at[key], record) if key in floor else interval
        if catalogue and few:
            if flat_by_table is None:
                flat_by_table = [flat_errors(table, wanted) for table in unit.by_criterion]
            flat = [own[key] for own, is_used in zip(flat_by_table, used, strict=True) if is_used]
            error = float(np.sqrt(np.nansum(np.square(flat)))) / len(flat)
            mean = lambda tables, key=key, used=used: float(np.nanmean(wanted[key](tables[used])))  # noqa: E731
            interval = _with_unseen(unit, interval, values[key], mean, error, record)
        if isfinite(interval.low) and isfinite(interval.high):
            out[key] = interval
    return out


def _few_in_error(unit: Unit, used: NDArray[np.bool_]) -> str:
    """Return what is said where few units have a disagreement on a criterion used, or nothing."""
    if (key := used.tobytes()) not in unit.few_in_error:
        row, column = np.divmod(np.arange(unit.coded.k**2), unit.coded.k)
        count = unit.coded.units_with(row != column, used)
        few = f"small cell: {several(count, unit.coded.word)} with a disagreement" if count < FEW_IN_ERROR else ""
        unit.few_in_error[key] = few
    return unit.few_in_error[key]


def _complete(unit: Unit) -> bool:
    """Return whether every criterion has as many decisions, so that accuracy is one number at both levels."""
    return bool(np.ptp(unit.by_criterion.sum((1, 2))) == 0)


def _pooled(
    unit: Unit, functions: Functions, known: Mapping[str, Interval] | None
) -> tuple[Mapping[str, Interval], dict[str, float]]:
    """Return intervals and values of the pooled table, where every criterion has as many decisions; else none."""
    if not _complete(unit):
        return {}, {}
    values = {key: float(function(unit.by_criterion.sum(0))) for key, function in functions.items()}
    return micro_intervals(unit, functions, values) if known is None else known, values


def _no_narrower(interval: Interval, value: float, other: Interval, centre: float, record: Metric) -> Interval:
    """Return the interval with each end at least as far from the value as another's ends from its own, within its range."""
    low, high = min(interval.low, value - (centre - other.low)), max(interval.high, value + (other.high - centre))
    return replace(interval, low=max(low, record.low), high=min(high, record.high))


def _by_criterion(
    unit: Unit, functions: Functions, criterion_values: Mapping[str, FloatArray], criterion: int
) -> dict[str, Interval]:
    values = {key: float(criterion_values[key][criterion]) for key in functions}
    table = unit.by_criterion[criterion]
    intervals = unit.alone(criterion) if unit.alone else unit.rules.single(table, functions, values, unit.confidence)
    ranges = {key: unit.rules.record(key) for key in functions}
    return {key: intervals.get(key, Interval(ranges[key].low, ranges[key].high, "none")) for key in functions}


def _combine(
    key: str, value: float, first: tuple[float, float], second: Mapping[str, tuple[tuple[float, float], str]], note: str
) -> Interval:
    known = Interval(*covering(value, first), "jackknife", note)
    return with_farther_ends(value, known, *second[key], note) if key in second else known


def _second(
    unit: Unit, counts: FloatArray, functions: Functions, errors: Mapping[str, float], values: Mapping[str, float]
) -> dict[str, tuple[tuple[float, float], str]]:
    """Return small-cell intervals of the pooled table: the Dirichlet with counts shrunk by the metric's own design effect."""
    flat = flat_errors(counts, functions)
    out: dict[str, tuple[tuple[float, float], str]] = {}
    by_effect: dict[float, dict[str, Function]] = {}
    for key, function in functions.items():
        k = len(counts)
        share = (values[key] * (k - 1) + 1) / k if key == "pabak" else values[key]
        if unit.rules.record(key).small_table in ("share", "rate") and share in (0.0, 1.0):
            n = _units_counted(unit, function)
            out[key] = (scaled(key, wilson(share * n, n, unit.confidence), k), "wilson")
            continue
        by_effect.setdefault(_effect(errors[key], flat[key], unit), {})[key] = function
    for effect, group in by_effect.items():
        quantiles = dirichlet_quantiles(counts / effect, group, unit.confidence)
        out |= {key: (ends, "dirichlet") for key, ends in quantiles.items()}
    return out


def _units_counted(unit: Unit, function: Function) -> int:
    """Return units with a decision that a share counts: of specificity those that the reference calls negative somewhere."""
    k = unit.coded.k
    alone = np.eye(k * k).reshape(k * k, k, k)
    return unit.coded.units_with(~np.isnan(function(alone)))


def _effect(clustered: float, flat: float, unit: Unit) -> float:
    """Return design effect of a metric, at least 1 and at most the decisions per item, which also stands in for 0/0."""
    most = max(1.0, float(unit.by_criterion.sum()) / unit.coded.n_units)
    ratio = (clustered / flat) ** 2 if flat > 0 else np.nan
    return most if np.isnan(ratio) else float(np.clip(ratio, 1.0, most))


def _small_micro(unit: Unit) -> str:
    """Return why the jackknife alone is not trusted, or nothing."""
    row, column = np.divmod(np.arange(unit.coded.k**2), unit.coded.k)
    positive, other = np.flatnonzero(classes_in_use(unit.by_criterion))[:2]
    words = ("a reference positive", "a reference negative", "a predicted positive")
    if unit.coded.k > 3:  # two classes and abstentions are three
        words = ("the first label of the reference", "the second label of the reference", "the first label of the judge")
    counts = [
        (unit.coded.units_with(row == positive), words[0], FEW_ITEMS),
        (unit.coded.units_with(row == other), words[1], FEW_ITEMS),
        (unit.coded.units_with(column == positive), words[2], FEW_ITEMS),
        (unit.coded.units_with(row != column), "a disagreement", FEW_DISAGREEMENTS),
    ]
    small = [f"{several(count, unit.coded.word)} with {what}" for count, what, few in counts if count < few]
    return f"small cell: {small[0]}" if small else ""


def _small_margins(by_criterion: FloatArray) -> NDArray[np.bool_]:
    """Return criteria with fewer than five decisions in a margin of the two first classes in use, shape (C,)."""
    by_criterion = among(by_criterion, classes_in_use(by_criterion))
    margins = np.concatenate([by_criterion.sum(2)[:, :2], by_criterion.sum(1)[:, :2]], axis=1)
    return np.asarray((margins < FEW_IN_MARGIN).any(1))


def _macro_note(small: NDArray[np.bool_], thin: str) -> str:
    count = int(small.sum())
    what = "criterion" if count == 1 else "criteria"
    return f"small cell: {count} {what} with fewer than {FEW_IN_MARGIN} decisions {thin}" if count else ""


OF_CATALOGUE: Rules = Rules(record_of, _small_micro, _small_margins, "in a margin", table_intervals)
"""Of the metrics of `metrics.measures.catalogue`, whose first two classes are the positive and the negative one."""
