"""Is one judge better than another? Paired on the decisions both gave."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metrics.abstention import mode_labels
from metrics.aggregation import LEVELS, Level
from metrics.arrays import FloatArray
from metrics.catalogue import BY_KEY, applicable, why_undefined
from metrics.choices import Settings, settings_of
from metrics.coefficients import cohen_kappa, weighted_kappa
from metrics.contrasts import OUTCOMES, Comparison, Forest, Side, direction
from metrics.errors import InputError
from metrics.intervals.default import Unit, macro_intervals, micro_intervals, table_intervals
from metrics.intervals.jackknife import Coded
from metrics.intervals.scale import Interval, student
from metrics.judging import agreement, declaration_of
from metrics.paired import Paired, Statistic
from metrics.patterns import merge_codes
from metrics.permutation import mcnemar, permutation_test
from metrics.ratings import Ratings
from metrics.results import Block, Declaration
from metrics.shared_decisions import Shared, by_criterion, outcomes_of, refuse_if_none, shared_decisions, shared_items

REPLICATES = 10_000
FEW_ITEMS, FEW_DIFFER = 10, 5
BEST = "best"
POOLED = "not on decisions pooled over criteria, where it rejects too often; choose one criterion"


def compare(
    ratings: Ratings,
    a: str,
    b: str,
    metric: str = "kappa",
    *,
    level: Level = "micro",
    criterion: str | None = None,
    abstention: str = "exclude",
    reference: str = "majority",
    cost: str | ArrayLike | None = None,
    item_rule: str = "all",
    threshold: float | None = None,
    weights: Mapping[str, float] | None = None,
    confidence: float = 0.95,
    replicates: int = REPLICATES,
    rng: np.random.Generator | int | None = None,
) -> Comparison:
    """How judge B differs from judge A, on the decisions both gave and the reference has.

    Parameters
    ----------
    ratings : Ratings
    a, b : str
        Judges. The difference is the value of B less that of A.
    metric : str
        Key of the catalogue.
    level : {"micro", "macro", "item"}
        Macro: over the criteria where the metric is defined for both.
    criterion : str, optional
        Compare on this criterion alone.
    abstention, reference, cost, item_rule, threshold, weights, confidence
        As in `metrics.agreement`.
    replicates : int
        Random swaps of the permutation test; few items that differ are swapped in all ways.
    rng : Generator or int, optional
        Source of the random swaps, or a seed; default seed 0.

    Raises
    ------
    InputError
        For an unknown choice, equal judges, a metric that has no difference, or judges that share no decision.
    """
    _check_items(ratings)
    settings = settings_of(
        ratings, abstention=abstention, reference=reference, judges=(a, b), cost=cost, item_rule=item_rule,
        threshold=threshold, weights=weights, confidence=confidence,
    )  # fmt: skip
    _check(ratings, settings, metric, level, criterion)
    if a == b:
        raise InputError(f"{a!r} cannot be compared with itself. Name two judges.")
    if replicates < 1:
        raise InputError(f"The permutation test needs at least 1 replicate, not {replicates}.")
    rng = rng if isinstance(rng, np.random.Generator) else np.random.default_rng(0 if rng is None else rng)
    return _compare(ratings, settings, metric, level, criterion, replicates, rng)


def compare_all(
    ratings: Ratings,
    baseline: str | None = None,
    metric: str = "kappa",
    *,
    judges: Sequence[str] | None = None,
    level: Level = "micro",
    criterion: str | None = None,
    abstention: str = "exclude",
    reference: str = "majority",
    cost: str | ArrayLike | None = None,
    item_rule: str = "all",
    threshold: float | None = None,
    weights: Mapping[str, float] | None = None,
    confidence: float = 0.95,
    replicates: int = REPLICATES,
    rng: np.random.Generator | int | None = None,
) -> Forest:
    """Every judge against one baseline, each on the decisions it shares with that one.

    Parameters
    ----------
    baseline : str, optional
        A judge; by default the one with the best value on these data, which the result says, and Holm's correction with it.
    judges : sequence of str, optional
        Default: all.

    The other parameters are those of `compare`.
    """
    options = {
        "abstention": abstention, "reference": reference, "cost": cost, "item_rule": item_rule, "threshold": threshold,
        "weights": weights, "confidence": confidence,
    }  # fmt: skip
    _check_items(ratings)
    settings = settings_of(ratings, judges=judges, **options)  # type: ignore[arg-type]
    _check(ratings, settings, metric, level, criterion)
    rng = rng if isinstance(rng, np.random.Generator) else np.random.default_rng(0 if rng is None else rng)
    best = baseline is None or (baseline == BEST and BEST not in ratings.judges)
    chosen = _best(ratings, settings, metric, level, criterion, options) if best or baseline is None else baseline
    settings_of(ratings, judges=[chosen], **options)  # type: ignore[arg-type]
    others = [name for name in settings.judges if name != chosen]
    if not others:
        raise InputError(f"{ratings.source.name}: there is no judge beside {chosen!r} to compare.")
    found = [
        _compare(ratings, replace(settings, judges=(chosen, other)), metric, level, criterion, replicates, own)
        for other, own in zip(others, rng.spawn(len(others)), strict=True)
    ]
    sign = direction(metric) or 1
    found.sort(key=lambda one: (math.isnan(one.difference), -sign * one.difference if one.difference == one.difference else 0))
    declaration = declaration_of(ratings, settings)
    return Forest(declaration, metric, level, chosen, best, tuple(found), holm([one.permutation.p for one in found]))


def holm(p: Sequence[float]) -> tuple[float, ...]:
    """p values corrected for their number; undefined ones are not counted and stay undefined.

    References: Holm (1979), Scandinavian Journal of Statistics 6, 65-70.
    """
    values = np.asarray(p, np.float64)
    order = np.argsort(values, kind="stable")[: int((~np.isnan(values)).sum())]
    steps = np.maximum.accumulate(values[order] * (len(order) - np.arange(len(order))))
    corrected = np.full(len(values), np.nan)
    corrected[order] = np.minimum(steps, 1.0)
    return tuple(corrected.tolist())


def _check_items(ratings: Ratings) -> None:
    if not ratings.has_items:
        raise InputError(f"{ratings.source.name} is a table of counts: it does not say which items both judges saw.")


def _check(ratings: Ratings, settings: Settings, metric: str, level: Level, criterion: str | None) -> None:
    name = ratings.source.name
    if level not in LEVELS:
        raise InputError(f"Unknown level {level!r}. Use one of: {', '.join(LEVELS)}.")
    if criterion is not None and criterion not in ratings.criteria:
        raise InputError(f"{name}: no criterion is called {criterion!r}. Criteria: {', '.join(ratings.criteria[:12])}.")
    if criterion is not None and level != "micro":
        raise InputError("A single criterion has no level. Leave out one of the two.")
    if level == "item" and ratings.scheme.scale != "binary":
        raise InputError("No rule makes one item verdict of labels that are neither met nor unmet. Use micro or macro.")
    known = comparable(len(mode_labels(ratings.scheme, settings.abstention)), settings.cost is not None)
    if metric not in known:
        raise InputError(f"Judges cannot be compared by {metric!r} here. Use one of: {', '.join(known)}.")
    if BY_KEY[metric].over == "criteria" and (level != "micro" or criterion is not None):
        raise InputError(f"{BY_KEY[metric].name} takes all criteria together. Use the level micro.")


def comparable(k: int, cost: bool = False) -> tuple[str, ...]:
    """Metrics of K classes that a judge can change and whose difference has an interval."""
    keys = tuple(record.key for record in applicable(k) if record.transform and record.key != "prevalence")
    return (*keys, "weighted_kappa") if cost else keys


def _compare(
    ratings: Ratings,
    settings: Settings,
    metric: str,
    level: Level,
    criterion: str | None,
    replicates: int,
    rng: np.random.Generator,
) -> Comparison:
    shared = shared_items(ratings, settings) if level == "item" else shared_decisions(ratings, settings, criterion)
    labels = mode_labels(ratings.scheme, settings.abstention)
    refuse_if_none(ratings, settings, shared, level)
    k, many = len(labels), len(shared.criteria) > 1
    statistic = _statistic(metric, level, settings, many=many)
    cells = [np.where((shared.reference >= 0) & (own >= 0), shared.reference * k + own, k * k) for own in shared.verdicts]
    paired = Paired.of(
        shared.item, shared.criterion, cells[0], cells[1],
        k=k, n_items=ratings.n_items, n_criteria=len(shared.criteria), apart=statistic.form != "pooled",
    )  # fmt: skip
    values = paired.values(statistic)
    difference = values[1] - values[0]
    tables = by_criterion(shared, cells, k)
    used = ~np.isnan(statistic.function(tables).sum(0)) if statistic.form == "mean" else np.ones(len(shared.criteria), bool)
    permutation = permutation_test(paired, statistic, replicates, rng)
    error, interval, no_interval = _interval(paired, statistic, difference, permutation.n_differ, settings, metric)
    outcome = outcomes_of(shared)
    counts = np.bincount(outcome, minlength=len(OUTCOMES)).tolist()
    a, b = (
        Side(
            name=name,
            value=values[place],
            interval=_own_interval(shared, cells[place], tables[place], metric, statistic, settings, used, values[place]),
            coverage=float(np.mean(cells[place] < k * k)),
            n_only=shared.n_only[place],
            block=Block(int(tables[place].sum()), labels, tables[place].sum(0).astype(np.int64), {metric: values[place]}, {}),
        )
        for place, name in enumerate(settings.judges)
    )
    return Comparison(
        declaration=_declared(ratings, settings, replicates),
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
        n_shared=len(shared.places),
        n_no_reference=shared.n_no_reference,
        criteria_defined=(int(used.sum()), len(used)) if statistic.form == "mean" else None,
        permutation=permutation,
        mcnemar=None if many else mcnemar(counts[1], counts[2]),
        no_mcnemar=POOLED if many else "",
        outcomes=dict(zip(OUTCOMES, counts, strict=True)),
        places=shared.places,
        outcome=outcome,
    )


def _declared(ratings: Ratings, settings: Settings, replicates: int) -> Declaration:
    how = {
        "method": "paired jackknife", "unit": "item", "confidence": settings.confidence, "test": "permutation",
        "replicates": replicates,
    }  # fmt: skip
    return replace(declaration_of(ratings, settings), interval=how)


def _statistic(metric: str, level: Level, settings: Settings, *, many: bool) -> Statistic:
    record = BY_KEY[metric]
    function = partial(weighted_kappa, weights=settings.cost) if metric == "weighted_kappa" else record.function
    if record.over == "criteria":
        return Statistic(function, "joint")
    return Statistic(function, "mean" if level == "macro" and many else "pooled")


def _interval(
    paired: Paired, statistic: Statistic, difference: float, n_differ: int, settings: Settings, metric: str
) -> tuple[float, Interval | None, str]:
    """Standard error and interval of the difference on its own scale, or why there is none."""
    if math.isnan(difference):
        return math.nan, None, "the difference is undefined"
    if paired.n_items < 2:
        return math.nan, None, "there is only one shared item"
    if not n_differ:
        return math.nan, None, "no item separates them"
    error = paired.error(statistic)
    if math.isnan(error):
        return math.nan, None, "the difference is undefined when one item is left out"
    if error == 0:
        return math.nan, None, "leaving out an item never changes the difference"
    reach = student(paired.n_items - 1, settings.confidence) * error
    most = BY_KEY[metric].high - BY_KEY[metric].low
    ends = max(difference - reach, -most), min(difference + reach, most)
    if paired.n_items < FEW_ITEMS:
        note = f"only {paired.n_items} items"
    else:
        note = f"only {n_differ} items differ" if n_differ < FEW_DIFFER else ""
    return error, Interval(*ends, "paired jackknife", note), ""


def _own_interval(
    shared: Shared,
    cell: NDArray[np.int64],
    tables: FloatArray,
    metric: str,
    statistic: Statistic,
    settings: Settings,
    used: NDArray[np.bool_],
    value: float,
) -> Interval | None:
    """Default interval of one judge on the shared items."""
    if math.isnan(value):
        return None
    joint, k, confidence = statistic.form == "joint", tables.shape[-1], settings.confidence
    functions = {"kappa": cohen_kappa} if joint else {metric: statistic.function}
    if len(tables) == 1:
        key = next(iter(functions))
        return table_intervals(tables[0], functions, {key: value}, confidence).get(key)
    counted = (cell < k * k) & used[shared.criterion]
    criterion = (np.cumsum(used) - 1)[shared.criterion[counted]]
    unit = Unit(_coded(shared.item[counted], criterion, cell[counted], k, int(used.sum())), tables[used], confidence)
    if statistic.form == "mean":
        return macro_intervals(unit, functions, {metric: value}, {metric: statistic.function(tables[used])}).get(metric)
    beside = {"kappa": float(cohen_kappa(tables.sum(0)))} if joint else {}
    return micro_intervals(unit, functions, {metric: value} | beside).get(metric)


def _coded(item: NDArray[np.int32], criterion: NDArray[np.int64], cell: NDArray[np.int64], k: int, n_criteria: int) -> Coded:
    """One judge's cells with identical items merged."""
    present, row = np.unique(item, return_inverse=True)
    codes, weight, _ = merge_codes(
        row.astype(np.int32), criterion.astype(np.int32), cell + 1, base=k * k + 1, n_items=len(present), n_criteria=n_criteria
    )
    return Coded(np.where(codes == 0, k * k, codes - 1).astype(np.int16), weight, k)


def _why(metric: str, tables: FloatArray, judges: Sequence[str], labels: Sequence[str], statistic: Statistic) -> str:
    if statistic.form == "mean":
        return "no criterion has a value for both judges"
    for name, own in zip(judges, tables, strict=True):
        reason = why_undefined(BY_KEY[metric], own.sum(0), labels)
        if reason:
            return f"{name}: {reason}"
    return "a value is undefined"


def _best(
    ratings: Ratings, settings: Settings, metric: str, level: Level, criterion: str | None, options: Mapping[str, object]
) -> str:
    """The judge with the best value, each on all its own decisions."""
    sign = direction(metric)
    if not sign:
        raise InputError(f"More {BY_KEY[metric].symbol} is neither better nor worse, so no judge is the best. Name a baseline.")
    report = agreement(ratings, judges=settings.judges, interval="none", **options)  # type: ignore[arg-type]
    values = {}
    for name, judge in report.judges.items():
        block = judge.level(level) if criterion is None else judge.criteria[criterion]
        values[name] = sign * block.values[metric]
    defined = {name: value for name, value in values.items() if not math.isnan(value)}
    if not defined:
        raise InputError(f"{BY_KEY[metric].name} is undefined for every judge.")
    return max(defined, key=lambda name: defined[name])
