"""An overview in sentences and tables, one page of them, and its text for the terminal: one screen."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from metrics.analyses.overview.result import JudgeRow, Overview, Relation, Step
from metrics.results import tables, words
from metrics.results.prose import Listing, Paragraph, Passage
from metrics.results.tables import Cell, Column, Table, cell, with_ends, without_empty

WIDE = 80
NAME, NUMBER, COUNT = -22, 24, 7
"""Letters of the columns of names, of numbers with their intervals, and of counts."""
MOST_ROWS = 4
"""Judges, and criteria, on the screen."""
PAGE_JUDGES, PAGE_CRITERIA = 12, 8
"""Rows on a page, which is to hold the verdict, the items and the next steps beside them."""
JUDGES, CRITERIA, ITEMS = "overview-judges", "overview-criteria", "overview-items"
"""Keys of the tables."""
RELATIONS: Mapping[Relation, str] = {
    "leader": "", "tied": "not told apart", "behind": "below", "ahead": "above when paired",
    "disputed": "readings disagree", "undefined": "undefined", "not compared": "not compared",
}  # fmt: skip


def named_relation(row: JudgeRow) -> str:
    """Return a judge with how it stands to the leader, where it is told apart or there is something to be told."""
    relation = "" if row.relation in ("tied", "not compared") else RELATIONS[row.relation]
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
        Column("coverage", "percent"), Column("against leader"), with_ends("difference", "signed"), Column("p", "p"),
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = [
        (
            row.name, row.shown.estimate, row.shown.agreement, row.n, cell(row.coverage), RELATIONS[row.relation],
            row.shown.difference, row.shown.p,
        )
        for row in report.judges
    ]  # fmt: skip
    return Table(JUDGES, caption, head, tuple(rows), tuple(notes))


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
    rows: list[tuple[Cell, ...]] = [(row.name, row.shown, row.n, row.n_wrong, row.note) for row in report.criteria]
    return Table(CRITERIA, caption, head, tuple(rows), tuple(notes))


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
    return Table(ITEMS, caption, (Column("item"), Column("why")), tuple(rows), tuple(notes))


def passages(report: Overview) -> tuple[Passage, ...]:
    """Return the overview in reading order: what it rests on, verdict, leaderboard, criteria, items to read, what to do next."""
    first, *others = (statement.text for statement in report.verdict)
    parts: list[Passage] = [Paragraph(declared(report), "declaration"), Paragraph(first, "verdict"), *map(Paragraph, others)]
    if len(report.judges) > 1:
        parts.append(_first_rows(leaderboard(report, _leaderboard_caption(report)), PAGE_JUDGES, "judges"))
    if len(report.criteria) > 1:
        of = f" of {words.shorten(report.leader)}" if report.leader else ""
        caption = f"{report.criterion_symbol}{of} by criterion, worst first.{_intervals(report)}"
        parts.append(_first_rows(criteria(report, caption), PAGE_CRITERIA, "criteria"))
    parts.append(items(report, f"Items to read first: {chosen(report)}.") if report.items else Paragraph(no_item(report)))
    steps = tuple(step_words(step) for step in report.next)
    return (*parts, Paragraph("What to do next:"), Listing(steps)) if steps else tuple(parts)


def _leaderboard_caption(report: Overview) -> str:
    compared = any(row.difference.defined for row in report.judges)
    paired = " Differences are on the decisions that both answered; p is corrected for picking the leader on these data."
    weighted = any(row.weighted is not None for row in report.judges)
    by = " Accuracy, differences and p are by weight too." if weighted else ""
    return f"Judges by {report.symbol}, the leader first.{_intervals(report)}{paired if compared else ''}{by}"


def _intervals(report: Overview) -> str:
    interval = report.declaration.interval
    return "" if interval["method"] == "none" else f" Intervals {words.percent(float(str(interval['confidence'])))}."


def _first_rows(table: Table, most: int, what: str) -> Table:
    """Return a table as a page shows it: without what no row has, and not more than its first rows."""
    more = len(table.rows) - most
    notes = (f"{words.several(more, what)} more {words.are(more)} left out here.",) if more > 0 else ()
    return without_empty(replace(table, rows=table.rows[:most], notes=(*table.notes, *notes)))


def chosen(report: Overview) -> str:
    """Return how many items were chosen of how many, and how."""
    order = "most wrong verdicts first" if report.correlated is None else _farthest(report)
    if report.answers != "judge":
        order = "most even votes first"
    if report.items_alike:
        order += "; these are alike, in file order" if report.in_file_order else ", the last of them in file order"
    return f"{len(report.items)} of {words.several(report.n_items_wrong, 'items')} {_chosen_for(report)}, {order}"


def _farthest(report: Overview) -> str:
    """Return what is farthest: of several criteria in the spread of each, and not on those in two units."""
    if len(report.criteria) < 2:
        return "farthest first"
    where = ", on the criteria in one unit" if any(row.note for row in report.criteria) else ""
    return f"farthest in standard deviations first{where}"


def _chosen_for(report: Overview) -> str:
    """Return what the items have in common of which some are read first."""
    if report.answers != "judge":
        return "on which the raters differ"
    many, numbers = len(report.judges) > 1, report.correlated is not None
    if numbers:
        return "on which numbers of a judge and the reference differ" if many else "on which judge and reference differ"
    return "on which most judges err" if many else "with a disagreement"


def no_item(report: Overview) -> str:
    """Return why there is no item to read."""
    return f"No item to read: {report.no_items or 'judge and reference agree on every decision'}."


def declared(report: Overview) -> str:
    """Return what the overview rests on, in one line."""
    d = report.declaration
    mode = "" if d.abstention == "exclude" else f", abstentions {d.abstention}"
    reference = "" if report.answers != "judge" else f", reference: {d.reference_words()}"
    rows = f"{words.count(d.rows_used)} of {words.count(d.rows_read)} rows"
    return f"{words.plain(d.file_words)}, {d.scale_words()}{reference}{mode}, {rows}"


def summary(report: Overview) -> str:
    """Return verdict, leaderboard, weakest criteria, items to read first and what to do next, within 80 columns."""
    lines = _filled(declared(report))
    lines += ["", *(line for statement in report.verdict for line in _filled(statement.text))]
    if len(report.judges) > 1:
        shown = tables.selected(leaderboard(report), ("judge", report.symbol, "n", "against leader"))
        lines += ["", *_cut(tables.lines(shown, (NAME, NUMBER + 6, COUNT, 0)), len(report.judges), "judges")]
    if len(report.criteria) > 1:
        shown = tables.selected(criteria(report), ("criterion", report.criterion_symbol, "n", "errors", "note"))
        widths = (NAME, NUMBER - 4, COUNT, COUNT, 0) if report.judges else (NAME, NUMBER, COUNT)
        lines += ["", *_cut(tables.lines(shown, widths), len(report.criteria), "criteria")]
    if report.items:
        lines += ["", _items_heading(report)]
        lines += [_on_one_line(f"{words.shorten(row.item, 16)}: {row.why}") for row in report.items]
    if report.next:
        lines += ["", "Next", *(line for step in report.next for line in _next(step))]
    return "\n".join(line.rstrip() for line in lines)


def _items_heading(report: Overview) -> str:
    alike = ", the last by file order" if report.items_alike else ""
    return f"Read first, of {words.several(report.n_items_wrong, 'items')} {_chosen_for(report)}{alike}"


def step_words(step: Step) -> str:
    """Return what to do next, with the command that does it."""
    return f"{step.text} (python -m metrics {step.command})" if step.command else step.text


def _next(step: Step) -> list[str]:
    """Return what to do next as lines; the command has one of its own, whole, as it is typed."""
    return [*_filled(step.text), *([f"    python -m metrics {step.command}"] if step.command else [])]


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
