"""The room as a stage: on every page each figure as large as the window lets it be, and nothing that steers it over it."""

from __future__ import annotations

import re
from itertools import count
from typing import Any

import pytest
from playwright.sync_api import expect

from metrics.content.lab.lessons import STEPS
from metrics.content.lab.scenes import at_step
from pages.shared import page_records as pages
from tests.browser.axe import Audit
from tests.browser.driver import Dashboard, Opener

SIZES = (1440, 900), (1920, 1080), (1280, 720)
STAGES = (
    pages.OVERVIEW, pages.AGREEMENT, pages.PREFERENCES, pages.RATERS, pages.COMPARE, pages.RANKING, pages.ENSEMBLE, pages.ROC,
    pages.SCORES, pages.CHOICES, pages.SLICES, pages.ABSTENTION, pages.KAPPA_PHI, pages.SWEEP, pages.LABELS, pages.RATE,
    pages.SIMULATION, pages.AUDIT,
)  # fmt: skip
"""Pages whose room is a row of figures; of texts and tables alone are the report and the scales."""
LONG = {pages.RATERS.name: 1, pages.SIMULATION.name: 1, pages.AUDIT.name: 0, pages.LABELS.name: 2}
"""The place of a figure that is longer than the lowest window."""
WORDS = 24
MEETINGS = (pages.REVIEW, "Next"), (pages.DISAGREEMENTS, "Next (J)")
"""Pages whose room is steered by what is talked about, a criterion or an item, with the button that leads to the next one."""
LOWEST = {1080: 0.5, 900: 0.5, 720: 0.45}
"""Of the window, what a figure takes at least; in the lowest one under a page's own warning a little less than half."""
PLACES = """() => [...document.querySelectorAll('.st-key-room_slide :is(.js-plotly-plot, [data-testid=stMetric])')].map((one) => {
    const { x, y, width, height } = one.getBoundingClientRect(), drawn = one._fullLayout;
    return [x, y, width, height, drawn?.width ?? 0, drawn?.height ?? 0].map(Math.round);
})"""
STAGE = """() => {
    const seen = (one) => one.checkVisibility({ visibilityProperty: true }) && one.getBoundingClientRect().width > 1;
    const box = (one) => { const { x, y, right, bottom } = one.getBoundingClientRect(); return { x, y, right, bottom }; };
    const main = document.querySelector('[data-testid=stMain]'), slide = main.querySelector('.st-key-room_slide');
    const clip = 'long' in slide.dataset ? slide.getBoundingClientRect().bottom : Infinity;
    const inView = ({ bottom, ...others }) => ({ ...others, bottom: Math.min(bottom, clip) });
    const said = [...slide.querySelectorAll("p, p *")].filter(
        (one) => seen(one) && !one.closest('button, label, [data-testid=stMetric]'));
    const steering = main.querySelectorAll(
        '.st-key-room_dock :is(p, button), .st-key-room_switch p, .st-key-room_panel :is(p, label, button, input)');
    const steers = [...steering].filter((one) => seen(one) && (one.innerText || one.value || '').trim());
    const small = [...said, ...steers].map((one) => [parseFloat(getComputedStyle(one).fontSize), one.innerText]).filter(
        ([size]) => size < 24);
    const rests = [...main.querySelectorAll('.st-key-declaration, .st-key-declaration_words')].filter(seen);
    const values = slide.querySelectorAll('.st-key-room_first [class*=st-key-headline] [data-testid=stMetricValue] *');
    const cut = [...steers.filter((one) => !one.closest('.st-key-room_panel')), ...values, ...rests, ...rests.flatMap(
        (one) => [...one.querySelectorAll('p')])].filter(
        (one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 4).map((one) => one.innerText);
    const docked = [...main.querySelectorAll('.st-key-room_dock :is(button, p), .st-key-room_switch label')].filter(
        (one) => seen(one) && !one.parentElement.closest('button, label')).map(box);
    const figures = [...main.querySelectorAll('.js-plotly-plot')].filter(seen).map((plot) => ({
        ...inView(box(plot)),
        words: [...plot.querySelectorAll('.main-svg text')].filter((one) => seen(one) && one.textContent.trim()).map((one) => {
            const { a, b } = one.getScreenCTM();
            return [parseFloat(getComputedStyle(one).fontSize) * Math.hypot(a, b), one.textContent];
        }),
    }));
    const controls = [...main.querySelectorAll('button, input, select, [role=combobox], [role=slider]')]
        .filter((one) => seen(one) && !one.closest('.save-figure, .copy-number, .held-mark')).map(box);
    const cards = [...main.querySelectorAll('.st-key-room_first [class*=st-key-headline] [data-testid=stMetric]')];
    const columns = [...main.querySelectorAll('.st-key-room_first [class*=st-key-third_mode_]')];
    const large = [...cards, ...columns].filter(seen).map(box);
    const dock = Math.min(...[main.querySelector('.st-key-room_dock'), ...rests].map((one) => box(one).y));
    return { figures, small, cut, controls, docked, cards: large, dock, width: innerWidth, height: innerHeight };
}"""
LATE = """() => {
    const cards = document.querySelectorAll('.st-key-room_first [class*=st-key-headline] [data-testid=stMetric]');
    const last = [...cards].at(-1), host = last.parentElement;
    last.remove();
    window.lateCard = () => { host.append(last); };
}"""
"""One of the large numbers is still on its way: its place is there already."""

