"""People who give numbers: how far they agree, and whether a judge agrees with them as one of them does."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.scores.result import AmongPeople
from metrics.analyses.scores.scored import numbers_by_rater
from metrics.data.ratings import Ratings
from metrics.data.unique_items import kinds_of, multiples
from metrics.intervals.cluster import clusters_of
from metrics.measures.arrays import FloatArray, safe_ratio
from metrics.measures.moments import Sums, pearson
from metrics.measures.transforms import (
    Interval,
    covering,
    interval_around,
    jackknife_error,
    of_difference,
    student,
    transformed,
    wider,
)
from metrics.measures.units import raters_of_other_ends
from metrics.results.estimate import Estimate
from metrics.results.words import shorten

LEAST = 10
"""Decisions that a person must share with the judge and another person to be in the mean."""
DRAWS, SEED = 999, 20240501
MOST_UNITS = 1_000
"""Items above which nobody is exchanged: few of them carry nothing then, and the interval alone tells."""
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class _Numbers:
    """Numbers of the judge, in the first column, and of people, NaN where there is none; the criterion and unit of each row.

    A row stands for `times` decisions in one unit, and `alike` units are like each.
    """

    given: FloatArray
    criterion: Ints
    unit: Ints
    times: Ints
    alike: Ints

    def at(self, rows: NDArray[Any]) -> _Numbers:
        parts = {name: getattr(self, name)[rows] for name in ("given", "criterion", "unit", "times")}
        return replace(self, **parts)

    def on(self, criterion: int) -> _Numbers:
        return self.at(self.criterion == criterion)

    def single(self) -> _Numbers:
        """Return the same with every unit by itself."""
        copies = self.alike[self.unit]
        rows = np.repeat(np.arange(len(copies)), copies)
        which = np.arange(len(rows)) - np.repeat(np.cumsum(copies) - copies, copies)
        first = np.cumsum(self.alike) - self.alike
        alone = self.at(rows)
        return replace(alone, unit=first[alone.unit] + which, alike=np.ones(int(self.alike.sum()), np.int64))

    def exchanged(self, person: int, present: NDArray[np.bool_]) -> FloatArray:
        """Return the numbers with the judge's in the place of a person's on the units where that person is, and reversed."""
        given, rows = self.given.copy(), present[self.unit, person]
        given[rows, 0], given[rows, person] = self.given[rows, person], self.given[rows, 0]
        return given


def among_people(ratings: Ratings, judge: str, unit: str = "item", confidence: float | None = 0.95) -> AmongPeople | None:
    """Return how far people agree in their numbers, and the judge with them; None with fewer than two people who give some.

    Parameters
    ----------
    ratings : Ratings
        With numbers.
    judge : str
    unit : str
        "item", or a column of the file that groups items.
    confidence : float or None
        In (0, 1); None for no intervals, and no one exchanged.

    References: Krippendorff (2019), Content Analysis, ch. 12; Pitman (1938), Biometrika 29, 322-335.
    """
    grouped = unit != "item"
    ratings = kinds_of(ratings, *([clusters_of(ratings, unit).column] if grouped else []))
    by_rater, item, criterion = numbers_by_rater(ratings, judge)
    if np.isfinite(by_rater[:, 1:]).any(0).sum() < 2:
        return None
    of_item = clusters_of(ratings, unit).of_item if grouped else np.arange(ratings.n_unique)
    _, first, places = np.unique(of_item[item], return_index=True, return_inverse=True)
    times, copies = multiples(ratings, item, grouped=grouped)
    alike = copies[first].astype(np.int64)
    numbers = _Numbers(by_rater, criterion.astype(np.int64), places.astype(np.int64), times.astype(np.int64), alike)
    alpha, apart = _alpha(numbers, confidence), _scales_apart(numbers, ratings.humans)
    trials = [_Trial.of(numbers.on(c), person) for c in np.unique(criterion) for person in range(1, by_rater.shape[1])]
    trials = [trial for trial in trials if trial.counts]
    if not trials:
        nothing = Estimate(math.nan, why=f"nobody shares {LEAST} decisions with the judge and another person, and varies on them")
        return AmongPeople(alpha, nothing, nothing, nothing, math.nan, 0, 0, confidence or 0.95, apart)
    judged, human = np.mean([[pearson(side.all) for side in trial.sides] for trial in trials], axis=0).tolist()
    made = AmongPeople(
        alpha, Estimate(judged), Estimate(human), Estimate(judged - human), math.nan,
        len({trial.person for trial in trials}), int(alike[np.unique(np.concatenate([t.unit for t in trials]))].sum()),
        confidence or 0.95, apart,
    )  # fmt: skip
    return made if confidence is None else _with_intervals(made, trials, numbers)


def _scales_apart(numbers: _Numbers, people: Sequence[str]) -> str:
    """Return why people may use two scales, on the first criterion where they do."""
    names = [shorten(name) for name in people]
    parts = (numbers.on(c) for c in np.unique(numbers.criterion))
    apart = (raters_of_other_ends(part.given[:, 1:], names, part.times * part.alike[part.unit]) for part in parts)
    return next(filter(None, apart), "")


@dataclass(frozen=True, eq=False)
class _Trial:
    """One person left out on one criterion: the sums by unit of the judge, and of that person, beside the mean of the others."""

    person: int
    criterion: int
    unit: Ints
    sides: tuple[Sums, ...]

    @property
    def counts(self) -> bool:
        return bool(self.sides) and all(side.all.n >= LEAST and np.isfinite(pearson(side.all)) for side in self.sides)

    @staticmethod
    def of(numbers: _Numbers, person: int) -> _Trial:
        kept, sides = _sums(numbers, person)
        return _Trial(person, int(numbers.criterion[0]), numbers.unit[kept], sides)


def _sums(numbers: _Numbers, person: int) -> tuple[NDArray[np.bool_], tuple[Sums, ...]]:
    """Return the rows that judge, person and another person gave, and the sums of judge and person beside the others' mean."""
    given = numbers.given
    others = np.delete(given[:, 1:], person - 1, axis=1)
    n = np.isfinite(others).sum(1)
    mean = safe_ratio(np.nan_to_num(others).sum(1), n)
    kept = np.isfinite(mean) & np.isfinite(given[:, 0]) & np.isfinite(given[:, person])
    if not kept.any():
        return kept, ()
    sides = (given[kept, 0], given[kept, person])
    there = numbers.at(kept)
    return kept, tuple(Sums.of(mean[kept], side, there.unit, there.alike, there.times) for side in sides)


