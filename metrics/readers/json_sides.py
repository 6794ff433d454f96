"""Records in which people and judges stand apart, each as a list of records or a field: turned into a row for each rating."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from metrics.data.ratings import Role
from metrics.data.vocabulary import meaning, normalise
from metrics.readers.formats.cells import within
from metrics.readers.frames import text
from metrics.readers.json_records import MOSTLY, Path, Record, flat, lists_in, of_records, without
from metrics.readers.names import CRITERION, LABEL, LABELLED, PERSON, RATER, SCORE, spaced
from metrics.readers.rater_roles import role_of_column, role_of_giver

_NAME = re.compile(r"(name|id|key|title|question|text|requirement|item|statement)")
"""Fields that name a criterion where both sides have the same ones, else a rater."""
_WHO = re.compile(
    rf"{RATER.pattern}|\b(assessor|models?|creator)$|"
    r"^(user ?name|name|by|who|llm|id|e ?mail( address)?|system|(judge|grader|evaluator) \w+)$"
)
_LABELS = (LABEL, LABELLED, SCORE, re.compile(r"^((is|was) )?(met|satisfied|passed|correct)$"))
"""Fields of a rating that hold its label, the likeliest first."""
_OWN = frozenset({"label", "labels", "model", "models"})
"""Fields of a rating that sound like a side's."""
_RESERVED = frozenset({"rater", "role", "label", "criterion"})


@dataclass(frozen=True)
class _Side:
    """A list of one side's ratings, or a field that holds its only one."""

    path: Path
    role: Role
    label: str = ""
    who: str = ""
    criterion: str = ""
    """The field that names it; of a single label the criterion itself."""

    def rows(self, record: Record) -> Iterator[Record]:
        """Yield what its raters say of a record."""
        called = spaced(self.path[-1]) if self.label else self.role
        inner = within(record, *self.path)
        if not self.label:
            yield {"rater": called, "role": self.role, "label": inner} | ({"criterion": self.criterion} if self.criterion else {})
        for one in inner if self.label and of_records(inner) else ():
            rest = {name: value for name, value in one.items() if name not in (self.who, self.label, self.criterion)}
            about = {"criterion": one.get(self.criterion)} if self.criterion else {}
            who = (one.get(self.who) if self.who else None) or called
            yield {"rater": who, "role": self.role, **about, "label": one.get(self.label), **rest}


@dataclass(frozen=True)
class Sides:
    """The fields of a record that hold ratings of people and of judges apart."""

    sides: tuple[_Side, ...]

    @property
    def note(self) -> str:
        """How they are read, as a sentence."""
        names = [f"‘{'.'.join(side.path)}’" for side in self.sides]
        return f"Each entry of {' and '.join(names)} is a row; the other fields of its record are repeated."

    def rows(self, record: Record) -> Iterator[Record]:
        """Yield each rating of a record as a row; one without any is one row."""
        others = record
        for side in self.sides:
            others = without(others, side.path)
        rows = [{**others, **row} for side in self.sides for row in side.rows(record)]
        yield from rows or [others]


def sides_of(records: Sequence[Record]) -> Sides | None:
    """Return the fields of these records in which people and judges stand apart; None where they do not.

    Lists of records that hold a label, each of one side by its name or by that of the raters in it, or one such list beside the
    only label of the other side.

    Parameters
    ----------
    records : sequence of dict
        The first ones of a file.
    """
    times = Counter(path for record in records for path, value in lists_in(record) if of_records(value))
    paths = [path for path, n in times.items() if n >= MOSTLY * len(records)]
    sides = [side for path in paths if (side := _side(records, path)) is not None]
    sides = [side for side in _on_criteria(records, sides) if side.who or side.criterion or _is_single(records, side)]
    roles = {side.role for side in sides}
    if len(roles) == 1 and len(sides) == 1 and sides[0].criterion:
        sides += _by_name(records, sides[0], "human" if "judge" in roles else "judge")
    elif len(roles) == 1 and not any(PERSON.search(spaced(side.who)) for side in sides):
        sides += _alone(records, sides, "human" if "judge" in roles else "judge")
    return Sides(tuple(sides)) if len({side.role for side in sides}) == 2 and not _hides(records, sides) else None


def _hides(records: Sequence[Record], sides: Sequence[_Side]) -> bool:
    """Return whether what a rating holds would stand in place of a field beside it; a criterion may be the record's own."""
    held = _RESERVED if any(side.criterion for side in sides) else _RESERVED - {"criterion"}
    return not held.isdisjoint({name for record in records for name in record} - {side.path[0] for side in sides})


def _entries(records: Sequence[Record], path: Path) -> list[Record]:
    lists = [within(record, *path) for record in records]
    return [one for entries in lists if of_records(entries) for one in entries]


def _is_single(records: Sequence[Record], side: _Side) -> bool:
    """Return whether each list holds one rating: of several without a name one would contradict the other."""
    return all(len(within(record, *side.path) or ()) < 2 for record in records)


