"""A million decisions from bytes to the agreement report, against reading the file and counting labels with Polars.

Both sides read the same bytes in memory with the same number of threads, in one process, one after the other in turn; the
median of five is compared. Run: python benchmarks/bench_report.py; with the word judges, how time grows with their number; with
the word ragged, how it does with the criteria of which few are asked of an item.
"""

from __future__ import annotations

import io
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow as pa

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import metrics
from metrics.data.abstention import MODES
from metrics.intervals import single_table

N_ITEMS, N_CRITERIA, ROUNDS = 200_000, 5, 5
LABELS = np.array(["MET", "UNMET", "CANNOT_ASSESS"])
READ_AND_COUNTED = 'metrics.agreement(metrics.read(data), interval="none")'


def table(n_items: int = N_ITEMS, n_judges: int = 1) -> bytes:
    """Made-up verdicts as CSV, decisions of one item together."""
    rng = np.random.default_rng(5)
    human = rng.choice(3, size=(n_items, N_CRITERIA), p=[0.6, 0.33, 0.07])
    frames = []
    for judge in range(n_judges):
        verdict = np.where(rng.random(human.shape) < 0.85, human, rng.choice(3, size=human.shape, p=[0.5, 0.4, 0.1]))
        frames.append(
            pl.DataFrame({
                "item_id": [f"answer-{i:07d}" for i in np.repeat(np.arange(n_items), N_CRITERIA)],
                "criterion": np.tile([f"criterion {c}" for c in range(N_CRITERIA)], n_items),
                "judge": f"judge-{judge}",
                "human": LABELS[human.ravel()],
                "verdict": LABELS[verdict.ravel()],
            })
        )  # fmt: skip
    buffer = io.BytesIO()
    pl.concat(frames).write_csv(buffer)
    return buffer.getvalue()


def peer(data: bytes) -> None:
    frame = pl.read_csv(data)
    frame.group_by("criterion", "judge", "human", "verdict").len()


def ours(data: bytes) -> metrics.AgreementReport:
    return metrics.agreement(metrics.read(data), interval="none")


def seconds(work: Callable[[], object]) -> float:
    single_table.forget()
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def memory(data_path: Path, code: str) -> float:
    """Peak memory in bytes of a fresh process that runs `code` with `data` in memory (Linux)."""
    script = (
        "import sys; sys.path.insert(0, sys.argv[1]); import metrics\n"
        "data = open(sys.argv[2], 'rb').read()\n" + code + "\n"
        "print(next(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')))"
    )
    root = str(Path(__file__).resolve().parents[1])
    done = subprocess.run([sys.executable, "-c", script, root, str(data_path)], capture_output=True, text=True, check=True)
    return 1024 * float(done.stdout)


def judged(n_judges: int, n_items: int, n_criteria: int) -> metrics.Ratings:
    """Return ratings of judges with errors of 2 to 30 % beside one human on every item."""
    rng = np.random.default_rng(1)
    human = np.where(rng.random(n_items * n_criteria) < 0.6, 0, 1)
    rate = rng.uniform(0.02, 0.3, (n_judges, 1))
    wrong = rng.random((n_judges, len(human))) < rate
    said = np.concatenate([human[None], np.where(wrong, 1 - human, human)])
    raters = ["human", *(f"judge {place}" for place in range(n_judges))]
    return metrics.read(
        pa.table({
            "item": np.tile(np.repeat([f"i{item}" for item in range(n_items)], n_criteria), len(raters)),
            "criterion": np.tile([f"c{place}" for place in range(n_criteria)], n_items * len(raters)),
            "rater": np.repeat(raters, len(human)),
            "role": np.repeat(["human", *["judge"] * n_judges], len(human)),
            "label": LABELS[said.ravel()],
        })
    )  # fmt: skip


def many_judges() -> None:
    """Print what reports on many judges take of the processor, against scikit-learn's kappa, one number a judge."""
    from sklearn.metrics import cohen_kappa_score

    metrics.overview(judged(3, 50, 2)), cohen_kappa_score([0, 1], [0, 1])
    for work, n_judges, n_items, n_criteria in (
        (metrics.agreement, 1_000, 100, 1), (metrics.agreement, 9_999, 100, 1),
        (metrics.agreement, 300, 50, 2), (metrics.agreement, 1_000, 50, 2),
        (metrics.overview, 300, 50, 2), (metrics.overview, 1_000, 50, 2),
    ):  # fmt: skip
        ratings = judged(n_judges, n_items, n_criteria)
        single_table.forget()
        begun = time.process_time()
        work(ratings)
        took = time.process_time() - begun
        codes = ratings.label.reshape(n_judges + 1, -1)
        begun = time.process_time()
        for own in codes[1:]:
            cohen_kappa_score(codes[0], own)
        theirs = time.process_time() - begun
        name = f"{work.__name__}, {n_judges:,} judges × {n_items} items × {n_criteria} criteria"
        print(f"{name}: {took:.1f} s, {1e3 * took / n_judges:.1f} ms a judge; scikit-learn {theirs:.1f} s", flush=True)


