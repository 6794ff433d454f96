"""Do both sides leave the same decisions open, and does leaving one open go with the other side's label?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import chndtr, chndtrinc

from metrics.analyses.abstention.nonresponse import placed
from metrics.analyses.abstention.shares import share_of
from metrics.analyses.settings import Settings
from metrics.data.abstention import kappa_reason
from metrics.data.pairs import patterns_of
from metrics.data.patterns import Patterns
from metrics.data.ratings import Ratings
from metrics.intervals.default import Unit, micro_intervals
from metrics.intervals.items import Coded
from metrics.measures.arrays import FloatArray, Function, safe_ratio
from metrics.measures.coefficients import cohen_kappa, phi
from metrics.measures.transforms import Interval
from metrics.results.estimate import Estimate

Side = Literal["judge", "human"]


@dataclass(frozen=True)
class JointAbstention:
    """Who left which decisions open.

    Attributes
    ----------
    both, judge_only, human_only, neither : int
        Of the decisions on which the people's votes do not split.
    kappa : Estimate
        Abstention kappa; without an interval where it is 0 by construction.
    split, split_judge_only : int
        Decisions on which the people's votes split; those of them that the judge left open.
    """

    both: int
    judge_only: int
    human_only: int
    neither: int
    kappa: Estimate
    split: int = 0
    split_judge_only: int = 0

    @property
    def n(self) -> int:
        return self.unsplit + self.split

    @property
    def unsplit(self) -> int:
        """Decisions on which the people's votes do not split."""
        return self.both + self.judge_only + self.human_only + self.neither

    @property
    def joint(self) -> float:
        return float(safe_ratio(self.neither, self.n))

    @property
    def judge(self) -> float:
        """Judge coverage."""
        return float(safe_ratio(self.neither + self.human_only + self.split - self.split_judge_only, self.n))

    @property
    def human(self) -> float:
        """Human coverage."""
        return float(safe_ratio(self.neither + self.judge_only, self.n))

    @property
    def product(self) -> float:
        """Joint coverage if the two left decisions open independently of each other."""
        return self.judge * self.human

    @property
    def expected_both(self) -> float:
        """Decisions both would leave open if they did so independently."""
        return float(safe_ratio((self.both + self.judge_only) * (self.both + self.human_only), self.unsplit))


@dataclass(frozen=True)
class Relation:
    """Does one side's silence go with the other side's label?

    Attributes
    ----------
    side : {"judge", "human"}
        Whose silence.
    v : Estimate
        Cramer's V of silence and label.
    """

    side: Side
    v: Estimate
    n: int

    @property
    def related(self) -> bool | None:
        """Whether the interval leaves out 0; None where there is none."""
        return None if self.v.ends is None else self.v.sign > 0


def joint_abstention(ratings: Ratings, judge: str, settings: Settings) -> JointAbstention:
    """Return counts of who left what open, and the abstention kappa.

    Parameters
    ----------
    ratings : Ratings
    judge : str
    settings : Settings
        Reference and confidence; who gave no verdict does not depend on mode and handling.

    Returns
    -------
    Together
        Kappa is NaN where no decision is without a split vote, and where both sides gave a verdict on all, or neither on any.
    """
    patterns, k = patterns_of(ratings, judge, settings.reference), ratings.scheme.n_classes
    human, verdict, counted = placed(patterns, ratings.scheme)
    coded, tables = _coded(np.where(counted, 2 * (human != k) + (verdict != k), 4), patterns, 2)
    (both, human_only), (judge_only, neither) = tables.sum(0).astype(int).tolist()
    fixed = kappa_reason(neither, judge_only, human_only, both)
    interval = None if fixed else _interval(coded, tables, "kappa", cohen_kappa, settings.confidence)
    kappa = Estimate(float(cohen_kappa(tables.sum(0))), interval, fixed)
    raw, scheme = patterns.raw.sum(0), ratings.scheme
    beside = raw[scheme.state("split"), : scheme.state("error")]
    split = int(beside.sum()), int(beside[k:].sum())
    return JointAbstention(both, judge_only, human_only, neither, kappa, *split)


