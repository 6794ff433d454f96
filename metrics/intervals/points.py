"""The fixed points over which quantiles of a Dirichlet are taken: scrambled Sobol points, the same in every run."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy.special import ndtri

from metrics.measures.arrays import FloatArray

N_POINTS = 4096  # a power of two, at which Sobol points are balanced
SEED, BITS = 20240501, 30
SHIFT = (1002330291, 935167182, 799210329, 982867109)
DIRECTIONS = tuple(
    tuple(int(number, 16) for number in of_one.split())
    for of_one in (
        "2a4459af 197223ff e985abb 5d31ecc 3988193 1eb2265 cbc02f 5b3ded 3340b0 1b9e45 d071f 7344e",
        "2817b253 38eb4c0c 20f7599a 34d604e8 2bf71a0c 3a491c4f 23af976b 3687e5be 283ef5cc 38d16501 20d0f1de 34e69f8f",
        "3238cc32 20019101 1cb9fc75 35a6e311 2d9ded27 17d769b9 3087870c 21039aa4 1f8ceff8 37ed1a5a 2c2331cb 1489a606",
        "3d5af43a 27e36f57 bc97c25 1f2e1606 2a7199b6 154592ed 360de4c4 382abc9a 21971c0c a03c5c4 1cab12e8 2d2f8258",
    )
)
"""Of the four cells of a table of two classes, as SciPy, slow to import, scrambles them with SEED."""


@lru_cache(maxsize=16)
def points(dimensions: int) -> tuple[FloatArray, FloatArray]:
    """Return the fixed low-discrepancy points, uniform and as normal quantiles, shape (N_POINTS, dimensions)."""
    uniform = _of_two_classes() if dimensions == len(SHIFT) else _of_scipy(dimensions)
    uniform = np.clip(uniform, 0.25 / N_POINTS, 1 - 0.25 / N_POINTS)
    normal: FloatArray = ndtri(uniform)
    for fixed in (uniform, normal):
        fixed.setflags(write=False)
    return uniform, normal


def _of_two_classes() -> FloatArray:
    """Return Sobol points in the order of their Gray codes, each bit of which adds a direction."""
    place = np.arange(N_POINTS)
    found = np.tile(np.array(SHIFT), (N_POINTS, 1))
    for bit, directions in enumerate(zip(*DIRECTIONS, strict=True)):
        found ^= (((place ^ place >> 1) >> bit & 1)[:, np.newaxis]) * np.array(directions)
    scaled: FloatArray = found / 2**BITS
    return scaled


def _of_scipy(dimensions: int) -> FloatArray:
    from scipy.stats import qmc

    drawn: FloatArray = qmc.Sobol(dimensions, scramble=True, bits=BITS, rng=np.random.default_rng(SEED)).random(N_POINTS)
    return drawn
