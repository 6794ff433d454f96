"""Bytes that Spark and Dask shuffle between workers while they count: two sizes give a line, a third checks it.

What is sent is a record for every piece of an item, a piece being its rows within one part (file) of the source. Two layouts
give the ends: rows of an item scattered over all parts, and together in one of them. Bytes count wherever they go: of w workers
a w-th of them stay where they are. No times, only bytes: they are the same on any machine.
Runs in `.venv-engines` (`make engines`). `python benchmarks/bench_cluster.py [spark|dask]`
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PYTHON = ROOT / ".venv-engines" / "bin" / "python"
sys.path.insert(0, str(ROOT))

SIZES = {"spark": (200_000, 1_000_000, 2_000_000), "dask": (100_000, 500_000, 1_000_000)}
"""Items; the line goes through the first two and is checked at the last."""
LAYOUTS = ("scattered", "together")
CRITERIA, PARTS = 5, 32
MEMORY_OF_SPARK = "2g"
# one file is one part in Spark too, however small it is
SPARK = {
    "spark.driver.memory": MEMORY_OF_SPARK, "spark.driver.defaultJavaOptions": "-XX:+UseSerialGC", "spark.log.level": "ERROR",
    "spark.eventLog.enabled": "true", "spark.eventLog.compress": "false", "spark.eventLog.rolling.enabled": "false",
    "spark.sql.shuffle.partitions": str(PARTS), "spark.sql.files.openCostInBytes": str(128 << 20),
    "spark.ui.showConsoleProgress": "false",
}  # fmt: skip


@dataclass(frozen=True)
class Source:
    folder: Path
    n_items: int
    pieces: int
    """Pairs of an item and a part that holds rows of it."""


@dataclass(frozen=True)
class Shuffled:
    n_bytes: int
    handed: int
    """Bytes of results that one worker of Dask asked of another besides; how many hangs on which had time."""
    memory: int
    """The most that one task (Spark) or one worker process (Dask) held."""
    n_kinds: int


def written(path: Path, n_items: int, layout: str) -> Source:
    """Verdicts as Parquet files; items have random names of 16 characters."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    draw = np.random.default_rng(11)
    path.mkdir()
    n = n_items * CRITERIA
    order = draw.permutation(n) if layout == "scattered" else np.arange(n)
    part = np.arange(n) * PARTS // n
    human = draw.random(n) < 0.6
    verdict = np.where(draw.random(n) < 0.85, human, ~human)
    ids = pa.array([f"{name:016x}" for name in draw.integers(0, 1 << 63, n_items, dtype=np.int64).tolist()])
    columns = {
        "item": ids.take(pa.array(order // CRITERIA)),
        "criterion": pa.array([f"criterion {place}" for place in range(CRITERIA)]).take(pa.array(order % CRITERIA)),
        "judge": pa.array(["judge-1"]).take(pa.array(np.zeros(n, np.int64))),
        "human": pa.array(["no", "yes"]).take(pa.array(human.astype(np.int64))),
        "verdict": pa.array(["no", "yes"]).take(pa.array(verdict.astype(np.int64))),
    }
    table = pa.table(columns)
    ends = np.searchsorted(part, np.arange(PARTS + 1)).tolist()
    for place, (start, stop) in enumerate(pairwise(ends)):
        pq.write_table(table.slice(start, stop - start), path / f"{place:02d}.parquet")
    return Source(path, n_items, len(np.unique(order // CRITERIA * PARTS + part)))


def by_spark(source: Source, folder: Path) -> Shuffled:
    """Counted on this machine; what is written for a shuffle is the same bytes as on a cluster of as many parts."""
    from metrics.engines import count
    from metrics.engines.clusters import spark_session

    log = folder / "events"
    log.mkdir(exist_ok=True)
    said = {**SPARK, "spark.eventLog.dir": log.as_uri()}
    (folder / "spark-defaults.conf").write_text("".join(f"{name} {value}\n" for name, value in said.items()), encoding="utf-8")
    os.environ.update(SPARK_CONF_DIR=str(folder), SPARK_LOCAL_IP="127.0.0.1", PYSPARK_PYTHON=sys.executable)
    before = set(log.iterdir())
    with spark_session(None, "local[2]"):
        tally = count(source.folder, engine="spark")
    new = [path for path in log.iterdir() if path not in before and not path.name.startswith(".")]
    assert len(new) == 1, new
    with new[0].open(encoding="utf-8") as lines:
        n_bytes, memory = spark_shuffled(lines)
    return Shuffled(n_bytes, 0, memory, tally.n_unique)


def spark_shuffled(log: Iterable[str]) -> tuple[int, int]:
    """Bytes written for shuffles by all tasks that came to an end, and the most memory of one, from a log of events."""
    n_bytes = memory = 0
    for line in log:
        event = json.loads(line)
        if event["Event"] != "SparkListenerTaskEnd" or event["Task End Reason"]["Reason"] != "Success":
            continue
        task = event["Task Metrics"]
        n_bytes += task["Shuffle Write Metrics"]["Shuffle Bytes Written"]
        memory = max(memory, task["Peak Execution Memory"])
    return n_bytes, memory


def by_dask(source: Source, folder: Path) -> Shuffled:
    """Counted by two worker processes."""
    from distributed import Client, LocalCluster

    from metrics.engines import count

    own: dict[str, Any] = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    own |= {"host": "127.0.0.1", "memory_limit": None, "local_directory": str(folder)}
    with LocalCluster(**own) as cluster, Client(cluster) as client:
        tally = count(source.folder, engine="dask")
        found = list(client.run(of_worker).values())
    n_bytes, handed, memory = zip(*found, strict=True)
    return Shuffled(sum(n_bytes), sum(handed), max(memory), tally.n_unique)


def of_worker(dask_worker: Any) -> tuple[int, int, int]:
    """Bytes that a worker shuffled and handed over, and the most memory it held (0 where the system does not say)."""
    # `getrusage` would give that of the parent if it was more: it outlives the start of another program
    told = Path("/proc/self/status")
    lines = told.read_text(encoding="utf-8").splitlines() if told.exists() else []
    held = next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:")), 0)
    return dask_shuffled(dask_worker.digests_total), int(dask_worker.transfer_outgoing_bytes_total), held


def dask_shuffled(digests: Mapping[Any, float]) -> int:
    """Bytes of the shards that a worker cut for others (and itself), from its own counters: (p2p, span, where, what, unit)."""
    shards = ("foreground", "shards", "bytes")
    return int(sum(n for name, n in digests.items() if isinstance(name, tuple) and name[:1] == ("p2p",) and name[2:] == shards))


def line(points: Mapping[int, int]) -> tuple[float, float]:
    """What is fixed and what each piece adds, through two sizes."""
    (small, low), (large, high) = sorted(points.items())
    each = (high - low) / (large - small)
    return low - each * small, each


def report(engine: str, found: Mapping[str, Mapping[Source, Shuffled]]) -> None:
    for layout, sizes in found.items():
        small, large, _ = SIZES[engine]
        fixed, each = line({source.n_items: its.n_bytes for source, its in sizes.items() if source.n_items in (small, large)})
        print(f"{engine}, {layout}: {fixed / 1e6:.2f} MB + {each:.2f} bytes per item, {each / CRITERIA:.2f} per decision")
        for source, its in sizes.items():
            guess = fixed + each * source.n_items
            print(
                f"  {source.n_items:>9,} items in {source.pieces:>10,} pieces, {its.n_kinds} kinds: {its.n_bytes:>11,} bytes, "
                f"{its.n_bytes / source.pieces:.2f} per piece, by the line {guess:>13,.0f} ({guess / its.n_bytes - 1:+.2%}); "
                f"handed over {its.handed:,}; most memory {its.memory / 1e6:,.0f} MB",
                flush=True,
            )


def main(engines: list[str]) -> None:
    counting = {"spark": by_spark, "dask": by_dask}
    for engine in engines:
        found: dict[str, dict[Source, Shuffled]] = {layout: {} for layout in LAYOUTS}
        with tempfile.TemporaryDirectory(prefix="bench-cluster-") as name:
            for layout in LAYOUTS:
                for n_items in SIZES[engine]:
                    source = written(Path(name) / f"{layout} {n_items}", n_items, layout)
                    found[layout][source] = counting[engine](source, Path(name))
                    print(f"  {engine}, {layout}, {n_items:,} items: {found[layout][source]}", file=sys.stderr, flush=True)
                    shutil.rmtree(source.folder)
        report(engine, found)


if __name__ == "__main__":
    if PYTHON.exists() and Path(sys.prefix).resolve() != PYTHON.parent.parent.resolve():
        os.execv(PYTHON, [str(PYTHON), *sys.argv])
    main(sys.argv[1:] or ["spark", "dask"])
