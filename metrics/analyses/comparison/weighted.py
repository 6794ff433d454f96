"""The difference of two judges with every item by its weight."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from metrics.analyses.comparison.levels import difference_of
from metrics.analyses.comparison.paired import Statistic
from metrics.analyses.comparison.shared_decisions import Ints, Shared
from metrics.analyses.item_weights import METHOD, WeightedItems, column_of, item_weights, strata_of
from metrics.data.ratings import Ratings
from metrics.results.estimate import Estimate
from metrics.results.report import ends_or_none, or_none


@dataclass(frozen=True)
class WeightedDifference:
    """Judge B less judge A, every item by its weight.

    Attributes
    ----------
    column : str
    a, b : float
        Values of the two; NaN where undefined.
    difference : Estimate
        Its interval leaves out items within the strata that the weights make.
    n_items : int
    n_effective : float
        Items of equal weight that would say as much (Kish).
    """

    column: str
    a: float
    b: float
    difference: Estimate
    n_items: int
    n_effective: float

    def to_dict(self) -> dict[str, Any]:
        return {
            "column": self.column, "a": or_none(self.a), "b": or_none(self.b), "difference": or_none(self.difference.value),
            "interval": ends_or_none(self.difference.ends), "n_items": self.n_items, "n_effective": self.n_effective,
        }  # fmt: skip


def weighted_difference(
    ratings: Ratings, shared: Shared, cells: tuple[Ints, Ints], k: int, statistic: Statistic, confidence: float, most: float
) -> WeightedDifference | None:
    """Return the difference by the weights of items; None where no item weighs more than another.

    Parameters
    ----------
    ratings : Ratings
    shared : Shared
        The decisions of both judges.
    cells : (ndarray, ndarray)
        Reference · K + judge of A and of B; K² where the decision does not count.
    k : int
        Classes K.
    statistic : Statistic
    confidence : float
    most : float
        The largest difference there can be.

    Raises
    ------
    InputError
        As `item_weights`.
    """
    weights = item_weights(ratings)
    counted = (cells[0] < k * k) & (cells[1] < k * k)
    if weights is None or not counted.any():
        return None
    item, groups = shared.item[counted], len(shared.criteria) if statistic.form != "pooled" else 1
    used, place = np.unique(item, return_inverse=True)
    flat = np.zeros((len(used), 2, groups * k * k), np.int64)
    apart = shared.criterion[counted] * k * k if groups > 1 else np.zeros(len(place), np.int64)
    for side, cell in enumerate(cells):
        np.add.at(flat[:, side], (place, apart + cell[counted]), 1)
    values, of_value = np.unique(weights[used], return_inverse=True)
    kinds, kind, alike = np.unique(
        np.concatenate([of_value[:, None], flat.reshape(len(used), -1)], axis=1), axis=0, return_inverse=True, return_counts=True
    )
    times = (alike if ratings.multiplicity is None else np.bincount(kind.ravel(), ratings.weight[used])).astype(np.int64)
    tables = kinds[:, 1:].reshape(-1, 2, groups, k, k).astype(np.float64)
    drawn = WeightedItems(
        tables=tables, weight=values[kinds[:, 0]], times=times, stratum=strata_of(kinds[:, 0], times, len(values))
    )
    total = drawn.sums.sum(0)
    a, b = (float(value) for value in statistic.both(total[0], total[1]))
    replicates = drawn.replicates()
    error = drawn.error(statistic.difference(replicates[:, 0], replicates[:, 1])) if drawn.df > 0 else math.nan
    made = difference_of(b - a, error, drawn.df + 1, confidence, most)
    made = replace(made, interval=made.interval and replace(made.interval, method=METHOD))
    return WeightedDifference(column_of(ratings), a, b, made, int(times.sum()), drawn.n_effective)
