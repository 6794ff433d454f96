"""Results of slices: what each judge is in each group, and whether the groups differ."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Literal

import pandas as pd

from metrics.analyses.records import AgreementReport, JudgeReport
from metrics.analyses.slices.control_chart import ControlChart
from metrics.analyses.slices.heterogeneity import Beside, Heterogeneity
from metrics.results.estimate import Estimate, Part
from metrics.results.report import Json, Report, ends_or_none, or_none

TESTED = 0.05
"""Corrected p up to which a group is said to depart from the others."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Slice(Part):
    """One judge in one group.

    Attributes
    ----------
    value : str
        Of the column, or of two joined by “×”.
    n_items, n : int
        Items with a decision that counts, and those decisions.
    coverage : float
        Share of the decisions both sides rated on which both gave a verdict; NaN without any.
    estimates : mapping
        Pooled numbers of the group, as `metrics.agreement` of the file with no other rows gives them; those by weight where the
        items have weights.
    pooled : mapping of str to float
        Key of a metric to its value drawn to the mean of all groups as far as chance explains the distance.
    z, p : mapping of str to float
        Key of a metric to the distance from all other groups in standard errors, and to its p, corrected for the groups.
    small : mapping of str to str
        Key of a metric to why the group is too small for its test; empty where it is not.
    matched : float
        κ that the group's TPR and TNR give at the prevalence of the whole file; NaN where one of them is undefined.
    mixed : float
        The metric that groups are ranked by, with the group's criteria in the shares of the file; NaN where they are in these.
    lacking : int
        Criteria of the file on which the group has no decision.
    why : str
        Why the group has no numbers; empty where it has.
    only : (str, str) or None
        The side that gives one label only in the group, and the label: κ is then 0 by construction.
    commonest : str
        Label that the reference gives most often in the group; empty without a decision.
    within : mapping of str to Beside
        Key of the metric that groups are ranked by to how it stands within criteria; empty of one criterion, and where the group
        is not tested.
    """

    value: str
    n_items: int
    n: int
    coverage: float
    pooled: Mapping[str, float]
    z: Mapping[str, float]
    p: Mapping[str, float]
    small: Mapping[str, str]
    matched: float = math.nan
    mixed: float = math.nan
    lacking: int = 0
    why: str = ""
    only: tuple[str, str] | None = None
    commonest: str = ""
    within: Mapping[str, Beside] = field(default_factory=dict)

    def departs(self, metric: str, level: float = TESTED) -> int:
        """Return −1 where the group lies below all others, 1 where above, 0 where it is not told apart.

        Over several criteria it is told apart only where κ within criteria says the same.
        """
        side = self.departs_pooled(metric, level)
        return side if metric not in self.within or self.within[metric].side(level) == side else 0

    def departs_pooled(self, metric: str, level: float = TESTED) -> int:
        """Return the same of the pooled decisions alone."""
        p = self.p.get(metric, math.nan)
        return 0 if not p <= level else (1 if self.z[metric] > 0 else -1)


@dataclass(frozen=True)
class Step:
    """A group beside the one before it, where groups follow each other.

    Attributes
    ----------
    before, after : str
        The two groups.
    a, b : float
        The metric in each, on the decisions compared.
    difference : Estimate
        That of `after` less that of `before`.
    paired : {"decisions", "units", ""}
        On the decisions that both answered; by the groups of the unit that both have items of; or not, where no item repeats.
    n_shared : int
        Decisions that both answered, or groups of the unit that both have items of.
    """

    before: str
    after: str
    a: float
    b: float
    difference: Estimate
    paired: Literal["decisions", "units", ""]
    n_shared: int

    def to_dict(self) -> Json:
        return {
            "before": self.before, "after": self.after, "a": or_none(self.a), "b": or_none(self.b),
            "difference": or_none(self.difference.value), "interval": ends_or_none(self.difference.ends),
            "undefined": self.difference.why or None, "paired": self.paired or None, "n_shared": self.n_shared,
        }  # fmt: skip


