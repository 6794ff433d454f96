"""JSON lines and JSON arrays of records -> Table."""

from __future__ import annotations

import math
from array import array
from typing import Any

import numpy as np
import pyarrow as pa

from metrics.readers.delimited import check_header
from metrics.readers.frames import storable, text, texts
from metrics.readers.json_records import Record, records_of, refuse_nested
from metrics.readers.limits import LIMITS, Limits
from metrics.readers.sentences import brief, refuse
from metrics.readers.table import Table

_PART, _CELLS = 20_000, 4_000_000
"""Records that wait as Python objects until they are packed, and cells."""


def looks_like_json(data: bytes) -> bool:
    start = data[:1024].lstrip() or data.lstrip()
    return start[:1] in (b"{", b"[")


def read_records(
    data: bytes, name: str, sha256: str, *, skip_bad_rows: bool, notes: tuple[str, ...], limits: Limits = LIMITS
) -> Table:
    """Records from a JSON array, from `{"data": [...]}`, or one per line. The first record is row 1."""
    numbers, skipped = array("q"), list[tuple[int, str]]()
    columns = _Columns(name, limits)
    try:
        for record in records_of(data, name, skip_bad_rows, numbers, skipped):
            columns.add(record)
    except RecursionError:
        refuse_nested(name)
    if not columns.n_rows:
        refuse(f"{brief(name)} holds no records.")
    if not columns.parts:
        refuse(f"{brief(name)} holds no records with values.")
    names = check_header([storable(column) for column in columns.parts], name)
    packed = pa.table(columns.packed(), names=names)
    kept = np.array(numbers, dtype=np.int64) if skipped else None
    return Table(name, sha256, packed, 1, kept, tuple(skipped), notes, corner=names[0])


def _cell(value: Any) -> str:
    if isinstance(value, float) and math.isnan(value):
        return "NaN"
    return text(value)


class _Columns:
    """Cells by the name of their field, packed from time to time; a field that a record lacks is an empty cell."""

    def __init__(self, name: str, limits: Limits) -> None:
        self.parts: dict[str, list[pa.Array]] = {}
        self._open: dict[str, list[str]] = {}
        self._name, self._limits, self._packed, self._waiting = name, limits, 0, 0

    @property
    def n_rows(self) -> int:
        return self._packed + self._waiting

    def add(self, record: Record) -> None:
        for field, value in record.items():
            cells = self._open.get(field)
            if cells is None:
                cells = self._new(field)
            cells.extend([""] * (self._waiting - len(cells)))
            cells.append(_cell(value))
        self._waiting += 1
        if self._waiting == _PART or self._waiting * len(self._open) > _CELLS:
            self._pack()

    def _new(self, field: str) -> list[str]:
        self._limits.check_size(self.n_rows, len(self.parts) + 1, self._name)
        self.parts[field] = [_blank(self._packed)] if self._packed else []
        self._open[field] = []
        return self._open[field]

    def _pack(self) -> None:
        if not self.parts:
            refuse(f"{brief(self._name)} holds no records with values.")
        self._limits.check_size(self.n_rows, len(self.parts), self._name)
        blank = _blank(self._waiting)
        for field, cells in self._open.items():
            rest = [""] * (self._waiting - len(cells))
            self.parts[field].append(texts(cells + rest) if cells else blank)
            cells.clear()
        self._packed, self._waiting = self.n_rows, 0

    def packed(self) -> list[pa.ChunkedArray]:
        self._pack()
        return [pa.chunked_array(parts, pa.string()) for parts in self.parts.values()]


def _blank(n_rows: int) -> pa.Array:
    return pa.repeat(pa.scalar("", pa.string()), n_rows)
