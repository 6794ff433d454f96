"""The command `biases`."""

from __future__ import annotations

from typing import Any

import click

from metrics.commands.options import Source, choosing_options, chosen_judges, interval_options, printed, reading_options


@click.command()
@reading_options
@choosing_options
@interval_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def biases(*, file: Source, how: dict[str, Any], judges: tuple[str, ...], as_json: bool, **choices: Any) -> None:
    """What sways each judge in FILE where the human label is the same: length, source, and kinship with the judge."""
    import metrics

    ratings = metrics.read(file, **how)
    printed(metrics.biases(ratings, judges=chosen_judges(judges, ratings.judges) or None, **choices), as_json)
