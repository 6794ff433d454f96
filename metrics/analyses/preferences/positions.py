"""Asked twice with the two answers in either order: does the judge keep its preference, or does the place decide?

A column beside the verdict (`verdict_swapped`, or `gpt4_swapped` beside `gpt4`) holds what the judge said with the answers
swapped, named by the answer (mapped back), as the verdict is. A decision is consistent where both orders name the same answer,
or both say tie.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.abstention.shares import Share, share_of
from metrics.analyses.preferences.compute import TIE, labels_of
from metrics.analyses.settings import settings_of
from metrics.data.answer_orders import OTHER_ORDER, other_orders
from metrics.data.labels import Scheme
from metrics.data.pairs import cell_ratings, cells_of, reference_states
from metrics.data.ratings import Ratings
from metrics.data.unique_items import kinds_of
from metrics.data.vocabulary import normalise
from metrics.errors import InputError
from metrics.measures.exact_tests import sign_test

SIGNIFICANT = 0.05
"""p below which a place decides more than chance would."""
# In the place of an answer, where there is none in an order.
NOT_ANSWERED = -1


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
