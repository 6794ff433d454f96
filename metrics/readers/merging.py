"""Names of criteria and raters under one spelling, where the user said that case and blanks do not tell them apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pyarrow as pa

from metrics.data.similar_names import alike_names
from metrics.readers.crossing import with_joint
from metrics.readers.table import TextTable, column_of

ROLES = ("criterion", "judge", "rater")
"""Roles of columns whose names can be merged."""


def groups_of(table: TextTable, columns: Mapping[str, str]) -> dict[str, tuple[tuple[str, ...], ...]]:
    """Return column to its groups of names that are alike; columns without any are left out."""
    table = with_joint(table, columns)
    groups_by_column = {columns[role]: alike_names(table.coded(columns[role]).names) for role in ROLES if role in columns}
    return {column: groups for column, groups in groups_by_column.items() if groups}


def merged_spellings(table: TextTable, columns: Mapping[str, str]) -> TextTable:
    """Return the table with each group of names under its most frequent one, the first of equals."""
    table = with_joint(table, columns)
    data = table.data
    for column, groups in groups_of(table, columns).items():
        coded = table.coded(column)
        rows = np.bincount(coded.codes + 1, minlength=len(coded.names) + 1)[1:]
        place = np.arange(len(coded.names), dtype=np.int32)
        for group in groups:
            codes = [coded.names.index(name) for name in group]
            place[codes] = max(codes, key=lambda code: (rows[code], -code))
        cells = column_of(np.append(place, np.int32(-1))[coded.codes], coded.names).cast(pa.string())
        data = data.set_column(data.column_names.index(column), column, cells)
    return table if data is table.data else replace(table, data=data, memo={})
