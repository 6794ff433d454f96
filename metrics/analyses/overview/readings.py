"""The verdict on a judge of labels: which statements hold, in which order, and their words.

A statement stands only where it applies, and none has a direction where an interval holds the null.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from metrics.analyses.abstention.readings import relation_sentence
from metrics.analyses.agreement.readings import weakest_of
from metrics.analyses.agreement.standing import LEAST, on_other_ends
from metrics.analyses.agreement.weighted import weighted_words
from metrics.analyses.cautions import TUNING_ITEMS, told_of
from metrics.analyses.grouped_items import ITEMS_IN_GROUPS
from metrics.analyses.overview.grounds import (
    Grounds,
    end_for_all,
    headline_numbers,
    leaves_open,
    never_decides,
    statement_of,
    unread,
)
from metrics.analyses.overview.readings_errors import (
    errors_of,
    never_given_words,
    one_label_on,
    orders_of,
    silent_words,
    swayed_of,
)
from metrics.analyses.overview.readings_judges import disputed_judges, leading_judge, order_is_clear, other_judges
from metrics.analyses.overview.readings_standing import (
    below_baseline,
    below_chance,
    constant_judge,
    criteria_below_baseline,
    criteria_opposed,
    opposed,
    ranks_reversed,
    worse_than_baseline,
)
from metrics.analyses.overview.readings_unlabelled import labels_by_verdict, leads_by_silence, unlabelled
from metrics.analyses.overview.result import Statement, numbers_of
from metrics.analyses.preferences.compute import CONVENTIONS
from metrics.analyses.preferences.readings import KAPPA
from metrics.analyses.raters.ceiling import Ceiling
from metrics.analyses.records import JudgeReport
from metrics.analyses.review.readings import SOURCE, band_words
from metrics.measures.catalogue import BY_KEY
from metrics.results import words
from metrics.results.estimate import Estimate

MOST_NAMED = 2
"""Criteria that are named with their numbers."""
MANY_OPEN = 0.1
"""Share of decisions without a verdict of both sides above which what is left may be another matter than the whole."""
SMALL = 0.1
"""Cramér’s V of silence and label up to which what is answered is hardly another matter than the whole (Cohen 1988)."""
Rule = Callable[[Grounds], Statement | None]


def verdict_of(grounds: Grounds) -> tuple[Statement, ...]:
    """Return the statements that apply, in the order in which they are read."""
    if grounds.no_verdict:
        rules: tuple[Rule, ...] = (_no_verdict, errors_of, _left_open, unread)
    else:
        # Of several judges the one that is read leads; that another is worse than a constant follows it.
        own = (below_baseline,) if worse_than_baseline(grounds.judge) else ()
        others = () if own else (below_baseline,)
        first = (_readings_disagree, *own) if grounds.any_reading_agrees else (*own, _readings_disagree)
        # What weakens an interval stands behind the first one that is read.
        leads: tuple[Rule, ...] = (leading_judge, _grouped) if len(grounds.report.judges) > 1 else (leading_judge,)
        agrees: tuple[Rule, ...] = (_agreement,) if len(grounds.report.judges) > 1 else (_agreement, _grouped)
        disputed: tuple[Rule, ...] = (disputed_judges,)
        later, sooner = (disputed, ()) if order_is_clear(grounds) else ((), disputed)
        silent: tuple[Rule, ...] = (unlabelled,)
        after, before = ((), silent) if leads_by_silence(grounds) else (silent, ())
        rules = (
            labels_by_verdict, _other_ends, *before, *sooner, *first, criteria_opposed, below_chance, constant_judge, *leads,
            *later, *others, other_judges, *agrees, *after, _chance_on, _mixed, _of_runs, _weighted, _tuned, _people, errors_of,
            orders_of, swayed_of, criteria_below_baseline, one_label_on, _weakest, silent_words, _left_open, _ties, _pooling,
            unread,
        )  # fmt: skip
    return with_long_symbol([statement for rule in rules if (statement := rule(grounds)) is not None], "κ", "Cohen’s κ")


def with_long_symbol(statements: Sequence[Statement], short: str, long: str) -> tuple[Statement, ...]:
    """Return the statements with a symbol spelled out where it is first used.

    Parameters
    ----------
    statements : sequence of Statement
    short, long : str
        The symbol, and the same with its author.
    """
    symbol = re.compile(rf"(?<!\w){short}(?!\w)")
    first = next((place for place, statement in enumerate(statements) if symbol.search(statement.text)), None)
    return tuple(
        replace(statement, text=symbol.sub(long, statement.text, count=1)) if place == first else statement
        for place, statement in enumerate(statements)
    )


def _no_verdict(grounds: Grounds) -> Statement:
    text = f"No verdict on {grounds.name} can be given: {grounds.no_verdict}. {what_to_label(grounds.judge)}"
    return statement_of("no_verdict", text, grounds, {"n": grounds.pooled.n, "n_items": grounds.judge.n_used})


def what_to_label(judge: JudgeReport) -> str:
    """Return what would allow a verdict on a judge of which none can be given."""
    block = judge.micro
    if never_decides(judge):
        return f"Find out why {words.shorten(judge.name)} never decides."
    if not block.n:
        return "Get verdicts of both sides on the same items."
    if judge.labelling is not None and judge.labelling.only is not None:
        return judge.labelling.mend(words.shorten(judge.name))
    if ((block.n if judge.n_used is None else judge.n_used) or 0) < LEAST:
        return f"Label {LEAST} items or more, some with each label."
    if block.one_sided is not None and block.one_sided[0] == "reference":
        if judge.coverage.n_labels_open:
            share = words.percent(leaves_open(judge))
            return f"Find out why {words.shorten(judge.name)} leaves {share} of decisions open that people answer."
        others = [words.marked(words.shorten(label)) for label in block.labels if label != block.one_sided[1]]
        return f"Label items that should get {' or '.join(others[: words.MOST_NAMED])}."
    return "Label items that should get the other label, on each criterion."


def _other_ends(grounds: Grounds) -> Statement | None:
    """Return that judge and reference may use two scales, which would make every other number another one."""
    if not (why := on_other_ends(grounds.judge)):
        return None
    return statement_of("other_ends", f"{grounds.name} may use another scale: {why}", grounds, {})


def _readings_disagree(grounds: Grounds) -> Statement | None:
    if not grounds.readings_disagree:
        return None
    symbol = grounds.pooled_symbol
    values = words.listed([f"{words.estimate(estimate)} {name}" for name, estimate in grounds.readings.items()])
    text = f"Whether {grounds.name} agrees with {grounds.the_reference} beyond chance depends on the reading."
    if not grounds.any_reading_agrees:
        text = f"No agreement of {grounds.name} with {grounds.the_reference} beyond chance is shown in any reading"
        below = [name for name, estimate in grounds.readings.items() if words.side_of_0(estimate.ends) < 0]
        text += f", and less than chance is shown {words.listed(below)}." if below else "."
    text += f" {symbol} is {values}."
    return statement_of(
        "readings_disagree", text, grounds, {name: numbers_of(estimate) for name, estimate in grounds.readings.items()}
    )


def _credited(grounds: Grounds) -> str:
    """Return what pooling makes of label rates that differ between criteria; empty where it makes nothing."""
    if grounds.of_weight or grounds.pooling is None or grounds.pooling.verdict not in ("lifted", "lowered"):
        return ""
    worth = words.number(grounds.pooling.between)
    if grounds.pooling.verdict == "lowered":
        return f" Random verdicts at the label rates of each criterion would have pooled κ {worth}."
    return (
        f" Pooling credits the judge for the criteria’s label rates: random verdicts at these rates would have pooled κ {worth}."
    )


def _agreement(grounds: Grounds) -> Statement | None:
    headline, who = grounds.headline, f"{grounds.name} agrees with {grounds.the_reference}"
    if grounds.readings_disagree or grounds.pooled.one_sided or grounds.sign < 0 or any(opposed(grounds)):
        return None
    number = f"{grounds.symbol} {words.estimate(headline)}{grounds.counted_once}"
    if not headline.defined:
        return statement_of(
            "agreement", f"{words.capital(grounds.symbol)} is undefined: {headline.why}.", grounds, headline_numbers(grounds)
        )
    if headline.ends is None:
        text = f"{words.capital(grounds.symbol)} of {grounds.name} is {words.number(headline.value)}, without an interval."
        return statement_of("agreement", text, grounds, headline_numbers(grounds))
    if not grounds.sign:
        pair = f"{grounds.name} with {grounds.the_reference}"
        text = f"No agreement of {pair} beyond chance is shown{_where(grounds)}: {number}."
        text += f" {hint}" if (hint := ranks_reversed(grounds)) else ""
        return statement_of("no_agreement_shown", text, grounds, headline_numbers(grounds))
    band, blind = "", never_given_words(grounds)
    if not _has_yardstick(grounds) and not blind:
        band = f" {SOURCE} call that {band_words(headline.value, headline.ends)}."
    if blind and (leader := leading_judge(grounds)) is not None and blind in leader.text:
        blind = ""  # it has been said
    return statement_of(
        "agreement",
        f"{who} beyond chance{_where(grounds)}: {number}{blind}.{band}",
        grounds,
        headline_numbers(grounds) | ({"band": band.strip()} if band else {}),
    )


def _where(grounds: Grounds) -> str:
    """Return on which decisions the number rests, where many are left out; empty where few are."""
    n, n_total = grounds.pooled.n or 0, grounds.judge.coverage.n_total
    if not n_total or 1 - n / n_total <= MANY_OPEN:
        return ""
    ties = grounds.preferences is not None and grounds.preferences.n_ties > MANY_OPEN * grounds.preferences.total()
    return f" where {'neither says tie' if ties else 'both answer'} ({words.percent(n / n_total)} of decisions)"


def _weighted(grounds: Grounds) -> Statement | None:
    """Return what the judge reaches with every item by its weight; None where the file has no weights."""
    numbers = grounds.judge.weighted
    return (
        None
        if numbers is None
        else statement_of("weighted", weighted_words(grounds.once, _headline_key(grounds)), grounds, numbers.to_dict())
    )


def _headline_key(grounds: Grounds) -> str:
    """Return the key of the headline, where it is over all decisions."""
    return "" if grounds.level == "macro" else grounds.metric


def _tuned(grounds: Grounds) -> Statement | None:
    """Return that items count on which a judge may have been tuned."""
    text = told_of(TUNING_ITEMS, grounds.report.warnings)
    return statement_of("tuning_items", text, grounds, grounds.report.declaration.tuning) if text else None


def _grouped(grounds: Grounds) -> Statement | None:
    """Return that items lie in groups within which errors are alike, so that intervals by item are too narrow."""
    return statement_of(ITEMS_IN_GROUPS, grounds.in_groups, grounds, {}) if grounds.in_groups else None


def _of_runs(grounds: Grounds) -> Statement | None:
    """Return which of a judge's runs the verdict is on, and whether another would say the same."""
    runs = grounds.runs
    if runs is None or not runs.agreement.defined:
        return None
    which = "most" if grounds.report.declaration.runs == "majority" else "the first"
    text = (
        f"The verdict is on {which} of {words.count(runs.n_runs)} runs of {grounds.name}. "
        f"Asked again, {grounds.name} gives the same answer in {words.estimate(runs.agreement, '%')} of cases."
    )
    return statement_of("repeated_runs", text, grounds, {"n_runs": runs.n_runs, "agreement": numbers_of(runs.agreement)})


