"""Grades and preferences: from a file whose scale is asked for to the numbers of its page, by mouse and by link."""

from __future__ import annotations

import re

import numpy as np
from playwright.sync_api import expect

import metrics
from metrics.analyses.preferences.compute import preferences
from metrics.results.words import percent, value
from tests.browser import tables
from tests.browser.driver import FIND_MARK, Dashboard, Opener


def grades(labels: tuple[str, ...], seed: int = 6, n: int = 60) -> bytes:
    rng = np.random.default_rng(seed)
    human = rng.integers(len(labels), size=(n, 2))
    judge = np.clip(human + rng.integers(-1, 2, size=human.shape), 0, len(labels) - 1)
    rows = ((i, c, name) for i in range(n) for c, name in enumerate(("style", "facts")))
    return tables.as_csv((f"i{i}", name, "judge", labels[human[i, c]], labels[judge[i, c]], "") for i, c, name in rows)


def opened(dashboard: Dashboard, name: str, data: bytes, page: str) -> Dashboard:
    dashboard.open("/data", "Data").give(name, data)
    dashboard.expect_understood(name)
    dashboard.main.get_by_role("button", name="Analyse this file").click()
    expect(dashboard.main.get_by_text("Until you use the new file")).to_have_count(0)
    return dashboard.settle().go(page)


def click_row(dashboard: Dashboard, alt: str, row: int) -> Dashboard:
    plot = dashboard.main.get_by_role("figure", name=re.compile(alt)).locator(".js-plotly-plot")
    dashboard.bring(plot)
    box = dashboard.page.evaluate_handle(FIND_MARK, [plot.element_handle(), [row]]).json_value()
    assert box is not None
    x, y, width, height = box
    dashboard.page.mouse.move(x + width / 2 - 3, y + height / 2)
    dashboard.page.mouse.click(x + width / 2, y + height / 2)
    return dashboard


def test_grades_by_criterion_and_at_a_cut(visit: Opener) -> None:
    data = grades(("1", "2", "3", "4"))
    dashboard = opened(visit(1440, 1400), "grades.csv", data, "Scores")
    report = metrics.scores(metrics.read(data, scale="ordinal"))
    key = "weighted_kappa_quadratic"
    dashboard.expect_metric("κ quadratic", value(report.judges["judge"].pooled.values[key]))
    click_row(dashboard, "^κ quadratic", 1)
    dashboard.expect_metric("κ quadratic", value(report.judges["judge"].criteria["facts"].values[key]))
    expect(dashboard.chosen("Criterion")).to_have_value("facts")
    click_row(dashboard.settle(), r"^κ\. ≥", 2)
    expect(dashboard.main.get_by_role("heading", name="4 or above")).to_be_visible()
    assert dashboard.settle().choices["scores.criterion"] == "facts"
    dashboard.expect_nothing_broken()


def test_preferences_under_another_way_of_counting_ties(visit: Opener) -> None:
    data = grades(("A", "tie", "B"))
    dashboard = opened(visit(1440, 900), "pairs.csv", data, "Preferences")
    dashboard.page.set_viewport_size({"width": 390, "height": 844})
    ratings = metrics.read(data, labels={"A": "positive", "B": "negative", "tie": "tie"})
    found = preferences(ratings, "judge").pooled
    dashboard.expect_metric("Accuracy", percent(found["exclude"].values["accuracy"].value))
    dashboard.main.get_by_role("radio", name="Half a win").click()
    dashboard.expect_metric("Mean credit", percent(found["half"].values["accuracy:half"].value))
    dashboard.expect_said("a tie is half a win")
    assert dashboard.settle().choices["preferences.ties"] == "Half a win"
    dashboard.expect_nothing_broken()
