"""The verdict on a judge that gives numbers, or labels that are numbers in another unit than the reference's."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from metrics.analyses.agreement.readings import is_below, weakest_of
from metrics.analyses.agreement.standing import LEAST
from metrics.analyses.cautions import CELLS_LEFT_OUT, on_criterion, told_of
from metrics.analyses.ordered_catalogue import RECORDS
from metrics.analyses.overview.grounds import statement_of as _statement
from metrics.analyses.overview.grounds import unread
from metrics.analyses.overview.readings import MANY_OPEN, with_long_symbol
from metrics.analyses.overview.readings_judges import not_met
from metrics.analyses.overview.result import Relation, Statement, numbers_of
from metrics.analyses.roc.two_judges import ScoreComparison
from metrics.analyses.scores.provenance import estimate_text
from metrics.analyses.scores.readings import not_of_each
from metrics.analyses.scores.readings_numbers import beside_person
from metrics.analyses.scores.result import AmongPeople, JudgeScores, On, Pairs, ScoresReport
from metrics.results import words
from metrics.results.estimate import Estimate

LEADING: dict[On, str] = {"score": "pearson", "label": "spearman"}
"""The number that is read first: of labels their order alone is known."""
NEARNESS = "ccc"
"""The number that an offset and another spread lower too, which a correlation forgives."""

MOST_SMALLER = 3
"""Judges with a mean error nearer to 0 that are named."""


@dataclass(frozen=True, eq=False)
class NumberGrounds:
    """The numbers on one judge, the first of the report's judges in the order in which they are read."""

    report: ScoresReport
    judge: JudgeScores
    against: Mapping[str, ScoreComparison] = field(default_factory=dict)
    """Other judges against it; empty where they are not compared."""
    by_nearness: Mapping[str, ScoreComparison] = field(default_factory=dict)
    """The same by `NEARNESS`, of those that share its unit with the reference."""

    @property
    def name(self) -> str:
        return words.shorten(self.judge.name)

    @property
    def many(self) -> bool:
        return len(self.judge.criteria) > 1

    @cached_property
    def relations(self) -> Mapping[str, Relation]:
        """How the other judges stand to it, by intervals for all pairs at once."""
        winners = self._winners(self.against)
        apart: dict[bool, Relation] = {True: "behind", False: "ahead"}
        return {
            name: "undefined"
            if not self.against[name].difference.defined
            else apart[winner == self.judge.name]
            if winner
            else "tied"
            for name, winner in winners.items()
        }

    @cached_property
    def nearer(self) -> list[str]:
        """Other judges that lie nearer to the reference, by intervals for all pairs at once."""
        return [name for name, winner in self._winners(self.by_nearness).items() if winner == name]

    def _winners(self, against: Mapping[str, ScoreComparison]) -> dict[str, str]:
        return {name: one.winner_among(len(self.against) + 1) for name, one in against.items()}

    @property
    def key(self) -> str:
        return LEADING[self.report.on]

    @property
    def short(self) -> str:
        """The correlation in a sentence."""
        return RECORDS[self.key].symbol

    @property
    def headline(self) -> Estimate:
        """Correlation, of several criteria its mean over them."""
        return headline_of(self.judge, self.key)

    @property
    def symbol(self) -> str:
        return f"mean {self.short} of {words.count(len(self.judge.criteria))} criteria" if self.many else self.short

    @property
    def no_verdict(self) -> str:
        return no_verdict(self.judge, self.key)


def headline_of(judge: JudgeScores, key: str) -> Estimate:
    """Return a correlation of a judge, of several criteria its mean over them."""
    return (judge.mean if len(judge.criteria) > 1 else judge.pooled)[key]


def no_verdict(judge: JudgeScores, key: str) -> str:
    """Return why the numbers allow no verdict on a judge by a correlation, as a clause; empty where they do."""
    n = judge.n_used or 0
    if not judge.pooled.n:
        return "no decision has a number of both sides"
    if n < LEAST:
        return f"it rests on {words.several(n, 'items')}, and {LEAST} are the least"
    estimate = headline_of(judge, key)
    return "" if estimate.defined else f"{RECORDS[key].symbol} is undefined, as {estimate.why}"