PART = """() => {
    const slide = document.querySelector('.st-key-room_slide'), edge = slide.getBoundingClientRect();
    const strips = [...document.querySelectorAll('.room-strip:not([hidden])')];
    const within = (one, { top, bottom }) => {
        const box = one.getBoundingClientRect();
        return box.top >= top - 3 && box.bottom <= bottom + 3;
    };
    const edges = strips.map((one) => one.getBoundingClientRect());
    const free = (one) => within(one, edge) && !edges.some(({ top, bottom }) => {
        const box = one.getBoundingClientRect();
        return box.bottom > top + 3 && box.top < bottom - 3;
    });
    const words = [...slide.querySelectorAll('.main-svg text')].filter((one) => one.textContent.trim());
    const repeated = strips.flatMap((strip, at) => [...strip.querySelectorAll('text')].filter((one) => within(one, edges[at])));
    const read = [...words.filter(free), ...repeated];
    const plot = slide.querySelector('.js-plotly-plot').getBoundingClientRect();
    return {
        all: words.map((one) => one.textContent), read: read.map((one) => one.textContent),
        ticks: read.filter((one) => one.closest('.xaxislayer-above')).length,
        high: Math.min(plot.bottom, edge.bottom) - Math.max(plot.top, edge.top),
        part: document.querySelector('.room-part').innerText,
    };
}"""

SMALL = """() => {
    const said = (one) => one.matches('input, textarea')
        || [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    const box = (one) => one.getBoundingClientRect();
    const seen = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && box(one).width > 1
        && box(one).bottom > 0 && !one.closest('.save-figure, svg, style, script, [data-testid=stIconMaterial]');
    return [...document.body.querySelectorAll('*')].filter((one) => said(one) && seen(one))
        .map((one) => [parseFloat(getComputedStyle(one).fontSize), one.innerText || one.value]).filter(([size]) => size < 24);
}"""
CUT = """() => [...document.querySelectorAll('.st-key-room_slide *')].filter((one) =>
    one.checkVisibility({ visibilityProperty: true }) && !one.closest('.js-plotly-plot, input') && one.innerText
    && getComputedStyle(one).overflowX !== 'visible' && one.scrollWidth > one.clientWidth + 1).map((one) => one.innerText)"""
MET = """() => {
    const box = (one) => one.getBoundingClientRect(), slide = document.querySelector('.st-key-room_slide');
    const leaves = [...slide.querySelectorAll('p, h2, button, input, .js-plotly-plot')].filter(
        (one) => one.checkVisibility({ visibilityProperty: true }) && box(one).width > 1
        && !one.closest('.save-figure') && !one.parentElement.closest('button'));
    const meet = (one, other) => Math.min(box(one).right, box(other).right) - Math.max(box(one).x, box(other).x) > 1
        && Math.min(box(one).bottom, box(other).bottom) - Math.max(box(one).y, box(other).y) > 1;
    return leaves.flatMap((one, at) => leaves.slice(0, at).filter((other) => meet(one, other)).map(
        (other) => [one.innerText, other.innerText]));
}"""

HANDED_DOWN = """() => [...document.querySelectorAll('.st-key-room_slide .main-svg text')].flatMap(
    (one) => ['--tried', '--drawn'].filter((name) => getComputedStyle(one).getPropertyValue(name)))"""
"""Sizes that are tried for a figure, and would have each of its marks styled anew at every try."""


def _meet(one: dict[str, float], other: dict[str, float]) -> bool:
    across = min(one["right"], other["right"]) - max(one["x"], other["x"])
    return across > 1 and min(one["bottom"], other["bottom"]) - max(one["y"], other["y"]) > 1


