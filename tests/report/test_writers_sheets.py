"""The report as a workbook, read back by another library."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import openpyxl
import pytest

from metrics.report import as_sheets, texts
from metrics.report.document import Document, Section
from metrics.results.prose import Paragraph
from metrics.results.tables import Column, Table
from tests.report import documents


def opened(document: Document) -> Any:
    return openpyxl.load_workbook(io.BytesIO(as_sheets.write(document)))


def column(sheet: Any, place: int = 0) -> list[Any]:
    return [row[place] for row in sheet.iter_rows(values_only=True)]


def test_numbers_are_there_in_full_and_undefined_ones_are_empty() -> None:
    book = opened(documents.usual())
    assert book.sheetnames == ["Report", "levels", "Text"]
    sheet = book["levels"]
    rows = list(sheet.iter_rows(values_only=True))
    assert rows[2] == tuple(column.name for column in documents.COLUMNS)
    assert [row[:3] for row in rows[3:6]] == [row[:3] for row in documents.ROWS]
    assert rows[5][2] is None
    assert rows[5][6] is None
    formats = [cell.number_format for cell in sheet[4]]
    assert formats == [as_sheets.FORMS[column.format] for column in documents.COLUMNS]
    assert sheet["C4"].value == documents.ROWS[0][2]


def test_the_first_sheet_tells_what_the_numbers_rest_on() -> None:
    document = documents.usual()
    told = column(opened(document)["Report"])
    assert told[:2] == [document.title, document.lead[0].text]
    assert texts.paragraphs(document, "methods")[0] in told
    rows = list(opened(document)["Report"].iter_rows(values_only=True))
    assert ("2. Give an interval", "✕ not met", "no interval asked for", "Choose an interval.") in [row[:4] for row in rows]
    prose = column(opened(document)["Text"])
    assert all(figure.alt in prose for figure in document.figures())


def test_hostile_texts_stay_texts() -> None:
    document = documents.hostile()
    book = opened(document)
    assert {cell.data_type for sheet in book for row in sheet.iter_rows() for cell in row} <= {"s", "n", "inlineStr"}
    assert not any(sheet._hyperlinks for sheet in book)
    names = column(book["names"])[3 : 3 + len(documents.HOSTILE)]
    assert [name or "" for name in names] == [as_sheets._held(text) for text in documents.HOSTILE]
    whole = zipfile.ZipFile(io.BytesIO(as_sheets.write(document)))
    sheets = [whole.read(name).decode() for name in whole.namelist() if "worksheets" in name]
    assert sheets
    assert not [text for text in sheets if "<f>" in text or "hyperlink" in text]


def test_a_text_longer_than_a_cell_goes_on_below() -> None:
    text = "🙂" * 40_000 + " end"
    table = Table("long", "", (Column("name"), Column("n", "count")), ((text, 5), ("next", 6)))
    document = Document("t", (), (Section("s", "s", (table, Paragraph(text))),), "m")
    book = opened(document)
    rows = list(book["long"].iter_rows(min_row=4, values_only=True))
    assert "".join(row[0] for row in rows[:-1]) == text
    assert [row[1] for row in rows] == [5, None, None, 6]
    assert "".join(cell for cell in column(book["Text"])[1:] if cell) == text


@pytest.mark.parametrize("document", [documents.usual(), documents.hostile(), documents.empty()])
def test_the_same_report_gives_the_same_bytes(document: Document) -> None:
    assert as_sheets.write(document) == as_sheets.write(document)
    entries = zipfile.ZipFile(io.BytesIO(as_sheets.write(document))).infolist()
    assert {entry.date_time for entry in entries} == {(1980, 1, 1, 0, 0, 0)}


def test_sheets_have_names_of_their_own_whatever_the_tables_are_called() -> None:
    keys = ("report", "k" * 40, "k" * 40, "a/b:c", "A-B-C", "text")
    tables = tuple(Table(key, "", (Column("x"),), (("1",),)) for key in keys)
    book = opened(Document("t", (), (Section("s", "s", tables),), "m"))
    assert len(book.sheetnames) == len({name.casefold() for name in book.sheetnames}) == 8
    assert all(len(name) <= 31 for name in book.sheetnames)


def test_rows_of_other_units_keep_their_numbers_and_say_the_unit() -> None:
    columns = (Column("metric"), Column("value", "number"), Column("n", "count"))
    rows = (("accuracy", 0.6812, 9), ("drift", -0.0934, 9), ("κ", 0.5, 9))
    table = Table("numbers", "", columns, rows, (), ("percent", "points", "number"))
    sheet = opened(Document("t", (), (Section("s", "s", (table,)),), ""))["numbers"]
    cells = [sheet.cell(row, 2) for row in (4, 5, 6)]
    assert [cell.value for cell in cells] == [0.6812, -0.0934, 0.5]
    assert [cell.number_format for cell in cells] == ["0%", as_sheets.FORMS["points"], "0.00"]
    assert "points" in cells[1].number_format
    assert {sheet.cell(row, 3).number_format for row in (4, 5, 6)} == {"#,##0"}
