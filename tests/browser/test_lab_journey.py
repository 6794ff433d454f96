"""The paradox lab by keyboard, by touch, on a projector, by link, and nothing of it cut off."""

from __future__ import annotations

import re
from collections import Counter

from playwright.sync_api import Locator, expect

from metrics.content.lab.formulas import worked
from metrics.content.lab.lessons import LESSONS, STEPS, step_name
from metrics.content.lab.pictures import Picture
from metrics.content.lab.scenes import at_step, from_address
from metrics.content.lab.tables import ConfusionTable, Rates
from metrics.measures.catalogue import BY_KEY
from tests.browser.driver import Dashboard, Opener
from tests.browser.test_layout import SIZES, expect_no_sideways, expect_readable, resize

TITLE = "Paradox lab"
PLACE_OF_F1 = """plot => {
    const box = [...plot.querySelectorAll('text')].find(text => text.textContent === 'F1').getBoundingClientRect();
    return [box.right + 40, box.y + box.height / 2];
}"""
TARGETS = ("button", "a[href]", "[data-testid=stCheckbox] > label", "[data-testid=stRadioOption]",
           "[data-testid=stNumberInputContainer]", "[data-testid=stSlider] [role=group]")  # fmt: skip
TOO_LOW = f"""least => [...document.querySelectorAll('[data-testid=stMain] :is({", ".join(TARGETS)})')]
    .filter(target => target.checkVisibility() && !target.closest('.save-figure, [data-testid=stElementToolbar]'))
    .map(target => [target.innerText || target.ariaLabel, target.getBoundingClientRect().height])
    .filter(([, height]) => height > 0 && height < least)"""
FULL = "lab_view=full"
SHOWN = (f"lab_step=kappa&{FULL}", f"lab_step=7d&{FULL}", f"lab_step=3c&lab_a=0_10_0_90&lab_lit=phi&{FULL}", "lab_a=0_0_0_0")
ALONE = (
    "lab_step=kappa",
    "lab_step=5c",
    "lab_step=7b",
    "lab_step=7d",
    "lab_step=3c&lab_a=0_10_0_90",
    "lab_step=2b&lab_a=1_0_0_999",
)
GONE = "document.querySelector('[data-testid=stApp]').dataset.testConnectionState !== 'CONNECTED'"

LATE = """(() => {
    const late = 900, Plain = window.WebSocket;
    window.WebSocket = class extends Plain {
        addEventListener(kind, act, ...more) {
            super.addEventListener(kind, kind === 'message' ? event => setTimeout(act, late, event) : act, ...more);
        }
        set onmessage(act) { super.onmessage = act && (event => setTimeout(act, late, event)); }
    };
})()"""
"""Every answer comes late, as on a slow line."""
ANSWERED = "window.talk.heard - window.talk.asked > 850"


READ = """() => {
    const BLOCK = 'p, h1, h2, text, button, label, a, .key, .name';
    const read = new Map(), seen = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    const look = (root) => {
        const nodes = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
        while (nodes.nextNode()) {
            const { parentElement: parent, textContent } = nodes.currentNode;
            if (!parent || !seen(parent) || parent.closest('style, script, [data-testid=stIconMaterial]')) continue;
            const block = parent.closest(BLOCK) ?? parent;
            read.set(block, (read.get(block) ?? '') + textContent);
        }
        for (const one of root.querySelectorAll('*')) {
            if (one.shadowRoot) look(one.shadowRoot);
            if (one.matches('input[role=combobox]')) read.set(one, one.value);
        }
    };
    look(document.querySelector('[data-testid=stMain]'));
    return [...read.values()].map((text) => text.trim()).filter(Boolean);
}"""
"""Every text that is to be read on the page, a list of words for each line, label and button."""
FOCUSED = """() => {
    let at = document.activeElement;
    while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    return [at.getAttribute('role') ?? at.tagName.toLowerCase(), at.ariaLabel ?? at.innerText.trim()];
}"""
WATCH_MOTION = """() => {
    const held = [...document.querySelectorAll('*')].map(one => one.shadowRoot?.querySelector('.held')).find(Boolean);
    window.moved = 0;
    held.addEventListener('drawn', () => { window.moved += held.dataset.state === 'moving'; });
}"""
WORD = re.compile(r"\S*\w\S*")
READING, PRESS = 230 / 60, 1.5
"""Words a second of somebody who reads with care, and seconds of a press."""


