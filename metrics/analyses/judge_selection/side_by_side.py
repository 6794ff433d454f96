"""All judges of a file side by side: many pairs at once, each on the decisions both made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.settings import Settings
from metrics.data.abstention import on_axis
from metrics.data.pairs import cells_of, reference_states, verdicts
from metrics.data.patterns import dense_rank_of_rows, merge_codes
from metrics.data.ratings import Ratings
from metrics.intervals.cluster import clusters_of
from metrics.measures.arrays import FloatArray, Function, safe_ratio

Ints = NDArray[np.int64]
States = NDArray[np.int8]
Bools = NDArray[np.bool_]
Told = Callable[[int, int], object]
"""Is told how many pairs are compared, of how many."""
BLOCK = 1_000_000
"""Numbers held at a time."""


@dataclass(frozen=True, eq=False)
class Differences:
    """Differences of pairs of judges, first less second, each of shape (B,).

    Attributes
    ----------
    difference, error : ndarray
        Of the values on the decisions both made, and the standard error by leaving out one unit at a time; NaN where undefined,
        the error also with fewer than two units.
    df : ndarray
        Units with a decision both made, less one; at least 1.
    n_shared : ndarray
        Decisions both made.
    """

    difference: FloatArray
    error: FloatArray
    df: FloatArray
    n_shared: FloatArray

    @staticmethod
    def joined(parts: Sequence[Differences]) -> Differences:
        """Return one after the other."""
        names = [field.name for field in fields(Differences)]
        return Differences(*(np.concatenate([getattr(deltas, name) for deltas in parts]) for name in names))


@dataclass(frozen=True, eq=False)
class SideBySide:
    """Verdicts on the axis of a mode, on the decisions where the reference has one.

    Attributes
    ----------
    reference : ndarray of int8, shape (D,)
    verdicts : ndarray of int8, shape (J, D)
        -1 where a judge has no verdict that counts.
    unit : ndarray of int64, shape (D,)
        Kind of item of each decision, or the group of items that is left out as a whole; from 0 on.
    k : int
    weight : ndarray of int64, shape (D,)
        How often each decision occurs in its unit.
    times : ndarray of int64, shape (U,)
        How many such units there are.
    """

    reference: States
    verdicts: States
    unit: Ints
    k: int
    weight: Ints
    times: Ints

    @staticmethod
    def of(ratings: Ratings, judges: Sequence[str], settings: Settings, criterion: str | None, k: int) -> SideBySide:
        """Return the verdicts of these judges, on all criteria or on one.

        Parameters
        ----------
        ratings : Ratings
        judges : sequence of str
            In the order of the rows of `said`.
        settings : Settings
            Reference, abstention mode, handling and unit.
        criterion : str or None
            Decisions of this criterion alone; None for all.
        k : int
            Classes on the axis of the mode.
        """
        cells, scheme = cells_of(ratings), settings.on(ratings).scheme
        reference = on_axis(reference_states(ratings, settings.reference), scheme, settings.abstention)
        asked = reference >= 0
        if criterion is not None:
            asked &= cells.criterion == ratings.criteria.index(criterion)
        item = cells.item[asked]
        sides = np.empty((1 + len(judges), len(item)), np.int8)
        sides[0] = reference[asked]
        for place, name in enumerate(judges):
            sides[place + 1] = on_axis(verdicts(ratings, name, "judge")[asked], scheme, settings.abstention)
        if settings.by_column:
            unit = np.unique(clusters_of(ratings, settings.unit).of_item[item], return_inverse=True)[1]
            times = np.ones(int(unit.max(initial=-1)) + 1, np.int64)
            return SideBySide(sides[0], sides[1:], unit, k, ratings.weight[item], times)
        kinds, unit, times = _merged(item, cells.criterion[asked], sides, k, ratings)
        return SideBySide(kinds[0], kinds[1:], unit, k, np.ones(len(unit), np.int64), times)

    @property
    def n_units(self) -> int:
        return int(self.times.sum())

    @cached_property
    def by_kind(self) -> bool:
        """Units carry one decision each, and there are more of them than kinds of decision."""
        return len(self.times) == len(self.unit) > self.k**3

    @cached_property
    def most(self) -> int:
        """Decisions of the unit that carries most."""
        return int(np.bincount(self.unit, weights=self.weight, minlength=1).max())

    @cached_property
    def few_tables(self) -> bool:
        """There are more units than tables a unit can have, and numbers enough to tell these apart."""
        size = self.k**2
        return comb(self.most + size, size) < self.n_units and (self.most + 1) ** size <= BLOCK

    def differences(self, first: Ints, second: Ints, function: Function, progress: Told | None = None) -> Differences:
        """Return pairs of judges under a metric of one table.

        Parameters
        ----------
        first, second : ndarray of int64, shape (B,)
            Places of the judges of each pair in `said`.
        function : callable
            Counts of shape (..., K, K) to values, shape (...).
        progress : callable, optional
            Is told how many pairs are compared, of how many.
        """
        kinds = self.k**3 if self.by_kind else len(self.times)
        step = max(1, BLOCK // max(kinds * self.k**2, len(self.unit), 1))
        parts = []
        for start in range(0, len(first), step):
            block = slice(start, start + step)
            parts.append(self._differences(first[block], second[block], function))
            if progress:
                progress(min(start + step, len(first)), len(first))
        return Differences.joined(parts)

    def _differences(self, first: Ints, second: Ints, function: Function) -> Differences:
        sides = self.verdicts[first], self.verdicts[second]
        made = (sides[0] >= 0) & (sides[1] >= 0)
        if not self.by_kind and self.few_tables:
            (value, without, times), (less, less_without, _) = (self._by_table(side, made, function) for side in sides)
        else:
            first_tables, other, times = (self._of_kinds if self.by_kind else self._of_units)(*sides, made)
            value, without = self._values(first_tables, times, function)
            less, less_without = self._values(other, times, function)
        left_out, n = without - less_without, times.sum(-1)
        centre = safe_ratio((times * left_out).sum(-1), n)
        spread = (times * (left_out - centre[:, None]) ** 2).sum(-1)
        error = np.sqrt(safe_ratio(n - 1, n) * np.where(n < 2, np.nan, spread))
        return Differences(value - less, error, np.maximum(n - 1, 1), made @ self._decisions)

    @cached_property
    def _decisions(self) -> FloatArray:
        """How often each decision occurs in all units, shape (D,)."""
        return (self.weight * self.times[self.unit]).astype(np.float64)

    def _values(self, tables: FloatArray, times: FloatArray, function: Function) -> tuple[FloatArray, FloatArray]:
        """Return value of a side, shape (B,), and without one unit of each kind, shape (B, P).

        With all where there is no such unit.
        """
        shape = (self.k, self.k)
        total = (times[..., None] * tables).sum(-2)
        left = np.where(times[..., None] > 0, total[:, None] - tables, total[:, None])
        return function(total.reshape(-1, *shape)), function(left.reshape(*left.shape[:-1], *shape))

    def _by_table(self, states: States, made: Bools, function: Function) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return what `_values` does with each unit a kind of its own, the metric worked out once for all units of one table.

        Also how many units there are of a kind that has a decision, shape (B, U).
        """
        k, base, n = self.k, self.most + 1, len(self.times)
        digit = np.power(base, np.arange(k**2))[self.reference.astype(np.int64) * k + states]
        place = self.unit + n * np.arange(len(states))[:, None]
        code = (
            np.bincount(place[made], weights=(digit * self.weight)[made], minlength=n * len(states))
            .astype(np.int64)
            .reshape(-1, n)
        )
        there = np.flatnonzero(np.bincount(code.ravel(), minlength=base**k**2))
        kind = np.searchsorted(there, np.arange(base**k**2))[code]
        tables = np.stack(np.unravel_index(there, (base,) * k**2)[::-1], -1).astype(np.float64)
        total = _tally(kind, np.ones_like(kind, bool), len(there), self.times) @ tables
        # A table that this pair of judges does not have is taken off another's total, and not asked for.
        left = np.maximum(total[:, None] - tables, 0.0).reshape(-1, len(there), k, k)
        return function(total.reshape(-1, k, k)), np.take_along_axis(function(left), kind, 1), np.where(code > 0, self.times, 0.0)

    def _of_kinds(self, states: States, other: States, made: Bools) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return units of one decision: the K³ kinds there are of it, and how often each occurs in each pair."""
        k, cell = self.k, np.eye(self.k**2)
        reference, first, second = np.unravel_index(np.arange(k**3), (k, k, k))
        code = (self.reference.astype(np.int64) * k + states) * k + other
        return cell[reference * k + first][None], cell[reference * k + second][None], _tally(code, made, k**3, self._decisions)

    def _of_units(self, states: States, other: States, made: Bools) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the tables of both sides on each kind of unit, shape (B, U, K²), its units where it has a decision, shape (B,
        U).
        """
        start, n = (self.unit * self.k + self.reference) * self.k, len(self.times)
        tables = [_tally(start + side, made, n * self.k**2, self.weight).reshape(len(side), n, -1) for side in (states, other)]
        return tables[0], tables[1], np.where(tables[0].sum(-1) > 0, self.times, 0.0)


