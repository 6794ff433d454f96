"""What stands on a screen of the review, in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from metrics.analyses.agreement.coverage import split_votes_sentence
from metrics.analyses.agreement.readings import bias_sign, is_below
from metrics.analyses.raters.result import STATISTICS, estimate_text
from metrics.analyses.raters.tables import gate_words
from metrics.analyses.review.bands import band_words
from metrics.analyses.review.compute import ORDER_SAID, Reviewed, habit
from metrics.analyses.review.decisions import ACTIONS, Decision, Review
from metrics.data.pairs import reference_phrase
from metrics.results import words

DECIDED, OPEN = "✓", "○"
ONE_HUMAN = "one human label at most on each item, so nothing says how far people agree"
COUNTS = "a table of counts says nothing of single people"


def _indistinguishable(reviews: Sequence[Reviewed]) -> list[tuple[Reviewed, Reviewed]]:
    """Return neighbours in the review whose κ, taken as independent, are not told apart, or are two kinds of κ."""
    known = [review for review in reviews if review.kappa.defined]
    return [(low, high) for low, high in pairwise(known) if low.key != high.key or not is_below(low.kappa, high.kappa)]


def order_words(reviews: Sequence[Reviewed]) -> str:
    """Return what the review is sorted by, in a few words."""
    return "by κ; order not settled" if _indistinguishable(reviews) else "sorted by κ"


def order_reading(reviews: Sequence[Reviewed]) -> str:
    """Return what the review is sorted by, and which neighbours could stand the other way round."""
    untold = _indistinguishable(reviews)
    if not untold:
        return ORDER_SAID
    low, high = (words.shorten(review.criterion) for review in untold[0])
    more = f", and so with {words.several(len(untold) - 1, 'pairs')} of neighbours more" if len(untold) > 1 else ""
    return f"{ORDER_SAID} The order is not settled: κ of {low} is not shown to lie below that of {high}{more}."


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
        return "drift is undefined: no decision has a verdict of both sides."
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
    return f"{start}: drift {words.points(gap)}{beside}{noise}{most}."


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
        f"the judge gives none on {words.percent(coverage.judge_abstention_rate)} "
        f"of {words.count(coverage.n_total)} decisions, the "
        f"reference on {words.percent(coverage.human_abstention_rate)}; both gave "
        f"one on {words.percent(coverage.coverage)}.{failed}"
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


def progress_words(review: Review, criteria: tuple[str, ...]) -> str:
    """Return how far the review has come: "3 of 5 decided"."""
    made = [review.of(name).action for name in criteria]
    done = [action for action in made if action]
    by = ", ".join(f"{words.count(done.count(action))} {action}" for action in ACTIONS if action in done)
    return f"{words.count(len(done))} of {words.count(len(criteria))} decided{f': {by}' if by else ''}"


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
    return f"{mark} {place + 1}{called}{f': {decision.action}' if decision.action else ''}"


def strangers(review: Review, criteria: tuple[str, ...]) -> tuple[str, ...]:
    """Return criteria of a review that this rubric does not have."""
    return tuple(name for name, decision in review.decisions.items() if name not in criteria and not decision.empty)


def table_words(review: Reviewed, reference: str) -> str:
    """Return who stands where in the matrix."""
    return f"row: {reference_phrase(review.ratings, reference, article=True)} · split: {words.shorten(review.judge)}"


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
