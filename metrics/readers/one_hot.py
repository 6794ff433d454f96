"""Labels as a column each, of which every row marks one: `winner_model_a`, `winner_model_b`, `winner_tie` hold one label."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from metrics.data.vocabulary import ANSWERING_FAMILIES, FIRST, SECOND, TIES, meaning, token
from metrics.readers.messages import brief
from metrics.readers.name_parts import cuts
from metrics.readers.table import TextTable

FEWEST_ROWS = 10
"""Rows from which one mark in each is no chance."""


def decode_one_hot(table: TextTable) -> TextTable:
    """Return the table with one column of labels for those of which every row marks one; any other table as it is.

    Parameters
    ----------
    table : TextTable
        Of no known tool.
    """
    if table.merged is not None or table.n_rows < FEWEST_ROWS:
        return table
    marked = {column: marks for column in table.columns if (marks := _marks(table, column)) is not None}
    columns, notes = dict(zip(table.columns, table.data.columns, strict=True)), list(table.notes)
    for head, mark in dict.fromkeys((head, mark) for column in marked for head, mark, _ in cuts(column)):
        group = [column for column in table.columns if column.startswith(head + mark)]
        labels = [column.removeprefix(head + mark) for column in group]
        if head in columns or not columns.keys() >= set(group) or not (set(group) <= marked.keys() and _are_labels(labels)):
            continue
        chosen = np.column_stack([marked[column] for column in group])
        if (chosen.sum(axis=1) == 1).all() and chosen.any(axis=0).all():
            place = list(columns).index(group[0])
            left = [(name, cells) for name, cells in columns.items() if name not in group]
            columns = dict([*left[:place], (head, pa.array(labels).take(pa.array(chosen.argmax(axis=1)))), *left[place:]])
            notes.append(f"Each row marks one of the columns ‘{brief(head + mark)}…’: it is the label of ‘{brief(head)}’.")
    if len(notes) == len(table.notes):
        return table
    return replace(table, data=pa.table(columns), notes=tuple(notes), memo={})


def _marks(table: TextTable, column: str) -> NDArray[np.bool_] | None:
    """Return the rows that a column marks; None for a column that holds anything else than yes and no."""
    coded = table.coded(column) if len(table.raw(column)[1]) <= 3 else None
    known = [] if coded is None else [meaning(name) for name in coded.names]
    if coded is None or not known or (coded.codes < 0).any():
        return None
    if any(sense is None or sense.family not in ANSWERING_FAMILIES for sense in known):
        return None
    return np.array([sense is not None and sense.kind == "positive" for sense in known])[coded.codes]


def _are_labels(names: list[str]) -> bool:
    """Return whether these are known labels, and so no criteria."""
    return len(names) > 1 and all(meaning(name) is not None or token(name) in FIRST | SECOND | TIES for name in names)
