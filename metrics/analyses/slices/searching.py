"""Search for slices: over all columns of a file, which group departs from the others, with a p that knows of the search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.special import ndtr

from metrics.analyses.agreement.compute import judge_report
from metrics.analyses.leading import read_first
from metrics.analyses.settings import Settings, checked
from metrics.analyses.slices.grouping import Grouping, grouping, proposed
from metrics.analyses.slices.heterogeneity import MOST_PERMUTED, REPLICATES, SLACK
from metrics.analyses.slices.parts import MOST_CLASSES, clustered, gauge_of, group_report, too_small, units_by_item
from metrics.analyses.slices.result import Departing, Search
from metrics.analyses.slices.studentised import Gauge, Units
from metrics.data.ratings import Ratings
from metrics.errors import InputError
from metrics.intervals.cluster import clusters_of
from metrics.measures.arrays import FloatArray
from metrics.measures.catalogue import BY_KEY
from metrics.measures.exact_tests import holm

LEVEL = 0.05
"""Corrected p up to which a group is named."""
MOST_FOUND = 5
"""Groups that are named: a longer list is read by nobody, and the tables have the rest."""
AT_ONCE = 200_000
"""Group values that are held at once while permutations are drawn."""


@dataclass(frozen=True, eq=False)
class _Candidates:
    """Groups of all columns: row by row which units are in the group, and which are in its column at all."""

    places: tuple[tuple[Grouping, int], ...]
    inside: csr_array
    known: csr_array


def search(
    ratings: Ratings, settings: Settings, judge: str, *, replicates: int = REPLICATES, seed: int = 0, most: int = MOST_FOUND
) -> Search:
    """Return the groups of any column in which a judge departs from the rest of the column.

    The statistic is the largest distance over all groups. Whole rows of all columns are permuted together against the items, so
    that the p of a group counts every other one that was looked at; it is then stepped down. Groups that are too small to be
    tested take no part, nor do columns whose groups cut through items. Bins ignore what raters said.

    Parameters
    ----------
    ratings : Ratings
    settings : Settings
    judge : str
    replicates : int
        Permutations.
    seed : int
        Of the permutations.
    most : int
        Groups that are named.

    Raises
    ------
    InputError
        As `metrics.agreement`.

    References: Westfall & Young (1993), Resampling-Based Multiple Testing.
    """
    settings = checked(ratings, settings)
    whole = judge_report(ratings, judge, settings)
    metric = read_first(whole)
    if len(whole.micro.labels) > MOST_CLASSES:
        return Search(judge, metric, (), 0, (), "", 0, f"there are more than {MOST_CLASSES} labels")
    groupings = [made for made in (grouping(ratings, [by]) for by in proposed(ratings).values()) if made.of_item is not None]
    units, coded = _coded(settings.on(ratings), judge, settings, groupings)
    titles = tuple(made.name for made, _ in coded)
    candidates = _candidates(units, coded, metric)
    if not candidates.places:
        return Search(judge, metric, titles, 0, (), "", 0)
    gauge = gauge_of(units, metric)
    moments = units.moments() * units.weight[:, None]
    z = _distances(gauge, candidates.inside @ moments, candidates.known @ moments)
    if units.n * moments.shape[1] > MOST_PERMUTED:
        p, method, done = np.array(holm((2 * ndtr(-np.abs(z))).tolist())), "holm", 0
    else:
        drawn = _drawn(units, candidates, gauge, replicates, np.random.default_rng(seed))
        p, method, done = stepped_down(z, drawn), "permutation", len(drawn)
    chosen = _distinct(candidates, [at for at in np.argsort(-np.abs(z), kind="stable").tolist() if p[at] <= LEVEL])[:most]
    departing = tuple(
        _departing(ratings, settings, judge, metric, candidates, at, units, float(z[at]), float(p[at])) for at in chosen
    )
    return Search(judge, metric, titles, len(candidates.places), departing, method, done)


def stepped_down(observed: FloatArray, drawn: FloatArray) -> FloatArray:
    """Return p of every distance, corrected by the maxima of permutations over it and all smaller ones.

    Distances are first put on the mean and spread that permutations give each of them, so that small groups, whose distances
    spread more, do not hide the others.

    Parameters
    ----------
    observed : ndarray, shape (G,)
    drawn : ndarray, shape (B, G)
    """
    every = np.concatenate([observed[None], drawn])
    centre, spread = every.mean(0), every.std(0)
    scaled = np.abs(every - centre) / np.where(spread > 0, spread, 1.0)
    order = np.argsort(-scaled[0], kind="stable")
    maxima = np.maximum.accumulate(scaled[1:, order[::-1]], axis=1)[:, ::-1]
    share = (1 + (maxima >= scaled[0, order] - SLACK).sum(0)) / (1 + len(drawn))
    p = np.empty(len(observed))
    p[order] = np.maximum.accumulate(share)
    return p


def _coded(
    ratings: Ratings, judge: str, settings: Settings, groupings: Sequence[Grouping]
) -> tuple[Units, list[tuple[Grouping, NDArray[np.int64]]]]:
    """Return the units, and of every column that does not cut through them the group of each."""
    units, items = units_by_item(ratings, judge, settings)
    codes = [(made, made.of_item[items]) for made in groupings if made.of_item is not None]
    if not settings.by_column or (clusters := clusters_of(ratings, settings.unit)).single:
        return units, codes
    of_unit = [(made, clustered(units, clusters.of_item[items], clusters.n, code)) for made, code in codes]
    whole = clustered(units, clusters.of_item[items], clusters.n, np.zeros(len(items), np.int64))
    assert whole is not None
    return whole[0], [(made, each[1]) for made, each in of_unit if each is not None]


def _candidates(units: Units, coded: Sequence[tuple[Grouping, NDArray[np.int64]]], metric: str) -> _Candidates:
    """Return groups that are large enough, and whose rest is."""
    places: list[tuple[Grouping, int]] = []
    inside: list[NDArray[np.bool_]] = []
    known: list[NDArray[np.bool_]] = []
    for made, code in coded:
        small = too_small(units, code, len(made.values), metric)
        for place, reason in enumerate(small):
            rest = np.where((code >= 0) & (code != place), 0, -1)
            if reason or too_small(units, rest, 1, metric)[0]:
                continue
            places.append((made, place))
            inside.append(code == place)
            known.append(code >= 0)
    if not places:
        nothing = csr_array((0, len(units.weight)))
        return _Candidates((), nothing, nothing)
    return _Candidates(tuple(places), csr_array(np.array(inside, float)), csr_array(np.array(known, float)))


def _distances(gauge: Gauge, inside: FloatArray, known: FloatArray) -> FloatArray:
    """Return distance of each group from the rest of its column in standard errors, shape (..., G)."""
    value, error = gauge.standing(inside)
    rest, rest_error = gauge.standing(known - inside)
    return np.asarray((value - rest) / np.sqrt(error**2 + rest_error**2), np.float64)


def _drawn(units: Units, candidates: _Candidates, gauge: Gauge, replicates: int, rng: np.random.Generator) -> FloatArray:
    """Return the distances with items in random order, shape (B, G)."""
    which = np.repeat(np.arange(len(units.weight)), units.weight)
    moments = units.moments()[which]
    inside, known = (csr_array(matrix[:, which]) for matrix in (candidates.inside, candidates.known))
    step, parts = max(1, AT_ONCE // inside.shape[0]), []
    for first in range(0, replicates, step):
        size = min(step, replicates - first)
        sums = np.empty((2, size, inside.shape[0], moments.shape[1]))
        for place in range(size):
            turned = moments[rng.permutation(len(moments))]
            sums[0, place], sums[1, place] = inside @ turned, known @ turned
        parts.append(_distances(gauge, sums[0], sums[1]))
    return np.concatenate(parts)


def _distinct(candidates: _Candidates, order: Sequence[int]) -> list[int]:
    """Return the groups without those that hold the same items as one before, or exactly all others of their column."""
    seen: set[bytes] = set()
    out = []
    for at in order:
        inside = candidates.inside[[at]].toarray()[0] > 0
        rest = (candidates.known[[at]].toarray()[0] > 0) & ~inside
        if inside.tobytes() not in seen:
            out.append(at)
        seen |= {inside.tobytes(), rest.tobytes()}
    return out


def _departing(
    ratings: Ratings,
    settings: Settings,
    judge: str,
    metric: str,
    candidates: _Candidates,
    at: int,
    units: Units,
    z: float,
    p: float,
) -> Departing:
    made, place = candidates.places[at]
    report = group_report(ratings, made, place, settings, judge)
    rest = (candidates.known[[at]] - candidates.inside[[at]]) @ (
        units.tables.reshape(len(units.tables), units.k**2) * units.weight[:, None]
    )
    value = float(BY_KEY[metric].function(rest.reshape(units.k, units.k)))
    if isinstance(report, str):
        raise InputError(report)
    return Departing(made.name, made.values[place], made.by[0].column, report.micro[metric], value, report.n_used or 0, z, p)
