"""Scales that somebody saw and took are stated, whether or not they are what was proposed."""

from __future__ import annotations

from dataclasses import replace

from metrics.data.ratings import Ratings
from metrics.data.scales import scales_of


def with_scales_stated(ratings: Ratings) -> Ratings:
    """Return the ratings with every scale stated that their labels alone leave open.

    Raises
    ------
    InputError
        For a scale that the labels of a criterion do not allow.
    """
    scale_by_criterion = {scale.criterion: scale.scale for scale in scales_of(ratings).criteria if not scale.settled}
    if not scale_by_criterion:
        return ratings
    scheme, source = ratings.scheme, ratings.source
    how = replace(source.how, scale=tuple((dict(source.how.scale) | scale_by_criterion).items()))
    return replace(
        ratings,
        scheme=replace(scheme, scales=tuple((dict(scheme.scales) | scale_by_criterion).items())),
        source=replace(source, how=how),
        memo={},
    )
