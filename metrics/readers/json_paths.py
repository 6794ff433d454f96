"""Fields within the fields of records: what is a list of records, and a record without what stands there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeGuard

from metrics.readers.json_records import Record

Path = tuple[str, ...]
"""A field, behind those of the records that it stands in."""
DEPTH = 3
"""Records within records whose fields become columns; what lies deeper is rarely a label, and stays text."""
MOSTLY = 0.9
"""Share of records whose field is a list of ratings, from which it is one."""


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


def without(record: Record, path: Path) -> Record:
    """Return a record without what stands under a path; records that it does not lead through are the same ones."""
    name, *deeper = path
    inner = record.get(name)
    if deeper and isinstance(inner, dict) and (left := without(inner, tuple(deeper))):
        return {**record, name: left}
    return {field: value for field, value in record.items() if field != name}


def lists_in(record: Record, before: Path = ()) -> Iterator[tuple[Path, object]]:
    """Yield the lists of a record, and of the records within it, with their paths."""
    for name, value in record.items():
        if isinstance(value, list):
            yield (*before, name), value
        elif isinstance(value, dict) and len(before) < DEPTH:
            yield from lists_in(value, (*before, name))


def of_records(value: object) -> TypeGuard[list[Record]]:
    """Return whether a value is a list of records, and no empty one."""
    return isinstance(value, list) and bool(value) and all(isinstance(one, dict) for one in value)
