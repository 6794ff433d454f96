"""What a metric needs of a table to have a value, and why it has none where a need is not met."""

from __future__ import annotations

from collections.abc import Sequence

from metrics.measures.arrays import FloatArray
from metrics.measures.metric import Metric, Need


def why_undefined(metric: Metric, counts: FloatArray, labels: Sequence[str], reference: str = "the reference") -> str:
    """Return why a metric has no value on one table; empty when it has one.

    Parameters
    ----------
    metric : Metric
    counts : ndarray, shape (K, K)
    labels : sequence of str
        Names on both axes.
    reference : str
        What the rows are called.
    """
    return why_not(metric.needs, counts, labels, reference)


def why_not(needs: Sequence[Need], counts: FloatArray, labels: Sequence[str], reference: str = "the reference") -> str:
    """Return the first of some needs that a table does not meet, or that it is empty, as a reason; empty when it meets them.

    Parameters
    ----------
    needs : sequence of Need
    counts : ndarray, shape (K, K)
    labels : sequence of str
        Names on both axes.
    reference : str
        What the rows are called.
    """
    if not counts.sum():
        return "no decision is left"
    for need in needs:
        if not holds(need, counts):
            return _sentence(need, counts, labels, reference)
    return ""


def holds(need: Need, counts: FloatArray) -> bool:
    """Return whether a table meets a need. Needs that speak of positives hold for every table of more than two classes.

    Parameters
    ----------
    need : Need
    counts : ndarray, shape (K, K)
    """
    reference, judge = counts.sum(-1) > 0, counts.sum(-2) > 0
    if need == "two labels":
        return bool((reference | judge).sum() > 1)
    if need == "reference varies":
        return bool(reference.sum() > 1)
    if need == "judge varies":
        return bool(judge.sum() > 1)
    if len(reference) > 2:
        return True
    place = 0 if need.endswith("positive") else 1
    if need == "reference has both":
        return bool(reference.all())
    if need.startswith("some"):
        return bool(reference[place] or judge[place])
    return bool((reference if need.startswith("reference") else judge)[place])


def _sentence(need: Need, counts: FloatArray, labels: Sequence[str], who: str) -> str:
    reference, judge = counts.sum(-1), counts.sum(-2)
    if need == "two labels":
        return f"both sides give only {labels[int(reference.argmax())]}"
    if need == "reference varies":
        return f"{who} gives one label only, {labels[int(reference.argmax())]}"
    if need == "judge varies":
        return f"the judge gives one label only, {labels[int(judge.argmax())]}"
    if need == "reference has both":
        return f"{who} never says {labels[int(reference.argmin())]}"
    side = {"some": "nobody says", "reference": f"{who} never says", "judge": "the judge never says"}[need.split()[0]]
    return f"{side} {labels[0 if need.endswith('positive') else 1]}"
