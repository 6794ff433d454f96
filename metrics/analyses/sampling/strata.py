"""Strata of items by what judges say of them, how many to draw from each, and what such a draw spares on labelled items."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from metrics.data.pairs import cell_ratings, cells_of, reference_states, verdicts
from metrics.data.ratings import Ratings
from metrics.measures.arrays import FloatArray
from metrics.measures.coefficients import cohen_kappa
from metrics.measures.rates import recall
from metrics.results import words

Purpose = Literal["kappa", "rare", "difference"]
Ints = NDArray[np.int64]
Metric = Callable[[FloatArray], FloatArray]
MOST_STRATA = 12
ITEMS_EACH = 10
"""Items to draw for every stratum there may be: fewer each tell too little of how they spread."""
LEAST = 5
"""Items drawn from a stratum at least, where it has them."""
PRIOR = 4.0
"""Items as whose evidence the spread of the whole file counts in every stratum."""
HALVINGS = 60
EVERY, OR_LIKE = "all items", ", and the like"
"""Names of the only stratum, and of one that took smaller ones in."""
SPREAD_EVENLY = 0.25
"""Share of the draw that goes by size alone, so that a wrong guess of a spread makes no weight huge."""
DIFFER = ("", "judges differ", "judges differ on several")
APART = (2, 3, 1)
"""How unlike strata are that differ by one in the verdict, in whether judges differ, and in how near the cut the score lies."""
ERRORS = {False: 0.1, True: 0.35}
"""Share of errors that is assumed without a label: where nothing speaks for one, and where something does."""
DRAWS = 600
"""Of each kind, from each half."""
LEAST_LABELLED = 60
"""Labelled items below which nothing is tried out: half of them would be too few to plan with."""


@dataclass(frozen=True, eq=False)
class Pool:
    """The items that a judge answered, with what it and people say of them.

    Attributes
    ----------
    items : ndarray of int64, shape (n,)
        Places in `Ratings.items`.
    labelled : ndarray of bool, shape (n,)
        People said something of it, on the criterion where one is named.
    tables : ndarray of float64, shape (S, n, K, K)
        Confusion table of each item, reference in rows, of the judge, and of the other one for a difference.
    stratum : ndarray of int64, shape (n,)
    names : tuple of str
        Of the strata.
    risky : ndarray of bool, shape (H,)
        Whether errors are likely: judges differ on the items of a stratum, or the score lies near the cut.
    rare : int
        Class that is rarer: by the labels, without any by the judge's verdicts.
    """

    items: Ints
    labelled: NDArray[np.bool_]
    tables: FloatArray
    stratum: Ints
    names: tuple[str, ...]
    risky: NDArray[np.bool_]
    rare: int

    @property
    def sizes(self) -> Ints:
        """Items of every stratum, labelled or not."""
        return np.bincount(self.stratum, minlength=len(self.names))

    @property
    def free(self) -> Ints:
        """Items of every stratum without a label."""
        return np.bincount(self.stratum[~self.labelled], minlength=len(self.names))


def pool_of(ratings: Ratings, judge: str, other: str | None, criterion: str | None, reference: str, n: int) -> Pool:
    """Return the items that can be drawn from, in strata of which there are as many as a draw of n allows.

    Parameters
    ----------
    ratings : Ratings
    judge, other : str
        The judge whose number is asked for, and the one it is compared with.
    criterion : str or None
        None for all of them.
    reference : str
    n : int
        Items to be drawn.
    """
    cells, k = cells_of(ratings), len(ratings.scheme.classes)
    asked = np.ones(len(cells), bool) if criterion is None else cells.criterion == ratings.criteria.index(criterion)
    own = verdicts(ratings, judge, "judge").astype(np.int64)
    names = [name for name in ratings.judges if name != judge]
    others = [verdicts(ratings, name, "judge").astype(np.int64) for name in ([other] if other else names)]
    missing = ratings.scheme.state("missing")
    said = np.full(len(cells), missing) if not ratings.humans else reference_states(ratings, reference).astype(np.int64)
    judged = asked & (own < k) & ((others[0] < k) if other else True)
    items, place = np.unique(cells.item[judged], return_inverse=True)
    apart = np.zeros(len(cells), bool)
    for states in others:
        apart |= (states < k) & (states != own)
    labelled = np.zeros(len(items), bool)
    labelled[place[(said < ratings.scheme.end_of_rated)[judged]]] = True
    tables = np.stack([_tables(place, said[judged], states[judged], len(items), k) for states in (own, *others[: bool(other)])])
    many = criterion is None and len(ratings.criteria) > 1
    verdict, verdict_names = _verdicts(place, own[judged], len(items), ratings.scheme.classes, many=many)
    differ = np.bincount(place, apart[judged], minlength=len(items)).astype(np.int64)
    near = _near(place, _scores(ratings, judge)[judged], own[judged], verdict)
    signs = np.stack([verdict, np.minimum(differ, 2 if other else 1), near], axis=1)
    stratum, kept, grown = _merged(signs, max(1, min(MOST_STRATA, n // ITEMS_EACH)))
    rare = _rarer(tables[0], own[judged], k)
    named = [", ".join(filter(None, (verdict_names[v], DIFFER[d], "near the cut" * near))) for v, d, near in kept]
    labels = tuple(f"{name}{OR_LIKE * own}" for name, own in zip(named, grown, strict=True)) if len(kept) > 1 else (EVERY,)
    risky = np.array([differ + near > 0 for _, differ, near in kept])
    return Pool(items.astype(np.int64), labelled, tables, stratum, labels, risky, rare)


def _tables(place: Ints, reference: Ints, judge: Ints, n: int, k: int) -> FloatArray:
    both = reference < k
    flat = (place[both] * k + reference[both]) * k + judge[both]
    return np.bincount(flat.astype(np.int64), minlength=n * k * k).reshape(n, k, k).astype(np.float64)


def _verdicts(place: Ints, own: Ints, n: int, classes: tuple[str, ...], *, many: bool) -> tuple[Ints, list[str]]:
    """Return what the judge says of each item, in a few parts, and their names: of one criterion its verdict.

    Of several it is how many have another verdict than the first, in three parts of about as many items.
    """
    if not many:
        verdict = np.zeros(n, np.int64)
        verdict[place] = own
        return verdict, [words.shorten(name) for name in classes]
    others = np.bincount(place, own > 0, minlength=n).astype(np.int64)
    ends = np.unique(np.quantile(others, (1 / 3, 2 / 3), method="lower"))
    starts = [0, *(int(end) + 1 for end in ends), int(others.max()) + 1]
    what = words.shorten(classes[1]) if len(classes) == 2 else f"other than {words.shorten(classes[0])}"
    names = [f"{first}{f' to {last - 1}' if last - 1 > first else ''} {what}" for first, last in pairwise(starts)]
    return np.searchsorted(ends, others), names


def _scores(ratings: Ratings, judge: str) -> FloatArray:
    """Return the judge's score on every cell; NaN where there is none."""
    places = cell_ratings(ratings, judge, "judge")
    if ratings.score is None:
        return np.full(len(places), np.nan)
    return np.where(places >= 0, np.append(ratings.score, np.nan)[places], np.nan)


