"""Scores of judges against the reference: ordered labels, or the numbers beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from metrics import words
from metrics.abstention import coverage_of
from metrics.arrays import FloatArray
from metrics.choices import Settings, settings_of
from metrics.coefficients import penalties
from metrics.errors import InputError
from metrics.judging import agreement, declaration_of, failed, per_class, unmatched
from metrics.pairs import patterns_of
from metrics.ratings import Ratings
from metrics.results import Warn
from metrics.scales.blocks import Family, blocks_of, rules_of
from metrics.scales.coding import Tables, open_of, tables_of
from metrics.scales.order import Order, order_of
from metrics.scales.records import RECORDS, functions_of, ordered_measures, why_undefined
from metrics.scales.report import JudgeScores, Pairs, ScoresReport

INTERVALS = ("auto", "none")
MOSTLY = 0.5
"""Share of the decisions with an option the other side never gives, above which the two may not use one scale."""


def scores(
    ratings: Ratings,
    *,
    reference: str = "majority",
    judges: Sequence[str] | None = None,
    abstention: str = "exclude",
    order: Sequence[str] | None = None,
    values: Mapping[str, float] | None = None,
    on: str = "label",
    cost: ArrayLike | None = None,
    weights: Mapping[str, float] | None = None,
    interval: str = "auto",
    unit: str = "item",
    confidence: float = 0.95,
) -> ScoresReport:
    """How near each judge's options lie to the reference's, on ordered labels.

    Exact and adjacent agreement with their baselines, weighted kappa, rank and linear correlations, and distances in what the
    options are worth. One order holds for all criteria; an option that a criterion lacks stays without a count. Two labels are
    an order as well, the negative one lower.

    Parameters
    ----------
    ratings : Ratings
        As `metrics.read` returns them.
    reference : str
        `majority` (a tie is an abstention) or `unanimous` of the humans, or one human's name.
    judges : sequence of str, optional
        Default: all.
    abstention : {"exclude", "as_unmet"}
        Drop decisions that a side left open; or count an abstention as the lowest option, on criteria of negative weight as the
        highest. `as_category` is refused: an abstention has no place in an order.
    order : sequence of str, optional
        Labels from low to high; default: the order of the ratings, else the numbers that the labels are.
    values : mapping of label to number, optional
        What options are worth, for the correlation of Pearson and all distances; default: the numbers that the labels are,
        else their places from 1.
    on : {"label", "score"}
        The labels, or the numbers in the columns `human_score` and `score`.
    cost : array_like, shape (K, K), optional
        Cost of every confusion in that order, for one more weighted kappa.
    weights : mapping of criterion to number, optional
        Only their sign counts, with `as_unmet`.
    interval : {"auto", "none"}
        One decision per item: Wilson for exact and adjacent agreement, quantiles of a Dirichlet for kappa and correlations, the
        jackknife for distances. Several: the jackknife over items, widened where few items leave the commonest option.
    unit : str
        "item", or a column of the file that groups items: what is left out as a whole.
    confidence : float
        In (0, 1).

    Returns
    -------
    ScoresReport

    Raises
    ------
    InputError
        For an unknown choice, labels without an order, and ratings that lack a human, a judge or a shared item.
    """
    if on not in ("label", "score"):
        raise InputError(f"Unknown choice {on!r} of what is compared. Use label or score.")
    settings = _settings(ratings, reference, judges, weights, interval, unit, confidence)
    if on == "score":
        raise InputError("on='score' is not there yet.")
    mode = open_of(abstention, ratings.scheme)
    settings = replace(settings, abstention=mode)
    ranked = order_of(ratings.scheme, order, values, ratings.source.name)
    costs = None if cost is None else _cost(cost, ranked)
    found = {name: judge_scores(ratings, name, settings, ranked, costs) for name in settings.judges}
    if not any(one.coverage.n_total for one in found.values()):
        agreement(ratings, reference=reference, judges=judges, interval="none")
    declaration = replace(declaration_of(ratings, settings), scale="ordinal")
    lowest = settings.item_rule.vector(ratings.criteria) < 0
    turned = tuple(name for name, low in zip(ratings.criteria, lowest, strict=True) if low) if mode == "as_unmet" else ()
    warned = _warnings(ratings, found, ranked)
    return ScoresReport(declaration, settings, "label", ranked, found, warned, costs, turned)


def judge_scores(ratings: Ratings, judge: str, settings: Settings, order: Order, cost: FloatArray | None = None) -> JudgeScores:
    """All blocks of one judge; cost grows with the number of distinct items, not with rows."""
    tables = judge_tables(ratings, judge, settings, order)
    blocks = blocks_of(tables, family_of(order, cost), confidence_of(settings))
    patterns, scheme = patterns_of(ratings, judge, settings.reference), ratings.scheme
    return JudgeScores(
        name=judge,
        pooled=blocks.pooled,
        mean=blocks.mean,
        criteria=blocks.criteria,
        coverage=coverage_of(patterns.raw.sum(0), scheme),
        criterion_coverage={name: coverage_of(patterns.raw[place], scheme) for place, name in enumerate(ratings.criteria)},
        n_items=patterns.n_rated(scheme.end_of_rated) if ratings.has_items else None,
    )


def judge_tables(ratings: Ratings, judge: str, settings: Settings, order: Order) -> Tables:
    """The items behind one judge's blocks."""
    return tables_of(
        ratings,
        judge,
        settings.reference,
        order,
        "as_unmet" if settings.abstention == "as_unmet" else "exclude",
        settings.item_rule.vector(ratings.criteria),
        settings.unit if settings.by_column else None,
    )


