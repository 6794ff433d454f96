"""One weighted score per item from its criteria, on each side, and how far every judge's lie from the reference's."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from metrics.analyses.cautions import cautions
from metrics.analyses.item_weights import Behind, column_of, item_weights
from metrics.analyses.ordered_blocks import blocks_of
from metrics.analyses.ordered_coding import tables_of
from metrics.analyses.paired_numbers import Paired, measures
from metrics.analyses.records import Declaration, Warn, Weighted, beside
from metrics.analyses.scores.compute import family_of
from metrics.analyses.scores.item_totals import Totals, Values, Worth, totals_of, worth_of
from metrics.analyses.scores.weighted import WeightedPairs, labels_by_weight, weighted_words
from metrics.analyses.settings import declaration_of, settings_of, weighted_declaration
from metrics.data.arguments import one_of
from metrics.data.checks import takes_ratings
from metrics.data.order import Order
from metrics.data.part import on_criteria
from metrics.data.ratings import Ratings
from metrics.errors import InputError
from metrics.measures.arrays import FloatArray
from metrics.results.estimate import Estimate
from metrics.results.report import OfJudges, Report, or_none
from metrics.results.words import count, several

Json = dict[str, Any]
LACKING = "a side has no verdict, or a failed call, on a criterion"
SILENT = "a side gives no verdict on any criterion"
# Distinct scores of a side up to which a correlation says no more than a 2 × 2 table.
FEW_VALUES = 2
# Two computations of one number differ by less.
SAME = 1e-9
# Scores lie from 0 to 1, so intervals of their differences end here.
RANGES = {"rmse": (0.0, 1.0), "mae": (0.0, 1.0), "bias": (-1.0, 1.0)}
INTERVALS = ("auto", "none")


@dataclass(frozen=True, eq=False)
class Compared:
    """Some items and the numbers on them.

    Attributes
    ----------
    n : int
    measures : mapping of key to Estimate
        As `metrics.analyses.paired_numbers.measures` has them; judge minus reference.
    distinct : tuple of int
        Distinct scores of the reference and of the judge.
    verdict : bool
        Whether each score of the reference is the verdict on the one criterion, counted as 0 or 1.
    weighted : Weighted or None
        The numbers with every item by its weight; None where the file has no weights.
    """

    n: int
    measures: Mapping[str, Estimate]
    distinct: tuple[int, int]
    verdict: bool = False
    weighted: Weighted | None = None

    @property
    def few_values(self) -> bool:
        """Whether a side's scores take two values or fewer, so that correlations say next to nothing."""
        return self.n > 0 and min(self.distinct) <= FEW_VALUES

    def to_dict(self) -> Json:
        items_view = self.measures.items()
        return {
            "n": self.n,
            "distinct_scores": {"reference": self.distinct[0], "judge": self.distinct[1]},
            **{key: or_none(estimate.value) for key, estimate in items_view},
            "intervals": {key: list(estimate.ends) for key, estimate in items_view if estimate.ends},
            "interval_methods": {key: estimate.interval.method for key, estimate in items_view if estimate.interval},
            "interval_notes": {key: estimate.no_interval for key, estimate in items_view if estimate.no_interval},
            "undefined": {key: estimate.undefined for key, estimate in items_view if estimate.undefined},
            **beside(self.weighted),
        }


@dataclass(frozen=True, eq=False)
class JudgeItemScores:
    """Item scores of one judge.

    Attributes
    ----------
    totals : Totals
        Scores by item, or kind of item, in the order of the ratings.
    all : Compared
        Items with a score on both sides; a criterion without a verdict is left out of the score of that side.
    complete : Compared
        Those of them on which both sides gave a verdict on every criterion, so that both scores rest on the same ones.
    left_out : mapping of reason to number of items
    n_clamped : int
        Items on which a score was cut off at 0 or 1.
    """

    name: str
    totals: Totals
    all: Compared
    complete: Compared
    left_out: Mapping[str, int]
    n_clamped: int

    def levels(self) -> Iterator[tuple[str, Compared]]:
        yield "all", self.all
        yield "complete", self.complete

    def to_dict(self) -> Json:
        out: Json = {level: compared.to_dict() for level, compared in self.levels()}
        return out | {"left_out": dict(self.left_out), "clamped": self.n_clamped}


