"""No verdict as a third answer: weighted kappa under any cost of it, and along the line from one label to the other."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.agreement.decisions import item_verdicts_of
from metrics.analyses.evaluation import own_intervals
from metrics.analyses.report_intervals import Tallied
from metrics.analyses.settings import Settings
from metrics.data.abstention import apply_mode, mode_labels
from metrics.data.aggregation import Level, item_table
from metrics.data.pairs import patterns_of
from metrics.data.ratings import Ratings
from metrics.intervals.default import Unit, macro_intervals, micro_intervals
from metrics.measures.arrays import FloatArray, mean_where_defined
from metrics.measures.catalogue import NO_COST, WEIGHTED_KAPPA
from metrics.measures.coefficients import weighted_kappa
from metrics.measures.cost_matrices import COSTS, Cost, cost_of, slide_cost
from metrics.measures.metric import why_undefined
from metrics.measures.transforms import Interval
from metrics.results.estimate import Estimate

# Steps of 0.05 from 0 to 1.
STEPS = 20
NEAR = 0.005
"""Values nearer than this are written alike."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighted(Estimate):
    """Weighted kappa under one cost matrix."""

    cost: Cost


@dataclass(frozen=True)
class CostPath:
    """Weighted kappa as no verdict goes from "as good as negative" (0) to "as good as positive" (1).

    Attributes
    ----------
    along : tuple of (s, Weighted)
    presets : mapping of preset to Weighted
    table : ndarray of int64, shape (3, 3)
        Of the level; at macro level of all criteria pooled.
    """

    along: tuple[tuple[float, Weighted], ...]
    presets: Mapping[str, Weighted]
    labels: tuple[str, str, str]
    table: NDArray[np.int64]
    confidence: float

    @property
    def defined(self) -> bool:
        return any(not math.isnan(point.value) for _, point in self.along)

    @property
    def nothing_open(self) -> bool:
        """Neither side left a decision open, so that the third answer does not occur."""
        return not self.table[2].any() and not self.table[:, 2].any()


def slide_of(ratings: Ratings, judge: str, settings: Settings, level: Level) -> CostPath:
    """Return the line and the presets for one judge at one level.

    Parameters
    ----------
    ratings : Ratings
    judge : str
    settings : Settings
        Of it all that the tables and their intervals rest on but the abstention mode: no verdict is always a third answer.
    level : {"micro", "macro", "item"}

    Returns
    -------
    Slide
        A value is NaN, and says why, where κ is undefined.

    Raises
    ------
    InputError
        As `metrics.data.pairs.reference_name`, and as `metrics.intervals.cluster.clusters_of` where the unit is a column.
    """
    settings = replace(settings, abstention="as_category")
    stops = {f"{place / STEPS:g}": slide_cost(place / STEPS) for place in range(STEPS + 1)}
    costs = {name: cost_of(cost) for name, cost in stops.items()} | {name: cost_of(name) for name in COSTS}
    counted = _Counted.of(ratings, judge, settings, level)
    weighted_by_preset = counted.weighted(costs)
    labels = mode_labels(settings.on(ratings).scheme, "as_category")
    return CostPath(
        along=tuple((float(name), weighted_by_preset[name]) for name in stops),
        presets={name: weighted_by_preset[name] for name in COSTS},
        labels=(labels[0], labels[1], labels[2]),
        table=counted.tables.sum(0).astype(np.int64),
        confidence=settings.confidence,
    )


def weighted_at(ratings: Ratings, judge: str, settings: Settings, level: Level, cost: Cost) -> Weighted:
    """Return weighted kappa under one matrix, with its default interval.

    Parameters
    ----------
    ratings, judge, settings, level
        As in `slide_of`.
    cost : tuple, 3 x 3
        As from `cost_of`.

    Raises
    ------
    InputError
        As `slide_of`.
    """
    counted = _Counted.of(ratings, judge, replace(settings, abstention="as_category"), level)
    return counted.weighted({"own": cost})["own"]


@dataclass(frozen=True, eq=False)
class _Counted:
    """Tables of one level in three classes, and the units that are left out one at a time."""

    tables: FloatArray
    labels: tuple[str, ...]
    level: Level
    confidence: float
    tallied: Tallied

    @staticmethod
    def of(ratings: Ratings, judge: str, settings: Settings, level: Level) -> _Counted:
        ratings = settings.on(ratings)
        scheme, mode = ratings.scheme, settings.abstention
        patterns = patterns_of(ratings, judge, settings.reference)
        tables = apply_mode(patterns.raw, scheme, mode)
        if level == "item":
            tables = _items(ratings, judge, settings)[None]
        tallied = Tallied.of(ratings, patterns, settings, settings.item_rule if ratings.has_items else None)
        return _Counted(tables.astype(np.float64), mode_labels(scheme, mode), level, settings.confidence, tallied)

    def weighted(self, costs: Mapping[str, Cost]) -> dict[str, Weighted]:
        functions = {f"weighted_kappa:{name}": partial(weighted_kappa, weights=cost) for name, cost in costs.items()}
        columns = {key: function(self.tables) for key, function in functions.items()}
        if self.level == "macro":
            values = {key: mean_where_defined(column)[0] for key, column in columns.items()}
        else:
            values = {key: float(function(self.tables.sum(0))) for key, function in functions.items()}
        intervals = self._intervals(functions, values, columns)
        return {
            name: Weighted(values[key], intervals.get(key), self._reason() if math.isnan(values[key]) else "", cost=cost)
            for (name, cost), key in zip(costs.items(), functions, strict=True)
        }

    def _intervals(
        self, functions: Mapping[str, partial[FloatArray]], values: Mapping[str, float], columns: Mapping[str, FloatArray]
    ) -> Mapping[str, Interval]:
        if len(self.tables) == 1:
            return self._alone(0, functions, values)
        units = self.tallied.units
        if self.level == "micro":
            return micro_intervals(Unit(units, self.tables, self.confidence), functions, values)
        alone = partial(self._criterion, functions, columns) if self.tallied.grouped else None
        return macro_intervals(Unit(units, self.tables, self.confidence, alone), functions, values, columns)

    def _criterion(
        self, functions: Mapping[str, partial[FloatArray]], columns: Mapping[str, FloatArray], place: int
    ) -> Mapping[str, Interval]:
        return self._alone(place, functions, {key: float(column[place]) for key, column in columns.items()})

    def _alone(
        self, place: int, functions: Mapping[str, partial[FloatArray]], values: Mapping[str, float]
    ) -> Mapping[str, Interval]:
        """Return intervals of one table on its own."""
        whole, items = self.tallied.grouped or (None, None)
        units = items if self.level == "item" else whole and whole.criterion(place)
        return own_intervals(self.tables[place], units, functions, values, self.confidence)

    def _reason(self) -> str:
        why = [why_undefined(WEIGHTED_KAPPA, table, self.labels) or NO_COST for table in self.tables]
        return why[0] if len(why) == 1 else why_undefined(WEIGHTED_KAPPA, self.tables.sum(0), self.labels) or NO_COST


def _items(ratings: Ratings, judge: str, settings: Settings) -> NDArray[np.int64]:
    if not ratings.has_items:
        return np.zeros((3, 3), np.int64)
    item_verdicts = item_verdicts_of(ratings, judge, settings)
    patterns = patterns_of(ratings, judge, settings.reference)
    return item_table(item_verdicts, np.where(item_verdicts.open, 0, patterns.multiplicity))
