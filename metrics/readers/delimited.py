"""Delimited text -> Table."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NoReturn

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pacsv
from numpy.typing import NDArray

from metrics.data.ratings import written_out
from metrics.readers.headers import MOST_ABOVE, ROWS, header_of, is_comment, rows_above, title_note
from metrics.readers.limits import COLUMNS, HEADER, LEFT_OUT, LIMITS, NAME, Limits, counted_first
from metrics.readers.messages import brief, listed, refusal, refuse, skipping, times
from metrics.readers.names import known
from metrics.readers.table import BAD_ROW, TextTable
from metrics.results.words import count

DELIMITERS = (",", ";", "\t", "|")
WORDS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "vertical bar"}
# Bytes of a file of one line, beyond which a line break must be missing.
LONG_LINE = 1 << 20
# Bytes by which the delimiter is told.
SAMPLE = 1 << 18
NUL_ROW = "holds a NUL byte"
_TO_FILL_IN = frozenset({"approve", "reject"})
"""Columns at the end of a batch of Mechanical Turk of which its rows have no cells."""


@dataclass
class _Ragged:
    """Collects the rows that have more or fewer cells than the header."""

    rows: list[tuple[int | None, int, int, str]] = field(default_factory=list)

    def __call__(self, row: pacsv.InvalidRow) -> str:
        if len(self.rows) >= LEFT_OUT:
            return "error"
        self.rows.append((row.number, row.expected_columns, row.actual_columns, (row.text or "")[-1000:]))
        return "skip"


def read_delimited(
    data: bytes,
    name: str,
    sha256: str,
    *,
    delimiter: str | None,
    skip_bad_rows: bool,
    notes: tuple[str, ...],
    limits: Limits = LIMITS,
) -> TextTable:
    """Parse delimited text in UTF-8.

    Parameters
    ----------
    data : bytes
    name, sha256 : str
        Name to show in messages, and digest of the file.
    delimiter : str or None
        One character; None where it must be found.
    skip_bad_rows : bool
        List rows that cannot be read among those left out, instead of refusing the file.
    notes : tuple of str
        What is known about the reading so far.
    limits : Limits

    Raises
    ------
    InputError
        For anything that is no table with a header and at least one row, and for more rows or cells than the limits.
    """
    data, delimiter = _take_sep_line(data, delimiter)
    if not data or data.isspace():
        refuse(f"{brief(name)} is empty.")
    _check_lines(data, name)
    data, above = _below_title(data, delimiter)
    delimiter, records = _delimiter(data, name, delimiter)
    header, below, how = header_of(records)
    columns, unwritten = _written(check_header(header, name), records)
    _check_marks(data, name, delimiter, len(columns), limits)
    table, bad = _parse(data, name, columns, delimiter, below)
    table = _coded(table, records[1:])
    if bad and not skip_bad_rows:
        _refuse_ragged([(number + above, expected, actual) for number, expected, actual in bad], name, columns)
    table, numbers, skipped = _without_nul(table, bad, name, data, skip_bad_rows, below)
    if not table.num_rows and not skipped:
        refuse(f"{brief(name)} has column names but no rows.")
    if delimiter != ",":
        notes = (*notes, f"Columns are separated by a {WORDS.get(delimiter, repr(delimiter))}.")
    if below:
        notes = (*notes, how)
    if unwritten:
        notes = (*notes, f"Not read, because no row has a cell for them: {listed(unwritten)}.")
    if above:
        notes = (*notes, title_note(above))
        numbers = None if numbers is None else numbers + above
        skipped = tuple((number + above, why) for number, why in skipped)
    return TextTable(
        name, sha256, table, 2 + below + above, numbers=numbers, skipped=skipped, notes=notes, corner=header[0].strip()
    )


def _written(columns: list[str], records: Sequence[Sequence[str]]) -> tuple[list[str], list[str]]:
    """Return the names of columns that rows have cells for, and those at the end that Mechanical Turk leaves to be filled in."""
    width = _width([list(record) for record in records[1:]])
    if 0 < width < len(columns) and {name.casefold() for name in columns[width:]} <= _TO_FILL_IN:
        return columns[:width], columns[width:]
    return columns, []


def _check_marks(data: bytes, name: str, delimiter: str, columns: int, limits: Limits) -> None:
    """Check rows and cells as far as they can be told before anything is parsed; within quotes a mark may be text."""
    if len(data) <= min(limits.rows, limits.cells):  # too short to hold as many
        return
    lines = data.count(b"\n") + data.count(b"\r") - data.count(b"\r\n")
    if b'"' not in data and lines > limits.rows + 1:
        refuse(f"{brief(name)} has more than {count(limits.rows)} rows, which is as many as can be read. {counted_first()}")
    if data.count(delimiter.encode()) + lines > limits.cells + limits.rows + columns:
        refuse(f"{brief(name)} has more than {count(limits.cells)} cells, which is as many as can be read. {counted_first()}")


def _take_sep_line(data: bytes, delimiter: str | None) -> tuple[bytes, str | None]:
    """Return Excel's first line `sep=;`, taken off."""
    data = data.lstrip(b"\r\n")
    if data[:4].lower() != b"sep=":
        return data, delimiter
    line, _, rest = data.partition(b"\n")
    declared = line.rstrip(b"\r")[4:].decode("utf-8", "replace")
    return rest, delimiter or (declared if can_separate(declared) else None)


