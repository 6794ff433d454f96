"""Do groups differ within criteria too, or only where the decisions of several criteria are pooled?

Pooled κ of a group moves with the label rates of its criteria, as that of a file does. What is claimed of a group must hold for κ
with chance computed inside each criterion too, by which a judge is read over several criteria.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.special import fdtrc, stdtr

from metrics.analyses.slices.heterogeneity import Beside, Heterogeneity
from metrics.analyses.slices.parts import MOST_CLASSES, Judged
from metrics.analyses.slices.studentised import PSEUDO_UNITS
from metrics.measures.arrays import FloatArray, safe_ratio
from metrics.measures.catalogue import BY_KEY, QUADRATIC_KAPPA
from metrics.measures.coefficients import Weights, disagreements, penalties
from metrics.measures.exact_tests import holm
from metrics.measures.transforms import on_scale

WEIGHTS: dict[str, Weights] = {"kappa": None, QUADRATIC_KAPPA.key: "quadratic"}
"""What a confusion costs in the metrics that groups are ranked by."""


@dataclass(frozen=True, eq=False)
class _Held:
    """Decisions of the groups compared.

    Attributes
    ----------
    unit, group : ndarray of int64, shape (n,)
        From 0.
    place : ndarray of int64, shape (n,)
        Of the criterion and the cell of the decision in a table of all criteria, laid flat.
    weight : ndarray of float64, shape (n,)
        Of each decision within its unit; 1 on average.
    times : ndarray of float64, shape (U,)
        Units that each stands for.
    shape : (int, int, int)
        Groups, criteria and classes.
    """

    unit: NDArray[np.int64]
    group: NDArray[np.int64]
    place: NDArray[np.int64]
    weight: FloatArray
    times: FloatArray
    shape: tuple[int, int, int]

    @classmethod
    def of(cls, judged: Judged, compared: NDArray[np.bool_], *, merged: bool) -> _Held:
        cells, clusters, ratings = judged.cells(), judged.clusters(), judged.handled
        n_groups = int(compared.sum()) + merged
        code = np.where(compared, np.cumsum(compared) - 1, n_groups - 1 if merged else -1)
        group = np.where(cells.group >= 0, code[cells.group], -1)
        kept = np.flatnonzero(group >= 0)
        item, alike = cells.item[kept], ratings.weight[cells.item[kept]].astype(np.float64)
        own, first, unit = np.unique(item if clusters is None else clusters[item], return_index=True, return_inverse=True)
        weight = np.ones(len(kept)) if judged.weights is None else judged.weights[item] / judged.weights[item].mean()
        # Identical items are units of their own; where whole clusters are the units, they lie in them.
        times = alike[first] if clusters is None else np.ones(len(own))
        place = cells.criterion[kept] * cells.k**2 + cells.cell[kept]
        within = weight if clusters is None else weight * alike
        return cls(unit, group[kept], place, within, times, (n_groups, len(ratings.criteria), cells.k))

    def tables(self) -> FloatArray:
        """Return the decisions of every group, shape (G, C, K, K)."""
        n_groups, n_criteria, k = self.shape
        size = n_criteria * k * k
        each = self.weight * self.times[self.unit]
        counted = np.bincount(self.group * size + self.place, each, minlength=n_groups * size)
        return counted.reshape(n_groups, n_criteria, k, k).astype(np.float64)

    def pulls(self, slope: FloatArray) -> FloatArray:
        """Return the sum of the slopes of the decisions of every unit, shape (U,); `slope` has one for each decision."""
        return np.bincount(self.unit, slope * self.weight, minlength=len(self.times)).astype(np.float64)

    def units(self) -> NDArray[np.int64]:
        """Return the units with a decision in each group, shape (G,)."""
        n_groups = self.shape[0]
        pairs = np.unique(self.unit * n_groups + self.group)
        return np.bincount(pairs % n_groups, self.times[pairs // n_groups], minlength=n_groups).astype(np.int64)


def within_criteria(
    judged: Judged, metric: str, compared: Sequence[bool] | NDArray[np.bool_], *, merged: bool = False
) -> tuple[Heterogeneity, list[Beside | None]] | None:
    """Return whether κ within criteria differs between groups, and how each stands to the others; None where nothing tells.

    Chance is computed inside each criterion of each group, so that no mix of the other groups makes a difference either. Standard
    errors are those of the infinitesimal jackknife over units, with two units beside those of each group, as in the test of the
    pooled metric. Student's t has as many degrees of freedom as the group, or the others, have units, less one, and Snedecor's F
    those of the smallest group. The p of a group is not corrected for the others: see `corrected`.

    Parameters
    ----------
    judged : Judged
    metric : str
        Key of the metric whose penalties count: κ, of ordered labels κ with quadratic weights.
    compared : sequence of bool, or ndarray of bool
        Which groups are compared.
    merged : bool
        Whether all others are one group more, which has no number of its own; else nothing of theirs counts.
    """
    mask = np.asarray(compared, bool)
    merged = merged and not mask.all()
    if len(judged.handled.criteria) < 2 or metric not in WEIGHTS or mask.sum() + merged < 2:
        return None
    # Units that cut through groups are not known one by one where identical items are one.
    if judged.handled.multiplicity is not None and judged.groups.of_item is None:
        return None
    held = _Held.of(judged, mask, merged=merged)
    if held.shape[2] > MOST_CLASSES or len(held.times) < 2:
        return None
    found, q = _compared(held, held.tables(), metric)
    places = iter(found)
    return q, [next(places) if taken else None for taken in mask]


def corrected(found: Sequence[Beside | None], n_columns: int = 1) -> list[Beside | None]:
    """Return groups with the p of each corrected by Holm for all of them.

    Two groups of one column are one test: each is all the others of the other.
    """
    kept = [each for each in found if each is not None]
    if len(kept) <= 2 and n_columns == 1:
        return list(found)
    p = iter(holm([1.0 if math.isnan(each.p) else each.p for each in kept]))
    return [None if each is None else replace(each, p=next(p)) for each in found]


@dataclass(frozen=True, eq=False)
class _Chance:
    """Penalties of groups seen and by chance, summed over criteria, shape (G,); slopes of the latter, shape (G, C, K, K)."""

    penalty: FloatArray
    seen: FloatArray
    by_chance: FloatArray
    slope: FloatArray

    @classmethod
    def of(cls, tables: FloatArray, metric: str) -> _Chance:
        penalty, n = penalties(tables.shape[-1], WEIGHTS[metric]), tables.sum((-2, -1))[..., None, None]
        seen, by_chance = disagreements(tables, weights=WEIGHTS[metric])
        by_row, by_column = tables.sum(-2) @ penalty.T, tables.sum(-1) @ penalty
        slope = (by_row[..., :, None] + by_column[..., None, :] - by_chance[..., None, None]) / n
        return cls(np.broadcast_to(penalty, tables.shape[1:]), seen.sum(-1), by_chance.sum(-1), slope)

    def of_others(self) -> _Chance:
        """Return the same of all other groups together, each with its own chance; slopes are those of the groups."""
        return replace(self, seen=self.seen.sum() - self.seen, by_chance=self.by_chance.sum() - self.by_chance)

    def value(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return κ on its scale, and what a penalty and a slope of chance are multiplied with in its own slope, shape (G,)."""
        value, stretch = on_scale(1 - self.seen / self.by_chance, BY_KEY["kappa_within"].transform)
        return value, -stretch / self.by_chance, stretch * self.seen / self.by_chance**2

    def squares(self, prior: FloatArray, a: FloatArray, b: FloatArray) -> FloatArray:
        """Return the squared slopes of κ by the cells of each group (columns), summed over a prior, shape (G, G)."""
        own = [(prior * left * right).sum((-3, -2, -1)) for left, right in ((self.penalty, self.slope), (self.slope, self.slope))]
        flat = float((prior * self.penalty**2).sum())
        return np.asarray(a[:, None] ** 2 * flat + 2 * (a * b)[:, None] * own[0] + b[:, None] ** 2 * own[1])


