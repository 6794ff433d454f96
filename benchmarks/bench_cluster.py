"""Bytes that Spark and Dask send from worker to worker while they count: two sizes give a line, a third checks it.

Runs in `.venv-engines` (`make engines`). `python benchmarks/bench_cluster.py [spark|dask]`
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PYTHON = ROOT / ".venv-engines" / "bin" / "python"
SIZES = (200_000, 1_000_000)
CHECKED = 500_000
CRITERIA, PARTS = 5, 8
JAVA = "-XX:+UseSerialGC"


def written(folder: Path, n_items: int) -> str:
    """Verdicts on so many items as Parquet files, the rows of an item spread over all of them."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    draw = np.random.default_rng(11)
    path = folder / str(n_items)
    path.mkdir()
    n = n_items * CRITERIA
    order = draw.permutation(n)
    human = draw.random(n) < 0.6
    verdict = np.where(draw.random(n) < 0.85, human, ~human)
    columns = {
        "item": pa.array([f"item-{place:09d}" for place in range(n_items)]).take(pa.array(order // CRITERIA)),
        "criterion": pa.array([f"criterion {place}" for place in range(CRITERIA)]).take(pa.array(order % CRITERIA)),
        "judge": pa.array(["judge-1"]).take(pa.array(np.zeros(n, np.int64))),
        "human": pa.array(["no", "yes"]).take(pa.array(human.astype(np.int64))),
        "verdict": pa.array(["no", "yes"]).take(pa.array(verdict.astype(np.int64))),
    }
    table = pa.table(columns)
    for part in range(PARTS):
        pq.write_table(table.slice(part * n // PARTS, (part + 1) * n // PARTS - part * n // PARTS), path / f"{part}.parquet")
    return str(path)


def by_spark(sources: dict[int, str], folder: Path) -> dict[int, int]:
    """Bytes written for a shuffle, from Spark's log of events."""
    from metrics.engines import count
    from metrics.engines.clusters import spark_session

    log = folder / "events"
    log.mkdir()
    said = {
        "spark.driver.memory": "3g", "spark.driver.defaultJavaOptions": JAVA, "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": log.as_uri(), "spark.eventLog.compress": "false", "spark.eventLog.rolling.enabled": "false",
        "spark.sql.shuffle.partitions": str(PARTS), "spark.log.level": "ERROR", "spark.ui.showConsoleProgress": "false",
    }  # fmt: skip
    (folder / "spark-defaults.conf").write_text("".join(f"{name} {value}\n" for name, value in said.items()), encoding="utf-8")
    os.environ.update(SPARK_CONF_DIR=str(folder), SPARK_LOCAL_IP="127.0.0.1", PYSPARK_PYTHON=sys.executable)
    with spark_session(None, "local[2]") as spark:
        for size, source in sources.items():
            spark.sparkContext.setJobDescription(str(size))
            timed(size, lambda source=source: count(source, engine="spark"))
    sizes: dict[int, int] = {}
    moved = dict.fromkeys(sources, 0)
    for line in next(log.iterdir()).read_text(encoding="utf-8").splitlines():
        event = json.loads(line)
        if event["Event"] == "SparkListenerJobStart":
            size = int(event["Properties"]["spark.job.description"])
            sizes |= dict.fromkeys(event["Stage IDs"], size)
        elif event["Event"] == "SparkListenerTaskEnd":
            moved[sizes[event["Stage ID"]]] += event["Task Metrics"]["Shuffle Write Metrics"]["Shuffle Bytes Written"]
    return moved


def by_dask(sources: dict[int, str], folder: Path) -> dict[int, int]:
    """Bytes that two workers send to each other."""
    from distributed import Client, LocalCluster

    from metrics.engines import count

    own: dict[str, Any] = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    own |= {"host": "127.0.0.1", "memory_limit": None, "local_directory": str(folder)}
    moved = {}
    with LocalCluster(**own) as cluster, Client(cluster) as client:
        for size, source in sources.items():
            before = sum(client.run(sent).values())
            timed(size, lambda source=source: count(source, engine="dask"))
            moved[size] = sum(client.run(sent).values()) - before
    return moved


def sent(dask_worker: Any) -> int:
    return int(dask_worker.transfer_outgoing_bytes_total)


def timed(size: int, counted: Callable[[], Any]) -> None:
    start = time.perf_counter()
    tally = counted()
    print(f"  {size:>9,} items, {tally.n_rows:,} rows, {tally.n_kinds} kinds: {time.perf_counter() - start:.1f} s", flush=True)


def main(engines: list[str]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sources = {size: written(folder, size) for size in sorted((*SIZES, CHECKED))}
        for engine in engines:
            own = folder / engine
            own.mkdir()
            print(engine)
            moved = {"spark": by_spark, "dask": by_dask}[engine](sources, own)
            small, large = SIZES
            each = (moved[large] - moved[small]) / (large - small)
            fixed = moved[small] - each * small
            guess = fixed + each * CHECKED
            for size, total in moved.items():
                print(f"  {size:>9,} items: {total:,} bytes, {total / size:.1f} per item")
            print(
                f"  {each:.1f} bytes per item + {fixed / 1e6:.2f} MB; at {CHECKED:,} items {guess / moved[CHECKED] - 1:+.1%} off"
            )


if __name__ == "__main__":
    if PYTHON.exists() and Path(sys.prefix).resolve() != PYTHON.parent.parent.resolve():
        os.execv(PYTHON, [str(PYTHON), *sys.argv])
    main(sys.argv[1:] or ["spark", "dask"])
