"""One human left out at a time: that human and the judge, both beside what the remaining humans come to.

The intervals of the means leave out items, and are widened where few decisions are errors.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.data.abstention import Mode, on_axis
from metrics.data.pairs import settle
from metrics.data.ratings import Ratings
from metrics.intervals.jackknife import flat_errors
from metrics.intervals.single_table import dirichlet_quantiles, wilson
from metrics.measures.arrays import FloatArray
from metrics.measures.metric import Metric
from metrics.measures.transforms import covering, jackknife_error

Codes = NDArray[np.int64]
BLOCK = 2_000_000
"""Numbers held at a time while items are left out."""
JUDGE, HUMAN, DIFFERENCE = 0, 1, 2
"""Places of the two sides and of the first less the second."""


@dataclass(frozen=True, eq=False)
class Trials:
    """One row per kind of decision and human left out: confusion cell (reference · K + label) of the judge and of the human.

    Attributes
    ----------
    unit, item, human, times : ndarray of int64, shape (n,)
        Decision and item it is of, human left out, and decisions that the row stands for.
    cell : tuple of two ndarrays of int64, shape (n,)
        Of the judge and of the human.
    n_open : tuple of int
        Decisions of each human where the others come to nothing.
    """

    unit: Codes
    item: Codes
    human: Codes
    cell: tuple[Codes, Codes]
    times: Codes
    n_humans: int
    k: int
    n_open: tuple[int, ...]

    def where(self, rows: NDArray[Any]) -> Trials:
        """Return some of the rows.

        Parameters
        ----------
        rows : ndarray of bool, shape (n,), or of int64
            A mask, or places.
        """
        cell = self.cell[0][rows], self.cell[1][rows]
        named = {"unit": self.unit[rows], "item": self.item[rows], "human": self.human[rows], "times": self.times[rows]}
        return replace(self, cell=cell, **named)

    def tables(self, group: Codes, n: int, times: Codes | None = None) -> FloatArray:
        """Return confusion tables by group, of the judge and of the human.

        Parameters
        ----------
        group : ndarray of int64, shape (rows,)
            Group of each row, from 0 and below n.
        n : int
            Groups.
        times : ndarray of int64, shape (rows,), optional
            How often each row counts. Default: once.

        Returns
        -------
        ndarray, shape (n, 2, K, K)
            Reference in rows, label in columns.
        """
        size = self.k * self.k
        sides = [np.bincount(group * size + cell, weights=times, minlength=n * size) for cell in self.cell]
        return np.stack(sides, axis=1).astype(np.float64).reshape(n, size, 2).swapaxes(1, 2).reshape(n, 2, self.k, self.k)


@dataclass(frozen=True, eq=False)
class Answers:
    """What the humans and the judge said on the units of the humans.

    Attributes
    ----------
    states : ndarray of int8, shape (n_units, n_humans)
        On the raw verdict axis.
    judge : ndarray of int8, shape (n_units,), or None
        None without a judge.
    item, criterion, times : ndarray of int, shape (n_units,)
    rule : str
        How several humans become one reference.
    """

    states: NDArray[np.int8]
    judge: NDArray[np.int8] | None
    item: Codes
    criterion: NDArray[np.int32]
    times: Codes
    ratings: Ratings
    rule: str
    mode: Mode
    k: int

    def at(self, rows: Codes) -> Answers:
        """Return some of the units.

        Parameters
        ----------
        rows : ndarray of int64, shape (n,)
            Their places.
        """
        judge = None if self.judge is None else self.judge[rows]
        units = replace(self, item=self.item[rows], criterion=self.criterion[rows], times=self.times[rows])
        return replace(units, states=self.states[rows], judge=judge)

    def exchanged(self, human: int) -> Answers:
        """Return the same answers with the judge's in the place of a human's, and the other way round."""
        if self.judge is None:
            return self
        states = self.states.copy()
        states[:, human] = self.judge
        return replace(self, states=states, judge=self.states[:, human])

    def trials(self) -> Trials:
        """Return every human left out, on the decisions that human and judge gave and the others have a reference for."""
        scheme = self.ratings.scheme
        judged = None if self.judge is None else on_axis(self.judge, scheme, self.mode)
        labels = on_axis(self.states, scheme, self.mode)
        votes = np.zeros((len(self.states), scheme.n_states), np.int32)
        for codes in self.states.T:
            votes[np.arange(len(votes)), codes] += 1
        parts: list[tuple[Codes, ...]] = []
        n_open: list[int] = []
        for human, codes in enumerate(labels.T):
            rows = np.flatnonzero((codes >= 0) if judged is None else (codes >= 0) & (judged >= 0))
            others = votes[rows]
            others[np.arange(len(rows)), self.states[rows, human]] -= 1
            rest = on_axis(settle(self.ratings, others, self.criterion[rows], self.rule), scheme, self.mode)
            n_open.append(int(self.times[rows] @ (rest < 0)))
            rows, rest = rows[rest >= 0], rest[rest >= 0]
            by_human = rest * self.k + codes[rows]
            by_judge = by_human if judged is None else rest * self.k + judged[rows]
            parts.append((rows, self.item[rows], np.full(len(rows), human), by_judge, by_human, self.times[rows]))
        unit, item, which, judge, human_cell, times = (np.concatenate(column) for column in zip(*parts, strict=True))
        return Trials(unit, item, which, (judge, human_cell), times, self.states.shape[1], self.k, tuple(n_open))


@dataclass(frozen=True, eq=False)
class SideValues:
    """Values per human, shape (H, 2), judge and human; the means without an item of each kind, shape (G, 3), and its items."""

    n: NDArray[np.int64]
    tables: FloatArray
    values: FloatArray
    counted: NDArray[np.bool_]
    without: FloatArray
    weight: FloatArray

    @property
    def n_items(self) -> int:
        return int(self.weight.sum())

    @property
    def means(self) -> tuple[float, float, float]:
        """Judge, human, and the first less the second."""
        if not self.counted.any():
            return math.nan, math.nan, math.nan
        judge, human = self.values[self.counted].mean(0)
        return float(judge), float(human), float(judge - human)

    @property
    def errors(self) -> FloatArray:
        """Standard errors of the means."""
        return jackknife_error(self.without, self.weight)


def values_of(trials: Trials, record: Metric, least: int) -> SideValues:
    """Return the values of the humans left out and of the judge beside each, and their means without an item of each kind.

    Parameters
    ----------
    trials : Trials
    record : Metric
    least : int
        Humans with fewer decisions are not in the mean.
    """
    n_humans, function = trials.n_humans, record.function
    n = np.bincount(trials.human, weights=trials.times, minlength=n_humans).astype(np.int64)
    tables = trials.tables(trials.human, n_humans, trials.times)
    human_values = function(tables)
    counted = np.asarray((n >= max(1, least)) & ~np.isnan(human_values).any(1))
    return SideValues(n, tables, human_values, counted, *_without(trials, tables, human_values, counted, record))


def _without(
    trials: Trials, tables: FloatArray, human_values: FloatArray, counted: NDArray[np.bool_], record: Metric
) -> tuple[FloatArray, FloatArray]:
    """Return means over the humans still defined without an item of each kind, shape (G, 3), and its items.

    Only its humans change.
    """
    kept = trials.where(counted[trials.human])
    key, group = np.unique(kept.item * kept.n_humans + kept.human, return_inverse=True)
    items, of_item = np.unique(key // kept.n_humans, return_inverse=True)
    weight = np.zeros(len(items))
    weight[of_item[group]] = kept.times
    human, left = key % kept.n_humans, np.empty((len(key), 2))
    step, order = max(1, BLOCK // (2 * kept.k**2)), np.argsort(group, kind="stable")
    for start in range(0, len(key), step):
        stop = min(start + step, len(key))
        rows = order[slice(*np.searchsorted(group[order], [start, stop]))]
        less = kept.where(rows).tables(group[rows] - start, stop - start)
        left[start:stop] = record.function(tables[human[start:stop]] - less)
    defined = np.asarray(~np.isnan(left).any(1))
    change = np.where(defined[:, None], left, 0.0) - human_values[human]
    count = counted.sum() + np.bincount(of_item, weights=defined - 1.0, minlength=len(items))
    total = np.stack([np.bincount(of_item, weights=change[:, side], minlength=len(items)) for side in (0, 1)], axis=1)
    means = (human_values[counted].sum(0) + total) / np.where(count > 0, count, np.nan)[:, None]
    return np.column_stack([means, means[:, JUDGE] - means[:, HUMAN]]), weight


def side_interval(
    value: float, error: float, table: FloatArray, n: float, n_items: int, record: Metric, confidence: float
) -> tuple[float, float]:
    """Return ends of one side's mean from its pooled table with as many independent decisions as its standard error speaks for.

    Wilson for accuracy, quantiles of the Dirichlet for the coefficients.

    Parameters
    ----------
    error : float
        Standard error of leaving out items.
    table : ndarray, shape (K, K)
        Over the humans left out, so that a decision may count several times.
    n : float
        Decisions that are one: of the judge those judged, of the humans each human's own.
    """
    function = {record.key: record.function}
    flat = flat_errors(table, function)[record.key] * np.sqrt(table.sum() / n)
    most = max(1.0, n / n_items)
    ratio = (error / flat) ** 2 if flat > 0 else np.nan
    left = n / (most if np.isnan(ratio) else float(np.clip(ratio, 1.0, most)))
    if record.key == "accuracy":
        return covering(value, wilson(value * left, left, confidence))
    return covering(value, dirichlet_quantiles(table / table.sum() * left, function, confidence)[record.key])
