"""Cuts of a score: Youden's J at every threshold, the best one, and what a cut is worth with its interval."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metrics.catalogue import BY_KEY
from metrics.intervals.default import Unit, micro_intervals, table_intervals
from metrics.intervals.jackknife import Coded
from metrics.intervals.scale import Interval
from metrics.ranking.tallies import Ints, Tally

POINT = {"youden_j": "youden_j", "tpr": "recall", "fpr": "fpr"}
"""What a point of a ROC plot is called, and the catalogue's key of it."""

NO_CELL = 4


@dataclass(frozen=True, eq=False)
class Cut:
    """A table and its place in a ROC plot.

    Attributes
    ----------
    threshold : float
        Positive where score >= threshold, or <= where lower scores speak for it; infinity calls nothing positive; NaN where
        no score decided.
    table : ndarray of int64, shape (2, 2)
        [[TP, FN], [FP, TN]].
    intervals : mapping
        `youden_j`, `tpr`, `fpr`, where they have one.
    """

    threshold: float
    table: Ints
    intervals: Mapping[str, Interval]

    def value(self, key: str) -> float:
        """A metric of the catalogue, or `tpr`, on the table."""
        return float(BY_KEY[POINT.get(key, key)].function(self.table))

    def ends(self, key: str) -> tuple[float, float] | None:
        found = self.intervals.get(key)
        return None if found is None else found.ends

    @property
    def n(self) -> int:
        return int(self.table.sum())


@dataclass(frozen=True)
class Best:
    """Where J is largest."""

    threshold: float
    n_optimal: int


def best_cut(tally: Tally) -> Best | None:
    """The strictest threshold at which J is largest, compared in integers; None where a class is empty."""
    if not (tally.n_positive and tally.n_negative):
        return None
    gain = tally.hits * tally.n_negative - tally.alarms * tally.n_positive
    best = np.flatnonzero(gain == gain.max())
    return Best(float(tally.thresholds[best[0]]), len(best))


@dataclass(frozen=True, eq=False)
class Named(Coded):
    """Units that are groups of items."""

    name: str = "items"

    @property
    def word(self) -> str:
        return self.name


def with_intervals(threshold: float, cell: Ints, unit: Ints, confidence: float | None, word: str = "items") -> Cut:
    """A cut from the confusion cell of every decision: 0 TP, 1 FN, 2 FP, 3 TN.

    The rules are those of every other number: one decision a unit, a single table; several, whole units are left out.
    """
    table = np.bincount(cell, minlength=4).reshape(2, 2)
    if confidence is None:
        return Cut(threshold, table, {})
    counts = table.astype(np.float64)
    functions = {key: BY_KEY[key].function for key in POINT.values()}
    values = {key: float(function(counts)) for key, function in functions.items()}
    units = items_as_columns(cell, unit, word)
    if units is None:
        found = table_intervals(counts, functions, values, confidence)
    else:
        found = micro_intervals(Unit(units, counts[None], confidence), functions, values)
    return Cut(threshold, table, {name: found[key] for name, key in POINT.items() if key in found})


def items_as_columns(cell: Ints, unit: Ints, word: str = "items") -> Named | None:
    """The confusion cells of every unit as one column; None where every unit carries one decision."""
    _, unit, sizes = np.unique(unit, return_inverse=True, return_counts=True)
    most = int(sizes.max(initial=0))
    if most == 1:
        return None
    order = np.argsort(unit, kind="stable")
    row = np.arange(len(unit)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    columns = np.full((most, len(sizes)), NO_CELL, np.int16)
    columns[row, unit[order]] = cell[order]
    return Named(columns, np.ones(len(sizes), np.int64), 2, word)


def cells_at(positive: NDArray[np.bool_], called: NDArray[np.bool_]) -> Ints:
    """Confusion cell of every decision: 0 TP, 1 FN, 2 FP, 3 TN."""
    return np.where(positive, 0, 2) + np.where(called, 0, 1)
