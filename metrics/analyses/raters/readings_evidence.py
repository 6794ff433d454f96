"""What the evidence about raters says, in sentences.

`name` wraps words that come from the user's file, so that a page can set them apart and escape them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from metrics.analyses.agreement.readings import Name, plain_name
from metrics.analyses.raters.adjudicating import Disagreements, Pattern
from metrics.analyses.raters.evidence import Ambiguity, CriterionEvidence, Training
from metrics.analyses.raters.fatigue import Fatigue
from metrics.analyses.raters.intra_rater import Repeats
from metrics.analyses.raters.label_rates import LabelRate
from metrics.analyses.raters.readings import listed_names
from metrics.analyses.raters.units import LEAST, MATTERS
from metrics.measures.transforms import ROUNDING
from metrics.results import words

CAUSES = "The labels do not show whether the wording, hard items or slips cause it."
MOST_OFTEN = 10
"""A pattern of votes is named where at least one in so many disputed units has it: of many raters hardly two units are alike."""
WEIGHTED_NOTE = "Disagreement is weighted by distance, as in AC2. Self-agreement counts equal labels only."
"""To stand with the evidence where the labels have an order."""


def training_reading(training: Training, name: Name = plain_name) -> str:
    """Return whether one rater stands apart."""
    if training.undefined:
        return f"whether one rater differs from the others cannot be estimated: {training.undefined}."
    if not training.outliers:
        first = training.raters[0]
        none = f"none of the {words.count(len(training.raters))} raters with enough items is an outlier"
        if abs(first.excess.value) <= ROUNDING:
            ends = words.behind(first.excess.ends, "points")
            return f"{none}: none differs from the others more often than they do among themselves{ends}."
        least = words.points(MATTERS).lstrip("+")
        end = f"below {least}, from which a rater is called an outlier" if first.excess.sign else "no significant difference"
        much = words.estimate(first.excess, "points")
        return f"{none}. The largest difference from the others is that of {name(first.name)}, {much}: {end}."
    if not training.shows:
        n = words.count(len(training.outliers))
        return f"{n} of {words.count(len(training.raters))} raters differ from the rest: a split among them, not one outlier."
    first = training.outliers[0]
    verb = "is an outlier" if len(training.outliers) == 1 else "are outliers"
    names, size = listed_names([rater.name for rater in training.outliers], name), words.estimate(first.excess, "points")
    return f"{names} {verb}: {apart_words(training, name)}, {size}."


def apart_words(training: Training, name: Name = plain_name) -> str:
    """Return how far the first outlier is from the others, as a clause."""
    first = training.outliers[0]
    own, others = words.percent(first.disagreement), words.percent(first.others)
    if training.weighted:
        return f"the weighted disagreement of {name(first.name)} with the others is {own}, theirs among themselves {others}"
    return f"{name(first.name)} differs from the others on {own} of pairs, the others among themselves on {others}"


def evidence_readings(record: CriterionEvidence, role: str = "human", name: Name = plain_name) -> tuple[tuple[str, str], ...]:
    """Return what the labels of one criterion show, under heads. Of judges nothing about a rubric, training or fatigue.

    Parameters
    ----------
    record : CriterionEvidence
    role : {"human", "judge"}
        Whose labels they are.
    name : callable
        Wraps words that come from the user's file.

    Returns
    -------
    tuple of (str, str)
        Head and sentence.
    """
    two = (("Scale", f"raters may use two scales: {record.scales}"),) if record.scales else ()
    if role == "judge":
        return (
            *two,
            ("Disagreement", ambiguity_reading(record.ambiguity, role)),
            (_outlying(record.training, "judge"), training_reading(record.training, name)),
            ("Self-agreement", repeats_reading(record.repeats)),
        )
    return (
        *two,
        ("Disagreement", ambiguity_reading(record.ambiguity)),
        (_outlying(record.training, "rater"), training_reading(record.training, name)),
        ("Fatigue", fatigue_reading(record.fatigue)),
        ("Self-agreement", repeats_reading(record.repeats)),
    )


def _outlying(training: Training, who: str) -> str:
    """Return the head above who stands apart."""
    return f"Outlying {who}s" if len(training.outliers) > 1 else f"One outlying {who}"


def ambiguity_reading(ambiguity: Ambiguity, role: str = "human") -> str:
    """Return how much the raters disagree, and whether all of them do."""
    causes = "" if role == "judge" else f" {CAUSES}"
    if not ambiguity.n_units:
        return "disagreement is undefined: no item has two labels."
    if not ambiguity.n_split:
        return f"the raters agree on all {words.several(ambiguity.n_units, ambiguity.unit)} with two labels or more."
    start = f"the raters differ on {words.count(ambiguity.n_split)} of {words.several(ambiguity.n_units, ambiguity.unit)}"
    share = words.percent(ambiguity.disagreement)
    start = f"{start}; their weighted disagreement is {share}" if ambiguity.weighted else f"{start}, in {share} of pairs"
    if ambiguity.spread is None:
        return f"{start}. Whether one rater causes it cannot be estimated: {ambiguity.undefined}."
    if math.isnan(ambiguity.without):
        return f"{start}, and no single rater accounts for it.{causes}"
    left = words.percent(ambiguity.without)
    if ambiguity.spread:
        return f"{start}. Without the outliers it is still {left}.{causes}"
    return f"{start}. Without the outliers it is {left}: they account for most of it."


def fatigue_reading(fatigue: Fatigue) -> str:
    """Return whether agreement changes from a rater's first label to the last, and what that may mean."""
    if not fatigue.change.defined:
        return f"whether agreement falls as the work goes on cannot be estimated: {fatigue.change.why}."
    agreement = "weighted agreement with the others" if fatigue.weighted else "agreement with the others"
    order = "by time" if fatigue.by == "time" else "by the rows of the file, if these stand in the order of work"
    if fatigue.change.interval is None and abs(fatigue.change.value) <= ROUNDING:
        return f"{agreement} is the same from a rater’s first label of a criterion to the last ({order})."
    change = f"{words.estimate(fatigue.change, 'points')} from a rater’s first label of a criterion to the last ({order})"
    if fatigue.change.interval is None:
        return f"{agreement} changes by {change}; there is no interval."
    if fatigue.sign >= 0:
        verb = "rises" if fatigue.sign else "does not change significantly"
        many = ", with Holm’s correction for the criteria" if fatigue.change.sign and not fatigue.sign else ""
        return f"{agreement} {verb}{many}: {change}."
    sentence = f"{agreement} falls: {change}, from {words.percent(fatigue.first)} to {words.percent(fatigue.last)}"
    if fatigue.shows:
        return f"{sentence}."
    return f"{sentence}. All raters saw the items in nearly the same order, so the later items may simply be harder."


