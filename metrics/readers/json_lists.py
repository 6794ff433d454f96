"""Records that hold a list of records, such as the annotations of an item: each of the list becomes a row of its own."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeGuard

from metrics.data.ratings import Role
from metrics.readers.formats.nested import within
from metrics.readers.json_records import Record
from metrics.readers.names import CRITERION, LABEL, LABELLED, PERSON, SCORE, spaced
from metrics.readers.rater_roles import role_of_column, role_of_giver

Path = tuple[str, ...]
"""A field, behind those of the records that it stands in."""
_WHO = re.compile(rf"{PERSON.pattern}|\b(judge|grader|evaluator|assessor|creator|created by)\b")
_VERDICT = re.compile(rf"{LABEL.pattern}|{LABELLED.pattern}|\bscore$")
"""What a rater gives; points of a criterion are what it can give."""
_NAMED = re.compile(rf"{CRITERION.pattern}|^(name|title|id|key|question|requirement)$")
"""What tells entries with both sides' labels apart."""
_MET = re.compile(r"^((is|was) )?(met|unmet|satisfied|fulfilled|criteria met)$")
"""What is said of a requirement, and of nothing that is found or called."""
_MODEL = re.compile(r"\bmodels?$")
_JUDGED = re.compile(r"\b(judges?|judge?ments?|evaluations?|evals?|grades?|verdicts?|ratings?|votes?)$")
"""Lists in which a model is who judged."""
_GIVEN = (LABEL, SCORE, LABELLED)
_RATED = re.compile(r"\b(label|verdict|rating|vote|grade|preference|winner|judge?ment)s?$")
"""A field of a record that is a rating itself; an answer beside it may be a text."""
MOSTLY = 0.9
"""Share of records whose field is such a list, from which it is one."""
DEPTH = 3
"""Records within records whose fields become columns; what lies deeper is rarely a label, and stays text."""
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
    """

    field: str
    path: Path
    before: str

    @property
    def note(self) -> str:
        """How it is read, as a sentence."""
        return f"Each entry of ‘{self.field}’ is a row; the other fields of its record are repeated."

    def rows(self, record: Record) -> Iterator[Record]:
        """Yield each row of a record; one without a list is one row."""
        inner = within(record, *self.path)
        others = _without(record, self.path)
        entries: list[Record] = inner if _of_records(inner) else [{}]
        for one in entries:
            yield {**others, **{self.before + name: value for name, value in one.items()}}


def levels(records: Sequence[Record]) -> tuple[Listed, ...]:
    """Return the fields of these records whose entries become rows: the outer one first, then those within its entries.

    Parameters
    ----------
    records : sequence of dict
        The first ones of a file.
    """
    found = list[Listed]()
    while len(found) < MOST_LEVELS and (listed := listed_records(records)) is not None:
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
    times = Counter(path for record in records for path, value in _lists(record) if _of_ratings(value, record, path))
    found = [path for path, n in times.items() if n >= MOSTLY * len(records)]
    if len(found) > 1:
        return _of_several(records, found)
    if not found:
        return None
    around = {name for record in records for name in record}
    lists = [within(record, *found[0]) for record in records]
    fields = {name for entries in lists if _of_records(entries) for one in entries for name in one}
    field = ".".join(found[0])
    return Listed(field, found[0], f"{field}." if around & fields else "")


@dataclass(frozen=True)
class SeveralListed(Listed):
    """Fields of which each holds one side's ratings, in words of its own.

    Attributes
    ----------
    sides : tuple of (path, rater's field, label's field, role)
    """

    sides: tuple[tuple[Path, str, str, Role], ...] = ()

    @property
    def note(self) -> str:
        return f"Each entry of {self.field} is a row; the other fields of its record are repeated."

    def rows(self, record: Record) -> Iterator[Record]:
        """Yield each entry of all lists as a row, its rater and label under one name."""
        others = record
        for path, *_ in self.sides:
            others = _without(others, path)
        n_rows = 0
        for path, who, label, role in self.sides:
            inner = within(record, *path)
            for one in inner if _of_records(inner) else ():
                rest = {name: value for name, value in one.items() if name not in (who, label)}
                yield {**others, "rater": one.get(who), "role": role, "label": one.get(label), **rest}
                n_rows += 1
        if not n_rows:
            yield others


def _of_several(records: Sequence[Record], paths: Sequence[Path]) -> Listed | None:
    """Return lists of ratings of which each is a person's or a judge's throughout; None for others."""
    sides = []
    for path in paths:
        entries = [one for record in records for one in within(record, *path) or ()]
        fields = dict.fromkeys(name for one in entries for name in one)
        who = [name for name in fields if _WHO.search(spaced(name)) or _MODEL.search(spaced(name))]
        label = [name for name in fields if _VERDICT.search(spaced(name)) and name not in who]
        role = role_of_giver(who[0]) or role_of_column(path[-1]) if who else None
        if len(who) != 1 or len(label) != 1 or role is None:
            return None
        sides.append((path, who[0], label[0], role))
    taken = {"rater", "role", "label"} & {name for record in records for name in record}
    roles = {role for *_, role in sides}
    names = " and ".join(f"‘{'.'.join(path)}’" for path in paths)
    return SeveralListed(names, paths[0], "", tuple(sides)) if not taken and len(roles) == len(sides) else None


def flat(record: Record, depth: int = DEPTH, before: str = "", fields: Record | None = None) -> Record:
    """Return a record whose fields of records are fields of its own, `result.label`; what is empty or deeper stays as it is."""
    fields = {} if fields is None else fields
    for name, value in record.items():
        if type(value) is not dict:
            fields[before + name] = value
        elif value and depth:
            flat(value, depth - 1, f"{before}{name}.", fields)
        else:
            fields[before + name] = value or ""
    return fields


def _without(record: Record, path: Path) -> Record:
    """Return a record without what stands under a path; records that it does not lead through are the same ones."""
    name, *deeper = path
    inner = record.get(name)
    if deeper and isinstance(inner, dict) and (left := _without(inner, tuple(deeper))):
        return {**record, name: left}
    return {field: value for field, value in record.items() if field != name}


def _lists(record: Record, before: Path = ()) -> Iterator[tuple[Path, object]]:
    for name, value in record.items():
        if isinstance(value, list):
            yield (*before, name), value
        elif isinstance(value, dict) and len(before) < DEPTH:
            yield from _lists(value, (*before, name))


def _of_ratings(value: object, around: Record, path: Path) -> bool:
    if not _of_records(value):
        return False
    if _JUDGED.search(spaced(path[-1])) and all(_any(_MODEL, one) and _any(_VERDICT, one) for one in value):
        return True
    if all(_any(_WHO, one) and (any(_any(named, one) for named in _GIVEN) or _rates(one)) for one in value):
        return True
    return _by_criterion(value) and not any(
        _RATED.search(spaced(name)) for name, beside in flat(around).items() if not isinstance(beside, list)
    )


def _rates(record: Record) -> bool:
    return any(_by_criterion(value) for _, value in _lists(record))


def _by_criterion(value: object) -> bool:
    return _of_records(value) and all(
        (_any(CRITERION, one) and _any(_VERDICT, one)) or (_any(_NAMED, one) and (_of_both(one) or _any(_MET, one)))
        for one in value
    )


def _of_both(record: Record) -> bool:
    """Return whether fields of a record are a person's label and a judge's."""
    return {"human", "judge"} <= set(map(role_of_column, flat(record)))


def _any(pattern: re.Pattern[str], record: Record) -> bool:
    return any(pattern.search(spaced(name)) for name in flat(record))


def _of_records(value: object) -> TypeGuard[list[Record]]:
    return isinstance(value, list) and bool(value) and all(isinstance(one, dict) for one in value)