def _expect_stage(stage: dict[str, Any], first: bool, least: float | None = None) -> None:
    height = stage["height"]
    assert not stage["small"]
    assert not stage["cut"]
    assert all(one["x"] >= 0 and one["right"] <= stage["width"] for one in stage["docked"])
    assert not [one for at, one in enumerate(stage["docked"]) for other in stage["docked"][:at] if _meet(one, other)]
    for figure in stage["figures"]:
        assert figure["bottom"] <= stage["dock"] + 1
        assert figure["x"] >= 0
        assert figure["right"] <= stage["width"] + 1
        assert not [control for control in stage["controls"] if _meet(figure, control)]
        assert figure["words"]
        assert min(figure["words"])[0] >= WORDS - 0.1
    if stage["figures"]:
        assert max(figure["bottom"] - figure["y"] for figure in stage["figures"]) >= (least or LOWEST[height]) * height - 1
    if first and stage["cards"] and not stage["figures"]:
        taken = sum((card["right"] - card["x"]) * (card["bottom"] - card["y"]) for card in stage["cards"])
        assert taken >= 0.5 * stage["width"] * height
        assert all(card["bottom"] <= stage["dock"] for card in stage["cards"])


def _settled(dashboard: Dashboard, *, hastened: bool = True) -> dict[str, Any]:
    dashboard.at_rest(PLACES, hastened=hastened)
    stage: dict[str, Any] = dashboard.settle().page.evaluate(STAGE)
    return stage


def _expect_axis_and_every_word(dashboard: Dashboard) -> None:
    """Go through the parts of a long figure: each has its axis, and no word is left out."""
    read: set[str] = set()
    parts = 0
    while True:
        _settled(dashboard)
        part = dashboard.page.evaluate(PART)
        parts += 1
        read |= set(part["read"])
        if part["high"] > 100:
            assert part["ticks"] >= 2, part["part"]
        if part["part"].startswith("↑"):
            break
        dashboard.page.keyboard.press("ArrowDown")
        expect(dashboard.page.locator(".room-part")).not_to_have_text(part["part"])
    assert parts > 1
    assert set(part["all"]) <= read


@pytest.mark.parametrize("page", STAGES, ids=lambda page: page.name)
def test_every_figure_fills_the_room_at_each_size(visit: Opener, page: pages.Page) -> None:
    dashboard = visit(*SIZES[0])
    name = "" if page is pages.FIRST else page.name
    dashboard.open(f"/{name}?view=room", page.title)
    drawn = 0
    onward = dashboard.main.get_by_role("button", name="Next", exact=True)
    for place in count():
        for width, height in SIZES:
            dashboard.page.set_viewport_size({"width": width, "height": height})
            stage = _settled(dashboard)
            _expect_stage(stage, not place)
        drawn += len(stage["figures"])
        if LONG.get(page.name) == place:
            _expect_axis_and_every_word(dashboard)
        if onward.is_disabled():
            break
        onward.click()
        dashboard.settle()
    assert drawn
    assert LONG.get(page.name, 0) <= place
    dashboard.expect_nothing_broken()


def test_large_numbers_that_come_one_after_another_all_stand_above_what_steers(visit: Opener) -> None:
    dashboard = visit(*SIZES[0]).open("/compare?view=room", "Compare judges")
    _settled(dashboard)
    dashboard.page.evaluate(LATE)
    dashboard.page.set_viewport_size(dict(zip(("width", "height"), SIZES[1], strict=True)))
    assert len(_settled(dashboard)["cards"]) == 3
    dashboard.page.evaluate("window.lateCard()")
    stage = _settled(dashboard, hastened=False)  # the page looks by itself
    assert len(stage["cards"]) == 4
    _expect_stage(stage, True)
    dashboard.expect_nothing_broken()


def test_choices_stand_beside_the_figure_and_the_room_has_no_barrier(visit: Opener) -> None:
    dashboard = visit(*SIZES[0]).open("/prevalence?view=room", "Prevalence")
    dashboard.main.get_by_role("button", name="Next", exact=True).click()
    before = _settled(dashboard)["figures"][0]
    dashboard.main.get_by_text("Choices", exact=True).click()
    stage = _settled(dashboard)
    assert stage["figures"][0]["right"] < before["right"] - 300
    assert dashboard.page.evaluate(HANDED_DOWN) == []
    expect(dashboard.page.locator("html")).to_have_css("font-size", "24px")
    assert len(stage["controls"]) > 4
    _expect_stage(stage, False)
    audit = Audit()
    audit.look(dashboard.page, "prevalence in the room")
    dashboard.turn("dark")
    audit.look(dashboard.page, "prevalence in the room, dark", colours=True)
    assert not audit.findings, audit.findings
    dashboard.main.get_by_role("button", name="Leave room view").click()
    expect(dashboard.main.get_by_role("button", name="Next", exact=True)).to_have_count(0)
    expect(dashboard.page.locator("html")).to_have_css("font-size", "16px")
    dashboard.expect_nothing_broken()