def slider(dashboard: Dashboard, label: str) -> Locator:
    return dashboard.main.get_by_test_id("stSlider").filter(has_text=label).locator("input")


def middle(found: Locator) -> tuple[float, float]:
    box = found.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def expect_step(dashboard: Dashboard, key: str) -> None:
    scene = at_step(key)
    dashboard.expect_said(STEPS[key].title(scene.picture, scene.other))
    if FULL.partition("=")[0] in dashboard.choices:
        dashboard.expect_said(step_name(key))


def expect_formula(dashboard: Dashboard, key: str, table: ConfusionTable) -> None:
    own = worked(key, Picture(table))
    dashboard.expect_said(f"{BY_KEY[key].symbol} = {own.general} = {own.substituted} = {own.result}")


def choose_bar_with_the_mouse(dashboard: Dashboard) -> None:
    """A click on the bar of F1 lights its formula, of the table of step 2b."""
    bars = dashboard.main.get_by_role("radio", name="F1", exact=True)
    expect(bars).not_to_be_checked()
    plot = dashboard.main.locator(".st-key-lab-bars_broad .js-plotly-plot")
    plot.scroll_into_view_if_needed()
    box = dashboard.settle().page.evaluate(PLACE_OF_F1, plot.element_handle())
    dashboard.page.mouse.move(box[0] - 2, box[1])
    dashboard.page.mouse.click(*box)
    expect(bars).to_be_checked()
    dashboard.expect_said("F1 = 2 · TP / (2 · TP + FP + FN) = 2 · 45 / (2 · 45 + 95 + 5) = 0.47")


def test_by_keyboard_through_the_first_lesson_to_a_table_of_one_s_own_and_a_bar_by_mouse(visit: Opener) -> None:
    dashboard = visit().open(f"/lab?{FULL}", TITLE)
    onward = dashboard.main.get_by_role("button", name="Next", exact=True)
    onward.focus()
    for step in LESSONS[0].steps[1:]:
        dashboard.page.keyboard.press("Enter")
        expect_step(dashboard, step.key)
        dashboard.settle()
    dashboard.page.keyboard.press("Enter")
    expect_step(dashboard, "2a")
    prevalence = slider(dashboard.settle(), "Prevalence")
    prevalence.focus()
    for _ in range(4):
        dashboard.page.keyboard.press("ArrowLeft")
    moved = ConfusionTable.of_rates(Rates(0.48, 0.9, 0.9, 1000))
    expect(prevalence).to_have_value("48")
    expect_formula(dashboard.settle(), STEPS["2a"].lit, moved)
    expect(dashboard.main.get_by_role("combobox").first).to_have_value("Custom")
    assert from_address(dashboard.choices).a == moved
    dashboard.main.get_by_role("button", name="Back to the step").click()
    expect_step(dashboard, "2a")
    assert dashboard.settle().choices == {"lab_step": "2a", "lab_view": "full"}
    onward.press("Enter")
    expect_step(dashboard, "2b")
    choose_bar_with_the_mouse(dashboard.settle())
    dashboard.expect_nothing_broken()


def test_the_lab_is_as_it_was_left_and_the_way_back_leads_back(visit: Opener) -> None:
    dashboard = visit().open("/lab?lab_a=40_10_20_30", TITLE)
    found = slider(dashboard, "TP")
    found.focus()
    for _ in range(8):
        # Faster than an answer comes: what the browser still shows of the other questions must not count as an answer.
        dashboard.page.keyboard.press("ArrowRight")
        dashboard.page.wait_for_timeout(60)
    expect(found).to_have_value("48")
    expect_formula(dashboard.settle(), "kappa", ConfusionTable((48, 10, 20, 30)))
    dashboard.go("Prevalence").go(TITLE)
    expect_formula(dashboard, "kappa", ConfusionTable((48, 10, 20, 30)))
    assert dashboard.settle().choices["lab_a"] == "48_10_20_30"
    dashboard.main.get_by_role("button", name="Next", exact=True).click()
    expect_step(dashboard, "ship")
    dashboard.settle().page.wait_for_timeout(1000)
    dashboard.page.go_back()
    expect_formula(dashboard, "kappa", ConfusionTable((48, 10, 20, 30)))
    dashboard.expect_nothing_broken()


