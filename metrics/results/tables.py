"""One table for terminal, page, CSV and report: cells are estimates, numbers and texts; columns say how they are written.

A table is made once. `lines` is its terminal text, `as_text` what a page shows, `in_full` what a CSV file holds, and `flat`
with `texts` what the writers of the report take. Texts may hold anything a file holds; who renders them escapes them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from metrics.measures.metric import Metric
from metrics.results import words
from metrics.results.estimate import Estimate, Part

Plain = str | int | float | None
"""A number is written by its column's format; None where undefined, a dash in text and an empty cell in a sheet."""
Cell = Plain | Estimate
Estimates = Part | Mapping[str, Estimate]
"""Estimates by key."""
Format = Literal["text", "count", "number", "signed", "three", "percent", "tenth", "points", "p"]
UNITS: dict[str, Format] = {"%": "percent", "points": "points", "p": "p"}
"""Unit of a metric to how its numbers are written; without one, as a number."""
ENDS = ("low", "high")
"""Headings of the ends of the only estimates of a table."""
POINTS = f"{words.HARD_SPACE}points"
"""Said once in the name of a row of them, not in its every cell."""
MOST_LABELS = 9
"""Labels that a matrix has as columns; more would not fit a page."""
CORNER = "reference \\ judge"


@dataclass(frozen=True)
class Column:
    """A column of a table: heading, and how its numbers are written in text (sheets and JSON carry them in full).

    Attributes
    ----------
    ends : (str, str) or ()
        Headings of both ends of an interval, where a flat table gives them beside the value; else it gives the value alone.
    """

    name: str
    format: Format = "text"
    ends: tuple[str, ...] = ()


@dataclass(frozen=True)
class Table:
    """A table with a caption that says what its numbers rest on.

    Attributes
    ----------
    key : str
        Name in file names, sheets and labels: lower-case letters and hyphens.
    rows : tuple of tuple of Cell
    notes : tuple of str
        Below it: why a number is undefined, and the like.
    forms : tuple of Format
        How the cells of each row are written in columns of format “number”, where rows are of different units.
    """

    key: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()
    forms: tuple[Format, ...] = ()


def cell(value: float | None) -> float | None:
    """Return a number as a cell; None where it is undefined."""
    return None if value is None or not math.isfinite(value) else float(value)


def form_of(record: Metric) -> Format:
    """Return how the numbers of a metric are written."""
    return UNITS.get(record.unit, "number")


def with_ends(name: str, form: Format = "number") -> Column:
    """Return a column of estimates, whose ends stand beside the value as “name low” and “name high”."""
    return Column(name, form, (f"{name} low", f"{name} high"))


def by_part(
    key: str,
    caption: str,
    head: Sequence[Column],
    rows: Iterable[tuple[Sequence[Cell], Estimates]],
    metrics: Sequence[tuple[Column, str]],
    notes: Iterable[str] = (),
) -> Table:
    """Return a table with a row to a part and a column to a metric.

    Parameters
    ----------
    head : sequence of Column
        Of the cells that stand first in a row, such as its name and its count.
    rows : iterable of (cells, Estimates)
        The cells of `head` and the estimates behind them.
    metrics : sequence of (Column, str)
        Each metric's column and key.
    """
    table_rows = tuple((*first, *(part[metric] for _, metric in metrics)) for first, part in rows)
    return Table(key, caption, (*head, *(column for column, _ in metrics)), table_rows, tuple(notes))


def by_metric(
    key: str,
    caption: str,
    head: Column,
    metrics: Iterable[tuple[str, str, Format]],
    parts: Sequence[tuple[Column, Estimates]],
    notes: Iterable[str] = (),
) -> Table:
    """Return a table with a row to a metric and a column to a part.

    Parameters
    ----------
    metrics : iterable of (str, str, Format)
        Name, key and format of each metric.
    parts : sequence of (Column, Estimates)
        Each part's column and estimates; the columns are of format “number”, a row's own format holds in them.
    """
    shown = tuple(metrics)
    rows: list[tuple[Cell, ...]] = [(name, *(part[metric] for _, part in parts)) for name, metric, _ in shown]
    heads = (head, *(column for column, _ in parts))
    return Table(key, caption, heads, tuple(rows), tuple(notes), tuple(form for *_, form in shown))


def with_column(table: Table, column: Column, cells: Iterable[Cell]) -> Table:
    """Return the table with a further column behind the others.

    Parameters
    ----------
    table : Table
    column : Column
    cells : iterable of Cell
        One for each row.
    """
    rows = tuple((*row, table_cell) for row, table_cell in zip(table.rows, cells, strict=True))
    return replace(table, columns=(*table.columns, column), rows=rows)


