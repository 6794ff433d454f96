"""Columns that are made of the answers of a side, so that their groups say nothing of where a judge fails."""

from __future__ import annotations

from collections.abc import Sequence

from metrics.analyses.slices.group_sizes import FEWEST_OF_LABEL
from metrics.analyses.slices.result import JudgeSlices, Slice
from metrics.results import words
from metrics.results.words import quoted

SAYS_WHO_IS_RIGHT = "{} says which verdicts are right: in each of its groups all of them are, or none"


def right_or_wrong(judge: JudgeSlices) -> bool:
    """Return whether the judge is all right or all wrong in each group, both occur, and groups are not so small by nature."""
    shown = [each for each in judge.slices if each.n and "accuracy" in each.estimates]
    large = sum(each.n for each in shown) >= FEWEST_OF_LABEL * len(shown)
    return large and {each["accuracy"].value for each in shown} == {0.0, 1.0}


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
