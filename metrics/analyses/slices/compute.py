"""Agreement in every group that a column makes of the decisions: from ratings and settings to a report."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.agreement.compute import agreement_of
from metrics.analyses.item_weights import column_of
from metrics.analyses.leading import read_first
from metrics.analyses.records import AgreementReport, JudgeReport
from metrics.analyses.settings import Settings, checked, chosen
from metrics.analyses.slices.composition import Mix, kappa_at, mix_of
from metrics.analyses.slices.control_chart import ControlChart, control_chart
from metrics.analyses.slices.group_sizes import too_small
from metrics.analyses.slices.grouping import By, grouping
from metrics.analyses.slices.heterogeneity import REPLICATES, Beside, Groups, Heterogeneity, compared
from metrics.analyses.slices.parts import MOST_CLASSES, SHOWN, Judged, Parts, gauge_of, takes, units_by_item
from metrics.analyses.slices.result import JudgeSlices, Slice, SliceReport, pooled_numbers, undefined_slice
from metrics.analyses.slices.searching import search
from metrics.analyses.slices.studentised import Units
from metrics.analyses.slices.versions import changes_between, steps_between
from metrics.analyses.slices.within_criteria import batches_within, corrected, rate_within, within_criteria
from metrics.analyses.slices.within_units import compared_within
from metrics.data.checks import takes_ratings
from metrics.data.ratings import Ratings

RATES = ("recall", "specificity")
"""Tested beside the leading metric where there are two labels: neither moves with prevalence alone."""


@takes_ratings
def slices(
    ratings: Ratings, by: str | Sequence[str] = (), *, cuts: Sequence[float] = (), find: bool = False, **choices: Any
) -> SliceReport:
    """Return how far each judge agrees with the reference in every group that a column makes.

    Numbers of a group are those of `metrics.agreement` on the file with its rows alone, by the weights of items where the file
    has any; so are the tests, unless intervals leave out the groups of a column. Beside them stands whether the groups
    differ (Cochran's Q, permuted), which one departs from all others (Holm), and each value drawn to the mean of all as far as
    chance explains the distance (DerSimonian and Laird). Groups that follow each other, such as times, runs and versions, stand
    beside the one before, paired where items repeat; each repeated run is a group.

    Parameters
    ----------
    ratings : Ratings
        As `metrics.read` returns them.
    by : str or sequence of str
        A column of the file, or two that are crossed; none where only a search is wanted. Numbers of more than twelve values
        are put into bins of as many items each, times into days, weeks or months, and long texts into bins of their length, as
        `length(column)` does with any.
    cuts : sequence of float
        Upper ends of the bins but the last.
    find : bool
        Whether all columns are searched for groups that depart from the others.
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
    return slices_of(ratings, chosen(ratings, "slices", choices), asked, find=find)


def slices_of(
    ratings: Ratings, settings: Settings, by: Sequence[By], *, find: bool = False, report: AgreementReport | None = None
) -> SliceReport:
    """Return the slices under settings that are made already, as `slices` does.

    Parameters
    ----------
    ratings : Ratings
    settings : Settings
    by : sequence of By
        One or two; none where only a search is wanted.
    find : bool
    report : AgreementReport, optional
        Of these ratings under these settings, where it was made already.

    Raises
    ------
    InputError
        As `slices`.
    """
    settings = checked(ratings, settings)
    whole = report or agreement_of(ratings, settings)
    searches = {name: search(ratings, settings, name) for name in settings.judges} if find else {}
    if not by:
        return SliceReport("", (), (), 0, whole, {}, {}, searches)
    groups = grouping(ratings, by)
    judged = {name: Judged(name, settings, groups) for name in settings.judges}
    judges = {name: _judge(each, whole.judges[name]) for name, each in judged.items()}
    without = 0 if groups.of_item is None else int(groups.ratings.weight[groups.of_item < 0].sum())
    columns = tuple(dict.fromkeys(each.column for each in groups.by))
    return SliceReport(groups.name, columns, groups.values, without, whole, Parts(judged, groups.values), judges, searches)


@dataclass(frozen=True, eq=False)
class _Tested:
    """One judge: its units with their groups, and what each metric is in the groups."""

    by_metric: Mapping[str, Groups]
    small: Mapping[str, Sequence[str]]
    chart: ControlChart | None = None
    within: tuple[Heterogeneity, Sequence[Beside | None]] | None = None
    rates: Mapping[str, Heterogeneity] = field(default_factory=dict)

    def within_of(self, place: int, metric: str) -> Mapping[str, Beside]:
        """Return how one group stands within criteria; empty where nothing tells."""
        beside = None if self.within is None else self.within[1][place]
        return {} if beside is None else {metric: beside}


def _judge(judged: Judged, whole: JudgeReport) -> JudgeSlices:
    """Return one judge in every group, or why it has no number there."""
    reports = [judged.report(place, pooled_only=True) for place in range(judged.n_groups)]
    leading, values = read_first(whole), judged.groups.values
    weights = "" if judged.weights is None else column_of(judged.groups.ratings)
    metrics = (leading, *(key for key in RATES if key in whole.micro))
    tested, mix = _with_criteria(_tested(judged, whole, metrics), judged, leading), mix_of(judged, leading)
    keys = tuple(dict.fromkeys((leading, *(key for key in SHOWN if key in whole.micro))))
    made = [
        undefined_slice(value, keys, metrics, report)
        if isinstance(report, str)
        else _slice(value, place, report, whole, keys, tested, weights, mix)
        for place, (value, report) in enumerate(zip(values, reports, strict=True))
    ]
    tests = {key: tested.by_metric[key].test for key in metrics}
    groups = judged.groups
    # Batches of different items have their chart.
    steps = steps_between(judged, made, leading) if groups.in_order and tested.chart is None else ()
    ranked = _ranked(made, leading, tests[leading])
    within = None if tested.within is None else tested.within[0]
    return JudgeSlices(
        whole.name, leading, ranked, tests, whole, tested.chart, steps, groups.in_file is not None, weights, within, tested.rates
    )


def _with_criteria(tested: _Tested, judged: Judged, metric: str) -> _Tested:
    """Return tests with how the groups that are tested stand within criteria."""
    compared = {key: ~np.isnan(groups.z) for key, groups in tested.by_metric.items()}
    if (found := within_criteria(judged, metric, compared.pop(metric))) is None:
        return tested
    rates = {key: rate for key, those in compared.items() if (rate := rate_within(judged, key, those)) is not None}
    return replace(tested, within=(found[0], corrected(found[1])), rates=rates)


def _slice(
    value: str,
    place: int,
    report: JudgeReport,
    whole: JudgeReport,
    keys: Sequence[str],
    tested: _Tested,
    weights: str,
    mix: Mix,
) -> Slice:
    numbers, found, matched = pooled_numbers(report, weights), tested.by_metric, math.nan
    if len(whole.micro.labels) == 2:
        matched = kappa_at(report, weights, pooled_numbers(whole, weights)["prevalence"].value)
    return Slice(
        value=value,
        n_items=report.n_used or 0,
        n=report.micro.n or 0,
        coverage=report.coverage.coverage,
        estimates={key: numbers[key] for key in keys},
        pooled={key: float(each.pooled[place]) for key, each in found.items()},
        z={key: float(each.z[place]) for key, each in found.items()},
        p={key: float(each.p[place]) for key, each in found.items()},
        small={key: reasons[place] for key, reasons in tested.small.items()},
        matched=matched,
        mixed=float(mix.value[place]),
        lacking=int(mix.lacking[place]),
        only=report.micro.one_sided,
        commonest=_commonest(report),
        within=tested.within_of(place, next(iter(tested.by_metric))),
    )


def _commonest(report: JudgeReport) -> str:
    by_label = np.asarray(report.micro.confusion).sum(1)
    return report.micro.labels[int(by_label.argmax())] if by_label.any() else ""


def _ranked(made: Sequence[Slice], metric: str, test: Heterogeneity) -> tuple[Slice, ...]:
    """Return groups worst first: by the pooled value where it tells groups apart, else by the value; small ones last."""

    def rank(each: Slice) -> tuple[bool, bool, float]:
        value = each[metric].value
        by = each.pooled[metric] if test.tau2 > 0 and not each.small[metric] else value
        return bool(each.small[metric]), math.isnan(value), 0.0 if math.isnan(by) else by

    return tuple(sorted(made, key=rank))


def _tested(judged: Judged, whole: JudgeReport, metrics: Sequence[str]) -> _Tested:
    n_groups, groups = judged.n_groups, judged.groups
    if len(whole.micro.labels) > MOST_CLASSES:
        return _untested(
            f"there are more than {MOST_CLASSES} labels", metrics, {key: [""] * n_groups for key in metrics}, n_groups
        )
    units = judged.units()
    if units is None:
        return _cut(judged, metrics)
    rows, group = units
    each = {key: on_metric(rows, group, n_groups, key) for key in metrics}
    chart = _chart(judged, rows, group, metrics[0]) if groups.in_time else None
    # Of weeks by name without limits each is held against the one before.
    chart = None if chart is not None and chart.why and groups.by[0].kind != "times" else chart
    return _Tested(
        {key: found for key, (_, found) in each.items()},
        {key: reasons for key, (reasons, _) in each.items()},
        chart,
    )


def _chart(judged: Judged, rows: Units, group: NDArray[np.int64], metric: str) -> ControlChart:
    chart = control_chart(rows, group, judged.groups.values, metric, within=partial(batches_within, judged, metric))
    return replace(chart, changes=changes_between(judged.groups))


def _untested(why: str, metrics: Sequence[str], small: Mapping[str, Sequence[str]], n_groups: int) -> _Tested:
    return _Tested(dict.fromkeys(metrics, Groups.untested(why, n_groups)), small)


def _cut(judged: Judged, metrics: Sequence[str]) -> _Tested:
    """Return the same where groups cut through items, or through the clusters that are the unit."""
    decisions, n_groups = judged.decisions(), judged.n_groups
    pieces, group = decisions.units()
    small = {key: too_small(pieces, group, n_groups, key) for key in metrics}
    if judged.handled.multiplicity is not None:
        return _untested("the slices cut through items, and a tally does not hold them one by one", metrics, small, n_groups)
    whole = units_by_item(judged.handled, judged.judge, judged.settings)[0]
    found = {}
    for key in metrics:
        tested = np.array([not reason for reason in small[key]], bool)
        found[key] = compared_within(decisions.taken_by(key), tested, gauge_of(whole.distinct, key))
    return _Tested(found, small)


def on_metric(
    units: Units, group: NDArray[np.int64], n_groups: int, metric: str, *, replicates: int = REPLICATES, seed: int = 0
) -> tuple[list[str], Groups]:
    """Return why each group is too small for the test of a metric, and how it differs between the others.

    Only units that the metric takes are permuted, so that a group keeps as many of the label that TPR or TNR counts.

    Parameters
    ----------
    units : Units
    group : ndarray of int64, shape (n,)
        Of each row of the units, -1 for none.
    n_groups : int
    metric : str
    replicates, seed : int
        Of the permutations.
    """
    small = too_small(units, group, n_groups, metric)
    taken = takes(units, metric)
    rows = Units(units.tables[taken], units.weight[taken])
    tested = np.array([not reason for reason in small], bool)
    return small, compared(rows, group[taken], tested, gauge_of(rows, metric), replicates=replicates, seed=seed)
