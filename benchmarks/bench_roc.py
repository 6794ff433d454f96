"""AUC and J on a million scores against scikit-learn's `roc_curve`.

Both sides get the same arrays, in one process, one after the other in turn; the median of seven is compared.
Run: python benchmarks/bench_roc.py
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from sklearn.metrics import roc_curve

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from metrics.analyses.roc.area import auc
from metrics.analyses.roc.cuts import best_cut
from metrics.analyses.roc.tallies import tally_of

N, ROUNDS = 1_000_000, 7
WANTED = {"continuous": 1.5, "101 values": 25.0}


def scores(kind: str) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(4)
    positive = rng.random(N) < 0.3
    score = np.clip(rng.beta(2, 2, N) + 0.15 * positive, 0, 1)
    return (np.round(score, 2) if kind == "101 values" else rng.normal(size=N) + positive), positive


def ours(score: np.ndarray, positive: np.ndarray) -> tuple[float, float]:
    tally = tally_of(score, positive)
    best = best_cut(tally)
    return auc(tally), best.threshold if best else np.inf


def peer(score: np.ndarray, positive: np.ndarray) -> object:
    return roc_curve(positive, score)


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main() -> int:
    missed = 0
    for kind, wanted in WANTED.items():
        score, positive = scores(kind)
        mine, theirs = [], []
        for _ in range(ROUNDS):
            theirs.append(seconds(partial(peer, score, positive)))
            mine.append(seconds(partial(ours, score, positive)))
        ratio = statistics.median(theirs) / statistics.median(mine)
        missed += ratio < wanted
        times = f"{statistics.median(mine) * 1000:.1f} ms against {statistics.median(theirs) * 1000:.1f} ms"
        print(f"{kind}: {times}, {ratio:.1f} times as fast (wanted: {wanted})")
    return missed


if __name__ == "__main__":
    sys.exit(main())
