"""Label Studio's CSV and JSON-MIN, a row for each annotation -> ratings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from metrics.data.vocabulary import meaning
from metrics.readers.formats.canonical import everywhere, first_filled, is_in, joined, moments, text
from metrics.readers.formats.cells import (
    MOST_LABELS,
    Answer,
    answer_of,
    answers_of,
    are_labels,
    is_reason,
    parsed,
)
from metrics.readers.formats.label_studio_answers import (
    SEVERAL,
    VERDICTS,
    beside_note,
    is_about,
    question_of,
    result_of,
)
from metrics.readers.formats.stacking import Part, stacked
from metrics.readers.messages import brief, listed, refuse
from metrics.readers.rater_roles import role_of_column
from metrics.readers.table import TextTable

OF_THE_TOOL = frozenset({
    "id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time", "agreement", "history",
})  # fmt: skip
COLLIDED, FLATTENED = "_data_", ".choices"
"""Before a field of the task whose name is also a question's; behind a question with several choices, as JSON-MIN has them."""
_SHOWN = 20
_NO_SKIPPED = "Label Studio leaves skipped tasks out of CSV and JSON-MIN, so abstentions are missing; its JSON has them."


@dataclass(frozen=True)
class _Rows:
    """The table, and which task each row is of."""

    table: TextTable
    task: NDArray[np.int32]
    n_tasks: int

    def few(self, column: str) -> tuple[str, ...]:
        """Return the distinct values of a column; none where there are too many for the answers to a question."""
        return self.table.coded(column).names if len(self.table.raw(column)[1]) <= MOST_LABELS + 1 else ()

    def varies(self, column: str) -> bool:
        """Return whether annotations of one task differ, as fields of the task never do."""
        codes = self.table.coded(column).codes
        first = np.full(self.n_tasks + 1, -1, np.int32)
        used = codes >= 0
        first[self.task[used][::-1]] = codes[used][::-1]
        return bool((first[self.task[used]] != codes[used]).any())

    def is_answered(self, column: str) -> bool:
        """Return whether a cell holds a result as Label Studio writes it."""
        shown = [parsed(cell) for cell in self.table.raw(column)[1][:_SHOWN].to_pylist()]
        inner = [value[0] if isinstance(value, list) and value else value for value in shown]
        return any(isinstance(value, dict) and set(VERDICTS) & value.keys() for value in inner)

    def is_known(self, column: str) -> bool:
        """Return whether all words of a column are listed labels."""
        names = self.few(column)
        return bool(names) and all(meaning(name) is not None for name in names)

    def has_labels(self, column: str, cells: int) -> bool:
        return are_labels(set(self.few(column)), cells)


def read_rows(table: TextTable) -> TextTable:
    """Return the ratings of a table with a row for each annotation.

    Raises
    ------
    InputError
        Where no column holds answers.
    """
    tasks = table.coded("id" if "id" in table.columns else "annotation_id")
    rows = _Rows(table, tasks.codes, len(tasks.names))
    questions, assumed = _questions(rows)
    if not questions:
        refuse(
            f"{brief(table.name)} is Label Studio’s export of annotations. None of its columns holds answers with few labels. "
            "Export JSON there."
        )
    written = [name for name in table.columns if name not in OF_THE_TOOL and name not in questions and is_reason(name)]
    item, when = tasks_of(table), moments(text(table, "created_at"))
    rater = first_filled(text(table, "annotator"), everywhere("human", table.n_rows))
    parts, heard = list[Part](), dict[str, set[str]]()
    for column in questions:
        name = column.removesuffix(FLATTENED)
        label, score, why = answers_of(text(table, column), _answer)
        heard.setdefault(name, set()).update(pc.unique(first_filled(label, score)).to_pylist())
        about = [text(table, reason) for reason in written if is_about(reason, name, questions)]
        answer = {"label": label, "score": score, "timestamp": when} | ({"reason": _joined(about)} if about else {})
        parts.append(Part({"item": item, "criterion": name, "rater": rater, "role": "human"} | answer, why))
    beside, notes = _beside(rows, [name for name in table.columns if name not in (*OF_THE_TOOL, *questions, *written)], heard)
    return stacked(
        table, [*parts, *beside], {*questions, *written, *OF_THE_TOOL} - {"lead_time"}, [*assumed, *notes, _NO_SKIPPED]
    )


