"""What the evidence about raters, the human ceiling and the alternative-annotator test say, in sentences.

`name` wraps words that come from the user's file, so that a page can set them apart and escape them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from metrics.analyses.agreement.readings import Name, plain_name
from metrics.analyses.comparison.margin import checked_margin, verdict_of
from metrics.analyses.raters.alternative import ENOUGH, AlternativeTest
from metrics.analyses.raters.ceiling import Ceiling
from metrics.analyses.raters.entropy import Disagreements, Pattern
from metrics.analyses.raters.evidence import Ambiguity, CriterionEvidence, Training
from metrics.analyses.raters.fatigue import Fatigue
from metrics.analyses.raters.intra_rater import Repeats
from metrics.analyses.raters.label_rates import LabelRate
from metrics.analyses.raters.readings import listed_names
from metrics.analyses.raters.units import LEAST, MATTERS
from metrics.data.references import AUTO, MAJORITY, MEDIAN, UNANIMOUS
from metrics.measures.catalogue import BY_KEY
from metrics.measures.transforms import ROUNDING
from metrics.results import words

FEWEST_HUMANS = 3
"""Humans below which no margin to them is judged."""
KIND_WORDS = {"experts": "experts", "skilled": "skilled annotators", "crowd": "crowd workers"}
WINS = "A win means less than ε worse than a person at agreeing with the others, not as good as a person."
WINS_OUTRIGHT = "A win means better than a person at agreeing with the others."
CAUSES = "The labels do not show whether the wording, hard items or slips cause it."
OTHERS = {
    AUTO: "the majority of the others, on ordered labels their low median",
    MAJORITY: "the majority of the others",
    UNANIMOUS: "what all the others agree on",
    MEDIAN: "the low median of the others",
}
WEIGHTED_NOTE = "Disagreement is weighted by distance, as in AC2. Self-agreement counts equal labels only."
"""To stand with the evidence where the labels have an order."""


def ceiling_reading(ceiling: Ceiling, name: Name = plain_name) -> str:
    """Return whether the judge agrees with the other humans as a human does, and on how much that rests."""
    symbol, unit = BY_KEY[ceiling.metric].symbol, BY_KEY[ceiling.metric].unit
    if not ceiling.human.defined:
        return f"the human ceiling is undefined: {ceiling.human.why}."
    human = words.estimate(ceiling.human, unit)
    if ceiling.judge is None:
        sentence = (
            f"a human left out reaches {symbol} {human} against {OTHERS[ceiling.rule]}. There is no judge to set beside it."
        )
        return f"{sentence} {_rests_on(ceiling)}"
    judge = f"{name(ceiling.judge)} reaches {symbol} {words.estimate(ceiling.value, unit)}"
    return (
        f"against {OTHERS[ceiling.rule]}, {judge}, a human left out {human}: "
        f"{_judge_versus_ceiling(ceiling, unit)} {_rests_on(ceiling)}"
    )


def margin_reading(ceiling: Ceiling, margin: float, name: Name = plain_name) -> str:
    """Return whether the judge agrees with the others at most a margin worse than a human does.

    The lower end of the difference from the ceiling decides, and it takes `FEWEST_HUMANS`: two have nobody left to agree with
    but each other.

    Raises
    ------
    InputError
        For a margin that is not above 0.
    """
    unit = BY_KEY[ceiling.metric].unit
    margin = checked_margin(margin, ceiling.metric, 1)
    size = words.points(margin).lstrip("+") if unit else words.number(margin)
    if ceiling.judge is None or ceiling.difference.ends is None:
        why = "there is no judge" if ceiling.judge is None else ceiling.difference.why or "the difference has no interval"
        return f"A margin of {size} says nothing here: {why}."
    judge = name(ceiling.judge)
    if ceiling.n_humans < FEWEST_HUMANS:
        return f"Whether {judge} is as good as a human within {size} takes {FEWEST_HUMANS} humans; {ceiling.n_humans} count here."
    low, high = ceiling.difference.ends
    worst = words.points(-low).lstrip("+") if unit else words.number(-low)
    verdict = verdict_of(low, high, margin, ahead=ceiling.settled and ceiling.difference.value > 0)
    if verdict == "undecided":
        return f"Whether {judge} is worse than a human by more than the margin of {size} is undecided: it may be {worst} worse."
    if verdict == "inferior":
        return f"{judge} is inferior to a human: worse by more than the margin of {size}."
    if low >= 0:
        return f"{judge} is non-inferior to a human by the margin of {size}: it is no worse at all."
    less = " It is worse, by less than that." if verdict == "worse within the margin" else ""
    return f"{judge} is non-inferior to a human by the margin of {size}: it is at most {worst} worse.{less}"


def _judge_versus_ceiling(ceiling: Ceiling, unit: str) -> str:
    difference, below, size = ceiling.difference, ceiling.difference.value < 0, _size(ceiling, unit)
    if difference.interval is None:
        level = f"{size} {'below' if below else 'above'}" if difference.value else "level with a human"
        return f"the judge is {level}, without an interval, as {difference.why}."
    side = _side(ceiling, unit)
    if not (ceiling.settled and side):
        start = f"the difference of {words.estimate(difference, 'points' if unit else '')} is"
        p = ceiling.exchange.above if side > 0 else ceiling.exchange.below
        drawn = f"undecided: a rater drawn for the judge reaches it with p = {words.p3(p)}"
        return f"{start} {drawn if side else 'not significant'}."
    if below:
        return f"the judge stays below the human ceiling by {size}."
    return (
        f"the judge is above it by {size}: more like {OTHERS[ceiling.rule]} than a human is, which is not to be right more often."
    )


def _size(ceiling: Ceiling, unit: str) -> str:
    """Return how far the judge lies above a human, or below, without a sign, and its interval."""
    return words.estimate(abs(ceiling.difference), "points" if unit else "").removeprefix("+")


def _side(ceiling: Ceiling, unit: str) -> int:
    """Return 1 above a human, −1 below, 0 where the interval includes 0 or an end reads 0 in the digits printed."""
    ends = ceiling.difference.ends
    return words.side_of_0([10 * end for end in ends] if ends and unit else ends)


def _rests_on(ceiling: Ceiling) -> str:
    text = f"Mean over {words.several(ceiling.n_humans, 'humans')}, {words.several(ceiling.n_items, 'items')}."
    if ceiling.n_open:
        text = f"{text} A decision is left out where the others come to no label: {words.several(ceiling.n_open, 'times')}."
    left = len(ceiling.left_out) - ceiling.n_humans
    if not left:
        return text
    return (
        f"{text} {words.several(left, 'humans')} with fewer than {ceiling.least} shared decisions or an undefined value "
        f"{_are(left)} not in it."
    )


def alternative_reading(alternative_test: AlternativeTest, name: Name = plain_name) -> str:
    """Return whether the judge passes, and that passing is to be less than ε worse than a person, not as good as one."""
    if alternative_test.passed is None:
        return f"the alternative-annotator test is undefined: {alternative_test.winning_rate.why}."
    who = f" ({KIND_WORDS[alternative_test.kind]})" if alternative_test.kind else ""
    tally = (
        f"it wins against {words.count(alternative_test.n_won)} of "
        f"{words.several(len(alternative_test.tested), 'humans')} (winning rate ω "
        f"{words.percent(alternative_test.winning_rate.value)}; {words.percent(0.5)} passes) at an allowance ε of "
        f"{words.number(alternative_test.epsilon)}{who}, on {words.several(alternative_test.n_items, 'items')}"
    )
    judge = name(alternative_test.judge)
    if alternative_test.passed:
        licence = f"{judge} passes: {tally}. {WINS if alternative_test.epsilon else WINS_OUTRIGHT}"
        if alternative_test.n_lost:
            licence = f"{licence} Against {words.count(alternative_test.n_lost)} the judge is shown to be worse by more than ε."
        licence = f"{licence} Whether the judge is right, and how it does on other items, the test does not say."
    else:
        follows = "that it is worse than they are does not follow."
        if alternative_test.n_lost:
            less = f"than {words.count(alternative_test.n_lost)} of them by more than ε"
            follows = f"it is like the others less often {less}. That it is wrong more often does not follow."
        licence = f"{judge} does not pass: {tally}. It may not replace one of these humans by this test; {follows}"
    return f"{licence}{_few(alternative_test)} {_advantage(alternative_test)}{_ranges(alternative_test)}"


def together_reading(ceiling: Ceiling, test: AlternativeTest) -> str:
    """Return both where the judge passes the test below the human ceiling; where it does neither, why they do not conflict."""
    if test.passed is None or not ceiling.difference.defined:
        return ""
    record = BY_KEY[ceiling.metric]
    symbol, below = record.symbol, ceiling.settled and _side(ceiling, record.unit) < 0
    if test.passed and ceiling.difference.value < 0:
        return _passed_below(ceiling, symbol, record.unit, below=below, epsilon=test.epsilon)
    if record.group != "beyond chance":
        return ""
    if not test.passed and not below:
        return (
            f"the judge does not pass the test and is not shown to be below the ceiling in {symbol}: {_not_passed(test, symbol)}"
        )
    return ""


def _passed_below(ceiling: Ceiling, symbol: str, unit: str, *, below: bool, epsilon: float) -> str:
    """Return both sides where the judge passes and the humans' own agreement is higher."""
    much = _size(ceiling, unit)
    if not below:
        return (
            f"the judge passes the test, and the human ceiling in {symbol} is higher by {much}, no significant difference. "
            "Neither shows the judge to be as good as a person."
        )
    why = f"the test forgives up to ε = {words.number(epsilon)} of the items"
    if BY_KEY[ceiling.metric].group == "beyond chance":
        why = f"{why}, and {symbol} counts only what goes beyond the label rates"
    both = f"the judge passes the test, and stays below the human ceiling in {symbol} by {much}"
    return f"{both}: {why}. It is not as good as a person."


