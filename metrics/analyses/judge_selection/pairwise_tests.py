"""Which candidates can be told apart, pair by pair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy.special import ndtr, ndtri, stdtr, stdtrit

from metrics.analyses.judge_selection.candidates import SNR, Benchmark, Candidate, function_of
from metrics.analyses.judge_selection.side_by_side import Differences, Ints, SideBySide, Told
from metrics.analyses.settings import Settings
from metrics.data.memo import memoised_last
from metrics.data.ratings import Ratings
from metrics.intervals.jackknife import flat_errors
from metrics.measures.arrays import Function
from metrics.measures.exact_tests import holm
from metrics.measures.transforms import ROUNDING, Interval
from metrics.results.estimate import Estimate


@dataclass(frozen=True)
class Pair:
    """Two candidates, the one that ranks higher first.

    Attributes
    ----------
    difference : Estimate
        Value of the first less that of the second, on the decisions both made; below 0 where the order comes from others.
    p : float
        Two-sided, corrected by Holm for the number of pairs; NaN where there is no standard error.
    separable : bool
    paired : bool
        Whether the two judged the same decisions; else they are taken as independent.
    """

    first: str
    second: str
    difference: Estimate
    p: float
    separable: bool
    paired: bool
    n_shared: int


def pairs_of_counts(order: Sequence[Candidate], key: str, function: Function, confidence: float) -> tuple[Pair, ...]:
    """Return pairs of candidates known by their tables alone, taken as independent.

    Parameters
    ----------
    order : sequence of Candidate
        The one that ranks higher first.
    key : str
        Metric; each candidate has a value of it.
    function : callable
        Counts of shape (..., K, K) to values of that metric, shape (...).
    confidence : float
        Of the intervals, in (0, 1).

    Returns
    -------
    tuple of Pair
        In the order of `itertools.combinations`; no interval, and p NaN, where there is no standard error.
    """
    values = np.array([candidate.values[key] for candidate in order])
    errors = np.array([flat_errors(candidate.counts, {key: function})[key] for candidate in order])
    first, second = _places(order)
    error, none = np.hypot(errors[first], errors[second]), np.zeros(len(first))
    return _pairs(order, Differences(values[first] - values[second], error, none, none), confidence, paired=False)


def pairs_of(
    ratings: Ratings, order: Sequence[Candidate], key: str, benchmark: Benchmark | None, settings: Settings,
    criterion: str | None, progress: Told | None = None,
) -> tuple[Pair, ...]:  # fmt: skip
    """Return pairs of candidates of one file on the decisions both made: one item, or group of them, left out at a time.

    With the ratings are kept the judges side by side, and of every metric the differences asked for last.

    Parameters
    ----------
    ratings : Ratings
    order : sequence of Candidate
        Judges of these ratings, the one that ranks higher first.
    key : str
        Metric, see `metrics.analyses.judge_selection.candidates.EVERY`, or SNR.
    benchmark : Benchmark or None
        Its prevalence is read by SNR alone.
    settings : Settings
        Reference, abstention mode, handling, unit and confidence.
    criterion : str or None
        Decisions of this criterion alone; None for all.
    progress : callable, optional
        Is told how many pairs are compared, of how many.

    Returns
    -------
    tuple of Pair
        In the order of `itertools.combinations`; no interval, and p NaN, where there is no standard error.
    """
    if len(order) < 2:
        return ()
    names = tuple(candidate.name for candidate in order)
    judges = tuple(sorted(names, key=ratings.judges.index))
    chosen = criterion, settings.reference, settings.abstention, settings.unit, settings.on(ratings).scheme.handling
    # No other metric reads the benchmark.
    at = benchmark.prevalence if key == SNR and benchmark is not None else None

    def deltas() -> Differences:
        sides = memoised_last(
            ratings, ("side by side",), (judges, *chosen),
            lambda: SideBySide.of(ratings, judges, settings, criterion, len(order[0].counts)),
        )  # fmt: skip
        first, second = (np.array([judges.index(names[i]) for i in places]) for places in _places(order))
        return sides.differences(first, second, function_of(key, benchmark), progress)

    differences = memoised_last(ratings, ("apart", key), (names, at, *chosen), deltas)
    return _pairs(order, differences, settings.confidence, paired=True)


def indistinguishable_groups(order: Sequence[Candidate], pairs: Sequence[Pair]) -> tuple[tuple[str, ...], ...]:
    """Return runs of neighbours in which no pair can be told apart, longest ones only; alone ones are left out."""
    deltas: Mapping[tuple[str, str], bool] = {(pair.first, pair.second): pair.separable for pair in pairs}
    names = [candidate.name for candidate in order]
    runs: list[tuple[int, int]] = []
    for start in range(len(names)):
        end = start + 1
        while end < len(names) and not any(deltas.get((names[i], names[end]), False) for i in range(start, end)):
            end += 1
        if end - start > 1 and not (runs and runs[-1][1] >= end):
            runs.append((start, end))
    return tuple(tuple(names[start:end]) for start, end in runs)


def _places(order: Sequence[Candidate]) -> tuple[Ints, Ints]:
    """Return both places of every pair, in the order of `combinations`."""
    first, second = np.triu_indices(len(order), 1)
    return first, second


def _pairs(order: Sequence[Candidate], deltas: Differences, confidence: float, *, paired: bool) -> tuple[Pair, ...]:
    """Return pairs in the order of `combinations`: Student's t where units are left out, else the normal distribution."""
    known = np.isfinite(deltas.difference) & (deltas.error > ROUNDING)
    error, df, level = np.where(known, deltas.error, 1.0), np.maximum(deltas.df, 1), (1 + confidence) / 2
    away = -np.abs(deltas.difference) / error
    p = holm(np.where(known, 2 * (stdtr(df, away) if paired else ndtr(away)), np.nan).tolist())
    reach = (stdtrit(df, level) if paired else ndtri(level)) * error
    low, high, method = deltas.difference - reach, deltas.difference + reach, "jackknife" if paired else "delta"
    return tuple(
        Pair(
            candidate.name, other.name,
            Estimate(float(deltas.difference[i]), Interval(float(low[i]), float(high[i]), method) if known[i] else None),
            p[i], p[i] <= 1 - confidence, paired, int(deltas.n_shared[i]),
        )
        for i, (candidate, other) in enumerate(combinations(order, 2))
    )  # fmt: skip
