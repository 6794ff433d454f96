"""Where decisions lie when few of many criteria are asked of an item: in as few rows as the fullest item has criteria."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

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
