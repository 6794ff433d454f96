"""Do the groups differ, by more than chance makes of groups of their sizes, and what is left of each when it does not?"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaincc, ndtr

from metrics.analyses.slices.studentised import Gauge, Units
from metrics.measures.arrays import FloatArray
from metrics.measures.exact_tests import holm

REPLICATES = 1999
"""Permutations of a test; p is then no coarser than 0.0005."""
MOST_PERMUTED = 75_000
"""Numbers of units up to which their groups are permuted: 5 000 units of two labels. Of more, the normal distribution says the
same where every group tested has `FEWEST_NORMAL` units."""
FEWEST_NORMAL = 20
BLOCK = 4_000_000
"""Numbers that are held at once beside the units themselves."""
FEW_LARGE = "fewer than two groups are large enough"
SLACK = 1e-9
"""Statistics nearer than this are equal numbers added in another order."""


@dataclass(frozen=True)
class Heterogeneity:
    """Whether one metric differs between groups.

    Attributes
    ----------
    q : float
        Cochran's Q on the metric's scale; NaN with fewer than two groups to test.
    df : int
        Groups tested, less one.
    p : float
        By permuting the groups of whole units; NaN where there is none.
    method : {"permutation", "chi-square", ""}
    replicates : int
        Permutations; 0 for a chi-square.
    tau2 : float
        Variance between groups on the metric's scale by DerSimonian and Laird; 0 where chance alone explains Q.
    centre : float
        Mean of the groups on the metric's own range.
    why : str
        Why there is no test; empty where there is one.
    """

    q: float
    df: int
    p: float
    method: str
    replicates: int
    tau2: float
    centre: float
    why: str = ""

    @classmethod
    def untested(cls, why: str) -> Heterogeneity:
        """Return no test, and why there is none."""
        return cls(math.nan, 0, math.nan, "", 0, math.nan, math.nan, why)

    @classmethod
    def by_chi_square(cls, q: float, df: int, tau2: float, centre: float) -> Heterogeneity:
        """Return the test of Q by its distribution in large groups."""
        return cls(q, df, float(gammaincc(df / 2, q / 2)), "chi-square", 0, tau2, centre)


@dataclass(frozen=True, eq=False)
class Groups:
    """What one metric is in every group, beside the others.

    Attributes
    ----------
    test : Heterogeneity
    pooled : ndarray, shape (G,)
        Value drawn to the mean of the groups as far as chance explains it, on the metric's own range.
    z : ndarray, shape (G,)
        Distance of a group from all others, in standard errors; NaN where it is not tested.
    p : ndarray, shape (G,)
        Of that distance, corrected by Holm for the groups tested; NaN where it is not tested.
    """

    test: Heterogeneity
    pooled: FloatArray
    z: FloatArray
    p: FloatArray

    @classmethod
    def untested(cls, why: str, n_groups: int) -> Groups:
        """Return groups that nothing compares, and why."""
        nothing = np.full(n_groups, math.nan)
        return cls(Heterogeneity.untested(why), nothing, nothing, nothing)

    @classmethod
    def of(
        cls, q: float, z: FloatArray, spread: tuple[float, float], pooled: FloatArray, tested: NDArray[np.bool_],
        drawn: tuple[FloatArray, FloatArray] | None, few: str,
    ) -> Groups:  # fmt: skip
        """Return groups by Q and by the distance of each that is tested, beside those of permutations.

        Parameters
        ----------
        q : float
        z : ndarray
            Of the groups that are tested.
        spread : tuple of two floats
            Variance between groups, and their centre on the metric's own range.
        pooled : ndarray, shape (G,)
        tested : ndarray of bool, shape (G,)
        drawn : tuple of two ndarrays, or None
            Q and distances of the permutations; the normal distribution stands for them where there are none.
        few : str
            Why no normal distribution can; empty where it can.
        """
        df, single = len(z) - 1, np.full(len(z), math.nan)
        test = Heterogeneity(q, df, math.nan, "", 0, *spread, few)
        if drawn is not None:
            p_q = (1 + int((drawn[0] >= q - SLACK).sum())) / (1 + len(drawn[0]))
            test, single = Heterogeneity(q, df, p_q, "permutation", len(drawn[0]), *spread), _two_sided(z, drawn[1])
        elif not few:
            test, single = Heterogeneity.by_chi_square(q, df, *spread), 2 * ndtr(-np.abs(z))
        far, p = np.full(len(tested), math.nan), np.full(len(tested), math.nan)
        # Two groups are one test: each is all the others of the other.
        far[tested], p[tested] = z, single if len(z) == 2 else holm(single.tolist())
        return cls(test, pooled, far, p)


@dataclass(frozen=True)
class Beside:
    """κ within criteria of a group beside that of all other groups.

    Attributes
    ----------
    value, rest : float
        With the penalties of the metric that groups are ranked by; NaN where no criterion has chance disagreement.
    z, p : float
        Distance in standard errors, and its p, corrected for the groups.
    """

    value: float
    rest: float
    z: float
    p: float

    def side(self, level: float) -> int:
        """Return −1 where the group lies below the others, 1 where above, 0 where it is not told apart."""
        return 0 if not self.p <= level else (1 if self.z > 0 else -1)


def compared(
    units: Units,
    group: NDArray[np.int64],
    tested: NDArray[np.bool_],
    gauge: Gauge,
    *,
    seed: int = 0,
    replicates: int = REPLICATES,
) -> Groups:
    """Return how one metric differs between groups of whole units.

    Parameters
    ----------
    units : Units
    group : ndarray of int64, shape (n,)
        Of each row of the units, from 0; -1 for none.
    tested : ndarray of bool, shape (G,)
        Groups that are not too small for a test. The others get a pooled value only.
    gauge : Gauge
    seed : int
        Of the permutations.
    replicates : int
        Permutations.

    References: Cochran (1954), doi:10.2307/3001666; DerSimonian & Laird (1986), doi:10.1016/0197-2456(86)90046-2; Chung & Romano
    (2013), doi:10.1214/13-AOS1090.
    """
    sums = units.sums(group, len(tested))
    value, error = gauge.standing(sums)
    there = tested & np.isfinite(value) & np.isfinite(error)
    if there.sum() < 2:
        return Groups.untested(FEW_LARGE, len(tested))
    q, tau2, centre = dersimonian_laird(value[there], error[there])
    spread = tau2, float(gauge.back(np.array(centre)))
    pooled = gauge.back(shrunk(value, error, tau2, centre))
    drawn = _drawn(units, group, there, gauge, seed, replicates)
    few = bool((sums[there, 0] < FEWEST_NORMAL).any())
    why = f"a group has fewer than {FEWEST_NORMAL} units, and there are too many units to permute" if few else ""
    return Groups.of(q, against_rest(gauge, sums[there]), spread, pooled, there, drawn, why)


def shrunk(value: FloatArray, error: FloatArray, tau2: float, centre: float) -> FloatArray:
    r"""Return values drawn to their mean, :math:`\mu + (x_g - \mu) \tau^2 / (\tau^2 + s_g^2)`.

    Parameters
    ----------
    value, error : ndarray, shape (G,)
        On the metric's scale.
    tau2, centre : float
        Variance between groups, and their mean.
    """
    return np.asarray(centre + (value - centre) * tau2 / (tau2 + error**2), np.float64)


def against_rest(gauge: Gauge, sums: FloatArray) -> FloatArray:
    """Return distance of each group from all others together, in standard errors, shape (..., G).

    Parameters
    ----------
    gauge : Gauge
    sums : ndarray, shape (..., G, F)
    """
    return distances(gauge, sums, sums.sum(-2, keepdims=True) - sums)


def distances(gauge: Gauge, sums: FloatArray, others: FloatArray) -> FloatArray:
    """Return distance of each group from its others in standard errors, shape (..., G); sums of both, shape (..., G, F)."""
    value, error = gauge.standing(sums)
    rest, rest_error = gauge.standing(others)
    return np.asarray((value - rest) / np.sqrt(error**2 + rest_error**2), np.float64)


def _two_sided(observed: FloatArray, drawn: FloatArray) -> FloatArray:
    """Return p of distances from what permutations give on average, shape (G,).

    Parameters
    ----------
    observed : ndarray, shape (G,)
    drawn : ndarray, shape (B, G)
    """
    centre = drawn.mean(0)
    far = np.abs(drawn - centre) >= np.abs(observed - centre) - SLACK
    return np.asarray((1 + far.sum(0)) / (1 + len(drawn)), np.float64)


def dersimonian_laird(value: FloatArray, error: FloatArray) -> tuple[float, float, float]:
    """Return Q, the variance between groups, never below 0, and the mean of the groups with that variance.

    Parameters
    ----------
    value, error : ndarray, shape (G,)
        On the metric's scale; two groups or more.

    References: DerSimonian & Laird (1986), doi:10.1016/0197-2456(86)90046-2.
    """
    weight = 1 / error**2
    q = float(_cochran(value, error))
    spread = float(weight.sum() - (weight**2).sum() / weight.sum())
    tau2 = max(0.0, (q - (len(value) - 1)) / spread)
    both = 1 / (error**2 + tau2)
    return q, tau2, float(both @ value / both.sum())


def _cochran(value: FloatArray, error: FloatArray) -> FloatArray:
    """Return Q along the last axis."""
    weight = 1 / error**2
    mean = (weight * value).sum(-1, keepdims=True) / weight.sum(-1, keepdims=True)
    return np.asarray((weight * (value - mean) ** 2).sum(-1), np.float64)


def _drawn(
    units: Units, group: NDArray[np.int64], there: NDArray[np.bool_], gauge: Gauge, seed: int, replicates: int
) -> tuple[FloatArray, FloatArray] | None:
    """Return Q and the distances from the rest of permuted groups, shapes (B,) and (B, G); None of too many units."""
    place = np.where(there, np.cumsum(there) - 1, -1)
    code = np.where(group >= 0, place[group], -1)
    inside = code >= 0
    moments = units.moments()[inside]
    if units.weight[inside].sum() * moments.shape[1] > MOST_PERMUTED:
        return None
    expanded = np.repeat(code[inside], units.weight[inside])
    moments = np.repeat(moments, units.weight[inside], axis=0)
    order = np.argsort(expanded, kind="stable")
    starts = np.searchsorted(expanded[order], np.arange(int(there.sum())))
    parts = []
    for block in _permuted(moments, starts, replicates, np.random.default_rng(seed)):
        value, error = gauge.standing(block)
        parts.append((_cochran(value, error), against_rest(gauge, block)))
    return np.concatenate([q for q, _ in parts]), np.concatenate([z for _, z in parts])


def _permuted(moments: FloatArray, starts: NDArray[np.int64], replicates: int, rng: np.random.Generator) -> Iterator[FloatArray]:
    """Yield the sums of groups of the same sizes, of rows in random order, shape (replicates of the block, G, F)."""
    step = max(1, BLOCK // (len(starts) * moments.shape[1] * 40))
    for first in range(0, replicates, step):
        size = min(step, replicates - first)
        yield np.stack([np.add.reduceat(moments[rng.permutation(len(moments))], starts) for _ in range(size)])
