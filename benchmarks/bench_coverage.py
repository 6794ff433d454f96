"""How often the default intervals cover the truth, by simulation.

Two models of how verdicts on one item hang together. `latent`: a normal effect shared by the item's criteria (intraclass
correlation `icc`), on the reference and on the judge's errors. `types`: a fifth of the items are hard, with three times the
errors and all of them on one side, and items are rich or poor in positives; given its type, an item's verdicts are independent.
Coverage is given that value and interval are defined; the undefined share and the misses on either side stand beside it.
Run: python benchmarks/bench_coverage.py [simulations] [cell name part]
"""

from __future__ import annotations

import sys
from collections import defaultdict
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from scipy.special import ndtri

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import metrics
from metrics.labels import Scheme
from metrics.ratings import Rater, Ratings, Source

METRICS = ("kappa", "phi", "accuracy", "f1", "balanced_accuracy", "precision", "mcc_multiclass")
LEVELS = ("micro", "macro", "item")
LABELS = ("MET", "UNMET", "CANNOT_ASSESS")
SCHEME = Scheme((("MET", "positive"), ("UNMET", "negative"), ("CANNOT_ASSESS", "abstention")))
BIG = 400_000


@dataclass(frozen=True)
class Cell:
    """One setting: prevalences of the criteria, the judge's error rate, and how often a side abstains."""

    name: str
    prevalence: tuple[float, ...]
    error: float = 0.15
    icc: float = 0.3
    n: int = 100
    abstain: float = 0.0
    model: str = "latent"

    @property
    def mode(self) -> str:
        return "as_category" if self.abstain else "exclude"


def cells() -> list[Cell]:
    five = (0.3, 0.4, 0.5, 0.6, 0.7)
    ordinary = [Cell(f"ordinary n={n} icc={icc}", five, n=n, icc=icc) for n in (30, 50, 100, 300) for icc in (0.0, 0.1, 0.3)]
    accurate = [Cell(f"accurate {e:.0%} n={n}", five, error=e, n=n) for e in (0.03, 0.01) for n in (30, 50, 100, 300)]
    rare = [Cell(f"one rare n={n}", (0.05, *five[1:]), n=n) for n in (30, 50, 100, 300)]
    rare += [Cell(f"all rare n={n}", (0.05,) * 5, n=n) for n in (30, 50, 100, 300)]
    three = [Cell(f"three classes n={n}", five, n=n, abstain=0.1) for n in (30, 50, 100, 300)]
    latent = ordinary + accurate + rare + three
    other = [replace(cell, name=f"types: {cell.name}", model="types") for cell in latent if cell.icc == Cell.icc]
    return latent + other


def draw(cell: Cell, n: int, rng: np.random.Generator) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Reference and judge codes, shape (n, C)."""
    return draw_types(cell, n, rng) if cell.model == "types" else draw_latent(cell, n, rng)


def draw_types(cell: Cell, n: int, rng: np.random.Generator) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    shape = (n, len(cell.prevalence))
    rich = np.where(rng.random((n, 1)) < 0.5, 0.5, -0.5)
    odds = np.exp(rich) * np.array(cell.prevalence) / (1 - np.array(cell.prevalence))
    reference = np.where(rng.random(shape) < odds / (1 + odds), 0, 1)
    hard, side = rng.random((n, 1)) < 0.2, np.where(rng.random((n, 1)) < 0.5, 0, 1)
    easy_error = cell.error / 1.4
    error = np.where(hard, np.minimum(3 * easy_error * 2 * (reference == side), 0.9), easy_error)
    judge = np.where(rng.random(shape) < error, 1 - reference, reference)
    for own in (reference, judge):
        if cell.abstain:
            own[rng.random(shape) < cell.abstain * np.where(hard, 2.5, 0.625)] = 2
    return reference, judge


def draw_latent(cell: Cell, n: int, rng: np.random.Generator) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    shape = (n, len(cell.prevalence))

    def latent() -> NDArray[np.float64]:
        return np.sqrt(cell.icc) * rng.normal(size=(n, 1)) + np.sqrt(1 - cell.icc) * rng.normal(size=shape)

    reference = np.where(latent() < ndtri(np.array(cell.prevalence)), 0, 1)
    judge = np.where(latent() < ndtri(cell.error), 1 - reference, reference)
    for side in (reference, judge):
        if cell.abstain:
            side[latent() < ndtri(cell.abstain)] = 2
    return reference, judge


def ratings_of(reference: NDArray[np.int64], judge: NDArray[np.int64]) -> Ratings:
    n, c = reference.shape
    item, criterion = np.divmod(np.arange(n * c, dtype=np.int32), np.int32(c))
    return Ratings(
        source=Source("simulated", "", "pairs", n * c, ()),
        scheme=SCHEME,
        items=pa.array(map(str, range(n))),
        criteria=tuple(f"c{i}" for i in range(c)),
        raters=(Rater("human", "human"), Rater("judge", "judge")),
        labels=LABELS,
        item=np.tile(item, 2),
        criterion=np.tile(criterion, 2),
        rater=np.repeat(np.array([0, 1], np.int32), n * c),
        label=np.concatenate([reference.ravel(), judge.ravel()]).astype(np.int32),
        row=np.tile(np.arange(n * c), 2),
        rows_used=n * c,
    )


def truth(cell: Cell) -> dict[tuple[str, str], object]:
    """The population's values: one large sample; for macro the values of every criterion."""
    report = metrics.agreement(ratings_of(*draw(cell, BIG, np.random.default_rng(99))), abstention=cell.mode, interval="none")
    judge = report.judges["judge"]
    found: dict[tuple[str, str], object] = {}
    for key in METRICS:
        if key in judge.micro.values:
            found["micro", key], found["item", key] = judge.micro.values[key], judge.item.values[key]
            found["macro", key] = np.array([block.values[key] for block in judge.criteria.values()])
    return found


def simulate(cell: Cell, times: int) -> dict[tuple[str, str], list[int]]:
    """Counts of covered, missed low, missed high, no interval, undefined."""
    true = truth(cell)
    tally: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0] * 5)
    for seed in range(times):
        ratings = ratings_of(*draw(cell, cell.n, np.random.default_rng([7, seed])))
        judge = metrics.agreement(ratings, abstention=cell.mode).judges["judge"]
        for level, key in true:
            block = judge.level(level)
            target = true[level, key]
            if level == "macro":
                used = [not np.isnan(criterion.values[key]) for criterion in judge.criteria.values()]
                target = np.mean(target[used]) if any(used) else np.nan
            tally[level, key][outcome(block.values[key], block.ends(key), float(target))] += 1
    return tally


def outcome(value: float, ends: tuple[float, float] | None, target: float) -> int:
    if np.isnan(value):
        return 4
    if ends is None:
        return 3
    assert ends[0] < ends[1], "an interval has no width"
    return 0 if ends[0] <= target <= ends[1] else 1 if target < ends[0] else 2


def main() -> None:
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    part = sys.argv[2] if len(sys.argv) > 2 else ""
    print(f"{times} simulations a cell; covered %, truth below %, truth above %, no interval %, undefined %")
    for cell in cells():
        if part not in cell.name:
            continue
        print(f"\n{cell.name}")
        for (level, key), (hit, low, high, none, undefined) in sorted(simulate(replace(cell), times).items()):
            n = max(1, hit + low + high)
            shares = [100 * hit / n, 100 * low / n, 100 * high / n, 100 * none / times, 100 * undefined / times]
            print(f"  {level:<6}{key:<20}" + "".join(f"{share:8.1f}" for share in shares))


if __name__ == "__main__":
    main()