def _not_passed(test: AlternativeTest, symbol: str) -> str:
    """Return what the test shows against those the judge does not beat, beside a value that does not lie below."""
    of, n_open = words.several(len(test.tested), "humans"), len(test.tested) - test.n_won - test.n_lost
    if not test.n_lost:
        return (
            "the test asks for proof against each human on its own, and against "
            f"{words.count(n_open)} of {of} these items prove neither that the judge is worse by ε or more nor that it is not."
        )
    neither = f" Against {words.count(n_open)} the items prove neither." if n_open else ""
    return (
        f"the test counts equal labels, and shows the judge to be like the others less often than {words.count(test.n_lost)} of "
        f"{of}, by more than ε.{neither} {symbol} discounts what the label rates alone give: a judge with other label rates can "
        f"give equal labels less often and stay level in {symbol}."
    )


def _few(alternative_test: AlternativeTest) -> str:
    """Return humans tested on few items, and those not tested."""
    few, left = (
        sum(annotator.test == "wilcoxon" for annotator in alternative_test.tested),
        len(alternative_test.annotators) - len(alternative_test.tested),
    )
    text = ""
    if few:
        text = (
            f" {words.several(few, 'humans')} labelled fewer than {ENOUGH} items and {'was' if few == 1 else 'were'} tested with "
            "Wilcoxon’s signed-rank test, where a win is harder to show."
        )
    return f"{text} {words.several(left, 'humans')} could not be tested." if left else text


