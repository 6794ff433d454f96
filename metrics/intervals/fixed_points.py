"""The fixed points over which quantiles of a Dirichlet, and gammas, are taken: Sobol's, scrambled once."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.polynomial import chebyshev
from numpy.typing import NDArray
from scipy.special import gamma, gammaincinv, ndtr, ndtri

from metrics.measures.arrays import FloatArray

N_POINTS = 4096  # a power of two, at which Sobol points are balanced
SEED = 20240501
BITS = 30  # of a point, as SciPy has them
MOST_DIMENSIONS = 21_201
"""SciPy knows no Sobol points of more."""
MANY = 100
"""Dimensions above which the points of one number of them are kept, not of sixteen: those of 49 classes take 79 MB."""
OF_FOUR_CELLS = np.array(
    """
    709122479 426910719 244865723 97722060 60326291 32186981 13353007 5979629 3358896 1809989 853791 472142
    672641619 954944524 553081242 886441192 737614348 977869903 598710123 914875838 675214796 953246977 550564318 887529359
    842583090 536973569 481950837 900129553 765324583 399993273 814188300 553884324 529330168 938285658 740504011 344565254
    1029370938 669216599 197753893 523113990 712087990 356881133 906880196 942324890 563551244 168019396 480973544 758088280
    """.split(),
    np.int64,
).reshape(4, 12)
"""Direction numbers of the four cells of a table of two classes, scrambled with `SEED`, and where they start. With them the
commonest table does without SciPy's generator, which comes with all of `scipy.stats` and takes longer to import than pandas.
"""
START_OF_FOUR_CELLS = np.array([1002330291, 935167182, 799210329, 982867109])
LARGE_SHAPE = 40.0
"""From here on Wilson and Hilferty's gamma quantile is off by less than a hundredth of a standard deviation."""
TINY_SHAPE, FIRST_TERM = 0.1, 1e-3
"""Below these the first term of the gamma distribution's series is off by less than a thousandth of the quantile."""
N_NODES = 64
"""SciPy takes 4 to 9 ms for a quantile at every point. Drawn through this many they are off by 2e-10 of their value at most."""


def fixed_points(dimensions: int) -> FloatArray:
    """Return the fixed low-discrepancy points, uniform, shape (N_POINTS, dimensions); not to be written to.

    Parameters
    ----------
    dimensions : int
    """
    return (_of_many if dimensions > MANY else _of_few)(dimensions)


def _points(dimensions: int) -> FloatArray:
    whole = _of_four_cells() if dimensions == len(OF_FOUR_CELLS) else _by_scipy(dimensions)
    points = np.clip(whole.T, 0.25 / N_POINTS, 1 - 0.25 / N_POINTS, order="C")
    points.setflags(write=False)
    return points.T


_of_few, _of_many = lru_cache(maxsize=16)(_points), lru_cache(maxsize=1)(_points)


@lru_cache(maxsize=64)
def normal_points(place: int, dimensions: int) -> FloatArray:
    """Return one dimension of the points as normal quantiles, shape (N_POINTS,).

    Parameters
    ----------
    place, dimensions : int
        Which dimension of how many.
    """
    normal: FloatArray = ndtri(fixed_points(dimensions)[:, place])
    normal.setflags(write=False)
    return normal


def _by_scipy(dimensions: int) -> FloatArray:
    from scipy.stats import qmc

    points: FloatArray = qmc.Sobol(dimensions, scramble=True, rng=np.random.default_rng(SEED)).random(N_POINTS)
    return points


def _of_four_cells() -> FloatArray:
    """Return what `_by_scipy(4)` returns: of each point the start and the directions of its Gray code, by exclusive or."""
    number = np.arange(N_POINTS)
    gray = number ^ (number >> 1)
    points: NDArray[np.int64] = np.tile(START_OF_FOUR_CELLS, (N_POINTS, 1))
    for bit, direction in enumerate(OF_FOUR_CELLS.T):
        points ^= ((gray >> bit) & 1)[:, None] * direction
    return points / 2.0**BITS


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
