"""The command `scores`."""

from __future__ import annotations

from typing import Any

import click

from metrics.commands.options import (
    REFERENCE_HELP,
    Source,
    by_groups,
    chosen_judges,
    confidence_option,
    numbers,
    pairs_of,
    printed,
    reading_options,
    slicing_options,
)
from metrics.data.typed_values import matrix


@click.command()
@reading_options
@click.option("--on", metavar="label|score", help="Compare labels in their order (default where there are some), or numbers.")
@click.option(
    "--values",
    multiple=True,
    metavar="LABEL=NUMBER,…",
    callback=lambda context, option, given: numbers(pairs_of(given, "--values"), "--values", "low=0,high=5"),
    help="What options are worth; default: the numbers they are, else their places from 1.",
)
@click.option(
    "--abstention", default="exclude", metavar="exclude|as_unmet", help="Drop an abstention, or count it as the lowest."
)
@click.option(
    "--weights",
    multiple=True,
    metavar="CRITERION=WEIGHT,…",
    callback=lambda context, option, given: numbers(pairs_of(given, "--weights"), "--weights", "c1=2,c2=-1"),
    help="With as_unmet: where the weight is negative, an abstention counts as the highest.",
)
@click.option("--cost", metavar="NUMBERS", help="Cost of every confusion in the order, rows apart by ;: 0,1,4;1,0,1;4,1,0.")
@click.option("--reference", default="auto", help=REFERENCE_HELP)
@click.option("--judges", multiple=True, help="Judges to report; default all. Repeat, or separate by commas.")
@click.option("--turn", multiple=True, metavar="NAME", help="Turn the scale of this rater round. Repeat.")
@click.option("--interval", default="auto", metavar="auto|none", help="Whether intervals are found.")
@click.option("--unit", default="item", metavar="item|COLUMN", help="What is left out: items, or groups of them.")
@confidence_option
@slicing_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def scores(
    *,
    file: Source,
    how: dict[str, Any],
    judges: tuple[str, ...],
    cost: str | None,
    by: tuple[str, ...],
    cuts: tuple[float, ...],
    as_json: bool,
    **choices: Any,
) -> None:
    """How near each judge's ordered labels, or its numbers, lie to the human's in FILE."""
    import metrics

    ratings = metrics.read(file, **how)
    named = chosen_judges(judges, ratings.judges) or None
    costs = matrix(cost or "", "--cost: ")
    printed(by_groups(ratings, by, cuts, lambda part: metrics.scores(part, judges=named, cost=costs, **choices)), as_json)
