"""How many items would show that a judge is no worse than another by a margin."""

from __future__ import annotations

from dataclasses import replace

from metrics.analyses.comparison.margin import checked_margin, stated, units_for_margin
from metrics.analyses.comparison.readings import direction
from metrics.analyses.comparison.result import Comparison
from metrics.analyses.planning.compute import SIZES, Plan, spread_words, today_words, too_few_differ, weights_words
from metrics.analyses.planning.sizes import CONFIDENCE, POWER, Needed, about, expected_interval
from metrics.data.checks import checks_arguments
from metrics.measures.catalogue import BY_KEY
from metrics.results import words


@checks_arguments
def plan_margin(comparison: Comparison, margin: float, *, true: float = 0.0, confidence: float = CONFIDENCE) -> Plan:
    """Return how many items would show that judge B is no worse than judge A by a margin.

    Parameters
    ----------
    comparison : Comparison
    margin : float
        How much worse B may be, on the metric's own scale.
    true : float
        The true difference, B less A, towards the better side: 0 where both are equally good.
    confidence : float
        In (0, 1).

    Raises
    ------
    InputError
        For a margin that is not above 0, or of a metric that has no better side.
    """
    better = direction(comparison.metric)
    margin = checked_margin(margin, comparison.metric, better)
    few, by_weight = too_few_differ(comparison), comparison.weighted
    difference, error, grows, n_now = comparison.difference, comparison.error, comparison.growth, comparison.n_units
    weighted = by_weight is not None and by_weight.difference.interval is not None
    if by_weight is not None and weighted:
        difference, error, grows = by_weight.difference, by_weight.error, by_weight.growth
    needed = Needed(None, few) if few else _needed(comparison, (error, grows), margin, better, true, confidence)
    ends = [expected_interval(difference.value, error, n_now, n, None, confidence) for n in SIZES]
    a, b, size = comparison.a.name, comparison.b.name, stated(margin, BY_KEY[comparison.metric].unit)
    sentence, column = _sentence(comparison, margin, true, needed), "" if by_weight is None else by_weight.column
    if column:
        sentence = f"{sentence} {weights_words(column, comparison.units, weighted=weighted)}"
    question = f"Is {b} at most {size} worse than {a} in {BY_KEY[comparison.metric].symbol}?"
    return Plan(
        question, comparison.metric, difference, error, -better * margin, n_now, SIZES, tuple(low for low, _ in ends),
        tuple(high for _, high in ends), needed, sentence, confidence=confidence,
        difference=True, one_sided=True, counted=comparison.units, weights=column if weighted else "",
    )  # fmt: skip


def _sentence(comparison: Comparison, margin: float, true: float, needed: Needed) -> str:
    size = stated(margin, BY_KEY[comparison.metric].unit)
    truth = "both are equally good" if not true else f"the true difference is {stated(true, BY_KEY[comparison.metric].unit)}"
    now, units = words.count(comparison.n_units), comparison.units
    what = f"{comparison.b.name} would be shown to be at most {size} worse than {comparison.a.name}"
    if needed.n is None:
        return f"how many {units} it takes until {what} cannot be told from these {now}: {needed.reason}."
    enough = f"these {now} are enough for that" if needed.n <= comparison.n_units else f"there are {now} now"
    one = replace(comparison, margin=margin).held
    shown = "" if one is None else f": {one.verdict.replace(' within the margin', ', but non-inferior')} at the margin of {size}"
    tell = f"If {truth}, {what} on {about(needed.n)} {units} in {words.percent(POWER)} of studies; {enough}."
    return f"{today_words(comparison)}{shown}. {tell} {spread_words(comparison)}"


def _needed(
    comparison: Comparison, spread: tuple[float, tuple[float, float]], margin: float, better: int, true: float, confidence: float
) -> Needed:
    error, grows = spread
    slope = grows[0] if better > 0 else -grows[1]
    n = units_for_margin(error, slope, comparison.n_units, margin, true, confidence=confidence, power=POWER)
    if n is not None:
        return Needed(n)
    beyond = "the true difference lies beyond the margin"
    return Needed(None, beyond if true + margin <= 0 else comparison.no_interval or "there is no standard error")
