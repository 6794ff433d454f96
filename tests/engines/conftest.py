"""Files that are counted twice: by DuckDB here, and by Spark or Dask in an environment of their own."""

from __future__ import annotations

import csv
import json
import os
import random
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.orc
import pyarrow.parquet as pq
import pytest

from metrics.engines import count

ROOT = Path(__file__).resolve().parent.parent.parent
PYTHON = ROOT / ".venv-engines" / "bin" / "python"
COLUMNS = ("item", "criterion", "judge", "human", "verdict")
# a small machine of few parts; what is small is read in parts all the same
SPARK = """
spark.driver.memory 1g
spark.executor.memory 512m
spark.driver.defaultJavaOptions -XX:TieredStopAtLevel=1 -XX:+UseSerialGC
spark.executor.defaultJavaOptions -XX:TieredStopAtLevel=1 -XX:+UseSerialGC
spark.sql.shuffle.partitions 2
spark.sql.files.openCostInBytes 1
spark.sql.files.maxPartitionBytes 65536
spark.log.level ERROR
spark.ui.showConsoleProgress false
"""


def verdicts(n_items: int, criteria: tuple[str, ...] = ("tone", 'cites, "fully"\nor not', "ton\u00e9")) -> list[dict[str, Any]]:
    """Rows with blanks, kept spaces, names to be quoted, and items and verdicts that are not there."""
    draw = random.Random(10)
    rows = []
    for place in range(n_items):
        for criterion in criteria:
            human = draw.choice(["yes", "no", "no", " yes"])
            for judge in ("j-1", "j-2"):
                item = "" if draw.random() < 0.01 else f"i{place}"
                rows.append((item, criterion, judge, human, draw.choice(["yes", "no", "no", "can't say", "", "\u00a0"])))
    return [dict(zip(COLUMNS, row, strict=True)) for row in rows]


def nulls(rows: list[dict[str, Any]]) -> pa.Table:
    """The rows with nothing where the cell is empty, names as a dictionary, and a number that may be missing."""
    table = pa.table({name: pa.array([row[name] or None for row in rows], pa.string()) for name in COLUMNS})
    score = pa.array([None if n % 7 == 0 else n % 5 for n in range(len(rows))], pa.int32())
    return table.set_column(1, "criterion", table["criterion"].dictionary_encode()).append_column("score", score)


