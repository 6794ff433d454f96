"""What the labels of one criterion point to: a suggestion with its evidence, for people to take or to leave."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from metrics import words
from metrics.reliability.report import STATISTICS, shown
from metrics.results import Block
from metrics.reviewing.bands import SOURCE
from metrics.reviewing.criteria import Reviewed, habit
from metrics.reviewing.decisions import Action

GOOD = 0.6
"""Above it κ is called substantial (Landis & Koch)."""
OFTEN_OPEN = 0.2
"""Share of decisions that a side leaves open from which the criterion is hard to apply."""
RARE = 10
"""Decisions with a label below which its errors say little."""
MUCH = 0.1
"""Difference of the shares of a label, of several, from which a judge favours or avoids it."""
ENOUGH = 50
"""Decisions from which a label that never occurs is rare, and not only unseen."""


@dataclass(frozen=True)
class Suggestion:
    """One sentence, evidence first.

    Attributes
    ----------
    action : Action
        Empty where the labels call for more items before any decision.
    """

    action: Action
    text: str


Rule = Callable[[Reviewed], Suggestion | None]


def suggestion(own: Reviewed) -> Suggestion:
    """The first that applies: nothing to judge, one side only, humans who do not agree, open answers, then the judge."""
    found = (rule(own) for rule in (_nothing, _one_sided, _raters, _one_answer, _open, _good, _drifts, _both_ways))
    return next((one for one in found if one is not None), _unclear(own))


def _nothing(own: Reviewed) -> Suggestion | None:
    if own.scale == "continuous":
        return Suggestion("", "Its values are scores, which have no κ: the page Scores says how near the judge’s come.")
    if own.block is None or not own.block.n:
        why = own.missing or own.undefined
        return Suggestion("relabel", f"No decision can be counted ({why}): have both sides label some of the same items.")
    return None


def _one_sided(own: Reviewed) -> Suggestion | None:
    """A label that the reference hardly gives: nothing can be said of the judge until there is more of it."""
    block = _block(own)
    table = np.asarray(block.confusion)
    given = table.sum(1)
    there = int((given > 0).sum())
    if there < 2:
        only = words.shorten(block.labels[int(given.argmax())])
        every = f"The reference says {only} on all {words.count(block.n)} decisions"
        if block.n is not None and block.n >= ENOUGH and table[given.argmax(), given.argmax()] == block.n:
            return Suggestion(
                "drop", f"{every}, and so does the judge: it tells no item from another here. Drop it, or collect others."
            )
        return Suggestion("", f"{every}: collect items that should get another label before deciding.")
    rare = int(np.where(given > 0, given, given.max() + 1).argmin())
    if given[rare] < RARE and len(given) == 2:
        many = f"{words.count(given[rare])} of {words.count(block.n)} decisions"
        return Suggestion(
            "", f"The reference says {words.shorten(block.labels[rare])} on only {many}: collect more such items before deciding."
        )
    return None


def _raters(own: Reviewed) -> Suggestion | None:
    """Humans below the floor: the judge has nothing firm to agree with."""
    humans = own.humans
    if humans is None or humans.gate.verdict != "fails":
        return None
    key = "alpha" if humans.gate.on == "alpha" else "mean_pairwise_kappa"
    value = f"{STATISTICS[key].symbol} {shown(humans, key)}"
    return Suggestion(
        "sharpen",
        f"The humans do not agree among themselves ({value}, below the floor of {words.three(humans.gate.line)}): sharpen the "
        "wording on the items they split on, then label again.",
    )


def _one_answer(own: Reviewed) -> Suggestion | None:
    """A judge that says one label on everything."""
    sided = own.one_sided
    if sided is None or sided[0] != "judge":
        return None
    block = _block(own)
    said = words.shorten(sided[1])
    share = words.percent(np.asarray(block.confusion).sum(1)[block.labels.index(sided[1])] / max(block.n or 0, 1))
    start = f"The judge says {said} on all {words.count(block.n)} decisions, the reference on {share}"
    return Suggestion("sharpen", f"{start}: say in the wording what another label needs, with an example.")


def _open(own: Reviewed) -> Suggestion | None:
    its = own.coverage
    if its is None:
        return None
    sides = {"judge": its.judge_abstention_rate, "reference": its.human_abstention_rate}
    who = max(sides, key=lambda side: sides[side])
    if not sides[who] >= OFTEN_OPEN:
        return None
    often = f"on {words.percent(sides[who])} of decisions"
    if own.scale == "pairwise":
        return Suggestion("sharpen", f"The {who} prefers neither answer {often}: say in the wording when two answers tie.")
    return Suggestion("sharpen", f"The {who} gives no verdict {often}: say in the wording what to do where it does not show.")


def _good(own: Reviewed) -> Suggestion | None:
    if own.ends is None or own.ends[0] <= GOOD:
        return None
    lean = _lean(_block(own))
    beside = f", but mind that the judge is {lean}" if lean else ""
    return Suggestion(
        "keep", f"{own.symbol} is {_value(own)}, substantial or better ({SOURCE}) over its whole interval: keep it{beside}."
    )


def _drifts(own: Reviewed) -> Suggestion | None:
    """A judge that gives one label too often or too rarely, beyond the noise."""
    block = _block(own)
    if len(block.labels) != 2:
        return _favours(own, block)
    lean = _lean(block)
    if not lean:
        return None
    enough = f"say in the wording what is just enough for {words.shorten(block.labels[0])}, with an example"
    return Suggestion("sharpen", f"The judge is {lean}: {enough}.")


def _lean(block: Block) -> str:
    """Lenient or strict on two labels, with its errors; empty within the noise."""
    ends = block.ends("drift") if len(block.labels) == 2 else None
    if ends is None or ends[0] <= 0 <= ends[1]:
        return ""
    missed, passed = int(np.asarray(block.confusion)[0, 1]), int(np.asarray(block.confusion)[1, 0])
    kind = "lenient" if block.values["drift"] > 0 else "strict"
    return f"{kind} ({words.several(passed, 'times')} {words.shorten(block.labels[0])} too many, {words.count(missed)} too few)"


def _favours(own: Reviewed, block: Block) -> Suggestion | None:
    """Of several labels, one that the judge gives far more often, or far less often, than the reference."""
    label, gap = habit(block)
    if abs(gap) < MUCH or own.ends is None or own.ends[1] >= GOOD:
        return None
    table = np.asarray(block.confusion, np.float64)
    place = block.labels.index(label)
    judge, reference = (words.percent(table.sum(axis)[place] / table.sum()) for axis in (0, 1))
    start = f"The judge says {words.shorten(label)} on {judge} of decisions, the reference on {reference}"
    return Suggestion("sharpen", f"{start}: say in the wording what sets it apart from the other labels, with examples.")


def _both_ways(own: Reviewed) -> Suggestion | None:
    """Errors to both sides where κ is surely low: what humans agree on, one criterion may not hold."""
    if own.ends is None or own.ends[1] >= GOOD:
        return None
    humans = own.humans
    firm = humans is not None and humans.gate.verdict == "passes"
    agreed = (
        "although the humans agree" if firm else "to both sides" if len(_block(own).labels) == 2 else "between several labels"
    )
    start = f"{own.symbol} is {_value(own)}, and the judge errs {agreed}"
    if not own.ratings.has_rows:
        return Suggestion("sharpen", f"{start}: read what they differ on where the items are, then sharpen the wording.")
    return Suggestion(
        "split" if firm else "sharpen",
        f"{start}: read the disagreements below"
        + ("; if they are of two kinds, split it in two." if firm else ", then sharpen the wording."),
    )


def _unclear(own: Reviewed) -> Suggestion:
    if math.isnan(own.kappa):
        return Suggestion("", f"κ is undefined ({own.undefined}): label more items before deciding.")
    start = f"{own.symbol} is {_value(own)}"
    read = "Read the disagreements, or label" if own.ratings.has_rows else "Label"
    return Suggestion("", f"{start}: the numbers alone do not decide. {read} more items.")


def _value(own: Reviewed) -> str:
    ends = f" {words.bounds(own.ends)}" if own.ends is not None else ", without an interval"
    return f"{words.number(own.kappa)}{ends}"


def _block(own: Reviewed) -> Block:
    assert own.block is not None
    return own.block
