"""What is asked about the judges together, and the answers kept for the session."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import metrics
from metrics.analyses.ensembles.cluster_judges import JudgeClusters
from metrics.analyses.ensembles.errors import SharedErrors
from metrics.analyses.ensembles.panel import RULES
from metrics.analyses.ensembles.runs import SelfAgreement
from metrics.analyses.ensembles.split import Queue
from metrics.analyses.ensembles.verdict_matrix import verdict_matrix_of
from metrics.analyses.leading import leading
from metrics.analyses.raters.result import RatersReport
from metrics.data.abstention import Mode
from metrics.data.order import Measurement
from metrics.data.pairs import reference_phrase
from metrics.data.part import of_criterion
from metrics.data.ratings import PanelRule
from metrics.data.references import AUTO, human_of
from metrics.measures.catalogue import BY_KEY
from metrics.results.words import count
from pages.shared import as_lines, asking, cached, state
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
Found = TypeVar("Found")


def rules(dataset: state.Dataset) -> list[PanelRule]:
    """Return the rules these labels allow."""
    return [rule for rule in RULES if rule != "any" or dataset.ratings.scheme.scale == "binary"]


def reference() -> str:
    chosen = state.choices()
    return chosen.reference if chosen is not None else AUTO


def chosen_reference_phrase(dataset: state.Dataset) -> str:
    return reference_phrase(dataset.ratings, reference())


def reference_named(dataset: state.Dataset) -> str:
    """Return the reference in a word, where there is little room."""
    return human_of(reference(), dataset.ratings.humans) or "the humans"


def mode(dataset: state.Dataset) -> Mode:
    return raters.mode(dataset)


def criterion(dataset: state.Dataset) -> str | None:
    return asking.chosen_criterion(dataset.ratings.criteria, CRITERION)


def dataset_on_criterion(dataset: state.Dataset) -> state.Dataset:
    """Return the data set with the criterion asked for alone."""
    wanted_criterion = criterion(dataset)
    if wanted_criterion is None:
        return dataset
    return replace(
        dataset, ratings=memoised(dataset, "criterion", wanted_criterion, lambda: of_criterion(dataset.ratings, wanted_criterion))
    )


def symbol(dataset: state.Dataset) -> str:
    """Return the κ that the labels are read by, in a word."""
    return BY_KEY[leading(dataset.ratings, mode(dataset))].symbol


def over(dataset: state.Dataset) -> str:
    """Return what a heading adds where criteria are pooled."""
    n = len(dataset.ratings.criteria)
    return f" · pooled over {count(n)} criteria" if n > 1 else ""


def judged(dataset: state.Dataset) -> bool:
    """Return whether the reference has a verdict on a decision here, so that a judge can be right or wrong."""

    def there() -> bool:
        return bool((verdict_matrix_of(dataset.ratings, reference=reference(), abstention=mode(dataset)).reference >= 0).any())

    return bool(dataset.ratings.humans) and memoised(dataset, "judged", "", there)


def report(dataset: state.Dataset) -> RatersReport:
    """Return how far the judges agree with each other, on every criterion and on all."""
    return _among_judges(dataset, raters.level_asked(dataset))


def by_scale(dataset: state.Dataset) -> RatersReport:
    """Return the same at the level that the scales say, whatever is asked of α: κ of two judges is read by it everywhere."""
    return _among_judges(dataset, None)


def _among_judges(dataset: state.Dataset, level: Measurement | None) -> RatersReport:

    def make() -> RatersReport:
        return metrics.raters(dataset.ratings, role="judge", level=level, abstention=mode(dataset))

    return memoised(dataset, "report", level or raters.CONFIRMED, make)


def call(dataset: state.Dataset) -> as_lines.Call:
    """Return the call that gives `report`."""
    return as_lines.call("raters", None, dataset, role="judge", level=raters.level_asked(dataset), abstention=mode(dataset))


def agreement_matrix(dataset: state.Dataset) -> JudgeClusters:
    return memoised(
        dataset, "alike", "", lambda: metrics.think_alike(dataset.ratings, reference=reference(), abstention=mode(dataset))
    )


def errors(dataset: state.Dataset) -> SharedErrors:
    return memoised(
        dataset, "errors", "", lambda: metrics.shared_errors(dataset.ratings, reference=reference(), abstention=mode(dataset))
    )


def queue(dataset: state.Dataset) -> Queue:
    return memoised(
        dataset, "queue", "", lambda: metrics.split_decisions(dataset.ratings, reference=reference(), abstention=mode(dataset))
    )


def runs(dataset: state.Dataset) -> tuple[SelfAgreement, ...]:
    return memoised(
        dataset, "runs", "", lambda: metrics.self_agreement(dataset.ratings, reference=reference(), abstention=mode(dataset))
    )


def memoised(dataset: state.Dataset, what: str, how: object, make: Callable[[], Found]) -> Found:
    """Return an answer of these data under the choices of the sidebar, worked out once."""
    return _made(place(dataset, what, how), make)


@cached.of_file(max_entries=32)
def _made(place: str, _make: Callable[[], Found]) -> Found:
    return _make()


def place(dataset: state.Dataset, what: str, how: object) -> str:
    return repr((dataset.key, dataset.ratings.criteria, reference(), mode(dataset), what, how))
