"""Records that hold a list of records, such as the annotations of an item: each of the list becomes a row of its own."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeGuard

from metrics.readers.json_records import Record
from metrics.readers.names import LABEL, PERSON, SCORE, spaced

_WHO = re.compile(rf"{PERSON.pattern}|\b(judge|grader|evaluator|assessor)\b")
MOSTLY = 0.9
"""Share of records whose field is such a list, from which it is one."""


@dataclass(frozen=True)
class Listed:
    """The field that holds lists of records.

    Attributes
    ----------
    field : str
    before : str
        What stands before the names of their fields; empty where these are no names of the records around them.
    """

    field: str
    before: str

    @property
    def note(self) -> str:
        """How it is read, as a sentence."""
        return f"Each entry of ‘{self.field}’ is a row; the other fields of its record are repeated."

    def rows(self, records: Sequence[Record]) -> Iterator[tuple[int, Record]]:
        """Yield each row with the place of its record; a record without a list is one row."""
        for place, record in enumerate(records):
            others = {name: value for name, value in record.items() if name != self.field}
            inner = record.get(self.field)
            entries: list[Record] = inner if _of_records(inner) else [{}]
            for one in entries:
                yield place, {**others, **{self.before + name: value for name, value in one.items()}}


def listed_records(records: Sequence[Record]) -> Listed | None:
    """Return the one field of these records that holds lists of ratings, with a rater and a label; None without, and of several.

    Messages of a conversation, passages and options are lists too, and belong to their record.

    Parameters
    ----------
    records : sequence of dict
        The first ones of a file.
    """
    times = Counter(name for record in records for name, value in record.items() if _of_ratings(value))
    found = [name for name, n in times.items() if n >= MOSTLY * len(records)]
    if len(found) != 1:
        return None
    around = {name for record in records for name in record}
    inside = {name for record in records for one in record.get(found[0], ()) if isinstance(one, dict) for name in one}
    return Listed(found[0], f"{found[0]}." if around & inside else "")


def _of_ratings(value: object) -> bool:
    return _of_records(value) and all(_named(one, _WHO) and (_named(one, LABEL) or _named(one, SCORE)) for one in value)


def _named(record: Record, pattern: re.Pattern[str]) -> bool:
    return any(pattern.search(spaced(name)) for name in record)


def _of_records(value: object) -> TypeGuard[list[Record]]:
    return isinstance(value, list) and bool(value) and all(isinstance(one, dict) for one in value)
