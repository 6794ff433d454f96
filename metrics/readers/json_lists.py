"""Records that hold a list of records, such as the annotations of an item: each of the list becomes a row of its own."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from metrics.readers.formats.cells import within
from metrics.readers.json_records import MOSTLY, Path, Record, flat, lists_in, of_records, without
from metrics.readers.json_sides import Parallel, Sides, parallel_of, sides_of
from metrics.readers.names import CRITERION, LABEL, LABELLED, PERSON, SCORE, spaced
from metrics.readers.outputs import UNIT
from metrics.readers.rater_roles import role_of_column

_WHO = re.compile(rf"{PERSON.pattern}|\b(judge|grader|evaluator|assessor|creator|created by)\b")
_VERDICT = re.compile(rf"{LABEL.pattern}|{LABELLED.pattern}|\bscore$")
"""What a rater gives; points of a criterion are what it can give."""
_TOLD = re.compile(rf"{CRITERION.pattern}|{UNIT.pattern}|^(name|title|id|key|question|requirement)$")
_NAMED = re.compile(rf"{_TOLD.pattern}|^(text|item|content)$")
"""What tells entries with both sides' labels apart."""
_MET = re.compile(r"^((is|was) )?(met|unmet|satisfied|fulfilled|criteria met)$")
"""What is said of a requirement, and of nothing that is found or called."""
_MODEL = re.compile(r"\bmodels?$")
_JUDGED = re.compile(r"\b(judges?|judge?ments?|evaluations?|evals?|grades?|verdicts?|ratings?|votes?)$")
"""Lists in which a model is who judged."""
_GIVEN = (LABEL, SCORE, LABELLED)
_RATED = re.compile(r"\b(label|verdict|rating|vote|grade|preference|winner|judge?ment)s?$")
"""A field of a record that is a rating itself; an answer beside it may be a text."""
MOST_LEVELS = 3
"""Lists within lists that become rows: reviews of an answer hold ratings by criterion."""


@dataclass(frozen=True)
class Listed:
    """The field that holds lists of records.

    Attributes
    ----------
    field : str
        With the fields around it, `summary.feedback`.
    path : tuple of str
    before : str
        What stands before the names of their fields; empty where these are no names of the records around them.
    part : str
        Name of the column that numbers the entries, where nothing else tells them apart that both sides label.
    """

    field: str
    path: Path
    before: str
    part: str = ""

    @property
    def note(self) -> str:
        """How it is read, as a sentence."""
        return f"Each entry of ‘{self.field}’ is a row; the other fields of its record are repeated."

    def rows(self, record: Record) -> Iterator[Record]:
        """Yield each row of a record; one without a list is one row."""
        inner = within(record, *self.path)
        others = without(record, self.path)
        entries: list[Record] = inner if of_records(inner) else [{}]
        for place, one in enumerate(entries, start=1):
            part = {self.part: place} if self.part else {}
            yield {**others, **part, **{self.before + name: value for name, value in one.items()}}


Level = Listed | Sides | Parallel


def _listed(records: Sequence[Record]) -> Level | None:
    return sides_of(records) or parallel_of(records) or listed_records(records)


def levels(records: Sequence[Record]) -> tuple[Level, ...]:
    """Return the fields of these records whose entries become rows: the outer one first, then those within its entries.

    Parameters
    ----------
    records : sequence of dict
        The first ones of a file.
    """
    found = list[Level]()
    while len(found) < MOST_LEVELS and (listed := _listed(records)) is not None:
        found.append(listed)
        records = [row for record in records for row in listed.rows(record)]
    return tuple(found)


def listed_records(records: Sequence[Record]) -> Listed | None:
    """Return the one field of these records that holds lists of ratings; None without, and of several.

    A rating has a label, or a list of labels by criterion, and a rater; or, where no label stands around the list, a criterion.
    Messages of a conversation, passages and options are lists too, and belong to their record.

    Parameters
    ----------
    records : sequence of dict
        The first ones of a file.
    """
    times = Counter(path for record in records for path, value in lists_in(record) if _of_ratings(value, record, path))
    found = [path for path, n in times.items() if n >= MOSTLY * len(records)]
    if len(found) != 1:
        return None
    around = {name for record in records for name in record}
    lists = [within(record, *found[0]) for record in records]
    fields = {name for entries in lists if of_records(entries) for one in entries for name in one}
    field = ".".join(found[0])
    return Listed(field, found[0], f"{field}." if around & fields else "", _part(found[0][-1], fields, around))


def _part(field: str, fields: Set[str], around: Set[str]) -> str:
    """Return what numbers the entries of a list that are labelled by both sides and have no name: claims, sentences."""
    if not _of_both(dict.fromkeys(fields)) or any(_TOLD.search(spaced(name)) for name in fields):
        return ""
    unit = UNIT.search(spaced(field).removesuffix("s"))
    name = unit[0] if unit else "part"
    return name if name not in fields | around else ""


def _of_ratings(value: object, around: Record, path: Path) -> bool:
    if not of_records(value):
        return False
    if _JUDGED.search(spaced(path[-1])) and all(_any(_MODEL, one) and _any(_VERDICT, one) for one in value):
        return True
    if all(_any(_WHO, one) and (any(_any(named, one) for named in _GIVEN) or _rates(one)) for one in value):
        return True
    return _by_criterion(value) and not any(
        _RATED.search(spaced(name)) for name, beside in flat(around).items() if not isinstance(beside, list)
    )


def _rates(record: Record) -> bool:
    return any(_by_criterion(value) for _, value in lists_in(record))


def _by_criterion(value: object) -> bool:
    return of_records(value) and all(
        (_any(CRITERION, one) and _any(_VERDICT, one)) or (_any(_NAMED, one) and (_of_both(one) or _any(_MET, one)))
        for one in value
    )


def _of_both(record: Record) -> bool:
    """Return whether fields of a record are a person's label and a judge's."""
    return {"human", "judge"} <= set(map(role_of_column, flat(record)))


def _any(pattern: re.Pattern[str], record: Record) -> bool:
    return any(pattern.search(spaced(name)) for name in flat(record))
