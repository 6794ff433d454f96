"""Numbers of items that stand for more or fewer others: a column `weight` holds one over the chance that an item was drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.evaluation import Family
from metrics.analyses.item_weights import METHOD, WeightedItems, column_of, item_weights, strata_of
from metrics.analyses.records import JudgeReport, Weighted
from metrics.analyses.settings import Settings
from metrics.data.aggregation import fold_items, item_verdicts, tables_of_items
from metrics.data.pairs import patterns_of
from metrics.data.patterns import Patterns
from metrics.data.ratings import Ratings
from metrics.intervals.default import FEW_DISAGREEMENTS, FEW_IN_ERROR, FEW_ITEMS, MOST_CLASSES
from metrics.intervals.jackknife import Coded, coded_in_mode
from metrics.intervals.single_table import dirichlet_quantiles
from metrics.measures.arrays import FloatArray, classes_in_use, mean_where_defined, safe_ratio
from metrics.measures.catalogue import BY_KEY
from metrics.measures.coefficients import disagreements
from metrics.measures.transforms import Interval, covering, interval_around, student, wider
from metrics.results import words
from metrics.results.estimate import Estimate

WITHIN = "kappa_within"


def weighted(ratings: Ratings, judge: str, settings: Settings, family: Family) -> Weighted | None:
    """Return the numbers of a judge at every level, every item by its weight; None where no item weighs more than another.

    Ratios of weighted counts (Hájek). Intervals are those of Student's t with n − H degrees of freedom, from a jackknife that
    leaves out one item of a stratum and weighs the others of it up; a stratum is one weight, and one of a single item goes
    with the next. Where few items disagree, or show a label, the wider end of it and of a Dirichlet over as many items of equal
    weight as they are worth.

    Parameters
    ----------
    ratings : Ratings
    judge : str
    settings : Settings
    family : Family
        What is computed on the weighted tables.

    Raises
    ------
    InputError
        As `item_weights`.

    References: Korn & Graubard (1998); Rust & Rao (1996), doi:10.1177/096228029600500305.
    """
    weights = item_weights(ratings)
    if weights is None:
        return None
    patterns = patterns_of(ratings, judge, settings.reference)
    coded = coded_in_mode(patterns, ratings.scheme, settings.abstention)
    asked = _Asked(column_of(ratings), family, settings)
    pooled = _Drawn.of(ratings, patterns, weights, coded.per_pattern())
    if not len(pooled.items.times):
        return None
    criteria = {
        name: asked.numbers(_Drawn.of(ratings, patterns, weights, coded.criterion_tables(place)).items)
        for place, name in enumerate(ratings.criteria)
    }
    micro, macro = asked.numbers(pooled.items), asked.over_criteria(pooled, coded, list(criteria.values()))
    tables = _item_tables(ratings, patterns, settings)
    item = None if tables is None else asked.numbers(_Drawn.of(ratings, patterns, weights, tables).items)
    within = {WITHIN: macro.pop(WITHIN)}
    return Weighted(
        micro.column, micro.n_items, micro.n_effective, micro.counts, {**micro.estimates, **within}, macro, item, criteria
    )


def weighted_words(report: JudgeReport) -> str:
    """Return the weighted numbers of a judge in a sentence, beside which every decision counts once."""
    numbers = report.weighted
    assert numbers is not None
    shown = list(_said(numbers.estimates, ("kappa", "accuracy")))
    if len(numbers.criteria) > 1:
        shown += [
            *_said(numbers.estimates, (WITHIN,)),
            *(f"mean over criteria of {one}" for one in _said(numbers.macro, ("kappa",))),
        ]
    return (
        f"{words.shorten(report.name)}: weighted by ‘{words.shorten(numbers.column)}’, {words.listed(shown)}, on "
        f"{words.several(numbers.n_items, 'items')} worth {words.count(int(numbers.n_effective))} of equal weight. "
        "The other numbers count every decision once."
    )


def _said(estimates: Mapping[str, Estimate], keys: Sequence[str]) -> Iterator[str]:
    for key in keys:
        if key in estimates:
            yield f"{BY_KEY[key].name} {words.estimate(estimates[key], BY_KEY[key].unit)}"


def _item_tables(ratings: Ratings, patterns: Patterns, settings: Settings) -> FloatArray | None:
    """Return the table of the item verdicts of each pattern; None where no rule makes any."""
    if not ratings.has_items or ratings.scheme.scale != "binary":
        return None
    mode = settings.abstention
    verdicts = item_verdicts(patterns, ratings.scheme, settings.item_rule, ratings.criteria, as_unmet=mode == "as_unmet")
    return fold_items(tables_of_items(verdicts), mode).astype(np.float64)


@dataclass(frozen=True, eq=False)
class _Drawn:
    """Items of one table or of several, and the pattern of each kind."""

    items: WeightedItems
    pattern: NDArray[np.int64]

    @classmethod
    def of(cls, ratings: Ratings, patterns: Patterns, weights: FloatArray, tables: FloatArray) -> _Drawn:
        """Return the items with a decision that counts, from the tables of one item of each pattern, (n_patterns, K, K)."""
        used = np.flatnonzero((tables.sum((1, 2)) > 0)[patterns.of_item])
        values, place = np.unique(weights[used], return_inverse=True)
        key, group = np.unique(patterns.of_item[used] * len(values) + place, return_inverse=True)
        times = np.bincount(group, weights=ratings.weight[used], minlength=len(key)).astype(np.int64)
        pattern, of_value = np.divmod(key, max(1, len(values)))
        items = WeightedItems(tables[pattern], values[of_value], times, strata_of(of_value, times, len(values)))
        return cls(items, pattern)


@dataclass(frozen=True)
class _Asked:
    """What is computed, and whether with intervals."""

    column: str
    family: Family
    settings: Settings

    @property
    def intervals(self) -> bool:
        return self.settings.interval != "none" and not self.settings.by_column

    def numbers(self, items: WeightedItems) -> Weighted:
        """Return every number of one table."""
        total = items.sums.sum(0)
        replicates = items.replicates() if self.intervals and len(items.times) else None
        estimates = {}
        for key, function in self.family.functions.items():
            value = float(function(total))
            if np.isnan(value):
                estimates[key] = Estimate(value, None, self.family.why(key, total))
            elif replicates is None or key not in self.family.with_interval:
                estimates[key] = Estimate(value)
            else:
                estimates[key] = Estimate(value, self.around(key, value, items, function(replicates)))
        n = int(items.times.sum())
        if replicates is not None and (note := _small(items)) and classes_in_use(total).sum() <= MOST_CLASSES:
            estimates = self._widened(estimates, total / total.sum() * items.n_effective, note)
        return Weighted(self.column, n, items.n_effective if n else 0.0, total, estimates)

    def around(self, key: str, value: float, items: WeightedItems, left_out: FloatArray) -> Interval | None:
        """Return the interval of the jackknife; None where it has none."""
        quantile = student(max(1, items.df), self.settings.confidence)
        return interval_around(value, items.error(left_out), BY_KEY[key].transform, quantile, METHOD)

    def _widened(self, estimates: Mapping[str, Estimate], counts: FloatArray, note: str) -> dict[str, Estimate]:
        """Return the numbers of a thin table, each end the farther one of the jackknife and of the Dirichlet."""
        wanted = {
            key: self.family.functions[key] for key, one in estimates.items() if one.defined and key in self.family.with_interval
        }
        thin = dirichlet_quantiles(counts, wanted, self.settings.confidence) if counts.sum() >= 1 else {}
        out = dict(estimates)
        for key, ends in thin.items():
            known = estimates[key].interval
            both = covering(estimates[key].value, ends if known is None else wider((known.low, known.high), ends))
            method = "dirichlet" if known is None else f"{METHOD}+dirichlet"
            out[key] = Estimate(estimates[key].value, Interval(*both, method, note))
        return out

    def over_criteria(self, drawn: _Drawn, coded: Coded, criteria: Sequence[Weighted]) -> dict[str, Estimate]:
        """Return the mean of each number over the criteria where it is defined, and kappa within criteria.

        Every replicate leaves the same item out of all criteria.
        """
        functions = self.family.functions
        sums = {key: np.zeros((2, len(drawn.items.times))) for key in functions}
        parts, replicated = np.zeros(2), np.zeros((2, len(drawn.items.times)))
        for place, one in enumerate(criteria):
            parts += np.array(disagreements(one.counts))
            if not self.intervals:
                continue
            left = drawn.items.of_tables(coded.criterion_tables(place)[drawn.pattern]).replicates()
            replicated += np.array(disagreements(left))
            for key in self.family.with_interval:
                values = functions[key](left)
                sums[key] += np.nan_to_num(values), ~np.isnan(values)
        within = Estimate(float(1 - safe_ratio(*parts)))
        if within.defined and self.intervals:
            within = Estimate(within.value, self.around(WITHIN, within.value, drawn.items, 1 - safe_ratio(*replicated)))
        means = {key: self._mean(key, drawn.items, safe_ratio(*sums[key]), criteria) for key in functions}
        return means | {
            WITHIN: within if within.defined else Estimate(within.value, None, "no criterion has agreement left to chance")
        }

    def _mean(self, key: str, items: WeightedItems, left_out: FloatArray, criteria: Sequence[Weighted]) -> Estimate:
        known = [one.estimates[key] for one in criteria]
        value, count = mean_where_defined(np.array([one.value for one in known]))
        of = count, len(known)
        if not count:
            return Estimate(value, None, "undefined in every criterion", of)
        if not self.intervals or key not in self.family.with_interval:
            return Estimate(value, None, "", of)
        interval = self.around(key, value, items, left_out)
        ends = [one.ends for one in known if one.defined]
        if _in_error(items) < FEW_IN_ERROR and all(ends):
            mean = tuple(np.array([one for one in ends if one is not None]).mean(0).tolist())
            both = covering(value, mean if interval is None else wider((interval.low, interval.high), mean))
            note = f"{words.several(_in_error(items), 'items')} with a disagreement"
            interval = Interval(*both, "mover" if interval is None else f"{METHOD}+mover", note)
        return Estimate(value, interval, "", of)


def _in_error(items: WeightedItems) -> int:
    k = items.tables.shape[-1]
    return int(items.times[(items.tables * (1 - np.eye(k))).sum((1, 2)) > 0].sum())


def _small(items: WeightedItems) -> str:
    """Return why the jackknife alone is not trusted, or nothing: how many items there are, whatever they weigh."""
    used = np.flatnonzero(classes_in_use(items.tables.sum(0)))[:2]
    for place in used:
        if (n := int(items.times[items.tables[:, place].sum(1) > 0].sum())) < FEW_ITEMS:
            return f"small cell: {words.several(n, 'items')} with one label of the reference"
    n = _in_error(items)
    return f"small cell: {words.several(n, 'items')} with a disagreement" if n < FEW_DISAGREEMENTS else ""
