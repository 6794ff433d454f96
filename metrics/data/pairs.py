"""Ratings aligned: the verdict of a rater, a judge or the reference on every (item, criterion) cell."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from metrics.data.labels import NUMBER
from metrics.data.memo import memoised
from metrics.data.order import numbers_of
from metrics.data.patterns import Patterns, dense_rank, merge
from metrics.data.ratings import Ratings, Role
from metrics.data.references import (
    AUTO,
    FEWEST_TO_LEAVE_ONE,
    MAJORITY,
    MEAN,
    MEDIAN,
    RULES,
    UNANIMOUS,
    WITHOUT,
    as_reference,
    human_of,
    left_out,
    reference_words,
    rule_in,
    with_article,
)
from metrics.data.scales import scales_of
from metrics.data.vocabulary import normalise
from metrics.data.votes import Votes, between, low_median, settled, verdicts_in
from metrics.errors import InputError


@dataclass(frozen=True, eq=False)
class Cells:
    """The (item, criterion) pairs that anyone rated, by item and then criterion.

    Attributes
    ----------
    item, criterion : ndarray of int32, shape (n_cells,)
    of_rating : ndarray of int64, shape (n_ratings,)
        Cell of each rating.
    """

    item: NDArray[np.int32]
    criterion: NDArray[np.int32]
    of_rating: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.item)


def cells_of(ratings: Ratings) -> Cells:
    """Return every rated cell, and the cell of every rating."""
    return memoised(ratings, ("cells",), lambda: _cells(ratings))


def verdicts(ratings: Ratings, name: str, role: Role) -> NDArray[np.int8]:
    """Return state of one rater on every cell.

    Parameters
    ----------
    ratings : Ratings
    name : str
    role : str

    Returns
    -------
    ndarray of int8, shape (n_cells,)
        State on the raw verdict axis; `missing` where there is no rating.
    """
    rating_places, cells = _ratings_of(ratings, ratings.code(name, role)), cells_of(ratings)
    states = np.full(len(cells), ratings.scheme.state("missing"), np.int8)
    states[cells.of_rating[rating_places]] = ratings.state[rating_places]
    return states


def usual_rule(ratings: Ratings) -> str:
    """Return how several humans become one unless told otherwise: the rule that fits every criterion, or `auto` where several
    do.
    """
    return memoised(ratings, ("usual rule",), lambda: _usual_rule(ratings))


def reference_name(ratings: Ratings, reference: str) -> str:
    """Return what the declaration calls the reference: the one human's name, or the rule for several.

    Of `auto` what it comes to.

    Raises
    ------
    InputError
        For an unknown name, and a median or mean of labels that have none.
    """
    humans, file = ratings.humans, ratings.source.name
    if len(humans) == 1 and reference in (*RULES, humans[0]):
        return as_reference(humans[0], humans)
    rule, without = rule_in(reference, humans), left_out(reference, humans)
    if rule == AUTO:
        rule = usual_rule(ratings)
        reference = rule if without is None else f"{rule}{WITHOUT}{without}"
    if rule == MEDIAN and (unordered := _without_order(ratings)):
        raise InputError(f"{file}: a median needs ordered labels; those of {unordered[0]} have no order. Use {AUTO}.")
    if rule == MEAN and ratings.score is None:
        raise InputError(f"{file}: a mean needs numbers; these are labels. Use {AUTO}.")
    if rule or human_of(reference, humans) is not None:
        return reference
    known = ", ".join((*RULES, *(as_reference(name, humans) for name in humans[:12])))
    if len(humans) >= FEWEST_TO_LEAVE_ONE:
        known += f", {MAJORITY}{WITHOUT}{humans[0]}"
    raise InputError(f"{file}: no human rater is called {reference!r}. Use one of: {known}.")


def reference_states(ratings: Ratings, reference: str) -> NDArray[np.int8]:
    """Return state of the reference on every cell, shape (n_cells,).

    With several humans: the most frequent verdict (`majority`), the verdict all gave (`unanimous`), the middle one of ordered
    labels, of two the lower (`median`), or what fits each criterion (`auto`); each also of all but one (`majority without
    NAME`). Who abstains does not vote; verdicts that come to none are a `split`. Or a named human's (`human NAME` where the
    name is that of a rule). A failed human call is no rating.
    """
    name = reference_name(ratings, reference)
    return memoised(ratings, ("reference", name), lambda: _reference(ratings, name))


def settle(ratings: Ratings, votes: Votes, criterion: NDArray[np.int32], rule: str) -> NDArray[np.int8]:
    """Return what the votes of people come to by a rule.

    Parameters
    ----------
    ratings : Ratings
    votes : ndarray of int32, shape (n, R)
        Ratings of each row by state.
    criterion : ndarray of int32, shape (n,)
        Place of each row's criterion in `ratings.criteria`.
    rule : str
        One of `RULES` in `metrics.data.references`.

    Returns
    -------
    ndarray of int8, shape (n,)
        State on the raw verdict axis; `split` where the votes come to none, `missing` where there is no rating.
    """
    states = settled(votes, ratings.scheme, unanimous=rule == UNANIMOUS)
    for place, order in _orders(ratings).items() if rule in (AUTO, MEDIAN) else ():
        rows = np.flatnonzero(criterion == place)
        states[rows] = low_median(votes[rows], ratings.scheme, order)
    return states


@dataclass(frozen=True, eq=False)
class Voted:
    """Where several people gave a verdict, and how far apart they were, of each cell.

    Attributes
    ----------
    several : ndarray of bool, shape (n_cells,)
        Two or more of the people gave a verdict.
    between_labels : ndarray of bool, shape (n_cells,)
        Their median lies between two labels, of which the lower counts.
    upper : ndarray of int8, shape (n_cells,)
        State of the upper of the two there; 0 elsewhere.
    """

    several: NDArray[np.bool_]
    between_labels: NDArray[np.bool_]
    upper: NDArray[np.int8]


def voted(ratings: Ratings, reference: str) -> Voted:
    """Return how people voted where their votes make the reference; nowhere where it is one human."""
    name = reference_name(ratings, reference)
    return memoised(ratings, ("voted", name), lambda: _voted(ratings, name))


def patterns_of(ratings: Ratings, judge: str, reference: str) -> Patterns:
    """Return the items of one judge beside the reference, identical ones merged.

    Parameters
    ----------
    ratings : Ratings
    judge : str
    reference : str
        A rule or a human, as `metrics.agreement` takes it.

    Raises
    ------
    InputError
        For an unknown reference, or the mean of what are no numbers.
    """
    name = reference_name(ratings, reference)
    return memoised(ratings, ("patterns", judge, name), lambda: _patterns(ratings, judge, name))


def with_times(ratings: Ratings, times: NDArray[np.int64], judge: str, reference: str) -> Ratings:
    """Return the same items, each so many times, with the patterns of a judge that are found already.

    Parameters
    ----------
    ratings : Ratings
    times : ndarray of int64, shape (n_unique,)
        How many of each item there are. Every criterion, rater and label is to occur in those that are there.
    judge, reference : str
        As `patterns_of` takes them.
    """
    name = reference_name(ratings, reference)
    tallied = {
        ("cells",): cells_of(ratings),
        ("voted", name): voted(ratings, name),
        ("patterns", judge, name): patterns_of(ratings, judge, name).with_times(times),
    }
    return replace(ratings, multiplicity=times, memo=tallied)


def cell_ratings(ratings: Ratings, name: str, role: Role | None) -> NDArray[np.int64]:
    """Return place of one rater's rating of every cell.

    Parameters
    ----------
    ratings : Ratings
    name : str
    role : str or None

    Returns
    -------
    ndarray of int64, shape (n_cells,)
        Place among the ratings; -1 where there is none.
    """
    rating_places = _ratings_of(ratings, ratings.code(name, role))
    places = np.full(len(cells_of(ratings)), -1, np.int64)
    places[cells_of(ratings).of_rating[rating_places]] = rating_places
    return places


def _cells(ratings: Ratings) -> Cells:
    n_criteria = max(1, len(ratings.criteria))
    key = ratings.item.astype(np.int64) * n_criteria + ratings.criterion
    distinct, of_rating = dense_rank(key, ratings.n_unique * n_criteria)
    return Cells((distinct // n_criteria).astype(np.int32), (distinct % n_criteria).astype(np.int32), of_rating)


def _ratings_of(ratings: Ratings, rater: int) -> NDArray[np.int64]:
    """Return places of one rater's ratings, from one sort kept for all raters."""
    order, starts = memoised(ratings, ("by rater",), lambda: _by_rater(ratings))
    return order[starts[rater] : starts[rater + 1]]


