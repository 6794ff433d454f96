"""Tables with a column for each rater or question -> one row per rating."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from metrics.readers.formats.canonical import COLUMNS, canonical, compacted, everywhere, is_in, mapped, safe_name
from metrics.readers.formats.cells import status_of
from metrics.readers.messages import brief, refuse
from metrics.readers.table import TextTable


@dataclass(frozen=True)
class Part:
    """What one rater says on one question, in every row of the table.

    Attributes
    ----------
    columns : mapping of canonical column to pa.Array, shape (n_rows,), or str
        One word stands for all rows.
    why : pa.Array of str, shape (n_rows,)
        Why a row is no rating; empty where it is one.
    rows : ndarray of bool, shape (n_rows,), optional
        Rows that say anything; those with a label, a number or a reason unless told.
    """

    columns: Mapping[str, pa.Array | str]
    why: pa.Array
    rows: NDArray[np.bool_] | None = None

    def places(self) -> NDArray[np.int64]:
        """Return the rows that say anything."""
        if self.rows is not None:
            return np.flatnonzero(self.rows)
        parts = (self.why, *(self.columns[column] for column in ("label", "score") if column in self.columns))
        return np.flatnonzero(~np.logical_and.reduce([is_in(cells, "") for cells in parts]))

    def cells(self, column: str, places: pa.Array) -> pa.Array:
        """Return a canonical column of these rows.

        Parameters
        ----------
        column : str
        places : pa.Array of int64
        """
        if column == "status" and column not in self.columns:
            return mapped(self.cells("label", places), status_of)
        cells = self.columns.get(column, "")
        return everywhere(cells, len(places)) if isinstance(cells, str) else cells.dictionary_encode().take(places)


def stacked(table: TextTable, parts: Sequence[Part], used: Collection[str], notes: Sequence[str] = ()) -> TextTable:
    """Return the ratings of all parts, row by row; columns that hold no rating ride along.

    Parameters
    ----------
    table : TextTable
    parts : sequence of Part
        At least one.
    used : collection of str
        Columns that hold the ratings.
    notes : sequence of str

    Raises
    ------
    InputError
        Where no row is a rating.
    """
    places = [part.places() for part in parts]
    at = np.concatenate(places)
    if not len(at):
        refuse(f"{brief(table.name)} holds no rating: every cell of an answer is empty.")
    order = np.argsort(at, kind="stable")
    taken = [pa.array(rows) for rows in places]

    def stack(column: str) -> pa.Array:
        cells = pa.concat_arrays([part.cells(column, rows) for part, rows in zip(parts, taken, strict=True)])
        return compacted(cells).take(pa.array(order))

    columns = {column: stack(column) for column in COLUMNS if column == "status" or any(column in part.columns for part in parts)}
    why = pa.concat_arrays([part.why.take(rows) for part, rows in zip(parts, taken, strict=True)]).take(pa.array(order))
    left = [(reason, is_in(why, reason)) for reason in pc.unique(why).to_pylist() if reason]
    beside = _riding(table, used).take(pa.array(at[order]))
    numbers = table.record_numbers[at[order]]
    ratings = canonical(replace(table, data=beside, numbers=numbers, memo={}), columns, left, notes, ordered=True)
    return ratings if ratings.numbers is not None else replace(ratings, numbers=numbers)


def _riding(table: TextTable, used: Collection[str]) -> pa.Table:
    """Return the columns that hold no rating, under names of their own."""
    names: dict[str, str] = {}
    for name in table.columns:
        if name not in used:
            safe = safe_name(name)
            while safe in names:
                safe = f"file.{safe}"
            names[safe] = name
    columns = [table.data[name] for name in names.values()]
    # A task has many ratings: its texts are kept once.
    coded = [column if pa.types.is_dictionary(column.type) else column.dictionary_encode() for column in columns]
    # The blank status keeps the number of rows where nothing rides along; the ratings have one of their own.
    return pa.table([everywhere("", table.n_rows), *coded], names=["status", *names])
