"""promptfoo: results of an evaluation."""

from __future__ import annotations

from metrics.readers.formats.record import Format, having
from metrics.readers.rater_roles import role_of_column
from metrics.readers.table import TextTable

_INSIDE = "It holds the verdicts inside its records, not one in each row."
_OVERWRITTEN = "A rating by hand stands there in the place of the grader’s verdict, so human and judge cannot be told apart."
_TABLE = "Make a table with one row per verdict and the columns item, criterion, rater, role and label."


def _no_people(table: TextTable) -> bool:
    """Return whether no column of people's labels was added, which would make it a table of decisions."""
    return not any(role_of_column(column) == "human" for column in table.columns)


FORMATS: tuple[Format, ...] = (
    Format(
        "promptfoo", "promptfoo’s result as CSV", _TABLE, "table",
        having("Status", "Score", "Named Scores", "Grader Reason"), _no_people, why=_OVERWRITTEN,
    ),
    Format("promptfoo", "promptfoo’s result", _TABLE, "object", having("evalId", "results"), why=_INSIDE),
)  # fmt: skip
