"""Arize Phoenix: annotations of spans, and experiments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import replace
from itertools import chain, islice

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from metrics.readers.formats.canonical import (
    Rows,
    beneath,
    canonical,
    chosen,
    everywhere,
    first_filled,
    is_in,
    mapped,
    moments,
    set_column,
    text,
)
from metrics.readers.formats.cells import NOBODY, UNKNOWN, dicts, fields, riding, status_of, statuses, within, word
from metrics.readers.formats.record import SAMPLE, Format, Record, having
from metrics.readers.names import OVERALL
from metrics.readers.table import TextTable

NOTE = "a note, no rating"
_OF_APP = "px-app:"
_TARGETS = ("span_id", "context.span_id", "trace_id", "session_id")


def _fits_annotations(names: Set[str]) -> bool:
    """Return whether columns are those of annotations, as downloaded or as uploaded; the latter may lack name or kind."""
    if "annotator_kind" in names:
        return bool(set(_TARGETS) & names) and bool({"label", "score", "result.label", "result.score", "result"} & names)
    uploaded = {"span_id", "label", "score", "explanation"} <= names and bool({"annotation_name", "name"} & names)
    return uploaded and not {"human", "judge", "rater", "role"} & names


def read_annotations(table: TextTable) -> TextTable:
    """Return the ratings of a table of annotations."""
    label, score, reason = (first_filled(text(table, f"result.{part}"), text(table, part)) for part in PARTS[:3])
    criterion = first_filled(text(table, "annotation_name"), text(table, "name"))
    role = mapped(text(table, "annotator_kind"), role_of)
    human, judge = is_in(role, "human"), is_in(role, "judge")
    identifier, person = text(table, "identifier"), _person(table)
    columns = {
        "item": _target(table),
        "criterion": first_filled(criterion, everywhere(OVERALL, table.n_rows)),
        "rater": first_filled(chosen(human, person, identifier), mapped(role, nameless)),
        "role": role,
        "label": label,
        "score": score,
        "timestamp": moments(first_filled(text(table, "updated_at"), text(table, "created_at"))),
        "prompt": first_filled(text(table, "metadata.prompt_version"), fields(text(table, "metadata"), "prompt_version")[0]),
        "reason": reason,
        "status": statuses(label, score, judge),
    }
    notes = [NOBODY] if (human & is_in(person, "")).any() else []
    nothing = is_in(label, "") & is_in(score, "") & ~judge
    return canonical(table, columns, [(NOTE, is_in(criterion, "note")), (NOTHING, nothing)], notes)


def _person(table: TextTable) -> pa.Array:
    """Return who annotated: the user, whom an annotation made in the application names in its identifier too."""
    identifier = mapped(text(table, "identifier"), lambda name: name.removeprefix(_OF_APP))
    return first_filled(text(table, "user_id"), identifier)


def _target(table: TextTable) -> pa.Array:
    """Return what was annotated: the span, within it a document, else the trace or the session."""
    target, place = first_filled(*(text(table, name) for name in _TARGETS)), text(table, "document_position")
    return beneath(~is_in(place, ""), target, place, target)


NOTHING = "neither label nor score"
PARTS = ("label", "score", "explanation", "metadata", "annotator_kind", "trace_id", "error", "start_time", "end_time")
_ROLES = {"HUMAN": "human", "LLM": "judge", "CODE": "code"}
_WORDS = {"human": ("human", "annotator", "person"), "judge": ("llm", "judge", "ai", "model")}
"""Last words of names that say who annotated, by role."""


def role_of(kind: str) -> str:
    return _ROLES.get(kind.upper(), kind.lower() or UNKNOWN)


def nameless(role: str) -> str:
    """Return what a rater is called whom the file does not name."""
    return "llm" if role == "judge" else role


def _annotated(names: Iterable[str]) -> list[str]:
    """Return the names of annotations by the columns of their kinds, which may hold `_` themselves."""
    end = "_annotator_kind"
    return [name[len("annotation_") : -len(end)] for name in names if name.startswith("annotation_") and name.endswith(end)]


def _fits_experiment(names: Set[str]) -> bool:
    return "example_id" in names and bool(_annotated(names))


def read_experiment(table: TextTable) -> TextTable:
    """Return the ratings of a table of an experiment: one block of rows for each annotation."""
    names, runs = _annotated(table.columns), text(table, "repetition_number")
    ours = {f"annotation_{name}_{part}" for name in names for part in PARTS}
    base = table.data.select([column for column in table.columns if column not in ours])
    example = text(table, "example_id")
    item = beneath(~is_in(runs, ""), example, runs, example)
    blocks, places = list[pa.Table](), list[NDArray[np.int64]]()
    for name in names:
        cells = {part: text(table, f"annotation_{name}_{part}") for part in PARTS}
        there = ~is_in(cells["annotator_kind"], "")
        block = set_column(set_column(base, "item", item), "criterion", everywhere(name, table.n_rows))
        for part in PARTS:
            block = set_column(block, f"annotation.{part}", cells[part])
        blocks.append(block.filter(pa.array(there)))
        places.append(table.record_numbers[there])
    long = replace(table, data=pa.concat_tables(blocks), numbers=np.concatenate(places), memo={})
    return _of_experiment(long)


def _of_experiment(table: TextTable) -> TextTable:
    """Return canonical ratings of the annotations of an experiment, one in each row."""
    label, score, reason, metadata, kind, _, failed, start, end = (text(table, f"annotation.{part}") for part in PARTS)
    role, criterion = mapped(kind, role_of), text(table, "criterion")
    judge, error = is_in(role, "judge"), ~is_in(failed, "")
    shared, notes = _shared_names(set(zip(criterion.to_pylist(), role.to_pylist(), strict=True)))
    label, score = (chosen(error, "", cells) for cells in (label, score))
    columns = {
        "item": text(table, "item"),
        "criterion": mapped(criterion, lambda name: shared.get(name, name)),
        "rater": mapped(role, nameless),
        "role": role,
        "label": label,
        "score": score,
        "timestamp": moments(first_filled(end, start)),
        "prompt": fields(metadata, "prompt_version")[0],
        "reason": first_filled(reason, failed),
        "status": chosen(error, "error", statuses(label, score, judge)),
    }
    nothing = is_in(label, "") & is_in(score, "") & ~judge & ~error
    rest = replace(table, data=table.data.drop_columns(["item", "criterion", *(f"annotation.{part}" for part in PARTS)]))
    return canonical(rest, columns, [(NOTHING, nothing)], notes)


def _shared_names(annotated: Set[tuple[str, str]]) -> tuple[dict[str, str], list[str]]:
    """Return the one criterion of names that differ in who annotated alone, `tone_human` and `tone_llm`, and a note of each."""
    bases: dict[str, dict[str, str]] = {}
    for name, role in sorted(annotated):
        for end in _WORDS.get(role, ()):
            if name.lower().endswith(f"_{end}"):
                bases.setdefault(name[: -len(end) - 1], {})[role] = name
    pairs = {base: names for base, names in bases.items() if base and len(names) == len(_WORDS)}
    notes = [f"‘{names['human']}’ and ‘{names['judge']}’ are one criterion, ‘{base}’." for base, names in pairs.items()]
    return {name: base for base, names in pairs.items() for name in names.values()}, notes


def read_runs(records: Iterable[Record], rows: Rows) -> None:
    """Add the ratings of the runs of an experiment, which have the same annotations throughout.

    Parameters
    ----------
    records : iterable of dict
    rows : Rows
    """
    remaining = iter(records)
    sample = list(islice(remaining, SAMPLE))
    every = (entry for run in sample for entry in dicts(run.get("annotations")))
    annotated = {(word(entry.get("name")), role_of(word(entry.get("annotator_kind")))) for entry in every}
    shared, notes = _shared_names(annotated)
    for note in notes:
        rows.note(note)
    for run in chain(sample, remaining):
        example, repetition = word(run.get("example_id")), word(run.get("repetition_number"))
        more = riding(run, "example_id", "repetition_number", "annotations")
        for entry in dicts(run.get("annotations")):
            _add(entry, f"{example}/{repetition}" if repetition else example, shared, more, rows)


def _add(entry: Record, item: str, shared: Mapping[str, str], more: Mapping[str, str], rows: Rows) -> None:
    """Add one annotation of a run.

    Parameters
    ----------
    entry : dict
    item : str
    shared : mapping of name to criterion
    more : mapping of str to str
        Columns that ride along.
    rows : Rows
    """
    role, name = role_of(word(entry.get("annotator_kind"))), word(entry.get("name"))
    failed, judge = word(entry.get("error")), role == "judge"
    label, score = ("", "") if failed else (word(entry.get("label")), word(entry.get("score")))
    if not (label or score or failed or judge):
        rows.leave(NOTHING)
        return
    rows.add(
        item, shared.get(name, name) or "overall", nameless(role), role, label, score,
        timestamp=word(entry.get("end_time")), prompt=word(within(entry.get("metadata"), "prompt_version")),
        reason=word(entry.get("explanation")) or failed, more=more,
        status="error" if failed else status_of(label, score, judge),
    )  # fmt: skip


_HOW = "In Python, save Phoenix’s client.spans.get_span_annotations_dataframe(…) as CSV."
_DOWNLOAD = "Open the experiment in Phoenix and download it as CSV or JSON."
FORMATS: tuple[Format, ...] = (
    Format("Phoenix", "Phoenix’s table of annotations", _HOW, "table", _fits_annotations, read_table=read_annotations),
    Format(
        "Phoenix", "Phoenix’s experiment as CSV", _DOWNLOAD, "table", _fits_experiment,
        read_table=read_experiment,
    ),
    Format(
        "Phoenix", "Phoenix’s experiment as JSON", _DOWNLOAD, "records", having("example_id", "annotations"),
        read_records=read_runs,
    ),
)  # fmt: skip
