"""What the human ceiling, a margin below it and the alternative-annotator test say, in sentences.

`name` wraps words that come from the user's file, so that a page can set them apart and escape them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from metrics.analyses.agreement.readings import Name, plain_name
from metrics.analyses.comparison.margin import stated, told_from
from metrics.analyses.raters.alternative import ENOUGH, AlternativeTest
from metrics.analyses.raters.ceiling import Ceiling, held_to_people
from metrics.analyses.raters.result import AgainstPeople
from metrics.data.references import AUTO, MAJORITY, MEDIAN, UNANIMOUS
from metrics.measures.catalogue import BY_KEY
from metrics.results import words

KIND_WORDS = {"experts": "experts", "skilled": "skilled annotators", "crowd": "crowd workers"}
WINS = "A win means less than ε worse than a person at agreeing with the others, not as good as a person."
WINS_OUTRIGHT = "A win means better than a person at agreeing with the others."
OTHERS = {
    AUTO: "the majority of the others, on ordered labels their low median",
    MAJORITY: "the majority of the others",
    UNANIMOUS: "what all the others agree on",
    MEDIAN: "the low median of the others",
}


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
    """Return whether the judge agrees with the others at most a margin worse than a human does; see `held_to_people`.

    Raises
    ------
    InputError
        For a margin that is not above 0.
    """
    held, unit = held_to_people(ceiling, margin), BY_KEY[ceiling.metric].unit
    size, worst = stated(held.margin, unit), told_from(held.worst, held.margin, unit)
    if ceiling.judge is None or ceiling.difference.ends is None:
        return f"A margin of {size} says nothing here: {held.why}."
    judge = name(ceiling.judge)
    if held.why:
        return f"Whether {judge} is as good as a human within {size} {held.why}."
    if held.verdict == "undecided":
        return f"Whether {judge} is worse than a human by more than the margin of {size} is undecided: it may be {worst} worse."
    if held.verdict == "inferior":
        return f"{judge} is inferior to a human: worse by more than the margin of {size}."
    if held.worst <= 0:
        return f"{judge} is non-inferior to a human by the margin of {size}: it is no worse at all."
    less = " It is worse, by less than that." if held.verdict == "worse within the margin" else ""
    return f"{judge} is non-inferior to a human by the margin of {size}: it is at most {worst} worse.{less}"


def margins_reading(against: Sequence[AgainstPeople]) -> list[str]:
    """Return which of several judges are non-inferior to a human, and the correction for their number; nothing of one alone.

    Parameters
    ----------
    against : sequence of AgainstPeople
    """
    tested = sum(1 for one in against if not math.isnan(one.p_holm))
    if tested < 2:
        return []
    names = [plain_name(one.ceiling.judge or "") for one in against if one.non_inferior]
    who = words.listed(names) if names else "none"
    return [
        f"{words.capital(words.several(tested, 'judges'))} are held to the margin{words.corrected(tested, 'judges')}: {who} "
        f"{'is' if len(names) < 2 else 'are'} non-inferior to a human."
    ]


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
        f"{words.are(left)} not in it."
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
