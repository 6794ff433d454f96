"""How many answers of a file are of a kind."""

from __future__ import annotations

import numpy as np

from metrics.data.memo import memoised
from metrics.data.ratings import Ratings
from metrics.data.vocabulary import Kind


def answers_of_kind(ratings: Ratings, kind: Kind) -> int:
    """Return answers of all raters together; `kind` is one that is not a class.

    In a table of counts and a tally each counts as often as it occurred.
    """
    return memoised(ratings, ("answers", kind), lambda: _answers(ratings, kind))


def _answers(ratings: Ratings, kind: Kind) -> int:
    mask = ratings.state == ratings.scheme.state(kind)
    return int(ratings.weight[ratings.item[np.flatnonzero(mask)]].sum())