def _below_title(data: bytes, delimiter: str | None) -> tuple[bytes, int]:
    """Return the file from its header on, and how many lines stand above it."""
    ends, end = [0], 0
    while len(ends) <= MOST_ABOVE + 1 and (end := data.find(b"\n", end, HEADER)) >= 0:
        end += 1
        ends.append(end)
    lines = [data[first:last].decode("utf-8", "replace").strip("\r\n") for first, last in pairwise(ends)]
    by_mark = [[_cells(line, mark) for line in lines] for mark in delimiter or DELIMITERS]
    above = max(map(rows_above, by_mark))
    # A line that some mark takes apart may be the header itself.
    if any(_filled(record) > 1 and not is_comment(record[0].strip()) for records in by_mark for record in records[:above]):
        return data, 0
    return data[ends[above] :], above


def _filled(record: Sequence[str]) -> int:
    return sum(bool(cell.strip()) for cell in record)


def _cells(line: str, mark: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=mark), [])
    except csv.Error:
        return [line]


def can_separate(text: str) -> bool:
    """Return whether columns can be told apart by it."""
    return len(text) == 1 and text.isascii() and text not in '"\r\n\0'


def _check_lines(data: bytes, name: str) -> None:
    if len(data) > LONG_LINE and all(data.find(mark, 0, len(data) - 1) < 0 for mark in (b"\n", b"\r")):
        refuse(f"{brief(name)} is one line of {len(data) / 1e6:.0f} MB. Is the line break missing?", row=1)
    if len(data) > HEADER and all(data.find(mark, 0, HEADER) < 0 for mark in (b"\n", b"\r")):
        refuse(f"The first line of {brief(name)} is longer than {HEADER >> 20} MB. Does it hold the names of the columns?", row=1)


def _end_of_header(data: bytes) -> int:
    """Return where the first line that holds anything ends, as far as a header may reach."""
    ends = [place for place in (data.find(mark, 0, HEADER) for mark in (b"\n", b"\r")) if place >= 0]
    return min(ends, default=0) + 1


def _records(data: bytes, delimiter: str) -> list[list[str]]:
    """Return first records of the file, the last of the sample left out if it may be cut."""
    size = max(SAMPLE, _end_of_header(data))
    sample = data[:size].decode("utf-8", "replace").replace("\0", "")
    if len(data) > size:
        sample = sample[: max(sample.rfind("\n"), sample.rfind("\r")) + 1] or sample
    reader = csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter)
    records: list[list[str]] = []
    try:
        for record in reader:
            if record:
                records.append(record)
            if len(records) >= ROWS:
                break
    except csv.Error:
        pass
    return records


