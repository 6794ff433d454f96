"""Opik: traces and spans, and its annotation queues."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from typing import Any

from metrics.readers.formats import opik_queues
from metrics.readers.formats.canonical import Rows
from metrics.readers.formats.cells import NOBODY, UNKNOWN, records_in, status_of
from metrics.readers.formats.nested import riding, word
from metrics.readers.formats.record import Format, Record
from metrics.readers.table import TextTable
from metrics.readers.unlikely import is_nested

NOTHING = "neither category nor value"
OF_SPANS = "a score of a span: the export of spans holds it"
UNREADABLE = "scores that cannot be read"
_ROLES = {"ui": "human", "online_scoring": "judge"}
_RATERS = {"judge": "judge", "sdk": "sdk"}
"""Whose name a score has that no person gave: its author is whoever owns the key or wrote the rule."""
_SCORES = ("feedback_scores", "span_feedback_scores")


def read_object(whole: Record, rows: Rows) -> None:
    """Add the ratings of a page of traces or spans, of a trace with its spans, or of the items of an experiment."""
    trace, spans, items = whole.get("trace"), whole.get("spans"), whole.get("items")
    if isinstance(trace, dict):
        inner = spans if isinstance(spans, list) else []
        without = {name: cell for name, cell in trace.items() if name != "span_feedback_scores" or not inner}
        read_records(filter(_is_dict, [without, *inner]), rows)
    elif isinstance(items, list):
        read_records(({**item, "id": item.get("trace_id")} for item in items if _is_dict(item)), rows)
    else:
        page = whole.get("content")
        read_records(filter(_is_dict, page if isinstance(page, list) else [whole]), rows)


def _is_dict(value: Any) -> bool:
    return isinstance(value, dict)


def read_records(records: Iterable[Record], rows: Rows) -> None:
    """Add the ratings of traces or spans.

    Parameters
    ----------
    records : iterable of dict
    rows : Rows
    """
    for record in records:
        item, more = word(record.get("id")), riding(record, "id", "comments", *_SCORES)
        scores, inner = (record.get(name) or [] for name in _SCORES)
        for _ in inner if isinstance(inner, list) else []:
            rows.leave(OF_SPANS)
        if not isinstance(scores, list):
            rows.leave(UNREADABLE)
            continue
        for score in filter(_is_dict, scores):
            for author, entry in _entries(score):
                _add(word(score.get("name")), author, entry, item, more, rows)


def _entries(score: Record) -> Iterator[tuple[str, Record]]:
    """Yield author and rating of a score; its own value is the mean over its authors, and counts only where none are named."""
    by_author = score.get("value_by_author")
    if not isinstance(by_author, dict) or not by_author:
        yield word(score.get("last_updated_by")) or word(score.get("created_by")), score
        return
    for key, entry in by_author.items():
        if isinstance(entry, dict):
            span = word(entry.get("span_id"))
            yield (
                word(entry.get("author")) or key.removesuffix(f"_{span}" if span else ""),
                {"source": score.get("source")} | entry,
            )


def _reason(value: Any) -> str:
    reason = word(value)
    return "" if reason == opik_queues.NO_REASON else reason


def _add(name: str, author: str, entry: Record, item: str, more: Mapping[str, str], rows: Rows) -> None:
    """Add what one author said.

    Parameters
    ----------
    name, author : str
    entry : dict
    item : str
    more : mapping of str to str
    rows : Rows
    """
    source = word(entry.get("source")).lower() or UNKNOWN
    role = _ROLES.get(source, source)
    if role == "human" and not author:
        rows.note(NOBODY)
    label, score = word(entry.get("category_name")), word(entry.get("value"))
    if not (label or score or role == "judge"):
        rows.leave(NOTHING)
        return
    rows.add(
        item, name or "overall", _RATERS.get(role) or author or role, role, label, score,
        timestamp=word(entry.get("last_updated_at")) or word(entry.get("created_at")),
        prompt=word(entry.get("evaluator_revision")), reason=_reason(entry.get("reason")), more=more,
        status=status_of(label, score, role == "judge"),
    )  # fmt: skip


def read_traces(table: TextTable) -> TextTable:
    """Return the ratings of a table of traces or spans whose scores stand in one cell."""
    rows = Rows(table.name)
    read_records(records_in(table, *_SCORES), rows)
    return rows.table(table.sha256, table.notes, table.skipped)


def _fits_object(names: Set[str]) -> bool:
    return bool({"content", "items", "trace", "feedback_scores"} & names)


def _fits_traces(names: Set[str]) -> bool:
    return {"id", "feedback_scores"} <= names


def _holds_scores(record: Record) -> bool:
    scores = record.get("feedback_scores") or []
    return isinstance(scores, list) and all(_is_dict(score) and {"name", "value"} & score.keys() for score in scores)


def _is_export(whole: Record) -> bool:
    """Return whether an object is a page of traces, a trace with its spans, or an experiment with its items."""
    listed = next((whole[name] for name in ("content", "items") if isinstance(whole.get(name), list)), None)
    records: list[Any] = [whole.get("trace", whole)] if listed is None else listed
    known = [record for record in records if isinstance(record, dict) and "feedback_scores" in record and _holds_scores(record)]
    return bool(known) and len(known) >= len(records) / 2


_HOW = "In Python, save [t.dict() for t in client.search_traces(…)] of Opik’s client as JSON, or export the annotation queue."
_QUEUE = "Open the annotation queue in Opik and choose Export queue, as CSV or JSON."
FORMATS: tuple[Format, ...] = (
    Format("Opik", "Opik’s annotation queue", _QUEUE, "table", opik_queues.fits, opik_queues.holds, read_table=opik_queues.read),
    Format("Opik", "Opik’s records of traces or spans", _HOW, "records", _fits_traces, _holds_scores, read_records=read_records),
    Format("Opik", "Opik’s export as one object", _HOW, "object", _fits_object, _is_export, read_object=read_object),
    Format(
        "Opik", "Opik’s export of traces or spans", _HOW, "table", _fits_traces,
        lambda table: is_nested(table, "feedback_scores"), read_table=read_traces,
    ),
)  # fmt: skip
