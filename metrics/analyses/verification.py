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
from metrics.measures.arrays import safe_ratio


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
    """Return which decisions people labelled, by the verdicts of a judge; None of labels that are not classes.

    Of more than two classes by the one verdict whose decisions are labelled most unlike all others.

    Parameters
    ----------
    ratings : Ratings
    judge : str
    settings : Settings
        As of `verification_of`; its judges are looked at together.
    """
    ratings = settings.on(ratings)
    k = len(ratings.scheme.classes)
    if k < 2:
        return None
    raw, missing = _by_stratum(ratings, judge, settings), ratings.scheme.state("missing")
    any_label = raw.sum((2, 3)) > raw[:, :, missing].sum(2)
    labelled, answers = _by_verdict(ratings, settings, np.where(any_label[:, :, None, None], raw, 0).sum(1))
    counted = [place for place, own in enumerate(any_label.any(1)) if own]
    verdict, names = 0, mode_labels(ratings.scheme, "exclude")
    if k > 2:
        verdict = _most_unlike(labelled[counted], answers[counted])
        names = names[verdict], ""
    return Labelling(
        (names[0], names[1]),
        _one_verdict(labelled.sum(0), answers.sum(0), verdict),
        {ratings.criteria[place]: _one_verdict(labelled[place], answers[place], verdict) for place in counted},
        max(1, len(settings.judges)) * max(1, len(counted)) * (k if k > 2 else 1),
    )


def _most_unlike(labelled: NDArray[np.int64], answers: NDArray[np.int64]) -> int:
    """Return the verdict whose share labelled lies furthest from that of all others, on any criterion, in standard errors.

    Parameters
    ----------
    labelled, answers : ndarray of int64, shape (C, K)
    """
    others, rest = labelled.sum(1, keepdims=True) - labelled, answers.sum(1, keepdims=True) - answers
    share = safe_ratio(labelled + others, answers + rest)
    error = np.sqrt(share * (1 - share) * (safe_ratio(1, answers) + safe_ratio(1, rest)))
    far = np.abs(safe_ratio(safe_ratio(labelled, answers) - safe_ratio(others, rest), error))
    return int(np.nan_to_num(far).max(0, initial=0).argmax())


def raw_of(ratings: Ratings, judge: str, settings: Settings, criterion: str | None = None) -> NDArray[np.int64]:
    """Return decisions by the raw states of both sides, of one criterion or of all."""
    raw = patterns_of(ratings, judge, settings.reference).raw
    return np.asarray(raw.sum(0) if criterion is None else raw[ratings.criteria.index(criterion)])


def _counted(ratings: Ratings, settings: Settings, raw: NDArray[np.int64]) -> Verification:
    return _one_verdict(*_by_verdict(ratings, settings, raw), 0)


def _by_verdict(ratings: Ratings, settings: Settings, raw: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return by verdict the decisions that people labelled and all, shape (..., K), of counts by raw states, (..., R, R)."""
    scheme = ratings.scheme
    to_mode = mode_map(scheme, settings.abstention)[: len(scheme.classes)]
    labelled = (to_mode @ raw @ to_mode.T).sum(-2)
    return labelled, labelled + raw[..., scheme.state("missing"), :] @ to_mode.T


def _one_verdict(labelled: NDArray[np.int64], answers: NDArray[np.int64], verdict: int) -> Verification:
    """Return what was labelled of one verdict and of all others, of counts by verdict, shape (K,)."""
    own, of = int(labelled[verdict]), int(answers[verdict])
    return Verification(own, of, int(labelled.sum()) - own, int(answers.sum()) - of)


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
