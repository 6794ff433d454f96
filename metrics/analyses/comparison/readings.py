"""Comparisons of two judges in words: readings and notes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from metrics.analyses.comparison.levels import LevelName, Reading, disagree
from metrics.analyses.comparison.margin import interval_words, stated, told_from
from metrics.analyses.comparison.permutation import on_which_criteria
from metrics.analyses.planning.sizes import about
from metrics.measures.catalogue import BY_KEY, TURNED
from metrics.results import words
from metrics.results.words import several

if TYPE_CHECKING:
    from metrics.analyses.comparison.result import Comparison, Side
    from metrics.analyses.comparison.weighted import WeightedDifference

# A difference below this is written finer: two decimals would hide it.
SMALL = 0.01
LOWER_IS_BETTER = ("fpr", "fnr")
CHANCE_IS_ZERO = ("kappa", "kappa_within", "weighted_kappa_linear", "weighted_kappa_quadratic", "phi", "youden_j")
"""Metrics that are 0 for a judge at chance."""
LEVEL_WORDS: dict[LevelName, str] = {"micro": "micro", "macro": "macro", "within": "within criteria"}
COMES_FROM = " The difference comes from decisions that only one of them answered."
SILENCE_WORDS = {
    "all answered": "all that each answered", "both answered": "what both answered", "as negative": "abstentions as negative",
}  # fmt: skip
"""Readings by what becomes of abstentions, as `Comparison.others` names them, in a table."""


def direction(metric: str) -> int:
    """Return 1 where higher is better, -1 where lower is, 0 where neither is."""
    if metric in LOWER_IS_BETTER:
        return -1
    return 0 if BY_KEY[metric].group == "shape" else 1


def reading(comparison: Comparison) -> str:
    """Return whether a judge is better, by how much, and what a margin that was stated says of it."""
    return " ".join(filter(None, (_better(comparison), margin_words(comparison), turned_words(comparison))))


def turned_words(comparison: Comparison) -> str:
    """Return which judge is below chance, so that its labels may be turned round; empty where none is."""
    if comparison.metric not in CHANCE_IS_ZERO:
        return ""
    below = [side.name for side in (comparison.a, comparison.b) if side.estimate.sign < 0 and side.estimate.value <= TURNED]
    if not below:
        return ""
    use = "it uses" if len(below) == 1 else "they use"
    return f"{words.listed(below)} {words.are(len(below))} below chance: check first which way round {use} the labels."


def margin_words(comparison: Comparison) -> str:
    """Return what the margin says in a sentence; empty where none was stated."""
    one, a, b = comparison.held, comparison.a.name, comparison.b.name
    if one is None:
        return ""
    unit = BY_KEY[comparison.metric].unit
    margin, worst = f"the margin of {stated(one.margin, unit)}", told_from(one.worst, one.margin, unit)
    by = interval_words(one, unit) if one.interval else ""
    if one.verdict == "better":
        return f"So it holds {margin} too: {by}."
    if one.verdict == "non-inferior":
        at_most = f"it is at most {worst} worse" if one.worst > 0 else "it is no worse at all"
        return f"{b} is non-inferior to {a} by {margin}: {by}, so {at_most}."
    if one.verdict == "worse within the margin":
        return f"{b} is worse than {a} by less than {margin}: {by}, so by at most {worst}."
    if one.verdict == "inferior":
        return f"{b} is inferior to {a}, worse by more than {margin}: {by}."
    more = one.needed is not None and one.needed > comparison.n_units and not (one.why or comparison.settled)
    tell = f" If both are equally good, {about(one.needed)} {comparison.units} would tell." if more and one.needed else ""
    why = one.why or f"{by}, so it may be {worst} worse"
    return f"Whether {b} is worse than {a} by more than {margin} is undecided: {why}.{tell}"


def breaks_margin(comparison: Comparison, margin: float, better: int) -> str:
    """Return at which level, or with what is left open counted, a margin does not hold; empty where it does everywhere."""
    levels = ((f"read {LEVEL_WORDS[name]}", level) for name, level in comparison.levels.items())
    return _breaks(comparison, levels, margin, better) or breaks_with_silence(comparison, margin, better)


def breaks_with_silence(comparison: Comparison, margin: float, better: int) -> str:
    """Return how what is left open must be counted for a margin not to hold; empty where it does in every way."""
    rest = comparison.silence
    if rest is None:
        return ""
    readings = [("on all that each answered", rest.whole)]
    if rest.as_unmet is not None:
        readings.append((f"with abstentions as {negative_of(comparison)}", rest.as_unmet))
    return _breaks(comparison, readings, margin, better)


def _breaks(comparison: Comparison, readings: Iterable[tuple[str, Reading]], margin: float, better: int) -> str:
    ends = ((where, one.difference.ends) for where, one in readings)
    each = [(0.0 if end is None else -end[0] if better > 0 else end[1], where) for where, end in ends]
    worst, where = max(each, default=(0.0, ""))
    size = told_from(worst, margin, BY_KEY[comparison.metric].unit)
    return f"{where} it may be {size} worse" if worst >= margin and worst > 0 else ""


def negative_of(comparison: Comparison) -> str:
    """Return the negative label as the file spells it first."""
    return next(iter(comparison.declaration.labels["negative"]), "negative")


def _better(comparison: Comparison) -> str:
    """Return whether a judge is better, by how much; where readings disagree that comes first, and no judge is named."""
    start = f"on {words.count(comparison.n_items)} shared {'item' if comparison.n_items == 1 else 'items'}{_grouped(comparison)}"
    symbol = symbol_of(comparison.metric)
    if comparison.weighted is not None and comparison.permutation.n_differ:
        return f"{start} {_better_by_weight(comparison, comparison.weighted)}"
    if not comparison.difference.defined:
        return f"{start} the difference in {symbol} is undefined: {comparison.difference.why}.{_from_silence(comparison)}"
    if not comparison.permutation.n_differ:
        return f"{start} no item separates {comparison.a.name} and {comparison.b.name}.{_from_silence(comparison)}"
    if comparison.disagree:
        return _disagreeing(comparison)
    if not comparison.settled:
        return f"{start} {_not_significant(comparison)}"
    ahead = comparison.winner or comparison.ahead
    behind = comparison.a.name if ahead == comparison.b.name else comparison.b.name
    verb = "beats" if comparison.winner else "is above"
    size = words.estimate(abs(comparison.difference), unit_of(comparison)).lstrip("+")
    taken = " with items taken as independent, which they are not" if comparison.in_groups else ""
    p = p_words(comparison.permutation.p)
    return f"{start} {ahead} {verb} {behind} by {size} in {symbol}: significant ({p}){taken}."


def _better_by_weight(comparison: Comparison, by_weight: WeightedDifference) -> str:
    """Return the same where items have weights: their difference, its test and the readings at other levels decide."""
    symbol, how, a, b = symbol_of(comparison.metric), by_weight_words(by_weight), comparison.a.name, comparison.b.name
    if not by_weight.difference.defined:
        return f"the difference in {symbol} with every item {how} is undefined."
    less, p = f"{b} minus {a} is {_by_weight(comparison)}", p_words(by_weight.p)
    if disagree(comparison.decisive):
        shown = words.listed([f"{reading_words(one)} in {symbol_of(one.metric)}" for one in comparison.decisive])
        return f"the levels disagree with every item {how}, so no judge is named the better one: {b} minus {a} is {shown}."
    if not comparison.settled:
        return f"there is no significant difference in {symbol} with every item {how}: {less} ({p})."
    ahead = comparison.winner or comparison.ahead
    verb, behind = "beats" if comparison.winner else "is above", a if ahead == b else b
    size = words.estimate(abs(by_weight.difference), unit_apart(comparison.metric)).lstrip("+")
    return f"{ahead} {verb} {behind} by {size} in {symbol} with every item {how}: significant ({p})."


def symbol_of(metric: str) -> str:
    """Return the metric in a sentence."""
    return "κ within criteria" if metric == "kappa_within" else BY_KEY[metric].symbol


def _grouped(comparison: Comparison) -> str:
    return f" in {several(comparison.n_units, comparison.units)}" if comparison.settings.by_column else ""


def _not_significant(comparison: Comparison) -> str:
    """Return the difference with its interval, without a direction, and what would find one as large."""
    symbol, p = symbol_of(comparison.metric), p_words(comparison.permutation.p)
    less = f"{comparison.b.name} minus {comparison.a.name} is {words.estimate(comparison.difference, unit_of(comparison))}"
    if comparison.difference.interval is None:
        return f"{less} in {symbol}. There is no interval ({comparison.no_interval}); the permutation test alone says {p}."
    text = f"there is no significant difference in {symbol}: {less} ({p})."
    if comparison.difference.sign:
        return f"{text} The interval excludes 0, the permutation test does not agree.{_detecting(comparison)}"
    if comparison.permutation.p <= 1 - comparison.settings.confidence:
        text += " The permutation test rejects, but the interval includes 0: in a small sample the two can disagree."
    return f"{text}{_detecting(comparison)}"


def _detecting(comparison: Comparison) -> str:
    needed = comparison.needed
    if needed.n is None:
        return f" No number of {comparison.units} can be named: {needed.reason}."
    if needed.n <= comparison.n_units:
        return ""
    return f" Detecting it would take {about(needed.n)} {comparison.units}."


def _disagreeing(comparison: Comparison) -> str:
    """Return the readings side by side, without a winner."""
    parts = ["the readings disagree, so no judge is named the better one."]
    if disagree(comparison.levels.values()):
        parts.append(levels_words(comparison))
    if comparison.silence is not None and disagree([comparison.common, *comparison.silence.readings]):
        parts += silence_words(comparison)
    return " ".join(parts) + (COMES_FROM if comparison.from_silence else "")


def _from_silence(comparison: Comparison) -> str:
    """Return the readings where nothing but abstentions tells the judges apart; else empty."""
    if comparison.silence is None or not comparison.from_silence:
        return ""
    return f" {' '.join(silence_words(comparison))}{COMES_FROM}"


def levels_words(comparison: Comparison) -> str:
    """Return the comparison at every level, in a sentence; empty where there is one level."""
    shown = [f"{LEVEL_WORDS[name]} {reading_words(level_reading)}" for name, level_reading in comparison.levels.items()]
    symbol = BY_KEY["kappa" if comparison.metric == "kappa_within" else comparison.metric].symbol
    return f"{comparison.b.name} minus {comparison.a.name} in {symbol}: {', '.join(shown)}." if shown else ""


def silence_words(comparison: Comparison) -> list[str]:
    """Return the comparison with what is left open counted in other ways, one sentence each."""
    if comparison.silence is None:
        return []
    rest, what = comparison.silence, "items" if comparison.level == "item" else "decisions"
    less = f"{comparison.b.name} minus {comparison.a.name} is"
    answered, out = rest.answered or comparison.common, []
    both = f"{reading_words(answered)} on the {words.count(answered.n[0])} {what} both answered"
    if rest.answered is None and rest.whole.n == answered.n:
        pass
    elif rest.answered is None:
        out.append(
            f"On all that each answered {less} {reading_words(rest.whole)} in {symbol_of(comparison.metric)}: {both}, "
            f"{words.estimate(rest.left_open, unit_apart(comparison.metric))} from decisions that only one of them answered."
        )
    else:
        out.append(
            f"With abstentions counted {less} {reading_words(comparison.common)} in {symbol_of(comparison.metric)}: {both}."
        )
    if rest.as_unmet is not None:
        out.append(f"With abstentions as {negative_of(comparison)} the difference is {reading_words(rest.as_unmet)}.")
    return out


def criteria_apart(comparison: Comparison) -> str:
    """Return on which criteria a judge is right more often that is not the better one over all; empty where on none."""
    level, names = 1 - comparison.settings.confidence, (comparison.a.name, comparison.b.name)
    return on_which_criteria(comparison.on_criteria, names, level, comparison.winner)


def reading_words(one_reading: Reading) -> str:
    """Return difference and interval of one reading."""
    return words.estimate(one_reading.difference, unit_apart(one_reading.metric))


def notes(comparison: Comparison) -> Iterator[str]:
    """Yield what a reader must know beside the numbers, one sentence each."""
    test = comparison.permutation
    main_reading = comparison.reading
    if (levels := levels_words(comparison)) and levels not in main_reading:
        yield levels
    if comparison.weighted is not None:
        yield _weighted_note(comparison, comparison.weighted)
    if apart := criteria_apart(comparison):
        yield apart
    if comparison.outcomes["open"]:
        what = "items" if comparison.level == "item" else "decisions"
        shares = (
            f"{words.percent(comparison.a.coverage)} count for {comparison.a.name}, "
            f"{words.percent(comparison.b.coverage)} for {comparison.b.name}"
        )
        both = words.count(comparison.n_shared - comparison.outcomes["open"])
        yield (
            f"Of the {words.count(comparison.n_shared)} shared {what} {shares}; the comparison rests on the {both} both answered."
        )
    yield from (text for text in silence_words(comparison) if text not in main_reading)
    k, of = comparison.difference.of or (0, 0)
    if k < of:
        yield f"The mean is over the {k} of {of} criteria where {BY_KEY[comparison.metric].symbol} is defined for both."
    if test.stopped:
        done = f"{words.count(test.replicates)} of {words.count(test.asked)} swaps"
        yield f"The permutation test was stopped after {done}; p rests on these."
    if test.undefined:
        yield (
            f"In {words.count(test.undefined)} of {words.count(test.replicates)} swaps the difference is "
            "undefined; p leaves them out."
        )
    if comparison.difference.note:
        yield f"Small numbers: {comparison.difference.note}."
    if comparison.mcnemar is not None and _tests_disagree(comparison):
        yield (
            f"McNemar’s test ({p_words(comparison.mcnemar.p)}) and the permutation test "
            f"({p_words(test.p)}) disagree: the first is about accuracy, the second about {BY_KEY[comparison.metric].symbol}."
        )
    yield from filter(None, (comparison.in_groups, *comparison.cautions))


def _weighted_note(comparison: Comparison, by_weight: WeightedDifference) -> str:
    """Return the difference by weight with its tests, and what a margin says of it."""
    less = f"{comparison.b.name} minus {comparison.a.name} is {_by_weight(comparison)} in {symbol_of(comparison.metric)}"
    p = "" if math.isnan(by_weight.p) else f" ({p_words(by_weight.p)} by swaps)"
    on = f"{several(by_weight.n_items, 'items')} worth {words.count(int(by_weight.n_effective))} of equal weight"
    accuracy = ""
    if comparison.mcnemar is not None and not math.isnan(by_weight.p_accuracy):
        accuracy = f" McNemar’s test takes no weights; a t test of accuracy by weight gives {p_words(by_weight.p_accuracy)}."
    return (
        f"With every item {by_weight_words(by_weight)} {less}{p}, on {on}.{accuracy} "
        f"What does not name ‘{words.shorten(by_weight.column)}’ counts every item once."
    )


def _tests_disagree(comparison: Comparison) -> bool:
    """Return whether McNemar's test of accuracy and the permutation test of another metric fall on two sides of the level."""
    if (
        comparison.mcnemar is None
        or not comparison.mcnemar.n
        or comparison.metric == "accuracy"
        or math.isnan(comparison.permutation.p)
    ):
        return False
    level = 1 - comparison.settings.confidence
    return (comparison.mcnemar.p <= level) != (comparison.permutation.p <= level)


