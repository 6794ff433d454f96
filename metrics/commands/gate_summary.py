"""What a gate decided, as Markdown."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from metrics.analyses.records import AgreementReport
from metrics.commands.against import Earlier, Held, signed
from metrics.errors import InputError
from metrics.results import words
from metrics.results.estimate import Estimate


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
        ends = "" if estimate.ends is None or not estimate.width else f" [{write(estimate.ends[0])}, {write(estimate.ends[1])}]"
        return f"{write(estimate.value)}{ends}" if not math.isnan(estimate.value) else words.UNDEFINED

    name = one.judge if one.judge == one.before_name else f"{one.judge} (before: {one.before_name})"
    decision = "holds" if one.holds else "fails"
    numbers = cell(one.before), cell(one.after), cell(one.difference, apart=True), f"{one.asked.line:g}"
    cells = [escaped(words.plain(name)).replace("|", "\\|"), escaped(one.name).replace("|", "\\|"), *numbers, decision]
    return f"| {' | '.join(cells)} |"
