"""Fields of nested records, of which any may be missing or of another type than the tool writes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

from metrics.readers.formats.record import Record
from metrics.readers.frames import text


def within(value: Any, *path: str) -> Any:
    """Return what stands under keys within keys; None where there is nothing."""
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def record(value: Any) -> Record:
    """Return a record; an empty one for what is none."""
    return value if isinstance(value, dict) else {}


def records(value: Any) -> Iterator[Record]:
    """Yield the records of a list."""
    return (element for element in value if isinstance(element, dict)) if isinstance(value, list) else iter(())


def word(value: Any) -> str:
    """Return a value as the text of a cell, trimmed."""
    return value.strip() if type(value) is str else text(value).strip()


def number(value: Any) -> str:
    """Return a number as text; empty for what is none."""
    return "" if isinstance(value, bool | list | dict) else word(value)


def written(value: Any) -> str:
    """Return a value in the one spelling that equal values share."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)


def digest(value: Any) -> str:
    """Return a short name that equal values share."""
    return hashlib.sha256(written(value).encode("utf-8", "surrogatepass")).hexdigest()[:12]


def filled(fields: Mapping[str, Any]) -> dict[str, str]:
    """Return the fields that hold something, as texts; those of a record `metadata` as `metadata.topic`."""
    cells: dict[str, str] = {}
    for name, value in fields.items():
        if isinstance(value, dict):
            cells |= {f"{name}.{inner}": word(cell) for inner, cell in value.items() if cell not in (None, "", [], {})}
        elif value not in (None, "", []):
            cells[name] = word(value)
    return cells
