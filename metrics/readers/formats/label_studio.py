"""Label Studio: tasks as JSON, or as a table whose cells hold the lists of the JSON; annotations as CSV and JSON-MIN."""

from __future__ import annotations

from collections.abc import Iterator, Set

from metrics.readers.formats.canonical import Rows
from metrics.readers.formats.cells import records_in
from metrics.readers.formats.label_studio_rows import read_rows
from metrics.readers.formats.label_studio_tasks import HOW, JSON, read_tasks
from metrics.readers.formats.record import Format, Record, having
from metrics.readers.table import TextTable
from metrics.readers.unlikely import is_nested

LISTS = ("annotations", "completions", "predictions")


def _fits(names: Set[str]) -> bool:
    return not names.isdisjoint(LISTS) and ("data" in names or any(name.startswith("data.") for name in names))


def _holds(record: Record) -> bool:
    return isinstance(record.get("data"), dict) and any(isinstance(record.get(name), list) for name in LISTS)


def _has_lists(table: TextTable) -> bool:
    return any(is_nested(table, name) for name in LISTS if name in table.columns)


def read_lists(table: TextTable) -> TextTable:
    """Return the ratings of tasks whose lists stand in cells."""
    rows = Rows(table.name)
    read_tasks(_tasks(table), rows)
    return rows.table(table.sha256, table.notes, table.skipped)


def _tasks(table: TextTable) -> Iterator[Record]:
    fields = {name: name.removeprefix("data.") for name in table.columns if name.startswith("data.")}
    for cells in records_in(table, *LISTS, "data"):
        yield cells | {"data": {field: cells[name] for name, field in fields.items()}} if fields else cells


TASKS = Format("Label Studio", JSON, HOW, "records", _fits, _holds, read_records=read_tasks)
ONE_TASK = Format(
    "Label Studio", "one task of Label Studio", HOW, "object", having("data", "annotations"), _holds,
    read_object=lambda task, rows: read_tasks([task], rows),
)  # fmt: skip
CELLS = Format(
    "Label Studio", "Label Studio’s export as a table with lists in its cells", HOW, "table", _fits, _has_lists,
    read_table=read_lists,
)  # fmt: skip
ANNOTATIONS = Format(
    "Label Studio", "Label Studio’s export as CSV or JSON-MIN", HOW, "table", having("annotation_id", "annotator", "lead_time"),
    read_table=read_rows,
)  # fmt: skip
FORMATS: tuple[Format, ...] = (TASKS, ONE_TASK, CELLS, ANNOTATIONS)
