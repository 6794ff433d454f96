"""The difference of two judges with every item by its weight: its interval, its tests, and what a margin says of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import sparse
from scipy.special import stdtr

from metrics.analyses.agreement.weighted import within_criteria
from metrics.analyses.comparison.levels import Reading, difference_of
from metrics.analyses.comparison.margin import Held, growth_of_parts, held
from metrics.analyses.comparison.paired import Counts, Paired, Statistic
from metrics.analyses.comparison.permutation import permutation_tests
from metrics.analyses.comparison.shared_decisions import Ints, Shared
from metrics.analyses.evaluation import Family
from metrics.analyses.item_weights import METHOD, Strata, WeightedItems, column_of, item_weights
from metrics.analyses.weighing import Together, Weighing, grouped, small_cells
from metrics.data.item_columns import Codes
from metrics.data.ratings import Ratings
from metrics.measures.arrays import FloatArray
from metrics.measures.catalogue import BY_KEY
from metrics.measures.transforms import ROUNDING
from metrics.results.estimate import Estimate
from metrics.results.report import ends_or_none, or_none

ACCURACY = Statistic(BY_KEY["accuracy"].function, "pooled")


@dataclass(frozen=True)
class WeightedDifference:
    """Judge B less judge A, every item by its weight.

    Attributes
    ----------
    column : str
    a, b : Estimate
        Values of the two on the shared decisions; of numbers without an interval.
    difference : Estimate
        Its interval leaves out items within the strata that the weights make, or whole groups of items.
    n_items : int
    n_effective : float
        Items of equal weight that would say as much (Kish).
    error : float
        Standard error of the difference; NaN where there is none.
    growth : (float, float)
        See `metrics.analyses.comparison.margin.growth`.
    df : int
        Degrees of freedom of its t.
    p : float
        Of the permutation test: the verdicts on an item, or a group, are swapped as a whole, and weights stay with the items. NaN
        where the difference is undefined, and of numbers, which are not swapped.
    accuracy : float
        Difference in accuracy; NaN of numbers.
    p_accuracy : float
        Of the t test that it is 0, which takes the place of McNemar's: that counts decisions, whatever they weigh. NaN where no
        item separates the judges.
    held : Held or None
        B held against A by the margin; None where nobody stated one.
    readings : tuple of Reading
        The comparison itself, then that at the other levels; empty of numbers.
    """

    column: str
    a: Estimate
    b: Estimate
    difference: Estimate
    n_items: int
    n_effective: float
    error: float
    growth: tuple[float, float]
    df: int
    p: float = math.nan
    accuracy: float = math.nan
    p_accuracy: float = math.nan
    held: Held | None = None
    readings: tuple[Reading, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {
            "column": self.column, "a": or_none(self.a.value), "b": or_none(self.b.value),
            **{f"interval_{name}": list(one.ends) for name, one in (("a", self.a), ("b", self.b)) if one.ends is not None},
            "difference": or_none(self.difference.value),
            "interval": ends_or_none(self.difference.ends), "n_items": self.n_items, "n_effective": self.n_effective,
            "standard_error": or_none(self.error), **({} if math.isnan(self.accuracy) else self._tests()),
            **({} if self.held is None else {"margin": self.held.to_dict()}),
        }  # fmt: skip

    def _tests(self) -> dict[str, Any]:
        accuracy = {"difference": self.accuracy, "p": or_none(self.p_accuracy), "test": "t"}
        return {"p": or_none(self.p), "accuracy": accuracy}

    def held_by(self, margin: float | None, better: int, confidence: float) -> WeightedDifference:
        """Return the same held against a margin; as it is without one, or where the metric has no better side.

        Parameters
        ----------
        margin : float or None
            Above 0, on the metric's own scale.
        better : int
            1 where more is better, -1 where less is, 0 where neither is.
        confidence : float
            In (0, 1).
        """
        if margin is None or not better:
            return self
        ahead = self.difference.sign * better > 0 and not self.p > 1 - confidence
        one = held(
            margin, self.difference, self.error, self.growth, better=better, units=self.df + 1, confidence=confidence, ahead=ahead
        )  # fmt: skip
        return replace(self, held=one)


def weighted_difference(
    ratings: Ratings,
    shared: Shared,
    cells: tuple[Ints, Ints],
    k: int,
    metric: str,
    statistic: Statistic,
    levels: Sequence[tuple[str, Statistic]],
    confidence: float,
    swaps: tuple[int, np.random.Generator],
    family: Family,
    together: Together | None = None,
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
    metric, statistic : str, Statistic
        Of the comparison.
    levels : sequence of (str, Statistic)
        Of the readings at other levels.
    confidence : float
    swaps : (int, Generator)
        Random swaps of the permutation test, and their source.
    family : Family
        What is computed on a table; holds the metric, of κ within criteria κ.
    together : Together, optional
        Groups of items that are left out and swapped as a whole.

    Raises
    ------
    InputError
        As `item_weights`.
    """
    weights = item_weights(ratings)
    counted = (cells[0] < k * k) & (cells[1] < k * k)
    if weights is None or not counted.any():
        return None
    asked = [(metric, statistic), *levels]
    groups = len(shared.criteria) if any(one.form != "pooled" for _, one in asked) else 1
    criterion = shared.criterion[counted] * (groups > 1)
    sides = cells[0][counted], cells[1][counted]
    drawn = drawn_pairs(shared.item[counted], criterion, sides, weights, ratings.weight, (groups, k), together)
    total = drawn.sums.sum(0)
    tests = permutation_tests(as_pairs(drawn), [one for _, one in asked], *swaps)
    found = [difference_by_weight(drawn, one, confidence, BY_KEY[key].high - BY_KEY[key].low) for key, one in asked]
    n = int(ratings.weight[shared.item[counted]].sum())
    _, _, made, left = found[0]
    weighing = Weighing(column_of(ratings), family, confidence, small_cells)
    a, b = _sides(drawn, weighing, metric, statistic)
    readings = tuple(
        Reading(key, *one[:2], (n, n), one[2], test.p, confidence)
        for (key, _), one, test in zip(asked, found, tests, strict=True)
    )
    error, parts = drawn.error(left), drawn.parts(left)
    accuracy, spread = float(ACCURACY.difference(total[0], total[1])), drawn.error(_left_out(drawn, ACCURACY))
    t = accuracy / spread if spread > ROUNDING else math.nan
    return WeightedDifference(
        column_of(ratings), a, b, made, drawn.n_items, drawn.n_effective, error,
        growth_by_weight(parts, drawn, error**2), drawn.df, tests[0].p, accuracy, float(2 * stdtr(drawn.df, -abs(t))),
        readings=readings,
    )  # fmt: skip


