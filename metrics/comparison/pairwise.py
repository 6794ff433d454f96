"""One judge against another: the difference, its interval and its tests, on the decisions both made."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from metrics.abstention import mode_labels
from metrics.aggregation import Level
from metrics.arrays import FloatArray
from metrics.catalogue import BY_KEY, why_undefined
from metrics.choices import Settings
from metrics.coefficients import weighted_kappa
from metrics.comparison.contrasts import OUTCOMES, Comparison, Side
from metrics.comparison.own import OwnInterval
from metrics.comparison.paired import Paired, Statistic
from metrics.comparison.permutation import Told, mcnemar, permutation_test
from metrics.comparison.shared_decisions import by_criterion, outcomes_of, refuse_if_none, shared_decisions, shared_items
from metrics.intervals.cluster import clusters_of
from metrics.intervals.scale import ROUNDING, Interval, student
from metrics.judging import declaration_of
from metrics.planning import unit_words
from metrics.ratings import Ratings
from metrics.results import Block, Declaration
from metrics.words import several

FEW_UNITS, FEW_DIFFER = 10, 5
POOLED = "not on decisions pooled over criteria, where it rejects too often; choose one criterion"
GROUPED = "not where items lie in groups, because it takes every item as independent"


@dataclass(frozen=True)
class Question:
    """What is compared."""

    metric: str
    level: Level = "micro"
    criterion: str | None = None


def compare_pair(
    ratings: Ratings,
    settings: Settings,
    asked: Question,
    replicates: int,
    rng: np.random.Generator,
    progress: Told | None = None,
) -> Comparison:
    """The second judge of the settings against the first; everything is checked already."""
    metric, level, criterion = asked.metric, asked.level, asked.criterion
    shared = shared_items(ratings, settings) if level == "item" else shared_decisions(ratings, settings, criterion)
    labels = mode_labels(settings.on(ratings).scheme, settings.abstention)
    refuse_if_none(ratings, settings, shared, level)
    k, many = len(labels), len(shared.criteria) > 1
    statistic = _statistic(metric, level, settings, many=many)
    cells = [np.where((shared.reference >= 0) & (own >= 0), shared.reference * k + own, k * k) for own in shared.verdicts]
    clusters = clusters_of(ratings, settings.unit) if settings.by_column else None
    paired = Paired.of(
        shared.item, shared.criterion, cells[0], cells[1],
        k=k, n_items=ratings.n_kinds, n_criteria=len(shared.criteria), apart=statistic.form != "pooled",
        cluster=None if clusters is None else clusters.of_item, multiplicity=ratings.multiplicity,
    )  # fmt: skip
    values = paired.values(statistic)
    difference = values[1] - values[0]
    tables = by_criterion(shared, cells, k)
    used = ~np.isnan(statistic.function(tables).sum(0)) if statistic.form == "mean" else np.ones(len(shared.criteria), bool)
    permutation = permutation_test(paired, statistic, replicates, rng, progress)
    own = OwnInterval(shared, metric, statistic, settings, used, clusters)
    no_mcnemar = POOLED if many else GROUPED if clusters is not None and not clusters.single else ""
    outcome = outcomes_of(shared)
    counts = np.bincount(outcome, weights=shared.weight, minlength=len(OUTCOMES)).astype(np.int64).tolist()
    a, b = (
        Side(
            name=name,
            value=values[place],
            interval=own.interval(cells[place], tables[place], values[place]),
            coverage=float(shared.weight[cells[place] < k * k].sum() / shared.n),
            n_only=shared.n_only[place],
            block=Block(int(tables[place].sum()), labels, tables[place].sum(0).astype(np.int64), {metric: values[place]}, {}),
        )
        for place, name in enumerate(settings.judges)
    )
    error, interval, no_interval = interval_of_difference(paired, statistic, (a, b), permutation.n_differ, settings, metric)
    return Comparison(
        declaration=declared(ratings, settings, replicates, interval),
        settings=settings,
        metric=metric,
        level=level,
        criterion=criterion,
        a=a,
        b=b,
        difference=difference,
        undefined=_why(metric, tables, settings.judges, labels, statistic) if math.isnan(difference) else "",
        error=error,
        interval=interval,
        no_interval=no_interval,
        n_items=paired.n_items,
        n_units=paired.n_units,
        n_shared=shared.n,
        n_no_reference=shared.n_no_reference,
        criteria_defined=(int(used.sum()), len(used)) if statistic.form == "mean" else None,
        permutation=permutation,
        mcnemar=None if no_mcnemar else mcnemar(counts[1], counts[2]),
        no_mcnemar=no_mcnemar,
        outcomes=dict(zip(OUTCOMES, counts, strict=True)),
        places=shared.places,
        outcome=outcome,
    )


def declared(ratings: Ratings, settings: Settings, replicates: int, interval: Interval | None = None) -> Declaration:
    """The choices behind a comparison."""
    method = "paired jackknife" if interval is None else interval.method
    how = {
        "method": method, "unit": settings.unit, "confidence": settings.confidence, "test": "permutation",
        "replicates": replicates,
    }  # fmt: skip
    return replace(declaration_of(ratings, settings), interval=how)


def _statistic(metric: str, level: Level, settings: Settings, *, many: bool) -> Statistic:
    record = BY_KEY[metric]
    function = partial(weighted_kappa, weights=settings.cost) if metric == "weighted_kappa" else record.function
    if record.over == "criteria":
        return Statistic(function, "joint")
    return Statistic(function, "mean" if level == "macro" and many else "pooled")


def interval_of_difference(
    paired: Paired, statistic: Statistic, sides: tuple[Side, Side], n_differ: int, settings: Settings, metric: str
) -> tuple[float, Interval | None, str]:
    """Standard error and interval of the difference on its own scale, or why there is none."""
    difference = sides[1].value - sides[0].value
    if math.isnan(difference):
        return math.nan, None, "the difference is undefined"
    if paired.n_units < 2:
        return math.nan, None, _only_one(settings)
    if not n_differ:
        return math.nan, None, "no item separates them"
    one = "group" if settings.by_column else "item"
    error = paired.error(statistic)
    if math.isnan(error):
        return math.nan, *_mover(sides, metric, f"the difference is undefined when one {one} is left out")
    if error <= ROUNDING:
        return math.nan, *_mover(sides, metric, f"leaving out one {one} never changes the difference")
    reach = student(paired.n_units - 1, settings.confidence) * error
    most = BY_KEY[metric].high - BY_KEY[metric].low
    ends = max(difference - reach, -most), min(difference + reach, most)
    units = unit_words(settings.unit)
    if paired.n_units < FEW_UNITS:
        note = f"only {several(paired.n_units, units)}"
    else:
        note = f"only {several(n_differ, units)} {'differs' if n_differ == 1 else 'differ'}" if n_differ < FEW_DIFFER else ""
    return error, Interval(*ends, "paired jackknife", note), ""


def _mover(sides: tuple[Side, Side], metric: str, why: str) -> tuple[Interval | None, str]:
    """Where the jackknife has no answer: from the judges' own intervals, taken as independent.

    References: Zou & Donner (2008), doi:10.1002/sim.3095.
    """
    a, b = sides
    own = [None if side.interval is None else side.interval.ends for side in sides]
    if own[0] is None or own[1] is None:
        return None, why
    difference, most = b.value - a.value, BY_KEY[metric].high - BY_KEY[metric].low
    low = difference - math.hypot(b.value - own[1][0], own[0][1] - a.value)
    high = difference + math.hypot(own[1][1] - b.value, a.value - own[0][0])
    if high - low <= ROUNDING:
        return None, why
    note = f"{why}, so the interval is put together from those of the two judges, taken as independent"
    return Interval(max(low, -most), min(high, most), "mover", note), ""


def _only_one(settings: Settings) -> str:
    if settings.by_column:
        return f"all shared items lie in one of the {unit_words(settings.unit)}"
    return "there is only one shared item"


def _why(metric: str, tables: FloatArray, judges: Sequence[str], labels: Sequence[str], statistic: Statistic) -> str:
    if statistic.form == "mean":
        return "no criterion has a value for both judges"
    for name, own in zip(judges, tables, strict=True):
        reason = why_undefined(BY_KEY[metric], own.sum(0), labels)
        if reason:
            return f"{name}: {reason}"
    return "a value is undefined"
