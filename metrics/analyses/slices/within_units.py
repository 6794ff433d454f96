"""Do groups differ that cut through what is kept together, such as the criteria of an item?"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.slices.heterogeneity import FEW_LARGE, FEWEST_NORMAL, Groups, dersimonian_laird, shrunk
from metrics.analyses.slices.parts import Decisions
from metrics.analyses.slices.studentised import Gauge
from metrics.measures.arrays import FloatArray

REPLICATES = 499
"""Permutations; each counts the decisions of every unit anew."""
LEAST_MOVED = 1 / 2
"""Share of the decisions that must be free to get another group, from which permutations say what chance does."""
AT_ONCE = 1_000_000
"""Numbers that are held at once."""
MOST_CELLS = 400_000
"""Numbers that one permutation counts, up to which it is done: units × groups × cells."""
FEW_FREE = f"a group has fewer than {FEWEST_NORMAL} items, and most groups would stay where they are when they are permuted"


def compared_within(
    decisions: Decisions, tested: NDArray[np.bool_], gauge: Gauge, *, replicates: int = REPLICATES, seed: int = 0
) -> Groups:
    """Return how one metric differs between groups that cut through units.

    Q is Wald's, with the covariance that units of several groups make. Groups are permuted among the decisions of each unit, so
    that what a unit has of its own stays with it, and first all those of a unit among the units with as many decisions: where a
    column is nearly the same throughout a unit, little is left to permute within. Q and the distances are found anew with their
    errors each time. Where most decisions keep their group whatever is permuted, the normal distribution takes its place.

    Parameters
    ----------
    decisions : Decisions
    tested : ndarray of bool, shape (G,)
    gauge : Gauge
    replicates, seed : int
        Of the permutations.
    """
    place = np.where(tested, np.cumsum(tested) - 1, -1)
    code = np.where(decisions.group >= 0, place[decisions.group], -1)
    kept = np.flatnonzero(code >= 0)
    n_groups, n_units = int(tested.sum()), int(decisions.unit.max(initial=-1)) + 1
    size = n_units * n_groups * decisions.k**2
    if n_groups < 2 or size > MOST_CELLS:
        return Groups.untested(FEW_LARGE if n_groups < 2 else "there are too many items to permute", len(tested))
    unit, cell, group = decisions.unit[kept], decisions.cell[kept], code[kept]
    weight = None if decisions.weight is None else decisions.weight[kept] / decisions.weight[kept].mean()
    shape = (n_units, n_groups, decisions.k**2)
    (value,), (error,), (q,), (z,) = _statistics(unit, cell, group[None], weight, shape, gauge)
    _, tau2, centre = dersimonian_laird(value, error)
    shuffled, drawn, few = _Shuffled.of(unit, group), None, ""
    if shuffled.moved < LEAST_MOVED:
        fewest = int(np.bincount(np.unique(unit * n_groups + group) % n_groups, minlength=n_groups).min())
        few = FEW_FREE if fewest < FEWEST_NORMAL else ""
    else:
        rng, parts, step = np.random.default_rng(seed), [], max(1, AT_ONCE // size)
        for first in range(0, replicates, step):
            turned = np.stack([shuffled.draw(rng) for _ in range(min(step, replicates - first))])
            parts.append(_statistics(unit, cell, turned, weight, shape, gauge)[2:])
        drawn = np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])
    pooled = np.full(len(tested), math.nan)
    pooled[tested] = gauge.back(shrunk(value, error, tau2, centre))
    return Groups.of(float(q), z, (tau2, float(gauge.back(np.array(centre)))), pooled, tested, drawn, few)


@dataclass(frozen=True, eq=False)
class _Shuffled:
    """Groups of decisions in random order: those of a unit go to one with as many decisions, and there to any of them.

    Attributes
    ----------
    unit : ndarray of int64, shape (n,)
        Of the decisions by unit, rising.
    order : ndarray of int64, shape (n,)
        Places of these decisions.
    group : ndarray of int64, shape (n,)
        Of these decisions.
    alike : tuple of ndarray of int64, shape (units, decisions)
        Rows of units with as many decisions, each with the places of its decisions among these.
    """

    unit: NDArray[np.int64]
    order: NDArray[np.int64]
    group: NDArray[np.int64]
    alike: tuple[NDArray[np.int64], ...]

    @classmethod
    def of(cls, unit: NDArray[np.int64], group: NDArray[np.int64]) -> _Shuffled:
        order = np.lexsort((group, unit))
        _, starts, sizes = np.unique(unit[order], return_index=True, return_counts=True)
        alike = tuple(starts[sizes == size][:, None] + np.arange(size) for size in np.unique(sizes).tolist())
        return cls(unit[order], order, group[order], alike)

    @property
    def moved(self) -> float:
        """Share of the decisions that may get another group."""
        several = (len(np.unique(self.group[rows], axis=0)) > 1 for rows in self.alike)
        free = [
            rows.size if some else int((self.group[rows] != self.group[rows][:, :1]).any(1).sum()) * rows.shape[1]
            for rows, some in zip(self.alike, several, strict=True)
        ]
        return sum(free) / max(len(self.group), 1)

    def draw(self, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return the group of every decision, in the order in which they were given, shape (n,)."""
        turned = self.group.copy()
        for rows in self.alike:
            turned[rows] = self.group[rows[rng.permutation(len(rows))]]
        out = np.empty_like(turned)
        out[self.order] = turned[np.lexsort((rng.random(len(turned)), self.unit))]
        return out


def _statistics(
    unit: NDArray[np.int64],
    cell: NDArray[np.int64],
    group: NDArray[np.int64],
    weight: FloatArray | None,
    shape: tuple[int, int, int],
    gauge: Gauge,
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return value and error of every group on the metric's scale, Wald's Q, and the distances from the rest, for B groupings.

    `group` has shape (B, n); the results have (B, G), (B, G), (B,) and (B, G).
    """
    n_units, n_groups, size = shape
    n, whole = len(group), n_units * n_groups * size
    flat = (np.arange(n)[:, None] * n_units * n_groups + unit * n_groups + group) * size + cell
    each = None if weight is None else np.broadcast_to(weight, flat.shape).ravel()
    tables = np.bincount(flat.ravel(), each, minlength=n * whole).reshape(n, *shape).astype(np.float64)
    more = n_units / (n_units - 1) if n_units > 1 else math.nan
    totals = tables.sum(1)
    value, slope = gauge.influence(totals)
    pull = np.einsum("buga,bga->bug", tables, slope)
    added = (slope**2 * gauge.prior).sum(-1) * gauge.effect
    covariance = np.einsum("bug,buh->bgh", pull, pull) * more + added[:, :, None] * np.eye(n_groups)
    contrast = np.eye(n_groups)[1:] - np.eye(n_groups)[0]
    apart = value @ contrast.T
    q = (apart * np.linalg.solve(contrast @ covariance @ contrast.T, apart[..., None])[..., 0]).sum(-1)
    rest_value, rest_slope = gauge.influence(totals.sum(1, keepdims=True) - totals)
    rest = np.einsum("buga,bga->bug", tables.sum(2, keepdims=True) - tables, rest_slope)
    variance = ((pull - rest) ** 2).sum(1) * more + added + (rest_slope**2 * gauge.prior).sum(-1) * gauge.effect
    return value, np.sqrt(np.diagonal(covariance, axis1=1, axis2=2)), q, (value - rest_value) / np.sqrt(variance)
