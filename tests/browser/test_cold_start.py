"""The first visitor of a new server follows a deep link."""

from __future__ import annotations

from playwright.sync_api import expect

import metrics
from metrics.results.words import number, percent
from tests.browser.driver import SAMPLE, Dashboard, Opener, block


def expect_right_page_alone(dashboard: Dashboard) -> None:
    expect(dashboard.page.get_by_role("dialog")).to_have_count(0)
    expect(dashboard.page.get_by_text("Page not found")).to_have_count(0)
    dashboard.expect_nothing_broken()


def test_a_link_to_agreement_is_the_first_request(visit: Opener, cold_server: str) -> None:
    dashboard = visit(address=cold_server).open("/agreement?mode=as_category&level=item&judge=lenient&data=support_answers")
    for name in ("Keep as a class", "Items"):
        expect(dashboard.radio(name)).to_be_checked()
    expect(dashboard.chosen("Judge")).to_have_value("lenient")
    values = block(metrics.read(SAMPLE), "lenient", "as_category", "item").values
    dashboard.expect_metric("Cohen’s κ", number(values["kappa"]))
    dashboard.expect_metric("Accuracy", percent(values["accuracy"]))
    expect_right_page_alone(dashboard)


def test_a_link_to_data_is_the_first_request(visit: Opener, cold_server: str) -> None:
    dashboard = visit(address=cold_server).open("/data", "Data")
    expect(dashboard.main.get_by_text("What we understood")).to_be_visible()
    expect(dashboard.chosen("Data set")).to_be_visible()
    expect_right_page_alone(dashboard)