def verdict_of(grounds: NumberGrounds) -> tuple[Statement, ...]:
    """Return the statements that apply, in the order in which they are read."""
    if grounds.no_verdict:
        text = f"No verdict on {grounds.name} can be given: {grounds.no_verdict}. Label more items, of differing quality."
        return (_statement("no_verdict", text, grounds, {"n_items": grounds.judge.n_used}), *filter(None, [unread(grounds)]))
    rules = (
        _other_ends,
        _readings_disagree,
        _leader,
        _agreement,
        _people,
        _errors,
        _weakest,
        _left_out,
        _left_open,
        _pooling,
        unread,
    )
    stated = [statement for rule in rules if (statement := rule(grounds)) is not None]
    return with_long_symbol(stated, grounds.short, RECORDS[grounds.key].name)


def _other_ends(grounds: NumberGrounds) -> Statement | None:
    judge = grounds.judge
    if judge.two_units or not judge.other_ends:
        return None
    text = f"{grounds.name} may use another scale: {on_criterion(judge.other_ends, len(judge.criteria))}"
    return _statement("other_ends", text, grounds, {"criteria": list(judge.other_ends)})


def _readings(grounds: NumberGrounds) -> dict[str, Estimate]:
    return {"pooled": grounds.judge.pooled[grounds.key], "as the mean over criteria": grounds.judge.mean[grounds.key]}


def _disagree(grounds: NumberGrounds) -> bool:
    signs = {
        words.side_of_0(estimate.ends)
        for estimate in _readings(grounds).values()
        if estimate.defined and estimate.ends is not None
    }
    return grounds.many and len(signs) > 1


def _readings_disagree(grounds: NumberGrounds) -> Statement | None:
    if not _disagree(grounds):
        return None
    values = " and ".join(f"{words.estimate(estimate)} {name}" for name, estimate in _readings(grounds).items())
    text = f"Whether the numbers of {grounds.name} follow the reference’s depends on the reading. {grounds.short} is {values}."
    return _statement("readings_disagree", text, grounds, {n: numbers_of(estimate) for n, estimate in _readings(grounds).items()})


def _leader(grounds: NumberGrounds) -> Statement | None:
    judges = [name for name, judge in grounds.report.judges.items() if not no_verdict(judge, grounds.key)]
    if len(judges) < 2:
        return None
    text = f"{grounds.name} has the highest {grounds.symbol} among {words.count(len(judges))} judges{_nearer(grounds)}."
    relations = grounds.relations
    if not relations:
        text += " Judges are not tested against each other by it, so none is named the better one."
        return _statement("leader", text, grounds, _headline(grounds))
    pairs = words.several(math.comb(len(relations) + 1, 2), "pairs")
    at_once = f", by intervals for all {pairs} at once" if len(relations) > 1 else ""
    who, by = (grounds.name, f" in {grounds.short}") if grounds.nearer else ("It", "")
    sentences: tuple[tuple[Relation, str], ...] = (
        ("behind", f"{who} is significantly ahead of {{}}{by}{at_once}."),
        ("tied", f"No significant difference{by} shows from {{}}."),
        ("ahead", "On the decisions that both scored, the order is the other way round for {}."),
    )
    for relation, sentence in sentences:
        if whom := [name for name in judges if relations.get(name) == relation]:
            text += f" {sentence.format(words.named(whom))}"
    text += not_met([name for name in judges if name != grounds.judge.name and name not in relations])
    numbers = {"relations": dict(relations), **({"nearer": grounds.nearer} if grounds.nearer else {}), **_headline(grounds)}
    return _statement("leader", text, grounds, numbers)


def _nearer(grounds: NumberGrounds) -> str:
    """Return which judges lie nearer to the reference than the one of the highest correlation; empty where none is shown to."""
    if not grounds.nearer:
        return ""
    one = grounds.by_nearness[grounds.nearer[0]]
    size = f" by {words.estimate(one.difference)}" if len(grounds.nearer) == 1 else ""
    return (
        f", but by {RECORDS[NEARNESS].phrase}, which counts an offset and another spread too, {words.named(grounds.nearer)} "
        f"{words.are(len(grounds.nearer))} significantly ahead of it{size}"
    )


