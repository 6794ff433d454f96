"""Who wins how often: the systems behind the two answers, by the reference and by the judge.

Two columns name the system that gave the first and the second answer. A win counts 1, a tie one half; every decision counts for
both of its systems, so that all shares of wins have a mean of one half, weighted by decisions.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr

from metrics.analyses.preferences.compute import CODES, labels_of
from metrics.analyses.preferences.positions import answers_of
from metrics.analyses.settings import settings_of
from metrics.data.pairs import cell_ratings, cells_of, reference_states
from metrics.data.ratings import Ratings
from metrics.data.unique_items import kinds_of
from metrics.data.vocabulary import normalise
from metrics.errors import InputError
from metrics.intervals.single_table import wilson
from metrics.measures.arrays import FloatArray, safe_ratio
from metrics.measures.exact_tests import holm
from metrics.measures.transforms import Interval, Transform, interval_around, jackknife_error, student
from metrics.results import words
from metrics.results.estimate import Estimate

LEVEL = 0.05
"""Of a difference between judge and reference, after Holm for the number of systems."""
# Names of the two columns, either pair.
COLUMNS = (("model_a", "model_b"), ("system_a", "system_b"))


@dataclass(frozen=True)
class System:
    """One system.

    Attributes
    ----------
    n, n_items : int
        Decisions it is part of that both sides answered, and their items.
    reference, judge : Estimate
        Share of them that it wins, a tie counting one half.
    difference : Estimate
        Judge less reference, on the same decisions.
    p, corrected : float
        Two-sided, of no difference, by the same jackknife; and after Holm for the number of systems. NaN without an interval.
    first : float
        Share of the decisions in which it gave the first answer.
    for_first : float
        Share of wins of the first answer by the judge less that by the reference, over all systems.
    """

    name: str
    n: int
    n_items: int
    reference: Estimate
    judge: Estimate
    difference: Estimate
    p: float = math.nan
    corrected: float = math.nan
    first: float = math.nan
    for_first: float = 0.0

    @property
    def sign(self) -> int:
        """Direction of a difference that holds among those of all systems, else 0."""
        return self.difference.sign if self.corrected <= LEVEL else 0

    @property
    def may_be_place(self) -> bool:
        """Whether such a difference need be no more than what its places make, if the first answer is favoured of all alike."""
        by_place = self.for_first * (2 * self.first - 1)
        ends = self.difference.ends
        return bool(self.sign and ends and words.side_of_0((ends[0] - by_place, ends[1] - by_place)) != self.sign)


def system_columns(ratings: Ratings) -> tuple[str, str] | None:
    """Return the columns that name the systems of the first and the second answer, where the file has them."""
    if ratings.table is None:
        return None
    column_names = {normalise(name): name for name in reversed(ratings.table.column_names)}
    for first, second in COLUMNS:
        pair = column_names.get(normalise(first)), column_names.get(normalise(second))
        if pair[0] and pair[1]:
            return pair[0], pair[1]
    return None


def systems(ratings: Ratings, judge: str, *, reference: str = "auto", confidence: float = 0.95) -> tuple[System, ...]:
    """Return how often each system wins, the most often by the reference first.

    Intervals by leaving whole items out, on the logit scale; Wilson for a share of 0 or 1.

    Parameters
    ----------
    ratings : Ratings
        With two columns of `COLUMNS`.
    judge : str
    reference : str
        `majority` or `unanimous` of the humans, or one human's name.
    confidence : float
        In (0, 1).

    Raises
    ------
    InputError
        Where no two columns name the systems, and where labels are not two answers.
    """
    settings = settings_of(ratings, reference=reference, judges=[judge], confidence=confidence)
    columns = system_columns(ratings)
    if columns is None:
        raise InputError(f"{ratings.source.name}: no two columns name the systems. Call them {' and '.join(COLUMNS[0])}.")
    labels_of(ratings)
    ratings = kinds_of(ratings, *columns)
    places = cell_ratings(ratings, judge, "judge")
    cell = np.flatnonzero(places >= 0)
    rating = places[cell]
    verdict = answers_of(ratings.scheme, ratings.state[rating])
    truth = answers_of(ratings.scheme, reference_states(ratings, settings.reference)[cell])
    names, first, second = named_systems(ratings, columns, ratings.row[rating])
    kept = (verdict >= 0) & (truth >= 0) & (first >= 0) & (second >= 0) & (first != second)
    item = cells_of(ratings).item[cell][kept]
    credit = np.stack([CODES[truth[kept]], CODES[verdict[kept]]])
    times = ratings.weight[item]
    for_first = float(safe_ratio(times @ (credit[1] - credit[0]), times.sum()))
    standings = []
    for place, name in enumerate(names):
        as_first, as_second = first[kept] == place, second[kept] == place
        mine = as_first | as_second
        if mine.any():
            system_credit = np.where(as_first, credit, 1 - credit)[:, mine]
            own = _system(name, system_credit, item[mine], times[mine], confidence)
            share = float(times[as_first].sum() / times[mine].sum())
            standings.append(replace(own, first=share, for_first=for_first))
    tested = zip(standings, holm([system.p for system in standings]), strict=True)
    return tuple(sorted((replace(one, corrected=p) for one, p in tested), key=lambda one: (-one.reference.value, one.name)))


def named_systems(
    ratings: Ratings, columns: tuple[str, str], rows: NDArray[np.int64]
) -> tuple[list[str], NDArray[np.int64], NDArray[np.int64]]:
    """Return names of all systems, and the code of each decision's first and second; -1 where a cell is empty.

    Parameters
    ----------
    ratings : Ratings
    columns : (str, str)
        As `system_columns` returns them.
    rows : ndarray of int64, shape (n,)
        Of the table, one for each decision.
    """
    assert ratings.table is not None
    texts = [ratings.table[name].cast("string").combine_chunks().take(rows).to_pylist() for name in columns]
    trimmed = [[(text or "").strip() for text in column] for column in texts]
    names = sorted({text for column in trimmed for text in column} - {""})
    code = {name: place for place, name in enumerate(names)} | {"": -1}
    first, second = (np.array([code[text] for text in column], np.int64) for column in trimmed)
    return names, first, second


def _system(name: str, credit: FloatArray, item: NDArray[np.integer[Any]], times: NDArray[np.int64], confidence: float) -> System:
    _, first, which = np.unique(item, return_index=True, return_inverse=True)
    weight = times[first]
    sides = [*credit, credit[1] - credit[0]]
    (reference, _), (judge, _), (difference, error) = (
        _mean(side, which, weight, confidence, None if place == 2 else "logit") for place, side in enumerate(sides)
    )
    p = float(2 * stdtr(int(weight.sum()) - 1, -abs(difference.value) / error)) if difference.ends is not None else math.nan
    return System(name, int(times.sum()), int(weight.sum()), reference, judge, difference, p)


def _mean(
    values: FloatArray, which: NDArray[np.integer[Any]], weight: NDArray[np.int64], confidence: float, scale: Transform
) -> tuple[Estimate, float]:
    """Return mean over decisions, whole items left out at a time, and its standard error.

    Each row counts as often as there are items of its kind.
    """
    sums, sizes, n_items = np.bincount(which, weights=values), np.bincount(which), int(weight.sum())
    total, n = float(weight @ sums), int(weight @ sizes)
    value = total / n
    if n_items < 2:
        return Estimate(value), math.nan
    error = float(jackknife_error((total - sums) / (n - sizes), weight.astype(np.float64)))
    interval = interval_around(value, error, scale, student(n_items - 1, confidence), "jackknife")
    if interval is None and scale is not None:
        interval = Interval(*wilson(value * n_items, n_items, confidence), "wilson")
    return Estimate(value, interval), error
