"""Cuts of a score: Youden's J at every threshold, the best one, and what a cut is worth with its interval.

The lines of a ROC plot on which J or accuracy stays the same follow.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from metrics.analyses.evaluation import own_intervals
from metrics.analyses.roc.tallies import Ints, ScoreTally
from metrics.intervals.cluster import Clustered
from metrics.intervals.resampling import Cells, Frame
from metrics.measures.catalogue import BY_KEY
from metrics.measures.transforms import Interval
from metrics.results.estimate import Estimate

POINT = {"youden_j": "youden_j", "tpr": "recall", "fpr": "fpr"}
"""What a point of a ROC plot is called, and the catalogue's key of it."""

CELLS = 4
NONE = np.empty(0, np.int64)
Segment = tuple[tuple[float, float], tuple[float, float]]
"""(FPR, TPR) of both ends."""


@dataclass(frozen=True, eq=False)
class Cut:
    """A table and its place in a ROC plot.

    Attributes
    ----------
    threshold : float
        Positive where score >= threshold, or <= where lower scores speak for it; infinity calls nothing positive; NaN where
        no score decided.
    table : ndarray of int64, shape (2, 2)
        [[TP, FN], [FP, TN]].
    intervals : mapping
        `youden_j`, `tpr`, `fpr`, where they have one.
    """

    threshold: float
    table: Ints
    intervals: Mapping[str, Interval]

    def __getitem__(self, key: str) -> Estimate:
        """Return a metric of the catalogue, or `tpr`, on the table; of the intervals only those of a point."""
        return Estimate(float(BY_KEY[POINT.get(key, key)].function(self.table)), self.intervals.get(key))

    @property
    def n(self) -> int:
        return int(self.table.sum())


@dataclass(frozen=True)
class Best:
    """Where J is largest."""

    threshold: float
    n_optimal: int


def best_cut(tally: ScoreTally) -> Best | None:
    """Return the strictest threshold at which J is largest, compared in integers; None where a class is empty."""
    if not (tally.n_positive and tally.n_negative):
        return None
    large = tally.n_positive * tally.n_negative > np.iinfo(np.int64).max
    hits, alarms = (counts.astype(object) if large else counts for counts in (tally.hits, tally.alarms))
    gain = hits * tally.n_negative - alarms * tally.n_positive
    best = np.flatnonzero(gain == gain.max())
    return Best(float(tally.thresholds[best[0]]), len(best))


@dataclass(frozen=True, eq=False)
class Named(Clustered):
    """Units under a name of their own."""

    @property
    def word(self) -> str:
        return self.column


def with_intervals(
    threshold: float,
    cell: Ints,
    unit: Ints,
    confidence: float | None,
    word: str = "items",
    times: Ints | None = None,
    copies: Ints | None = None,
) -> Cut:
    """Return a cut from the confusion cell of every decision: 0 TP, 1 FN, 2 FP, 3 TN.

    The rules are those of every other number: one decision a unit, a single table; several, whole units are left out.

    Parameters
    ----------
    threshold : float
    cell, unit : ndarray of int64, shape (n,)
        Confusion cell and unit of each decision.
    confidence : float or None
        In (0, 1); None for no intervals.
    word : str
        What the units are, in the plural.
    times, copies : ndarray of int64, shape (n,), optional
        Decisions that each stands for in one unit, and units that are like it.
    """
    each, alike = (np.ones(len(cell), np.int64) if weights is None else weights for weights in (times, copies))
    table = np.bincount(cell, weights=each * alike, minlength=CELLS).astype(np.int64).reshape(2, 2)
    if confidence is None:
        return Cut(threshold, table, {})
    counts = table.astype(np.float64)
    functions = {key: BY_KEY[key].function for key in POINT.values()}
    values = {key: float(function(counts)) for key, function in functions.items()}
    units = units_of(cell, unit, each, alike, word)
    intervals = own_intervals(counts, units, functions, values, confidence)
    return Cut(threshold, table, {name: intervals[key] for name, key in POINT.items() if key in intervals})


def units_of(cell: Ints, unit: Ints, times: Ints, copies: Ints, word: str = "items") -> Named | None:
    """Return the tables of all units; None where every unit carries one decision.

    Parameters
    ----------
    cell, unit : ndarray of int64, shape (n,)
        Confusion cell (0 TP, 1 FN, 2 FP, 3 TN) and unit of each decision.
    times, copies : ndarray of int64, shape (n,)
        Decisions that each stands for in one unit, and units that are like it.
    word : str
        What the units are, in the plural.
    """
    _, first, of_row = np.unique(unit, return_index=True, return_inverse=True)
    n = len(first)
    if np.bincount(of_row, weights=times).max(initial=0) <= 1:
        return None
    features = csr_array((times.astype(np.float64), (cell, of_row)), shape=(CELLS, n))
    cells, nowhere = Cells({"exclude": np.arange(CELLS)}, CELLS), Cells({"exclude": NONE}, 0)
    return Named(Frame(features, copies[first], 1, cells, nowhere, {"exclude": 2}), "exclude", word)


def cells_at(positive: NDArray[np.bool_], called: NDArray[np.bool_]) -> Ints:
    """Return confusion cell of every decision: 0 TP, 1 FN, 2 FP, 3 TN.

    Parameters
    ----------
    positive, called : ndarray of bool, shape (n,)
        Whether the reference says positive, and the judge.

    Returns
    -------
    ndarray of int64, shape (n,)
    """
    return np.where(positive, 0, 2) + np.where(called, 0, 1)


def iso_j(j: float) -> Segment | None:
    """Return the line on which Youden's J is `j`: TPR = FPR + J; None outside -1 to 1."""
    return _inside(1.0, j)


def iso_accuracy(accuracy: float, prevalence: float) -> Segment | None:
    """Return the line on which a share `accuracy` of the verdicts is right at a prevalence; None where no judge can have it.

    accuracy = x TPR + (1 - x)(1 - FPR) at prevalence x.

    Raises
    ------
    ValueError
        For a prevalence outside (0, 1).
    """
    if not 0 < prevalence < 1:
        raise ValueError(f"the prevalence must lie between 0 and 1, not {prevalence}")
    slope = (1 - prevalence) / prevalence
    return _inside(slope, (accuracy - (1 - prevalence)) / prevalence)


def _inside(slope: float, rise: float) -> Segment | None:
    """Return the part of TPR = rise + slope FPR inside the unit square."""
    first, last = max(0.0, -rise / slope), min(1.0, (1 - rise) / slope)
    if first >= last:
        return None
    return (first, rise + slope * first), (last, rise + slope * last)
