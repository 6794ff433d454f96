"""Is the order of groups by κ that by accuracy? Where one label prevails more in one group than in another, it need not be."""

from __future__ import annotations

from metrics.analyses.slices.result import JudgeSlices, Slice
from metrics.measures.catalogue import BY_KEY
from metrics.results import words
from metrics.results.words import quoted

MOST_NAMED = 5
LEAST_UNEVEN = 0.1
"""How much larger the share of the commonest label must be in a group for the order by κ to be explained by it."""


def order_reading(judge: JudgeSlices) -> str:
    """Return the group that ranks lowest by κ although others of lower accuracy rank above it; empty where none does.

    The share of its commonest label is larger than theirs: κ is lower there at the same accuracy.

    Parameters
    ----------
    judge : JudgeSlices
        Its groups, worst first.
    """
    metric = judge.metric
    ranked = [each for each in judge.slices if _is_ranked(each, metric)]
    for place, each in enumerate(ranked):
        if passed := [other for other in ranked[place + 1 :] if _passes(each, other, metric)]:
            return _sentence(judge, each, passed)
    return ""


def _is_ranked(each: Slice, metric: str) -> bool:
    return not each.small[metric] and each[metric].defined and each["accuracy"].defined


def _passes(each: Slice, other: Slice, metric: str) -> bool:
    """Return whether a group lies lower by κ, higher by accuracy, and has the more uneven labels."""
    lower = each[metric].value < other[metric].value and each["accuracy"].value > other["accuracy"].value
    return lower and each["baseline_accuracy"].value - other["baseline_accuracy"].value >= LEAST_UNEVEN


def _sentence(judge: JudgeSlices, each: Slice, passed: list[Slice]) -> str:
    symbol, one = BY_KEY[judge.metric].symbol, len(passed) == 1
    which = words.listed([quoted(other.value) for other in passed], MOST_NAMED)
    label = words.marked(words.shorten(each.commonest))
    return (
        f"The order by {symbol} is not that by accuracy: {quoted(each.value)} lies below {which} by {symbol}, and above "
        f"{'it' if one else 'them'} by accuracy ({words.percent(each['accuracy'].value)}). In {quoted(each.value)} the "
        f"reference is {label} on {words.percent(each['baseline_accuracy'].value)} of decisions; in {which} the commonest label "
        f"has {_shares(passed)}. At the same accuracy {symbol} is lower where one label prevails."
    )


def _shares(groups: list[Slice]) -> str:
    """Return the share of the commonest label in other groups."""
    low, *_, high = (words.percent(share) for share in sorted([each["baseline_accuracy"].value for each in groups] * 2))
    return low if low == high else f"{low} to {high}"