def _delimiter(data: bytes, name: str, forced: str | None) -> tuple[str, list[list[str]]]:
    head, wanted = data[: max(SAMPLE, _end_of_header(data))], forced or DELIMITERS[0]
    marks = dict.fromkeys((*DELIMITERS, wanted))
    tried = {mark: _records(data, mark) if mark == wanted or mark.encode() in head else [] for mark in marks}
    if forced:
        header = tried[forced][0] if tried[forced] else [""]
        other = [m for m in DELIMITERS if m != forced and _width(tried[m]) > 1]
        if len(header) == 1 and other:
            refuse(f"Row 1 of {brief(name)} reads as one column. It looks separated by ‘{_delimiter_name(other[0])}’.", row=1)
        return forced, tried[forced] or [[""]]
    best = max(DELIMITERS, key=lambda mark: _fitness(tried[mark]))
    return best, tried[best] or [[""]]


def _delimiter_name(mark: str) -> str:
    return "tab" if mark == "\t" else mark


def _width(records: list[list[str]]) -> int:
    """Return the number of columns if all records agree on it, else 0."""
    widths = {len(record) for record in records}
    return widths.pop() if len(widths) == 1 else 0


def _fitness(records: list[list[str]]) -> float:
    """Return how well a delimiter splits: a header of known names, the same number of cells in (nearly) all records."""
    if not records or len(records[0]) < 2:
        return 0.0
    same = sum(len(record) == len(records[0]) for record in records) / len(records)
    recognised = sum(known(cell) for cell in records[0])
    return same * 10 + min(recognised, 5) * 4 + min(len(records[0]), 50) / 100


def check_header(header: list[str], name: str) -> list[str]:
    """Return column names, trimmed; unnamed ones numbered.

    Raises
    ------
    InputError
        For a name that stands twice, and for more or longer names than can be read.
    """
    if len(header) > COLUMNS:
        refuse(f"{brief(name)} has {count(len(header))} columns; {count(COLUMNS)} can be read. Send fewer columns.", row=1)
    names: dict[str, int] = {}
    for place, cell in enumerate(header, start=1):
        column = cell.replace("\0", "").strip() or f"column {place}"
        if len(column) > NAME:
            refuse(f"Column {place} of {brief(name)} has a name of {count(len(column))} characters. Shorten it.", row=1)
        if column in names:
            refuse(
                f"Column ‘{brief(column)}’ appears twice in {brief(name)} ({names[column]} and {place}). Rename one. "
                "Of two tables side by side, save each as a file of its own, and open both.",
                row=1,
                column=column,
            )
        names[column] = place
    return list(names)


def _parse(data: bytes, name: str, columns: list[str], delimiter: str, below: int) -> tuple[pa.Table, list[tuple[int, int, int]]]:
    bad = _Ragged()
    table = _arrow(data, name, columns, delimiter, bad, below, threads=True)
    if bad.rows:
        bad = _Ragged()
        table = _arrow(data, name, columns, delimiter, bad, below, threads=False)
    if b'"' in data and data.count(b'"') % 2:
        _check_quotes(table, bad, name)
    return table, [(int(number or 0), expected, actual) for number, expected, actual, _ in bad.rows]


def _arrow(data: bytes, name: str, columns: list[str], delimiter: str, bad: _Ragged, below: int, *, threads: bool) -> pa.Table:
    quotes = b'"' in data
    parse = pacsv.ParseOptions(delimiter=delimiter, newlines_in_values=quotes, invalid_row_handler=bad)
    types = dict.fromkeys(columns, pa.string())
    convert = pacsv.ConvertOptions(column_types=types, strings_can_be_null=False, check_utf8=False)
    for block in (1 << 20, len(data) + 1):
        read = pacsv.ReadOptions(block_size=max(block, 1 << 20), column_names=columns, skip_rows=0, use_threads=threads)
        read.skip_rows_after_names = 1 + below
        bad.rows.clear()
        try:
            return pacsv.read_csv(pa.BufferReader(data), read, parse, convert)
        except pa.ArrowInvalid as error:
            if len(bad.rows) >= LEFT_OUT:
                _refuse_most(bad, name)
            if "straddl" not in str(error):
                refuse(f"{brief(name)} cannot be read as a table: {brief(error, 200)}")
    raise refusal(f"{brief(name)} cannot be read as a table: a row is too long.")


