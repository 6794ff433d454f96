"""The command `label-next`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from metrics.commands.options import REFERENCE_HELP, Source, printed, reading_options


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
