"""The criteria under review with their numbers, kept for the session."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from metrics import InputError, ItemRule
from metrics.analyses.raters.result import RaterBlock
from metrics.analyses.review.compute import Reviewed, review_criteria
from metrics.analyses.settings import Settings
from metrics.data.scales import scales_of
from pages.shared import as_lines, cached, intervals, state
from pages.shared.raters import asking


def criteria(dataset: state.Dataset, chosen: state.Choices) -> tuple[Reviewed, ...]:
    """Return every criterion, sorted by κ, for the judge in view."""
    humans = _humans(dataset)
    floor = repr([(name, block.gate) for name, block in humans.items()])
    return _criteria(dataset, intervals.jackknife_settings(dataset, chosen), floor, _humans=humans)


def view(dataset: state.Dataset, review: Reviewed) -> as_lines.View:
    """Return the call that gives the κ of a criterion."""
    part = replace(dataset, ratings=review.ratings)
    if review.ordered is not None:
        return as_lines.View(as_lines.call("scores", review.settings, part), _place(review, "pooled"))
    asked = as_lines.call("agreement", replace(review.settings, item_rule=ItemRule()), part)
    return as_lines.View(asked, _place(review, "criteria", [review.criterion]))


def _place(review: Reviewed, *where: str | list[str]) -> str:
    return as_lines.path("judges", [review.judge], *where, [review.key])


@cached.of_file(max_entries=16, show_spinner="Reading the rubric")
def _criteria(dataset: state.Dataset, settings: Settings, floor: str, _humans: Mapping[str, RaterBlock]) -> tuple[Reviewed, ...]:
    return review_criteria(dataset.ratings, settings.judges[0], settings, _humans)


def _humans(dataset: state.Dataset) -> Mapping[str, RaterBlock]:
    """Return how the humans agree, as the page on raters has it, with its floor; empty with one human only."""
    names = [name for name in dataset.ratings.criteria if name not in scales_of(dataset.ratings).of("continuous")]
    if not names or "human" not in asking.roles_of(dataset.ratings):
        return {}
    try:
        labelled = replace(dataset, ratings=dataset.ratings.on_criteria(names))
        rater_blocks: Mapping[str, RaterBlock] = asking.raters_report(labelled, ["human"]).criteria
    except InputError:
        return {}
    return rater_blocks
