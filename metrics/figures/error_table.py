"""The confusion matrix: of two classes a mosaic, of more an aligned heat map."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from metrics.figures import confusion, distance
from metrics.figures.traces import Figure

HIGH = 340
BESIDE = 40
"""Px of a mosaic that the rows of a heat map do not have."""


def judge_place(labels: Sequence[str]) -> str:
    """Return what the judge's answers are in the figure: `split` of two labels, `column` of more."""
    return "column" if len(labels) > 2 else "split"


def error_table(
    counts: ArrayLike,
    labels: Sequence[str],
    *,
    ordered: bool = False,
    height: float = HIGH,
    true: bool = False,
    named: bool = False,
    **look: Any,
) -> Figure:
    """Return the figure of one table; a clicked cell returns `customdata` [reference index, judge index].

    Parameters
    ----------
    counts : array_like, shape (K, K)
        Reference in rows, judge in columns.
    ordered : bool
        Whether more than two labels go from low to high.
    named : bool
        Of two labels, whether errors are called by the judge's label.

    The others are those of `confusion.mosaic`; of more than two classes the rows decide the height, and `height` holds them
    back.
    """
    if len(labels) > 2:
        return distance.distance_matrix(counts, labels, ordered=ordered, height=height - BESIDE, **look)
    return confusion.mosaic(counts, labels, height=height, true=true, named=named, **look)


def alt(counts: ArrayLike, labels: Sequence[str], *, ordered: bool = False, abstention: int | None = None, **said: Any) -> str:
    """Return the figure in words, for people who do not see it; of ordered labels how far apart the two are.

    `said` is what `confusion.alt` takes beside.
    """
    if ordered and np.shape(counts)[0] > 2:
        return distance.alt(counts, labels, **said)
    return confusion.alt(counts, labels, abstention=abstention, **said)
