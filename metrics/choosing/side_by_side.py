"""All judges of a file side by side: one judge against many others at once, each pair on the decisions both made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from metrics.arrays import FloatArray, safe_ratio
from metrics.choices import Settings
from metrics.comparison.shared_decisions import on_axis
from metrics.intervals.cluster import clusters_of
from metrics.pairs import cells_of, reference_states, verdicts
from metrics.ratings import Ratings

Ints = NDArray[np.int64]
Function = Callable[[FloatArray], FloatArray]
BLOCK = 1_000_000
"""Numbers held at a time."""


@dataclass(frozen=True, eq=False)
class Apart:
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
    def joined(parts: Sequence[Apart]) -> Apart:
        """One after the other."""
        names = [field.name for field in fields(Apart)]
        return Apart(*(np.concatenate([getattr(one, name) for one in parts]) for name in names))


@dataclass(frozen=True, eq=False)
class SideBySide:
    """Verdicts on the axis of a mode, on the decisions where the reference has one.

    Attributes
    ----------
    reference : ndarray of int8, shape (D,)
    said : ndarray of int8, shape (J, D)
        -1 where a judge has no verdict that counts.
    unit : ndarray of int64, shape (D,)
        Item of each decision, or the group of items that is left out as a whole; from 0 on.
    k : int
    """

    reference: NDArray[np.int8]
    said: NDArray[np.int8]
    unit: Ints
    k: int

    @staticmethod
    def of(ratings: Ratings, judges: Sequence[str], settings: Settings, criterion: str | None, k: int) -> SideBySide:
        """The verdicts of these judges, on all criteria or on one."""
        cells, scheme = cells_of(ratings), settings.on(ratings).scheme
        reference = on_axis(reference_states(ratings, settings.reference), scheme, settings.abstention)
        asked = reference >= 0
        if criterion is not None:
            asked &= cells.criterion == ratings.criteria.index(criterion)
        item = cells.item[asked].astype(np.int64)
        unit = clusters_of(ratings, settings.unit).of_item[item] if settings.by_column else item
        said = np.empty((len(judges), len(item)), np.int8)
        for place, name in enumerate(judges):
            said[place] = on_axis(verdicts(ratings, name, "judge")[asked], scheme, settings.abstention)
        return SideBySide(reference[asked].astype(np.int8), said, np.unique(unit, return_inverse=True)[1], k)

    @property
    def n_units(self) -> int:
        return int(self.unit.max(initial=-1)) + 1

    @cached_property
    def by_kind(self) -> bool:
        """Units carry one decision each, and there are more of them than kinds of decision."""
        return self.n_units == len(self.unit) > self.k**3

    def apart(self, one: int, others: Sequence[int], function: Function) -> Apart:
        """A judge less each of the others, by place in `said`, under a metric of one table."""
        kinds = self.k**3 if self.by_kind else self.n_units
        step = max(1, BLOCK // max(kinds * self.k**2, len(self.unit), 1))
        blocks = (np.asarray(others[start : start + step]) for start in range(0, len(others), step))
        return Apart.joined([self._apart(one, block, function) for block in blocks])

    def _apart(self, one: int, others: Ints, function: Function) -> Apart:
        own, other, times = self._of_kinds(one, others) if self.by_kind else self._of_units(one, others)
        first, without = self._values(own, times, function)
        second, second_without = self._values(other, times, function)
        left_out, n = without - second_without, times.sum(-1)
        centre = safe_ratio((times * left_out).sum(-1), n)
        spread = (times * (left_out - centre[:, None]) ** 2).sum(-1)
        error = np.sqrt(safe_ratio(n - 1, n) * np.where(n < 2, np.nan, spread))
        return Apart(first - second, error, np.maximum(n - 1, 1), (times * own.sum(-1)).sum(-1))

    def _values(self, tables: FloatArray, times: FloatArray, function: Function) -> tuple[FloatArray, FloatArray]:
        """Value of a side, shape (B,), and without one unit of each kind, shape (B, P); with all where there is no such unit."""
        shape = (self.k, self.k)
        total = (times[..., None] * tables).sum(-2)
        left = np.where(times[..., None] > 0, total[:, None] - tables, total[:, None])
        return function(total.reshape(-1, *shape)), function(left.reshape(*left.shape[:-1], *shape))

    def _of_kinds(self, one: int, others: Ints) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Units of one decision: the K³ kinds there are of it, and how often each occurs for each of the others."""
        k = self.k
        reference, first, second = np.unravel_index(np.arange(k**3), (k, k, k))
        cell = np.eye(k * k)
        code = (self.reference.astype(np.int64) * k + self.said[one]) * k + self.said[others]
        times = _tally(code, self._made(one, others), k**3)
        return cell[reference * k + first][None], cell[reference * k + second][None], times

    def _of_units(self, one: int, others: Ints) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Each unit a kind of its own: the tables of both sides on it, shape (B, U, K²), and 1 where it has a decision."""
        k, made = self.k, self._made(one, others)
        start = (self.unit * k + self.reference) * k
        shape = (len(others), self.n_units, k * k)
        sides = (np.broadcast_to(start + self.said[one], made.shape), start + self.said[others])
        own, other = (_tally(code, made, self.n_units * k * k).reshape(shape) for code in sides)
        return own, other, (own.sum(-1) > 0).astype(np.float64)

    def _made(self, one: int, others: Ints) -> NDArray[np.bool_]:
        """Decisions both made, shape (B, D)."""
        made: NDArray[np.bool_] = (self.said[one] >= 0) & (self.said[others] >= 0)
        return made


def _tally(code: Ints, counted: NDArray[np.bool_], size: int) -> FloatArray:
    """How often each code below `size` occurs in each row among what is counted, shape (B, size)."""
    place = code + size * np.arange(len(code))[:, None]
    return np.bincount(place[counted], minlength=size * len(code)).reshape(-1, size).astype(np.float64)
