"""Do groups differ that cut through what is kept together, such as the criteria of an item?"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.slices.heterogeneity import SLACK, Groups, Heterogeneity, dersimonian_laird, shrunk, two_sided
from metrics.analyses.slices.parts import Decisions
from metrics.analyses.slices.studentised import Gauge
from metrics.measures.arrays import FloatArray
from metrics.measures.exact_tests import holm

REPLICATES = 499
"""Permutations; each counts the decisions of every unit anew."""
AT_ONCE = 1_000_000
"""Numbers that are held at once."""
MOST_CELLS = 400_000
"""Numbers that one permutation counts, up to which it is done: units × groups × cells."""


def compared_within(
    decisions: Decisions, tested: NDArray[np.bool_], gauge: Gauge, *, replicates: int = REPLICATES, seed: int = 0
) -> Groups:
    """Return how one metric differs between groups that cut through units.

    Q is Wald's, with the covariance that units of several groups make. Groups are permuted among the decisions of each unit, so
    that what a unit has of its own stays with it; Q and the distances are found anew with their errors each time.

    Parameters
    ----------
    decisions : Decisions
    tested : ndarray of bool, shape (G,)
    gauge : Gauge
    replicates, seed : int
        Of the permutations.
    """
    nothing = np.full(len(tested), math.nan)
    place = np.where(tested, np.cumsum(tested) - 1, -1)
    code = np.where(decisions.group >= 0, place[decisions.group], -1)
    kept = np.flatnonzero(code >= 0)
    n_groups, n_units = int(tested.sum()), int(decisions.unit.max(initial=-1)) + 1
    size = n_units * n_groups * decisions.k**2
    if n_groups < 2 or size > MOST_CELLS:
        why = "fewer than two groups are large enough" if n_groups < 2 else "there are too many items to permute"
        return Groups(Heterogeneity(math.nan, 0, math.nan, "", 0, math.nan, math.nan, why), nothing, nothing, nothing)
    unit, cell, group = decisions.unit[kept], decisions.cell[kept], code[kept]
    weight = None if decisions.weight is None else decisions.weight[kept] / decisions.weight[kept].mean()
    shape = (n_units, n_groups, decisions.k**2)
    (value,), (error,), (q,), (z,) = _statistics(unit, cell, group[None], weight, shape, gauge)
    rng, order, parts = np.random.default_rng(seed), np.argsort(unit, kind="stable"), []
    step = max(1, AT_ONCE // size)
    for first in range(0, replicates, step):
        turned = np.empty((min(step, replicates - first), len(group)), np.int64)
        for row in turned:
            row[order] = group[np.lexsort((rng.random(len(unit)), unit))]
        parts.append(_statistics(unit, cell, turned, weight, shape, gauge)[2:])
    q_drawn, z_drawn = (np.concatenate([part[at] for part in parts]) for at in (0, 1))
    _, tau2, centre = dersimonian_laird(value, error)
    p_q = (1 + int((q_drawn >= q - SLACK).sum())) / (1 + replicates)
    single = two_sided(z, z_drawn)
    pooled, far, p = nothing.copy(), nothing.copy(), nothing.copy()
    pooled[tested] = gauge.back(shrunk(value, error, tau2, centre))
    far[tested], p[tested] = z, single if n_groups == 2 else holm(single.tolist())
    test = Heterogeneity(float(q), n_groups - 1, p_q, "permutation", replicates, tau2, float(gauge.back(np.array(centre))))
    return Groups(test, pooled, far, p)


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