def test_on_a_projector_the_arrow_keys_turn_the_steps_also_while_the_connection_is_gone(visit: Opener) -> None:
    dashboard = visit()
    dashboard.page.goto(f"{dashboard.address}/lab?view=room")
    expect_step(dashboard, "ship")
    dashboard.expect_arrows()
    for key in ("ship", "asleep", "chance"):
        expect_step(dashboard, key)
        dashboard.settle().page.keyboard.press("ArrowRight")
    expect_step(dashboard, "minus")
    dashboard.settle().page.keyboard.press("ArrowLeft")
    expect_step(dashboard, "chance")
    press = dashboard.settle().page.keyboard.press
    for _ in range(9):
        # Faster than an answer comes, and each counts.
        press("ArrowRight")
    expect_step(dashboard, "2g")
    for _ in range(len(STEPS)):
        press("ArrowLeft")
    expect_step(dashboard, "ship")
    back, onward = (dashboard.settle().main.get_by_role("button", name=name) for name in ("Previous", "Next"))
    expect(back).to_be_disabled()
    for button in (onward, onward, back):
        # The first step is still in view, with nothing before it.
        dashboard.page.mouse.click(*middle(button))
    expect_step(dashboard, "asleep")
    dashboard.settle().main.get_by_role("button", name="Next").click(click_count=2, delay=20)
    expect_step(dashboard, "minus")
    dashboard.settle().main.get_by_text("Choices", exact=True).click()
    dashboard.settle().main.get_by_role("radio", name="Coefficients").click()
    expect(dashboard.main.get_by_role("radio", name="Coefficients")).to_be_checked()
    for _ in range(2):
        dashboard.page.keyboard.down("ArrowLeft")  # held: one press
    dashboard.page.keyboard.up("ArrowLeft")
    expect_step(dashboard, "chance")
    dashboard.settle().main.locator(".st-key-room_panel").get_by_role("slider").first.focus()
    press("ArrowRight")
    expect(dashboard.main.locator(".legend")).to_contain_text("your table")
    dashboard.settle().main.get_by_text("Choices", exact=True).click()
    press("ArrowLeft")
    expect_step(dashboard, "asleep")
    press("ArrowRight")
    expect_step(dashboard, "chance")
    expect(dashboard.page.get_by_test_id("stHeader")).to_be_hidden()
    dashboard.settle().page.evaluate("window.talk.socket.close()")
    dashboard.page.wait_for_function(GONE, polling="raf")
    for _ in range(2):
        press("ArrowLeft")
    expect_step(dashboard, "ship")
    dashboard.settle().main.get_by_role("button", name="Leave room view").click()
    dashboard.expect_title(TITLE)
    expect_step(dashboard, "ship")
    dashboard.expect_nothing_broken()


def test_a_click_before_the_answer_to_the_last_one_on_a_slow_line(visit: Opener) -> None:
    dashboard = visit().begin_with(LATE)
    dashboard.page.goto(f"{dashboard.address}/lab?view=room")
    expect_step(dashboard, "ship")
    dashboard.settle().main.get_by_text("Choices", exact=True).click()
    dashboard.page.wait_for_function(ANSWERED)
    dashboard.settle()
    for name in ("Along prevalence", "ROC space"):
        dashboard.main.get_by_role("radio", name=name).click()
        dashboard.page.wait_for_function(ANSWERED)
        dashboard.settle()
    dashboard.main.get_by_role("radio", name="Chance").click()
    dashboard.page.wait_for_timeout(800)
    dashboard.main.get_by_role("radio", name="Along prevalence").click()
    dashboard.page.wait_for_function(ANSWERED)
    dashboard.settle()
    expect(dashboard.page.get_by_text("Connection error")).to_have_count(0)
    expect(dashboard.main.get_by_role("radio", name="Along prevalence")).to_be_checked()
    dashboard.expect_nothing_broken()


def test_the_first_lesson_is_read_in_ninety_seconds(visit: Opener) -> None:
    """What stands as it stood in the step before is not read again."""
    dashboard = visit().open("/lab", TITLE)
    main, words, before = dashboard.main, 0, Counter[str]()
    presses = len(LESSONS[0].steps)

    def read() -> None:
        nonlocal words, before
        expect(main.locator(".held")).to_have_attribute("data-state", "still")
        now = Counter(dashboard.settle().page.evaluate(READ))
        words += sum(len(WORD.findall(text)) for text in (now - before).elements())
        before = now

    for step in LESSONS[0].steps:
        expect_step(dashboard, step.key)
        read()
        if step.bet is not None:
            main.get_by_role("radio", name="No difference").click()
            expect(main.get_by_text("Bets: 0 of 1 right")).to_be_visible()
            read()
        if step is not LESSONS[0].steps[-1]:
            main.get_by_role("button", name="Next", exact=True).click()
    assert words / READING + presses * PRESS <= 90, words


