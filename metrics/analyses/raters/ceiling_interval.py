"""Intervals of the human ceiling: leaving out items, widened where few decisions are errors."""

from __future__ import annotations

import numpy as np

from metrics.intervals.jackknife import flat_errors
from metrics.intervals.single_table import dirichlet_quantiles, wilson
from metrics.measures.arrays import FloatArray
from metrics.measures.catalogue import Metric
from metrics.measures.transforms import covering

MOST_ALIKE = 0.95
"""Correlation of the two sides that is believed at most: few errors may look more alike than they are."""


def side_interval(
    value: float, error: float, table: FloatArray, n: float, n_items: int, record: Metric, confidence: float
) -> tuple[float, float]:
    """Return ends of one side's mean from its pooled table with as many independent decisions as its standard error speaks for.

    Wilson for accuracy, quantiles of the Dirichlet for the coefficients.

    Parameters
    ----------
    error : float
        Standard error of leaving out items.
    table : ndarray, shape (K, K)
        Over the humans left out, so that a decision may count several times.
    n : float
        Decisions that are one: of the judge those judged, of the humans each human's own.
    """
    function = {record.key: record.function}
    flat = flat_errors(table, function)[record.key] * np.sqrt(table.sum() / n)
    most = max(1.0, n / n_items)
    ratio = (error / flat) ** 2 if flat > 0 else np.nan
    left = n / (most if np.isnan(ratio) else float(np.clip(ratio, 1.0, most)))
    if record.key == "accuracy":
        return covering(value, wilson(value * left, left, confidence))
    return covering(value, dirichlet_quantiles(table / table.sum() * left, function, confidence)[record.key])


def of_difference(
    values: tuple[float, float], sides: tuple[tuple[float, float], tuple[float, float]], without: FloatArray, weight: FloatArray
) -> tuple[float, float]:
    """Return ends of the judge's mean less the humans' from the ends of both, correlated as their values without an item are.

    Parameters
    ----------
    values : (float, float)
        Means of the judge and of the humans.
    sides : ((float, float), (float, float))
        Ends of the interval of each.
    without : ndarray, shape (G, 3)
        Means without an item of each kind: of the judge, of the humans, and their difference, which is not used.
    weight : ndarray, shape (G,)
        Items of each kind.

    References: Zou & Donner (2008), doi:10.1002/sim.3095.
    """
    (judge, human), (judge_ends, theirs) = values, sides
    alike = _correlation(without[:, :2], weight)
    down, up = (judge - judge_ends[0], theirs[1] - human), (judge_ends[1] - judge, human - theirs[0])
    below, above = (np.sqrt(max(0.0, a * a + b * b - 2 * alike * a * b)) for a, b in (down, up))
    return judge - human - float(below), judge - human + float(above)


def _correlation(without: FloatArray, weight: FloatArray) -> float:
    """Return correlation of the two sides without an item, in [0, `MOST_ALIKE`]; 0 where one does not vary."""
    if np.isnan(without).any():
        return 0.0
    centred = without - weight @ without / weight.sum()
    covariance = (centred * weight[:, None]).T @ centred
    scale = np.sqrt(covariance[0, 0] * covariance[1, 1])
    return float(np.clip(covariance[0, 1] / scale, 0.0, MOST_ALIKE)) if scale > 0 else 0.0
