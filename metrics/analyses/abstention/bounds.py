"""How far a number could move had every open decision been made: its smallest and largest value over all completions.

Where one side is open, agreement gives the upper and disagreement the lower end. Where both are, the m open decisions are
split u to m - u over the two agreeing or the two disagreeing cells, so one generated axis of m + 1 tables holds each end.
That is exact where no completion leaves the metric undefined; otherwise every completion is tried, or none is claimed. Metrics
turn only a few times along the axis, so that of a long one a grid and its dips are enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.settings import Settings
from metrics.data.abstention import apply_mode
from metrics.data.aggregation import Level, item_table, item_verdicts
from metrics.data.pairs import cells_of, patterns_of, reference_states, tied, verdicts
from metrics.data.ratings import Ratings
from metrics.measures.arrays import FloatArray, mean_where_defined
from metrics.measures.catalogue import BY_KEY, keys_at
from metrics.measures.metric import Metric, holds

BOUNDED = keys_at("bounds")
"""Metrics whose ends lie on the generated axis wherever every completion is defined."""
MOST_TABLES = 100_000
"""Completed tables that are tried one by one."""
GRID, DIPS = 10_000, 8
"""Tables of a longer axis that are looked at first, and dips of a metric between them that are looked at closer."""
TOO_MANY = "some ways to fill the gaps leave it undefined, and there are too many to try each"
NEVER = "no way to fill the gaps gives it a value"
NO_GAPS = "it is undefined as the verdicts stand, and there is no gap to fill"
NO_DECISION = "no decision is left"
NO_ITEMS = "a table of counts has no items"
NO_RULE = "no rule makes one item verdict of labels that are neither met nor unmet"


@dataclass(frozen=True)
class Bound:
    """The values a metric can take.

    Attributes
    ----------
    low, high : float
        NaN where none is claimed, with the reason.
    undefined, tables : int
        Completed tables that leave the metric undefined, of those looked at; the ends are over the others.
    """

    low: float
    high: float
    undefined: int = 0
    tables: int = 0
    reason: str = ""

    @property
    def ends(self) -> tuple[float, float] | None:
        return None if np.isnan(self.low) else (self.low, self.high)


@dataclass(frozen=True)
class Bounds:
    """Bounds of every metric at one level.

    Attributes
    ----------
    n_open : int
        Decisions (items at item level) that a side left open, or on which the people's votes split.
    n_total : int
    n_split : int
        Those of the open decisions on which the people's votes split; 0 at item level.
    criteria : mapping
        For a mean over criteria: key to (criteria with bounds, criteria).
    """

    by_metric: Mapping[str, Bound]
    n_open: int
    n_total: int
    criteria: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    n_split: int = 0


def bounds(ratings: Ratings, judge: str, settings: Settings, level: Level = "micro") -> Bounds:
    """Return bounds over all completions; they do not depend on the abstention mode.

    With more than two classes only accuracy has bounds. A tie, invalid answer or failed call that the handling leaves out or
    gives a label is not open. A split vote is: it can become any of the labels that tie.

    Parameters
    ----------
    ratings : Ratings
    judge : str
    settings : Settings
        Reference, handling and item rule.
    level : {"micro", "macro", "item"}

    Returns
    -------
    Bounds
        Ends are NaN, with the reason, where none is claimed: at item level also for a table of counts and for classes.
    """
    ratings = settings.on(ratings)
    patterns = patterns_of(ratings, judge, settings.reference)
    scheme = replace(ratings.scheme, handling=(*ratings.scheme.handling, ("split", "abstention")))
    by_criterion = apply_mode(patterns.raw, scheme, "as_category")
    beyond = _beyond(ratings, judge, settings) if scheme.n_classes > 2 else np.zeros(len(by_criterion), np.int64)
    n_split = int(patterns.raw[:, scheme.state("split"), : scheme.state("error")].sum())
    if level == "macro":
        return replace(macro_bounds(by_criterion, beyond=beyond), n_split=n_split)
    if level == "micro":
        return replace(table_bounds(by_criterion.sum(0), beyond=int(beyond.sum())), n_split=n_split)
    if not ratings.has_items or scheme.scale != "binary":
        return _nothing(NO_RULE if ratings.has_items else NO_ITEMS)
    verdicts = item_verdicts(patterns, scheme, settings.item_rule, ratings.criteria, as_unmet=False)
    return table_bounds(item_table(verdicts, np.where(verdicts.open, 0, patterns.multiplicity)))


def _beyond(ratings: Ratings, judge: str, settings: Settings) -> NDArray[np.int64]:
    """Return split votes by criterion, shape (C,), that never can agree with the judge: its label is none of those that tie."""
    cells, verdict = cells_of(ratings), verdicts(ratings, judge, "judge")
    split = np.flatnonzero(reference_states(ratings, settings.reference) == ratings.scheme.state("split"))
    split = split[verdict[split] < ratings.scheme.n_classes]
    rows = split[~tied(ratings, settings.reference)[split, verdict[split]]]
    weight = ratings.weight[cells.item[rows]]
    return np.bincount(cells.criterion[rows], weights=weight, minlength=len(ratings.criteria)).astype(np.int64)


def table_bounds(table: NDArray[np.int64], keys: Sequence[str] = BOUNDED, beyond: int = 0) -> Bounds:
    """Return bounds from one table.

    Parameters
    ----------
    table : ndarray of int64, shape (K + 1, K + 1)
        Counts, reference in rows; last row and column are the open decisions.
    keys : sequence of str
        Metrics of two classes; with more classes accuracy alone has bounds.
    beyond : int
        Open decisions that, where there are more than two classes, cannot become an agreement.

    Returns
    -------
    Bounds
        Ends are NaN, with the reason, where there is no decision, no completion gives a value, or there are too many to try.
    """
    counts = np.asarray(table, np.int64)
    total, covered = int(counts.sum()), int(counts[:-1, :-1].sum())
    if len(counts) > 3:
        agreed = int(np.trace(counts[:-1, :-1]))
        ends = Bound(agreed / total, (agreed + total - covered - beyond) / total, 0, 1) if total else _none(NO_DECISION)
        return Bounds({"accuracy": ends}, total - covered, total)
    bound_by_metric = _two_classes(counts, keys) if total else dict.fromkeys(keys, _none(NO_DECISION))
    return Bounds(bound_by_metric, total - covered, total)


def macro_bounds(tables: NDArray[np.int64], beyond: Sequence[int] | NDArray[np.int64] = ()) -> Bounds:
    """Return bounds of the mean over criteria: the means of the criteria's own bounds.

    Parameters
    ----------
    tables : ndarray of int64, shape (C, K + 1, K + 1)
        As in `table_bounds`, one for each criterion.
    beyond : sequence of int, length C, or empty
        Of each criterion; empty for none.

    Returns
    -------
    Bounds
        A criterion without a bound for want of a value is left out; where one has too many completions to try, none is claimed.
    """
    never_agree = [int(n) for n in beyond] or [0] * len(tables)
    bounds_by_criterion = [table_bounds(table, BOUNDED, n) for table, n in zip(tables, never_agree, strict=True)]
    bound_by_metric, counted = {}, {}
    never = NEVER if any(criterion_bounds.n_open for criterion_bounds in bounds_by_criterion) else NO_GAPS
    for key in bounds_by_criterion[0].by_metric:
        every = [criterion_bounds.by_metric[key] for criterion_bounds in bounds_by_criterion]
        low, n = mean_where_defined(np.array([bound.low for bound in every]))
        high, _ = mean_where_defined(np.array([bound.high for bound in every]))
        blocked = any(bound.reason == TOO_MANY for bound in every)
        undefined, looked_at = sum(bound.undefined for bound in every), sum(bound.tables for bound in every)
        bound_by_metric[key] = (
            _none(TOO_MANY if blocked else never) if blocked or not n else Bound(low, high, undefined, looked_at)
        )
        counted[key] = (n, len(bounds_by_criterion))
    return Bounds(
        bound_by_metric,
        sum(criterion_bounds.n_open for criterion_bounds in bounds_by_criterion),
        sum(criterion_bounds.n_total for criterion_bounds in bounds_by_criterion),
        counted,
    )


def _none(reason: str) -> Bound:
    return Bound(float("nan"), float("nan"), reason=reason)


def _nothing(reason: str) -> Bounds:
    return Bounds(dict.fromkeys(BOUNDED, _none(reason)), 0, 0)


def _two_classes(counts: NDArray[np.int64], keys: Iterable[str]) -> dict[str, Bound]:
    wanted = [BY_KEY[key] for key in keys]
    always = [metric for metric in wanted if _always(metric, counts)]
    bound_by_metric = _along_axis(always, counts) if always else {}
    every = completions(counts) if len(always) < len(wanted) and n_completions(counts) <= MOST_TABLES else None
    for metric in wanted:
        if metric.key not in bound_by_metric:
            bound_by_metric[metric.key] = _none(TOO_MANY) if every is None else _over(metric.function(every))
    return {metric.key: bound_by_metric[metric.key] for metric in wanted}


def _along_axis(wanted: Sequence[Metric], counts: NDArray[np.int64]) -> dict[str, Bound]:
    m = int(counts[2, 2])
    step = 1 if m < MOST_TABLES else -(-m // GRID)
    u = np.append(np.arange(0, m, step), m)
    upper, lower = _axis(counts, u)

    def above(metric: Metric, points: NDArray[np.int64]) -> FloatArray:
        return metric.function(_axis(counts, points)[1])

    def below(metric: Metric, points: NDArray[np.int64]) -> FloatArray:
        return -metric.function(_axis(counts, points)[0])

    bound_by_metric = {}
    for metric in wanted:
        low = _least(metric.function(lower), u, step, partial(above, metric))
        high = -_least(-metric.function(upper), u, step, partial(below, metric))
        bound_by_metric[metric.key] = Bound(low, high, 0, 2 * (m + 1))
    return bound_by_metric


def _least(values: FloatArray, u: NDArray[np.int64], step: int, of: Callable[[NDArray[np.int64]], FloatArray]) -> float:
    """Return smallest value along the axis, from those at every so many steps.

    The lowest dips between them are looked at ever finer.
    """
    while step > 1:
        beside = np.concatenate([[np.inf], values, [np.inf]])
        dips = np.flatnonzero((values <= beside[:-2]) & (values <= beside[2:]))
        dips = dips[np.argsort(values[dips], kind="stable")[:DIPS]]
        ends = [(max(0, place - step), min(int(u[-1]), place + step)) for place in u[dips].tolist()]
        step = max(1, 2 * DIPS * step // GRID)
        u = np.unique(np.concatenate([np.append(np.arange(low, high, step), [high, u[-1]]) for low, high in ends]))
        values = of(u)
    return float(values.min())


def _always(metric: Metric, counts: NDArray[np.int64]) -> bool:
    """Return whether the verdicts that were given keep the metric defined, whatever the open ones become."""
    reference, judge = counts[:2].sum(1), counts[:, :2].sum(0)
    for need in metric.needs:
        fixed = {"reference": reference, "judge": judge}.get(need.split()[0], reference + judge)
        if not holds(need, np.diag(fixed).astype(np.float64)):
            return False
    return True


def _over(values: FloatArray) -> Bound:
    defined = values[~np.isnan(values)]
    undefined = len(values) - len(defined)
    if not len(defined):
        return Bound(float("nan"), float("nan"), undefined, len(values), NEVER if len(values) > 1 else NO_GAPS)
    return Bound(float(defined.min()), float(defined.max()), undefined, len(values))


def _axis(counts: NDArray[np.int64], u: NDArray[np.int64]) -> tuple[FloatArray, FloatArray]:
    """Return the completions that agree and those that disagree wherever they can, shape (len(u), 2, 2) each, with u from 0 to
    m.
    """
    (tp, fn, pa), (fp, tn, na), (ap, an, m) = counts.tolist()
    still = np.zeros_like(u)
    upper = np.stack([tp + pa + ap + u, fn + still, fp + still, tn + na + an + m - u], -1)
    lower = np.stack([tp + still, fn + pa + an + u, fp + na + ap + m - u, tn + still], -1)
    return upper.reshape(-1, 2, 2).astype(np.float64), lower.reshape(-1, 2, 2).astype(np.float64)


def n_completions(counts: NDArray[np.int64]) -> int:
    """Return ways to fill the gaps, told apart by which group of open decisions becomes what.

    Parameters
    ----------
    counts : ndarray of int64, shape (3, 3)
        Two classes and, last, the open decisions; reference in rows.
    """
    (_, _, pa), (_, _, na), (ap, an, m) = counts.tolist()
    ways: int = (pa + 1) * (na + 1) * (ap + 1) * (an + 1) * ((m + 1) * (m + 2) * (m + 3) // 6)
    return ways


def completions(counts: NDArray[np.int64]) -> FloatArray:
    """Return every distinct completed table.

    Parameters
    ----------
    counts : ndarray of int64, shape (3, 3)
        As in `n_completions`.

    Returns
    -------
    ndarray, shape (n, 2, 2)
    """
    (tp, fn, pa), (fp, tn, na), (ap, an, m) = counts.tolist()
    table = np.array([[tp, fn, fp, tn]])
    for n, first, second in ((pa, 0, 1), (na, 2, 3), (ap, 0, 2), (an, 1, 3)):
        table = _spread(table, _splits(n, (first, second)))
    table = _spread(table, _splits(m, (0, 1, 2, 3)))
    return table.reshape(-1, 2, 2).astype(np.float64)


def _spread(tables: NDArray[np.int64], parts: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.unique((tables[:, None] + parts).reshape(-1, 4), axis=0)


def _splits(n: int, cells: tuple[int, ...]) -> NDArray[np.int64]:
    """Return every way to deal n decisions to the cells, shape (ways, 4)."""
    axes = np.meshgrid(*[np.arange(n + 1)] * (len(cells) - 1), indexing="ij")
    dealt = np.stack([axis.ravel() for axis in axes], -1)
    dealt = dealt[dealt.sum(1) <= n]
    out = np.zeros((len(dealt), 4), np.int64)
    out[:, cells[:-1]] = dealt
    out[:, cells[-1]] = n - dealt.sum(1)
    return out
