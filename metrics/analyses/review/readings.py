"""What stands on a screen of the review, in sentences; what a rubric was before and after a change; and the words for a κ.

References: Landis & Koch (1977), doi:10.2307/2529310, who call their division clearly arbitrary.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import cast

import numpy as np

from metrics.analyses.agreement.coverage import split_votes_sentence
from metrics.analyses.agreement.readings import bias_sign, is_below
from metrics.analyses.comparison.readings import p_words
from metrics.analyses.raters.result import STATISTICS, estimate_text
from metrics.analyses.raters.tables import gate_words
from metrics.analyses.review.changes import BeforeAfter, Change
from metrics.analyses.review.compute import WEIGHTED, Reviewed, habit
from metrics.analyses.review.decisions import ACTIONS, Action, Decision, Review
from metrics.data.pairs import reference_phrase
from metrics.data.references import reference_words
from metrics.measures.catalogue import BY_KEY
from metrics.results import words

DECIDED, OPEN = "✓", "○"
ONE_HUMAN = "one human label at most on each item, so nothing says how far people agree"
COUNTS = "a table of counts says nothing of single people"
MODES = {
    "exclude": "Abstentions excluded",
    "as_unmet": "Abstentions counted as negative",
    "as_category": "Abstentions kept as a class",
}
READS = {1: "better", -1: "worse", 0: "no significant difference"}
UNCHANGED = "no change"
UNSORTED = "as in the file"
SOURCE = "Landis & Koch 1977"
EDGES = (0.0, 0.2, 0.4, 0.6, 0.8)
WORDS = ("poor", "slight", "fair", "moderate", "substantial", "almost perfect")


def _indistinguishable(reviews: Sequence[Reviewed]) -> list[tuple[Reviewed, Reviewed]]:
    """Return neighbours in the review whose κ, taken as independent, are not told apart, or are two kinds of κ."""
    known = [review for review in reviews if review.kappa.defined]
    return [(low, high) for low, high in pairwise(known) if low.key != high.key or not is_below(low.kappa, high.kappa)]


def order_words(reviews: Sequence[Reviewed]) -> str:
    """Return what the review is sorted by, in a few words."""
    if all(review.scale == "continuous" for review in reviews):
        return UNSORTED
    return "by κ; order uncertain" if _indistinguishable(reviews) else "sorted by κ"


def order_reading(reviews: Sequence[Reviewed]) -> str:
    """Return what the review is sorted by, and which neighbours could stand the other way round."""
    untold = _indistinguishable(reviews)
    if order_words(reviews) == UNSORTED:
        return "Scores have no κ: the criteria stand as in the file."
    sorted_by = _sorted_by(reviews)
    if not untold:
        return sorted_by
    low, high = (words.shorten(review.criterion) for review in untold[0])
    more = f", and so with {words.several(len(untold) - 1, 'pairs')} of neighbours more" if len(untold) > 1 else ""
    return f"{sorted_by} The order is uncertain: κ of {low} is not significantly below that of {high}{more}."


def _sorted_by(reviews: Sequence[Reviewed]) -> str:
    """Return the rule of the order, as far as these criteria come under it."""
    of_labels = [review for review in reviews if review.scale != "continuous"]
    first = (
        "criteria without a κ first, then the lowest"
        if not all(review.kappa.defined for review in of_labels)
        else "the lowest first"
    )
    parts = [f"Sorted by κ: {first}."]
    weighted = [review.key == WEIGHTED for review in of_labels]
    if any(weighted):
        parts.append(
            "That is κ with quadratic weights." if all(weighted) else "On an ordinal criterion that is κ with quadratic weights."
        )
    if len(of_labels) < len(reviews):
        parts.append("Scores come last: they have no κ.")
    return " ".join(parts)


def kappa_words(review: Reviewed) -> str:
    """Return κ with its interval and band; whose bands these are stands above the figure."""
    kappa = review.kappa
    if not kappa.defined:
        return f"{review.symbol} is undefined: {kappa.undefined}."
    ends = words.bounds(kappa.ends, without="no interval")
    band = band_words(kappa.value, kappa.ends)
    return f"{review.symbol} {words.number(kappa.value)} {ends}: {band}.{_chance(review)}"


def _chance(review: Reviewed) -> str:
    sided = review.one_sided
    if review.kappa.value == 0 and sided is not None:
        return f" It is 0 by construction, because the {sided[0]} says only {words.shorten(sided[1])}."
    return ""


def nominal_words(review: Reviewed) -> str:
    """Return what κ makes of the order of the labels; empty where they have none."""
    if review.block is None:
        return ""
    if review.ordered is not None:
        return f"Errors weigh by the square of their distance; unweighted κ is {words.estimate(review.block['kappa'])}."
    if review.scale == "ordinal":
        return "The labels have an order that this κ does not use: every two different labels count as equally far apart."
    return ""


def drift_words(review: Reviewed) -> str:
    """Return whether the judge gives a label more often than the reference, and by how much."""
    block = review.block
    if block is None or not block.n:
        return "label-rate bias is undefined: no decision has a verdict of both sides."
    table = np.asarray(block.confusion, np.float64)
    label, gap = habit(block)
    if len(block.labels) == 2:
        label, gap = block.labels[0], block.values["drift"]
    place = block.labels.index(label)
    judge, reference = (words.percent(table.sum(axis)[place] / table.sum()) for axis in (0, 1))
    start = f"the judge says {words.shorten(label)} on {judge} of decisions, the reference on {reference}"
    ends = block["drift"].ends if len(block.labels) == 2 else None
    beside = words.behind(ends, "points")
    if gap == 0:
        return f"{start}: the same share here{beside}."
    noise = ", not significant" if len(block.labels) == 2 and not bias_sign(block) else ""
    most = "" if len(block.labels) == 2 else ", the largest of all labels in this sample (not tested)"
    return f"{start}: {words.points(gap)}{beside}{noise}{most}."


def abstention_words(review: Reviewed) -> str:
    """Return how often each side gives no verdict."""
    coverage = review.coverage
    if coverage is None or not coverage.n_total:
        return "no decision was rated by both sides."
    if coverage.n_covered == coverage.n_total and not coverage.n_errors:
        which = "the one decision" if coverage.n_total == 1 else f"all {words.count(coverage.n_total)} decisions"
        return f"both sides gave a verdict on {which}."
    failed = f" {words.several(coverage.n_errors, 'calls')} of the judge failed." if coverage.n_errors else ""
    failed += f" {split_votes_sentence(coverage)}" if coverage.n_split else ""
    if review.scale == "pairwise":
        return (
            f"the judge names neither answer on {words.percent(coverage.judge_abstention_rate)} "
            f"of {words.count(coverage.n_total)} "
            f"decisions, the reference on {words.percent(coverage.human_abstention_rate)}; both name one on "
            f"{words.percent(coverage.coverage)}.{failed}"
        )
    return (
        f"the judge left {words.percent(coverage.judge_abstention_rate)} of {words.several(coverage.n_total, 'decisions')} open, "
        f"the reference {words.percent(coverage.human_abstention_rate)}. Both decided {words.percent(coverage.coverage)}.{failed}"
    )


def humans_words(review: Reviewed) -> str:
    """Return how far the humans agree, and the verdict of the gate."""
    block = review.humans
    if block is None:
        return f"{ONE_HUMAN if review.ratings.has_items else COUNTS}."
    key = block.judged
    if key in block.undefined:
        return f"{STATISTICS[key].symbol} is undefined: {block.undefined[key]}."
    floor = f"floor {words.three(block.gate.line)}"
    return f"{STATISTICS[key].symbol} {estimate_text(block, key)}, {floor}: {gate_words(block)}."


COUNTED: dict[Action, str] = {"judge": "change the judge"}
"""Decisions whose name in a list differs from their key."""


def progress_words(review: Review, criteria: tuple[str, ...]) -> str:
    """Return how far the review has come: "3 of 5 decided"."""
    made = [review.of(name).action for name in criteria]
    done = [action for action in made if action]
    by = ", ".join(f"{words.count(done.count(action))} {COUNTED.get(action, action)}" for action in ACTIONS if action in done)
    return f"{words.count(len(done))} of {words.count(len(criteria))} decided{f': {by}' if by else ''}"


def step_words(criterion: str, changes: Mapping[str, str]) -> str:
    """Return what a change of a decision is, for whoever takes it back: "Tone: keep", "Tone: note"."""
    (field, value), *_ = changes.items()
    said = f"{COUNTED.get(cast(Action, value), value) or 'no decision'}" if field == "action" else field
    return f"{words.shorten(criterion)}: {said}"


def place_words(place: int, decision: Decision, name: str = "") -> str:
    """Return one criterion among the others: "✓ 3 Tone: keep", "○ 4 Sources".

    Parameters
    ----------
    place : int
        From 0.
    decision : Decision
    name : str
        Of the criterion; without it the number stands alone.
    """
    mark = DECIDED if decision.action else OPEN
    called = f" {name}" if name else ""
    return f"{mark} {place + 1}{called}{f': {COUNTED.get(decision.action, decision.action)}' if decision.action else ''}"


def strangers(review: Review, criteria: tuple[str, ...]) -> tuple[str, ...]:
    """Return criteria of a review that this rubric does not have."""
    return tuple(name for name, decision in review.decisions.items() if name not in criteria and not decision.empty)


def table_words(review: Reviewed, reference: str) -> str:
    """Return who stands where in the matrix, which has columns where there are more than two labels."""
    place = "column" if review.main is not None and len(review.main.labels) > 2 else "split"
    return f"row: {reference_phrase(review.ratings, reference, article=True)} · {place}: {words.shorten(review.judge)}"


def loaded_words(review: Review, criteria: tuple[str, ...], sha256: str) -> str:
    """Return what was taken from a file of decisions, and what was not.

    Parameters
    ----------
    review : Review
        From the file.
    criteria : tuple of str
        Of the rubric under review.
    sha256 : str
        Of the ratings under review.
    """
    taken = [name for name, decision in review.decisions.items() if name in criteria and not decision.empty]
    text = f"Loaded: {words.several(len(taken), 'criteria')} with a decision, a note or a wording."
    others = strangers(review, criteria)
    if others:
        named = ", ".join(f"‘{words.shorten(name)}’" for name in others[:6])
        more = f" and {words.count(len(others) - 6)} more" if len(others) > 6 else ""
        text += f" Not in this rubric, so left out: {named}{more}."
    if review.sha256 and review.sha256 != sha256:
        text += f" They were made on another file, {words.shorten(review.file) or 'without a name'}."
    return text


def change_words(change: Change) -> str:
    """Return whether κ changes, κ before and after with the paired difference, and what they rest on."""
    values = (
        f"{BY_KEY[change.metric].symbol} {words.number(change.before.estimate.value)} "
        f"→ {words.number(change.after.estimate.value)}"
    )
    apart = change.difference
    if not apart.defined:
        return f"Undefined difference: {values}; {apart.why}. {_rests_on(change)}"
    if not change.n_differ:
        return f"{UNCHANGED.capitalize()}: {values}. {_rests_on(change)}"
    alone = " (this criterion alone)" if change.n_tested > 1 else ""
    ends = f"{words.behind(apart.ends)}{alone}" if apart.ends else f", no interval: {apart.no_interval}"
    note = f" ({apart.note})" if apart.note else ""
    return (
        f"{reads(change).capitalize()}: {values}, difference {words.signed(apart.value, 2)}{ends}{note}; "
        f"{p_words(change.p_holm)}{words.corrected(change.n_tested, 'criteria')}. {_rests_on(change)}"
    )


def reads(change: Change) -> str:
    """Return the change in a word or two; significant only after the correction over the criteria."""
    if not change.difference.defined:
        return "undefined"
    return READS[change.direction] if change.n_differ else UNCHANGED


def _rests_on(change: Change) -> str:
    """Return the decisions that count, each file's own where it answers others, and what changed."""
    if change.n_alone == (change.n_shared, change.n_shared):
        text = f"On {words.several(change.n_shared, 'decisions')} of both files"
    else:
        before, after = (words.count(n) for n in change.n_alone)
        shared = words.several(change.n_shared, "decisions")
        text = f"On {words.count(change.n)} answered in both files, of {shared}: {before} answered before, {after} after"
    changed = [
        f"{who} changed on {words.count(n)}"
        for who, n in (("the judge", change.n_judge), ("the reference", change.n_reference))
        if n
    ]
    text += f"; {', '.join(changed)}" if changed else ""
    left = [f"{words.count(n)} only {when}" for n, when in zip(change.n_only, ("before", "after"), strict=True) if n]
    text += f"; left out: {', '.join(left)}." if left else "."
    if change.n_alone == (change.n, change.n):
        return text
    first, second = (words.number(value) for value in change.alone)
    return f"{text} On all that each file answers, κ is {first} before and {second} after: not the same decisions."


