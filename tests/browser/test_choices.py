"""Modes and levels by mouse, read off the page; the address remembers them."""

from __future__ import annotations

import itertools

import pytest
from playwright.sync_api import expect

import metrics
from metrics.results.words import number, percent
from tests.browser.driver import GRID, LEVELS, MODES, SAMPLE, Dashboard, Opener, block


@pytest.fixture(scope="module")
def ratings() -> metrics.Ratings:
    return metrics.read(SAMPLE)


def expect_state(dashboard: Dashboard, ratings: metrics.Ratings, judge: str, mode: str, level: str) -> None:
    values = block(ratings, judge, mode, level).values
    dashboard.expect_metric("Cohen’s κ", number(values["kappa"]))
    dashboard.expect_metric("Accuracy", percent(values["accuracy"]))
    assert dashboard.marked(GRID) == [[list(MODES).index(mode), list(LEVELS).index(level)]]


def test_choices_by_mouse_and_the_address_that_restores_them(visit: Opener, ratings: metrics.Ratings) -> None:
    dashboard = visit().open()
    drawn = dashboard.plot(GRID).locator(".annotation-text").all_text_contents()
    for mode, level in itertools.product(MODES, LEVELS):
        assert number(block(ratings, ratings.judges[0], mode, level).values["kappa"]) in drawn
    dashboard.select("Judge", "lenient")
    addresses = set()
    for mode, level in zip(MODES, ("micro", "macro", "item"), strict=True):
        dashboard.toggle(mode, level)
        expect_state(dashboard, ratings, "lenient", mode, level)
        addresses.add(dashboard.page.url)
    assert len(addresses) == 3
    assert dashboard.choices == {"judge": "lenient", "mode": MODES["as_category"], "level": LEVELS["item"]}
    dashboard.select("Reference", "ana").toggle("as_unmet", "item").select("An item is met when", "enough of the weight is met")
    choices = {"abstention": "as_unmet", "reference": "ana", "item_rule": "threshold", "threshold": 0.5, "interval": "none"}
    ruled = metrics.agreement(ratings, judges=["lenient"], **choices).judges["lenient"].item
    dashboard.expect_metric("Cohen’s κ", number(ruled.values["kappa"]))
    again = visit(1280, 900).open(dashboard.page.url.removeprefix(dashboard.address))
    for label, value in (("Judge", "lenient"), ("Reference", "ana"), ("An item is met when", "enough of the weight is met")):
        expect(again.chosen(label)).to_have_value(value)
    for name in (MODES["as_unmet"], LEVELS["item"]):
        expect(again.radio(name)).to_be_checked()
    again.expect_metric("Cohen’s κ", number(ruled.values["kappa"]))
    assert again.marked(GRID) == [[1, 2]]
    for board in (dashboard, again):
        board.expect_nothing_broken()
