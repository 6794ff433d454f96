"""Choosing a judge, simulated: seven metrics on 100,000 scenarios, beside a loop over scenarios with scikit-learn's metrics.

The loop runs 200 scenarios and is scaled to 100,000. Times at other sizes of evaluation and golden set stand beside it.
Run: python benchmarks/bench_select.py
"""

from __future__ import annotations

import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np
from sklearn.metrics import accuracy_score, balanced_accuracy_score, cohen_kappa_score, f1_score, matthews_corrcoef

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from metrics.analyses.simulation.compute import simulate
from metrics.analyses.simulation.scenarios import Setting, draw

SCENARIOS, LOOP, TIMES = 100_000, 200, 5
RATIO, MEGABYTES, APART = 2_000, 150, 2.0
SIZES = ((200, 800), (25, 25), (51_200, 51_200))


def best(work: Callable[[], object], times: int = TIMES) -> float:
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return min(taken)


def loop(setting: Setting, scenarios: int) -> list[list[int]]:
    """Judges chosen scenario by scenario from labels, as one writes it with scikit-learn; SNR by its formula."""
    worlds = draw(setting, scenarios, np.random.default_rng(0))
    return [[int(np.argmax(values)) for values in zip(*map(judged, golden.astype(int)), strict=True)] for golden in worlds.golden]


def judged(table: np.ndarray) -> list[float]:
    truth = np.repeat([1, 0], table.sum(1))
    said = np.concatenate([np.repeat([1, 0], row) for row in table])
    tpr, fpr = ((row[0] + 0.5) / (row.sum() + 1) for row in table)
    rate = fpr + (tpr - fpr) * 0.255
    return [
        balanced_accuracy_score(truth, said), accuracy_score(truth, said), f1_score(truth, said, zero_division=0),
        f1_score(truth, said, average="macro", zero_division=0), matthews_corrcoef(truth, said), cohen_kappa_score(truth, said),
        (tpr - fpr) / np.sqrt(rate * (1 - rate)),
    ]  # fmt: skip


def memory(work: Callable[[], object]) -> float:
    """Most megabytes held at once, by what Python and numpy ask for."""
    tracemalloc.start()
    work()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1e6


def main() -> None:
    own = best(lambda: simulate(Setting(SCENARIOS)))
    peer = best(lambda: loop(Setting(), LOOP), 1) * SCENARIOS / LOOP
    print(f"{SCENARIOS:,} scenarios: {own:.2f} s; loop with scikit-learn, scaled from {LOOP}: {peer:,.0f} s")
    times = {size: best(lambda size=size: simulate(Setting(SCENARIOS, n_eval=size[0], n_golden=size[1]))) for size in SIZES}
    for (n_eval, n_golden), seconds in times.items():
        print(f"  {n_eval:>6,} answers per model, {n_golden:>6,} golden: {seconds:.2f} s")
    held, ratio, apart = memory(lambda: simulate(Setting(SCENARIOS))), peer / own, max(times.values()) / min(times.values())
    for name, value, bound, good in (
        ("faster than the loop, times", ratio, RATIO, ratio >= RATIO),
        ("memory, MB", held, MEGABYTES, held <= MEGABYTES),
        ("slowest over fastest size", apart, APART, apart <= APART),
    ):
        print(f"{name:<32}{value:>10,.1f}   bound {bound:>7,}   {'ok' if good else 'MISSED'}")


if __name__ == "__main__":
    main()
