"""What two options say: which of them the judge gives more often, and which error is the commoner; they have no distance.

Two options are what a cut of an order makes as well.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from metrics.analyses.agreement.readings import more_or_less
from metrics.analyses.directions import contradicting, opposite_of
from metrics.analyses.records import Block
from metrics.analyses.scores.result import ScoresReport
from metrics.results import words

TWO = 2
ON_DIAGONAL = "Every decision is on the diagonal."


def step_of(report: ScoresReport, block: Block) -> float:
    """Return how far the two options lie apart in what they are worth; 0 where there are not two."""
    order = report.order
    return order.values[-1] - order.values[0] if order is not None and len(block.labels) == TWO else 0.0


def rate_reading(report: ScoresReport, name: str, block: Block, criteria: Mapping[str, Block]) -> str:
    """Return which of the two options the judge gives more often than the reference, if either.

    Parameters
    ----------
    criteria : mapping
        Those that the block pools; where one of them shows the other direction, the pooled one is none of the judge.
    """
    step, who, ends = step_of(report, block), report.declaration.the_reference(), block["bias"].ends
    bias, high, sign = block.values["bias"] / step, words.shorten(block.labels[-1]), block.more["label_rates"]["sign"]
    sides = None if ends is None else sorted(end / step for end in ends)
    signed = f"{words.points(bias)}{words.behind(sides, 'points')}"
    sign_tests = {
        words.shorten(key): (int(it.more["label_rates"]["sign"]), it.more["label_rates"]["p"]) for key, it in criteria.items()
    }
    if other := opposite_of(int(sign), sign_tests, 1 - float(str(report.declaration.interval.get("confidence", 0.95)))):
        return other.sentence(high, signed)
    if not sign:
        return f"{name} and {who} do not differ significantly in how often they give {high}: {signed}."
    often = f"{name} gives {high} {more_or_less(sign)} often than {who}"
    signs = {key: direction for key, (direction, _) in sign_tests.items()}
    if contrary := contradicting(sign, signs):
        same = [key for key, direction in signs.items() if direction == sign]
        where = f"on {words.listed(same, 3)}" if same else "pooled over criteria"
        against = f"and {more_or_less(-sign)} often on {words.listed(contrary, 3)}"
        return f"{often} {where}, {against}: over all criteria it is {signed}, which is no direction of the judge."
    turned = sides if sides is None or bias > 0 else [-sides[1], -sides[0]]
    beside = words.behind(turned, "points")
    size = f"{words.points(abs(bias))}{beside}".replace("+", "")
    return f"{often}, by {size}."


def errors_reading(report: ScoresReport, block: Block) -> str:
    """Return how many errors there are of each of the two kinds."""
    counts, who = np.asarray(block.confusion), report.declaration.the_reference()
    low, high = words.shorten_all(block.labels)
    wrong, raised = int(counts[0, 1] + counts[1, 0]), int(counts[0, 1])
    if not wrong:
        return ON_DIAGONAL
    raised_words = f"{words.count(raised)} times {high} where {who} says {low}"
    missed_words = f"{words.count(wrong - raised)} times {low} where {who} says {high}"
    return f"{words.several(wrong, 'errors')}: {raised_words}, {missed_words}."


def cut_words(label: str) -> str:
    """Return the positive side of a cut at a label."""
    return f"{words.shorten(label)} or above"
