"""Two answers in either order: does the judge keep its preference, does the place decide, and which system does it favour?

A column beside the verdict (`verdict_swapped`, or `gpt4_swapped` beside `gpt4`) holds what the judge said with the answers
swapped, named by the answer (mapped back), as the verdict is. A decision is consistent where both orders name the same answer,
or both say tie.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr

from metrics.analyses.abstention.nonresponse import Share, share_of
from metrics.analyses.preferences.compute import CODES, TIE, labels_of
from metrics.analyses.settings import settings_of
from metrics.data.answer_orders import OTHER_ORDER, other_orders
from metrics.data.labels import Scheme
from metrics.data.pairs import cell_ratings, cells_of, reference_states
from metrics.data.ratings import Ratings
from metrics.data.unique_items import kinds_of
from metrics.data.vocabulary import normalise
from metrics.errors import InputError
from metrics.intervals.single_table import wilson
from metrics.measures.arrays import FloatArray, safe_ratio
from metrics.measures.exact_tests import holm, sign_test
from metrics.measures.transforms import Interval, Transform, interval_around, jackknife_error, student
from metrics.results import words
from metrics.results.estimate import Estimate

SIGNIFICANT = 0.05
"""p below which a place decides more than chance would."""
# In the place of an answer, where there is none in an order.
NOT_ANSWERED = -1
LEVEL = 0.05
"""Of a difference between judge and reference, after Holm for the number of systems."""
# Names of the two columns, either pair.
COLUMNS = (("model_a", "model_b"), ("system_a", "system_b"))


@dataclass(frozen=True, eq=False)
class Positions:
    """One judge in both orders.

    Attributes
    ----------
    counts : ndarray of int64, shape (3, 3)
        Order of the file in rows, swapped order in columns: first, second, tie, by the answers' own names.
    n, n_left_out : int
        Decisions answered in both orders, and those that were not.
    consistent : Share
        Decisions with the same answer in both orders.
    first_place : Share
        Of the decisions whose winner changes with the order, those that go to the answer shown first. One half is no leaning.
    p : float
        Exact binomial test that it is one half, for decisions of one criterion only; NaN elsewhere, and where none changes.
    right : dict
        Share of decisions that agree with the reference: `file` as in the file's order, `swapped` in the other, and
        `consistent` of the decisions with one winner in both orders.
    """

    judge: str
    labels: tuple[str, str, str]
    counts: NDArray[np.int64]
    n: int
    n_left_out: int
    consistent: Share
    first_place: Share
    p: float
    right: dict[str, Share]

    @property
    def place_decides(self) -> bool:
        """Whether the answers that win by their place are more often first, or second, than chance would have it."""
        if not math.isnan(self.p):
            return self.p < SIGNIFICANT
        ends = self.first_place.ends
        return ends is not None and (ends[0] > 0.5 or ends[1] < 0.5)

    @property
    def by_place(self) -> bool:
        """Whether most verdicts change with the order, and are wrong in the other: a column may name places, not answers."""
        ends = [self.consistent.ends, self.right["swapped"].ends]
        return all(pair is not None and pair[1] < 0.5 for pair in ends)


def swapped_column(ratings: Ratings, judge: str) -> str | None:
    """Return the column with the verdicts of a judge in the other order, where the file has one."""
    if ratings.table is None:
        return None
    names: list[str] = ratings.table.column_names
    wanted = {normalise(name) for name in OTHER_ORDER}
    named = next((name for name in names if normalise(name) in wanted), None)
    if named is not None:
        return named
    rating, answers = _answers(ratings, judge)
    own = (swapped for swapped, one in other_orders(names).items() if _says(ratings, one, ratings.row[rating], answers))
    return next(own, None)


def _answers(ratings: Ratings, judge: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the ratings of a judge, one of each decision, and its answers in them."""
    places = cell_ratings(ratings, judge, "judge")
    rating = places[places >= 0]
    return rating, answers_of(ratings.scheme, ratings.state[rating])


def _says(ratings: Ratings, column: str, rows: NDArray[np.int64], answers: NDArray[np.int64]) -> bool:
    """Return whether a column of the file is where the answers come from."""
    return bool(len(rows)) and bool((_of_column(ratings, column, rows) == answers).all())