def family_of(order: Order, cost: FloatArray | None = None) -> Family:
    """Every number of ordered classes."""
    measures = ordered_measures(with_cost=cost is not None)
    return Family(
        functions=functions_of(order, cost),
        with_interval=tuple(measure.key for measure in measures if measure.has_interval),
        why=lambda key, counts: why_undefined(RECORDS[key], counts, order, cost),
        labels=order.classes,
        rules=rules_of(order),
        more=lambda counts: per_class(counts, order.classes),
    )


def confidence_of(settings: Settings) -> float | None:
    """Confidence of the intervals; None where none were asked for."""
    return None if settings.interval == "none" else settings.confidence


def _settings(
    ratings: Ratings,
    reference: str,
    judges: Sequence[str] | None,
    weights: Mapping[str, float] | None,
    interval: str,
    unit: str,
    confidence: float,
) -> Settings:
    if interval not in INTERVALS:
        raise InputError(f"Unknown interval {interval!r} of scores. Use one of: {', '.join(INTERVALS)}.")
    return settings_of(
        ratings, reference=reference, judges=judges, weights=weights, interval=interval, unit=unit, confidence=confidence
    )


def _cost(cost: ArrayLike, order: Order) -> FloatArray:
    try:
        return penalties(order.k, np.asarray(cost, dtype=np.float64))
    except ValueError as error:
        raise InputError(f"The cost matrix of {' < '.join(order.classes)}: {error}.") from None


def _warnings(ratings: Ratings, found: Mapping[str, JudgeScores], order: Order) -> tuple[Warn, ...]:
    out = []
    lacking = order.missing_numbers()
    if lacking:
        named = ", ".join(map(str, lacking[:6]))
        out.append(
            Warn(
                "numbers_missing",
                f"No label is called {named}, so its neighbours count as adjacent. If it is an option, name all with --order.",
            )
        )
    if not order.rises and not (order.source == "labels" and order.reversed):
        out.append(Warn("values_against_order", "The values do not rise with the order, so ranks and distances may disagree."))
    for name, one in found.items():
        out += [Warn("degenerate_criterion", f"{name}: {text}") for text in _degenerate(one)]
        out += _on_other_options(name, one)
        if not isinstance(one.coverage, Pairs):
            out += [*unmatched(name, one.coverage), *failed(name, one.coverage, ratings.scheme)]
    return tuple(out)


def _on_other_options(name: str, one: JudgeScores) -> list[Warn]:
    """Where the judge mostly gives options that the reference never gives."""
    counts = np.asarray(one.pooled.confusion)
    share = counts[:, counts.sum(1) == 0].sum() / max(counts.sum(), 1)
    if share <= MOSTLY:
        return []
    what = f"in {words.percent(share)} of decisions the judge gives an option that the reference never gives"
    why = "the two may not use one scale, and then only the correlations can be read"
    return [Warn("other_options", f"{name}: {what}; {why}.")]


def _degenerate(one: JudgeScores) -> list[str]:
    out = []
    for criterion, block in one.criteria.items():
        if not block.n:
            out.append(f"on {criterion} no decision is left.")
        elif block.one_sided:
            side, label = block.one_sided
            chance = "; κ is then 0 by construction, chance level" if block.values["weighted_kappa_quadratic"] == 0 else ""
            out.append(f"on {criterion} the {side} says only {label}{chance}, and correlations are undefined.")
    return out
