"""What a file says about a judge as a meter: golden decisions, those of the judge alone, and the rate of a labelled part."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metrics.analyses.agreement.compute import judge_report
from metrics.analyses.comparison.levels import pooled_j_of
from metrics.analyses.labelling import Verification
from metrics.analyses.multiverse.pooling import rates_note
from metrics.analyses.records import Block
from metrics.analyses.settings import Settings
from metrics.analyses.true_rate.golden import CONFIDENCE, Golden, check_share, clip, golden_set
from metrics.analyses.verification import raw_of, verification_of
from metrics.data.abstention import answered_share, apply_mode, mode_map
from metrics.data.checks import checks_arguments
from metrics.data.ratings import Ratings
from metrics.errors import InputError
from metrics.intervals.single_table import wilson
from metrics.measures.transforms import Interval
from metrics.results.estimate import Estimate
from metrics.results.report import ends_or_none
from metrics.results.words import count, marked, percent, plain, several, shorten

ENOUGH = 30
"""Fewer unlabelled answers than this are no evaluation set."""
POOLED = (
    "Decisions of several criteria on one item are correlated; the interval of J allows for that, those of the rates do not. "
    "Choose one criterion for intervals that hold."
)
RANDOM_PART = "It assumes that the golden items are a random part of the evaluation set."


@dataclass(frozen=True)
class Measured:
    """One judge on all decisions of a file, or on those of one criterion.

    Attributes
    ----------
    golden : Golden
        Decisions that reference and judge both made.
    alone_positive, alone : int
        Decisions without a reference: those the judge called positive, and all.
    verdicts : (int, int)
        Answers the judge called positive, and all that it called either, whatever the reference says of them.
    labels : (str, str)
        Positive and negative label.
    note : str
        What limits the interval; empty where nothing does.
    """

    judge: str
    criterion: str | None
    labels: tuple[str, str]
    golden: Golden
    alone_positive: int
    alone: int
    verification: Verification
    verdicts: tuple[int, int]
    note: str = ""
    scope: str = ""
    """On which decisions, where the file has several criteria."""
    block: Block | None = None
    """The golden decisions in the report of the judge."""

    @property
    def has_rest(self) -> bool:
        """Whether the file itself holds an evaluation set: enough answers that only the judge has judged."""
        return self.alone >= ENOUGH

    @property
    def start(self) -> tuple[int, int]:
        """Answers the judge calls positive, and all: of the evaluation set in the file, else of all its verdicts there."""
        return (self.alone_positive, self.alone) if self.has_rest else self.verdicts


def measured(ratings: Ratings, judge: str, settings: Settings, criterion: str | None = None) -> Measured:
    """Return golden table and unlabelled verdicts of a judge.

    Parameters
    ----------
    ratings : Ratings
    judge : str
    settings : Settings
        With abstentions as a category they are left out.
    criterion : str, optional
        Default: all criteria, pooled.

    Raises
    ------
    InputError
        For labels that are not two classes, an unknown criterion, and a file without a decision of both sides.
    """
    ratings = settings.on(ratings)
    if len(ratings.scheme.classes) != 2:
        raise InputError("A rate needs two labels, one of them positive. These labels are classes.")
    if criterion is not None and criterion not in ratings.criteria:
        raise InputError(f"{ratings.source.name}: no criterion is called {criterion!r}.")
    if settings.abstention == "as_category":
        settings = replace(settings, abstention="exclude")
    report = judge_report(ratings, judge, replace(settings, interval="auto"))
    block = report.micro if criterion is None else report.criteria[criterion]
    if not block.n:
        raise InputError(f"{ratings.source.name}: no decision has a verdict of both the reference and {judge!r}.")
    golden = golden_set(np.asarray(block.confusion, np.float64), settings.confidence, block["youden_j"].interval)
    readings = pooled_j_of(report, settings.confidence) if criterion is None else None
    raw = raw_of(ratings, judge, settings, criterion)
    answered = answered_share(raw, ratings.scheme, settings.abstention)
    positive, negative = (mode_map(ratings.scheme, settings.abstention) @ raw.sum(0)).tolist()
    golden = replace(golden, unlike_within="" if readings is None else readings.no_transfer, answered=answered)
    seen = verification_of(ratings, judge, settings, criterion)
    alone = seen.positive - seen.positive_labelled, seen.negative - seen.negative_labelled
    many = len(ratings.criteria) > 1
    pooling = (POOLED, rates_note(ratings, judge, settings, report)) if many and criterion is None else ()
    pooled = f"pooled over {count(len(ratings.criteria))} criteria, decisions taken as independent"
    return Measured(
        judge, criterion, (block.labels[0], block.labels[1]), golden, alone[0], sum(alone), seen,
        (positive, positive + negative),
        " ".join(filter(None, (*pooling, _left_open(ratings, settings, raw)))),
        (pooled if criterion is None else f"criterion {plain(criterion)}") if many else "",
        block,
    )  # fmt: skip


def _left_open(ratings: Ratings, settings: Settings, raw: NDArray[np.int64]) -> str:
    """Return that answers without a verdict are in no rate, and what the reference says of them; empty without any."""
    scheme, mode = ratings.scheme, settings.abstention
    answered = apply_mode(raw, scheme, mode).sum(1)
    left = (mode_map(scheme, mode) @ raw)[:, : scheme.end_of_rated].sum(1) - answered
    if not left.sum():
        alone = raw[scheme.state("missing")]
        silent = int(alone[: scheme.end_of_rated].sum() - (mode_map(scheme, mode)[: len(answered)] @ alone).sum())
        rate = f"The rate is that of answers with a verdict of the judge. {several(silent, 'answers')} without a human label"
        return f"{rate} {'has' if silent == 1 else 'have'} none; what people would say of them is not known." if silent else ""
    there, open_ = (percent(float(side[0] / side.sum())) for side in (answered, left))
    return (
        "The rates are those of answers with a verdict of the judge. Of golden decisions the reference says "
        f"{marked(shorten(scheme.classes[0]))} in {there} of those, and in {open_} of the {several(int(left.sum()), 'others')}."
    )


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