@dataclass(frozen=True, eq=False)
class ItemScoresReport(OfJudges, Report):
    """Item scores of every judge against the reference, with the weights and values they rest on."""

    TEXT, OF = "analyses.scores.readings_items", "item scores"

    declaration: Declaration
    worth: Worth
    judges: Mapping[str, JudgeItemScores]
    warnings: tuple[Warn, ...] = ()

    def declared(self) -> Json:
        """Return the declaration with what the scores are made of."""
        out = self.declaration.to_dict()
        return out | {
            "criteria_scored": self.worth.scoring_by_criterion(),
            "criteria_without_values": list(self.worth.without_values()),
        }

    def to_frame(self) -> pd.DataFrame:
        """Return one row per judge, level and number, each with its declaration."""
        rows = [
            {"judge": judge.name, "level": level, "metric": key, **estimate.cells(), "n": compared.n}
            for judge in self.judges.values()
            for level, compared in judge.levels()
            for key, estimate in compared.measures.items()
        ]  # fmt: skip
        d = self.declaration
        scored = self.worth.scoring_by_criterion()
        weights = ", ".join(f"{name}={entry['weight']:g}" for name, entry in scored.items())
        return pd.DataFrame(rows).assign(scale=d.scale, weights=weights, reference=d.reference, **d.file_columns())


@takes_ratings
def item_scores(
    ratings: Ratings,
    *,
    judges: str | Sequence[str] | None = None,
    weights: Mapping[str, float] | None = None,
    values: Values | None = None,
    reference: str = "auto",
    interval: str = "auto",
    confidence: float = 0.95,
) -> ItemScoresReport:
    """Return how near each judge's score of an item lies to the reference's, both made of the item's criteria.

    Parameters
    ----------
    ratings : Ratings
        As `metrics.read` returns them.
    judges : str or sequence of str, optional
        Default: all.
    weights : mapping of criterion to weight, optional
        Any number, negative where the positive verdict is the bad outcome. Default: the rubric of the file, else 1.
    values : mapping, optional
        What labels are worth: label to number for all criteria, or criterion to such a mapping. Default: the rubric of the
        file; else 1 for the positive and 0 for the negative label, and 0 to 1 for labels that are numbers or are in order.
    reference : str
        `majority` or `unanimous` of the humans, or one human's name.
    interval : {"auto", "none"}
        Intervals take items as independent; see `metrics.analyses.paired_numbers`.
    confidence : float
        In (0, 1).

    Returns
    -------
    ItemScoresReport
        A criterion without a verdict is left out of the score of that side, so that both may rest on other criteria; the level
        `complete` holds the items where they do not.

    Raises
    ------
    InputError
        For a table of counts, which has no items; weights or values that do not fit; ratings that lack a human or a judge.
    """
    one_of("interval", interval, INTERVALS, " of item scores")
    settings = settings_of(
        ratings,
        reference=reference,
        judges=judges,
        interval="none",
        confidence=confidence,
    )
    if not ratings.has_items:
        raise InputError(f"{ratings.source.name} is a table of counts, which has no items to score.")
    worth = worth_of(ratings, weights, values)
    wanted = confidence if interval == "auto" else None
    scores_by_judge = {name: _judge(ratings, name, settings.reference, worth, wanted) for name in settings.judges}
    interval_settings = {"method": interval, "unit": "item", "confidence": confidence, "seed": None}
    weighted = any(judge.all.weighted is not None for judge in scores_by_judge.values())
    declared = (weighted_declaration if weighted else declaration_of)(ratings, settings)
    declaration = replace(declared, scale="continuous", interval=interval_settings)
    warned = (*cautions(ratings, weighted=weighted), *_warnings(scores_by_judge, worth))
    return ItemScoresReport(declaration, worth, scores_by_judge, warned)


def _judge(ratings: Ratings, name: str, reference: str, worth: Worth, confidence: float | None) -> JudgeItemScores:
    item_totals = totals_of(ratings, name, reference, worth)
    totals = item_totals.merged()
    scored, complete = totals.scored, totals.scored & ~totals.silent
    reasons = {LACKING: totals.n_of(totals.lacking), SILENT: totals.n_of(~totals.lacking & ~scored)}
    every = _compared(totals.paired(scored), confidence)
    by_weight = _by_weight(ratings, item_totals, confidence)
    every = by_weight(every, complete=False)
    if confidence is not None and worth.counted.sum() == 1:
        every = _like_scores(every, ratings, name, reference, worth, confidence)
    if worth.counted.sum() == 1:
        every = replace(every, verdict=totals.paired(scored).verdict)
    same = bool((scored == complete).all())
    return JudgeItemScores(
        name,
        item_totals,
        every,
        every if same else by_weight(_compared(totals.paired(complete), confidence), complete=True),
        {reason: number for reason, number in reasons.items() if number},
        totals.n_of(totals.clamped & scored),
    )


