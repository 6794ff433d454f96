"""The part of a data set whose labels can be counted together in one table."""

from __future__ import annotations

from metrics.data.ratings import Ratings
from metrics.data.scales import scales_of


def counted(ratings: Ratings) -> Ratings | None:
    """Return the ratings of the criteria that one table can hold.

    None where every criterion is a score, or only one side rated them.

    Of criteria on different scales those with a positive and a negative side; without any, all that have labels.
    """
    scales = scales_of(ratings)
    labels = tuple(name for name in ratings.criteria if name not in scales.of("continuous"))
    names = (scales.two_sided if scales.mixed else ()) or labels
    part = ratings.on_criteria(names) if names else None
    return part if part is not None and part.humans and part.judges else None
