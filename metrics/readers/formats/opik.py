"""Opik: traces and spans, and its annotation queues."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from metrics.data.vocabulary import is_number
from metrics.readers.formats.canonical import Rows, canonical, everywhere, first_filled, is_in, mapped, text
from metrics.readers.formats.cells import NOBODY, UNKNOWN, dicts, records_in, riding, status_of, word
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
        read_records(dicts([without, *inner]), rows)
    elif isinstance(items, list):
        read_records(({**item, "id": item.get("trace_id")} for item in dicts(items)), rows)
    else:
        page = whole.get("content")
        read_records(dicts(page if isinstance(page, list) else [whole]), rows)


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
        for score in dicts(scores):
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
    return "" if reason == NO_REASON else reason


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
    return isinstance(scores, list) and all(isinstance(score, dict) and {"name", "value"} & score.keys() for score in scores)


def _is_export(whole: Record) -> bool:
    """Return whether an object is a page of traces, a trace with its spans, or an experiment with its items."""
    listed = next((whole[name] for name in ("content", "items") if isinstance(whole.get(name), list)), None)
    records: list[Any] = [whole.get("trace", whole)] if listed is None else listed
    known = [record for record in records if isinstance(record, dict) and "feedback_scores" in record and _holds_scores(record)]
    return bool(known) and len(known) >= len(records) / 2


ALONE = "a comment without a score"
NO_REASON = "<no reason>"
_BASE = ("id", "input", "output", "metadata", "first_message", "last_message")
_EMPTY = frozenset({"", "null", "undefined", NO_REASON})
"""Cells that Opik's CSV writes where there is nothing."""
_NO_REVIEWERS = frozenset(
    "scores score results result feedback eval evals evaluation annotations usage metrics labels expected model judge llm".split()
)
"""Records in a log of any tool that are no reviewer's."""
_SAMPLE = 200
"""Distinct cells that show what a column holds."""


def _field_of(column: str) -> str:
    """Return the field of a queue's item that a column belongs to; empty for a reviewer's."""
    return next((name for name in _BASE if column == name or column.startswith(f"{name}.")), "")


def _is_reviewers(column: str) -> bool:
    return not _field_of(column)


def _fits_queue(names: Set[str]) -> bool:
    """Return whether columns are those of an item, and all others somebody's `reviewer.score`."""
    base = set(map(_field_of, names))
    others = [name for name in names if not _field_of(name)]
    item = "id" in names and ({"input", "output", "metadata"} <= base or {"first_message", "last_message"} <= base)
    return item and bool(others) and all("." in name and name.partition(".")[0] not in _NO_REVIEWERS for name in others)


def _holds_numbers(table: TextTable) -> bool:
    """Return whether the scores of a queue are numbers, as all of Opik’s are."""
    columns = [column for scores in _scores_of(list(filter(_is_reviewers, table.columns))).values() for column in scores.values()]
    cells = {name for column in columns for name in table.head(column, _SAMPLE)}
    return bool(columns) and all(name in _EMPTY or is_number(name) for name in cells)


def read_queue(table: TextTable) -> TextTable:
    """Return the ratings of an annotation queue: a row for each reviewer and score of an item."""
    blank, blocks = everywhere("", table.n_rows), list[pa.Table]()
    for reviewer, columns in _scores_of(list(filter(_is_reviewers, table.columns))).items():
        comment, silent = _cells(table, f"{reviewer}.comment"), np.ones(table.n_rows, bool)
        for name, column in columns.items():
            score, reason = _cells(table, column), first_filled(_cells(table, f"{column}.reason"), comment)
            silent &= is_in(score, "")
            blocks.append(_block(~is_in(score, ""), reviewer, name.strip(), score, reason))
        blocks.append(_block(~is_in(comment, "") & silent, reviewer, "", blank, comment))
    ratings = pa.concat_tables(blocks).unify_dictionaries().combine_chunks().sort_by("place")
    places = ratings["place"].to_numpy()
    base = table.data.select([column for column in table.columns if not _is_reviewers(column)]).take(ratings["place"])
    long = replace(table, data=base, numbers=table.record_numbers[places], memo={})
    columns = {name: ratings[name].combine_chunks() for name in ("criterion", "rater", "role", "score", "reason")}
    return canonical(long, columns | {"item": text(long, "id")}, [(ALONE, is_in(columns["criterion"], ""))])


def _block(rows: NDArray[np.bool_], reviewer: str, name: str, score: pa.Array, reason: pa.Array) -> pa.Table:
    """Return what one reviewer said under one name.

    Parameters
    ----------
    rows : ndarray of bool, shape (n,)
        Items that the reviewer said something of.
    reviewer, name : str
    score, reason : pa.Array, length n
    """
    place = pa.array(np.flatnonzero(rows))
    words = {"rater": reviewer, "criterion": name, "role": "human"}
    constant = {column: everywhere(cell, len(place)) for column, cell in words.items()}
    return pa.table({"place": place, **constant, "score": score.take(place), "reason": reason.take(place)})


def _cells(table: TextTable, column: str) -> pa.Array:
    """Return the cells of a column, empty where Opik writes that there is nothing."""
    return mapped(text(table, column), lambda cell: "" if cell in _EMPTY else cell)


def _scores_of(columns: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return of each reviewer the names of scores and their columns; names of people may have full stops in them."""
    known = sorted((name.removesuffix(".comment") for name in columns if name.endswith(".comment")), key=len, reverse=True)
    scores: dict[str, dict[str, str]] = {name: {} for name in known}
    for column in columns:
        if column.endswith(".comment") or (column.endswith(".reason") and column.removesuffix(".reason") in columns):
            continue
        reviewer = next((name for name in known if column.startswith(f"{name}.")), column.rpartition(".")[0])
        scores.setdefault(reviewer, {})[column[len(reviewer) + 1 :]] = column
    return scores


_HOW = "In Python, save [t.dict() for t in client.search_traces(…)] of Opik’s client as JSON, or export the annotation queue."
_QUEUE = "Open the annotation queue in Opik and choose Export queue, as CSV or JSON."
FORMATS: tuple[Format, ...] = (
    Format("Opik", "Opik’s annotation queue", _QUEUE, "table", _fits_queue, _holds_numbers, read_table=read_queue),
    Format("Opik", "Opik’s records of traces or spans", _HOW, "records", _fits_traces, _holds_scores, read_records=read_records),
    Format("Opik", "Opik’s export as one object", _HOW, "object", _fits_object, _is_export, read_object=read_object),
    Format(
        "Opik", "Opik’s export of traces or spans", _HOW, "table", _fits_traces,
        lambda table: is_nested(table, "feedback_scores"), read_table=read_traces,
    ),
)  # fmt: skip
