"""The decisions of the review: by data set, for the session, with the way back."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from metrics.analyses.review.decisions import Decision, Review
from pages.shared import session_cache, state

DECIDED, STEPS, TYPING = "review.decided", "review.steps", "review.typing"
MOST_STEPS = 200
TYPED = ("owner", "note", "definition")
PAUSE = 5.0
"""Seconds after which typing on in a field is a change of its own."""
Decisions = dict[str, Decision]


def review_of(dataset: state.Dataset) -> Review:
    """Return the decisions made on a data set, with its file."""
    source = dataset.ratings.source
    return Review(source.name, source.sha256, _decisions(dataset.id))


def decide(data: str, criterion: str, **changes: Any) -> None:
    """Change a decision; for callbacks."""
    before = _decisions(data)
    decision = replace(before.get(criterion, Decision()), **changes)
    after = {name: decision for name, decision in (before | {criterion: decision}).items() if not decision.empty}
    if _types_on(data, (criterion, *changes)):
        session_cache.held(DECIDED)[data] = after
    else:
        put(data, after)
        session_cache.held(TYPING)[data] = ((criterion, *changes), time.monotonic())


def put(data: str, decisions: Decisions) -> None:
    """Take these decisions in the place of those held; nothing to undo where they are the same."""
    before = _decisions(data)
    session_cache.held(TYPING).pop(data, None)
    if before != decisions:
        session_cache.held(STEPS)[data] = [*_steps(data), before][-MOST_STEPS:]
        session_cache.held(DECIDED)[data] = decisions


def _types_on(data: str, where: tuple[str, ...]) -> bool:
    """Return whether somebody goes on typing in a field, which is one change however often the field hands over what it has."""
    before, since = session_cache.held(TYPING).get(data, ((), 0.0))
    now = time.monotonic()
    goes_on = where == before and where[-1] in TYPED and now - since < PAUSE
    if goes_on:
        session_cache.held(TYPING)[data] = (where, now)
    return bool(goes_on)


def undo(data: str) -> None:
    """The decisions before the last change; for callbacks."""
    steps = _steps(data)
    session_cache.held(TYPING).pop(data, None)
    if steps:
        session_cache.held(DECIDED)[data] = steps[-1]
        session_cache.held(STEPS)[data] = steps[:-1]


def can_undo(data: str) -> bool:
    return bool(_steps(data))


def _decisions(data: str) -> Decisions:
    decisions: Decisions = session_cache.held(DECIDED).get(data, {})
    return decisions


def _steps(data: str) -> list[Decisions]:
    steps: list[Decisions] = session_cache.held(STEPS).get(data, [])
    return steps
