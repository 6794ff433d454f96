"""axe-core on every page and on the report, light and dark; every figure has its numbers in words."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from pages.shared.page_records import FIRST, PAGES
from tests.browser import tables
from tests.browser.axe import Audit
from tests.browser.driver import Dashboard, Opener

FIGURES = """() => [...document.querySelectorAll(".js-plotly-plot")].map((plot) => [
    plot.closest("[aria-label]")?.getAttribute("aria-label") ?? "",
    [...plot.querySelectorAll(".main-svg text")].filter((text) => !text.closest(".xaxislayer-above, .yaxislayer-above, .legend"))
        .map((text) => text.textContent),
])"""
FILE = tables.verdicts(labels=("MET", "UNMET", "CANNOT_ASSESS"))
NUMBER = re.compile(r"\d[\d\u202f]*(?:\.\d+)?")
IN_THEME = "theme => getComputedStyle(document.querySelector('[data-testid=stApp]')).colorScheme === theme"
CELLS_IN_THEME = """() => {
    const ground = getComputedStyle(document.querySelector("[data-testid=stApp]")).backgroundColor;
    const grids = [...document.querySelectorAll("[data-testid=data-grid-canvas]")];
    return grids.filter((one) => one.width && one.height).every((grid) => {
        const {data} = grid.getContext("2d").getImageData(0, 0, grid.width, grid.height), seen = new Map();
        for (const pixel of new Uint32Array(data.buffer)) seen.set(pixel, (seen.get(pixel) ?? 0) + 1);
        const [[most]] = [...seen].sort((a, b) => b[1] - a[1]);
        return `rgb(${[most, most >> 8, most >> 16].map(part => part & 255).join(", ")})` === ground;
    });
}"""
"""The cells of every table, which Streamlit paints, lie on the ground of the page."""
OPENED = """() => document.querySelectorAll("[data-testid=stMain] details:not([open]) > summary").forEach((one) => one.click())"""


def expect_numbers_in_words(page: Page, name: str) -> None:
    """What is printed in a figure is among the numbers of its text alternative, or the alternative has more of them."""
    for alt, printed in page.evaluate(FIGURES):
        said = set(NUMBER.findall(alt))
        shown = {number for text in printed for number in NUMBER.findall(text)}
        assert said, f"{name}: a figure without numbers in words: {alt!r}"
        assert not shown or shown & said, f"{name}: {alt!r} says none of {sorted(shown)}"


def both_themes(dashboard: Dashboard, audit: Audit, name: str) -> None:
    """All rules in the theme in view, those on colours in the other, which stays."""
    page = dashboard.page
    audit.look(page, name)
    dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    dashboard.turn("light" if dark else "dark")
    page.wait_for_function(IN_THEME, arg="light" if dark else "dark", polling=50)
    page.wait_for_function(CELLS_IN_THEME, polling=200)
    audit.look(page, f"{name}, the other theme", colours=True)


def test_every_page_in_both_themes_on_a_telephone_and_with_nothing_open(visit: Opener) -> None:
    audit, dashboard = Audit(), visit().open()
    page = dashboard.page
    page.emulate_media(reduced_motion="reduce")  # a colour on its way to another has the contrast of neither
    for record in PAGES:
        if record is FIRST:
            dashboard.open("/", "Kappascope")
        else:
            dashboard.go(record.title)
        page.evaluate(OPENED)
        dashboard.settle()
        assert page.title() == f"{record.title} · Kappascope"
        both_themes(dashboard, audit, record.file)
        expect_numbers_in_words(page, record.file)
    dashboard.go("Data").give("own.csv", FILE)
    dashboard.expect_understood("own.csv")
    both_themes(dashboard, audit, "a file to confirm")
    dashboard.use().go("Overview")
    both_themes(dashboard, audit, "the overview of a file")
    dashboard.open("/agreement?data=0123abcd")
    both_themes(dashboard, audit, "nothing open")
    page.set_viewport_size({"width": 390, "height": 844})
    dashboard.open()
    page.get_by_test_id("stExpandSidebarButton").click()
    audit.look(dashboard.settle().page, "narrow, with the menus open")
    page.emulate_media(reduced_motion="no-preference")
    audit.expect_clean()
    dashboard.expect_nothing_broken()


def test_a_file_is_opened_a_cell_listed_and_the_numbers_taken_without_a_mouse(visit: Opener) -> None:
    dashboard = visit().open("/data", "Data").settle()
    page, keys = dashboard.page, dashboard.page.keyboard
    keys.press("Tab")
    expect(page.get_by_role("link", name="Skip to main content")).to_be_focused()
    keys.press("Enter")
    expect(dashboard.main).to_be_focused()
    button = dashboard.main.get_by_test_id("stFileUploader").locator("button", has_text="Upload")
    for _ in range(9):
        keys.press("Tab")
        if button.evaluate("button => button === document.activeElement"):
            break
    expect(button).to_be_focused()
    dashboard.settle()
    with page.expect_file_chooser() as chosen:
        button.press("Enter")
    chosen.value.set_files([{"name": "own.csv", "mimeType": "text/csv", "buffer": FILE}])
    dashboard.expect_understood("own.csv")
    dashboard.main.get_by_role("button", name="Analyse this file").press("Enter")
    dashboard.expect_title("Overview")
    dashboard.settle().main.locator(".st-key-tabs").get_by_role("link", name="Agreement").press("Enter")
    dashboard.expect_title("Agreement")
    cell = dashboard.settle().main.get_by_role("combobox", name="Outcome", exact=True)
    cell.press("ArrowDown")
    keys.press("ArrowDown")
    keys.press("Enter")
    taking = dashboard.main.get_by_role("button", name=re.compile("^These .* decisions"))
    expect(taking).to_be_visible()
    dashboard.settle()
    with page.expect_download() as waiting:
        taking.press("Enter")
    assert Path(waiting.value.path()).read_text("utf-8").startswith("item,criterion,reference")
    page.wait_for_timeout(2_000)  # a change is heard against numbers that stood still for a while
    dashboard.radio("Exclude").press("ArrowDown")
    expect(page.locator("body > .said-aloud")).to_contain_text("Cohen’s κ")
    dashboard.expect_nothing_broken()
