"""From a file of three people's labels to the labels a team settled on."""

from __future__ import annotations

import io
import re

import pandas as pd
from playwright.sync_api import expect

import metrics
from metrics.results.words import number
from tests.browser.driver import Opener
from tests.pages.test_raters_page import own


def test_disputed_items_are_settled_undone_and_taken_away(visit: Opener) -> None:
    dashboard = visit().open_file("own.csv", own()).go("Do the people agree?")
    report = metrics.raters(metrics.read(own()))
    alpha = number(report.pooled.values["alpha"])
    dashboard.expect_metric("Krippendorff's α", alpha)
    expect(dashboard.page.get_by_role("figure", name=re.compile(f"tone.*{re.escape(alpha)}")).first).to_be_visible()
    dashboard.main.get_by_role("radio", name="Disagreements").click()
    settled = dashboard.main.get_by_role("radiogroup", name="Decided label")
    for label in ("MET", "UNMET"):
        settled.get_by_text(label, exact=True).click()
        expect(settled.get_by_role("radio", name=label, exact=True)).to_be_checked()
        dashboard.settle()
        dashboard.main.get_by_role("button", name="Next", exact=True).click()
        dashboard.settle()
    dashboard.go("Agreement").go("Do the people agree?")
    dashboard.main.get_by_role("button", name="Undo").click()
    file = pd.read_csv(io.StringIO(dashboard.settle().download(re.compile("The file with 1 label"))), keep_default_na=False)
    assert len(file) == len(own().splitlines()) - 1
    assert set(file["adjudicated"]) == {"", "MET"}
    assert file.query("adjudicated == 'MET'")["item"].nunique() == 1


def test_every_level_is_in_view_on_a_phone(visit: Opener) -> None:
    rows = [
        f"q{n},{who},{role},{n % 5 + 1}" for n in range(20) for who, role in (("ana", "human"), ("ben", "human"), ("j", "judge"))
    ]
    dashboard = visit().open_file("levels.csv", "\n".join(["item,rater,role,label", *rows]).encode())
    dashboard.go("Do the people agree?").page.set_viewport_size({"width": 390, "height": 844})
    levels = dashboard.settle().page.locator(".st-key-raters_level [role=radiogroup]")
    expect(levels.get_by_text("Ratio")).to_be_visible()
    assert levels.evaluate("levels => levels.scrollWidth <= levels.clientWidth")
