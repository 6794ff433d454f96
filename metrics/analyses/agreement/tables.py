"""Tables of an agreement report: the levels side by side, and every criterion; and the report as plain text for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from metrics.analyses.agreement.standing import CODES, standing
from metrics.analyses.leading import read_first
from metrics.analyses.provenance import header
from metrics.analyses.records import AgreementReport, Block, JudgeReport, notes_of
from metrics.data.aggregation import LEVEL_NAMES, LEVELS
from metrics.measures.catalogue import BY_KEY, keys_at
from metrics.results import tables, words
from metrics.results.prose import Paragraph, Passage
from metrics.results.tables import (
    Cell,
    Column,
    Format,
    Table,
    by_metric,
    by_part,
    cell,
    counts_table,
    form_of,
    with_column,
    with_ends,
    without_empty,
)  # fmt: skip

Numbers = Iterable[tuple[str, str, Format]]
"""Name, key and format of each metric."""

CELLS = ("TP", "FN", "FP", "TN")
SHOWN = keys_at("terminal")
# Letters of a column: of names, of numbers with their intervals, and of the labels beside a confusion matrix.
WIDE = 26
COLUMN = 30
CORNER = 18
MOST_JUDGES = 4
"""Judges that a notebook shows in full."""
IN_SHORT = ("phi", "mcc_multiclass", "accuracy")
"""Metrics beside the first one where a judge has one line."""


def levels(judge: JudgeReport, numbers: Numbers, caption: str = "", notes: Iterable[str] = ()) -> Table:
    """Return every metric on all decisions together, as the mean over the criteria, and of one verdict an item.

    Behind them stands over how many of the criteria the mean goes.

    Parameters
    ----------
    judge : JudgeReport
    numbers : iterable of (str, str, Format)
        Name, key and format of each metric.
    caption : str
    notes : iterable of str
        Lines below the table.
    """
    shown = tuple(numbers)
    parts = [(with_ends(LEVEL_NAMES[level].lower()), judge.level(level)) for level in LEVELS]
    table = by_metric("levels", caption, Column("metric"), shown, parts, notes)
    return with_column(table, Column("criteria with a value"), (mean_of(judge.macro, key) for _, key, _ in shown))


def criteria(judge: JudgeReport, metrics: Sequence[tuple[Column, str]], caption: str = "", notes: Iterable[str] = ()) -> Table:
    """Return every criterion with its decisions and how far the judge agrees on it.

    Parameters
    ----------
    judge : JudgeReport
    metrics : sequence of (Column, str)
        Column and key of each metric.
    caption : str
    notes : iterable of str
        Lines below the table.
    """
    rows: list[tuple[Sequence[Cell], Block]] = [((name, block.n), block) for name, block in judge.criteria.items()]
    return by_part("criteria-agreement", caption, (Column("criterion"), Column("n", "count")), rows, metrics, notes)


def counted(judge: JudgeReport, keys: Sequence[str]) -> Table:
    """Return every criterion with what was counted, some metrics, the ends of κ where it is among them, and coverage."""
    two, ends = len(judge.micro.labels) == 2, ("κ low", "κ high") if "kappa" in keys else ()
    head = (
        Column("criterion"), Column("n", "count"), *(Column(name, "count") for name in (CELLS if two else ())),
        *(Column(BY_KEY[key].symbol, form_of(BY_KEY[key])) for key in keys), *(Column(name, "number") for name in ends),
        Column("coverage", "percent"), Column("one label only"),
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    for name, block in judge.criteria.items():
        cells = np.asarray(block.confusion).ravel().tolist() if two else []
        numbers = (*(block.values[key] for key in keys), *((block["kappa"].ends or (None, None)) if ends else ()))
        coverage = judge.criterion_coverage[name].coverage
        rows.append((name, block.n, *cells, *map(cell, numbers), cell(coverage), "yes" if block.degenerate else ""))
    return Table("criteria", "", head, tuple(rows))


def mean_of(block: Block, key: str) -> str:
    """Return over how many of how many criteria a mean goes: "4 of 5"; empty where it is none."""
    return " of ".join(map(str, block[key].of or ()))


def summary(report: AgreementReport) -> str:
    """Return declaration, tables and metrics of every judge, and the warnings."""
    parts = ["\n".join(_judge(report, judge)) for judge in report.judges.values()]
    return "\n\n".join([*parts, *notes_of([warning for warning in report.warnings if warning.code not in CODES])])


def short(report: AgreementReport) -> list[str]:
    """Return a line to each of the first judges, with the numbers that say most, and what those of the first rest on."""
    judges = list(report.judges.values())
    parts = [_headline(judge) for judge in judges[:MOST_JUDGES]]
    more = len(judges) - MOST_JUDGES
    parts += [f"{words.several(more, 'judges')} more: see `judges`."] if more > 0 else []
    return [*parts, header(report, judges[0].name, "micro").text()]


def _headline(judge: JudgeReport) -> str:
    keys = [key for key in (read_first(judge), *IN_SHORT) if key in judge.micro.values]
    numbers = [f"{BY_KEY[key].symbol} {words.estimate(judge.micro[key], BY_KEY[key].unit)}" for key in dict.fromkeys(keys)]
    return " · ".join([f"{words.shorten(judge.name)}: n = {words.count(judge.micro.n or 0)}", *numbers])


def passages(report: AgreementReport) -> tuple[Passage, ...]:
    """Return what a notebook shows: of the first judges what their numbers rest on, the counts, the levels, the criteria."""
    judges = list(report.judges.values())
    parts = [part for judge in judges[:MOST_JUDGES] for part in _passages_of(report, judge)]
    more = len(judges) - MOST_JUDGES
    parts += [Paragraph(f"{words.several(more, 'judges')} more: see `judges`.")] if more > 0 else []
    return (*parts, *(Paragraph(warning.message, "note") for warning in report.warnings if warning.code not in CODES))


def _passages_of(report: AgreementReport, judge: JudgeReport) -> Iterator[Passage]:
    name = words.plain(judge.name)
    yield Paragraph(name, "verdict")
    yield Paragraph(header(report, judge.name, "micro").text(), "declaration")
    yield from (Paragraph(warning.message, "warning") for warning in standing(judge, report.declaration.confidence))
    if judge.micro.confusion is not None:
        yield counts_table("confusion", f"Confusion matrix of {name}.", judge.micro.labels, judge.micro.confusion.tolist())
    notes = [line.strip() for line in _undefined(judge)]
    yield without_empty(levels(judge, _numbers(judge), f"{name} at every level.", notes))
    if len(judge.criteria) > 1:
        yield _criteria_table(judge, f"{name} by criterion.")


def _numbers(judge: JudgeReport) -> Numbers:
    return [(BY_KEY[key].name, key, form_of(BY_KEY[key])) for key in SHOWN if key in judge.micro.values]


def _judge(report: AgreementReport, judge: JudgeReport) -> list[str]:
    lines = [f"{judge.name}", f"  {header(report, judge.name, 'micro').text()}", f"  {report.declaration.rows_words}"]
    lines += [*(f"  {warning.message}" for warning in standing(judge, report.declaration.confidence)), ""]
    lines += [f"  {line}" for line in confusion_lines(judge.micro, 16, 18)]
    table = levels(judge, _numbers(judge))
    lines += ["", *(f"  {line}" for line in tables.lines(table, (-WIDE, *(COLUMN for _ in LEVELS)), corner="", whole=True))]
    lines += [f"  {line}" for line in _undefined(judge)]
    return [*lines, "", *_criteria(judge)]


def confusion_lines(block: Block, name: int, width: int) -> list[str]:
    """Return the confusion matrix of a block as lines; none where it has none.

    Parameters
    ----------
    block : Block
    name : int
        Letters of a label at most.
    width : int
        Letters of a column of counts.
    """
    if block.confusion is None:
        return []
    shown = tables.matrix(words.shorten_all(block.labels, name), block.confusion.tolist())
    return tables.lines(shown, (-CORNER, *(width for _ in block.labels)))


def _undefined(judge: JudgeReport) -> list[str]:
    """Return reasons by level, each with the metrics it holds for."""
    symbols_by_reason: dict[str, list[str]] = {}
    for level in LEVELS:
        for key, why in judge.level(level).undefined.items():
            if key in SHOWN:
                symbols_by_reason.setdefault(f"{level}: {why}", []).append(BY_KEY[key].symbol)
    return (
        ["Undefined", *(f"  {reason} ({', '.join(symbols)})" for reason, symbols in symbols_by_reason.items())]
        if symbols_by_reason
        else []
    )


def _criteria(judge: JudgeReport) -> list[str]:
    table = _criteria_table(judge)
    return criteria_lines(table, judge.criteria.values(), (-WIDE, 8, *(24 for _ in table.columns[2:])))


def _criteria_table(judge: JudgeReport, caption: str = "") -> Table:
    records = [BY_KEY[key] for key in keys_at("terminal criteria") if key in judge.micro.values]
    table = criteria(judge, [(with_ends(metric.symbol, form_of(metric)), metric.key) for metric in records], caption)
    key = read_first(judge)
    weighted = {name: judge.weighted_at("micro", name).get(key) for name in judge.criteria} if judge.weighted is not None else {}
    if not any(weighted.values()):
        return table
    return with_column(table, with_ends(f"{BY_KEY[key].symbol}, weighted", form_of(BY_KEY[key])), weighted.values())


def criteria_lines(table: Table, blocks: Iterable[Block], widths: Sequence[int]) -> list[str]:
    """Return the lines of a table of criteria, those on which a side gave one label only marked at the end.

    Parameters
    ----------
    table : Table
        A row to a criterion.
    blocks : iterable of Block
        The criteria in the order of the rows.
    widths : sequence of int
        Letters of each column, below 0 where it is flush left.
    """
    marks = (("one label only" if block.n else "no decision") if block.degenerate else "" for block in blocks)
    return [f"  {line}" for line in tables.lines(tables.with_column(table, Column(""), marks), (*widths, 0))]