def _by_rater(ratings: Ratings) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    n = len(ratings.raters)
    codes = ratings.rater.astype(np.uint16) if n < 2**16 else ratings.rater
    order = np.argsort(codes, kind="stable")
    return order, np.concatenate([[0], np.cumsum(np.bincount(codes, minlength=n))])


def tied(ratings: Ratings, reference: str) -> NDArray[np.bool_]:
    """Return labels that a split vote could have come to, shape (n_cells, K): those most people gave, or any that one gave."""
    name = reference_name(ratings, reference)
    votes = _human_votes(ratings, name)[:, : ratings.scheme.n_classes]
    enough = 1 if rule_in(name, ratings.humans) == UNANIMOUS else votes.max(1, keepdims=True)
    return np.asarray((votes > 0) & (votes >= enough))


def _usual_rule(ratings: Ratings) -> str:
    orders, numbers = _orders(ratings), scales_of(ratings).of("continuous") if ratings.scheme.of("number") else ()
    rules = {
        MEAN if name in numbers else MEDIAN if place in orders else MAJORITY for place, name in enumerate(ratings.criteria)
    }  # fmt: skip
    return rules.pop() if len(rules) == 1 else AUTO


def _orders(ratings: Ratings) -> dict[int, NDArray[np.int64]]:
    """Return states low to high of every criterion whose labels are ordered."""
    return memoised(ratings, ("orders",), lambda: _ordered(ratings))


