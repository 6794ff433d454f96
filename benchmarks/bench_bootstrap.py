"""Speed of intervals: 1,000 item bootstraps against autorubric and SciPy, and the default intervals on large data.

Both sides run in this process, one after the other, on one thread, and their results are compared before their times. Ours
starts from the codes of the ratings. Times are processor seconds; ours is the median of five. autorubric gets few replicates,
whose time is scaled to 1,000. Run: python benchmarks/bench_bootstrap.py
"""

from __future__ import annotations

import os

os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
# Else importing autorubric asks the network for a list of prices.
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from scipy import stats

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench_coverage import Cell, draw, ratings_of

import metrics
from metrics.data.abstention import MODES
from metrics.data.aggregation import ItemRule
from metrics.data.pairs import patterns_of
from metrics.data.ratings import Ratings
from metrics.intervals import single_table
from metrics.intervals.bootstrap import MICRO, evaluate, intervals_of, replicate
from metrics.intervals.resampling import Frame
from metrics.measures.catalogue import applicable

REPLICATES, ROUNDS = 1000, 5


def data(n_items: int, n_criteria: int = 5) -> tuple[Any, Any]:
    """Reference and judge codes with item effects and 10 % abstentions."""
    prevalence = tuple(np.linspace(0.3, 0.7, n_criteria))
    return draw(Cell("speed", prevalence, abstain=0.1), n_items, np.random.default_rng(11))


def seconds(work: Callable[[], object], rounds: int = 1) -> float:
    """Median processor seconds."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return statistics.median(times)


def fresh(ratings: Ratings) -> Ratings:
    """The same ratings without anything derived from them."""
    return replace(ratings, memo={})


def everything(ratings: Ratings) -> dict[str, list[Any]]:
    """Percentile intervals of all metrics at micro, macro and item level and of every criterion, in three modes."""
    patterns = patterns_of(fresh(ratings), "judge", "human")
    frame = Frame.of(patterns, ratings.scheme, MODES, ItemRule(), ratings.criteria).used()
    functions = {mode: {m.key: m.function for m in applicable(k) if m.transform} for mode, k in frame.k.items()}
    found = replicate(frame, functions, replicates=REPLICATES, rng=np.random.default_rng(0))
    out = {}
    for mode in MODES:
        values = {key: own[:, 0] for key, own in evaluate(frame, mode, functions[mode], frame.total[:, None]).items()}
        out[mode] = intervals_of(found[mode], values, 0.95, "bootstrap", {})
    return out


def one_metric(ratings: Ratings) -> tuple[float, float]:
    """Percentile interval of micro kappa alone."""
    patterns = patterns_of(fresh(ratings), "judge", "human")
    frame = Frame.micro(patterns, ratings.scheme, "exclude")
    wanted = {"kappa": metrics.cohen_kappa}
    found = replicate(frame, {"exclude": wanted}, replicates=REPLICATES, rng=np.random.default_rng(0))["exclude"]
    low, high = np.quantile(found.values["kappa"][MICRO], [0.025, 0.975])
    return float(low), float(high)


def autorubric_peer(reference: Any, judge: Any) -> Callable[[int], Any]:
    """A call of autorubric's metrics with so many replicates; its inputs are built beforehand."""
    import autorubric as peer
    from autorubric.metrics import compute_metrics
    from autorubric.types import CriterionReport, EvaluationReport

    kinds = (peer.CriterionVerdict.MET, peer.CriterionVerdict.UNMET, peer.CriterionVerdict.CANNOT_ASSESS)
    criteria = [peer.Criterion(name=f"c{c}", weight=1.0, requirement="r") for c in range(reference.shape[1])]
    items = [
        peer.DataItem(submission=f"s{i}", description=f"d{i}", ground_truth=[kinds[v] for v in row])
        for i, row in enumerate(reference)
    ]
    dataset = peer.RubricDataset(prompt="p", rubric=peer.Rubric(criteria), items=items)

    def result(i: int, row: Any) -> SimpleNamespace:
        report = [CriterionReport(**c.model_dump(), verdict=kinds[v], reason="") for c, v in zip(criteria, row, strict=True)]
        return SimpleNamespace(item_idx=i, error=None, report=EvaluationReport(score=0.5, raw_score=0.5, report=report))

    run = SimpleNamespace(item_results=[result(i, row) for i, row in enumerate(judge)])
    return lambda times: compute_metrics(run, dataset, bootstrap=times > 0, n_bootstrap=max(times, 1), seed=0)


