"""JSON lines and JSON arrays of records -> Table."""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np
import pyarrow as pa

from metrics.readers.delimited import check_header
from metrics.readers.formats import registry
from metrics.readers.formats.canonical import Rows
from metrics.readers.formats.record import SAMPLE, Format
from metrics.readers.frames import cells_sha256, storable, text, texts
from metrics.readers.json_lists import levels
from metrics.readers.json_records import Record, flat, records_of, refuse_nested, whole_object
from metrics.readers.json_tables import records_within
from metrics.readers.limits import LIMITS, Limits
from metrics.readers.messages import brief, refuse
from metrics.readers.table import TextTable

_FENCE = re.compile(rb"\s*```\w*[ \t]*\r?\n(?=\s*[\[{])")
_PART, _CELLS = 5_000, 4_000_000
"""Records that wait as Python objects until they are packed, and cells."""
Spelling = Callable[[Any], str]


def unfenced(data: bytes) -> bytes:
    """Return JSON without the marks of a block of code around it, as a model writes it; lines keep their numbers."""
    fence = _FENCE.match(data)
    if fence is None:
        return data
    return b"\n" * fence[0].count(b"\n") + data[fence.end() :].rstrip().removesuffix(b"```")


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
        if whole is None:
            parts = records_of(data, name, skip_bad_rows, numbers, skipped)
        else:
            records, how = records_within(whole, name)
            parts, notes = _parts(records), (*notes, *how)
        table = _of_records(parts, columns, Rows(name, limits), sha256, notes, skipped)
    except RecursionError:
        refuse_nested(name)
    if not skipped or table.format:
        return table
    kept = np.array(numbers, dtype=np.int64)
    return replace(table, numbers=kept if table.numbers is None else kept[table.numbers - 1])


def read_rows(rows: Sequence[Mapping[str, Any]], name: str, limits: Limits = LIMITS) -> TextTable:
    """Return a list of dicts as a file of the same JSON records is read; None and NaN are empty cells. The first dict is row 0.

    Those of a known tool hold several ratings each, which are numbered as in a file of it.

    Raises
    ------
    InputError
        For dicts without values, records within records beyond what is read, and more than the limits.
    """
    records = [{str(key): value for key, value in row.items()} for row in rows]
    try:
        table = _of_records(_parts(records), _Columns(name, limits, text), Rows(name, limits), "", (), [])
    except RecursionError:
        refuse_nested(name)
    table = replace(table, sha256=cells_sha256(table.data))
    if table.format:
        return table
    return replace(table, first_row=0, numbers=None if table.numbers is None else table.numbers - 1)


def _of_records(
    parts: Iterator[list[Record]],
    columns: _Columns,
    rows: Rows,
    sha256: str,
    notes: tuple[str, ...],
    skipped: list[tuple[int, str]],
) -> TextTable:
    """Return records as the ratings of a known tool, or with a column to a field.

    Parameters
    ----------
    parts : iterator of list of dict
    columns : _Columns
        Takes the records of no known tool.
    rows : Rows
        Takes the ratings of a known one.
    sha256 : str
    notes : tuple of str
    skipped : list of (line number, reason)
        Filled while the records are read.
    """
    first = list[Record]()
    while len(first) < SAMPLE and (part := next(parts, None)) is not None:
        first += part
    form = registry.of_records(first[:SAMPLE])
    if form is not None:
        return _of_format(form, chain(first, chain.from_iterable(parts)), rows, sha256, notes, skipped)
    lists, places, n_records = levels(first[:SAMPLE]), array("q"), 0
    for records in chain([first], parts):
        if not lists:
            columns.extend(records)
            continue
        made = list(enumerate(records, start=n_records + 1))
        for level in lists:
            made = [(place, row) for place, record in made for row in level.rows(record)]
        places.extend(place for place, _ in made)
        columns.extend([record for _, record in made])
        n_records += len(records)
    if not columns.n_rows:
        refuse(f"{brief(rows.name)} holds no records.")
    packed = columns.packed()
    names = check_header([storable(column) for column in columns.parts], rows.name)
    notes = (*notes, *(level.note for level in lists))
    numbers = np.array(places, dtype=np.int64) if lists else None
    return TextTable(rows.name, sha256, pa.table(packed, names=names), 1, numbers, tuple(skipped), notes, corner=names[0])


def _parts(records: list[Record]) -> Iterator[list[Record]]:
    return (records[start : start + _PART] for start in range(0, len(records), _PART))


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


def _cells(values: list[Any], kinds: set[type], spell: Spelling) -> pa.StringArray:
    """Return values of a field as text; of these types plain ones at once, and numbers once for each distinct one."""
    if kinds <= {str, int}:
        return texts(values if kinds == {str} else map(str, values))
    # equal values of two of these types are spelled otherwise
    if kinds <= {str, type(None), bool, int, float} and len(kinds & {bool, int, float}) < 2:
        spelled = {value: spell(value) for value in set(values)}
        return texts(map(spelled.__getitem__, values))
    return texts(map(spell, values))


def _cell(value: Any) -> str:
    if isinstance(value, float) and math.isnan(value):
        return "NaN"
    return text(value)


class _Columns:
    """Cells by the name of their field, packed from time to time; a field that a record lacks is an empty cell."""

    def __init__(self, name: str, limits: Limits, spell: Spelling = _cell) -> None:
        self._spell = spell
        self.parts: dict[str, list[pa.Array]] = {}
        self._name, self._limits, self._packed = name, limits, 0
        self._waiting, self._cells = list[Record](), 0
        self._nested = False

    @property
    def n_rows(self) -> int:
        return self._packed + len(self._waiting)

    def extend(self, records: list[Record]) -> None:
        self._waiting += records
        self._cells += sum(map(len, records))
        if len(self._waiting) >= _PART or self._cells > _CELLS:
            self._pack()

    def _pack(self) -> None:
        records = list(map(flat, self._waiting)) if self._nested else self._waiting
        fields = dict.fromkeys(chain.from_iterable(records))
        new = [field for field in fields if field not in self.parts]
        if not self.parts and not new:
            refuse(f"{brief(self._name)} holds no records with values.")
        self._limits.check_size(self.n_rows, len(self.parts) + len(new), self._name)
        columns = {field: [record.get(field, "") for record in records] for field in fields}
        types = {field: set(map(type, cells)) for field, cells in columns.items()}
        if not self._nested and any(dict in kinds for kinds in types.values()):
            self._nested = True
            return self._pack()
        self.parts |= {field: [_blank(self._packed)] if self._packed else [] for field in new}
        blank = _blank(len(records))
        for field, parts in self.parts.items():
            parts.append(_cells(columns[field], types[field], self._spell) if field in fields else blank)
        self._packed = self.n_rows
        self._waiting, self._cells = [], 0
        return None

    def packed(self) -> list[pa.ChunkedArray]:
        if self._waiting:
            self._pack()
        return [pa.chunked_array(parts, pa.string()) for parts in self.parts.values()]


def _blank(n_rows: int) -> pa.Array:
    return pa.repeat(pa.scalar("", pa.string()), n_rows)
