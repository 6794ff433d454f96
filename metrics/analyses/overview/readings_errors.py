"""The errors of a judge: how many of which kind, and the side it errs to."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from metrics.analyses.agreement.readings import commonest_confusion, error_rates_words, label_rates_words, leaning, of_one_verdict
from metrics.analyses.agreement.standing import LEAST
from metrics.analyses.biases.readings import swayed
from metrics.analyses.biases.result import Bias, told_together
from metrics.analyses.grouped_items import AS_INDEPENDENT
from metrics.analyses.overview.grounds import Grounds, statement_of
from metrics.analyses.overview.result import Statement, numbers_of
from metrics.analyses.preferences.positions import Positions
from metrics.analyses.preferences.readings import order_reading
from metrics.analyses.records import Block
from metrics.analyses.review.suggesting import OFTEN_OPEN, often_silent
from metrics.analyses.scores.readings import not_of_each, reversed_words
from metrics.intervals.single_table import wilson
from metrics.results import words

FEWEST, OFTEN_ALONE = 5, 0.05
"""Decisions with a label of one side from which it tells that the other never gives it; of a judge's label their least share."""
MOSTLY, TIMES = 0.6, 1.5
"""Share of a judge's answers that are one label, and how many times the reference's share of it, from which it is stated."""


def errors_of(grounds: Grounds) -> Statement | None:
    """Return the errors of a judge as counts, and the side it errs to where the data show one; None without a decision."""
    block = grounds.pooled
    table = np.asarray(block.confusion)
    n_wrong = int(table.sum() - np.trace(table))
    if not block.n:
        return None
    numbers: dict[str, Any] = {"n": block.n, "n_wrong": n_wrong, "labels": list(block.labels), "confusion": table.tolist()}
    if not n_wrong:
        text = f"{grounds.name} and {grounds.the_reference} never differ on {words.several(block.n, 'decisions')}."
        return statement_of("errors", text, grounds, numbers)
    if block.withheld:
        calls = f"{grounds.the_reference} {'call' if grounds.report.declaration.one_human_each else 'calls'}"
        text = of_one_verdict(block, grounds.name, calls, name=words.shorten)
        return statement_of("errors", f"{text}.", grounds, numbers)
    if len(block.labels) != 2:
        return statement_of("errors", f"{_confusions(grounds, table)}{_mean_error(grounds, numbers)}", grounds, numbers)
    numbers |= {"bias": numbers_of(grounds.once.micro["drift"])}
    if grounds.judge.weighted is not None:
        numbers |= {"weighted": {"column": grounds.judge.weighted.column, "bias": numbers_of(block["drift"])}}
    sides = "" if grounds.no_verdict else _sides(block, grounds.of_weight)
    if sides and block.directions is not None and block.directions.shown and grounds.in_groups:
        sides += f" {AS_INDEPENDENT}"
    return statement_of("errors", f"{_two_errors(grounds, table)}{sides}", grounds, numbers)


def _two_errors(grounds: Grounds, table: np.ndarray) -> str:
    (_, missed), (false, _) = table.tolist()
    of = words.several(int(table.sum()), "decisions")
    if grounds.named_errors:
        first, second = (words.marked(words.shorten(label)) for label in grounds.pooled.labels)
        one, other = words.often(false), words.often(missed)
        both = f"{words.capital(_says(grounds))} {second} and {grounds.name} {first}"
        return f"{both} {one}, the other way round {other}, on {of}."
    passes = f"{words.count(false)} false {'pass' if false == 1 else 'passes'}"
    return f"{grounds.name} makes {passes} and {words.count(missed)} missed {'pass' if missed == 1 else 'passes'} on {of}."


def _says(grounds: Grounds) -> str:
    return f"{grounds.the_reference} {'say' if grounds.report.declaration.one_human_each else 'says'}"


def _sides(block: Block, weight: str) -> str:
    """Return the side that a judge errs to, where the data show one, by weight where the file has weights."""
    directions = block.directions
    if directions is None or directions.label_rates is None:
        return ""
    if directions.opposite:
        label = words.marked(words.shorten(block.labels[0]))
        less, more = (words.named(names) for names in (directions.opposite.less, directions.opposite.more))
        text = f" The label-rate bias of criteria cancels: {label} is given less often on {less}, more often on {more}."
    elif directions.label_rates.sign or directions.label_rates.n_uneven >= directions.label_rates.needed:
        text = f" {label_rates_words(block, name=words.shorten, weight=weight)}"
    else:
        have = "are errors" if directions.word == "decisions" else "have an error"
        text = f" Too few {directions.word} {have} to tell of a label-rate bias{weight}."
    return f"{text} {error_rates_words(block, name=words.shorten)}" if leaning(block) else text


