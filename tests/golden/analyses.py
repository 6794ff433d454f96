"""What Python computes beside the commands: every further result that goes to JSON, on every file that it takes."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import metrics
from metrics import InputError, Ratings
from metrics.analyses.raters.adjudicating import disagreements
from metrics.analyses.raters.alternative import alternative_annotator
from metrics.analyses.raters.ceiling import human_ceiling
from metrics.analyses.raters.evidence import evidence
from tests.golden.runs import LEVELS, MODES, Frozen, Printed
from tests.golden.sources import keywords_of, path_of
from tests.raters.written import of_alternative, of_disagreements, of_evidence

Analysis = Callable[[Ratings], Any]
COMPARED = ("kappa", "phi", "accuracy", "f1", "balanced_accuracy")
GIVEN, ALL = 300, 1000
"""Answers that a judge called positive, of how many, where a rate is corrected."""


def every_judge(analysis: Callable[[Ratings, str], Any]) -> Analysis:
    return lambda ratings: {judge: analysis(ratings, judge) for judge in ratings.judges}


def in_every_mode(analysis: Callable[..., Any]) -> Analysis:
    return lambda ratings: {mode: attempt(analysis, ratings, abstention=mode) for mode in MODES}


def attempt(analysis: Callable[..., Any], *given: Any, **chosen: Any) -> Any:
    """Compute; a refusal is the result."""
    try:
        return analysis(*given, **chosen)
    except InputError as error:
        return f"refused: {error}"


def confusion_of(ratings: Ratings, judge: str) -> Any:
    return metrics.agreement(ratings, judges=[judge]).judges[judge].micro.confusion


def contrasts(ratings: Ratings) -> dict[str, Any]:
    """Compare the first two judges by every metric of a comparison at its own level."""
    first, second = (*ratings.judges, "", "")[:2]
    compare = partial(attempt, metrics.compare, ratings, first, second, replicates=500)
    found = {f"{key} {level}": compare(metric=key, level=level) for key in COMPARED for level in LEVELS}
    return found | {"usual": compare()}


def corrected(ratings: Ratings, judge: str) -> Any:
    return metrics.correct_prevalence(GIVEN, ALL, confusion_of(ratings, judge))


def by_labelled_part(ratings: Ratings, judge: str) -> Any:
    return metrics.prediction_powered(confusion_of(ratings, judge), GIVEN, ALL)


def rates_compared(ratings: Ratings, judge: str) -> Any:
    return metrics.compare_rates((GIVEN, ALL), (GIVEN + 60, ALL), confusion_of(ratings, judge))


def plan(ratings: Ratings, judge: str) -> Any:
    return metrics.plan_floor(metrics.agreement(ratings).judges[judge], "kappa", 0.6)


ANALYSES: Mapping[str, Analysis] = {
    "compare": contrasts,
    "evidence": in_every_mode(lambda ratings, **chosen: of_evidence(evidence(ratings, **chosen))),
    "disagreements": in_every_mode(lambda ratings, **chosen: of_disagreements(disagreements(ratings, **chosen))),
    "alternative annotator": every_judge(lambda ratings, judge: of_alternative(alternative_annotator(ratings, judge))),
    "human ceiling": every_judge(human_ceiling),
    "rank of judges": metrics.rank_judges,
    "corrected rate": every_judge(corrected),
    "rate by labelled part": every_judge(by_labelled_part),
    "rates compared": every_judge(rates_compared),
    "plan": every_judge(plan),
    "checklist": lambda ratings: metrics.checklist(metrics.agreement(ratings)),
}


def of_analyses(name: str, folder: Path) -> Frozen:
    """Freeze the JSON of every analysis of a file, and its text where it has one."""
    ratings, frozen = metrics.read(path_of(name, folder), **keywords_of(name)), Frozen([], [])
    for title, analysis in ANALYSES.items():
        result = attempt(analysis, ratings)
        frozen.add(title, Printed(0, json.dumps(plain(result)), ""))
        for label, one in {"": result}.items() if not isinstance(result, dict) else result.items():
            if hasattr(one, "summary"):
                frozen.tell(f"{title} {label}".strip(), one.summary())
    return frozen


def plain(result: Any) -> Any:
    """Results as JSON takes them, by their own `to_dict`."""
    if isinstance(result, Mapping):
        return {key: plain(value) for key, value in result.items()}
    return result.to_dict() if hasattr(result, "to_dict") else result
