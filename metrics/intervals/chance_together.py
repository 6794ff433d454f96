"""Metrics of one table that are at chance together, so that their intervals say one thing about chance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from metrics.measures.arrays import FloatArray, Function, classes_in_use
from metrics.measures.catalogue import BY_KEY
from metrics.measures.transforms import Interval

AT_CHANCE = ("kappa", "phi", "youden_j", "balanced_accuracy", "mcc_multiclass", "macro_j")
"""Metrics that are at chance together (`at_chance`): the interval of one depends on those of the others."""


def at_chance(counts: FloatArray) -> dict[str, float]:
    """Return metrics of one table that are at chance together, and what they are there.

    Parameters
    ----------
    counts : ndarray, shape (K, K)

    Returns
    -------
    dict
        Metric key to its value at chance. With more than two classes in use κ and R_K alone.
    """
    correlation, of_rates = ("phi", "youden_j") if len(counts) == 2 else ("mcc_multiclass", "macro_j")
    together = {"kappa": 0.0, correlation: 0.0}
    return together | ({of_rates: 0.0, "balanced_accuracy": 0.5} if classes_in_use(counts).sum() == 2 else {})


def alike_at_chance(intervals: Mapping[str, Interval], counts: FloatArray) -> dict[str, Interval]:
    """Return intervals of one table, each holding chance where another does that is at chance together with it.

    The numerators of κ, φ, J and 2 BA - 1 have one sign where two classes are in use, those of κ and R_K on any table; means
    over tables do not.

    Parameters
    ----------
    intervals : mapping
        Metric key to interval; one with NaN ends stays as it is.
    counts : ndarray, shape (K, K)
    """
    null_by_key = {key: null for key, null in at_chance(counts).items() if key in intervals and intervals[key].ends}
    if not any(intervals[key].low <= null <= intervals[key].high for key, null in null_by_key.items()):
        return dict(intervals)
    held = {
        key: replace(intervals[key], low=min(intervals[key].low, at), high=max(intervals[key].high, at))
        for key, at in null_by_key.items()
    }
    return {**intervals, **held}


def by_rule_alike_at_chance(
    counts: FloatArray,
    functions: Mapping[str, Function],
    values: Mapping[str, float],
    rule: Callable[[Mapping[str, Function], Mapping[str, float]], dict[str, Interval]],
) -> dict[str, Interval]:
    """Return intervals of one table by a rule, with one conclusion about chance.

    What is at chance together is computed if lacking.

    Parameters
    ----------
    counts : ndarray, shape (K, K)
    functions : mapping
        Metric key to function of counts.
    values : mapping
        Metric key to the value on this table, NaN where undefined.
    rule : callable
        Intervals from functions and values.
    """
    at = at_chance(counts)
    lacking = {key: BY_KEY[key].function for key in at if key not in functions}
    if len(lacking) == len(at):
        return rule(functions, values)
    intervals = rule({**functions, **lacking}, {**values, **{key: float(function(counts)) for key, function in lacking.items()}})
    return {key: interval for key, interval in alike_at_chance(intervals, counts).items() if key not in lacking}
