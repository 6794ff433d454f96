"""A report as JSON: the recipe and every number, strict, with nothing that changes from run to run."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from metrics.analyses.abstention.bounds import Bounds
from metrics.analyses.abstention.relation import Relation
from metrics.analyses.preferences.compute import CONVENTIONS, Preference, Preferences
from metrics.report.checklist.contents import SWITCHES, Contents
from metrics.report.material import Material
from metrics.report.sections_review import made_with
from metrics.results.estimate import Estimate
from metrics.results.report import ends_or_none, or_none
from metrics.version import __version__

Json = dict[str, Any]
VERSION = 1
KIND = "report"


def report_dict(material: Material, methods: str) -> Json:
    """Return everything a report holds; `metrics/report/schema.json` describes it."""
    findings = material.findings
    return {
        "version": VERSION,
        "kind": KIND,
        "made_with": made_with(),
        "metrics_version": __version__,
        "recipe": material.recipe.to_dict(),
        "contents": contents_dict(material.contents),
        "answers": dict(material.answers),
        "review": None if material.review is None else material.review.to_dict(),
        "overview": None if material.overview is None else material.overview.to_dict(),
        "agreement": None if findings.agreement is None else findings.agreement.to_dict(),
        "scores": [report.to_dict() for report in material.scored],
        "preferences": {judge: _preferences(preferences) for judge, preferences in material.preferences.items()},
        "humans": None if findings.humans is None else findings.humans.to_dict(),
        "between": None if findings.between is None else findings.between.to_dict(),
        "silence": {name: {"judge": _relation(a), "human": _relation(b)} for name, (a, b) in findings.relations.items()},
        "bounds": {name: _bounds(bounds) for name, bounds in findings.bounds.items()},
        "scales": {} if findings.scales is None else findings.scales.declaration(),
        "groups": {name: {"groups": groups, "items": items} for name, (groups, items) in findings.groups.items()},
        "left_out_criteria": list(findings.left_out_criteria),
        "checklist": material.checklist.to_dict(),
        "notes": list(material.notes),
        "warnings": [asdict(warning) for warning in material.warnings()],
        "methods": methods,
    }


def contents_dict(contents: Contents) -> Json:
    """Return what the report shows, as `contents_of` takes it."""
    return {
        "judge": contents.judge,
        "level": contents.level,
        "associations": list(contents.associations),
        "inter_judge": list(contents.inter_judge),
        "without": [key for key in SWITCHES if not contents.has(key)],
    }


def _relation(relation: Relation) -> Json:
    return {
        "v": or_none(relation.v.value),
        "interval": ends_or_none(relation.v.ends),
        "n": relation.n,
        "undefined": relation.v.undefined,
    }


def _bounds(bounds: Bounds) -> Json:
    metrics = {
        key: {"low": or_none(bound.low), "high": or_none(bound.high), "reason": bound.reason}
        for key, bound in bounds.by_metric.items()
    }
    return {"n_open": bounds.n_open, "n_total": bounds.n_total, "metrics": metrics}


def _preferences(preferences: Preferences) -> Json:
    return {"labels": list(preferences.labels), "ties": {name: _preference(preferences.on(name, None)) for name in CONVENTIONS}}


def _preference(preference: Preference) -> Json:
    wins = {"reference": preference.wins.reference, "judge": preference.wins.judge, "difference": preference.wins.difference}
    return {
        "n": preference.n,
        "n_items": preference.n_items,
        "confusion": preference.counts.tolist(),
        "values": {key: _estimate(estimate) for key, estimate in preference.values.items()},
        "wins": {key: _estimate(estimate) for key, estimate in wins.items()},
    }


def _estimate(estimate: Estimate) -> Json:
    return {"value": or_none(estimate.value), "interval": ends_or_none(estimate.ends), "undefined": estimate.undefined}
