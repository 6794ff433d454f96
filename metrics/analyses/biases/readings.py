"""What a bias says, in sentences: an effect only where its interval leaves 0 out, and what else could explain it."""

from __future__ import annotations

from metrics.analyses.biases.compute import Bias, Rival
from metrics.results import words

NONE = "This file has no column of texts and none that names models, so neither length nor own family can be looked at."


def reading(bias: Bias, positive: str) -> str:
    """Return the effect, people's own difference, and rivals.

    Parameters
    ----------
    bias : Bias
    positive : str
        The positive label.
    """
    return " ".join(filter(None, (_effect(bias, positive), _people(bias, positive), *(_rival(bias, one) for one in bias.rivals))))


def _groups(bias: Bias) -> str:
    if bias.kind == "length":
        return f"texts in {words.shorten(bias.column)} of more than {words.count(int(bias.what))} letters"
    return f"answers of its own family, {bias.what} in {words.shorten(bias.column)},"


def _effect(bias: Bias, positive: str) -> str:
    estimate, label = bias.judge, words.shorten(positive)
    what = "length" if bias.kind == "length" else "own family"
    if estimate.ends is None:
        return f"{words.capital(what)}, {words.shorten(bias.column)}: undefined, {estimate.why}."
    where = _groups(bias)
    on = "with the same reference label" if bias.kind == "length" else "beyond what the reference says"
    points = words.estimate(abs(estimate), "points").replace("+", "")
    side = words.side_of_0(estimate.ends)
    if not side:
        return f"No significant effect of {what} ({words.shorten(bias.column)}): {words.estimate(estimate, 'points')} {on}."
    return f"The judge says {label} {'more' if side > 0 else 'less'} often on {where} {on}, by {points}."


def _people(bias: Bias, positive: str) -> str:
    estimate = bias.reference
    if estimate.ends is None:
        return ""
    side = words.side_of_0(estimate.ends)
    label = words.shorten(positive)
    if not side:
        return f"The reference itself gives {label} neither more nor less often there: {words.estimate(estimate, 'points')}."
    points = words.estimate(abs(estimate), "points").replace("+", "")
    return f"The reference itself gives {label} {'more' if side > 0 else 'less'} often there, by {points}."


def _rival(bias: Bias, rival: Rival) -> str:
    """Return what is left of the effect within the values of a column that goes with the groups."""
    if not words.side_of_0(bias.judge.ends):
        return ""
    name = words.shorten(rival.column)
    if rival.within.ends is None:
        return f"Confounded with {name}: {rival.within.why} within its values."
    same = words.side_of_0(rival.within.ends) == words.side_of_0(bias.judge.ends)
    left = words.estimate(rival.within, "points")
    if same:
        return f"It goes with {name}, and stays within its values: {left}."
    return f"Confounded with {name}: within its values the effect is {left}, not significant."


MEANS = {
    "length": "A judge that is kinder to long answers rewards padding: say in its prompt that length is no merit.",
    "family": "A judge that is kinder to its own family cannot rank it against others: use a judge of a third family.",
}


def means(bias: Bias) -> str:
    """Return what an effect would mean for the judge; empty where none is significant, or a rival explains it."""
    side = words.side_of_0(bias.judge.ends)
    explained = any(words.side_of_0(rival.within.ends) != side for rival in bias.rivals)
    return MEANS[bias.kind] if side > 0 and not explained else ""
