"""Tables of keys among several files: which id of one file is which columns of another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import pyarrow as pa
import pyarrow.compute as pc

from metrics.data.join import ENOUGH, JoinedFile
from metrics.readers.crossing import AND, repeats, with_joint
from metrics.readers.frames import cells_sha256
from metrics.readers.joining_columns import addressed
from metrics.readers.joining_items import FEWEST_IDS
from metrics.readers.messages import brief, listed
from metrics.readers.table import TextTable

_NOTE = "‘{}’ is looked up in {} by {}."


@dataclass(frozen=True)
class Keys:
    """A table without labels, whose rows say which id is which values of other columns.

    Attributes
    ----------
    table : TextTable
    id : str
        Column of the ids, which some of the other files have.
    beside : tuple of str
        Its other columns, all of which the rest of them have.
    """

    table: TextTable
    id: str
    beside: tuple[str, ...]

    @property
    def key(self) -> str:
        """Column that the others make together."""
        return AND.join(self.beside)

    @property
    def file(self) -> JoinedFile:
        """What is said of the table where files are joined."""
        table = self.table
        return JoinedFile(table.name, table.sha256 or cells_sha256(table.data), "keys", (), table.n_rows, table.n_rows, ())

    def asks(self, other: TextTable) -> bool:
        """Return whether a table has all other columns, and not the id."""
        return not other.format and self.id not in other.columns and set(self.beside) <= set(other.columns)

    def told(self, other: TextTable) -> TextTable:
        """Return a table with the id of each row; an empty one where there is no such row."""
        places = pc.index_in(_cells(other, self.key), value_set=_cells(self.table, self.key))
        ids = pc.fill_null(_cells(self.table, self.id).take(places), "")
        by = listed(f"‘{brief(column, 30)}’" for column in self.beside)
        note = _NOTE.format(brief(self.id, 30), brief(self.table.name, 40), by)
        return replace(other, data=other.data.append_column(self.id, ids), notes=(*other.notes, note), memo={})


def with_keys(parts: Sequence[TextTable], stated: Iterable[str]) -> tuple[list[TextTable], list[Keys]]:
    """Return tables with the ids that tables of keys give their rows, and these tables, which are none of them.

    Parameters
    ----------
    parts : sequence of TextTable
    stated : iterable of str
        Keys of the `columns` that were said: a table of which anything is said is read as any other.
    """
    said = {addressed(key, parts)[0] for key in stated}
    found = (_keys(table, parts) for place, table in enumerate(parts) if place not in said)
    keys = next(filter(None, found), None)
    if keys is None:
        return list(parts), []
    return [keys.told(part) if keys.asks(part) else part for part in parts if part is not keys.table], [keys]


def _keys(table: TextTable, parts: Sequence[TextTable]) -> Keys | None:
    """Return a table as one of keys, where one column is the id of some files, and the others tell rows apart in the rest."""
    if table.format or len(table.columns) < 2 or table.n_rows < FEWEST_IDS:
        return None
    for column in table.columns:
        keys = Keys(table, column, tuple(other for other in table.columns if other != column))
        asking = [part for part in parts if part is not table and keys.asks(part)]
        having = [part for part in parts if part is not table and column in part.columns]
        apart = asking and having and not (repeats(table, [column]) or repeats(table, keys.beside))
        if apart and all(_meet(table, part, column) for part in having) and all(_meet(table, part, keys.key) for part in asking):
            return keys
    return None


def _meet(table: TextTable, other: TextTable, column: str) -> bool:
    """Return whether nearly all cells of the table that has fewer in a column are in the other."""
    one, another = (set(_cells(of, column).to_pylist()) for of in (table, other))
    return len(one & another) >= ENOUGH * min(len(one), len(another))


def _cells(table: TextTable, column: str) -> pa.Array:
    return with_joint(table, {"item": column}).data[column].cast(pa.string()).combine_chunks()
