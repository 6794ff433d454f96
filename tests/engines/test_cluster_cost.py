"""The counters of the benchmark of clusters read what Spark and Dask write down."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.engines.conftest import ROOT


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import bench_cluster

    return bench_cluster


def ended(written: int, memory: int, reason: str = "Success") -> dict[str, Any]:
    return {
        "Event": "SparkListenerTaskEnd",
        "Stage ID": 3,
        "Task End Reason": {"Reason": reason},
        "Task Metrics": {
            "Peak Execution Memory": memory,
            "Shuffle Read Metrics": {"Remote Bytes Read": 0, "Local Bytes Read": 77},
            "Shuffle Write Metrics": {"Shuffle Bytes Written": written, "Shuffle Records Written": 1},
        },
    }


def test_of_spark_the_bytes_written_by_tasks_that_ended_well(bench: Any) -> None:
    log = [{"Event": "SparkListenerJobStart", "Stage IDs": [3]}, ended(40, 900), ended(2, 30), ended(100, 5000, "TaskKilled")]
    assert bench.spark_shuffled(json.dumps(event) + "\n" for event in log) == (42, 900)


def test_of_dask_the_bytes_of_the_shards_of_every_shuffle(bench: Any) -> None:
    digests = {
        ("p2p", "span-1", "foreground", "shards", "bytes"): 40.0,
        ("p2p", None, "foreground", "shards", "bytes"): 2.0,
        ("p2p", "span-1", "foreground", "shards", "count"): 7.0,
        ("p2p", "span-1", "background-disk", "process", "bytes"): 500.0,
        ("execute", "span-1", "sum", "p2p-shards", "bytes"): 40.0,
        "latency": 0.1,
    }
    assert bench.dask_shuffled(digests) == 42


def test_the_line_through_two_sizes(bench: Any) -> None:
    assert bench.line({1000: 25_007, 200: 5_007}) == (7.0, 25.0)
