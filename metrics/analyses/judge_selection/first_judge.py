"""Judges of a ranking against each other: pair by pair; and the first against every other one, over decisions, over criteria and
with chance inside each criterion, also where the order may come from decisions that only one of them answered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from scipy.special import ndtr, ndtri, stdtr, stdtrit

from metrics.analyses.comparison.joint import Everybody
from metrics.analyses.comparison.levels import LEVEL_READINGS, LevelName, Reading, difference_of, disagree
from metrics.analyses.comparison.paired import Statistic
from metrics.analyses.judge_selection.candidates import SNR, Benchmark, Candidate, function_of
from metrics.analyses.judge_selection.side_by_side import Differences, Ints, SideBySide, Told
from metrics.analyses.settings import Settings
from metrics.data.memo import memoised_last
from metrics.data.ratings import Ratings
from metrics.intervals.jackknife import flat_errors
from metrics.measures.arrays import Function
from metrics.measures.catalogue import BY_KEY
from metrics.measures.exact_tests import holm
from metrics.measures.transforms import ROUNDING, Interval, jackknife_error
from metrics.results.estimate import Estimate

WITHIN = "kappa_within"


@dataclass(frozen=True)
class Against:
    """One judge against the first of a ranking, on the decisions both made; `a` of each reading is the first.

    Attributes
    ----------
    readings : mapping
        micro and macro of the metric judges are ranked by; within is κ within criteria. Under another metric than κ that decides
        only where it sets the two apart the other way round: otherwise how metrics differ is told elsewhere.
    """

    name: str
    readings: dict[LevelName, Reading]

    @property
    def disagree(self) -> bool:
        """Whether a reading tells the two apart and another does not, or tells the opposite."""
        metric = self.readings["micro"].metric
        readings = [reading for reading in self.readings.values() if metric in (reading.metric, "kappa")]
        opposite = len({reading.sign for reading in self.readings.values() if reading.settled}) > 1
        return opposite or (disagree(readings) and any(reading.settled for reading in readings))


def against_first(
    ratings: Ratings, usable: Sequence[Candidate], key: str, benchmark: Benchmark | None, settings: Settings
) -> tuple[Against, ...]:
    """Return every judge that has a value against the first of them, over decisions, over criteria and within criteria.

    Parameters
    ----------
    ratings : Ratings
    usable : sequence of Candidate
        Judges of these ratings that have a value, best first.
    key : str
        Metric they are ranked by.
    benchmark : Benchmark or None
        Its prevalence is read by SNR alone.
    settings : Settings

    Returns
    -------
    tuple of Against
        Empty with one criterion, fewer than two judges, or no items.
    """
    if not ratings.has_items or len(ratings.criteria) < 2 or len(usable) < 2:
        return ()
    names = tuple(candidate.name for candidate in usable)
    everybody = Everybody.of(ratings, replace(settings, judges=names), "micro", None)
    function, metrics = function_of(key, benchmark), (key, key, WITHIN)
    statistics = Statistic(function, "pooled"), Statistic(function, "mean"), Statistic(BY_KEY[WITHIN].function, "joint")
    out = []
    for place, name in enumerate(names[1:], 1):
        n, compared = everybody.compared(statistics, (0, place))
        readings = {
            level: Reading(
                metric, a, b, (n, n), difference_of(b - a, error, units, settings.confidence), None, settings.confidence
            )
            for level, metric, (a, b, error, units) in zip(LEVEL_READINGS, metrics, compared, strict=True)
        }
        out.append(Against(name, readings))
    return tuple(out)


@dataclass(frozen=True)
class LeftOpen:
    """One judge against the first of a ranking; `a` of the first two readings is the first.

    Attributes
    ----------
    common, whole : Reading
        On the decisions both answered, and on all that each answered, by which judges are ranked.
    rest : Reading
        The difference on all, `b`, less that on the decisions both answered, `a`: what is left open adds to it.
    """

    name: str
    common: Reading
    whole: Reading
    rest: Reading

    @property
    def decides(self) -> bool:
        """Whether what is left open adds to the lead of the first, and the decisions both answered do not show a lead."""
        shown = self.common.settled and self.common.sign == self.whole.sign
        return self.rest.settled and self.rest.sign == self.whole.sign and not shown


def left_open_first(
    ratings: Ratings, usable: Sequence[Candidate], key: str, benchmark: Benchmark | None, settings: Settings,
    criterion: str | None,
) -> tuple[LeftOpen, ...]:  # fmt: skip
    """Return judges that answered other decisions than the first did, against it.

    Parameters
    ----------
    ratings : Ratings
    usable : sequence of Candidate
        Judges of these ratings that have a value, best first.
    key : str
        Metric they are ranked by.
    benchmark : Benchmark or None
        Its prevalence is read by SNR alone.
    settings : Settings
    criterion : str or None
        Decisions of this criterion alone; None for all.

    Returns
    -------
    tuple of LeftOpen
        Empty where all answered the same decisions, there are fewer than two judges, or the file has no items.
    """
    if not ratings.has_items or len(usable) < 2:
        return ()
    names = tuple(candidate.name for candidate in usable)
    everybody = Everybody.of(ratings, replace(settings, judges=names), "micro", criterion)
    answered = everybody.cells < everybody.k**2
    other = [place for place in range(1, len(names)) if (answered[0] != answered[place]).any()]
    statistic = Statistic(function_of(key, benchmark), "pooled")
    return tuple(LeftOpen(names[place], *_readings(everybody, place, statistic, key, settings.confidence)) for place in other)


def _readings(everybody: Everybody, place: int, statistic: Statistic, key: str, confidence: float) -> tuple[Reading, ...]:
    """Return the first judge and another on what both answered, on all that each did, and what the second adds to the first."""
    masks = [everybody.cells[judge] < everybody.k**2 for judge in (0, place)]
    whole = [everybody.tables(judge, kept) for judge, kept in zip((0, place), masks, strict=True)]
    common = [everybody.tables(judge, masks[0] & masks[1]) for judge in (0, place)]
    there = (whole[0] + whole[1]).sum((1, 2, 3)) > 0
    times = everybody.times[there].astype(np.float64)
    out, left = [], []
    for tables in (common, whole):
        first, second = (np.tensordot(everybody.times, side, 1) for side in tables)
        left.append(statistic.difference(first - tables[0][there], second - tables[1][there]))
        a, b = (float(value) for value in statistic.both(first, second))
        difference = difference_of(b - a, float(jackknife_error(left[-1], times)), int(times.sum()), confidence)
        out.append(Reading(key, a, b, (int(first.sum()), int(second.sum())), difference, None, confidence))
    before, after = (reading.difference.value for reading in out)
    error = float(jackknife_error(left[1] - left[0], times))
    difference = difference_of(after - before, error, int(times.sum()), confidence)
    return *out, Reading(key, before, after, (out[0].n[0], out[1].n[0]), difference, None, confidence)


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
