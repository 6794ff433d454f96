"""Three tables of a million rows joined on the item, against Polars' join of the same three.

Both sides hold the tables in memory, opened: ours as columns of text, Polars as data frames of text. Ours finds what the columns
are, which ids another file has too, and gives one long table of three million ratings; Polars gives one wide table. The ids of
the files are in different orders and a hundredth of them is in one file only. One after the other in turn, in one process; the
median of seven is compared.
Run: python benchmarks/bench_joining.py
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from metrics.readers import TextTable, open_table
from metrics.readers.joining import join_tables, joined

N, ROUNDS = 1_000_000, 7
WANTED = 3.0
"""Times as long as Polars at most."""


def tables() -> list[tuple[str, bytes]]:
    """Return the files as CSV, one rater each."""
    rng = np.random.default_rng(4)
    files = []
    for rater, column in (("gold", "human"), ("judge", "verdict"), ("second", "verdict")):
        ids = rng.permutation(N)
        names = np.where(ids < N // 100, np.char.add(f"{rater}-", ids.astype("U8")), np.char.add("item-", ids.astype("U8")))
        labels = np.where(rng.random(N) < 0.6, "yes", "no")
        lines = np.char.add(np.char.add(names, ","), labels)
        files.append((f"{rater}.csv", f"item,{column}\n{chr(10).join(lines.tolist())}\n".encode()))
    return files


def ours(parts: list[TextTable]) -> int:
    # nothing that was found before may help
    table = join_tables([TextTable(part.name, part.sha256, part.data) for part in parts], "all")
    return joined(table, None, "").table.n_rows


def peer(frames: list[pl.DataFrame]) -> int:
    first, second, third = frames
    both = first.join(second, on="item", how="full", coalesce=True)
    return both.join(third, on="item", how="full", coalesce=True).height


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main() -> int:
    files = tables()
    parts = [open_table(data, name) for name, data in files]
    frames = [pl.read_csv(data).rename({pl.read_csv(data, n_rows=1).columns[1]: name}) for name, data in files]
    theirs, mine = [], []
    for _ in range(ROUNDS):
        theirs.append(seconds(lambda: peer(frames)))
        mine.append(seconds(lambda: ours(parts)))
    ratio = statistics.median(mine) / statistics.median(theirs)
    times = f"{statistics.median(mine) * 1000:.0f} ms against {statistics.median(theirs) * 1000:.0f} ms"
    print(f"three files of {N:,} rows: {times}, {ratio:.2f} times as long (at most {WANTED})")
    return int(ratio > WANTED)


if __name__ == "__main__":
    sys.exit(main())
