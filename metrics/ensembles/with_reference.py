"""Every judge's κ with the reference, and how sure it is, by the rules of the default intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from metrics.arrays import FloatArray
from metrics.catalogue import WEIGHTED_KAPPA
from metrics.ensembles.bench import Bench
from metrics.intervals.default import Function, Unit, micro_intervals
from metrics.intervals.jackknife import Coded
from metrics.scales.blocks import rules_for


@dataclass(frozen=True, eq=False)
class WithReference:
    """Judges beside the reference, on the decisions that both gave a class, pooled over criteria.

    Attributes
    ----------
    tables : ndarray, shape (J, K, K)
        Decisions, the reference in rows.
    kappa : ndarray, shape (J,)
        Cohen's κ, of ordered labels with quadratic weights; NaN where undefined.
    ends : ndarray, shape (J, 2)
        Its interval, by the rules of `metrics.agreement`; NaN where there is none.
    """

    tables: FloatArray
    kappa: FloatArray
    ends: FloatArray

    @property
    def n(self) -> FloatArray:
        """Decisions of each judge, shape (J,)."""
        return np.asarray(self.tables.sum((1, 2)))

    def at(self, places: Sequence[int]) -> WithReference:
        chosen = np.asarray(places, np.int64)
        return WithReference(self.tables[chosen], self.kappa[chosen], self.ends[chosen])

    def ends_of(self, place: int) -> tuple[float, float] | None:
        low, high = self.ends[place]
        return None if np.isnan(low) else (float(low), float(high))


def with_reference(bench: Bench, confidence: float = 0.95) -> WithReference:
    """Return κ of every judge of a bench with its reference."""
    tables, own = bench.judged().reference_tables(), bench.kappa
    kappa = own.function(tables)
    return WithReference(tables, kappa, ends_of(bench, tables, kappa, own.key, own.function, confidence))


def weighted_ends(bench: Bench, tables: FloatArray, weighted: FloatArray, cost: FloatArray) -> FloatArray:
    """Return intervals of the weighted κ of every judge, shape (J, 2)."""
    return ends_of(bench, tables, weighted, WEIGHTED_KAPPA.key, partial(WEIGHTED_KAPPA.function, weights=cost))


def ends_of(
    bench: Bench, tables: FloatArray, values: FloatArray, key: str, function: Function, confidence: float = 0.95
) -> FloatArray:
    """Return intervals of a coefficient of every judge, by the default rules, shape (J, 2).

    Parameters
    ----------
    tables : ndarray, shape (J, K, K)
        Of the bench.
    values : ndarray, shape (J,)
        The coefficient on each; NaN has no interval.
    key : str
        Its name in the catalogue.
    """
    judged, ends = bench.judged(), np.full((len(tables), 2), np.nan)
    _, criterion = np.unique(judged.criterion, return_inverse=True)
    many = int(criterion.max(initial=0)) + 1
    for place in np.flatnonzero(~np.isnan(values)).tolist():
        unit = replace(_unit(judged, place, criterion.astype(np.int64), many, confidence), rules=rules_for(key))
        found = micro_intervals(unit, {key: function}, {key: float(values[place])}).get(key)
        if found is not None:
            ends[place] = found.low, found.high
    return ends


def _unit(judged: Bench, judge: int, criterion: np.ndarray[tuple[int], np.dtype[np.int64]], many: int, confidence: float) -> Unit:
    """Return the items of one judge, for the rules that leave out one at a time."""
    k = len(judged.classes)
    counted = np.flatnonzero(judged.labels[:, judge] >= 0)
    cell = judged.reference[counted].astype(np.int64) * k + judged.labels[counted, judge]
    times = judged.times[counted]
    counts = np.bincount(criterion[counted] * k * k + cell, weights=times, minlength=many * k * k)
    tables = counts.astype(np.float64).reshape(many, k, k)
    return Unit(Coded.merged(judged.item[counted], criterion[counted], cell, k, many, judged.of_each_item), tables, confidence)
