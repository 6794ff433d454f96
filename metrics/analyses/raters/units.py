"""What several raters of one role said, a row to a unit; a unit is one criterion of one item.

What everybody said on the units of the humans: the states behind the labels, scores, and the judge beside them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from metrics.data.abstention import Mode, class_of_state, mode_labels, on_axis
from metrics.data.memo import memoised
from metrics.data.pairs import cell_ratings, cells_of, verdicts
from metrics.data.part import criterion_place
from metrics.data.ratings import Rater, Ratings, Role, Runs
from metrics.data.scales import refuse_scores
from metrics.data.unique_items import Multiset
from metrics.errors import InputError
from metrics.measures.arrays import FloatArray
from metrics.readers.rater_roles import guess_role
from metrics.readers.role_doubts import nobody_says
from metrics.results import words

NONE = -1
"""Label of a rater who did not rate the unit, or gave no verdict on it."""
LEAST = 10
"""Decisions two raters must share, or a rater must have, before a number is made of them."""
LEVEL = 0.05
"""Of a test that something is the raters' own, after Holm."""
MATTERS = 0.05
"""Share of labels from which a difference between raters, or of a rater from itself, is called one, however many they are."""


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


def units_of(ratings: Ratings, role: Role | None = None, *, mode: Mode = "exclude", criterion: str | None = None) -> Units:
    """Return the units that raters of a role gave a label, in the order of item and criterion; panels are no raters here.

    Parameters
    ----------
    role : {"human", "judge", None}
        None: humans where there are two or more, else whoever there is; who has no role is taken for one by the name.
    mode : {"exclude", "as_unmet", "as_category"}
        What an answer without a verdict is, as in `metrics.agreement`. Excluded, it is a missing rating.
    criterion : str, optional
        The units of that one alone.

    Raises
    ------
    InputError
        For a table of counts, which has no raters, for fewer than two raters of the role, for raters without a role of whom
        some are called like judges, and for an unknown criterion.
    """
    refuse_scores(ratings)
    called = _called_like(ratings)
    chosen_role = role or ("human" if len(ratings.humans) > 1 or not (ratings.judges or called == "judge") else "judge")
    units = memoised(ratings, ("units", chosen_role, mode, ratings.scheme.handling), lambda: _units(ratings, chosen_role, mode))
    return units if criterion is None else units.of_criterion(criterion_place(ratings, criterion))


def _called_like(ratings: Ratings) -> Role:
    """Return the role that the raters without one have by their names; of two roles each number would be another one."""
    names = [rater.name for rater in ratings.raters if rater.role is None]
    judges = [name for name in names if guess_role(name) == "judge"]
    if judges and len(judges) < len(names):
        like = f"{words.named(judges)} {words.are(len(judges))} called like a judge"
        raise InputError(f"{ratings.source.name}: {like}. {nobody_says(names)}")
    return "judge" if judges else "human"


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
    classes = class_of_state(ratings.scheme, mode).astype(np.int16)
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


def cell_of_unit(ratings: Ratings, units: Units | Runs) -> NDArray[np.int64]:
    """Return place of each unit, or repeated run, among the cells of the ratings, shape (n,)."""
    cells, n = cells_of(ratings), max(1, len(ratings.criteria))
    key = cells.item.astype(np.int64) * n + cells.criterion
    return np.searchsorted(key, units.item.astype(np.int64) * n + units.criterion)


def judge_labels(ratings: Ratings, units: Units, judge: str, mode: Mode) -> NDArray[np.int64]:
    """Return class a judge gave each unit.

    Parameters
    ----------
    ratings : Ratings
    units : Units
        Of these ratings.
    judge : str
    mode : {"exclude", "as_unmet", "as_category"}

    Returns
    -------
    ndarray of int64, shape (n_units,)
        -1 where there is none in the mode.
    """
    return on_axis(verdicts(ratings, judge, "judge")[cell_of_unit(ratings, units)], ratings.scheme, mode)


def judge_scores(ratings: Ratings, units: Units, judge: str) -> FloatArray:
    """Return score of a judge on each unit.

    Parameters
    ----------
    ratings : Ratings
    units : Units
        Of these ratings.
    judge : str

    Returns
    -------
    ndarray, shape (n_units,)
        NaN where there is none.

    Raises
    ------
    InputError
        Where the ratings have no scores.
    """
    place = cell_ratings(ratings, judge, "judge")[cell_of_unit(ratings, units)]
    return np.where(place >= 0, _scores(ratings)[place], np.nan)


def rating_places(ratings: Ratings, units: Units) -> NDArray[np.int64]:
    """Return place of each rater's rating of each unit, shape (n_units, n_raters); -1 where there is none."""
    codes = {rater.name: code for code, rater in enumerate(ratings.raters) if (rater.role or units.role) == units.role}
    column = np.full(len(ratings.raters), -1, np.int64)
    column[[codes[name] for name in units.raters]] = np.arange(len(units.raters))
    unit_of_cell = np.full(len(cells_of(ratings)), -1, np.int64)
    unit_of_cell[cell_of_unit(ratings, units)] = np.arange(len(units))
    unit, rater = unit_of_cell[cells_of(ratings).of_rating], column[ratings.rater]
    rating = np.flatnonzero((unit >= 0) & (rater >= 0))
    places = np.full((len(units), len(units.raters)), -1, np.int64)
    places[unit[rating], rater[rating]] = rating
    return places


def rater_scores(ratings: Ratings, units: Units) -> FloatArray:
    """Return score of each rater on each unit, shape (n_units, n_raters); NaN where there is none.

    Raises
    ------
    InputError
        Where the ratings have no scores.
    """
    places = rating_places(ratings, units)
    return np.where(places >= 0, _scores(ratings)[places], np.nan)


def rater_states(ratings: Ratings, units: Units) -> NDArray[np.int8]:
    """Return state of each rater on each unit on the raw verdict axis, shape (n_units, n_raters)."""
    places = rating_places(ratings, units)
    return np.where(places >= 0, ratings.state[places], ratings.scheme.state("missing")).astype(np.int8)


def _scores(ratings: Ratings) -> FloatArray:
    if ratings.score is None:
        raise InputError(f"{ratings.source.name}: there are no scores. Name the score column, or use the labels.")
    return ratings.score
