"""The figure that one holds: its numbers are the catalogue's, and every way of holding it brings the last position home."""

from __future__ import annotations

import base64
import re
import time
from itertools import pairwise

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from metrics.content.lab import bets
from metrics.content.lab.formulas import TWO
from metrics.content.lab.javascript import emitted, formulas
from metrics.content.lab.lessons import LESSONS, STEPS
from metrics.content.lab.scenes import Scene, at_step, from_address
from metrics.content.lab.terms import part
from metrics.measures.catalogue import BY_KEY
from metrics.results import words
from pages.shared.lab.figure import JS
from tests.browser.axe import Audit
from tests.browser.conftest import Visitors
from tests.browser.driver import Dashboard, Opener
from tests.browser.test_accessible import both_themes
from tests.browser.test_room_stage import SIZES

TITLE = "Paradox lab"
MOST, MOST_WRITTEN = 40, 16
SAME = 1e-12
COMPUTED = """([most, key]) => {
    const values = [];
    for (let n = 0; n <= most; n++)
        for (let tp = 0; tp <= n; tp++)
            for (let fn = 0; fn <= n - tp; fn++)
                for (let fp = 0; fp <= n - tp - fn; fp++)
                    values.push(METRICS[key](tp, fn, fp, n - tp - fn - fp));
    const bytes = new Uint8Array(new Float64Array(values).buffer);
    let text = "";
    for (let at = 0; at < bytes.length; at += 32768) text += String.fromCharCode(...bytes.subarray(at, at + 32768));
    return btoa(text);
}"""

