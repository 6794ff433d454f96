"""The report as a workbook: the verdict and what the numbers rest on first, then each table, then every other sentence."""

from __future__ import annotations

import datetime as dt
import io
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

import xlsxwriter

from metrics.report import texts
from metrics.report.document import Document, Figure, Part
from metrics.results import words
from metrics.results.prose import Listing, Paragraph
from metrics.results.tables import Format, Plain, Table, flat, forms, plain_rows

MOST, LONGEST_NAME = 16_383, 31
"""Letters of a cell and of a sheet's name. A cell takes twice as many, but counts a letter like 😀 as two."""
FORMS: dict[Format, str] = {
    "text": "General",
    "count": "#,##0",
    "number": "0.00",
    "signed": "+0.00;-0.00;0.00",
    "tenth": "0.0%",
    "percent": "0%",
    "points": '+0.0%"-points";-0.0%"-points";0%"-points"',
    "three": "0.000",
    "p": "0.000",
}
FIRST, LAST = "Report", "Text"
# Letters of the columns of the checklist, and of a column of any other table.
WIDTHS = (80, 18, 60, 50)
NARROWEST, WIDEST = 9, 60
OPTIONS = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
MADE = dt.datetime(1980, 1, 1)
"""A workbook says when it was made; always the same day, for the same bytes."""
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


@dataclass(frozen=True)
class Looks:
    """How cells look: headings, texts, and the numbers of each format."""

    bold: Any
    text: Any
    forms: dict[Format, Any]


@dataclass
class Sheet:
    """A sheet that is filled from the top down."""

    sheet: Any
    looks: Looks
    at: int = 0

    def row(self, cells: Sequence[Plain], forms: Sequence[Any]) -> None:
        """Write cells side by side; what is longer than a cell can hold goes on in the row below."""
        for line in zip_longest(*(_pieces(cell) for cell in cells)):
            for place, (cell, form) in enumerate(zip(line, forms, strict=True)):
                self._cell(place, cell, form)
            self.at += 1

    def lines(self, lines: Iterable[str], form: Any = None) -> None:
        """Write each text in a row of its own."""
        for line in lines:
            self.row([line], [form or self.looks.text])

    def _cell(self, place: int, cell: Plain, form: Any) -> None:
        if isinstance(cell, str):
            self.sheet.write_string(self.at, place, cell, form)
        elif cell is not None:
            self.sheet.write_number(self.at, place, cell, form)


def write(document: Document) -> bytes:
    """Return the report as XLSX: numbers in full, undefined ones as empty cells, and no text that a spreadsheet would compute.

    The same bytes for the same document.
    """
    kept = io.BytesIO()
    with xlsxwriter.Workbook(kept, OPTIONS) as book:
        book.set_properties({"title": _held(document.title)[:255], "created": MADE})
        shown = {name: book.add_format({"num_format": form, "valign": "top"}) for name, form in FORMS.items()}
        bold = book.add_format({"bold": True, "text_wrap": True, "valign": "top"})
        looks = Looks(bold, book.add_format({"text_wrap": True, "valign": "top"}), shown)
        _front(Sheet(book.add_worksheet(FIRST), looks), document)
        for name, table in texts.named_tables(document, LONGEST_NAME, (FIRST, LAST)):
            _table(Sheet(book.add_worksheet(name), looks), flat(table))
        _prose(Sheet(book.add_worksheet(LAST), looks), document)
    return kept.getvalue()


def _front(sheet: Sheet, document: Document) -> None:
    """Write who made it of what, the sentences of the first page, the paragraph of methods and the checklist."""
    bold = sheet.looks.bold
    for place, width in enumerate(WIDTHS):
        sheet.sheet.set_column(place, place, width)
    sheet.lines([document.title], bold)
    sheet.lines(paragraph.text for paragraph in document.lead)
    for section in document.sections:
        if section.own_page:
            sheet.lines(["", section.title], bold)
            for part in section.parts:
                sheet.lines(_part_lines(part), bold if isinstance(part, Paragraph) and part.kind == "verdict" else None)
    methods = texts.paragraphs(document, "methods")
    if methods:
        sheet.lines(["", "Methods"], bold)
        sheet.lines(methods)
    rows = texts.verdicts(document)
    if rows:
        sheet.lines([""])
        sheet.row(texts.CHECKLIST, [bold] * len(texts.CHECKLIST))
    for row in rows:
        state = f"{texts.MARKS[row.mark]} {row.state}"
        sheet.row((f"{row.number}. {row.name}", state, "\n".join(row.evidence), row.action), [sheet.looks.text] * len(WIDTHS))
    sheet.lines(["", document.made_with])


def _table(sheet: Sheet, table: Table) -> None:
    """Write the caption, a free row, the names of the columns and the numbers; notes below."""
    # A caption that is not wrapped goes on over the free cells to its right.
    sheet.lines([table.caption, ""], sheet.looks.forms["text"])
    heads = [column.name for column in table.columns]
    sheet.row(heads, [sheet.looks.bold] * len(heads))
    sheet.sheet.freeze_panes(sheet.at, 1)
    looks = {**sheet.looks.forms, "text": sheet.looks.text}
    rows = plain_rows(table)
    for place, cells in enumerate(rows):
        sheet.row(cells, [looks[form] for form in forms(table, place)])
    sheet.lines(["", *table.notes] if table.notes else (), sheet.looks.forms["text"])
    for place, head in enumerate(heads):
        written = [len(cell) for cell in (row[place] for row in rows) if isinstance(cell, str)]
        sheet.sheet.set_column(place, place, min(max([NARROWEST, len(head), *written]) + 2, WIDEST))


def _prose(sheet: Sheet, document: Document) -> None:
    """Write every sentence of the sections that are not on the first sheet, and each figure in words."""
    sheet.sheet.set_column(0, 0, WIDTHS[0])
    for section in document.sections:
        lines = [line for part in section.parts for line in _part_lines(part)]
        if lines and not section.own_page:
            sheet.lines([section.title], sheet.looks.bold)
            sheet.lines([*lines, ""])


def _part_lines(part: Part) -> tuple[str, ...]:
    match part:
        case Paragraph():
            return () if part.kind == "methods" else (part.text,)
        case Listing():
            return part.points
        case Figure():
            return (part.title, part.alt)
    return ()


def _pieces(cell: Plain) -> list[Plain]:
    """Return a cell as one or several; what is no number as text."""
    if isinstance(cell, str):
        return [*texts.chunks(_held(cell), MOST)]
    if cell is None or math.isnan(cell):
        return [None]
    return [cell if math.isfinite(cell) else words.number(cell)]


def _held(text: str) -> str:
    """Return a text as a cell can hold it: with its line breaks, without other control characters."""
    return _CONTROL.sub(" ", texts.encodable(text).replace("\r\n", "\n"))
