"""How often control limits cry wolf, and how often they see a change, by simulation.

Batches of as many items each, a fifth of which are hard with three times the errors; 12 % errors, with a spread of its own from
batch to batch in some cells. In the last cells something is added: 15 points more errors in the last three batches, 5 from the
thirteenth on, or 1.5 points more in every batch from the ninth on. Seen by single batches, by their running mean, and by either.
Run: python benchmarks/bench_over_time.py [simulations]
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from metrics.analyses.slices.control_chart import ControlChart, control_chart
from metrics.analyses.slices.studentised import Units


@dataclass(frozen=True)
class Cell:
    """Batches, items of each, criteria, how far their error rates spread, and what is added since when, or more and more."""

    batches: int
    items: int
    criteria: int
    spread: float = 0.0
    more: float = 0.0
    since: int = 21
    drift: float = 0.0


CELLS = (
    Cell(12, 30, 1), Cell(12, 30, 4), Cell(24, 20, 1), Cell(24, 40, 4), Cell(6, 120, 1), Cell(24, 40, 1, 0.04),
    Cell(24, 40, 4, 0.04), Cell(24, 40, 1, more=0.15), Cell(24, 40, 4, more=0.05, since=12), Cell(24, 40, 1, drift=0.015),
    Cell(24, 40, 4, drift=0.015),
)  # fmt: skip


def draw(cell: Cell, rng: np.random.Generator) -> tuple[Units, np.ndarray]:
    """Return the items of all batches, and the batch of each."""
    group = np.repeat(np.arange(cell.batches), cell.items)
    shape = len(group), cell.criteria
    rate = np.clip(0.12 + cell.spread * rng.normal(size=cell.batches), 0.01, 0.5)
    rate[cell.since :] += cell.more
    rate += cell.drift * np.clip(np.arange(cell.batches) - 8, 0, None)
    positive, hard = rng.random(shape) < 0.6, rng.random((shape[0], 1)) < 0.2
    judge = positive ^ (rng.random(shape) < rate[group][:, None] / 1.4 * np.where(hard, 3.0, 1.0))
    tables = np.zeros((shape[0], 2, 2))
    for own, said in zip(positive.T, judge.T, strict=True):
        np.add.at(tables, (np.arange(shape[0]), 1 - own.astype(int), 1 - said.astype(int)), 1)
    return Units(tables, np.ones(shape[0], np.int64)), group


def _seen(chart: ControlChart) -> tuple[bool, bool]:
    return bool(chart.outside), chart.drift is not None


def main() -> None:
    simulations = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    for cell in CELLS:
        shown = []
        for metric in ("kappa", "recall"):
            names = tuple(map(str, range(cell.batches)))
            charts = [control_chart(*draw(cell, np.random.default_rng(seed)), names, metric) for seed in range(simulations)]
            outside, drifted = (np.array([bool(found) for found in each]) for each in zip(*map(_seen, charts), strict=True))
            none = 100 * np.mean([bool(chart.why) for chart in charts])
            shares = (100 * flags.mean() for flags in (outside, drifted, outside | drifted))
            told = ", ".join(f"{share:.1f} %" for share in shares)
            shown.append(f"{metric}: outside, drifted, either {told}; no limits in {none:.1f} %")
        print(cell, *shown, sep="; ", flush=True)


if __name__ == "__main__":
    main()