def _side(records: Sequence[Record], path: Path) -> _Side | None:
    """Return a list of records as one side's ratings; None for anything else."""
    entries = _entries(records, path)
    fields = list(dict.fromkeys(name for one in entries for name in one))
    plain = [name for name in fields if not any(isinstance(one.get(name), dict | list) for one in entries)]
    if {"human", "judge"} <= {role_of_column(name) for name in plain if spaced(name) not in _OWN}:
        return None
    who = next((name for name in plain if _WHO.search(spaced(name))), "")
    about = next((name for name in plain if CRITERION.search(spaced(name)) and name != who), "")
    label = next((name for known in _LABELS for name in plain if known.search(spaced(name)) and name not in (who, about)), "")
    giver = "judge" if spaced(who).endswith("model") else role_of_giver(who) if who else None
    role = role_of_column(" ".join(path)) or giver
    return _Side(path, role, label, who, about) if label and role else None


def _on_criteria(records: Sequence[Record], sides: Sequence[_Side]) -> list[_Side]:
    """Return sides of which both name the same things by one field: these are criteria, and no raters."""
    if {side.role for side in sides} != {"human", "judge"}:
        return list(sides)
    said = [
        {name: {str(one.get(name)) for one in _entries(records, side.path)} for name in _names(records, side)} for side in sides
    ]
    shared = [name for name in said[0] if all(name in names and names[name] & said[0][name] for names in said)]
    if not shared:
        return list(sides)
    return [
        _Side(side.path, side.role, side.label, side.who if side.who != shared[0] else "", side.criterion or shared[0])
        for side in sides
    ]


def _names(records: Sequence[Record], side: _Side) -> list[str]:
    fields = dict.fromkeys(name for one in _entries(records, side.path) for name in one)
    return [side.criterion] if side.criterion else [name for name in fields if _NAME.fullmatch(spaced(name))]


def _by_name(records: Sequence[Record], side: _Side, role: Role) -> list[_Side]:
    """Return the fields of a side that are called like the criteria of a list of the other: `human_tone`, `human.tone`."""
    criteria = dict.fromkeys(str(one.get(side.criterion)) for one in _entries(records, side.path))
    theirs = [
        (name, criterion)
        for criterion in criteria
        for name in _plain_fields(records)
        if spaced(name).endswith(f" {spaced(criterion)}") and role_of_column(spaced(name).removesuffix(spaced(criterion))) == role
    ]
    found = [_Side(tuple(name.split(".")), role, criterion=criterion) for name, criterion in theirs]
    return found if len(found) == len(criteria) else []


def _alone(records: Sequence[Record], sides: Sequence[_Side], role: Role) -> list[_Side]:
    """Return the only field of a side that says what the labels in the lists say; none where several do."""
    said = {_said(one.get(side.label)) for side in sides for one in _entries(records, side.path)}
    theirs = [name for name in _plain_fields(records) if role_of_column(name) == role]
    theirs = [name for name in theirs if {_said(within(record, *name.split("."))) for record in records} & said - {""}]
    return [_Side(tuple(theirs[0].split(".")), role)] if len(theirs) == 1 else []


def _plain_fields(records: Sequence[Record]) -> list[str]:
    """Return fields of records, and of the records within them, that hold no lists."""
    every = (field for record in records for field in flat(record).items())
    return list(dict.fromkeys(name for name, value in every if not isinstance(value, dict | list)))


def _said(value: object) -> str:
    """Return what a label means where that is known, else the label; empty for what is none."""
    label = "" if value is None or isinstance(value, dict | list) else text(value)
    known = meaning(label)
    return known.kind if known is not None and known.certain else normalise(label)


@dataclass(frozen=True)
class Parallel:
    """Lists of one length: of criteria, and of what each side says of them.

    Attributes
    ----------
    criteria : str
    others : tuple of str
    """

    criteria: str
    others: tuple[str, ...]

    @property
    def note(self) -> str:
        """How they are read, as a sentence."""
        return f"Each place of ‘{self.criteria}’ is a row, with what the other lists hold there."

    def rows(self, record: Record) -> Iterator[Record]:
        """Yield each place of the lists as a row."""
        lists = (self.criteria, *self.others)
        around = {name: value for name, value in record.items() if name not in lists}
        for cells in zip(*(record.get(name) or [] for name in lists), strict=False):
            yield {**around, **dict(zip(("criterion", *self.others), cells, strict=True))}


def parallel_of(records: Sequence[Record]) -> Parallel | None:
    """Return the lists of these records that are on the same criteria, which one of them names; None without.

    Parameters
    ----------
    records : sequence of dict
        The first ones of a file.
    """
    first = records[0] if records else {}
    lists = [name for name in first if all(_is_plain(record.get(name)) for record in records)]
    criteria = [name for name in lists if CRITERION.search(spaced(name).removesuffix("s"))]
    others = tuple(name for name in lists if role_of_column(name) and name not in criteria)
    alike = all(len({len(record[name]) for name in (*criteria, *others)}) == 1 for record in records)
    sides = {role_of_column(name) for name in others} == {"human", "judge"}
    return Parallel(criteria[0], others) if len(criteria) == 1 and sides and alike and "criterion" not in first else None


def _is_plain(value: object) -> bool:
    return isinstance(value, list) and bool(value) and not any(isinstance(one, dict | list) for one in value)
