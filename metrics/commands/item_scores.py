"""The command `item-scores`."""

from __future__ import annotations

from typing import Any

import click

from metrics.commands.options import (
    REFERENCE_HELP,
    Source,
    chosen_judges,
    confidence_option,
    numbers,
    pairs_of,
    printed,
    reading_options,
)


@click.command(name="item-scores")
@reading_options
@click.option(
    "--weights",
    multiple=True,
    metavar="CRITERION=WEIGHT,…",
    callback=lambda context, option, given: numbers(pairs_of(given, "--weights"), "--weights", "c1=2,c2=-1"),
    help="Weights of criteria, also negative; default: those of the file, else 1.",
)
@click.option(
    "--values",
    multiple=True,
    metavar="LABEL=NUMBER,…",
    callback=lambda context, option, given: numbers(pairs_of(given, "--values"), "--values", "low=0,high=1"),
    help="What labels are worth; default: as the file says, else from 0 to 1 in their order.",
)
@click.option("--reference", default="auto", help=REFERENCE_HELP)
@click.option("--judges", multiple=True, help="Judges to report; default all. Repeat, or separate by commas.")
@click.option("--interval", default="auto", metavar="auto|none", help="Whether intervals are found.")
@confidence_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def item_scores(*, file: Source, how: dict[str, Any], judges: tuple[str, ...], as_json: bool, **choices: Any) -> None:
    """How near each judge's weighted score of an item lies to the human's in FILE."""
    import metrics

    ratings = metrics.read(file, **how)
    printed(metrics.item_scores(ratings, judges=chosen_judges(judges, ratings.judges) or None, **choices), as_json)
