"""Bets before a step shows how it is: what is asked, why the answer is so, and how many were right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from metrics.content.lab.lessons import STEPS, Bet, following
from metrics.content.lab.tables import WORDS

BETS: dict[str, Bet] = {step.key: step.bet for step in STEPS.values() if step.bet is not None}
"""By the key of the step at which they are placed."""


def question(key: str, labels: Sequence[str] = WORDS) -> str:
    """Return what is asked at a step; plain text."""
    step = STEPS[key]
    return step.filled(BETS[key].question, step.picture(labels))


def why(key: str, labels: Sequence[str] = WORDS) -> str:
    """Return what the next step shows of a bet; plain text."""
    shown = following(key) or STEPS[key]
    return shown.filled(BETS[key].after, shown.picture(labels))


def score(placed: Mapping[str, int]) -> str:
    """Return how many bets were right: "Bets: 2 of 3 right, 7 in all"; of places of options by step, empty for none."""
    known = {key: option for key, option in placed.items() if key in BETS}
    if not known:
        return ""
    right = sum(option == BETS[key].right for key, option in known.items())
    return f"Bets: {right} of {len(known)} right" + ("" if len(known) == len(BETS) else f", {len(BETS)} in all")
