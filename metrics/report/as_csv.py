"""The overview, then every number of a report, in one tidy table: one row to a number or sentence, each with its declaration."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from metrics.analyses.ordered_catalogue import RECORDS
from metrics.analyses.overview.result import Overview
from metrics.analyses.overview.tables import RELATIONS, step_words
from metrics.analyses.raters.result import STATISTICS
from metrics.analyses.records import Declaration
from metrics.measures.catalogue import record_of
from metrics.report.making import Report
from metrics.report.material import Material
from metrics.report.sections_review import made_with
from metrics.results.estimate import Estimate
from metrics.results.report import or_none
from metrics.results.safe_csv import safe_csv

COLUMNS = (
    "part", "judge", "level", "criterion", "number", "unit", "value", "low", "high", "interval", "undefined", "n",
    "criteria_defined", "coverage", "text",
)  # fmt: skip
UNITS = {"%": "share of 1", "points": "difference of shares of 1", "p": "p", "values": "as the labels"}
"""What the value and the ends of a number are in; empty for what has no unit, such as κ."""


def write(report: Report) -> bytes:
    """Return the table as CSV that a spreadsheet opens as text."""
    material = report.material
    frame = pd.DataFrame(list(_rows(material)), columns=[*COLUMNS, *_provenance(material.declaration, material)])
    return safe_csv(frame.assign(n=frame["n"].astype("Int64"))).encode()


def _rows(material: Material) -> Iterator[dict[str, Any]]:
    findings = material.findings
    if material.overview is not None and material.contents.has("overview"):
        declared_cells = _provenance(material.overview.declaration, material)
        yield from ({"part": "overview"} | row | declared_cells for row in _overview(material.overview))
    if findings.agreement is not None:
        yield from _of(findings.agreement.to_frame(), "agreement", findings.agreement.declaration, material)
    for report in material.scored:
        yield from _of(report.to_frame(), "scores", report.declaration, material)
    for part, raters in (("humans", findings.humans), ("judges", findings.between)):
        if raters is not None:
            frame = raters.to_frame().rename(columns={"n_items": "n"}).assign(level="pooled")
            frame["level"] = frame["level"].where(frame["criterion"] == "all", "criterion")
            yield from _of(frame, part, raters.declaration, material)


def _overview(overview: Overview) -> Iterator[dict[str, Any]]:
    """Yield the first page in its order: sentences have a text, numbers a value."""
    metric, level = overview.metric, overview.level
    yield from ({"number": f"verdict: {statement.kind}", "text": statement.text} for statement in overview.verdict)
    for judge in overview.judges:
        of: dict[str, Any] = {"judge": judge.name, "level": level, "text": RELATIONS[judge.relation]}
        yield of | _number(metric, judge.estimate) | {"n": judge.n, "coverage": or_none(judge.coverage)}
        if judge.difference.defined:
            yield of | _number(metric, judge.difference) | {"number": f"{metric}, difference from the leader"}
            yield of | {"number": "p of the difference", "unit": "p", "value": judge.p}
        if judge.weighted is not None:
            yield of | _number(metric, judge.weighted.estimate) | {"number": f"{metric}, by weight"}
            if judge.weighted.difference.defined:
                apart = _number(metric, judge.weighted.difference)
                yield of | apart | {"number": f"{metric}, by weight, difference from the leader"}
    for row in overview.criteria:
        of = {"judge": overview.leader, "level": "criterion", "criterion": row.name, "n": row.n, "text": row.note}
        yield of | _number(overview.criterion_metric, row.estimate)
    yield from ({"number": "item to read", "text": f"{item.item}: {item.why}"} for item in overview.items)
    yield from ({"number": "next step", "text": step_words(step)} for step in overview.next)


def _number(key: str, estimate: Estimate) -> dict[str, Any]:
    return {"number": key, "unit": _unit(key)} | estimate.cells() | {"value": or_none(estimate.value)}


def _of(frame: pd.DataFrame, part: str, declaration: Declaration, material: Material) -> Iterator[dict[str, Any]]:
    declared_cells = _provenance(declaration, material)
    frame = frame.rename(columns={"metric": "number", "statistic": "number"}).assign(part=part)
    frame["unit"] = frame["number"].map(_unit)
    for row in frame.to_dict("records"):
        yield {str(key): value for key, value in row.items() if key in COLUMNS} | declared_cells


def _unit(key: str) -> str:
    record = RECORDS.get(key) or STATISTICS.get(key) or record_of(key)
    return UNITS.get(record.unit, "")


def _provenance(d: Declaration, material: Material) -> dict[str, Any]:
    """Return what every row says of its choices."""
    interval, rule = d.interval, d.item_rule
    return {
        "scale": d.scale_words(),
        "abstention": d.abstention,
        "handling": ", ".join(f"{kind}={how}" for kind, how in d.handling.items()),
        "reference": d.reference,
        "item_rule": rule["rule"] if "threshold" not in rule else f"{rule['rule']} {rule['threshold']}",
        "interval_method": interval["method"],
        "interval_unit": interval["unit"],
        "confidence": interval["confidence"],
        "replicates": interval.get("replicates"),
        "seed": interval["seed"],
        "file": material.recipe.file,
        "sha256": material.recipe.sha256,
        "made_with": made_with(),
    }
