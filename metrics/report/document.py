"""A report before it has a format: headings, sentences, tables and figures, all as plain text and numbers.

Texts may hold anything a file holds. Every writer escapes all of them; none of them cuts one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from metrics import words

Cell = str | int | float | None
"""A number is written by its column's format; None where undefined, a dash in text and an empty cell in a sheet."""
Format = Literal["text", "count", "number", "percent", "points", "p"]
POINTS = f"{words.HARD_SPACE}points"
"""Said once in the name of a row of them, not in its every cell."""
Mark = Literal["met", "missed", "none"]


@dataclass(frozen=True)
class Paragraph:
    """One paragraph. `kind` “methods” is the paragraph to paste, “declaration” the line that gives the numbers their meaning."""

    text: str
    kind: Literal["plain", "declaration", "methods", "note", "warning"] = "plain"


@dataclass(frozen=True)
class Listing:
    """Sentences one below the other."""

    points: tuple[str, ...]


@dataclass(frozen=True)
class Column:
    """A column of a table: heading, and how its numbers are written in text (sheets and JSON carry them in full)."""

    name: str
    format: Format = "text"


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


@dataclass(frozen=True)
class Figure:
    """A figure that can be drawn: the values it shows, not the drawing.

    Attributes
    ----------
    kind : {"confusion", "criteria"}
        `confusion`: the mosaic of a table; `criteria`: a dot and a whisker per row.
    alt : str
        The same in words, with its numbers.
    shows : mapping
        What the drawing needs: for `confusion` `counts` (K, K) and `labels`, `abstention` (place of a third class or None);
        for `criteria` `symbol` and `rows` of (name, value, low, high, n, prevalence, degenerate, reason).
    """

    key: str
    kind: Literal["confusion", "criteria"]
    title: str
    alt: str
    shows: dict[str, Any]


@dataclass(frozen=True)
class Verdict:
    """A practice of the checklist as a report shows it."""

    number: int
    name: str
    mark: Mark
    state: str
    evidence: tuple[str, ...]
    action: str


@dataclass(frozen=True)
class Verdicts:
    """The checklist."""

    rows: tuple[Verdict, ...]


Part = Paragraph | Listing | Table | Figure | Verdicts


@dataclass(frozen=True)
class Section:
    """A heading and what stands below it."""

    key: str
    title: str
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Document:
    """A whole report.

    Attributes
    ----------
    title : str
    lead : tuple of Paragraph
        Above the first section: the declaration first.
    made_with : str
        Name and version of the program.
    """

    title: str
    lead: tuple[Paragraph, ...]
    sections: tuple[Section, ...]
    made_with: str

    def tables(self) -> Iterator[Table]:
        """Return every table, in reading order."""
        return (part for section in self.sections for part in section.parts if isinstance(part, Table))

    def figures(self) -> Iterator[Figure]:
        return (part for section in self.sections for part in section.parts if isinstance(part, Figure))


def written(cell: Cell, form: Format) -> str:
    """Return a cell as text: two decimals (p three), whole percents, counts in groups of three, a dash where undefined."""
    if cell is None:
        return words.UNDEFINED
    if isinstance(cell, str):
        return cell
    return _FORMS[form](cell)


_FORMS: dict[Format, Callable[[float], str]] = {
    "text": str,
    "count": words.count,
    "number": words.number,
    "percent": words.percent,
    "points": words.points,
    "p": words.p3,
}


def texts(table: Table) -> list[list[str]]:
    """Return the rows of a table as text."""
    return [
        [
            written(cell, form).removesuffix(POINTS if column.format != form else "")
            for cell, form, column in zip(row, forms(table, place), table.columns, strict=True)
        ]
        for place, row in enumerate(table.rows)
    ]


def forms(table: Table, row: int) -> list[Format]:
    """Return how each cell of a row is written."""
    own: list[Format] = [column.format for column in table.columns]
    return [table.forms[row] if table.forms and form == "number" else form for form in own]
