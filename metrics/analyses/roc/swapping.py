"""Whether two judges of numbers could change places: a test beside an interval that a few numbers far off would mislead.

Leaving one item out does not see that two together carry a correlation. Under the null the two judges' numbers on an item could
as well be the other's, so whole items swap sides at random. For a correlation judges in two units are first brought to one, by
medians and quartiles, which numbers far off do not move. What false winners it leaves: `tests/roc/test_two_judges.py`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from metrics.measures.arrays import FloatArray
from metrics.measures.moments import FUNCTIONS, Sums
from metrics.measures.transforms import ROUNDING

TESTED = ("pearson", "ccc", "rmse")
"""Numbers that squares of distances make up; ranks and absolute distances are not carried by a few items."""
DRAWS = 1_999
MOST_ITEMS = 1_000
"""Items above which a few carry nothing, and the interval alone tells."""
ONE_UNIT = 1.5
"""Ratio of the spreads, and distance of the medians in spreads, up to which two judges are taken as they are."""
Ints = NDArray[np.int64]


def swap_p(metric: str, known: FloatArray, scores: tuple[FloatArray, FloatArray], item: Ints, on: Ints) -> float:
    """Return p of a difference as large where judges swap whole items; NaN of other numbers and of too many items.

    Parameters
    ----------
    metric : str
    known : ndarray, shape (n,)
        Numbers of the reference.
    scores : pair of ndarray, shape (n,)
        Numbers of both judges.
    item, on : ndarray of int64, shape (n,)
        Codes of the item, from 0 without a gap, and of what the numbers are averaged over: one code where all are pooled.
    """
    n_items = int(item.max(initial=-1)) + 1
    if metric not in TESTED or not 1 < n_items <= MOST_ITEMS:
        return math.nan
    first, second = _in_one_unit(*scores) if metric == "pearson" else scores
    groups = [on == code for code in np.unique(on)]
    parts = [_both(known[here], first[here], second[here], item[here], n_items) for here in groups]
    observed = _difference(metric, parts, np.ones((1, n_items)))[0]
    swapped = np.random.default_rng(0).integers(0, 2, (DRAWS, n_items), dtype=np.int8) > 0
    differences = _difference(metric, parts, np.where(swapped, -1.0, 1.0))
    as_large = 1 + int((np.abs(differences) >= abs(observed) - ROUNDING).sum())
    return math.nan if math.isnan(observed) else as_large / (DRAWS + 1)


def _in_one_unit(first: FloatArray, second: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return numbers of both less their medians by the distance of their quartiles, unless they are in one unit as they are."""
    quartiles = [np.quantile(score, (0.25, 0.5, 0.75)) for score in (first, second)]
    spreads = [high - low for low, _, high in quartiles]
    apart = abs(quartiles[0][1] - quartiles[1][1])
    if max(spreads) <= ONE_UNIT * min(spreads) and apart <= ONE_UNIT * min(spreads):
        return first, second
    scaled = [(score - of[1]) / (spread or 1.0) for score, of, spread in zip((first, second), quartiles, spreads, strict=True)]
    return np.asarray(scaled[0]), np.asarray(scaled[1])


def _both(known: FloatArray, first: FloatArray, second: FloatArray, item: Ints, n_items: int) -> Sums:
    """Return sums by item about one centre: those of the first judge, then those of the second."""
    numbers, units = np.concatenate([first, second]), np.concatenate([item, item + n_items])
    return Sums.of(np.tile(known, 2), numbers, units, np.ones(2 * n_items, np.int64), np.ones(len(units), np.int64))


def _difference(metric: str, parts: Sequence[Sums], signs: FloatArray) -> FloatArray:
    """Return number of the second judge less that of the first, shape (draws,), where the items of sign −1 are swapped."""
    number, total = FUNCTIONS[metric], np.zeros(len(signs))
    for both in parts:
        first, second = np.split(both.rows, 2, axis=1)
        middle, apart = both.rows.sum(1, keepdims=True) / 2, (second - first) / 2 @ signs.T
        total += number(both.moments(middle + apart)) - number(both.moments(middle - apart))
    return total / len(parts)
