"""The ratings of one criterion alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from metrics.data.ratings import Ratings
from metrics.errors import InputError


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


def of_criterion(ratings: Ratings, criterion: str) -> Ratings:
    """Return the same data set with one criterion only; items, raters and labels stay, also those without a rating on it.

    Raises
    ------
    InputError
        For an unknown criterion.
    """
    place = criterion_place(ratings, criterion)
    rating_places = np.flatnonzero(ratings.criterion == place)
    runs = ratings.runs
    if runs is not None:
        of = np.flatnonzero(runs.criterion == place)
        runs = replace(
            runs, item=runs.item[of], criterion=np.zeros(len(of), np.int32), rater=runs.rater[of], label=runs.label[of],
            run=runs.run[of], row=runs.row[of],
        )  # fmt: skip
    return replace(
        ratings,
        criteria=(criterion,),
        item=ratings.item[rating_places],
        criterion=np.zeros(len(rating_places), np.int32),
        rater=ratings.rater[rating_places],
        label=ratings.label[rating_places],
        row=ratings.row[rating_places],
        score=None if ratings.score is None else ratings.score[rating_places],
        runs=runs,
        memo={},
    )
