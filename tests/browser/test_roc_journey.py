"""ROC and Youden: the cut is moved and read, the best one is a click away, and a link brings the view back."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

import metrics
from metrics.analyses.roc import readings
from metrics.analyses.roc.compute import cut_at
from metrics.results.words import number
from tests.browser.driver import SAMPLE, Dashboard, Opener

TITLE = "ROC and Youden"


@pytest.fixture(scope="module")
def sample() -> metrics.Ratings:
    return metrics.read(SAMPLE)


def slider(dashboard: Dashboard) -> Locator:
    return dashboard.main.get_by_test_id("stSlider").first.locator("input")


def test_the_cut_is_moved_read_and_taken_back(visit: Opener, sample: metrics.Ratings) -> None:
    dashboard = visit().open("/roc", TITLE)
    report = metrics.roc(sample)
    judge = sample.judges[0]
    curve = report.judges[judge].pooled.curve
    assert curve is not None
    assert curve.best is not None
    dashboard.expect_metric("AUC", number(curve.area.value))
    dashboard.bring(slider(dashboard))
    drawn = [dashboard.main.get_by_test_id(kind) for kind in ("stPlotlyChart", "stTable")]
    before = [parts.count() for parts in drawn]
    for _ in range(5):
        slider(dashboard).press("ArrowRight")
    threshold = float(slider(dashboard.settle()).input_value())
    assert threshold > curve.best.threshold
    moved = readings.cut_reading(report, cut_at(sample, judge, report.settings, threshold), curve.tally)
    expect(dashboard.main.get_by_text(moved)).to_be_visible()
    for parts, n in zip(drawn, before, strict=True):
        expect(parts).to_have_count(n)
    assert dashboard.choices["roc.cut"] == repr(threshold)
    dashboard.main.get_by_role("button", name="Best threshold", exact=True).click()
    best = readings.cut_reading(report, curve.best, curve.tally)
    expect(dashboard.main.get_by_text(best)).to_be_visible()
    assert "roc.cut" not in dashboard.settle().choices
    dashboard.expect_nothing_broken()
