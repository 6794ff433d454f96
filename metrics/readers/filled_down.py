"""Rows of an item of which only the first names it, as a sheet with merged cells is saved: each gets what it is a row of."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from metrics.readers.crossing import MOST_CRITERIA
from metrics.readers.messages import brief, listed
from metrics.readers.names import ITEM, spaced
from metrics.readers.table import TextTable

LEAST_BLANK = 0.3
"""Share of rows without a name from which blank cells are a way to write a table, and no gaps."""


def filled_down(table: TextTable) -> TextTable:
    """Return a table with the name of each item in all its rows, where only the first of them has it; any other as it is.

    No name stands twice, and another column, filled everywhere, tells the rows of each item apart: the criterion or the rater.
    Columns that are blank in the same rows are of the item too.

    Parameters
    ----------
    table : TextTable
        Of no known tool.
    """
    if table.merged is not None or table.n_rows < 2:
        return table
    columns = table.columns
    for column in columns:
        if column != columns[0] and not ITEM.search(spaced(column)):
            continue
        blank = table.coded(column).codes < 0
        named = int(np.count_nonzero(~blank))
        if blank[0] or blank.mean() < LEAST_BLANK or named != len(table.coded(column).names):
            continue
        first = np.maximum.accumulate(np.where(blank, 0, np.arange(table.n_rows)))
        if any(_tells_apart(table, other, first) for other in columns if other != column):
            return _filled(table, blank, first)
    return table


def _tells_apart(table: TextTable, column: str, first: NDArray[np.int64]) -> bool:
    """Return whether a column with few names, none empty, says something else in each row of an item."""
    coded = table.coded(column)
    n_names = len(coded.names)
    if not 2 <= n_names <= min(MOST_CRITERIA, table.n_rows // 2) or (coded.codes < 0).any():
        return False
    return len(np.unique(first * n_names + coded.codes)) == table.n_rows


def _filled(table: TextTable, blank: NDArray[np.bool_], first: NDArray[np.int64]) -> TextTable:
    of_item = [name for name in table.columns if np.array_equal(table.coded(name).codes < 0, blank)]
    data = {name: table.data[name].take(pa.array(first)) if name in of_item else table.data[name] for name in table.columns}
    names = listed((f"‘{brief(name, 30)}’" for name in of_item), 4)
    note = f"Rows below the first of an item have no {names} of their own, and are read with those of the item."
    return replace(table, data=pa.table(data), notes=(*table.notes, note), memo={})
