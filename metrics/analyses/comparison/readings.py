"""Comparisons of judges in words: readings, notes and the text of the command line."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from metrics.analyses.comparison.criteria import both_ways
from metrics.analyses.comparison.levels import SLACK, LevelName, Reading, disagree
from metrics.analyses.planning.compute import about
from metrics.measures.catalogue import BY_KEY
from metrics.results import words
from metrics.results.words import several

if TYPE_CHECKING:
    from metrics.analyses.comparison.result import Comparison, Forest, Side

# A difference below this is written finer: two decimals would hide it.
SMALL = 0.01
NOT_ADJUSTED = "The correction is one of p: the intervals are not adjusted for the number of comparisons."
LOWER_IS_BETTER = ("fpr", "fnr")
CORRECTED = {False: "p Holm", True: "p joint"}
"""Head of the corrected p: for a fixed baseline, and for one that was picked on the data."""
MOST_NAMED = 5
"""Judges named one by one: more would bury what is said of them."""
LEVEL_WORDS: dict[LevelName, str] = {"micro": "micro", "macro": "macro", "within": "within criteria"}
SILENCE_WORDS = {
    "all answered": "all that each answered", "both answered": "what both answered", "as negative": "abstentions as negative",
}  # fmt: skip
"""Readings by what becomes of abstentions, as `Comparison.others` names them, in a table."""
OUTCOME_WORDS = {
    "both": "both right", "only_a": "only A right", "only_b": "only B right", "neither": "neither right", "open": "left open",
}  # fmt: skip


def direction(metric: str) -> int:
    """Return 1 where higher is better, -1 where lower is, 0 where neither is."""
    if metric in LOWER_IS_BETTER:
        return -1
    return 0 if BY_KEY[metric].group == "shape" else 1


def reading(one: Comparison) -> str:
    """Return whether a judge is better, by how much; where readings disagree that comes first, and no judge is named."""
    start = f"on {words.count(one.n_items)} shared {'item' if one.n_items == 1 else 'items'}{_grouped(one)}"
    symbol = symbol_of(one.metric)
    if not one.difference.defined:
        return f"{start} the difference in {symbol} is undefined: {one.difference.why}.{_from_silence(one)}"
    if not one.permutation.n_differ:
        return f"{start} no item separates {one.a.name} and {one.b.name}.{_from_silence(one)}"
    if one.disagree:
        return _disagreeing(one)
    if not one.settled:
        return f"{start} {_not_significant(one)}"
    ahead = one.winner or one.ahead
    behind = one.a.name if ahead == one.b.name else one.b.name
    verb = "beats" if one.winner else "is above"
    size = words.estimate(abs(one.difference), unit_of(one)).lstrip("+")
    return f"{start} {ahead} {verb} {behind} by {size} in {symbol}: settled ({p_words(one.permutation.p)})."


def symbol_of(metric: str) -> str:
    """Return the metric in a sentence."""
    return "κ within criteria" if metric == "kappa_within" else BY_KEY[metric].symbol


def _grouped(one: Comparison) -> str:
    return f" in {several(one.n_units, one.units)}" if one.settings.by_column else ""


def _not_significant(one: Comparison) -> str:
    """Return the difference with its interval, without a direction, and what would find one as large."""
    symbol, p = symbol_of(one.metric), p_words(one.permutation.p)
    less = f"{one.b.name} minus {one.a.name} is {words.estimate(one.difference, unit_of(one))}"
    if one.difference.interval is None:
        return f"{less} in {symbol}. There is no interval ({one.no_interval}); the permutation test alone says {p}."
    text = f"there is no significant difference in {symbol}: {less} ({p})."
    if one.difference.sign:
        return f"{text} The interval excludes 0, the permutation test does not agree.{_detecting(one)}"
    if one.permutation.p <= 1 - one.settings.confidence:
        text += " The permutation test rejects, but the interval holds 0: in a small sample the two can disagree."
    return f"{text}{_detecting(one)}"


def _detecting(one: Comparison) -> str:
    needed = one.needed
    if needed.n is None:
        return f" No number of {one.units} can be named: {needed.reason}."
    if needed.n <= one.n_units:
        return ""
    return f" Detecting it would take {about(needed.n)} {one.units}."


def _disagreeing(one: Comparison) -> str:
    """Return the readings side by side, without a winner."""
    how = "so no judge is named the better one" if one.any_settled else "and none is significant"
    parts = [f"the readings disagree, {how}."]
    if disagree(one.levels.values()):
        parts.append(levels_words(one))
    if one.silence is not None and disagree([one.common, *one.silence.readings]):
        parts += silence_words(one)
    return " ".join(parts) + (_comes_from(one) if one.from_silence else "")


def _from_silence(one: Comparison) -> str:
    """Return the readings where nothing but abstentions tells the judges apart; else empty."""
    if one.silence is None or not one.from_silence:
        return ""
    return f" {' '.join(silence_words(one))}{_comes_from(one)}"


def _comes_from(one: Comparison) -> str:
    return " The difference comes from what is left open."


def levels_words(one: Comparison) -> str:
    """Return the comparison at every level, in a sentence; empty where there is one level."""
    shown = [f"{LEVEL_WORDS[name]} {reading_words(own)}" for name, own in one.levels.items()]
    symbol = BY_KEY["kappa" if one.metric == "kappa_within" else one.metric].symbol
    return f"{one.b.name} minus {one.a.name} in {symbol}: {', '.join(shown)}." if shown else ""


def silence_words(one: Comparison) -> list[str]:
    """Return the comparison with what is left open counted in other ways, one sentence each."""
    if one.silence is None:
        return []
    rest, what = one.silence, "items" if one.level == "item" else "decisions"
    less = f"{one.b.name} minus {one.a.name} is"
    answered, out = rest.answered or one.common, []
    both = f"{reading_words(answered)} on the {words.count(answered.n[0])} {what} both answered"
    if rest.answered is None and rest.whole.n == answered.n:
        pass
    elif rest.answered is None:
        out.append(
            f"On all that each answered {less} {reading_words(rest.whole)} in {symbol_of(one.metric)}: {both}, "
            f"{words.estimate(rest.left_open, unit_apart(one.metric))} from what is left open."
        )
    else:
        out.append(f"With abstentions counted {less} {reading_words(one.common)} in {symbol_of(one.metric)}: {both}.")
    if rest.as_unmet is not None:
        negative = one.declaration.labels["negative"][0] if one.declaration.labels["negative"] else "negative"
        out.append(f"With abstentions as {negative} the difference is {reading_words(rest.as_unmet)}.")
    return out


def reading_words(own: Reading) -> str:
    """Return difference and interval of one reading."""
    return words.estimate(own.difference, unit_apart(own.metric))


def notes(one: Comparison) -> Iterator[str]:
    """Yield what a reader must know beside the numbers, one sentence each."""
    test = one.permutation
    said = one.reading
    if not disagree(one.levels.values()) and one.levels:
        yield levels_words(one)
    if opposed := both_ways(one.on_criteria, (one.a.name, one.b.name), 1 - one.settings.confidence):
        yield opposed
    if one.outcomes["open"]:
        what = "items" if one.level == "item" else "decisions"
        shares = f"{words.percent(one.a.coverage)} count for {one.a.name}, {words.percent(one.b.coverage)} for {one.b.name}"
        both = words.count(one.n_shared - one.outcomes["open"])
        yield f"Of the {words.count(one.n_shared)} shared {what} {shares}; the comparison stands on the {both} both answered."
    yield from (text for text in silence_words(one) if text not in said)
    k, of = one.difference.of or (0, 0)
    if k < of:
        yield f"The mean is over the {k} of {of} criteria where {BY_KEY[one.metric].symbol} is defined for both."
    if test.stopped:
        done = f"{words.count(test.replicates)} of {words.count(test.asked)} swaps"
        yield f"The permutation test was stopped after {done}; p rests on these."
    if test.undefined:
        yield (
            f"In {words.count(test.undefined)} of {words.count(test.replicates)} swaps the difference is "
            "undefined; p leaves them out."
        )
    if one.difference.note:
        yield f"Small numbers: {one.difference.note}."
    if one.mcnemar is not None and _tests_disagree(one):
        yield (
            f"McNemar’s test ({p_words(one.mcnemar.p)}) and the permutation test "
            f"({p_words(test.p)}) disagree: the first is about accuracy, the second about {BY_KEY[one.metric].symbol}."
        )
    yield from one.cautions


def _tests_disagree(one: Comparison) -> bool:
    """Return whether McNemar's test of accuracy and the permutation test of another metric fall on two sides of the level."""
    if one.mcnemar is None or not one.mcnemar.n or one.metric == "accuracy" or math.isnan(one.permutation.p):
        return False
    level = 1 - one.settings.confidence
    return (one.mcnemar.p <= level) != (one.permutation.p <= level)


