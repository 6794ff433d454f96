"""From a mark in a figure to the rows behind it, and out as files."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest
from playwright.sync_api import expect

import metrics
from metrics.results.words import count
from tests.browser import tables
from tests.browser.driver import CRITERIA, GRID, LEVELS, MODES, MOSAIC, SAMPLE, Dashboard, Opener, block


@pytest.fixture(scope="module")
def ratings() -> metrics.Ratings:
    return metrics.read(SAMPLE)


def rows_of(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


def expect_behind(dashboard: Dashboard, number: int, unit: str = "decisions") -> None:
    expect(dashboard.main.locator("strong").get_by_text(re.compile(rf"^{count(number)} {unit}\b"))).to_be_visible()
    dashboard.settle()


def test_a_cell_of_the_matrix_lists_its_decisions(visit: Opener, ratings: metrics.Ratings) -> None:
    table = block(ratings, ratings.judges[0]).confusion
    assert table is not None
    dashboard = visit().open()
    for cell in [(0, 1), (1, 0), (1, 1)]:
        dashboard.click_mark(MOSAIC, cell)
        expect_behind(dashboard, int(table[cell]))
        head, *rows = rows_of(dashboard.download(re.compile("^These .* decisions")))
        assert len(rows) == table[cell]
        assert {"answer", "question"} <= set(head)
    dashboard.expect_nothing_broken()


def test_a_cell_of_third_class_and_back(visit: Opener, ratings: metrics.Ratings) -> None:
    table = block(ratings, ratings.judges[0], "as_category").confusion
    assert table is not None
    dashboard = visit().open().toggle("as_category", "micro").click_mark(MOSAIC, (2, 1))
    expect_behind(dashboard, int(table[2, 1]))
    dashboard.toggle("exclude", "micro")
    dashboard.expect_nothing_broken()
    dashboard.click_mark(MOSAIC, (0, 0))
    two = block(ratings, ratings.judges[0]).confusion
    assert two is not None
    expect_behind(dashboard, int(two[0, 0]))


def test_a_cell_of_items_lists_the_items(visit: Opener, ratings: metrics.Ratings) -> None:
    table = block(ratings, ratings.judges[0], level="item").confusion
    assert table is not None
    dashboard = visit().open().toggle("exclude", "item").click_mark(MOSAIC, (0, 1))
    expect_behind(dashboard, int(table[0, 1]), "items")
    head, *rows = rows_of(dashboard.download(re.compile("^These .* decisions")))
    assert len({row[head.index("item")] for row in rows}) == table[0, 1]


def test_a_criterion_lists_its_decisions(visit: Opener, ratings: metrics.Ratings) -> None:
    judge = ratings.judges[0]
    blocks = metrics.agreement(ratings, judges=[judge], interval="none").judges[judge].criteria
    dashboard = visit().open()
    for place in (4, 0):
        name = ratings.criteria[place]
        dashboard.click_mark(CRITERIA, [place])
        expect_behind(dashboard, blocks[name].n or 0)
        expect(dashboard.chosen("Criterion")).to_have_value(name)
        assert dashboard.marked(CRITERIA) == [[place]]
    table = blocks[name].confusion
    assert table is not None
    dashboard.click_mark(MOSAIC, (0, 1))
    expect_behind(dashboard, int(table[0, 1]))


def test_a_criterion_is_found_after_sorting(visit: Opener, ratings: metrics.Ratings) -> None:
    judge = ratings.judges[0]
    blocks = metrics.agreement(ratings, judges=[judge], interval="none").judges[judge].criteria
    weakest = min(blocks, key=lambda name: blocks[name].values["kappa"])
    dashboard = visit().open().select("Sort criteria", "Lowest first")
    expect(dashboard.figure(CRITERIA)).to_have_attribute("aria-label", re.compile(rf"by criterion\. {weakest}"))
    dashboard.settle().click_mark(CRITERIA, [0])
    expect(dashboard.chosen("Criterion")).to_have_value(weakest)
    expect_behind(dashboard, blocks[weakest].n or 0)


def test_a_cell_of_the_grid_is_a_choice_of_the_sidebar(visit: Opener) -> None:
    dashboard = visit().open()
    for row, column in [(2, 2), (0, 1), (1, 1), (0, 0)]:
        dashboard.click_mark(GRID, (row, column))
        for name in (list(MODES.values())[row], list(LEVELS.values())[column]):
            expect(dashboard.radio(name)).to_be_checked()
        dashboard.settle()
        assert dashboard.marked(GRID) == [[row, column]]
    dashboard.expect_nothing_broken()


def test_the_numbers_of_all_judges_leave_as_files(visit: Opener, ratings: metrics.Ratings) -> None:
    dashboard = visit().open().toggle("as_unmet", "micro")
    report = metrics.agreement(ratings, abstention="as_unmet", interval="none")
    head, *rows = rows_of(dashboard.download("All numbers of all judges (CSV)"))
    frame = report.to_frame()
    assert len(rows) == len(frame)
    assert head == list(map(str, frame.columns))
    assert {row[head.index("judge")] for row in rows} == set(ratings.judges)
    found = json.loads(dashboard.download("The same as JSON"))
    assert found["judges"].keys() == report.judges.keys() if isinstance(found["judges"], dict) else len(found["judges"]) == 3


def test_no_file_that_leaves_starts_a_formula(visit: Opener) -> None:
    formulas = ("=1+1", "+cmd|' /C calc'!A0", "@SUM(A1)", "-2+3")
    data = tables.verdicts(criteria=formulas, judge="=judge", answer='=HYPERLINK("http://example.org")')
    dashboard = visit().open_file("formulas.csv", data).click_mark(MOSAIC, (0, 0))
    ratings = metrics.read(io.BytesIO(data))
    table = block(ratings, "=judge").confusion
    assert table is not None
    expect_behind(dashboard, int(table[0, 0]))
    dashboard.main.get_by_text("Table of criteria: counts").click()
    texts = [
        dashboard.download(name)
        for name in (re.compile("^These .* decisions"), "Table of criteria (CSV)", "All numbers of all judges (CSV)")
    ]
    assert len(rows_of(texts[0])) == 1 + table[0, 0]
    for text in texts:
        assert "'=1+1" in text
        cells = [cell for row in rows_of(text) for cell in row if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]
        assert all(re.fullmatch(r"-?[0-9.]+(e-?[0-9]+)?", cell) for cell in cells)
    dashboard.expect_nothing_broken()


def test_left_out_rows_leave_with_their_reasons(visit: Opener) -> None:
    data = tables.as_csv([
        *((f"i{i}", "right", "judge", "MET" if i % 2 else "UNMET", "MET" if i % 3 else "UNMET", "=x") for i in range(30)),
        ("i1", "right", "judge", "MET", "MET", "=x"),
        ("i40", "right", "judge", "", "MET", "=x"),
    ])  # fmt: skip
    ratings = metrics.read(io.BytesIO(data))
    left = sum(ratings.left_out.counts().values())
    assert left
    dashboard = visit().open_file("left.csv", data).go("Your data", "Data")
    expect(dashboard.metric("Left out").get_by_test_id("stMetricValue")).to_have_text(str(left))
    head, *rows = rows_of(dashboard.download(re.compile("^Rows left out")))
    assert len(rows) == left
    assert head[:2] == ["row", "reason"]
    assert sorted(int(row[0]) for row in rows) == sorted(ratings.left_out.rows.tolist())
    assert not any(cell.startswith("=") for row in rows for cell in row)
