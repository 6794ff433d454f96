"""How often the corrected rate covers the truth, beside the raw rate and a correction that takes the golden set as exact.

Judges, true rates and sizes on a grid; golden set and evaluation set are drawn anew for every replicate. Coverage is that of the
unclipped interval, given that the interval of J excludes 0; how often that fails stands beside it.
Run: python benchmarks/bench_correction.py [replicates]
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from metrics.analyses.prevalence.power import measured_rate
from metrics.analyses.true_rate.compute import lang_reiczigel
from metrics.analyses.true_rate.golden import Golden, golden_set
from metrics.intervals.single_table import wilson

JUDGES = ((0.95, 0.05), (0.8, 0.1), (0.76, 0.15))
RATES = (0.02, 0.1, 0.3)
SIZES = ((200, 50, 150), (1000, 83, 300), (5000, 200, 800))
"""Answers, golden positives, golden negatives."""
SMALLEST = (200, 50, 50)
"""Beside the grid: with so few golden items of each class the interval is wider than it need be."""
LOW, HIGH = 0.94, 0.97


def cell(rng: np.random.Generator, judge: tuple[float, float], x: float, size: tuple[int, int, int], draws: int) -> np.ndarray:
    """Shares of replicates: raw, plug-in and corrected interval cover, and refused."""
    (tpr, fpr), (n, positives, negatives) = judge, size
    answers = rng.binomial(n, float(measured_rate(*judge, x)), draws)
    drawn = np.stack([rng.binomial(positives, tpr, draws), rng.binomial(negatives, fpr, draws), answers])
    outcomes, times = np.unique(drawn, axis=1, return_counts=True)
    kept: dict[tuple[int, int], Golden] = {}
    hits, refused = np.zeros(3), 0
    for (tp, fp, k), weight in zip(outcomes.T.tolist(), times.tolist(), strict=True):
        if (tp, fp) not in kept:
            kept[tp, fp] = golden_set([[tp, positives - tp], [fp, negatives - fp]])
        golden = kept[tp, fp]
        if golden.refusal():
            refused += weight
            continue
        raw = wilson(k, n, 0.95)
        plug = [(end - golden.fpr) / golden.youden_j.value for end in raw]
        ends = lang_reiczigel(k, n, golden).ends or (np.nan, np.nan)
        hits += weight * np.array([low <= x <= high for low, high in (raw, plug, ends)])
    return np.append(hits / (draws - refused), refused / draws)


def main() -> None:
    draws = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    rng, found = np.random.default_rng(0), []
    print(f"{'judge':>12} {'x':>5} {'sizes':>16} {'raw':>6} {'plug-in':>8} {'corrected':>10} {'refused':>8}")
    for judge in JUDGES:
        for x in RATES:
            for size in (*SIZES, SMALLEST):
                row = cell(rng, judge, x, size, draws)
                found += [row] if size in SIZES else []
                sizes = "/".join(map(str, size))
                mark = ("" if LOW <= row[2] <= HIGH else "  outside") if size in SIZES else "  beside the grid"
                print(f"{judge!s:>12} {x:5.2f} {sizes:>16} {row[0]:6.1%} {row[1]:8.1%} {row[2]:10.1%} {row[3]:8.2%}{mark}")
    mean = np.mean(found, axis=0)
    print(f"mean: raw {mean[0]:.1%}, plug-in {mean[1]:.1%}, corrected {mean[2]:.1%}; {draws} replicates a cell, seed 0")
    inside = sum(LOW <= row[2] <= HIGH for row in found)
    print(f"{inside} of {len(found)} cells in {LOW:.0%}-{HIGH:.0%}")


if __name__ == "__main__":
    main()
