"""How often the default intervals cover the truth, by simulation.

Two models of how verdicts on one item hang together. `latent`: a normal effect shared by the item's criteria (intraclass
correlation `icc`), on the reference and on the judge's errors. `types`: a fifth of the items are hard, with three times the
errors and all of them on one side, and items are rich or poor in positives; given its type, an item's verdicts are independent.
`prompts`: the unit is a group of items that shares an effect of its own on the reference and on the judge's errors.
`whole`: the judge errs on every criterion of a share of the items, and on single criteria at a rate of its own.
Cells `silent`: the judge alone abstains, which is a class of its own, or unmet with errors of one kind only.
Coverage is given that value and interval are defined; the undefined share and the misses on either side stand beside it.
To save time only the metrics of the table are computed, and intervals of a single table seen before are kept. The grid runs on
all cores.
Run: python benchmarks/bench_coverage.py [simulations] [start of a cell's name ...]
"""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from scipy.special import ndtri

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import metrics
from metrics.analyses import evaluation, report_intervals
from metrics.analyses.agreement import compute
from metrics.data.labels import Scheme
from metrics.data.ratings import Rater, Ratings, Source
from metrics.intervals import single_table
from metrics.measures.arrays import FloatArray
from metrics.measures.transforms import Interval

METRICS = (
    "kappa",
    "phi",
    "accuracy",
    "f1",
    "balanced_accuracy",
    "precision",
    "kappa_within",
    "macro_f1",
    "drift",
    "mcc_multiclass",
)
LEVELS = ("micro", "macro", "item")
LABELS = ("MET", "UNMET", "CANNOT_ASSESS")
SCHEME = Scheme((("MET", "positive"), ("UNMET", "negative"), ("CANNOT_ASSESS", "abstention")))
BIG = 1_000_000
FEW_DEFINED = 0.05
"""Under this share of samples with a value there is no coverage to speak of."""


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
    per_prompt: int = 1
    """Items of one prompt; above 1 the prompt is the unit."""
    whole: float = 0.0
    """Share of the items on which every verdict is wrong, where the model is `whole`."""
    silent: float = 0.0
    """How often the judge alone abstains, beside `abstain`."""
    unmet: bool = False
    """Whether abstentions count as unmet."""

    @property
    def mode(self) -> str:
        return "as_unmet" if self.unmet else "as_category" if self.abstain or self.silent else "exclude"


def cells() -> list[Cell]:
    five = (0.3, 0.4, 0.5, 0.6, 0.7)
    ordinary = [Cell(f"ordinary n={n} icc={icc}", five, n=n, icc=icc) for n in (30, 50, 100, 300) for icc in (0.0, 0.1, 0.3)]
    accurate = [Cell(f"accurate {e:.0%} n={n}", five, error=e, n=n) for e in (0.03, 0.01) for n in (30, 50, 100, 300)]
    rare = [Cell(f"one rare n={n}", (0.05, *five[1:]), n=n) for n in (30, 50, 100, 300)]
    rare += [Cell(f"all rare n={n}", (0.05,) * 5, n=n) for n in (30, 50, 100, 300)]
    three = [Cell(f"three classes n={n}", five, n=n, abstain=0.1) for n in (30, 50, 100, 300)]
    latent = ordinary + accurate + rare + three
    other = [replace(cell, name=f"types: {cell.name}", model="types") for cell in latent if cell.icc == Cell.icc]
    prompts = [
        Cell(f"prompts: {name}, {n} of 5 items", prevalence, error=error, n=5 * n, per_prompt=5)
        for name, prevalence, error in (("ordinary", five, 0.15), ("accurate 3%", five, 0.03), ("all rare", (0.05,) * 5, 0.15))
        for n in (12, 30, 60)
    ]
    silent = [Cell(f"silent: three classes, {s:.0%}, n={n}", (0.8, 0.9), n=n, silent=s) for n in (50, 100) for s in (0.1, 0.3)]
    silent += [Cell(f"silent: as unmet, n={n}", (0.8, 0.9), error=0.0005, n=n, silent=0.05, unmet=True) for n in (25, 50)]
    return latent + other + prompts + few_errors() + silent


