"""Whose verdict is taken as true where there are several humans: the rules, their names and how they are said."""

from __future__ import annotations

from collections.abc import Sequence

MAJORITY, UNANIMOUS = "majority", "unanimous"
WITHOUT = "majority without "
"""Before a human's name: the majority of the others."""
FEWEST_TO_LEAVE_ONE = 3
"""Humans from which on one can be left out and a majority remains; of two, the other's name says it."""


def references_of(humans: Sequence[str]) -> tuple[str, ...]:
    """Everything that can be the reference: the rules, each human, the others of each human."""
    rules = [MAJORITY, UNANIMOUS, *humans]
    if len(humans) >= FEWEST_TO_LEAVE_ONE:
        rules += [WITHOUT + name for name in humans]
    return tuple(dict.fromkeys(rules))


def left_out(reference: str, humans: Sequence[str]) -> str | None:
    """The human whom a reference leaves out; None where it is another rule or a human of that very name."""
    name = reference.removeprefix(WITHOUT)
    rule = reference.startswith(WITHOUT) and reference not in humans and name in humans
    return name if rule and len(humans) >= FEWEST_TO_LEAVE_ONE else None


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
