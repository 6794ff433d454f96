"""The command `overview`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import click

from metrics.asker import shell
from metrics.commands.options import Source, choosing_options, chosen_judges, interval_options, printed, reading_options

TYPED = "metrics.typed"
"""Under which a run keeps the words behind its command."""


@click.command()
@reading_options
@choosing_options
@interval_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
@click.pass_context
def overview(
    context: click.Context, /, *, file: Source, how: dict[str, Any], judges: tuple[str, ...], as_json: bool, **choices: Any
) -> None:
    """How good the judge in FILE is, on which criteria, how sure that is, and which items to read first."""
    import metrics

    ratings = metrics.read(file, **how)
    report = metrics.overview(ratings, judges=chosen_judges(judges, ratings.judges) or None, **choices)
    if not as_json:  # JSON is that of the report, wherever the file lies
        steps = (replace(step, command=_typed(context, step.command)) if step.command else step for step in report.next)
        report = replace(report, next=tuple(steps))
    printed(report, as_json)


def _typed(context: click.Context, command: str) -> str:
    """Return a command with the file and the options that this one was given, but those it does not have or sets itself."""
    group = context.find_root().command
    assert isinstance(group, click.Group)
    given: Mapping[str, Any] = context.command.make_parser(context).parse_args(list(context.meta[TYPED]))[0]
    name, _, rest = command.partition(" FILE")
    known = {parameter.name for parameter in group.commands[name].params} - {"file", "as_json"}
    options = []
    for parameter in context.command.params:
        value, option = given.get(str(parameter.name)), parameter.opts[0]
        if value is not None and parameter.name in known and option not in rest.split():
            values = value if isinstance(value, list) else [value]
            options += [option if value is True else f"{option} {shell(value)}" for value in values]
    file = str(given["file"])
    # A name that begins like an option is written as a path.
    path = f"./{file}" if file.startswith("-") and file != "-" else file
    return " ".join(filter(None, [name, shell(path), rest.strip(), *options]))
