"""ROC and thresholds: the cut is moved and read, the best one is a click away, and a link brings the view back."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

import metrics
from metrics.analyses.roc import readings
from metrics.analyses.roc.compute import cut_at
from metrics.results.words import number
from tests.browser.driver import SAMPLE, Opener

TITLE = "ROC and thresholds"


@pytest.fixture(scope="module")
def sample() -> metrics.Ratings:
    return metrics.read(SAMPLE)


def test_the_page_follows_the_threshold_and_goes_back_to_the_best(visit: Opener, sample: metrics.Ratings) -> None:
    dashboard = visit().open("/roc", TITLE)
    report = metrics.roc(sample)
    judge = sample.judges[0]
    curve = report.judges[judge].pooled.curve
    assert curve is not None
    assert curve.best is not None
    dashboard.expect_metric("AUC", number(curve.area.value))
    grip = dashboard.main.get_by_role("slider", name=re.compile("Threshold on the curve"))
    drawn = [dashboard.main.get_by_test_id(kind) for kind in ("stPlotlyChart", "stTable")]
    before = [parts.count() for parts in drawn]
    for _ in range(5):
        grip.press("ArrowLeft")
    dashboard.page.wait_for_url(re.compile("roc.cut="))
    threshold = float(dashboard.settle().choices["roc.cut"])
    assert list(curve.tally.level).index(threshold) == list(curve.tally.level).index(curve.best.threshold) - 5
    moved = readings.cut_reading(report, cut_at(sample, judge, report.settings, threshold), curve.tally)
    expect(dashboard.main.get_by_text(moved)).to_be_visible()
    for parts, n in zip(drawn, before, strict=True):
        expect(parts).to_have_count(n)
    dashboard.main.get_by_role("button", name="Best threshold", exact=True).click()
    best = readings.cut_reading(report, curve.best, curve.tally)
    expect(dashboard.main.get_by_text(best)).to_be_visible()
    assert "roc.cut" not in dashboard.settle().choices
    dashboard.expect_nothing_broken()
