"""The command `overview`."""

from __future__ import annotations

from typing import Any

import click

from metrics.commands.options import Source, choosing_options, chosen_judges, interval_options, printed, reading_options


@click.command()
@reading_options
@choosing_options
@interval_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def overview(*, file: Source, how: dict[str, Any], judges: tuple[str, ...], as_json: bool, **choices: Any) -> None:
    """How good the judge in FILE is, on which criteria, how sure that is, and which items to read first."""
    import metrics

    ratings = metrics.read(file, **how)
    printed(metrics.overview(ratings, judges=chosen_judges(judges, ratings.judges) or None, **choices), as_json)
