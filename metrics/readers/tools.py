"""Files of known tools that hold no decision that can be read: named, with what to export or to make of them instead."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from metrics.readers.messages import brief, refuse
from metrics.readers.rater_roles import role_of_column
from metrics.readers.table import TextTable
from metrics.readers.unlikely import is_nested


@dataclass(frozen=True)
class Export:
    """What a tool writes that cannot be used.

    Attributes
    ----------
    what, why, instead : str
        The export with its tool, in words that follow "is"; a sentence each.
    names : str
        Columns, or fields of the one JSON object, that it always has, with commas between.
    nested : str
        Of these the column whose cells are lists of records.
    lacks_people : bool
        Whether a column of people's labels, added to it, makes it a table of decisions.
    """

    what: str
    why: str
    instead: str
    names: str
    nested: str = ""
    lacks_people: bool = False

    def fits(self, names: Collection[str]) -> bool:
        return set(self.names.split(", ")) <= set(names)


_LISTS = "It holds the scores of one name as a list, without who gave them."
_INSIDE = "It holds the verdicts inside its records, not one in each row."
_OVERWRITTEN = "A rating by hand stands there in the place of the grader’s verdict, so human and judge cannot be told apart."
_SCORES = "Export the table Scores there."
_CSV = "Export CSV or JSON-MIN there, with the judge’s verdict in a column of the tasks."
_QUEUE = "Export the annotation queue there as CSV, and add the judge’s verdict as a column."
_TABLE = "Make a table with one row per verdict and the columns item, criterion, rater, role and label."
_ASSESSMENTS = "Make a table with one row per assessment: trace_id, assessment_name, source_type, source_id and value."
COLUMNS = (
    Export("Langfuse’s export of traces", _LISTS, _SCORES, "bookmarked, timestamp, userId, sessionId, release, version"),
    Export("Langfuse’s export of observations", _LISTS, _SCORES, "traceId, startTime, endTime, completionStartTime"),
    Export(
        "Label Studio’s export as JSON",
        _INSIDE,
        _CSV,
        "id, data, annotations",
        "annotations",
    ),
    Export("MLflow’s table of traces", _INSIDE, _ASSESSMENTS, "trace_id, assessments", "assessments"),
    Export(
        "Opik’s export of traces or spans",
        _INSIDE,
        _QUEUE,
        "id, feedback_scores",
        "feedback_scores",
    ),
    Export("promptfoo’s result as CSV", _OVERWRITTEN, _TABLE, "Status, Score, Named Scores, Grader Reason", "Named Scores", True),
)
INSPECT = Export("a log of Inspect", _INSIDE, _TABLE, "eval, samples")
FIELDS = (
    Export("promptfoo’s result", _INSIDE, _TABLE, "evalId, results"),
    INSPECT,
    Export("a test run of DeepEval", _INSIDE, _TABLE, "testCases"),
    Export("a trace of MLflow", _INSIDE, _ASSESSMENTS, "info, data"),
)


def refuse_table(table: TextTable) -> None:
    """Refuse a table that a known tool writes and that holds no decision."""
    people = any(role_of_column(column) == "human" for column in table.columns)
    for export in COLUMNS:
        if export.lacks_people and people:
            continue
        if export.fits(table.columns) and (not export.nested or is_nested(table, export.nested)):
            _refuse(table.name, export)


def refuse_object(name: str, fields: Collection[str]) -> None:
    """Refuse the one JSON object that a known tool writes."""
    for export in FIELDS:
        if export.fits(fields):
            _refuse(name, export)


def refuse_log(name: str, members: Collection[str]) -> None:
    """Refuse the archive that Inspect writes (`.eval`), by the names of the files in it."""
    if "header.json" in members and any(member.startswith("samples/") for member in members):
        _refuse(name, INSPECT)


def _refuse(name: str, export: Export) -> None:
    refuse(f"{brief(name)} is {export.what}. {export.why} {export.instead}")