def whole_words(before_after: BeforeAfter) -> str:
    """Return how many criteria got better, and which could not be compared."""
    ways = [reads(change) for change in before_after.changes]
    parts = [
        f"{words.count(ways.count(way))} {'with ' if way in (READS[0], UNCHANGED) else ''}{way}"
        for way in (*READS.values(), UNCHANGED, "undefined")
        if way in ways
    ]
    tested = before_after.changes[0].n_tested if before_after.changes else 0
    text = "No criterion could be compared."
    if ways:
        text = (
            f"Of {words.several(len(ways), 'criteria')} in both files: {', '.join(parts)}{words.corrected(tested, 'criteria')}."
        )
    for names, where in ((before_after.only_before, before_after.files[0]), (before_after.only_after, before_after.files[1])):
        if names:
            text += f" Only in {words.shorten(where)}: {', '.join(words.shorten(name) for name in names)}."
    for name, why in before_after.refused.items():
        text += f" {words.shorten(name)}: {why}."
    return text


def declared_words(before_after: BeforeAfter) -> str:
    """Return what the numbers rest on."""
    asked = before_after.settings
    unit = "items" if not asked.by_column else f"groups by ‘{words.shorten(asked.unit)}’"
    sides = (
        f"{when}: {words.shorten(file)}, judge {words.shorten(judge)}, reference {reference_words(reference, one_each=one_each)}"
        for when, file, judge, reference, one_each in zip(
            ("Before", "After"),
            before_after.files,
            before_after.judges,
            before_after.references,
            before_after.one_each,
            strict=True,
        )
    )
    how = f"Intervals {words.percent(asked.confidence)}; of the difference the paired jackknife, {unit} left out of both files"
    other = [change.criterion for change in before_after.changes if change.abstention != asked.abstention]
    but = f", but excluded on {', '.join(map(words.shorten, other))}" if other else ""
    return (
        f"{'. '.join(sides)}. {MODES[asked.abstention]}{but}. {how}, each criterion alone. "
        "Only decisions with a verdict of judge and reference in both files count."
    )


