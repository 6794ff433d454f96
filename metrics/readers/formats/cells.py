"""Single values of exports: what is a label, a number, a set or a text, and lists and records that stand in a cell as text."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterator, Mapping, Set
from functools import lru_cache
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from metrics.data.vocabulary import meaning
from metrics.readers.formats.canonical import iso, mapped
from metrics.readers.frames import text, texts
from metrics.readers.names import spaced
from metrics.readers.table import TextTable

Answer = tuple[str, str, str]
"""A label, a number, and why it is neither; an answer that is all empty is none."""
SET = "several choices are a set, no label"
NOTHING = "nothing was chosen"
WRITTEN = "a text, no label"
NESTED = "a record or a list, no label"
LONGEST_LABEL, MOST_LABELS = 60, 12
"""Letters of a label, and labels of a question; what is longer, or more, is text."""
LITERAL = 1 << 18
"""Characters of a cell that is parsed as Python writes it; a syntax tree takes two hundred bytes for each."""
_ROWS = 10_000
_UTC = r"^\d{4}-(0[1-9]|1[0-2])-([01]\d|2\d|30)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?Z$"
_REASON = re.compile(r"\b(reason\w*|explanations?|rationales?|comments?|critiques?|notes?|justifications?|feedback|why)\b")


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
    label, score, why = (texts(answer[place] for answer in answers).take(coded.indices) for place in range(3))
    return label, score, why


def value_of(cell: str) -> Any:
    """Return the list or the record that a cell holds, as JSON or as Python writes it; None for any other text."""
    if cell[:1] not in ("[", "{"):
        return None
    try:
        return json.loads(cell)
    except (ValueError, RecursionError):
        pass
    if len(cell) > LITERAL:
        return None
    try:
        value = ast.literal_eval(cell)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
    return value if isinstance(value, list | dict) else None


@lru_cache(maxsize=4096)
def status_of(label: str) -> str:
    """Return the status of a label: abstain where the word says that nobody decided."""
    known = meaning(label)
    return "abstain" if known is not None and known.certain and known.kind == "abstention" else "ok"


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


def riding(record: Mapping[str, Any], *skip: str) -> dict[str, str]:
    """Return the fields of a record as text, those of a record within it under `name.inner`; empty ones are left out."""
    cells: dict[str, str] = {}
    for name, value in record.items():
        if name in skip or value is None or value in ("", {}, []):
            continue
        if isinstance(value, dict):
            cells |= {f"{name}.{inner}": text(cell) for inner, cell in value.items()}
        else:
            cells[name] = value if isinstance(value, str) else text(value)
    return cells


def listed_in(record: Mapping[str, Any], *names: str) -> list[Any]:
    """Return the list that the first of these fields holds; an empty one where none holds a list."""
    return next((record[name] for name in names if isinstance(record.get(name), list)), [])


def records_in(table: TextTable) -> Iterator[dict[str, str]]:
    """Yield the rows of a table, a few at a time as Python's own."""
    for batch in table.data.to_batches(max_chunksize=_ROWS):
        yield from batch.to_pylist()


def moments(cells: pa.Array) -> pa.Array:
    """Return times as UTC to the second; those that are written so already are only cut."""
    if pc.all(pc.match_substring_regex(cells, _UTC)).as_py():
        return pc.binary_join_element_wise(pc.utf8_slice_codeunits(cells, 0, 19), "Z", "")
    return mapped(cells, iso)


def everywhere(word: str, rows: int) -> pa.Array:
    """Return a column that says the same in every row."""
    return pa.repeat(pa.scalar(word, pa.string()), rows)
