"""A file whose every text is an attack, from its bytes to every format of its report."""

from __future__ import annotations

import csv
import io

import openpyxl
import pytest
from markdown_it import MarkdownIt

import metrics
from metrics.analyses.review.decisions import Decision, Review
from metrics.report import texts
from metrics.report.checklist.contents import MOST_LETTERS, QUESTIONS
from metrics.report.making import Report, report_of
from metrics.report.verifying import verify
from metrics.report.writing import FORMATS, write
from metrics.results.safe_csv import FORMULA_STARTS
from tests.report.documents import HOSTILE, LONG

NUL = "\x00"
ATTACKS = [text.encode("utf-8", "replace").decode().replace(NUL, "") for text in HOSTILE if text.strip()]
CRITERIA = (ATTACKS[0], ATTACKS[5], ATTACKS[9], "a|b `c`\n# heading", LONG, "\u202eturned\u202c עברית 👩‍👩‍👧‍👦")
PEOPLE, JUDGES = (ATTACKS[8], "=1+1"), (ATTACKS[1], "@SUM(1)")
LABELS = ("<i>yes</i>", "=NO|`x`", "\\unsure{}")
NAME = "<img src=x onerror=pwned=1>=1+1|`$%#_&~.csv"


def file() -> bytes:
    made = io.StringIO()
    rows = csv.writer(made)
    rows.writerow(("item", "criterion", "rater", "role", "label"))
    for n, item in enumerate(ATTACKS):
        for k, name in enumerate(CRITERIA):
            rows.writerows((item, name, who, "human", LABELS[(n + k) % 2]) for who in PEOPLE)
            rows.writerows((item, name, who, "judge", LABELS[(n * (j + 2) + k) % 3]) for j, who in enumerate(JUDGES))
    return made.getvalue().encode()


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    path = tmp_path_factory.mktemp("hostile") / NAME
    path.write_bytes(file())
    ratings = metrics.read(path, labels=dict(zip(LABELS, ("positive", "negative", "abstention"), strict=True)))
    said = {question.key: text[:MOST_LETTERS] for question, text in zip(QUESTIONS, ATTACKS, strict=False)}
    decided = {
        name: Decision("drop", text[:5_000], text[:5_000], text[:5_000]) for name, text in zip(CRITERIA, ATTACKS, strict=False)
    }
    return report_of(ratings, answers=said, review=Review(NAME, ratings.source.sha256, decided))


def test_its_numbers_are_those_of_its_json(report: Report) -> None:
    found = verify(write(report, ".json"), file())
    assert found.same
    assert found.report is not None
    assert [suffix for suffix in FORMATS if write(found.report, suffix) != write(report, suffix)] == []


def test_no_cell_is_a_formula_and_every_name_is_whole(report: Report) -> None:
    rows = list(csv.DictReader(io.StringIO(write(report, ".csv").decode("utf-8-sig"), newline="")))
    texts_of = {key for key in rows[0] if key not in ("value", "low", "high")}
    assert [row[key] for row in rows for key in texts_of if row[key].startswith(FORMULA_STARTS)] == []
    assert set(CRITERIA) <= {row["criterion"].removeprefix("'") for row in rows}
    book = openpyxl.load_workbook(io.BytesIO(write(report, ".xlsx")))
    assert {cell.data_type for sheet in book for row in sheet.iter_rows() for cell in row} <= {"s", "n", "inlineStr"}


def test_markdown_holds_every_text_and_no_markup_of_the_file(report: Report) -> None:
    tokens = MarkdownIt("commonmark").enable("table").parse(write(report, ".md").decode())
    inside = [child for token in tokens for child in token.children or []]
    assert {one.type for one in (*tokens, *inside)} & {
        "html_block",
        "html_inline",
        "link_open",
        "image",
        "fence",
        "code_inline",
    } == set()
    shown = "".join(one.content for one in inside).replace("\u2068", "").replace("\u2069", "")
    assert [name for name in (*CRITERIA, *JUDGES, *LABELS, NAME) if texts.line(name) not in shown] == []
