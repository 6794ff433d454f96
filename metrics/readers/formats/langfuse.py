"""Langfuse: the table of scores, as CSV, JSON or JSONL, and as its public API gives them."""

from __future__ import annotations

from collections.abc import Set

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from metrics.readers.formats.canonical import beneath, canonical, chosen, first_filled, is_in, mapped, moments, text
from metrics.readers.formats.cells import NOBODY
from metrics.readers.formats.record import Format
from metrics.readers.messages import refuse
from metrics.readers.table import TextTable

NO_RATING = "a text or a correction, no rating"
JUDGE = "judge"
_ROLES = {"ANNOTATION": "human", "EVAL": "judge", "API": "api"}


def _fits(names: Set[str]) -> bool:
    return {"dataType", "source", "name"} <= names and bool({"traceId", "subject.kind", "subject.id"} & names)


def read_scores(table: TextTable) -> TextTable:
    """Return the ratings of a table of scores.

    Raises
    ------
    InputError
        For categories without their names, as the download of a single trace has them.
    """
    source, data_type, value = (text(table, name) for name in ("source", "dataType", "value"))
    words = text(table, "stringValue")
    categorical, boolean = is_in(data_type, "CATEGORICAL"), is_in(data_type, "BOOLEAN")
    if "stringValue" not in table.columns and "traceId" in table.columns and categorical.any():
        refuse(
            f"{table.name} is Langfuse’s download of one trace: it holds the numbers of its categories without their names. "
            "Export the table Scores there."
        )
    by_value = "stringValue" not in table.columns
    label = chosen(categorical | boolean, value if by_value else words, "")
    label = chosen(boolean & is_in(label, ""), mapped(value, _truth), label)
    score = chosen(categorical | (boolean & by_value), "", value)
    human = is_in(source, "ANNOTATION")
    person = first_filled(text(table, "authorUserName"), text(table, "authorUserId"), chosen(human, "human", ""))
    columns = {
        "item": _item(table),
        "criterion": text(table, "name"),
        "rater": chosen(human, person, chosen(is_in(source, "EVAL"), JUDGE, "api")),
        "role": mapped(source, lambda word: _ROLES.get(word, word.lower())),
        "label": label,
        "score": score,
        "timestamp": moments(first_filled(text(table, "timestamp"), text(table, "createdAt"))),
        "reason": text(table, "comment"),
    }
    notes = [] if "authorUserName" in table.columns or "authorUserId" in table.columns or not human.any() else [NOBODY]
    return canonical(table, columns, [(NO_RATING, is_in(data_type, "CORRECTION", "TEXT"))], notes)


def _truth(value: str) -> str:
    """Return the word that Langfuse writes beside the number of a yes or no, where the export lacks it."""
    return {"1": "True", "1.0": "True", "0": "False", "0.0": "False"}.get(value, value)


def _item(table: TextTable) -> pa.Array:
    """Return what was scored: the trace, within it the observation, else the session or the run of a data set."""
    trace, observation = text(table, "traceId"), text(table, "observationId")
    of_subject, of_trace = text(table, "subject.id"), text(table, "subject.traceId")
    nested = ~is_in(of_trace, "") & np.asarray(pc.not_equal(of_trace, of_subject))
    return first_filled(
        beneath(~is_in(trace, "") & ~is_in(observation, ""), trace, observation, trace),
        beneath(nested, of_trace, of_subject, of_subject),
        *(text(table, name) for name in ("sessionId", "datasetRunId")),
    )


SCORES = Format(
    "Langfuse",
    "Langfuse’s table of scores",
    "Open Scores, choose the columns, and export CSV or JSON.",
    "table",
    _fits,
    read_table=read_scores,
)
_LISTS = "It holds the scores of one name as a list, without who gave them."
TRACES = Format(
    "Langfuse", "Langfuse’s export of traces", "Export the table Scores there.", "table",
    frozenset({"bookmarked", "timestamp", "userId", "sessionId", "release", "version"}).issubset, why=_LISTS,
)  # fmt: skip
OBSERVATIONS = Format(
    "Langfuse", "Langfuse’s export of observations", "Export the table Scores there.", "table",
    frozenset({"traceId", "startTime", "endTime", "completionStartTime"}).issubset, why=_LISTS,
)  # fmt: skip
FORMATS = (SCORES, TRACES, OBSERVATIONS)