def _agreement(grounds: NumberGrounds) -> Statement | None:
    headline, number = grounds.headline, f"{grounds.symbol} {words.estimate(grounds.headline)}{_by_weight(grounds)}"
    who, numbers = f"the numbers of {grounds.report.declaration.the_reference()}", _headline(grounds)
    if _disagree(grounds):
        return None
    if headline.ends is None:
        text = f"{grounds.name} has {grounds.symbol} {words.number(headline.value)}, without an interval."
        return _statement("agreement", text, grounds, numbers)
    sign = words.side_of_0(headline.ends)
    if not sign:
        text = f"No correlation of {grounds.name} with {who} is shown: {number}.{beside_ranks(grounds)}"
        return _statement("no_agreement_shown", text, grounds, numbers)
    if sign < 0:
        text = f"The numbers of {grounds.name} fall where {who} rise: {number}. One side may use the scale the other way round."
        return _statement("below_chance", text, grounds, numbers)
    whose = f"those of {grounds.report.declaration.the_reference()}"
    text = f"The numbers of {grounds.name} rise with {whose}: {number}."
    if not _measured_people(grounds):
        text += " How far people agree with each other is not measured, so whether that is enough is open."
    return _statement("agreement", f"{text}{beside_ranks(grounds)}", grounds, numbers)


def _by_weight(grounds: NumberGrounds) -> str:
    """Return the correlation with every item by its weight, behind the other; empty where the file has no weights."""
    numbers = grounds.judge.weighted
    if numbers is None:
        return ""
    weighted = (numbers.macro if grounds.many else numbers.estimates)[grounds.key]
    return f", and {words.estimate(weighted)} by ‘{words.shorten(numbers.column)}’" if weighted.defined else ""


def _measured_people(grounds: NumberGrounds) -> AmongPeople | None:
    people = grounds.judge.people
    return people if people is not None and people.difference.defined else None


def _people(grounds: NumberGrounds) -> Statement | None:
    people = _measured_people(grounds)
    if people is None:
        return None
    numbers = {
        "metric": "pearson", "judge_value": numbers_of(people.judge), "human_value": numbers_of(people.human),
        "difference": numbers_of(people.difference), "settled": people.settled, "n_humans": people.n_people,
    }  # fmt: skip
    return _statement("people", beside_person(grounds.judge), grounds, numbers)


def beside_ranks(grounds: NumberGrounds) -> str:
    """Return that ranks tell of another agreement than the numbers, which a few far off then move; empty where they do not."""
    ranks = (grounds.judge.mean if grounds.many else grounds.judge.pooled)["spearman"]
    if grounds.key != "pearson" or not (is_below(grounds.headline, ranks) or is_below(ranks, grounds.headline)):
        return ""
    moved = "lower" if grounds.headline.value < ranks.value else "raise"
    return f" Spearman’s ρ is {words.estimate(ranks)}: a few numbers far off {moved} {grounds.short}."


def _errors(grounds: NumberGrounds) -> Statement | None:
    judge, block = grounds.judge, grounds.judge.pooled
    if judge.two_units:
        where = words.named(list(judge.two_units))
        unsaid = "mean error" if grounds.report.on == "score" else "κ, accuracy or mean error"
        text = f"Judge and reference use different units on {where}, so no {unsaid} is stated."
        return _statement("errors", text, grounds, {"two_units": list(judge.two_units)})
    bias, rmse = block["bias"], block["rmse"]
    if not bias.defined:
        return None
    size, sign = estimate_text(block, "bias"), words.side_of_0(bias.ends)
    if judge.may_be_two_scales(None):
        text = f"The mean error is {size}, if both use one scale."
    elif bias.ends is None:
        text = f"The mean error is {size}, without an interval."
    elif not sign:
        text = f"There is no significant mean error: {size}."
    elif not_of_each(judge, sign):
        text = f"The mean error is {size}; its direction differs between criteria."
    else:
        text = f"The mean error is {size}: {grounds.name} gives {'higher' if sign > 0 else 'lower'} numbers than the reference."
        text += _smaller_words(grounds)
    numbers = {"n": block.n, "bias": numbers_of(bias), "rmse": numbers_of(rmse)}
    text += f" The typical distance (RMSE) is {estimate_text(block, 'rmse')}."
    return _statement("errors", f"{text}{_narrow_words(grounds)}", grounds, numbers)


