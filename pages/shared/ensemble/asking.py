"""What is asked about the judges together, and the answers kept for the session."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import metrics
from metrics.abstention import Mode
from metrics.ensembles.clusters import Alike
from metrics.ensembles.errors import SharedErrors
from metrics.ensembles.panel import RULES
from metrics.ensembles.runs import SelfAgreement
from metrics.ensembles.split import Queue
from metrics.ratings import PanelRule
from metrics.references import MAJORITY, reference_words
from metrics.reliability.report import RatersReport
from pages.shared import asking, kept, state
from pages.shared.raters import asking as raters

SHOW, RULE, ALL, FRESH, SEED = (f"ensemble_{name}" for name in ("show", "rule", "all", "unlabelled", "seed"))
RULE_NAMES: dict[PanelRule, str] = {"majority": "Majority", "unanimous": "Unanimous", "any": "Any"}
RULE_HELP = (
    "Majority: the answer most judges gave; a tie is no verdict. Unanimous: the answer all gave, else no verdict. "
    "Any: positive where one judge says so."
)
FOUND, MOST_KEPT = "ensemble.found", 24
Found = TypeVar("Found")


def rules(its: state.Dataset) -> list[PanelRule]:
    """The rules these labels allow."""
    return [rule for rule in RULES if rule != "any" or its.ratings.scheme.scale == "binary"]


def reference() -> str:
    chosen = state.choices()
    return chosen.reference if chosen is not None else MAJORITY


def reference_said() -> str:
    return reference_words(reference())


def reference_named(its: state.Dataset) -> str:
    """The reference in a word, where there is little room."""
    chosen = reference()
    return chosen if chosen in its.ratings.humans else "the humans"


def mode(its: state.Dataset) -> Mode:
    return raters.mode(its)


def report(its: state.Dataset) -> RatersReport:
    """How far the judges agree with each other."""
    level = asking.held(raters.LEVEL, raters.levels(its))
    return once(
        its, "report", level, lambda: metrics.raters(its.ratings, role="judge", level=level, abstention=mode(its))
    )  # fmt: skip


def alike(its: state.Dataset) -> Alike:
    return once(its, "alike", "", lambda: metrics.think_alike(its.ratings, reference=reference(), abstention=mode(its)))


def errors(its: state.Dataset) -> SharedErrors:
    return once(its, "errors", "", lambda: metrics.shared_errors(its.ratings, reference=reference(), abstention=mode(its)))


def queue(its: state.Dataset) -> Queue:
    return once(its, "queue", "", lambda: metrics.split_decisions(its.ratings, reference=reference(), abstention=mode(its)))


def runs(its: state.Dataset) -> tuple[SelfAgreement, ...]:
    return once(its, "runs", "", lambda: metrics.self_agreement(its.ratings, reference=reference(), abstention=mode(its)))


def once(its: state.Dataset, what: str, how: object, make: Callable[[], Found]) -> Found:
    """An answer of these data under the choices of the sidebar, worked out once."""
    known, key = kept.held(FOUND), place(its, what, how)
    if key not in known:
        kept.put(known, key, make(), MOST_KEPT)
    found: Found = known[key]
    return found


def place(its: state.Dataset, what: str, how: object) -> str:
    return repr((its.key, reference(), mode(its), what, how))
