"""MLflow: assessments of traces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from typing import Any

from metrics.readers.formats.canonical import Rows
from metrics.readers.formats.cells import NOBODY, UNKNOWN, answer_of, dicts, parsed, records_in, riding, status_of, within, word
from metrics.readers.formats.record import Format, Record
from metrics.readers.table import TextTable
from metrics.readers.unlikely import is_nested

EXPECTED = "an expectation or an issue, no rating"
LISTED = "a list, no single label"
NOTHING = "neither label nor number"
REPLACED = "overridden by its own rater"
OVERRIDDEN = "Ratings that somebody else overrode stay: they are the disagreement."
UNREADABLE = "a trace that cannot be read"
_ROLES = {"HUMAN": "human", "LLM_JUDGE": "judge", "AI_JUDGE": "judge", "CODE": "code"}
_NAMELESS = ("", "default")
_SAMPLE = 20
"""Distinct cells that show what a column holds."""
_PACKED = ("assessments", "request", "tags", "trace_metadata")
"""Columns of records: assessments, and what items are joined by."""
_LARGE = ("trace", "spans", "assessments", "data", "trace_id", "trace_location")
"""Fields that are read otherwise, or that no item is told apart by."""


def read_object(whole: Record, rows: Rows) -> None:
    """Add the ratings of one trace, or of a page of them."""
    page = whole.get("traces")
    read_traces(page if isinstance(page, list) else [whole], rows)


def read_traces(records: Iterable[Any], rows: Rows) -> None:
    """Add the ratings of traces.

    Parameters
    ----------
    records : iterable
        Traces as `to_dict` gives them, or rows of the frame of `search_traces`.
    rows : Rows
    """
    for record in records:
        trace = _trace(record)
        if trace is None:
            rows.leave(UNREADABLE)
        else:
            _add_trace(trace, riding(record if record.get("info") is not trace else trace, *_LARGE), rows)


def _trace(record: Any) -> Record | None:
    """Return the part of a record that holds id and assessments."""
    if not isinstance(record, dict):
        return None
    info = record.get("info")
    if isinstance(info, dict):
        return info
    if isinstance(record.get("assessments"), list):
        return record
    trace = record.get("trace")
    info = within(parsed(trace) if isinstance(trace, str) else trace, "info")
    return {"trace_id": record.get("trace_id")} | info if isinstance(info, dict) else None


def read_table(table: TextTable) -> TextTable:
    """Return the ratings of the frame of `search_traces` as CSV, which holds records as text."""
    rows = Rows(table.name)
    read_traces(_rows_of(table), rows)
    return rows.table(table.sha256, table.notes, table.skipped)


def _rows_of(table: TextTable) -> Iterator[Record]:
    """Yield rows as records, their assessments as a list: those of the trace, which is JSON, before Python's own text."""
    for row in records_in(table, *(("trace",) if "trace" in table.columns else _PACKED)):
        info = within(row.get("trace"), "info")
        known = {name: cell for name, cell in info.items() if name in _PACKED} if isinstance(info, dict) else {}
        packed = {name: row[name] for name in _PACKED if name in row and name not in known}
        packed = {name: parsed(cell) if isinstance(cell, str) else cell for name, cell in packed.items()}
        records = known | {name: cell for name, cell in packed.items() if cell is not None}
        yield row | {"assessments": [] if row.get("assessments", "") == "" else None} | records


def _add_trace(trace: Record, more: Mapping[str, str], rows: Rows) -> None:
    """Add the ratings of one trace.

    Parameters
    ----------
    trace : dict
    more : mapping of str to str
        Columns that ride along.
    rows : Rows
    """
    assessments = list(dicts(trace.get("assessments")))
    overriding = {word(entry["overrides"]): entry for entry in assessments if entry.get("overrides")}
    item = word(trace.get("trace_id")) or word(trace.get("request_id"))
    for entry in assessments:
        key = word(entry.get("assessment_id"))
        by = overriding.get(key) if key else None
        if not isinstance(entry.get("feedback"), dict):
            rows.leave(EXPECTED)
        elif by is not None and entry.get("valid") is False and by.get("source") == entry.get("source"):
            rows.leave(REPLACED)
        else:
            if by is not None:
                rows.note(OVERRIDDEN)
            _add(entry, item or word(entry.get("trace_id")), more, rows)


