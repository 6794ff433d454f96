"""Label Studio: tasks with annotations and predictions, as JSON, JSON-MIN and CSV."""

from __future__ import annotations

from metrics.readers.formats.record import Format, having

_INSIDE = "It holds the verdicts inside its records, not one in each row."
FORMATS: tuple[Format, ...] = (
    Format(
        "Label Studio", "Label Studio’s export as JSON",
        "Export CSV or JSON-MIN there, with the judge’s verdict in a column of the tasks.",
        "records", having("id", "data", "annotations"), why=_INSIDE,
    ),
)  # fmt: skip
