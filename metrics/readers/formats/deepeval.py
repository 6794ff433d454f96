"""DeepEval: test runs."""

from __future__ import annotations

from metrics.readers.formats.record import Format, having

_INSIDE = "It holds the verdicts inside its records, not one in each row."
_TABLE = "Make a table with one row per verdict and the columns item, criterion, rater, role and label."
FORMATS: tuple[Format, ...] = (
    Format("DeepEval", "a test run of DeepEval", _TABLE, "object", having("testCases"), why=_INSIDE),
)  # fmt: skip
