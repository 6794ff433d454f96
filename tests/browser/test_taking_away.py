"""Numbers and figures leave the page with their declaration."""

from __future__ import annotations

import csv
import io
import re
import struct
from pathlib import Path
from xml.etree import ElementTree

from playwright.sync_api import Locator, expect

import metrics
from metrics.analyses.provenance import citation
from metrics.figures import theme
from tests.browser.driver import SAMPLE, Dashboard, Opener
from tests.browser.test_lab_picture import SVG, plain, points_outside

DRAWN = """chart => [...chart.querySelectorAll('.main-svg text')].filter(text => !text.closest('.hoverlayer'))
    .map(text => text.textContent)"""


def expect_table_leaves_by_its_own_download_alone(board: Dashboard) -> None:
    """It can be searched and enlarged in place."""
    board.main.get_by_text("Table of criteria: counts").click()
    table = board.main.get_by_test_id("stDataFrame").first
    table.hover()
    bar = board.main.get_by_test_id("stElementToolbar").filter(visible=True)
    expect(bar.get_by_role("button", name="Search")).to_be_visible()
    expect(bar.get_by_role("button", name="Fullscreen")).to_be_visible()
    expect(board.page.get_by_role("button", name="Download as CSV")).to_have_count(0)
    rows = list(csv.DictReader(io.StringIO(board.download("Table of criteria (CSV)"))))
    assert {row["declared_level"] for row in rows} == {"micro"}
    assert {row["reference"] for row in rows} == {"majority"}
    assert {row["file"] for row in rows} == {"support_answers.csv"}


