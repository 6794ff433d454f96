"""How much of a file is read, in one place: what is larger is refused before it costs time or memory."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from metrics.asker import worded
from metrics.readers.messages import brief, refusal, refuse, times
from metrics.readers.table import TextTable
from metrics.results.words import count

EXACT = 1 << 53
"""Items or rows that a file may stand for: above it floating-point numbers no longer hold every whole one."""
# As many as a sheet of Excel has.
COLUMNS = 16_384
CELL = 8 << 20
"""Bytes of one cell, or of one JSON record."""
NAME = 10_000
"""Characters of a column's name, a label, a criterion or a rater."""
# More names of raters are ids of items.
RATERS = 10_000
# Bytes of the first line; a longer one does not hold the names of columns.
HEADER = 4 << 20
OBJECT = 64 << 20
"""Bytes of a JSON object that must be parsed as a whole."""
NESTED = 10_000_000
"""Values within lists and records of a Parquet file, which become text one by one."""
# As many as a sheet of Excel has.
SHEET_ROWS = 1 << 20
SHEET_CELLS = 3_000_000
"""A million of them take some twenty seconds."""
# Bytes of all parts of a workbook, unpacked.
SHEET_BYTES = 1 << 28
SHEET_TAGS = 16_000_000
"""Elements in all parts of a workbook: a cell takes two or three, a text that is shared two."""
LEFT_OUT = 100_000
"""Rows that cannot be read and are listed."""


def counted_first() -> str:
    """Return what a table too large for a reader can be turned into."""
    command = "“python -m metrics count”"
    return f"Or count it first with {worded(command, 'metrics.engines.count', command)}, and send the tally."


@dataclass(frozen=True)
class Limits:
    """What a table may take.

    Attributes
    ----------
    unpacked : int
        Bytes of text that a compressed file may hold.
    rows, cells : int
    """

    unpacked: int = (1 << 31) - 1
    rows: int = 50_000_000
    cells: int = 500_000_000

    @classmethod
    def served(cls, upload: int) -> Limits:
        """Return the limits of a server that takes uploads of so many bytes.

        In proportion to them, never above those of the package.
        """
        limits = cls()
        return cls(min(2 * upload, limits.unpacked), min(upload // 15, limits.rows), min(upload // 2, limits.cells))

    def check_bytes(self, size: int, name: str) -> None:
        if size > self.unpacked:
            refuse(f"{brief(name)} unpacks to more than {_megabytes(self.unpacked)}. Send fewer columns. {counted_first()}")

    def check_size(self, rows: int, columns: int, name: str) -> None:
        """Refuse a table of more columns, rows or cells than can be read.

        Parameters
        ----------
        rows, columns : int
        name : str
            Name to show in messages.

        Raises
        ------
        InputError
            With the limit.
        """
        if columns > COLUMNS:
            refuse(f"{brief(name)} has {count(columns)} columns; {count(COLUMNS)} can be read. Send fewer columns.")
        if rows > self.rows:
            refuse(f"{brief(name)} has {count(rows)} rows; {count(self.rows)} can be read. {counted_first()}")
        if rows * columns > self.cells:
            refuse(
                f"{brief(name)} has {count(rows)} rows of {times(columns, 'cell', 'cells')}; {count(self.cells)} cells can be "
                f"read. Send fewer columns. {counted_first()}"
            )

    def check(self, table: TextTable) -> None:
        """Refuse a table that is too large, or holds a cell that is."""
        self.check_size(table.n_rows, len(table.columns), table.name)
        for column in table.columns:
            _check_cells(table, column)


LIMITS = Limits()


def _check_cells(table: TextTable, column: str) -> None:
    start = 0
    for chunk in table.data[column].chunks:
        coded = pa.types.is_dictionary(chunk.type)
        lengths = pc.binary_length(chunk.dictionary if coded else chunk)
        longest = pc.max(lengths).as_py() or 0
        if longest > CELL:
            place = pc.index(lengths, longest).as_py()
            there = pc.index(chunk.indices, place).as_py() if coded else place
            row = table.number(start + max(there, 0))
            raise refusal(
                f"Row {row}, column ‘{brief(column)}’ of {brief(table.name)} holds a cell of {_megabytes(longest)}; "
                f"{_megabytes(CELL)} can be read. Shorten it, or leave out the column.",
                row=row,
                column=column,
            )
        start += len(chunk)


def check_raters(table: TextTable, column: str) -> None:
    raters = len(_names(table, column))
    if raters > RATERS:
        refuse(f"{brief(table.name)}: ‘{brief(column)}’ names {count(raters)} raters. Is it an item id?", column=column)


def check_names(table: TextTable, column: str) -> None:
    """Refuse a column of names that holds texts."""
    longest = pc.max(pc.utf8_length(_names(table, column))).as_py() or 0
    if longest > NAME:
        refuse(
            f"{brief(table.name)}: ‘{brief(column)}’ holds a name of {count(longest)} characters; {count(NAME)} can be read. "
            "Is it free text?",
            column=column,
        )


def _names(table: TextTable, column: str) -> pa.StringArray:
    """Return distinct values of a column that is filled, none of them a text of Python's yet."""
    names = pc.unique(pc.utf8_trim_whitespace(table.raw(column)[1]))
    return names.filter(pc.not_equal(names, ""))


def _megabytes(size: int) -> str:
    return f"{size / (1 << 20):,.0f} MB".replace(",", " ")
