"""Tables with a row for each rater and a column for each item, as agreement among raters is often kept: turned into ratings."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa

from metrics.data.vocabulary import normalise
from metrics.readers.label_columns import MOST_SHARED
from metrics.readers.names import RATER, fold_name, spaced
from metrics.readers.table import TextTable
from metrics.readers.unlikely import is_unique

FEWEST_ITEMS, MOST_RATERS = 5, 200
NOTE = "Each row is a rater, each column an item: every filled cell is a rating."
_CALLED = frozenset({"", "column_1", "name", "model", "evaluator", "who"})


def ratings_by_row(table: TextTable) -> TextTable:
    """Return one row for each rating of a table whose rows are raters; any other table as it is.

    The first column names the raters, each once; all others hold words of one small set, and are more than the rows.

    Parameters
    ----------
    table : TextTable
        Of no known tool.
    """
    if not _rows_are_raters(table):
        return table
    rater, *items = table.columns
    cells = [table.coded(item) for item in items]
    row, place = np.nonzero(np.column_stack([coded.codes >= 0 for coded in cells]))
    labels = [cells[column].names[cells[column].codes[at]] for at, column in zip(row.tolist(), place.tolist(), strict=True)]
    names = table.coded(rater).names
    data = {
        "rater": pa.array([names[at] for at in row.tolist()], pa.string()),
        "item": pa.array([items[column] for column in place.tolist()], pa.string()),
        "label": pa.array(labels, pa.string()),
    }
    numbers = np.array([table.number(at) for at in row.tolist()], np.int64)
    return replace(table, data=pa.table(data), numbers=numbers, notes=(*table.notes, NOTE), memo={})


def _rows_are_raters(table: TextTable) -> bool:
    few, broad = 2 <= table.n_rows <= MOST_RATERS, len(table.columns) - 1 > max(table.n_rows, FEWEST_ITEMS - 1)
    if table.merged is not None or not (few and broad) or not _names_raters(table, table.columns[0]):
        return False
    said = [{normalise(name) for name in table.coded(item).names} for item in table.columns[1:]]
    shared = set[str]().union(*said)
    return all(said) and len(shared) <= MOST_SHARED and len(shared) < len(said)


def _names_raters(table: TextTable, column: str) -> bool:
    called = fold_name(column) in _CALLED or RATER.search(spaced(column)) is not None
    return called and is_unique(table, column) and len(table.coded(column).names) == table.n_rows