def repeats_reading(repeats: Repeats) -> str:
    """Return whether raters agree with themselves."""
    if not repeats.n:
        return f"whether raters agree with themselves cannot be estimated: {repeats.share.why}."
    sentence = (
        f"given the same item again, raters gave the same label {words.count(repeats.n_same)} of {words.count(repeats.n)} times"
    )
    few = f" Fewer than {LEAST} show nothing about the raters." if repeats.n < LEAST else ""
    return f"{sentence} (self-agreement {words.estimate(repeats.share, '%')}).{few}"


def rates_reading(rates: Sequence[LabelRate], label: str, name: Name = plain_name) -> str:
    """Return who gives a label more or less often than the others do on the same items.

    Parameters
    ----------
    rates : sequence of LabelRate
        Of all raters, of this label among others.
    label : str
    name : callable
        Wraps words that come from the user's file.
    """
    label_rates = [label_rate for label_rate in rates if label_rate.label == label and label_rate.drift.defined]
    if not label_rates:
        return f"how often each rater says {name(label)} cannot be compared: no item has two labels."
    differ = [label_rate for label_rate in label_rates if label_rate.differs]
    most = max(differ or label_rates, key=lambda label_rate: abs(label_rate.drift.value))
    if most.level:
        noise = f"; interval of the difference{words.behind(most.drift.ends, 'points')}" if most.drift.ends else ""
        if len(label_rates) == 2:
            return f"the two raters say {name(label)} equally often on the same items{noise}."
        return f"each rater says {name(label)} as often as the others on the same items{noise}."
    if not differ and len(label_rates) == 2:
        much = f"{words.estimate(most.drift, 'points')} for {name(most.rater)}"
        return f"the two raters do not differ significantly from each other in their share of {name(label)}: {much}."
    if not differ:
        largest = f"the largest is that of {name(most.rater)}, {words.estimate(most.drift, 'points')}"
        return f"no rater’s share of {name(label)} differs significantly from that of the others: {largest}."
    more = most.drift.value >= 0
    difference = abs(most.drift)
    much = f"{words.points(difference.value).lstrip('+')} {'more' if more else 'less'} often than"
    ends = words.behind(difference.ends, "points").replace("+", "")
    if len(label_rates) == 2:
        other = next(label_rate for label_rate in label_rates if label_rate is not most)
        return f"{name(most.rater)} says {name(label)} {much} {name(other.rater)}{ends}."
    farthest = f"the farthest, {name(most.rater)}, says {name(label)} {much} the others{ends}"
    chance = " By chance alone about 1 in 20 would stand out." if len(label_rates) > 1 else ""
    verb = "differs" if len(differ) == 1 else "differ"
    return (
        f"{words.count(len(differ))} of {words.several(len(label_rates), 'raters')} {verb} from the others; {farthest}.{chance}"
    )


