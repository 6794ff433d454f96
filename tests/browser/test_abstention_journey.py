"""Abstention in a browser: three questions side by side, two views, a table to take home, and nothing cut off at any width."""

from __future__ import annotations

import csv
import io
import re

import pytest
from playwright.sync_api import expect

import metrics
from metrics.analyses.abstention.bounds import bounds
from metrics.analyses.abstention.nonresponse import by_criterion, decisions_of
from metrics.analyses.settings import settings_of
from metrics.data.abstention import MODES
from metrics.results.words import number
from tests.browser import tables
from tests.browser.driver import SAMPLE, Dashboard, Opener
from tests.browser.test_layout import SIZES, expect_no_sideways, expect_readable, fits, resize

PATH, TITLE = "/abstention", "Abstention"
WHO = "Who abstains, and on what"
LONG = [f"{place} {tables.LONG}"[:40] for place in range(4)]


@pytest.fixture(scope="module")
def sample() -> metrics.Ratings:
    return metrics.read(SAMPLE)


def expect_columns(dashboard: Dashboard, sample: metrics.Ratings, judge: str, level: str) -> None:
    """κ of every mode, in order."""
    reports = [metrics.agreement(sample, abstention=mode, judges=[judge], interval="none") for mode in MODES]
    for place, report in enumerate(reports):
        shown = dashboard.metric("κ").nth(place).get_by_test_id("stMetricValue")
        expect(shown).to_have_text(number(report.judges[judge].level(level).values["kappa"]))  # type: ignore[arg-type]


def show(dashboard: Dashboard, name: str) -> None:
    dashboard.main.get_by_role("radio", name=name, exact=True).or_(
        dashboard.main.get_by_role("button", name=name, exact=True)
    ).click()
    dashboard.settle()


def test_three_questions_then_who_abstains_and_nothing_is_cut_off(visit: Opener, sample: metrics.Ratings) -> None:
    dashboard = visit().open(PATH, TITLE)
    expect_columns(dashboard, sample, sample.judges[0], "micro")
    expect(dashboard.radio("Exclude")).to_be_disabled()
    dashboard.select("Judge", "cautious", dashboard.sidebar)
    expect_columns(dashboard, sample, "cautious", "micro")
    kappa = bounds(sample, "cautious", settings_of(sample)).by_metric["kappa"]
    ends = f"κ could be anywhere from {number(kappa.low)} to {number(kappa.high)}."
    expect(dashboard.main.get_by_text(ends)).to_be_visible()
    fits(dashboard, "Coverage and bounds")
    show(dashboard, WHO)
    assert dashboard.choices["abstention_show"] == WHO
    fits(dashboard, WHO)
    expect(dashboard.main.get_by_text(re.compile("are associated with the human’s label"))).to_be_visible()
    dashboard.main.get_by_text("The same as a table: counts, rates and intervals").click()
    rows = list(csv.DictReader(io.StringIO(dashboard.settle().download("Rates (CSV)"))))
    found = by_criterion(sample, decisions_of(sample, "cautious", settings_of(sample).reference))
    mine = [row for row in rows if row["by"] == "criterion" and row["side"] == "judge"]
    assert [(row["group"], int(row["open"])) for row in mine] == [(group.name, group.judge.count) for group in found]
    assert all(
        row["declaration"].startswith("Binary · abstentions excluded, split votes left out (14), coverage 84") for row in rows
    )
    dashboard.expect_nothing_broken()


def test_long_names_on_a_telephone_in_the_dark(visit: Opener) -> None:
    data = tables.verdicts(LONG, labels=(f"yes {tables.LONG}"[:40], f"no {tables.LONG}"[:40], "CANNOT_ASSESS"), judge=tables.LONG)
    dashboard = visit(scheme="dark").open_file("long.csv", data).go(TITLE)
    resize(dashboard, SIZES[-1])
    for view in ("Coverage and bounds", WHO):
        show(dashboard, view)
        expect_readable(dashboard, view)
        expect_no_sideways(dashboard, view)
    dashboard.expect_nothing_broken()
