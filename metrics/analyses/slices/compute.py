"""Agreement in every group that a column makes of the decisions: from ratings and settings to a report."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.agreement.compute import agreement_of, judge_report
from metrics.analyses.leading import read_first
from metrics.analyses.prevalence.power import carried
from metrics.analyses.records import JudgeReport
from metrics.analyses.settings import Settings, checked, settings_of
from metrics.analyses.slices.grouping import By, Grouping, grouping
from metrics.analyses.slices.heterogeneity import Groups, Heterogeneity, compared
from metrics.analyses.slices.result import JudgeSlices, Slice, SliceReport, undefined_slice
from metrics.analyses.slices.studentised import Gauge, Units
from metrics.data.aggregation import ItemRule
from metrics.data.memo import memoised
from metrics.data.pairs import cells_of, patterns_of
from metrics.data.part import on_ratings
from metrics.data.ratings import Ratings
from metrics.errors import InputError
from metrics.intervals.cluster import clusters_of
from metrics.intervals.jackknife import pattern_tables
from metrics.measures.catalogue import BY_KEY
from metrics.measures.coefficients import cohen_kappa

ELSEWHERE = "in another slice"
FEWEST_ITEMS, FEWEST_OF_LABEL = 10, 5
"""Items of a group, and those of a label that a metric needs, below which it is not tested nor ranked."""
SHOWN = ("kappa", "kappa_within", "accuracy", "recall", "specificity", "drift", "prevalence", "predicted_prevalence")
"""Numbers of a slice behind the one it is read by, where its tables have them."""
RATES = ("recall", "specificity")
"""Tested beside the leading metric where there are two labels: neither moves with prevalence alone."""


def slices(ratings: Ratings, by: str | Sequence[str], *, cuts: Sequence[float] = (), **choices: Any) -> SliceReport:
    """Return how far each judge agrees with the reference in every group that a column makes.

    Numbers of a group are those of `metrics.agreement` on the file with its rows alone. Beside them stands whether the groups
    differ (Cochran's Q, permuted), which one departs from all others (Holm), and each value drawn to the mean of all as far as
    chance explains the distance (DerSimonian and Laird).

    Parameters
    ----------
    ratings : Ratings
        As `metrics.read` returns them.
    by : str or sequence of str
        A column of the file, or two that are crossed. Numbers of more than twelve values are put into bins of as many items
        each, times into days, weeks or months, and long texts into bins of their length, as `length(column)` does with any.
    cuts : sequence of float
        Upper ends of the bins but the last.
    **choices
        As `metrics.agreement` takes them.

    Returns
    -------
    SliceReport

    Raises
    ------
    InputError
        For an unknown column, one whose values differ between the raters of a decision, and as `metrics.agreement`.
    """
    asked = [By.of(text, cuts) for text in ([by] if isinstance(by, str) else by)]
    return slices_of(ratings, settings_of(ratings, **choices), asked)


def slices_of(ratings: Ratings, settings: Settings, by: Sequence[By]) -> SliceReport:
    """Return the slices under settings that are made already, as `slices` does.

    Raises
    ------
    InputError
        As `slices`.
    """
    settings = checked(ratings, settings)
    whole = agreement_of(ratings, settings)
    groups = grouping(ratings, by)
    parts = {value: _reports(ratings, groups, place, settings) for place, value in enumerate(groups.values)}
    judges = {name: _judge(ratings, settings, groups, whole.judges[name], parts) for name in settings.judges}
    known = {
        value: {name: part for name, part in reports.items() if not isinstance(part, str)} for value, reports in parts.items()
    }
    without = 0 if groups.of_item is None else int(ratings.weight[groups.of_item < 0].sum())
    columns = tuple(dict.fromkeys(each.column for each in groups.by))
    return SliceReport(groups.name, columns, groups.values, without, whole, known, judges)


def part_of(ratings: Ratings, groups: Grouping, place: int) -> Ratings:
    """Return the ratings of one group, as if the file held no others.

    Parameters
    ----------
    ratings : Ratings
    groups : Grouping
        Of these ratings.
    place : int
        Of the group in its values.
    """

    def part() -> Ratings:
        return on_ratings(ratings, groups.of_rating == place, _runs_of(ratings, groups, place), ELSEWHERE)

    return memoised(ratings, ("slice", groups.by, place), part)


def _runs_of(ratings: Ratings, groups: Grouping, place: int) -> NDArray[np.bool_] | None:
    if ratings.runs is None:
        return None
    if groups.of_item is not None:
        return np.asarray(groups.of_item[ratings.runs.item] == place)
    cells = cells_of(ratings)
    group = np.full((ratings.n_unique, len(ratings.criteria)), -1, np.int64)
    group[ratings.item, ratings.criterion] = groups.of_rating[np.arange(len(cells.of_rating))]
    return np.asarray(group[ratings.runs.item, ratings.runs.criterion] == place)


def _reports(ratings: Ratings, groups: Grouping, place: int, settings: Settings) -> dict[str, JudgeReport | str]:
    """Return the report of every judge on one group, or why there is none."""
    part = part_of(ratings, groups, place)
    weights = tuple((name, weight) for name, weight in settings.item_rule.weights if name in part.criteria)
    rule = replace(settings.item_rule, weights=weights) if any(weight > 0 for _, weight in weights) else ItemRule()
    asked = replace(settings, item_rule=rule if settings.item_rule.weights else settings.item_rule)
    out: dict[str, JudgeReport | str] = {}
    for name in settings.judges:
        if name not in part.judges:
            out[name] = "this judge rated nothing here"
            continue
        try:
            report = judge_report(part, name, checked(part, replace(asked, judges=(name,))))
        except InputError as error:
            out[name] = str(error)
            continue
        out[name] = report if report.coverage.n_total or report.micro.n else "no decision was rated by both sides"
    return out


@dataclass(frozen=True, eq=False)
class _Tested:
    """One judge: its units with their groups, and what each metric is in the groups."""

    by_metric: Mapping[str, Groups]
    small: Mapping[str, Sequence[str]]


def _judge(
    ratings: Ratings,
    settings: Settings,
    groups: Grouping,
    whole: JudgeReport,
    parts: Mapping[str, Mapping[str, JudgeReport | str]],
) -> JudgeSlices:
    leading = read_first(whole)
    metrics = (leading, *(key for key in RATES if key in whole.micro))
    tested = _tested(ratings, settings, groups, whole, metrics)
    keys = tuple(dict.fromkeys((leading, *(key for key in SHOWN if key in whole.micro))))
    reports = [parts[value][whole.name] for value in groups.values]
    made = [
        undefined_slice(value, keys, metrics, report)
        if isinstance(report, str)
        else _slice(value, place, report, whole, keys, tested)
        for place, (value, report) in enumerate(zip(groups.values, reports, strict=True))
    ]
    tests = {key: tested.by_metric[key].test for key in metrics}
    return JudgeSlices(whole.name, leading, _ranked(made, leading, tests[leading]), tests, whole)


def _slice(value: str, place: int, report: JudgeReport, whole: JudgeReport, keys: Sequence[str], tested: _Tested) -> Slice:
    micro = report.micro
    found = tested.by_metric
    matched = math.nan
    if len(micro.labels) == 2 and len(whole.micro.labels) == 2:
        table = carried(micro["recall"].value, 1 - micro["specificity"].value, whole.micro["prevalence"].value)
        matched = float(cohen_kappa(table)) if np.isfinite(table).all() else math.nan
    return Slice(
        value=value,
        n_items=report.n_used or 0,
        n=micro.n or 0,
        coverage=report.coverage.coverage,
        estimates={key: micro[key] for key in keys},
        pooled={key: float(each.pooled[place]) for key, each in found.items()},
        z={key: float(each.z[place]) for key, each in found.items()},
        p={key: float(each.p[place]) for key, each in found.items()},
        small={key: reasons[place] for key, reasons in tested.small.items()},
        matched=matched,
    )


def _ranked(made: Sequence[Slice], metric: str, test: Heterogeneity) -> tuple[Slice, ...]:
    """Return groups worst first: by the pooled value where it tells groups apart, else by the value; small ones last."""

    def rank(each: Slice) -> tuple[bool, bool, float]:
        value = each[metric].value
        by = each.pooled[metric] if test.tau2 > 0 and not each.small[metric] else value
        return bool(each.small[metric]), math.isnan(value), 0.0 if math.isnan(by) else by

    return tuple(sorted(made, key=rank))


def _tested(ratings: Ratings, settings: Settings, groups: Grouping, whole: JudgeReport, metrics: Sequence[str]) -> _Tested:
    n_groups = len(groups.values)
    units = None if groups.of_item is None else _units(settings.on(ratings), whole.name, settings, groups.of_item)
    if units is None:
        what = "items" if groups.of_item is None else f"groups by ‘{settings.unit}’"
        why = f"the slices cut through {what}"
        nothing = np.full(n_groups, math.nan)
        test = Heterogeneity(math.nan, 0, math.nan, "", 0, math.nan, math.nan, why)
        none = Groups(test, nothing, nothing, nothing)
        return _Tested(dict.fromkeys(metrics, none), {key: [""] * n_groups for key in metrics})
    rows, group = units
    by_metric, small = {}, {}
    for key in metrics:
        small[key] = too_small(rows, group, n_groups, key)
        gauge = gauge_of(rows, key)
        by_metric[key] = compared(rows, group, np.array([not reason for reason in small[key]]), gauge)
    return _Tested(by_metric, small)


def gauge_of(units: Units, metric: str) -> Gauge:
    """Return how a metric of groups of these units is measured."""
    record = BY_KEY[metric]
    transform = record.transform if record.transform in ("logit", "fisher") else None
    return Gauge.of(units.moments().T @ units.weight, record.function, transform, units.k)


def too_small(units: Units, group: NDArray[np.int64], n_groups: int, metric: str) -> list[str]:
    """Return why each group is too small for a test of a metric; empty where it is not.

    Parameters
    ----------
    units : Units
    group : ndarray of int64, shape (n,)
        Of each row of the units, -1 for none.
    n_groups : int
    metric : str
    """
    with_label = units.tables.sum(2) > 0
    place = np.where(group < 0, n_groups, group)
    counts = np.stack(
        [np.bincount(place, weights=units.weight * column, minlength=n_groups + 1)[:n_groups] for column in with_label.T], 1
    )
    n_items = np.bincount(place, weights=units.weight, minlength=n_groups + 1)[:n_groups]
    needed = {"recall": counts[:, :1], "specificity": counts[:, 1:2], "accuracy": np.zeros((n_groups, 0))}
    rare = -np.sort(-counts, axis=1)[:, 1:2]
    least = needed.get(metric, rare)
    return [_why_small(int(n), [int(count) for count in labels]) for n, labels in zip(n_items, least, strict=True)]


def _why_small(n: int, labels: Sequence[int]) -> str:
    if n < FEWEST_ITEMS:
        return f"{n} {'item' if n == 1 else 'items'}"
    rare = [count for count in labels if count < FEWEST_OF_LABEL]
    return f"{rare[0]} {'item' if rare[0] == 1 else 'items'} of a reference label" if rare else ""


def _units(
    ratings: Ratings, judge: str, settings: Settings, of_item: NDArray[np.int64]
) -> tuple[Units, NDArray[np.int64]] | None:
    """Return the units of a judge, identical ones of a group merged, and their groups; None where groups cut through units."""
    patterns = patterns_of(ratings, judge, settings.reference)
    tables = pattern_tables(patterns, ratings.scheme, settings.abstention)
    if settings.by_column:
        clusters = clusters_of(ratings, settings.unit)
        if not clusters.single:
            return _clustered(tables[patterns.of_item], clusters.of_item, clusters.n, of_item, ratings.weight)
    pair = patterns.of_item * (int(of_item.max(initial=-1)) + 2) + of_item + 1
    kept = np.flatnonzero(tables.sum((1, 2))[patterns.of_item] > 0)
    distinct, first, which = np.unique(pair[kept], return_index=True, return_inverse=True)
    weight = np.bincount(which, weights=ratings.weight[kept], minlength=len(distinct)).astype(np.int64)
    example = kept[first]
    return Units(tables[patterns.of_item[example]], weight), of_item[example]


def _clustered(
    tables: NDArray[np.float64],
    cluster: NDArray[np.int64],
    n: int,
    of_item: NDArray[np.int64],
    weight: NDArray[np.int64],
) -> tuple[Units, NDArray[np.int64]] | None:
    """Return whole clusters as units; None where one holds items of several groups."""
    group = np.full(n, -2, np.int64)
    group[cluster] = of_item
    if (group[cluster] != of_item).any():
        return None
    cells = tables.reshape(len(tables), -1) * weight[:, None]
    summed = np.stack([np.bincount(cluster, weights=column, minlength=n) for column in cells.T], axis=1)
    there = summed.sum(1) > 0
    return Units(summed[there].reshape(-1, *tables.shape[1:]), np.ones(int(there.sum()), np.int64)), group[there]