def _near(place: Ints, score: FloatArray, own: Ints, verdict: Ints) -> Ints:
    """Return on which items the judge's score lies near the cut between two verdicts: the nearer half of each part."""
    near = np.zeros(len(verdict), np.int64)
    sides = [score[(own == side) & np.isfinite(score)] for side in (0, 1)]
    if own.max(initial=0) > 1 or min(map(len, sides)) < LEAST:
        return near
    distance = np.full(len(verdict), np.inf)
    np.minimum.at(distance, place, np.abs(np.nan_to_num(score, nan=np.inf) - (np.median(sides[0]) + np.median(sides[1])) / 2))
    for part in np.unique(verdict):
        inside = (verdict == part) & np.isfinite(distance)
        near[inside] = distance[inside] < np.median(distance[inside]) if inside.any() else 0
    return near


def _merged(signs: Ints, most: int) -> tuple[Ints, list[tuple[int, int, int]], list[bool]]:
    """Return the stratum of each item; beyond as many as there may be, the smallest goes to the one most like it.

    With what each stratum says, and whether others went to it.
    """
    kept, of, size = np.unique(signs, axis=0, return_inverse=True, return_counts=True)
    of, alive, own = of.ravel(), list(range(len(kept))), size.copy()
    while len(alive) > 1 and (len(alive) > most or min(size[alive]) < LEAST):
        small = min(alive, key=lambda place: int(size[place]))
        alive.remove(small)
        far = np.abs(kept[alive] - kept[small]) @ np.array(APART)
        near = alive[int(np.argmin(far))]
        of = np.where(of == small, near, of)
        size[near] += size[small]
    signs_kept = [(int(kept[place][0]), int(kept[place][1]), int(kept[place][2])) for place in alive]
    return np.searchsorted(np.array(alive), of), signs_kept, (size[alive] > own[alive]).tolist()