def p_words(p: float) -> str:
    """Return p = 0.031, or p < 0.001 where three decimals would be 0."""
    return "p < 0.001" if p < 0.0005 else f"p = {words.p3(p)}"


def unit_of(one: Comparison) -> str:
    """Return the unit in which the difference is written; a finer one where two decimals would hide it."""
    return unit_apart(one.metric) or (words.FINE if 0 < abs(one.difference.value) < SMALL else "")


def unit_apart(metric: str) -> str:
    """Return the unit of a difference of two values of a metric."""
    return words.unit_of_difference(BY_KEY[metric].unit if metric in BY_KEY else "")


def summary(one: Comparison) -> str:
    """Return a comparison as text."""
    record, d = BY_KEY[one.metric], one.declaration
    lines = [
        f"{one.b.name} against {one.a.name}, {record.symbol}, {_where(one)} ({d.abstention}; reference: {d.reference}). {d.file}"
    ]
    for letter, side in (("A", one.a), ("B", one.b)):
        estimate = side.estimate
        ends = words.bounds(estimate.ends, record.unit, without="")
        lines.append(
            f"  {letter}  {words.shorten(side.name):<30}{words.value(estimate.value, record.unit):>8} {ends:<20}"
            f"n = {words.count(side.block.n)}, {share_words(one, side)}"
            f"{f' ({estimate.note})' if estimate.note else ''}"
        )
    difference = f"{words.value(one.difference.value, unit_of(one))} {_interval(one)}"
    lines.append(f"  B − A {difference}, permutation {p_words(one.permutation.p)} ({_replicates(one)})")
    if one.mcnemar is None:
        lines.append(f"  McNemar: {one.no_mcnemar}.")
    elif one.mcnemar.n:
        lines.append(f"  McNemar exact (accuracy) {p_words(one.mcnemar.p)}")
    else:
        lines.append("  McNemar: no item separates them.")
    lines.append("  " + ", ".join(f"{OUTCOME_WORDS[key]} {words.count(n)}" for key, n in one.outcomes.items() if n))
    left = [f"{words.count(side.n_only)} only {side.name} judged" for side in (one.a, one.b) if side.n_only]
    left += [f"{words.count(one.n_no_reference)} without a reference"] if one.n_no_reference else []
    lines += [f"  left out: {', '.join(left)}"] if left else []
    return "\n".join([*lines, *(f"  {note}" for note in one.notes), "", f"{one.reading[0].upper()}{one.reading[1:]}"])


