"""Numbers of items that stand for more or fewer others: a column `weight` holds one over the chance that an item was drawn."""

from __future__ import annotations

import numpy as np

from metrics.analyses.evaluation import Family
from metrics.analyses.item_weights import METHOD, WeightedItems, column_of, item_weights, strata_of
from metrics.analyses.records import JudgeReport, Weighted
from metrics.analyses.settings import Settings
from metrics.data.pairs import patterns_of
from metrics.data.ratings import Ratings
from metrics.intervals.jackknife import pattern_tables
from metrics.measures.arrays import FloatArray
from metrics.measures.catalogue import BY_KEY
from metrics.measures.transforms import interval_around, student
from metrics.results import words
from metrics.results.estimate import Estimate


def weighted(ratings: Ratings, judge: str, settings: Settings, family: Family) -> Weighted | None:
    """Return the pooled numbers of a judge, every item by its weight; None where no item weighs more than another.

    Ratios of weighted counts (Hájek). Intervals are those of Student's t with n − H degrees of freedom, from a jackknife that
    leaves out one item of a stratum and weighs the others of it up; a stratum is one weight, and one of a single item goes
    with the next.

    Parameters
    ----------
    ratings : Ratings
    judge : str
    settings : Settings
    family : Family
        What is computed on the weighted table.

    Raises
    ------
    InputError
        As `item_weights`.

    References: Korn & Graubard (1998); Rust & Rao (1996), doi:10.1177/096228029600500305.
    """
    weights = item_weights(ratings)
    if weights is None:
        return None
    drawn = _drawn(ratings, judge, settings, weights)
    if not len(drawn.times):
        return None
    total = drawn.sums.sum(0)
    intervals = settings.interval != "none" and not settings.by_column
    replicates = drawn.replicates() if intervals else None
    estimates = {}
    for key, function in family.functions.items():
        value = float(function(total))
        if np.isnan(value):
            estimates[key] = Estimate(value, None, family.why(key, total))
        elif replicates is None or key not in family.with_interval:
            estimates[key] = Estimate(value)
        else:
            error = drawn.error(function(replicates))
            quantile = student(max(1, drawn.df), settings.confidence)
            estimates[key] = Estimate(value, interval_around(value, error, BY_KEY[key].transform, quantile, METHOD))
    return Weighted(column_of(ratings), int(drawn.times.sum()), drawn.n_effective, total, estimates)


def weighted_words(report: JudgeReport) -> str:
    """Return the weighted numbers of a judge in a sentence, beside which every decision counts once."""
    numbers = report.weighted
    assert numbers is not None
    shown = [
        f"{BY_KEY[key].name} {words.estimate(numbers.estimates[key], BY_KEY[key].unit)}"
        for key in ("kappa", "accuracy") if key in numbers.estimates
    ]  # fmt: skip
    return (
        f"{words.shorten(report.name)}: weighted by ‘{words.shorten(numbers.column)}’, {words.listed(shown)}, on "
        f"{words.several(numbers.n_items, 'items')} worth {words.count(int(numbers.n_effective))} of equal weight. "
        "The other numbers count every decision once."
    )


def _drawn(ratings: Ratings, judge: str, settings: Settings, weights: FloatArray) -> WeightedItems:
    patterns = patterns_of(ratings, judge, settings.reference)
    tables = pattern_tables(patterns, ratings.scheme, settings.abstention)
    used = np.flatnonzero((tables.sum((1, 2)) > 0)[patterns.of_item])
    values, place = np.unique(weights[used], return_inverse=True)
    key, group = np.unique(patterns.of_item[used] * len(values) + place, return_inverse=True)
    times = np.bincount(group, weights=ratings.weight[used], minlength=len(key)).astype(np.int64)
    pattern, of_value = np.divmod(key, max(1, len(values)))
    return WeightedItems(tables[pattern], values[of_value], times, strata_of(of_value, times, len(values)))
