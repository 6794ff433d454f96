"""Table of slices, worst first or in the order of time, and the report as plain text for the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from metrics.analyses.agreement import tables as agreement
from metrics.analyses.slices import readings
from metrics.analyses.slices.result import JudgeSlices, Search, Slice, SliceReport
from metrics.measures.catalogue import BY_KEY
from metrics.results import tables, words
from metrics.results.prose import Listing, Paragraph, Passage
from metrics.results.tables import UNITS, Cell, Column, Format, Table, cell, form_of, with_column, with_ends, without_empty

SHOWN = ("recall", "specificity", "accuracy", "baseline_accuracy", "kappa_within", "drift")
"""Numbers behind the one that groups are ranked by."""
WIDE = 26


def slice_table(report: SliceReport, judge: JudgeSlices, caption: str = "") -> Table:
    """Return every group with its size, its numbers with their intervals, and how it stands to the others.

    Parameters
    ----------
    report : SliceReport
    judge : JudgeSlices
        Of it.
    caption : str
    """
    record = BY_KEY[judge.metric]
    several = len(judge.whole.criteria) > 1
    keys = [key for key in SHOWN if key in judge.whole.micro and (several or key != "kappa_within")]
    two = judge.metric == "kappa" and len(judge.whole.micro.labels) == 2
    head = (
        Column(words.plain(report.by)), Column("Items", "count"), Column("Decisions", "count"),
        with_ends(record.symbol, form_of(record)), Column("Pooled", form_of(record)), Column("p", "p"),
        Column(f"{record.symbol} within", form_of(record)), Column("p within", "p"),
        *(with_ends(_symbol(key), form_of(BY_KEY[key])) for key in keys), Column("Coverage", "percent"),
        *((Column("Prevalence", "percent"), Column("κ at the file’s prevalence", "number")) if two else ()),
        Column("Note"),
    )  # fmt: skip
    rows = tuple(_row(judge, each, keys, two=two) for each in judge.in_time)
    table = Table("slices", caption, head, rows)
    if judge.chart is not None and not judge.chart.why:
        limits = (words.bounds((batch.low, batch.high), record.unit) for batch in judge.chart.batches)
        table = with_column(table, Column("Limits"), limits)
    return without_empty(table)


def step_table(report: SliceReport, judge: JudgeSlices, caption: str = "") -> Table:
    """Return every group beside the one before it, with the difference and what it rests on; no rows where none follow.

    Parameters
    ----------
    report : SliceReport
    judge : JudgeSlices
        Of it.
    caption : str
    """
    record = BY_KEY[judge.metric]
    form: Format = UNITS.get(words.unit_of_difference(record.unit), "signed")
    head = (
        Column(words.plain(report.by)), Column("Against"), Column(f"{record.symbol} before", form_of(record)),
        Column(record.symbol, form_of(record)), with_ends("Difference", form), Column("Rests on"), Column("Note"),
    )  # fmt: skip
    rows = tuple(
        (
            step.after, step.before, cell(step.a), cell(step.b), step.difference, readings.how_paired(step),
            step.difference.why or step.difference.note,
        )
        for step in judge.steps
    )  # fmt: skip
    return without_empty(Table("steps", caption, head, rows))


def _symbol(key: str) -> str:
    return {"recall": "TPR", "specificity": "TNR"}.get(key, words.capital(BY_KEY[key].symbol))


def _row(judge: JudgeSlices, each: Slice, keys: list[str], *, two: bool) -> tuple[Cell, ...]:
    leading, beside = judge.metric, each.within.get(judge.metric)
    # κ within criteria has its own column, with its interval.
    own = None if beside is None or leading == "kappa" else cell(beside.value)
    return (
        each.value, each.n_items, each.n, each[leading], cell(each.pooled[leading]), cell(each.p[leading]), own,
        None if beside is None else cell(beside.p),
        *(each[key] for key in keys),
        cell(each.coverage), *((cell(each["prevalence"].value), cell(each.matched)) if two else ()),
        note(each, leading),
    )  # fmt: skip


def note(each: Slice, metric: str) -> str:
    """Return what must be known of a group: why it has no number, or why it is not tested."""
    if each.why:
        return each.why
    if each.small[metric]:
        return f"too small: {each.small[metric]}"
    return each[metric].undefined


def summary(report: SliceReport) -> str:
    """Return the report of the whole, then the slices of every judge."""
    parts = [agreement.summary(report.whole), *("\n".join(_lines(report, judge)) for judge in report.judges.values())]
    parts += ["\n".join(_search_lines(search)) for search in report.searches.values()]
    return "\n\n".join(parts)


def short(report: SliceReport) -> list[str]:
    """Return what is said first of every judge's groups and of every search, then the line of each judge as a whole."""
    groups = [f"{words.shorten(judge.judge)}: {readings.headline(report, judge)}" for judge in report.judges.values()]
    searches = [f"{words.shorten(search.judge)}: {readings.search_reading(search)}" for search in report.searches.values()]
    return [*groups, *searches, *agreement.short(report.whole)]


def _lines(report: SliceReport, judge: JudgeSlices) -> Iterator[str]:
    yield f"{judge.judge} by {words.plain(report.by)}"
    yield f"  {words.capital(readings.headline(report, judge))}"
    yield ""
    table = slice_table(report, judge)
    places = {column.name: place for place, column in enumerate(table.columns)}
    names = ("Items", "Decisions", BY_KEY[judge.metric].symbol, "Pooled", "p", "p within", "TPR", "TNR", "Coverage", "Note")
    shown = [0, *(places[name] for name in names if name in places)]
    widths = {"Items": 8, "Decisions": 11, "Pooled": 8, "Coverage": 10, "p": 8, "p within": 10, "Note": 0}
    narrow = Table(
        table.key,
        "",
        tuple(table.columns[place] for place in shown),
        tuple(tuple(row[place] for place in shown) for row in table.rows),
    )
    sizes = (-WIDE, *(widths.get(column.name, 24) for column in narrow.columns[1:]))
    yield from (f"  {line}" for line in tables.lines(narrow, sizes))
    yield ""
    if judge.steps:
        steps = step_table(report, judge)
        yield from (f"  {line}" for line in tables.lines(steps, (-WIDE, -WIDE, *(26 for _ in steps.columns[2:-1]), 0)))
        yield f"  {readings.steps_reading(report, judge)}"
        yield ""
    yield from (f"  {sentence}" for sentence in readings.sentences(report, judge))


def _search_lines(search: Search) -> Iterator[str]:
    yield f"{search.judge}, all columns"
    yield f"  {words.capital(readings.search_reading(search))}"
    yield from (f"  {sentence}" for sentence in readings.found_sentences(search))


def passages(report: SliceReport) -> tuple[Passage, ...]:
    """Return what a notebook shows: of each judge whether the groups differ, the table, and what it says."""
    shown: list[Passage] = []
    for judge in report.judges.values():
        said = readings.headline(report, judge)
        named = f"{words.plain(judge.judge)}: {said}" if len(report.judges) > 1 else words.capital(said)
        shown.append(Paragraph(named, "verdict"))
        shown.append(slice_table(report, judge, f"{words.plain(judge.judge)} by {words.plain(report.by)}."))
        if judge.steps:
            shown += [
                step_table(report, judge, "Each group against the one before."),
                Paragraph(readings.steps_reading(report, judge)),
            ]
        shown.append(Listing(readings.sentences(report, judge)))
    for search in report.searches.values():
        shown += [Paragraph(words.capital(readings.search_reading(search))), Listing(readings.found_sentences(search))]
    return tuple(shown)
