"""Experiments of Arize Phoenix: annotations of runs, as CSV and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import replace
from itertools import chain, islice

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from metrics.readers.formats.canonical import Rows, canonical, everywhere, first_filled, is_in, mapped, moments, set_column, text
from metrics.readers.formats.cells import UNKNOWN, fields, status_of, statuses
from metrics.readers.formats.nested import riding, within, word
from metrics.readers.formats.record import SAMPLE, Record
from metrics.readers.table import TextTable

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


def fits(names: Set[str]) -> bool:
    return "example_id" in names and bool(_annotated(names))


def read_table(table: TextTable) -> TextTable:
    """Return the ratings of a table of an experiment: one block of rows for each annotation."""
    names, runs = _annotated(table.columns), text(table, "repetition_number")
    ours = {f"annotation_{name}_{part}" for name in names for part in PARTS}
    base = table.data.select([column for column in table.columns if column not in ours])
    example = text(table, "example_id")
    item = pc.if_else(pc.equal(runs, ""), example, pc.binary_join_element_wise(example, runs, "/"))
    numbers = table.numbers if table.numbers is not None else np.arange(table.n_rows) + table.first_row
    blocks, places = list[pa.Table](), list[NDArray[np.int64]]()
    for name in names:
        cells = {part: text(table, f"annotation_{name}_{part}") for part in PARTS}
        there = pc.not_equal(cells["annotator_kind"], "")
        block = set_column(set_column(base, "item", item), "criterion", everywhere(name, table.n_rows))
        for part in PARTS:
            block = set_column(block, f"annotation.{part}", cells[part])
        blocks.append(block.filter(there))
        places.append(numbers[np.asarray(there)])
    long = replace(table, data=pa.concat_tables(blocks), numbers=np.concatenate(places), memo={})
    return _of_experiment(long)


def _of_experiment(table: TextTable) -> TextTable:
    """Return canonical ratings of the annotations of an experiment, one in each row."""
    label, score, reason, metadata, kind, _, failed, start, end = (text(table, f"annotation.{part}") for part in PARTS)
    role, criterion = mapped(kind, role_of), text(table, "criterion")
    judge, error = is_in(role, "judge"), ~is_in(failed, "")
    shared, notes = _shared_names(set(zip(criterion.to_pylist(), role.to_pylist(), strict=True)))
    label, score = (pc.if_else(pa.array(error), "", cells) for cells in (label, score))
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
        "status": pc.if_else(pa.array(error), "error", statuses(label, score, judge)),
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
    annotated = {
        (word(entry.get("name")), role_of(word(entry.get("annotator_kind")))) for run in sample for entry in _entries(run)
    }
    shared, notes = _shared_names(annotated)
    for note in notes:
        rows.note(note)
    for run in chain(sample, remaining):
        example, repetition = word(run.get("example_id")), word(run.get("repetition_number"))
        more = riding(run, "example_id", "repetition_number", "annotations")
        for entry in _entries(run):
            _add(entry, f"{example}/{repetition}" if repetition else example, shared, more, rows)


def _entries(run: Record) -> list[Record]:
    annotations = run.get("annotations")
    return [entry for entry in annotations if isinstance(entry, dict)] if isinstance(annotations, list) else []


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
