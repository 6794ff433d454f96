"""What is found of raters beside their report, as JSON, for tests that hold all of it: no page and no command shows it so."""

from __future__ import annotations

from typing import Any

from metrics.analyses.raters.adjudicating import Disagreements
from metrics.analyses.raters.alternative import AlternativeTest, Q
from metrics.analyses.raters.evidence import CriterionEvidence, Evidence, RaterDeviation
from metrics.analyses.raters.fatigue import Fatigue
from metrics.analyses.raters.intra_rater import Repeats
from metrics.results.report import ends_or_none, or_none


def of_alternative(test: AlternativeTest) -> dict[str, Any]:
    """The alternative-annotator test as JSON: undefined numbers are None and have a reason."""
    return {
        "judge": test.judge, "criterion": test.criterion, "abstention": test.abstention, "scoring": test.scoring,
        "epsilon": test.epsilon, "annotators_are": test.kind or None, "correction": "Benjamini-Yekutieli", "q": Q,
        "winning_rate": or_none(test.winning_rate.value), "advantage_probability": or_none(test.advantage.value),
        "advantage_interval": ends_or_none(test.advantage.ends), "passed": test.passed,
        "undefined": test.winning_rate.undefined or None, "n_items": test.n_items, "n_annotators": len(test.tested),
        "least": test.least,
        "score_ranges": None if test.ranges is None else [list(ends) for ends in test.ranges],
        "annotators": [
            {
                "name": annotator.name, "n": annotator.n, "n_items": annotator.n_items,
                "advantage_probability": or_none(annotator.advantage),
                "human_advantage_probability": or_none(annotator.human_advantage), "test": annotator.test or None,
                "p": or_none(annotator.p), "p_corrected": or_none(annotator.corrected), "won": annotator.won,
                "lost": annotator.lost, "undefined": annotator.undefined or None,
            }
            for annotator in test.annotators
        ],
    }  # fmt: skip


def of_disagreements(found: Disagreements) -> dict[str, Any]:
    """Where raters disagree, in short."""
    return {
        "n_units": found.n_units, "n_split": found.n_split, "n_single": found.n_single,
        "labels": list(found.units.classes),
        "patterns": [
            {"votes": list(pattern.votes), "entropy": pattern.entropy, "n_units": pattern.n_units}
            for pattern in found.patterns
        ],
    }  # fmt: skip


def of_evidence(found: Evidence) -> dict[str, Any]:
    """The same of every criterion, and of all together."""
    return {name: of_criterion(one) for name, one in found.criteria.items()}


def of_criterion(found: CriterionEvidence) -> dict[str, Any]:
    """What the labels of a criterion show of the causes of disagreement."""
    a, t = found.ambiguity, found.training
    return {
        "criterion": found.criterion, "n_raters": found.n_raters, "causes": list(found.causes),
        "ambiguity": {
            "n_units": a.n_units, "n_items": a.n_items, "n_split": a.n_split, "spread": a.spread,
            "undefined": a.undefined or None,
            "disagreement": or_none(a.disagreement), "disagreement_without": or_none(a.without),
        },
        "training": {
            "raters": [_of_deviation(rater) for rater in t.raters], "apart": [rater.name for rater in t.outliers],
            "undefined": t.undefined or None,
        },
        "fatigue": _of_fatigue(found.fatigue), "repeats": _of_repeats(found.repeats),
        **({"scales": found.scales} if found.scales else {}),
    }  # fmt: skip


def _of_deviation(rater: RaterDeviation) -> dict[str, Any]:
    return {
        "name": rater.name, "n": rater.n, "n_items": rater.n_items,
        "own": or_none(rater.disagreement), "others": or_none(rater.others),
        "excess": or_none(rater.excess.value), "p": or_none(rater.p), "p_corrected": or_none(rater.corrected),
        "interval": ends_or_none(rater.excess.ends), "apart": rater.is_outlier,
    }  # fmt: skip


def _of_fatigue(found: Fatigue) -> dict[str, Any]:
    return {
        "by": found.by, "column": found.column or None, "n": found.n, "n_items": found.n_items, "n_raters": found.n_raters,
        "change": or_none(found.change.value), "first": or_none(found.first), "last": or_none(found.last),
        "same_order": or_none(found.same_order), "interval": ends_or_none(found.change.ends), "shows_fatigue": found.shows,
        "p": or_none(found.p), "p_corrected": or_none(found.corrected), "undefined": found.change.undefined or None,
    }  # fmt: skip


def _of_repeats(found: Repeats) -> dict[str, Any]:
    return {
        "n": found.n, "n_same": found.n_same, "share": or_none(found.share.value),
        "interval": ends_or_none(found.share.ends), "undefined": found.share.undefined or None,
    }  # fmt: skip
