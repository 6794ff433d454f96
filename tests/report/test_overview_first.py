"""The first page of a report is the overview: the words and numbers of `metrics.overview` under the report's settings."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import Any

import openpyxl
import pytest

import metrics
from metrics import Overview
from metrics.analyses.overview.tables import CRITERIA, ITEMS, JUDGES, RELATIONS, step_words
from metrics.report.checklist.contents import Contents
from metrics.report.document import Section
from metrics.report.making import Report, report_of
from metrics.report.verifying import verify
from metrics.report.writing import today, write
from metrics.results.prose import Listing, Paragraph
from metrics.results.tables import Table
from tests.report.conftest import KINDS, SAMPLES, bytes_of, plain_report, ratings_named

VERDICTS = tuple(name for name in (*SAMPLES, *KINDS) if name != "mixed")


def first(report: Report) -> Section:
    """The overview, behind the page that says the most of it."""
    summary, overview, *_ = report.document().sections
    assert summary.key == "summary"
    return overview


def overview_of(name: str, report: Report | None = None) -> Overview:
    return metrics.overview(ratings_named(name), **(report or plain_report(name)).material.recipe.choices())


def tables(section: Section) -> dict[str, Table]:
    return {part.key: part for part in section.parts if isinstance(part, Table)}


@pytest.mark.parametrize("name", VERDICTS)
def test_it_says_what_the_overview_says(name: str) -> None:
    section, found = first(plain_report(name)), overview_of(name)
    assert (section.key, section.own_page) == ("overview", True)
    paragraphs = [part for part in section.parts if isinstance(part, Paragraph)]
    said = [statement.text for statement in found.verdict]
    assert [part.text for part in paragraphs][: len(said)] == said
    assert [part.kind for part in paragraphs][: len(said)] == ["verdict", *["plain"] * (len(said) - 1)]
    steps = [part.points for part in section.parts if isinstance(part, Listing)]
    assert steps == ([tuple(map(step_words, found.next))] if found.next else [])
    wanted = [JUDGES] * (len(found.judges) > 1) + [CRITERIA] * (len(found.criteria) > 1) + [ITEMS] * bool(found.items)
    assert list(tables(section)) == wanted
    rows = {key: [row[0] for row in shown.rows] for key, shown in tables(section).items()}
    assert rows.get(JUDGES, []) == [row.name for row in found.judges if len(found.judges) > 1]
    assert rows.get(ITEMS, []) == [row.item for row in found.items]


@pytest.mark.parametrize("name", VERDICTS)
def test_the_json_holds_it(name: str) -> None:
    assert json.loads(plain_report(name).to_json())["overview"] == json.loads(json.dumps(overview_of(name).to_dict()))


@pytest.mark.parametrize(
    "choices",
    [{"abstention": "as_unmet"}, {"abstention": "as_category", "cost": "halfway"}, {"interval": "none"}, {"confidence": 0.8},
     {"judges": ["lenient", "strict"]}, {"reference": "ana"}, {"interval": "bootstrap", "replicates": 100, "rng": 3}],
)  # fmt: skip
def test_it_is_under_the_settings_of_the_report(choices: dict[str, Any]) -> None:
    report = report_of(ratings_named("support_answers.csv"), **choices)
    assert report.to_dict()["overview"] == overview_of("support_answers.csv", report).to_dict()


def test_of_criteria_on_several_scales_it_says_which_it_is_on() -> None:
    report = plain_report("mixed")
    assert report.material.overview is not None
    assert report.material.overview.declaration.criteria == ("ok",)
    notes = [part.text for part in first(report).parts if isinstance(part, Paragraph) and part.kind == "note"]
    assert notes == ["The verdict is on ok. Numbers on depth and score follow below."]


def test_it_says_whose_numbers_follow_where_they_are_not_the_leaders() -> None:
    ratings = ratings_named("support_answers.csv")
    for judge, said in (("strict", ["The numbers that follow are those of strict."]), ("cautious", [])):
        parts = first(report_of(ratings, contents=Contents(judge), interval="none")).parts
        assert [part.text for part in parts if isinstance(part, Paragraph) and part.kind == "note"] == said


def test_it_can_be_left_out_and_its_tables_go_with_their_parts() -> None:
    ratings = ratings_named("support_answers.csv")
    without = report_of(ratings, contents=Contents(without=frozenset({"overview"})), interval="none")
    assert "overview" not in {section.key for section in without.document().sections}
    assert "Judge of the headline: strict." in [part.text for part in without.document().lead]
    assert not write(without, ".csv").decode().splitlines()[1].startswith("overview")
    bare = report_of(ratings, contents=Contents(without=frozenset({"judges", "criteria"})), interval="none")
    assert list(tables(first(bare))) == [ITEMS]


def test_what_no_row_has_is_no_column() -> None:
    report = report_of(ratings_named("support_answers.csv"), interval="none")
    heads = [column.name for column in tables(first(report))[JUDGES].columns]
    assert {"difference", "p"} & set(heads) == set()
    assert {"judge", "n", "coverage"} <= set(heads)
    assert all(not column.ends for column in tables(first(report))[JUDGES].columns)


def test_date_and_author_stand_first() -> None:
    report = report_of(ratings_named("rao_balanced.csv"), answers={"author": "Ana"}, interval="none")
    assert report.document("2026-03-04").lead[0].text == "2026-03-04 · Ana"
    assert report.document().lead[0].text == "Ana"
    assert plain_report("rao_balanced.csv").document().lead[0].text.startswith("File ")


@pytest.mark.parametrize("suffix", [".html", ".md", ".tex", ".pdf", ".xlsx"])
def test_a_written_report_has_its_date(suffix: str) -> None:
    report = plain_report("rao_balanced.csv")
    assert write(report, suffix, "2026-03-04") == write(report, suffix, "2026-03-04") != write(report, suffix)


def test_the_date_is_the_clocks_or_a_fixed_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", today())
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert today() == "1970-01-02"


def test_the_csv_begins_with_it() -> None:
    found = overview_of("support_answers.csv")
    rows = list(csv.DictReader(io.StringIO(write(plain_report("support_answers.csv"), ".csv").decode())))
    assert [row["text"] for row in rows[: len(found.verdict)]] == [statement.text for statement in found.verdict]
    told = [row for row in rows if row["part"] == "overview"]
    assert told == rows[: len(told)]
    judges = [row for row in told if row["judge"] and row["number"] == found.metric]
    assert [(row["judge"], float(row["value"]), row["text"]) for row in judges] == [
        (row.name, row.estimate.value, RELATIONS[row.relation]) for row in found.judges
    ]
    differences = [float(row["value"]) for row in told if row["number"].endswith("from the leader")]
    assert differences == [row.difference.value for row in found.judges[1:]]
    criteria = [(row["criterion"], float(row["value"])) for row in told if row["criterion"]]
    assert criteria == [(row.name, row.estimate.value) for row in found.criteria]
    assert sum(row["number"] == "item to read" for row in told) == len(found.items)
    assert {row["sha256"] for row in told} == {plain_report("support_answers.csv").material.recipe.sha256}


def test_the_workbook_begins_with_it() -> None:
    found = overview_of("support_answers.csv")
    book = openpyxl.load_workbook(io.BytesIO(write(plain_report("support_answers.csv"), ".xlsx", "2026-03-04")))
    cells = [row[0].value for row in book.worksheets[0].iter_rows()]
    said = [statement.text for statement in found.verdict]
    assert cells[1] == "2026-03-04"
    assert cells[cells.index(said[0]) :][: len(said)] == said
    assert book.sheetnames[1:4] == [JUDGES, CRITERIA, ITEMS]
    sheet = book[JUDGES]
    head = [cell.value for cell in sheet[3]]
    assert head[:4] == ["judge", found.symbol, f"{found.symbol} low", f"{found.symbol} high"]
    assert sheet.cell(4, 2).value == found.judges[0].estimate.value
    assert not [cell.value for row in book.worksheets[-1].iter_rows() for cell in row if cell.value in said]


def test_other_writers_begin_with_it() -> None:
    report, found = plain_report("support_answers.csv"), overview_of("support_answers.csv")
    page = write(report, ".html").decode()
    assert page.index(found.verdict[-1].text) < page.index('id="numbers"')
    assert '<section id="overview" class="own-page">' in page
    lines = write(report, ".md").decode().splitlines()
    assert f"**{found.verdict[0].text}**" in lines
    tex = write(report, ".tex").decode()
    assert tex.index("\\clearpage") < tex.index("\\section{Agreement of strict")


def test_a_report_from_before_there_was_an_overview_is_still_verified() -> None:
    older = json.loads(plain_report("rao_abstention.csv").to_json())
    del older["overview"]
    assert verify(json.dumps(older), bytes_of("rao_abstention.csv")).same
    older = json.loads(plain_report("rao_abstention.csv").to_json())
    older["overview"]["judges"][0]["value"] += 2**-40
    assert not verify(json.dumps(older), bytes_of("rao_abstention.csv")).same
