"""Point metrics against autorubric's `compute_metrics`: one run of 10,000 items x 5 criteria, the numbers compared before times.

Both start from what they hold in memory, ours from the codes of the ratings without anything derived from them, autorubric from
its own objects. CPU seconds on one thread; ours the median of nine, autorubric once.
Run: python benchmarks/bench_autorubric.py
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np

import metrics
from tests.metrics.autorubric_objects import Run, answers, criterion, noisy, peer

ITEMS, ROUNDS = 10_000, 9
BINARY = tuple(criterion(f"c{place}", weight) for place, weight in enumerate((3.0, -1.0, 2.0, 1.0, 1.0)))
MIXED = (*BINARY[:3], criterion("how", 2.0, 4), criterion("which", 1.0, 3, "nominal"))


def seconds(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    found = work()
    return time.process_time() - start, found


def of_decisions(ratings: metrics.Ratings) -> dict[str, float]:
    """The report of agreement: every criterion, micro, macro and item level, coverage."""
    judge = metrics.agreement(ratings, interval="none").judges["j"]
    return {
        "criterion_accuracy": judge.micro.values["accuracy"],
        "micro_kappa": judge.micro.values["kappa"],
        "mean_kappa": judge.macro.values["kappa"],
        "criterion_phi": judge.micro.values["phi"],
    }


def of_yes_no(ratings: metrics.Ratings) -> dict[str, float]:
    """The same, and the scores of items with everything that pairs of numbers tell, twice: of all and of complete items."""
    items = metrics.item_scores(ratings, interval="none").judges["j"].all
    scores = {"score_rmse": items.measures["rmse"].value, "score_mae": items.measures["mae"].value}
    return of_decisions(ratings) | scores


def of_mixed(ratings: metrics.Ratings) -> dict[str, float]:
    yes_no, how, which = (ratings.on_criteria(names) for names in (["c0", "c1", "c2"], ["how"], ["which"]))
    values = {option.label: option.value for option in MIXED[3].options if not option.na}
    judge = metrics.agreement(yes_no, interval="none").judges["j"]
    ordered = metrics.scores(how, values=values, interval="none").judges["j"].pooled
    named = metrics.agreement(which, interval="none").judges["j"]
    items = metrics.item_scores(ratings, interval="none").judges["j"].all
    kappas = [block.values["kappa"] for block in judge.criteria.values()]
    return {
        "criterion_accuracy": judge.micro.values["accuracy"],
        "mean_kappa": float(np.mean([*kappas, ordered.values["weighted_kappa_quadratic"], named.micro.values["kappa"]])),
        "score_rmse": items.measures["rmse"].value,
    }


def run_of(criteria: tuple[Any, ...]) -> Run:
    rng = np.random.default_rng(1)
    human = answers(rng, criteria, ITEMS, 0.05)
    return Run(criteria, human, {"j": noisy(rng, criteria, human, 0.2, 0.05)})


def against(run: Run, **asked: tuple[Callable[[metrics.Ratings], dict[str, float]], float]) -> int:
    """Names of what is computed, with the function and how many times as fast it is wanted."""
    ratings, result, dataset, missed = run.read(), run.result, run.dataset, 0
    theirs, its = seconds(lambda: peer.compute_metrics(result, dataset))
    for name, (ours, wanted) in asked.items():
        times, found = zip(*(seconds(lambda ours=ours: ours(replace(ratings, memo={}))) for _ in range(ROUNDS)), strict=True)
        for key, value in found[0].items():
            assert abs(value - getattr(its, key)) < 1e-9, (key, value, getattr(its, key))
        own = statistics.median(times)
        what = f"{name.replace('_', ' ')}, {ITEMS:,} x {len(run.criteria)}: {1e3 * own:.1f} ms against {theirs:.2f} s"
        print(f"{what}, {theirs / own:,.0f} times as fast (wanted: {wanted:,.0f})")
        missed += theirs / own < wanted
    return missed


if __name__ == "__main__":
    yes_no = against(run_of(BINARY), agreement=(of_decisions, 100), agreement_and_item_scores=(of_yes_no, 60))
    sys.exit(yes_no + against(run_of(MIXED), a_mixed_rubric_scale_by_scale=(of_mixed, 20)))
