"""Strata of items by what judges say of them, what an item of each tells of a number, and how many to draw from each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from metrics.data.pairs import cells_of, reference_states, verdicts
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
SPREAD_EVENLY = 0.25
"""Share of the draw that goes by size alone, so that a wrong guess of a spread makes no weight huge."""
ERRORS = {False: 0.1, True: 0.35}
"""Share of errors that is assumed without a label: where judges agree, and where they differ."""


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
    differ : ndarray of bool, shape (H,)
        Whether judges differ on the items of a stratum.
    rare : int
        Class that is rarer: by the labels, without any by the judge's verdicts.
    """

    items: Ints
    labelled: NDArray[np.bool_]
    tables: FloatArray
    stratum: Ints
    names: tuple[str, ...]
    differ: NDArray[np.bool_]
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
    signs = _signs(place, own[judged], apart[judged], len(items), difference=other is not None)
    stratum, kept = _merged(signs, max(1, min(MOST_STRATA, n // ITEMS_EACH)))
    rare = _rarer(tables[0], own[judged], k)
    labels = tuple(_name(sign, ratings.scheme.classes, many=criterion is None and len(ratings.criteria) > 1) for sign in kept)
    return Pool(items.astype(np.int64), labelled, tables, stratum, labels, np.array([sign[1] > 0 for sign in kept]), rare)


def _tables(place: Ints, reference: Ints, judge: Ints, n: int, k: int) -> FloatArray:
    both = reference < k
    flat = (place[both] * k + reference[both]) * k + judge[both]
    return np.bincount(flat.astype(np.int64), minlength=n * k * k).reshape(n, k, k).astype(np.float64)


def _signs(place: Ints, own: Ints, apart: NDArray[np.bool_], n: int, *, difference: bool) -> Ints:
    """Return what judges say of each item, shape (n, 2): the middle verdict, and whether judges differ, or on how many cells."""
    cells = np.bincount(place, minlength=n)
    middle = np.rint(2 * np.bincount(place, own, minlength=n) / cells).astype(np.int64)
    differ = np.bincount(place, apart, minlength=n).astype(np.int64)
    return np.stack([middle, np.minimum(differ, 2 if difference else 1)], axis=1)


def _merged(signs: Ints, most: int) -> tuple[Ints, list[tuple[int, int]]]:
    """Return the stratum of each item; beyond as many as there may be, the smallest goes to the one most like it."""
    kept, of, size = np.unique(signs, axis=0, return_inverse=True, return_counts=True)
    of, alive = of.ravel(), list(range(len(kept)))
    while len(alive) > 1 and (len(alive) > most or min(size[alive]) < LEAST):
        small = min(alive, key=lambda place: int(size[place]))
        alive.remove(small)
        far = [4 * abs(int(kept[place][1] - kept[small][1])) + abs(int(kept[place][0] - kept[small][0])) for place in alive]
        near = alive[int(np.argmin(far))]
        of = np.where(of == small, near, of)
        size[near] += size[small]
    return np.searchsorted(np.array(alive), of), [(int(kept[place][0]), int(kept[place][1])) for place in alive]


def _name(sign: tuple[int, int], classes: tuple[str, ...], *, many: bool) -> str:
    middle, differ = sign
    if many and len(classes) == 2:
        first, second = map(words.shorten, classes)
        verdict = {0: f"{first} throughout", 1: f"{first} and {second}", 2: f"{second} throughout"}[min(middle, 2)]
    else:
        verdict = words.shorten(classes[min(len(classes) - 1, round(middle / 2))])
    return f"{verdict}, judges differ{' on several' if differ > 1 else ''}" if differ else verdict


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
    assumed = np.array([np.sqrt(share * (1 - share)) for share in (ERRORS[bool(differ)] for differ in pool.differ)])
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
