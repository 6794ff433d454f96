"""The command `count`."""

from __future__ import annotations

from collections.abc import Sequence

import click

from metrics.commands.options import pairs_of, split


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
    from metrics.results.progress import Steps

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
