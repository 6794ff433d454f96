"""Quantiles of the gamma distribution at the fixed points: of shapes that are cells of a table, for draws of its Dirichlet."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.polynomial import chebyshev
from scipy.special import gamma, gammaincinv, ndtr

from metrics.intervals.fixed_points import fixed_points, normal_points
from metrics.measures.arrays import FloatArray

LARGE_SHAPE = 40.0
"""From here on Wilson and Hilferty's gamma quantile is off by less than a hundredth of a standard deviation."""
TINY_SHAPE, FIRST_TERM = 0.1, 1e-3
"""Below these the first term of the gamma distribution's series is off by less than a thousandth of the quantile."""
N_NODES = 64
"""SciPy takes 4 to 9 ms for a quantile at every point. Drawn through this many they are off by 2e-10 of their value at most."""


def gamma_points(shapes: FloatArray) -> FloatArray:
    """Return quantiles of each shape, shape (len(shapes), N_POINTS); sums over cells are then fast.

    Parameters
    ----------
    shapes : ndarray, shape (D,)
        Above 0, in the order of the dimensions of the points.
    """
    least, dimensions = float(shapes.min()), len(shapes)
    if least >= TINY_SHAPE:
        return np.stack([_column(float(shape), place, dimensions) for place, shape in enumerate(shapes)])
    points = _of_empty_cells(least, dimensions).copy()
    for place in np.flatnonzero(shapes > least).tolist():
        points[place] = _column(float(shapes[place]), place, dimensions)
    return points


@lru_cache(maxsize=1)
def _of_empty_cells(shape: float, dimensions: int) -> FloatArray:
    """Return quantiles of one shape at every place: empty cells of all tables of as many classes share them."""
    return np.stack([_tiny(shape, uniform) for uniform in fixed_points(dimensions).T])


@lru_cache(maxsize=512)
def _column(shape: float, place: int, dimensions: int) -> FloatArray:
    if shape < TINY_SHAPE:
        return _tiny(shape, fixed_points(dimensions)[:, place])
    if shape < LARGE_SHAPE:
        probabilities, polynomials = _between_nodes(place, dimensions)
        return np.exp(polynomials @ (_of_nodes() @ np.log(gammaincinv(shape, probabilities))))
    normal = normal_points(place, dimensions)
    column: FloatArray = shape * (1 - 1 / (9 * shape) + normal / (3 * np.sqrt(shape))) ** 3
    return column


@lru_cache(maxsize=16)
def _between_nodes(place: int, dimensions: int) -> tuple[FloatArray, FloatArray]:
    """Return probabilities of the nodes, and the polynomials at each fixed point, shape (N_POINTS, N_NODES).

    Over the normal quantile the logarithm of a gamma quantile is as smooth as a polynomial.
    """
    normal = normal_points(place, dimensions)
    edge = np.abs(normal).max()
    return ndtr(edge * chebyshev.chebpts1(N_NODES)), chebyshev.chebvander(normal / edge, N_NODES - 1)


@lru_cache(maxsize=1)
def _of_nodes() -> FloatArray:
    """Return what makes coefficients of values at the nodes, shape (N_NODES, N_NODES)."""
    nodes = chebyshev.chebpts1(N_NODES)
    return np.asarray(np.linalg.inv(chebyshev.chebvander(nodes, N_NODES - 1)), np.float64)


def _tiny(shape: float, uniform: FloatArray) -> FloatArray:
    """Return quantiles of empty cells of many classes: nearly all are nearly 0, where the first term of the series is enough."""
    least = np.finfo(float).tiny
    column, first = np.full(uniform.shape, least), uniform * gamma(shape + 1)
    above = first > least**shape
    column[above] = first[above] ** (1 / shape)
    large = column > FIRST_TERM
    column[large] = gammaincinv(shape, uniform[large])
    return np.maximum(column, least)
