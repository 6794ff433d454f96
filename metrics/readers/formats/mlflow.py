"""MLflow: assessments of traces."""

from __future__ import annotations

from metrics.readers.formats.record import Format, having
from metrics.readers.unlikely import is_nested

_INSIDE = "It holds the verdicts inside its records, not one in each row."
_ASSESSMENTS = "Make a table with one row per assessment: trace_id, assessment_name, source_type, source_id and value."
FORMATS: tuple[Format, ...] = (
    Format(
        "MLflow", "MLflow’s table of traces", _ASSESSMENTS, "table", having("trace_id", "assessments"),
        lambda table: is_nested(table, "assessments"), why=_INSIDE,
    ),
    Format("MLflow", "a trace of MLflow", _ASSESSMENTS, "object", having("info", "data"), why=_INSIDE),
)  # fmt: skip
