"""What a file says about a judge as a meter: golden decisions, and decisions only the judge made."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.agreement.compute import judge_report
from metrics.analyses.comparison.levels import pooled_j_of
from metrics.analyses.labelling import Verification
from metrics.analyses.multiverse.pooling import rates_note
from metrics.analyses.records import Block
from metrics.analyses.settings import Settings
from metrics.analyses.true_rate.golden import Golden, golden_set
from metrics.analyses.verification import raw_of, verification_of
from metrics.data.abstention import answered_share, apply_mode, mode_map
from metrics.data.ratings import Ratings
from metrics.errors import InputError
from metrics.results.words import count, marked, percent, plain, several, shorten

ENOUGH = 30
"""Fewer unlabelled answers than this are no evaluation set."""
POOLED = (
    "Decisions of several criteria on one item are correlated; the interval of J allows for that, those of the rates do not. "
    "Choose one criterion for intervals that hold."
)


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
