"""The decisions of the review: by data set, for the session, with the way back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from metrics.reviewing.decisions import Decision, Review
from pages.shared import kept, state

DECIDED, STEPS = "review.decided", "review.steps"
MOST_STEPS = 200
Decisions = dict[str, Decision]


def review_of(its: state.Dataset) -> Review:
    """The decisions made on a data set, with its file."""
    source = its.ratings.source
    return Review(source.name, source.sha256, _decided(its.id))


def decide(data: str, criterion: str, **changes: Any) -> None:
    """Change a decision; for callbacks."""
    before = _decided(data)
    own = replace(before.get(criterion, Decision()), **changes)
    put(data, {name: one for name, one in (before | {criterion: own}).items() if not one.empty})


def put(data: str, decisions: Decisions) -> None:
    """Take these decisions in the place of those held; nothing to undo where they are the same."""
    before = _decided(data)
    if before != decisions:
        kept.held(STEPS)[data] = [*_steps(data), before][-MOST_STEPS:]
        kept.held(DECIDED)[data] = decisions


def undo(data: str) -> None:
    """The decisions before the last change; for callbacks."""
    steps = _steps(data)
    if steps:
        kept.held(DECIDED)[data] = steps[-1]
        kept.held(STEPS)[data] = steps[:-1]


def can_undo(data: str) -> bool:
    return bool(_steps(data))


def _decided(data: str) -> Decisions:
    found: Decisions = kept.held(DECIDED).get(data, {})
    return found


def _steps(data: str) -> list[Decisions]:
    found: list[Decisions] = kept.held(STEPS).get(data, [])
    return found
