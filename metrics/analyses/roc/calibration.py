"""Does a score of 0.7 mean that seven in ten are positive? The reliability diagram and Kuiper's statistic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.special import ndtr

from metrics.analyses.evaluation import own_intervals
from metrics.analyses.roc.area import Scores
from metrics.analyses.roc.cuts import units_of
from metrics.analyses.roc.tallies import Ints, ScoreTally
from metrics.measures.catalogue import BY_KEY
from metrics.measures.transforms import Interval
from metrics.results.estimate import Estimate

BINS = 10
LONG_TAIL = 1.5
"""From here on the series of the tail converges at once, below it that of the distribution."""
NOT_INDEPENDENT = "decisions on one item are not independent"
NO_SPREAD = "every score is 0 or 1, so chance has no spread to compare with"


@dataclass(frozen=True, eq=False)
class Bin:
    """Decisions with neighbouring scores.

    Attributes
    ----------
    low, high : float
        Lowest and highest score.
    mean : float
        Mean score, the share of positives the scores promise.
    observed : Estimate
        Share of positives.
    """

    low: float
    high: float
    n: int
    mean: float
    observed: Estimate


@dataclass(frozen=True, eq=False)
class Calibration:
    """How far scores, taken as probabilities of the label that higher ones speak for, are from what happens.

    Attributes
    ----------
    kuiper, kuiper_scaled : float
        Largest less smallest cumulative difference of outcome and score; and that in units of chance.
    p : float
        Chance of at least as much from perfectly calibrated independent decisions; NaN for the reason in `why_no_p`.
    mean_score, prevalence : float
        What the scores promise on the whole, and what happens.
    of : {"positive", "negative"}
        The label they are probabilities of.
    """

    bins: tuple[Bin, ...]
    n: int
    kuiper: float
    kuiper_scaled: float
    p: float
    why_no_p: str
    mean_score: float
    prevalence: float
    of: Literal["positive", "negative"] = "positive"


def are_probabilities(tally: ScoreTally) -> bool:
    """Return whether all scores lie from 0 to 1, and some of them between."""
    level = tally.level
    return bool(len(level) and level[-1] >= 0 and level[0] <= 1 and ((level > 0) & (level < 1)).any())


def calibration(scores: Scores, tally: ScoreTally, confidence: float | None, bins: int = BINS) -> Calibration:
    """Return the reliability diagram, with ties in one bin, and Kuiper's statistic.

    Parameters
    ----------
    scores : Scores
        From 0 to 1, higher ones speaking for the positive label.
    tally : Tally
        Of the same decisions; at least one.
    confidence : float or None
        In (0, 1); None for bins without intervals.
    bins : int
        How many there are at most, of about equally many decisions.

    Returns
    -------
    Calibration
        `p` is NaN where a unit carries several decisions; `p` and `kuiper_scaled` are NaN where every score is 0 or 1.
    """
    distance, scaled = kuiper(tally)
    why = NO_SPREAD if np.isnan(scaled) else "" if scores.independent else NOT_INDEPENDENT
    total = (tally.positive + tally.negative) @ tally.level
    return Calibration(
        bins=tuple(_bin(scores, place, confidence) for place in bins_of(scores, tally, bins)),
        n=tally.n,
        kuiper=distance,
        kuiper_scaled=scaled,
        p=float("nan") if why else tail_of_range(scaled),
        why_no_p=why,
        mean_score=float(total / tally.n),
        prevalence=tally.n_positive / tally.n,
    )


def kuiper(tally: ScoreTally) -> tuple[float, float]:
    """Return range of the cumulative differences, lowest score first and ties one block; and that over its chance spread.

    References: Tygert (2023), doi:10.3390/axioms12090817; Arrieta-Ibarra et al. (2022), arXiv:2202.00100.
    """
    level, ups = tally.level[::-1], tally.positive[::-1]
    sizes = ups + tally.negative[::-1]
    walk = np.concatenate([[0.0], np.cumsum(ups - sizes * level)]) / tally.n
    distance = float(walk.max() - walk.min())
    spread = float(np.sqrt(sizes @ (level * (1 - level)))) / tally.n
    return distance, distance / spread if spread > 0 else float("nan")


def tail_of_range(x: float) -> float:
    """Return probability that the range of a standard Brownian motion over unit time is at least x.

    References: Feller (1951), doi:10.1214/aoms/1177729589.
    """
    if x <= 0:
        return 1.0
    k = np.arange(1, 41)
    if x >= LONG_TAIL:
        return float(np.clip(8 * ((-1.0) ** (k - 1) * k * ndtr(-k * x)).sum(), 0, 1))
    odd = (2 * k - 1.0) ** 2 * np.pi**2
    below = 8 * ((1 / x**2 + 1 / odd) * np.exp(-odd / (2 * x * x))).sum()
    return float(np.clip(1 - below, 0, 1))


def bins_of(scores: Scores, tally: ScoreTally, bins: int = BINS) -> list[Ints]:
    """Return decisions of every bin: about equally many each, lowest scores first, equal scores together."""
    sizes = (tally.positive + tally.negative)[::-1]
    middle = np.cumsum(sizes) - sizes / 2
    of_level = np.minimum((middle * bins / tally.n).astype(np.int64), bins - 1)
    known = np.searchsorted(tally.level[::-1], scores.level[scores.level_index])
    of_decision = of_level[known]
    order = np.argsort(of_decision, kind="stable")
    starts = np.flatnonzero(np.diff(of_decision[order], prepend=-1))
    return [np.asarray(part) for part in np.split(order, starts[1:])]


def _bin(scores: Scores, place: Ints, confidence: float | None) -> Bin:
    bin_scores = scores.part(place)
    tally = bin_scores.tally()
    score, sizes = tally.level[::-1], (tally.positive + tally.negative)[::-1]
    n = int(sizes.sum())
    interval = None if confidence is None else _interval(bin_scores, confidence)
    observed = Estimate(tally.n_positive / n, interval)
    return Bin(float(score.min()), float(score.max()), n, float((score * sizes).sum() / n), observed)


def _interval(scores: Scores, confidence: float) -> Interval | None:
    """Return the interval of the share of positives, by the rules of every other share."""
    cell = np.where(scores.positive, 0, 2)
    counts = np.bincount(cell, weights=scores.weight, minlength=4).reshape(2, 2).astype(np.float64)
    key, functions = "prevalence", {"prevalence": BY_KEY["prevalence"].function}
    values = {key: float(functions[key](counts))}
    units = units_of(cell, scores.unit, scores.each, scores.multiplicity[scores.unit], scores.word)
    return own_intervals(counts, units, functions, values, confidence).get(key)
