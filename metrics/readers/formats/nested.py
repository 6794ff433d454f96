"""Fields of nested records, of which any may be missing or of another type than the tool writes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

from metrics.readers.formats.record import Record
from metrics.readers.frames import text

_NOTHING: tuple[Any, ...] = (None, "", [], {})
"""What no column holds."""
_OTHERS, _SINGLE = (dict, list, tuple, set), frozenset({int, float, bool})
"""Types of what holds others, and of single values that are never nothing."""


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
    """Return a value as trimmed text; empty for what holds others."""
    if type(value) is str:
        return value.strip()
    return "" if value is None or isinstance(value, _OTHERS) else text(value).strip()


def number(value: Any) -> str:
    """Return a number as text; empty for what is none."""
    return "" if isinstance(value, bool) else word(value)


def written(value: Any) -> str:
    """Return a value in the one spelling that equal values share."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)


def digest(value: Any) -> str:
    """Return a short name that equal values share."""
    return hashlib.sha256(written(value).encode("utf-8", "surrogatepass")).hexdigest()[:12]


def riding(fields: Mapping[str, Any], *without: str) -> dict[str, str]:
    """Return the fields of a record that hold something as columns that ride along, those of records within it as `tags.name`.

    Parameters
    ----------
    fields : mapping of str to Any
    *without : str
        Fields that are read otherwise, or too large.
    """
    columns: dict[str, str] = {}
    for name, value in fields.items():
        if not value and _is_nothing(value):
            continue
        if name in without:
            continue
        if type(value) is str:
            columns[name] = value.strip()
        elif isinstance(value, dict):
            for inner, cell in value.items():
                if cell or not _is_nothing(cell):
                    columns[f"{name}.{inner}"] = text(cell).strip()
        else:
            columns[name] = text(value).strip()
    return columns


def _is_nothing(value: Any) -> bool:
    return type(value) not in _SINGLE and value in _NOTHING
