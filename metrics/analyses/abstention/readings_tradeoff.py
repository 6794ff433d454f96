"""What a judge buys with its abstentions, and what its scores could buy, in sentences.

`name` wraps words that come from the user's file, so that a page can set them apart and escape them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from metrics.analyses.abstention.selective import Curve, Traded
from metrics.analyses.agreement.readings import Name, plain_name
from metrics.data.aggregation import Level
from metrics.results import words

CLEARLY = 0.6
"""Share of pairs, of which guessing has half, below which scores are said to tell a little."""


def tradeoff_reading(
    points: Sequence[Traded], judge: str, curve: Curve | None, *, level: Level = "micro", name: Name = plain_name
) -> str:
    """Return what the chosen judge buys with its abstentions, how the others fare, and what its scores could buy.

    The shares are of decisions at every level; away from micro the sentence says so.

    Parameters
    ----------
    points : sequence of Traded
        All judges, the chosen one among them.
    judge : str
        The chosen one.
    curve : Curve or None
        Of the chosen judge; None where it has no scores.
    level : {"micro", "macro", "item"}
    name : callable
        Wraps words that come from the user's file.
    """
    traded = next(point for point in points if point.judge == judge)
    if math.isnan(traded.accuracy):
        return f"{name(judge)} and the human never answer the same decision, so there is no accuracy to read."
    split_share = traded.n_split / traded.n_total
    open_share = (
        (traded.n_total - traded.n_split) / traded.n_total - traded.coverage
        if traded.n + traded.n_split < traded.n_total
        else 0.0
    )
    right = words.percent(traded.accuracy)
    often = f"{right} of the time" if level == "micro" else f"on {right} of its decisions"
    where = "it answers" if traded.judge_open or not traded.human_open else "the human answers"
    where = "both answer" if traded.judge_open and traded.human_open else where
    text = f"where {where}, {name(judge)} is right {often}"
    text += (
        f", but {_who_leaves(traded)} {words.percent(open_share)} undecided."
        if open_share
        else "; neither it nor the human abstained."
    )
    text += f" On {words.percent(split_share)} the people’s votes split." if traded.n_split else ""
    return text + _others(points, name) + _curve(curve, name(judge))


def _who_leaves(traded: Traded) -> str:
    """Return whose open decisions they are."""
    if traded.judge_open and traded.human_open:
        return "it and the human leave"
    return "the human leaves" if traded.human_open else "it leaves"


def _others(points: Sequence[Traded], name: Name) -> str:
    """Return the shares of all judges; no judge is named the better one, as nothing is tested here."""
    known = [point for point in points if not math.isnan(point.accuracy)]
    if len(known) < 2 or all(point.coverage == 1 for point in known):
        return ""
    low, high = (end(known, key=lambda point: point.accuracy) for end in (min, max))
    among = words.several(len(known), "judges")
    if math.isclose(low.accuracy, high.accuracy):
        return f" All {among} are right equally often where they answer."
    ends = " to ".join(_at(known, point, name) for point in (low, high))
    why = "each judge answers other decisions, and no difference is tested"
    return f" Among {among} the share goes from {ends}. That names no better judge: {why}."


def _at(known: Sequence[Traded], point: Traded, name: Name) -> str:
    """Return a share right, and of whom: with the coverage where it is one judge's."""
    more = sum(math.isclose(other.accuracy, point.accuracy) for other in known) - 1
    beside = f" and {words.count(more)} more" if more else f", coverage {words.percent(point.coverage)}"
    return f"{words.percent(point.accuracy)} ({name(point.judge)}{beside})"


def _curve(curve: Curve | None, judge: str) -> str:
    """Return whether the scores know which verdicts are wrong."""
    if curve is None:
        return ""
    risks = f"{words.p3(curve.aurc)} (shuffled {words.p3(curve.random)}, best possible {words.p3(curve.oracle)})"
    means = f"mean risk{' over all criteria' if curve.pooled else ''} {risks}"
    source = f"the {'scores' if curve.confidence == 'score' else 'confidences'} of {judge}"
    tell = f"{source} predict which verdicts are wrong"
    if curve.disagree:
        return f" The readings disagree on whether {tell}: {_both(curve)}; {means}."
    if not curve.telling.defined:
        apart = curve.pooled is not None and not math.isnan(curve.pooled.b)
        return f" Whether {tell} cannot be estimated: {_both(curve) if apart else f'none of them is {_missing(curve)}'}."
    pairs = f"a right verdict is surer than a wrong one{' on the same criterion' if curve.pooled else ''} in "
    pairs += f"{words.estimate(curve.telling, '%')} of pairs ({words.percent(0.5)} is chance)"
    low, high = curve.telling.ends or (0.0, 1.0)
    if low <= 0.5 <= high:
        return f" It is not shown that {tell}: {pairs}; {means}."
    if low > 0.5:
        little = "" if curve.telling.value >= CLEARLY else "a little "
        return f" {words.capital(source)} predict {little}which verdicts are wrong: {pairs}; {means}."
    return f" {words.capital(source)} mislead: {pairs}; {means}."


def _both(curve: Curve) -> str:
    """Return what holds over all criteria and what within them, where the two disagree."""
    assert curve.pooled is not None
    share = f"{words.percent(curve.pooled.b)}{words.behind(curve.pooled.difference.ends, '%')}"
    over = f"over all criteria a right verdict is surer than a wrong one in {share} of pairs"
    if not curve.telling.defined:
        return f"{over}, but on no criterion is there one of each"
    return f"{over}, within criteria in {words.estimate(curve.telling, '%')} of pairs"


def _missing(curve: Curve) -> str:
    return "wrong" if curve.accuracy[-1] == 1 else "both right and wrong"


def curve_note(curve: Curve, positive: str) -> str:
    """Return what the curve rests on: the cut in use, and what was left out."""
    parts = []
    if curve.confidence != "score":
        parts.append(f"Confidence of the judge: column ‘{curve.confidence}’.")
    if not math.isnan(curve.threshold):
        if curve.confidence == "score":
            parts.append("Confidence of the judge: the distance of its score from the threshold.")
        parts.append(f"Threshold in use: {words.p3(curve.threshold)}, {positive} at or above it{_contradicted(curve)}.")
    if curve.forced:
        parts.append(
            f"Beyond its own verdicts the curve goes on with its {words.several(curve.forced, 'abstentions')}, decided by score."
        )
    if curve.unscored:
        parts.append(f"{words.several(curve.unscored, 'verdicts')} without a number {words.are(curve.unscored)} left out.")
    if curve.n_open:
        parts.append(f"{words.several(curve.n_open, 'decisions')} the human left open can be neither right nor wrong.")
    return " ".join(parts)


def _contradicted(curve: Curve) -> str:
    if not curve.contradicted:
        return ", as all its verdicts say"
    return f"; it contradicts {words.count(curve.contradicted)} of its verdicts"
