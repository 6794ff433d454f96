"""Search for slices: over all columns of a file, which group departs from the others, with a p that knows of the search."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.special import ndtr

from metrics.analyses.item_weights import column_of, item_weights
from metrics.analyses.leading import leading
from metrics.analyses.records import JudgeReport
from metrics.analyses.settings import Settings, checked
from metrics.analyses.slices.composition import ALL_OR_NONE, kappa_at, mix_of
from metrics.analyses.slices.group_sizes import counted, why_small
from metrics.analyses.slices.grouping import Grouping, grouping, proposed
from metrics.analyses.slices.heterogeneity import MOST_PERMUTED, REPLICATES, SLACK, Beside, distances
from metrics.analyses.slices.parts import MOST_CLASSES, Judged, clustered, gauge_of, units_by_item
from metrics.analyses.slices.result import Departing, Search, pooled_numbers
from metrics.analyses.slices.studentised import Gauge, Kinds
from metrics.analyses.slices.within_criteria import corrected, within_criteria
from metrics.data.abstention import coverage_of, mode_labels
from metrics.data.item_columns import Codes
from metrics.data.pairs import patterns_of
from metrics.data.ratings import Ratings
from metrics.errors import InputError
from metrics.intervals.cluster import clusters_of
from metrics.measures.arrays import FloatArray
from metrics.measures.catalogue import BY_KEY
from metrics.measures.exact_tests import holm
from metrics.results import words
from metrics.results.words import quoted

LEVEL = 0.05
"""Corrected p up to which a group is named."""
MOST_FOUND = 5
"""Groups that are named: a longer list is read by nobody, and the tables have the rest."""
AT_ONCE = 200_000
"""Group values that are held at once while permutations are drawn."""


@dataclass(frozen=True, eq=False)
class _Candidate:
    """A group that is large enough, and whose rest is; the group of every unit in its column, and its place there."""

    made: Grouping
    code: Codes
    place: int

    @property
    def inside(self) -> NDArray[np.bool_]:
        return np.asarray(self.code == self.place)

    @property
    def rest(self) -> NDArray[np.bool_]:
        return np.asarray((self.code >= 0) & (self.code != self.place))


def search(
    ratings: Ratings, settings: Settings, judge: str, *, replicates: int = REPLICATES, seed: int = 0, most: int = MOST_FOUND
) -> Search:
    """Return the groups of any column in which a judge departs from the rest of the column.

    The statistic is the largest distance over all groups. Whole rows of all columns are permuted together against the items, so
    that the p of a group counts every other one that was looked at; it is then stepped down. Groups that are too small to be
    tested take no part, nor do columns whose groups cut through items, or which say where the judge is right. Bins ignore what
    raters said.

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
    handled, mode = settings.on(ratings), settings.abstention
    metric = leading(handled, mode)
    if len(mode_labels(handled.scheme, mode)) > MOST_CLASSES:
        return Search(judge, metric, (), 0, (), "", 0, f"there are more than {MOST_CLASSES} labels")
    made = (grouping(ratings, [by]) for by in proposed(ratings).values())
    whole = list(made)
    groupings = [each for each in whole if each.of_item is not None and each.in_file is None]
    cut = [each for each in whole if each.of_item is None]
    if cut and not groupings:
        columns = words.listed([quoted(each.name) for each in cut])
        return Search(judge, metric, (), 0, (), "", 0, f"items have several values of {columns}")
    units, coded = _coded(handled, judge, settings, groupings)
    known = [made.name for made, code in coded if _says_who_is_right(units, made, code)]
    coded = [(made, code) for made, code in coded if made.name not in known]
    titles = tuple(made.name for made, _ in coded)
    candidates, sums, rest = _candidates(units, coded, metric)
    if not candidates:
        return Search(judge, metric, titles, 0, (), "", 0, ALL_OR_NONE.format(quoted(known[0])) if known else "")
    gauge = gauge_of(units.distinct, metric)
    z = distances(gauge, sums, rest)
    if units.distinct.n * sums.shape[1] > MOST_PERMUTED:
        p, method, done = np.array(holm((2 * ndtr(-np.abs(z))).tolist())), "holm", 0
    else:
        drawn = _drawn(units, candidates, gauge, replicates, np.random.default_rng(seed))
        p, method, done = stepped_down(z, drawn), "permutation", len(drawn)
    order = [at for at in np.argsort(-np.abs(z), kind="stable").tolist() if p[at] <= LEVEL]
    within = _within(judge, settings, candidates, metric) if order else [None] * len(candidates)
    both = [at for at in order if (beside := within[at]) is None or beside.side(LEVEL) == np.sign(z[at])]
    every = _distinct(candidates, both)
    n_pooled = len(_distinct(candidates, order)) - len(every)
    weights = "" if item_weights(ratings) is None else column_of(ratings)
    told = tuple(
        replace(
            _departing(Judged(judge, settings, candidates[at].made), candidates[at], units, metric, weights),
            z=float(z[at]),
            p=float(p[at]),
            within=within[at],
        )
        for at in every[:most]
    )
    return Search(
        judge, metric, titles, len(candidates), told, method, done, n_departing=len(every), n_apart_pooled=max(n_pooled, 0)
    )


