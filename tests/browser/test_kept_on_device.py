"""What a browser keeps of a data set, and what a reload of the page brings back: the file by consent, work and choices always."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, expect

from tests.browser import tables
from tests.browser.axe import Audit
from tests.browser.conftest import WAITING, Visitors
from tests.browser.driver import Dashboard

TOGGLE = re.compile("^Remember .* on this device$")
MOST_AT_ONCE = 100_000
"""Bytes of one message to the server or from it."""
STORED = """async () => {
    const opened = await new Promise((done, failed) => {
        const asked = indexedDB.open('kappascope');
        asked.onsuccess = () => done(asked.result);
        asked.onerror = failed;
    });
    const stores = [...opened.objectStoreNames];
    let files = 0;
    if (stores.length) {
        const asked = opened.transaction(stores).objectStore('files').getAll();
        const kept = await new Promise(done => { asked.onsuccess = () => done(asked.result); });
        files = kept.flat().length;
    }
    opened.close();
    return [Object.keys(localStorage).filter(key => key.startsWith('kappascope ')).length, files];
}"""
NO_STORAGE = """for (const name of ['localStorage', 'indexedDB']) {
    Object.defineProperty(window, name, { get() { throw new DOMException('no storage', 'SecurityError'); } });
}"""
STORAGE_HELD = """let held = 3;
const open = IDBFactory.prototype.open;
IDBFactory.prototype.open = function (...what) {
    if (held-- > 0) throw new DOMException('held by the page before', 'UnknownError');
    return open.apply(this, what);
};"""
STORAGE_SILENT = STORAGE_HELD.replace("throw new DOMException('held by the page before', 'UnknownError')", "return {}")
TORN = """document.querySelector('#root').replaceChildren();
dispatchEvent(new ErrorEvent('error', { message: 'Uncaught Error: Bad delta path index 1 (should be between [0, 0])' }));"""
SOON_AFTER = "const then = Number(sessionStorage.getItem('kappascope.torn')) + 9000; Date.now = () => then;"
"""However long a slow machine took to come back: nine seconds have passed."""
ACT = "Split in two"
Come = Callable[..., Dashboard]


@pytest.fixture
def come(visitors: Visitors, server: str) -> Iterator[Come]:
    """Opens a browser that keeps what it is given until the test ends; beside another one a further tab of the same."""
    lent, tabs = [], []

    def opened(*, beside: Dashboard | None = None) -> Dashboard:
        if beside is not None:
            tabs.append(Dashboard(beside.page.context.new_page(), server))
            return tabs[-1]
        lent.append(Dashboard(visitors.come(), server))
        return lent[-1]

    yield opened
    for tab in tabs:
        tab.page.close()
    for board in lent:
        visitors.give_back(board)


def largest_message(board: Dashboard) -> list[int]:
    """The longest message so far, kept up to date."""
    sizes = [0]

    def heard(frame: bytes | str) -> None:
        sizes[0] = max(sizes[0], len(frame))

    board.page.on("websocket", lambda socket: (socket.on("framesent", heard), socket.on("framereceived", heard)))
    return sizes


def expect_stored(board: Dashboard, sets: int, files: int) -> None:
    """Asked anew from here: to `wait_for_function` the promise that an asynchronous function returns is true at once."""
    until = time.monotonic() + WAITING / 1000
    while (stored := board.page.evaluate(STORED)) != [sets, files] and time.monotonic() < until:
        board.page.wait_for_timeout(100)
    assert stored == [sets, files]


def decide(board: Dashboard) -> None:
    board.go("Rubric review")
    board.main.get_by_text(ACT, exact=True).click()
    board.expect_said("1 of 2 decided: 1 split")
    board.settle()


def allow(board: Dashboard) -> None:
    board.go("Data")
    toggle = board.main.get_by_role("switch", name=TOGGLE)
    expect(toggle).not_to_be_checked()
    board.main.get_by_text(TOGGLE).click()
    board.expect_said("with its file (")
    expect(toggle).to_be_checked()
    board.settle()


def test_a_reload_brings_back_the_file_the_decisions_and_the_choices(come: Come) -> None:
    board = come()
    board.open_file("march.csv", tables.verdicts(n_items=1500, answer="a long answer " * 20))
    board.go("Every choice").select("Metric", "Accuracy")
    allow(board)
    decide(board)
    expect_stored(board, 1, 1)
    before, sizes = board.choices, largest_message(board)
    board.page.reload()
    board.expect_said("1 of 2 decided: 1 split")
    board.expect_title("Rubric review")
    assert board.settle().choices == before
    expect(board.main.get_by_role("radio", name=ACT)).to_be_checked()
    expect(board.chosen("Data set")).to_have_value("march.csv")
    assert 0 < sizes[0] < MOST_AT_ONCE
    assert not board.page.locator(".st-key-unseen_kept_files").count()
    board.go("Every choice")
    expect(board.chosen("Metric")).to_have_value("Accuracy")
    board.go("Data")
    expect(board.main.get_by_role("switch", name=TOGGLE)).to_be_checked()
    board.main.get_by_role("button", name="Forget on this device").click()
    expect_stored(board.settle(), 0, 0)
    expect(board.main.get_by_role("switch", name=TOGGLE)).not_to_be_checked()
    board.page.reload()
    board.expect_said("which is not open here")
    board.expect_nothing_broken()


def test_the_page_says_what_it_opens_again_and_hides_what_hands_it_over(come: Come) -> None:
    board = come()
    board.open_file("march.csv", tables.verdicts())
    allow(board)
    expect_stored(board, 1, 1)
    board.page.route("**/_stcore/upload_file/**", lambda route: route.abort() if route.request.method == "PUT" else None)
    board.page.reload()
    board.expect_said("Opening march.csv again …")
    uploader = board.page.locator(".st-key-unseen_kept_files input[type=file]")
    expect(uploader).to_have_count(1)
    expect(uploader).not_to_be_visible()
    assert not board.page.get_by_role("button", name="Upload").count()
    board.expect_said("You opened march.csv on this device before. The copy that this browser keeps does not open.")


@pytest.mark.parametrize("script", [STORAGE_HELD, STORAGE_SILENT], ids=["held", "silent"])
def test_storage_that_is_held_for_a_while_brings_the_file_back_all_the_same(come: Come, script: str) -> None:
    board = come()
    board.open_file("march.csv", tables.verdicts())
    allow(board)
    decide(board)
    expect_stored(board, 1, 1)
    board.begin_with(script).page.reload()
    board.expect_said("1 of 2 decided: 1 split")
    expect(board.chosen("Data set")).to_have_value("march.csv")
    board.expect_nothing_broken()


def test_without_consent_the_owner_is_told_and_another_person_otherwise(come: Come) -> None:
    board, file = come(), tables.verdicts()
    board.open_file("march.csv", file)
    decide(board)
    expect_stored(board, 1, 0)
    board.page.reload()
    board.expect_said("You opened march.csv on this device before. Drop it in again")
    board.main.get_by_role("button", name="Open a file").click()
    board.expect_title("Data")
    board.settle().give("march.csv", file)
    expect(board.main.get_by_role("button", name="Analyse this file")).to_be_enabled()
    board.settle().use().go("Rubric review")
    board.expect_said("1 of 2 decided: 1 split")
    address = board.page.url
    board.expect_nothing_broken()
    other = come()
    other.page.goto(address)
    other.expect_said("This link points to")
    other.expect_said("which is not open here")


def test_joined_files_come_back_with_what_was_said_of_them(come: Come) -> None:
    board = come().open("/data", "Data")
    people = b"id,gold\n" + b"".join(f"q{i},{('yes', 'no')[i % 2]}\n".encode() for i in range(30))
    judge = b"id,judge\n" + b"".join(f"q{i},{('yes', 'no')[i % 3 == 0]}\n".encode() for i in range(30))
    board.main.locator("input[type=file]").first.set_input_files(
        [{"name": name, "mimeType": "text/csv", "buffer": data} for name, data in (("gold.csv", people), ("judge.csv", judge))]
    )
    expect(board.main.get_by_role("button", name="Analyse this file")).to_be_enabled()
    board.settle().main.get_by_role("button", name="Analyse this file").click()
    allow(board.settle())
    expect_stored(board, 1, 2)
    board.page.reload()
    board.expect_said("How the files are joined")
    expect(board.main.get_by_text("Until you use the new file")).to_have_count(0)
    expect(board.chosen("Data set")).to_have_value(re.compile("gold.csv"))
    board.settle().main.get_by_text("Files of this session: 1").click()
    board.main.get_by_role("button", name="Remove").click()
    expect_stored(board.settle(), 0, 0)
    board.expect_nothing_broken()


def test_decisions_on_a_sample_are_there_in_the_next_tab(come: Come) -> None:
    board = come().open("/review", "Rubric review")
    board.main.get_by_text(ACT, exact=True).click()
    board.expect_said("1 of 5 decided: 1 split")
    note = board.main.get_by_label("Note", exact=True)
    note.fill("two things in one")
    board.page.wait_for_function("() => atob(JSON.parse(localStorage['kappascope support_answers']).text).length > 0")
    board.settle()
    tab = come(beside=board).open("/review", "Rubric review")
    tab.expect_said("1 of 5 decided: 1 split")
    expect(tab.main.get_by_label("Note", exact=True)).to_have_value("two things in one")
    tab.expect_nothing_broken()


def test_without_storage_the_page_says_so_and_works(come: Come) -> None:
    board = come().begin_with(NO_STORAGE)
    board.open_file("march.csv", tables.verdicts())
    decide(board)
    board.go("Data")
    board.expect_said("This browser has no storage for this page, so the file is not remembered.")
    expect(board.main.get_by_role("switch", name=TOGGLE)).to_be_disabled()
    board.page.reload()
    board.expect_said("which is not open here")


def test_a_second_file_is_kept_with_the_first_and_comes_back_where_it_was(come: Come) -> None:
    first, second = tables.verdicts(judge="gpt"), tables.verdicts(judge="gpt").replace(b"gpt,UNMET,MET", b"gpt,UNMET,UNMET", 4)
    board = come()
    board.open_file("march.csv", first)
    allow(board)
    board.go("Compare judges").give("june.csv", second)
    board.expect_said("Is june better than march, or is it noise?")
    expect_stored(board, 2, 3)
    board.settle().page.reload()
    board.expect_said("Is june better than march, or is it noise?")
    board.expect_title("Compare judges")
    expect(board.chosen("Data set")).to_have_value("march.csv + june.csv")
    board.go("Rubric review").select("Data set", "march.csv")
    board.main.get_by_text("Before and after: a second file of the same items").click()
    board.give("june.csv", second)
    board.expect_said("After: june.csv")
    expect(board.main.get_by_role("switch", name=re.compile("Remember these 2 files"))).to_be_checked()
    expect_stored(board, 2, 4)
    board.settle().page.reload()
    board.expect_said("After: june.csv")
    board.main.get_by_role("button", name="Remove this file").click()
    board.expect_nothing_broken()


def test_a_page_that_streamlit_has_taken_away_is_opened_anew_with_its_work(come: Come) -> None:
    board = come()
    board.open_file("march.csv", tables.verdicts())
    allow(board)
    decide(board)
    expect_stored(board, 1, 1)
    board.page.evaluate(TORN)
    expect(board.page.get_by_test_id("stApp")).to_have_count(0)
    expect(board.page.get_by_test_id("stToast")).to_contain_text("Brought back: 1 decision")
    board.expect_said("1 of 2 decided: 1 split")
    board.settle().page.evaluate(SOON_AFTER + TORN)
    board.page.wait_for_timeout(1500)
    expect(board.page.get_by_test_id("stApp")).to_have_count(0)  # once, and not again and again
    board.expect_nothing_broken()


def test_two_tabs_put_their_decisions_together(come: Come) -> None:
    first, file = come(), tables.verdicts()
    first.open_file("march.csv", file)
    allow(first)
    first.go("Rubric review")
    second = come(beside=first)
    second.page.goto(first.page.url)
    second.expect_title("Rubric review")
    second.expect_said("0 of 2 decided")
    second.settle()
    first.main.get_by_text("Keep", exact=True).click()
    first.expect_said("1 of 2 decided: 1 keep")
    second.expect_said("1 of 2 decided: 1 keep")
    second.settle().main.get_by_role("button", name="Next").click()
    second.expect_said("2 of 2")
    second.settle().main.get_by_text(ACT, exact=True).click()
    for board in (first, second):
        board.expect_said("2 of 2 decided: 1 keep, 1 split")
        board.settle()
    second.page.reload()
    expect(second.page.get_by_test_id("stToast")).to_contain_text("Brought back: 2 decisions, kept")
    second.expect_said("2 of 2 decided: 1 keep, 1 split")
    first.main.get_by_role("button", name="Undo", exact=True).click()
    first.expect_said("1 of 2 decided: 1 keep")
    first.expect_nothing_broken()
    second.expect_nothing_broken()


ASKS = """() => {
    const event = new Event("beforeunload", { cancelable: true });
    window.dispatchEvent(event);
    return event.defaultPrevented;
}"""


def note(board: Dashboard):
    board.open("/review", "Rubric review")
    return board.settle().main.get_by_role("textbox", name="Note").first


def test_leaving_is_asked_about_only_until_what_was_typed_is_kept(come: Come) -> None:
    board = come()
    field = note(board)
    assert not board.page.evaluate(ASKS)
    field.click()
    field.press_sequentially("later", delay=10)
    assert board.page.evaluate(ASKS)
    board.page.wait_for_function(f"() => !({ASKS})()", polling=50)
    expect_stored(board, 1, 0)
    field.press("x")
    field.press("Backspace")
    board.page.wait_for_function(f"() => !({ASKS})()", polling=50)
    board.page.reload()
    board.expect_title("Rubric review")
    expect(board.settle().main.get_by_role("textbox", name="Note").first).to_have_value("later")


def test_where_storage_is_refused_leaving_work_is_asked_about(come: Come) -> None:
    board = come().begin_with(NO_STORAGE)
    field = note(board)
    assert not board.page.evaluate(ASKS)
    field.click()
    field.press_sequentially("later", delay=10)
    field.press("Tab")
    board.settle()
    board.page.wait_for_timeout(1500)
    assert board.page.evaluate(ASKS)


def typing(board: Dashboard, *texts: str) -> Locator:
    """The field of the definition, in which the texts have been typed, each kept before the next."""
    board.main.get_by_role("button", name=re.compile("definition|wording")).click()
    field = board.page.get_by_role("textbox", name="Definition")
    for at, text in enumerate(texts):
        if at:
            board.page.wait_for_timeout(1500)
            board.page.wait_for_function(f"() => !({ASKS})()", polling=50)
        field.press("End")
        field.press_sequentially(text, delay=10)
    return field


def asked(board: Dashboard) -> Locator:
    return board.page.get_by_role("dialog", name="Keep what you typed?")


def answer(board: Dashboard, text: str) -> None:
    """Answer what Escape asks, after which nothing that one types in is open."""
    expect(asked(board)).to_be_visible()
    board.page.get_by_role("button", name=text, exact=True).click()
    expect(board.page.get_by_test_id("stPopoverBody")).to_have_count(0)
    board.settle()


@pytest.mark.parametrize("texts", [("An answer that greets.",), ("An answer that greets.", " And thanks.")])
def test_a_definition_that_was_typed_outlives_escape_and_a_reload(come: Come, texts: tuple[str, ...]) -> None:
    board = come()
    note(board)
    typing(board, *texts).press("Escape")
    answer(board, "Keep")
    kept = board.main.get_by_text("".join(texts))
    expect(kept).to_be_visible()
    expect_stored(board, 1, 0)
    board.page.reload()
    board.expect_title("Rubric review")
    expect(kept).to_be_visible()


def test_escape_asks_whether_what_was_typed_stays_and_save_does_not(come: Come) -> None:
    board = come()
    note(board)
    field = typing(board, "Greets.")
    board.page.get_by_role("button", name="Save", exact=True).click()
    expect(field).to_have_count(0)
    definition = board.settle().main.locator(".st-key-review_definition")
    expect(definition).to_contain_text("Definition. Greets.")
    field = typing(board, " And thanks.", " And signs.")
    field.press("Escape")
    audit = Audit()
    audit.look(board.page, "what Escape asks")
    assert not audit.findings, audit.findings
    board.page.keyboard.press("Escape")
    expect(asked(board)).to_have_count(0)
    expect(field).to_be_focused()
    field.press("Escape")
    answer(board, "Discard")
    expect(definition).to_contain_text("Definition. Greets.")
    expect(definition).not_to_contain_text("thanks")
    typing(board, "").press("Escape")
    expect(field).to_have_count(0)
    board.expect_nothing_broken()


def test_escape_asks_about_the_note_of_a_disagreement(come: Come) -> None:
    board = come().open("/disagreements", "Disagreements")
    opens = board.settle().main.get_by_role("button", name="Tags and note")
    field = board.page.get_by_test_id("stPopoverBody").get_by_label("Note")
    for text, named in (("Discard", "Tags and note"), ("Keep", "Tags and note: note")):
        opens.click()
        field.press_sequentially("hard", delay=10)
        field.press("Escape")
        answer(board, text)
        expect(opens).to_have_text(f"edit_note{named}expand_more")
    board.expect_nothing_broken()
