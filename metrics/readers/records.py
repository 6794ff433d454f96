"""JSON lines and JSON arrays of records -> Table."""

from __future__ import annotations

import math
from array import array
from itertools import chain
from typing import Any

import numpy as np
import pyarrow as pa

from metrics.readers.delimited import check_header
from metrics.readers.frames import storable, text, texts
from metrics.readers.json_records import Record, records_of, refuse_nested
from metrics.readers.limits import LIMITS, Limits
from metrics.readers.messages import brief, refuse
from metrics.readers.table import TextTable

_PART, _CELLS = 20_000, 4_000_000
"""Records that wait as Python objects until they are packed, and cells."""


def looks_like_json(data: bytes) -> bool:
    start = data[:1024].lstrip() or data.lstrip()
    return start[:1] in (b"{", b"[")


def read_records(
    data: bytes, name: str, sha256: str, *, skip_bad_rows: bool, notes: tuple[str, ...], limits: Limits = LIMITS
) -> TextTable:
    """Return records from a JSON array, from `{"data": [...]}`, or one per line. The first record is row 1.

    Parameters
    ----------
    data : bytes
    name, sha256 : str
        Name to show in messages, and digest of the file.
    skip_bad_rows : bool
        List lines that hold no record among the rows left out, instead of refusing the file.
    notes : tuple of str
        What is known about the reading so far.
    limits : Limits

    Raises
    ------
    InputError
        For invalid JSON, a file without records, and more than the limits.
    """
    numbers, skipped = array("q"), list[tuple[int, str]]()
    columns = _Columns(name, limits)
    try:
        for record in records_of(data, name, skip_bad_rows, numbers, skipped):
            columns.add(record)
    except RecursionError:
        refuse_nested(name)
    if not columns.n_rows:
        refuse(f"{brief(name)} holds no records.")
    packed = columns.packed()
    names = check_header([storable(column) for column in columns.parts], name)
    kept = np.array(numbers, dtype=np.int64) if skipped else None
    return TextTable(name, sha256, pa.table(packed, names=names), 1, kept, tuple(skipped), notes, corner=names[0])


def _cells(values: list[Any]) -> pa.StringArray:
    """Return values of a field as text, those that are plain at once."""
    if set(map(type, values)) <= {str, int}:
        return texts(map(str, values))
    return texts(value if isinstance(value, str) else _cell(value) for value in values)


def _cell(value: Any) -> str:
    if isinstance(value, float) and math.isnan(value):
        return "NaN"
    return text(value)


class _Columns:
    """Cells by the name of their field, packed from time to time; a field that a record lacks is an empty cell."""

    def __init__(self, name: str, limits: Limits) -> None:
        self.parts: dict[str, list[pa.Array]] = {}
        self._name, self._limits, self._packed = name, limits, 0
        self._waiting, self._cells = list[Record](), 0

    @property
    def n_rows(self) -> int:
        return self._packed + len(self._waiting)

    def add(self, record: Record) -> None:
        self._waiting.append(record)
        self._cells += len(record)
        if len(self._waiting) == _PART or self._cells > _CELLS:
            self._pack()

    def _pack(self) -> None:
        fields = dict.fromkeys(chain.from_iterable(self._waiting))
        new = [field for field in fields if field not in self.parts]
        if not self.parts and not new:
            refuse(f"{brief(self._name)} holds no records with values.")
        self._limits.check_size(self.n_rows, len(self.parts) + len(new), self._name)
        self.parts |= {field: [_blank(self._packed)] if self._packed else [] for field in new}
        blank = _blank(len(self._waiting))
        for field, parts in self.parts.items():
            parts.append(_cells([record.get(field, "") for record in self._waiting]) if field in fields else blank)
        self._packed = self.n_rows
        self._waiting, self._cells = [], 0

    def packed(self) -> list[pa.ChunkedArray]:
        if self._waiting:
            self._pack()
        return [pa.chunked_array(parts, pa.string()) for parts in self.parts.values()]


def _blank(n_rows: int) -> pa.Array:
    return pa.repeat(pa.scalar("", pa.string()), n_rows)