def _confusions(grounds: Grounds, table: np.ndarray) -> str:
    off = table - np.diag(np.diag(table))
    share = f"{words.count(int(off.sum()))} of {words.several(int(table.sum()), 'decisions')}"
    text = f"{grounds.name} and {grounds.the_reference} differ on {share}"
    text = f"{text}.{_one_for_all(grounds, table)}{_never_given(grounds, table)}"
    if (commonest := commonest_confusion(off)) is None:
        return f"{text} No one confusion is clearly the commonest."
    reference, judge = (words.marked(words.shorten(grounds.pooled.labels[place])) for place in commonest[:2])
    return f"{text} Most often {_says(grounds)} {reference} and {grounds.name} {judge} ({words.often(commonest[2])})."


def _one_for_all(grounds: Grounds, table: np.ndarray) -> str:
    """Return the label that a judge gives on most decisions though the reference gives it on far fewer; empty without one."""
    shares, of_reference = table.sum(axis=0) / table.sum(), table.sum(axis=1) / table.sum()
    place = int(shares.argmax())
    if shares[place] < MOSTLY or shares[place] < TIMES * of_reference[place]:
        return ""
    label = words.marked(words.shorten(grounds.pooled.labels[place]))
    rates = f"on {words.percent(shares[place])} of decisions, {grounds.the_reference} on {words.percent(of_reference[place])}"
    return f" {grounds.name} answers {label} {rates}."


def never_given(grounds: Grounds, least: int = FEWEST) -> str:
    """Return the labels of the reference that a judge of three labels or more never gives; empty where it gives each.

    Parameters
    ----------
    grounds : Grounds
    least : int
        Decisions with the label of the reference: of fewer a judge that knows it may miss all.
    """
    return _labels_of_one(grounds, _on_one_side(grounds, np.asarray(grounds.pooled.confusion), least))


def never_given_words(grounds: Grounds) -> str:
    """Return the labels of the reference that the judge never gives, which a high number hides; empty where it gives each."""
    return f", but never answers {labels}" if (labels := never_given(grounds)) else ""


def given_alone(grounds: Grounds) -> str:
    """Return the labels without an order that a judge often gives and the reference never; empty where there is none."""
    table = np.asarray(grounds.pooled.confusion).T
    least = max(FEWEST, math.ceil(OFTEN_ALONE * table.sum()))
    return "" if grounds.scores is not None else _labels_of_one(grounds, _on_one_side(grounds, table, least))


def mostly_missed(grounds: Grounds) -> dict[str, tuple[int, int]]:
    """Return labels without an order, of three or more, on which a judge is right less than half as often as on the whole.

    Each with how many it misses, and of how many; those that it never gives are not among them.
    """
    table = np.asarray(grounds.pooled.confusion)
    if grounds.scores is not None or len(table) < 3 or grounds.report.declaration.abstention == "as_category":
        return {}
    half, given = np.trace(table) / max(int(table.sum()), 1) / 2, table.sum(axis=1)
    rows = zip(grounds.pooled.labels, np.diag(table).tolist(), given.tolist(), table.sum(axis=0).tolist(), strict=True)
    return {
        label: (n - right, n)
        for label, right, n, answered in rows
        if n >= FEWEST and answered and wilson(right, n, grounds.confidence)[1] < half
    }


def _labels_of_one(grounds: Grounds, places: list[int]) -> str:
    return words.named([words.marked(grounds.pooled.labels[place]) for place in places])


def _on_one_side(grounds: Grounds, table: np.ndarray, least: int) -> list[int]:
    """Return which of three labels or more the side in rows gives that often, and the other never."""
    labels = grounds.pooled.labels
    given = labels[:-1] if grounds.report.declaration.abstention == "as_category" else labels
    here, there = table.sum(axis=1), table.sum(axis=0)
    return [place for place in range(len(given)) if len(given) > 2 and here[place] >= least and not there[place]]


def _never_given(grounds: Grounds, table: np.ndarray) -> str:
    text = f" {words.capital(grounds.the_reference)} never says {alone}." if (alone := given_alone(grounds)) else ""
    if not (places := _on_one_side(grounds, table, 1)):
        return text
    decisions = words.several(int(table.sum(axis=1)[places].sum()), "decisions")
    return f" {grounds.name} never answers {never_given(grounds, 1)}, the label of {grounds.the_reference} on {decisions}.{text}"