def selected(table: Table, heads: Mapping[str, str | Column] | Sequence[str]) -> Table:
    """Return some columns of a table, by name; a mapping has the heading of each, or the column that it becomes."""
    named = heads if isinstance(heads, Mapping) else dict(zip(heads, heads, strict=True))
    places = {column.name: place for place, column in enumerate(table.columns)}
    columns = (replace(table.columns[places[name]], name=head) if isinstance(head, str) else head for name, head in named.items())
    return replace(table, columns=tuple(columns), rows=tuple(tuple(row[places[name]] for name in named) for row in table.rows))


def without_empty(table: Table) -> Table:
    """Return the table without the columns, and without the ends, that no row has."""

    def column_of(place: int) -> Column:
        cells = (row[place] for row in table.rows)
        ends = any(isinstance(table_cell, Estimate) and table_cell.ends for table_cell in cells)
        return table.columns[place] if ends else replace(table.columns[place], ends=())

    shown = _written(table)
    places = [place for place in range(len(table.columns)) if any(row[place] not in ("", words.UNDEFINED) for row in shown)]
    rows = tuple(tuple(row[place] for place in places) for row in table.rows)
    return replace(table, columns=tuple(map(column_of, places)), rows=rows)


def with_interval_columns(table: Table) -> Table:
    """Return the table with the intervals of a column that has ends as text in a column behind it."""
    heads: list[Column] = []
    for column in table.columns:
        heads += [replace(column, ends=()), Column("interval")] if column.ends else [column]
    rows: list[tuple[Cell, ...]] = []
    for place, row in enumerate(table.rows):
        cells: list[Cell] = []
        for value, form, column in zip(row, forms(table, place), table.columns, strict=True):
            cells += in_two(value, form) if column.ends else [value]
        rows.append(tuple(cells))
    return replace(table, columns=tuple(heads), rows=tuple(rows))


def matrix(labels: Sequence[str], counts: Sequence[Sequence[int]]) -> Table:
    """Return a confusion matrix alone, the reference in rows, the judge in columns."""
    rows: list[tuple[Cell, ...]] = [(name, *map(int, row)) for name, row in zip(labels, counts, strict=True)]
    return Table("confusion", "", (Column(CORNER), *(Column(label, "count") for label in labels)), tuple(rows))


def by_cell(labels: Sequence[str], counts: Sequence[Sequence[int]]) -> Table:
    """Return a confusion matrix with a row to each cell."""
    rows = ((a, b, int(n)) for a, row in zip(labels, counts, strict=True) for b, n in zip(labels, row, strict=True))
    return Table("confusion", "", (Column("human"), Column("judge"), Column("n", "count")), tuple(rows))


def counts_table(key: str, caption: str, labels: Sequence[str], counts: Sequence[Sequence[int]]) -> Table:
    """Return a confusion matrix: the reference in rows, the judge in columns, with sums; of many labels one row to a cell.

    Parameters
    ----------
    key, caption : str
    labels : sequence of str, length K
    counts : sequence of sequence of int, shape (K, K)
    """
    if len(labels) > MOST_LABELS:
        cells = selected(by_cell(labels, counts), {"human": "reference", "judge": "judge", "n": "n"})
        caption = f"{caption} Pairs of labels that do not stand here have none."
        return replace(cells, key=key, caption=caption, rows=tuple(row for row in cells.rows if row[-1]))
    inner = matrix(labels, counts)
    rows = [(*cells, int(sum(row))) for cells, row in zip(inner.rows, counts, strict=True)]
    sums = [int(sum(column)) for column in zip(*counts, strict=True)]
    return Table(key, caption, (*inner.columns, Column("sum", "count")), (*rows, ("sum", *sums, sum(sums))))


def written(cell: Cell, form: Format) -> str:
    """Return a cell as text: two decimals, or three, whole percents, counts in groups of three, a dash where undefined."""
    match cell:
        case None:
            return words.UNDEFINED
        case str():
            return cell
        case Estimate():
            return " ".join(filter(None, in_two(cell, form, "")))
    return _FORMS[form](cell)


def in_two(cell: Cell, form: Format, without: str = words.UNDEFINED) -> tuple[str, str]:
    """Return a value and its interval apart, as `words.estimate` writes them; `without` where there is no interval."""
    if not isinstance(cell, Estimate):
        return written(cell, form), without
    value, ends = words.apart(cell, _UNITS.get(form, ""), without)
    return value if form in _UNITS and form != "three" else written(cell.value, form), ends


