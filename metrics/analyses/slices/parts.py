"""The parts of a file that slices are made of: the ratings of a group and their report, and the units with their groups."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from metrics.analyses.agreement.compute import judge_report
from metrics.analyses.item_weights import item_weights
from metrics.analyses.records import JudgeReport
from metrics.analyses.settings import Settings, checked
from metrics.analyses.slices.grouping import Grouping
from metrics.analyses.slices.studentised import Gauge, Kinds, Units
from metrics.data.abstention import class_of_state, mode_labels
from metrics.data.item_columns import Codes
from metrics.data.memo import memoised
from metrics.data.pairs import cells_of, patterns_of, reference_states, verdicts, with_times
from metrics.data.part import on_ratings
from metrics.data.patterns import dense_rank
from metrics.data.ratings import Ratings
from metrics.data.unique_items import kind_of_items, kinds_of
from metrics.errors import InputError
from metrics.intervals.cluster import clusters_of
from metrics.intervals.items import pattern_tables
from metrics.measures.arrays import FloatArray
from metrics.measures.catalogue import BY_KEY

ELSEWHERE = "in another slice"
SHOWN = (
    "kappa", "kappa_within", "accuracy", "baseline_accuracy", "recall", "specificity", "drift", "prevalence",
    "predicted_prevalence",
)  # fmt: skip
"""Numbers of a slice behind the one it is read by, where its tables have them."""
MOST_CLASSES = 7
"""Classes up to which groups are tested: what is summed for a group grows with the fourth power of them."""
FEWEST_MERGED, LEAST_MERGED = 2_000, 4
"""Items of a file, and items for each kind of them, from which on a group is taken out of the kinds and not of the rows."""


def part_of(groups: Grouping, place: int, reason: str = ELSEWHERE) -> Ratings:
    """Return the ratings of one group, as if the file held no others.

    Parameters
    ----------
    groups : Grouping
    place : int
        Of the group in its values.
    reason : str
        Why the rows of the others are left out; empty where nobody counts them.
    """
    return on_ratings(groups.ratings, groups.ratings_of[place], _runs_of(groups, place), reason)


@dataclass(frozen=True, eq=False)
class _Merged:
    """Identical items as one, and how many of each kind there are in every group, shape (G, P)."""

    kinds: Ratings
    times: NDArray[np.int64]
    judge: str
    reference: str

    @classmethod
    def of(cls, groups: Grouping, judge: str, reference: str) -> _Merged | None:
        """Return the kinds of the items; None where they are hardly fewer, and where more than labels is asked of items."""
        ratings, of_item = groups.ratings, groups.of_item
        alone = ratings.score is not None or ratings.runs is not None or item_weights(ratings) is not None
        if of_item is None or alone or ratings.n_unique < FEWEST_MERGED:
            return None
        kinds, kind = memoised(ratings, ("kinds in groups", judge, reference), lambda: _kinds(ratings, judge, reference))
        if kinds.n_unique * LEAST_MERGED > ratings.n_unique:
            return None
        width = len(groups.values) + 1
        times = np.bincount(kind * width + of_item + 1, weights=ratings.weight, minlength=kinds.n_unique * width)
        return cls(kinds, times.astype(np.int64).reshape(-1, width)[:, 1:].T, judge, reference)

    @cached_property
    def _whole(self) -> NDArray[np.bool_]:
        """Which groups have every criterion, rater and label, shape (G,)."""
        kinds, there = self.kinds, self.times.T > 0
        axes = (kinds.criterion, kinds.criteria), (kinds.rater, kinds.raters), (kinds.label, kinds.labels)
        ones = np.ones(len(kinds.item))
        found = [csr_array((ones, (codes, kinds.item)), (len(names), len(there))) @ there for codes, names in axes]
        return np.asarray(np.all([(counts > 0).all(0) for counts in found], axis=0))

    def part(self, place: int) -> Ratings:
        """Return the items of one group."""
        if self._whole[place]:
            return with_times(self.kinds, self.times[place], self.judge, self.reference)
        own = replace(self.kinds, multiplicity=self.times[place], memo={})
        return on_ratings(own, np.flatnonzero(self.times[place][own.item] > 0), None, "")


def _kinds(ratings: Ratings, judge: str, reference: str) -> tuple[Ratings, NDArray[np.int64]]:
    """Return one item of each kind, and the kind of every item.

    Where a judge and one human alone rated, and no two labels mean the same, these are the patterns of the judge, known already.
    """
    states = ratings.scheme.states(ratings.labels)
    distinct = len(set(states.tolist())) == len(states) and int(states.max(initial=0)) < ratings.scheme.end_of_rated
    if len(ratings.raters) != 2 or not distinct:
        return kinds_of(ratings), kind_of_items(ratings)
    pattern = patterns_of(ratings, judge, reference).of_item
    example = np.full(int(pattern.max(initial=-1)) + 1, -1, np.int64)
    example[pattern] = np.arange(len(pattern))
    is_example = np.zeros(len(pattern), bool)
    is_example[example] = True
    kinds = on_ratings(ratings, np.flatnonzero(is_example[ratings.item]), None, "")
    return kinds, (np.cumsum(is_example) - 1)[example][pattern]


def _merged_of(groups: Grouping, judge: str, reference: str) -> _Merged | None:
    """Return the kinds of items in every group, kept with the ratings."""
    key = ("merged in groups", *groups.by, judge, reference)
    return memoised(groups.ratings, key, lambda: _Merged.of(groups, judge, reference))


def _runs_of(groups: Grouping, place: int) -> NDArray[np.bool_] | None:
    ratings = groups.ratings
    if ratings.runs is None:
        return None
    if groups.of_item is not None:
        return np.asarray(groups.of_item[ratings.runs.item] == place)
    cells = cells_of(ratings)
    group = np.full((ratings.n_unique, len(ratings.criteria)), -1, np.int64)
    group[ratings.item, ratings.criterion] = groups.of_rating[np.arange(len(cells.of_rating))]
    return np.asarray(group[ratings.runs.item, ratings.runs.criterion] == place)


@dataclass(frozen=True, eq=False)
class DecisionCells:
    """Decisions on which a judge and the reference both count, one to a place.

    Attributes
    ----------
    item, criterion : ndarray of int64, shape (n,)
    cell : ndarray of int64, shape (n,)
        Reference · K + judge.
    group : ndarray of int64, shape (n,)
        -1 for none.
    k : int
        Classes K.
    """

    item: NDArray[np.int64]
    criterion: NDArray[np.int64]
    cell: NDArray[np.int64]
    group: NDArray[np.int64]
    k: int


@dataclass(frozen=True, eq=False)
class Judged:
    """One judge in the groups of a column, under the settings of the report.

    Attributes
    ----------
    judge : str
    settings : Settings
    groups : Grouping
    """

    judge: str
    settings: Settings
    groups: Grouping

    @property
    def handled(self) -> Ratings:
        """Ratings with answers that are no verdicts counted as the settings say."""
        return self.settings.on(self.groups.ratings)

    @property
    def n_groups(self) -> int:
        return len(self.groups.values)

    @property
    def weights(self) -> FloatArray | None:
        """Weight of every item; None where each counts once."""
        return item_weights(self.groups.ratings)

    def report(self, place: int, *, pooled_only: bool = False) -> JudgeReport | str:
        """Return the report of a group, by its place among the values, or why there is none; or its pooled `SHOWN` alone."""
        merged = None if self.settings.by_column else _merged_of(self.groups, self.judge, self.settings.reference)
        part = part_of(self.groups, place, "") if merged is None else merged.part(place)
        if self.judge not in part.judges:
            return "this judge rated nothing here"
        try:
            settings = checked(part, _among(self.settings, part.criteria, self.judge))
            report = judge_report(part, self.judge, settings, only=SHOWN if pooled_only else None)
        except InputError as error:
            return str(error)
        return report if report.coverage.n_total or report.micro.n else "no decision was rated by both sides"

    def clusters(self) -> NDArray[np.int64] | None:
        """Return what every item is kept with: a group of the unit, or the item that it is a run of; None where alone."""
        if self.settings.by_column:
            return clusters_of(self.handled, self.settings.unit).of_item
        return self.groups.in_file

    def cells(self) -> DecisionCells:
        """Return the decisions on which judge and reference both count."""
        ratings = self.handled
        scheme, mode = ratings.scheme, self.settings.abstention
        place, k = class_of_state(scheme, mode), len(mode_labels(scheme, mode))
        cells = cells_of(ratings)
        group = np.full(len(cells), -1, np.int64)
        group[cells.of_rating] = self.groups.of_rating
        row, column = place[reference_states(ratings, self.settings.reference)], place[verdicts(ratings, self.judge, "judge")]
        kept = np.flatnonzero((row >= 0) & (column >= 0))
        item, criterion = cells.item[kept].astype(np.int64), cells.criterion[kept].astype(np.int64)
        return DecisionCells(item, criterion, row[kept] * k + column[kept], group[kept], k)

    def decisions(self) -> Decisions:
        """Return the decisions that count, with the unit and the group of each; all ratings of a decision have one group."""
        cells, clusters = self.cells(), self.clusters()
        _, unit = np.unique(cells.item if clusters is None else clusters[cells.item], return_inverse=True)
        weights = None if self.weights is None else self.weights[cells.item]
        return Decisions(unit, cells.cell, cells.group, cells.k, weights)

    def units(self) -> tuple[Units, NDArray[np.int64]] | None:
        """Return the units, identical ones of a group merged, and their groups; None where groups cut through units."""
        of_item, ratings, settings = self.groups.of_item, self.handled, self.settings
        if of_item is None or (self.groups.in_file is not None and not settings.by_column):
            return None
        if settings.by_column and not (clusters := clusters_of(ratings, settings.unit)).single:
            units, items = units_by_item(ratings, self.judge, settings)
            return clustered(units.each(), clusters.of_item[items], clusters.n, of_item[items])
        if self.weights is not None:
            units, items = units_by_item(ratings, self.judge, settings)
            return units.each(), of_item[items].astype(np.int64)
        patterns = patterns_of(ratings, self.judge, settings.reference)
        tables = pattern_tables(patterns, ratings.scheme, settings.abstention)
        n_groups = int(of_item.max(initial=-1)) + 2
        pair = patterns.of_item * n_groups + of_item + 1
        if not (counts := tables.sum((1, 2)) > 0).all():
            pair, own = pair[counts[patterns.of_item]], ratings.weight[counts[patterns.of_item]]
        else:
            own = ratings.weight
        distinct, which = dense_rank(pair, len(tables) * n_groups)
        weight = np.bincount(which, weights=own, minlength=len(distinct)).astype(np.int64)
        return Units(tables[distinct // n_groups], weight), distinct % n_groups - 1


def _among(settings: Settings, criteria: Sequence[str], judge: str) -> Settings:
    """Return the settings for one judge, with the weights of the criteria that are there."""
    weights = tuple((name, weight) for name, weight in settings.item_rule.weights if name in criteria)
    left = {**dict.fromkeys(criteria, 1.0), **dict(weights)}
    rule = replace(settings.item_rule, weights=weights if max(left.values()) > 0 else ())
    return replace(settings, judges=(judge,), item_rule=rule)


def gauge_of(units: Units, metric: str) -> Gauge:
    """Return how a metric of groups of these units is measured."""
    record = BY_KEY[metric]
    transform = record.transform if record.transform in ("logit", "fisher") else None
    return Gauge.of(units.moments().T @ units.weight, record.function, transform, units.k)


def takes(units: Units, metric: str) -> NDArray[np.bool_]:
    """Return which units have a decision that a metric counts: of TPR those with a reference positive, shape (n,)."""
    by_label = units.tables.sum(2)
    needed = {"recall": by_label[:, 0], "specificity": by_label[:, 1]}.get(metric, by_label.sum(1))
    return np.asarray(needed > 0)


@dataclass(frozen=True, eq=False)
class Parts(Mapping[str, Mapping[str, JudgeReport]]):
    """The reports of all judges in every group, each made when it is asked for: a page shows the pooled numbers alone.

    Attributes
    ----------
    judged : mapping of str to Judged
        By their judges, in the same groups.
    groups : tuple of str
    """

    judged: Mapping[str, Judged]
    groups: tuple[str, ...]

    @cached_property
    def _made(self) -> dict[str, dict[str, JudgeReport]]:
        return {}

    def __getitem__(self, value: str) -> Mapping[str, JudgeReport]:
        if value not in self._made:
            reports = {name: each.report(self.groups.index(value)) for name, each in self.judged.items()}
            self._made[value] = {name: part for name, part in reports.items() if not isinstance(part, str)}
        return self._made[value]

    def __iter__(self) -> Iterator[str]:
        return iter(self.groups)

    def __len__(self) -> int:
        return len(self.groups)


@dataclass(frozen=True, eq=False)
class Decisions:
    """Decisions of a judge that count, where groups cut through what is kept together.

    Attributes
    ----------
    unit : ndarray of int64, shape (n,)
        Item or cluster of each, from 0.
    cell : ndarray of int64, shape (n,)
        Reference · K + judge.
    group : ndarray of int64, shape (n,)
        From 0; -1 for none.
    k : int
    weight : ndarray of float64, shape (n,), or None
        Of the item of each; None where each counts once.
    """

    unit: NDArray[np.int64]
    cell: NDArray[np.int64]
    group: NDArray[np.int64]
    k: int
    weight: FloatArray | None = None

    def taken_by(self, metric: str) -> Decisions:
        """Return the decisions that a metric counts: of TPR those with a reference positive."""
        label = {"recall": 0, "specificity": 1}.get(metric)
        kept = np.ones(len(self.cell), bool) if label is None else self.cell // self.k == label
        weight = None if self.weight is None else self.weight[kept]
        return Decisions(self.unit[kept], self.cell[kept], self.group[kept], self.k, weight)

    def units(self) -> tuple[Units, NDArray[np.int64]]:
        """Return what every unit has of each group, as if these were units of their own, and their groups."""
        size = self.k**2
        n_groups = int(self.group.max(initial=-1)) + 2
        piece, which = np.unique(self.unit * n_groups + self.group + 1, return_inverse=True)
        tables = np.bincount(which * size + self.cell, minlength=len(piece) * size).reshape(-1, self.k, self.k)
        return Units(tables.astype(np.float64), np.ones(len(piece), np.int64)), piece % n_groups - 1


def units_by_item(ratings: Ratings, judge: str, settings: Settings) -> tuple[Kinds, NDArray[np.int64]]:
    """Return the items of a judge that have a decision that counts, and their places among the items.

    The tables of items with weights are as large as their items weigh, where all of them together weigh as much as they are.

    Parameters
    ----------
    ratings : Ratings
    judge : str
    settings : Settings
    """
    patterns = patterns_of(ratings, judge, settings.reference)
    tables = pattern_tables(patterns, ratings.scheme, settings.abstention)
    kept = np.flatnonzero((tables.sum((1, 2)) > 0)[patterns.of_item])
    of_item, times, weights = patterns.of_item[kept].astype(np.int64), ratings.weight[kept], item_weights(ratings)
    if weights is None or not len(kept):
        return Kinds.of(tables, of_item, times), kept
    own, place = np.unique(weights[kept] * times.sum() / (weights[kept] @ times), return_inverse=True)
    key, kind = np.unique(of_item * len(own) + place, return_inverse=True)
    pattern, of_weight = np.divmod(key, len(own))
    return Kinds.of(tables[pattern] * own[of_weight, None, None], kind, times), kept


def clustered(units: Units, cluster: NDArray[np.int64], n: int, of_item: Codes) -> tuple[Units, NDArray[np.int64]] | None:
    """Return whole clusters as units, and their groups; None where one holds items of several groups.

    Parameters
    ----------
    units : Units
        Items, one to a row.
    cluster : ndarray of int64, shape (n_items,)
        Of each item, below `n`.
    n : int
    of_item : ndarray of int, shape (n_items,)
        Group of each item, -1 for none.
    """
    group = np.full(n, -2, np.int64)
    group[cluster] = of_item
    if (group[cluster] != of_item).any():
        return None
    cells = units.tables.reshape(len(of_item), units.k**2) * units.weight[:, None]
    summed = np.stack([np.bincount(cluster, weights=column, minlength=n) for column in cells.T], axis=1)
    there = summed.sum(1) > 0
    return Units(summed[there].reshape(-1, units.k, units.k), np.ones(int(there.sum()), np.int64)), group[there]
