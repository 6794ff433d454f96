"""Excel -> Table. What a workbook unpacks to is checked before it is parsed, its cells while they are."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import numpy as np
import pyarrow as pa

from metrics.asker import flag
from metrics.errors import InputError
from metrics.readers.containers import is_workbook
from metrics.readers.delimited import check_header
from metrics.readers.frames import text, texts
from metrics.readers.headers import ROWS, header_of, rows_above, title_note
from metrics.readers.limits import CELL, LEFT_OUT, LIMITS, SHEET_BYTES, SHEET_CELLS, SHEET_ROWS, SHEET_TAGS, Limits
from metrics.readers.messages import brief, refuse, skipping, times
from metrics.readers.table import BAD_ROW, TextTable
from metrics.results.words import count, shorten

EVERY_SHEET = "*"
"""In place of a sheet's name: each that holds a table, as a file of its own."""
# Bytes of a part that are unpacked at once.
_CHUNK = 1 << 20
_MERGED = re.compile(rb'<(?:\w+:)?mergeCell\s+ref="([A-Z]{1,3})(\d{1,7}):\1(\d{1,7})"')
"""Cells of one column that are shown as one."""
SHOWN_ROWS, SHOWN_COLUMNS, SHOWN_LETTERS = 4, 6, 60
"""How much of a sheet shows what it holds: the names of its columns, three rows, and as much as a line takes."""
LOOKED_AT = 200
"""Rows of a sheet that are looked at before it counts as empty."""


def read_workbook(
    data: bytes, name: str, sha256: str, *, sheet: str | None, skip_bad_rows: bool, limits: Limits = LIMITS
) -> TextTable:
    """Return one sheet of an Excel file: the named one, else the first that holds anything.

    Parameters
    ----------
    data : bytes
    name, sha256 : str
        Name to show in messages, and digest of the file.
    sheet : str or None
    skip_bad_rows : bool
        List rows that cannot be read among those left out, instead of refusing the file.
    limits : Limits

    Raises
    ------
    InputError
        For a damaged or empty file, a sheet that is not in it, and more than the limits.
    """
    # python-calamine reads a sheet six times as fast, but makes an empty cell of #N/A and holds the whole sheet before any
    # limit can stop it
    import openpyxl

    try:
        check_parts(data, name, limits)
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
        sheets = {page.title: page for page in book.worksheets}
        if sheet is not None and sheet not in sheets:
            refuse(f"{brief(name)} has no sheet ‘{brief(sheet)}’. It has: {', '.join(map(brief, sheets))}.")
        title, rows = _first_filled({sheet: sheets[sheet]} if sheet is not None else sheets, name, limits)
        merged = _merged_down(sheets[title], rows) if rows else {}
    except InputError:
        raise
    except Exception as error:
        # openpyxl lets many kinds of exception out of a damaged file
        refuse(f"{brief(name)} is an Excel file that cannot be read: {brief(error, 200)}. Save it again, or as CSV.")
    if not rows:
        refuse(f"{brief(name)} is empty.")
    more = f" To read each as a file of its own: {every}." if (every := flag("--sheet", EVERY_SHEET)) else ""
    notes = (f"Read from the sheet ‘{brief(title)}’ of {len(sheets)}.{more}",) if len(sheets) > 1 else ()
    table = from_rows(rows, name, sha256, skip_bad_rows=skip_bad_rows, notes=notes, merged=merged)
    return (
        table
        if len(sheets) == 1
        else replace(table, sheets=(title, *(sheet_title for sheet_title in sheets if sheet_title != title)))
    )