def _mixed(grounds: Grounds) -> Statement | None:
    """Return that one table counts criteria of several scales, so that an order counts in none of its numbers."""
    scales = grounds.report.declaration.scales
    if len(set(scales.values())) < 2:
        return None
    ordered = [name for name, scale in scales.items() if scale == "ordinal"]
    order = f" On {words.named(ordered)} a near label counts as wrong as a far one." if ordered else ""
    text = f"The criteria are on different scales, so κ is not compared between them.{order}"
    return statement_of("mixed_scales", text, grounds, {"scales": dict(scales)})


def _has_yardstick(grounds: Grounds) -> bool:
    """Return whether people's own agreement is known and lies beyond chance."""
    return grounds.ceiling is not None and grounds.ceiling.difference.defined and grounds.ceiling.human.sign > 0


def _people(grounds: Grounds) -> Statement | None:
    ceiling = grounds.ceiling
    if ceiling is None or not ceiling.difference.defined:
        return None
    symbol, difference = BY_KEY[ceiling.metric].symbol, words.estimate(ceiling.difference)
    pooled = "pooled " if grounds.many else ""
    text = (
        f"A human left out reaches {pooled}{symbol} {words.estimate(ceiling.human)} against the others, and {grounds.name} "
        f"{words.estimate(ceiling.value)}."
    )
    at_chance = ceiling.human.ends is not None and ceiling.human.sign <= 0
    if ceiling.apart and (at_chance or not ceiling.settled):
        text += f" {ceiling.apart_words}, so the mean over humans is no yardstick."
    elif at_chance:
        text += " The humans show no agreement beyond chance, so they are no yardstick."
    elif ceiling.settled:
        way = "more" if ceiling.difference.sign > 0 else "less"
        text += f" {grounds.name} agrees with them significantly {way} than a human does: difference {difference}."
        text += _beside_single(ceiling) if way == "more" else ""
    else:
        text += f" The difference, {difference}, is not significant."
    numbers = {
        "metric": ceiling.metric, "judge_value": numbers_of(ceiling.value), "human_value": numbers_of(ceiling.human),
        "difference": numbers_of(ceiling.difference), "settled": ceiling.settled, "n_humans": ceiling.n_humans,
    }  # fmt: skip
    return statement_of("people", text, grounds, numbers)


