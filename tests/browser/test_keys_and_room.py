"""The dashboard without a mouse, and on a projector."""

from __future__ import annotations

from playwright.sync_api import expect

import metrics
from metrics.results.words import number
from tests.browser.driver import GRID, MOSAIC, SAMPLE, Opener, block

FOCUSED = "() => { const at = document.activeElement; return [at.closest('[data-testid=stSidebar]') !== null, at.type || '']; }"

EARLY = """Object.defineProperty(window, 'earlyKeys', { configurable: true, set(value) {
    Object.defineProperty(window, 'earlyKeys', { value });
    queueMicrotask(() => {
        window.heardThen = Boolean(document.documentElement.dataset.arrows || document.documentElement.dataset.speaking);
        for (const key of ['ArrowRight', 'N']) {
            document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true }));
        }
        const { take } = value, then = performance.now() + 9000;
        value.take = (keys) => {
            performance.now = () => then;
            const taken = take(keys);
            delete performance.now;
            return taken;
        };
    });
} })"""
"""Keys pressed as soon as the page keeps any, once it is opened.

However long a slow machine takes to hear them, nine seconds pass."""


def test_the_mode_is_chosen_with_the_keyboard_and_the_room_entered_and_left(visit: Opener) -> None:
    ratings = metrics.read(SAMPLE)
    dashboard = visit().open()
    for _ in range(40):
        dashboard.page.keyboard.press("Tab")
        if dashboard.page.evaluate(FOCUSED) == [True, "radio"]:
            break
    expect(dashboard.radio("Exclude")).to_be_focused()
    dashboard.page.keyboard.press("ArrowDown")
    expect(dashboard.radio("Count as negative")).to_be_checked()
    dashboard.expect_metric("Cohen’s κ", number(block(ratings, ratings.judges[0], "as_unmet").values["kappa"]))
    dashboard.page.keyboard.press("ArrowDown")
    dashboard.expect_metric("Cohen’s κ", number(block(ratings, ratings.judges[0], "as_category").values["kappa"]))
    dashboard.settle()
    dashboard.sidebar.get_by_role("button", name="Room view").or_(dashboard.radio("Room view")).click()
    expect(dashboard.main.get_by_text("1 of 4")).to_be_visible()
    assert dashboard.choices["view"]
    dashboard.settle().main.get_by_role("button", name="Leave room view").click()
    expect(dashboard.main.get_by_test_id("stPlotlyChart")).to_have_count(3)
    dashboard.settle()
    expect(dashboard.sidebar.get_by_text("Exclude", exact=True)).to_be_in_viewport()
    dashboard.expect_nothing_broken()


def test_room_view_by_link_shows_one_figure_at_a_time(visit: Opener) -> None:
    dashboard = visit().open("/agreement?view=room&mode=as_unmet")
    charts = dashboard.main.get_by_test_id("stPlotlyChart")
    expect(dashboard.sidebar.get_by_text("Exclude", exact=True)).not_to_be_in_viewport()
    expect(dashboard.page.get_by_test_id("stHeader")).to_be_hidden()
    expect(dashboard.main.get_by_text("1 of 4")).to_be_visible()
    expect(charts).to_have_count(0)
    dashboard.expect_arrows()
    dashboard.page.keyboard.press("ArrowRight")
    expect(dashboard.figure(MOSAIC)).to_be_visible()
    expect(charts).to_have_count(1)
    dashboard.settle().page.keyboard.press("ArrowRight")
    expect(dashboard.figure(GRID)).to_be_visible()
    expect(charts).to_have_count(1)
    expect(dashboard.main.get_by_text("3 of 4")).to_be_visible()
    dashboard.settle()
    for _ in range(2):
        dashboard.page.keyboard.press("ArrowLeft")  # faster than an answer comes
    expect(dashboard.main.get_by_text("1 of 4")).to_be_visible()
    dashboard.settle().page.keyboard.press("ArrowRight")
    expect(dashboard.figure(MOSAIC)).to_be_visible()
    dashboard.settle().main.get_by_role("button", name="Leave room view").click()
    expect(charts).to_have_count(3)
    expect(dashboard.radio("Count as negative")).to_be_checked()
    expect(dashboard.page.get_by_test_id("stHeader")).to_be_visible()
    assert "view" not in dashboard.settle().choices
    dashboard.expect_nothing_broken()


def test_a_press_that_comes_before_the_page_hears_keys_counts_once(visit: Opener) -> None:
    dashboard = visit().begin_with(EARLY)
    page = dashboard.page
    page.goto(f"{dashboard.address}/lab?view=room")
    expect(page.get_by_role("heading", name="Judge B need not read")).to_be_visible()
    expect(page.get_by_role("region", name="Speaker’s notes")).to_contain_text("what a judge reaches that never reads")
    assert page.evaluate("window.heardThen") is False
    page.wait_for_timeout(1_000)
    expect(page.get_by_role("heading", name="Judge B need not read")).to_be_visible()
    dashboard.expect_nothing_broken()
