"""Which decisions people labelled, counted by the judge's verdict."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.cautions import split_column
from metrics.analyses.labelling import Labelling, Verification
from metrics.analyses.settings import Settings
from metrics.data.abstention import mode_labels, mode_map
from metrics.data.item_columns import column_spread
from metrics.data.pairs import cells_of, patterns_of, reference_states, verdicts
from metrics.data.ratings import Ratings


def verification_of(ratings: Ratings, judge: str, settings: Settings, criterion: str | None = None) -> Verification:
    """Return which answers of a judge carry a label of the reference; the labels must be two classes.

    Parameters
    ----------
    ratings : Ratings
    judge : str
    settings : Settings
        With abstentions as a category they are left out.
    criterion : str, optional
        Default: all criteria, pooled.
    """
    ratings = settings.on(ratings)
    return _counted(ratings, settings, raw_of(ratings, judge, settings, criterion))


def labelling_of(ratings: Ratings, judge: str, settings: Settings) -> Labelling | None:
    """Return which decisions people labelled, by the verdicts of a judge; None of labels that are not two classes.

    Parameters
    ----------
    ratings : Ratings
    judge : str
    settings : Settings
        As of `verification_of`; its judges are looked at together.
    """
    ratings = settings.on(ratings)
    if len(ratings.scheme.classes) != 2:
        return None
    raw, missing = _by_stratum(ratings, judge, settings), ratings.scheme.state("missing")
    labelled = raw.sum((2, 3)) > raw[:, :, missing].sum(2)
    raw = np.where(labelled[:, :, None, None], raw, 0).sum(1)
    counted = [name for name, any_label in zip(ratings.criteria, labelled.any(1), strict=True) if any_label]
    places = {name: ratings.criteria.index(name) for name in counted}
    first, second = mode_labels(ratings.scheme, "exclude")
    return Labelling(
        (first, second),
        _counted(ratings, settings, raw.sum(0)),
        {name: _counted(ratings, settings, raw[place]) for name, place in places.items()},
        max(1, len(settings.judges)) * max(1, len(counted)),
    )


def raw_of(ratings: Ratings, judge: str, settings: Settings, criterion: str | None = None) -> NDArray[np.int64]:
    """Return decisions by the raw states of both sides, of one criterion or of all."""
    raw = patterns_of(ratings, judge, settings.reference).raw
    return np.asarray(raw.sum(0) if criterion is None else raw[ratings.criteria.index(criterion)])


def _counted(ratings: Ratings, settings: Settings, raw: NDArray[np.int64]) -> Verification:
    scheme = ratings.scheme
    to_mode = mode_map(scheme, settings.abstention)[:2]
    labelled = (to_mode @ raw @ to_mode.T).sum(0)
    answers = labelled + to_mode @ raw[scheme.state("missing")]
    return Verification(int(labelled[0]), int(answers[0]), int(labelled[1]), int(answers[1]))


def _by_stratum(ratings: Ratings, judge: str, settings: Settings) -> NDArray[np.int64]:
    """Return decisions by criterion, value of a column `split` and the raw states of both sides, shape (C, V, R, R)."""
    column = split_column(ratings)
    if column is None:
        return np.asarray(patterns_of(ratings, judge, settings.reference).raw)[:, None]
    values, spread = column_spread(ratings, column)
    cells, r, v = cells_of(ratings), ratings.scheme.n_states, len(values) + 1
    value = np.full(len(cells), len(values), np.int64)
    known = spread.of_rating >= 0
    value[cells.of_rating[known]] = spread.of_rating[known]
    sides = reference_states(ratings, settings.reference), verdicts(ratings, judge, "judge")
    place = np.ravel_multi_index((cells.criterion, value, *sides), (len(ratings.criteria), v, r, r))
    counts = np.bincount(place, weights=ratings.weight[cells.item], minlength=len(ratings.criteria) * v * r * r)
    return counts.astype(np.int64).reshape(-1, v, r, r)
