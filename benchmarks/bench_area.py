"""How often the interval of the area under a ROC curve covers, with few decisions in a class.

Scores are drawn from normal distributions of equal and of unequal spread, from exponential ones, and on five levels; positives
and negatives anew for every replicate. Beside the interval in use: DeLong's on the logit scale, where it exists, and Newcombe's.
Run: python benchmarks/bench_area.py [replicates]
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
from scipy.special import expit, logit, ndtr, ndtri

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from metrics.ranking.area import FEW_IN_CLASS, newcombe

AREAS = (0.6, 0.75, 0.9, 0.96, 0.99)
SIZES = ((12, 12), (12, 100), (20, 200), (40, 40), (40, 100), (49, 49), (49, 400))
"""Positives and negatives."""
LEAST, MOST = 0.92, 0.995
STEP, SPREAD = float(ndtri(0.975)), 2.0
Draw = Callable[[np.random.Generator, float, tuple[int, int]], tuple[np.ndarray, np.ndarray, float]]


def equal(rng: np.random.Generator, area: float, shape: tuple[int, int]) -> tuple[np.ndarray, np.ndarray, float]:
    return rng.normal(np.sqrt(2) * ndtri(area), 1, shape[0]), rng.normal(0, 1, shape[1]), area


def unequal(rng: np.random.Generator, area: float, shape: tuple[int, int]) -> tuple[np.ndarray, np.ndarray, float]:
    away = np.hypot(SPREAD, 1) * ndtri(area)
    return rng.normal(away, SPREAD, shape[0]), rng.normal(0, 1, shape[1]), area


def exponential(rng: np.random.Generator, area: float, shape: tuple[int, int]) -> tuple[np.ndarray, np.ndarray, float]:
    return rng.exponential(area / (1 - area), shape[0]), rng.exponential(1, shape[1]), area


def levels(rng: np.random.Generator, area: float, shape: tuple[int, int]) -> tuple[np.ndarray, np.ndarray, float]:
    """Equal spread, cut into five; ties move the area a little."""
    away = np.sqrt(2) * ndtri(area)
    cuts = np.linspace(-0.8, away + 0.8, 4)
    up, down = (np.diff(np.concatenate([[0.0], ndtr(cuts - middle), [1.0]])) for middle in (away, 0.0))
    truth = float(up @ (np.cumsum(down) - down / 2))
    return rng.choice(5, shape[0], p=up), rng.choice(5, shape[1], p=down), truth


def cell(rng: np.random.Generator, draw: Draw, area: float, size: tuple[int, int], draws: int) -> np.ndarray:
    """Shares of replicates covered by DeLong (where it exists), Newcombe, and the wider of the two."""
    kept: dict[float, tuple[float, float]] = {}
    hits, delongs = np.zeros(3), 0
    for _ in range(draws):
        up, down, truth = draw(rng, area, size)
        won = (up[:, None] > down) + 0.5 * (up[:, None] == down)
        found = float(won.mean())
        if found not in kept:
            kept[found] = newcombe(found, *size, 0.95)
        other = kept[found]
        error = float(np.sqrt(won.mean(1).var(ddof=1) / size[0] + won.mean(0).var(ddof=1) / size[1]))
        own = other
        if 0 < found < 1 and error > 0:
            own = tuple(expit(logit(found) + np.array([-1, 1]) * STEP * error / (found * (1 - found))))
            delongs += 1
            hits[0] += own[0] <= truth <= own[1]
        hits[1] += other[0] <= truth <= other[1]
        hits[2] += min(own[0], other[0]) <= truth <= max(own[1], other[1])
    return hits / np.array([max(delongs, 1), draws, draws])


def main() -> None:
    draws = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    rng, outside = np.random.default_rng(0), []
    print(f"fewer than {FEW_IN_CLASS} in a class, {draws} replicates a cell")
    print(f"{'scores':>12} {'area':>5} {'sizes':>10} {'DeLong':>7} {'Newcombe':>9} {'wider':>6}")
    for size in SIZES:
        for draw in (equal, unequal, exponential, levels):
            for area in AREAS:
                row = cell(rng, draw, area, size, draws)
                shown = " ".join(f"{share:7.3f}" for share in row)
                print(f"{draw.__name__:>12} {area:5.2f} {size[0]:>5}{size[1]:>5} {shown}", flush=True)
                if not LEAST <= row[2] <= MOST:
                    outside.append((draw.__name__, area, size, round(float(row[2]), 3)))
    if outside:
        sys.exit(f"outside the bounds: {outside}")


if __name__ == "__main__":
    main()