def _by_weight(ratings: Ratings, item_totals: Totals, confidence: float | None) -> Callable[..., Compared]:
    """Return what gives numbers on some items those by weight beside them; on none where no item weighs more than another."""
    weights = item_weights(ratings)
    if weights is None:
        return lambda compared, complete: compared
    totals, column = item_totals.by_weight(weights), column_of(ratings)

    def weighed(compared: Compared, *, complete: bool) -> Compared:
        kept = totals.scored & ~totals.silent if complete else totals.scored
        behind = Behind(np.flatnonzero(kept), totals.worth[kept])
        numbers = WeightedPairs(totals.paired(kept), behind).numbers(column, confidence)
        within = {key: _within(one, *RANGES.get(key, (-np.inf, np.inf))) for key, one in numbers.estimates.items()}
        return replace(compared, weighted=replace(numbers, estimates=within))

    return weighed


def _like_scores(every: Compared, ratings: Ratings, judge: str, reference: str, worth: Worth, confidence: float) -> Compared:
    """Return scores of one criterion with the intervals that `metrics.scores` gives its labels: one number has one interval."""
    (place,) = np.flatnonzero(worth.counted)
    value_by_class = {
        name: value for name, value in zip(worth.classes, worth.values[place].tolist(), strict=True) if not np.isnan(value)
    }
    if len(set(value_by_class.values())) < len(value_by_class) or len(value_by_class) < FEW_VALUES:
        return every
    rising = sorted(value_by_class.items(), key=lambda pair: pair[1])
    order = Order(tuple(name for name, _ in rising), tuple(value for _, value in rising), "given")
    part = on_criteria(ratings, [worth.criteria[place]])
    tables, family = tables_of(part, judge, reference, order), family_of(order)
    block = blocks_of(tables, family, confidence).pooled
    alike = replace(every, measures=_shared(every.measures, block.estimates))
    settings = settings_of(part, reference=reference, judges=[judge], confidence=confidence)
    by_weight = labels_by_weight(part, tables, family, settings)
    if every.weighted is None or by_weight is None:
        return alike
    return replace(alike, weighted=replace(every.weighted, estimates=_shared(every.weighted.estimates, by_weight.estimates)))


def _shared(own: Mapping[str, Estimate], theirs: Mapping[str, Estimate]) -> dict[str, Estimate]:
    """Return the numbers, with the intervals of those that are the same there."""
    shared = {
        key: replace(estimate, interval=theirs[key].interval, why="")
        for key, estimate in own.items()
        if key in theirs and theirs[key].interval is not None and abs(estimate.value - theirs[key].value) < SAME
    }
    return {**own, **shared}


def _compared(paired: Paired, confidence: float | None) -> Compared:
    estimates = measures(paired, confidence=confidence)
    judge_estimates = {key: _within(value, *RANGES.get(key, (-np.inf, np.inf))) for key, value in estimates.items() if key != "n"}
    reference, judge = paired.numbers
    return Compared(paired.n, judge_estimates, (_distinct(reference), _distinct(judge)))


def _within(estimate: Estimate, low: float, high: float) -> Estimate:
    """Return a number of scores from 0 to 1, its interval ending where theirs does."""
    if estimate.interval is None or estimate.ends is None:
        return estimate
    return replace(
        estimate, interval=replace(estimate.interval, low=max(estimate.ends[0], low), high=min(estimate.ends[1], high))
    )


def _distinct(scores: FloatArray) -> int:
    """Return different scores; sums that differ in their last digits only are one."""
    sorted_scores = np.sort(np.round(scores, 12))
    return int(np.count_nonzero(np.diff(sorted_scores))) + bool(len(sorted_scores))


def _warnings(scores_by_judge: Mapping[str, JudgeItemScores], worth: Worth) -> Iterator[Warn]:
    for name, judge in scores_by_judge.items():
        yield from (Warn("weighted", text) for text in weighted_words(name, judge.all.weighted, "item scores headline"))
        if judge.all.few_values:
            sides = zip(("reference", "judge"), judge.all.distinct, strict=True)
            clauses = [f"of the {side} take {several(n, 'values')} only" for side, n in sides if n <= FEW_VALUES]
            yield Warn(
                "collapsed_scores",
                f"{name}: the item scores {', those '.join(clauses)}. Correlations on them say no more than a 2 × 2 table; "
                "see the item level of agreement.",
            )
        for reason, number in judge.left_out.items():
            items = "item is" if number == 1 else "items are"
            yield Warn("items_left_out", f"{name}: {count(number)} {items} left out: {reason}.")
    for criterion in worth.without_values():
        yield Warn("criterion_without_values", f"{criterion} is in no score: its labels stand for no numbers.")
