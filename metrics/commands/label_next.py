"""The commands that write a file of items or of counts: `count`, `label-next` and `ratings`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from metrics.commands.options import REFERENCE_HELP, Source, pairs_of, printed, reading_options, split


@click.command("label-next")
@reading_options
@click.option("-n", "n", default=100, type=int, help="Items to label.")
@click.option("--for", "purpose", default="kappa", metavar="kappa|rare|difference", help="The number to get narrower.")
@click.option("--judge", help="The judge whose number it is; default the first.")
@click.option("--other", help="With --for difference: the judge compared with.")
@click.option("--criterion", help="The criterion whose number it is; default all.")
@click.option("--reference", default="auto", help=REFERENCE_HELP)
@click.option("--seed", "rng", default=0, type=click.IntRange(min=0), help="Seed of the draw.")
@click.option("--out", type=click.Path(path_type=Path), metavar="PATH", help="Write the blind sheet: .csv, .xlsx or .html.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def label_next(*, file: Source, how: dict[str, Any], n: int, out: Path | None, as_json: bool, **choices: Any) -> None:
    """Which items of FILE to label next: drawn by strata of what judges say, with weights that make numbers unbiased."""
    import metrics

    plan = metrics.label_next(metrics.read(file, **how), n, **choices)
    if out is not None:
        from metrics.report.label_sheet import write_sheet

        write_sheet(plan, out)
    printed(plan, as_json)


@click.command()
@reading_options
@click.option("--out", required=True, metavar="PATH", help="The ratings to write: .csv, .parquet or .jsonl.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def ratings(*, file: Source, how: dict[str, Any], out: str, as_json: bool) -> None:
    """Write the ratings in FILE, one per row, whatever it looks like, and print what became of it."""
    import metrics
    from metrics.readers.import_report import import_report
    from metrics.readers.long_form import write_ratings
    from metrics.readers.read_lines import command_line, of_the_long_form, python_line
    from metrics.results.words import several

    files = [file] if isinstance(file, str) else file
    read = metrics.read(file, **how)
    n = write_ratings(read, out)
    report, again = import_report(read, files), of_the_long_form(read)
    lines = {"command": command_line([out], again), "python": python_line([out], again)}
    if as_json:
        written = {"file": out, "ratings": n, "again": lines}
        click.echo(json.dumps(report.to_dict() | {"written": written}, ensure_ascii=False, allow_nan=False))
        return
    click.echo(report.summary())
    click.echo(f"{several(n, 'ratings')} written to {out}. To read them:")
    for line in lines.values():
        click.echo(f"  {line}")


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
