"""Identical items merged: which verdict pairs occur on an item, and how many items show them.

A cell (one criterion of one item) carries the pair (reference state, judge state) on the raw verdict axis of the scheme.
Items with the same cells are one pattern with a multiplicity; everything shown is computed from these.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Code = TypeVar("Code", bound=np.integer[Any])
Value = TypeVar("Value", bound=np.generic)
NOT_ASKED = -1
"""State of a criterion that is not in an item's rubric."""


Ints = NDArray[np.int64]
FEWER = 8
"""Criteria for each one of the fullest item from which on slots are worth it: of fewer, their criteria take more room than the
empty places do.
"""


@dataclass(frozen=True, eq=False)
class Slots:
    """Which criterion the decision in each slot of an item is of.

    Attributes
    ----------
    criterion : ndarray of int64, shape (S, n_patterns)
        In ascending order; the last in a slot that is empty.
    n_criteria : int
    """

    criterion: Ints
    n_criteria: int

    def of_patterns(self, those: NDArray[Any]) -> Slots:
        """Return the slots of some patterns, by a mask or by place."""
        return Slots(self.criterion[:, those], self.n_criteria)

    def where(self, criterion: int) -> tuple[Ints, Ints]:
        """Return slots and patterns with a decision on a criterion; on the last, empty slots are among them."""
        order, starts = self._sorted
        slot, place = np.divmod(order[starts[criterion] : starts[criterion + 1]], self.criterion.shape[1])
        return slot, place

    @cached_property
    def _sorted(self) -> tuple[Ints, Ints]:
        """Slots of all patterns by criterion, and where each criterion begins among them."""
        flat = self.criterion.ravel()
        order = np.argsort(flat, kind="stable")
        return order, np.searchsorted(flat[order], np.arange(self.n_criteria + 1))


def slots_of(item: NDArray[np.int32], criterion: NDArray[np.int32], n_items: int, n_criteria: int) -> NDArray[np.int32] | None:
    """Return place of each cell among those of its item, in the order of the criteria; None where slots are not worth it.

    Parameters
    ----------
    item, criterion : ndarray of int, shape (n_cells,)
        Each pair at most once.
    n_items, n_criteria : int
    """
    n_asked = np.bincount(item, minlength=n_items)
    if int(n_asked.max(initial=0)) * FEWER > n_criteria:
        return None
    order = np.argsort(item.astype(np.int64) * n_criteria + criterion, kind="stable")
    slot = np.empty(len(item), np.int32)
    slot[order] = np.arange(len(item)) - (np.cumsum(n_asked) - n_asked)[item[order]]
    return slot