@dataclass(frozen=True)
class Band:
    """One of the six.

    Attributes
    ----------
    low, high : float
        `poor` lies below 0, `slight` holds 0 and 0.20; each of the others holds its upper end, not its lower.
    """

    word: str
    low: float
    high: float


BANDS = tuple(Band(word, low, high) for word, low, high in zip(WORDS, (-1.0, *EDGES), (*EDGES, 1.0), strict=True))


def band_of(value: float) -> Band | None:
    """Return the band of a κ as it is printed, for the bands are given to two decimals; None where it is undefined."""
    if math.isnan(value):
        return None
    shown = words.printed(value)
    return BANDS[0] if shown < 0 else next(band for band in BANDS[1:] if shown <= band.high)


def touched(ends: tuple[float, float]) -> tuple[Band, ...]:
    """Return every band from the one of the lower end to the one of the upper."""
    low, high = (band_of(end) for end in ends)
    return () if low is None or high is None else BANDS[BANDS.index(low) : BANDS.index(high) + 1]


def band_words(value: float, ends: tuple[float, float] | None) -> str:
    """Return the band in words; where the interval reaches over several, the first and the last of them."""
    band = band_of(value)
    if band is None:
        return "no band: κ is undefined"
    over = () if ends is None else touched(ends)
    if len(over) < 2:
        beside = "" if ends is not None else ", without an interval"
        return f"{band.word}{beside}"
    between = "or" if len(over) == 2 else "to"
    many = "two bands" if len(over) == 2 else f"{len(over)} bands"
    return f"{over[0].word} {between} {over[-1].word}: the interval touches {many}"
