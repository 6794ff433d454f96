"""Excel, Parquet and DataFrames -> Table: typed cells become the text a person would type."""

from __future__ import annotations

import datetime as dt
import hashlib
import io
import json
import math
from collections.abc import Iterable, Sequence
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from metrics.readers.delimited import check_header
from metrics.readers.sentences import brief, refuse, times
from metrics.readers.table import BAD_ROW, Table
from metrics.readers.tallied import as_tally, is_tally


def text(value: Any) -> str:
    """A cell as text: 7 for 7.0, true for True, nothing for None."""
    if value is None or value is pd.NA or value is pd.NaT:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return _decimal(value)
    if isinstance(value, dt.datetime) and value.time() == dt.time():
        return value.date().isoformat()
    if isinstance(value, dt.date | dt.datetime):
        return value.isoformat()
    return _other(value)


def _decimal(value: float) -> str:
    if math.isnan(value):
        return ""
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def _other(value: Any) -> str:
    if hasattr(value, "item") and getattr(value, "ndim", None) == 0:
        return text(value.item())
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False, default=str)
    return str(value)


def read_parquet(data: bytes, name: str, sha256: str) -> Table:
    try:
        table = pq.read_table(pa.BufferReader(data))
    except (pa.ArrowException, OSError, ValueError) as error:
        refuse(f"{brief(name)} is a Parquet file that cannot be read: {brief(error, 200)}. Write it again.")
    return as_tally(table, name, sha256) if is_tally(table) else as_text(table, name, sha256)


def read_frame(frame: pd.DataFrame, name: str) -> Table:
    """A DataFrame; a named index becomes a column."""
    if any(label is not None for label in frame.index.names):
        frame = frame.reset_index()
    columns = check_header([storable(str(column)) for column in frame.columns], name)
    arrays = [_series(frame.iloc[:, place]) for place in range(len(columns))]
    table = as_text(pa.table(arrays, names=columns), name, "")
    digest = hashlib.sha256("\x1f".join(columns).encode())
    for column in table.data.columns:
        for chunk in column.cast(pa.string()).chunks:
            digest.update(chr(0x1E).join(chunk.to_pylist()).encode("utf-8", "surrogatepass"))
    return Table(name, digest.hexdigest(), table.data, corner=columns[0] if columns else "")


def _series(series: pd.Series[Any]) -> pa.Array | pa.ChunkedArray:
    if series.dtype != object:
        try:
            return pa.Array.from_pandas(series)
        except (pa.ArrowException, TypeError, ValueError):
            pass
    return texts(text(value) for value in series)


def texts(values: Iterable[str]) -> pa.StringArray:
    """An Arrow array; half characters that no encoding can hold become question marks."""
    found = list(values)
    try:
        return pa.array(found, pa.string())
    except UnicodeEncodeError:
        return pa.array([storable(value) for value in found], pa.string())


def storable(value: str) -> str:
    return value.encode("utf-8", "replace").decode("utf-8")


def as_text(table: pa.Table, name: str, sha256: str) -> Table:
    """An Arrow table with every column as text."""
    columns = check_header([str(column) for column in table.column_names], name)
    if not columns:
        refuse(f"{brief(name)} is empty.")
    if not table.num_rows:
        refuse(f"{brief(name)} has column names but no rows.")
    data = pa.table([_text_column(column) for column in table.columns], names=columns)
    return Table(name, sha256, data, corner=columns[0])


def _text_column(column: pa.ChunkedArray) -> pa.ChunkedArray:
    kind = column.type
    if pa.types.is_dictionary(kind):
        return _text_column(column.cast(kind.value_type))
    if (
        pa.types.is_string(kind)
        or pa.types.is_large_string(kind)
        or pa.types.is_string_view(kind)
        or pa.types.is_integer(kind)
        or pa.types.is_boolean(kind)
    ):
        plain = column.cast(pa.string())
    elif pa.types.is_null(kind):
        return pa.chunked_array([pa.array([""] * len(column), pa.string())])
    else:
        plain = pa.chunked_array([pa.array([text(value) for value in column.to_pylist()], pa.string())])
    return pc.fill_null(plain, "")


def read_workbook(data: bytes, name: str, sha256: str, *, sheet: str | None, skip_bad_rows: bool) -> Table:
    """One sheet of an Excel file: the named one, else the first that holds anything."""
    import openpyxl

    try:
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        sheets = {page.title: page for page in book.worksheets}
        if sheet is not None and sheet not in sheets:
            refuse(f"{brief(name)} has no sheet ‘{brief(sheet)}’. It has: {', '.join(map(brief, sheets))}.")
        title, rows = _first_filled({sheet: sheets[sheet]} if sheet is not None else sheets)
    except ValueError:
        raise
    except Exception as error:
        # openpyxl lets many kinds of exception out of a damaged file
        refuse(f"{brief(name)} is an Excel file that cannot be read: {brief(error, 200)}. Save it again, or as CSV.")
    if not rows:
        refuse(f"{brief(name)} is empty.")
    notes = (f"Read from the sheet ‘{brief(title)}’ of {len(sheets)}.",) if len(sheets) > 1 else ()
    return from_rows(rows, name, sha256, skip_bad_rows=skip_bad_rows, notes=notes)


def _first_filled(sheets: dict[str, Any]) -> tuple[str, list[list[str]]]:
    for title, page in sheets.items():
        rows = [[text(value) for value in row] for row in page.iter_rows(values_only=True)]
        while rows and not any(rows[-1]):
            rows.pop()
        if rows:
            return title, rows
    return "", []


def from_rows(
    rows: Sequence[Sequence[str]], name: str, sha256: str, *, skip_bad_rows: bool = False, notes: Iterable[str] = ()
) -> Table:
    """Rows of text, header first; short rows are filled up, as a sheet has no ragged rows."""
    width = max((place for place, cell in enumerate(rows[0], start=1) if cell.strip()), default=0)
    columns = check_header(list(rows[0][:width]), name)
    body, skipped, numbers = [], [], []
    for number, row in enumerate(rows[1:], start=2):
        if any(cell.strip() for cell in row[width:]):
            if not skip_bad_rows:
                refuse(
                    f"Row {number} of {brief(name)} has {times(len(row), 'cell', 'cells')}, the header has {width}. "
                    "Mend the row, or leave such rows out with --skip-bad-rows.",
                    row=number,
                    column=columns[-1],
                )
            skipped.append((number, BAD_ROW))
            continue
        body.append([*row[:width], *[""] * (width - len(row))])
        numbers.append(number)
    if not body and not skipped:
        refuse(f"{brief(name)} has column names but no rows.")
    cells = zip(*body, strict=True) if body else [[] for _ in columns]
    data = pa.table([pa.array(list(column), pa.string()) for column in cells], names=columns)
    import numpy as np

    kept = np.array(numbers, dtype=np.int64) if skipped else None
    return Table(name, sha256, data, numbers=kept, skipped=tuple(skipped), notes=tuple(notes), corner=rows[0][0].strip())
