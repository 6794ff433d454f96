"""Which candidates can be told apart, pair by pair."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from scipy.special import ndtr, ndtri, stdtr

from metrics.choices import Settings
from metrics.choosing.candidates import Candidate
from metrics.choosing.golden import Function
from metrics.comparison.judges import holm
from metrics.comparison.paired import Paired, Statistic
from metrics.comparison.shared_decisions import shared_decisions
from metrics.intervals.cluster import clusters_of
from metrics.intervals.jackknife import flat_errors
from metrics.intervals.scale import ROUNDING, student
from metrics.pairs import once
from metrics.ratings import Ratings

MOST_PAIRED = 12
"""Up to so many judges every pair is compared; above, each with the first."""
MOST_KEPT = 20_000
"""Cells of a file up to which two judges side by side are kept, for the next metric or benchmark."""


@dataclass(frozen=True)
class Pair:
    """Two candidates, the one that ranks higher first.

    Attributes
    ----------
    difference : float
        Value of the first less that of the second, on the decisions both made; below 0 where the order comes from others.
    p : float
        Two-sided, corrected by Holm for the number of pairs; NaN where there is no standard error.
    separable : bool
    paired : bool
        Whether the two judged the same decisions; else they are taken as independent.
    """

    first: str
    second: str
    difference: float
    ends: tuple[float, float] | None
    p: float
    separable: bool
    paired: bool
    n_shared: int


def pairs_of_counts(order: Sequence[Candidate], key: str, function: Function, confidence: float) -> tuple[Pair, ...]:
    """Candidates known by their tables alone, taken as independent."""
    found = {one.name: (one.values[key], flat_errors(one.counts, {key: function})[key]) for one in order}
    raw = []
    for a, b in _wanted(order):
        (first, own), (second, other) = found[a.name], found[b.name]
        raw.append(_Raw(a.name, b.name, first - second, math.hypot(own, other), 0, 0))
    return _corrected(raw, confidence, paired=False)


def pairs_of(
    ratings: Ratings, order: Sequence[Candidate], function: Function, settings: Settings, criterion: str | None
) -> tuple[Pair, ...]:
    """Candidates of one file, on the decisions each two of them share: one item left out at a time."""
    raw = [_shared(ratings, a, b, function, settings, criterion) for a, b in _wanted(order)]
    return _corrected(raw, settings.confidence, paired=True)


def brackets(order: Sequence[Candidate], pairs: Sequence[Pair]) -> tuple[tuple[str, ...], ...]:
    """Runs of neighbours in which no pair can be told apart, longest ones only; alone ones are left out."""
    apart: Mapping[tuple[str, str], bool] = {(pair.first, pair.second): pair.separable for pair in pairs}
    names = [one.name for one in order]
    runs: list[tuple[int, int]] = []
    for start in range(len(names) if len(names) <= MOST_PAIRED else 1):
        end = start + 1
        while end < len(names) and not any(apart.get((names[i], names[end]), False) for i in range(start, end)):
            end += 1
        if end - start > 1 and not (runs and runs[-1][1] >= end):
            runs.append((start, end))
    return tuple(tuple(names[start:end]) for start, end in runs)


@dataclass(frozen=True)
class _Raw:
    first: str
    second: str
    difference: float
    error: float
    df: int
    n_shared: int


def _wanted(order: Sequence[Candidate]) -> list[tuple[Candidate, Candidate]]:
    few = len(order) <= MOST_PAIRED
    return [(a, b) for place, a in enumerate(order) for b in order[place + 1 :] if few or place == 0]


def _shared(
    ratings: Ratings, first: Candidate, second: Candidate, function: Function, settings: Settings, criterion: str | None
) -> _Raw:
    a, b = first.name, second.name
    both, k = replace(settings, judges=(b, a)), len(first.counts)
    handling = settings.on(ratings).scheme.handling
    key = ("two judges", a, b, criterion, settings.reference, settings.abstention, settings.unit, handling)
    if ratings.n_items * len(ratings.criteria) <= MOST_KEPT:
        paired, n = once(ratings, key, lambda: _paired(ratings, both, k, criterion))
    else:
        paired, n = _paired(ratings, both, k, criterion)
    if paired is None:
        return _Raw(a, b, math.nan, math.nan, 0, 0)
    statistic = Statistic(function, "pooled")
    worse, better = paired.values(statistic)
    error = paired.error(statistic) if paired.n_units > 1 else math.nan
    return _Raw(a, b, better - worse, error, max(paired.n_units - 1, 1), n)


def _paired(ratings: Ratings, both: Settings, k: int, criterion: str | None) -> tuple[Paired | None, int]:
    """Two judges and the reference on the decisions all made, and how many; None where there is none. No metric is in it."""
    shared = shared_decisions(ratings, both, criterion)
    made = (shared.reference >= 0) & (shared.verdicts[0] >= 0) & (shared.verdicts[1] >= 0)
    if not made.any():
        return None, 0
    cells = [(shared.reference * k + own)[made] for own in shared.verdicts]
    clusters = clusters_of(ratings, both.unit).of_item if both.by_column else None
    paired = Paired.of(
        shared.item[made], shared.criterion[made], cells[0], cells[1],
        k=k, n_items=ratings.n_items, n_criteria=len(shared.criteria), apart=False, cluster=clusters,
    )  # fmt: skip
    return paired, int(made.sum())


def _corrected(raw: Sequence[_Raw], confidence: float, *, paired: bool) -> tuple[Pair, ...]:
    plain = [_p(one) for one in raw]
    out = []
    for one, p in zip(raw, holm(plain), strict=True):
        ends = None
        if one.error > ROUNDING:
            quantile = student(one.df, confidence) if one.df else float(ndtri((1 + confidence) / 2))
            ends = one.difference - quantile * one.error, one.difference + quantile * one.error
        out.append(Pair(one.first, one.second, one.difference, ends, p, p <= 1 - confidence, paired, one.n_shared))
    return tuple(out)


def _p(one: _Raw) -> float:
    if not (math.isfinite(one.difference) and one.error > ROUNDING):
        return math.nan
    t = -abs(one.difference) / one.error
    return float(2 * (stdtr(one.df, t) if one.df else ndtr(t)))
