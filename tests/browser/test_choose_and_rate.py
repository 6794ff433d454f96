"""A judge is chosen, a rate corrected and carried to another prevalence; links restore each question; nothing is cut off."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

import metrics
from metrics.analyses.judge_selection.ranking import rank_judges
from metrics.analyses.prevalence import readings as prevalence_readings
from metrics.analyses.prevalence.power import rates_of
from metrics.analyses.settings import settings_of
from metrics.analyses.true_rate.compute import correct_prevalence
from metrics.analyses.true_rate.measured import measured
from metrics.analyses.true_rate.readings import quote
from metrics.results.words import number, percent, percent1
from tests.browser.driver import SAMPLE, Dashboard, Opener
from tests.browser.test_layout import expect_no_sideways, expect_readable, resize

PHONE = (390, 844)


@pytest.fixture(scope="module")
def sample() -> metrics.Ratings:
    return metrics.read(SAMPLE)


def fill(dashboard: Dashboard, label: str, value: str) -> None:
    box = dashboard.main.get_by_label(re.compile(f"^{re.escape(label)}"))
    dashboard.bring(box)
    box.fill(value)
    box.press("Enter")
    dashboard.settle()


def fits(dashboard: Dashboard, what: str) -> None:
    """As wide as it was opened, and on a phone."""
    for size in (None, PHONE):
        if size:
            resize(dashboard, size)
        expect_readable(dashboard, f"{what} at {size}")
        expect_no_sideways(dashboard, f"{what} at {size}")


def test_a_judge_is_chosen(visit: Opener, sample: metrics.Ratings) -> None:
    dashboard = visit().open("/choose?choose_by=balanced_accuracy", "Ranking")
    dashboard.expect_metric("First", rank_judges(sample, settings_of(sample)).first.name)
    fits(dashboard, "Ranking")
    dashboard.expect_nothing_broken()


def test_a_rate_is_corrected(visit: Opener, sample: metrics.Ratings) -> None:
    dashboard = visit().open("/rate", "Corrected rate")
    own = measured(sample, sample.judges[0], settings_of(sample))
    fill(dashboard, "Judge said positive", "500")
    fill(dashboard, "Answers judged", "1000")
    found = correct_prevalence(500, 1000, own.golden, labelled=own.verification)
    dashboard.expect_metric("True rate", percent1(found.value))
    expect(dashboard.main.get_by_text(quote(found, own.judge, "MET", own.scope))).to_be_visible()
    dashboard.main.get_by_text("Answers needed", exact=True).click()
    dashboard.settle()
    expect(dashboard.main.get_by_role("heading", name="What this judge costs")).to_be_visible()
    assert {"500", "1000"} <= set(dashboard.choices.values())
    fits(dashboard, "Corrected rate")
    dashboard.expect_nothing_broken()


def test_a_judge_is_carried_to_another_prevalence(visit: Opener, sample: metrics.Ratings) -> None:
    dashboard = visit().open("/prevalence?sweep_at=10", "Prevalence")
    block = metrics.agreement(sample, interval="none").judges[sample.judges[0]].micro
    one = metrics.sweep(*(float(rate) for rate in rates_of(block.confusion)))
    dashboard.expect_metric("κ at 10\u00a0%", number(one.at(0.1)["kappa"]))
    dashboard.main.get_by_role("slider", name=re.compile("Deployment")).press("ArrowRight")
    dashboard.expect_metric("κ at 10.5\u00a0%", number(one.at(0.105)["kappa"]))
    said = prevalence_readings.reading(one, 0.105, block.values["prevalence"])
    expect(dashboard.main.get_by_text(said)).to_be_visible()
    assert percent(block.values["prevalence"]) in said
    assert dashboard.choices["sweep_at"] == "10.5"
    dashboard.main.get_by_role("button", name="Metrics").click()
    dashboard.page.get_by_role("button", name="F1", exact=True).click()
    drawn = dashboard.main.get_by_test_id("stPlotlyChart").get_by_text("F1", exact=True)
    expect(drawn).to_be_visible()
    dashboard.page.keyboard.press("Escape")
    fits(dashboard, "Prevalence")
    dashboard.expect_nothing_broken()
