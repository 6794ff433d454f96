"""Sheets of a workbook: shown by their first rows, and read as files of their own."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import openpyxl
import pytest

import metrics
from metrics.asker import answering
from metrics.errors import InputError
from metrics.readers import build, confirmed, open_table, propose
from metrics.readers.limits import Limits
from metrics.readers.opening import open_sheets, own_files
from metrics.readers.workbook import SHOWN_LETTERS, first_rows

Rows = Sequence[Sequence[Any]]
GOLD: Rows = [("id", "label"), *((f"q{n}", "yes" if n % 2 else "no") for n in range(8))]
GPT: Rows = [("id", "verdict", "note"), *((f"q{n}", "yes" if n % 3 else "no", f"note {n}") for n in range(8))]
ABOUT: Rows = [("Labels of the second quarter",)]


def workbook(**sheets: Rows) -> bytes:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        page = book.create_sheet(title)
        for row in rows:
            page.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def test_a_sheet_shows_the_names_of_its_columns_and_three_rows() -> None:
    about, gold, gpt = first_rows(workbook(about=ABOUT, gold=GOLD, empty=[], gpt=GPT), "labels.xlsx")
    assert (about.title, about.rows, about.may_be_table) == ("about", (("Labels of the second quarter",),), False)
    assert (gold.title, gold.rows) == ("gold", (("id", "label"), ("q0", "no"), ("q1", "yes"), ("q2", "no")))
    assert (gpt.title, gpt.may_be_table) == ("gpt", True)


def test_no_more_is_shown_than_tells_sheets_apart() -> None:
    wide = [[f"c{n}" for n in range(30)], ["x" * 5000] * 30, [None, 3, 2.5, True]]
    (sheet,) = first_rows(workbook(wide=wide), "wide.xlsx")
    assert [len(row) for row in sheet.rows] == [6, 6, 4]
    assert len(sheet.rows[1][0]) <= SHOWN_LETTERS
    assert sheet.rows[2] == ("", "3", "2.5", "true")


def test_rows_far_below_do_not_make_a_sheet_empty() -> None:
    late = [*([[]] * 20), ["id", "label"]]
    assert [sheet.title for sheet in first_rows(workbook(late=late, none=[]), "late.xlsx")] == ["late"]


def bomb() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(workbook(gold=GOLD))) as before, zipfile.ZipFile(out, "w") as after:
        for name in before.namelist():
            after.writestr(name, before.read(name).replace(b"<worksheet", b'<!DOCTYPE x [<!ENTITY j "J">]><worksheet'))
    return out.getvalue()


@pytest.mark.parametrize("data", [b"", b"id,label\nq1,yes\n", workbook(gold=GOLD)[:-40], bomb()])
def test_what_is_no_workbook_or_no_good_one_has_no_sheets(data: bytes) -> None:
    assert first_rows(data, "odd.xlsx") == ()


def test_limits_hold_for_the_first_rows_too() -> None:
    data = workbook(gold=GOLD, gpt=GPT)
    assert len(first_rows(data, "labels.xlsx")) == 2
    assert first_rows(data, "labels.xlsx", Limits(unpacked=100)) == ()


def ratings_of(table: metrics.readers.TextTable) -> metrics.Ratings:
    return build(table, confirmed(propose(table)))


def test_several_sheets_are_what_they_are_when_each_is_saved_as_a_file(tmp_path: Path) -> None:
    book = workbook(about=ABOUT, gold=GOLD, gpt=GPT, bot=GPT)
    table = open_sheets([("labels.xlsx", book)], [("gold", "gpt")])
    assert (table.name, [part.name for part in table.parts]) == ("labels.xlsx", ["gold.xlsx", "gpt.xlsx"])
    assert [part.name for part in own_files(table)] == ["gold.xlsx", "gpt.xlsx"]
    for name, rows in (("gold", GOLD), ("gpt", GPT)):
        (tmp_path / f"{name}.xlsx").write_bytes(workbook(**{name: rows}))
    together = ratings_of(table)
    proposal = propose(table)
    saved = metrics.read([tmp_path / "gold.xlsx", tmp_path / "gpt.xlsx"], columns=proposal.columns_answer)
    assert (together.humans, together.judges) == (("gold",), ("gpt",))
    for ratings in (together, saved):
        assert metrics.agreement(ratings, interval="none").judges["gpt"].micro.n == 8
    assert metrics.agreement(together).to_dict()["judges"] == metrics.agreement(saved).to_dict()["judges"]


def test_the_sheets_that_belong_together_are_the_option_of_the_command_line() -> None:
    table = open_sheets([("labels.xlsx", workbook(about=ABOUT, gold=GOLD, gpt=GPT))], [("gold", "gpt")])
    assert ([part.name for part in table.parts], table.how.sheet) == (["gold.xlsx", "gpt.xlsx"], "*")
    assert not own_files(table)
    assert metrics.import_report(ratings_of(table)).command.startswith("python -m metrics overview labels.xlsx ")


def test_other_sheets_of_a_workbook_are_another_table() -> None:
    data = workbook(gold=GOLD, gpt=GPT, bot=GPT)
    ids = {open_sheets([("labels.xlsx", data)], [chosen]).sha256 for chosen in (("gold", "gpt"), ("gold", "bot"), ("gold",))}
    assert len(ids) == 2, "two sheets alike are one table"
    other = workbook(gold=GOLD, gpt=GPT, bot=[*GPT, ("q8", "yes", "")])
    assert (
        open_sheets([("l.xlsx", other)], [("gold", "gpt")]).sha256 != open_sheets([("l.xlsx", other)], [("gold", "bot")]).sha256
    )


def test_one_sheet_of_each_workbook_is_the_option_of_the_command_line() -> None:
    gold, gpt = workbook(about=ABOUT, labels=GOLD), workbook(labels=GPT, more=GOLD)
    table = open_sheets([("gold.xlsx", gold), ("gpt.xlsx", gpt)], [("labels",), ("labels",)])
    assert ([part.name for part in table.parts], table.how.sheet) == (["gold.xlsx", "gpt.xlsx"], "labels")
    assert not own_files(table)
    (single,) = [open_sheets([("gold.xlsx", gold)], [("labels",)])]
    assert (single.name, single.how.sheet, single.parts) == ("gold.xlsx", "labels", ())


def test_sheets_of_different_names_are_files_of_their_own() -> None:
    gold, gpt = workbook(about=ABOUT, first=GOLD), workbook(second=GPT, more=GOLD)
    table = open_sheets([("gold.xlsx", gold), ("gpt.xlsx", gpt)], [("first",), ("second",)])
    assert ([part.name for part in table.parts], table.how.sheet) == (["first.xlsx", "second.xlsx"], "")
    assert len(own_files(table)) == 2


def test_a_file_that_is_no_workbook_has_no_sheet_to_choose() -> None:
    text = "\n".join(",".join(row) for row in GPT).encode()
    table = open_sheets([("gold.xlsx", workbook(about=ABOUT, labels=GOLD)), ("gpt.csv", text)], [("labels",), ("labels", "gone")])
    assert ([part.name for part in table.parts], table.how.sheet) == (["gold.xlsx", "gpt.csv"], "labels")
    assert ratings_of(table).judges == ("gpt",)


def test_a_sheet_that_is_not_there_is_refused_by_name() -> None:
    with pytest.raises(InputError, match="has no sheet ‘gone’"):
        open_sheets([("labels.xlsx", workbook(gold=GOLD, gpt=GPT))], [("gold", "gone")])


def test_a_sheet_of_remarks_gives_way_to_the_first_that_is_a_table() -> None:
    table = open_table(workbook(about=ABOUT, remarks=[("first",), ("second",), ("third",)], gold=GOLD), "labels.xlsx")
    assert (table.columns, table.sheets[0]) == (("id", "label"), "gold")


def test_every_sheet_with_a_table_is_a_file_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "labels.xlsx"
    path.write_bytes(workbook(about=ABOUT, gold=GOLD, gpt=GPT))
    table = open_table(path, sheet="*")
    assert [part.name for part in table.parts] == ["gold.xlsx", "gpt.xlsx"]
    ratings = metrics.read(path, sheet="*", columns=propose(table).columns_answer)
    chosen = ratings_of(open_sheets([("labels.xlsx", path.read_bytes())], [("gold", "gpt")]))
    assert metrics.agreement(ratings).to_dict()["judges"] == metrics.agreement(chosen).to_dict()["judges"]
    report = metrics.import_report(ratings)
    assert report.python.startswith('metrics.read("labels.xlsx", ')
    assert report.command.endswith('--sheet "*"')
    beside = open_table([path, pathed(tmp_path, "more.csv", GPT)], sheet="*")
    assert [part.name for part in beside.parts] == ["gold.xlsx", "gpt.xlsx", "more.csv"]
    assert open_table(workbook(about=ABOUT, gold=GOLD), "one.xlsx", sheet="*").sheets[0] == "gold"
    assert open_table(pathed(tmp_path, "more.csv", GPT), sheet="*").columns == ("id", "verdict", "note")


def pathed(folder: Path, name: str, rows: Rows) -> Path:
    (folder / name).write_text("\n".join(",".join(row) for row in rows), "utf-8")
    return folder / name


def test_a_first_sheet_without_verdicts_names_the_others() -> None:
    labels = [("item", "human", "verdict"), ("a", "yes", "no"), ("b", "no", "no")]
    data = workbook(notes=[("state", "remark"), ("today", "none")], labels=labels)
    for who, words in (("command", "--sheet, of labels."), ("python", "sheet=…, of labels."), ("page", "choose that one.")):
        with answering(who):  # type: ignore[arg-type]
            sentences = [doubt.sentence for doubt in propose(open_table(data, "two.xlsx")).doubts]
        assert [words in sentence for sentence in sentences] == [True]
    assert metrics.read(data, sheet="labels").n_items == 2


def test_a_sheet_about_something_else_is_no_file() -> None:
    summary: Rows = [("Rater", "Mean", "N"), ("gold", 0.5, 8), ("gpt", 0.6, 8)]
    assert [part.name for part in open_table(workbook(gold=GOLD, gpt=GPT, Summary=summary), "l.xlsx", sheet="*").parts] == [
        "gold.xlsx", "gpt.xlsx",
    ]  # fmt: skip
    other = [("id", "label"), *((f"x{n}", "yes") for n in range(8))]
    assert len(open_table(workbook(gold=GOLD, more=other), "l.xlsx", sheet="*").parts) == 2, "a batch has the same columns"