def asked_few(n_items: int, n_criteria: int, each: int = 10) -> bytes:
    """Return verdicts on as many of the criteria for each item, as CSV."""
    rng = np.random.default_rng(2)
    criterion = (rng.integers(0, n_criteria, (n_items, 1)) + np.arange(each)) % n_criteria
    human = rng.choice(2, criterion.size, p=[0.6, 0.4])
    verdict = np.where(rng.random(human.shape) < 0.85, human, 1 - human)
    buffer = io.BytesIO()
    pl.DataFrame({
        "item": [f"i{i}" for i in np.repeat(np.arange(n_items), each)],
        "criterion": [f"c{c}" for c in criterion.ravel()],
        "judge": "judge",
        "human": LABELS[human],
        "verdict": LABELS[verdict],
    }).write_csv(buffer)  # fmt: skip
    return buffer.getvalue()


def ragged() -> None:
    """Print what bytes to report takes where items have few of many criteria, against the peer, and the memory beside reading."""
    for n_items, n_criteria in ((40_000, 20), (40_000, 200), (40_000, 2_000), (160_000, 2_000)):
        data = asked_few(n_items, n_criteria)
        ours(data), peer(data)
        base, report = (statistics.median(seconds(partial(work, data)) for _ in range(ROUNDS)) for work in (peer, ours))
        path = Path("bench.csv")
        path.write_bytes(data)
        try:
            read, both = (memory(path, code) for code in ("metrics.read(data)", READ_AND_COUNTED))
        finally:
            path.unlink()
        print(
            f"{n_items:,} items × 10 of {n_criteria:,} criteria: {report:.2f} s, {report / base:.0f} × the peer, "
            f"{(both - read) / 1e6:.0f} MB beside reading",
            flush=True,
        )


def main() -> None:
    if sys.argv[1:] in (["judges"], ["ragged"]):
        (many_judges if sys.argv[1] == "judges" else ragged)()
        return
    data = table(n_judges=1)
    print(f"file: {len(data) / 1e6:.0f} MB, {N_ITEMS:,} items x {N_CRITERIA} criteria, {pl.thread_pool_size()} threads each")
    pa.set_cpu_count(pl.thread_pool_size())
    ours(data), peer(data)
    pairs = [(seconds(lambda: peer(data)), seconds(lambda: ours(data))) for _ in range(ROUNDS)]
    base, report = (statistics.median(column) for column in zip(*pairs, strict=True))
    print(f"polars read + group-by: {base:.3f} s; bytes to report: {report:.3f} s; ratio {report / base:.2f} (at most 3)")

    two = metrics.read(table(N_ITEMS // 2, n_judges=2))
    choices = [(mode, [judge]) for judge in two.judges for mode in MODES]
    for mode, judges in choices:
        metrics.agreement(two, abstention=mode, judges=judges, interval="none")
    for interval, most in (("none", 0.02), ("auto", 0.15)):
        times = [
            seconds(lambda m=mode, j=judges, i=interval: metrics.agreement(two, abstention=m, judges=j, interval=i))
            for _ in range(ROUNDS)
            for mode, judges in choices
        ]
        again = statistics.median(times)
        share = again / base
        print(f"another mode or judge, interval={interval}: {1e3 * again:.1f} ms = {share:.1%} of the peer (at most {most:.0%})")

    path = Path(sys.argv[1] if len(sys.argv) > 1 else "bench.csv")
    path.write_bytes(data)
    try:
        idle = memory(path, 'metrics.agreement(["MET", "UNMET"], ["MET", "MET"])')  # which imports all that the other needs
        used = memory(path, "metrics.agreement(metrics.read(data))")
    finally:
        path.unlink()
    extra = used - idle + len(data)
    print(f"peak memory, file included: {extra / 1e6:.0f} MB = {extra / len(data):.1f} times the file (at most 6)")


if __name__ == "__main__":
    main()