def _tally(code: Ints, counted: Bools, size: int, weight: NDArray[Any]) -> FloatArray:
    """Return how often each code below `size` occurs in each row among what is counted, shape (B, size)."""
    place = code + size * np.arange(len(code))[:, None]
    times = np.broadcast_to(weight, code.shape)[counted]
    return np.bincount(place[counted], weights=times, minlength=size * len(code)).astype(np.float64).reshape(-1, size)


def _merged(
    item: NDArray[np.int32], criterion: NDArray[np.int32], sides: States, k: int, ratings: Ratings
) -> tuple[States, Ints, Ints]:
    """Return identical items merged.

    What the sides say on every decision of each kind, its kind, and how many items are of it.
    """
    distinct, code = _kinds_of_decision(sides, k)
    items, at = np.unique(item, return_inverse=True)
    codes, times, _ = merge_codes(
        at.astype(np.int32), criterion, code + 1, base=distinct.shape[1] + 1, n_items=len(items),
        n_criteria=len(ratings.criteria), multiplicity=ratings.weight[items],
    )  # fmt: skip
    unit, slot = np.nonzero(codes.T)
    return distinct[:, codes[slot, unit] - 1], unit, times


def _kinds_of_decision(sides: States, k: int) -> tuple[States, Ints]:
    """Return distinct columns in lexicographic order, and which of them each column is."""
    rank = dense_rank_of_rows(sides.T.astype(np.int64) + 1, k + 1)
    example = np.empty(int(rank.max(initial=-1)) + 1, np.int64)
    example[rank] = np.arange(len(rank))
    return sides[:, example], rank