@dataclass(frozen=True, eq=False)
class JudgeSlices:
    """One judge in every group, worst first by the metric its scale is read by.

    Attributes
    ----------
    judge, metric : str
    slices : tuple of Slice
        Those too small to be ranked last.
    tests : mapping of str to Heterogeneity
        Key of a metric to whether it differs between the groups.
    whole : JudgeReport
        All groups together, and the items of none.
    chart : ControlChart or None
        Where the groups follow each other in time: which of them lies outside what the first ones and chance allow.
    steps : tuple of Step
        Where the groups follow each other, as times and versions do: each beside the one before.
    of_runs : bool
        Whether groups are repeated runs of the same decisions; the whole is then the first run of each.
    weights : str
        Column by whose weights items count in numbers, tests and order; empty where each counts once.
    within : Heterogeneity or None
        Whether the same metric differs within criteria; None of one criterion.
    rates : mapping of str to Heterogeneity
        Whether TPR and TNR differ within criteria; empty of one criterion.
    """

    judge: str
    metric: str
    slices: tuple[Slice, ...]
    tests: Mapping[str, Heterogeneity]
    whole: JudgeReport
    chart: ControlChart | None = None
    steps: tuple[Step, ...] = ()
    of_runs: bool = False
    weights: str = ""
    within: Heterogeneity | None = None
    rates: Mapping[str, Heterogeneity] = field(default_factory=dict)

    @property
    def numbers(self) -> Part:
        """Pooled numbers of all groups together."""
        return pooled_numbers(self.whole, self.weights)

    @property
    def in_time(self) -> tuple[Slice, ...]:
        """Groups in the order of time where they follow each other, else worst first."""
        return self.slices if self.chart is None else tuple(self[batch.value] for batch in self.chart.batches)

    @property
    def test(self) -> Heterogeneity:
        """Of the metric that the groups are ranked by."""
        return self.tests[self.metric]

    @property
    def departing(self) -> tuple[Slice, ...]:
        """Groups that are told apart from all others, worst first."""
        return tuple(each for each in self.slices if each.departs(self.metric))

    @property
    def below(self) -> tuple[Slice, ...]:
        """Those of them that lie below the others."""
        return tuple(each for each in self.departing if each.departs(self.metric) < 0)

    @property
    def differs(self) -> bool:
        """Whether the groups together are told apart; over several criteria within these too."""
        return self.test.p <= TESTED and (self.within is None or self.within.p <= TESTED)

    @property
    def apart_pooled(self) -> tuple[Slice, ...]:
        """Groups that the pooled decisions alone tell apart, not κ within criteria."""
        metric = self.metric
        return tuple(each for each in self.slices if each.departs_pooled(metric) and not each.departs(metric))

    def __getitem__(self, value: str) -> Slice:
        """Return the slice of one value."""
        return next(each for each in self.slices if each.value == value)


@dataclass(frozen=True)
class Departing:
    """A group that departs from all others of its column.

    Attributes
    ----------
    by, value : str
        Of the column, and of the group.
    column : str
        In the file.
    estimate : Estimate
        The metric in the group, as the report of its rows alone has it.
    rest : float
        The metric in all other groups together.
    n_items : int
        Items of the group with a decision that counts.
    z, p : float
        Distance from the others in standard errors, and its p, corrected for all groups of all columns.
    matched : float
        κ that the group's TPR and TNR give at the prevalence of all others; NaN for another metric.
    mixed, lacking
        As those of a slice.
    coverage, coverage_of_rest : float
        Of the group, and of all others of the column.
    only : (str, str) or None
        The side that gives one label only in the group, and the label: κ is then 0 by construction.
    within : Beside or None
        The metric within criteria; None of one criterion.
    """

    by: str
    value: str
    column: str
    estimate: Estimate
    rest: float
    n_items: int
    z: float
    p: float
    matched: float
    mixed: float
    lacking: int
    coverage: float
    coverage_of_rest: float
    only: tuple[str, str] | None = None
    within: Beside | None = None


@dataclass(frozen=True)
class Search:
    """What the search came to.

    Attributes
    ----------
    judge, metric : str
    columns : tuple of str
        Columns searched, by their titles.
    n_groups : int
        Groups compared with the rest of their column.
    n_departing : int
        Groups that depart.
    departing : tuple of Departing
        At most five of them, the furthest first; empty where none departs.
    method : {"permutation", "holm", ""}
        Step-down maximum over permutations of whole items, or Holm's correction of normal p values where items are many.
    replicates : int
    """

    judge: str
    metric: str
    columns: tuple[str, ...]
    n_groups: int
    departing: tuple[Departing, ...]
    method: str
    replicates: int
    why: str = ""
    """Why nothing was searched; empty where something was."""
    n_departing: int = 0
    n_apart_pooled: int = 0
    """Groups that the pooled decisions alone tell apart, not κ within criteria."""