def few_errors() -> list[Cell]:
    """Nearly perfect judges whose few errors take whole items, single decisions, or both; and two or three items."""
    found = [
        (whole, single, n, criteria)
        for whole, single, n, criteria in (
            (0.03, 0.0, 50, 10), (0.03, 0.0, 50, 20), (0.05, 0.0, 40, 10), (0.02, 0.0, 100, 10), (0.05, 0.0, 20, 5),
            (0.02, 0.01, 50, 10), (0.0, 0.01, 50, 10), (0.0, 0.01, 100, 20), (0.1, 0.0, 100, 10),
            (0.1, 0.1, 2, 4), (0.1, 0.1, 3, 4), (0.0, 0.15, 2, 4), (0.0, 0.15, 3, 4),
        )
    ]  # fmt: skip
    cells = []
    for whole, single, n, c in found:
        prevalence = (0.3, 0.4, 0.5, 0.6, 0.7) * (c // 5) or (0.4,) * c
        name = f"few: {whole:.0%} of items, {single:.0%} single, n={n}, {c} criteria"
        cells.append(Cell(name, prevalence, error=single, n=n, model="whole", whole=whole))
    return cells


def draw(cell: Cell, n: int, rng: np.random.Generator) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Reference and judge codes, shape (n, C)."""
    if cell.model == "whole":
        return draw_whole(cell, n, rng)
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


def draw_whole(cell: Cell, n: int, rng: np.random.Generator) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    shape = (n, len(cell.prevalence))
    reference = np.where(rng.random(shape) < np.array(cell.prevalence), 0, 1)
    wrong = (rng.random((n, 1)) < cell.whole) | (rng.random(shape) < cell.error)
    return reference, np.where(wrong, 1 - reference, reference)


def draw_latent(cell: Cell, n: int, rng: np.random.Generator) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    shape = (n, len(cell.prevalence))

    def latent() -> NDArray[np.float64]:
        shared = rng.normal(size=(n, 1))
        if cell.per_prompt > 1:
            prompt = np.repeat(rng.normal(size=(-(-n // cell.per_prompt), 1)), cell.per_prompt, axis=0)[:n]
            shared = np.sqrt(0.5) * shared + np.sqrt(0.5) * prompt
        return np.sqrt(cell.icc) * shared + np.sqrt(1 - cell.icc) * rng.normal(size=shape)

    reference = np.where(latent() < ndtri(np.array(cell.prevalence)), 0, 1)
    judge = np.where(latent() < ndtri(cell.error), 1 - reference, reference)
    for side, rate in ((reference, cell.abstain), (judge, cell.abstain), (judge, cell.silent)):
        if rate:
            side[latent() < ndtri(rate)] = 2
    return reference, judge


def ratings_of(reference: NDArray[np.int64], judge: NDArray[np.int64], per_prompt: int = 1) -> Ratings:
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
        table=pa.table({"prompt": [str(i // per_prompt) for i in range(n) for _ in range(c)]}) if per_prompt > 1 else None,
    )


def truth(cell: Cell) -> dict[tuple[str, str], object]:
    """The population's values: one large sample; for macro the values of every criterion."""
    report = metrics.agreement(ratings_of(*draw(cell, BIG, np.random.default_rng(99))), abstention=cell.mode, interval="none")
    judge = report.judges["judge"]
    found: dict[tuple[str, str], object] = {}
    for key in METRICS:
        if key in judge.micro.values:
            found["micro", key] = judge.micro.values[key]
        if key in judge.item.values:
            found["item", key] = judge.item.values[key]
            found["macro", key] = np.array([block.values[key] for block in judge.criteria.values()])
    return found


def simulate(cell: Cell, times: int) -> dict[tuple[str, str], list[int]]:
    """Counts of covered, truth below, truth above, no interval, undefined."""
    true = truth(cell)
    tally: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0] * 5)
    unit = "prompt" if cell.per_prompt > 1 else "item"
    for seed in range(times):
        ratings = ratings_of(*draw(cell, cell.n, np.random.default_rng([7, seed])), cell.per_prompt)
        judge = metrics.agreement(ratings, abstention=cell.mode, unit=unit).judges["judge"]
        for level, key in true:
            block = judge.level(level)
            target = true[level, key]
            if level == "macro":
                used = [not np.isnan(criterion.values[key]) for criterion in judge.criteria.values()]
                target = np.mean(target[used]) if any(used) else np.nan
            tally[level, key][outcome(block.values[key], block[key].ends, float(target))] += 1
    return dict(tally)


