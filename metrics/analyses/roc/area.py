"""The area under a ROC curve: how often a positive scores higher than a negative, a tie counting one half."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy.special import ndtri

from metrics.analyses.roc.tallies import Bools, Direction, Ints, ScoreTally, tally_by_level
from metrics.measures.arrays import FloatArray, safe_ratio
from metrics.measures.roots import root_between
from metrics.measures.transforms import Interval, covering, jackknife_error, student, transformed, with_farther_ends

FEW_IN_CLASS, FEW_UNITS = 50, 10
"""Decisions of a class, each a unit of its own, and units with one of it, below which an interval is widened by Newcombe's."""


def auc(tally: ScoreTally) -> float:
    """Return area by the trapezoid rule; NaN where a class is empty.

    The direction is as declared: a value below 1/2 stays there.
    """
    return float(safe_ratio(_wins(tally), 2.0 * tally.n_positive * tally.n_negative))


def delong_error(tally: ScoreTally) -> float:
    """Return standard error where every decision is independent; NaN with fewer than two decisions in a class.

    References: DeLong, DeLong & Clarke-Pearson (1988), doi:10.2307/2531595.
    """
    m, n = tally.n_positive, tally.n_negative
    if min(m, n) < 2:
        return float("nan")
    ups, downs = tally.positive[::-1], tally.negative[::-1]
    beaten, beating = _placements(ups, downs)
    variance = _variance(beaten / (2 * n), ups) / m + _variance(beating / (2 * m), downs) / n
    return float(np.sqrt(variance))


def newcombe(area: float, n_positive: float, n_negative: float, confidence: float) -> tuple[float, float]:
    """Return ends at which the area lies z standard errors from the estimate, with exponential scores.

    Also for an area of 0 or 1.

    Parameters
    ----------
    area : float
        In [0, 1].
    n_positive, n_negative : float
        Independent decisions of each class, or units with one; above 0.
    confidence : float
        In (0, 1).

    References: Newcombe (2006), doi:10.1002/sim.2324, method 5.
    """
    if area < 0.5:
        low, high = newcombe(1 - area, n_positive, n_negative, confidence)
        return 1 - high, 1 - low
    z, mean = float(ndtri((1 + confidence) / 2)), (n_positive + n_negative) / 2 - 1
    scale, perfect = z * z / (n_positive * n_negative), area >= 1

    def beyond(x: float) -> float:
        variance = scale * x * (1 + mean * (1 - x) / (2 - x) + mean * x / (1 + x))
        return 1 - x - variance if perfect else (area - x) ** 2 - variance * (1 - x)

    return root_between(beyond, 0.0, area), 1.0 if perfect else root_between(beyond, area, 1.0)