@dataclass(frozen=True, eq=False)
class Patterns:
    """Items merged by their verdict pairs, in lexicographic order of criterion.

    Attributes
    ----------
    slot_reference, slot_judge : ndarray of int8, shape (S, n_patterns)
        State on the raw verdict axis, `NOT_ASKED` in a slot that is empty.
    slots : Slots or None
        Criterion of each slot; None where every criterion has a slot of its own. Where few of many criteria are asked of an
        item there are fewer slots, so that what is counted grows with the decisions.
    multiplicity : ndarray of int64, shape (n_patterns,)
        Items (or decisions of a table of counts) of each pattern.
    of_item : ndarray of int64, shape (n_items,)
        Pattern of each item.
    n_states : int
        Length R of the raw verdict axis.
    """

    slot_reference: NDArray[np.int8]
    slot_judge: NDArray[np.int8]
    slots: Slots | None
    multiplicity: NDArray[np.int64]
    of_item: NDArray[np.int64]
    n_states: int

    @property
    def n_criteria(self) -> int:
        return len(self.slot_reference) if self.slots is None else self.slots.n_criteria

    @cached_property
    def reference(self) -> NDArray[np.int8]:
        """State of the reference on every criterion, shape (C, n_patterns); `NOT_ASKED` where it is not in the item's rubric."""
        return self._by_criterion(self.slot_reference)

    @cached_property
    def judge(self) -> NDArray[np.int8]:
        """State of the judge on every criterion, shape (C, n_patterns); `NOT_ASKED` where it is not in the item's rubric."""
        return self._by_criterion(self.slot_judge)

    def _by_criterion(self, states: NDArray[np.int8]) -> NDArray[np.int8]:
        if self.slots is None:
            return states
        slot, place = np.nonzero(states != NOT_ASKED)
        wide = np.full((self.n_criteria, states.shape[1]), NOT_ASKED, np.int8)
        wide[self.slots.criterion[slot, place], place] = states[slot, place]
        return wide

    def by_slot(self, values: NDArray[Value]) -> NDArray[Value]:
        """Return a value of each criterion where its states lie, shape (S, n_patterns) or, the same for all patterns, (S, 1).

        Parameters
        ----------
        values : ndarray, shape (C,)
        """
        return values[:, None] if self.slots is None else values[self.slots.criterion]

    @cached_property
    def raw(self) -> NDArray[np.int64]:
        """Counts of verdict pairs per criterion on the raw axis, shape (C, R, R)."""
        n_criteria, r = self.n_criteria, self.n_states
        slot, place = np.nonzero(self.slot_reference != NOT_ASKED)
        criterion = slot if self.slots is None else self.slots.criterion[slot, place]
        pair = (criterion * r + self.slot_reference[slot, place]) * r + self.slot_judge[slot, place]
        tally = np.bincount(pair, weights=self.multiplicity[place], minlength=n_criteria * r * r)
        return tally.astype(np.int64).reshape(n_criteria, r, r)

    def with_times(self, times: NDArray[np.int64]) -> Patterns:
        """Return the patterns of the same items, each so many times; those of no item go.

        Parameters
        ----------
        times : ndarray of int64, shape (n_items,)
            How many of each item there are; the pattern of one that is not there is -1.
        """
        multiplicity = np.bincount(self.of_item, weights=times, minlength=len(self.multiplicity)).astype(np.int64)
        there = np.flatnonzero(multiplicity)
        place = np.full(len(multiplicity), -1, np.int64)
        place[there] = np.arange(len(there))
        return replace(
            self,
            slot_reference=self.slot_reference[:, there],
            slot_judge=self.slot_judge[:, there],
            slots=self.slots and self.slots.of_patterns(there),
            multiplicity=multiplicity[there],
            of_item=np.where(times > 0, place[self.of_item], -1),
        )

    def n_rated(self, end: int) -> int:
        """Return items with a criterion that both sides rated: states below `end`."""
        return self.n_items(np.arange(self.n_states) < end)

    def n_items(self, counts: NDArray[np.bool_]) -> int:
        """Return items with a criterion on which the states of both sides count, by a flag for each state.

        Parameters
        ----------
        counts : ndarray of bool, shape (R,)
            Whether a state of the raw verdict axis counts.
        """
        reference, judge = self.slot_reference, self.slot_judge
        both = (reference >= 0) & (judge >= 0) & counts[reference] & counts[judge]
        return int(self.multiplicity @ both.any(0))


def merge(
    item: NDArray[np.int32],
    criterion: NDArray[np.int32],
    reference: NDArray[np.int8],
    judge: NDArray[np.int8],
    *,
    n_items: int,
    n_criteria: int,
    n_states: int,
    multiplicity: NDArray[np.int64] | None = None,
) -> Patterns:
    """Merge identical items.

    Parameters
    ----------
    item, criterion : ndarray, shape (n_cells,)
        Each pair at most once.
    reference, judge : ndarray of int8, shape (n_cells,)
        States on the raw verdict axis.
    multiplicity : ndarray, shape (n_items,), optional
        How often each item counts.
    """
    used, codes = _used_codes(reference, judge, n_states)
    base, slot = len(used) + 1, slots_of(item, criterion, n_items, n_criteria)
    asked: NDArray[np.integer[Any]]
    if slot is None:
        row, n_rows, asked, above = criterion, n_criteria, codes, base
    else:
        # An item that lacks the first criterion comes before one that has it, as where every criterion has a row.
        row, n_rows, above = slot, int(slot.max(initial=-1)) + 1, (n_criteria + 1) * base
        asked = (n_criteria - criterion.astype(np.int64)) * base + codes
    asked, counts, of_item = merge_codes(
        item, row, asked, base=above, n_items=n_items, n_criteria=n_rows, multiplicity=multiplicity
    )
    before_end, pairs = np.divmod(asked, base)
    slots = None if slot is None else Slots(np.minimum(n_criteria - before_end, n_criteria - 1), n_criteria)
    reference_state, judge_state = (np.append(NOT_ASKED, states).astype(np.int8) for states in np.divmod(used, n_states))
    return Patterns(reference_state[pairs], judge_state[pairs], slots, counts, of_item, n_states)


