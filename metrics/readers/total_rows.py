"""Rows of a sheet that are not as they stand: those below the others that sum them up, and those whose item is named above."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from metrics.data.ratings import written_out
from metrics.readers.counting import looks_like_counts, looks_like_grid
from metrics.readers.crossing import MOST_CRITERIA
from metrics.readers.messages import brief, listed
from metrics.readers.names import ITEM, spaced
from metrics.readers.table import TextTable

SUMS_UP = "a row that sums up the others"
MOST, FEWEST = 6, 8
"""Rows that may sum up, and rows above them from which these are items."""
_WORDS = re.compile(
    r"(?:(?:grand|column|sub)[ -]?)?totals?(?: [a-z]+)?|sums?|averages?|avg|means?|ø|median|mode|min|max|minimum|maximum|counts?|"
    r"n|overall|sd|std|std?\.? ?dev\.?|standard deviation|variance|majority|kappa|agreement|"
    r"(?:pass|agreement|error) rate|% ?[a-z]+|"
    r"[a-z]+ ?%|percent(?:age)?(?: [a-z]+)?|summe|gesamt|mittelwert|durchschnitt|anteil"
)


def without_totals(table: TextTable) -> TextTable:
    """Return a table without its last rows that sum up the others, each of which is listed as left out; any other as it is.

    In the first column that has a name, the cell of each is called so, and that of no row above.

    Parameters
    ----------
    table : TextTable
        Of no known tool.
    """
    if table.merged is not None or table.n_rows < FEWEST or not table.columns:
        return table
    column = next((name for name in table.columns if name.strip() and not name.lower().startswith("unnamed")), table.columns[0])
    if not _sums_up(str(table.data[column][table.n_rows - 1].as_py() or "")):
        return table
    coded = table.coded(column)
    sums = np.array([*map(_sums_up, coded.names), False])[coded.codes]
    n = int(sums.sum())
    if (
        not 0 < n <= MOST
        or table.n_rows - n < FEWEST
        or not sums[-n:].all()
        or looks_like_grid(table)
        or looks_like_counts(table)
    ):
        return table
    kept = table.n_rows - n
    skipped = (*table.skipped, *((table.number(row), SUMS_UP) for row in range(kept, table.n_rows)))
    numbers = None if table.numbers is None else table.numbers[:kept]
    data = written_out(table.data.slice(0, kept))  # their labels go too
    names = listed(dict.fromkeys(f"‘{brief(coded.names[code], 30)}’" for code in coded.codes[kept:].tolist()), 4)
    note = f"Below the items {'a row sums' if n == 1 else 'rows sum'} them up, and {'is' if n == 1 else 'are'} left out: {names}."
    skipped = tuple(sorted(skipped))
    return replace(table, data=data, numbers=numbers, skipped=skipped, notes=(*table.notes, note), memo={})


def _sums_up(cell: str) -> bool:
    return _WORDS.fullmatch(cell.strip().lower().rstrip(".:")) is not None


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
