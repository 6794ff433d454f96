"""How often the intervals of ordered labels cover the truth, and what a report costs.

Reference and judge are a common normal number each with its own noise, cut into options: `even` (cuts at the quintiles or
quartiles), `high` (six in ten of the reference in the upper option), `stuck` (a judge that gives one option nine times in
ten). Several criteria share an item effect on both sides (intraclass correlation .3). The truth is the value on two million
items. Coverage is given that value and interval are defined, with the misses below and above it.
Run: python benchmarks/bench_order.py [simulations] [part of a setting's name ...]
"""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
from scipy.special import ndtri

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import metrics
from metrics.analyses.ordered_catalogue import ORDERED, functions_of
from metrics.data.labels import Scheme
from metrics.data.order import Order
from metrics.data.ratings import Rater, Ratings, Source
from metrics.measures.arrays import FloatArray

BIG = 2_000_000
SHOWN = tuple(measure.key for measure in ORDERED if measure.has_interval)


@dataclass(frozen=True)
class Cell:
    """One setting."""

    name: str
    k: int = 4
    n: int = 50
    criteria: int = 1
    noise: float = 0.5
    shape: str = "even"
    icc: float = 0.3


CELLS = (
    *(Cell(f"one criterion, even, n {n}", n=n) for n in (20, 50, 200)),
    *(Cell(f"one criterion, high, n {n}", n=n, shape="high") for n in (20, 50, 200)),
    *(Cell(f"one criterion, stuck, n {n}", n=n, shape="stuck", noise=1.0) for n in (50, 200)),
    *(Cell(f"one criterion, near perfect, n {n}", n=n, noise=0.08) for n in (20, 50, 200)),
    Cell("one criterion, eleven options, n 50", k=11, n=50),
    *(Cell(f"five criteria, even, n {n}", n=n, criteria=5) for n in (20, 50, 200)),
    *(Cell(f"five criteria, high, n {n}", n=n, criteria=5, shape="high") for n in (20, 50, 200)),
)


def drawn(cell: Cell, n: int, rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
    """Options of reference and judge, shape (n, criteria)."""
    size = (n, cell.criteria)
    item = np.sqrt(cell.icc) * rng.normal(size=(n, 1)) if cell.criteria > 1 else 0.0
    own = np.sqrt(1 - cell.icc) if cell.criteria > 1 else 1.0
    common = item + own * rng.normal(size=size)
    lean = np.sqrt(cell.icc) * rng.normal(size=(n, 1)) if cell.criteria > 1 else 0.0
    seen = (common + cell.noise * (lean + own * rng.normal(size=size))) / np.sqrt(1 + cell.noise**2)
    cuts = ndtri(np.arange(1, cell.k) / cell.k)
    if cell.shape == "high":
        cuts = ndtri(np.array([0.05, 0.15, 0.4]))
    judge_cuts = ndtri(np.array([0.01, 0.05, 0.95])) if cell.shape == "stuck" else cuts
    return np.searchsorted(cuts, common), np.searchsorted(judge_cuts, seen)


def ratings_of(reference: FloatArray, judge: FloatArray, k: int) -> Ratings:
    n, criteria = reference.shape
    names = tuple(str(place + 1) for place in range(k))
    item, criterion = (np.tile(codes.ravel(), 2).astype(np.int32) for codes in np.indices((n, criteria)))
    return Ratings(
        source=Source("simulated", "0" * 64, "raters", 2 * n * criteria, ()),
        scheme=Scheme(tuple((name, "class") for name in names), names),
        items=pa.array([str(i) for i in range(n)]),
        criteria=tuple(f"c{c}" for c in range(criteria)),
        raters=(Rater("human", "human"), Rater("judge", "judge")),
        labels=names,
        item=item,
        criterion=criterion,
        rater=np.repeat([0, 1], n * criteria).astype(np.int32),
        label=np.concatenate([reference.ravel(), judge.ravel()]).astype(np.int32),
        row=np.arange(2 * n * criteria),
    )


def truth(cell: Cell) -> dict[str, dict[str, float]]:
    """Value of every number, pooled and as the mean over criteria."""
    order = Order(tuple(str(place) for place in range(1, cell.k + 1)), tuple(map(float, range(1, cell.k + 1))), "labels")
    reference, judge = drawn(cell, BIG // cell.criteria, np.random.default_rng(1))
    tables = np.zeros((cell.criteria, cell.k, cell.k))
    for c in range(cell.criteria):
        cells = np.bincount(reference[:, c] * cell.k + judge[:, c], minlength=cell.k**2)
        tables[c] = cells.reshape(cell.k, cell.k)
    functions = functions_of(order)
    pooled = {key: float(function(tables.sum(0))) for key, function in functions.items()}
    return {"pooled": pooled, "mean": {key: float(function(tables).mean()) for key, function in functions.items()}}


def coverage(cell: Cell, simulations: int) -> dict[tuple[str, str], list[int]]:
    """Level and key to (intervals, misses below the truth, misses above it, undefined)."""
    wanted, rng = truth(cell), np.random.default_rng(2)
    found: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for _ in range(simulations):
        its = metrics.scores(ratings_of(*drawn(cell, cell.n, rng), cell.k)).judges["judge"]
        for level, block in (("pooled", its.pooled), ("mean", its.mean))[: 1 + (cell.criteria > 1)]:
            for key in SHOWN:
                tally, ends = found[level, key], block[key].ends
                if ends is None:
                    tally[3] += 1
                    continue
                tally[0] += 1
                tally[1] += ends[1] < wanted[level][key]
                tally[2] += ends[0] > wanted[level][key]
    return found


def speed() -> None:
    """A report on 200 000 decisions of nine criteria, from rows and again."""
    cell = Cell("speed", n=22_222, criteria=9)
    ratings = ratings_of(*drawn(cell, cell.n, np.random.default_rng(3)), cell.k)
    for what, options in (("first", {}), ("again", {}), ("no intervals", {"interval": "none"})):
        start = time.perf_counter()
        metrics.scores(ratings, **options)
        print(f"  200 000 decisions, 9 criteria, 4 options, {what}: {1000 * (time.perf_counter() - start):.0f} ms")


def main() -> None:
    simulations = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    speed()
    wanted = sys.argv[2:]
    for cell in (cell for cell in CELLS if not wanted or any(part in cell.name for part in wanted)):
        found = coverage(cell, simulations)
        for level in dict.fromkeys(level for level, _ in found):
            print(f"{cell.name}, {level}")
            for key in SHOWN:
                n, below, above, nothing = found[level, key]
                share = 100 * (1 - (below + above) / n) if n else float("nan")
                undefined = f", no interval {nothing}" if nothing else ""
                print(f"  {key:<26}{share:6.1f} %   below {below:>3}, above {above:>3} of {n}{undefined}")


if __name__ == "__main__":
    main()
