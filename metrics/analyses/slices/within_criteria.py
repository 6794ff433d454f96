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
ROWS = {"recall": 0, "specificity": 1}
"""Reference label of which a rate counts the errors."""


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
    def of(cls, judged: Judged, code: NDArray[np.int64], row: int | None = None) -> _Held | None:
        """Return the decisions of one reference label or of all, by the place of their group among those compared, −1 for none.

        None where nothing tells: of one criterion, of too many labels, and where units cut through groups but are not known one
        by one, as identical items are one.
        """
        ratings = judged.handled
        if len(ratings.criteria) < 2 or (ratings.multiplicity is not None and judged.groups.of_item is None):
            return None
        cells, clusters, n_groups = judged.cells(), judged.clusters(), int(code.max()) + 1
        group = np.where(cells.group >= 0, code[cells.group], -1)
        kept = np.flatnonzero((group >= 0) & ((cells.cell // cells.k == row) if row is not None else True))
        item, alike = cells.item[kept], ratings.weight[cells.item[kept]].astype(np.float64)
        own, first, unit = np.unique(item if clusters is None else clusters[item], return_index=True, return_inverse=True)
        weight = np.ones(len(kept)) if judged.weights is None else judged.weights[item] / judged.weights[item].mean()
        # Identical items are units of their own; where whole clusters are the units, they lie in them.
        times = alike[first] if clusters is None else np.ones(len(own))
        place = cells.criterion[kept] * cells.k**2 + cells.cell[kept]
        within = weight if clusters is None else weight * alike
        held = cls(unit, group[kept], place, within, times, (n_groups, len(ratings.criteria), cells.k))
        return None if cells.k > MOST_CLASSES or len(times) < 2 or n_groups < 2 else held

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

    @property
    def more(self) -> float:
        """Factor of a variance that is taken over all units and estimated from them."""
        return float(self.times.sum() / (self.times.sum() - 1))

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

    Where a group has easier criteria than the others κ within criteria is higher too. So each is held against its own criteria as
    they are in all groups as well, and what is told apart less counts.

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
    code = np.where(mask, np.cumsum(mask) - 1, mask.sum() if merged else -1)
    if metric not in WEIGHTS or not mask.any() or (held := _Held.of(judged, code)) is None:
        return None
    tables = held.tables()
    (found, q), (usual, q_usual) = (_compared(held, tables, metric, beside) for beside in (None, _usual(tables)))
    places = iter(min(both, key=lambda each: abs(each.z)) for both in zip(found, usual, strict=True))
    return (q if q.p >= q_usual.p else q_usual), [next(places) if taken else None for taken in mask]


def rate_within(judged: Judged, metric: str, compared: NDArray[np.bool_]) -> Heterogeneity | None:
    """Return whether TPR or TNR differs between groups, each held against its criteria as in all of them; None if nothing tells.

    Parameters
    ----------
    judged : Judged
    metric : {"recall", "specificity"}
    compared : ndarray of bool
        Which groups are compared.
    """
    held = _Held.of(judged, np.where(compared, np.cumsum(compared) - 1, -1), ROWS[metric]) if compared.any() else None
    if held is None:
        return None
    tables = held.tables()
    return _compared(held, tables, metric, _usual(tables))[1]


def batches_within(judged: Judged, metric: str, first: int, tested: NDArray[np.bool_]) -> FloatArray | None:
    """Return how far batches lie from the baseline, each held against its criteria as in all; None where nothing tells.

    Parameters
    ----------
    judged : Judged
    metric : str
        As of `within_criteria`.
    first : int
        Batches of the baseline, one set.
    tested : ndarray of bool
        Which of the others count.

    Returns
    -------
    ndarray, shape (batches,)
        In standard errors; NaN where a batch is not tested.
    """
    code = np.where(tested, np.cumsum(tested), -1)
    code[:first] = 0
    if metric not in WEIGHTS or (held := _Held.of(judged, code)) is None:
        return None
    tables = held.tables()
    usual = _usual(tables)
    prior, effect = _prior(held, tables.sum(0), metric, usual)
    chance = _Chance.of(tables + prior, metric, usual)
    value, a, b = chance.value()
    penalty, by_chance = chance.of_decisions(held)
    slope = a[held.group] * penalty + b[held.group] * by_chance
    covariance = _covariance(held, slope, np.diag(chance.squares(prior, a, b)) * effect)
    error = np.diag(covariance) + covariance[0, 0] - 2 * covariance[0]
    out = np.full(len(tested), math.nan)
    out[tested] = (value - value[0])[1:] / np.sqrt(error[1:])
    return out


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
    beside_file: bool = False

    @classmethod
    def of(cls, tables: FloatArray, metric: str, usual: FloatArray | None = None) -> _Chance:
        """Return the penalties of tables of groups, shape (G, C, K, K).

        Beside the tables of a file, `usual`, shape (C, K, K), what stands for chance is what the errors of the file on each
        criterion come to, at the label rates of the group: of TPR and TNR its error rate alone.
        """
        penalty, seen, by_chance, slope = (_rates if metric in ROWS else _chance)(tables, metric)
        if usual is not None:
            ratio = cls.of(usual[:, None], metric)
            times = safe_ratio(ratio.seen, ratio.by_chance)
            by_chance, slope = by_chance * times, slope * times[:, None, None]
        return cls(np.broadcast_to(penalty, tables.shape[1:]), seen.sum(-1), by_chance.sum(-1), slope, usual is not None)

    def of_decisions(self, held: _Held) -> tuple[FloatArray, FloatArray]:
        """Return the penalty and the slope of chance of every decision, shape (n,)."""
        return self.penalty.reshape(-1)[held.place], self.slope.reshape(len(self.seen), -1)[held.group, held.place]

    def of_others(self) -> _Chance:
        """Return the same of all other groups together, each with its own chance; slopes are those of the groups."""
        return replace(self, seen=self.seen.sum() - self.seen, by_chance=self.by_chance.sum() - self.by_chance)

    def value(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return κ on its scale, and what a penalty and a slope of chance are multiplied with in its own slope, shape (G,).

        Beside a file it is the logarithm of how many times fewer penalties there are.
        """
        if self.beside_file:
            return np.log(self.by_chance / self.seen), -1 / self.seen, 1 / self.by_chance
        value, stretch = on_scale(1 - self.seen / self.by_chance, BY_KEY["kappa_within"].transform)
        return value, -stretch / self.by_chance, stretch * self.seen / self.by_chance**2

    def squares(self, prior: FloatArray, a: FloatArray, b: FloatArray) -> FloatArray:
        """Return the squared slopes of κ by the cells of each group (columns), summed over a prior, shape (G, G)."""
        own = [(prior * left * right).sum((-3, -2, -1)) for left, right in ((self.penalty, self.slope), (self.slope, self.slope))]
        flat = float((prior * self.penalty**2).sum())
        return np.asarray(a[:, None] ** 2 * flat + 2 * (a * b)[:, None] * own[0] + b[:, None] ** 2 * own[1])


def _chance(tables: FloatArray, metric: str) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return penalties, those seen and by chance, shape (..., C), and the slopes of the latter, shape (..., C, K, K)."""
    penalty, n = penalties(tables.shape[-1], WEIGHTS[metric]), tables.sum((-2, -1))[..., None, None]
    seen, by_chance = disagreements(tables, weights=WEIGHTS[metric])
    by_row, by_column = tables.sum(-2) @ penalty.T, tables.sum(-1) @ penalty
    return penalty, seen, by_chance, safe_ratio(by_row[..., :, None] + by_column[..., None, :] - by_chance[..., None, None], n)


def _rates(tables: FloatArray, metric: str) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return the same of the errors on one reference label, beside the decisions that have it."""
    row = ROWS[metric]
    own = np.zeros(tables.shape[-2:])
    own[row] = 1.0
    penalty = own * (1 - np.eye(len(own)))
    return penalty, (tables * penalty).sum((-2, -1)), (tables * own).sum((-2, -1)), np.broadcast_to(own, tables.shape)


def _usual(tables: FloatArray) -> FloatArray:
    """Return the criteria of all groups together, none of them empty, shape (C, K, K)."""
    return np.asarray(tables.sum(0) + PSEUDO_UNITS / tables[0].size, np.float64)


def _compared(
    held: _Held, tables: FloatArray, metric: str, usual: FloatArray | None = None
) -> tuple[list[Beside], Heterogeneity]:
    prior, effect = _prior(held, tables.sum(0), metric, usual)
    own = _Chance.of(tables + prior, metric, usual)
    (value, a, b), (others, a_others, b_others) = own.value(), own.of_others().value()
    penalty, chance = own.of_decisions(held)
    slope = a[held.group] * penalty + b[held.group] * chance
    error = np.empty(len(tables))
    for place in range(len(tables)):
        pull = held.pulls(np.where(held.group == place, slope, -a_others[place] * penalty - b_others[place] * chance))
        error[place] = held.more * (held.times @ pull**2)
    alone, beside = own.squares(prior, a, b) * effect, own.squares(prior, a_others, b_others) * effect
    z = (value - others) / np.sqrt(error + np.diag(alone) + beside.sum(1) - np.diag(beside))
    units = held.units()
    df = np.maximum(np.minimum(units, units.sum() - units) - 1, 1)
    raw = _Chance.of(tables, metric)
    seen, by_chance = raw.seen, raw.by_chance
    here, elsewhere = 1 - safe_ratio(seen, by_chance), 1 - safe_ratio(seen.sum() - seen, by_chance.sum() - by_chance)
    found = [Beside(*map(float, each)) for each in zip(here, elsewhere, z, 2 * stdtr(df, -np.abs(z)), strict=True)]
    return found, _together(value, _covariance(held, slope, np.diag(alone)), int(df.min()))


def _covariance(held: _Held, slope: FloatArray, added: FloatArray) -> FloatArray:
    """Return the covariance of all groups, with what units of several of them make; `slope` is that of each decision."""
    pull = csr_array((slope * held.weight, (held.unit, held.group)), (len(held.times), len(added)))
    return np.asarray(csr_array(pull.T @ (pull * held.times[:, None])).toarray() * held.more + np.diag(added), np.float64)


def _together(value: FloatArray, covariance: FloatArray, df: int) -> Heterogeneity:
    """Return Wald's Q of all groups."""
    n_groups = len(value)
    contrast = np.eye(n_groups)[1:] - np.eye(n_groups)[0]
    apart = contrast @ value
    q = float(apart @ np.linalg.solve(contrast @ covariance @ contrast.T, apart))
    return Heterogeneity(q, n_groups - 1, float(fdtrc(n_groups - 1, df, q / (n_groups - 1))), "", 0, math.nan, math.nan)


def _prior(held: _Held, whole: FloatArray, metric: str, usual: FloatArray | None = None) -> tuple[FloatArray, float]:
    """Return what every group gets beside its decisions, two units as the whole file, and the design effect of the metric."""
    smooth = whole + PSEUDO_UNITS / whole.size
    chance = _Chance.of(smooth[None], metric, usual)
    _, a, b = chance.value()
    slope = a * chance.penalty + b * chance.slope[0]
    pull = held.pulls(slope.reshape(-1)[held.place])
    flat, most = float((smooth * slope**2).sum()), max(1.0, float(whole.sum() / held.times.sum()))
    effect = float(np.clip(held.times @ pull**2 / flat, 1.0, most)) if flat > 0 else most
    return smooth / smooth.sum() * PSEUDO_UNITS * effect, effect