def test_the_first_lesson_is_walked_by_finger(telephone: Dashboard) -> None:
    dashboard = telephone.open("/lab", TITLE)
    main, page = dashboard.main, dashboard.page
    for step in LESSONS[0].steps:
        expect_step(dashboard, step.key)
        assert dashboard.settle().page.evaluate(TOO_LOW, 40) == [], step.key
        expect_no_sideways(dashboard, step.key)
        if step.bet is not None:
            main.get_by_role("radio", name="Judge A").tap()
            expect(main.get_by_text("Bets: 1 of 1 right")).to_be_visible()
        if step is not LESSONS[0].steps[-1]:
            onward = dashboard.settle().main.get_by_role("button", name="Next", exact=True)
            expect(onward).to_be_in_viewport()
            onward.tap()
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop") == 0
    dashboard.expect_nothing_broken()


def test_the_first_lesson_is_walked_by_keys_from_the_start_of_the_page_without_motion(visit: Opener) -> None:
    dashboard = visit()
    press = dashboard.page.keyboard.press
    dashboard.page.emulate_media(reduced_motion="reduce")
    dashboard.open("/lab", TITLE).page.evaluate(WATCH_MOTION)
    press("Tab")
    expect(dashboard.page.get_by_role("link", name="Skip to main content")).to_be_focused()
    press("Enter")
    for stop in ("combobox", "button", "radio"):
        press("Tab")
        assert dashboard.page.evaluate(FOCUSED)[0] == stop
    press("Enter")
    expect(dashboard.main.get_by_text("Bets: 1 of 1 right")).to_be_visible()
    dashboard.settle()
    press("Shift+Tab")
    for step in LESSONS[0].steps[1:]:
        assert dashboard.page.evaluate(FOCUSED) == ["button", "Next"]
        press("Enter")
        expect_step(dashboard, step.key)
        dashboard.settle()
    names = []
    for _ in range(6):
        press("Tab")
        role, name = dashboard.page.evaluate(FOCUSED)
        assert role == "slider"
        names.append(name)
    assert [name.partition(":")[0] for name in names] == ["Judge A"] * 3 + ["Judge B"] * 3
    press("ArrowLeft")
    dashboard.page.wait_for_url(re.compile("lab_b=0_9_0_91"))
    assert dashboard.page.evaluate("window.moved") == 0
    dashboard.page.emulate_media(reduced_motion="no-preference")
    dashboard.expect_nothing_broken()


def test_a_bet_by_keys_keeps_the_focus_and_is_read_aloud(visit: Opener) -> None:
    dashboard = visit().open("/lab", TITLE)
    main, press = dashboard.main, dashboard.page.keyboard.press
    main.get_by_role("radio", name="Judge A").focus()
    dashboard.page.wait_for_timeout(1_000)  # until what stands on the page is known: only what changes is read aloud
    press("Space")
    expect(main.get_by_text("Bets: 1 of 1 right")).to_be_visible()
    expect(main.get_by_role("radio", name="Judge A")).to_be_disabled()
    expect(dashboard.page.locator("body > .said-aloud")).to_have_text(re.compile(r"^Right\. "))
    expect(main.locator(".st-key-lab-bet-ship")).to_be_focused()
    press("Shift+Tab")
    assert dashboard.page.evaluate(FOCUSED) == ["button", "Next"]
    press("Tab")
    expect(main.get_by_role("button", name="Open the full lab")).to_be_focused()
    dashboard.expect_nothing_broken()


