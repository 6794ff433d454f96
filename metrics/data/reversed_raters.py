"""A rater whose scale runs the other way: the labels are mirrored within the options of each criterion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.data.order import Order
from metrics.data.ratings import Ratings
from metrics.errors import InputError
from metrics.results.words import listed


def turned(ratings: Ratings, raters: Sequence[str], order: Order) -> Ratings:
    """Return the ratings with the labels of some raters turned round; what is no option stays.

    On each criterion the lowest option that anybody gives changes places with the highest, the second with the last but one.

    Parameters
    ----------
    raters : sequence of str
        Names of judges or humans.

    Raises
    ------
    InputError
        For a name that no rater has.
    """
    known = [rater.name for rater in ratings.raters]
    unknown = [name for name in raters if name not in known]
    if unknown:
        who = listed(known, 12)
        raise InputError(f"{ratings.source.name}: no rater is called {unknown[0]!r}, so no scale turns. Raters: {who}.")
    mirror = _Mirror.of(ratings, raters, order)
    label = mirror.labels(ratings.criterion, ratings.rater, ratings.label)
    runs = ratings.runs and replace(
        ratings.runs, label=mirror.labels(ratings.runs.criterion, ratings.runs.rater, ratings.runs.label)
    )
    return replace(ratings, labels=mirror.names, label=label, runs=runs, memo={})


@dataclass(frozen=True, eq=False)
class _Mirror:
    """Place of every label in the order, both ends of each criterion, whose labels turn, and the label of each place."""

    names: tuple[str, ...]
    place: NDArray[np.int64]
    ends: NDArray[np.int64]
    turning: NDArray[np.bool_]
    label_at: NDArray[np.int64]

    @staticmethod
    def of(ratings: Ratings, raters: Sequence[str], order: Order) -> _Mirror:
        classes = ratings.scheme.classes
        names = (*ratings.labels, *(name for name in order.classes if name not in ratings.labels))
        states = ratings.scheme.states(names)
        of_class = np.array([order.classes.index(name) if name in order.classes else -1 for name in classes], np.int64)
        place = np.where(states < len(classes), np.append(of_class, -1)[np.minimum(states, len(classes))], -1)
        given = place[ratings.label]
        ends = np.tile(np.array([order.k, -1], np.int64), (len(ratings.criteria), 1))
        there = given >= 0
        np.minimum.at(ends[:, 0], ratings.criterion[there], given[there])
        np.maximum.at(ends[:, 1], ratings.criterion[there], given[there])
        back = np.array([names.index(name) for name in order.classes], np.int64)
        return _Mirror(names, place, ends, np.array([rater.name in raters for rater in ratings.raters]), back)

    def labels(self, criterion: NDArray[Any], rater: NDArray[Any], label: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the labels with those of the raters turned round."""
        place = self.place[label]
        other = self.ends[criterion].sum(1) - place
        turn = self.turning[rater] & (place >= 0)
        turned_labels: NDArray[np.int32] = np.where(turn, self.label_at[np.where(turn, other, 0)], label).astype(label.dtype)
        return turned_labels
