"""A file as a table of text, before anybody said what its columns mean."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from metrics.data.join import Join
from metrics.data.labels import RubricCriterion
from metrics.data.memo import memoised
from metrics.data.read_options import DEFAULT, ReadOptions
from metrics.data.vocabulary import Kind
from metrics.readers.messages import brief

BAD_ROW = "more or fewer cells than the header"
CUT_OFF = "the last line is cut off"
NO_LABEL = "no label"
# Values that become Python's own at once; others get their turn in between.
_PART = 1 << 16


@dataclass(frozen=True, eq=False)
class Coded:
    """A text column as codes into its distinct values, in order of first appearance. Code -1 is an empty cell."""

    codes: NDArray[np.int32]
    names: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Merged:
    """What a tally says of the table whose identical items it merged.

    Attributes
    ----------
    times : ndarray of int64, shape (n_rows,)
        Items of the kind that each row belongs to: so many rows of the counted table were alike.
    n_rows : int
        Rows of the counted table.
    left_out : tuple of (reason, rows)
        Rows of it that were left out when it was counted.
    columns : tuple of (role, column)
        What the columns were taken for when it was counted.
    """

    times: NDArray[np.int64]
    n_rows: int
    left_out: tuple[tuple[str, int], ...] = ()
    columns: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, eq=False)
class Origin:
    """Rows of a joined table that come from one file, and their record numbers there, shape (n_rows,)."""

    name: str
    numbers: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class TextTable:
    """The text of a file, column by column.

    Attributes
    ----------
    name : str
        File name, as shown in messages.
    sha256 : str
        Digest of the bytes of the file.
    data : pa.Table
        Every column as text (string, or dictionary of strings); an empty cell is "".
    numbers : ndarray of int64 or None
        Record number of each row where rows were skipped; else the rows are numbered from `first_row`: see `record_numbers`.
    skipped : tuple of (record number, reason)
        Rows that could not be read, where the caller asked to skip them.
    notes : tuple of str
        How the file was read: encoding, delimiter, sheet.
    corner : str
        First cell of the header, as it stands in the file.
    kinds : tuple of (label, kind)
        Meanings of labels that the file itself states.
    order : tuple of str
        Classes, low to high, where the file states their order.
    rubric : tuple of RubricCriterion
        What the file says of its criteria, where it holds a rubric.
    how : HowRead
        What was said about reading it.
    sheets : tuple of str
        Sheets of a workbook that has several, the one that was read first.
    merged : Merged or None
        Where the file is a tally, what it says of the table it was counted from.
    format : str
        The export of a known tool that the file is, in words that follow "is"; empty for a table of no tool.
    parts : tuple of TextTable
        The tables of several files that are to be joined; what is said of their columns decides how.
    join : Join or None
        Where the table was joined from several files, how.
    origins : tuple of Origin
        Of such a table, where its rows come from, in their order.
    lists : tuple of str
        Columns that are places of lists in cells.
    """

    name: str
    sha256: str
    data: pa.Table
    first_row: int = 2
    numbers: NDArray[np.int64] | None = None
    skipped: tuple[tuple[int, str], ...] = ()
    notes: tuple[str, ...] = ()
    corner: str = ""
    kinds: tuple[tuple[str, Kind], ...] = ()
    order: tuple[str, ...] = ()
    rubric: tuple[RubricCriterion, ...] = ()
    how: ReadOptions = DEFAULT
    sheets: tuple[str, ...] = ()
    merged: Merged | None = None
    format: str = ""
    parts: tuple[Self, ...] = ()
    join: Join | None = None
    origins: tuple[Origin, ...] = ()
    lists: tuple[str, ...] = ()
    memo: dict[Hashable, Any] = field(default_factory=dict, repr=False)

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(self.data.column_names)

    @property
    def n_rows(self) -> int:
        """Rows that were read; skipped ones not counted."""
        return int(self.data.num_rows)

    @property
    def n_read(self) -> int:
        """Rows of the file, skipped ones too; of a tally, rows of the table that was counted."""
        return self.n_rows + len(self.skipped) if self.merged is None else self.merged.n_rows

    @property
    def left_blank(self) -> int:
        """Of a tally, rows without any label that were left out when it was counted."""
        return 0 if self.merged is None else sum(n for why, n in self.merged.left_out if why == NO_LABEL)

    def counted(self, which: NDArray[np.bool_]) -> int:
        """Return how many rows these are; in a tally, rows of the table that was counted.

        Parameters
        ----------
        which : ndarray of bool, shape (n_rows,)
        """
        return int(np.count_nonzero(which) if self.merged is None else self.merged.times[which].sum())

    @property
    def record_numbers(self) -> NDArray[np.int64]:
        """Record number of each row, shape (n_rows,)."""
        return np.arange(self.n_rows) + self.first_row if self.numbers is None else self.numbers

    def number(self, index: int) -> int:
        """Return record number of a row, for messages."""
        return int(self.numbers[index]) if self.numbers is not None else index + self.first_row

    def rows_words(self, first: int, second: int) -> str:
        """Return two rows by their record numbers and their file, at the start of a sentence."""
        (name, number), (other, other_number) = sorted([self._place(first), self._place(second)], key=lambda place: place[0])
        if name != other:
            return f"Row {number} of {brief(name)} and row {other_number} of {brief(other)}"
        first, second = sorted([number, other_number])
        return f"Rows {first} and {second} of {brief(name)}"

    def _place(self, row: int) -> tuple[str, int]:
        for origin in self.origins:
            if row < len(origin.numbers):
                return origin.name, int(origin.numbers[row])
            row -= len(origin.numbers)
        return self.name, self.number(row)

    def raw(self, column: str) -> tuple[NDArray[np.int32], pa.StringArray]:
        """Return codes and distinct values of a column, byte for byte."""
        return memoised(self, ("raw", column), lambda: _encode(self.data[column]))

    def coded(self, column: str) -> Coded:
        """Return codes and distinct values of a column, trimmed."""
        return memoised(self, ("coded", column), lambda: _tidy(*self.raw(column)))

    def head(self, column: str, n: int) -> tuple[str, ...]:
        """Return the first `n` distinct values of a column, trimmed, without making all of a long one into words."""
        values = self.raw(column)[1]
        # as many again, for values that are blank or alike once they are trimmed
        if ("coded", column) in self.memo or len(values) <= 2 * n:
            return self.coded(column).names[:n]
        first = _tidy(np.arange(2 * n, dtype=np.int32), values[: 2 * n]).names
        return first[:n] if len(first) >= n else self.coded(column).names[:n]

    def cell(self, index: int, column: str) -> str:
        return str(self.data[column][index].as_py())


def _encode(column: pa.ChunkedArray) -> tuple[NDArray[np.int32], pa.StringArray]:
    chunks = encoded(column).chunks
    if not chunks:
        return np.empty(0, np.int32), pa.array([], pa.string())
    codes = [chunk.indices.to_numpy(zero_copy_only=False) for chunk in chunks]
    return codes[0] if len(codes) == 1 else np.concatenate(codes), unguarded(chunks[0].dictionary)


def encoded(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return a column as codes into its distinct values, the same in every chunk.

    Parameters
    ----------
    column : pa.ChunkedArray
        Of dictionaries, or of a type that Arrow can encode as such.
    """
    if pa.types.is_dictionary(column.type):
        return column.unify_dictionaries()
    # all chunks have the values of all; to unify them would take as many steps as there are chunks times values
    return column.dictionary_encode()


