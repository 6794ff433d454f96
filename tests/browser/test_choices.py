"""Every mode with every level, read off the page; the address remembers them."""

from __future__ import annotations

import itertools

import pytest
from playwright.sync_api import expect

import metrics
from metrics.results.words import number, percent
from tests.browser.driver import GRID, LEVELS, MODES, SAMPLE, Dashboard, Opener, block

NINE = list(itertools.product(MODES, LEVELS))


@pytest.fixture(scope="module")
def ratings() -> metrics.Ratings:
    return metrics.read(SAMPLE)


def expect_state(dashboard: Dashboard, ratings: metrics.Ratings, judge: str, mode: str, level: str) -> None:
    values = block(ratings, judge, mode, level).values
    dashboard.expect_metric("Cohen’s κ", number(values["kappa"]))
    dashboard.expect_metric("Accuracy", percent(values["accuracy"]))
    assert dashboard.marked(GRID) == [[list(MODES).index(mode), list(LEVELS).index(level)]]


def test_all_nine_by_mouse(visit: Opener, ratings: metrics.Ratings) -> None:
    dashboard = visit().open()
    addresses = set()
    for mode, level in NINE:
        dashboard.toggle(mode, level)
        expect_state(dashboard, ratings, ratings.judges[0], mode, level)
        addresses.add(dashboard.page.url)
    assert len(addresses) == 9
    dashboard.expect_nothing_broken()


def test_the_grid_shows_all_nine_at_once(visit: Opener, ratings: metrics.Ratings) -> None:
    dashboard = visit().open()
    drawn = dashboard.plot(GRID).locator(".annotation-text").all_text_contents()
    for mode, level in NINE:
        assert number(block(ratings, ratings.judges[0], mode, level).values["kappa"]) in drawn


@pytest.mark.parametrize(("judge", "mode", "level"), [("cautious", "as_unmet", "item"), ("lenient", "as_category", "macro")])
def test_the_address_restores_the_view(visit: Opener, ratings: metrics.Ratings, judge: str, mode: str, level: str) -> None:
    first = visit().open()
    first.select("Judge", judge).toggle(mode, level)
    expect_state(first, ratings, judge, mode, level)
    assert first.choices == {"judge": judge, "mode": MODES[mode], "level": LEVELS[level]}
    second = visit(1280, 900).open(first.page.url.removeprefix(first.address))
    expect(second.chosen("Judge")).to_have_value(judge)
    for name in (MODES[mode], LEVELS[level]):
        expect(second.radio(name)).to_be_checked()
    expect_state(second, ratings, judge, mode, level)
    second.expect_nothing_broken()


def test_reference_and_item_rule(visit: Opener, ratings: metrics.Ratings) -> None:
    judge = ratings.judges[0]
    dashboard = visit().open().select("Reference", "ana")
    alone = metrics.agreement(ratings, judges=[judge], reference="ana", interval="none").judges[judge]
    dashboard.expect_metric("Cohen’s κ", number(alone.micro.values["kappa"]))
    dashboard.toggle("exclude", "item").select("An item is met when", "enough of the weight is met")
    rule = metrics.agreement(
        ratings, judges=[judge], reference="ana", item_rule="threshold", threshold=0.5, interval="none"
    ).judges[judge]
    dashboard.expect_metric("Cohen’s κ", number(rule.item.values["kappa"]))
    assert rule.item.values["kappa"] != pytest.approx(alone.item.values["kappa"], abs=0.005)
    again = visit().open(dashboard.page.url.removeprefix(dashboard.address))
    again.expect_metric("Cohen’s κ", number(rule.item.values["kappa"]))


def test_another_coefficient_in_grid_and_criteria(visit: Opener, ratings: metrics.Ratings) -> None:
    judge = ratings.judges[0]
    dashboard = visit().open()
    record = metrics.BY_KEY["gwet_ac1"]
    dashboard.select("Coefficient", record.name)
    expect(dashboard.main.get_by_role("heading", name=f"{record.symbol} by criterion")).to_be_visible()
    drawn = dashboard.plot(GRID).locator(".annotation-text").all_text_contents()
    for mode, level in NINE:
        assert number(block(ratings, judge, mode, level).values.get("gwet_ac1")) in drawn
    dashboard.expect_metric("Cohen’s κ", number(block(ratings, judge).values["kappa"]))
