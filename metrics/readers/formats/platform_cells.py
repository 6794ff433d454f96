"""What stands in a cell or a field of a tool's export: records as text, a label or a number, and what a label means."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import pyarrow as pa

from metrics.data.vocabulary import meaning
from metrics.readers.frames import text, texts

NOBODY = "The file does not say who annotated: all people are one rater, ‘human’."
UNKNOWN = "unknown"
"""Role of a rating whose source the file does not name."""
LONGEST = 1 << 20
"""Characters of a record in Python's spelling; to parse more takes a hundred times the memory."""
_LONGEST_WORD = 40
_ESCAPE = re.compile(r"\\[\\'\"abfnrtvxuUN0-7\n]")
_MOMENT = re.compile(
    r"datetime\.datetime\((\d+), (\d+), (\d+)(?:, (\d+))?(?:, (\d+))?(?:, (\d+))?(?:, \d+)?"
    r"(?:, tzinfo=(?:datetime\.timezone\.utc|TzInfo\((?:UTC|0)\)))?\)"
)
_UUID = re.compile(r"UUID\(('[0-9a-f-]{36}')\)")
_MEANS: dict[str, str] = {"abstention": "abstain", "invalid": "error", "error": "error"}
_WRONG = (ValueError, SyntaxError, RecursionError, MemoryError)


def parsed(cell: str) -> Any:
    """Return the value of a cell that holds JSON or Python's own text of it, never evaluated; None where it is neither."""
    if cell[:1] not in ("{", "["):
        return None
    if not cell.startswith(("{'", "[{'")):  # what Python spells so is no JSON
        try:
            return json.loads(cell)
        except (ValueError, RecursionError):
            pass
    return _literal(cell)


def _literal(cell: str) -> Any:
    """Return the value of a Python literal."""
    if len(cell) > LONGEST:
        return None
    if "datetime(" in cell or "UUID(" in cell:
        cell = _UUID.sub(r"\1", _MOMENT.sub(_moment, cell))
    try:
        return json.loads(_as_json(cell))
    except _WRONG:
        pass
    if "\\" in _ESCAPE.sub("", cell):  # Python's own text has no other escapes, and its parser would warn of them
        return None
    try:
        return ast.literal_eval(cell)
    except _WRONG:
        return None


def _moment(match: re.Match[str]) -> str:
    """Return a time in UTC, as Python spells it, as a string."""
    year, month, day, hour, minute, second = (int(part or 0) for part in match.groups())
    return f"'{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z'"


def _as_json(cell: str) -> str:
    """Return a Python literal as JSON, where its strings have neither quotes nor escapes in them."""
    if '"' in cell or "\\" in cell:
        raise ValueError
    parts = cell.split("'")
    parts[::2] = [part.replace("None", "null").replace("True", "true").replace("False", "false") for part in parts[::2]]
    return '"'.join(parts)


def fields(cells: pa.Array, *paths: str) -> list[pa.Array]:
    """Return fields of the records in cells as text, one array for each path of dotted names.

    Parameters
    ----------
    cells : pa.Array, length n
    *paths : str
    """
    coded = cells.dictionary_encode()
    records = [parsed(cell) for cell in coded.dictionary.to_pylist()]
    return [texts(word(within(record, *path.split("."))) for record in records).take(coded.indices) for path in paths]


def within(record: Any, *names: str) -> Any:
    """Return a field of a record within records; None where there is none."""
    for name in names:
        record = record.get(name) if isinstance(record, dict) else None
    return record


def word(value: Any) -> str:
    """Return a value as trimmed text; empty for what holds others."""
    if isinstance(value, str):
        return value.strip()
    return "" if value is None or isinstance(value, dict | list | tuple | set) else text(value)


def rating(value: Any) -> tuple[str, str]:
    """Return label and score of a value: words and truths are labels, numbers are scores; both empty for anything else."""
    if isinstance(value, str):
        return value.strip(), ""
    if isinstance(value, bool):
        return text(value), ""
    return ("", text(value)) if isinstance(value, int | float) else ("", "")


def riding(record: Mapping[str, Any], *without: str) -> dict[str, str]:
    """Return fields of a record as columns that ride along, those of records within it as `tags.name`.

    Parameters
    ----------
    record : mapping of str to Any
    *without : str
        Fields that are read otherwise, or too large.
    """
    columns: dict[str, str] = {}
    for name, value in record.items():
        if name in without:
            continue
        if isinstance(value, dict):
            columns |= {f"{name}.{inner}": text(cell) for inner, cell in value.items()}
        else:
            columns[name] = text(value)
    return columns


def status_of(label: str, score: str, judge: bool) -> str:
    """Return ok, abstain or error, as a label says it; a judge's rating that holds nothing is a call that failed.

    Parameters
    ----------
    label, score : str
    judge : bool
    """
    if label:
        return _status_of_word(label) if len(label) <= _LONGEST_WORD else "ok"
    return "error" if judge and not score else "ok"


@lru_cache(maxsize=4096)
def _status_of_word(label: str) -> str:
    known = meaning(label)
    return _MEANS.get(known.kind, "ok") if known is not None and known.certain else "ok"


def statuses(label: pa.Array, score: pa.Array, judge: Sequence[bool]) -> pa.Array:
    """Return the status of every rating of a flat table.

    Parameters
    ----------
    label, score : pa.Array, length n
    judge : sequence of bool, length n
    """
    return texts(map(status_of, label.to_pylist(), score.to_pylist(), judge))