def one_label_on(grounds: Grounds) -> Statement | None:
    """Return criteria on which a judge gives one label only though the reference gives several, so that κ is 0 there."""
    sided = {name: block.one_sided for name, block in grounds.judge.criteria.items() if (block.n or 0) >= LEAST}
    labels = {name: own[1] for name, own in sided.items() if own is not None and own[0] == "judge"}
    if not labels or grounds.pooled.one_sided or not grounds.many:
        return None
    if len(labels) == 1:
        name, label = next(iter(labels.items()))
        n = words.several(grounds.judge.criteria[name].n or 0, "decisions")
        text = f"On {words.shorten(name)}, {grounds.name} answers {words.marked(words.shorten(label))} in all {n}."
    else:
        of = f"{words.count(len(labels))} of {words.count(len(grounds.judge.criteria))} criteria"
        text = f"{grounds.name} gives one label only on {of}: {words.named(list(labels))}."
    return statement_of("one_label_on", text, grounds, {"labels": labels})


def silent_on(grounds: Grounds) -> dict[str, float]:
    """Return criteria of which the judge often gives no verdict, and on what share: of all decisions they may be few."""
    covered = grounds.judge.criterion_coverage if grounds.many else {}
    least = max(OFTEN_OPEN, grounds.judge.coverage.judge_abstention_rate - grounds.judge.coverage.tie_rate["judge"])
    shares = {name: often_silent(of, grounds.confidence, least) for name, of in covered.items() if of.n_total}
    return {name: share for name, share in sorted(shares.items(), key=lambda pair: -pair[1]) if share}


def silent_words(grounds: Grounds) -> Statement | None:
    """Return of which criteria the judge often gives no verdict."""
    silent = silent_on(grounds)
    if not silent:
        return None
    shares = [f"{words.percent(share)} of {words.shorten(name)}" for name, share in silent.items()]
    text = f"{grounds.name} gives no verdict on {words.listed(shares, words.MOST_NAMED)}."
    return statement_of("silent_on", text, grounds, {"criteria": silent})


def swayed_by(grounds: Grounds) -> list[Bias]:
    """Return what sways the judge beyond people: the length of an answer, or that it is of its own family."""
    told = () if grounds.biases is None else told_together(grounds.biases.judges.get(grounds.judge.name, ()))
    return [bias for bias in told if bias.kind != "source"]


def swayed_of(grounds: Grounds) -> Statement | None:
    """Return the first of what sways the judge."""
    if grounds.biases is None or not (found := swayed_by(grounds)):
        return None
    numbers = {"column": found[0].column, "kind": found[0].kind, **numbers_of(found[0].effect.estimate)}
    return statement_of("swayed", swayed(found[0], grounds.biases, grounds.name), grounds, numbers)


def asked_twice(grounds: Grounds) -> Positions | None:
    """Return the judge in both orders of the answers, where the file has both."""
    positions = None if grounds.biases is None else grounds.biases.positions.get(grounds.judge.name)
    return positions if positions is not None and positions.consistent.ends is not None else None


def orders_of(grounds: Grounds) -> Statement | None:
    """Return how often the judge keeps its answer where the two change places, and which place wins where it does not."""
    if (positions := asked_twice(grounds)) is None:
        return None
    text = order_reading(positions, lambda name: grounds.name)
    numbers = {"n": positions.n, "consistent": numbers_of(positions.consistent), "place_decides": positions.place_decides}
    return statement_of("order_of_answers", text, grounds, numbers)


def _mean_error(grounds: Grounds, numbers: dict[str, Any]) -> str:
    """Return the mean error of ordered labels, with a direction where its interval excludes 0 and no criterion contradicts it."""
    if grounds.scores is None or grounds.judge.name not in grounds.scores.judges:
        return ""
    scores = grounds.scores.judges[grounds.judge.name]
    bias = scores.pooled["bias"]
    if not bias.defined or bias.ends is None:
        return ""
    numbers["mean_error"] = numbers_of(bias)
    size = f"{words.signed(bias.value, 2)}{words.behind(bias.ends)}"
    if not (sign := words.side_of_0(bias.ends)):
        return f" There is no significant mean error: {size}."
    if scores.labelling is not None and scores.labelling.bent:
        return f" The mean error on what people labelled is {size}."
    if scores.may_be_two_scales(None):
        return f" The mean error is {size}, if both use one scale."
    if reversed_words(grounds.scores, grounds.judge.name, scores.pooled, "spearman"):
        return f" The mean error is {size}, if both use the scale the same way round."
    if (beside := scores.beside_upper(None)) is not None:
        upper = f"beside the upper of people’s two middle labels it is {words.signed(beside, 2)}"
        return f" The mean error is {size}; {upper}. That shows no direction."
    if not_of_each(scores, sign):
        return f" The mean error is {size}; its direction differs between criteria."
    return f" The mean error is {size}: {grounds.name} rates {'higher' if sign > 0 else 'lower'} than {grounds.the_reference}."
