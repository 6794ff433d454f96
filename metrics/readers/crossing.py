"""Item and criterion found by what the columns hold: an id that stands once for each value of a second column."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from metrics.readers.formats.canonical import WRITTEN
from metrics.readers.repeats import Keys, is_unique, key_of
from metrics.readers.table import TextTable

AND, BETWEEN = " and ", " · "
"""Between the columns that make an item or a rater, and between their cells."""
JOINT = ("item", "judge", "rater")
"""Roles that several columns may have together."""

MOST_CRITERIA = 30
"""Different values up to which a column is taken for that of the criterion."""
LEAST_CROSSED = 0.9
"""Share of all pairs of item and criterion that have a row of their own; less is a grid by chance."""


def repeats(table: TextTable, columns: Iterable[str]) -> bool:
    """Return whether two rows say the same in all these columns."""
    return not is_unique(*keys_of(table, list(columns)))


def n_keys(table: TextTable, columns: Sequence[str]) -> int:
    """Return how many different things the rows say in these columns together."""
    keys, size = keys_of(table, columns)
    return int(np.count_nonzero(np.bincount(keys, minlength=size)))


def criterion_of(table: TextTable, keys: Sequence[str], free: Iterable[str]) -> str | None:
    """Return the column that tells apart rows which are alike in the columns of item and judge; None unless it is one only.

    Parameters
    ----------
    table : Table
    keys : sequence of str
        Columns of item, judge and rater, as far as there are any.
    free : iterable of str
        Columns without a role.
    """
    if not repeats(table, keys):
        return None
    found = [column for column in free if _is_few(table, column) and _is_crossed(table, keys, column)]
    return found[0] if len(found) == 1 else None


def item_and_criterion_of(
    table: TextTable, keys: Sequence[str], free: Sequence[str], criteria: Sequence[str]
) -> tuple[str, str] | None:
    """Return the columns of item and criterion; None where several can be they, unless all tell the same items apart.

    Parameters
    ----------
    table : Table
    keys : sequence of str
        Columns of judge and rater, as far as there are any.
    free : sequence of str
        Columns without a role.
    criteria : sequence of str
        Columns that may be that of the criterion.
    """
    found = [
        (item, criterion)
        for item in free
        for criterion in criteria
        if item != criterion
        and _is_few(table, criterion)
        and _n_values(table, item) > _n_values(table, criterion)
        and _is_crossed(table, [item, *keys], criterion)
    ]
    return found[0] if found and all(_is_same(table, found[0], other) for other in found[1:]) else None


def _is_same(table: TextTable, one: tuple[str, str], other: tuple[str, str]) -> bool:
    """Return whether the criterion is the same column, and what tells the items apart stands for the same rows."""
    return one[1] == other[1] and n_keys(table, [one[0], other[0]]) == n_keys(table, [one[0]]) == n_keys(table, [other[0]])


def _n_values(table: TextTable, column: str) -> int:
    return len(table.raw(column)[1])


def _is_few(table: TextTable, column: str) -> bool:
    return 2 <= _n_values(table, column) <= min(MOST_CRITERIA, table.n_rows // 2)


def _is_crossed(table: TextTable, keys: Sequence[str], criterion: str) -> bool:
    """Return whether every key has one row for each criterion, or nearly so."""
    full = n_keys(table, keys) * _n_values(table, criterion)
    return not repeats(table, [*keys, criterion]) and table.n_rows >= LEAST_CROSSED * full


def keys_of(table: TextTable, columns: Sequence[str]) -> tuple[Keys, int]:
    """Return one number per row, alike where two rows say the same in all columns, and the upper end of these numbers."""
    coded = [table.raw(column) for column in columns]
    return key_of([codes for codes, _ in coded], [len(values) for _, values in coded])


def parts_of(name: str, columns: Sequence[str]) -> tuple[str, ...]:
    """Return the columns that a name joins, as in `prompt_id and model`; none where it is a column itself."""
    if name in columns:
        return ()
    for cut in re.finditer(AND, name):
        head, tail = name[: cut.start()], name[cut.end() :]
        rest = (tail,) if tail in columns else parts_of(tail, columns)
        if head in columns and rest:
            return head, *rest
    return ()


def with_joint(table: TextTable, columns: Mapping[str, str]) -> TextTable:
    """Return the table with the columns of its items and raters that join several of the file; as it is where none does.

    Parameters
    ----------
    table : TextTable
    columns : mapping of role to column
    """
    for role in JOINT:
        name = columns.get(role, "")
        parts = parts_of(name, table.columns)
        if parts and ("joint", name) not in table.memo:
            cells = _joint(table, parts, blanks=role == "item")
            table.memo["joint", name] = replace(table, data=table.data.append_column(name, cells), memo={})
        table = table.memo["joint", name] if parts else table
    return table


def input_of(table: TextTable, columns: Mapping[str, str]) -> str:
    """Return the first of the columns that make the items; empty where the items are a column of the file.

    Of ratings that were written out, the column whose cells stand before each item's mark.
    """
    item = columns.get("item", "")
    parts = parts_of(item, [column for column in table.columns if column != item])
    if parts or table.format != WRITTEN or item not in table.columns:
        return next(iter(parts), "")
    codes, names = table.raw(item)
    heads = pc.list_element(pc.split_pattern(names, BETWEEN, max_splits=1), 0)
    if len(pc.unique(heads)) == len(names) or not pc.all(pc.match_substring(names, BETWEEN)).as_py():
        return ""
    of_rows = heads.take(pa.array(codes))
    free = (column for column in table.columns if column not in columns.values())
    return next((column for column in free if pa.chunked_array([of_rows]).equals(_whole(table, column))), "")


def _whole(table: TextTable, column: str) -> pa.ChunkedArray:
    codes, names = table.raw(column)
    return pa.chunked_array([names.take(pa.array(codes))])


def _joint(table: TextTable, parts: Sequence[str], *, blanks: bool) -> pa.Array:
    """Return the cells of several columns in one, without those that are blank unless `blanks`."""
    texts = [values.take(pa.array(codes)) for codes, values in map(table.raw, parts)]
    if blanks:
        return pc.binary_join_element_wise(*texts, BETWEEN)
    filled = [pc.if_else(pc.equal(pc.utf8_trim_whitespace(text), ""), None, text) for text in texts]
    return pc.fill_null(pc.binary_join_element_wise(*filled, BETWEEN, null_handling="skip"), "")
