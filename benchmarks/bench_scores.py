"""Rank correlations of a million pairs against SciPy, and how often the intervals of paired numbers cover.

Both sides of the race get the same arrays, in one process, one after the other in turn; the median of seven is compared.
Coverage: pairs from a bivariate normal distribution of correlation 0, .5 and .9, the judge shifted by .3 and stretched by 1.2,
as they are and cut into five levels, every pair for itself and five to an item that share .3 of the variance on both sides.
Run: python benchmarks/bench_scores.py [replicates]
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from scipy import stats

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from metrics.analyses.paired_numbers import KEYS, Paired, measures
from metrics.measures import moments
from metrics.measures.moments import Moments
from metrics.measures.ordered import kendall_tau_b, spearman
from metrics.measures.ranks import Ranked

N, ROUNDS, EQUAL = 1_000_000, 7, 1e-12
WANTED = {"1 to 5, floats": 15.0, "1 to 5, integers": 15.0, "continuous": 0.4}
SIZES, RHOS = (20, 50, 200), (0.0, 0.5, 0.9)
SHIFT, STRETCH, SHARED, EACH = 0.3, 1.2, 0.3, 5
CUTS = np.array([-1.2, -0.4, 0.4, 1.2])
SHOWN = tuple(key for key in KEYS if key not in ("n", "bias_p"))
CORRELATIONS = ("pearson", "spearman", "kendall_tau_b", "ccc", "icc_2_1", "icc_3_1")
BOUNDS, BOUNDS_OF_OTHERS = (0.915, 0.985), (0.90, 0.985)


def pairs(kind: str) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(8)
    if kind == "continuous":
        x = rng.normal(size=N)
        return x, x + rng.normal(size=N)
    x = rng.integers(1, 6, N)
    y = np.clip(x + rng.integers(-1, 2, N), 1, 5)
    return (x, y) if kind.endswith("integers") else (x.astype(np.float64), y.astype(np.float64))


def ours(x: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    found = Ranked.of(x, y)
    return found.spearman(), found.kendall_tau_b()


def peer(x: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    return float(stats.spearmanr(x, y).statistic), float(stats.kendalltau(x, y).statistic)


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def race() -> int:
    missed = 0
    for kind, wanted in WANTED.items():
        x, y = pairs(kind)
        apart = max(abs(one - other) for one, other in zip(ours(x, y), peer(x, y), strict=True))
        mine, theirs = [], []
        for _ in range(ROUNDS):
            theirs.append(seconds(partial(peer, x, y)))
            mine.append(seconds(partial(ours, x, y)))
        own, its = statistics.median(mine), statistics.median(theirs)
        held = its / own >= wanted and apart <= EQUAL
        missed += not held
        said = f"{1e3 * own:.1f} ms, SciPy {1e3 * its:.0f} ms: {its / own:.1f} times (at least {wanted:g}), {apart:.1e} apart"
        print(f"{kind:>16}: {said}{'' if held else '  MISSED'}", flush=True)
    return missed


def drawn(
    rng: np.random.Generator, n: int, rho: float, *, levels: bool, clustered: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    each = EACH if clustered else 1
    shared = SHARED if clustered else 0.0
    mixed = np.linalg.cholesky(np.array([[1.0, rho], [rho, 1.0]])).T
    unit = np.repeat(np.arange(n), each)
    both = (
        np.sqrt(shared) * (rng.normal(size=(n, 2)) @ mixed)[unit] + np.sqrt(1 - shared) * rng.normal(size=(n * each, 2)) @ mixed
    )
    x, y = both[:, 0], SHIFT + STRETCH * both[:, 1]
    return (np.digitize(x, CUTS).astype(float), np.digitize(y, CUTS).astype(float), unit) if levels else (x, y, unit)


def truth(rho: float, *, levels: bool) -> dict[str, float]:
    """What each number tends to: in closed form, or from the probabilities of the twenty-five cells."""
    if levels:
        probability = cells(rho)
        x, y = np.indices((5, 5)).astype(float)
        expected = lambda of: float((probability * of).sum())  # noqa: E731
        ranks = {"spearman": float(spearman(probability)), "kendall_tau_b": float(kendall_tau_b(probability))}
    else:
        nodes, weights = np.polynomial.hermite_e.hermegauss(120)
        u, v = np.meshgrid(nodes, nodes, indexing="ij")
        probability = np.outer(weights, weights) / (2 * np.pi)
        x, y = u, SHIFT + STRETCH * (rho * u + np.sqrt(1 - rho * rho) * v)
        expected = lambda of: float((probability * of).sum())  # noqa: E731
        ranks = {"spearman": 6 / np.pi * np.arcsin(rho / 2), "kendall_tau_b": 2 / np.pi * np.arcsin(rho)}
    d, n = y - x, 1e12
    about = {"x": x - expected(x), "y": y - expected(y), "d": d - expected(d)}
    product = {a + b: np.array(n * expected(about[a] * about[b])) for a, b in ("xx", "yy", "xy", "dd")}
    absolute = expected(np.abs(d)) if levels else folded(expected(d), float(np.sqrt(product["dd"] / n)))
    whole = Moments(np.array(n), np.array(expected(d)), **product, square=np.array(expected(d * d)), absolute=np.array(absolute))
    return {key: float(function(whole)) for key, function in moments.FUNCTIONS.items()} | ranks


def folded(mean: float, spread: float) -> float:
    """Mean of the absolute value of a normal number."""
    return float(stats.foldnorm.mean(abs(mean) / spread, scale=spread))


def cells(rho: float) -> np.ndarray:
    """Probabilities of the levels of reference and judge."""
    edges = [np.concatenate([[-9.0], cuts, [9.0]]) for cuts in (CUTS, (CUTS - SHIFT) / STRETCH)]
    normal = stats.multivariate_normal([0, 0], [[1, rho], [rho, 1]])
    below = np.array([[normal.cdf([a, b]) for b in edges[1]] for a in edges[0]])
    found: np.ndarray = np.diff(np.diff(below, axis=0), axis=1)
    return found


def coverage(draws: int) -> int:
    print(f"covered %, nominal 95, {draws} replicates a cell")
    print(f"{'':>30}", *(f"{key[:10]:>10}" for key in SHOWN))
    rows: dict[str, list[np.ndarray]] = {}
    for clustered in (False, True):
        for levels in (False, True):
            name = f"{'five an item' if clustered else 'one an item'}, {'levels' if levels else 'normal'}"
            for n in SIZES:
                for rho in RHOS:
                    row = cell(n, rho, draws, levels=levels, clustered=clustered)
                    rows.setdefault(name, []).append(row)
                    print(f"{name:>20} {n:>4} {rho:>4}", *(f"{100 * share:10.1f}" for share in row), flush=True)
    missed = 0
    for name, found in rows.items():
        shares = np.array(found)
        print(f"{name:>30}", *(f"{100 * own.min():.1f}–{100 * own.max():.1f} ({100 * own.mean():.1f})" for own in shares.T))
        for key, own in zip(SHOWN, shares.T, strict=True):
            low, high = BOUNDS if key in CORRELATIONS else BOUNDS_OF_OTHERS
            missed += int(((own < low) | (own > high)).sum())
    return missed


def cell(n: int, rho: float, draws: int, *, levels: bool, clustered: bool) -> np.ndarray:
    """Share of replicates whose interval covers, of those that have one, for each of `SHOWN`."""
    rng = np.random.default_rng([n, int(100 * rho), levels, clustered])
    wanted, hits, defined = truth(rho, levels=levels), np.zeros(len(SHOWN)), np.zeros(len(SHOWN))
    for _ in range(draws):
        found = measures(Paired(*drawn(rng, n, rho, levels=levels, clustered=clustered)))
        ends = np.array([found[key].ends or (np.nan, np.nan) for key in SHOWN])
        aim = np.array([wanted[key] for key in SHOWN])
        there = ~np.isnan(ends[:, 0])
        defined += there
        hits += there & (ends[:, 0] <= aim) & (aim <= ends[:, 1])
    return hits / np.maximum(defined, 1)


def main() -> int:
    draws = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
    missed = race()
    outside = coverage(draws)
    print(f"{missed} ratios missed, {outside} cells outside their bounds")
    return int(missed + outside > 0)


if __name__ == "__main__":
    raise SystemExit(main())