def _refuse_most(bad: _Ragged, name: str) -> NoReturn:
    """Refuse a file of which so many rows do not fit: the header is another one, or the file is no table."""
    number, expected, actual, _ = bad.rows[0]
    where = f"Row {number} of {brief(name)}" if number else f"A row of {brief(name)}"
    refuse(
        f"{where} has {times(actual, 'cell', 'cells')}, the header has {expected}, and so on in more than {count(LEFT_OUT)} "
        "rows. Correct the header, or say what separates the columns.",
        row=number,
    )


def _coded(table: pa.Table, records: Sequence[Sequence[str]]) -> pa.Table:
    """Return columns that repeat their values or hold short ones as codes, which are smaller and quicker than text.

    Parameters
    ----------
    table : pa.Table
    records : sequence of sequence of str
        Its first rows.
    """
    records = [record for record in records if len(record) == table.num_columns]
    for place, column in enumerate(table.column_names):
        values = [record[place] for record in records]
        repeats = sum(map(len, values)) <= 40 * max(len(values), 1) or len(set(values)) < len(values) / 2
        # all of a column at once: a dictionary for each block of the file would have to be made one with all others
        cells = table.column(place).combine_chunks()
        table = table.set_column(place, column, cells.dictionary_encode() if repeats else cells)
    pa.default_memory_pool().release_unused()
    return table


def _check_quotes(table: pa.Table, bad: _Ragged, name: str) -> None:
    """Refuse an odd number of quotes where the last record was opened by one that is never closed."""
    last = "".join(str(column[-1].as_py()) for column in table.columns) if table.num_rows else ""
    number = table.num_rows + 1 + len(bad.rows)
    swallowed = any("\n" in text and number == row for row, _, _, text in bad.rows)
    if "\n" in last or swallowed:
        refuse(f"A quotation mark opened in row {number} of {brief(name)} is never closed. Close it, or remove it.", row=number)


def _refuse_ragged(bad: list[tuple[int, int, int]], name: str, columns: list[str]) -> None:
    number, expected, actual = bad[0]
    more = f" ({times(len(bad) - 1, 'more row', 'more rows')} like it)" if len(bad) > 1 else ""
    refuse(
        f"Row {number} of {brief(name)} has {times(actual, 'cell', 'cells')}, the header has {expected}{more}. "
        f"Correct the row, or leave such rows out{skipping()}.",
        about="rows",
        row=number,
        column=columns[min(actual, expected) - 1],
    )


def _without_nul(
    table: pa.Table, bad: list[tuple[int, int, int]], name: str, data: bytes, skip: bool, below: int
) -> tuple[pa.Table, NDArray[np.int64] | None, tuple[tuple[int, str], ...]]:
    numbers = _numbers(table.num_rows, [number for number, _, _ in bad], 2 + below)
    skipped = [(number, BAD_ROW) for number, _, _ in bad]
    if b"\0" in data:
        holds = _nul_rows(table)
        places = numbers if numbers is not None else np.arange(2 + below, table.num_rows + 2 + below)
        if not skip:
            row = int(places[holds.argmax()]) if holds.any() else 1
            refuse(
                f"Row {row} of {brief(name)} holds a NUL byte. Remove it, or leave the row out{skipping()}.",
                row=row,
                about="rows",
            )
        skipped += [(int(number), NUL_ROW) for number in places[holds]]
        # as plain text, for a dictionary would go on naming the values of the rows that are gone
        table, numbers = written_out(table).filter(pa.array(~holds)), places[~holds]
    return table, numbers, tuple(sorted(skipped))


def _nul_rows(table: pa.Table) -> NDArray[np.bool_]:
    holds = np.zeros(table.num_rows, dtype=bool)
    for column in table.columns:
        hits = pc.match_substring(column.cast(pa.string()), "\0")
        holds |= np.asarray(hits.combine_chunks(), dtype=bool)
    return holds


def _numbers(n_rows: int, bad: list[int], first: int) -> NDArray[np.int64] | None:
    if not bad:
        return None
    everything = np.arange(first, n_rows + len(bad) + first)
    return everything[~np.isin(everything, bad)]
