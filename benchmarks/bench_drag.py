"""Figures under the hand: two hundred moves of the lab's divider, until the frame is drawn and until the page has answered; and
as many of the marks of *ROC and thresholds*, *Prevalence* and *Corrected rate*, until the frame is drawn.

The real server and a headless Chromium, which share the machine. The mouse moves once a frame. Timed in the page are the work of
the frame that draws a move, from a move of the pointer to the end of that frame, and how far apart frames are; and after the
hand has let go, how long until the address has the last position. Before that, how long a visitor of lesson 1 waits for its
figure, with nothing in the browser's cache: after the first byte of the page, and after the first word of its session.
Run: PYTHONPATH=. python benchmarks/bench_drag.py
"""

from __future__ import annotations

import re
import statistics
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from metrics.content.lab.javascript import formulas  # noqa: E402
from pages.shared import mark  # noqa: E402
from pages.shared.lab.figure import JS  # noqa: E402
from tests.browser.conftest import ARGUMENTS, WAITING, installed, serving  # noqa: E402

MOVES = 200
WORK, LARGEST = 16.0, 60_000
"""Milliseconds of a frame's work at the 95th percentile, and bytes of the component."""
WATCH = """() => {
    const held = [...document.querySelectorAll("*")].map(one => one.shadowRoot?.querySelector(".held")).find(Boolean);
    window.drag = { moved: 0, work: [], late: [], frames: [], last: 0 };
    held.addEventListener("pointermove", () => { window.drag.moved ||= performance.now(); }, true);
    held.addEventListener("drawn", ({ detail }) => {
        const now = performance.now();
        if (window.drag.last) window.drag.frames.push(now - window.drag.last);
        window.drag.last = now;
        if (!window.drag.moved) return;
        window.drag.work.push(detail.took);
        window.drag.late.push(now - window.drag.moved);
        window.drag.moved = 0;
    });
}"""
WATCH_MARK = """() => {
    const held = [...document.querySelectorAll("*")].map(one => one.shadowRoot?.querySelector(".mark")).find(Boolean);
    const drag = window.drag = { moved: 0, late: [] };
    addEventListener("pointermove", () => { drag.moved = performance.now(); }, true);
    held.addEventListener("drawn", () => { if (drag.moved) drag.late.push(performance.now() - drag.moved); });
}"""
HEARD = """(() => {
    const Plain = window.WebSocket;
    window.WebSocket = class extends Plain {
        constructor(...where) {
            super(...where);
            this.addEventListener('message', () => { window.firstWord ??= performance.now(); });
        }
    };
})()"""
DRAWN = """() => {
    const held = [...document.querySelectorAll("*")].map(one => one.shadowRoot?.querySelector(".held")).find(Boolean);
    if (!held?.querySelector(".stage path")) return null;
    const [{ responseStart }] = performance.getEntriesByType("navigation"), now = performance.now();
    return [now - responseStart, now - window.firstWord];
}"""
VISITS, FIRST_FIGURE = 5, 1500.0
"""Visitors that are timed, and milliseconds that the median one may wait after the first word."""
MARKS = ("roc", "prevalence", "rate")
A_FRAME = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def late(times: list[float]) -> float:
    """The 95th percentile."""
    return statistics.quantiles(times, n=20)[-1]


def drag(page: Page, address: str) -> dict[str, list[float]]:
    """Move the prevalence of a lesson from side to side."""
    page.goto(f"{address}/lab?lab_step=2a")
    knob = page.locator(".grip.prevalence .knob")
    expect(knob).to_be_visible()
    page.wait_for_timeout(2000)
    page.evaluate(WATCH)
    box = knob.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    for move in range(1, MOVES + 1):
        at = move % 100
        page.mouse.move(x - 2 * (at if at < 50 else 100 - at) - 2, y)
        page.evaluate(A_FRAME)
    page.mouse.move(x - 121, y)
    page.evaluate("() => { window.drag.released = performance.now(); }")
    page.mouse.up()
    positives = re.sub(r"\D", "", page.locator(".scrub.prevalence").inner_text())
    found = re.sub(r"\D", "", page.locator(".scrub.hits").inner_text())
    page.wait_for_function(
        "cells => location.search.includes(cells)", arg=f"lab_a={found}_{int(positives) - int(found)}_", polling="raf"
    )
    page.evaluate("() => { window.drag.arrived = [performance.now() - window.drag.released]; }")
    times: dict[str, list[float]] = page.evaluate("window.drag")
    return times


def first_figure(browser: Browser, address: str) -> tuple[float, float]:
    """Milliseconds until the figure of lesson 1 stands: after the first byte, and after the first word."""
    waits = []
    for _ in range(VISITS):
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        context.add_init_script(HEARD)
        page = context.new_page()
        page.goto(f"{address}/lab")
        waits.append(page.wait_for_function(DRAWN, polling="raf").json_value())
        context.close()
    byte, word = zip(*waits, strict=True)
    return statistics.median(byte), statistics.median(word)


def pull(page: Page, address: str, path: str) -> list[float]:
    """Move the mark of a page to and fro: from the last move of the pointer to the end of its frame."""
    page.goto(f"{address}/{path}")
    knob = page.locator(".held-mark .knob")
    expect(knob).to_be_visible()
    knob.scroll_into_view_if_needed()
    page.wait_for_timeout(2000)
    page.evaluate(WATCH_MARK)
    box = knob.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    for move in range(MOVES):
        page.mouse.move(x + 2 * (move % 50), y - move % 50)
        page.evaluate(A_FRAME)
    page.mouse.up()
    times: list[float] = page.evaluate("window.drag.late")
    return times


def size(*scripts: Path) -> int:
    """Bytes of a component."""
    return sum(script.stat().st_size for script in (mark.HOLDING, *scripts))


def main() -> int:
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=installed(), args=ARGUMENTS)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.set_default_timeout(WAITING)
        expect.set_options(timeout=WAITING)
        page.goto(address)
        page.wait_for_timeout(3000)
        waited = first_figure(browser, address)
        times = drag(page, address)
        pulled = {path: pull(page, address, path) for path in MARKS}
        browser.close()
    print(f"{'first figure of lesson 1':28} {waited[0]:6.0f} ms after the first byte, {waited[1]:.0f} after the first word")
    for name, key in (("work of a frame", "work"), ("from the move to its frame", "late"), ("between frames", "frames")):
        print(f"{name:28} {statistics.median(times[key]):6.1f} {late(times[key]):6.1f} ms, {len(times[key])} frames")
    print(f"{'the last position arrived':28} {times['arrived'][0]:6.1f} ms after the hand let go")
    for path, frames in pulled.items():
        print(f"{'to the frame, ' + path:28} {statistics.median(frames):6.1f} {late(frames):6.1f} ms, {len(frames)} frames")
    sizes = {"the lab's component": size(JS) + len(formulas().encode()), "the marks' component": size(mark.JS)}
    for name, large in sizes.items():
        print(f"{name:28} {large:6d} bytes")
    slow = max(map(late, (times["work"], *pulled.values())))
    return int(slow > WORK or waited[1] > FIRST_FIGURE or max(sizes.values()) > LARGEST)


if __name__ == "__main__":
    sys.exit(main())
