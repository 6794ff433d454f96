"""Verdicts that no row of the file holds, as ratings like all others."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from metrics.data.labels import NO_VERDICT
from metrics.data.ratings import Ratings
from metrics.data.vocabulary import normalise


def with_abstention_label(ratings: Ratings) -> Ratings:
    """Return the ratings with a label for "no verdict", which a tie of verdicts needs and a file without abstentions lacks."""
    states = ratings.scheme.states(ratings.labels)
    if (states == ratings.scheme.state("abstention")).any():
        return ratings
    named = next(iter(ratings.scheme.of("abstention")), None)
    label = named or _free(NO_VERDICT, [label for label, _ in ratings.scheme.kinds])
    kinds = ratings.scheme.kinds if named else (*ratings.scheme.kinds, (label, "abstention"))
    return replace(ratings, labels=(*ratings.labels, label), scheme=replace(ratings.scheme, kinds=kinds), memo={})


def labels_of(ratings: Ratings, states: NDArray[np.int8]) -> NDArray[np.int32]:
    """Return a label of each state, as code.

    Parameters
    ----------
    ratings : Ratings
    states : ndarray of int8, shape (n,)
        Every one must be that of a label.

    Returns
    -------
    ndarray of int32, shape (n,)
    """
    first = np.full(ratings.scheme.n_states, -1, np.int32)
    meaning = ratings.scheme.states(ratings.labels)
    first[meaning[::-1]] = np.arange(len(meaning), dtype=np.int32)[::-1]
    codes: NDArray[np.int32] = first[states]
    return codes


def _free(name: str, taken: list[str]) -> str:
    forms = {normalise(label) for label in taken}
    free_name = name
    while normalise(free_name) in forms:
        free_name += " (panel)"
    return free_name
