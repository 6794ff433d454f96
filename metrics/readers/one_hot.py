"""Labels as a column each, of which every row marks one: `winner_model_a`, `winner_model_b`, `winner_tie` hold one label."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from metrics.data.vocabulary import ANSWERING_FAMILIES, FIRST, SECOND, TIES, is_number, meaning, token
from metrics.readers.messages import brief
from metrics.readers.name_parts import cuts
from metrics.readers.table import TextTable

FEWEST_ROWS = 10
"""Rows from which one mark in each is no chance."""
TWO = 2
"""What a key holds that was chosen or not: a mark, and nothing."""
_KEY = re.compile(r"(.+)(?:\.|:::)(.+)")
"""An option as the key of what was asked: `labels.mood.good`, `mood:::good`."""


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
            columns = _in_place_of(group, columns, head, pa.array(labels).take(pa.array(chosen.argmax(axis=1))))
            notes.append(f"Each row marks one of the columns ‘{brief(head + mark)}…’: it is the label of ‘{brief(head)}’.")
    for question, group in _questions(table, columns).items():
        if (cells := _chosen_keys(table, group)) is not None:
            columns = _in_place_of(group, columns, question, cells)
            notes.append(f"Each row has one of the keys of ‘{brief(question)}’: it is the label there.")
    if len(notes) == len(table.notes):
        return table
    return replace(table, data=pa.table(columns), notes=tuple(notes), memo={})


def _in_place_of(group: Sequence[str], columns: Mapping[str, Any], name: str, cells: pa.Array) -> dict[str, Any]:
    """Return the columns with one in the place of several."""
    place = list(columns).index(group[0])
    left = [(column, others) for column, others in columns.items() if column not in group]
    return dict([*left[:place], (name, cells), *left[place:]])


def _questions(table: TextTable, columns: Collection[str]) -> dict[str, list[str]]:
    """Return the columns of the keys of each record, or of a form, in which one key may be what was chosen."""
    groups: dict[str, list[str]] = {}
    for column in table.columns:
        if (match := _KEY.fullmatch(column)) and column in columns and len(table.raw(column)[1]) <= TWO:
            groups.setdefault(match[1], []).append(column)
    whole = {name: [c for c in table.columns if (match := _KEY.fullmatch(c)) and match[1] == name] for name in groups}
    return {name: group for name, group in groups.items() if len(group) > 1 and group == whole[name] and name not in columns}


def _chosen_keys(table: TextTable, group: Sequence[str]) -> pa.Array | None:
    """Return the key that each row has, or the number there; None where a row has several, or most have none."""
    coded = [table.coded(column) for column in group]
    filled = np.column_stack([one.codes >= 0 for one in coded])
    if any(len(one.names) != 1 for one in coded) or (filled.sum(axis=1) > 1).any():
        return None
    if filled.sum() < max(FEWEST_ROWS, table.n_rows / 2):
        return None
    keys, cells = [_KEY.fullmatch(column)[2] for column in group], [one.names[0] for one in coded]  # type: ignore[index]
    known = [meaning(cell) for cell in cells]
    ticked = all(one is not None and one.kind == "positive" and one.family in ANSWERING_FAMILIES for one in known)
    steps = all(is_number(cell) and key.endswith(cell) for key, cell in zip(keys, cells, strict=True))
    if not (ticked or steps):
        return None
    places = np.where(filled.any(axis=1), filled.argmax(axis=1), len(keys))
    return pa.array([*(cells if steps else keys), ""]).take(pa.array(places))


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
