"""One JSON object that is a table, as data frames are saved: columns, records by their id, or columns and rows apart."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from metrics.readers.json_records import Record, of_records, only_record
from metrics.readers.messages import brief, listed, refuse
from metrics.readers.names import LABEL, spaced
from metrics.readers.one_rater import are_asked
from metrics.readers.rater_roles import role_of_column

LEAST_RECORDS = 5
"""Records by their id: an object of fewer others may be anything."""
ID, INDEX = "id", "index"
COLUMNS = "The file holds its table column by column."
BY_ID = "The file holds one record for each name; the name is the column ‘{}’."
LABELS = "The file holds one label for each name; the name is the column ‘id’."
PARTS = "The file holds a list of records for each name; the name is the column ‘{}’."
WITHIN = "The file holds its records under ‘{}’."
APART = "The file holds its columns and its rows apart."


def records_within(whole: Record, name: str) -> tuple[list[Record], tuple[str, ...]]:
    """Return the records of one object, and how they stand in it, where it is not `{"data": [...]}` or itself a record.

    Raises
    ------
    InputError
        For an object that holds others and is no table.
    """
    inner = whole.get("data")
    if isinstance(inner, list):
        apart = _split(whole.get("columns"), inner, whole.get(INDEX))
        if apart is not None:
            return apart, (APART,)
        return [only_record(record, number, name) for number, record in enumerate(inner, start=1)], ()
    if not _on_criteria(whole) and (columns := _by_column(whole)) is not None:
        return columns, (COLUMNS,)
    if (by_id := _by_id(whole)) is not None:
        return by_id, (BY_ID.format(next(iter(by_id[0]))),)
    if _labels_by_id(whole):
        return [{ID: name, "label": label} for name, label in whole.items()], (LABELS,)
    _refuse_selected(whole, name)
    if (inner := _only_labels_by_id(whole)) is not None:
        return inner
    if (only := _only_list(whole)) is not None:
        field, rows = only
        return rows, (WITHIN.format(brief(field, 40)),)
    if (parts := _lists_by_name(whole)) is not None:
        return parts, (PARTS.format(next(iter(parts[0]))),)
    if any(isinstance(value, list | dict) for value in whole.values()):
        refuse(f"{brief(name)} is one JSON object ({listed(whole)}), not a list of records. Send one record per verdict.")
    return [whole], ()


def _refuse_selected(whole: Record, name: str) -> None:
    """Refuse an object whose only records are those on which two differ, or that one got wrong."""
    lists = [field for field, value in whole.items() if of_records(value)]
    if len(lists) == 1 and _SELECTED.search(spaced(lists[0])):
        refuse(
            f"The only records of {brief(name)} stand under ‘{brief(lists[0], 40)}’, by its name those on which labels differ. "
            "Agreement on them says nothing of all others. Send the verdicts on all items."
        )


def _only_labels_by_id(whole: Record) -> tuple[list[Record], tuple[str, ...]] | None:
    """Return the labels of `{"seed": 7, "labels": {"a": {"label": ...}, ...}}`, each with its name; None for anything else."""
    nested = [(field, value) for field, value in whole.items() if isinstance(value, list | dict)]
    field, inner = nested[0] if len(nested) == 1 < len(whole) else ("", None)
    if not isinstance(inner, dict):
        return None
    within = WITHIN.format(brief(field, 40))
    if LABEL.search(spaced(field).removesuffix("s")) and _labels_by_id(inner):
        return [{ID: name, "label": label} for name, label in inner.items()], (within, LABELS)
    records = _by_id(inner) if not _on_criteria(inner) else None
    if records is None or not any(LABEL.search(spaced(name)) or role_of_column(name) for name in records[0]):
        return None
    return records, (within, BY_ID.format(next(iter(records[0]))))


_SELECTED = re.compile(
    r"\b(disagree\w*|mismatch\w*|misjudged|misclassified|discrepanc\w*|"
    r"(judge|grader|model|llm|human|prediction|classification|labell?ing) errors?)\b"
)
"""What records are called that were taken out of all for their labels; errors alone may be what is judged."""
_OF_RECORD = frozenset({"human", "judge", "verdict", "label", "rater", "item", "id"})
"""Fields of a record with a label: lists in it are not the records."""


_RECORDS = frozenset({"results", "data", "records", "items", "rows", "examples", "evaluations", "samples", "cases", "entries"})
_EACH = "per_"
"""What a list of records is called, or begins with, whatever describes them beside it."""


def _only_list(whole: Record) -> tuple[str, list[Record]] | None:
    """Return the one list of records, with its name, among what describes them: `{"run": 7, "results": [{...}, ...]}`.

    None for what is a record itself, by its fields or further lists.
    """
    lists = [(name, value) for name, value in whole.items() if isinstance(value, list) and value]
    nested = [inner for value in whole.values() if isinstance(value, dict) for inner in value.values()]
    called = len(lists) == 1 and (lists[0][0].casefold() in _RECORDS or lists[0][0].casefold().startswith(_EACH))
    named = called and len(lists[0][1]) >= LEAST_RECORDS
    inside = any(isinstance(inner, list | dict) for inner in nested) and not named
    itself = inside or any(name.casefold() in _OF_RECORD for name in whole)
    if len(lists) != 1 or itself or not all(isinstance(record, dict) for record in lists[0][1]):
        return None
    return lists[0]


def _lists_by_name(whole: Record) -> list[Record] | None:
    """Return `{"human": [{...}, ...], "judge": [...]}` as records with the name of their list; None for anything else.

    The name is the rater where one is called so, else the criterion where lists have records of the same items, else a part.
    """
    lists = [_with_ids(inner) for inner in whole.values()]
    if len(lists) < 2 or not all(of_records(records) and all(records) for records in lists):
        return None
    fields = set[str].intersection(*(set(record) for records in lists for record in records))
    first = next((name for name in lists[0][0] if name in fields), None)
    if first is None:
        return None
    told = [{str(record[first]) for record in records} for records in lists]
    called = "rater" if any(map(role_of_column, whole)) else "criterion" if told[0] & told[1] else "part"
    if called in fields:
        return None
    return [{called: name, **record} for name, records in zip(whole, lists, strict=True) for record in records]


def _with_ids(inner: Any) -> Any:
    """Return records by their id as a list of records with it; anything else as it is."""
    by_id = (
        isinstance(inner, dict) and len(inner) >= LEAST_RECORDS and all(isinstance(one, dict) and one for one in inner.values())
    )
    return (
        [{ID: name, **record} for name, record in inner.items()]
        if by_id and not any(ID in one for one in inner.values())
        else inner
    )


def _split(columns: Any, rows: list[Any], index: Any) -> list[Record] | None:
    """Return `{"columns": [...], "index": [...], "data": [[...], ...]}` as records; None for anything else."""
    if not isinstance(columns, list) or not all(isinstance(column, str) for column in columns) or not rows:
        return None
    if not all(isinstance(row, list) and len(row) == len(columns) for row in rows):
        return None
    records = [dict(zip(columns, row, strict=True)) for row in rows]
    named = isinstance(index, list) and len(index) == len(rows) and any(isinstance(name, str) for name in index)
    return [{INDEX: name, **record} for name, record in zip(index, records, strict=True)] if named else records


def _by_column(whole: Record) -> list[Record] | None:
    """Return `{"item": [...], "human": [...]}` as records, or the same with `{"0": ..., "1": ...}`; None for anything else."""
    cells = list(whole.values())
    if len(cells) < 2 or not all(isinstance(column, list | dict) and column for column in cells):
        return None
    if all(isinstance(column, list) for column in cells):
        return _turned(list(whole), cells) if _plain(cells) else None
    rows = list(cells[0])
    if not all(isinstance(column, dict) and list(column) == rows for column in cells) or _counted(list(whole)):
        return None
    columns = [list(column.values()) for column in cells]
    if not _plain(columns) or not (_counted(rows) or len(rows) > len(columns)):
        return None
    records = _turned(list(whole), columns)
    return records if _counted(rows) else [{INDEX: row, **record} for row, record in zip(rows, records, strict=True)]


def _by_id(whole: Record) -> list[Record] | None:
    """Return `{"a": {"human": ...}, "b": {...}}` as records with their names; None for anything else."""
    few = len(whole) < LEAST_RECORDS and not _on_criteria(whole)
    if few or not all(isinstance(record, dict) and record for record in whole.values()):
        return None
    fields = set.intersection(*(set(record) for record in whole.values()))
    named = ID if ID not in fields else INDEX
    return [{named: name, **record} for name, record in whole.items()] if fields else None


def _on_criteria(whole: Record) -> bool:
    """Return whether an object holds records of the same criteria, by their names, none of which is called after a rater."""
    records = list(whole.values())
    if len(records) < 2 or not all(isinstance(record, dict) and len(record) > 1 for record in records):
        return False
    return len({tuple(record) for record in records}) == 1 and are_asked(list(records[0])) and not any(map(role_of_column, whole))


def _labels_by_id(whole: Record) -> bool:
    """Return whether an object is `{"a": true, "b": false}`: a label each, of few; no record has so many alike."""
    labels = list(whole.values())
    few = len(whole) >= LEAST_RECORDS and not any(isinstance(label, list | dict) or label is None for label in labels)
    return few and len({type(label) for label in labels}) == 1 and 2 * len(set(labels)) <= len(labels)


def _turned(names: Sequence[str], columns: Sequence[Sequence[Any]]) -> list[Record]:
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


def _plain(columns: Sequence[Sequence[Any]]) -> bool:
    """Return whether columns are alike in length and hold no records."""
    return len({len(column) for column in columns}) == 1 and not any(
        isinstance(cell, dict | list) for column in columns for cell in column
    )


def _counted(names: Sequence[str]) -> bool:
    return all(name.isdecimal() for name in names)