def test_beside_two_tables_a_number_of_a_sentence_is_pulled_for_its_own_table(visit: Opener) -> None:
    dashboard = visit().open("/lab?lab_step=5c", TITLE)
    hits = dashboard.main.locator(".panel .scrub.hits")
    expect(hits).to_have_count(2)
    of_a, of_b = hits.all_inner_texts()
    hits.last.focus()
    expect(hits.last).to_have_attribute("aria-label", re.compile("^Judge B: "))
    hits.last.press("ArrowLeft")
    expect(hits.last).to_have_text(str(int(of_b) - 1))
    box = hits.first.bounding_box()
    assert box is not None
    mouse, x, y = dashboard.page.mouse, box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    mouse.move(x, y)
    mouse.down()
    mouse.move(x - 20, y, steps=5)
    mouse.up()
    expect(hits.first).to_have_text(str(int(of_a) - 5 * max(1, round(sum(at_step("5c").a.confusion_counts) / 100))))
    expect(hits.last).to_have_text(str(int(of_b) - 1))
    dashboard.settle()
    dashboard.open("/lab", TITLE).main.get_by_role("button", name="Next", exact=True).click()
    expect_step(dashboard, "asleep")
    expect(dashboard.main.locator(".panel .live:visible")).to_have_count(0)
    dashboard.settle().main.get_by_role("slider", name="Judge A: MET that the judge finds").press("ArrowDown")
    expect(dashboard.main.locator(".panel .scrub.hits:visible")).to_have_text(["9", "0"])
    dashboard.expect_nothing_broken()


def test_by_touch_on_a_telephone(telephone: Dashboard) -> None:
    dashboard = telephone.open(f"/lab?{FULL}", TITLE)
    main, page = dashboard.main, dashboard.page
    main.get_by_role("button", name="Next", exact=True).tap()
    expect_step(dashboard, "asleep")
    dashboard.settle().main.get_by_role("combobox").first.tap()
    page.get_by_role("option", name=f"2 · {LESSONS[1].title}").tap()
    expect_step(dashboard, "2a")
    prevalence = slider(dashboard.settle(), "Prevalence")
    prevalence.scroll_into_view_if_needed()
    x, y = page.evaluate(
        "input => { const box = input.parentElement.parentElement.getBoundingClientRect();"
        " return [box.x + box.width / 2, box.y + box.height / 2]; }",
        prevalence.element_handle(),
    )
    finger = page.context.new_cdp_session(page)
    for kind, spot in (("touchStart", x), *(("touchMove", x - 8 * far) for far in range(1, 9)), ("touchEnd", None)):
        points = [] if spot is None else [{"x": spot, "y": y}]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    expect(prevalence).not_to_have_value("50")
    # A busy page hears the last of the finger's moves after the first of them has shown.
    dashboard.settle()
    moved = ConfusionTable.of_rates(Rates(float(prevalence.input_value()) / 100, 0.9, 0.9, 1000))
    assert moved.rates is not None
    assert 0.2 < moved.rates.prevalence < 0.4
    expect_formula(dashboard.settle(), STEPS["2a"].lit, moved)
    size = main.get_by_role("spinbutton", name="Decisions N")
    size.tap()
    size.fill("500")
    size.press("Enter")
    moved = ConfusionTable.of_rates(Rates(moved.rates.prevalence, 0.9, 0.9, 500))
    expect_formula(dashboard, STEPS["2a"].lit, moved)
    main.get_by_text("More views").tap()
    expect(main.locator(".st-key-lab_space .js-plotly-plot")).to_be_visible()
    bars = dashboard.settle().main.locator(".st-key-lab-bars_narrow .js-plotly-plot")
    bars.scroll_into_view_if_needed()
    page.touchscreen.tap(*page.evaluate(PLACE_OF_F1, bars.element_handle()))
    expect_formula(dashboard, "f1", moved)
    assert page.evaluate(TOO_LOW, 40) == []
    dashboard.settle().main.get_by_role("radio", name="κ below zero").tap()
    expect(main.get_by_text("Bring κ below 0")).to_be_in_viewport()
    dashboard.expect_nothing_broken()


def test_nothing_is_cut_off_or_overlaps(visit: Opener) -> None:
    dashboard = visit()
    for query in (*SHOWN, *ALONE):
        dashboard.page.set_viewport_size({"width": SIZES[0][0], "height": SIZES[0][1]})
        dashboard.open(f"/lab?{query}", TITLE)
        for size in SIZES:
            resize(dashboard, size)
            if size == SIZES[-1] and query in SHOWN:
                dashboard.main.get_by_text("More views").click()
            what = f"{query} {size}"
            expect_no_sideways(dashboard.settle(), what)
            if query in SHOWN:
                expect_readable(dashboard, what)
    dashboard.expect_nothing_broken()
