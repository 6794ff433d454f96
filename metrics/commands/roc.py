"""The command `roc`."""

from __future__ import annotations

from typing import Any

import click

from metrics.commands.options import REFERENCE_HELP, Source, chosen_judges, confidence_option, printed, reading_options


@click.command()
@reading_options
@click.option("--reference", default="auto", help=REFERENCE_HELP)
@click.option("--judges", multiple=True, help="Judges to report; default all. Repeat, or separate by commas.")
@click.option("--interval", default="auto", metavar="auto|none", help="Whether intervals are found.")
@click.option(
    "--unit", default="item", metavar="item|COLUMN", help="What is left out and held out as a whole: items, or groups of them."
)
@confidence_option
@click.option("--direction", default="higher", metavar="higher|lower", help="Which scores speak for the positive label.")
@click.option(
    "--holding-out", default="split", metavar="split|cross|none", help="How the best threshold is tested on held-out items."
)
@click.option("--folds", default=5, type=int, help="Parts of the items with --holding-out cross.")
@click.option("--seed", "rng", default=0, type=click.IntRange(min=0), help="Seed of the parts.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def roc(
    *,
    file: Source,
    how: dict[str, Any],
    judges: tuple[str, ...],
    as_json: bool,
    **choices: Any,
) -> None:
    """How well each judge's score tells positive from negative in FILE, and at which cut."""
    import metrics

    ratings = metrics.read(file, **how)
    printed(metrics.roc(ratings, judges=chosen_judges(judges, ratings.judges) or None, **choices), as_json)
