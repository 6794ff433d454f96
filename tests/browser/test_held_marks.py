"""Marks that are held on the figures of three pages: every way of holding them brings the last stop home, and one place on the
way back stays one."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from playwright.sync_api import Locator, expect

import metrics
from metrics.analyses.prevalence import readings as prevalence_readings
from metrics.analyses.prevalence.power import rates_of
from metrics.analyses.roc import readings as roc_readings
from metrics.analyses.roc.tallies import stop_of, stop_places
from metrics.analyses.settings import settings_of
from metrics.analyses.true_rate.compute import correct_prevalence
from metrics.analyses.true_rate.measured import measured
from metrics.analyses.true_rate.readings import rate_words
from metrics.measures.catalogue import keys_at
from tests.browser.axe import Audit
from tests.browser.driver import SAMPLE, Dashboard, Opener

RATINGS = metrics.read(SAMPLE)
JUDGE = RATINGS.judges[0]


def roc_words(choices: dict[str, str]) -> str:
    curve = metrics.roc(RATINGS).judges[JUDGE].pooled.curve
    assert curve is not None
    places = stop_places(curve.tally)
    return roc_readings.stop_words(curve.tally, places)[stop_of(curve.tally, places, float(choices.get("roc.cut", curve.start)))]


def sweep_words(choices: dict[str, str]) -> str:
    block = metrics.agreement(RATINGS, interval="none").judges[JUDGE].micro
    sweep = metrics.sweep(*(float(rate) for rate in rates_of(block.confusion)))
    at = round(2 * float(choices.get("sweep_at", 5))) - 1
    return prevalence_readings.stop_words(sweep, [key for key in sweep.values if key in keys_at("sweep")])[at]


def measured_words(choices: dict[str, str]) -> str:
    own = measured(RATINGS, JUDGE, settings_of(RATINGS))
    k, n = int(choices.get("rate_positive", own.start[0])), int(choices.get("rate_answers", own.start[1]))
    return rate_words(correct_prevalence(k, n, own.golden, labelled=own.verification))


@dataclass(frozen=True)
class Case:
    """A page, where its mark is pulled in px, and what stands below the figure for an address."""

    name: str
    title: str
    right: int
    down: int
    words: Callable[[dict[str, str]], str]
    parameter: str


CASES = [
    Case("roc", "ROC and thresholds", 70, -30, roc_words, "roc.cut"),
    Case("prevalence", "Prevalence", 60, 0, sweep_words, "sweep_at"),
    Case("rate", "Corrected rate", -20, 20, measured_words, "rate_positive"),
]


def mark(dashboard: Dashboard) -> Locator:
    grip = dashboard.main.locator(".held-mark .grip")
    grip.wait_for()
    dashboard.main.locator(".mark").scroll_into_view_if_needed()
    return grip


def said(dashboard: Dashboard) -> str:
    return (dashboard.main.locator(".mark p").text_content() or "").replace("\u2060", "")


def middle(found: Locator) -> tuple[float, float]:
    box = found.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def expect_home(dashboard: Dashboard, case: Case) -> None:
    """The page and the address have the stop where the mark is, and the words are the package's."""
    expect(dashboard.main.locator(".mark")).to_have_attribute("data-state", "there")
    dashboard.settle()
    assert said(dashboard) == case.words(dashboard.choices)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_mark_is_pulled_and_stepped_and_brings_the_last_stop_home(visit: Opener, case: Case) -> None:
    dashboard = visit(1440, 1100).open(f"/{case.name}", case.title)
    mouse, places = dashboard.page.mouse, dashboard.page.evaluate("history.length")
    x, y = middle(mark(dashboard).locator(".knob"))
    before = said(dashboard)
    expect_home(dashboard, case)
    asked = dashboard.page.evaluate("talk.asked")
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + case.right, y + case.down, steps=20)
    expect(dashboard.main.locator(".mark")).to_have_attribute("data-state", "away")
    pulled = said(dashboard)
    assert pulled != before
    assert dashboard.page.evaluate("talk.asked") == asked  # geometry and words are the browser's while the hand holds
    assert case.parameter not in dashboard.choices
    mouse.up()
    expect_home(dashboard, case)
    assert said(dashboard) == pulled
    assert case.parameter in dashboard.choices
    # By keys at once, with the mark's figure drawn anew in between.
    at = int(mark(dashboard).get_attribute("aria-valuenow") or 0)
    for _ in range(3):
        dashboard.page.keyboard.press("ArrowLeft")
    expect(mark(dashboard)).to_have_attribute("aria-valuenow", str(at - 3))
    expect_home(dashboard, case)
    assert dashboard.page.evaluate("history.length") == places
    stepped = said(dashboard)
    dashboard.page.reload()
    dashboard.expect_title(case.title)
    mark(dashboard.settle())
    assert said(dashboard) == stepped
    dashboard.expect_nothing_broken()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_mark_is_pulled_by_a_finger(telephone: Dashboard, case: Case) -> None:
    dashboard = telephone.open(f"/{case.name}", case.title)
    x, y = middle(mark(dashboard).locator(".knob"))
    finger, before = dashboard.page.context.new_cdp_session(dashboard.page), said(dashboard)
    steps = [(x + case.right * part / 10, y + case.down * part / 10) for part in range(1, 11)]
    for kind, spot in (("touchStart", (x, y)), *(("touchMove", step) for step in steps), ("touchEnd", None)):
        points = [] if spot is None else [{"x": spot[0], "y": spot[1]}]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    expect(dashboard.main.locator(".mark p")).not_to_have_text(before)
    expect_home(dashboard, case)
    assert case.parameter in dashboard.choices
    dashboard.expect_nothing_broken()


def test_a_measured_rate_that_was_pulled_is_taken_back(visit: Opener) -> None:
    dashboard = visit(1440, 1100).open("/rate", "Corrected rate")
    mark(dashboard).focus()
    before = said(dashboard)
    dashboard.page.keyboard.press("PageUp")
    expect(dashboard.page).to_have_url(re.compile("rate_positive="))  # a key counts as let go after a while
    expect_home(dashboard, CASES[2])
    assert said(dashboard) != before
    dashboard.main.get_by_role("button", name="Back to the rate before").click()
    expect(dashboard.main.locator(".mark p")).to_have_text(before)
    assert "rate_positive" not in dashboard.settle().choices
    dashboard.expect_nothing_broken()


def test_axe_finds_nothing_on_a_mark_in_either_theme(visit: Opener) -> None:
    audit = Audit()
    dashboard = visit()
    for case, other in zip(CASES, ("dark", "light", "dark"), strict=True):
        dashboard.open(f"/{case.name}", case.title)
        mark(dashboard).focus()
        audit.look(dashboard.page, case.name)
        dashboard.turn(other)
        mark(dashboard)
        audit.look(dashboard.page, f"{case.name}, {other}", colours=True)
    assert not audit.findings, "\n".join(audit.findings)