def _beside_single(ceiling: Ceiling) -> str:
    """Return the lead over each human where some human agrees no less: one of them may make the mean."""
    counted = sorted((one for one in ceiling.left_out if one.counted), key=lambda one: one.difference)
    if len(counted) < 2 or counted[0].difference > 0:
        return ""
    low, high = (f"{words.signed(one.difference, 2)} beside {words.shorten(one.name)}" for one in (counted[0], counted[-1]))
    return f" Human by human it ranges from {low} to {high}."


def _on_criteria(grounds: Grounds) -> dict[str, Estimate]:
    """Return the number of every criterion with enough decisions; none where they are on scales of their own."""
    if _mixed(grounds) is not None:
        return {}
    enough = {name: block for name, block in grounds.judge.criteria.items() if (block.n or 0) >= LEAST and not block.one_sided}
    return {name: block[grounds.pooled_key] for name, block in enough.items() if block[grounds.pooled_key].defined}


def at_chance_on(grounds: Grounds) -> dict[str, Estimate]:
    """Return criteria on which agreement is not shown to be beyond chance and lies below that of the whole, which is shown.

    Below it for all criteria at once: of thirty equal ones the lowest lies below by its own interval in one file of six.
    """
    whole = grounds.headline.ends
    if not grounds.many or grounds.sign <= 0 or whole is None:
        return {}
    known = _on_criteria(grounds)
    not_above = {name: one for name, one in known.items() if words.side_of_0(one.ends) <= 0 and name not in opposed(grounds)[0]}
    return {name: one for name, one in not_above.items() if end_for_all(one, len(known), 1, grounds.confidence) < whole[0]}


