"""Tables of an overview, and its text for the terminal: one screen."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence

from metrics.analyses.overview.result import JudgeRow, Overview, Relation
from metrics.results import tables, words
from metrics.results.tables import Cell, Column, Table, cell, with_ends

WIDE = 80
NAME, NUMBER, COUNT = -22, 24, 7
"""Letters of the columns of names, of numbers with their intervals, and of counts."""
MOST_ROWS = 4
"""Judges, and criteria, on the screen."""
RELATIONS: Mapping[Relation, str] = {
    "leader": "", "tied": "tied", "behind": "below", "ahead": "above on shared decisions", "disputed": "readings disagree",
    "undefined": "undefined", "not compared": "not compared",
}  # fmt: skip


def named_relation(row: JudgeRow) -> str:
    """Return a judge with how it stands to the leader."""
    relation = RELATIONS[row.relation]
    return f"{row.name} · {relation}" if relation else row.name


def leaderboard(report: Overview, caption: str = "", notes: Iterable[str] = ()) -> Table:
    """Return every judge, best first, and how it stands to the leader.

    Parameters
    ----------
    report : Overview
    caption : str
    notes : iterable of str
        Lines below the table.
    """
    head = (
        Column("judge"), with_ends(report.symbol), with_ends("accuracy", "percent"), Column("n", "count"),
        Column("coverage", "percent"), Column("beside the leader"), with_ends("difference", "signed"), Column("p", "p"),
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = [
        (
            row.name, row.estimate, row.agreement, row.n, cell(row.coverage), RELATIONS[row.relation], row.difference, row.p,
        )
        for row in report.judges
    ]  # fmt: skip
    return Table("judges", caption, head, tuple(rows), tuple(notes))


def criteria(report: Overview, caption: str = "", notes: Iterable[str] = ()) -> Table:
    """Return every criterion, worst first.

    Parameters
    ----------
    report : Overview
    caption : str
    notes : iterable of str
        Lines below the table.
    """
    head = (
        Column("criterion"),
        with_ends(report.criterion_symbol),
        Column("n", "count"),
        Column("errors", "count"),
        Column("note"),
    )
    rows: list[tuple[Cell, ...]] = [(row.name, row.estimate, row.n, row.n_wrong, row.note) for row in report.criteria]
    return Table("criteria", caption, head, tuple(rows), tuple(notes))


def items(report: Overview, caption: str = "", notes: Iterable[str] = ()) -> Table:
    """Return the items to read first, and why each was chosen.

    Parameters
    ----------
    report : Overview
    caption : str
    notes : iterable of str
        Lines below the table.
    """
    rows: list[tuple[Cell, ...]] = [(row.item, row.why) for row in report.items]
    return Table("items", caption, (Column("item"), Column("why")), tuple(rows), tuple(notes))


def declared(report: Overview) -> str:
    """Return what the overview rests on, in one line."""
    d = report.declaration
    mode = "" if d.abstention == "exclude" else f", abstentions {d.abstention}"
    reference = "" if report.answers != "judge" else f", reference: {d.reference_words()}"
    rows = f"{words.count(d.rows_used)} of {words.count(d.rows_read)} rows"
    return f"{words.plain(d.file)}, {d.scale_words()}{reference}{mode}, {rows}"


def summary(report: Overview) -> str:
    """Return verdict, leaderboard, weakest criteria, items to read first and what to do next, within 80 columns."""
    lines = _filled(declared(report))
    lines += ["", *(line for statement in report.verdict for line in _filled(statement.text))]
    if len(report.judges) > 1:
        shown = tables.selected(leaderboard(report), ("judge", report.symbol, "n", "beside the leader"))
        lines += ["", *_cut(tables.lines(shown, (NAME, NUMBER + 6, COUNT, 0)), len(report.judges), "judges")]
    if len(report.criteria) > 1:
        shown = tables.selected(criteria(report), ("criterion", report.criterion_symbol, "n", "errors", "note"))
        widths = (NAME, NUMBER - 4, COUNT, COUNT, 0) if report.judges else (NAME, NUMBER, COUNT)
        lines += ["", *_cut(tables.lines(shown, widths), len(report.criteria), "criteria")]
    if report.items:
        lines += ["", _items_heading(report)]
        lines += [_on_one_line(f"{words.shorten(row.item, 16)}: {row.why}") for row in report.items]
    if report.next:
        lines += ["", "Next", *(line for step in report.next for line in _filled(_step(step.text, step.command)))]
    return "\n".join(line.rstrip() for line in lines)


def _items_heading(report: Overview) -> str:
    alike = ", the last by the order of the file" if report.items_alike else ""
    return f"Read first, of {words.several(report.n_items_wrong, 'items')}{alike}"


def _step(text: str, command: str) -> str:
    return f"{text} (python -m metrics {command})" if command else text


def _on_one_line(text: str) -> str:
    line = f"  {text}"
    return line if len(line) <= WIDE else f"{line[: WIDE - 1]}{words.ELLIPSIS}"


def _filled(text: str) -> list[str]:
    """Return a text as lines of a screen; blanks that must not break stay."""
    return textwrap.wrap(text, WIDE, initial_indent="  ", subsequent_indent="    ", break_long_words=True) or [""]


def _cut(lines: Sequence[str], n: int, what: str) -> list[str]:
    """Return heading and first rows, and how many more there are."""
    shown = [f"  {line}"[:WIDE] for line in lines[: 1 + MOST_ROWS]]
    return [*shown, f"  … and {words.several(n - MOST_ROWS, what)} more"] if n > MOST_ROWS else shown