def positions(ratings: Ratings, judge: str, *, reference: str = "auto", confidence: float = 0.95) -> Positions:
    """Return what the order of the two answers does to one judge.

    Parameters
    ----------
    ratings : Ratings
        With a column that `swapped_column` finds, whose words are those of the verdict.
    judge : str
    reference : str
        `majority` or `unanimous` of the humans, or one human's name.
    confidence : float
        In (0, 1).

    Raises
    ------
    InputError
        Where there is no such column, or labels that are not two answers.
    """
    settings = settings_of(ratings, reference=reference, judges=[judge], confidence=confidence)
    column, labels = swapped_column(ratings, judge), labels_of(ratings)
    if column is None:
        raise InputError(f"{ratings.source.name}: no column contains the verdict of the other order. Name it {OTHER_ORDER[0]}.")
    ratings = kinds_of(ratings, column)
    places = cell_ratings(ratings, judge, "judge")
    cell = np.flatnonzero(places >= 0)
    rating = places[cell]
    file = answers_of(ratings.scheme, ratings.state[rating])
    swapped = _of_column(ratings, column, ratings.row[rating])
    truth = answers_of(ratings.scheme, reference_states(ratings, settings.reference)[cell])
    answered = (file >= 0) & (swapped >= 0)
    items = cells_of(ratings).item[cell]
    times = ratings.weight[items]
    single_criterion = len(ratings.criteria) == 1

    def share(event: NDArray[np.bool_], of: NDArray[np.bool_]) -> Share:
        return _share(event[of], items[of], times[of], confidence)

    turned = answered & (file != swapped) & (file != TIE) & (swapped != TIE)
    same, known = answered & (file == swapped), answered & (truth >= 0)
    firm = same & known & (file != TIE)
    changed, to_first = int(times @ turned), int(times @ (turned & (file == 0)))
    counts = np.bincount(file[answered] * 3 + swapped[answered], weights=times[answered], minlength=9)
    return Positions(
        judge=judge,
        labels=labels,
        counts=counts.astype(np.int64).reshape(3, 3),
        n=int(times @ answered),
        n_left_out=int(times @ ~answered),
        consistent=share(same, answered),
        first_place=share(file == 0, turned),
        p=sign_test(to_first, changed - to_first) if single_criterion and changed else float("nan"),
        right={
            "file": share(file == truth, known),
            "swapped": share(swapped == truth, known),
            "consistent": share(file == truth, firm),
        },
    )


def answers_of(scheme: Scheme, states: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
    """Return the answer of each state: 0 the first, 1 the second, `TIE`; `NOT_ANSWERED` for all else.

    Parameters
    ----------
    scheme : Scheme
    states : ndarray of int, shape (n,)
        On the raw verdict axis.

    Returns
    -------
    ndarray of int64, shape (n,)
    """
    place = np.full(scheme.n_states + 1, NOT_ANSWERED)
    place[:2] = 0, 1
    place[scheme.state("tie")] = TIE
    answers: NDArray[np.int64] = place[states]
    return answers


def _of_column(ratings: Ratings, column: str, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return answers of a column of the file, by the meaning that the labels have; words without one are no answer."""
    assert ratings.table is not None
    coded = ratings.table[column].combine_chunks().cast("string").take(rows).dictionary_encode()
    kinds = {normalise(label) for label, _ in ratings.scheme.kinds}
    answer_by_code = np.full(len(coded.dictionary) + 1, NOT_ANSWERED)
    for place, word in enumerate(coded.dictionary.to_pylist()):
        if word is not None and normalise(word) in kinds:
            answer_by_code[place] = answers_of(ratings.scheme, ratings.scheme.states([word.strip()]))[0]
    indices = np.asarray(coded.indices.fill_null(len(coded.dictionary)), np.int64)
    answers: NDArray[np.int64] = answer_by_code[indices]
    return answers


def _share(event: NDArray[np.bool_], items: NDArray[np.integer[Any]], times: NDArray[np.int64], confidence: float) -> Share:
    """Return share of decisions, whole items left out at a time."""
    _, first, which = np.unique(items, return_index=True, return_inverse=True)
    n = int(which.max(initial=-1)) + 1
    hits, decisions = np.bincount(which, weights=event, minlength=n), np.bincount(which, minlength=n)
    return share_of(hits, decisions, times[first], confidence)


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
