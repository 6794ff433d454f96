"""The true rate behind a rate that a judge measured, with the uncertainty of the golden set."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import Any

from numpy.typing import ArrayLike
from scipy.special import ndtri

from metrics.as_json import or_none
from metrics.catalogue import BY_KEY
from metrics.comparison.permutation import mcnemar
from metrics.correcting.golden import CONFIDENCE, NOTHING, Ends, Golden, Verification, check_share, clip, golden_set, two_shares_p
from metrics.errors import InputError
from metrics.intervals.scale import covering
from metrics.intervals.single_table import wilson

CARRIES_OVER = "It assumes that the judge’s TPR and FPR on the golden set hold for these answers too."


@dataclass(frozen=True)
class Corrected:
    """A measured rate and the true rate behind it.

    Attributes
    ----------
    raw, raw_ends
        What the judge measured, and its interval as if the judge made no mistake.
    unclipped, unclipped_ends
        Corrected prevalence, which may lie outside [0, 1]; NaN where the golden set refuses it.
    refused : str
        Why there is no corrected rate; empty when there is one.
    fitting : (float, float) or None
        See `fitting_rates`: where `unclipped_ends` lie outside [0, 1] altogether, and a true rate fits all the same.
    clipped : bool
        Whether the rate or an end was moved to 0 or 1.
    """

    judge_positive: int
    n: int
    golden: Golden
    confidence: float
    raw: float
    raw_ends: Ends
    unclipped: float
    unclipped_ends: Ends
    refused: str = ""
    notes: tuple[str, ...] = ()
    fitting: Ends | None = None

    @property
    def value(self) -> float:
        """Corrected prevalence within [0, 1]; NaN where refused."""
        return math.nan if self.refused else clip(self.unclipped)

    @property
    def ends(self) -> Ends:
        if self.refused:
            return NOTHING
        if self.fitting is not None:
            return covering(self.value, self.fitting)
        return clip(self.unclipped_ends[0]), clip(self.unclipped_ends[1])

    @property
    def clipped(self) -> bool:
        return not self.refused and any(clip(x) != x for x in (self.unclipped, *self.unclipped_ends))

    def to_dict(self) -> dict[str, Any]:
        return {
            "judge_positive": self.judge_positive, "n": self.n, "golden": self.golden.counts.tolist(),
            "tpr": or_none(self.golden.tpr), "fpr": or_none(self.golden.fpr), "youden_j": or_none(self.golden.youden_j),
            "youden_j_interval": None if self.golden.j_ends is None else list(self.golden.j_ends),
            "confidence": self.confidence, "raw": self.raw, "raw_interval": list(self.raw_ends),
            "corrected": or_none(self.value), "interval": None if self.refused else list(self.ends),
            "interval_method": None if self.refused else "newcombe" if self.fitting else "lang_reiczigel",
            "unclipped": or_none(self.unclipped),
            "unclipped_interval": None if math.isnan(self.unclipped) else list(self.unclipped_ends),
            "clipped": self.clipped, "refused": self.refused or None, "notes": list(self.notes),
        }  # fmt: skip


def correct_prevalence(
    judge_positive: int,
    n: int,
    golden: ArrayLike | Golden,
    *,
    confidence: float = CONFIDENCE,
    labelled: Verification | None = None,
) -> Corrected:
    """Return the true prevalence behind `judge_positive` of `n` answers, with the interval of Lang and Reiczigel.

    Parameters
    ----------
    judge_positive, n : int
        Answers the judge called positive, and answers it saw. The golden set is not among them.
    golden : array_like, shape (2, 2), or Golden
        Golden set as counts, reference in rows, or with an interval of J of its own.
    confidence : float
    labelled : Verification, optional
        Which answers carry human labels; refused when only those of one verdict do.

    Refused too where the whole interval lies outside [0, 1] and no true rate fits what was measured; see `fitting_rates`.

    Raises
    ------
    InputError
        For counts that are negative, or more positives than answers.

    References: Rogan & Gladen (1978), doi:10.1093/oxfordjournals.aje.a112510; Lang & Reiczigel (2014),
    doi:10.1016/j.prevetmed.2013.09.015.
    """
    if not 0 < confidence < 1:
        raise InputError(f"The confidence must lie between 0 and 1, not {confidence}.")
    check_share(judge_positive, n)
    known = golden if isinstance(golden, Golden) else golden_set(golden, confidence)
    refused = (labelled.refusal() if labelled else "") or known.refusal()
    x, ends = (math.nan, NOTHING) if refused else lang_reiczigel(judge_positive, n, known, confidence)
    outside = ends[1] <= 0 or ends[0] >= 1
    fitting = fitting_rates(judge_positive, n, known, confidence) if outside else None
    if outside and fitting is None:
        refused = known.misfit(judge_positive / n)
    said = [
        known.thin(),
        "" if refused else known.turned(),
        labelled.warning() if labelled else "",
        "" if refused else CARRIES_OVER,
    ]
    return Corrected(
        judge_positive, n, known, confidence, judge_positive / n, wilson(judge_positive, n, confidence), x, ends, refused,
        tuple(note for note in said if note), fitting,
    )  # fmt: skip


def lang_reiczigel(k: float, n: float, golden: Golden, confidence: float = CONFIDENCE) -> tuple[float, Ends]:
    """Return corrected prevalence and its interval, neither clipped to [0, 1]."""
    z = float(ndtri((1 + confidence) / 2))
    tpr, fpr, vt, vf = golden.adjusted()
    size = n + z * z
    y = (k + z * z / 2) / size
    slope = tpr - fpr
    x = (y - fpr) / slope
    reach = z * math.sqrt((y * (1 - y) / size + x * x * vt + (1 - x) ** 2 * vf) / slope**2)
    shift = 2 * z * z * (x * vt - (1 - x) * vf)
    return x, (x + shift - reach, x + shift + reach)


def fitting_rates(k: float, n: float, golden: Golden, confidence: float = CONFIDENCE) -> Ends | None:
    """Return True rates x within [0, 1] with which the measured rate y agrees, up to 0 or to 1.

    None where neither of these does.

    y agrees where 0 lies in the interval of y − x·TPR − (1 − x)·FPR, put together from Wilson's intervals of the three rates:
    the noise of the golden set and that of the answers both count. For a y beyond what the judge can report, with an interval
    of J that excludes 0, no x agrees where the nearer of 0 and 1 does not.

    References: Newcombe (1998), doi:10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I, for x of 0 and 1; Zou &
    Donner (2008), doi:10.1002/sim.3095, for those between.
    """
    y, tpr, fpr = k / n, golden.tpr, golden.fpr
    low, high = wilson(k, n, confidence)
    tpr_low, tpr_high = wilson(golden.tp, golden.n_positive, confidence)
    fpr_low, fpr_high = wilson(golden.fp, golden.n_negative, confidence)

    from scipy.optimize import brentq  # takes longer to import than pandas

    def slack(x: float) -> float:
        gap = y - x * tpr - (1 - x) * fpr
        below = math.hypot(y - low, x * (tpr_high - tpr), (1 - x) * (fpr_high - fpr))
        above = math.hypot(high - y, x * (tpr - tpr_low), (1 - x) * (fpr - fpr_low))
        return min(below - gap, above + gap)

    ends = [x for x in (0.0, 1.0) if slack(x) >= 0]
    if not ends:
        return None
    found = ends if len(ends) == 2 else sorted([*ends, float(brentq(slack, 0.0, 1.0))])
    return found[0], found[1]


@dataclass(frozen=True)
class RateDifference:
    """True rates of two models, one less the other, as measured by one judge.

    Attributes
    ----------
    models : (Corrected, Corrected)
        Each model by itself.
    raw, raw_ends
        Difference of the measured rates, model 2 less model 1, with Newcombe's interval.
    difference, ends
        The same over J, within [−1, 1]; NaN where refused.
    clipped : bool
        Whether the difference or an end was moved to −1 or 1.
    p : float
        Test of no difference, on the measured rates: it needs no correction.
    paired : bool
        Whether both models answered the same prompts.
    """

    models: tuple[Corrected, Corrected]
    raw: float
    raw_ends: Ends
    difference: float
    ends: Ends
    p: float
    paired: bool
    confidence: float
    refused: str = ""
    note: str = ""
    clipped: bool = False

    def to_dict(self) -> dict[str, Any]:
        return {
            "models": [model.to_dict() for model in self.models], "raw": self.raw, "raw_interval": list(self.raw_ends),
            "difference": or_none(self.difference), "interval": None if math.isnan(self.ends[0]) else list(self.ends),
            "p": or_none(self.p), "paired": self.paired, "confidence": self.confidence, "refused": self.refused or None,
            "note": self.note or None, "clipped": self.clipped,
        }  # fmt: skip


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
    both : int, optional
        Where both models answered the same prompts: prompts on which both answers were called positive.
    labelled : Verification, optional
        As for `correct_prevalence`, which each model is given to: what it refuses for one is refused here.
    """
    known = golden if isinstance(golden, Golden) else golden_set(golden, confidence)
    a, b = (correct_prevalence(k, n, known, confidence=confidence, labelled=labelled) for k, n in (first, second))
    (k1, n1), (k2, n2) = first, second
    only_first, only_second = _discordant(first, second, both) if both is not None else (0, 0)
    raw = k2 / n2 - k1 / n1
    p = two_shares_p(k1, n1, k2, n2) if both is None else mcnemar(only_first, only_second).p
    raw_ends = _newcombe(a, b, _correlation(first, second, both))
    found = partial(RateDifference, (a, b), raw, raw_ends, p=p, paired=both is not None, confidence=confidence)
    refused = a.refused or b.refused
    if refused:
        return found(math.nan, NOTHING, refused=refused)
    if both is None:
        v = k1 / n1 * (1 - k1 / n1) / n1 + k2 / n2 * (1 - k2 / n2) / n2
    else:
        v = (only_first + only_second - (only_first - only_second) ** 2 / n1) / n1**2
    tpr, fpr, vt, vf = known.adjusted()
    slope = tpr - fpr
    d = raw / slope
    if v <= 0:
        return found(_within(d), NOTHING, note="No interval: the verdicts of the two models do not vary.", clipped=abs(d) > 1)
    reach = float(ndtri((1 + confidence) / 2)) * math.sqrt((v + d * d * (vt + vf)) / slope**2)
    return found(_within(d), (_within(d - reach), _within(d + reach)), clipped=abs(d) + reach > 1)


