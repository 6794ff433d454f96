"""How much a draw by strata spares against one at random, tried out on the labelled items of the user's own file."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.sampling.strata import PRIOR, Metric, Pool, Purpose, allocated, number_of, spreads
from metrics.measures.arrays import FloatArray

DRAWS = 600
"""Of each kind, from each half."""
LEAST_LABELLED = 60
"""Labelled items below which nothing is tried out: half of them would be too few to plan with."""


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
