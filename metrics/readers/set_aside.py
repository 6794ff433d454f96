"""Criteria whose labels are not asked about: those that were not asked for, and those on which a label is a list."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa

from metrics.data.labels import NOT_READ
from metrics.readers.columns import Layout
from metrics.readers.messages import brief, listed
from metrics.readers.scaling import sources_of
from metrics.readers.table import TextTable
from metrics.readers.wide import wide_columns


def note_of_lists(criteria: Sequence[str]) -> str:
    """Return that criteria are left out because their labels are lists."""
    return f"{NOT_READ[1]}: {listed((f'‘{brief(name, 30)}’' for name in criteria), 4)}."


def of_lists(table: TextTable, layout: Layout) -> tuple[str, ...]:
    """Return the criteria on which every label is a list, beside others; none where all are such.

    Parameters
    ----------
    table : TextTable
    layout : Layout
    """
    if layout.shape not in ("pairs", "raters") or "criterion" not in layout.columns:
        return ()
    criterion, lists, others = table.coded(layout.columns["criterion"]), set[int](), set[int]()
    for column, _, _ in sources_of(layout.shape, layout.columns):
        labels = table.coded(column)
        is_list = np.array([*(name.startswith("[") and name.endswith("]") for name in labels.names), False])
        if is_list.any():
            lists |= set(criterion.codes[is_list[labels.codes]].tolist())
        others |= set(criterion.codes[(labels.codes >= 0) & ~is_list[labels.codes]].tolist())
    found = tuple(criterion.names[code] for code in sorted(lists - others - {-1}))
    return found if others - {-1} else ()


def without_criteria(table: TextTable, layout: Layout, names: Collection[str]) -> tuple[TextTable, Layout]:
    """Return a table and its columns without those criteria, as far as others are left.

    Parameters
    ----------
    table : TextTable
    layout : Layout
    names : collection of str
        Criteria.
    """
    if not names:
        return table, layout
    gone = {column.key for column in wide_columns(layout.columns) if column.criterion in names}
    if gone and len(gone) < len(wide_columns(layout.columns)):
        layout = replace(layout, columns={key: column for key, column in layout.columns.items() if key not in gone})
    if "criterion" not in layout.columns:
        return table, layout
    coded = table.coded(layout.columns["criterion"])
    kept = np.array([*(name not in names for name in coded.names), True])[coded.codes]
    if kept.all() or not kept.any():
        return table, layout
    numbers = np.arange(table.n_rows) + table.first_row if table.numbers is None else table.numbers
    data = table.data.filter(pa.array(kept))
    fields = [(field.name, field.type.value_type if pa.types.is_dictionary(field.type) else field.type) for field in data.schema]
    data = data.cast(pa.schema(fields))  # names that no row has any more are gone with their codes
    return replace(table, data=data, numbers=numbers[kept], origins=(), memo={}), layout
