"""What is said of several judges: which leads, whom it is ahead of, and on whom the readings disagree."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import islice

from metrics.analyses.comparison.forest import Forest
from metrics.analyses.comparison.permutation import ahead_on
from metrics.analyses.comparison.readings import by_weight_words, p_words
from metrics.analyses.grouped_items import AS_INDEPENDENT
from metrics.analyses.overview.grounds import (
    Grounds,
    end_for_all,
    headline_numbers,
    no_verdict,
    one_verdict_labelled,
    relation_to_leader,
    statement_of,
)
from metrics.analyses.overview.readings_errors import never_given_words
from metrics.analyses.overview.result import Relation, Statement
from metrics.results import words

HALF_A_HUNDREDTH = 0.005
"""Two values of two decimals that differ by another number than their difference: a third decimal shows why."""
MOST_AHEAD = 2
"""Judges of which the criteria are named on which they are ahead of the leader."""
MANY_EQUAL = 5
"""Judges not told apart from which the interval of the highest covers its true value too seldom: 85 % of 10, 80 % of 20."""
MANY_JUDGES = 10
"""Judges from which the correction for picking the best hides differences that would show of one alone."""


def disputed_judges(grounds: Grounds) -> Statement | None:
    """Return on which judges the readings disagree, so that they have no order; None where there is none."""
    forest = grounds.forest
    if forest is None or not forest.disputed:
        return None
    whom = words.named(forest.disputed)
    what = "Test and interval" if all(_by_test_alone(forest, name) for name in forest.disputed) else "The readings"
    text = f"{what} disagree on {whom} beside {words.shorten(forest.baseline)}, so their order is not stated."
    if order_is_clear(grounds):
        verb = "is" if len(forest.disputed) == 1 else "are"
        text = f"{what} disagree on whether {whom} {verb} behind {words.shorten(forest.baseline)}."
    if silent := [comparison.b.name for comparison in forest.against if comparison.from_silence]:
        text += f" The difference from {words.named(silent)} comes from decisions that only one of them answered."
    return statement_of("judges_disputed", text, grounds, {"judges": list(forest.disputed), "leader": forest.baseline})


def order_is_clear(grounds: Grounds) -> bool:
    """Return whether readings disagree on no judge, or on some that all of them put behind one that is not told apart."""
    forest = grounds.forest
    if forest is None or not forest.disputed:
        return True
    signs = [{reading.sign for reading in forest.met[name][0].decisive} - {0} for name in forest.disputed]
    return all(len(sign) == 1 for sign in signs) and forest.against[0].b.name not in forest.disputed


def _by_test_alone(forest: Forest, name: str) -> bool:
    """Return whether on one judge every interval excludes 0 on the same side, so that a p alone is another reading."""
    return {words.side_of_0(reading.difference.ends) for reading in forest.met[name][0].decisive} in ({1}, {-1})


def leading_judge(grounds: Grounds) -> Statement | None:
    """Return which judge has the highest number, and how the others stand beside it; None of a single judge."""
    judges = [name for name, judge in grounds.report.judges.items() if not no_verdict(judge)]
    if len(judges) < 2 or grounds.judge.name not in judges:
        return None
    relations = {name: relation_to_leader(grounds.forest, name, grounds.judge.name)[0] for name in judges}
    which = "" if len(judges) == len(grounds.report.judges) else " that allow a verdict"
    text = (
        f"{grounds.name} has the highest {grounds.symbol} among {words.count(len(judges))} judges{which}"
        f"{never_given_words(grounds)}{_each_on_its_own(grounds, relations)}."
    )
    if "disputed" in relations.values() and not order_is_clear(grounds):
        text = f"What follows is on {grounds.name}, one of {words.count(len(judges))} judges{which}."
    if grounds.forest is None:
        text += f" The judges are not compared: {grounds.not_compared}."
    if same := [name for name in judges if relations[name] == "tied" and _is_same(grounds, name)]:
        text += f" {words.named(same)} {'gives' if len(same) == 1 else 'give'} the same verdicts on what both answered."
    sentences = (
        ("behind", "It is significantly ahead of {}{}."),
        ("tied", f"No significant difference shows from {{}}{{}}{_chosen(grounds, len(judges))}."),
        ("ahead", "On the decisions that both answered, the order is the other way round for {}."),
    )
    nearest = list(relations) if grounds.forest is None else [one.b.name for one in grounds.forest.against]
    for relation, sentence in sentences:
        if whom := [name for name in nearest if relations.get(name) == relation and name not in same]:
            text += f" {sentence.format(words.named(whom), _apart(grounds, whom, relation))}"
            if relation == "behind" and any(_in_groups(grounds, name) for name in whom):
                text += f" {AS_INDEPENDENT}"
    text += "" if grounds.forest is None else not_met([name for name in judges if relations[name] == "not compared"])
    text += _by_luck(grounds, [name for name in judges if relations[name] == "tied"])
    ahead = better_on(grounds)
    for name in list(ahead)[:MOST_AHEAD]:
        text += f" On {words.named(ahead[name])} {words.shorten(name)} is right significantly more often."
    if (more := len(ahead) - MOST_AHEAD) > 0:
        text += f" So {'is 1 more judge' if more == 1 else f'are {words.count(more)} more judges'} on single criteria."
    for name, criteria in islice(better_on(grounds, leader=True).items(), 1):
        text += f" On {words.named(criteria)} {grounds.name} is right significantly more often than {words.shorten(name)}."
    return statement_of("leader", text, grounds, {"relations": relations, **headline_numbers(grounds)})


def not_met(names: Sequence[str]) -> str:
    """Return that judges answered nothing that the leader did; empty where there is none."""
    verb = "is" if len(names) == 1 else "are"
    return f" {words.named(names)} {verb} not compared with it: they share no decision." if names else ""


def _each_on_its_own(grounds: Grounds, relations: Mapping[str, Relation]) -> str:
    """Return that judges are ranked by what each answered, where another that is not told apart is higher on what both did."""
    met = {} if grounds.forest is None else grounds.forest.met
    tied = [met[name][0].decisive[0] for name, relation in relations.items() if relation == "tied" and name in met]
    higher = any(one.b - one.a > HALF_A_HUNDREDTH for one in tied)
    return ", each on what it answered" if higher else ""


def _by_luck(grounds: Grounds, tied: list[str]) -> str:
    """Return that the highest of many equal numbers is so by luck too, with what it is at least for that; empty of few."""
    symbol, level, own = grounds.symbol, grounds.level, grounds.headline.value
    values = [own, *(grounds.report.judges[name].level(level)[grounds.metric].value for name in tied)]
    mean = sum(values) / len(values)
    if len(values) < MANY_EQUAL or not own - mean > HALF_A_HUNDREDTH:
        return ""
    text = f"The highest of {words.count(len(values))} that are not told apart is likely too high"
    text = f" {text}: their mean {symbol} is {words.number(mean)}."
    low = end_for_all(grounds.headline, len(grounds.report.judges), 0, grounds.confidence)
    if math.isnan(low):
        return text
    known = "is at least" if low > 0 else "is not shown to be above 0: it is at least"
    return f"{text} Corrected for this choice, {symbol} of {grounds.name} {known} {words.number(low)}."


def _chosen(grounds: Grounds, n_judges: int) -> str:
    """Return that differences are held to more, since the leader was picked among many by the same numbers."""
    picked = grounds.forest is not None and grounds.forest.joint is not None and n_judges >= MANY_JUDGES
    return f", with p corrected for picking the best of {words.count(n_judges)}" if picked else ""


def better_on(grounds: Grounds, *, leader: bool = False) -> dict[str, list[str]]:
    """Return judges that are not behind the leader over all criteria, to those on which they are right more often.

    And not for giving the commoner label more often, by which κ would be no higher. p is corrected for the judges too.

    Parameters
    ----------
    grounds : Grounds
    leader : bool
        The criteria instead on which the leader is right more often than a judge.
    """
    if grounds.forest is None:
        return {}
    found = {}
    for name in grounds.forest.met:
        relation, comparison, _ = relation_to_leader(grounds.forest, name, grounds.judge.name)
        # Who is right more often on a criterion is tested by counts, which take no weights.
        if comparison is not None and comparison.weighted is None and relation != "behind":
            level = (1 - grounds.confidence) / len(grounds.forest.met)
            ahead = ahead_on(comparison.on_criteria, level)[(comparison.b.name == name) != leader]
            who, whom = (grounds.judge.name, name) if leader else (name, grounds.judge.name)
            own, other = (grounds.report.judges[each].criteria for each in (who, whom))
            names = [one.criterion for one in ahead]
            found[name] = [on for on in names if own[on].values["kappa"] > other[on].values["kappa"]]
    return {name: criteria for name, criteria in found.items() if criteria}


def _in_groups(grounds: Grounds, name: str) -> bool:
    """Return whether a judge differs from the leader alike within groups of items."""
    comparison = relation_to_leader(grounds.forest, name, grounds.judge.name)[1]
    return comparison is not None and bool(comparison.in_groups)


def _is_same(grounds: Grounds, name: str) -> bool:
    """Return whether a judge differs from the leader on no decision that both answered."""
    comparison = relation_to_leader(grounds.forest, name, grounds.judge.name)[1]
    return comparison is not None and comparison.permutation.n_differ == 0


def _apart(grounds: Grounds, names: Sequence[str], relation: str) -> str:
    """Return the lead of the leader with its interval, where one judge is named; it is on the decisions both answered."""
    comparison = relation_to_leader(grounds.forest, names[0], grounds.judge.name)[1]
    if len(names) > 1 or comparison is None or not comparison.decisive[0].difference.defined:
        return ""
    decides, by_weight = comparison.decisive[0], comparison.weighted
    lead, values = -decides.difference, (decides.a, decides.b)
    adds_up = abs(round(values[0], 2) - round(values[1], 2) - round(lead.value, 2)) < HALF_A_HUNDREDTH
    sides = [words.number(value) if adds_up else words.three(value) for value in values]
    what = "items" if comparison.level == "item" else "decisions"
    shared = f"{sides[0]} against {sides[1]} on the {words.several(comparison.a.block.n or 0, what)} that both answered"
    shared += f", every item {by_weight_words(by_weight)}" if by_weight is not None else ""
    if relation == "behind":
        return f" by {words.estimate(lead)}: {shared}"
    p = grounds.forest.p_by_name[comparison.b.name] if grounds.forest is not None else math.nan
    n = 1 if grounds.forest is None else len(grounds.forest.met)
    test = f"the test, corrected for {words.count(n + 1)} judges," if n > 1 else "the test"
    alone = f". The interval excludes 0, {test} does not agree ({p_words(p)})" if lead.sign and relation == "tied" else ""
    return f": {words.signed(lead.value, 2)}{words.behind(lead.ends)}, {shared}{alone}"


def other_judges(grounds: Grounds) -> Statement | None:
    """Return the other judges of which no agreement beyond chance is shown, or no verdict can be given."""
    others = [judge for name, judge in grounds.report.judges.items() if name != grounds.judge.name]
    without = [judge.name for judge in others if no_verdict(judge)]
    known = {judge.name: judge.level(grounds.level)[grounds.metric] for judge in others if not no_verdict(judge)}
    chance = [name for name, estimate in known.items() if estimate.ends is not None and not words.side_of_0(estimate.ends)]
    below = [name for name, estimate in known.items() if words.side_of_0(estimate.ends) < 0]
    sentences = []
    if below:
        sentences.append(f"Agreement less than chance is shown for {words.named(below)}.")
    if chance:
        sentences.append(f"No agreement beyond chance is shown for {words.named(chance)}.")
    if without:
        why = one_verdict_labelled(grounds.report.judges[without[0]]) if len(without) == 1 else ""
        sentences.append(f"No verdict can be given on {words.named(without)}{why and f': {why}'}.")
    if not sentences:
        return None
    return statement_of(
        "others", " ".join(sentences), grounds, {"at_chance": chance, "below_chance": below, "no_verdict": without}
    )