_UNITS: dict[Format, str] = {"number": "", "percent": "%", "tenth": words.TENTHS, "points": "points", "three": words.FINE}
"""Forms that have a unit, whose interval decides on the decimals of the value, but of three; of others the interval has two."""

_FORMS: dict[Format, Callable[[float], str]] = {
    "text": str,
    "count": words.count,
    "number": words.number,
    "signed": lambda value: words.signed(value, 2),
    "percent": words.percent,
    "tenth": words.percent1,
    "points": words.points,
    "three": words.p3,
    "p": words.p_value,
}


def forms(table: Table, row: int) -> list[Format]:
    """Return how each cell of a row is written."""
    formats: list[Format] = [column.format for column in table.columns]
    return [table.forms[row] if table.forms and form == "number" else form for form in formats]


def texts(table: Table) -> list[list[str]]:
    """Return the rows of a flat table as text; where the name of a row says “points”, its cells do not."""
    return [
        [
            written(cell, form).removesuffix(POINTS if column.format != form else "")
            for cell, form, column in zip(row, forms(table, place), table.columns, strict=True)
        ]
        for place, row in enumerate(table.rows)
    ]


def as_text(table: Table) -> dict[str, list[str]]:
    """Return heading to cells as text, an estimate with its interval behind it: what a page shows."""
    rows = _written(table)
    return {column.name: [row[place] for row in rows] for place, column in enumerate(table.columns)}


def _written(table: Table) -> list[list[str]]:
    kinds = (forms(table, place) for place in range(len(table.rows)))
    return [
        [written(cell, form) for cell, form in zip(row, row_forms, strict=True)]
        for row, row_forms in zip(table.rows, kinds, strict=True)
    ]


def plain_rows(table: Table) -> list[tuple[Plain, ...]]:
    """Return the rows with a cell to a number: of an estimate its value, and its ends where the column names them."""
    return [
        tuple(number for table_cell, column in zip(row, table.columns, strict=True) for number in _numbers(table_cell, column))
        for row in table.rows
    ]


def flat(table: Table) -> Table:
    """Return the same table with a cell and a column to a number."""
    heads = tuple(replace(column, name=name, ends=()) for column in table.columns for name in (column.name, *column.ends))
    return replace(table, columns=heads, rows=tuple(plain_rows(table)))


def in_full(table: Table) -> dict[str, list[Plain]]:
    """Return heading to numbers in full, an estimate's ends in columns of their own: what a CSV file holds."""
    rows = plain_rows(table)
    return {column.name: [row[place] for row in rows] for place, column in enumerate(flat(table).columns)}


def _numbers(table_cell: Cell, column: Column) -> tuple[Plain, ...]:
    if not isinstance(table_cell, Estimate):
        return (table_cell, *(None for _ in column.ends))
    return (table_cell.value if table_cell.defined else None, *((table_cell.ends or (None, None)) if column.ends else ()))


def lines(table: Table, widths: Sequence[int], corner: str | None = None, *, whole: bool = False) -> list[str]:
    """Return the table as lines of a terminal.

    Parameters
    ----------
    widths : sequence of int
        Letters of each column: above 0 its cells stand on the right, in more letters where one would touch its neighbour; below
        0 on the left, cut to fit; 0 is for two blanks and a text of any length. Columns beyond these are left out.
    corner : str, optional
        What stands in the first line in place of the first column's heading.
    whole : bool
        Whether texts on the left keep all their letters: names of metrics do, names from a file need not.
    """
    heads, rows = [column.name for column in table.columns], _written(table)
    widths = [_apart(width, [row[place] for row in rows]) if place else width for place, width in enumerate(widths[: len(heads)])]
    head = "".join(map(_aligned, heads if corner is None else [corner, *heads[1:]], widths))
    fitted = _aligned if whole else _cut
    return [head, *("".join(map(fitted, row, widths)) for row in rows)]


def _apart(width: int, cells: Sequence[str]) -> int:
    """Return letters of a column in which no cell on the right touches the one before it."""
    longest = max(map(len, cells), default=0)
    return longest + 1 if 0 < width <= longest else width


def _cut(text: str, width: int) -> str:
    return _aligned(words.shorten(text, -width - 2) if width < 0 else text, width)


def _aligned(text: str, width: int) -> str:
    if not width:
        return f"  {text}" if text else ""
    return f"{text:>{width}}" if width > 0 else f"{text:<{-width}}"