def _add(entry: Record, item: str, more: Mapping[str, str], rows: Rows) -> None:
    """Add the ratings of one assessment: one, or one for each name of a record.

    Parameters
    ----------
    entry : dict
    item : str
    more : mapping of str to str
    rows : Rows
    """
    feedback, name, span = entry["feedback"], word(entry.get("assessment_name")) or "overall", word(entry.get("span_id"))
    value, error = feedback.get("value"), feedback.get("error")
    kind = word(within(entry.get("source"), "source_type")).upper()
    role = _ROLES.get(kind, kind.lower() or UNKNOWN)
    rater = word(within(entry.get("source"), "source_id"))
    if role == "human" and rater in _NAMELESS:
        rows.note(NOBODY)
    reason = word(entry.get("rationale")) or word(within(error, "error_message"))
    timestamp, prompt, run = word(entry.get("create_time")), _prompt(entry), _run(entry)
    values = {f"{name}.{part}": cell for part, cell in value.items()} if isinstance(value, dict) and not error else {name: value}
    for criterion, cell in values.items():
        label, score, _ = ("", "", "") if error else answer_of(cell)
        listed = isinstance(cell, list | dict) and not error
        if listed or not (label or score or error or role == "judge"):
            rows.leave(LISTED if listed else NOTHING)
            continue
        rows.add(
            f"{item}/{span}" if span else item, criterion, role if rater in _NAMELESS else rater, role, label, score,
            timestamp=timestamp, prompt=prompt, run=run, reason=reason, more=more,
            status="error" if error else status_of(label, score, role == "judge"),
        )  # fmt: skip


def _prompt(entry: Record) -> str:
    """Return the version of the scorer, the nearest to that of its prompt."""
    metadata = entry.get("metadata")
    if not metadata:
        return ""
    name, version = (word(within(metadata, f"mlflow.assessment.scorer{part}")) for part in ("Name", "Version"))
    return f"{name}@{version}" if name and version else ""


def _run(entry: Record) -> str:
    return word(within(entry.get("metadata"), "mlflow.assessment.sourceRunId"))


def _is_row(names: Set[str]) -> bool:
    return "trace_id" in names and bool({"assessments", "trace"} & names)


def _is_record(names: Set[str]) -> bool:
    return {"info", "data"} <= names or _is_row(names)


def _is_packed(table: TextTable) -> bool:
    """Return whether the cells hold records; a spreadsheet cuts the longest of them."""
    column = "assessments" if "assessments" in table.columns else "trace"
    return is_nested(table, column) or any("assessment_name" in cell for cell in table.head(column, _SAMPLE))


def _holds_assessments(record: Record) -> bool:
    """Return whether a record is a trace: assessments within it, or none at all yet."""
    trace = _trace(record)
    if trace is None or not {"trace_id", "request_id"} & trace.keys():
        return False
    listed = trace.get("assessments", [])
    return isinstance(listed, list) and all(isinstance(entry, dict) and "source" in entry for entry in listed)


def _is_page(whole: Record) -> bool:
    """Return whether an object is a trace, or a page of traces."""
    page = whole.get("traces")
    if isinstance(page, list) and page:
        return all(isinstance(trace, dict) and "trace_id" in trace and _holds_assessments(trace) for trace in page)
    return _holds_assessments(whole)


_HOW = 'In Python, save MLflow’s mlflow.search_traces() with to_json(path, orient="records").'
FORMATS: tuple[Format, ...] = (
    Format("MLflow", "MLflow’s table of traces", _HOW, "table", _is_row, _is_packed, read_table=read_table),
    Format("MLflow", "MLflow’s records of traces", _HOW, "records", _is_record, _holds_assessments, read_records=read_traces),
    Format(
        "MLflow", "a trace of MLflow", _HOW, "object", lambda names: _is_record(names) or "traces" in names, _is_page,
        read_object=read_object,
    ),
)  # fmt: skip
