"""A report as JSON: the recipe and every number, strict, with nothing that changes from run to run."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from metrics.analyses.abstention.bounds import Bounds
from metrics.analyses.abstention.relation import Relation
from metrics.analyses.preferences.compute import CONVENTIONS, Preference, Preferences
from metrics.analyses.records import Warn
from metrics.report.checklist.contents import SWITCHES, Contents
from metrics.report.material import Material
from metrics.report.sections_review import made_with
from metrics.results.estimate import Estimate
from metrics.results.json_fields import ends_or_none, or_none
from metrics.version import __version__

Json = dict[str, Any]
VERSION = 1
KIND = "report"


def report_dict(material: Material, methods: str) -> Json:
    """Return everything a report holds; `metrics/report/schema.json` describes it."""
    found = material.findings
    return {
        "version": VERSION,
        "kind": KIND,
        "made_with": made_with(),
        "metrics_version": __version__,
        "recipe": material.recipe.to_dict(),
        "contents": contents_dict(material.contents),
        "answers": dict(material.answers),
        "review": None if material.review is None else material.review.to_dict(),
        "agreement": None if found.agreement is None else found.agreement.to_dict(),
        "scores": [report.to_dict() for report in material.scored],
        "preferences": {judge: _preferences(its) for judge, its in material.preferences.items()},
        "humans": None if found.humans is None else found.humans.to_dict(),
        "between": None if found.between is None else found.between.to_dict(),
        "silence": {name: {"judge": _relation(a), "human": _relation(b)} for name, (a, b) in found.relations.items()},
        "bounds": {name: _bounds(its) for name, its in found.bounds.items()},
        "scales": {} if found.scales is None else found.scales.declared(),
        "groups": {name: {"groups": groups, "items": items} for name, (groups, items) in found.groups.items()},
        "left_out_criteria": list(found.left_out_criteria),
        "checklist": material.checklist.to_dict(),
        "notes": list(material.notes),
        "warnings": [_warning(warning) for warning in material.warnings()],
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


def _warning(warning: Warn) -> Json:
    return asdict(warning)


def _relation(its: Relation) -> Json:
    return {"v": or_none(its.v.value), "interval": ends_or_none(its.v.ends), "n": its.n, "undefined": its.v.undefined}


def _bounds(its: Bounds) -> Json:
    metrics = {
        key: {"low": or_none(bound.low), "high": or_none(bound.high), "reason": bound.reason}
        for key, bound in its.by_metric.items()
    }
    return {"n_open": its.n_open, "n_total": its.n_total, "metrics": metrics}


def _preferences(its: Preferences) -> Json:
    return {"labels": list(its.labels), "ties": {name: _preference(its.on(name, None)) for name in CONVENTIONS}}


def _preference(its: Preference) -> Json:
    wins = {"reference": its.wins.reference, "judge": its.wins.judge, "difference": its.wins.difference}
    return {
        "n": its.n,
        "n_items": its.n_items,
        "confusion": its.counts.tolist(),
        "values": {key: _estimate(one) for key, one in its.values.items()},
        "wins": {key: _estimate(one) for key, one in wins.items()},
    }


def _estimate(its: Estimate) -> Json:
    return {"value": or_none(its.value), "interval": ends_or_none(its.ends), "undefined": its.undefined}
