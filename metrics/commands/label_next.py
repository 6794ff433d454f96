"""The command `label-next`."""

from __future__ import annotations

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
