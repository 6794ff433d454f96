"""The interval of one judge's own value on the items both judged, by the default rules."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from metrics.analyses.comparison.paired import Statistic
from metrics.analyses.comparison.shared_decisions import Shared
from metrics.analyses.ordered_blocks import rules_for
from metrics.analyses.settings import Settings
from metrics.intervals.cluster import Clustered, Clusters
from metrics.intervals.default import Unit, macro_intervals, micro_intervals
from metrics.intervals.jackknife import Coded
from metrics.intervals.resampling import Cells, Frame
from metrics.measures.arrays import FloatArray
from metrics.measures.coefficients import cohen_kappa
from metrics.measures.transforms import Interval
from metrics.results.estimate import Estimate

Functions = Mapping[str, Callable[[FloatArray], FloatArray]]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class OwnInterval:
    """What the rules need beside the judge's own cells.

    Attributes
    ----------
    used : ndarray of bool, shape (C,)
        Criteria that count.
    clusters : Clusters or None
        The column above the item that is the unit.
    """

    shared: Shared
    metric: str
    statistic: Statistic
    settings: Settings
    used: NDArray[np.bool_]
    clusters: Clusters | None

    def estimate(self, cell: Ints, tables: FloatArray, value: float) -> Estimate:
        """Return a judge's value with its interval.

        Parameters
        ----------
        cell : ndarray of int64, shape (D,)
            Reference · K + judge of every shared decision, K² where it does not count.
        tables : ndarray, shape (C, K, K)
            Tables of the judge by criterion, of the same decisions.
        value : float
            Value of the judge; where it is NaN there is no interval.
        """
        return Estimate(value, None if math.isnan(value) else self._interval(cell, tables, value))

    def _interval(self, cell: Ints, tables: FloatArray, value: float) -> Interval | None:
        joint = self.statistic.form == "joint"
        functions: Functions = {"kappa": cohen_kappa} if joint else {self.metric: self.statistic.function}
        if self.statistic.form == "mean":
            # A criterion without a value of this judge is no part of its mean, but its items are among those left out.
            used = self.used | np.isnan(self.statistic.function(tables))
            unit = self.unit(cell, tables, functions, used)
            criterion_values = {self.metric: self.statistic.function(unit.by_criterion)}
            return macro_intervals(unit, functions, {self.metric: value}, criterion_values).get(self.metric)
        unit = self.unit(cell, tables, functions, self.used)
        if len(tables) == 1:
            key = next(iter(functions))
            return micro_intervals(unit, functions, {key: value}).get(key)
        beside = {"kappa": float(cohen_kappa(tables.sum(0)))} if joint else {}
        return micro_intervals(unit, functions, {self.metric: value} | beside).get(self.metric)

    def unit(self, cell: Ints, tables: FloatArray, functions: Functions, used: NDArray[np.bool_]) -> Unit:
        """Return what is left out one at a time, on the criteria used.

        Parameters
        ----------
        cell, tables
            As in `estimate`.
        functions : mapping
            Key of each metric to its function of a table; for intervals by criterion where groups of items are the units.
        used : ndarray of bool, shape (C,)
            Criteria that count.
        """
        shared, k, rules = self.shared, tables.shape[-1], rules_for(self.metric)
        counted = (cell < k * k) & used[shared.criterion]
        item, cell, weight = shared.item[counted], cell[counted], shared.weight[counted]
        criterion = (np.cumsum(used) - 1)[shared.criterion[counted]]
        tables, confidence = tables[used], self.settings.confidence
        if self.clusters is None:
            coded = Coded.merged(item, criterion, cell, k, len(tables), _of_items(item, weight))
            return Unit(coded, tables, confidence, rules=rules)
        units = self._clustered(self.clusters, item, criterion * (k * k) + cell, weight, k, len(tables))

        def alone(place: int) -> Mapping[str, Interval]:
            values = {key: float(function(tables[place])) for key, function in functions.items()}
            return micro_intervals(Unit(units.criterion(place), tables[place][None], confidence, rules=rules), functions, values)

        return Unit(units, tables, confidence, alone, rules)

    def _clustered(
        self, clusters: Clusters, item: NDArray[np.int32], row: Ints, weight: Ints, k: int, n_criteria: int
    ) -> Clustered:
        mode, size = self.settings.abstention, k * k
        features = csr_array((weight.astype(np.float64), (row, clusters.of_item[item])), shape=(n_criteria * size, clusters.n))
        cells, no_items = Cells({mode: np.arange(size)}, size), Cells({mode: np.empty(0, np.int64)}, 0)
        frame = Frame(features, np.ones(clusters.n, np.int64), n_criteria, cells, no_items, {mode: k})
        return Clustered(frame.used(), mode, clusters.column)


def _of_items(item: NDArray[np.int32], weight: Ints) -> Ints:
    """Return what each item weighs, from its decisions."""
    item_weights = np.zeros(int(item.max(initial=-1)) + 1, np.int64)
    item_weights[item] = weight
    return item_weights
