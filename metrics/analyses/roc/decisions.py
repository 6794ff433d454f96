"""One judge's scores and verdicts beside the reference, of each kind of item once."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.item_weights import column_of, item_weights
from metrics.analyses.roc.area import Scores
from metrics.analyses.roc.tallies import Bools, Direction, Ints, levels_of
from metrics.data.memo import memoised
from metrics.data.pairs import cell_ratings, cells_of, reference_name, reference_states
from metrics.data.ratings import Ratings
from metrics.data.unique_items import kinds_of, multiples
from metrics.intervals.cluster import clusters_of, groups_by
from metrics.measures.arrays import FloatArray

POSITIVE, NEGATIVE = 0, 1


@dataclass(frozen=True, eq=False)
class Decisions:
    """Decisions of one judge on which the reference gave a verdict; alike ones of alike items are one row.

    Attributes
    ----------
    unit : ndarray of int64, shape (n,)
        Kind of item, or group of items.
    criterion : ndarray of int32, shape (n,)
    positive : ndarray of bool, shape (n,)
        What the reference says.
    score : ndarray, shape (n,)
        NaN where there is none.
    verdict : ndarray of int8, shape (n,)
        0 positive, 1 negative, above it none.
    times, copies : ndarray of int64, shape (n,)
        Decisions that a row stands for in one unit, and units that are like it.
    n_units : int
    n_open : ndarray of int64, shape (criteria,)
        The judge's decisions, scored or not, that the reference left open; they are left out.
    n_split : ndarray of int64, shape (criteria,)
        Those on which the people's votes split; they are left out too.
    worth : ndarray, shape (n,)
        Weight of the item of each; nothing where every item counts once.
    item : ndarray of int64, shape (n,)
        Kind of item.
    """

    unit: Ints
    criterion: NDArray[np.int32]
    positive: Bools
    score: FloatArray
    verdict: NDArray[np.int8]
    times: Ints
    copies: Ints
    n_units: int
    n_open: Ints
    n_split: Ints
    word: str = "items"
    worth: FloatArray = field(default_factory=lambda: np.empty(0))
    item: Ints = field(default_factory=lambda: np.empty(0, np.int64))

    @property
    def scored(self) -> Bools:
        return np.isfinite(self.score)

    @property
    def answered(self) -> Bools:
        return self.verdict <= NEGATIVE

    def n_of(self, rows: Bools) -> int:
        """Return how many decisions some of the rows stand for.

        Parameters
        ----------
        rows : ndarray of bool, shape (n,)
        """
        return int(self.times[rows] @ self.copies[rows])

    def scores(self, direction: Direction = "higher") -> tuple[Scores, NDArray[np.int32]]:
        """Return the scored decisions and the criterion of each."""
        kept = self.scored
        level, which = levels_of(self.score[kept], direction)
        multiples = self.times[kept], self.copies[kept]
        scores = Scores(self.unit[kept], level, which, self.positive[kept], self.n_units, self.word, direction, *multiples)
        return scores, self.criterion[kept]


def decisions_of(ratings: Ratings, judge: str, reference: str, unit: str = "item", *, by_weight: bool = False) -> Decisions:
    """Return decisions of a judge; failed calls and those the reference left open are left out.

    Parameters
    ----------
    ratings : Ratings
    judge : str
    reference : str
        A rule, or one human's name.
    unit : str
        "item", or a column that groups items.
    by_weight : bool
        Whether alike items are of one weight too.
    """
    name = reference_name(ratings, reference)
    key = ("scored decisions", judge, name, unit, by_weight)
    return memoised(ratings, key, lambda: _decisions(ratings, judge, name, unit, by_weight=by_weight))


def _decisions(ratings: Ratings, judge: str, reference: str, unit: str, *, by_weight: bool) -> Decisions:
    columns = [] if unit == "item" else [clusters_of(ratings, unit).column]
    ratings = kinds_of(ratings, *columns, *([column_of(ratings)] if by_weight else []))
    weights = item_weights(ratings) if by_weight else None
    cells, places = cells_of(ratings), cell_ratings(ratings, judge, "judge")
    human = reference_states(ratings, reference)
    answered = places >= 0
    answered[answered] = ratings.state[places[answered]] != ratings.scheme.state("error")
    kept = np.flatnonzero(answered & (human <= NEGATIVE))
    split = human == ratings.scheme.state("split")
    opened = (human > NEGATIVE) & (human < ratings.scheme.state("missing")) & ~split

    def by_criterion(rows: Bools) -> Ints:
        left = np.flatnonzero(answered & rows)
        n = np.bincount(cells.criterion[left], weights=ratings.weight[cells.item[left]], minlength=len(ratings.criteria))
        return n.astype(np.int64)

    score = np.full(len(kept), np.nan) if ratings.score is None else ratings.score[places[kept]]
    of_unit, n_units, word = _units(ratings, cells.item[kept], unit)
    times, copies = multiples(ratings, cells.item[kept], grouped=ratings.has_items and unit != "item")
    return Decisions(
        unit=of_unit,
        criterion=cells.criterion[kept],
        positive=human[kept] == POSITIVE,
        score=score,
        verdict=ratings.state[places[kept]],
        times=times,
        copies=copies,
        n_units=n_units,
        n_open=by_criterion(opened),
        n_split=by_criterion(split),
        word=word,
        worth=np.empty(0) if weights is None else weights[cells.item[kept]],
        item=cells.item[kept].astype(np.int64),
    )


def _units(ratings: Ratings, kind: NDArray[np.int32], unit: str) -> tuple[Ints, int, str]:
    if unit == "item" or not ratings.has_items:
        return kind.astype(np.int64), ratings.n_unique, "items" if ratings.has_items else "decisions"
    clusters = clusters_of(ratings, unit)
    return clusters.of_item[kind], clusters.n, groups_by(clusters.column)
