"""Nothing is cut off and nothing lies over something else, from the wall down to a telephone."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser import tables
from tests.browser.driver import Dashboard, Opener

SIZES = [(1440, 900), (1024, 800), (390, 844)]
TELEPHONE = SIZES[-1]
SIDEWAYS = "() => document.documentElement.scrollWidth - window.innerWidth"
WIDER_THAN_PAGE = """() => [...document.querySelectorAll('[data-testid=stMain] [data-testid]')].filter(element => {
    const box = element.getBoundingClientRect();
    return box.width > 0 && (box.right > window.innerWidth + 2 || box.left < -2) && !element.closest('[data-testid=stDataFrame]');
}).map(element => `${element.dataset.testid}: ${element.textContent.slice(0, 60)}`)"""
DRAWN_AGAIN = """() => Promise.all([...document.querySelectorAll('.js-plotly-plot')].map(async plot => {
    let drawn = 0;
    plot.on('plotly_beforeplot', () => { drawn += 1; });
    await Plotly.react(plot, ...[plot.data, plot.layout].map(part => JSON.parse(JSON.stringify(part))));
    return drawn;
}))"""
TEXTS = """() => [...document.querySelectorAll('.js-plotly-plot')].filter(plot => plot.offsetParent).map(plot => {
    const frame = plot.querySelector('svg.main-svg').getBoundingClientRect();
    const texts = [...plot.querySelectorAll('svg.main-svg text')].filter(
        text => text.textContent.trim() && !text.closest('.hoverlayer') && getComputedStyle(text).visibility !== 'hidden');
    return texts.map(text => {
        const box = text.getBoundingClientRect();
        return {text: text.textContent, left: box.left - frame.left, right: frame.right - box.right, top: box.top - frame.top,
                bottom: frame.bottom - box.bottom, width: frame.width, height: frame.height};
    });
})"""
FILES = {
    "forty letters": tables.verdicts(
        criteria=[f"{place} {tables.LONG}"[:40] for place in range(5)],
        labels=(f"yes {tables.LONG}"[:40], f"no {tables.LONG}"[:40], "CANNOT_ASSESS"),
        judge=tables.LONG,
    ),
    "one criterion": tables.verdicts(criteria=("right",)),
    "forty criteria": tables.verdicts(criteria=[f"criterion {place}" for place in range(40)], n_items=12),
    "all undefined": tables.all_met(),
}


def cut_off(texts: list[dict[str, Any]]) -> list[str]:
    return [str(text) for text in texts if min(text[side] for side in ("left", "right", "top", "bottom")) < -2]


def overlapping(texts: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """Texts of one figure that lie over each other; between two lines a quarter of their height is free of ink."""
    found = []
    for place, one in enumerate(texts):
        for other in texts[place + 1 :]:
            across = one["width"] - max(one["left"], other["left"]) - max(one["right"], other["right"])
            upright = one["height"] - max(one["top"], other["top"]) - max(one["bottom"], other["bottom"])
            line = min(text["height"] - text["top"] - text["bottom"] for text in (one, other))
            if across > 2 and upright > line / 4:
                found.append((one["text"], other["text"]))
    return found


def expect_readable(dashboard: Dashboard, what: str) -> None:
    figures = dashboard.settle().page.evaluate(TEXTS)
    assert figures, what
    for texts in figures:
        assert texts, what
        assert cut_off(texts) == [], what
        assert overlapping(texts) == [], what


def expect_no_sideways(dashboard: Dashboard, what: str) -> None:
    assert dashboard.page.evaluate(SIDEWAYS) <= 0, what
    assert dashboard.page.evaluate(WIDER_THAN_PAGE) == [], what


def resize(dashboard: Dashboard, size: tuple[int, int]) -> None:
    dashboard.page.set_viewport_size({"width": size[0], "height": size[1]})
    dashboard.settle()


def sidebar_is_reachable(dashboard: Dashboard) -> None:
    folded = dashboard.page.get_by_test_id("stExpandSidebarButton")
    if folded.is_visible():
        folded.click()
    # On a telephone the menu of pages stands above the controls, so these are scrolled to.
    control = dashboard.sidebar.get_by_text("Keep as a class", exact=True)
    control.scroll_into_view_if_needed()
    expect(control).to_be_in_viewport()


def fits(dashboard: Dashboard, what: str, *, figures: bool = True) -> None:
    """At every width, beginning with the one in view where that is the broadest or the narrowest."""
    narrow = dashboard.page.viewport_size == {"width": TELEPHONE[0], "height": TELEPHONE[1]}
    for size in reversed(SIZES) if narrow else SIZES:
        resize(dashboard, size)
        if figures:
            expect_readable(dashboard, f"{what} at {size[0]}")
        expect_no_sideways(dashboard, f"{what} at {size[0]}")


def test_the_sample_fits(visit: Opener) -> None:
    dashboard = visit(*TELEPHONE).open()
    for size in reversed(SIZES):
        resize(dashboard, size)
        expect_no_sideways(dashboard, f"Agreement at {size[0]}")
        expect_readable(dashboard, f"Agreement at {size[0]}")
        boxes = [box for box in (found.bounding_box() for found in dashboard.main.get_by_test_id("stMetric").all()) if box]
        assert len(boxes) == 4
        across = sorted(Counter(round(box["y"]) for box in boxes).values())
        assert across == [2, 2] if size == TELEPHONE else across in ([4], [2, 2])
        sidebar_is_reachable(dashboard)


def test_a_copy_of_a_figure_is_not_drawn_again(visit: Opener) -> None:
    """Streamlit hands every figure to plotly twice."""
    assert visit().open().page.evaluate(DRAWN_AGAIN) == [0, 0, 0]


@pytest.mark.parametrize(("mode", "level", "judge"), [("as_category", "item", "strict"), ("as_unmet", "macro", "cautious")])
def test_other_choices_fit(visit: Opener, mode: str, level: str, judge: str) -> None:
    fits(visit().open(f"/agreement?mode={mode}&level={level}&judge={judge}"), f"{mode}, {level}")


@pytest.mark.parametrize("name", FILES)
def test_other_files_fit(visit: Opener, name: str) -> None:
    dashboard = visit().open("/data", "Data").give("file.csv", FILES[name])
    if name == "forty letters":
        for label, words in (("yes", "positive: it is met"), ("no", "negative: it is not met")):
            dashboard.select(f"Meaning of {f'{label} {tables.LONG}'[:40]}", words)
    dashboard.expect_understood("file.csv")
    dashboard.use()
    fits(dashboard, name)
    if name != "one criterion":
        resize(dashboard, SIZES[0])
        fits(dashboard.go("κ and φ"), f"{name}, κ and φ")
    if name == "forty letters":
        resize(dashboard, SIZES[0])
        dashboard.go("Abstention")
        for view in ("Coverage and bounds", "Who abstains, and on what"):
            dashboard.main.get_by_role("radio", name=view, exact=True).click()
            fits(dashboard.settle(), f"{name}, {view}")
    dashboard.expect_nothing_broken()


def test_the_page_data_fits(visit: Opener) -> None:
    dashboard = visit(*TELEPHONE).open("/data", "Data")
    fits(dashboard, "Data", figures=False)
    dashboard.give("long.csv", FILES["forty letters"])
    expect(dashboard.main.get_by_role("combobox", name="Meaning of yes A name")).to_be_visible()
    fits(dashboard.settle(), "Data with a file", figures=False)


def test_the_menu_of_a_telephone_folds_once_a_page_was_chosen(telephone: Dashboard) -> None:
    page = telephone.open("/data", "Data").page
    page.get_by_test_id("stExpandSidebarButton").tap()
    telephone.settle()
    page.get_by_role("link", name="Robustness", exact=True).first.tap()
    expect(telephone.title("Every choice")).to_be_visible()
    expect(telephone.sidebar).to_have_attribute("data-collapsed", "true")
    expect(page.get_by_test_id("stExpandSidebarButton")).to_be_in_viewport()
    telephone.expect_nothing_broken()
