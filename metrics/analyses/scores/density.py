"""Many points as few marks: equal ones are one mark with its count, and where there are still many, squares are counted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.paired_numbers import Paired
from metrics.measures.arrays import FloatArray
from metrics.measures.ranks import places

Ends = tuple[float, float]

MOST = 2000
"""Distinct points that are drawn one by one."""
CELLS = 56
"""Squares to a side of the grid."""
ROOM = 0.08
"""Room beyond the outermost point, as a share of the axis."""


@dataclass(frozen=True, eq=False)
class Grid:
    """Points counted in equal rectangles.

    Attributes
    ----------
    x, y : ndarray, shape (C,)
        Middles of the columns and rows.
    count : ndarray of int64, shape (C, C)
        Points in each, rows from low y to high; those drawn as marks are not among them.
    """

    x: FloatArray
    y: FloatArray
    count: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Cloud:
    """Points of a plane as marks, and as a grid where they are many.

    Attributes
    ----------
    x, y : ndarray, shape (M,)
        Where marks stand: every distinct point, or, beside a grid, those alone in their rectangle.
    count : ndarray of int64, shape (M,)
        Points at each mark.
    n : int
        All points, those of the grid included.
    """

    x: FloatArray
    y: FloatArray
    count: NDArray[np.int64]
    n: int
    grid: Grid | None = None


@dataclass(frozen=True, eq=False)
class Plane:
    """A cloud between the ends of its axes.

    Attributes
    ----------
    higher, equal, lower : int
        Pairs in which the judge's number is the higher one, both are equal, and the judge's is the lower one.
    same_unit : bool
        Whether both numbers are in one unit, so that higher, equal and a difference mean something.
    """

    cloud: Cloud
    across: Ends
    upright: Ends
    higher: int
    equal: int
    lower: int
    same_unit: bool = True


def plane_of_pairs(paired: Paired, *, same_unit: bool = True) -> Plane:
    """Return the judge's number (y) over the reference's (x); in one unit both axes have the same ends."""
    reference, judge = paired.numbers
    across, upright = reach(reference), reach(judge)
    if same_unit:
        across = upright = reach(np.array([*_span(reference), *_span(judge)]))
    return _plane(reference, judge, paired, across, upright, same_unit=same_unit)


def plane_of_differences(paired: Paired) -> Plane:
    """Return judge minus reference (y) over the mean of both (x), after Bland and Altman."""
    reference, judge = paired.numbers
    mean, difference = (reference + judge) / 2, judge - reference
    return _plane(mean, difference, paired, reach(mean), reach(np.array([0.0, *_span(difference)])), same_unit=True)


def share_between(paired: Paired, low: float, high: float) -> float:
    """Return share of the pairs whose difference, judge minus reference, lies between two limits.

    Parameters
    ----------
    paired : Paired
    low, high : float
        In the unit of the numbers; both are inside.

    Returns
    -------
    float
        In [0, 1]; NaN where there is no pair or no limit.
    """
    reference, judge = paired.numbers
    if not len(judge) or math.isnan(low) or math.isnan(high):
        return float("nan")
    difference = judge - reference
    return float(paired.weight[(difference >= low) & (difference <= high)].sum() / paired.n)


def reach(values: Sequence[float] | FloatArray) -> Ends:
    """Return ends of an axis that holds every value and leaves room around them; around 0 where there is none.

    Parameters
    ----------
    values : sequence of float or ndarray, shape (n,)
        Finite.
    """
    low, high = _span(np.asarray(values, np.float64))
    room = ROOM * ((high - low) or abs(high) or 1.0)
    return low - room, high + room


def _span(values: FloatArray) -> Ends:
    return (float(values.min()), float(values.max())) if len(values) else (0.0, 0.0)


def _plane(x: FloatArray, y: FloatArray, paired: Paired, across: Ends, upright: Ends, *, same_unit: bool) -> Plane:
    reference, judge = paired.numbers
    weight = paired.weight
    higher, lower = int(weight[judge > reference].sum()), int(weight[judge < reference].sum())
    equal = paired.n - higher - lower
    return Plane(cloud(x, y, across, upright, weight=weight), across, upright, higher, equal, lower, same_unit)


def cloud(
    x: FloatArray,
    y: FloatArray,
    across: Ends,
    upright: Ends,
    *,
    weight: NDArray[np.int64] | None = None,
    most: int = MOST,
    cells: int = CELLS,
) -> Cloud:
    """Return points as marks or as a grid between the ends of the axes.

    Parameters
    ----------
    x, y : ndarray, shape (n,)
        Finite numbers inside the ends.
    across, upright : (float, float)
        Ends of the axis of x and of y, the first one lower.
    weight : ndarray of int64, shape (n,), optional
        Points that each stands for; by default one.
    most : int
        Distinct points up to which each is a mark.
    """
    n = len(x) if weight is None else int(weight.sum())
    if not n:
        return Cloud(np.zeros(0), np.zeros(0), np.zeros(0, np.int64), 0)
    at, of_y = places(x), places(y)
    key = at * (int(of_y.max()) + 1) + of_y
    _, first, mark = np.unique(key, return_index=True, return_inverse=True)
    count = np.bincount(mark, weights=weight).astype(np.int64)
    if len(first) <= most:
        return Cloud(x[first], y[first], count, n)
    column, row = (_cell(values[first], ends, cells) for values, ends in ((x, across), (y, upright)))
    cell = row * cells + column
    total = np.bincount(cell, weights=count, minlength=cells * cells).astype(np.int64)
    marks = np.bincount(cell, minlength=cells * cells)
    alone = (marks[cell] == 1) & (count == 1)
    total[cell[alone]] = 0
    middles = [low + (np.arange(cells) + 0.5) * (high - low) / cells for low, high in (across, upright)]
    return Cloud(x[first][alone], y[first][alone], count[alone], n, Grid(middles[0], middles[1], total.reshape(cells, cells)))


def _cell(values: FloatArray, ends: Ends, cells: int) -> NDArray[np.int64]:
    place = ((values - ends[0]) / (ends[1] - ends[0]) * cells).astype(np.int64)
    return np.clip(place, 0, cells - 1)