def words(values: pa.Array) -> list[Any]:
    """Return values as Python's own, a part at a time, so that others get their turn in between.

    Parameters
    ----------
    values : pa.Array, length n

    Returns
    -------
    list, length n
        None for a null.
    """
    parts = (values[start : start + _PART].to_pylist() for start in range(0, len(values), _PART))
    return list(chain.from_iterable(parts))


def column_of(codes: NDArray[np.integer[Any]], names: Sequence[str]) -> pa.DictionaryArray:
    """Return a column of the names that its codes use, in their order; code -1 is an empty cell.

    Parameters
    ----------
    codes : ndarray of int, shape (n_rows,)
    names : sequence of str
    """
    used, places = np.unique(np.where(codes < 0, len(names), codes), return_inverse=True)
    every = [*names, ""]
    return pa.DictionaryArray.from_arrays(pa.array(places, pa.int32()), pa.array([every[code] for code in used], pa.string()))


def unguarded(values: pa.StringArray) -> pa.StringArray:
    """Return values without the apostrophe that spreadsheet exports put before `=`, `+`, `-` and `@`.

    Parameters
    ----------
    values : pa.StringArray, length n
    """
    if not pc.any(pc.starts_with(values, "'")).as_py():
        return values
    return pc.replace_substring_regex(values, r"^'([=+\-@])", r"\1")


def _tidy(codes: NDArray[np.int32], values: pa.StringArray) -> Coded:
    trimmed = unguarded(pc.utf8_trim_whitespace(values)).dictionary_encode()
    names = words(trimmed.dictionary)
    places = np.asarray(trimmed.indices, dtype=np.int32)
    if "" in names:
        empty = names.index("")
        names.pop(empty)
        places = np.where(places == empty, -1, places - (places > empty)).astype(np.int32)
    unchanged = np.array_equal(places, np.arange(len(places)))
    return Coded(codes if unchanged else places[codes], tuple(names))
