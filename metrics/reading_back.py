"""A report from the JSON it was written to."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np

from metrics.abstention import Coverage
from metrics.catalogue import BY_KEY
from metrics.directions import Directions
from metrics.errors import InputError
from metrics.intervals.scale import Interval
from metrics.results import AgreementReport, Block, Declaration, JudgeReport, Warn

Json = Mapping[str, Any]
VERSION = 1
_OF_A_BLOCK = {
    "n", "labels", "confusion", "defined", "intervals", "interval_methods", "interval_notes", "undefined", "degenerate",
    "directions",
}  # fmt: skip


def agreement_report(text: str) -> AgreementReport:
    """The report that `AgreementReport.to_json` wrote.

    Raises
    ------
    InputError
        For another text, and for a version that is not read here.
    """
    try:
        found = json.loads(text)
        if found["version"] != VERSION:
            raise InputError(f"This report has the version {found['version']}; {VERSION} is read here.")
        judges = {name: _judge(name, its, found["beside"][name]) for name, its in found["judges"].items()}
        warnings = tuple(Warn(one["code"], one["message"]) for one in found["warnings"])
        return AgreementReport(_declaration(found["declaration"]), judges, warnings)
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError("This is no report of agreement that to_json wrote.") from None


def _declaration(found: Json) -> Declaration:
    rows = found["rows"]
    its = {field.name: found[field.name] for field in fields(Declaration) if field.name in found}
    its |= {"criteria": tuple(found["criteria"]), "judges": tuple(found["judges"])}
    left_out = {one["reason"]: one["count"] for one in rows["left_out"]}
    return Declaration(**its, rows_read=rows["read"], rows_used=rows["used"], left_out=left_out)


def _judge(name: str, found: Json, beside: Json) -> JudgeReport:
    labels = tuple(found["micro"]["labels"])
    return JudgeReport(
        name=name,
        micro=_block(found["micro"], labels),
        macro=_block(found["macro"], labels),
        item=_block(found["item"], labels),
        criteria={criterion: _block(its, labels) for criterion, its in found["criteria"].items()},
        coverage=_coverage(beside["coverage"]),
        criterion_coverage={criterion: _coverage(its) for criterion, its in beside["criterion_coverage"].items()},
        n_items=beside["n_items"],
        n_used=beside["n_used"],
    )


def _block(found: Json, labels: tuple[str, ...]) -> Block:
    """A block; the labels are those of the judge where it has no table."""
    values = {key: _number(value) for key, value in found.items() if key in BY_KEY}
    known = _OF_A_BLOCK | values.keys()
    table = found.get("confusion")
    ends, methods, notes = found["intervals"], found["interval_methods"], found.get("interval_notes", {})
    return Block(
        n=found.get("n"),
        labels=tuple(found.get("labels", labels)),
        confusion=None if table is None else np.array(table, np.int64),
        values=values,
        undefined=found["undefined"],
        defined={key: (pair[0], pair[1]) for key, pair in found.get("defined", {}).items()},
        more={key: value for key, value in found.items() if key not in known},
        intervals={key: Interval(*_ends(ends[key]), method, notes.get(key, "")) for key, method in methods.items()},
        directions=Directions.from_dict(found["directions"]) if "directions" in found else None,
    )


def _ends(pair: list[float] | None) -> tuple[float, float]:
    return (math.nan, math.nan) if pair is None else (pair[0], pair[1])


def _coverage(found: Json) -> Coverage:
    return Coverage(**{key: _numbers(value) for key, value in found.items()})


def _numbers(value: Any) -> Any:
    return {key: _number(own) for key, own in value.items()} if isinstance(value, dict) else _number(value)


def _number(value: Any) -> Any:
    return math.nan if value is None else value