def check_parts(data: bytes, name: str, limits: Limits) -> None:
    """Check sizes as the archive states them, which is as far as it is unpacked; of all parts, for any may be parsed."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = archive.infolist()
        size = sum(part.file_size for part in parts)
        limits.check_bytes(size, name)
        if size > SHEET_BYTES:
            refuse(f"{brief(name)} unpacks to {size >> 20} MB; of a workbook {SHEET_BYTES >> 20} MB can be read. Save it as CSV.")
        _check_tags(archive, parts, name)


def _check_tags(archive: zipfile.ZipFile, parts: Iterable[zipfile.ZipInfo], name: str) -> None:
    """Refuse too many tags: each may stay in memory until its part is read.

    One that stands in an entity would be counted once, and made often.
    """
    tags = 0
    for part in parts:
        before = b""
        with archive.open(part) as file:
            while chunk := file.read(_CHUNK):
                # without the zeros of UTF-16
                plain = before + chunk.replace(b"\0", b"")
                tags += plain.count(b"<") - before.count(b"<") - plain.count(b"</") + before.count(b"</")
                if b"<!ENTITY" in plain:
                    refuse(f"{brief(name)} is an Excel file that cannot be read: it defines entities. Save it as CSV.")
                if tags > SHEET_TAGS:
                    refuse(f"{brief(name)} holds more than {count(SHEET_TAGS)} elements. Save it as CSV.")
                before = plain[-len(b"<!ENTIT") :]


def _first_filled(sheets: dict[str, Any], name: str, limits: Limits) -> tuple[str, list[list[str]]]:
    """Return the first sheet that may be a table, else the first that holds anything."""
    first: tuple[str, list[list[str]]] = "", []
    for title, page in sheets.items():
        rows = _rows(page, name, limits)
        if _may_be_table(rows):
            return title, rows
        first = first if first[1] else (title, rows)
    return first


def _may_be_table(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether two of the first rows have several filled cells: a sheet of remarks has one column, or is a line."""
    return sum(sum(map(bool, row)) > 1 for row in rows[:SHOWN_ROWS]) > 1


def _rows(page: Any, name: str, limits: Limits) -> list[list[str]]:
    """Return filled cells of a sheet by row; the size it states is not believed, and one text may stand in many cells."""
    page.reset_dimensions()
    rows: list[list[str]] = []
    cells, size = 0, 0
    for number, row in enumerate(page.iter_rows(values_only=True), start=1):
        cells += len(row)
        if number > SHEET_ROWS or cells > SHEET_CELLS:
            over = f"{count(SHEET_ROWS)} rows" if number > SHEET_ROWS else f"{count(SHEET_CELLS)} cells"
            refuse(f"{brief(name)} has a sheet of more than {over}. Save it as CSV, or clear the cells beside the table.")
        row_cells = [text(value) for value in row]
        while row_cells and not row_cells[-1]:
            row_cells.pop()
        if any(len(cell) > CELL for cell in row_cells):
            refuse(f"Row {number} of {brief(name)} holds a cell of more than {CELL >> 20} MB. Shorten it.", row=number)
        size += sum(map(len, row_cells))
        limits.check_bytes(size, name)
        rows.append(row_cells)
    while rows and not rows[-1]:
        rows.pop()
    return rows


def _merged_down(page: Any, rows: Sequence[Sequence[str]]) -> dict[tuple[int, int], str]:
    """Return what cells hold that are merged with the one above them, by row, counted from 1, and place in the row."""
    from openpyxl.utils import column_index_from_string

    held: dict[tuple[int, int], str] = {}
    filled = 0
    for letters, first, last in _merged_ranges(page):
        place, top, end = column_index_from_string(letters.decode()) - 1, int(first), min(int(last), len(rows))
        filled += max(0, end - top)
        if filled > SHEET_CELLS:
            break
        cells = rows[top - 1] if 0 < top <= len(rows) else ()
        if place < len(cells):
            held |= {(number, place): cells[place] for number in range(top + 1, end + 1)}
    return held


def _merged_ranges(page: Any) -> Iterator[tuple[bytes, bytes, bytes]]:
    """Yield column, first and last row of merged cells: a sheet that is read row by row does not tell."""
    before = b""
    with page._get_source() as source:
        while chunk := source.read(_CHUNK):
            chunk = before + chunk
            end = chunk.rfind(b"<") if len(chunk) > 1 else 0
            yield from _MERGED.findall(chunk, 0, max(end, 0))
            before = chunk[end:] if 0 < len(chunk) - end < _CHUNK else b""
        yield from _MERGED.findall(before)


