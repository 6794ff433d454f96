"""The command `agreement`."""

from __future__ import annotations

from typing import Any

import click

from metrics.commands.options import (
    Source,
    choosing_options,
    chosen_judges,
    finding_option,
    interval_options,
    printed,
    reading_options,
    slicing_options,
)


@click.command()
@reading_options
@choosing_options
@interval_options
@slicing_options
@finding_option
@click.option("--fail-under", multiple=True, metavar="[LEVEL.]METRIC=FLOOR", help="Exit 1 when an interval's lower end is below.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def agreement(
    *,
    file: Source,
    how: dict[str, Any],
    judges: tuple[str, ...],
    by: tuple[str, ...],
    cuts: tuple[float, ...],
    find: bool,
    fail_under: tuple[str, ...],
    as_json: bool,
    **choices: Any,
) -> int:
    """How far each judge in FILE agrees with the human."""
    import metrics
    from metrics.commands.fail_under import failures, floor_of

    floors = [floor_of(text) for text in fail_under]
    ratings = metrics.read(file, **how)
    named = chosen_judges(judges, ratings.judges) or None
    sliced = metrics.slices(ratings, by, cuts=cuts, find=find, judges=named, **choices) if by or find else None
    report = metrics.agreement(ratings, judges=named, **choices) if sliced is None else sliced.whole
    sentences = failures(report, floors)
    printed(sliced or report, as_json)
    for sentence in sentences:
        click.echo(sentence, err=True)
    return 1 if sentences else 0