def against_autorubric(n_items: int, peer_replicates: int, least: float) -> None:
    reference, judge = data(n_items)
    ratings = ratings_of(reference, judge)
    call = autorubric_peer(reference, judge)
    theirs = call(peer_replicates)
    report = metrics.agreement(ratings, interval="none").judges["judge"]
    assert abs(report.micro.values["accuracy"] - theirs.criterion_accuracy) < 1e-12
    assert abs(report.macro.values["kappa"] - theirs.mean_kappa) < 1e-12
    ours = everything(ratings)["exclude"][1]["kappa"]
    width, other = ours.high - ours.low, np.diff(theirs.bootstrap.kappa_ci)[0]
    assert 0.5 < other / width < 2, "the widths differ by more than so few replicates explain"

    plain = seconds(lambda: call(0))
    peer = plain + (seconds(lambda: call(peer_replicates)) - plain) * REPLICATES / peer_replicates
    own = seconds(lambda: everything(ratings), ROUNDS)
    print(
        f"autorubric, {n_items:,} x 5: theirs {peer:.1f} s for 3 intervals in one mode ({peer_replicates} replicates scaled to "
        f"{REPLICATES:,}), ours {1e3 * own:.0f} ms for all in three modes: {peer / own:,.0f} times (at least {least:,.0f})"
    )


def scipy_peers(reference: Any, judge: Any) -> dict[str, Callable[[], Any]]:
    """Micro kappa of drawn items by SciPy: from the codes, and from the four counts of every item, prepared beforehand."""
    kept = (reference < 2) & (judge < 2)
    codes = np.where(kept, 2 * reference + judge, 4).astype(np.int8)
    counts = [(codes == cell).sum(1).astype(np.float64) for cell in range(4)]

    def kappa(cells: list[Any]) -> Any:
        table = np.stack(cells, -1)
        return metrics.cohen_kappa(table.reshape(*table.shape[:-1], 2, 2))

    def of_codes(rows: Any, axis: int = -1) -> Any:
        drawn = codes[rows]
        return kappa([(drawn == cell).sum((-2, -1)) for cell in range(4)])

    def of_counts(*drawn: Any, axis: int = -1) -> Any:
        return kappa([cell.sum(axis) for cell in drawn])

    def run(samples: Any, statistic: Callable[..., Any]) -> Any:
        return stats.bootstrap(
            samples, statistic, paired=True, vectorized=True, n_resamples=REPLICATES, method="percentile",
            batch=max(1, 1_000_000 // len(codes)), rng=np.random.default_rng(1),
        )  # fmt: skip

    return {
        "from codes": lambda: run((np.arange(len(codes)),), of_codes),
        "from prepared counts": lambda: run(counts, of_counts),
    }


def against_scipy(n_items: int, least: float, least_everything: float | None) -> None:
    ratings = ratings_of(*(sides := data(n_items)))
    peers = scipy_peers(*sides)
    for peer in peers.values():
        found = peer()
        assert np.allclose(one_metric(ratings), found.confidence_interval, rtol=0, atol=0.3 * found.standard_error)
    everything(ratings)
    rounds = [
        [seconds(work) for work in (*peers.values(), lambda: one_metric(ratings), lambda: everything(ratings))] for _ in range(3)
    ]
    *theirs, own, whole = (statistics.median(column) for column in zip(*rounds, strict=True))
    for name, peer_time in zip(peers, theirs, strict=True):
        limit = f" (at least {least:g})" if name == "from codes" else ""
        print(
            f"scipy, {n_items:,} x 5, micro kappa {name}: {peer_time:.3f} s, ours {own:.4f} s: {peer_time / own:.1f} times{limit}"
        )
        if least_everything:
            limit = f" (at least {least_everything:g})" if name == "from codes" else ""
            print(f"  everything of ours {whole:.3f} s against its one metric: {peer_time / whole:.1f} times{limit}")


def default_intervals(n_items: int, n_criteria: int, most: float | None) -> None:
    """All metrics, levels and modes, beyond the counting that the values alone need."""
    ratings = ratings_of(*data(n_items, n_criteria))

    def reports(interval: str) -> None:
        single_table.forget()
        for mode in MODES:
            metrics.agreement(ratings, abstention=mode, interval=interval)

    reports("auto")
    extra = seconds(lambda: reports("auto"), ROUNDS) - seconds(lambda: reports("none"), ROUNDS)
    peaks = []
    for interval in ("none", "auto"):
        tracemalloc.start()
        reports(interval)
        peaks.append(tracemalloc.get_traced_memory()[1] / 1e6)
        tracemalloc.stop()
    limit = f" (at most {most:g} s, 200 MB)" if most else ""
    print(f"default intervals, {n_items:,} x {n_criteria}: {extra:.3f} s and {peaks[1] - peaks[0]:.0f} MB beyond counting{limit}")


def main() -> None:
    print(f"{REPLICATES:,} replicates, one thread")
    try:
        against_autorubric(1_000, 40, 500)
        against_autorubric(10_000, 10, 1_000)
    except ModuleNotFoundError:
        print("autorubric is not installed; left out")
    against_scipy(1_000, 1.5, None)
    against_scipy(10_000, 10, None)
    against_scipy(100_000, 50, 6)
    for n_items, most in ((250_000, None), (500_000, None), (1_000_000, 1.0)):
        default_intervals(n_items, 5, most)
    for n_items, most in ((50_000, None), (100_000, None), (200_000, 3.0)):
        default_intervals(n_items, 20, most)


if __name__ == "__main__":
    main()