def from_rows(
    rows: Sequence[Sequence[str]],
    name: str,
    sha256: str,
    *,
    skip_bad_rows: bool = False,
    notes: Iterable[str] = (),
    merged: Mapping[tuple[int, int], str] | None = None,
) -> TextTable:
    """Return rows of text as a table; short rows are filled up, as a sheet has no ragged rows.

    Parameters
    ----------
    rows : sequence of sequences of str
        Header first.
    name, sha256 : str
        Name to show in messages, and digest of the file.
    skip_bad_rows : bool
        List rows with more cells than the header among those left out, instead of refusing the first.
    notes : iterable of str
        What is known about the reading so far.
    merged : mapping of (row, place) to str, optional
        What cells below the header hold that are merged with one above; rows count from 1.

    Raises
    ------
    InputError
        For a header that `check_header` refuses, a row with more cells than the header, and a table without rows.
    """
    above = rows_above(rows)
    rows, notes = rows[above:], (*notes, title_note(above)) if above else notes
    header, below, how = header_of(rows[:ROWS])
    notes = (*notes, how) if below else notes
    width = max((place for place, cell in enumerate(header, start=1) if cell.strip()), default=0)
    columns = check_header(header[:width], name)
    body, skipped, numbers = list[list[str]](), list[tuple[int, str]](), list[int]()
    for number, row in enumerate(rows[1 + below :], start=2 + below + above):
        if any(cell.strip() for cell in row[width:]):
            if not skip_bad_rows:
                refuse(
                    f"Row {number} of {brief(name)} has {times(len(row), 'cell', 'cells')}, the header has {width}. "
                    f"Correct the row, or leave such rows out{skipping()}.",
                    about="rows",
                    row=number,
                    column=columns[-1],
                )
            if len(skipped) == LEFT_OUT:
                refuse(f"More than {count(LEFT_OUT)} rows of {brief(name)} have more cells than the header. Correct the header.")
            skipped.append((number, BAD_ROW))
            continue
        cells = [*row[:width], *[""] * (width - len(row))]
        if merged:
            cells = [merged.get((number, place), cell) for place, cell in enumerate(cells)]
        body.append(cells)
        numbers.append(number)
    if not body and not skipped:
        refuse(f"{brief(name)} has column names but no rows.")
    if merged and max(merged)[0] > 1 + below + above:
        notes = (*notes, "Merged cells count in each of their rows.")
    by_column = zip(*body, strict=True) if body else [[] for _ in columns]
    data = pa.table([texts(column) for column in by_column], names=columns)
    kept = np.array(numbers, dtype=np.int64) if skipped else None
    return TextTable(name, sha256, data, 2 + below + above, kept, tuple(skipped), tuple(notes), corner=(*rows[0], "")[0].strip())


@dataclass(frozen=True)
class Sheet:
    """A sheet of a workbook, with the first cells of its first rows."""

    title: str
    rows: tuple[tuple[str, ...], ...]

    @property
    def may_be_table(self) -> bool:
        """Whether there may be names of columns and a row below them."""
        return _may_be_table(self.rows)


def first_rows(data: bytes, name: str, limits: Limits = LIMITS) -> tuple[Sheet, ...]:
    """Return the sheets that hold anything; none of a file that is no workbook, or cannot be read as one.

    Parameters
    ----------
    data : bytes
    name : str
    limits : Limits
    """
    import openpyxl

    if not is_workbook(data):
        return ()
    try:
        check_parts(data, name, limits)
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
        sheets = [Sheet(page.title, _first_rows(page)) for page in book.worksheets]
    except Exception:
        # openpyxl lets many kinds of exception out of a damaged file; what is wrong is said where the file is read
        return ()
    return tuple(sheet for sheet in sheets if sheet.rows)


def _first_rows(page: Any) -> tuple[tuple[str, ...], ...]:
    page.reset_dimensions()
    rows: list[tuple[str, ...]] = []
    filled = False
    for row in islice(page.iter_rows(max_row=LOOKED_AT, values_only=True), LOOKED_AT):
        filled = filled or any(text(value) for value in row)
        if len(rows) < SHOWN_ROWS:
            rows.append(tuple(shorten(text(value), SHOWN_LETTERS) for value in row[:SHOWN_COLUMNS]))
        elif filled:
            break
    return tuple(rows) if filled else ()