def share_words(one: Comparison, side: Side) -> str:
    """Return coverage; where answers without a verdict stand in the numbers, the share that counts, which is another one."""
    share = words.percent(side.coverage)
    return f"{share} count, with a verdict or without" if some_count(one) else f"coverage {share}"


def some_count(one: Comparison) -> bool:
    """Return whether answers without a verdict may stand in the numbers."""
    d = one.declaration
    return d.abstention != "exclude" or any(how not in ("exclude", "abstention") for how in d.handling.values())


def _interval(one: Comparison) -> str:
    if one.difference.interval is None:
        return f"no interval: {one.no_interval}"
    by = f", {one.units} left out" if one.settings.by_column else ""
    by = ", MOVER" if one.difference.method == "mover" else by
    return f"{words.bounds(one.difference.ends, unit_of(one))} ({words.percent(one.settings.confidence)}{by})"


def _where(one: Comparison) -> str:
    criteria = one.declaration.criteria
    if one.criterion or (len(criteria) == 1 and one.level != "item"):
        return f"on {one.criterion or criteria[0]}"
    if one.level == "item":
        return "item level"
    level = "" if one.metric == "kappa_within" else f"{one.level} "
    return f"{level}over {words.count(len(criteria))} criteria"


def _replicates(one: Comparison) -> str:
    found = one.permutation
    differ = f"{several(found.n_differ, one.units)} that {'differs' if found.n_differ == 1 else 'differ'}"
    if found.exact:
        return f"all swaps of {differ}"
    undefined = f", {words.count(found.undefined)} undefined" if found.undefined else ""
    return f"{words.count(found.replicates)} swaps of {differ}{undefined}"


