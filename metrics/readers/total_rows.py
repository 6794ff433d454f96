"""Rows below the others that sum them up: a total, a mean, a median, what most say. They are no items."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from metrics.data.ratings import written_out
from metrics.readers.counting import looks_like_counts, looks_like_grid
from metrics.readers.messages import brief, listed
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