def _chance_on(grounds: Grounds) -> Statement | None:
    if not (found := at_chance_on(grounds)):
        return None
    symbol = grounds.pooled_symbol
    numbers = words.listed([f"{words.shorten(name)} ({symbol} {words.estimate(one)})" for name, one in found.items()], MOST_NAMED)
    text = f"No agreement beyond chance is shown on {numbers}{_below_others(grounds, [*found])}."
    return statement_of("chance_on", text, grounds, {name: numbers_of(one) for name, one in found.items()})


def _weakest(grounds: Grounds) -> Statement | None:
    known, key = _on_criteria(grounds), grounds.pooled_key
    weakest = weakest_of(known)
    if not weakest or weakest in at_chance_on(grounds):
        return None
    number = f"{grounds.pooled_symbol} {words.estimate(known[weakest])}"
    text = f"The weakest criterion is {words.shorten(weakest)}: {number}{_below_others(grounds, [weakest])}."
    return statement_of("weakest", text, grounds, {"criterion": weakest, "metric": key, **numbers_of(known[weakest])})


def _below_others(grounds: Grounds, names: Sequence[str]) -> str:
    """Return that one criterion lies significantly below the others, where it does."""
    known = _on_criteria(grounds)
    if [weakest_of(known)] != list(names):
        return ""
    every = len(known) == len(grounds.judge.criteria)
    others = ("every other" if len(known) > 2 else "the other") if every else words.named([n for n in known if n not in names])
    return f", significantly below {others}"