A_FRAME = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""What a key or the hand has done is drawn in the next frame."""


def tables(most: int) -> np.ndarray:
    """Every table of at most so many decisions, shape (tables, 2, 2)."""
    cells = [
        (tp, fn, fp, n - tp - fn - fp)
        for n in range(most + 1)
        for tp in range(n + 1)
        for fn in range(n - tp + 1)
        for fp in range(n - tp - fn + 1)
    ]
    return np.array(cells, float).reshape(-1, 2, 2)


@pytest.fixture
def blank(visitors: Visitors) -> Page:
    page = visitors.come()
    page.goto("about:blank")
    helpers = JS.read_text("utf-8").partition("/* So many of each kind")[0]
    page.add_script_tag(content=f"{formulas()}{helpers}; Object.assign(window, {{ METRICS, share, decimals, count }})")
    return page


def test_the_browser_computes_what_the_catalogue_does_for_every_table_of_forty(blank: Page) -> None:
    every = tables(MOST)
    for key in TWO:
        browser = np.frombuffer(base64.b64decode(blank.evaluate(COMPUTED, [MOST, key])))
        with np.errstate(all="ignore"):
            catalogue = np.asarray(BY_KEY[key].function(every), float)
        assert browser.shape == catalogue.shape
        assert (np.isnan(browser) == np.isnan(catalogue)).all(), key
        assert np.nanmax(np.abs(browser - catalogue)) < SAME, key


def test_the_browser_writes_numbers_as_the_page_does(blank: Page) -> None:
    every = tables(MOST_WRITTEN)
    for key, write, script in (
        ("accuracy", part, "xs => xs.map(share)"),
        ("expected_agreement", part, "xs => xs.map(share)"),
        ("kappa", words.number, "xs => xs.map(x => decimals(x, 2))"),
    ):
        with np.errstate(all="ignore"):
            values = sorted(set(np.asarray(BY_KEY[key].function(every), float).tolist()), key=str)
        assert blank.evaluate(script, values) == [write(x) for x in values], key
    small = [0.0, 0.0004, 0.0005, 0.9994, 0.9996, 1.0, 0.005, 0.995]
    assert blank.evaluate("xs => xs.map(share)", small) == [part(x) for x in small]
    large = [0, 7, 999, 1000, 1234567]
    assert blank.evaluate("xs => xs.map(count)", large) == [words.amount(n) for n in large]


def test_a_formula_with_an_unknown_sign_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Math.sqrt(P * M * J * K)" in emitted("phi")
    monkeypatch.setattr("metrics.content.lab.javascript.SIGNS", {})
    with pytest.raises(ValueError, match="kappa"):
        emitted("kappa")


NUMBERS = re.compile(r"\d+(?:\.\d+)?")
OVERLAPS = """() => {
    const inside = root => [...root.querySelectorAll('*')].flatMap(
        one => one.shadowRoot ? inside(one.shadowRoot) : one.matches('.bars') ? [one] : []);
    return inside(document).flatMap(bars => {
        const texts = [...bars.querySelectorAll('text')].map(text => [text.textContent, text.getBoundingClientRect()]);
        return texts.flatMap(([a, one], at) => texts.slice(at + 1).filter(([, other]) =>
            Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1
            && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 4).map(([b]) => [a, b]));
    });
}"""
WORDS_OF_THE_ROOM = """() => {
    const shown = (one) => one.checkVisibility({ visibilityProperty: true }) && one.textContent.trim();
    const held = [...document.querySelectorAll('*')].map(one => one.shadowRoot?.querySelector('.held')).find(Boolean);
    const dock = document.querySelector('.st-key-room_dock');
    const said = document.querySelectorAll('.st-key-lab_said :is(h1, h2, p, span), .st-key-declaration :is(p, strong)');
    const words = [...held.querySelectorAll('text, span, p'), ...said].filter(shown);
    const small = words.filter(one => parseFloat(getComputedStyle(one).fontSize) < 23.9).map(one => one.textContent);
    const lowest = Math.max(...[...held.querySelectorAll('svg, p')].filter(one => one.checkVisibility()).map(
        one => one.getBoundingClientRect().bottom));
    return [small, lowest, dock.getBoundingClientRect().y];
}"""


def middle(found: Locator) -> tuple[float, float]:
    box = found.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def held(dashboard: Dashboard, name: str) -> Locator:
    """A handle of the figure, which has come to rest."""
    expect(dashboard.main.locator(".held")).to_have_attribute("data-state", "still")
    return dashboard.main.locator(f".grip.{name}")


def drag(dashboard: Dashboard, name: str, right: float, down: float) -> None:
    mouse = dashboard.page.mouse
    x, y = middle(held(dashboard, name).locator(".knob"))
    mouse.move(x, y)
    mouse.down()
    for step in range(1, 31):
        mouse.move(x + right * step / 30, y + down * step / 30)
    mouse.up()


def expect_arrived(dashboard: Dashboard) -> Scene:
    """The page and the address have the table that the figure shows; that table."""
    dashboard.page.evaluate(A_FRAME)
    positives, hits, alarms = (
        int(re.sub(r"\D", "", dashboard.main.locator(f".scrub.{name}").inner_text())) for name in ("prevalence", "hits", "alarms")
    )
    n = int(held(dashboard, "prevalence").get_attribute("aria-valuemax") or 0)
    cells = f"{hits}_{positives - hits}_{alarms}_{n - positives - alarms}"
    dashboard.page.wait_for_url(re.compile(f"lab_a={cells}(&|$)"))
    return from_address(dashboard.choices)


def test_a_divider_is_dragged_by_mouse_and_moved_by_keys_and_the_last_position_arrives(visit: Opener) -> None:
    dashboard = visit().open("/lab?lab_step=2a", TITLE)
    before = middle(held(dashboard, "prevalence"))[1]
    drag(dashboard, "prevalence", -180, 0)
    moved = expect_arrived(dashboard)
    assert 0 < moved.picture.values["prevalence"] < 0.3
    # The same judge, as near as whole decisions allow.
    assert moved.picture.values["recall"] == pytest.approx(0.9, abs=0.01)
    assert moved.picture.values["specificity"] == pytest.approx(0.9, abs=0.01)
    assert part(moved.picture.values["accuracy"]) in (dashboard.main.locator(".bars").get_attribute("aria-label") or "")
    assert middle(held(dashboard, "prevalence"))[1] == before
    dashboard.expect_said(STEPS["2a"].title(at_step("2a").picture))
    grip = held(dashboard, "hits")
    grip.focus()
    found = int(grip.get_attribute("aria-valuenow") or 0)
    for _ in range(7):
        dashboard.page.keyboard.press("ArrowDown")
    expect(grip).to_have_attribute("aria-valuenow", str(found - 7))
    expect_arrived(dashboard)
    dashboard.page.keyboard.press("Home")
    assert expect_arrived(dashboard).picture.counts[0, 0] == 0
    dashboard.page.keyboard.press("End")
    last = expect_arrived(dashboard)
    assert last.picture.counts[0, 1] == 0
    assert str(words.number(last.picture.values["kappa"])) in (grip.get_attribute("aria-valuetext") or "")
    dashboard.page.reload()
    dashboard.expect_title(TITLE)
    assert expect_arrived(dashboard.settle()).a == last.a
    dashboard.main.get_by_role("button", name="Back to the step").click()
    expect(dashboard.main.locator(".scrub.prevalence")).to_have_text(words.amount(500))
    assert dashboard.settle().choices == {"lab_step": "2a"}
    dashboard.expect_nothing_broken()


def test_what_a_judge_of_given_rates_gives_on_average_is_not_rounded_until_the_hand_takes_it(visit: Opener) -> None:
    dashboard = visit().open("/lab?lab_step=4a&lab_a=r50_75_75_2", TITLE)
    picture = from_address(dashboard.choices).picture
    bars = dashboard.main.locator(".bars")
    held(dashboard, "hits")
    for key, write in (("accuracy", part), ("kappa", words.number), ("phi", words.number)):
        shown = re.search(
            rf"{BY_KEY[key].symbol} [^,]*?([^ ]+(?:{words.HARD_SPACE}%)?)(?:,|$)", bars.get_attribute("aria-label") or ""
        )
        assert shown is not None
        assert shown[1] == write(picture.values[key])
    expect(dashboard.main.locator(".space text").first).to_have_text(f"FPR {part(0.25)}")
    expect(dashboard.main.locator(".scrub.hits")).to_have_text("0.8")
    expect(dashboard.main.locator(".legend")).to_contain_text("counts are what such a judge gives on average")
    held(dashboard, "alarms").focus()
    dashboard.page.keyboard.press("End")
    moved = expect_arrived(dashboard).a
    assert moved.rates is None
    assert sum(moved.confusion_counts) == 2
    dashboard.expect_nothing_broken()


def test_a_table_of_one_label_keeps_the_rates_that_were_set(visit: Opener) -> None:
    """No decision of it shows the TPR that it is carried with to another mix."""
    dashboard = visit().open("/lab?lab_step=2a&lab_a=r0_90_80_1000", TITLE)
    held(dashboard, "prevalence").focus()
    for _ in range(5):
        dashboard.page.keyboard.press("PageUp")
    moved = expect_arrived(dashboard).picture.values
    assert (moved["prevalence"], moved["recall"], moved["specificity"]) == (0.5, 0.9, 0.8)


def test_a_folded_figure_counts_three_classes(visit: Opener) -> None:
    dashboard = visit().open("/lab?lab_step=ship&lab_a=30_10_10_20_5_5_5_5_10&lab_mode=as_category&lab_b=none", TITLE)
    expect(dashboard.main.locator(".stage text").first).to_have_text("agree on 60")
    expect(dashboard.main.locator(".stage text").last).to_have_text("differ on 40")


def test_a_drag_is_one_place_on_the_way_back(visit: Opener) -> None:
    dashboard = visit().open("/lab?lab_step=2a", TITLE)
    mouse, places = dashboard.page.mouse, dashboard.page.evaluate("history.length")
    x, y = middle(held(dashboard, "prevalence").locator(".knob"))
    mouse.move(x, y)
    mouse.down()
    for step in range(1, 7):
        mouse.move(x - 20 * step, y)
        dashboard.page.wait_for_timeout(200)  # so that the page hears of every position
    assert "lab_a" not in dashboard.choices
    expect(dashboard.main.get_by_role("button", name="Back to the step")).to_be_visible()
    mouse.up()
    expect_arrived(dashboard)
    assert dashboard.page.evaluate("history.length") == places + 1
    dashboard.page.go_back()
    expect(dashboard.main.locator(".scrub.prevalence")).to_have_text("500")
    dashboard.expect_nothing_broken()


def _three_keys(dashboard: Dashboard) -> tuple[Locator, int, float]:
    """Return the slider, the places of history before, and the longest time from before one key to after the next, in s."""
    dashboard.open("/lab?lab_step=2a&lab_view=full", TITLE)
    slider = dashboard.main.get_by_role("slider", name=re.compile("TPR"))
    places = dashboard.page.evaluate("history.length")
    slider.focus()
    times = []
    for _ in range(3):
        begun = time.monotonic()
        dashboard.page.keyboard.press("ArrowLeft")
        times.append((begun, time.monotonic()))
        dashboard.page.wait_for_timeout(300)  # enough for each position to be told
    return slider, places, max(after - before for (before, _), (_, after) in pairwise(times))


def test_keys_on_a_slider_of_the_full_lab_are_one_place_on_the_way_back(visit: Opener) -> None:
    dashboard = visit()
    for _ in range(12):
        slider, places, longest = _three_keys(dashboard)
        if longest < 1.4:  # s: else the machine paused for longer than what ends a run of keys
            break
    dashboard.page.wait_for_url(re.compile("lab_a=r50_88.5_90_1000"))
    assert dashboard.page.evaluate("history.length") == places + 1
    dashboard.settle().page.go_back()
    expect(slider.first).to_have_value("90")  # the one before stands behind it until the run has ended
    expect(slider).to_have_count(1)
    dashboard.expect_nothing_broken()


def test_no_place_on_the_way_back_has_a_new_step_beside_an_old_table(visit: Opener) -> None:
    dashboard = visit().open("/lab?lab_step=2a", TITLE)
    held(dashboard, "prevalence").focus()
    for _ in range(3):
        dashboard.page.keyboard.press("ArrowLeft")
    table = expect_arrived(dashboard).a
    dashboard.settle().main.get_by_role("button", name="Next", exact=True).click()
    dashboard.expect_said(STEPS["2b"].title(at_step("2b").picture))
    dashboard.settle().page.wait_for_timeout(1000)
    for positives in ("500", "497"):
        dashboard.page.go_back()
        dashboard.expect_said(STEPS["2a"].title(at_step("2a").picture))
        expect(dashboard.main.locator(".scrub.prevalence")).to_have_text(positives)
        dashboard.settle()
    assert expect_arrived(dashboard).a == table


def test_a_number_of_the_sentence_and_the_point_are_pulled(visit: Opener) -> None:
    dashboard = visit().open("/lab?lab_step=3b", TITLE)
    number = dashboard.main.locator(".scrub.hits")
    number.focus()
    dashboard.page.keyboard.press("ArrowRight")
    assert expect_arrived(dashboard).a == STEPS["3c"].table
    x, y = middle(number)
    dashboard.page.mouse.move(x, y)
    dashboard.page.mouse.down()
    dashboard.page.mouse.move(x + 16, y, steps=4)
    dashboard.page.mouse.up()
    expect(number).to_have_text("5")
    expect_arrived(dashboard)
    drag(dashboard, "spot", 40, 0)
    assert expect_arrived(dashboard).picture.values["fpr"] > 0.2
    dashboard.expect_nothing_broken()


def test_by_finger_on_a_telephone(telephone: Dashboard) -> None:
    dashboard = telephone.open("/lab?lab_step=2a", TITLE)
    held(dashboard, "prevalence").scroll_into_view_if_needed()
    x, y = middle(held(dashboard, "prevalence").locator(".knob"))
    finger = dashboard.page.context.new_cdp_session(dashboard.page)
    for kind, spot in (("touchStart", x), *(("touchMove", x - 8 * far) for far in range(1, 13)), ("touchEnd", None)):
        points = [] if spot is None else [{"x": spot, "y": y}]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    expect(dashboard.main.locator(".scrub.prevalence")).to_have_text(re.compile(r"^[12]\d\d$"))
    assert expect_arrived(dashboard).picture.values["prevalence"] < 0.3
    dashboard.expect_nothing_broken()


def test_the_tab_key_of_a_telephone_passes_the_folded_sidebar(telephone: Dashboard) -> None:
    page = telephone.open("/lab", TITLE).page
    stops = []
    for _ in range(8):
        page.keyboard.press("Tab")
        stops.append(page.evaluate("Boolean(document.activeElement.closest('[data-testid=stSidebar]'))"))
    assert not any(stops)
    page.get_by_test_id("stExpandSidebarButton").click()
    expect(telephone.sidebar.get_by_text("Overview", exact=True)).to_be_in_viewport()


@pytest.mark.parametrize("size", [(1440, 900), (390, 844)])
def test_a_step_has_its_own_link(visit: Opener, size: tuple[int, int]) -> None:
    dashboard = visit(*size).open("/lab?lab_step=2b", TITLE)
    copy = dashboard.main.get_by_role("button", name="Copy link")
    expect(copy).to_have_attribute("title", re.compile(r"/lab\?lab_step=2b$"))
    held(dashboard, "hits").press("ArrowDown")
    moved = expect_arrived(dashboard).address()["lab_a"]
    expect(copy).to_have_attribute("title", re.compile(f"lab_a={moved}"))
    dashboard.expect_nothing_broken()


def test_the_numbers_of_the_first_lesson_stand_in_its_drawing_and_a_mark_means_one_thing(visit: Opener) -> None:
    dashboard = visit()
    ends = {"1"}  # of the scale, which the drawing does not number
    for step in LESSONS[0].steps:
        dashboard.open(f"/lab?lab_step={step.key}", TITLE)
        figure = dashboard.main.locator(".held")
        expect(figure).to_have_attribute("data-state", "still")
        shown = set(NUMBERS.findall("\n".join(figure.locator("text, p").all_text_contents())))
        assert set(NUMBERS.findall(step.sentence(step.picture()))) <= shown | ends, step.key
        for panel, table in enumerate((step.table, step.second_table)):
            assert table is not None
            found, missed, alarms, rejected = map(round, table.confusion_counts)
            said = (found + alarms) / 100
            errors = round(10 * (1 - said) + 90 * said) if step.drawn == "guessed" else missed + alarms
            marks = figure.locator(".stage").nth(panel).locator("path[transform*=scale]")
            looks = marks.evaluate_all("all => all.map(one => [one.getAttribute('d'), one.getAttribute('fill')])")
            drawn = [d for d, _ in looks]
            round_mark = max(set(drawn), key=drawn.count)
            assert (len(drawn), len(drawn) - drawn.count(round_mark)) == (100, errors), step.key
            hollow = [inside for _, inside in looks].count("transparent")
            assert hollow == (0 if step.drawn == "folded" else missed + rejected), step.key


def expect_apart(dashboard: Dashboard) -> None:
    """No words of the bars lie over each other."""
    assert dashboard.page.evaluate(OVERLAPS) == []


@pytest.mark.parametrize("step", ["ship", "chance", "kappa", "2b", "7b"])
def test_in_the_room_a_lesson_has_large_words_above_what_steers(visit: Opener, step: str) -> None:
    dashboard = visit(*SIZES[0]).open(f"/lab?lab_step={step}&view=room", STEPS[step].title(at_step(step).picture))
    for width, height in SIZES:
        dashboard.page.set_viewport_size({"width": width, "height": height})
        expect(dashboard.main.locator(".held")).to_have_attribute("data-state", "still")
        small, lowest, dock = dashboard.at_rest(WORDS_OF_THE_ROOM)
        assert not small, (width, height)
        assert lowest <= dock + 1, (width, height)
        expect_apart(dashboard)
    dashboard.expect_nothing_broken()


@pytest.mark.parametrize("size", [(1440, 900), (390, 844)])
def test_the_first_lesson_is_walked_on_one_screen_with_a_bet(visit: Opener, size: tuple[int, int]) -> None:
    dashboard = visit(*size).open("/lab", TITLE)
    main = dashboard.main
    for step in LESSONS[0].steps:
        dashboard.expect_said(step.title(step.picture()))
        expect(main.locator(".held")).to_have_attribute("data-state", "still")
        stage = main.locator(".stage").first.bounding_box()
        assert stage is not None
        assert stage["y"] + stage["height"] <= size[1], step.key
        # The figure follows the sentence.
        names = re.compile("κ" if step.key == "kappa" else "^[^κ]+$")
        expect(main.locator(".bars").first).to_have_attribute("aria-label", names)
        expect_apart(dashboard)
        if step.bet is not None:
            main.get_by_role("radio", name="No difference").click()
            dashboard.expect_said(bets.why(step.key))
            dashboard.expect_said("Bets: 0 of 1 right, 7 in all")
            assert main.locator(".stage").first.bounding_box() == stage
        dashboard.settle()
        if step is not LESSONS[0].steps[-1]:
            main.get_by_role("button", name="Next", exact=True).click()
    expect(main.get_by_test_id("stAlert")).to_have_count(0)
    expect(dashboard.sidebar).to_be_hidden()
    dashboard.expect_nothing_broken()


def test_axe_finds_nothing_on_a_figure_in_either_theme(visit: Opener) -> None:
    audit = Audit()
    dashboard = visit()
    for step in ("kappa", "2a", "7d"):  # the first is what the audit of every page sees
        dashboard.open(f"/lab?lab_step={step}", TITLE)
        both_themes(dashboard, audit, step)
    assert not audit.findings, "\n".join(audit.findings)
