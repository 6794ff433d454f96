"""DataFrames and Arrow tables -> Table: typed cells become the text a person would type."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import math
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from metrics.readers.delimited import check_header
from metrics.readers.messages import brief, refuse
from metrics.readers.table import TextTable, encoded, words


def text(value: Any) -> str:
    """Return a cell as text: 7 for 7.0, true for True, nothing for None."""
    if isinstance(value, str):
        return value
    if value is None or value is pd.NA or value is pd.NaT:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return _decimal(value)
    if isinstance(value, dict | list):
        return _ENCODER.encode(value)
    if isinstance(value, Decimal):
        return "" if value.is_nan() else format(value, "f")
    if isinstance(value, Fraction):
        return _decimal(float(value))
    if isinstance(value, dt.datetime) and value.time() == dt.time():
        return value.date().isoformat()
    if isinstance(value, dt.date | dt.datetime):
        return value.isoformat()
    return _other(value)


def _decimal(value: float) -> str:
    if math.isnan(value):
        return ""
    number = float(value)  # a number of NumPy is a float too, and is written with the name of its type
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)


def _unpacked(value: Any) -> Any:
    """Return what JSON has no type for as something that it has: a number of NumPy as its number, an array as a list."""
    return value.tolist() if hasattr(value, "tolist") and not isinstance(value, np.longdouble) else str(value)


_ENCODER = json.JSONEncoder(ensure_ascii=False, default=_unpacked)


def _other(value: Any) -> str:
    if hasattr(value, "item") and getattr(value, "ndim", None) == 0:
        return text(_of_python(value))
    if isinstance(value, bytes):
        return value.decode(errors="backslashreplace")
    return str(value)


def _of_python(value: Any) -> Any:
    """Return a single value of NumPy as one of Python: the nearest, where none is as long."""
    inner = value.item()
    if isinstance(value, np.datetime64) and isinstance(inner, int):
        return pd.Timestamp(value)
    return float(inner) if type(inner) is type(value) else inner


def read_frame(frame: pd.DataFrame, name: str) -> TextTable:
    """Return a DataFrame; a named index becomes a column, one of different texts that of the items. Its first row is row 0."""
    index = frame.index
    if any(label is not None for label in index.names):
        frame = frame.reset_index()
    elif _are_ids(frame):
        frame = frame.set_axis(index.rename("item")).reset_index()
    columns = check_header([storable(_one_name(column)) for column in frame.columns], name)
    arrays = [series_array(frame.iloc[:, place]) for place in range(len(columns))]
    table = as_text(pa.table(arrays, names=columns), name, "")
    return TextTable(name, cells_sha256(table.data), table.data, first_row=0, corner=columns[0] if columns else "")


def _are_ids(frame: pd.DataFrame) -> bool:
    """Return whether an index without a name holds texts that tell the rows apart, where no column is called item."""
    index = frame.index
    texts_alone = index.nlevels == 1 and len(index) > 0 and all(isinstance(label, str) for label in index)
    return texts_alone and index.is_unique and "item" not in frame.columns


def _one_name(column: Any) -> str:
    """Return the name of a column; of one of several levels those that are not empty."""
    return " ".join(filter(None, map(str, column))) if isinstance(column, tuple) else str(column)


def cells_sha256(data: pa.Table) -> str:
    """Return a digest of a table of text that is no file: of the names of its columns, and of its cells."""
    digest = hashlib.sha256("\x1f".join(data.column_names).encode())
    for column in data.columns:
        for chunk in column.cast(pa.string()).chunks:
            digest.update(chr(0x1E).join(chunk.to_pylist()).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def series_array(series: pd.Series[Any]) -> pa.Array | pa.ChunkedArray:
    """Return a column of a DataFrame as an Arrow array, of objects the text of each."""
    if series.dtype != object:
        try:
            return pa.Array.from_pandas(series)
        except (pa.ArrowException, TypeError, ValueError):
            pass
    return texts(text(value) for value in series)


def texts(values: Iterable[str]) -> pa.StringArray:
    """Return an Arrow array; half characters that no encoding can hold become question marks."""
    strings = list(values)
    try:
        return pa.array(strings, pa.string())
    except UnicodeEncodeError:
        return pa.array([storable(value) for value in strings], pa.string())


def storable(value: str) -> str:
    return value.encode("utf-8", "replace").decode("utf-8")


def as_text(table: pa.Table, name: str, sha256: str) -> TextTable:
    """Return an Arrow table with every column as text.

    Parameters
    ----------
    table : pa.Table
    name, sha256 : str
        Name to show in messages, and digest of the file.

    Raises
    ------
    InputError
        For a table without columns or rows, a column name that stands twice, and a cell that cannot be read.
    """
    columns = check_header([str(column) for column in table.column_names], name)
    if not columns:
        refuse(f"{brief(name)} is empty.")
    if not table.num_rows:
        refuse(f"{brief(name)} has column names but no rows.")
    arrays = [_text_column(column, title, name) for title, column in zip(columns, table.columns, strict=True)]
    data = pa.table(arrays, names=columns)
    return TextTable(name, sha256, data, corner=columns[0])


_BYTES = (pa.types.is_binary, pa.types.is_large_binary, pa.types.is_fixed_size_binary)
_WRITTEN_ALIKE = (
    pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view, pa.types.is_integer, pa.types.is_boolean,
    pa.types.is_null,
)  # fmt: skip
"""Types that Arrow spells as a person would."""


def _decoded(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return bytes as the text that they spell in UTF-8, without the zero bytes that fill them up; others as they are."""
    try:
        texts_of_bytes = [None if value is None else value.rstrip(b"\0").decode() for value in column.to_pylist()]
    except UnicodeDecodeError:
        return column
    return pa.chunked_array([pa.array(texts_of_bytes, pa.string())])


def _text_column(column: pa.ChunkedArray, title: str, name: str) -> pa.ChunkedArray:
    if any(is_such(column.type) for is_such in _BYTES):
        column = _decoded(column)
    kind = column.type
    if pa.types.is_dictionary(kind):
        values = (_text_column(pa.chunked_array([chunk.dictionary]), title, name).combine_chunks() for chunk in column.chunks)
        parts = [spellings.take(chunk.indices) for spellings, chunk in zip(values, column.chunks, strict=True)]
        return pc.fill_null(pa.chunked_array(parts, pa.string()), "")
    if any(is_such(kind) for is_such in _WRITTEN_ALIKE):
        plain = column.cast(pa.string())
    else:
        try:
            plain = pa.chunked_array(_spelled(column), pa.string())
        except (pa.ArrowException, ValueError, OverflowError, RecursionError) as error:
            refuse(
                f"Column ‘{brief(title)}’ of {brief(name)} holds a value that cannot be read: {brief(error, 200)}. "
                "Write it as text.",
                column=title,
            )
    return pc.fill_null(plain, "")


def _spelled(column: pa.ChunkedArray) -> list[pa.Array]:
    """Return values as a person would type them: each distinct one once, those within lists and records one by one."""
    if pa.types.is_nested(column.type) or isinstance(column.type, pa.BaseExtensionType) or pa.types.is_binary_view(column.type):
        return [texts(text(value) for value in chunk.to_pylist()) for chunk in column.chunks]
    coded = encoded(column)
    if not coded.num_chunks:
        return []
    values = coded.chunk(0).dictionary
    try:
        spellings = texts(text(value) for value in words(values))
    except (ValueError, OverflowError):  # a time that Python's calendar does not reach
        spellings = values.cast(pa.string())
    return [spellings.take(chunk.indices) for chunk in coded.chunks]
