"""What a judge says, against a property of the answer, among decisions with the same human label."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr

from metrics.analyses.item_weights import item_weights
from metrics.analyses.settings import Settings
from metrics.data.item_columns import Codes
from metrics.data.pairs import cells_of
from metrics.data.ratings import Ratings
from metrics.intervals.cluster import clusters_of
from metrics.measures.arrays import FloatArray, safe_ratio
from metrics.measures.transforms import Interval, student
from metrics.results.estimate import Estimate

FEWEST = 20
"""Items below which an effect has no interval: its standard error is that of items left out."""


@dataclass(frozen=True, eq=False)
class Decisions:
    """Decisions of one judge and the reference, one to a row.

    Attributes
    ----------
    item : ndarray of int64, shape (n,)
        What is kept together, from 0.
    stratum : ndarray of int64, shape (n,)
        Criterion and human label, from 0.
    judge, reference : ndarray of bool or float, shape (n,)
        The positive label was given, or what an ordered label is worth; of two answers how much of a win it is for the first, a
        tie ½.
    rating : ndarray of int64, shape (n,)
        Place of the judge's rating.
    weight : ndarray, shape (n,)
        How many decisions each stands for.
    worth : ndarray, shape (n,)
        Weight of the item of each; nothing where every item counts once.
    labels : int
        Strata of one criterion.
    """

    item: NDArray[np.int64]
    stratum: NDArray[np.int64]
    judge: NDArray[np.bool_] | FloatArray
    reference: NDArray[np.bool_] | FloatArray
    rating: NDArray[np.int64]
    weight: FloatArray
    worth: FloatArray = field(default_factory=lambda: np.empty(0))
    labels: int = 2

    @staticmethod
    def of(
        ratings: Ratings, settings: Settings, cell: NDArray[np.int64], rating: NDArray[np.int64],
        sides: tuple[NDArray[np.bool_] | FloatArray, NDArray[np.bool_] | FloatArray], stratum: NDArray[np.int64], labels: int = 2,
    ) -> Decisions:  # fmt: skip
        """Return decisions of one judge.

        Parameters
        ----------
        ratings : Ratings
        settings : Settings
            Of the unit.
        cell, rating : ndarray of int64, shape (n,)
            Places of the cell of each, and of the judge's rating.
        sides : (ndarray, ndarray)
            Judge and reference, shape (n,) each.
        stratum : ndarray of int64, shape (n,)
        labels : int
        """
        item, weights = cells_of(ratings).item[cell], item_weights(ratings)
        unit = clusters_of(ratings, settings.unit).of_item if settings.by_column else np.arange(ratings.n_unique)
        _, place = np.unique(unit[item], return_inverse=True)
        worth = np.empty(0) if weights is None else weights[item]
        return Decisions(place, stratum, *sides, rating, ratings.weight[item].astype(np.float64), worth, labels)

    def at(self, kept: NDArray[np.bool_]) -> Decisions:
        """Return some of the decisions."""
        return Decisions(
            self.item[kept], self.stratum[kept], self.judge[kept], self.reference[kept], self.rating[kept], self.weight[kept],
            self.worth[kept] if len(self.worth) else self.worth, self.labels,
        )  # fmt: skip

    def by_weight(self) -> Decisions | None:
        """Return the same with every item by its weight; None where every item counts once."""
        return replace(self, weight=self.weight * self.worth) if len(self.worth) else None

    @cached_property
    def n_items(self) -> int:
        """Items with a decision here."""
        return int((np.bincount(self.item) > 0).sum())

    @property
    def wrong(self) -> NDArray[np.bool_]:
        return np.asarray(self.judge != self.reference)


@dataclass(frozen=True)
class Effect:
    """A slope within strata.

    Attributes
    ----------
    estimate : Estimate
        Change of the share, or of the mean label, for one step of the property, with its interval.
    p : float
        Two-sided; NaN where there is no interval.
    n_items : int
        Items with a decision in it.
    """

    estimate: Estimate
    p: float
    n_items: int


def slope(
    decisions: Decisions,
    outcome: NDArray[np.bool_] | FloatArray,
    x: FloatArray,
    confidence: float,
    more: Codes | None = None,
) -> Effect:
    r"""Return how a share, or a mean, changes with a property within strata.

    It is :math:`\sum (x - \bar x_s) y / \sum (x - \bar x_s)^2`. The standard error is
    that of whole items (CR3, near the jackknife), with Student's t for one item less.

    Parameters
    ----------
    decisions : Decisions
    outcome : ndarray of bool or float, shape (n,)
    x : ndarray, shape (n,)
    confidence : float
    more : ndarray of int64, shape (n,), optional
        A further property that is held, from 0.
    """
    stratum = decisions.stratum if more is None else decisions.stratum * (int(more.max(initial=0)) + 1) + more
    weight = decisions.weight
    total = np.bincount(stratum, weights=weight)
    total[total == 0] = 1.0
    y = outcome.astype(np.float64)
    across = x - (np.bincount(stratum, weights=weight * x) / total)[stratum]
    upwards = y - (np.bincount(stratum, weights=weight * y) / total)[stratum]
    spread = float(weight @ across**2)
    n_items = decisions.n_items
    if not spread > 1e-12:
        return Effect(Estimate(math.nan, why="it is the same on all decisions with one human label"), math.nan, n_items)
    value = float(weight @ (across * upwards)) / spread
    if n_items < FEWEST:
        return Effect(Estimate(value, why=f"fewer than {FEWEST} items"), math.nan, n_items)
    pull = np.bincount(decisions.item, weights=weight * across * (upwards - value * across)) / spread
    # An item that holds much of the spread draws the slope to itself, so that what is left of it there is too small (CR3).
    hold = np.bincount(decisions.item, weights=weight * across**2) / spread
    error = math.sqrt(float(((pull / np.maximum(1 - hold, 1e-9)) ** 2).sum()))
    if not error > 1e-12:
        return Effect(Estimate(value, why="no decision differs from the others"), math.nan, n_items)
    half = student(n_items - 1, confidence) * error
    p = float(2 * stdtr(n_items - 1, -abs(value) / error))
    return Effect(Estimate(value, Interval(value - half, value + half, "items (CR3)")), p, n_items)


def distances(decisions: Decisions, group: Codes, n_groups: int) -> FloatArray:
    """Return how far the judge's share, or mean label, in each group lies from all others within strata, in standard errors.

    They are those of single decisions.

    Parameters
    ----------
    decisions : Decisions
    group : ndarray of int64, shape (n,)
        From 0.
    n_groups : int

    Returns
    -------
    ndarray, shape (G,)
        NaN where a group holds all decisions of its strata, or none.
    """
    n_strata, y = int(decisions.stratum.max(initial=-1)) + 1, decisions.judge.astype(np.float64)
    place = decisions.stratum * n_groups + group
    n, said, squares = (
        np.bincount(place, weights=decisions.weight * of, minlength=n_strata * n_groups).reshape(n_strata, n_groups)
        for of in (np.ones_like(y), y, y**2)
    )
    total = n.sum(1, keepdims=True)
    total[total == 0] = 1.0
    mean = said.sum(1, keepdims=True) / total
    variance = np.maximum(squares.sum(1, keepdims=True) / total - mean**2, 0.0)
    return safe_ratio((said - n * mean).sum(0), np.sqrt((n * (1 - n / total) * variance).sum(0)))