def _rarer(tables: FloatArray, own: Ints, k: int) -> int:
    by_label = tables.sum((0, 2))
    counts = by_label if by_label.sum() else np.bincount(own, minlength=k)
    return int(np.where(counts > 0, counts, np.inf).argmin()) if counts.sum() else 0


def number_of(purpose: Purpose, rare: int) -> Callable[[FloatArray], FloatArray]:
    """Return the number that is to be narrower, of tables of shape (S, ..., K, K)."""
    if purpose == "difference":
        return lambda tables: np.asarray(cohen_kappa(tables[1]) - cohen_kappa(tables[0]))
    if purpose == "rare":
        return lambda tables: _share_found(tables[0], rare)
    return lambda tables: np.asarray(cohen_kappa(tables[0]))


def _share_found(tables: FloatArray, rare: int) -> FloatArray:
    first = np.roll(tables, -rare, axis=(-2, -1))
    found, missed = first[..., 0, 0], first[..., 0, 1:].sum(-1)
    two = np.zeros((*tables.shape[:-2], 2, 2))
    two[..., 0, 0], two[..., 0, 1] = found, missed
    return np.asarray(recall(two))


def spreads(pool: Pool, purpose: Purpose, used: NDArray[np.bool_]) -> FloatArray:
    """Return how far items of each stratum move the number, shape (H,): a standard deviation, drawn to that of the whole file.

    Parameters
    ----------
    pool : Pool
    purpose : Purpose
    used : ndarray of bool, shape (n,)
        Labelled items that are looked at.
    """
    used = used & (pool.tables[0].sum((1, 2)) > 0)
    assumed = np.array([np.sqrt(share * (1 - share)) for share in (ERRORS[bool(risky)] for risky in pool.risky)])
    moves = _moves(pool.tables[:, used], number_of(purpose, pool.rare)) if used.sum() > 1 else np.zeros(0)
    if not moves.any():
        return assumed
    stratum = pool.stratum[used]
    n = np.bincount(stratum, minlength=len(assumed))
    mean = np.bincount(stratum, moves, minlength=len(assumed)) / np.maximum(n, 1)
    inside = np.bincount(stratum, (moves - mean[stratum]) ** 2, minlength=len(assumed))
    whole = inside.sum() / max(1, n.sum() - (n > 0).sum())
    prior = whole * assumed**2 / max(1e-12, float((n * assumed**2).sum() / n.sum()))
    return np.asarray(np.sqrt((inside + PRIOR * prior) / (n + PRIOR)))


def _moves(tables: FloatArray, number: Callable[[FloatArray], FloatArray]) -> FloatArray:
    """Return what leaving each item out takes from the number, shape (n,); 0 where nothing is defined without it."""
    left = number(tables.sum(1, keepdims=True) - tables)
    return np.nan_to_num(np.nanmean(left) - left) if np.isfinite(left).any() else np.zeros(tables.shape[1])