def _correlation(first: tuple[int, int], second: tuple[int, int], both: int | None) -> float:
    """Return φ of the verdicts on two models' answers to the same prompts.

    0 for answers that are independent or do not vary.
    """
    (k1, n), (k2, _) = first, second
    if both is None or not 0 < k1 < n or not 0 < k2 < n:
        return 0.0
    return float(BY_KEY["phi"].function([[both, k1 - both], [k2 - both, n - k1 - k2 + both]]))


def _newcombe(a: Corrected, b: Corrected, correlation: float) -> Ends:
    """Return interval of the difference of two measured rates, second less first, from Wilson's interval of each.

    References: Newcombe (1998), doi:10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I and, for the same prompts,
    Newcombe (1998), doi:10.1002/(SICI)1097-0258(19981130)17:22<2635::AID-SIM954>3.0.CO;2-C.
    """
    down_a, up_a = a.raw - a.raw_ends[0], a.raw_ends[1] - a.raw
    down_b, up_b = b.raw - b.raw_ends[0], b.raw_ends[1] - b.raw
    low = math.sqrt(down_b**2 - 2 * correlation * down_b * up_a + up_a**2)
    high = math.sqrt(up_b**2 - 2 * correlation * up_b * down_a + down_a**2)
    return b.raw - a.raw - low, b.raw - a.raw + high


def _within(difference: float) -> float:
    return min(1.0, max(-1.0, difference))


def _discordant(first: tuple[int, int], second: tuple[int, int], both: int) -> tuple[int, int]:
    (k1, n1), (k2, n2) = first, second
    if n1 != n2:
        raise InputError(f"The same prompts give the same number of answers, not {n1} and {n2}.")
    if not max(0, k1 + k2 - n1) <= both <= min(k1, k2):
        raise InputError(f"Prompts on which both answers were called positive cannot be {both} of {n1} with {k1} and {k2}.")
    return k1 - both, k2 - both
