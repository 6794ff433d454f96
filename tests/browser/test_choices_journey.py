"""Every choice, with the mouse: a column declares its choices, on a phone a row; the levels side by side."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

import metrics
from metrics.analyses.multiverse.compute import evaluated, space_of
from metrics.analyses.multiverse.result import Multiverse, multiverse
from metrics.analyses.settings import settings_of
from metrics.results.words import number
from tests.browser.driver import CHOSEN_MARKS, FIND_MARK, LEVEL_HEADS, LEVELS, MODES, SAMPLE, Dashboard, Opener

TITLE, PATH = "Every choice", "/choices?judge=cautious"
SIDEWAYS = "() => { const main = document.querySelector('[data-testid=stMain]'); return main.scrollWidth - main.clientWidth; }"

UNDER_MOUSE = "([plot, spot]) => (plot._hoverdata ?? []).some(({ customdata }) => String(customdata) === String(spot))"
"""Plotly takes a click for one on what it last saw under the mouse, and looks only now and then."""


@pytest.fixture(scope="module")
def found() -> Multiverse:
    ratings = metrics.read(SAMPLE)
    space = space_of(ratings, "cautious", settings_of(ratings, judges=["cautious"], interval="none"), "micro")
    return multiverse(space, {s: evaluated(ratings, "cautious", s) for s in set(map(space.settings, space.analyses))}, "kappa")


def plot(dashboard: Dashboard, name: str = "sets of choices") -> Locator:
    """The figure that this width of screen shows."""
    figures = dashboard.main.get_by_role("figure", name=re.compile(name))
    return figures.locator("visible=true").locator(".js-plotly-plot")


def click(dashboard: Dashboard, spot: int, name: str = "sets of choices") -> None:
    drawn = plot(dashboard, name)
    drawn.locator(".barlayer .point").nth(spot).scroll_into_view_if_needed()
    dashboard.settle()
    x, y, width, height = dashboard.page.evaluate_handle(FIND_MARK, [drawn.element_handle(), [spot]]).json_value()
    dashboard.page.mouse.move(x + width / 2 - 1, y + height - 3)
    dashboard.page.wait_for_function(UNDER_MOUSE, arg=[drawn.element_handle(), spot])
    dashboard.page.mouse.click(x + width / 2, y + height - 3)


def expect_declared(dashboard: Dashboard, column: int, found: Multiverse) -> None:
    """The column is outlined, its value stands above, and the sidebar has its choices."""
    dashboard.expect_metric("Declared κ", number(found.columns[column].value))
    expect(dashboard.main.get_by_text("over 36 defensible analyses")).to_be_visible()
    dashboard.settle()
    (marked,) = plot(dashboard).evaluate(CHOSEN_MARKS)
    names = found.columns[column].names
    assert found.columns[marked[0]].value == pytest.approx(found.columns[column].value)
    assert dashboard.choices.get("mode", MODES["exclude"]) == names["mode"]
    level = next(LEVELS[key] for key, head in LEVEL_HEADS.items() if head == names["level"])
    assert dashboard.choices.get("level", LEVELS["micro"]) == level
    for name in (names["mode"], level):
        expect(dashboard.radio(name)).to_be_checked()


def test_a_click_on_a_column_declares_its_choices(visit: Opener, found: Multiverse) -> None:
    dashboard = visit(1440, 1700).open(PATH, TITLE)
    expect_declared(dashboard, found.declared_place or 0, found)
    for column in (17, 30):
        click(dashboard, column)
        expect_declared(dashboard, column, found)
    dashboard.expect_nothing_broken()


def test_on_a_phone_the_figure_is_turned(visit: Opener, found: Multiverse) -> None:
    dashboard = visit(390, 844).open(PATH, TITLE)
    expect(plot(dashboard)).to_have_count(1)
    texts = [text.strip() for text in plot(dashboard).locator(".textpoint").all_text_contents()]
    assert " · ".join(found.columns[0].names[key] for key in ("mode", "level", "rule", "reference")) in texts
    assert number(found.columns[0].value) in texts
    assert dashboard.page.evaluate(SIDEWAYS) <= 0
    click(dashboard, 2)
    dashboard.expect_metric("Declared κ", number(found.columns[2].value))
    dashboard.expect_nothing_broken()


def test_levels_side_by_side(visit: Opener) -> None:
    dashboard = visit(1440, 1500).open("/choices?data=rao_two_criteria", TITLE)
    dashboard.main.get_by_text("Aggregation", exact=True).click()
    for level, value in (("Micro", "0.89"), ("Macro", "0.55"), ("Item", "0.19")):
        dashboard.expect_metric(level, value)
    expect(dashboard.main.get_by_text("Micro κ is lifted by pooling")).to_be_visible()
    expect(dashboard.main.get_by_text("near 0.85")).to_be_visible()
    dashboard.settle()
    click(dashboard, 2, r"^κ\. Micro")
    expect(dashboard.radio("Criteria (macro)")).to_be_checked()
    dashboard.settle()
    assert plot(dashboard, r"^κ\. Micro").evaluate(CHOSEN_MARKS) == [[2]]
    dashboard.expect_nothing_broken()
