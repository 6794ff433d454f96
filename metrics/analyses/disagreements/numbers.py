"""How far numbers lie apart on each decision: the judge from the reference, and people from each other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from metrics.analyses.scores.scored import numbers_of_cells
from metrics.analyses.settings import Settings
from metrics.data.pairs import cells_of
from metrics.data.ratings import Ratings
from metrics.measures.arrays import FloatArray
from metrics.measures.ranks import midranks
from metrics.measures.units import two_units


@dataclass(frozen=True, eq=False)
class Numbers:
    """Numbers of both sides, a row to a cell; NaN where there is none.

    Attributes
    ----------
    reference, judge : ndarray, shape (n_cells,)
    distance : ndarray, shape (n_cells,)
        Between the two; where the sides use two units, between their ranks, as shares of the decisions of the criterion.
    by_rank : bool
        Whether it is between ranks.
    lowest, highest : ndarray, shape (n_cells,)
        Of the people.
    several : bool
        Whether two people gave a number anywhere.
    """

    reference: FloatArray
    judge: FloatArray
    distance: FloatArray
    by_rank: bool
    lowest: FloatArray
    highest: FloatArray
    several: bool

    @property
    def spread(self) -> FloatArray:
        """Highest less lowest number of the people; 0 where fewer than two gave one."""
        return np.nan_to_num(self.highest - self.lowest)


def numbers_in(ratings: Ratings, settings: Settings) -> Numbers:
    """Return the numbers of a continuous scale.

    Parameters
    ----------
    ratings : Ratings
        Whose labels are numbers.
    settings : Settings
        With the judge and the reference; without a judge its numbers are NaN.
    """
    n, cells = len(cells_of(ratings)), cells_of(ratings)
    reference = judge = np.full(n, np.nan)
    if settings.judges and ratings.humans:
        reference, judge = numbers_of_cells(ratings, settings.judges[0], settings.reference)
    places = [np.flatnonzero(cells.criterion == criterion) for criterion in range(len(ratings.criteria))]
    by_rank = any(two_units(reference[those], judge[those]) for those in places)
    distance = np.abs(judge - reference)
    if by_rank:
        for those in places:
            distance[those] = _ranks_apart(reference[those], judge[those])
    lowest, highest = _range(ratings)
    return Numbers(reference, judge, np.nan_to_num(distance, nan=-1.0), by_rank, lowest, highest, bool((highest > lowest).any()))


def _ranks_apart(reference: FloatArray, judge: FloatArray) -> FloatArray:
    """Return how far the mid-ranks of two numbers lie apart, as a share of the decisions that have both; NaN elsewhere."""
    apart = np.full(len(reference), np.nan)
    both = np.isfinite(reference) & np.isfinite(judge)
    if both.any():
        apart[both] = np.abs(midranks(reference[both]) - midranks(judge[both])) / both.sum()
    return apart


def _range(ratings: Ratings) -> tuple[FloatArray, FloatArray]:
    """Return lowest and highest number that people gave on every cell; NaN where there is none."""
    n = len(cells_of(ratings))
    lowest, highest = np.full(n, np.nan), np.full(n, np.nan)
    if ratings.score is not None:
        human = ~ratings.by_role("judge") & np.isfinite(ratings.score)
        of, score = cells_of(ratings).of_rating[human], ratings.score[human]
        np.fmin.at(lowest, of, score)
        np.fmax.at(highest, of, score)
    return lowest, highest
