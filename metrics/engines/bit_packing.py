"""Patterns of items as numbers: what stands in every slot of an item, in as few machine words as hold it.

A slot is what may stand once in an item: a criterion by a judge, say. A row adds three things to the word of its slot: a bit that
says that the slot is filled, a digit for what stands in it, and one to the number of rows. A sum over the rows of an item is
then its pattern. If a slot is filled twice, its bits add up to fewer bits than there were rows, whatever they carry over:
that is how repeated rows are found, exactly and without looking at the rows again.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
LARGEST = 1 << 61
"""No sum over any number of the counted rows comes near the end of a signed machine word of 64 bits."""


@dataclass(frozen=True)
class Word:
    """Slots `first` to `stop` in one number: bits of filled slots lowest, then digits, then the number of rows."""

    first: int
    stop: int
    places: Ints
    """What a digit of each slot is multiplied by."""
    sizes: Ints
    row: int
    """What one row adds at the top."""

    @property
    def n_slots(self) -> int:
        return self.stop - self.first

    def filled(self, sums: Ints) -> NDArray[np.bool_]:
        """Return which slots are filled, shape (n, n_slots).

        Parameters
        ----------
        sums : ndarray of int64, shape (n,)
            Sum over the rows of each item.
        """
        mask: NDArray[np.bool_] = (sums[:, None] >> np.arange(self.n_slots)) & 1 == 1
        return mask

    def digits(self, sums: Ints) -> Ints:
        """Return what stands in each slot, shape (n, n_slots); 0 too where nothing does.

        Parameters
        ----------
        sums : ndarray of int64, shape (n,)
            Sum over the rows of each item; of one that has a repeated row the digits mean nothing.
        """
        return (sums[:, None] % self.row) // self.places % self.sizes

    def repeated(self, sums: Ints) -> NDArray[np.bool_]:
        """Return whether more rows were added than slots are filled, shape (n,).

        Parameters
        ----------
        sums : ndarray of int64, shape (n,)
            Sum over the rows of each item.
        """
        mask: NDArray[np.bool_] = self.filled(sums).sum(1) != sums // self.row
        return mask


def packed(sizes: Ints, n_rows: int) -> list[Word]:
    """Return words for slots, safe for sums over all rows.

    Parameters
    ----------
    sizes : ndarray of int64, shape (n_slots,)
        How many different things each slot may hold.
    n_rows : int
        Rows that may be added up.
    """
    words, first = [], 0
    while first < len(sizes):
        stop, span = first, 1
        while (
            stop < len(sizes) and stop - first < 61 and (span * int(sizes[stop]) << (stop + 1 - first)) * (n_rows + 1) <= LARGEST
        ):
            span *= int(sizes[stop])
            stop += 1
        stop = max(stop, first + 1)
        slot_sizes = sizes[first:stop]
        places, place = [], 1 << (stop - first)
        for size in slot_sizes.tolist():
            places.append(place)
            place *= size
        words.append(Word(first, stop, np.array(places, np.int64), slot_sizes, place))
        first = stop
    return words