def _compared(held: _Held, tables: FloatArray, metric: str) -> tuple[list[Beside], Heterogeneity]:
    prior, effect = _prior(held, tables.sum(0), metric)
    own = _Chance.of(tables + prior, metric)
    (value, a, b), (others, a_others, b_others) = own.value(), own.of_others().value()
    penalty, chance = own.penalty.reshape(-1)[held.place], own.slope.reshape(len(tables), -1)[held.group, held.place]
    slope = a[held.group] * penalty + b[held.group] * chance
    error = np.empty(len(tables))
    more = held.times.sum() / (held.times.sum() - 1)
    for place in range(len(tables)):
        pull = held.pulls(np.where(held.group == place, slope, -a_others[place] * penalty - b_others[place] * chance))
        error[place] = more * (held.times @ pull**2)
    alone, beside = own.squares(prior, a, b) * effect, own.squares(prior, a_others, b_others) * effect
    z = (value - others) / np.sqrt(error + np.diag(alone) + beside.sum(1) - np.diag(beside))
    units = held.units()
    df = np.maximum(np.minimum(units, units.sum() - units) - 1, 1)
    raw = disagreements(tables, weights=WEIGHTS[metric])
    seen, by_chance = (each.sum(-1) for each in raw)
    here, elsewhere = 1 - safe_ratio(seen, by_chance), 1 - safe_ratio(seen.sum() - seen, by_chance.sum() - by_chance)
    found = [Beside(*map(float, each)) for each in zip(here, elsewhere, z, 2 * stdtr(df, -np.abs(z)), strict=True)]
    return found, _together(held, value, slope, np.diag(alone), more, int(df.min()))


def _together(held: _Held, value: FloatArray, slope: FloatArray, added: FloatArray, more: float, df: int) -> Heterogeneity:
    """Return Wald's Q of all groups, with the covariance that units of several groups make; `slope` is that of each decision."""
    n_groups = len(value)
    pull = csr_array((slope * held.weight, (held.unit, held.group)), (len(held.times), n_groups))
    covariance = csr_array(pull.T @ (pull * held.times[:, None])).toarray() * more + np.diag(added)
    contrast = np.eye(n_groups)[1:] - np.eye(n_groups)[0]
    apart = contrast @ value
    q = float(apart @ np.linalg.solve(contrast @ covariance @ contrast.T, apart))
    return Heterogeneity(q, n_groups - 1, float(fdtrc(n_groups - 1, df, q / (n_groups - 1))), "", 0, math.nan, math.nan)


def _prior(held: _Held, whole: FloatArray, metric: str) -> tuple[FloatArray, float]:
    """Return what every group gets beside its decisions, two units as the whole file, and the design effect of the metric."""
    smooth = whole + PSEUDO_UNITS / whole.size
    chance = _Chance.of(smooth[None], metric)
    _, a, b = chance.value()
    slope = a * chance.penalty + b * chance.slope[0]
    pull = held.pulls(slope.reshape(-1)[held.place])
    flat, most = float((smooth * slope**2).sum()), max(1.0, float(whole.sum() / held.times.sum()))
    effect = float(np.clip(held.times @ pull**2 / flat, 1.0, most)) if flat > 0 else most
    return smooth / smooth.sum() * PSEUDO_UNITS * effect, effect
