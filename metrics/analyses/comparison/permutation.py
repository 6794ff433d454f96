"""Tests of two judges on the same items that assume nothing about how verdicts on an item hang together.

On single criteria they say where each judge is right significantly more often than the other.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.comparison.paired import BLOCK, Paired, Statistic
from metrics.analyses.comparison.shared_decisions import Shared
from metrics.measures.arrays import FloatArray
from metrics.measures.exact_tests import holm, sign_test
from metrics.results import words

ALL_SWAPS = 12
"""Up to so many items that differ, every way of swapping them is tried."""
# Differences nearer than this are equal numbers added in another order.
SLACK = 1e-12
# Places in `OUTCOMES` of the two outcomes that separate the judges.
ONLY_A, ONLY_B = 1, 2


@dataclass(frozen=True)
class Permutation:
    """Result of the permutation test.

    Attributes
    ----------
    p : float
        NaN where the difference is undefined.
    replicates : int
        Swaps tried; all 2ⁿ of them where `exact`.
    undefined : int
        Replicates in which the difference is undefined; they do not count in p.
    n_differ : int
        Units (items, or groups of them) on which the judges differ.
    asked : int
        Swaps asked for; more than `replicates` where the test was stopped.
    """

    p: float
    replicates: int
    undefined: int
    exact: bool
    n_differ: int
    asked: int

    @property
    def stopped(self) -> bool:
        return self.replicates < self.asked


Told = Callable[[Permutation], bool | None]
"""Called with what the test has found so far; returning True stops it."""


@dataclass(frozen=True)
class McNemar:
    """The exact test on decisions one judge gets right and the other wrong."""

    only_a: int
    only_b: int
    p: float

    @property
    def n(self) -> int:
        """Decisions that separate the two."""
        return self.only_a + self.only_b


def permutation_tests(
    paired: Paired,
    statistics: Sequence[Statistic],
    replicates: int,
    rng: np.random.Generator,
    progress: Told | None = None,
) -> tuple[Permutation, ...]:
    """Swap the two judges' whole verdicts on each unit with probability ½, and count how often the difference is as large.

    With at most `ALL_SWAPS` units that differ all ways are tried and p is their share; else
    p = (1 + #{|T*| ≥ |T|}) / (1 + replicates). All statistics share the swaps. A test that is stopped rests on the swaps done
    so far.

    Parameters
    ----------
    paired : Paired
    statistics : sequence of Statistic
    replicates : int
        Random swaps.
    rng : Generator
        Source of the random swaps.
    progress : callable, optional
        Hears after each block of random swaps what the first defined statistic has; stops the test by returning True.

    Returns
    -------
    tuple of Permutation
        In the order of the statistics; p is NaN where the difference is undefined.
    """
    observed = np.array([float(statistic.difference(*paired.totals)) for statistic in statistics])
    units = paired.changes()[1]
    n = int(units.sum())
    exact = n <= ALL_SWAPS
    known = [place for place, value in enumerate(observed) if not math.isnan(value)]
    out = [Permutation(math.nan, 0, 0, exact, n, 0)] * len(statistics)
    if not known:
        return tuple(out)
    asked = 2**n if exact else replicates
    rows = max(1, BLOCK // max(len(units), n if exact else 1, paired.groups * paired.k**2))
    draws = all_swaps(units, rows) if exact else random_swaps(units, replicates, rows, rng)
    tried = 0
    extreme, undefined = np.zeros((2, len(known)), np.int64)
    for swapped in draws:
        differences = paired.permuted([statistics[place] for place in known], swapped)
        tried += differences.shape[1]
        undefined += np.isnan(differences).sum(1)
        extreme += (np.abs(differences) >= np.abs(observed[known])[:, None] - SLACK).sum(1)
        for place, more, lost in zip(known, extreme.tolist(), undefined.tolist(), strict=True):
            out[place] = Permutation(_share(more, tried - lost, exact=exact), tried, lost, exact, n, asked)
        if progress and not exact and progress(out[known[0]]):
            break
    return tuple(out)


def _share(extreme: int, defined: int, *, exact: bool) -> float:
    return extreme / defined if exact else (extreme + 1) / (defined + 1)


def all_swaps(items: NDArray[np.int64], rows: int) -> Iterator[FloatArray]:
    """Yield every way of swapping, as the number of swapped items of each kind.

    Parameters
    ----------
    items : ndarray of int64, shape (M,)
        Items of each kind.
    rows : int
        Ways in one block, at most.

    Yields
    ------
    ndarray, shape (rows, M)
        2ⁿ rows in all, of n items.
    """
    kind = np.repeat(np.arange(len(items)), items)
    indicators = np.eye(len(items))[kind]
    for start in range(0, 2 ** len(kind), rows):
        number = np.arange(start, min(start + rows, 2 ** len(kind)))
        yield (number[:, None] >> np.arange(len(kind)) & 1) @ indicators


def random_swaps(items: NDArray[np.int64], replicates: int, rows: int, rng: np.random.Generator) -> Iterator[FloatArray]:
    """Yield random numbers of swapped items of each kind, laid out by kind because that is how they are used.

    Parameters
    ----------
    items : ndarray of int64, shape (M,)
        Items of each kind; each is swapped with probability ½.
    replicates : int
        Rows in all.
    rows : int
        Rows of one block, at most.
    rng : Generator

    Yields
    ------
    ndarray, shape (rows, M)
    """
    single = items == 1
    for start in range(0, replicates, rows):
        size = min(rows, replicates - start)
        swapped = np.empty((len(items), size))
        swapped[single] = rng.integers(0, 2, (int(single.sum()), size), dtype=np.int8)
        swapped[~single] = rng.binomial(items[~single][:, None], 0.5, (int((~single).sum()), size))
        yield swapped.T


def mcnemar(only_a: int, only_b: int) -> McNemar:
    """Return two-sided binomial test that each judge is as often the one that is right.

    References: McNemar (1947), doi:10.1007/BF02295996.
    """
    return McNemar(only_a, only_b, sign_test(only_a, only_b))


@dataclass(frozen=True)
class OnCriterion:
    """One criterion.

    Attributes
    ----------
    n, right_a, right_b : int
        Decisions on which both judges and the reference gave a verdict, and those on which a judge agrees with it.
    p : float
        McNemar's exact test, corrected by Holm for the criteria.
    """

    criterion: str
    n: int
    right_a: int
    right_b: int
    p: float


def on_criteria(shared: Shared, outcome: NDArray[np.int8]) -> tuple[OnCriterion, ...]:
    """Return both judges on every criterion, each item one decision of it.

    Parameters
    ----------
    shared : Shared
        D decisions.
    outcome : ndarray of int8, shape (D,)
        Place of each decision in `OUTCOMES`.

    Returns
    -------
    tuple of OnCriterion
        In the order of `shared.criteria`; p is 1 where no decision separates the judges.
    """
    n = len(shared.criteria)
    counts = np.bincount(shared.criterion * 5 + outcome, weights=shared.weight, minlength=n * 5).reshape(n, 5).astype(np.int64)
    corrected = holm([mcnemar(int(row[ONLY_A]), int(row[ONLY_B])).p for row in counts])
    return tuple(
        OnCriterion(name, int(row[:4].sum()), int(row[0] + row[ONLY_A]), int(row[0] + row[ONLY_B]), p)
        for name, row, p in zip(shared.criteria, counts, corrected, strict=True)
    )


def ahead_on(results: Sequence[OnCriterion], level: float) -> tuple[list[OnCriterion], list[OnCriterion]]:
    """Return the criteria on which A, and those on which B, is right significantly more often."""
    told = [one for one in results if one.p <= level]
    return [one for one in told if one.right_a > one.right_b], [one for one in told if one.right_b > one.right_a]


def on_which_criteria(results: Sequence[OnCriterion], names: tuple[str, str], level: float, winner: str | None) -> str:
    """Return on which criteria each judge is right more often; empty where only the better judge is, on some or all of them.

    Parameters
    ----------
    results : sequence of OnCriterion
    names : (str, str)
        Of A and of B.
    level : float
        Corrected p up to which a difference is significant, in (0, 1).
    winner : str or None
        The better judge over all criteria.
    """
    for_a, for_b = ahead_on(results, level)
    first = _named((one, one.right_a, one.right_b) for one in for_a)
    second = _named((one, one.right_b, one.right_a) for one in for_b)
    corrected = words.corrected(len(results), "criteria")
    if first and second:
        return f"The criteria differ: {names[0]} is right significantly more often on {first}, {names[1]} on {second}{corrected}."
    who = names[0] if first else names[1]
    if not (first or second) or who == winner:
        return ""
    return f"On single criteria {who} is right significantly more often: on {first or second}{corrected}."


def _named(rows: Iterable[tuple[OnCriterion, int, int]]) -> str:
    shares = [
        f"{words.shorten(on_criterion.criterion)} ({words.percent(count / on_criterion.n)} "
        f"against {words.percent(other / on_criterion.n)})"
        for on_criterion, count, other in rows
    ]
    return words.listed(shares, words.MOST_NAMED)
