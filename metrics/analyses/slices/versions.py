"""Each group beside the one before it: paired where items repeat, as two judges are compared."""

from __future__ import annotations

from collections.abc import Sequence
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
from metrics.analyses.slices.parts import DecisionCells, Judged
from metrics.analyses.slices.result import Slice, Step
from metrics.analyses.weighing import Together
from metrics.measures.arrays import FloatArray
from metrics.measures.catalogue import BY_KEY
from metrics.results.estimate import Estimate

Places = NDArray[np.int64]
FOLLOWS, MOST_CHANGES = 0.9, 4
"""Share of items that have the value of their batch, from which a column changes with the batches; and changes it may have."""


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
