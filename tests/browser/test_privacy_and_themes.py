"""A whole walk asks nothing of any other machine and complains of nothing, in both themes."""

from __future__ import annotations

from typing import get_args

import pytest
from playwright.sync_api import expect

from metrics.figures.theme import tokens
from tests.browser import tables
from tests.browser.driver import CRITERIA, LOCAL, MOSAIC, Dashboard, Opener, Scheme

COLOUR = "element => getComputedStyle(element).backgroundColor"
DRAWN_IN = """text => {
    const plots = [...document.querySelectorAll('.js-plotly-plot')];
    return plots.length && plots.every(plot => plot._fullLayout?.font.color.toLowerCase() === text);
}"""
UNNAMED = """() => [
    ...[...document.querySelectorAll('[data-testid=stPlotlyChart]')].filter(chart => !chart.getAttribute('aria-label')),
    ...[...document.querySelectorAll('[data-testid=stDataFrame]')].filter(
        table => table.offsetWidth && !table.querySelector('[role=region][aria-label]')),
    ...[...document.querySelectorAll('img')].filter(image => !image.alt),
].map(element => element.outerHTML.slice(0, 200))"""
NAMED_ROLES = {
    "button", "checkbox", "combobox", "figure", "link", "listbox", "menuitem", "radio", "radiogroup", "searchbox", "slider",
    "spinbutton", "switch", "tab", "textbox",
}  # fmt: skip


def rgb(colour: str) -> str:
    red, green, blue = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return f"rgb({red}, {green}, {blue})"


def nameless(dashboard: Dashboard) -> list[str]:
    """Roles that a screen reader would announce without a name."""
    session = dashboard.page.context.new_cdp_session(dashboard.page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    session.detach()
    asked = [node for node in nodes if not node["ignored"] and node["role"]["value"] in NAMED_ROLES]
    assert len(asked) > 10
    return [f"{node['role']['value']} {node.get('description', {}).get('value', '')}" for node in asked if not its_name(node)]


def its_name(node: dict[str, dict[str, str]]) -> str:
    return str(node.get("name", {}).get("value", "")).strip()


def expect_named(dashboard: Dashboard) -> None:
    assert dashboard.page.evaluate(UNNAMED) == []
    assert nameless(dashboard) == []


def expect_colours(dashboard: Dashboard, scheme: Scheme) -> None:
    colours = tokens(scheme)
    assert dashboard.page.get_by_test_id("stApp").evaluate(COLOUR) == rgb(colours.page)
    drawn = {dashboard.plot(name).evaluate("plot => plot._fullLayout.font.color") for name in (MOSAIC, CRITERIA)}
    assert {colour.lower() for colour in drawn} == {colours.text.lower()}


def test_figures_follow_the_scheme_of_an_open_page_and_nothing_else_runs_it_again(visit: Opener) -> None:
    board = visit(scheme="dark").open()
    expect_colours(board, "dark")
    schemes: tuple[Scheme, ...] = ("light", "dark")
    for scheme in schemes:
        board.page.emulate_media(color_scheme=scheme)
        board.page.wait_for_function(DRAWN_IN, arg=tokens(scheme).text.lower(), timeout=10_000)
        asked = board.settle().page.evaluate("window.talk.asked")
        board.page.wait_for_timeout(1_500)
        assert board.page.evaluate("window.talk.asked") == asked
        expect_colours(board, scheme)
    board.expect_nothing_broken()


@pytest.mark.parametrize("scheme", get_args(Scheme))
def test_a_whole_walk(visit: Opener, scheme: Scheme) -> None:
    dashboard = visit(scheme=scheme).open()
    expect_colours(dashboard, scheme)
    expect_named(dashboard)
    dashboard.click_mark(MOSAIC, (0, 1))
    expect(dashboard.main.get_by_text("decisions.").first).to_be_visible()
    dashboard.toggle("as_category", "item")
    for closed in dashboard.main.get_by_test_id("stExpander").locator("summary").all():
        closed.click()
    expect_named(dashboard.settle())
    dashboard.download("All numbers of all judges (CSV)")
    dashboard.go("Data")
    for closed in dashboard.main.get_by_test_id("stExpander").locator("summary").all():
        closed.click()
    expect_named(dashboard.settle())
    dashboard.give("own.csv", tables.verdicts(labels=("MET", "UNMET", "CANNOT_ASSESS")))
    dashboard.expect_understood("own.csv")
    expect_named(dashboard)
    dashboard.use().toggle("as_unmet", "macro")
    assert dashboard.hosts
    assert dashboard.hosts <= LOCAL
    dashboard.expect_nothing_broken()
