"""The column of the item's id, where nobody named it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from metrics.readers.columns import EACH_ROW, Layout, choose_words, free_columns
from metrics.readers.formats.cells import is_reason
from metrics.readers.names import ITEM, RATER, spaced
from metrics.readers.table import TextTable
from metrics.readers.unlikely import is_constant, is_nested, is_numeric, is_rating_id, is_unique

NO_ITEM = "No column holds the item's id. Name it ‘item’, or confirm that each row is an item of its own."


def complete_item(table: TextTable, layout: Layout) -> None:
    """Find the column of the item's id, or doubt that there is one."""
    if layout.columns.get("item") is not None:
        return
    free = [c for c in free_columns(table, layout) if not (is_constant(table, c) or is_nested(table, c) or is_rating_id(c))]
    rows_are_ratings = layout.shape == "raters" or bool(layout.missing) or bool({"criterion", "judge"} & set(layout.columns))
    by_name = sorted(
        (c for c in free if ITEM.search(spaced(c)) and not RATER.search(spaced(c))),
        key=lambda c: is_unique(table, c) == rows_are_ratings,
    )
    if layout.shape == "raters":
        by_name = [c for c in by_name if not is_unique(table, c)] or by_name
    of_items = [column for column in free if not is_reason(column)]
    by_value = [column for column in of_items if is_unique(table, column) and not is_numeric(table, column)]
    first = [column for column in of_items[:1] if is_unique(table, column)]
    beside = beside_item(layout.columns)
    if beside and not by_value:
        by_value = [column for column in of_items[:1] if is_unique_on_each(table, column, beside)]
    only = free if layout.shape == "raters" and len(free) == 1 else []
    of_many = [
        c for c in free_columns(table, layout) if is_rating_id(c) and not is_unique(table, c) and not is_constant(table, c)
    ]
    hits = by_name or first or by_value or only or (of_many if layout.shape == "raters" else [])
    if hits:
        layout.guess("item", hits[0])
    elif layout.shape == "raters":
        layout.lack("item", f"No column holds the item's id. {choose_words(table, 'item')}")
    elif _only_labels(table, layout):
        layout.columns["item"] = EACH_ROW
        layout.notes.append("No column names the item: each row is an item of its own.")
    else:
        layout.guess("item", EACH_ROW)
        layout.doubt(NO_ITEM)


def beside_item(columns: Mapping[str, str]) -> list[str]:
    """Return the columns by which an item has several rows."""
    return [columns[role] for role in ("criterion", "judge", "run") if role in columns]


def _only_labels(table: TextTable, layout: Layout) -> bool:
    return not free_columns(table, layout) and not {"criterion", "judge", "rater"} & set(layout.columns)


def is_unique_on_each(table: TextTable, column: str, beside: Sequence[str]) -> bool:
    """Return whether no value occurs twice beside the same criterion and judge, and values occur beside several."""
    item = table.coded(column)
    if is_numeric(table, column) or (item.codes < 0).any():
        return False
    keys = np.column_stack([table.coded(name).codes for name in (column, *beside)])
    return len(np.unique(keys, axis=0)) == table.n_rows > len(item.names)
