"""The command `count`, and what it says on stderr while it runs."""

from __future__ import annotations

import math
import sys
import threading
import time
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import TextIO

import click

from metrics.commands.options import pairs_of, split

Share = Callable[[], float]
QUIET, EVERY = 1.0, 0.5
"""Seconds after which something is said, and between two looks at how far it is."""
CLEARED = "\r\x1b[K"


@click.command()
@click.argument("source", type=str)
@click.option("--engine", default="duckdb", metavar="duckdb|polars|dask|spark", help="What counts; default duckdb.")
@click.option("--out", required=True, metavar="PATH", help="The tally to write, a Parquet file: tally.parquet.")
@click.option("--columns", multiple=True, metavar="ROLE=NAME,…", help="Which column is what: item=id,human=gold.")
@click.option("--keep", multiple=True, metavar="COLUMN,…", help="Columns above the item to keep, for --unit: topic.")
@click.option("--grid", multiple=True, metavar="COLUMN=STEP,…", help="Steps that numbers are rounded to: score=0.01.")
@click.option("--memory", default="3GB", metavar="SIZE", help="What DuckDB may hold before it goes on on disk; default 3GB.")
@click.option("--format", "reader", metavar="NAME", help="For Spark: how it reads SOURCE: delta, orc, table.")
@click.option(
    "--cluster", metavar="ADDRESS", help="Spark's master or Dask's scheduler: spark://host:7077, yarn, tcp://host:8786."
)
@click.option("--option", "options", multiple=True, metavar="KEY=VALUE,…", help="For Spark: options of that format.")
def count(
    *,
    source: str,
    engine: str,
    out: str,
    columns: Sequence[str],
    keep: Sequence[str],
    grid: Sequence[str],
    memory: str,
    reader: str | None,
    cluster: str | None,
    options: Sequence[str],
) -> None:
    """Count SOURCE where it lies: CSV or Parquet, a file, a folder or a glob, into a tally that every command reads."""
    from metrics import engines
    from metrics.engines.sources import is_source
    from metrics.readers.messages import brief, refuse
    from metrics.results import words

    if is_source(out, source):
        refuse(f"{brief(out, 200)} is counted itself. Write the tally to another file.")
    with Steps("Counting") as steps:
        tally = engines.count(
            source,
            engine=engine,
            columns=pairs_of(columns, "--columns"),
            keep=[name for text in keep for name in split(text)],
            grid=pairs_of(grid, "--grid"),
            memory=memory,
            reader=reader,
            cluster=cluster,
            options=pairs_of(options, "--option"),
            progress=steps.write_step,
            watched=steps.watch,
        )
    tally.to_parquet(out)
    click.echo(
        f"{words.count(tally.n_rows)} rows, {words.count(tally.n_items)} items of {words.count(tally.n_unique)} kinds: {out}"
    )
    for why, n in tally.left_out:
        click.echo(f"{words.count(n)} left out: {why}")
    for column, step in tally.grid.items():
        click.echo(f"The numbers of {column} were rounded to steps of {step}.")
    if tally.without:
        click.echo(f"Not in the tally: {', '.join(tally.without)}.")


class Steps:
    """Steps that are done, a line each; on a terminal one more line says how long it takes, and how far the step at hand is."""

    def __init__(self, doing: str, stream: TextIO | None = None, quiet: float = QUIET, every: float = EVERY) -> None:
        self._doing, self._stream = doing, stream or sys.stderr
        self._start, self._quiet, self._every = time.monotonic(), quiet, every
        self._share: Share | None = None
        self._ended, self._writing = threading.Event(), threading.Lock()
        self._watch = threading.Thread(target=self._keep_saying, daemon=True) if self._stream.isatty() else None

    def __enter__(self) -> Steps:
        if self._watch is not None:
            self._watch.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._ended.set()
        if self._watch is not None:
            self._watch.join()
            self._write("")

    def watch(self, share: Share) -> None:
        """Take what says the share of the step at hand that is done; NaN or below 0 where it cannot tell."""
        self._share = share

    def write_step(self, line: str) -> None:
        """Write that a step is done."""
        if self._late:
            self._write(f"{line}\n")

    @property
    def _late(self) -> bool:
        return time.monotonic() - self._start > self._quiet

    def _keep_saying(self) -> None:
        while not self._ended.wait(self._every):
            if self._late:
                share = math.nan if self._share is None else self._share()
                done = f" · {share:.0%} of this step".replace("%", " %") if 0 <= share <= 1 else ""
                self._write(f"{self._doing} · {time.monotonic() - self._start:.0f} s{done}")

    def _write(self, text: str) -> None:
        with self._writing:
            self._stream.write(text if self._watch is None else CLEARED + text)
            self._stream.flush()