def allocated(n: int, sizes: Ints, spread: FloatArray) -> Ints:
    """Return how many items to draw from each stratum, together n where there are so many.

    By size times spread (Neyman), a part by size alone, and never fewer than `LEAST` of what a stratum has.

    Parameters
    ----------
    n : int
    sizes : ndarray of int64, shape (H,)
        Items that can be drawn.
    spread : ndarray, shape (H,)
    """
    n = min(n, int(sizes.sum()))
    least = np.minimum(sizes, min(LEAST, n // max(1, int((sizes > 0).sum()))))
    share = sizes * ((1 - SPREAD_EVENLY) * spread / max(1e-12, float(spread.max())) + SPREAD_EVENLY)
    low, high = 0.0, float((sizes / np.where(share > 0, share, np.inf)).max())
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if np.clip(middle * share, least, sizes).sum() < n else (low, middle)
    wanted = np.clip(low * share, least, sizes)
    whole = np.floor(wanted).astype(np.int64)
    for place in np.argsort(whole - wanted, kind="stable"):
        whole[place] += whole.sum() < n and whole[place] < sizes[place]
    return whole


@dataclass(frozen=True)
class Spared:
    """A draw by strata beside one at random.

    Attributes
    ----------
    n : int
        Items drawn.
    n_random : int
        Items drawn at random that would say as much.
    ratio : float
        Mean square error at random over that by strata; above 1 the strata spare labels.
    low, high : float
        The same in each of the two halves, the smaller first.
    n_labelled : int
        Items it was tried out on.
    left_out : float
        Share of the items in strata that have no labelled item, on which nothing could be tried.
    """

    n: int
    n_random: int
    ratio: float
    low: float
    high: float
    n_labelled: int
    left_out: float


def spared(pool: Pool, purpose: Purpose, n: int, rng: np.random.Generator) -> Spared | None:
    """Return what strata spare; None where there are too few labelled items.

    The allocation is made from one half of the labelled items, and the draws come from the other: the same items would
    flatter it.
    """
    used = pool.labelled & (pool.tables[0].sum((1, 2)) > 0)
    places = rng.permutation(np.flatnonzero(used))
    if len(places) < LEAST_LABELLED:
        return None
    halves = np.zeros(len(used), np.int64)
    halves[places] = np.arange(len(places)) % 2
    ratios, gone = [], []
    for half in (0, 1):
        told, tried = used & (halves == half), used & (halves != half)
        ratio, missing = _ratio(pool, purpose, n, (told, tried), rng)
        ratios.append(ratio)
        gone.append(missing)
    if not np.isfinite(ratios).all():
        return None
    ratio = float(np.exp(np.mean(np.log(ratios))))
    return Spared(n, round(n * ratio), ratio, min(ratios), max(ratios), len(places), max(gone))


def _ratio(
    pool: Pool, purpose: Purpose, n: int, parts: tuple[NDArray[np.bool_], NDArray[np.bool_]], rng: np.random.Generator
) -> tuple[float, float]:
    told, tried = parts
    sizes, inside = pool.sizes.astype(np.float64), np.bincount(pool.stratum[tried], minlength=len(pool.names))
    there = inside > 0
    share = np.where(there, sizes, 0.0) / sizes[there].sum()
    drawn = allocated(n, np.where(there, pool.sizes, 0), spreads(pool, purpose, told))
    number, chances = number_of(purpose, pool.rare), _chances(pool, tried, inside)
    chance = share @ chances
    truth = float(number(np.einsum("snij,n->sij", pool.tables, chance)))
    at_random = rng.choice(len(chance), (DRAWS, n), p=chance / chance.sum())
    by_strata = np.concatenate(
        [rng.choice(len(chance), (DRAWS, count), p=chances[h]) for h, count in enumerate(drawn.tolist()) if count], axis=1
    )
    weight = np.repeat(share[drawn > 0] / drawn[drawn > 0], drawn[drawn > 0])
    errors = [_square(number, pool.tables, items, w, truth) for items, w in ((at_random, np.full(n, 1 / n)), (by_strata, weight))]
    return (errors[0] / errors[1] if errors[1] > 0 else np.nan), float(sizes[~there].sum() / sizes.sum())


def _chances(pool: Pool, tried: NDArray[np.bool_], inside: NDArray[np.int64]) -> FloatArray:
    """Return the chance of every item in a draw from each stratum, shape (H, n).

    A few labelled items on which the judge never errs do not show that it never does: as many as `PRIOR` come from all strata.
    """
    everywhere = tried / tried.sum()
    own = (pool.stratum[None] == np.arange(len(inside))[:, None]) * tried / np.maximum(inside, 1)[:, None]
    trust = (inside / (inside + PRIOR))[:, None]
    return np.asarray(trust * own + (1 - trust) * everywhere)


def _square(number: Metric, tables: FloatArray, items: NDArray[np.int64], weight: FloatArray, truth: float) -> float:
    """Return mean square error of the number over the draws, those on which it is defined."""
    totals = np.stack([np.einsum("dnij,n->dij", side[items], weight) for side in tables])
    return float(np.nanmean((number(totals) - truth) ** 2))
