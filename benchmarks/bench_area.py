"""How often the interval of the area under a ROC curve covers: with few decisions in a class, and with several in each unit.

Scores are drawn from normal distributions of equal and of unequal spread, from exponential ones, and on five levels; positives
and negatives anew for every replicate. `metrics.analyses.roc.area.area_interval` gives the interval; beside it its parts:
DeLong's on the logit scale, where it exists, and Newcombe's.
With several decisions in each unit, those of a unit share half the variance of the score, or also the class; beside the interval
in use Newcombe's on units.
Run: python benchmarks/bench_area.py [replicates]
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
from scipy.special import ndtr, ndtri

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from metrics.analyses.roc.area import FEW_IN_CLASS, FEW_UNITS, Scores, area_interval, auc, delong_error, newcombe
from metrics.measures.transforms import transformed

AREAS = (0.6, 0.75, 0.9, 0.96, 0.99)
SIZES = ((12, 12), (12, 100), (20, 200), (40, 40), (40, 100), (49, 49), (49, 400))
"""Positives and negatives."""
UNITS, EACH, CLUSTERED = (8, 20, 40), (4, 8), (0.6, 0.75, 0.9)
"""Units, decisions in each, and areas."""
POSITIVE, SHARED = 0.4, 0.5
"""Share of positive decisions, and of the score's variance that the decisions of a unit have in common."""
LEAST, MOST = 0.92, 0.995
CONFIDENCE = 0.95
STEP, SPREAD = float(ndtri((1 + CONFIDENCE) / 2)), 2.0
Draw = Callable[[np.random.Generator, float, tuple[int, int]], tuple[np.ndarray, np.ndarray, float]]
Ends = tuple[float, float]


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


def scored(score: np.ndarray, positive: np.ndarray, unit: np.ndarray) -> Scores:
    level, which = np.unique(score, return_inverse=True)
    return Scores(unit, level.astype(np.float64), which, positive, int(unit.max()) + 1)


def covered(ends: Ends, truth: float) -> bool:
    return ends[0] <= truth <= ends[1]


@cache
def by_newcombe(area: float, positives: float, negatives: float) -> Ends:
    return newcombe(area, positives, negatives, CONFIDENCE)


def cell(rng: np.random.Generator, draw: Draw, area: float, size: tuple[int, int], draws: int) -> np.ndarray:
    """Shares of replicates covered by DeLong (where it exists), Newcombe, and the interval in use."""
    positive, unit = np.arange(sum(size)) < size[0], np.arange(sum(size))
    hits, delongs = np.zeros(3), 0
    for _ in range(draws):
        up, down, truth = draw(rng, area, size)
        scores = scored(np.concatenate([up, down]), positive, unit)
        tally = scores.tally()
        used, found = area_interval(scores, tally, CONFIDENCE), auc(tally)
        own = transformed(found, delong_error(tally), "logit", STEP)
        if not np.isnan(own[0]):
            delongs += 1
            hits[0] += covered(own, truth)
        hits[1] += covered(by_newcombe(found, *size), truth)
        hits[2] += used is not None and covered(used.ends, truth)
    return hits / np.array([max(delongs, 1), draws, draws])


def clustered(
    rng: np.random.Generator, area: float, n_units: int, each: int, draws: int, *, same_class: bool
) -> tuple[np.ndarray, float]:
    """Shares of replicates covered by Newcombe's on units and by the interval in use, and how often that is the wider of two."""
    unit = np.repeat(np.arange(n_units), each)
    away, hits, both = np.sqrt(2) * ndtri(area), np.zeros(2), 0
    for _ in range(draws):
        positive = rng.random(n_units)[unit] < POSITIVE if same_class else rng.random(len(unit)) < POSITIVE
        if positive.all() or not positive.any():
            positive[0] = not positive[0]
        common, own = rng.normal(0, np.sqrt(SHARED), n_units)[unit], rng.normal(0, np.sqrt(1 - SHARED), len(unit))
        scores = scored(common + own + away * positive, positive, unit)
        tally = scores.tally()
        used = area_interval(scores, tally, CONFIDENCE)
        hits[0] += covered(by_newcombe(auc(tally), scores.units_with(positive), scores.units_with(~positive)), area)
        if used is not None:
            hits[1] += covered(used.ends, area)
            both += "newcombe" in used.method
    return hits / draws, both / draws


def independent_cells(rng: np.random.Generator, draws: int) -> list[tuple[object, ...]]:
    """Prints every cell; those outside the bounds."""
    outside: list[tuple[object, ...]] = []
    print(f"fewer than {FEW_IN_CLASS} in a class, {draws} replicates a cell")
    print(f"{'scores':>12} {'area':>5} {'sizes':>10} {'DeLong':>7} {'Newcombe':>9} {'in use':>6}")
    for size in SIZES:
        for draw in (equal, unequal, exponential, levels):
            for area in AREAS:
                row = cell(rng, draw, area, size, draws)
                shown = " ".join(f"{share:7.3f}" for share in row)
                print(f"{draw.__name__:>12} {area:5.2f} {size[0]:>5}{size[1]:>5} {shown}", flush=True)
                if not LEAST <= row[2] <= MOST:
                    outside.append((draw.__name__, area, size, round(float(row[2]), 3)))
    return outside


def clustered_cells(rng: np.random.Generator, draws: int) -> list[tuple[object, ...]]:
    """Prints every cell; those outside the bounds."""
    outside: list[tuple[object, ...]] = []
    print(f"several decisions in each unit, both intervals below {FEW_UNITS} units of a class, {draws} replicates a cell")
    print(f"{'in common':>16} {'area':>5} {'units':>5} {'each':>4} {'Newcombe':>9} {'in use':>7} {'both':>6}")
    for same_class in (False, True):
        name = "score and class" if same_class else "score"
        for n_units in UNITS:
            for each in EACH:
                for area in CLUSTERED:
                    row, both = clustered(rng, area, n_units, each, draws, same_class=same_class)
                    print(f"{name:>16} {area:5.2f} {n_units:5} {each:4} {row[0]:9.3f} {row[1]:7.3f} {both:6.2f}", flush=True)
                    if row[1] < LEAST:
                        outside.append((name, area, n_units, each, round(float(row[1]), 3)))
    return outside


def main() -> None:
    draws = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    outside = clustered_cells(np.random.default_rng(1), draws) + independent_cells(np.random.default_rng(0), draws)
    if outside:
        sys.exit(f"outside the bounds: {outside}")


if __name__ == "__main__":
    main()
