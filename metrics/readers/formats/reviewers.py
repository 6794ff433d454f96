"""Tables with columns for each reviewer: annotation queues of Datadog and Open Chat Studio, and spans of Arize AX."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from metrics.data.vocabulary import is_number
from metrics.readers.formats.canonical import Rows, changed, everywhere, first_filled, is_in, moments, text
from metrics.readers.formats.cells import (
    LONGEST_LABEL,
    WRITTEN,
    Answer,
    answer_of,
    answers_of,
    is_reason,
    parsed,
    riding,
    status_of,
)
from metrics.readers.formats.record import Format, Record, having
from metrics.readers.formats.stacking import Part, stacked
from metrics.readers.messages import listed
from metrics.readers.names import EMAIL
from metrics.readers.rater_roles import LONGEST_ADDRESS
from metrics.readers.table import TextTable, unguarded

_FIXED = frozenset({"Content ID", "Type", "Input", "Output", "Expected Output"})
_ASSESSMENT, _REASONING = "_assessment", "_reasoning"
_ARIZE = re.compile(r"(annotation|eval)\.(.+)\.(label|score|text|explanation|updated_by|updated_at)")


def _word(cell: str) -> Answer:
    """Return what a cell says: a number is a score, a list of one is what it holds, a long text is no label."""
    value = parsed(cell)
    if value is not None:
        return answer_of(value)
    if is_number(cell):
        return ("", cell, "")
    return ("", "", WRITTEN) if len(cell) > LONGEST_LABEL else (cell, "", "")


def _cells(table: TextTable, column: str) -> pa.Array:
    cells = text(table, column)
    return changed(cells, unguarded(cells.dictionary))


Split = tuple[str, str]
"""Reviewer and label."""


def split_names(columns: Sequence[str]) -> dict[str, Split]:
    """Return reviewer and label of each column: reviewer by reviewer, the same labels in the same order.

    Where that leaves open which word belongs to which, a reviewer has as many words as all labels leave.
    """
    words = [column.split("_") for column in columns]
    if any(len(parts) < 2 for parts in words):
        return {column: _one_split(parts) for column, parts in zip(columns, words, strict=True)}
    n = len(words)
    sizes = [size for size in range(1, n + 1) if n % size == 0]
    if len({parts[0] for parts in words}) == 1:
        sizes = [n, *sizes[:-1]]
    for size in sizes:
        splits = _blocks(words, size)
        if splits is not None:
            return dict(zip(columns, splits, strict=True))
    return {column: _one_split(parts) for column, parts in zip(columns, words, strict=True)}


def _blocks(words: Sequence[list[str]], size: int) -> list[Split] | None:
    """Return the splits where every block of so many columns is one reviewer with the same labels; None where it is not."""
    blocks = [words[start : start + size] for start in range(0, len(words), size)]
    if len(words) == 1:
        return [_one_split(words[0])]
    if size == 1:
        shared = min(_alike([block[0][::-1] for block in blocks]), *(len(block[0]) - 1 for block in blocks))
        cuts = [len(block[0]) - shared for block in blocks]
        if not shared:
            return None
    else:
        cuts = [min(_alike(block), *(len(parts) - 1 for parts in block)) for block in blocks]
        if not all(cuts):
            return None
        cuts = _without_shared(blocks, cuts)
    labels = [["_".join(parts[cut:]) for parts in block] for block, cut in zip(blocks, cuts, strict=True)]
    reviewers = [" ".join(block[0][:cut]) for block, cut in zip(blocks, cuts, strict=True)]
    if any(other != labels[0] for other in labels) or len(set(reviewers)) < len(reviewers):
        return None
    return [(reviewer, label) for reviewer in reviewers for label in labels[0]]


def _without_shared(blocks: Sequence[Sequence[list[str]]], cuts: Sequence[int]) -> list[int]:
    """Return the cuts with the words that end the names of all reviewers given to the labels: is_correct, is_safe."""
    if len(blocks) == 1:
        return list(cuts)
    names = [block[0][:cut][::-1] for block, cut in zip(blocks, cuts, strict=True)]
    shared = min(_alike(names), *(len(name) - 1 for name in names))
    return [cut - shared for cut in cuts]


def _alike(lists: Sequence[Sequence[str]]) -> int:
    """Return how many words all lists begin with."""
    n = 0
    for together in zip(*lists, strict=False):
        if len(set(together)) > 1:
            break
        n += 1
    return n


def _one_split(words: Sequence[str]) -> Split:
    """Return a guess for a column that stands alone: an address, or a first and a last name, is the reviewer."""
    if len(words) == 1:
        return "human", words[0]
    cut = 1 if "@" in words[0] or len(words) == 2 else 2
    return " ".join(words[:cut]), "_".join(words[cut:])


def read_datadog(table: TextTable) -> TextTable:
    """Return the labels of every reviewer, and the assessments as questions of their own."""
    rest = [name for name in table.columns if name not in _FIXED]
    sides = {f"{name}{end}": name for name in rest for end in (_ASSESSMENT, _REASONING) if f"{name}{end}" in rest}
    named = split_names([name for name in rest if name not in sides])
    item, parts = text(table, "Content ID"), list[Part]()
    for column, (reviewer, question) in named.items():
        reason = text(table, f"{column}{_REASONING}")
        for name, criterion in ((column, question), (f"{column}{_ASSESSMENT}", f"{question}{_ASSESSMENT}")):
            if name in table.columns:
                label, score, why = answers_of(_cells(table, name), _word)
                columns = {"item": item, "criterion": criterion, "rater": reviewer, "role": "human", "label": label}
                parts.append(Part(columns | {"score": score, "reason": reason}, why))
    people = dict.fromkeys(reviewer for reviewer, _ in named.values())
    questions = dict.fromkeys(question for _, question in named.values())
    note = f"Datadog joins reviewer and label by ‘_’: taken as reviewers {listed(people, 4)}, as labels {listed(questions, 4)}."
    return stacked(table, parts, [*rest, "Content ID"], [note])


def _datadog(names: Set[str]) -> bool:
    return {"Content ID", "Type"} <= names and any("_" in name for name in names - _FIXED)


def read_studio(table: TextTable) -> TextTable:
    """Return the answers of every reviewer: a row holds one field of one item, with a column for each e-mail."""
    emails = _emails(table.columns)
    item, field = text(table, "item_id"), text(table, "field")
    fields = pc.unique(field).to_pylist()
    reasons = is_in(field, *filter(is_reason, fields))
    parts = []
    for email in emails:
        cells = _cells(table, email)
        label, score, why = answers_of(cells, _word)
        columns = {"item": item, "criterion": field, "rater": email.strip(), "role": "human", "label": label, "score": score}
        rows = ~is_in(cells, "") & ~reasons
        parts.append(Part(columns | {"reason": _beside(item, cells, reasons)}, why, rows))
    return stacked(table, parts, [*emails, "item_id", "field"])


def _beside(item: pa.Array, cells: pa.Array, reasons: np.ndarray) -> pa.Array:
    """Return for each row what the reviewer wrote on its item.

    Parameters
    ----------
    item, cells : pa.Array, shape (n_rows,)
    reasons : ndarray of bool, shape (n_rows,)
        Rows whose field holds the words of a reviewer.
    """
    written = pa.array(reasons & ~is_in(cells, ""))
    item, cells = item.cast(pa.string()), cells.cast(pa.string())
    return pc.fill_null(cells.filter(written).take(pc.index_in(item, item.filter(written))), "")


def _emails(columns: Iterable[str]) -> list[str]:
    return [name for name in columns if len(name) <= LONGEST_ADDRESS and EMAIL.fullmatch(name.strip())]


def read_studio_records(records: Iterable[Record], rows: Rows) -> None:
    """Add the answers of every reviewer from JSONL: `fields` holds them by field and e-mail."""
    for record in records:
        fields = record.get("fields")
        by_field = {name: by for name, by in fields.items() if isinstance(by, dict)} if isinstance(fields, dict) else {}
        item = riding({"item_id": record.get("item_id")}).get("item_id", "")
        more = riding({name: value for name, value in record.items() if name not in ("fields", "item_id")})
        for name, answers in by_field.items():
            for email, value in answers.items() if not is_reason(name) else ():
                said = [by[email] for field, by in by_field.items() if is_reason(field) and isinstance(by.get(email), str)]
                label, score, why = answer_of(value)
                if why or len(label) > LONGEST_LABEL:
                    rows.leave(why or WRITTEN)
                elif label or score:
                    rows.add(
                        item, name.strip() or "overall", email, "human", label, score, reason="\n".join(said),
                        status=status_of(label), more=more,
                    )  # fmt: skip


def read_arize(table: TextTable) -> TextTable:
    """Return people's annotations and the evaluators' verdicts of spans."""
    matches = [match for match in map(_ARIZE.fullmatch, table.columns) if match]
    named = dict.fromkeys((match[1], match[2]) for match in matches if match[3] in ("label", "score"))
    item, parts = text(table, "context.span_id"), list[Part]()
    for kind, name in named:
        before, human = f"{kind}.{name}", kind == "annotation"
        columns = {"item": item, "criterion": name, "rater": "judge", "role": "judge"}
        columns |= {part: _cells(table, f"{before}.{part}") for part in ("label", "score")}
        if human:
            who = first_filled(text(table, f"{before}.updated_by"), everywhere("human", table.n_rows))
            columns |= {"rater": who, "role": "human", "timestamp": moments(text(table, f"{before}.updated_at"))}
        reason = text(table, f"{before}.{'text' if human else 'explanation'}")
        parts.append(Part(columns | {"reason": reason}, everywhere("", table.n_rows)))
    return stacked(table, parts, [*(match[0] for match in matches), "context.span_id"])


def _arize(names: Set[str]) -> bool:
    matches = filter(None, map(_ARIZE.fullmatch, names))
    return "context.span_id" in names and any(match[3] in ("label", "score") for match in matches)


FORMATS: tuple[Format, ...] = (
    Format(
        "Datadog", "Datadog’s annotation queue", "Open the queue in Datadog, select its traces and press Export.", "table",
        _datadog, read_table=read_datadog,
    ),
    Format(
        "Open Chat Studio", "Open Chat Studio’s annotation queue", "Export the queue as CSV there.", "table",
        lambda names: {"item_id", "field", "authoritative_annotator"} <= names and bool(_emails(names)), read_table=read_studio,
    ),
    Format(
        "Open Chat Studio", "Open Chat Studio’s annotation queue as JSONL", "Export the queue as JSONL there.", "records",
        having("item_id", "fields", "authoritative_annotator"), read_records=read_studio_records,
    ),
    Format(
        "Arize AX", "Arize AX’s table of spans", "Export the spans with their annotations and evaluations as CSV.", "table",
        _arize, read_table=read_arize,
    ),
)  # fmt: skip
