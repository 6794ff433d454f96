"""An ordered judge as a yes/no judge: at or above a cut of the order, or below it, on both sides; and every cut in turn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from metrics.analyses.evaluation import catalogue_family
from metrics.analyses.ordered_blocks import Blocks, blocks_of
from metrics.analyses.records import Block
from metrics.analyses.scores.compute import judge_tables
from metrics.analyses.scores.result import ScoresReport
from metrics.analyses.scores.scored import scored_part
from metrics.data.checks import takes_ratings
from metrics.data.ratings import Ratings
from metrics.data.reversed_raters import turned
from metrics.errors import InputError
from metrics.measures.catalogue import keys_at
from metrics.measures.transforms import ROUNDING

SWEPT = keys_at("cuts")
"""Numbers of the catalogue at every cut."""


@dataclass(frozen=True, eq=False)
class CutAt:
    """One cut of an order.

    Attributes
    ----------
    place : int
        Place of the lowest positive option, from 1 to K - 1.
    label : str
        Its name: positive is "this option or a higher one".
    pooled, mean, criteria
        Blocks of the 2 x 2 tables, positive first; see `metrics.analyses.ordered_blocks.Blocks`.
    """

    place: int
    label: str
    blocks: Blocks

    def block(self, criterion: str | None) -> Block:
        """Return a criterion, or all of them together."""
        return self.blocks.block(criterion)


@dataclass(frozen=True, eq=False)
class CutSweep:
    """Every cut of an order, for one judge."""

    judge: str
    cuts: tuple[CutAt, ...]

    def at(self, label: str) -> CutAt:
        """Return the cut whose lowest positive option has this name.

        Raises
        ------
        InputError
            When there is none.
        """
        cut_at = next((cut for cut in self.cuts if cut.label == label), None)
        if cut_at is None:
            raise InputError(f"No threshold is at {label!r}. Thresholds: {', '.join(cut.label for cut in self.cuts)}.")
        return cut_at

    def best(self, key: str = "kappa", criterion: str | None = None) -> CutAt | None:
        """Return the cut with the largest value of a number, the lowest of equals; None where it is defined nowhere.

        Chosen on the decisions it is judged by, so it flatters.
        """
        return next(iter(self.largest(key, criterion)), None)

    def largest(self, key: str = "kappa", criterion: str | None = None) -> tuple[CutAt, ...]:
        """Return all cuts at which a number is largest, low to high; empty where it is defined nowhere."""
        values = np.array([cut.block(criterion).values[key] for cut in self.cuts])
        if np.isnan(values).all():
            return ()
        return tuple(cut for cut, value in zip(self.cuts, values, strict=True) if np.nanmax(values) - value <= ROUNDING)


@takes_ratings
def cut_sweep(ratings: Ratings, report: ScoresReport, judge: str) -> CutSweep:
    """Return what becomes of agreement when both sides' options are cut in two, at every cut, with the choices of a report.

    The reference is settled first and cut then: of several humans, their most frequent option.

    Parameters
    ----------
    ratings : Ratings
        Those the report was made of.
    report : ScoresReport
        On labels.

    Raises
    ------
    InputError
        For a report on scores, or a judge it does not have.
    """
    if report.order is None:
        raise InputError("Only ordered labels can be cut in two. The threshold of scores is found from their ROC curve.")
    if judge not in report.judges:
        raise InputError(f"No judge is called {judge!r}. Judges: {', '.join(list(report.judges)[:12])}.")
    order, settings = report.order, report.settings
    part = scored_part(ratings, "label", order.classes)
    part = turned(part, report.turned, order) if report.turned else part
    tables = judge_tables(part, judge, settings, order, report.reversed)
    cuts = []
    for place in range(1, order.k):
        label = order.classes[place]
        family = catalogue_family((f"{label} or above", f"below {label}"), keys=SWEPT)
        blocks = blocks_of(tables.cut(place), family, settings.asked_confidence)
        cuts.append(CutAt(place, label, blocks))
    return CutSweep(judge, tuple(cuts))