@dataclass(frozen=True, eq=False)
class Scores:
    """Scored decisions of one judge on one criterion or on all.

    Attributes
    ----------
    unit : ndarray of int64, shape (n,)
        Item of each decision, or the group of items that is left out as a whole; from 0 to `n_units` - 1.
    level : ndarray, shape (L,)
        Distinct scores, the one that speaks least for the positive label first; may hold some that do not occur.
    level_index : ndarray of int64, shape (n,)
        Place of each decision's score in `level`.
    positive : ndarray of bool, shape (n,)
    times, copies : ndarray of int64, shape (n,), optional
        Decisions that a row stands for in one unit, and units that are like it; by default one.
    """

    unit: Ints
    level: FloatArray
    level_index: Ints
    positive: Bools
    n_units: int
    word: str = "items"
    direction: Direction = "higher"
    times: Ints | None = None
    copies: Ints | None = None

    def part(self, kept: Bools | Ints) -> Scores:
        """Return some of the decisions, of the same units.

        Parameters
        ----------
        kept : ndarray of bool, shape (n,), or of int64, shape (m,)
            Which decisions, or their places.
        """
        times, copies = (None if counts is None else counts[kept] for counts in (self.times, self.copies))
        return replace(
            self,
            unit=self.unit[kept],
            level_index=self.level_index[kept],
            positive=self.positive[kept],
            times=times,
            copies=copies,
        )

    def with_copies(self, copies: Ints) -> Scores:
        """Return the same decisions of other numbers of alike units.

        Parameters
        ----------
        copies : ndarray of int64, shape (n_units,)
            Units that are like each, itself included; a unit of 0 loses its decisions.
        """
        decision_copies = copies[self.unit]
        return replace(self, copies=decision_copies).part(decision_copies > 0)

    def tally(self) -> ScoreTally:
        return tally_by_level(self.level, self.level_index, self.positive, self.direction, self.weight)

    @property
    def each(self) -> Ints:
        """Decisions that a row stands for in one unit, shape (n,)."""
        return np.ones(len(self.unit), np.int64) if self.times is None else self.times

    @property
    def weight(self) -> Ints:
        """Decisions that a row stands for, shape (n,)."""
        return self.each if self.copies is None else self.each * self.copies

    @cached_property
    def multiplicity(self) -> Ints:
        """Units that are like each, itself included, shape (n_units,); 0 for one without a decision."""
        out = np.zeros(self.n_units, np.int64)
        out[self.unit] = 1 if self.copies is None else self.copies
        return out

    def of_higher_label(self) -> Scores:
        """Return the same scores against the label that higher ones speak for.

        The negative one where lower ones mean positive.
        """
        if self.direction == "higher":
            return self
        turned = len(self.level) - 1 - self.level_index
        return replace(self, level=self.level[::-1], level_index=turned, positive=~self.positive, direction="higher")

    @property
    def per_unit(self) -> Ints:
        """Decisions of every unit, shape (n_units,)."""
        return self.counted(np.ones(len(self.unit), bool))

    def counted(self, wanted: Bools) -> Ints:
        """Return how many of the wanted decisions every unit has.

        Parameters
        ----------
        wanted : ndarray of bool, shape (n,)

        Returns
        -------
        ndarray of int64, shape (n_units,)
        """
        weights = None if self.times is None else self.times[wanted]
        return np.bincount(self.unit[wanted], weights=weights, minlength=self.n_units).astype(np.int64, copy=False)

    @property
    def independent(self) -> bool:
        """No unit carries two decisions."""
        return bool((self.per_unit <= 1).all())

    def units_with(self, wanted: Bools) -> int:
        """Return how many units have one of the wanted decisions, alike ones counted each.

        Parameters
        ----------
        wanted : ndarray of bool, shape (n,)
        """
        there = np.zeros(self.n_units, bool)
        there[self.unit[wanted]] = True
        return int(self.multiplicity[there].sum())


def area_interval(scores: Scores, tally: ScoreTally, confidence: float) -> Interval | None:
    """Return the interval of an area on the logit scale: DeLong with one decision a unit, else the delete-one-unit jackknife.

    On its own scale DeLong's interval of a good judge covers 83 to 91 % and passes 1. On the logit scale it covers about 95 %
    with 100 units in each class. With 12 to 49 in the smaller class it covers 80 to 98 % of an area of .9 or .96, and the wider
    end of it and of Newcombe's 92 to 99 % of areas from .6 to .99, 96.6 % on average: below fifty both count. Where units carry
    four or eight decisions that share half the variance of the score, the jackknife covers 94 to 96 % with 20 or 40 of them, and
    Newcombe's 99 %, for it counts only units: there both count below ten, and cover 99 % or more of areas from .6 to .9
    (`benchmarks/bench_area.py`).

    Parameters
    ----------
    scores : Scores
    tally : Tally
        Of the same decisions.
    confidence : float
        In (0, 1).

    Returns
    -------
    Interval or None
        None where a class is empty, or neither is on two units.
    """
    area = auc(tally)
    if np.isnan(area):
        return None
    units = [scores.units_with(side) for side in (scores.positive, ~scores.positive)]
    if max(units) < 2:
        return None
    if scores.independent:
        ends, method = transformed(area, delong_error(tally), "logit", float(ndtri((1 + confidence) / 2))), "delong"
    else:
        used = scores.multiplicity > 0
        error = float(jackknife_error(left_out(scores)[used], scores.multiplicity[used].astype(np.float64)))
        ends = transformed(area, error, "logit", student(int(scores.multiplicity.sum()) - 1, confidence))
        method = "jackknife"
    few = FEW_IN_CLASS if scores.independent else FEW_UNITS
    known = Interval(*covering(area, ends), method)
    if known.ends is not None and min(units) >= few:
        return known
    by_score = newcombe(area, units[0], units[1], confidence)
    return with_farther_ends(area, known, by_score, "newcombe", few_of_a_class(units, few, scores.word))


