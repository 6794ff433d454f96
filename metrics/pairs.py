"""Ratings aligned: the verdict of a rater, a judge or the reference on every (item, criterion) cell."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from metrics.errors import InputError
from metrics.labels import Scheme
from metrics.patterns import Patterns, merge
from metrics.ratings import Ratings, Role
from metrics.references import (
    FEWEST_TO_LEAVE_ONE,
    MAJORITY,
    UNANIMOUS,
    WITHOUT,
    as_reference,
    human_of,
    left_out,
    references_of,
)  # fmt: skip

T = TypeVar("T")


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


def once(ratings: Ratings, key: tuple[object, ...], compute: Callable[[], T]) -> T:
    """The value of `compute()`, kept with this very ratings object."""
    if key not in ratings.memo:
        ratings.memo[key] = compute()
    value: T = ratings.memo[key]
    return value


def latest(ratings: Ratings, slot: tuple[object, ...], key: tuple[object, ...], compute: Callable[[], T]) -> T:
    """As `once`, but a slot keeps the value of the key asked for last only."""
    held = ratings.memo.get(slot)
    if held is None or held[0] != key:
        held = ratings.memo[slot] = key, compute()
    value: T = held[1]
    return value


def cells_of(ratings: Ratings) -> Cells:
    """Every rated cell, and the cell of every rating."""
    return once(ratings, ("cells",), lambda: _cells(ratings))


def verdicts(ratings: Ratings, name: str, role: str) -> NDArray[np.int8]:
    """State of one rater on every cell, shape (n_cells,); `missing` where there is no rating."""
    code = next(i for i, rater in enumerate(ratings.raters) if (rater.name, rater.role) == (name, role))
    own = _ratings_of(ratings, code)
    states = np.full(len(cells_of(ratings)), ratings.scheme.state("missing"), np.int8)
    states[cells_of(ratings).of_rating[own]] = ratings.state[own]
    return states


def reference_name(ratings: Ratings, reference: str) -> str:
    """What the declaration calls the reference: the one human's name, or the rule for several."""
    if len(ratings.humans) == 1 and reference in (MAJORITY, UNANIMOUS, ratings.humans[0]):
        return as_reference(ratings.humans[0], ratings.humans)
    if reference in references_of(ratings.humans):
        return reference
    known = ", ".join((MAJORITY, UNANIMOUS, *(as_reference(name, ratings.humans) for name in ratings.humans[:12])))
    if len(ratings.humans) >= FEWEST_TO_LEAVE_ONE:
        known += f", {WITHOUT}{ratings.humans[0]}"
    raise InputError(f"{ratings.source.name}: no human rater is called {reference!r}. Use one of: {known}.")


def reference_states(ratings: Ratings, reference: str) -> NDArray[np.int8]:
    """State of the reference on every cell, shape (n_cells,).

    With several humans: the most frequent verdict (`majority`; a tie is an abstention), the verdict all gave (`unanimous`;
    else an abstention), the majority of all but one (`majority without NAME`), or a named human's (`human NAME` where the name is
    that of a rule). A failed human call is no rating.
    """
    name = reference_name(ratings, reference)
    return once(ratings, ("reference", name), lambda: _reference(ratings, name))


def patterns_of(ratings: Ratings, judge: str, reference: str) -> Patterns:
    """The items of one judge beside the reference, identical ones merged."""
    name = reference_name(ratings, reference)
    return once(ratings, ("patterns", judge, name), lambda: _patterns(ratings, judge, name))


def cell_ratings(ratings: Ratings, name: str, role: str) -> NDArray[np.int64]:
    """Place of one rater's rating of every cell, shape (n_cells,); -1 where there is none."""
    own = _ratings_of(ratings, next(i for i, r in enumerate(ratings.raters) if (r.name, r.role) == (name, role)))
    places = np.full(len(cells_of(ratings)), -1, np.int64)
    places[cells_of(ratings).of_rating[own]] = own
    return places


