"""Whose verdict is taken as true where there are several humans: the rules, their names and how they are said."""

from __future__ import annotations

from collections.abc import Sequence

MAJORITY, UNANIMOUS = "majority", "unanimous"
WITHOUT = "majority without "
"""Before a human's name: the majority of the others."""
HUMAN = "human "
"""Before a human's name that is also that of a rule."""
FEWEST_TO_LEAVE_ONE = 3
"""Humans from which on one can be left out and a majority remains; of two, the other's name says it."""


def references_of(humans: Sequence[str]) -> tuple[str, ...]:
    """Everything that can be the reference: the rules, each human, the others of each human."""
    others = [WITHOUT + name for name in humans] if len(humans) >= FEWEST_TO_LEAVE_ONE else []
    return (MAJORITY, UNANIMOUS, *(as_reference(name, humans) for name in humans), *others)


def as_reference(human: str, humans: Sequence[str]) -> str:
    """What a human is called as the reference: by name, and `human majority` where the name is that of a rule."""
    if not _is_rule(human, humans):
        return human
    found = HUMAN + human
    while _is_rule(found, humans) or found in humans:
        found = HUMAN + found
    return found


def human_of(reference: str, humans: Sequence[str]) -> str | None:
    """The human that a reference is; None where it is a rule, or nothing known."""
    if reference in humans and not _is_rule(reference, humans):
        return reference
    if not reference.startswith(HUMAN):
        return None
    return next((name for name in humans if as_reference(name, humans) == reference), None)


def left_out(reference: str, humans: Sequence[str]) -> str | None:
    """The human whom a reference leaves out; None where it is another rule or a human."""
    name = reference.removeprefix(WITHOUT)
    there = reference.startswith(WITHOUT) and len(humans) >= FEWEST_TO_LEAVE_ONE and name in humans
    return name if there else None


def _is_rule(name: str, humans: Sequence[str]) -> bool:
    return name in (MAJORITY, UNANIMOUS) or left_out(name, humans) is not None


def reference_words(reference: str) -> str:
    """A reference in a sentence: "majority of the humans", or the human's name."""
    if reference.startswith(WITHOUT):
        return f"majority of the humans without {reference.removeprefix(WITHOUT)}"
    return {MAJORITY: "majority of the humans", UNANIMOUS: "what all humans agree on"}.get(reference, reference)


def with_article(reference: str) -> str:
    """As `reference_words`, where a sentence asks for an article: "the majority of the humans", "the human"."""
    if reference == MAJORITY or reference.startswith(WITHOUT):
        return f"the {reference_words(reference)}"
    return "the human" if reference == "human" else reference_words(reference)
