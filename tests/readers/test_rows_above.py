"""What an export writes above the header: a title, a date, blank rows. Rows keep their numbers in the file."""

from __future__ import annotations

import io

import openpyxl
import pytest

import metrics
from metrics.readers import open_table
from metrics.readers.headers import MOST_ABOVE, rows_above

HEAD = ["item", "human", "verdict"]
BODY = [[f"i{place}", "yes" if place % 3 else "no", "yes" if place % 4 else "no"] for place in range(40)]
ABOVE = [[["Evaluation export"]], [["Evaluation export"], []], [["Export"], ["2026-01-02"], [], []], [[""], ["Export", "", ""]]]


def csv_of(rows: list[list[str]], mark: str = ",", end: str = "\n") -> bytes:
    return end.join(mark.join(row) for row in rows).encode()


def xlsx_of(rows: list[list[str]]) -> bytes:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


@pytest.mark.parametrize("above", ABOVE)
@pytest.mark.parametrize("kind", ["comma", "semicolon", "tab", "windows", "xlsx"])
def test_the_table_below_is_read_and_the_rows_above_are_told(above: list[list[str]], kind: str) -> None:
    rows = [*above, HEAD, *BODY]
    data = {
        "comma": lambda: csv_of(rows),
        "semicolon": lambda: csv_of(rows, ";"),
        "tab": lambda: csv_of(rows, "\t"),
        "windows": lambda: csv_of(rows, end="\r\n"),
        "xlsx": lambda: xlsx_of(rows),
    }[kind]()
    ratings = metrics.read(data)
    assert ratings.items.to_pylist() == [row[0] for row in BODY]
    n = ratings.source.first_row - 2
    # A file that begins with blank lines begins below them.
    assert n in (len(above), len([row for row in above if any(row)]))
    assert any("above the header" in note for note in ratings.source.notes)


@pytest.mark.parametrize("make", [csv_of, xlsx_of])
def test_messages_name_the_row_of_the_file(make: object) -> None:
    above = [["Evaluation export"], []]
    for wrong, told in (["i99", "maybe?", "yes"], "row 44"), (["i99", "yes", "no", "more"], "Row 44"):
        with pytest.raises(metrics.InputError, match=told):
            metrics.read(make([*above, HEAD, *BODY, wrong]))  # type: ignore[operator]
    ratings = metrics.read(make([*above, HEAD, *BODY, ["i99", "yes", "no", "more"]]), skip_bad_rows=True)  # type: ignore[operator]
    assert ratings.left_out.rows.tolist() == [44]
    assert ratings.record_numbers(ratings.row[:2]).tolist() == [4, 5]


@pytest.mark.parametrize(
    "rows",
    [
        [HEAD, *BODY],
        [["item"], ["i1", "yes", "no"]],
        [["Export"], ["1", "2", "3"], HEAD],
        [["Export"], ["item", "item", "human"]],
        [["Export"], ["red", "green", "blue"]],
        [*[["Export"]] * (MOST_ABOVE + 1), HEAD],
        [["Export"]],
        [],
    ],
)
def test_the_first_row_is_the_header_where_none_below_can_be(rows: list[list[str]]) -> None:
    assert rows_above(rows) == 0


def test_the_line_under_the_names_of_a_markdown_table_is_no_row() -> None:
    rows = [f"| q{k} | {('yes', 'no')[k % 2]} | {('yes', 'no')[k % 3 > 0]} |" for k in range(9)]
    table = open_table("\n".join(["| item | human | verdict |", "|---|:---:|---:|", *rows]).encode())
    assert (table.n_rows, table.coded("item").names[0], table.number(0)) == (9, "q0", 3)
    assert metrics.read("\n".join(["| item | human | verdict |", "| --- | --- | --- |", *rows]).encode()).n_items == 9


LABELS = [row[1:] for row in BODY]
WITHOUT_HEADER = {
    "words": LABELS,
    "one column": [[human] for human, _ in LABELS],
    "numbers": [["01"[human == "yes"], "01"[judge == "yes"]] for human, judge in LABELS],
    "ids": [[f"q{place}", *labels] for place, labels in enumerate(LABELS)],
    "texts": [
        [str(900 - place), f"what is the answer to {place}?", ("billing", "login")[place % 2], str(1 + place % 5)]
        for place in range(40)
    ],
}


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
@pytest.mark.parametrize("rows", WITHOUT_HEADER.values(), ids=WITHOUT_HEADER)
def test_a_file_without_names_loses_no_row(rows: list[list[str]], kind: str) -> None:
    table = open_table(csv_of(rows) if kind == "csv" else xlsx_of(rows))
    assert table.columns == tuple(f"column {place + 1}" for place in range(len(rows[0])))
    assert (table.n_rows, table.number(0), table.number(39)) == (40, 1, 40)
    assert "The first row holds labels and no names of columns: the columns are numbered." in table.notes
    assert table.data.to_pylist()[0] == dict(zip(table.columns, rows[0], strict=True))


NAMED = {
    "a criterion": [["output", "correct"], ["a", "correct"], ["b", "incorrect"], ["c", "correct"]],
    "one label to each row": [["1", "0"], ["1", "0"], ["0", "1"], ["1", "0"]],
    "counts of raters": [["yes", "no"], ["3", "2"], ["4", "1"], ["5", "0"]],
    "numbers of items": [["1", "2", "3"], ["1", "1", "0"], ["1", "2", "2"], ["3", "3", "1"]],
    "two sides": [["", "yes", "no"], ["yes", "yes", "no"], ["no", "yes", "no"], ["", "yes", "yes"]],
    "questions": [["how clear was the answer to you?", "what would you change in it?"], *[["4", "it is fine as it is"]] * 9],
    "questions on ids": [["id", "what would you change in it?"], *[[str(place), "it is fine as it is"] for place in range(9)]],
    "few rows": [["yes", "no"], ["yes", "no"], ["no", "no"]],
}


@pytest.mark.parametrize("rows", NAMED.values(), ids=NAMED)
def test_labels_may_name_columns(rows: list[list[str]]) -> None:
    assert open_table(csv_of(rows)).n_rows == len(rows) - 1


def test_a_row_that_does_not_fit_a_file_without_names_is_told_by_its_number() -> None:
    with pytest.raises(metrics.InputError, match="Row 4 of"):
        open_table(csv_of([*LABELS[:3], ["yes"], *LABELS[3:]]))
