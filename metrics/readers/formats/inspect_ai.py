"""Inspect: logs of an evaluation."""

from __future__ import annotations

from collections.abc import Collection

from metrics.readers.formats.record import Format, having

_INSIDE = "It holds the verdicts inside its records, not one in each row."
_TABLE = "Make a table with one row per verdict and the columns item, criterion, rater, role and label."
LOG = Format("Inspect", "a log of Inspect", _TABLE, "object", having("eval", "samples"), why=_INSIDE)
FORMATS: tuple[Format, ...] = (LOG,)


def refuse_log(name: str, members: Collection[str]) -> None:
    """Refuse the archive that Inspect writes (`.eval`), by the names of the files in it."""
    if "header.json" in members and any(member.startswith("samples/") for member in members):
        LOG.refuse(name)