def _left_open(grounds: Grounds) -> Statement | None:
    """Return how many decisions lack a verdict, and how far that leaves the number open; ties of pairs are answers."""
    coverage, bounds = grounds.judge.coverage, grounds.bounds
    if not coverage.n_total:
        return None
    pairs = grounds.preferences
    ties = {side: 0.0 if pairs is None else coverage.tie_rate[side] for side in ("judge", "human")}
    n_open = bounds.n_open if pairs is None else pairs.n_left_out
    if n_open / coverage.n_total <= MANY_OPEN:
        return None
    judge, human = coverage.judge_abstention_rate - ties["judge"], coverage.human_abstention_rate - ties["human"]
    split = coverage.n_split / coverage.n_total
    silent = all(coverage.tie_rate[side] - ties[side] + coverage.invalid_rate[side] == 0 for side in ties)
    verb = ("abstains", "abstain") if silent else ("gives none", "give none")
    shares = {f"{grounds.name} {verb[0]} on": judge, f"people {verb[1]} on": human, "people’s votes split on": split}
    listed = words.listed([f"{who} {words.percent(share)}" for who, share in shares.items() if share > 0])
    text = f"{words.count(n_open)} of {words.several(bounds.n_total, 'decisions')} lack a verdict: {listed}."
    numbers: dict[str, Any] = {"n_open": n_open, "n_total": bounds.n_total}
    numbers |= {"judge_rate": judge, "human_rate": human, "split_rate": split}
    key = "kappa" if "kappa" in bounds.by_metric else "accuracy"
    if pairs is None and (ends := bounds.by_metric[key].ends) is not None:
        record = BY_KEY[key]
        low, high = (words.value(end, record.unit) for end in ends)
        text += (
            f" With these filled in, {'pooled ' if grounds.many else ''}{record.symbol} could be anything from {low} to {high}."
        )
        numbers["bounds"] = {key: list(ends)}
    related = None if pairs is not None or grounds.silence is None else grounds.silence.v.ends
    if grounds.silence is not None and related is not None and related[0] >= SMALL:
        what = "abstentions" if silent else "answers without a verdict"
        text += f" {relation_sentence(grounds.silence, (), grounds.name, reference='people', what=what)}"
    return statement_of("left_open", text, grounds, numbers)


def _ties(grounds: Grounds) -> Statement | None:
    preferences = grounds.preferences
    if preferences is None or preferences.n_ties <= MANY_OPEN * preferences.total():
        return None
    kappa = {convention: preferences.on(convention).values[KAPPA[convention]] for convention in CONVENTIONS}
    share = words.percent(preferences.n_ties / preferences.total())
    text = f"Judge or reference says tie on {share} of decisions, left out here."
    if kappa["class"].defined and kappa["half"].defined:
        third, half = (words.estimate(kappa[convention]) for convention in ("class", "half"))
        text = f"With ties ({share} of decisions) as a third answer, κ is {third}; as half a win, {half}."
    numbers = {convention: numbers_of(estimate) for convention, estimate in kappa.items()}
    return statement_of("ties", text, grounds, {"n_ties": preferences.n_ties, "n": preferences.total(), "kappa": numbers})


def _pooling(grounds: Grounds) -> Statement | None:
    pooled = grounds.pooled[grounds.pooled_key]
    if not grounds.many or not pooled.defined or grounds.pooled.one_sided:
        return None
    symbol, n = grounds.pooled_symbol, words.count(len(grounds.judge.criteria))
    # Where the readings disagree, the statement that says so has the pooled number.
    number = "" if grounds.readings_disagree else f"Pooled over {n} criteria, {symbol} is {words.estimate(pooled)}."
    if not (text := f"{number}{_credited(grounds)}".strip()):
        return None
    numbers: dict[str, Any] = {"pooled": numbers_of(pooled), "headline": numbers_of(grounds.headline)}
    if grounds.pooling is not None and not grounds.of_weight:
        numbers |= {"difference": numbers_of(grounds.pooling.difference), "verdict": grounds.pooling.verdict}
    return statement_of("pooling", text, grounds, numbers)