def tasks_of(table: TextTable) -> pa.Array:
    return text(table, "id" if "id" in table.columns else "annotation_id")


def _joined(cells: Sequence[pa.Array]) -> pa.Array:
    return cells[0] if len(cells) == 1 else pc.utf8_trim(joined("\n", *cells), "\n")


def _answer(cell: str) -> Answer:
    """Return what a cell says: a word is a label, results are written as records."""
    value = parsed(cell)
    if value is None:
        return (cell, "", "")
    if isinstance(value, list) and len(value) > 1 and isinstance(value[0], dict):
        return ("", "", SEVERAL)
    inner = value[0] if isinstance(value, list) and value else value
    return result_of(inner)[0] if isinstance(inner, dict) else answer_of(value)


def _questions(rows: _Rows) -> tuple[list[str], list[str]]:
    """Return the columns that hold answers, and what was assumed to tell them from fields of the tasks."""
    table, within = rows.table, _in_order(rows.table.columns)
    names = [name for name in table.columns if name not in OF_THE_TOOL and not name.startswith(COLLIDED)]
    answered = {name for name in names if name.endswith(FLATTENED) or f"{name}{FLATTENED}" in names or rows.is_answered(name)}
    open_names = [name for name in names if name not in answered and (not is_reason(name) or rows.is_known(name))]
    open_names = [name for name in open_names if rows.has_labels(name, table.n_rows)]
    certain = {name for name in open_names if name in within or f"{COLLIDED}{name}" in table.columns or rows.varies(name)}
    few = [name for name in open_names if name not in certain and rows.has_labels(name, rows.n_tasks)]
    guessed = [name for name in few if role_of_column(name) != "judge"]
    if within:
        guessed = [name for name in guessed if name in _late(table.columns)]
    elif answered or certain:
        guessed = [name for name in guessed if rows.n_tasks == table.n_rows and rows.is_known(name)]
    else:
        guessed = [name for name in guessed if rows.is_known(name)] or guessed
    others = [name for name in few if name not in guessed]
    note = f"The columns do not tell answers from fields of the tasks. Taken as answers: {listed(guessed, 4)}"
    questions = [name for name in names if name in answered or name in certain or name in guessed]
    return questions, [f"{note}; as fields: {listed(others, 4)}." if others else f"{note}."] if guessed else []


def _in_order(columns: Sequence[str]) -> frozenset[str]:
    """Return the answers where the order of the columns tells them, as in JSON-MIN: between the task's id and the annotator.

    An id that comes first may stand where the data of the task had one of its own, and sorted columns tell nothing.
    """
    if "id" not in columns[1:] or columns.index("id") > columns.index("annotator"):
        return frozenset()
    return frozenset(columns[columns.index("id") + 1 : columns.index("annotator")])


def _late(columns: Sequence[str]) -> Sequence[str]:
    """Return the columns behind those of the first record, which lacks them."""
    return columns[columns.index("lead_time") + 1 :]


def _beside(rows: _Rows, columns: Sequence[str], heard: dict[str, set[str]]) -> tuple[list[Part], list[str]]:
    """Return a rater for each field of the tasks that holds labels of a question, and what that rests on.

    Parameters
    ----------
    rows : _Rows
    columns : sequence of str
        Fields of the tasks.
    heard : dict of str to set of str
        Labels and numbers by question.
    """
    table, parts, notes = rows.table, list[Part](), list[str]()
    first = np.zeros(table.n_rows, bool)
    first[np.unique(rows.task, return_index=True)[1]] = True
    for column in columns:
        question = question_of(column, rows.few(column), heard)
        if question is None:
            continue
        label, score, why = answers_of(text(table, column), _answer)
        columns_of = {"item": tasks_of(table), "criterion": question, "rater": column, "role": column, "label": label}
        parts.append(Part(columns_of | {"score": score}, why, first & ~is_in(label, "")))
        notes.append(beside_note(column, question))
    return parts, notes
