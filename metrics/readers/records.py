"""JSON lines and JSON arrays of records -> Table."""

from __future__ import annotations

import math
from array import array
from dataclasses import replace
from itertools import chain, islice
from typing import Any

import numpy as np
import pyarrow as pa

from metrics.readers.delimited import check_header
from metrics.readers.formats import registry
from metrics.readers.formats.canonical import Rows
from metrics.readers.formats.record import SAMPLE, Format
from metrics.readers.frames import storable, text, texts
from metrics.readers.json_records import Record, records_of, records_within, refuse_nested, whole_object
from metrics.readers.limits import LIMITS, Limits
from metrics.readers.messages import brief, refuse
from metrics.readers.table import TextTable

_PART, _CELLS = 20_000, 4_000_000
"""Records that wait as Python objects until they are packed, and cells."""
DEPTH = 3
"""Records within records whose fields become columns; what lies deeper is rarely a label, and stays text."""


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
        whole = whole_object(data, name)
        form = None if whole is None else registry.of_object(whole)
        if whole is not None and form is not None:
            return _of_format(form, whole, Rows(name, limits), sha256, notes, skipped)
        records = records_of(data, name, skip_bad_rows, numbers, skipped) if whole is None else iter(records_within(whole, name))
        sample = list(islice(records, SAMPLE))
        form = registry.of_records(sample)
        if form is not None:
            return _of_format(form, chain(sample, records), Rows(name, limits), sha256, notes, skipped)
        for record in chain(sample, records):
            columns.add(record)
    except RecursionError:
        refuse_nested(name)
    if not columns.n_rows:
        refuse(f"{brief(name)} holds no records.")
    packed = columns.packed()
    names = check_header([storable(column) for column in columns.parts], name)
    kept = np.array(numbers, dtype=np.int64) if skipped else None
    return TextTable(name, sha256, pa.table(packed, names=names), 1, kept, tuple(skipped), notes, corner=names[0])


def _of_format(
    form: Format, content: Any, rows: Rows, sha256: str, notes: tuple[str, ...], skipped: list[tuple[int, str]]
) -> TextTable:
    """Return the ratings of an object, or of records, of a known tool.

    Parameters
    ----------
    form : Format
    content : dict or iterable of dict
    rows : Rows
        Takes the ratings.
    sha256 : str
    notes : tuple of str
    skipped : list of (line number, reason)
        Filled while the records are read.
    """
    if form.read_object is not None:
        form.read_object(content, rows)
    elif form.read_records is not None:
        form.read_records(content, rows)
    else:
        form.refuse(rows.name)
    return replace(rows.table(sha256, notes, skipped), format=form.what)


def _cells(values: list[Any]) -> pa.StringArray:
    """Return values of a field as text, those that are plain at once."""
    if set(map(type, values)) <= {str, int}:
        return texts(map(str, values))
    return texts(value if isinstance(value, str) else _cell(value) for value in values)


def _cell(value: Any) -> str:
    if isinstance(value, float) and math.isnan(value):
        return "NaN"
    return text(value)


def flat(record: Record, depth: int = DEPTH) -> Record:
    """Return a record whose fields of records are fields of its own, `result.label`; what is empty or deeper stays as it is."""
    fields: Record = {}
    for name, value in record.items():
        if type(value) is dict and value and depth:
            fields |= {f"{name}.{inner}": cell for inner, cell in flat(value, depth - 1).items()}
        else:
            fields[name] = "" if value == {} else value
    return fields


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
        if any(type(value) is dict for value in record.values()):
            record = flat(record)
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