def _within(judge: str, settings: Settings, candidates: Sequence[_Candidate], metric: str) -> list[Beside | None]:
    """Return how each group stands within criteria to the others of its column, corrected for all groups of all columns."""
    large: dict[int, tuple[Grouping, set[int]]] = {}
    for each in candidates:
        large.setdefault(id(each.made), (each.made, set()))[1].add(each.place)
    # The others of a group are all of its column; those that are too small count as one.
    of_column = {
        key: within_criteria(Judged(judge, settings, made), metric, [at in places for at in range(len(made.values))], merged=True)
        for key, (made, places) in large.items()
    }
    every = [(each, of_column[id(each.made)]) for each in candidates]
    return corrected([None if found is None else found[1][each.place] for each, found in every], len(large))


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
) -> tuple[Kinds, list[tuple[Grouping, Codes]]]:
    """Return the units, and of every column that does not cut through them the group of each."""
    units, items = units_by_item(ratings, judge, settings)
    every = len(items) == ratings.n_unique
    codes = [(made, made.of_item if every else made.of_item[items]) for made in groupings if made.of_item is not None]
    if not settings.by_column or (clusters := clusters_of(ratings, settings.unit)).single:
        return units, codes
    each = units.each()
    of_unit = [(made, clustered(each, clusters.of_item[items], clusters.n, code)) for made, code in codes]
    whole = clustered(each, clusters.of_item[items], clusters.n, np.zeros(len(items), np.int64))
    assert whole is not None
    apart = Kinds.of(whole[0].tables, np.arange(len(whole[1])), whole[0].weight)
    return apart, [(made, of_group[1]) for made, of_group in of_unit if of_group is not None]


def _candidates(
    units: Kinds, coded: Sequence[tuple[Grouping, Codes]], metric: str
) -> tuple[list[_Candidate], FloatArray, FloatArray]:
    """Return groups that are large enough, as their rest is, and the moments of both, shape (G, F) each."""
    candidates: list[_Candidate] = []
    flags, moments = counted(units.distinct), units.distinct.moments()
    parts = [np.empty((0, moments.shape[1]))], [np.empty((0, moments.shape[1]))]
    for made, code in coded:
        sums = units.sums(np.column_stack([flags, moments]), code, len(made.values))
        sizes, sums = np.split(sums, [flags.shape[1]], axis=1)
        large = zip(why_small(sizes, metric), why_small(sizes.sum(0) - sizes, metric), strict=True)
        kept = [place for place, whys in enumerate(large) if not any(whys)]
        candidates += [_Candidate(made, code, place) for place in kept]
        parts[0].append(sums[kept])
        parts[1].append((sums.sum(0) - sums)[kept])
    return candidates, np.concatenate(parts[0]), np.concatenate(parts[1])


def _says_who_is_right(units: Kinds, made: Grouping, code: Codes) -> bool:
    """Return whether the judge is all right or all wrong in each group of a column: it was made of the labels."""
    right = np.trace(units.distinct.tables, axis1=1, axis2=2)
    held = np.column_stack([right, units.distinct.tables.sum((1, 2)) - right])
    known = units.sums(held, code, len(made.values))
    return bool((known.min(1) == 0).all() and known.any(0).all())


def _drawn(units: Kinds, candidates: Sequence[_Candidate], gauge: Gauge, replicates: int, rng: np.random.Generator) -> FloatArray:
    """Return the distances with items in random order, shape (B, G)."""
    which = np.repeat(np.arange(len(units.weight)), units.weight)
    moments = units.distinct.moments()[units.kind[which]]
    inside = csr_array(np.array([each.inside[which] for each in candidates], np.float64))
    outside = csr_array(np.array([each.rest[which] for each in candidates], np.float64))
    step, parts = max(1, AT_ONCE // len(candidates)), []
    for first in range(0, replicates, step):
        size = min(step, replicates - first)
        sums = np.empty((2, size, len(candidates), moments.shape[1]))
        for place in range(size):
            turned = moments[rng.permutation(len(moments))]
            sums[0, place], sums[1, place] = np.asarray(inside @ turned), np.asarray(outside @ turned)
        parts.append(distances(gauge, sums[0], sums[1]))
    return np.concatenate(parts)


def _distinct(candidates: Sequence[_Candidate], order: Sequence[int]) -> list[int]:
    """Return the groups without those that hold the same items as one before, or exactly all others of its column."""
    seen: set[bytes] = set()
    out: list[int] = []
    for at in order:
        inside = candidates[at].inside.tobytes()
        if inside not in seen:
            out.append(at)
        seen |= {inside, candidates[at].rest.tobytes()}
    return out


def _departing(judged: Judged, candidate: _Candidate, units: Kinds, metric: str, weights: str) -> Departing:
    """Return a group with its number and that of all others; how far it lies from them is not known here."""
    report = judged.report(candidate.place, pooled_only=True)
    if isinstance(report, str):
        raise InputError(report)
    made, rest = candidate.made, candidate.rest
    held = units.distinct.tables
    table = units.sums(held.reshape(len(held), -1), np.where(rest, 0, -1), 1).reshape(held.shape[1:])
    mix = mix_of(judged, metric)
    matched = kappa_at(report, weights, float(table[0].sum() / table.sum())) if metric == "kappa" and table.any() else math.nan
    return Departing(
        by=made.name,
        value=made.values[candidate.place],
        column=made.by[0].column,
        estimate=pooled_numbers(report, weights)[metric],
        rest=float(BY_KEY[metric].function(table)),
        n_items=report.n_used or 0,
        z=math.nan,
        p=math.nan,
        matched=matched,
        mixed=float(mix.value[candidate.place]),
        lacking=int(mix.lacking[candidate.place]),
        coverage=report.coverage.coverage,
        coverage_of_rest=_coverage_beside(judged, report),
        only=report.micro.one_sided,
    )


def _coverage_beside(judged: Judged, report: JudgeReport) -> float:
    """Return the coverage of all decisions of the file but those of a group; NaN without any."""
    whole = coverage_of(patterns_of(judged.handled, judged.judge, judged.settings.reference).raw.sum(0), judged.handled.scheme)
    n, covered = whole.n_total - report.coverage.n_total, whole.n_covered - report.coverage.n_covered
    return covered / n if n else math.nan
