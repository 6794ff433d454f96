"""How often the interval of judge less human covers 0 where the judge is one of them, and what is said of it.

Every rater gives the true label but for errors at one rate; labels are even, or one is rare. A judge as good as the humans should
be called above, or below, their ceiling in at most 2.5 % of samples each; how often a worse one is called below is the power.
Run: python benchmarks/bench_ceiling.py [simulations] [start of a cell's name ...]
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from metrics.analyses.raters import exchange
from metrics.analyses.raters.ceiling import Ceiling, human_ceiling
from metrics.data.labels import Scheme
from metrics.data.ratings import Rater, Ratings, Source

METRICS = ("accuracy", "kappa", "phi")
SCHEME = Scheme((("MET", "positive"), ("UNMET", "negative"), ("CANNOT_ASSESS", "abstention")))
DRAWS = 199
"""Exchanges a sample; the product draws more where it may."""


@dataclass(frozen=True)
class Cell:
    """One setting: people, items, their error rate and the judge's, the share of positives, and criteria."""

    humans: int
    n: int
    error: float
    judge: float
    prevalence: float = 0.5
    criteria: int = 1

    @property
    def name(self) -> str:
        rest = f", {self.criteria} criteria" if self.criteria > 1 else ""
        rare = "" if self.prevalence == 0.5 else f", π {self.prevalence:g}"
        return f"{self.humans} humans, n={self.n}, {self.error:.0%} against {self.judge:.0%}{rare}{rest}"


CELLS = [
    Cell(5, 60, 0.02, 0.02), Cell(3, 30, 0.05, 0.05), Cell(3, 30, 0.10, 0.10), Cell(3, 60, 0.02, 0.02), Cell(3, 60, 0.15, 0.15),
    Cell(3, 60, 0.10, 0.10, prevalence=0.15), Cell(3, 30, 0.05, 0.05, criteria=4), Cell(2, 60, 0.05, 0.05),
    Cell(3, 60, 0.02, 0.12), Cell(3, 60, 0.10, 0.30),
]  # fmt: skip


def draw(cell: Cell, rng: np.random.Generator) -> Ratings:
    """A sample: the judge is the last rater."""
    raters, decisions = cell.humans + 1, cell.n * cell.criteria
    truth = rng.random((decisions, 1)) >= cell.prevalence
    error = np.where(np.arange(raters) < cell.humans, cell.error, cell.judge)
    label = (truth ^ (rng.random((decisions, raters)) < error)).astype(np.int32)
    item, criterion = np.divmod(np.arange(decisions, dtype=np.int32), np.int32(cell.criteria))
    roles = (*(Rater(f"h{place}", "human") for place in range(cell.humans)), Rater("judge", "judge"))
    return Ratings(
        source=Source("simulated", "", "long", label.size, ()),
        scheme=SCHEME,
        items=pa.array(map(str, range(cell.n))),
        criteria=tuple(f"c{place}" for place in range(cell.criteria)),
        raters=roles,
        labels=("MET", "UNMET", "CANNOT_ASSESS"),
        item=np.repeat(item, raters),
        criterion=np.repeat(criterion, raters),
        rater=np.tile(np.arange(raters, dtype=np.int32), decisions),
        label=label.ravel(),
        row=np.arange(label.size),
        rows_used=label.size,
        table=None,
    )


def simulate(cell: Cell, metric: str, times: int) -> str:
    """Covered; called above and below, %; and the same by the jackknife's interval alone; the undefined share from 1 % on."""
    found = [human_ceiling(draw(cell, np.random.default_rng([19, seed])), "judge", metric) for seed in range(times)]
    own = [one for one in found if one.difference.interval is not None]
    covered = np.mean([not one.difference.sign for one in own])
    above, below = (np.mean([one.settled and sign * one.difference.value > 0 for one in own]) for sign in (1, -1))
    sides = [np.mean([_alone(one, sign) for one in own]) for sign in (1, -1)]
    missing = f", {1 - len(own) / times:.0%} undefined" if len(own) < 0.99 * times else ""
    return f"{covered:.1%} ({above:.1%} / {below:.1%}; jackknife {sides[0]:.1%} / {sides[1]:.1%}{missing})"


def _alone(one: Ceiling, sign: int) -> bool:
    from metrics.measures.transforms import student

    return sign * one.difference.value > student(one.n_items - 1, 0.95) * one.error > 0


def main() -> None:
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    starts = tuple(sys.argv[2:]) or ("",)
    exchange.MOST_DRAWS = DRAWS
    print(f"{times} simulations a cell; 0 covered % (called above % / below %; by the jackknife alone)\n")
    print(f"| setting | {' | '.join(METRICS)} |\n|{' --- |' * (len(METRICS) + 1)}")
    for cell in CELLS:
        if cell.name.startswith(starts):
            print(f"| {cell.name} | {' | '.join(simulate(cell, metric, times) for metric in METRICS)} |", flush=True)


if __name__ == "__main__":
    main()
