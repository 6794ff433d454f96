"""Labels in memory: `metrics.agreement` and `metrics.cohen_kappa` of a million pairs, against the same rows through CSV.

Peers: the same labels written to CSV by pandas and read by `metrics.read`; of κ alone, `sklearn.metrics.cohen_kappa_score`.
Run: PYTHONPATH=. python benchmarks/bench_arrays.py
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import numpy as np
import pandas as pd
from sklearn.metrics import cohen_kappa_score

import metrics

N, ROUNDS = 1_000_000, 5


def seconds(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def main() -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, N)
    p = np.where(rng.random(N) < 0.85, y, 1 - y)

    def by_csv() -> object:
        text = pd.DataFrame({"human": y, "verdict": p}).to_csv(index=False).encode()
        return metrics.agreement(metrics.read(text))

    sides: dict[str, Callable[[], object]] = {
        "agreement of arrays": lambda: metrics.agreement(y, p), "through CSV": by_csv,
        "cohen_kappa of arrays": lambda: metrics.cohen_kappa(y, p), "scikit-learn": lambda: cohen_kappa_score(y, p),
    }  # fmt: skip
    for run in sides.values():
        run()
    times = {name: statistics.median(seconds(run) for _ in range(ROUNDS)) for name, run in sides.items()}
    for name, peer, most in (("agreement of arrays", "through CSV", 0.8), ("cohen_kappa of arrays", "scikit-learn", 5.0)):
        ratio = times[name] / times[peer]
        print(f"{name}: {times[name]:.2f} s, {ratio:.2f} × {peer} (at most {most:g})")
        assert ratio <= most, name


if __name__ == "__main__":
    main()