def test_a_number_is_copied_by_mouse_and_by_keyboard_with_and_without_a_clipboard(visit: Opener) -> None:
    report = metrics.agreement(metrics.read(SAMPLE), judges=["strict"])
    board = visit().open("/agreement?judge=strict")
    page = board.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=board.address)
    page.get_by_role("button", name="Copy Cohen’s κ").click()
    expect(page.get_by_role("status").filter(has_text="Copied")).to_have_count(1)
    assert page.evaluate("navigator.clipboard.readText()") == citation(report, "strict", "micro", "kappa")
    expect_table_leaves_by_its_own_download_alone(board)
    board.toggle("exclude", "macro")
    page.evaluate("clipboard = navigator.clipboard, Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    button = page.get_by_role("button", name="Copy φ")
    button.focus()
    page.keyboard.press("Enter")
    expect(button).to_have_attribute("data-done", "yes")
    expect(button).to_be_focused()
    assert page.evaluate("clipboard.readText()") == citation(report, "strict", "macro", "phi")
    assert page.locator(".copy-number").count() == board.main.get_by_test_id("stMetric").count()
    expect(page.get_by_role("button", name=re.compile("^Copy "))).to_have_count(5)
    board.expect_nothing_broken()


def saving(board: Dashboard) -> Locator:
    """What saves each figure in view; a figure has it a moment after it is drawn, one sooner than another."""
    charts = board.main.locator("[data-testid=stPlotlyChart]:visible")
    bars = charts.locator("> .save-figure")
    expect(bars).to_have_count(charts.count())
    return bars


def saved(board: Dashboard, button: Locator, folder: Path) -> Path:
    with board.page.expect_download() as waiting:
        button.press("Enter")
    path = folder / waiting.value.suggested_filename
    waiting.value.save_as(path)
    return path


def expect_whole(board: Dashboard, bar: Locator, folder: Path, declared: str) -> ElementTree.Element:
    """Both files of a figure: the drawing stands alone and says what it shows and what that rests on."""
    chart = bar.locator("xpath=..")
    drawn = [plain(word) for word in chart.evaluate(DRAWN)]
    text = saved(board, bar.get_by_role("button", name=re.compile("^SVG")), folder).read_text("utf-8")
    picture = ElementTree.fromstring(text)
    words = [plain("".join(element.itertext())) for element in picture.iter(f"{SVG}text")]
    assert {word for word in drawn if word} <= set(words)
    assert plain(declared) in plain(" ".join(words))
    title = picture.findtext(f"{SVG}title")
    assert title
    assert plain(title) in plain(" ".join(words))
    assert not [value for element in picture.iter() for value in element.attrib.values() if points_outside(value)]
    assert not points_outside(picture.findtext(f"{SVG}style") or "")
    references = [value for element in picture.iter() for name, value in element.items() if name.endswith(("href", "src"))]
    assert all(value.startswith(("#", "data:image/")) for value in references)
    assert not {element.tag for element in picture.iter()} & {f"{SVG}foreignObject", f"{SVG}script"}
    head = saved(board, bar.get_by_role("button", name=re.compile("^PNG")), folder).read_bytes()[:24]
    assert struct.unpack(">II", head[16:24]) == (2 * int(picture.get("width", 0)), 2 * int(picture.get("height", 0)))
    return picture


def test_every_figure_of_three_pages_is_saved_with_title_and_declaration(visit: Opener, tmp_path: Path) -> None:
    for width, height, scheme, pages in (
        (1440, 900, "dark", ("", "Compare judges")),
        (390, 844, "light", ("",)),
    ):
        board = visit(width, height, scheme).open("/agreement?judge=strict")
        for page in pages:
            if page:
                board.go(page)
            bars = saving(board)
            declared = board.page.locator("[data-declaration]").get_attribute("data-declaration") or ""
            assert "coverage" in declared
            grounds = {
                expect_whole(board, bar, tmp_path, declared).find(f"{SVG}rect").get("fill")  # type: ignore[union-attr]
                for bar in bars.all()
            }
            assert grounds == {theme.tokens(scheme).page}
        board.expect_nothing_broken()


def test_hostile_names_are_text_in_a_saved_figure(visit: Opener, tmp_path: Path) -> None:
    name = "<img src=x onerror=alert(1)>&\u202e]]>"
    rows = ["item,criterion,judge,human,verdict", *(f'i{n},"{name} {n % 2}",bot,{n % 3 % 2},{n % 2}' for n in range(30))]
    board = visit().open_file("<b>own</b>.csv", "\n".join(rows).encode())
    bar = saving(board).last
    declared = board.page.locator("[data-declaration]").get_attribute("data-declaration") or ""
    assert "<b>own</b>.csv" in declared
    expect_whole(board, bar, tmp_path, declared)


def test_a_file_asked_for_at_once_holds_what_was_typed_or_chosen_before(visit: Opener) -> None:
    board = visit().open("/review", "Rubric review")
    board.main.get_by_text("All decisions: save them, load them").click()
    save = board.settle().main.get_by_role("button", name="Save the decisions (JSON)")

    def saved(key: str) -> str:
        save.focus()
        with board.page.expect_download() as waiting:
            board.page.keyboard.press(key)
        return Path(waiting.value.path()).read_text("utf-8")

    board.main.get_by_role("textbox", name="Note").press_sequentially("one word")
    assert '"note": "one word"' in saved("Enter")
    board.sidebar.get_by_text("Count as negative", exact=True).click()
    assert '"abstention": "as_unmet"' in saved("Space")
    board.expect_nothing_broken()


LAGS = """(() => { const send = WebSocket.prototype.send; WebSocket.prototype.send = function (message) {
    setTimeout(() => send.call(this, message), window.lag ?? 0); }; })()"""


def test_a_file_waits_for_what_a_button_chose_however_slow_the_line_is(visit: Opener) -> None:
    """A press of a button is no change of a field, and a file of the run before it is not there any more."""
    board = visit().begin_with(LAGS).open("/review", "Rubric review")
    board.main.get_by_text("All decisions: save them, load them").click()
    save = board.settle().main.get_by_role("button", name="Save the decisions (JSON)")
    board.page.evaluate("window.lag = 1500")
    board.main.get_by_text("Drop", exact=True).click()
    save.focus()
    with board.page.expect_download() as waiting:
        board.page.keyboard.press("Enter")
        board.page.keyboard.press("Enter")
    assert '"action": "drop"' in Path(waiting.value.path()).read_text("utf-8")
    board.page.evaluate("window.lag = 0")
    board.expect_nothing_broken()


def test_two_files_asked_for_at_once_both_come(visit: Opener) -> None:
    board = visit().open("/raters", "Do the people agree?")
    files = [board.main.get_by_role("button", name=name) for name in ("All numbers (CSV)", "Pairs of raters (CSV)")]
    came: list[str] = []
    board.page.on("download", lambda file: came.append(file.suggested_filename))
    goes = "state => { document.querySelector('[data-testid=stApp]').dataset.testScriptState = state; }"
    board.page.evaluate(goes, "running")
    for file in files:
        file.focus()
        board.page.keyboard.press("Enter")
    assert not came
    board.page.evaluate(goes, "notRunning")
    for _ in range(80):
        board.page.wait_for_timeout(250)
        if len(came) == len(files):
            break
    assert len(set(came)) == len(files)
    board.expect_nothing_broken()
