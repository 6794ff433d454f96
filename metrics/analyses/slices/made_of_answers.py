"""Columns that may be made of the answers of a side: their groups then say nothing of where a judge fails."""

from __future__ import annotations

from collections.abc import Sequence

from metrics.analyses.slices.group_sizes import FEWEST_OF_LABEL
from metrics.analyses.slices.result import JudgeSlices, Slice
from metrics.results import words
from metrics.results.words import MOST_NAMED, quoted

ALL_OR_NONE = "in each group of {} the verdicts are all right or all wrong, so it may be made of the answers"


def all_or_none(by: str, judge: JudgeSlices) -> str:
    """Return in which groups every verdict is wrong where all are right in the others; empty where they are not, or few."""
    shown = [each for each in judge.slices if each.n and "accuracy" in each.estimates]
    large = sum(each.n for each in shown) >= FEWEST_OF_LABEL * len(shown)
    if not large or {each["accuracy"].value for each in shown} != {0.0, 1.0}:
        return ""
    wrong = words.listed([quoted(each.value) for each in shown if each["accuracy"].value == 0], MOST_NAMED)
    return (
        f"every verdict is wrong in {wrong} and right in the other groups by {quoted(by)}: the labels there may be turned round, "
        f"or {quoted(by)} may be made of the answers"
    )


def one_label_there(by: str, named: Sequence[Slice]) -> str:
    """Return that a side gives one label in all groups that depart, so that κ says nothing of its errors there; else empty."""
    sides = {each.only for each in named}
    only = sides.pop() if len(sides) == 1 else None
    if only is None:
        return ""
    side, label = only
    return (
        f"; but the {side} answers only {words.marked(words.shorten(label))} there, so κ is 0 by construction, and "
        f"{quoted(by)} may be made of the answers"
    )
