"""Opik: annotation queues, traces and spans."""

from __future__ import annotations

from metrics.readers.formats.record import Format, having
from metrics.readers.unlikely import is_nested

_INSIDE = "It holds the verdicts inside its records, not one in each row."
FORMATS: tuple[Format, ...] = (
    Format(
        "Opik", "Opik’s export of traces or spans",
        "Export the annotation queue there as CSV, and add the judge’s verdict as a column.", "table",
        having("id", "feedback_scores"), lambda table: is_nested(table, "feedback_scores"), why=_INSIDE,
    ),
)  # fmt: skip