def forest_reading(forest: Forest) -> str:
    """Return on whom readings disagree, how many others differ from the baseline, and what was done about their number."""
    rest, planned = forest.planned - len(forest.against), several(forest.planned, "comparisons")
    left = "the last judge" if rest == 1 else f"the other {words.count(rest)} judges"
    stopped = f" Stopped before {left}." if rest else ""
    said = _told_apart(forest)
    if not forest.best:
        said = f"{said}, with Holm’s correction for {planned}." if said else f"p has Holm’s correction for {planned}."
        return f"{_disputed(forest)}{_undefined(forest)}{said} {NOT_ADJUSTED}{stopped}"
    lead = ", so its lead is optimistic" if _leads(forest) else ""
    return (
        f"{_disputed(forest)}{_undefined(forest)}{f'{said}. ' if said else ''}"
        f"{forest.baseline} was chosen {picked(forest)} on these very data{lead}: "
        f"p is corrected for that choice. {NOT_ADJUSTED}{stopped}"
    )


def _leads(forest: Forest) -> bool:
    """Return whether the baseline is ahead of another judge on the decisions that both answered, be it by chance.

    Picked on all that each judge answered, it need not be; what is no more than rounding is no lead.
    """
    better = direction(forest.metric)
    return any(better * one.difference.value < -SLACK for one in forest.against)


def _told_apart(forest: Forest) -> str:
    """Return how many judges are told apart, of those with a difference on which readings agree; empty where there is none."""
    found, apart = len(forest.different()), len(forest.disputed) + len(forest.undefined)
    total, where = len(forest.against) - apart, f"from {forest.baseline} in {symbol_of(forest.metric)}"
    if not apart:
        return f"{words.count(found)} of {words.count(total)} {'judge differs' if total == 1 else 'judges differ'} {where}"
    if total == 1:
        return f"The other judge {'differs' if found else 'does not differ significantly'} {where}"
    return f"{words.count(found)} of the other {words.count(total)} judges differ {where}" if total else ""


def picked(forest: Forest) -> str:
    """Return what a baseline was chosen as on the data; not the best where readings disagree on it."""
    return f"for its {symbol_of(forest.metric)}" if any(one.disagree for one in forest.against) else "as the best"


def _disputed(forest: Forest) -> str:
    names = forest.disputed
    return f"The readings disagree on {_named(names)}: no better judge is named there. " if names else ""


def _undefined(forest: Forest) -> str:
    names = forest.undefined
    return f"The difference is undefined for {_named(names)}. " if names else ""


def _named(names: Sequence[str]) -> str:
    more = f" and {words.count(len(names) - MOST_NAMED)} more" if len(names) > MOST_NAMED else ""
    return f"{', '.join(names[:MOST_NAMED])}{more}"


def beside_words(one: Comparison) -> list[str]:
    """Return the readings, short: by level, and by what becomes of abstentions."""
    levels = [f"{LEVEL_WORDS[name]} {reading_words(own)}" for name, own in one.levels.items()]
    silence = [f"{head} {reading_words(one.others[name])}" for name, head in SILENCE_WORDS.items() if name in one.others]
    return [", ".join([*levels, *silence])] if levels or silence else []
