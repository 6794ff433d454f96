"""The true rate where a random part of the evaluation set carries human labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike

from metrics.analyses.labelling import Verification
from metrics.analyses.true_rate.golden import CONFIDENCE, Golden, check_share, clip, golden_set
from metrics.data.checks import checks_arguments
from metrics.errors import InputError
from metrics.intervals.single_table import wilson
from metrics.measures.transforms import Interval
from metrics.results.estimate import Estimate
from metrics.results.report import ends_or_none

RANDOM_PART = "It assumes that the golden items are a random part of the evaluation set."


@dataclass(frozen=True, slots=True, kw_only=True)
class Powered(Estimate):
    """The prevalence by the human labels of a random part, sharpened by the judge's verdicts on the whole.

    Attributes
    ----------
    labels_alone : Estimate
        The human labels by themselves, with Wilson's interval.
    weight : float
        How far the judge's verdicts are trusted, 0 to 1; chosen for the narrowest interval.
    worth : float
        Human labels that would alone give as narrow an interval.
    """

    labels_alone: Estimate
    weight: float
    worth: float
    n_labelled: int
    n_unlabelled: int
    confidence: float
    note: str = RANDOM_PART

    def to_dict(self) -> dict[str, Any]:
        return {
            "value": self.value, "interval": ends_or_none(self.ends), "labels_alone": self.labels_alone.value,
            "labels_alone_interval": ends_or_none(self.labels_alone.ends), "weight": self.weight, "labels_worth": self.worth,
            "n_labelled": self.n_labelled, "n_unlabelled": self.n_unlabelled, "confidence": self.confidence,
            "note": self.note,
        }  # fmt: skip


@checks_arguments
def prediction_powered(
    golden: ArrayLike | Golden,
    judge_positive: int,
    n: int,
    *,
    confidence: float = CONFIDENCE,
    labelled: Verification | None = None,
) -> Powered:
    r"""Return prevalence from a random labelled part and the judge's verdicts on the unlabelled rest.

    :math:`\lambda \bar f_u + \bar h - \lambda \bar f_l` with the weight of least variance; nothing is assumed about the judge.
    The interval is Wilson's with as many labels as the estimate is worth.

    Parameters
    ----------
    golden : array_like, shape (2, 2), or Golden
        Labelled answers, reference in rows.
    judge_positive, n : int
        Unlabelled answers the judge called positive, and unlabelled answers.
    confidence : float
        Of every interval, in (0, 1).
    labelled : Verification, optional
        Which answers carry human labels.

    Raises
    ------
    InputError
        For impossible counts, and where the labels clearly follow the judge's verdict: they are no random part then.

    References: Angelopoulos et al. (2023), doi:10.1126/science.adi6000; Angelopoulos, Duchi & Zrnic (2023),
    arXiv:2311.01453.
    """
    known = golden if isinstance(golden, Golden) else golden_set(golden, confidence)
    if labelled is not None and labelled.not_random():
        raise InputError(labelled.not_random())
    check_share(judge_positive, n)
    size = known.n_positive + known.n_negative
    half = known.counts + 0.5
    shares = half / half.sum()
    h, f = float(shares[0].sum()), float(shares[:, 0].sum())
    covariance, of_judge, of_human = float(shares[0, 0]) - h * f, f * (1 - f), h * (1 - h)
    weight = min(1.0, max(0.0, covariance / of_judge / (1 + size / n)))
    labels, judged = known.n_positive / size, (known.tp + known.fp) / size
    value = clip(labels + weight * (judge_positive / n - judged))
    variance = weight**2 * of_judge / n + (of_human - 2 * weight * covariance + weight**2 * of_judge) / size
    worth = of_human / variance
    alone = Estimate(labels, Interval(*wilson(known.n_positive, size, confidence), "wilson"))
    return Powered(
        value, Interval(*wilson(value * worth, worth, confidence), "wilson"), labels_alone=alone, weight=weight, worth=worth,
        n_labelled=int(size), n_unlabelled=n, confidence=confidence,
    )  # fmt: skip
