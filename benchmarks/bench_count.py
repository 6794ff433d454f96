"""Counting in DuckDB: decisions in a Parquet file to a full report with intervals, against DuckDB's own count of them.

The peer is `count(*) … group by item, criterion, judge` over the same file in the same settings, its result written to nowhere;
both sides run in a process of their own, one after the other, so that the peak of memory is that of the count alone.
Run: python benchmarks/bench_count.py [DECISIONS]        default 10,000,000; five criteria, one judge
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

DECISIONS, CRITERIA, MEMORY = 10_000_000, 5, "3GB"
WANTED = {"against DuckDB's own count": 2.0, "peak memory, GB": 4.0}


def write(path: Path, n: int) -> None:
    """Items of five criteria, a human's label and a verdict that is often the same, now and then without an answer."""
    import duckdb

    duckdb.sql(f"""
        copy (
            select 'item-' || (i // {CRITERIA}) as item, 'criterion ' || (i % {CRITERIA} + 1) as criterion, 'judge' as judge,
                case when hash(i) % 100 < 60 then 'MET' else 'UNMET' end as human,
                case when hash(i + 7) % 100 < 85 then case when hash(i) % 100 < 60 then 'MET' else 'UNMET' end
                     when hash(i + 7) % 100 < 95 then 'UNMET' else 'CANNOT_ASSESS' end as verdict
            from range({n}) as t(i)
        ) to '{path}' (format parquet)
    """)


def report(path: Path) -> None:
    import metrics
    from metrics.engines import count

    tally = count(path, memory=MEMORY)
    print(f"{tally.n_unique} kinds of {tally.n_items} items", file=sys.stderr)
    ratings = metrics.read(tally.to_bytes())
    assert metrics.agreement(ratings).declaration.n_items == tally.n_items


def peer(path: Path) -> None:
    import duckdb

    with tempfile.TemporaryDirectory() as folder:
        settings = {"memory_limit": MEMORY, "temp_directory": folder, "preserve_insertion_order": False}
        connection = duckdb.connect(config=settings)
        counts = f"select item, criterion, judge, count(*) as n from '{path}' group by item, criterion, judge"
        print(connection.sql(f"select count(*), max(n) from ({counts})").fetchall(), file=sys.stderr)


def measured(side: str, path: Path) -> tuple[float, float]:
    """Seconds and gigabytes of one side."""
    told = subprocess.run([sys.executable, __file__, side, str(path)], capture_output=True, text=True, check=True, cwd=ROOT)
    print(f"  {side}: {told.stdout.strip()}; {told.stderr.strip()}")
    seconds, peak = told.stdout.split()
    return float(seconds), float(peak)


def main(n: int) -> int:
    with tempfile.TemporaryDirectory(prefix="bench-count-") as folder:
        path = Path(folder) / "decisions.parquet"
        write(path, n)
        print(f"{n:,} decisions, {path.stat().st_size / 1e6:.0f} MB of Parquet")
        theirs, ours = measured("peer", path), measured("report", path)
    found = {"against DuckDB's own count": ours[0] / theirs[0], "peak memory, GB": ours[1]}
    for name, bound in WANTED.items():
        print(f"{name}: {found[name]:.2f} (bound {bound})")
    return int(any(found[name] > bound for name, bound in WANTED.items()))


if __name__ == "__main__":
    if len(sys.argv) == 3:
        import metrics.engines.sources  # noqa: F401  what is imported is no part of the count

        start = time.perf_counter()
        {"peer": peer, "report": report}[sys.argv[1]](Path(sys.argv[2]))
        print(time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6)
    else:
        sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else DECISIONS))