def _with_intervals(made: AmongPeople, trials: Sequence[_Trial], numbers: _Numbers) -> AmongPeople:
    """Return the same with intervals of leaving one unit out, and with the p of exchanging the judge."""
    of_trials = np.array([[pearson(side.without_each) for side in trial.sides] for trial in trials])
    used = np.unique(np.concatenate([trial.unit for trial in trials]))
    judge, human = of_trials.mean(0)[:, used]
    without, alike = np.column_stack([judge, human, judge - human]), numbers.alike[used].astype(np.float64)
    errors, quantile = jackknife_error(without, alike), student(made.n_items - 1, made.confidence)
    values = made.judge.value, made.human.value
    ends = [transformed(value, float(error), "fisher", quantile) for value, error in zip(values, errors[:2], strict=True)]
    if np.isnan([*errors, *np.ravel(ends)]).any():
        why = "leaving one item out leaves it undefined or does not move it"
        judge_of, human_of, gap = (replace(one, why=why) for one in (made.judge, made.human, made.difference))
        return replace(made, judge=judge_of, human=human_of, difference=gap)
    reach, difference = quantile * float(errors[2]), made.difference.value
    plain = difference - reach, difference + reach
    both = wider(plain, of_difference(values, (ends[0], ends[1]), without, alike))
    judge_of, human_of = (
        Estimate(value, Interval(*covering(value, end), "jackknife")) for value, end in zip(values, ends, strict=True)
    )
    gap = Estimate(difference, Interval(*both, "paired jackknife+mover"))
    p = _exchanged(difference, trials, numbers) if gap.sign else math.nan
    return replace(made, judge=judge_of, human=human_of, difference=gap, p=p)


