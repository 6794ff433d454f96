"""Rows of TP, FP, FN and TN, one for each criterion or judge: every decision that they count, as a tally of items."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from metrics.data.vocabulary import Kind
from metrics.readers.limits import EXACT
from metrics.readers.messages import brief, refuse
from metrics.readers.names import CRITERION, JUDGE, spaced
from metrics.readers.table import Merged, TextTable
from metrics.results.words import count

_CELLS = {
    re.compile(r"tp|true pos(itives?)?"): ("positive", "positive"),
    re.compile(r"fp|false pos(itives?)?"): ("negative", "positive"),
    re.compile(r"fn|false neg(atives?)?"): ("positive", "negative"),
    re.compile(r"tn|true neg(atives?)?"): ("negative", "negative"),
}
"""How a column of counts is called, and the labels of human and judge that it counts."""
KINDS: tuple[tuple[str, Kind], ...] = (("positive", "positive"), ("negative", "negative"))
_WHOLE = re.compile(r"[0-9]{1,15}(\.0+)?")
_NUMBER = re.compile(r"[-+]?[0-9.,]*%?|nan", re.IGNORECASE)


def decisions_of_confusion_rows(table: TextTable) -> TextTable:
    """Return the decisions that rows of TP, FP, FN and TN count, each an item of its own; any other table as it is.

    A last row that is the sum of several others is left out.

    Parameters
    ----------
    table : TextTable
        Of no known tool.

    Raises
    ------
    InputError
        Where the rows are of several judges, which can only be compared on the same items.
    """
    heads = [[column for column in table.columns if name.fullmatch(spaced(column))] for name in _CELLS]
    if table.merged is not None or not all(len(columns) == 1 for columns in heads):
        return table
    counts = _counts(table, [columns[0] for columns in heads])
    keys = _keys(table, {columns[0] for columns in heads})
    if counts is None or keys is None or not 0 < counts.astype(float).sum() <= EXACT:
        return table
    if len(set(table.data[keys["judge"]].to_pylist() if "judge" in keys else ())) > 1:
        refuse(
            f"{brief(table.name)} counts the decisions of several judges, and not on which items they differ: save the rows of "
            "each judge as a file of its own, or send the labels."
        )
    summed = len(counts) > 2 and bool((counts[-1] == counts[:-1].sum(0)).all())
    row, cell = np.nonzero(counts[:-1] if summed else counts)
    labels = np.array(list(_CELLS.values()))[cell]
    data = {"item": [f"kind {place}" for place in range(1, len(row) + 1)]}
    data |= {"human": labels[:, 0].tolist(), "verdict": labels[:, 1].tolist()}
    data |= {role: table.data[column].take(pa.array(row)).to_pylist() for role, column in keys.items()}
    times = counts[row, cell]
    n = int(times.sum())
    merged = Merged(times, n, columns=tuple((role, role) for role in data))
    note = (
        f"Counts of TP, FP, FN and TN: the {count(n)} decisions of {brief(table.name)} are taken as items of their own, for no "
        f"row says which of them are on one item.{' Its last row, the sum of the others, is left out.' if summed else ''}"
    )
    text = pa.table({role: pa.array(cells, pa.string()).dictionary_encode() for role, cells in data.items()})
    return replace(table, data=text, merged=merged, numbers=None, kinds=KINDS, notes=(*table.notes, note), memo={})


def _counts(table: TextTable, columns: list[str]) -> NDArray[np.int64] | None:
    """Return the cells of the columns as whole numbers, shape (n_rows, n_columns); None where one is none."""
    cells = [[str(cell).strip() for cell in table.data[column].to_pylist()] for column in columns]
    if not all(_WHOLE.fullmatch(cell) for of_column in cells for cell in of_column):
        return None
    return np.array([[int(float(cell)) for cell in of_column] for of_column in cells], np.int64).T


def _keys(table: TextTable, counted: set[str]) -> dict[str, str] | None:
    """Return the columns of criterion and judge, under which no row stands twice; None where these do not tell rows apart.

    Numbers beside the counts are worked out of them; texts under any name but a judge's are criteria.
    """
    free = [column for column in table.columns if column not in counted and not _holds_numbers(table, column)]
    judges = [column for column in free if JUDGE.search(spaced(column)) and not CRITERION.search(spaced(column))]
    criteria = [column for column in free if column not in judges]
    if len(judges) > 1 or len(criteria) > 1:
        return None
    found = {role: columns[0] for role, columns in (("criterion", criteria), ("judge", judges)) if columns}
    names = [table.data[column].to_pylist() for column in found.values()]
    rows = list(zip(*names, strict=True)) if names else [()] * table.n_rows
    told_apart = len(set(rows)) == len(rows) and all(cell.strip() for row in rows for cell in row)
    return found if told_apart else None


def _holds_numbers(table: TextTable, column: str) -> bool:
    return all(_NUMBER.fullmatch(str(cell).strip()) for cell in table.data[column].to_pylist())