def _cells(ratings: Ratings) -> Cells:
    n_criteria = max(1, len(ratings.criteria))
    key = ratings.item.astype(np.int64) * n_criteria + ratings.criterion
    size = ratings.n_kinds * n_criteria
    if size <= 4 * len(key) + 1_000_000:
        present = np.zeros(size, bool)
        present[key] = True
        distinct = np.flatnonzero(present)
        if len(distinct) < size:
            key = (np.cumsum(present) - 1)[key]
    else:
        distinct, key = np.unique(key, return_inverse=True)
    return Cells((distinct // n_criteria).astype(np.int32), (distinct % n_criteria).astype(np.int32), key)


def _ratings_of(ratings: Ratings, rater: int) -> NDArray[np.int64]:
    """Places of one rater's ratings, from one sort kept for all raters."""
    order, starts = once(ratings, ("by rater",), lambda: _by_rater(ratings))
    return order[starts[rater] : starts[rater + 1]]


def _by_rater(ratings: Ratings) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    n = len(ratings.raters)
    codes = ratings.rater.astype(np.uint16) if n < 2**16 else ratings.rater
    order = np.argsort(codes, kind="stable")
    return order, np.concatenate([[0], np.cumsum(np.bincount(codes, minlength=n))])


def _reference(ratings: Ratings, name: str) -> NDArray[np.int8]:
    missing, error = ratings.scheme.state("missing"), ratings.scheme.state("error")
    human = human_of(name, ratings.humans)
    if human is not None:
        states = verdicts(ratings, human, "human")
        states[states == error] = missing
        return states
    humans = [own for own in ratings.humans if own != left_out(name, ratings.humans)]
    return decided(votes_of(ratings, humans, "human"), ratings.scheme, unanimous=name == UNANIMOUS)


def votes_of(ratings: Ratings, names: Collection[str], role: Role) -> NDArray[np.int32]:
    """Ratings per cell and state by the named raters of a role, shape (n_cells, R)."""
    asked = np.array([rater.role == role and rater.name in names for rater in ratings.raters])[ratings.rater]
    r = ratings.scheme.n_states
    place = cells_of(ratings).of_rating[asked] * r + ratings.state[asked]
    return np.bincount(place, minlength=len(cells_of(ratings)) * r).reshape(-1, r).astype(np.int32)


def decided(votes: NDArray[np.int32], scheme: Scheme, *, unanimous: bool) -> NDArray[np.int8]:
    """What several ratings come to: the most frequent one, a tie being an abstention; or the one all gave, else an abstention.

    Answers without a verdict are one option, and keep their kind where it wins and is one kind only. Failed calls do not count.

    Parameters
    ----------
    votes : ndarray of int, shape (n, R)
        Ratings per state of the raw verdict axis.

    Returns
    -------
    ndarray of int8, shape (n,)
        State; `missing` where there is no rating.
    """
    k, silent = scheme.n_classes, slice(scheme.n_classes, scheme.state("error"))
    options = np.concatenate([votes[:, :k], votes[:, silent].sum(1, keepdims=True)], axis=1)
    total, best, winner = options.sum(1), options.max(1), options.argmax(1)
    clear = best == total if unanimous else (options == best[:, None]).sum(1) == 1
    states = np.where(clear, winner, scheme.state("abstention"))
    only_one_kind = clear & (winner == k) & (votes[:, silent].max(1) == options[:, k])
    states = np.where(only_one_kind, k + votes[:, silent].argmax(1), states)
    return np.where(total == 0, scheme.state("missing"), states).astype(np.int8)


def _patterns(ratings: Ratings, judge: str, reference: str) -> Patterns:
    cells = cells_of(ratings)
    return merge(
        cells.item,
        cells.criterion,
        reference_states(ratings, reference),
        verdicts(ratings, judge, "judge"),
        n_items=ratings.n_kinds,
        n_criteria=len(ratings.criteria),
        n_states=ratings.scheme.n_states,
        multiplicity=ratings.multiplicity,
    )
