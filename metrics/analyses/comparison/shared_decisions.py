"""What the reference and two judges say on the decisions all three gave."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.agreement.compute import item_verdicts_of
from metrics.analyses.settings import Settings
from metrics.data.abstention import Mode, mode_map
from metrics.data.aggregation import ABSENT, UNDECIDED, Level
from metrics.data.labels import Scheme
from metrics.data.pairs import cells_of, patterns_of, reference_states, verdicts
from metrics.data.ratings import Ratings
from metrics.data.similar_names import alike_sentences
from metrics.errors import InputError
from metrics.measures.arrays import FloatArray


@dataclass(frozen=True, eq=False)
class Shared:
    """What both judges and the reference say, on the axis of the mode; -1 where that does not count.

    `weight` is how often each decision counts: as often as there are items of its kind.
    """

    places: NDArray[np.int64]
    item: NDArray[np.int32]
    weight: NDArray[np.int64]
    criterion: NDArray[np.int32]
    reference: NDArray[np.int64]
    verdicts: tuple[NDArray[np.int64], NDArray[np.int64]]
    n_only: tuple[int, int]
    n_no_reference: int
    criteria: tuple[str, ...]

    @property
    def n(self) -> int:
        """Shared decisions, or items."""
        return int(self.weight.sum())


def shared_decisions(ratings: Ratings, settings: Settings, criterion: str | None) -> Shared:
    """Return cells where the reference and both judges have a row that counts as an answer.

    Parameters
    ----------
    ratings : Ratings
    settings : Settings
        With two judges.
    criterion : str or None
        Cells of this criterion alone; None for all.
    """
    cells, scheme = cells_of(ratings), settings.on(ratings).scheme
    states = [reference_states(ratings, settings.reference), *(verdicts(ratings, name, "judge") for name in settings.judges)]
    asked = np.ones(len(cells), bool) if criterion is None else cells.criterion == ratings.criteria.index(criterion)
    reference, a, b = ((state < scheme.end_of_rated) & asked for state in states)
    places = np.flatnonzero(reference & a & b)
    sides = [on_axis(state[places], scheme, settings.abstention) for state in states]
    of_cell = ratings.weight[cells.item]
    return Shared(
        places=places,
        item=cells.item[places],
        weight=of_cell[places],
        criterion=cells.criterion[places] if criterion is None else np.zeros(len(places), np.int32),
        reference=sides[0],
        verdicts=(sides[1], sides[2]),
        n_only=(int(of_cell[reference & a & ~b].sum()), int(of_cell[reference & b & ~a].sum())),
        n_no_reference=int(of_cell[a & b & ~reference].sum()),
        criteria=ratings.criteria if criterion is None else (criterion,),
    )


def on_axis(states: NDArray[np.int8], scheme: Scheme, mode: Mode) -> NDArray[np.int64]:
    """Return states as places on the axis of a mode; -1 where an answer does not count, or there is none.

    Parameters
    ----------
    states : ndarray of int8
        Raw verdicts, of any shape.
    scheme : Scheme
    mode : {"exclude", "as_unmet", "as_category"}

    Returns
    -------
    ndarray of int64, of the shape of `states`

    Raises
    ------
    InputError
        As `metrics.data.abstention.mode_map`.
    """
    to_mode = mode_map(scheme, mode)
    place = np.where(to_mode.any(0), to_mode.argmax(0), -1)
    return np.asarray(place[states])


def shared_items(ratings: Ratings, settings: Settings) -> Shared:
    """Return items with an item verdict of the reference and of both judges."""
    sides = []
    for name in settings.judges:
        decided, of_item = item_verdicts_of(ratings, name, settings), patterns_of(ratings, name, settings.reference).of_item
        sides.append((decided.reference[of_item].astype(np.int64), decided.judge[of_item].astype(np.int64)))
    (reference, a), (reference_b, b) = sides
    there = [reference != ABSENT, reference_b != ABSENT]
    places = np.flatnonzero(there[0] & there[1])
    last = UNDECIDED if settings.abstention == "as_category" else UNDECIDED - 1
    on_axis = [np.where(side[places] <= last, side[places], -1) for side in (reference, a, b)]
    return Shared(
        places=places,
        item=places.astype(np.int32),
        weight=ratings.weight[places],
        criterion=np.zeros(len(places), np.int32),
        reference=on_axis[0],
        verdicts=(on_axis[1], on_axis[2]),
        n_only=(int(ratings.weight[there[0] & ~there[1]].sum()), int(ratings.weight[there[1] & ~there[0]].sum())),
        n_no_reference=0,
        criteria=("item verdict",),
    )


def refuse_if_none(ratings: Ratings, settings: Settings, shared: Shared, level: Level) -> None:
    """Raise where the judges have nothing in common.

    Parameters
    ----------
    ratings : Ratings
    settings : Settings
        With two judges.
    shared : Shared
    level : {"micro", "macro", "item"}
        Which the message is worded for.

    Raises
    ------
    InputError
        Where no decision is shared; names how many each judge has alone.
    """
    if len(shared.places):
        return
    a, b = settings.judges
    what = "item with every criterion judged" if level == "item" else "item and criterion"
    raise InputError(
        f"{ratings.source.name}: {a!r} and {b!r} share no {what} that the reference has too "
        f"({shared.n_only[0]} only {a!r}, {shared.n_only[1]} only {b!r}). "
        + next(iter(alike_sentences(ratings)), "Make ids and criterion names equal.")
    )


def by_criterion(shared: Shared, cells: Sequence[NDArray[np.int64]], k: int) -> FloatArray:
    """Return tables of both judges.

    Parameters
    ----------
    shared : Shared
        D decisions on C criteria.
    cells : two ndarrays of int64, each of shape (D,)
        Of A and of B: reference · K + judge, K² where the decision does not count for that judge.
    k : int
        Classes K.

    Returns
    -------
    ndarray, shape (2, C, K, K)
    """
    size, n = k * k + 1, len(shared.criteria)
    tallies = [np.bincount(shared.criterion * size + codes, weights=shared.weight, minlength=n * size) for codes in cells]
    return np.stack([tally.reshape(n, size)[:, :-1] for tally in tallies]).reshape(2, n, k, k).astype(np.float64)


def outcomes_of(shared: Shared) -> NDArray[np.int8]:
    """Return who agrees with the reference on each shared decision, as a place in `OUTCOMES`."""
    a, b = shared.verdicts
    right = [verdict == shared.reference for verdict in (a, b)]
    settled = (shared.reference >= 0) & (a >= 0) & (b >= 0)
    return np.where(settled, 3 - 2 * right[0] - right[1], 4).astype(np.int8)
