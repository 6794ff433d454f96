"""The decisions of the review: by data set, for the session, with the way back and forth again."""

from __future__ import annotations

from typing import Any

from metrics.analyses.review.decisions import Decision, Review
from metrics.analyses.review.readings import step_words
from pages.shared import state
from pages.shared.history import History

HISTORY = History[str, Decision]("review", Decision(), ("owner", "due", "note", "definition"))


def review_of(dataset: state.Dataset) -> Review:
    """Return the decisions made on a data set, with its file."""
    source = dataset.ratings.source
    return Review(source.name, source.sha256, HISTORY.of(dataset.id))


def decide(data: str, criterion: str, **changes: Any) -> None:
    """Change a decision; for callbacks."""
    HISTORY.change(data, criterion, step_words(criterion, changes), **changes)