@dataclass(frozen=True, eq=False)
class SliceReport(Report):
    """Agreement in every group that a column makes, beside the whole.

    Attributes
    ----------
    by : str
        What the groups are groups of.
    columns : tuple of str
        Columns of the file behind it.
    values : tuple of str
        Groups in the order of their values.
    n_without : int
        Items without a value; they are in the whole alone.
    whole : AgreementReport
    parts : mapping of str to mapping of str to JudgeReport
        Value to the report of every judge that has a decision there.
    judges : mapping of str to JudgeSlices
    searches : mapping of str to Search
        What a search over all columns came to for each judge; empty where none was asked for.
    """

    TEXT, OF = "analyses.slices.tables", "slices"

    by: str
    columns: tuple[str, ...]
    values: tuple[str, ...]
    n_without: int
    whole: AgreementReport
    parts: Mapping[str, Mapping[str, JudgeReport]]
    judges: Mapping[str, JudgeSlices]
    searches: Mapping[str, Search] = field(default_factory=dict)

    def to_dict(self) -> Json:
        """Return the JSON object of `agreement`, with the numbers of every slice and the tests beside it."""
        charts = {name: _charted(judge.chart) for name, judge in self.judges.items() if judge.chart is not None}
        steps = {name: [step.to_dict() for step in judge.steps] for name, judge in self.judges.items() if judge.steps}
        return self.whole.to_dict() | {
            "by": list(self.columns),
            "slices": {value: self._slice(value) for value in self.values},
            "heterogeneity": {name: _tests(judge) for name, judge in self.judges.items()},
            **({"control_chart": charts} if charts else {}),
            **({"steps": steps} if steps else {}),
            "items_without_value": self.n_without,
            **({"search": {name: _searched(found) for name, found in self.searches.items()}} if self.searches else {}),
        }

    def _slice(self, value: str) -> Json:
        of_judge = {name: judge[value] for name, judge in self.judges.items()}
        return {
            "judges": {name: part.to_dict() for name, part in self.parts[value].items()},
            "standing": {name: _standing(each) for name, each in of_judge.items()},
        }

    def to_frame(self) -> pd.DataFrame:
        """Return one row per judge, slice and metric."""
        rows = [
            {
                "judge": name, self.by: each.value, "metric": key, **estimate.cells(), "n": each.n, "n_items": each.n_items,
                "coverage": each.coverage, "pooled": each.pooled.get(key, math.nan), "z": each.z.get(key, math.nan),
                "p_holm": each.p.get(key, math.nan), "too_small": each.small.get(key, ""),
            }
            for name, judge in self.judges.items()
            for each in judge.slices
            for key, estimate in each.estimates.items()
        ]  # fmt: skip
        return pd.DataFrame(rows)


def pooled_numbers(report: JudgeReport, weights: str) -> Part:
    """Return the pooled numbers of a report: by weight where items count so and do not all weigh the same.

    Parameters
    ----------
    report : JudgeReport
    weights : str
        Column of the weights; empty where every item counts once.
    """
    return report.micro if report.weighted is None or not weights else Part(estimates=report.weighted.estimates)


def _tests(judge: JudgeSlices) -> Json:
    tests = dict(judge.tests) | ({} if judge.within is None else {"within_criteria": judge.within})
    tests |= {f"{key}_within_criteria": test for key, test in judge.rates.items()}
    return {key: {name: _plain(value) for name, value in asdict(test).items()} for key, test in tests.items()}


def _charted(chart: ControlChart) -> Json:
    out = {key: _plain(value) for key, value in asdict(chart).items() if key != "batches"}
    return out | {"batches": [{key: _plain(value) for key, value in asdict(batch).items()} for batch in chart.batches]}


def _searched(search: Search) -> Json:
    groups = [
        {
            "column": each.column, "by": each.by, "value": each.value, "n_items": each.n_items,
            search.metric: or_none(each.estimate.value), "interval": ends_or_none(each.estimate.ends),
            "rest": or_none(each.rest), "z": each.z, "p": each.p,
            **({} if each.within is None else {"within_criteria": _beside(each.within)}),
        }
        for each in search.departing
    ]  # fmt: skip
    return {
        "metric": search.metric, "columns": list(search.columns), "n_groups": search.n_groups, "method": search.method or None,
        "replicates": search.replicates, "n_departing": search.n_departing, "n_apart_pooled": search.n_apart_pooled,
        "departing": groups,
    }  # fmt: skip


def _standing(each: Slice) -> Json:
    metrics = {
        key: {
            "pooled": or_none(each.pooled[key]), "z": or_none(each.z[key]), "p": or_none(each.p[key]),
            "too_small": each.small[key] or None,
            **({"within_criteria": _beside(each.within[key])} if key in each.within else {}),
        }
        for key in each.pooled
    }  # fmt: skip
    return {
        "n_items": each.n_items,
        "n": each.n,
        "kappa_matched": or_none(each.matched),
        "at_mix_of_criteria": or_none(each.mixed),
        "criteria_lacking": each.lacking,
        "undefined": each.why or None,
    } | metrics


def _beside(each: Beside) -> Json:
    return {key: or_none(value) for key, value in asdict(each).items()}


def _plain(value: object) -> object:
    return or_none(value) if isinstance(value, float) else value


def undefined_slice(value: str, keys: tuple[str, ...], metrics: tuple[str, ...], why: str) -> Slice:
    """Return a group that a judge has no decision in."""
    nothing = dict.fromkeys(metrics, math.nan)
    return Slice(
        value=value, n_items=0, n=0, coverage=math.nan, estimates={key: Estimate(math.nan, why=why) for key in keys},
        pooled=nothing, z=nothing, p=nothing, small=dict.fromkeys(metrics, why), why=why,
    )  # fmt: skip