def _sides(drawn: WeightedItems, weighing: Weighing, metric: str, statistic: Statistic) -> tuple[Estimate, Estimate]:
    """Return the number of each side as the agreement of a judge has it; of a mean over the criteria defined for both."""
    tables = [np.moveaxis(drawn.of_one[:, side], 1, 0) for side in (0, 1)]
    whole = [drawn.of_tables(each.sum(0)) for each in tables]
    if statistic.form == "pooled":
        a, b = (weighing.numbers(items).estimates[metric] for items in whole)
    elif statistic.form == "joint":
        a, b = (within_criteria(weighing, items, list(each)) for items, each in zip(whole, tables, strict=True))
    else:
        by_side = [[weighing.numbers(drawn.of_tables(table)) for table in each] for each in tables]
        used = [
            place for place, both in enumerate(zip(*by_side, strict=True)) if all(one.estimates[metric].defined for one in both)
        ]
        a, b = (
            weighing.means(items, [each[place] for place in used], [side[place] for place in used])[metric]
            for items, each, side in zip(whole, tables, by_side, strict=True)
        )
    return a, b


def drawn_pairs(
    item: Codes,
    criterion: Codes,
    cells: tuple[Ints, Ints],
    weights: FloatArray,
    times: Ints,
    shape: tuple[int, int],
    together: Together | None = None,
) -> WeightedItems:
    """Return what two sides say on each item, identical items of a weight as one, tables of shape (2, criteria, K, K).

    Parameters
    ----------
    item, criterion : ndarray of int, shape (n,)
        Of each decision.
    cells : (ndarray, ndarray)
        Reference · K + judge of either side; K² where a decision is not one of this side.
    weights, times : ndarray
        Of each item: what it weighs, and how many are alike.
    shape : (int, int)
        Criteria kept apart, 1 where all are pooled, and K.
    together : Together, optional
        Groups of items, which take the place of items.
    """
    (groups, k), (used, place) = shape, np.unique(item, return_inverse=True)
    size = groups * k * k
    flat = np.zeros((len(used), 2, size), np.int64)
    for side, cell in enumerate(cells):
        there = cell < k * k
        np.add.at(flat[:, side], (place[there], criterion[there] * k * k + cell[there]), 1)
    kinds, kind = np.unique(flat.reshape(len(used), -1), axis=0, return_inverse=True)
    tables = kinds.reshape(-1, 2, groups, k, k).astype(np.float64)
    return grouped(tables, kind.ravel(), weights[used], times[used], together and together.at(used)).items


