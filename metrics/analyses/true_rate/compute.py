"""The true rate behind a rate that a judge measured, with the uncertainty of the golden set."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from numpy.typing import ArrayLike
from scipy.special import ndtri

from metrics.analyses.comparison.permutation import mcnemar
from metrics.analyses.labelling import Verification
from metrics.analyses.true_rate.golden import CONFIDENCE, Golden, check_share, clip, golden_set, two_shares_p
from metrics.data.checks import checks_arguments
from metrics.errors import InputError
from metrics.intervals.single_table import wilson
from metrics.measures.catalogue import BY_KEY
from metrics.measures.roots import root_between
from metrics.measures.transforms import Interval, covering
from metrics.results.estimate import Estimate
from metrics.results.report import ends_or_none, or_none

FITTING = "newcombe"
MOST_RATES = 401
"""Rates at which a measured one can be tried: steps of a quarter of a percent, of fewer answers each count."""
ALIKE = "No interval: the verdicts of the two models do not vary."
CARRIES_OVER = "It assumes that the judge’s TPR and FPR on the golden set hold for these answers too."


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected(Estimate):
    """The true rate behind a measured one, within [0, 1]; undefined where the golden set refuses it.

    Attributes
    ----------
    raw : Estimate
        What the judge measured, with its interval as if the judge made no mistake.
    unclipped : Estimate
        The true rate by Lang and Reiczigel, which may lie outside [0, 1].
    """

    judge_positive: int
    n: int
    golden: Golden
    confidence: float
    raw: Estimate
    unclipped: Estimate
    notes: tuple[str, ...] = ()

    @property
    def clipped(self) -> bool:
        """Whether the rate or an end was moved to 0 or 1."""
        return self.defined and any(clip(x) != x for x in (self.unclipped.value, *(self.unclipped.ends or ())))

    @property
    def fits(self) -> bool:
        """Whether the interval is that of `fitting_rates`, as the unclipped one lies outside [0, 1] altogether."""
        return self.method == FITTING

    def to_dict(self) -> dict[str, Any]:
        return {
            "judge_positive": self.judge_positive, "n": self.n, "golden": self.golden.counts.tolist(),
            "tpr": or_none(self.golden.tpr), "fpr": or_none(self.golden.fpr), "youden_j": or_none(self.golden.youden_j.value),
            "youden_j_interval": ends_or_none(self.golden.youden_j.ends),
            "confidence": self.confidence, "raw": self.raw.value, "raw_interval": ends_or_none(self.raw.ends),
            "corrected": or_none(self.value), "interval": ends_or_none(self.ends), "interval_method": self.method or None,
            "unclipped": or_none(self.unclipped.value), "unclipped_interval": ends_or_none(self.unclipped.ends),
            "clipped": self.clipped, "refused": self.undefined or None, "notes": list(self.notes),
        }  # fmt: skip


@checks_arguments
def correct_prevalence(
    judge_positive: int,
    n: int,
    golden: ArrayLike | Golden,
    *,
    confidence: float = CONFIDENCE,
    labelled: Verification | None = None,
) -> Corrected:
    """Return the true prevalence behind `judge_positive` of `n` answers, with the interval of Lang and Reiczigel.

    Refused too where the whole interval lies outside [0, 1] and no true rate fits what was measured; see `fitting_rates`.

    Parameters
    ----------
    judge_positive, n : int
        Answers the judge called positive, and answers it saw. The golden set is not among them.
    golden : array_like, shape (2, 2), or Golden
        Golden set as counts, reference in rows, or with an interval of J of its own.
    confidence : float
        Of every interval, in (0, 1).
    labelled : Verification, optional
        Which answers carry human labels; refused when only those of one verdict do.

    Returns
    -------
    Corrected
        NaN, with the reason, where it is refused; else in [0, 1].

    Raises
    ------
    InputError
        For counts that are negative, more positives than answers, and a confidence outside (0, 1).

    References: Rogan & Gladen (1978), doi:10.1093/oxfordjournals.aje.a112510; Lang & Reiczigel (2014),
    doi:10.1016/j.prevetmed.2013.09.015.
    """
    if not 0 < confidence < 1:
        raise InputError(f"The confidence must lie between 0 and 1, not {confidence}.")
    check_share(judge_positive, n)
    known = golden if isinstance(golden, Golden) else golden_set(golden, confidence)
    refused = (labelled.refusal() if labelled else "") or known.refusal()
    raw = Estimate(judge_positive / n, Interval(*wilson(judge_positive, n, confidence), "wilson"))
    unclipped = Estimate(math.nan, why=refused) if refused else lang_reiczigel(judge_positive, n, known, confidence)
    true = _in_range(unclipped, judge_positive, n, known, confidence)
    notes = [
        known.thin(),
        known.turned() if true.defined else "",
        labelled.warning() if labelled else "",
        CARRIES_OVER if true.defined else "",
    ]
    return Corrected(
        true.value, true.interval, true.why, judge_positive=judge_positive, n=n, golden=known, confidence=confidence, raw=raw,
        unclipped=unclipped, notes=tuple(note for note in notes if note),
    )  # fmt: skip


def at_every_rate(
    n: int, golden: Golden, confidence: float, labelled: Verification | None = None, *, also: int = 0
) -> list[Corrected]:
    """Return what stands behind every rate that a judge can measure on `n` answers; of many answers behind some, evenly spread.

    Parameters
    ----------
    n : int
        Answers the judge saw.
    golden, confidence, labelled
        As in `correct_prevalence`.
    also : int
        Answers called positive whose rate is among them, however they are spread.

    Returns
    -------
    list of Corrected
        From none positive to all, `MOST_RATES` at most beside the one asked for.
    """
    last = min(n, MOST_RATES - 1)
    counts = sorted({*(round(place * n / last) for place in range(last + 1)), also})
    return [correct_prevalence(k, n, golden, confidence=confidence, labelled=labelled) for k in counts]


def _in_range(unclipped: Estimate, k: float, n: float, golden: Golden, confidence: float) -> Estimate:
    """Return the rate moved into [0, 1]; where its interval lies outside altogether, with the rates that fit, if any does."""
    interval = unclipped.interval
    if interval is None:
        return unclipped
    value = clip(unclipped.value)
    if interval.high > 0 and interval.low < 1:
        return Estimate(value, replace(interval, low=clip(interval.low), high=clip(interval.high)))
    ends = fitting_rates(k, n, golden, confidence)
    return (
        Estimate(math.nan, why=golden.misfit(k / n))
        if ends is None
        else Estimate(value, Interval(*covering(value, ends), FITTING))
    )


def lang_reiczigel(k: float, n: float, golden: Golden, confidence: float = CONFIDENCE) -> Estimate:
    """Return corrected prevalence, neither it nor its interval clipped to [0, 1].

    Parameters
    ----------
    k, n : float
        Answers the judge called positive, and answers it saw; n above 0.
    golden : Golden
        One that it does not refuse itself: TPR and FPR, each with a success and a failure added, must differ.
    confidence : float
        Of the interval, in (0, 1).
    """
    z = float(ndtri((1 + confidence) / 2))
    tpr, fpr, vt, vf = golden.adjusted()
    size = n + z * z
    y = (k + z * z / 2) / size
    slope = tpr - fpr
    x = (y - fpr) / slope
    reach = z * math.sqrt((y * (1 - y) / size + x * x * vt + (1 - x) ** 2 * vf) / slope**2)
    shift = 2 * z * z * (x * vt - (1 - x) * vf)
    return Estimate(x, Interval(x + shift - reach, x + shift + reach, "lang_reiczigel"))


def fitting_rates(k: float, n: float, golden: Golden, confidence: float = CONFIDENCE) -> tuple[float, float] | None:
    """Return true rates x within [0, 1] with which the measured rate y agrees, up to 0 or to 1.

    y agrees where 0 lies in the interval of y − x·TPR − (1 − x)·FPR, put together from Wilson's intervals of the three rates:
    the noise of the golden set and that of the answers both count. For a y beyond what the judge can report, with an interval
    of J that excludes 0, no x agrees where the nearer of 0 and 1 does not.

    Parameters
    ----------
    k, n : float
        Answers the judge called positive, and answers it saw; n above 0.
    golden : Golden
        With items of both classes.
    confidence : float
        Of Wilson's intervals, in (0, 1).

    Returns
    -------
    (float, float) or None
        Lowest and highest x; None where neither 0 nor 1 agrees.

    References: Newcombe (1998), doi:10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I, for x of 0 and 1; Zou &
    Donner (2008), doi:10.1002/sim.3095, for those between.
    """
    y, tpr, fpr = k / n, golden.tpr, golden.fpr
    low, high = wilson(k, n, confidence)
    tpr_low, tpr_high = wilson(golden.tp, golden.n_positive, confidence)
    fpr_low, fpr_high = wilson(golden.fp, golden.n_negative, confidence)

    def slack(x: float) -> float:
        gap = y - x * tpr - (1 - x) * fpr
        below = math.hypot(y - low, x * (tpr_high - tpr), (1 - x) * (fpr_high - fpr))
        above = math.hypot(high - y, x * (tpr - tpr_low), (1 - x) * (fpr - fpr_low))
        return min(below - gap, above + gap)

    ends = [x for x in (0.0, 1.0) if slack(x) >= 0]
    if not ends:
        return None
    bounds = ends if len(ends) == 2 else sorted([*ends, root_between(slack, 0.0, 1.0)])
    return bounds[0], bounds[1]


@dataclass(frozen=True)
class RateDifference:
    """True rates of two models, one less the other, as measured by one judge.

    Attributes
    ----------
    models : (Corrected, Corrected)
        Each model by itself.
    raw : Estimate
        Difference of the measured rates, model 2 less model 1, with Newcombe's interval.
    difference : Estimate
        The same over J, within [−1, 1].
    clipped : bool
        Whether the difference or an end was moved to −1 or 1.
    p : float
        Test of no difference, on the measured rates: it needs no correction.
    paired : bool
        Whether both models answered the same prompts.
    """

    models: tuple[Corrected, Corrected]
    raw: Estimate
    difference: Estimate
    p: float
    paired: bool
    confidence: float
    clipped: bool = False

    def to_dict(self) -> dict[str, Any]:
        return {
            "models": [model.to_dict() for model in self.models], "raw": self.raw.value,
            "raw_interval": ends_or_none(self.raw.ends), "difference": or_none(self.difference.value),
            "interval": ends_or_none(self.difference.ends), "p": or_none(self.p), "paired": self.paired,
            "confidence": self.confidence, "refused": self.difference.undefined or None,
            "note": self.difference.no_interval or None, "clipped": self.clipped,
        }  # fmt: skip


@checks_arguments
def compare_rates(
    first: tuple[int, int],
    second: tuple[int, int],
    golden: ArrayLike | Golden,
    *,
    both: int | None = None,
    confidence: float = CONFIDENCE,
    labelled: Verification | None = None,
) -> RateDifference:
    """Return how far the true rates of two models lie apart, when one judge has judged both.

    Parameters
    ----------
    first, second : (int, int)
        Answers the judge called positive, and answers, of each model.
    golden : array_like, shape (2, 2), or Golden
        As for `correct_prevalence`.
    both : int, optional
        Where both models answered the same prompts: prompts on which both answers were called positive.
    confidence : float
        Of every interval, in (0, 1).
    labelled : Verification, optional
        As for `correct_prevalence`, which each model is given to: what it refuses for one is refused here.

    Returns
    -------
    RateDifference
        The difference is NaN, with the reason, where it is refused; it has no interval where the verdicts do not vary.

    Raises
    ------
    InputError
        As `correct_prevalence`; and where the same prompts have unequal numbers of answers, or `both` is impossible.
    """
    known = golden if isinstance(golden, Golden) else golden_set(golden, confidence)
    a, b = (correct_prevalence(k, n, known, confidence=confidence, labelled=labelled) for k, n in (first, second))
    (k1, n1), (k2, n2) = first, second
    only_first, only_second = _discordant(first, second, both) if both is not None else (0, 0)
    raw = Estimate(k2 / n2 - k1 / n1, _newcombe(a, b, _correlation(first, second, both)))
    p = two_shares_p(k1, n1, k2, n2) if both is None else mcnemar(only_first, only_second).p
    result = partial(RateDifference, (a, b), raw, p=p, paired=both is not None, confidence=confidence)
    refused = a.undefined or b.undefined
    if refused:
        return result(Estimate(math.nan, why=refused))
    if both is None:
        v = k1 / n1 * (1 - k1 / n1) / n1 + k2 / n2 * (1 - k2 / n2) / n2
    else:
        v = (only_first + only_second - (only_first - only_second) ** 2 / n1) / n1**2
    tpr, fpr, vt, vf = known.adjusted()
    slope = tpr - fpr
    d = raw.value / slope
    if v <= 0:
        return result(Estimate(_within(d), why=ALIKE), clipped=abs(d) > 1)
    reach = float(ndtri((1 + confidence) / 2)) * math.sqrt((v + d * d * (vt + vf)) / slope**2)
    interval = Interval(_within(d - reach), _within(d + reach), "delta")
    return result(Estimate(_within(d), interval), clipped=abs(d) + reach > 1)


def _correlation(first: tuple[int, int], second: tuple[int, int], both: int | None) -> float:
    """Return φ of the verdicts on two models' answers to the same prompts.

    0 for answers that are independent or do not vary.
    """
    (k1, n), (k2, _) = first, second
    if both is None or not 0 < k1 < n or not 0 < k2 < n:
        return 0.0
    return float(BY_KEY["phi"].function([[both, k1 - both], [k2 - both, n - k1 - k2 + both]]))


def _newcombe(a: Corrected, b: Corrected, correlation: float) -> Interval:
    """Return interval of the difference of two measured rates, second less first, from Wilson's interval of each.

    References: Newcombe (1998), doi:10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I and, for the same prompts,
    Newcombe (1998), doi:10.1002/(SICI)1097-0258(19981130)17:22<2635::AID-SIM954>3.0.CO;2-C.
    """
    (down_a, up_a), (down_b, up_b) = _reach(a.raw), _reach(b.raw)
    low = math.sqrt(down_b**2 - 2 * correlation * down_b * up_a + up_a**2)
    high = math.sqrt(up_b**2 - 2 * correlation * up_b * down_a + down_a**2)
    apart = b.raw.value - a.raw.value
    return Interval(apart - low, apart + high, "newcombe")


def _reach(rate: Estimate) -> tuple[float, float]:
    """Return how far the interval reaches down and up."""
    low, high = rate.ends or (rate.value, rate.value)
    return rate.value - low, high - rate.value


def _within(difference: float) -> float:
    return min(1.0, max(-1.0, difference))


def _discordant(first: tuple[int, int], second: tuple[int, int], both: int) -> tuple[int, int]:
    (k1, n1), (k2, n2) = first, second
    if n1 != n2:
        raise InputError(f"The same prompts give the same number of answers, not {n1} and {n2}.")
    if not max(0, k1 + k2 - n1) <= both <= min(k1, k2):
        raise InputError(f"Prompts on which both answers were called positive cannot be {both} of {n1} with {k1} and {k2}.")
    return k1 - both, k2 - both
