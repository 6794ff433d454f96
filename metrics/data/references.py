"""Whose verdict is taken as true where there are several humans: the rules, their names and how they are said."""

from __future__ import annotations

from collections.abc import Sequence

AUTO, MAJORITY, UNANIMOUS, MEDIAN, MEAN = "auto", "majority", "unanimous", "median", "mean"
RULES = (AUTO, MAJORITY, UNANIMOUS, MEDIAN, MEAN)
"""How several humans become one; `auto` is the one that fits each criterion's scale, and its name where one fits all."""
OFFERED = {
    MAJORITY: (MAJORITY, UNANIMOUS), MEDIAN: (MEDIAN, MAJORITY, UNANIMOUS), MEAN: (MEAN, MEDIAN),
    AUTO: (AUTO, MAJORITY, UNANIMOUS),
}  # fmt: skip
"""The rule that fits a file to those worth choosing from there."""
WITHOUT = " without "
"""Between a rule and a human's name: the rule over the others."""
HUMAN = "human "
"""Before a human's name that is also that of a rule."""
FEWEST_TO_LEAVE_ONE = 3
"""Humans from which on one can be left out and a rule remains; of two, the other's name says it."""


def references_of(humans: Sequence[str], rule: str = MAJORITY) -> tuple[str, ...]:
    """Return everything worth choosing as the reference: the rules, each human, the others of each human.

    `rule` is the one that fits the scale, see `metrics.data.pairs.usual_rule`.
    """
    others = [rule + WITHOUT + name for name in humans] if len(humans) >= FEWEST_TO_LEAVE_ONE else []
    return (*OFFERED[rule], *(as_reference(name, humans) for name in humans), *others)


def as_reference(human: str, humans: Sequence[str]) -> str:
    """Return what a human is called as the reference: by name, and `human majority` where the name is that of a rule."""
    if not _is_rule(human, humans):
        return human
    name = HUMAN + human
    while _is_rule(name, humans) or name in humans:
        name = HUMAN + name
    return name


def human_of(reference: str, humans: Sequence[str]) -> str | None:
    """Return the human that a reference is; None where it is a rule, or nothing known."""
    if reference in humans and not _is_rule(reference, humans):
        return reference
    if not reference.startswith(HUMAN):
        return None
    return next((name for name in humans if as_reference(name, humans) == reference), None)


def left_out(reference: str, humans: Sequence[str]) -> str | None:
    """Return the human whom a reference leaves out; None where it is another rule or a human."""
    if len(humans) < FEWEST_TO_LEAVE_ONE:
        return None
    starts = [rule + WITHOUT for rule in RULES if rule != UNANIMOUS and reference.startswith(rule + WITHOUT)]
    return next((name for start in starts if (name := reference.removeprefix(start)) in humans), None)


def rule_in(reference: str, humans: Sequence[str]) -> str:
    """Return the rule that a reference follows, also where it leaves a human out; empty where it is a human."""
    if not _is_rule(reference, humans):
        return ""
    return next(rule for rule in RULES if reference == rule or reference.startswith(rule + WITHOUT))


def _is_rule(name: str, humans: Sequence[str]) -> bool:
    return name in RULES or left_out(name, humans) is not None


_WORDS = {
    AUTO: "majority of the humans, on ordered labels their low median",
    MAJORITY: "majority of the humans",
    UNANIMOUS: "what all humans agree on",
    MEDIAN: "low median of the humans",
    MEAN: "mean of the humans",
}


ONE_EACH = "one human for each decision"
"""What a rule comes to where no decision has the labels of two humans."""


def reference_words(reference: str, *, one_each: bool = False) -> str:
    """Return a reference in a sentence: "majority of the humans", or the human's name.

    `one_each` is whether a rule meets one human at most on every decision, see `metrics.data.pairs.one_human_each`.
    """
    for rule in RULES:
        if rule != UNANIMOUS and reference.startswith(rule + WITHOUT):
            first, *more = (ONE_EACH if one_each else _WORDS[rule]).split(", ")
            return ", ".join([f"{first}{WITHOUT}{reference.removeprefix(rule + WITHOUT)}", *more])
    return ONE_EACH if one_each else _WORDS.get(reference, reference)


def with_article(reference: str, *, one_each: bool = False) -> str:
    """Return the words of `reference_words` where a sentence asks for an article: "the majority of the humans", "the human"."""
    words = reference_words(reference, one_each=one_each)
    if one_each or reference not in (words, UNANIMOUS):
        return f"the {words}"
    return "the human" if reference == "human" else words
