"""Intervals for one table in which every decision is independent: one criterion, or item verdicts.

Wilson for shares of a fixed total, Jeffreys' beta for rates with a random denominator, and for the rest quantiles over one
fixed set of points of the Dirichlet with a total prior mass of 2. With two classes that prior is 1/2 a cell, so balanced
accuracy and Youden's J come from two independent betas, as the ratios of the same gammas.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

import numpy as np
from scipy.special import betaincinv, gammaincinv, ndtri
from scipy.stats import qmc

from metrics.arrays import FloatArray
from metrics.intervals.scale import Interval, covering

N_POINTS = 4096
PRIOR_MASS = 2.0
LARGE_SHAPE = 40.0
"""From here on Wilson and Hilferty's gamma quantile is off by less than a hundredth of a standard deviation."""

Function = Callable[[FloatArray], FloatArray]
SHARES = ("accuracy", "pabak", "prevalence", "predicted_prevalence")
RATES: dict[str, tuple[tuple[int, int], tuple[int, int]]] = {
    "precision": ((0, 0), (1, 0)),
    "recall": ((0, 0), (0, 1)),
    "specificity": ((1, 1), (1, 0)),
    "npv": ((1, 1), (0, 1)),
    "fpr": ((1, 0), (1, 1)),
    "fnr": ((0, 1), (0, 0)),
}
"""Cells counted, and cells counted against, of each rate of a 2 x 2 table."""


def wilson(count: float, n: float, confidence: float) -> tuple[float, float]:
    """Wilson's score interval of count / n.

    References: Wilson (1927), doi:10.1080/01621459.1927.10502953.
    """
    z = float(ndtri((1 + confidence) / 2))
    p, z2n = count / n, z * z / n
    centre = (p + z2n / 2) / (1 + z2n)
    half = z * np.sqrt(p * (1 - p) / n + z2n / (4 * n)) / (1 + z2n)
    return max(0.0, float(centre - half)), min(1.0, float(centre + half))


def jeffreys(count: float, against: float, confidence: float) -> tuple[float, float]:
    """Quantiles of Beta(count + 1/2, against + 1/2)."""
    tail = (1 - confidence) / 2
    return float(betaincinv(count + 0.5, against + 0.5, tail)), float(betaincinv(count + 0.5, against + 0.5, 1 - tail))


def single_table(
    counts: FloatArray, functions: Mapping[str, Function], values: Mapping[str, float], confidence: float, note: str = ""
) -> dict[str, Interval]:
    """Interval of every metric of one K x K table that has a value.

    Parameters
    ----------
    counts : ndarray, shape (K, K)
    functions : mapping
        Metric key to count-level function.
    values : mapping
        Metric key to the value on this table, NaN where undefined.
    """
    wanted = [key for key in functions if not np.isnan(values[key])]
    if not wanted or counts.sum() < 2:
        return {}
    k = len(counts)
    by_points = [key for key in wanted if not _closed(key, k)]
    ends = _quantiles(counts, {key: functions[key] for key in by_points}, confidence)
    methods = dict.fromkeys(ends, "dirichlet")
    for key in wanted:
        if _closed(key, k):
            ends[key], methods[key] = _closed_form(key, counts, confidence)
    return {key: Interval(*covering(values[key], ends[key]), methods[key], note) for key in wanted}


def dirichlet_quantiles(
    shape: FloatArray, functions: Mapping[str, Function], confidence: float
) -> dict[str, tuple[float, float]]:
    """Quantiles of each metric under Dirichlet(shape), shape (K, K), over the fixed points."""
    draws = np.moveaxis(_gamma(shape.ravel()).reshape(*shape.shape, N_POINTS), -1, 0)
    tail = (1 - confidence) / 2
    place = [round(tail * (N_POINTS - 1)), round((1 - tail) * (N_POINTS - 1))]
    out = {}
    for key, function in functions.items():
        found = np.partition(function(draws), place)
        out[key] = (float(found[place[0]]), float(found[place[1]]))
    return out


def _quantiles(counts: FloatArray, functions: Mapping[str, Function], confidence: float) -> dict[str, tuple[float, float]]:
    return dirichlet_quantiles(counts + PRIOR_MASS / counts.size, functions, confidence) if functions else {}


def _closed(key: str, k: int) -> bool:
    return key in SHARES or (k == 2 and (key in RATES or key in ("f1", "f1_negative")))


def _closed_form(key: str, counts: FloatArray, confidence: float) -> tuple[tuple[float, float], str]:
    if key in SHARES:
        return _share(key, counts, confidence), "wilson"
    if key in RATES:
        hit, against = RATES[key]
        return jeffreys(counts[hit], counts[against], confidence), "beta"
    agreed = counts[0, 0] if key == "f1" else counts[1, 1]
    tail = (1 - confidence) / 2
    w = [float(betaincinv(agreed + 0.5, counts[0, 1] + counts[1, 0] + 1, q)) for q in (tail, 1 - tail)]
    return (2 * w[0] / (1 + w[0]), 2 * w[1] / (1 + w[1])), "beta"


def _share(key: str, counts: FloatArray, confidence: float) -> tuple[float, float]:
    n, k = counts.sum(), len(counts)
    count = {"prevalence": counts[0].sum(), "predicted_prevalence": counts[:, 0].sum()}.get(key, np.trace(counts))
    low, high = wilson(float(count), float(n), confidence)
    return ((k * low - 1) / (k - 1), (k * high - 1) / (k - 1)) if key == "pabak" else (low, high)


def _gamma(shape: FloatArray) -> FloatArray:
    """Gamma quantiles of each shape at the fixed points, shape (len(shape), N_POINTS); sums over cells are then fast."""
    return np.stack([_gamma_column(float(a), place, len(shape)) for place, a in enumerate(shape)])


@lru_cache(maxsize=512)
def _gamma_column(shape: float, place: int, dimensions: int) -> FloatArray:
    uniform, normal = _points(dimensions)
    if shape < LARGE_SHAPE:
        return np.maximum(gammaincinv(shape, uniform[:, place]), np.finfo(float).tiny)
    column: FloatArray = shape * (1 - 1 / (9 * shape) + normal[:, place] / (3 * np.sqrt(shape))) ** 3
    return column


@lru_cache(maxsize=16)
def _points(dimensions: int) -> tuple[FloatArray, FloatArray]:
    """The fixed low-discrepancy points, uniform and as normal quantiles, shape (N_POINTS, dimensions)."""
    uniform = qmc.Sobol(dimensions, scramble=True, rng=np.random.default_rng(20240501)).random(N_POINTS)
    uniform = np.clip(uniform, 0.25 / N_POINTS, 1 - 0.25 / N_POINTS)
    normal: FloatArray = ndtri(uniform)
    for fixed in (uniform, normal):
        fixed.setflags(write=False)
    return uniform, normal
