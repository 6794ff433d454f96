"""LangSmith: feedback, and tables of experiments."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from metrics.data.ratings import written_out
from metrics.readers.formats.canonical import (
    canonical,
    chosen,
    everywhere,
    first_filled,
    is_in,
    mapped,
    matching,
    moments,
    set_column,
    text,
)
from metrics.readers.formats.cells import NOBODY, UNKNOWN, fields, statuses
from metrics.readers.formats.record import Format
from metrics.readers.table import TextTable

NOTE = "a note, no rating"
NOTHING = "a comment without score or value"
SEVERAL = "several categories, no single label"
PAIRWISE = "a comparison of two runs, no rating of one"
WHOLE = "feedback on no run"
CORRECTED = "A correction of a judge’s feedback is a rating of its own, by ‘human’: the file does not say by whom."
_ROLES = {"app": "human", "model": "judge", "evaluator": "judge", "auto_eval": "judge"}


def _fits(names: Set[str]) -> bool:
    return {"run_id", "key"} <= names and bool({"feedback_source", "feedback_source.type"} & names)


def read_feedback(table: TextTable) -> TextTable:
    """Return the ratings of a table of feedback."""
    role, rater, nameless = _sources(table)
    table, order, corrects = _with_corrections(table, role)
    role, rater = (chosen(corrects, "human", cells.take(order)) for cells in (role, rater))
    score, value, key = (text(table, name) for name in ("score", "value", "key"))
    truth, judge = mapped(score, _truth), is_in(role, "judge")
    error = is_in(mapped(text(table, "error"), str.lower), "true") & ~corrects
    label = chosen(error, "", first_filled(value, truth))
    score = chosen(error | ~is_in(truth, ""), "", score)
    columns = {
        "item": text(table, "run_id"),
        "criterion": key,
        "rater": rater,
        "role": role,
        "label": label,
        "score": score,
        "timestamp": moments(first_filled(text(table, "created_at"), text(table, "modified_at"))),
        "run": text(table, "session_id"),
        "reason": text(table, "comment"),
        "status": chosen(error, "error", statuses(label, score, judge)),
    }
    group = first_filled(text(table, "feedback_group_id"), text(table, "comparative_experiment_id"))
    left = [
        (NOTE, is_in(key, "note")),
        (PAIRWISE, ~is_in(group, "")),
        (WHOLE, is_in(columns["item"], "")),
        (SEVERAL, _several(table, label)),
        (NOTHING, is_in(label, "") & is_in(score, "") & ~judge & ~error),
    ]
    notes = [CORRECTED] if corrects.any() else []
    return canonical(table, columns, left, notes + ([NOBODY] if nameless else []))


def _several(table: TextTable, label: pa.Array) -> NDArray[np.bool_]:
    """Return the rows whose value is a list or a record."""
    inner = [~is_in(text(table, name), "") for name in table.columns if name.startswith("value.")]
    return np.asarray(np.logical_or.reduce([matching(label, r"(?s)^[\[{].*[\]}]$"), *inner]), bool)


def _truth(score: str) -> str:
    """Return a score that is true or false as a label."""
    return score.lower() if score.lower() in ("true", "false") else ""


def _sources(table: TextTable) -> tuple[pa.Array, pa.Array, bool]:
    """Return role and rater of each feedback, and whether a person has no name; a CSV holds the source in one cell."""
    paths = ("type", "user_name", "user_id", "metadata.evaluator")
    packed = fields(text(table, "feedback_source"), *paths)
    kind, name, user, evaluator = map(first_filled, (text(table, f"feedback_source.{path}") for path in paths), packed)
    role = mapped(kind, lambda word: _ROLES.get(word, word.lower() or UNKNOWN))
    human, judge = is_in(role, "human"), is_in(role, "judge")
    person = first_filled(name, _names_of(user, name), user)
    rater = first_filled(chosen(human, person, chosen(judge, evaluator, "")), role)
    return role, rater, bool((human & is_in(person, "")).any())


def _names_of(user: pa.Array, name: pa.Array) -> pa.Array:
    """Return the name of each user id that any row has beside it, so that one person is one rater."""
    pairs = pa.table([user, name], names=["user", "name"]).group_by(["user", "name"]).aggregate([]).to_pylist()
    names = {pair["user"]: pair["name"] for pair in pairs if pair["user"] and pair["name"]}
    return mapped(user, lambda word: names.get(word, ""))


def _with_corrections(table: TextTable, role: pa.Array) -> tuple[TextTable, pa.Array, NDArray[np.bool_]]:
    """Return the table with a row of its own for every correction of a rating that no person gave.

    Parameters
    ----------
    table : TextTable
    role : pa.Array, length n_rows

    Returns
    -------
    table : TextTable
    order : pa.Array
        Row of the file that each row comes from.
    corrects : ndarray of bool
        Which rows are corrections.
    """
    whole, parts = text(table, "correction"), ("score", "value")
    score, value = map(first_filled, (text(table, f"correction.{part}") for part in parts), fields(whole, *parts))
    value = first_filled(value, chosen(matching(whole, r"^[\[{]"), "", whole))
    rows = np.flatnonzero(~(is_in(score, "") & is_in(value, "")) & ~is_in(role, "human"))
    places = np.arange(table.n_rows)
    if not len(rows):
        return table, pa.array(places), np.zeros(table.n_rows, bool)
    which = pa.array(rows)
    extra = table.data.take(which)
    for column, cells in {"score": score.take(which), "value": value.take(which), "comment": everywhere("", len(rows))}.items():
        extra = set_column(extra, column, cells)
    data = pa.concat_tables([written_out(table.data), written_out(extra)], promote_options="default")
    data = pa.table([pc.fill_null(cells, "") for cells in data.columns], names=data.column_names)
    order = np.append(places, rows)
    numbers = table.record_numbers[order]
    return replace(table, data=data, numbers=numbers, memo={}), pa.array(order), np.arange(len(order)) >= table.n_rows


def _fits_averaged(names: Set[str]) -> bool:
    """Return whether columns are those of the results of a test project, whose feedback is the mean over all raters."""
    starts = {name.partition(".")[0] for name in names if "." in name}
    return {"input", "feedback"} <= starts and "inputs" not in starts and {"execution_time", "id"} <= names


FORMATS: tuple[Format, ...] = (
    Format(
        "LangSmith", "LangSmith’s table of feedback",
        "In Python, save [f.model_dump(mode=\"json\") for f in client.list_feedback(run_ids=…)] of LangSmith’s client as JSON.",
        "table", _fits, read_table=read_feedback,
    ),
    Format(
        "LangSmith", "LangSmith’s table of test results",
        "Save client.list_feedback(run_ids=…) as JSON instead: there each rating has its rater.",
        "table", _fits_averaged, why="Its feedback is the average over all raters, so nobody can be compared.",
    ),
)  # fmt: skip
