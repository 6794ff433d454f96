"""κ and φ: from the rows to the rate that parts them, and to the sentence for a paper."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

import metrics
from metrics.analyses.kappa_phi import readings
from metrics.analyses.kappa_phi.rows import GapRow, by_criterion, cause_of, pooled
from metrics.results.words import number, p3, points
from tests.browser.driver import FIND_MARK, SAMPLE, Dashboard, Opener
from tests.browser.test_layout import expect_readable, fits

TITLE, ADDRESS = "κ and φ", "/kappa-phi"
SHOWS = ("Surface", "Which rate causes it", "Five names, one number", "Variance")


@pytest.fixture(scope="module")
def report() -> metrics.AgreementReport:
    return metrics.agreement(metrics.read(SAMPLE))


def figures(dashboard: Dashboard, start: str) -> Locator:
    charts = dashboard.main.get_by_test_id("stPlotlyChart").locator("visible=true")
    return charts.and_(dashboard.page.get_by_role("figure", name=re.compile(start)))


def click_row(dashboard: Dashboard, place: int) -> None:
    plot = figures(dashboard, "^κ, φ, κ").locator(".js-plotly-plot")
    plot.scroll_into_view_if_needed()
    dashboard.settle()
    box = dashboard.page.evaluate_handle(FIND_MARK, [plot.element_handle(), [place]]).json_value()
    assert box is not None
    dashboard.page.mouse.move(box[0] + 10, box[1] + box[3] / 2)
    dashboard.page.mouse.click(box[0] + 12, box[1] + box[3] / 2)


def show(dashboard: Dashboard, name: str) -> None:
    dashboard.main.get_by_role("radiogroup", name="Show").get_by_text(name, exact=True).click()
    expect(dashboard.main.get_by_role("radio", name=name, exact=True)).to_be_checked()
    dashboard.settle()


def rows_of(report: metrics.AgreementReport, judge: str = "strict") -> tuple[GapRow, ...]:
    return by_criterion(report.judges[judge])


def test_from_the_rows_to_the_sentence(visit: Opener, report: metrics.AgreementReport) -> None:
    dashboard = visit().open().go(TITLE)
    block = report.judges["strict"].micro
    dashboard.expect_metric("Cohen’s κ", number(block.values["kappa"]))
    dashboard.expect_metric("κ/φ", p3(block.values["kappa_phi_ratio"]))
    dashboard.expect_metric("Label-rate bias", points(block.values["drift"]))
    rows = rows_of(report)
    dashboard.expect_said(readings.gap_reading(rows, "MET"))
    dashboard.expect_said(readings.surface_reading(rows))

    click_row(dashboard, 4)
    show(dashboard, "Which rate causes it")
    expect(dashboard.chosen("Criterion")).to_have_value(rows[3].name)
    dashboard.expect_said(readings.cause_reading(cause_of(rows[3])))

    show(dashboard, "Five names, one number")
    dashboard.select("Criterion", "All criteria (micro)")
    every = pooled(report.judges["strict"], "micro")
    assert every is not None
    dashboard.expect_said(readings.paper_sentence(report, "strict", "micro", every))
    dashboard.main.get_by_role("button", name="Copy the sentence").click()
    expect(dashboard.main.get_by_role("button", name="Copied")).to_be_visible()
    assert dashboard.choices["gap_show"] == "Five names, one number"
    dashboard.expect_nothing_broken()


def test_every_view_fits(visit: Opener) -> None:
    dashboard = visit().open(f"{ADDRESS}?judge=cautious", TITLE)
    for name in SHOWS:
        show(dashboard, name)
        fits(dashboard, name)
    dashboard.expect_nothing_broken()


def test_the_room_shows_one_figure_at_a_time(visit: Opener) -> None:
    dashboard = visit().open(f"{ADDRESS}?view=room", TITLE)
    dashboard.expect_arrows()
    for _ in range(2):
        dashboard.page.keyboard.press("ArrowRight")
        expect(figures(dashboard, ".*")).to_have_count(1)
        expect_readable(dashboard.settle(), "room")
    dashboard.expect_nothing_broken()
