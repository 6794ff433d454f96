"""From a mark in a figure to the rows behind it, and out as files."""

from __future__ import annotations

import csv
import io
import json
import re

import numpy as np
import pytest
from playwright.sync_api import expect

import metrics
from metrics.results.words import count
from tests.browser import tables
from tests.browser.driver import CRITERIA, GRID, LEVELS, MODES, MOSAIC, SAMPLE, Dashboard, Opener, block

TAKEN = re.compile("^These .* decisions")


@pytest.fixture(scope="module")
def ratings() -> metrics.Ratings:
    return metrics.read(SAMPLE)


def rows_of(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


def expect_behind(dashboard: Dashboard, number: int, unit: str = "decisions") -> None:
    expect(dashboard.main.locator("strong").get_by_text(re.compile(rf"^{count(number)} {unit}\b"))).to_be_visible()
    dashboard.settle()


def count_of(table: np.ndarray | None, cell: tuple[int, int]) -> int:
    assert table is not None
    return int(table[cell])


def expect_cell(dashboard: Dashboard, table: np.ndarray | None, cell: tuple[int, int], unit: str = "decisions") -> None:
    dashboard.click_mark(MOSAIC, cell)
    expect_behind(dashboard, count_of(table, cell), unit)


def test_a_criterion_lists_its_decisions_and_is_found_after_sorting(visit: Opener, ratings: metrics.Ratings) -> None:
    judge = ratings.judges[0]
    criteria = metrics.agreement(ratings, judges=[judge], interval="none").judges[judge].criteria
    weakest = min(criteria, key=lambda name: criteria[name].values["kappa"])
    dashboard = visit().open("/agreement?agreement.sort=As+in+the+file")
    for place, name in ((3, ratings.criteria[3]), (0, weakest)):
        if name == weakest:
            dashboard.select("Sort criteria", "Lowest first")
            expect(dashboard.figure(CRITERIA)).to_have_attribute("aria-label", re.compile(rf"by criterion\. {weakest}"))
            dashboard.settle()
        dashboard.click_mark(CRITERIA, [place])
        expect_behind(dashboard, criteria[name].n or 0)
        expect(dashboard.chosen("Criterion")).to_have_value(name)
        assert dashboard.marked(CRITERIA) == [[place]]
    expect_cell(dashboard, criteria[weakest].confusion, (0, 1))
    dashboard.expect_nothing_broken()


def test_a_cell_of_the_grid_is_a_choice_of_the_sidebar_and_one_of_the_matrix_lists_its_own(
    visit: Opener, ratings: metrics.Ratings
) -> None:
    dashboard = visit().open()
    for mode, level, cell, unit in (
        ("as_category", "micro", (2, 1), "decisions"),
        ("exclude", "item", (0, 1), "items"),
        ("as_unmet", "macro", None, ""),
        ("exclude", "micro", (1, 0), "decisions"),
    ):
        spot = [list(MODES).index(mode), list(LEVELS).index(level)]
        dashboard.click_mark(GRID, spot)
        for name in (MODES[mode], LEVELS[level]):
            expect(dashboard.radio(name)).to_be_checked()
        dashboard.settle()
        assert dashboard.marked(GRID) == [spot]
        if not cell:
            continue
        table = block(ratings, ratings.judges[0], mode, level).confusion
        expect_cell(dashboard, table, cell, unit)
        if mode == "exclude":
            head, *rows = rows_of(dashboard.download(TAKEN))
            assert {"answer", "question"} <= set(head)
            listed = {row[head.index("item")] for row in rows} if level == "item" else rows
            assert len(listed) == count_of(table, cell)
    dashboard.expect_nothing_broken()


def test_what_leaves_as_files_is_whole_and_starts_no_formula(visit: Opener) -> None:
    formulas = ("=1+1", "+cmd|' /C calc'!A0", "@SUM(A1)", "-2+3")
    data = tables.verdicts(criteria=formulas, judge="=judge", answer='=HYPERLINK("http://example.org")')
    data += data.splitlines(keepends=True)[-1]  # the same decision twice
    ratings = metrics.read(io.BytesIO(data))
    left = sum(ratings.left_out.counts().values())
    assert left
    dashboard = visit().open_file("formulas.csv", data)
    table = block(ratings, "=judge").confusion
    expect_cell(dashboard, table, (0, 0))
    dashboard.main.get_by_text("Table of criteria: counts").click()
    names = TAKEN, "Table of criteria (CSV)", "All numbers of all judges (CSV)"
    listed, criteria, numbers = texts = [dashboard.download(name) for name in names]
    assert len(rows_of(listed)) == 1 + count_of(table, (0, 0))
    assert len(rows_of(criteria)) > len(formulas)
    frame = metrics.agreement(ratings, interval="none").to_frame()
    head, *rows = rows_of(numbers)
    assert len(rows) == len(frame)
    assert head == list(map(str, frame.columns))
    assert list(json.loads(dashboard.download("The same as JSON"))["judges"]) == ["=judge"]
    for text in texts:
        assert "'=1+1" in text
        cells = [cell for row in rows_of(text) for cell in row if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]
        assert all(re.fullmatch(r"-?[0-9.]+(e-?[0-9]+)?", cell) for cell in cells)
    dashboard.go("Data")
    expect(dashboard.metric("Left out").get_by_test_id("stMetricValue")).to_have_text(str(left))
    head, *rows = rows_of(dashboard.download(re.compile("^Rows left out")))
    assert len(rows) == left
    assert head[:2] == ["row", "reason"]
    assert sorted(int(row[0]) for row in rows) == sorted(ratings.left_out.rows.tolist())
    assert not any(cell.startswith("=") for row in rows for cell in row)
    dashboard.expect_nothing_broken()