def _ordered(ratings: Ratings) -> dict[int, NDArray[np.int64]]:
    if ratings.scheme.scale == "binary":
        return {}
    places = {normalise(name): place for place, name in enumerate(ratings.scheme.classes)}
    stated = {normalise(name) for name in ratings.scheme.order}
    listed = {criterion.name for criterion in ratings.source.rubric if criterion.scale == "ordinal"}
    orders = {}
    for place, scale in enumerate(scales_of(ratings).criteria):
        names = [normalise(name) for name in scale.classes]
        known = bool(names) and (scale.criterion in listed or set(names) <= stated or numbers_of(scale.classes) is not None)
        if scale.scale in ("ordinal", "continuous") and known and NUMBER not in scale.classes:
            orders[place] = np.array([places[name] for name in names])
    return orders


def _without_order(ratings: Ratings) -> list[str]:
    """Return criteria that have no median: neither ordered labels nor numbers."""
    numbers = scales_of(ratings).of("continuous") if ratings.scheme.of("number") else ()
    return [n for place, n in enumerate(ratings.criteria) if place not in _orders(ratings) and n not in numbers]


def _reference(ratings: Ratings, name: str) -> NDArray[np.int8]:
    missing, error = ratings.scheme.state("missing"), ratings.scheme.state("error")
    human = human_of(name, ratings.humans)
    if human is not None:
        states = verdicts(ratings, human, "human")
        states[states == error] = missing
        return states
    rule = rule_in(name, ratings.humans)
    if rule == MEAN and usual_rule(ratings) != MEAN:
        raise InputError(f"{ratings.source.name}: a mean is of numbers; for the labels use the reference {AUTO}.")
    return settle(ratings, _human_votes(ratings, name), cells_of(ratings).criterion, rule)


def _human_votes(ratings: Ratings, name: str) -> Votes:
    """Return votes per cell and state of the humans whom a rule is about."""
    return votes_of(ratings, [human for human in ratings.humans if human != left_out(name, ratings.humans)], "human")


def one_human_each(ratings: Ratings, name: str) -> bool:
    """Return whether a rule for several humans meets one of them at most on every decision, so that there is nothing to
    settle.
    """
    if len(ratings.humans) < 2 or not rule_in(name, ratings.humans):
        return False
    left = left_out(name, ratings.humans)

    def most() -> int:
        asked = np.array([rater.role == "human" and rater.name != left for rater in ratings.raters])[ratings.rater]
        return int(np.bincount(cells_of(ratings).of_rating[asked]).max(initial=0))

    return memoised(ratings, ("most humans on a decision", left), most) == 1


def reference_phrase(ratings: Ratings, name: str, *, article: bool = False) -> str:
    """Return a reference of a file in a sentence.

    Parameters
    ----------
    ratings : Ratings
    name : str
        Of the reference.
    article : bool
        Whether the sentence asks for an article: "the human".
    """
    return (with_article if article else reference_words)(name, one_each=one_human_each(ratings, name))


def _voted(ratings: Ratings, name: str) -> Voted:
    nowhere, upper = np.zeros(len(cells_of(ratings)), bool), np.zeros(len(cells_of(ratings)), np.int8)
    rule = rule_in(name, ratings.humans)
    if not rule or len(ratings.humans) < 2:
        return Voted(nowhere, nowhere, upper)
    votes, criterion, apart = _human_votes(ratings, name), cells_of(ratings).criterion, nowhere.copy()
    for place, order in _orders(ratings).items() if rule in (AUTO, MEDIAN) else ():
        rows = np.flatnonzero(criterion == place)
        apart[rows] = between(votes[rows], order)
        two = rows[apart[rows]]
        upper[two] = low_median(votes[two], ratings.scheme, order[::-1])
    return Voted(verdicts_in(votes, ratings.scheme).sum(1) > 1, apart, upper)


def votes_of(ratings: Ratings, names: Collection[str], role: Role | None) -> NDArray[np.int32]:
    """Return ratings per cell and state by the named raters of a role, shape (n_cells, R).

    Parameters
    ----------
    ratings : Ratings
    names : collection of str
    role : Role or None
        None for raters of whom no role is known.
    """
    asked = np.array([rater.role == role and rater.name in names for rater in ratings.raters])[ratings.rater]
    r = ratings.scheme.n_states
    place = cells_of(ratings).of_rating[asked] * r + ratings.state[asked]
    return np.bincount(place, minlength=len(cells_of(ratings)) * r).reshape(-1, r).astype(np.int32)


def _patterns(ratings: Ratings, judge: str, reference: str) -> Patterns:
    cells = cells_of(ratings)
    return merge(
        cells.item,
        cells.criterion,
        reference_states(ratings, reference),
        verdicts(ratings, judge, "judge"),
        n_items=ratings.n_unique,
        n_criteria=len(ratings.criteria),
        n_states=ratings.scheme.n_states,
        multiplicity=ratings.multiplicity,
    )