def _narrow_words(grounds: NumberGrounds) -> str:
    """Return that the judge uses less of the scale than the reference, which noise cannot make.

    Empty where it is not shown, or a criterion shows the reverse.
    """
    judge = grounds.judge
    wider = any((ends := block["sd_ratio"].ends) and ends[0] > 1 for block in judge.criteria.values())
    if grounds.report.on != "score" or judge.own_unit or wider:
        return ""
    ratio = (judge.mean if grounds.many else judge.pooled)["sd_ratio"]
    if not ratio.ends or ratio.ends[1] >= 1:
        return ""
    whose, mean = f"those of {grounds.report.declaration.the_reference()}", ", on average over criteria" if grounds.many else ""
    return f" {grounds.name} uses less of the scale: the numbers spread {words.estimate(ratio)} times as far as {whose}{mean}."


def _smaller_words(grounds: NumberGrounds) -> str:
    """Return which judges that are not behind in the correlation have a mean error surely nearer to 0; empty where none has."""
    low, high = grounds.judge.pooled["bias"].ends or (0.0, 0.0)
    others = [judge for name, judge in grounds.report.judges.items() if grounds.relations.get(name) in ("tied", "ahead")]
    shown = [
        f"{words.shorten(other.name)} ({estimate_text(other.pooled, 'bias')})"
        for other in others
        if (ends := other.pooled["bias"].ends) and not other.own_unit and max(map(abs, ends)) < min(abs(low), abs(high))
    ]
    return (
        f" {grounds.short} does not see that. The mean error is nearer to 0 for {words.listed(shown, MOST_SMALLER)}."
        if shown
        else ""
    )


def _weakest(grounds: NumberGrounds) -> Statement | None:
    known = {name: block[grounds.key] for name, block in grounds.judge.criteria.items() if block[grounds.key].defined}
    if not (weakest := weakest_of(known)):
        return None
    number, others = f"{grounds.short} {words.estimate(known[weakest])}", "every other" if len(known) > 2 else "the other"
    text = f"The weakest criterion is {words.shorten(weakest)}: {number}, significantly below {others}."
    return _statement("weakest", text, grounds, {"criterion": weakest, "metric": grounds.key, **numbers_of(known[weakest])})


def _left_out(grounds: NumberGrounds) -> Statement | None:
    """Return which cells hold no number, and so count nowhere."""
    text = told_of(CELLS_LEFT_OUT, grounds.report.warnings)
    return _statement(CELLS_LEFT_OUT, text, grounds, {}) if text else None


def _left_open(grounds: NumberGrounds) -> Statement | None:
    pairs = grounds.judge.coverage
    if not isinstance(pairs, Pairs) or not pairs.n_total or 1 - pairs.coverage <= MANY_OPEN:
        return None
    text = pairs.lacking_words(grounds.name)
    numbers = {"n_total": pairs.n_total, "n_no_reference": pairs.n_no_reference, "n_no_judge": pairs.n_no_judge}
    return _statement("left_open", text, grounds, numbers)


def _pooling(grounds: NumberGrounds) -> Statement | None:
    pooled = grounds.judge.pooled[grounds.key]
    if not grounds.many or _disagree(grounds) or not pooled.defined or grounds.judge.two_units:
        return None
    text = f"Pooled over {words.count(len(grounds.judge.criteria))} criteria, {grounds.short} is {words.estimate(pooled)}."
    return _statement("pooling", text, grounds, {"pooled": numbers_of(pooled), "headline": numbers_of(grounds.headline)})


def order_of_judges(report: ScoresReport) -> Sequence[JudgeScores]:
    """Return judges by their correlation, highest first; those without a verdict last."""
    key = LEADING[report.on]
    return sorted(report.judges.values(), key=lambda judge: (bool(no_verdict(judge, key)), -headline_value(judge, key)))


def headline_value(judge: JudgeScores, key: str) -> float:
    """Return the correlation of a judge; -2 where it is undefined, below every value."""
    estimate = headline_of(judge, key)
    return estimate.value if estimate.defined else -2.0


def _headline(grounds: NumberGrounds) -> dict[str, Any]:
    return {"metric": grounds.key, "level": "macro" if grounds.many else "micro", **numbers_of(grounds.headline)}
