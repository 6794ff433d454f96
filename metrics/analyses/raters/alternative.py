"""The alternative-annotator test: is a judge less than a margin worse than one of the humans on items like these?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.raters.units import (
    LEAST,
    Units,
    judge_labels,
    judge_scores,
    rater_scores,
    units_of,
)
from metrics.data.abstention import Mode
from metrics.data.arguments import one_of
from metrics.data.order import values_of
from metrics.data.ratings import Ratings, named_judges
from metrics.data.unique_items import kinds_of
from metrics.errors import InputError
from metrics.measures.arrays import FloatArray
from metrics.measures.exact_tests import ROUNDING, signed_rank_p, t_below
from metrics.measures.transforms import interval_around, jackknife_error, student
from metrics.results.estimate import Estimate

Kind = Literal["experts", "skilled", "crowd"]
Scoring = Literal["labels", "scores"]
Test = Literal["t", "wilcoxon", ""]
EPSILON: dict[Kind, float] = {"experts": 0.2, "skilled": 0.15, "crowd": 0.1}
"""By how much a judge may be worse than a human and still pass, by who the humans are: a judge costs less than an expert."""
HUMANS, ENOUGH, Q = 3, 30, 0.05
"""Annotators needed; items from which the t test is used; level of the Benjamini–Yekutieli correction."""
# Share of the humans tested from which the judge passes: it wins against at least half of them.
PASS = 0.5


@dataclass(frozen=True)
class Annotator:
    """The judge against one human, both measured by their likeness to the other humans.

    Attributes
    ----------
    n, n_items : int
        Instances (an instance is a criterion of an item) that this human, the judge and another human labelled; their items.
    advantage : float
        Mean over the items of "the judge is at least as like the others as this human": estimates how often that is so.
    human_advantage : float
        The same of the human.
    test : {"t", "wilcoxon", ""}
        One-sided, on the items' means; Wilcoxon's signed-rank test under 30 items; none for the reason in `undefined`.
    p, corrected : float
        Of "the human does better by `epsilon` or more", and after Benjamini and Yekutieli.
    won : bool
        That is rejected: the judge wins against this human.
    lost : bool
        The same test the other way round, corrected alike, shows the human to do better by more than `epsilon`.
    """

    name: str
    n: int
    n_items: int
    advantage: float
    human_advantage: float
    test: Test
    p: float
    corrected: float
    won: bool
    undefined: str = ""
    lost: bool = False

    @property
    def tested(self) -> bool:
        return not math.isnan(self.p)


@dataclass(frozen=True)
class AlternativeTest:
    """Result of the test.

    Attributes
    ----------
    winning_rate : Estimate
        Share of the humans tested against whom the judge wins, ω; without an interval.
    advantage : Estimate
        Mean of their `advantage`, ρ, for comparing judges; item jackknife.
    kind : str
        Who the humans are said to be; empty where `epsilon` was given as a number.
    ranges : ((float, float), (float, float)) or None
        Scores: lowest and highest of the judge and of the humans, which are compared as they are.
    """

    judge: str
    criterion: str | None
    abstention: Mode
    scoring: Scoring
    epsilon: float
    kind: str
    winning_rate: Estimate
    advantage: Estimate
    n_items: int
    annotators: tuple[Annotator, ...]
    least: int
    confidence: float
    ranges: tuple[tuple[float, float], tuple[float, float]] | None = None

    @property
    def passed(self) -> bool | None:
        """ω is at least one half; None where it is undefined."""
        return self.winning_rate.value >= PASS if self.winning_rate.defined else None

    @property
    def tested(self) -> tuple[Annotator, ...]:
        return tuple(annotator for annotator in self.annotators if annotator.tested)

    @property
    def n_won(self) -> int:
        return sum(annotator.won for annotator in self.annotators)

    @property
    def n_lost(self) -> int:
        return sum(annotator.lost for annotator in self.annotators)


def alternative_annotator(
    ratings: Ratings,
    judge: str,
    *,
    epsilon: Kind | float = "skilled",
    scoring: Scoring = "labels",
    abstention: Mode = "exclude",
    criterion: str | None = None,
    least: int = LEAST,
    confidence: float = 0.95,
) -> AlternativeTest:
    r"""Return whether the judge is less than a margin worse than the humans at agreeing with the other humans.

    To pass is not to be as good as a human: the margin is forgiven.

    For each human j and each instance i that j, the judge and at least one other human labelled: how like the others is each,
    :math:`S = ` the share of the others with the same label (labels), or minus the root mean squared distance from them
    (scores). :math:`W^f_i = [S_f \ge S_j]`, :math:`W^h_i = [S_j \ge S_f]`. The judge wins against j where the one-sided test
    rejects :math:`E(W^h - W^f) \ge \epsilon` after Benjamini and Yekutieli at 0.05. Instances of one item are averaged first,
    because they hang together. Undefined where only one label, or score, occurs: nobody could then be unlike the others.

    Parameters
    ----------
    epsilon : {"experts", "skilled", "crowd"} or float
        0.2, 0.15, 0.1, or a number from 0 to below 1.
    scoring : {"labels", "scores"}
        Scores: of the score column, or the labels where these are numbers and there are no scores of humans.
    least : int
        Humans with fewer items are not tested.

    Raises
    ------
    InputError
        For fewer than two humans, an unknown judge or criterion, an epsilon out of range, scores that are none.

    References: Calderon, Reichart & Dror (2025), ACL, 2025.acl-long.782.
    """
    (judge,) = named_judges(ratings, judge)
    margin, kind = _margin(epsilon)
    one_of("scoring", scoring, get_args(Scoring))
    ratings = kinds_of(ratings)
    units = units_of(ratings, "human", mode=abstention, criterion=criterion)
    ranges = None
    if scoring == "labels":
        trials = _label_trials(units, judge_labels(ratings, units, judge, abstention))
    else:
        judged, humans = _scores(ratings, units, judge, abstention)
        trials = _score_trials(units, judged, humans)
        ranges = (_range(judged), _range(humans)) if len(trials.item) else None
    by_item = trials.by_item()
    alike = f"only one {scoring.removesuffix('s')} occurs, so nobody could be unlike the others" if trials.is_constant else ""
    annotators = _corrected([_annotator(by_item, place, name, margin, least, alike) for place, name in enumerate(units.raters)])
    tested = np.array([annotator.tested for annotator in annotators], bool)
    needs = f"the test needs {HUMANS} humans with {max(least, 2)} items each; {int(tested.sum()) or 'none'} have them"
    rate = advantage = Estimate(math.nan, why=alike or needs)
    if tested.sum() >= HUMANS:
        rate = Estimate(sum(annotator.won for annotator in annotators) / int(tested.sum()))
        advantage = by_item.mean_advantage(tested, confidence)
    return AlternativeTest(
        judge, criterion, abstention, scoring, margin, kind, rate, advantage, by_item.n_items(tested), annotators, least,
        confidence, ranges,
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class _ByItem:
    """One row per item and human: instances, and the means of both indicators."""

    item: NDArray[np.int64]
    human: NDArray[np.int64]
    n: NDArray[np.int64]
    judge: FloatArray
    by_human: FloatArray
    times: NDArray[np.int64]

    def of(self, human: int) -> NDArray[np.int64]:
        return np.flatnonzero(self.human == human)

    def n_items(self, tested: NDArray[np.bool_]) -> int:
        kept = np.flatnonzero(tested[self.human])
        return int(self.times[kept[np.unique(self.item[kept], return_index=True)[1]]].sum())

    def mean_advantage(self, tested: NDArray[np.bool_], confidence: float) -> Estimate:
        """Return mean over the humans of their mean over items, and its interval with one item left out at a time."""
        keep = tested[self.human]
        human, judge_share, times = self.human[keep], self.judge[keep], self.times[keep].astype(np.float64)
        items, first, of_item = np.unique(self.item[keep], return_index=True, return_inverse=True)
        count = np.bincount(human, weights=times, minlength=len(tested))
        total = np.bincount(human, weights=judge_share * times, minlength=len(tested))
        means = total[tested] / count[tested]
        change = (total[human] - judge_share) / (count[human] - 1) - total[human] / count[human]
        without = means.mean() + np.bincount(of_item, weights=change, minlength=len(items)) / tested.sum()
        error = float(jackknife_error(without, times[first]))
        mean, quantile = float(means.mean()), student(int(times[first].sum()) - 1, confidence)
        return Estimate(mean, interval_around(mean, error, "logit", quantile, "jackknife"))


@dataclass(frozen=True, eq=False)
class _Trials:
    """One row per instance and human: whether the judge, and whether the human, is at least as like the others."""

    item: NDArray[np.int64]
    human: NDArray[np.int64]
    judge: NDArray[np.bool_]
    by_human: NDArray[np.bool_]
    times: NDArray[np.int64]
    n_humans: int
    is_constant: bool
    """There are rows, and only one label or score in all of them."""

    def by_item(self) -> _ByItem:
        key, first, group = np.unique(self.item * self.n_humans + self.human, return_index=True, return_inverse=True)
        n = np.bincount(group, minlength=len(key))
        judge, human = (np.bincount(group, weights=wins, minlength=len(key)) / n for wins in (self.judge, self.by_human))
        return _ByItem(key // self.n_humans, key % self.n_humans, n, judge, human, self.times[first])


def _label_trials(units: Units, judged: NDArray[np.int64]) -> _Trials:
    """Return shares of the others with the same label, compared as counts: the others are as many for both."""
    votes, enough = units.votes, units.votes.sum(1) > 1
    unit, human = np.nonzero((units.labels >= 0) & (enough & (judged >= 0))[:, None])
    human_label, other = units.labels[unit, human].astype(np.int64), judged[unit]
    like_human = votes[unit, human_label] - 1
    like_judge = votes[unit, other] - (human_label == other)
    item = units.item[unit].astype(np.int64)
    alike = _is_constant(human_label, other)
    return _Trials(item, human, like_judge >= like_human, like_human >= like_judge, units.times[unit], len(units.raters), alike)


def _score_trials(units: Units, judged: FloatArray, humans: FloatArray) -> _Trials:
    """Return distances from the others, compared as sums of squares; equal within rounding is equal."""
    there = ~np.isnan(humans)
    centre = np.where(there, humans, 0.0).sum(1) / np.maximum(there.sum(1), 1)
    near, far = humans - centre[:, None], judged - centre
    squares, count = np.where(there, near**2, 0.0).sum(1), there.sum(1)
    unit, human = np.nonzero(there & ((count > 1) & ~np.isnan(judged))[:, None])
    human_distance, other = near[unit, human], far[unit]
    # the mean of the humans is 0 here, so sums of squares from a point x are squares + count · x²
    of_human = squares[unit] + count[unit] * human_distance**2
    of_judge = squares[unit] + count[unit] * other**2 - (other - human_distance) ** 2
    advantage = np.where(other == human_distance, 0.0, of_judge - of_human)
    slack = ROUNDING * np.maximum(of_human, of_judge)
    item = units.item[unit].astype(np.int64)
    alike = _is_constant(humans[unit, human], judged[unit])
    return _Trials(item, human, advantage <= slack, advantage >= -slack, units.times[unit], len(units.raters), alike)


def _is_constant(human_values: NDArray[Any], other: NDArray[Any]) -> bool:
    return len(np.union1d(human_values, other)) == 1


def _scores(ratings: Ratings, units: Units, judge: str, mode: Mode) -> tuple[FloatArray, FloatArray]:
    """Return scores of the judge, shape (n_units,), and of the humans, shape (n_units, n_humans); NaN where there is none."""
    if ratings.score is not None:
        judged, humans = judge_scores(ratings, units, judge), rater_scores(ratings, units)
        if not np.isnan(judged).all() and not np.isnan(humans).all():
            return judged, humans
    values = np.append(values_of(units.classes, "interval", ordered=bool(ratings.scheme.order)), np.nan)
    return values[judge_labels(ratings, units, judge, mode)], values[units.labels]


def _range(values: FloatArray) -> tuple[float, float]:
    return float(np.nanmin(values)), float(np.nanmax(values))


def _margin(epsilon: Kind | float) -> tuple[float, str]:
    if isinstance(epsilon, str):
        if epsilon not in EPSILON:
            raise InputError(f"Unknown annotators {epsilon!r}. Use one of: {', '.join(EPSILON)}, or a number.")
        return EPSILON[epsilon], epsilon
    if not 0 <= epsilon < 1:
        raise InputError(f"The allowance ε must be from 0 to below 1, not {epsilon}.")
    return float(epsilon), ""


@dataclass(frozen=True)
class _Sides:
    """A human tested, with p of the test the other way round."""

    annotator: Annotator
    p_lost: float = math.nan


def _annotator(by_item: _ByItem, place: int, name: str, margin: float, least: int, alike: str) -> _Sides:
    rows, times = by_item.of(place), by_item.times[by_item.of(place)]
    n, n_items = int(by_item.n[rows] @ times), int(times.sum())
    judge, human = by_item.judge[rows], by_item.by_human[rows]
    means = (float((judge * times).sum() / n_items), float((human * times).sum() / n_items)) if n_items else (math.nan, math.nan)
    few = max(least, 2)
    if n_items < few:
        why = f"fewer than {few} items with the judge and another human"
        return _Sides(Annotator(name, n, n_items, *means, "", math.nan, math.nan, False, why))
    test: Test = "t" if n_items >= ENOUGH else "wilcoxon"
    worse = human - judge - margin
    won, lost = (
        t_below(differences, times) if test == "t" else signed_rank_p(np.repeat(differences, times))
        for differences in (worse, -worse)
    )
    why = alike or (f"every item differs by exactly ε, {margin}" if math.isnan(won) else "")
    annotator = Annotator(name, n, n_items, *means, "" if why else test, math.nan if why else won, math.nan, False, why)
    return _Sides(annotator, math.nan if why else lost)


def _corrected(sides: Sequence[_Sides]) -> tuple[Annotator, ...]:
    """Return the humans with p after Benjamini and Yekutieli, who is beaten, and who is better."""
    won, lost = (_by(p_values) for p_values in ([side.annotator.p for side in sides], [side.p_lost for side in sides]))
    return tuple(
        replace(side.annotator, corrected=first, won=first <= Q, lost=second <= Q)
        for side, first, second in zip(sides, won, lost, strict=True)
    )


def _by(values: Sequence[float]) -> list[float]:
    p = np.array(values)
    known = ~np.isnan(p)
    if known.any():
        from scipy.stats import false_discovery_control  # takes longer to import than pandas

        p[known] = false_discovery_control(p[known], method="by")
    return list(p.tolist())
