"""What the rubric in the file says of ordered criteria: their weights, their options and what these are worth."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

from metrics.data.ratings import Ratings
from metrics.data.vocabulary import normalise
from metrics.errors import InputError


def negative_criteria(ratings: Ratings, weights: Mapping[str, float] | None) -> tuple[str, ...]:
    """Return criteria of negative weight, as given or as the rubric in the file has them."""
    unknown = [name for name in weights or {} if name not in ratings.criteria]
    if unknown:
        raise InputError(f"No criterion is called {unknown[0]!r}. Weights can be given to: {', '.join(ratings.criteria[:12])}.")
    given = {criterion.name: criterion.weight for criterion in ratings.source.rubric} if weights is None else weights
    return tuple(name for name, weight in given.items() if weight < 0)


def of_own_options(ratings: Ratings) -> tuple[str, str] | None:
    """Return two criteria whose options in the rubric of the file have no label in common; None where there are no such two."""
    labels_by_criterion = {
        criterion.name: {normalise(label) for label, _ in criterion.options}
        for criterion in ratings.source.rubric
        if criterion.options
    }
    pairs = combinations([name for name in ratings.criteria if name in labels_by_criterion], 2)
    return next(((first, other) for first, other in pairs if not labels_by_criterion[first] & labels_by_criterion[other]), None)


def rubric_values(ratings: Ratings) -> dict[str, float] | None:
    """Return what the rubric in the file says the options are worth.

    None where it says nothing, or no one thing of an option.
    """
    options_by_criterion = {
        criterion.name: criterion.options for criterion in ratings.source.rubric if criterion.scale == "ordinal"
    }
    pairs = {(label, value) for name in ratings.criteria for label, value in options_by_criterion.get(name, ())}
    value_by_label = dict(pairs)
    return (
        value_by_label
        if value_by_label and len(value_by_label) == len(pairs) and all(name in options_by_criterion for name in ratings.criteria)
        else None
    )