def timed(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Some ratings given again later, the later row first."""
    stamped = [{**row, "timestamp": f"2026-01-{n % 28 + 1:02d}T12:00:00Z"} for n, row in enumerate(rows)]
    again = [
        {**row, "verdict": "no" if n % 2 else "yes", "timestamp": "2026-02-01T08:00:00.5Z"} for n, row in enumerate(rows[::40])
    ]
    return [*again, *stamped]


def to_csv(path: Path, rows: list[dict[str, Any]], before: str = "") -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(before)
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return str(path)


def to_parquet(path: Path, table: pa.Table) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(table, path)
    return str(path)


@dataclass(frozen=True)
class Case:
    """A source, how it is counted, and the source that DuckDB counts instead, if it cannot read the first."""

    source: str
    how: dict[str, Any]
    instead: str = ""


@pytest.fixture(scope="session")
def cases(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Case]:
    folder = tmp_path_factory.mktemp("sources")
    rows = [row for row in verdicts(300) if any(row.values())]
    parts = [rows[start : start + 300] for start in range(0, len(rows), 300)]
    for place, part in enumerate(parts):
        to_csv(folder / "texts" / f"{place}.csv", part)
        to_parquet(folder / "many" / f"{place}.parquet", nulls(part))
    same = [{name: row[name] for name in COLUMNS} | {"verdict": row["verdict"].strip() or "no"} for row in rows if row["item"]]
    wide = [{**row, "score": f"{random.Random(n).random() * 40:.3f}"} for n, row in enumerate(rows)]
    stamps = pa.table({name: [row[name] or None for row in timed(same)] for name in [*COLUMNS, "timestamp"]})
    typed = stamps.set_column(5, "timestamp", pa.compute.cast(stamps["timestamp"], pa.timestamp("us", "UTC")))
    plain = to_parquet(folder / "parquet" / "labels", nulls(rows))
    (folder / "orc").mkdir()
    pa.orc.write_table(pa.table({name: nulls(rows)[name].cast(pa.string()) for name in COLUMNS}), str(folder / "orc" / "labels"))
    swapped = [{name: row[name] for name in ("item", "criterion", "judge", "verdict", "human")} for row in rows]
    for place, part in enumerate((rows, swapped)):
        to_csv(folder / "swapped" / f"{place}.csv", part)
    named = folder / "criterion=c" / "labels.parquet"
    to_parquet(named, pa.Table.from_pylist([*(row for row in rows if row["item"]), dict.fromkeys(COLUMNS)]))
    texts = to_parquet(folder / "strings" / "labels", nulls(rows).select(list(COLUMNS)))
    long = verdicts(60, tuple(f"criterion {n}" for n in range(30)))
    return {
        "csv": Case(to_csv(folder / "labels.csv", rows), {}),
        "parquet": Case(plain, {"columns": {"score": "score"}}),
        "named folder": Case(str(named.parent), {}),
        "csv folder": Case(str(folder / "texts"), {}),
        "parquet folder": Case(str(folder / "many"), {}),
        "orc": Case(str(folder / "orc" / "labels"), {"reader": "orc"}, texts),
        "table": Case("labels", {"reader": "table"}, plain),
        "swapped": Case((folder / "swapped").as_uri(), {"reader": "csv"}),
        "long patterns": Case(to_csv(folder / "long.csv", [row for row in long if row["item"]]), {}),
        "header of two lines": Case(
            to_csv(folder / "header.csv", [{**row, "per\nson": row["human"], "human": ""} for row in rows], before="\n"),
            {"columns": {"human": "per\nson"}},
        ),
        "rounded": Case(to_csv(folder / "scores.csv", wide), {"columns": {"score": "score"}}),
        "later text": Case(to_csv(folder / "again.csv", timed(same)), {}),
        "later time": Case(to_parquet(folder / "again.parquet", typed), {}),
        "twice": Case(to_csv(folder / "twice.csv", [*same, {**same[7], "verdict": "never"}]), {}),
    }


@dataclass(frozen=True)
class Counted:
    """What an engine said of its jobs, and the folder of its tallies."""

    said: dict[str, Any]
    folder: Path

    def tally(self, name: str) -> bytes:
        return (self.folder / name).read_bytes()


def ran(engine: str, cases: dict[str, Case], jobs: Sequence[str], folder: Path) -> Counted:
    if not PYTHON.exists():
        pytest.skip("no .venv-engines: `make engines` installs it")
    asked = {"jobs": {name: (case.source, case.how) for name, case in cases.items() if name in jobs}}
    asked |= {"texts": cases["csv folder"].source, "many": cases["parquet folder"].source}
    (folder / "jobs.json").write_text(json.dumps(asked), encoding="utf-8")
    (folder / "spark-defaults.conf").write_text(SPARK, encoding="utf-8")
    # away from UTC, so that an engine's own clock would show
    own = {"SPARK_CONF_DIR": str(folder), "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": str(PYTHON), "TZ": "America/New_York"}
    command = [str(PYTHON), str(Path(__file__).with_name("on_cluster.py")), engine, str(folder)]
    environment = {**os.environ, **own, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=1200)
    assert done.returncode == 0, done.stderr[-6000:]
    return Counted(json.loads((folder / f"{engine}.json").read_text(encoding="utf-8")), folder / engine)


@pytest.fixture(scope="session")
def by_duckdb(cases: dict[str, Case]) -> Any:
    """The bytes of the tally of a case, or the sentence of its refusal."""
    found: dict[str, Any] = {}

    def tally(name: str) -> Any:
        if name not in found:
            case = cases[name]
            how = {key: value for key, value in case.how.items() if key != "reader"}
            found[name] = count(case.instead or case.source, **how).to_bytes()
        return found[name]

    return tally