@pytest.mark.parametrize("view", ["Coefficients", "Along prevalence", "Chance", "ROC space"])
def test_the_lab_s_other_views_have_large_words_above_what_steers(visit: Opener, view: str) -> None:
    title = STEPS["2b"].title(at_step("2b").picture)
    dashboard = visit(*SIZES[0]).open(f"/lab?lab_step=2b&view=room&lab_beside={view}", title)
    for width, height in SIZES:
        dashboard.page.set_viewport_size({"width": width, "height": height})
        stage = _settled(dashboard)
        assert len(stage["figures"]) == 2
        _expect_stage(stage, False)
    dashboard.expect_nothing_broken()


def _entered(visit: Opener, page: pages.Page, onward: str) -> Dashboard:
    dashboard = visit(*SIZES[0])
    dashboard.page.goto(f"{dashboard.address}/{page.name}?view=room")
    expect(dashboard.main.get_by_role("button", name=onward, exact=True)).to_be_enabled()
    return dashboard.settle()


def _expect_read_from_afar(dashboard: Dashboard) -> int:
    """Go through the parts of what is in view, and return how many they are."""
    dashboard.page.locator(".st-key-room_slide").evaluate("slide => slide.scrollTo(0, 0)")
    parts, told = 1, dashboard.page.locator(".room-part")
    while True:
        stage = _settled(dashboard)
        _expect_stage(stage, False)
        for found in (SMALL, CUT, MET):
            assert not dashboard.page.evaluate(found)
        if not told.count() or told.inner_text().startswith("↑"):
            return parts
        before = told.inner_text()
        dashboard.page.keyboard.press("ArrowDown")
        expect(told).not_to_have_text(before)
        parts += 1


@pytest.mark.parametrize(("page", "onward"), MEETINGS, ids=lambda what: getattr(what, "name", ""))
def test_a_meeting_reads_every_word_from_afar(visit: Opener, page: pages.Page, onward: str) -> None:
    dashboard = _entered(visit, page, onward)
    for _ in range(3):
        for width, height in SIZES:
            dashboard.page.set_viewport_size({"width": width, "height": height})
            parts = _expect_read_from_afar(dashboard)
            assert parts >= (3 if page is pages.REVIEW else 1)
        dashboard.main.get_by_role("button", name=onward, exact=True).click()
        dashboard.settle()
    dashboard.expect_nothing_broken()


@pytest.mark.parametrize(("page", "onward"), MEETINGS, ids=lambda what: getattr(what, "name", ""))
def test_what_a_meeting_opens_has_large_words_and_no_barrier(visit: Opener, page: pages.Page, onward: str) -> None:
    dashboard, audit = _entered(visit, page, onward), Audit()
    dashboard.main.get_by_role("button", name=re.compile("Type the definition|Tags and note")).first.click()
    dashboard.settle()
    assert not dashboard.page.evaluate(SMALL)
    dashboard.page.keyboard.press("Escape")
    dashboard.main.get_by_text("Choices", exact=True).click()
    _settled(dashboard)
    if page is pages.REVIEW:  # its matrix goes below what is decided
        dashboard.page.keyboard.press("ArrowDown")
    _expect_stage(_settled(dashboard), False, least=0.45)
    for found in (SMALL, CUT, MET):
        assert not dashboard.page.evaluate(found)
    audit.look(dashboard.page, f"{page.name} in the room")
    dashboard.turn("dark")
    audit.look(dashboard.page, f"{page.name} in the room, dark", colours=True)
    assert not audit.findings, audit.findings
    dashboard.expect_nothing_broken()


def test_a_code_is_a_key_in_the_room_and_the_next_item_a_letter(visit: Opener) -> None:
    dashboard = visit(*SIZES[-1]).open("/disagreements?view=room", "Disagreements")
    expect(dashboard.page.locator("html")).to_have_attribute("data-letters", "turn")
    for key in ("1", "2", "j"):
        dashboard.page.keyboard.press(key)
    dashboard.expect_said("2 of 180 disagreements coded: 1 judge wrong, 1 human wrong")
    dashboard.settle().page.keyboard.press("k")
    dashboard.settle()
    dashboard.main.get_by_role("button", name="Undo").click()
    dashboard.expect_said("1 of 180 disagreements coded: 1 judge wrong")
    _expect_stage(_settled(dashboard), False)
    dashboard.expect_nothing_broken()