def merge_codes(
    item: NDArray[np.int32],
    criterion: NDArray[np.int32],
    codes: NDArray[Code],
    *,
    base: int,
    n_items: int,
    n_criteria: int,
    multiplicity: NDArray[np.int64] | None = None,
) -> tuple[NDArray[Code], NDArray[np.int64], NDArray[np.int64]]:
    """Merge items whose cells carry the same codes, whatever these stand for.

    Parameters
    ----------
    codes : ndarray of int, shape (n_cells,)
        From 1 to `base` - 1.

    Returns
    -------
    codes : ndarray, shape (C, n_patterns)
        Of the type of those given; 0 where the item has no such cell.
    multiplicity : ndarray, shape (n_patterns,)
    of_item : ndarray, shape (n_items,)
    """
    grid = np.zeros((n_criteria, n_items), np.min_scalar_type(-base))
    grid[criterion, item] = codes
    of_item = dense_rank_of_rows(grid.T, base)
    n_patterns = int(of_item.max(initial=-1)) + 1
    counts = np.bincount(of_item, weights=multiplicity, minlength=n_patterns)
    example = np.empty(n_patterns, np.int64)
    example[of_item] = np.arange(n_items)
    return grid[:, example].astype(codes.dtype), counts.astype(np.int64), of_item


def _used_codes(
    reference: NDArray[np.int8], judge: NDArray[np.int8], n_states: int
) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """Return the pairs in use, and each cell's rank among them, from 1; 0 is left for criteria that were not asked."""
    pair = reference.astype(np.int16) * np.int16(n_states) + judge
    used = np.flatnonzero(np.bincount(pair, minlength=n_states * n_states)).astype(np.int64)
    rank = np.zeros(n_states * n_states, np.int16 if len(used) > 254 else np.uint8)
    rank[used] = np.arange(1, len(used) + 1)
    return used, rank[pair]


def dense_rank(values: NDArray[np.int64], bound: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return distinct values below `bound` in order, and the rank of each value among them.

    Parameters
    ----------
    values : ndarray of int64, shape (n,)
        From 0 and below `bound`.
    bound : int

    Returns
    -------
    tuple of ndarray of int64, shapes (m,) and (n,)
        Distinct values, and the place of each value among them.
    """
    if bound <= 4 * len(values) + 1_000_000:
        present = np.zeros(bound, bool)
        present[values] = True
        distinct = np.flatnonzero(present)
        rank = np.empty(bound, np.int64)
        rank[distinct] = np.arange(len(distinct))
        return distinct, rank[values]
    return np.unique(values, return_inverse=True)


def dense_rank_of_rows(rows: NDArray[np.integer[Any]], bound: int) -> NDArray[np.int64]:
    """Return dense rank of rows in lexicographic order, several columns to a machine word.

    Parameters
    ----------
    rows : ndarray of int, shape (n, m)
        Whole numbers from 0 and below `bound`.
    bound : int

    Returns
    -------
    ndarray of int64, shape (n,)
    """
    rank = np.zeros(len(rows), np.int64)
    column = 0
    while column < rows.shape[1]:
        word, size = rank, int(rank.max(initial=0)) + 1
        while column < rows.shape[1] and size * bound < 2**62:
            word, size = word * bound + rows[:, column], size * bound
            column += 1
        rank = dense_rank(word, size)[1]
    return rank
