"""CSV that a spreadsheet opens as text: a cell that would start a formula gets a leading apostrophe."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

WHOLE = ("abstention", "level", "coverage", "reference", "file", "sha256")
"""Columns of a table that says of each row by itself what it rests on."""
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")


def guard(cell: Any) -> Any:
    """Return a text cell that no spreadsheet reads as a formula; anything but text is returned as it is."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA_STARTS) else cell


Table = pd.DataFrame | Mapping[str, Sequence[Any]] | Sequence[Mapping[str, Any]]
"""A frame, its columns, or its rows."""


def safe_csv(table: Table, declaration: Mapping[str, Any] | None = None) -> str:
    """Return a table as CSV with guarded cells and names, as RFC 4180 writes it; undefined numbers are empty.

    `declaration` is what every row says in further columns: what the numbers rest on. Where the table has a column of
    that name it stays as it is, and what is told stands beside it as `declared_…`, unless it is the same; a table with all of
    `WHOLE` stays as it is.
    """
    frame = pd.DataFrame(table)
    frame = frame.assign(**_added_columns(frame, declaration or {}))
    guarded = frame.copy()
    for column in guarded.columns:
        if not pd.api.types.is_numeric_dtype(guarded[column]):
            guarded[column] = guarded[column].map(guard)
    guarded.columns = pd.Index([guard(str(column)) for column in frame.columns])
    return guarded.to_csv(index=False, lineterminator="\r\n")


def _added_columns(frame: pd.DataFrame, declaration: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is told under names that the table does not have; nothing where every row declares itself."""
    if frame.columns.isin(WHOLE).sum() == len(WHOLE):
        return {}
    out: dict[str, Any] = {}
    for name, what in declaration.items():
        column = name if name not in frame.columns or name.startswith("declar") else f"declared_{name}"
        if column in frame.columns or (name in frame.columns and bool((frame[name] == what).all())):
            continue
        out[column] = what
    return out