def leaning_reading(record: CriterionEvidence, name: Name = plain_name) -> str:
    """Return which of two raters gives one of two labels more often; empty where that is not shown.

    With two raters that alone tells them apart: who differs from the others needs a third.
    """
    return rates_reading(record.rates, record.rates[0].label, name) if record.rates else ""


def disagreements_reading(disagreements: Disagreements, name: Name = plain_name) -> str:
    """Return how many units are disputed, and in which pattern most often."""
    n = disagreements.n_units
    if not n:
        return "no item has two labels, so disagreement is undefined."
    unit = disagreements.unit
    alone = f" {words.several(disagreements.n_single, unit)} with one label only {words.are(disagreements.n_single)} not counted."
    single = alone if disagreements.n_single else ""
    if not disagreements.n_split:
        return f"the raters agree on all {words.several(n, unit)}.{single}"
    first = disagreements.patterns[0]
    often = f", most often {pattern_words(first, disagreements.units.classes, name)} ({words.often(first.n_units)})"
    if MOST_OFTEN * first.n_units < disagreements.n_split:
        often = ""
    return f"the raters differ on {words.count(disagreements.n_split)} of {words.several(n, unit)}{often}.{single}"


def order_words(weighted: bool) -> str:
    """Return what the list of disagreements is sorted by."""
    if weighted:
        return "most disputed first: by the distance of their labels; entropy in bits, 0 where all agree"
    return "most disputed first: by the entropy of their labels, in bits; 0 where all agree"


def pattern_words(pattern: Pattern, classes: Sequence[str], name: Name = plain_name) -> str:
    """Return votes in words: 2 × MET · 1 × UNMET.

    Parameters
    ----------
    pattern : Pattern
    classes : sequence of str
        In the order of the pattern's votes.
    name : callable
        Wraps words that come from the user's file.
    """
    pairs = [(vote, label) for vote, label in zip(pattern.votes, classes, strict=True) if vote]
    return " · ".join(f"{words.count(vote)} × {name(label)}" for vote, label in pairs)
