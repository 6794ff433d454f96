"""The command `ratings`."""

from __future__ import annotations

import json
from typing import Any

import click

from metrics.commands.options import Source, reading_options


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
