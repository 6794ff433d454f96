"""The rows of a file that carry no rating: which, why, and what stands in them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from metrics.data.ratings import LeftOut, Ratings, written_out
from metrics.readers.table import NO_LABEL, Merged, TextTable

if TYPE_CHECKING:
    import pandas as pd

BLANK, NO_ITEM = "blank row", "no item id"
REPEATED = "repeated: a later row gives the same item, criterion and rater"
REPEATED_EARLIER = "repeated: an earlier row gives the same item, criterion and rater"
NO_CRITERION, NO_JUDGE, NO_RATER, NO_ROLE = "no criterion", "no judge named", "no rater named", "no role"
CODE_ROW = "rated by code, neither human nor judge"
OTHER_ROLE = "role is neither human nor judge"
BESIDE_LABEL = "a score alone: another row gives the label of the same rating"
IN_ORDER = (
    BLANK, NO_ITEM, NO_CRITERION, NO_JUDGE, NO_RATER, NO_ROLE, CODE_ROW, OTHER_ROLE, NO_LABEL, REPEATED, REPEATED_EARLIER,
    BESIDE_LABEL,
)  # fmt: skip
"""Reasons as they are looked for."""


@dataclass
class Account:
    """Which rows are left out, and why; the first reason counts."""

    n_rows: int
    names: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.reason = np.full(self.n_rows, -1, dtype=np.int16)

    def leave(self, rows: NDArray[np.bool_], why: str) -> None:
        """Leave out rows; those that are left out already keep their reason.

        Parameters
        ----------
        rows : ndarray of bool, shape (n_rows,)
        why : str
            The reason.
        """
        if rows.any():
            if why not in self.names:
                self.names.append(why)
            self.reason[rows & (self.reason < 0)] = self.names.index(why)

    @property
    def kept(self) -> NDArray[np.bool_]:
        return self.reason < 0

    def left_out(self, table: TextTable) -> LeftOut:
        places = np.flatnonzero(~self.kept)
        if table.merged is not None:
            return self._of_merged(table, table.merged, places)
        skipped, why_skipped = zip(*table.skipped, strict=True) if table.skipped else ((), ())
        code = {why: place for place, why in enumerate(dict.fromkeys([*self.names, *why_skipped]))}
        rows = np.concatenate([table.record_numbers[places], skipped]).astype(np.int64)
        reasons = np.concatenate([self.reason[places], [*map(code.__getitem__, why_skipped)]]).astype(np.int16)
        order = np.argsort(rows, kind="stable")
        return LeftOut(tuple(code), rows[order], reasons[order])

    def _of_merged(self, table: TextTable, merged: Merged, places: NDArray[np.int64]) -> LeftOut:
        """Return rows of the tally with the rows they stand for, and those that were left out of it."""
        names = sorted({*self.names, *(why for why, _ in merged.left_out)}, key=IN_ORDER.index)
        rows = np.concatenate([places + table.first_row, np.zeros(len(merged.left_out), np.int64)])
        row_reasons = np.array([names.index(why) for why in self.names], np.int16)[self.reason[places]]
        reasons = np.concatenate([row_reasons, [names.index(why) for why, _ in merged.left_out]]).astype(np.int16)
        times = np.concatenate([merged.times[places], [count for _, count in merged.left_out]]).astype(np.int64)
        return LeftOut(tuple(names), rows, reasons, times)


def blank_rows(table: TextTable, suspects: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which of the suspected rows have nothing in any column.

    Parameters
    ----------
    table : Table
    suspects : ndarray of bool, shape (n_rows,)

    Returns
    -------
    ndarray of bool, shape (n_rows,)
    """
    blank = suspects.copy()
    for column in table.columns:
        if not blank.any():
            break
        codes, values = table.raw(column)
        empty = np.array([not str(value).strip() for value in values.take(pa.array(codes[blank])).to_pylist()], dtype=bool)
        blank[np.flatnonzero(blank)[~empty]] = False
    return blank


def left_out_rows(ratings: Ratings, table: TextTable | None = None) -> pd.DataFrame:
    """Return record number, reason and text of every row left out; of a tally, reasons and how many rows."""
    import pandas as pd  # nobody else who reads a file needs it

    left = ratings.left_out
    names = np.array([*left.names, ""], dtype=object)
    if left.times is not None:
        counts = left.counts()
        return pd.DataFrame({"reason": list(counts), "rows": list(counts.values())})
    frame = pd.DataFrame({"row": left.rows, "reason": names[left.reasons]})
    if table is None or not table.n_rows:
        return frame
    numbers = table.record_numbers
    places = np.minimum(np.searchsorted(numbers, left.rows), len(numbers) - 1)
    readable = numbers[places] == left.rows
    texts = written_out(table.data.take(pa.array(places[readable]))).to_pandas()
    texts.index = pd.Index(np.flatnonzero(readable))
    return frame.join(texts.rename(columns={name: f"{name} (file)" for name in frame.columns}))
