"""The command `agreement`."""

from __future__ import annotations

from pathlib import Path
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
from metrics.errors import InputError


@click.command()
@reading_options
@choosing_options
@interval_options
@slicing_options
@finding_option
@click.option(
    "--fail-under",
    multiple=True,
    metavar="[LEVEL.]METRIC=FLOOR",
    help="Exit 1 when an interval's lower end is below; by weight where the file has weights.",
)
@click.option(
    "--against",
    type=click.Path(),
    metavar="REPORT.json",
    help="Exit 1 when a judge is worse than in that report; by weight where the file has weights.",
)
@click.option("--margin", multiple=True, metavar="[LEVEL.]METRIC=MARGIN", help="With --against: how much worse is still taken.")
@click.option("--summary", type=click.Path(), metavar="OUT.md", help="Write what was decided as Markdown.")
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
    against: str | None,
    margin: tuple[str, ...],
    summary: str | None,
    as_json: bool,
    **choices: Any,
) -> int:
    """How far each judge in FILE agrees with the human."""
    import metrics
    from metrics.analyses.abstention.bounds import bounds
    from metrics.analyses.planning.independence import groups_behind
    from metrics.analyses.settings import settings_of
    from metrics.commands import against as gate
    from metrics.commands.fail_under import decided_by_weight, failures, floor_of, labels_in_doubt, reached_by_silence
    from metrics.commands.gate_summary import summary_of, write_summary

    if margin and against is None:
        raise InputError(f"{gate.MARGIN} goes with {gate.OPTION}: name the report that the judges are held against.")
    floors, margins = [floor_of(text) for text in fail_under], gate.margins_of(margin)
    ratings = metrics.read(file, **how)
    named = chosen_judges(judges, ratings.judges) or None
    sliced = metrics.slices(ratings, by, cuts=cuts, find=find, judges=named, **choices) if by or find else None
    report = metrics.agreement(ratings, judges=named, **choices) if sliced is None else sliced.whole
    made = settings_of(ratings, judges=named, **choices)
    failed = failures(report, floors, lambda judge, level: groups_behind(ratings, judge, made, level))
    remarks = decided_by_weight(report, floors)
    before = None if against is None else gate.earlier(Path(against), ratings, lambda path: metrics.read(path, **how))
    held = [] if before is None else gate.held_against(report, ratings, before, margins, **choices)
    warnings = labels_in_doubt(report) if held or floors else []
    if floors:
        warnings += reached_by_silence(report, floors, lambda judge, level: bounds(ratings, judge, made, level))
    if before is not None and named is None:
        warnings += gate.held_against_nothing(report, before)
    if summary is not None:
        write_summary(Path(summary), summary_of(held, before, report, fail_under, failed, (*remarks, *warnings)))
    printed(sliced or report, as_json)
    for sentence in (*failed, *remarks, *(one.sentence for one in held), *warnings):
        click.echo(sentence, err=True)
    return 1 if failed or not all(one.holds for one in held) else 0
