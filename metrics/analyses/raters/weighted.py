"""Agreement among raters with every item by its weight, one over the chance that it was drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from metrics.analyses.item_weights import WeightedItems, strata_of
from metrics.analyses.raters.alpha import alpha_of
from metrics.analyses.raters.coefficients import (
    agreement_of_sums,
    agreement_weights,
    fleiss_of_sums,
    fleiss_parts,
    gwet_of_sums,
    gwet_parts,
    ratings_kept,
)
from metrics.analyses.raters.few_disagreements import few_disagree
from metrics.analyses.raters.gate import Bands, gate_of
from metrics.analyses.raters.result import STATISTICS, WEIGHTED, RatersReport, WeightedRaters, judged_of
from metrics.analyses.raters.tally import summed
from metrics.analyses.raters.units import Units
from metrics.analyses.weighing import around
from metrics.data.order import Measurement
from metrics.intervals.default import FEW_DISAGREEMENTS
from metrics.measures.arrays import FloatArray, safe_ratio
from metrics.measures.coefficients import cohen_kappa, mcc_multiclass
from metrics.measures.transforms import with_farther_ends
from metrics.results import words
from metrics.results.estimate import Estimate

MOST_CELLS = 20_000_000
"""Items times cells of all pairs of raters up to which means over pairs are weighted."""
VERDICTS = {"passes": "passes", "fails": "fails", "undecided": "is undecided"}
MANY_PAIRS = "too many pairs of raters for their weighted mean"
Value = Callable[[FloatArray], FloatArray]


@dataclass(frozen=True)
class ByWeight:
    """Weights of the items that units come from.

    Attributes
    ----------
    column : str
    of_item : ndarray, shape (n_unique,)
    """

    column: str
    of_item: FloatArray


def weighted_raters(
    units: Units,
    weights: ByWeight,
    values: FloatArray,
    level: Measurement,
    penalty: FloatArray | None,
    pairs: list[tuple[int, int]],
    bands: Bands,
    *,
    intervals: bool,
    confidence: float,
) -> WeightedRaters | None:
    """Return every statistic of the units with each item by its weight; None where no unit has two ratings.

    Sums over items become sums of weights, and replicates leave out one item of a stratum and weigh the others of it up, as in
    `metrics.analyses.agreement.weighted.weighted`. The finite-sample term of alpha takes the ratings for as many as they are
    worth: :math:`(\\sum w m)^2 / \\sum w^2 m` of units with m ratings.

    Parameters
    ----------
    units : Units
        Of single items: none stands for items of other weights.
    weights : ByWeight
    values : ndarray, shape (K,)
        Number each class stands for.
    level : {"nominal", "ordinal", "interval", "ratio"}
    penalty : ndarray, shape (K, K), or None
        How far two labels are apart in the mean weighted kappa.
    pairs : list of (int, int)
        Raters whose pair counts in the means.
    bands : Bands
    intervals : bool
    confidence : float

    References: Rust & Rao (1996), doi:10.1177/096228029600500305.
    """
    votes = units.votes.astype(np.float64)
    m = votes.sum(1)
    if not (m >= 2).any():
        return None
    items, first, group = np.unique(units.item, return_index=True, return_inverse=True)
    weight, times = weights.of_item[items], units.times[first].astype(np.int64)
    parts, functions = _parts(units, votes, values, level, penalty, pairs)
    drawn = WeightedItems(tables=summed(parts, group), weight=weight, times=times, stratum=strata_of(weight, times))
    pairable = summed((m >= 2)[:, None] * 1.0, group)[:, 0] > 0
    paired = times[pairable] * weight[pairable]
    n_effective = float(paired.sum() ** 2 / (paired * weight[pairable]).sum())
    rated = weights.of_item[units.item] * units.times * np.where(m >= 2, m, 0.0)
    worth = rated.sum() ** 2 / (rated * weights.of_item[units.item]).sum()
    k = len(units.classes)
    split = summed(((m >= 2) & (votes.max(1, initial=0) < m))[:, None] * 1.0, group)[:, 0] > 0
    asked = _Asked(drawn, k, worth, n_effective, int(times[split].sum()), intervals, confidence)
    estimates = asked.estimates(functions, values, level, penalty)
    n, judged = int(times[pairable].sum()), judged_of(bands.on, estimates)
    gate = gate_of(estimates[judged], n, bands, confidence=confidence)
    return WeightedRaters(weights.column, n, n_effective, estimates, gate)


@dataclass(frozen=True, eq=False)
class _Asked:
    """Sums of the items, and what is needed to make estimates of them."""

    items: WeightedItems
    k: int
    worth: float
    n_effective: float
    n_split: int
    intervals: bool
    confidence: float

    def scaled(self, sums: FloatArray) -> FloatArray:
        """Return coincidences whose ratings are as many as all of them are worth, shape (..., K, K)."""
        both = sums[..., : self.k**2]
        total = self.items.sums.sum(0)[: self.k**2].sum()
        return np.asarray(both.reshape(*both.shape[:-1], self.k, self.k) * (self.worth / total))

    def estimates(
        self, functions: Mapping[str, Value | None], values: FloatArray, level: Measurement, penalty: FloatArray | None
    ) -> dict[str, Estimate]:
        total = self.items.sums.sum(0)
        left = self.items.replicates() if self.intervals else None
        every: dict[str, Value | None] = {"alpha": lambda sums: alpha_of(self.scaled(sums), values, level), **functions}
        out = {}
        for key, function in every.items():
            value = float("nan") if function is None else float(function(total))
            if np.isnan(value) or left is None or function is None:
                why = MANY_PAIRS if function is None else "only one label is given" if np.isnan(value) else ""
                out[key] = Estimate(value, why=why)
                continue
            out[key] = Estimate(value, around(value, self.items, function(left), STATISTICS[key].transform, self.confidence))
        short = [key for key, one in out.items() if one.defined and (one.interval is None or self.n_split < FEW_DISAGREEMENTS)]
        if left is None or not short:
            return out
        thin = few_disagree(
            self.scaled(total), out["percent_agreement"].value, values, level, penalty, short,
            (self.n_effective, self.n_split), self.confidence,
        )  # fmt: skip
        note = f"small cell: {words.several(self.n_split, 'items')} with a disagreement"
        for key, ends in thin.items():
            value, known = out[key].value, out[key].interval
            out[key] = Estimate(value, with_farther_ends(value, known, ends, "dirichlet", note))
        return out


def _parts(
    units: Units,
    votes: FloatArray,
    values: FloatArray,
    level: Measurement,
    penalty: FloatArray | None,
    pairs: list[tuple[int, int]],
) -> tuple[FloatArray, dict[str, Value | None]]:
    """Return what a unit adds, shape (n_units, D), and each statistic as a function of sums of it."""
    k, m = votes.shape[1], votes.sum(1)
    inside = votes[:, :, None] * votes[:, None, :] - votes[:, :, None] * np.eye(k)
    columns = [(inside * np.where(m >= 2, 1 / np.maximum(m - 1, 1), 0.0)[:, None, None]).reshape(-1, k * k)]

    def added(part: FloatArray) -> slice:
        first = sum(column.shape[1] for column in columns)
        columns.append(part)
        return slice(first, first + part.shape[1])

    functions: dict[str, Value | None] = {}
    kept = ratings_kept(m, units.times)
    fleiss = added(np.where(((m == kept) & (m >= 2))[:, None], np.nan_to_num(fleiss_parts(votes)), 0.0))
    functions["fleiss_kappa"] = lambda sums: fleiss_of_sums(sums[..., fleiss])
    functions |= _of_pairs(units, added, penalty, pairs)
    plain = added(gwet_parts(votes))
    functions["gwet_ac1"] = lambda sums: gwet_of_sums(sums[..., plain], np.eye(k))
    if level != "nominal":
        partial = agreement_weights(values, level)
        by_level = added(gwet_parts(votes, partial))
        functions["gwet_ac2"] = lambda sums: gwet_of_sums(sums[..., by_level], partial)
    functions["percent_agreement"] = lambda sums: agreement_of_sums(sums[..., plain])
    return np.concatenate(columns, axis=1), functions


def _of_pairs(
    units: Units, added: Callable[[FloatArray], slice], penalty: FloatArray | None, pairs: list[tuple[int, int]]
) -> dict[str, Value | None]:
    """Return the means over pairs of raters, None each where the tables of all pairs are too many."""
    k = len(units.classes)
    means: dict[str, Callable[[FloatArray], FloatArray]] = {
        "mean_pairwise_kappa": cohen_kappa,
        "mean_pairwise_phi": mcc_multiclass,
    }
    if penalty is not None:
        means = {WEIGHTED: lambda tables: cohen_kappa(tables, weights=penalty)} | means
    size = k * k * len(pairs)
    if size * len(units) > MOST_CELLS:
        return dict.fromkeys(means)
    tables = np.zeros((len(units), len(pairs), k * k + 1))
    for place, (a, b) in enumerate(pairs):
        one, other = units.labels[:, a].astype(np.int64), units.labels[:, b].astype(np.int64)
        cell = np.where((one >= 0) & (other >= 0), one * k + other, k * k)
        tables[np.arange(len(units)), place, cell] = 1
    where = added(tables[:, :, :-1].reshape(len(units), size))

    def mean(coefficient: Callable[[FloatArray], FloatArray]) -> Value:
        def value(sums: FloatArray) -> FloatArray:
            found = coefficient(sums[..., where].reshape(*sums.shape[:-1], len(pairs), k, k))
            return safe_ratio(np.nansum(found, -1), (~np.isnan(found)).sum(-1))

        return value

    return {key: mean(coefficient) for key, coefficient in means.items()}


def weighted_words(report: RatersReport) -> list[str]:
    """Return the statistic of the gate by weights, and on which criteria its verdict is another one; nothing without weights."""
    numbers = report.pooled.weighted
    if numbers is None:
        return []
    judged = report.pooled.judged
    found = words.estimate(numbers.estimates[judged], STATISTICS[judged].unit)
    text = (
        f"Weighted by ‘{words.shorten(numbers.column)}’, {report.pooled.symbol(judged)} is {found}, on "
        f"{words.several(numbers.n_items, 'items')} worth {words.count(int(numbers.n_effective))} of equal weight."
    )
    others = [
        f"{words.shorten(name)} {VERDICTS[block.weighted.gate.verdict]}"
        for name, block in report.criteria.items()
        if block.weighted is not None and block.weighted.gate.verdict != block.gate.verdict
    ]
    changed = f" By weights the gate is another one: {words.listed(others)}." if others else ""
    return [f"{text}{changed} The other numbers, and the gate, count every item once."]