def relation(ratings: Ratings, judge: str, settings: Settings, side: Side = "judge") -> Relation:
    """Return Cramer's V between one side's silence and the other side's label, over decisions where the other side gave one.

    Two labels: the default interval of phi, folded at 0. More: the noncentral chi-square that fits the statistic, shrunk by
    the mean design effect of the rates by label.

    Parameters
    ----------
    ratings : Ratings
    judge : str
    settings : Settings
        Reference and confidence.
    side : {"judge", "human"}
        Whose silence.

    Returns
    -------
    Relation
        V is NaN, with the reason, where the other side gave fewer than two labels, or the side was silent always or never.
    """
    patterns, k = patterns_of(ratings, judge, settings.reference), ratings.scheme.n_classes
    human, verdict, counted = placed(patterns, ratings.scheme)
    label, silent = (human, verdict == k) if side == "judge" else (verdict, human == k)
    counted = counted & (label < k)
    table = np.zeros((2, k), np.int64)
    weights = np.broadcast_to(patterns.multiplicity, label.shape)
    np.add.at(table, (np.where(silent, 0, 1)[counted], label[counted]), weights[counted])
    reason = _why_not(table, side)
    if reason:
        return Relation(side, Estimate(float("nan"), why=reason), int(table.sum()))
    v = _cramer(table)
    if k == 2:
        units = _coded(np.where(counted, 2 * np.where(silent, 0, 1) + np.minimum(label, 1), 4), patterns, 2)
        interval = _folded(_interval(*units, "phi", phi, settings.confidence))
    else:
        effects = [
            share_of(
                (counted & silent & (label == place)).sum(0), (counted & (label == place)).sum(0), patterns.multiplicity
            ).effect
            for place in range(k)
            if table[:, place].sum()
        ]
        interval = _noncentral(v, table, float(np.mean(effects)), settings.confidence)
    return Relation(side, Estimate(v, interval), int(table.sum()))


def _why_not(table: NDArray[np.int64], side: Side) -> str:
    other = "human" if side == "judge" else "judge"
    if not table.sum():
        return f"the {other} never gave a verdict"
    if not table[0].sum():
        return f"the {side} gave a verdict wherever the {other} did"
    if not table[1].sum():
        return f"the {side} never gave a verdict where the {other} did"
    if (table.sum(0) > 0).sum() < 2:
        return f"the {other} gave one label only"
    return ""


def _cramer(table: NDArray[np.int64]) -> float:
    """Return Cramer's V of a table with two rows."""
    counts = table[:, table.sum(0) > 0].astype(np.float64)
    expected = counts.sum(1, keepdims=True) * counts.sum(0) / counts.sum()
    return float(np.sqrt(((counts - expected) ** 2 / expected).sum() / counts.sum()))


def _folded(interval: Interval | None) -> Interval | None:
    """Return an interval of phi as one of its absolute value."""
    if interval is None or interval.ends is None:
        return None
    low, high = sorted(map(abs, interval.ends))
    return replace(interval, low=0.0 if interval.low <= 0 <= interval.high else low, high=high)


def _noncentral(v: float, table: NDArray[np.int64], effect: float, confidence: float) -> Interval:
    """Return interval of V by the noncentralities that put the statistic at either tail."""
    n, df = table.sum() / effect, int((table.sum(0) > 0).sum()) - 1
    statistic, tail = n * v * v, (1 - confidence) / 2
    ends = [float(chndtrinc(statistic, df, p)) if float(chndtr(statistic, df, 0.0)) > p else 0.0 for p in (1 - tail, tail)]
    low, high = (float(np.sqrt(end / n)) for end in ends)
    return Interval(min(low, v), min(1.0, max(high, v)), "noncentral chi-square")


def _coded(cell: NDArray[np.int64], patterns: Patterns, k: int) -> tuple[Coded, FloatArray]:
    """Return items with their confusion cells, K² where a decision does not count, and the tables they add up to."""
    size = k * k
    tallies = [np.bincount(row, weights=patterns.multiplicity, minlength=size + 1)[:size] for row in cell]
    tables = np.stack(tallies).reshape(-1, k, k).astype(np.float64)
    counted = (cell < size).any(0)
    return Coded(cell[:, counted].astype(np.int16), patterns.multiplicity[counted], k), tables


def _interval(coded: Coded, tables: FloatArray, key: str, function: Function, confidence: float) -> Interval | None:
    """Return the default interval: rule 2 where every item has one decision, else rules 1 and 3."""
    values: Mapping[str, float] = {key: float(function(tables.sum(0)))}
    return micro_intervals(Unit(coded, tables, confidence), {key: function}, values).get(key)
