"""Which groups are too small to be tested: by their items, and by those of a label that a metric needs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.slices.studentised import Units, group_sums
from metrics.data.item_columns import Codes
from metrics.measures.arrays import FloatArray

FEWEST_ITEMS, FEWEST_OF_LABEL = 10, 5
"""Items of a group, and those of a label that a metric needs, below which it is not tested nor ranked."""


def too_small(units: Units, group: Codes, n_groups: int, metric: str) -> list[str]:
    """Return why each group is too small for a test of a metric; empty where it is not.

    Parameters
    ----------
    units : Units
    group : ndarray of int64, shape (n,)
        Of each row of the units, -1 for none.
    n_groups : int
    metric : str
    """
    return why_small(sizes_of(units, group, n_groups), metric)


def sizes_of(units: Units, group: Codes, n_groups: int) -> FloatArray:
    """Return units of each group, and behind them those with each reference label, shape (G, 1 + K)."""
    return group_sums(counted(units) * units.weight[:, None], group, n_groups)


def counted(units: Units) -> FloatArray:
    """Return of each row 1, and whether it has each reference label, shape (n, 1 + K)."""
    labels = units.tables.sum(2) > 0
    return np.column_stack([np.ones(len(labels)), labels])


def why_small(sizes: NDArray[np.float64], metric: str) -> list[str]:
    """Return why groups of these sizes are too small for a test of a metric; empty where one is not.

    Parameters
    ----------
    sizes : ndarray, shape (G, 1 + K)
        As `sizes_of` returns them.
    metric : str
    """
    labels = sizes[:, 1:]
    # κ needs two labels: the second most frequent one is the one that may lack.
    needed = {"recall": labels[:, :1], "specificity": labels[:, 1:2], "accuracy": labels[:, :0]}
    least = needed.get(metric, -np.sort(-labels, axis=1)[:, 1:2])
    return [_why_small(int(n), [int(count) for count in own]) for n, own in zip(sizes[:, 0], least, strict=True)]


def _why_small(n: int, labels: Sequence[int]) -> str:
    if n < FEWEST_ITEMS:
        return f"{n} {'item' if n == 1 else 'items'}"
    rare = [count for count in labels if count < FEWEST_OF_LABEL]
    return f"{rare[0]} {'item' if rare[0] == 1 else 'items'} of a reference label" if rare else ""