def left_out(scores: Scores) -> FloatArray:
    """Return area without one unit of each, shape (n_units,); NaN where a class becomes empty."""
    positive, alike = scores.positive, scores.multiplicity
    ups, downs = scores.counted(positive), scores.counted(~positive)
    place = scores.level_index * 2 + positive
    won = np.bincount(place, weights=scores.weight, minlength=2 * len(scores.level)).astype(np.int64).reshape(-1, 2)
    beaten, beating = _placements(won[:, 1], won[:, 0])
    weights = np.where(positive, beaten[scores.level_index], beating[scores.level_index]) * scores.each
    lost: FloatArray = np.bincount(scores.unit, weights=weights, minlength=scores.n_units).astype(np.float64)
    whole = (lost * alike).sum() / 2
    lost = lost - _inside(scores, (ups > 0) & (downs > 0))
    pairs = 2.0 * (alike @ ups - ups) * (alike @ downs - downs)
    return safe_ratio(whole - lost, pairs)


def _wins(tally: ScoreTally) -> float:
    """Return twice the pairs in which the positive scores higher, ties once; of billions no machine word holds it."""
    alarms = tally.alarms[1:]
    return float((tally.positive * (2.0 * (tally.n_negative - alarms) + tally.negative)).sum())


def _placements(ups: Ints, downs: Ints) -> tuple[FloatArray, FloatArray]:
    """Return twice the negatives a positive at each level beats, and twice the positives that beat a negative there.

    Counts come with the weakest level first.
    """
    beaten: FloatArray = (2 * (np.cumsum(downs) - downs) + downs).astype(np.float64)
    beating: FloatArray = (2 * (ups.sum() - np.cumsum(ups)) + ups).astype(np.float64)
    return beaten, beating


def _variance(value: FloatArray, times: Ints) -> float:
    n = times.sum()
    centre = times @ value / n
    return float(times @ (value - centre) ** 2 / (n - 1))


def _inside(scores: Scores, mixed: Bools) -> FloatArray:
    """Return twice the pairs won inside every unit, ties once, shape (n_units,); only mixed units have pairs."""
    here = np.flatnonzero(mixed[scores.unit])
    if not len(here):
        return np.zeros(scores.n_units)
    part = scores.part(here)
    won = part.each * placed(part.unit, part.level_index, part.positive, part.each.astype(np.float64)) * 2
    ups = part.positive
    return np.bincount(part.unit[ups], weights=won[ups], minlength=scores.n_units).astype(np.float64)


def placed(group: Ints, level_index: Ints, positive: Bools, mass: FloatArray) -> FloatArray:
    """Return the mass of the negatives of its group that a positive beats, and of the positives that beat a negative.

    Parameters
    ----------
    group, level_index : ndarray of int64, shape (n,)
        Group of each decision, from 0, and place of its score, the one that speaks least for the positive label first.
    positive : ndarray of bool, shape (n,)
    mass : ndarray, shape (n,)
        What each counts for.

    Returns
    -------
    ndarray, shape (n,)
        A tie counts one half.
    """
    n_levels = int(level_index.max(initial=0)) + 1
    key, at = np.unique(group * n_levels + level_index, return_inverse=True)
    counts = np.bincount(at * 2 + positive, weights=mass, minlength=2 * len(key)).reshape(-1, 2)
    of_key = key // n_levels
    before = np.cumsum(counts, axis=0) - counts
    before = before - before[np.searchsorted(of_key, of_key)] + counts / 2
    ups = np.bincount(of_key, weights=counts[:, 1])[of_key]
    return np.asarray(np.where(positive, before[at, 0], (ups - before[:, 1])[at]), np.float64)


def few_of_a_class(units: Sequence[int], few: int, word: str) -> str:
    """Return which class few units have, or nothing.

    Parameters
    ----------
    units : (int, int)
        Units with a positive, and with a negative.
    few : int
        As many are not few.
    word : str
        What units are called.
    """
    fewest = min(units)
    which = "positives" if units[0] == fewest else "negatives"
    return f"{which} on only {fewest} of the {word}" if fewest < few else ""
