"""What is asked about the judges together, and the answers kept for the session."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import streamlit as st

import metrics
from metrics.analyses.ensembles.cluster_judges import Alike
from metrics.analyses.ensembles.errors import SharedErrors
from metrics.analyses.ensembles.panel import RULES
from metrics.analyses.ensembles.runs import SelfAgreement
from metrics.analyses.ensembles.split import Queue
from metrics.analyses.ensembles.verdict_matrix import bench_of
from metrics.analyses.leading import leading
from metrics.analyses.raters.result import RatersReport
from metrics.data.abstention import Mode
from metrics.data.one_criterion import of_criterion
from metrics.data.order import Measurement
from metrics.data.pairs import reference_said
from metrics.data.ratings import PanelRule
from metrics.data.references import AUTO, human_of
from metrics.measures.catalogue import BY_KEY
from metrics.results.words import count
from pages.shared import kept, state
from pages.shared.raters import asking as raters

SHOW, RULE, PART, FRESH, SEED, CRITERION = (
    f"ensemble_{name}" for name in ("show", "rule", "part", "unlabelled", "seed", "criterion")
)
EVERY = "All criteria pooled"
CRITERION_HELP = (
    "Everything on this page: one criterion, or the decisions of all together. Pooled, judges are also credited for knowing "
    "which criterion is easy."
)
RULE_NAMES: dict[PanelRule, str] = {"majority": "Majority", "unanimous": "Unanimous", "any": "Any"}
RULE_HELP = (
    "Majority: the answer most judges gave; a tie is no verdict. Unanimous: the answer all gave, else no verdict. "
    "Any: positive where one judge says so."
)
FOUND, MOST_KEPT = "ensemble.found", 32
Found = TypeVar("Found")


def rules(its: state.Dataset) -> list[PanelRule]:
    """Return the rules these labels allow."""
    return [rule for rule in RULES if rule != "any" or its.ratings.scheme.scale == "binary"]


def reference() -> str:
    chosen = state.choices()
    return chosen.reference if chosen is not None else AUTO


def said_reference(its: state.Dataset) -> str:
    return reference_said(its.ratings, reference())


def reference_named(its: state.Dataset) -> str:
    """Return the reference in a word, where there is little room."""
    return human_of(reference(), its.ratings.humans) or "the humans"


def mode(its: state.Dataset) -> Mode:
    return raters.mode(its)


def criterion(its: state.Dataset) -> str | None:
    """Return the criterion that is looked at by itself; None while all are pooled, or there is one only."""
    wanted = st.session_state.get(CRITERION)
    return wanted if len(its.ratings.criteria) > 1 and wanted in its.ratings.criteria else None


def narrowed(its: state.Dataset) -> state.Dataset:
    """Return the data set with the criterion asked for alone."""
    own = criterion(its)
    if own is None:
        return its
    return replace(its, ratings=once(its, "criterion", own, lambda: of_criterion(its.ratings, own)))


def symbol(its: state.Dataset) -> str:
    """Return the κ that the labels are read by, in a word."""
    return BY_KEY[leading(its.ratings, mode(its))].symbol


def over(its: state.Dataset) -> str:
    """Return what a heading adds where criteria are pooled."""
    n = len(its.ratings.criteria)
    return f" · pooled over {count(n)} criteria" if n > 1 else ""


def judged(its: state.Dataset) -> bool:
    """Return whether the reference has a verdict on a decision here, so that a judge can be right or wrong."""

    def there() -> bool:
        return bool((bench_of(its.ratings, reference=reference(), abstention=mode(its)).reference >= 0).any())

    return bool(its.ratings.humans) and once(its, "judged", "", there)


def report(its: state.Dataset) -> RatersReport:
    """Return how far the judges agree with each other, on every criterion and on all."""
    return _among_judges(its, raters.level_asked(its))


def by_scale(its: state.Dataset) -> RatersReport:
    """Return the same at the level that the scales say, whatever is asked of α: κ of two judges is read by it everywhere."""
    return _among_judges(its, None)


def _among_judges(its: state.Dataset, level: Measurement | None) -> RatersReport:

    def make() -> RatersReport:
        return metrics.raters(its.ratings, role="judge", level=level, abstention=mode(its))

    return once(its, "report", level or raters.CONFIRMED, make)


def alike(its: state.Dataset) -> Alike:
    return once(its, "alike", "", lambda: metrics.think_alike(its.ratings, reference=reference(), abstention=mode(its)))


def errors(its: state.Dataset) -> SharedErrors:
    return once(its, "errors", "", lambda: metrics.shared_errors(its.ratings, reference=reference(), abstention=mode(its)))


def queue(its: state.Dataset) -> Queue:
    return once(its, "queue", "", lambda: metrics.split_decisions(its.ratings, reference=reference(), abstention=mode(its)))


def runs(its: state.Dataset) -> tuple[SelfAgreement, ...]:
    return once(its, "runs", "", lambda: metrics.self_agreement(its.ratings, reference=reference(), abstention=mode(its)))


def once(its: state.Dataset, what: str, how: object, make: Callable[[], Found]) -> Found:
    """Return an answer of these data under the choices of the sidebar, worked out once."""
    known, key = kept.held(FOUND), place(its, what, how)
    if key not in known:
        kept.put(known, key, make(), MOST_KEPT)
    found: Found = known[key]
    return found


def place(its: state.Dataset, what: str, how: object) -> str:
    return repr((its.key, its.ratings.criteria, reference(), mode(its), what, how))