def _advantage(alternative_test: AlternativeTest) -> str:
    much = words.estimate(alternative_test.advantage, "%")
    return f"On {much} of items it agrees with the others at least as much as the human does (advantage probability ρ)."


def _ranges(alternative_test: AlternativeTest) -> str:
    if alternative_test.ranges is None or alternative_test.ranges[0] == alternative_test.ranges[1]:
        return ""
    (low, high), (lowest, highest) = alternative_test.ranges
    return (
        f" Scores are compared as they are: the judge’s run from {words.number(low)} to {words.number(high)}, the humans’ from "
        f"{words.number(lowest)} to {words.number(highest)}."
    )


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
    if training.weighted:
        verb = "is an outlier" if len(training.outliers) == 1 else "are outliers"
        return (
            f"{listed_names([rater.name for rater in training.outliers], name)} {verb}: the weighted disagreement of "
            f"{name(first.name)} with the others is {words.percent(first.disagreement)}, theirs among themselves "
            f"{words.percent(first.others)}, {words.estimate(first.excess, 'points')}."
        )
    sentence = (
        f"{listed_names([rater.name for rater in training.outliers], name)} "
        f"{'is an outlier' if len(training.outliers) == 1 else 'are outliers'}: "
        f"{name(first.name)} differs from the others on {words.percent(first.disagreement)} of pairs, they among themselves on "
        f"{words.percent(first.others)}"
    )
    return f"{sentence}, {words.estimate(first.excess, 'points')}."


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
    if role == "judge":
        return (
            ("Disagreement", ambiguity_reading(record.ambiguity, role)),
            ("One outlying judge", training_reading(record.training, name)),
            ("Self-agreement", repeats_reading(record.repeats)),
        )
    return (
        ("Disagreement", ambiguity_reading(record.ambiguity)),
        ("One outlying rater", training_reading(record.training, name)),
        ("Fatigue", fatigue_reading(record.fatigue)),
        ("Self-agreement", repeats_reading(record.repeats)),
    )


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
        return f"{agreement} is the same from a rater’s first label to the last ({order})."
    change = f"{words.estimate(fatigue.change, 'points')} from a rater’s first label to the last ({order})"
    if fatigue.change.interval is None:
        return f"{agreement} changes by {change}; there is no interval."
    if fatigue.change.sign >= 0:
        verb = "rises" if fatigue.change.sign else "does not change significantly"
        return f"{agreement} {verb}: {change}."
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
    ends = words.behind(difference.ends, "points")
    if len(label_rates) == 2:
        other = next(label_rate for label_rate in label_rates if label_rate is not most)
        return f"{name(most.rater)} says {name(label)} {much} {name(other.rater)}{ends}."
    farthest = f"the farthest, {name(most.rater)}, says {name(label)} {much} the others{ends}"
    chance = " By chance alone about 1 in 20 would stand out." if len(label_rates) > 1 else ""
    verb = "differs" if len(differ) == 1 else "differ"
    return (
        f"{words.count(len(differ))} of {words.several(len(label_rates), 'raters')} {verb} from the others; {farthest}.{chance}"
    )


def disagreements_reading(disagreements: Disagreements, name: Name = plain_name) -> str:
    """Return how many units are disputed, and in which pattern most often."""
    n = disagreements.n_units
    if not n:
        return "no item has two labels, so disagreement is undefined."
    unit = disagreements.unit
    alone = f" {words.several(disagreements.n_single, unit)} with one label only {_are(disagreements.n_single)} not counted."
    single = alone if disagreements.n_single else ""
    if not disagreements.n_split:
        return f"the raters agree on all {words.several(n, unit)}.{single}"
    first = disagreements.patterns[0]
    often = f"most often {pattern_words(first, disagreements.units.classes, name)} ({words.often(first.n_units)})"
    return f"the raters differ on {words.count(disagreements.n_split)} of {words.several(n, unit)}, {often}.{single}"


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


def _are(n: int) -> str:
    return "is" if n == 1 else "are"