def difference_by_weight(
    items: WeightedItems, statistic: Statistic, confidence: float, most: float
) -> tuple[float, float, Estimate, FloatArray]:
    """Return the values of two sides, their difference with its interval, and the difference without one item of each kind.

    Parameters
    ----------
    items : WeightedItems
        As `drawn_pairs` returns them.
    statistic : Statistic
    confidence : float
    most : float
        The largest difference there can be.
    """
    total = items.sums.sum(0)
    a, b = (float(value) for value in statistic.both(total[0], total[1]))
    left = _left_out(items, statistic)
    made = difference_of(b - a, items.error(left), items.df + 1, confidence, most)
    return a, b, replace(made, interval=made.interval and replace(made.interval, method=METHOD)), left


def growth_by_weight(parts: FloatArray, items: Strata, variance: float) -> tuple[float, float]:
    """Return by how much the variance grows where the truth lies below the difference, and above, by one.

    At the least as where the items, or groups, that make the difference larger are of the heaviest weight. Where the heaviest are
    few and none of them separates the judges, those that do would hide how far one of the heaviest moves the difference.

    Parameters
    ----------
    parts : ndarray, shape (G,)
        What one item of each kind adds to the difference, less the mean of its stratum.
    items : Strata
    variance : float
        Of the difference.
    """
    each = parts / items.mass
    seen = growth_of_parts(parts, items.times, variance)
    heaviest = growth_of_parts(each, items.times, float(items.times @ each**2))
    most = float(items.mass.max())
    return float(np.fmin(seen[0], heaviest[0] * most)), float(np.fmax(seen[1], heaviest[1] * most))


def _left_out(items: WeightedItems, statistic: Statistic) -> FloatArray:
    """Return a difference without one item of each kind; NaN where no stratum has two."""
    if not items.df:
        return np.full(len(items.times), math.nan)
    replicates = items.replicates()
    return statistic.difference(replicates[:, 0], replicates[:, 1])


def as_pairs(items: WeightedItems) -> Paired:
    """Return the items as pairs of tables that are as large as they weigh, to be swapped."""
    tables = items.tables * items.weight.reshape(-1, 1, 1, 1, 1)
    groups, k = tables.shape[2:4]
    a, b = (tables[:, side].reshape(len(tables), -1) for side in (0, 1))
    apart = (a != b).any(1)
    sides, change = (Counts.of(a), Counts.of(b)), sparse.csr_array(b[apart] - a[apart])
    return Paired(sides, items.times, lambda: (change, items.times[apart]), items.n_items, k, groups, sides)