def _exchanged(observed: float, trials: Sequence[_Trial], numbers: _Numbers) -> float:
    """Return how often the difference is as far from 0 where each unit's place of the judge goes to one of its raters at random.

    NaN with more than `MOST_UNITS`.
    """
    n_units, n_raters = int(numbers.alike.sum()), numbers.given.shape[1]
    if n_units > MOST_UNITS:
        return math.nan
    numbers = numbers.single()
    present = np.zeros((n_units, n_raters), bool)
    np.logical_or.at(present, numbers.unit, np.isfinite(numbers.given))
    present[~present[:, 0]] = np.eye(1, n_raters, dtype=bool)
    options = [numbers.given] + [numbers.exchanged(person, present) for person in range(1, n_raters)]
    everywhere = _Numbers(
        given=np.concatenate(options),
        criterion=np.tile(numbers.criterion, n_raters),
        unit=np.concatenate([numbers.unit + n_units * at for at in range(n_raters)]),
        times=np.tile(numbers.times, n_raters),
        alike=np.ones(n_raters * n_units, np.int64),
    )
    drawn = np.where(present, np.random.default_rng(SEED).random((DRAWS, n_units, n_raters)), -1.0).argmax(2)
    chosen = np.zeros((DRAWS, n_raters * n_units))
    np.put_along_axis(chosen, drawn * n_units + np.arange(n_units), 1.0, axis=1)
    total = np.zeros(DRAWS)
    for trial in trials:
        _, sides = _sums(everywhere.on(trial.criterion), trial.person)
        judge, human = (pearson(side.moments(side.rows @ chosen.T)) for side in sides)
        total += judge - human
    as_far = np.abs(total / len(trials)) >= abs(observed) - 1e-12
    return (1 + int(as_far.sum())) / (DRAWS + 1)


def _alpha(numbers: _Numbers, confidence: float | None) -> Estimate:
    """Return Krippendorff's α of people, its mean over criteria, with the interval of leaving one unit out."""
    parts = [_of_alpha(numbers.on(c)) for c in np.unique(numbers.criterion)]
    values, without = np.array([value for value, _ in parts]), np.array([left for _, left in parts])
    defined = np.isfinite(values)
    if not defined.any():
        return Estimate(math.nan, why="no two people gave numbers on one item, or all their numbers are equal")
    value, n = float(values[defined].mean()), int(numbers.alike.sum())
    of = (int(defined.sum()), len(values)) if len(values) > 1 else None
    if confidence is None or n < 2:
        return Estimate(value, of=of)
    error = float(jackknife_error(without[defined].mean(0), numbers.alike.astype(np.float64)))
    interval = interval_around(value, error, "fisher", student(n - 1, confidence), "jackknife")
    why = "" if interval else "leaving one item out leaves it undefined or does not move it"
    return Estimate(value, interval, why, of)


def _of_alpha(numbers: _Numbers) -> tuple[float, FloatArray]:
    """Return α of one criterion, and without each unit."""
    people = numbers.given[:, 1:]
    m = np.isfinite(people).sum(1)
    paired, n_units = m > 1, len(numbers.alike)
    if not paired.any():
        return math.nan, np.full(n_units, math.nan)
    people, m, unit, times = people[paired], m[paired], numbers.unit[paired], numbers.times[paired]
    stands_for = times * numbers.alike[unit]
    about = people - np.nansum(people * stands_for[:, None]) / (m @ stands_for)
    x, squares = np.nansum(about, axis=1), np.nansum(about**2, axis=1)
    within = m / (m - 1) * np.maximum(squares - x**2 / m, 0.0)
    rows = np.stack([np.bincount(unit, weights=times * row, minlength=n_units) for row in (m, x, squares, within)])
    total = (rows * numbers.alike).sum(1, keepdims=True)
    value, without = (_alpha_of(sums) for sums in (total, total - rows))
    return float(value[0]), without


def _alpha_of(sums: FloatArray) -> FloatArray:
    """Return α from numbers of ratings, their sum and squares, and what lies within units, shape (4, U)."""
    n, x, squares, within = sums
    spread = squares - safe_ratio(x**2, n)
    return 1 - safe_ratio(safe_ratio(within, n), safe_ratio(np.where(spread > 1e-12 * np.abs(squares), spread, 0.0), n - 1))
