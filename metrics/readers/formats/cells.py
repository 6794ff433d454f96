"""Single values and fields of exports: labels, numbers, sets, texts; lists and records, also those that a cell holds as text."""

from __future__ import annotations

import ast
import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Set
from functools import lru_cache
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from metrics.data.vocabulary import meaning
from metrics.readers.formats.canonical import changed, chosen, is_in, mapped
from metrics.readers.formats.record import Record
from metrics.readers.frames import text, texts
from metrics.readers.names import WHY, spaced
from metrics.readers.table import TextTable

_EMPTY: tuple[Any, ...] = (None, "", [], {})
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


def dicts(value: Any) -> Iterator[Record]:
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
        if name in without or (not value and _is_empty(value)):
            continue
        if type(value) is str:
            columns[name] = value.strip()
        elif isinstance(value, dict):
            for inner, cell in value.items():
                if cell or not _is_empty(cell):
                    columns[f"{name}.{inner}"] = text(cell).strip()
        else:
            columns[name] = text(value).strip()
    return columns


def _is_empty(value: Any) -> bool:
    return type(value) not in _SINGLE and value in _EMPTY


Answer = tuple[str, str, str]
"""A label, a number, and why it is neither; an answer that is all empty is none."""
SET = "several choices are a set, no label"
NOTHING = "nothing was chosen"
WRITTEN = "a text, no label"
NESTED = "a record or a list, no label"
LONGEST_LABEL, MOST_LABELS = 60, 12
"""Letters of a label, and labels of a question; what is longer, or more, is text."""
NOBODY = "The file does not say who annotated: all people are one rater, ‘human’."
UNKNOWN = "unknown"
"""Role of a rating whose source the file does not name."""
FENCE = "```"
_LONGEST_WORD = 40
_ESCAPE = re.compile(r"\\[\\'\"abfnrtvxuUN0-7\n]")
_MOMENT = re.compile(
    r"datetime\.datetime\((\d+), (\d+), (\d+)(?:, (\d+))?(?:, (\d+))?(?:, (\d+))?(?:, \d+)?"
    r"(?:, tzinfo=(?:datetime\.timezone\.utc|TzInfo\((?:UTC|0)\)))?\)"
)
_UUID = re.compile(r"UUID\(('[0-9a-f-]{36}')\)")
_MEANS: dict[str, str] = {"abstention": "abstain", "invalid": "error", "error": "error"}
_WRONG = (ValueError, SyntaxError, RecursionError, MemoryError)
LONGEST = 1 << 20
"""Characters of a record in Python's spelling."""
LITERAL = 1 << 18
"""Characters of one that only Python's own parser reads; a syntax tree takes two hundred bytes for each."""
_ROWS = 1000
"""Rows of a table that are Python objects at a time."""
_DECODER = json.JSONDecoder()
_REASON = re.compile(rf"\b(reason\w*|{WHY}|comments?|notes?|feedback)\b")


def answer_of(value: Any) -> Answer:
    """Return what a value of JSON says: a word or a truth value is a label, a list of one of these too."""
    if isinstance(value, list):
        if len(value) == 1 and not isinstance(value[0], list):
            return answer_of(value[0])
        return ("", "", SET if value else NOTHING)
    if isinstance(value, dict):
        return ("", "", NESTED)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return ("", text(value), "")
    return (text(value).strip(), "", "")


def answers_of(cells: pa.Array, function: Callable[[str], Answer]) -> tuple[pa.Array, pa.Array, pa.Array]:
    """Return labels, numbers and reasons to leave out of a column of text; each distinct cell is looked at once."""
    coded = cells.dictionary_encode()
    answers = [function(cell) for cell in coded.dictionary.to_pylist()]
    label, score, why = (changed(coded, texts(answer[place] for answer in answers)) for place in range(3))
    return label, score, why


def parsed(cell: str) -> Any:
    """Return the value of a cell that holds JSON or Python's own text of it, never evaluated; None where it is neither."""
    if cell[:1] not in ("{", "["):
        return None
    if not cell.startswith(("{'", "[{'", "['")):  # what Python spells so is no JSON
        try:
            value, end = _DECODER.raw_decode(cell)
            return value if end == len(cell) else json.loads(cell)
        except (ValueError, RecursionError):
            pass
    return _literal(cell)


def unfenced(cell: str) -> str:
    """Return what a model wrote between fences, as it writes JSON between other words; else the whole."""
    start, end = cell.find(FENCE), cell.rfind(FENCE)
    inner = cell[start + len(FENCE) : end].removeprefix("json") if start < end else cell
    return inner.strip()


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
    # Python’s own text has no other escapes, and its parser would warn of them.
    if len(cell) > LITERAL or "\\" in _ESCAPE.sub("", cell):
        return None
    try:
        value = ast.literal_eval(cell)
    except _WRONG:
        return None
    return value if isinstance(value, list | dict) else None


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
    return [changed(coded, texts(word(within(record, *path.split("."))) for record in records)) for path in paths]


def status_of(label: str, score: str = "", judge: bool = False) -> str:
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


def statuses(label: pa.Array, score: pa.Array, judge: NDArray[np.bool_]) -> pa.Array:
    """Return the status of every rating of a flat table.

    Parameters
    ----------
    label, score : pa.Array, length n
    judge : ndarray of bool, shape (n,)
    """
    return chosen(judge & is_in(label, "") & is_in(score, ""), "error", mapped(label, status_of))


@lru_cache(maxsize=4096)
def is_reason(name: str) -> bool:
    """Return whether a name is that of the words for a rating: reason, comment, notes."""
    return _REASON.search(spaced(name)) is not None


def are_labels(values: Set[str], rows: int) -> bool:
    """Return whether words are few and short enough for the answers to one question.

    Parameters
    ----------
    values : set of str
        Distinct ones, none empty.
    rows : int
        Cells that hold them.
    """
    if not values or len(values) > MOST_LABELS or max(map(len, values)) > LONGEST_LABEL:
        return False
    return 2 * len(values) <= rows or all(meaning(value) is not None for value in values)


def listed_in(record: Mapping[str, Any], *names: str) -> list[Any]:
    """Return the list that the first of these fields holds; an empty one where none holds a list."""
    return next((record[name] for name in names if isinstance(record.get(name), list)), [])


def records_in(table: TextTable, *packed: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table, a few at a time as Python's own.

    Parameters
    ----------
    table : TextTable
    *packed : str
        Columns whose cells are parsed, each distinct one once; a cell that holds neither list nor record stays text.
    """
    names = table.columns
    for batch in table.data.to_batches(max_chunksize=_ROWS):
        columns = [_values(cells, name in packed) for name, cells in zip(names, batch.columns, strict=True)]
        yield from (dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True))


def _values(cells: pa.Array, packed: bool) -> list[Any]:
    """Return cells as Python's own, of equal ones the same."""
    coded = cells if pa.types.is_dictionary(cells.type) else cells.dictionary_encode()
    values: list[Any] = coded.dictionary.to_pylist()
    if packed:
        values = [cell if (value := parsed(cell)) is None else value for cell in values]
    return [values[place] for place in coded.indices.to_pylist()]
