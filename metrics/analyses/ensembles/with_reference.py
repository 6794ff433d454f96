"""Every judge's κ with the reference, and how sure it is, by the rules of the default intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from metrics.analyses.ensembles.verdict_matrix import VerdictMatrix
from metrics.analyses.ordered_blocks import rules_for
from metrics.intervals.default import Function, Unit, micro_intervals
from metrics.intervals.jackknife import Coded
from metrics.measures.arrays import FloatArray
from metrics.measures.catalogue import WEIGHTED_KAPPA
from metrics.results.estimate import Estimate


@dataclass(frozen=True, eq=False)
class WithReference:
    """Judges beside the reference, on the decisions that both gave a class, pooled over criteria.

    Attributes
    ----------
    tables : ndarray, shape (J, K, K)
        Decisions, the reference in rows.
    kappa : tuple of Estimate, length J
        Cohen's κ, of ordered labels with quadratic weights, with its interval by the rules of `metrics.agreement`.
    """

    tables: FloatArray
    kappa: tuple[Estimate, ...]

    @property
    def n(self) -> FloatArray:
        """Decisions of each judge, shape (J,)."""
        return np.asarray(self.tables.sum((1, 2)))

    def at(self, places: Sequence[int]) -> WithReference:
        """Return some of the judges, by their places."""
        chosen = np.asarray(places, np.int64)
        return WithReference(self.tables[chosen], tuple(self.kappa[place] for place in places))


def with_reference(verdict_matrix: VerdictMatrix, confidence: float = 0.95) -> WithReference:
    """Return κ of every judge of a bench with its reference."""
    tables, metric = verdict_matrix.judged().reference_tables(), verdict_matrix.kappa
    return WithReference(tables, _of_every_judge(verdict_matrix, tables, metric.key, metric.function, confidence))


def weighted_with_reference(verdict_matrix: VerdictMatrix, tables: FloatArray, cost: FloatArray) -> tuple[Estimate, ...]:
    """Return the weighted κ of every judge with the reference.

    Parameters
    ----------
    tables : ndarray, shape (J, K, K)
        Of the bench.
    cost : ndarray, shape (K, K)
        What each disagreement costs, the reference in rows.
    """
    return _of_every_judge(verdict_matrix, tables, WEIGHTED_KAPPA.key, partial(WEIGHTED_KAPPA.function, weights=cost), 0.95)


def _of_every_judge(
    verdict_matrix: VerdictMatrix, tables: FloatArray, key: str, function: Function, confidence: float
) -> tuple[Estimate, ...]:  # fmt: skip
    """Return a coefficient of every judge with its interval by the default rules; `key` is its name in the catalogue."""
    judged, values, estimates = verdict_matrix.judged(), function(tables), []
    _, criterion = np.unique(judged.criterion, return_inverse=True)
    many = int(criterion.max(initial=0)) + 1
    for place, value in enumerate(values.tolist()):
        if np.isnan(value):
            estimates.append(Estimate(value))
            continue
        unit = replace(_unit(judged, place, criterion.astype(np.int64), many, confidence), rules=rules_for(key))
        estimates.append(Estimate(value, micro_intervals(unit, {key: function}, {key: value}).get(key)))
    return tuple(estimates)


def _unit(
    judged: VerdictMatrix, judge: int, criterion: np.ndarray[tuple[int], np.dtype[np.int64]], many: int, confidence: float
) -> Unit:
    """Return the items of one judge, for the rules that leave out one at a time."""
    k = len(judged.classes)
    counted = np.flatnonzero(judged.labels[:, judge] >= 0)
    cell = judged.reference[counted].astype(np.int64) * k + judged.labels[counted, judge]
    times = judged.times[counted]
    counts = np.bincount(criterion[counted] * k * k + cell, weights=times, minlength=many * k * k)
    tables = counts.astype(np.float64).reshape(many, k, k)
    return Unit(Coded.merged(judged.item[counted], criterion[counted], cell, k, many, judged.of_each_item), tables, confidence)
