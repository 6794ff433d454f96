"""Every judge's κ with the reference, and how sure it is, by the rules of the default intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from metrics.arrays import FloatArray
from metrics.coefficients import cohen_kappa
from metrics.ensembles.bench import Bench
from metrics.intervals.default import Unit, micro_intervals, table_intervals
from metrics.intervals.jackknife import Coded


@dataclass(frozen=True, eq=False)
class WithReference:
    """Judges beside the reference, on the decisions that both gave a class, pooled over criteria.

    Attributes
    ----------
    tables : ndarray, shape (J, K, K)
        Decisions, the reference in rows.
    kappa : ndarray, shape (J,)
        Cohen's κ; NaN where undefined.
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
    """κ of every judge of a bench with its reference."""
    judged = bench.judged()
    tables = judged.reference_tables()
    kappa = cohen_kappa(tables)
    ends = np.full((len(tables), 2), np.nan)
    _, criterion = np.unique(judged.criterion, return_inverse=True)
    many = int(criterion.max(initial=0)) + 1
    for place in np.flatnonzero(~np.isnan(kappa)).tolist():
        value = {"kappa": float(kappa[place])}
        if many == 1:
            found = table_intervals(tables[place], {"kappa": cohen_kappa}, value, confidence).get("kappa")
        else:
            unit = _unit(judged, place, criterion.astype(np.int64), many, confidence)
            found = micro_intervals(unit, {"kappa": cohen_kappa}, value).get("kappa")
        if found is not None:
            ends[place] = found.low, found.high
    return WithReference(tables, kappa, ends)


def _unit(judged: Bench, judge: int, criterion: np.ndarray[tuple[int], np.dtype[np.int64]], many: int, confidence: float) -> Unit:
    """The items of one judge, for the rules that leave out one at a time."""
    k = len(judged.classes)
    counted = np.flatnonzero(judged.labels[:, judge] >= 0)
    cell = judged.reference[counted].astype(np.int64) * k + judged.labels[counted, judge]
    tables = np.bincount(criterion[counted] * k * k + cell, minlength=many * k * k).reshape(many, k, k).astype(np.float64)
    return Unit(Coded.merged(judged.item[counted], criterion[counted], cell, k, many), tables, confidence)
