"""What a format of a known tool is: how it is told apart, how it is read, and how it is made there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Set
from dataclasses import dataclass
from typing import Any, Literal

from metrics.readers.formats.canonical import Rows
from metrics.readers.messages import brief, refuse
from metrics.readers.table import TextTable

Record = dict[str, Any]
Container = Literal["object", "records", "table"]
SAMPLE, SHARE = 200, 0.95
"""Records that show what a file is, and the share of them that must have the fields of a format: a few may be of another kind."""


@dataclass(frozen=True)
class Format:
    """One export of one tool.

    Attributes
    ----------
    tool : str
        Its name, as people say it.
    what : str
        The export, in words that follow "is".
    how : str
        How to make the export there, one sentence; of an export that cannot be used, what to make instead.
    container : "object", "records" or "table"
        One JSON object; JSON records whose fields hold lists; columns, of flat JSON too (`result.label` for a field of a field).
    fits : callable
        Takes the keys of the object, the fields of a record or the columns, and says whether they are those of the format.
    holds : callable, optional
        Takes the object, the record or the table, where names alone do not tell it apart.
    read_object, read_records, read_table : callable, optional
        The reader, by the container. An export without a reader cannot be used.
    why : str
        Of an export that cannot be used, why not, one sentence.
    """

    tool: str
    what: str
    how: str
    container: Container
    fits: Callable[[Set[str]], bool]
    holds: Callable[[Any], bool] | None = None
    read_object: Callable[[Record, Rows], None] | None = None
    read_records: Callable[[Iterable[Record], Rows], None] | None = None
    read_table: Callable[[TextTable], TextTable] | None = None
    why: str = ""

    def matches(self, names: Set[str], content: Any) -> bool:
        """Return whether an object, a record or a table is of this format.

        Parameters
        ----------
        names : set of str
            Its keys, fields or columns.
        content : dict or TextTable
        """
        return self.fits(names) and (self.holds is None or self.holds(content))

    @property
    def usable(self) -> bool:
        return not self.why

    def refuse(self, name: str) -> None:
        """Refuse a file of this format, with what to export instead."""
        refuse(f"{brief(name)} is {self.what}. {self.why} {self.how}")


def having(*names: str) -> Callable[[Set[str]], bool]:
    """Return the test for a file that has all these fields."""
    wanted = frozenset(names)
    return lambda there: wanted <= there
