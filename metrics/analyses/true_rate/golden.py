"""What a golden set says about a judge as a meter of a rate, and when it cannot say it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from metrics.analyses.prevalence.power import FEW, rates_of
from metrics.errors import InputError
from metrics.intervals.single_table import single_table
from metrics.measures.arrays import FloatArray, as_confusion
from metrics.measures.catalogue import BY_KEY
from metrics.measures.transforms import Interval
from metrics.results.estimate import Estimate
from metrics.results.words import bounds, percent1

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Golden:
    """What a golden set says about a judge.

    Attributes
    ----------
    tpr, fpr : float
        Plain rates; NaN where the class is missing.
    unlike_within : str
        Why rates of these decisions of several criteria correct nothing, and what would; empty where they do.
    answered : float
        Share of the judge's answers that get a verdict of it; see `metrics.data.abstention.answered_share`.
    """

    tp: float
    fn: float
    fp: float
    tn: float
    tpr: float
    fpr: float
    youden_j: Estimate
    unlike_within: str = ""
    answered: float = 1.0

    @property
    def n_positive(self) -> float:
        return self.tp + self.fn

    @property
    def n_negative(self) -> float:
        return self.fp + self.tn

    @property
    def counts(self) -> FloatArray:
        return np.array([[self.tp, self.fn], [self.fp, self.tn]])

    def adjusted(self) -> tuple[float, float, float, float]:
        """Return TPR and FPR with one success and one failure added, and their variances."""
        tpr, fpr = ((hit + 1) / (n + 2) for hit, n in ((self.tp, self.n_positive), (self.fp, self.n_negative)))
        return tpr, fpr, tpr * (1 - tpr) / (self.n_positive + 2), fpr * (1 - fpr) / (self.n_negative + 2)

    def refusal(self) -> str:
        """Return why this golden set cannot correct a rate; empty when it can."""
        if not (self.n_positive and self.n_negative):
            which = "positive" if not self.n_positive else "negative"
            return f"The golden set has no {which} item, so the judge’s {'TPR' if not self.n_positive else 'FPR'} is not known."
        if not self.fn + self.tn or not self.tp + self.fp:
            verdict, rate = ("positive", "TPR") if not self.fn + self.tn else ("negative", "FPR")
            return f"The judge called every golden item {verdict}. If only such answers were labelled, {rate} cannot be known."
        if self.unlike_within:
            return self.unlike_within
        if self.youden_j.ends is None:
            return "J has no interval on this golden set, so a measured rate cannot be corrected."
        if not self.youden_j.sign:
            shown = bounds(self.youden_j.ends)
            return f"The interval of J, {shown}, covers 0: this golden set does not show that the judge can measure a rate."
        return ""

    def misfit(self, measured: float) -> str:
        """Return why a measured rate cannot come from this judge, whatever the true rate is."""
        low, high = sorted((self.tpr, self.fpr))
        return (
            f"This judge calls between {percent1(low)} and {percent1(high)} of answers positive whatever their true rate, and "
            f"{percent1(measured)} was measured, farther off than chance explains: its TPR and FPR do not hold for these answers."
        )

    def turned(self) -> str:
        """Return a judge whose positive verdicts are commoner on negatives, so that its rate falls as the true one rises."""
        if not self.youden_j.value < 0:
            return ""
        return (
            f"J is below 0: the judge calls {percent1(self.tpr)} of the positives positive and {percent1(self.fpr)} of the "
            "negatives. Its rate falls as the true one rises, and the correction turns it round. Does one side use the two "
            "labels the other way round?"
        )

    def thin(self) -> str:
        """Return a golden set with few items of a class."""
        least = min(self.n_positive, self.n_negative)
        which = "positive" if self.n_positive <= self.n_negative else "negative"
        items = "item" if f"{least:.0f}" == "1" else "items"
        return f"The golden set has only {least:.0f} {which} {items}; at least {FEW} are wanted." if 0 < least < FEW else ""


def golden_set(counts: ArrayLike, confidence: float = CONFIDENCE, interval: Interval | None = None) -> Golden:
    """Return what a golden set says from a 2 x 2 table.

    Parameters
    ----------
    counts : array_like, shape (2, 2)
        Reference in rows, judge in columns, positive first.
    confidence : float
        Of the interval of J, in (0, 1).
    interval : Interval, optional
        Interval of J where decisions are not independent; by default that of a single table.

    Returns
    -------
    Golden
        A rate whose class is missing is NaN, and so is J.

    Raises
    ------
    InputError
        When the table is not 2 x 2, a count is negative, or there is none.
    """
    try:
        table = as_confusion(counts, classes=2)
    except ValueError as error:
        raise InputError(f"The golden set: {error}.") from None
    if table.ndim != 2 or not table.sum():
        raise InputError("The golden set must be one table with at least one decision.")
    key = "youden_j"
    value, (tpr, fpr) = float(BY_KEY[key].function(table)), rates_of(table)
    if interval is None:
        interval = single_table(table, {key: BY_KEY[key].function}, {key: value}, confidence).get(key)
    (tp, fn), (fp, tn) = table.tolist()
    return Golden(tp, fn, fp, tn, float(tpr), float(fpr), Estimate(value, interval))


def golden_rates(tpr: float, fpr: float, positives: float, negatives: float, confidence: float = CONFIDENCE) -> Golden:
    """Return what a golden set says from published rates and the number of golden items of each class behind them.

    Parameters
    ----------
    tpr, fpr : float
        In [0, 1].
    positives, negatives : float
        Golden items of each class, by the reference.
    confidence : float
        Of the interval of J, in (0, 1).

    Raises
    ------
    InputError
        When a rate is outside [0, 1], or there is no item.
    """
    for name, rate in (("TPR", tpr), ("FPR", fpr)):
        if not 0 <= rate <= 1:
            raise InputError(f"{name} must lie between 0 and 1, not {rate}.")
    return golden_set([[tpr * positives, (1 - tpr) * positives], [fpr * negatives, (1 - fpr) * negatives]], confidence)


def two_shares_p(k1: int, n1: int, k2: int, n2: int) -> float:
    """Return two-sided p of equal shares, by the pooled normal test.

    Parameters
    ----------
    k1, k2 : int
        Cases with the event.
    n1, n2 : int
        Cases; at least 1 each.

    Returns
    -------
    float
        NaN where nothing varies: all cases have the event, or none has.
    """
    pooled = (k1 + k2) / (n1 + n2)
    spread = math.sqrt(pooled * (1 - pooled) * (1 / n1 + 1 / n2))
    return float(2 * ndtr(-abs(k1 / n1 - k2 / n2) / spread)) if spread else math.nan


def check_share(k: int, n: int) -> None:
    """Raise where the number of positive answers is no part of the answers.

    Raises
    ------
    InputError
        Where there is no answer, or k lies outside 0 to n.
    """
    if not (n >= 1 and 0 <= k <= n):
        raise InputError(f"Answers called positive must lie between 0 and the number of answers; not {k} of {n}.")


def clip(x: float) -> float:
    return x if math.isnan(x) else min(1.0, max(0.0, x))
