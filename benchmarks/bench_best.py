"""How often some judge is told apart from the best of these data although all judges are equal, by simulation.

Judges err independently given the item, with a normal effect shared by an item's decisions (intraclass correlation `ICC`). The
best judge is picked on the sample, and every other one is compared with it. `Holm` is what single pairs with Holm's correction
say, taken from the same influences; `joint` the correction for the choice. Both should be near 5 %.
Run: python benchmarks/bench_best.py [samples] [start of a cell's name ...]
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.special import ndtri
from scipy.stats import norm

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from metrics.analyses.comparison.compute import holm
from metrics.analyses.comparison.joint import Everybody, joint_p
from metrics.analyses.comparison.paired import Statistic
from metrics.measures.catalogue import BY_KEY

ICC, REPLICATES, LEVEL = 0.3, 499, 0.05


@dataclass(frozen=True)
class Cell:
    """Equal judges: prevalences of the criteria, error rate, how often a judge abstains, and how far its one edge reaches."""

    name: str
    judges: int
    prevalence: tuple[float, ...] = (0.5,)
    metric: str = "kappa"
    n: int = 100
    error: float = 0.15
    abstain: float = 0.0
    edge: float = 0.0
    """What the error rate of the first judge is lower by: power instead of level."""

    @property
    def statistic(self) -> Statistic:
        record = BY_KEY[self.metric]
        return Statistic(record.function, "joint" if record.takes == "criteria" else "pooled")


def cells() -> list[Cell]:
    four = (0.3, 0.5, 0.6, 0.8)
    return [
        Cell("5 judges, accuracy", 5, metric="accuracy"),
        Cell("5 judges, kappa", 5),
        Cell("5 judges, kappa, n = 50", 5, n=50),
        Cell("5 judges, kappa, abstaining", 5, abstain=0.1),
        Cell("5 judges, 4 criteria, within, n = 50", 5, four, "kappa_within", n=50),
        Cell("10 judges, 4 criteria, within", 10, four, "kappa_within"),
        Cell("10 judges, 4 criteria, within, 3 % errors", 10, four, "kappa_within", error=0.03),
        Cell("20 judges, accuracy", 20, metric="accuracy"),
        Cell("20 judges, kappa", 20),
        Cell("20 judges, kappa, n = 300", 20, n=300),
        Cell("power: 5 judges, kappa, one better by 10 points", 5, edge=0.10),
        Cell("power: 20 judges, kappa, one better by 10 points", 20, edge=0.10),
    ]


def sample(cell: Cell, rng: np.random.Generator) -> Everybody:
    """Verdicts of all judges on complete items."""
    shape = cell.n, len(cell.prevalence)
    human = _latent(rng, shape, np.array(cell.prevalence))
    rates = np.full(cell.judges, cell.error)
    rates[0] -= cell.edge
    said = np.stack([_latent(rng, shape, np.full(shape[1], rate)) ^ human for rate in rates])
    code = np.where(rng.random(said.shape) < cell.abstain, 4, 3 - 2 * human.astype(int) - said)
    unit, criterion = (own.ravel() for own in np.indices(shape))
    ones = np.ones(cell.n, np.int64)
    return Everybody(code.reshape(cell.judges, -1), unit, criterion, np.ones(len(unit), np.int64), ones, 2, shape[1])


def _latent(rng: np.random.Generator, shape: tuple[int, int], rate: np.ndarray) -> np.ndarray:
    effect = np.sqrt(ICC) * rng.normal(size=(shape[0], 1)) + np.sqrt(1 - ICC) * rng.normal(size=shape)
    return np.asarray(effect < ndtri(rate))


def picked(everybody: Everybody, statistic: Statistic) -> tuple[int, list[int]]:
    """The best judge of the sample on its own decisions, and the others."""
    judges = range(len(everybody.cells))
    values = []
    for judge in judges:
        total = everybody.tables(judge, everybody.cells[judge] < everybody.k**2).sum(0)
        values.append(float(statistic.both(total, total)[0]))
    best = int(np.nanargmax(values))
    return best, [judge for judge in judges if judge != best]


def single(everybody: Everybody, statistic: Statistic, best: int, others: list[int]) -> tuple[float, ...]:
    """p of single pairs with Holm's correction, from the same influences and the normal distribution."""
    found = []
    for other in others:
        values = everybody.influence(statistic, (best, other))
        spread = float(np.sqrt((values**2).sum()))
        found.append(2 * norm.sf(abs(values.sum()) / spread) if spread > 0 else 1.0)
    return holm(found)


def rejected(cell: Cell, samples: int) -> tuple[float, float]:
    """Share of samples in which somebody differs from the best: by Holm, and jointly."""
    rng = np.random.default_rng(1)
    counts = np.zeros(2)
    for _ in range(samples):
        everybody = sample(cell, rng)
        best, others = picked(everybody, cell.statistic)
        joint = joint_p(everybody, cell.statistic, best, others, REPLICATES, rng)
        counts += [np.nanmin(single(everybody, cell.statistic, best, others)) <= LEVEL, np.nanmin(joint) <= LEVEL]
    return float(counts[0] / samples), float(counts[1] / samples)


def lines(samples: int, starts: list[str]) -> Iterator[str]:
    yield f"{'cell':<52}{'Holm':>8}{'joint':>8}   of {samples} samples, in %"
    for cell in cells():
        if not starts or any(cell.name.startswith(start) for start in starts):
            before, after = rejected(cell, samples)
            yield f"{cell.name:<52}{100 * before:>8.1f}{100 * after:>8.1f}"


if __name__ == "__main__":
    for line in lines(int(sys.argv[1]) if len(sys.argv) > 1 else 1000, sys.argv[2:]):
        print(line, flush=True)
