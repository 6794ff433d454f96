"""What everybody said on the units of the humans: the states behind the labels, scores, and a judge beside them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.comparison.shared_decisions import on_axis
from metrics.analyses.raters.units import Units
from metrics.data.abstention import Mode
from metrics.data.pairs import cell_ratings, cells_of, verdicts
from metrics.data.ratings import Ratings
from metrics.errors import InputError
from metrics.measures.arrays import FloatArray

LEAST = 10
"""Decisions two raters must share, or a rater must have, before a number is made of them."""
MATTERS = 0.05
"""Share of labels from which a difference between raters, or of a rater from itself, is called one, however many they are."""


def check_judge(ratings: Ratings, judge: str) -> None:
    """Raise where no judge is called so.

    Raises
    ------
    InputError
        That names the judges there are.
    """
    if judge not in ratings.judges:
        known = ", ".join(ratings.judges[:12]) or "there are none"
        raise InputError(f"{ratings.source.name}: no judge is called {judge!r}. Judges: {known}.")


def criterion_place(ratings: Ratings, criterion: str) -> int:
    """Return code of a criterion by its name.

    Raises
    ------
    InputError
        Where no criterion is called so.
    """
    if criterion not in ratings.criteria:
        known = ", ".join(ratings.criteria[:12])
        raise InputError(f"{ratings.source.name}: no criterion is called {criterion!r}. Criteria: {known}.")
    return ratings.criteria.index(criterion)


def cell_of_unit(ratings: Ratings, units: Units) -> NDArray[np.int64]:
    """Return place of each unit among the cells of the ratings, shape (n_units,)."""
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