def p_words(p: float) -> str:
    """Return p = 0.031, or p < 0.001 where three decimals would be 0."""
    return "p < 0.001" if p < 0.0005 else f"p = {words.p3(p)}"


def unit_of(comparison: Comparison) -> str:
    """Return the unit in which the difference is written; a finer one where two decimals would hide it."""
    return unit_apart(comparison.metric) or (words.FINE if 0 < abs(comparison.difference.value) < SMALL else "")


def unit_apart(metric: str) -> str:
    """Return the unit of a difference of two values of a metric."""
    return words.unit_of_difference(BY_KEY[metric].unit if metric in BY_KEY else "")


def share_words(comparison: Comparison, side: Side) -> str:
    """Return coverage; where answers without a verdict stand in the numbers, the share that counts, which is another one."""
    share = words.percent(side.coverage)
    return f"{share} count, with a verdict or without" if some_count(comparison) else f"coverage {share}"


def some_count(comparison: Comparison) -> bool:
    """Return whether answers without a verdict may stand in the numbers."""
    d = comparison.declaration
    return d.abstention != "exclude" or any(how not in ("exclude", "abstention") for how in d.handling.values())


def beside_words(comparison: Comparison) -> list[str]:
    """Return the readings, short: by level, and by what becomes of abstentions."""
    levels = [f"{LEVEL_WORDS[name]} {reading_words(level_reading)}" for name, level_reading in comparison.levels.items()]
    nonresponse = [
        f"{head} {reading_words(comparison.others[name])}" for name, head in SILENCE_WORDS.items() if name in comparison.others
    ]
    by_weight = comparison.weighted
    weighted = []
    if by_weight is not None:
        p = "" if math.isnan(by_weight.p) else f" ({p_words(by_weight.p)})"
        weighted = [f"{by_weight_words(by_weight)} {_by_weight(comparison)}{p}"]
    return [", ".join(filter(None, [*levels, *nonresponse, *weighted]))] if levels or nonresponse or weighted else []


def by_weight_words(by_weight: WeightedDifference) -> str:
    """Return what a difference is called in which items count by their weights."""
    return f"by ‘{words.shorten(by_weight.column)}’"


def _by_weight(comparison: Comparison) -> str:
    assert comparison.weighted is not None
    return words.estimate(comparison.weighted.difference, unit_apart(comparison.metric))
