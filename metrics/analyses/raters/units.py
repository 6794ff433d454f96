"""What several raters of one role said, a row to a unit; a unit is one criterion of one item."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from metrics.data.abstention import Mode, mode_labels, mode_map
from metrics.data.memo import memoised
from metrics.data.pairs import cells_of
from metrics.data.ratings import Rater, Ratings, Role
from metrics.data.scales import refuse_scores
from metrics.data.unique_items import Multiset
from metrics.errors import InputError

NONE = -1
"""Label of a rater who did not rate the unit, or gave no verdict on it."""


@dataclass(frozen=True, eq=False)
class Units(Multiset):
    """Labels of several raters on units.

    Attributes
    ----------
    labels : ndarray of int16, shape (n_units, n_raters)
        Class of each rating, `NONE` where there is none.
    classes : tuple of str, length K
        In the order of the verdict axis; low to high where they are ordered.
    raters : tuple of str
    item, criterion : ndarray of int32, shape (n_units,)
        Codes of the ratings the units come from. Units nobody rated are no units.
    role : str
    weight : ndarray of int64, shape (n_units,), optional
        Units that each row stands for, as many as there are items of its kind; default 1.
    """

    labels: NDArray[np.int16]
    classes: tuple[str, ...]
    raters: tuple[str, ...]
    item: NDArray[np.int32]
    criterion: NDArray[np.int32]
    role: Role
    weight: NDArray[np.int64] | None = None

    def __len__(self) -> int:
        return len(self.labels)

    @cached_property
    def votes(self) -> NDArray[np.int64]:
        """Raters per class, shape (n_units, K)."""
        k = len(self.classes)
        units, raters = np.nonzero(self.labels >= 0)
        place = units * k + self.labels[units, raters]
        return np.bincount(place, minlength=len(self) * k).reshape(-1, k)

    @cached_property
    def n_ratings(self) -> int:
        return int(self.times @ (self.labels >= 0).sum(1))

    def of_criterion(self, criterion: int) -> Units:
        """Return the units of one criterion."""
        return self.at(np.flatnonzero(self.criterion == criterion))

    def at(self, places: NDArray[np.int64]) -> Units:
        """Return some of the units.

        Parameters
        ----------
        places : ndarray of int64, shape (n,)
            Of the units, in the order in which they are returned.
        """
        weight = None if self.weight is None else self.weight[places]
        return replace(self, labels=self.labels[places], item=self.item[places], criterion=self.criterion[places], weight=weight)

    def on_classes(self, classes: tuple[str, ...]) -> Units:
        """Return the same labels on some of the classes, among them every one in use."""
        if classes == self.classes:
            return self
        place = np.array([classes.index(name) if name in classes else NONE for name in self.classes] + [NONE], np.int16)
        return replace(self, labels=place[self.labels], classes=classes)

    def by(self, raters: NDArray[np.int64]) -> Units:
        """Return what some of the raters said; units that none of them rated go.

        Parameters
        ----------
        raters : ndarray of int64, shape (n,)
            Their places among the raters of the units.
        """
        units = replace(self, labels=self.labels[:, raters], raters=tuple(self.raters[place] for place in raters))
        return units.at(np.flatnonzero((units.labels >= 0).any(1)))


def units_of(ratings: Ratings, role: Role | None = None, *, mode: Mode = "exclude") -> Units:
    """Return the units that raters of a role gave a label, in the order of item and criterion; panels are no raters here.

    Parameters
    ----------
    role : {"human", "judge", None}
        None: humans where there are two or more, else whoever there is.
    mode : {"exclude", "as_unmet", "as_category"}
        What an answer without a verdict is, as in `metrics.agreement`. Excluded, it is a missing rating.

    Raises
    ------
    InputError
        For a table of counts, which has no raters, and for fewer than two raters of the role.
    """
    refuse_scores(ratings)
    chosen_role = role or ("human" if len(ratings.humans) > 1 or not ratings.judges else "judge")
    return memoised(ratings, ("units", chosen_role, mode, ratings.scheme.handling), lambda: _units(ratings, chosen_role, mode))


def _units(ratings: Ratings, role: Role, mode: Mode) -> Units:
    panels = {Rater(panel.name, "judge") for panel in ratings.source.panels}
    places = [place for place, rater in enumerate(ratings.raters) if (rater.role or role) == role and rater not in panels]
    if not ratings.has_items:
        raise InputError(f"{ratings.source.name}: a table of counts has no raters of its own. Use a file with a row per rating.")
    if len(places) < 2:
        raise InputError(
            f"{ratings.source.name}: agreement among raters needs two or more of one role; there is "
            f"{len(places) or 'no'} {role}. Use a file with the columns item, criterion, rater, label."
        )
    classes = _class_of_state(ratings, mode)
    cells = cells_of(ratings)
    labels = np.full((len(cells), len(places)), NONE, np.int16)
    column = np.full(len(ratings.raters), NONE, np.int64)
    column[places] = np.arange(len(places))
    mask = column[ratings.rater] >= 0
    labels[cells.of_rating[mask], column[ratings.rater[mask]]] = classes[ratings.state[mask]]
    rated = np.flatnonzero((labels >= 0).any(1))
    names = tuple(ratings.raters[place].name for place in places)
    item, criterion = cells.item[rated], cells.criterion[rated]
    return Units(labels[rated], mode_labels(ratings.scheme, mode), names, item, criterion, role, ratings.weight[item])


def _class_of_state(ratings: Ratings, mode: Mode) -> NDArray[np.int16]:
    """Return class of each state of the raw verdict axis, `NONE` where it is none."""
    to_mode = mode_map(ratings.scheme, mode)
    return np.where(to_mode.any(0), to_mode.argmax(0), NONE).astype(np.int16)