@contextmanager
def only_what_the_table_needs() -> Iterator[None]:
    """Directions, and intervals of the other two dozen metrics, take most of the time. Each metric's interval is its own."""
    whole, intervals, directions = evaluation.Family.bounded, evaluation.own_intervals, compute.with_directions
    seen: dict[bytes, Mapping[str, Interval]] = {}

    def kept(counts: FloatArray, groups: object, *how: Any) -> Mapping[str, Interval]:
        if groups is not None:
            return intervals(counts, groups, *how)
        key = counts.tobytes()
        if key not in seen:
            seen[key] = intervals(counts, None, *how)
        return seen[key]

    def of_the_table(family: evaluation.Family) -> evaluation.Functions:
        return {key: family.functions[key] for key in family.with_interval if key in METRICS}

    evaluation.Family.bounded = property(of_the_table)
    evaluation.own_intervals = report_intervals.own_intervals = kept
    compute.with_directions = lambda report, *_, **__: report
    single_table.forget()
    yield
    single_table.forget()
    evaluation.Family.bounded = whole
    evaluation.own_intervals = report_intervals.own_intervals = intervals
    compute.with_directions = directions


def outcome(value: float, ends: tuple[float, float] | None, target: float) -> int:
    if np.isnan(value):
        return 4
    if ends is None:
        return 3
    assert ends[0] < ends[1], "an interval has no width"
    return 0 if ends[0] <= target <= ends[1] else 1 if target < ends[0] else 2


def shown(counts: list[int], times: int) -> str:
    """Covered (truth below the interval / above it), %; the undefined share from 1 % on."""
    hit, low, high, none, undefined = counts
    share = undefined / times
    rest = f", {share:.0%} undefined" if share >= 0.01 else ""
    if share > 1 - FEW_DEFINED:
        return f"({share:.0%} undefined)"
    n = hit + low + high
    missing = f", {none / times:.1%} without an interval" if none else ""
    return f"{100 * hit / n:.1f} ({100 * low / n:.1f} / {100 * high / n:.1f}{rest}{missing})"


def line(cell: Cell, times: int) -> str:
    """The rows of one setting in the table of the README."""
    with only_what_the_table_needs():
        found = simulate(cell, times)
    rows = []
    for level in LEVELS:
        names = [("mcc_multiclass" if key == "phi" and cell.mode == "as_category" else key) for key in METRICS[:-1]]
        own = [shown(found[level, key], times) if (level, key) in found else "–" for key in names]
        rows.append(f"| {cell.name if level == 'micro' else ''} | {level} | {' | '.join(own)} |")
    return "\n".join(rows)


def main() -> None:
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    starts = tuple(sys.argv[2:]) or ("",)
    print(f"{times} simulations a cell; covered % (truth below % / truth above %)\n")
    print(f"| setting | level | κ | φ | accuracy | F1 | BA | precision | κ within | macro-F1 | drift |\n|{' --- |' * 11}")
    chosen = [replace(cell) for cell in cells() if cell.name.startswith(starts)]
    with ProcessPoolExecutor(int(os.environ.get("WORKERS", os.cpu_count() or 1))) as pool:
        for rows in pool.map(partial(line, times=times), chosen):
            print(rows, flush=True)


if __name__ == "__main__":
    main()
