"""Run by `.venv-engines`: counts files with Spark or Dask, loses a worker on the way, and says as JSON how it went."""

from __future__ import annotations

import io
import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

from metrics.commands.cli import main
from metrics.engines import count, count_frame
from metrics.engines.clusters import spark_session
from metrics.engines.sources import find_files as files_of
from metrics.errors import InputError

FATAL = 2
"""The part of the frame whose worker is killed; others are done by then and are lost with it."""


class Outcome:
    def __init__(self, engine: str, folder: Path) -> None:
        self.engine, self.folder = engine, folder
        self.said: dict[str, Any] = {}
        (folder / engine).mkdir()

    def tally(self, name: str, counted: Callable[[], Any]) -> None:
        try:
            tally = counted()
        except InputError as error:
            self.said[name] = str(error)
            return
        tally.to_parquet(self.path(name))
        self.said[name] = tally.n_items

    def path(self, name: str) -> Path:
        return self.folder / self.engine / name

    def command(self, name: str, source: str, *options: str) -> None:
        arguments = ["count", source, "--engine", self.engine, *options, "--out", f"{self.path(name)}.parquet"]
        text = io.StringIO()
        try:
            with redirect_stdout(text), redirect_stderr(text):
                main(arguments)
        except SystemExit as left:
            self.said[name] = [left.code, text.getvalue()]

    def all_of(self, jobs: dict[str, Any]) -> None:
        for name, (source, how) in jobs.items():
            self.tally(name, lambda source=source, how=how: count(source, engine=self.engine, **how))

    def killed(self, name: str, frame: Any, source: str, ready: Path) -> None:
        """Count while a worker dies, after a first look at the rows and before they are added up."""
        told: list[str] = []
        head = files_of(source).head

        def arm(line: str) -> None:
            told.append(line)
            ready.touch()

        self.tally(name, lambda: count_frame(frame, name="many", head=head, progress=arm))
        died = ready.with_suffix(".died")
        self.said[f"{name}: died"] = died.read_text(encoding="utf-8") if died.exists() else ""
        self.said[f"{name}: told"] = told


def kill_once(pid: Callable[[], int], ready: str) -> None:
    """End a process without a chance to say so, once, when it is time."""
    died = Path(ready).with_suffix(".died")
    if Path(ready).exists() and not died.exists():
        own = pid()
        died.write_text(str(own), encoding="utf-8")
        os.kill(own, signal.SIGKILL)


def executor_of_spark() -> int:
    """The executor above the daemon above this Python."""
    import psutil

    return int(psutil.Process().parents()[1].pid)


def on_spark(found: Outcome, jobs: dict[str, Any], texts: str, many: str) -> None:
    found.command("by command", texts, "--cluster", "local[2]")
    with spark_session(None, "local[2]") as spark:
        found.said["ansi"] = spark.conf.get("spark.sql.ansi.enabled")
        found.said["parts"] = spark.read.parquet(many).rdd.getNumPartitions()
        spark.read.parquet(jobs["parquet"][0]).createOrReplaceTempView("labels")
        found.all_of(jobs)
    ready = str(found.folder / "spark.ready")

    def fragile(batches: Iterator[Any]) -> Iterator[Any]:
        from pyspark import TaskContext

        context = TaskContext.get()
        if context is not None and context.partitionId() == FATAL:
            kill_once(executor_of_spark, ready)
        yield from batches

    with spark_session(None, "local-cluster[2,1,512]") as spark:
        rows = spark.read.parquet(many)
        found.killed("killed", rows.mapInArrow(fragile, rows.schema), many, Path(ready))


@contextmanager
def two_workers() -> Iterator[str]:
    from distributed import LocalCluster

    own: dict[str, Any] = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    with LocalCluster(**own, host="127.0.0.1", memory_limit=None) as cluster:
        yield cluster.scheduler_address


def on_dask(found: Outcome, jobs: dict[str, Any], texts: str, many: str) -> None:
    import dask.dataframe as dd
    from distributed import Client

    ready = str(found.folder / "dask.ready")

    def fragile(part: Any, partition_info: Any = None) -> Any:
        if partition_info is not None and partition_info["number"] == FATAL:
            kill_once(os.getpid, ready)
        return part

    with two_workers() as address:
        found.command("by command", texts, "--cluster", address)
        with Client(address) as client:
            found.said["workers"] = sorted(worker["pid"] for worker in client.run(_self).values())
            found.all_of(jobs)
            found.tally("midnight", lambda: count_frame(dd.from_pandas(midnights(), npartitions=2), name="midnight"))
            found.said["tasks"] = sum(client.run(_executed).values())
            rows = dd.read_parquet(many, dtype_backend="pyarrow")
            found.said["parts"] = rows.npartitions
            found.killed("killed", rows.map_partitions(fragile, meta=rows._meta), many, Path(ready))


def midnights() -> Any:
    """Two ratings of one time; of the two parts only one needs hours to spell its own."""
    import pandas as pd

    days = pd.to_datetime(["2026-01-02 00:00"] * 3 + ["2026-01-02 08:00"])
    said = {"item": ["a", "b", "a", "c"], "criterion": "tone", "judge": "j-1", "human": ["yes", "yes", "yes", "no"]}
    return pd.DataFrame(said | {"verdict": ["no", "yes", "yes", "yes"], "timestamp": days})


def _self() -> dict[str, int]:
    return {"pid": os.getpid()}


def _executed(dask_worker: Any) -> int:
    return int(dask_worker.state.executed_count)


if __name__ == "__main__":
    engine, folder = sys.argv[1], Path(sys.argv[2])
    asked = json.loads((folder / "jobs.json").read_text(encoding="utf-8"))
    found = Outcome(engine, folder)
    {"spark": on_spark, "dask": on_dask}[engine](found, **asked)
    (folder / f"{engine}.json").write_text(json.dumps(found.said), encoding="utf-8")
