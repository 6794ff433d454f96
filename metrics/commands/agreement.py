"""The command `agreement`, and its summary of what a gate decided, as Markdown."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from metrics.analyses.records import AgreementReport
from metrics.commands.against import Earlier, Held, signed
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
from metrics.results import words
from metrics.results.estimate import Estimate


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


def summary_of(
    held: Sequence[Held],
    before: Earlier | None,
    report: AgreementReport,
    floors: Sequence[str],
    failed: Sequence[str],
    remarks: Sequence[str] = (),
) -> str:
    """Return what was decided as Markdown: decision, numbers with intervals, and what they rest on.

    Parameters
    ----------
    held : sequence of Held
    before : Earlier or None
    report : AgreementReport
    floors : sequence of str
        Floors as they were stated.
    failed : sequence of str
        Sentences of floors that do not hold.
    remarks : sequence of str
        What else must be known of the floors.
    """
    from metrics.report.as_markdown import escaped

    passed = not failed and all(one.holds for one in held)
    decided = f"Gate {'passed' if passed else 'failed'}" if held or floors else "No gate was stated"
    lines = [f"# {decided}", "", *_rests_on(report, before, escaped), ""]
    if held:
        lines += [
            "| judge | metric | before | now | difference | margin | decision |",
            "| --- | --- | --- | --- | --- | --- | --- |",
        ]
        lines += [_row(one, escaped) for one in held]
        lines.append("")
    lines += [f"- {escaped(one.sentence)}" for one in held]
    if floors:
        held_floors = "every judge reaches it" if not failed else "not reached"
        lines.append(f"- Floor {escaped(', '.join(floors))}: {held_floors}.")
    lines += [f"- {escaped(text)}" for text in (*failed, *remarks)]
    return "\n".join(lines) + "\n"


def write_summary(path: Path, text: str) -> None:
    """Write a summary to a file.

    Raises
    ------
    InputError
        Where it cannot be written.
    """
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as problem:
        raise InputError(f"--summary: {path} cannot be written: {problem.strerror}.") from None


def _rests_on(report: AgreementReport, before: Earlier | None, escaped: Callable[[str], str]) -> Iterator[str]:
    now = report.to_dict()["declaration"]
    yield _file("Now", now, escaped)
    if before is not None:
        yield _file("Before", before.declaration, escaped)
    yield f"- Intervals: {words.percent(float(now['interval']['confidence']))}."


def _file(when: str, declaration: Mapping[str, Any], escaped: Callable[[str], str]) -> str:
    n, mode = declaration.get("n_items"), declaration.get("abstention")
    items = "" if n is None else f", {words.count(n)} items"
    digest = str(declaration.get("sha256"))[:12]
    return f"- {when}: {escaped(str(declaration.get('file')))}{items}, abstentions {mode}, SHA-256 {digest}."


def _row(one: Held, escaped: Callable[[str], str]) -> str:
    def cell(estimate: Estimate, apart: bool = False) -> str:
        write = signed if apart else words.p3
        ends = "" if estimate.ends is None else f" [{write(estimate.ends[0])}, {write(estimate.ends[1])}]"
        return f"{write(estimate.value)}{ends}" if not math.isnan(estimate.value) else words.UNDEFINED

    name = one.judge if one.judge == one.before_name else f"{one.judge} (before: {one.before_name})"
    decision = "holds" if one.holds else "fails"
    numbers = cell(one.before), cell(one.after), cell(one.difference, apart=True), f"{one.asked.line:g}"
    cells = [escaped(words.plain(name)).replace("|", "\\|"), escaped(one.name).replace("|", "\\|"), *numbers, decision]
    return f"| {' | '.join(cells)} |"
