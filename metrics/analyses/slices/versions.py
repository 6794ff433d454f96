"""Each group beside the one before it, paired where items repeat; and groups that cut through units, such as criteria."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.comparison.difference import paired_difference
from metrics.analyses.comparison.levels import independent_difference
from metrics.analyses.comparison.paired import Paired, Statistic, statistic_of
from metrics.analyses.comparison.weighted import difference_by_weight, drawn_pairs
from metrics.analyses.slices.control_chart import Change
from metrics.analyses.slices.grouping import Grouping, grouping, proposed
from metrics.analyses.slices.heterogeneity import FEW_LARGE, FEWEST_NORMAL, Groups, dersimonian_laird, shrunk
from metrics.analyses.slices.parts import DecisionCells, Decisions, Judged
from metrics.analyses.slices.result import Slice, Step
from metrics.analyses.slices.studentised import Gauge
from metrics.analyses.weighing import Together
from metrics.measures.arrays import FloatArray
from metrics.measures.catalogue import BY_KEY
from metrics.results.estimate import Estimate

Places = NDArray[np.int64]
FOLLOWS, MOST_CHANGES = 0.9, 4
"""Share of items that have the value of their batch, from which a column changes with the batches; and changes it may have."""
REPLICATES = 499
"""Permutations; each counts the decisions of every unit anew."""
LEAST_MOVED = 1 / 2
"""Share of the decisions that must be free to get another group, from which permutations say what chance does."""
AT_ONCE = 1_000_000
"""Numbers that are held at once."""
MOST_CELLS = 400_000
"""Numbers that one permutation counts, up to which it is done: units × groups × cells."""
FEW_FREE = f"a group has fewer than {FEWEST_NORMAL} items, and most groups would stay where they are when they are permuted"


def steps_between(judged: Judged, slices: Sequence[Slice], metric: str) -> tuple[Step, ...]:
    """Return how a metric changes from each group to the next one.

    Where both answered the same decisions, the difference is that of two judges on them; where items of both lie in one group of
    the unit, these groups are left out one by one; else the two are independent, and their own intervals make one (MOVER).

    Parameters
    ----------
    judged : Judged
    slices : sequence of Slice
        In the order of the groups.
    metric : str
    """
    cells = judged.cells()
    by_group = [np.flatnonzero(cells.group == at) for at in range(len(slices))]
    return tuple(_step(judged, cells, (by_group[at], by_group[at + 1]), both, metric) for at, both in enumerate(pairwise(slices)))


def _step(judged: Judged, cells: DecisionCells, places: tuple[Places, Places], both: tuple[Slice, Slice], metric: str) -> Step:
    """Return the second of two groups beside the first; `places` are their decisions."""
    before, after = both
    own = before[metric], after[metric]
    shared = _shared_decisions(judged, cells, places)
    if shared is not None:
        a, b = shared
        weight = int(judged.handled.weight[cells.item[a]].sum())
        sides = cells.cell[a], cells.cell[b]
        whole = [estimate if len(a) == len(own_places) else None for estimate, own_places in zip(own, places, strict=True)]
        return _paired(judged, cells, a, sides, both, metric, ("decisions", weight), whole)
    n_shared = _shared_units(judged, cells, places)
    if n_shared:
        either = np.concatenate(places)
        none, first = cells.k**2, np.arange(len(either)) < len(places[0])
        sides = np.where(first, cells.cell[either], none), np.where(first, none, cells.cell[either])
        return _paired(judged, cells, either, sides, both, metric, ("units", n_shared), own)
    difference = independent_difference(*own, BY_KEY[metric].high - BY_KEY[metric].low)
    return Step(before.value, after.value, own[0].value, own[1].value, difference, "", 0)


def _shared_decisions(judged: Judged, cells: DecisionCells, places: tuple[Places, Places]) -> tuple[Places, Places] | None:
    """Return where each group has the decisions that both hold; None where no item repeats."""
    in_file = judged.groups.in_file
    if in_file is None:
        return None
    n_criteria = len(judged.handled.criteria)
    before, after = (in_file[cells.item[own]] * n_criteria + cells.criterion[own] for own in places)
    _, a, b = np.intersect1d(before, after, assume_unique=True, return_indices=True)
    return (places[0][a], places[1][b]) if len(a) else None


def _shared_units(judged: Judged, cells: DecisionCells, places: tuple[Places, Places]) -> int:
    """Return in how many units that are more than one item both groups have decisions."""
    clusters = judged.clusters()
    if clusters is None:
        return 0
    before, after = (clusters[cells.item[own]] for own in places)
    return len(np.intersect1d(before, after))


def _paired(
    judged: Judged,
    cells: DecisionCells,
    at: Places,
    sides: tuple[Places, Places],
    both: tuple[Slice, Slice],
    metric: str,
    how: tuple[Literal["decisions", "units"], int],
    own: Sequence[Estimate | None],
) -> Step:
    ratings, settings = judged.handled, judged.settings
    many = len(ratings.criteria) > 1
    statistic = statistic_of(metric, "micro", settings, many=many)
    if judged.weights is not None:
        return Step(both[0].value, both[1].value, *_by_weight(judged, cells, at, sides, statistic, metric), *how)
    paired = Paired.of(
        cells.item[at].astype(np.int32), cells.criterion[at].astype(np.int32), *sides, k=cells.k, n_items=ratings.n_unique,
        n_criteria=len(ratings.criteria), apart=many, cluster=judged.clusters(), multiplicity=ratings.multiplicity,
    )  # fmt: skip
    a, b = paired.values(statistic)
    values = Estimate(a) if own[0] is None else own[0], Estimate(b) if own[1] is None else own[1]
    _, difference = paired_difference(paired, statistic, values, int(paired.changes()[1].sum()), settings, metric)
    return Step(both[0].value, both[1].value, a, b, difference, *how)


def _by_weight(
    judged: Judged, cells: DecisionCells, at: Places, sides: tuple[Places, Places], statistic: Statistic, metric: str
) -> tuple[float, float, Estimate]:
    """Return a metric in two groups and its difference, where items of the file count by their weights."""
    ratings, clusters, weights = judged.handled, judged.clusters(), judged.weights
    assert weights is not None
    item, times, together = cells.item[at], ratings.weight, Together.of(ratings, judged.settings)
    if clusters is not None and not judged.settings.by_column:  # the items of one unit are runs of it and weigh the same
        item, weights, times = clusters[item], _of_units(weights, clusters), np.ones(len(weights), np.int64)
    groups = 1 if statistic.form == "pooled" else len(ratings.criteria)
    criterion = cells.criterion[at] * (groups > 1)
    drawn = drawn_pairs(item, criterion, sides, weights, times, (groups, cells.k), together)
    most = BY_KEY[metric].high - BY_KEY[metric].low
    a, b, difference, _ = difference_by_weight(drawn, statistic, judged.settings.confidence, most)
    return a, b, difference


def _of_units(weights: FloatArray, clusters: Places) -> FloatArray:
    out = np.ones(int(clusters.max()) + 1)
    out[clusters] = weights
    return out


def changes_between(groups: Grouping) -> tuple[Change, ...]:
    """Return where another column changes with the groups, such as the prompt version from one week to the next.

    A column counts where nearly all items of a group share its value, and it changes a few times.

    Parameters
    ----------
    groups : Grouping
        In the order of time, of whole items.
    """
    if groups.of_item is None:
        return ()
    out: list[tuple[int, Change]] = []
    for by in proposed(groups.ratings).values():
        if by.kind != "values" or by.column == groups.by[0].column:
            continue
        made = grouping(groups.ratings, [by])
        if made.of_item is None or made.in_file is not None:
            continue
        there = (groups.of_item >= 0) & (made.of_item >= 0)
        table = np.zeros((len(groups.values), len(made.values)))
        np.add.at(table, (groups.of_item[there], made.of_item[there]), groups.ratings.weight[there])
        known = np.flatnonzero(table.sum(1))
        lead = table[known].argmax(1)
        at = np.flatnonzero(np.diff(lead)) + 1
        if table.max(1).sum() < FOLLOWS * table.sum() or not 0 < len(at) <= MOST_CHANGES:
            continue
        for place in at.tolist():
            before, after = made.values[lead[place - 1]], made.values[lead[place]]
            out.append((int(known[place]), Change(groups.values[known[place]], by.column, before, after)))
    return tuple(change for _, change in sorted(out, key=lambda pair: pair[0]))


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
