"""A slider, from the question of the browser to the painted answer: those of the lab and of typed rates, and the marks that are
held on *ROC and thresholds* and *Prevalence*, which keys move too.

The real server and a headless Chromium, which share the machine. A key moves the slider by a step. Timed are the server and
the transfer, on the way between the two (`relay.py`); when the browser has read the last word, which waits while it draws the
ones before; and the last change of the page once it is painted. Beside them, in turn in the same run, stands a fragment of
nothing but a slider.
Run: PYTHONPATH=. python benchmarks/bench_slider.py
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, Locator, expect, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.relay import Relay, relaying  # noqa: E402
from tests.browser.conftest import ARGUMENTS, WAITING, installed, serving  # noqa: E402
from tests.browser.driver import LISTENING, Dashboard  # noqa: E402
from tests.shared_data import files  # noqa: E402

ROUNDS, MOVES, FIRST = 5, 10, 3
"""Moves of each slider in every round; the first ones of all are not counted."""
BOUND, PAINTED = 100, 350
"""Milliseconds: what is sent, at the 95th percentile; what is painted, at the median."""
STILL = 250
"""Milliseconds without a word and without a change, after which an answer is whole."""
SCORED = ("dices350_expert_vs_crowd", "llmrubric_real_binary", "llmbar_natural", "xstest_refusal")
WATCHING = """addEventListener('DOMContentLoaded', () => {
    const aside = node => node.closest?.('.save-figure'), places = new Set();
    const nodes = ({ addedNodes, removedNodes }) => [...addedNodes, ...removedNodes];
    const told = change => {
        const where = change.target.closest ? change.target : change.target.parentElement;
        if (!where?.closest('[data-testid=stMain]') || aside(where)) return;
        if (change.attributeName === 'style' && where.matches('[data-testid=stPlotlyChart]')) return;
        if (change.type !== 'childList' || nodes(change).some(node => !aside(node))) places.add(where);
    };
    const inView = where => {
        const { top, bottom } = (where.closest('[data-testid=stElementContainer]') ?? where).getBoundingClientRect();
        return top < innerHeight && bottom >= 0;
    };
    const painted = () => setTimeout(() => { window.talk.painted = performance.now(); });
    const frame = () => { if ([...places].some(inView)) painted(); places.clear(); };
    new MutationObserver(changes => { changes.forEach(told); if (places.size) requestAnimationFrame(frame); }).observe(
        document.body, { subtree: true, childList: true, attributes: true, characterData: true });
})"""
"""After LISTENING: when the last change of the page was on the screen; what is below the fold or not seen yet is none."""
WHOLE = """still => {
    const { asked, heard, painted } = window.talk;
    return asked && heard > asked && painted > asked && performance.now() - Math.max(heard, painted) > still;
}"""


@dataclass
class Slider:
    """A slider in its own window, and what its moves took in milliseconds."""

    name: str
    thumb: Locator
    relay: Relay
    sent: list[float] = field(default_factory=list)
    heard: list[float] = field(default_factory=list)
    painted: list[float] = field(default_factory=list)

    def move(self, step: int) -> tuple[float, float, float]:
        page = self.thumb.page
        page.evaluate("Object.assign(window.talk, { asked: 0, heard: 0, painted: 0 })")
        self.relay.forget()
        page.keyboard.press("ArrowRight" if step // MOVES % 2 == 0 else "ArrowLeft")
        page.wait_for_function(WHOLE, arg=STILL, polling=30)
        heard, painted = page.evaluate("[talk.heard - talk.asked, talk.painted - talk.asked]")
        return self.relay.took, heard, painted

    def moves(self, turn: int) -> None:
        self.thumb.page.bring_to_front()
        self.thumb.focus()
        if turn == 0:
            for step in range(FIRST):
                self.move(step)
        for step in range(MOVES):
            sent, heard, painted = self.move(turn * MOVES + step)
            self.sent.append(sent)
            self.heard.append(heard)
            self.painted.append(painted)


def summary(times: list[float]) -> tuple[float, float]:
    """Median and 95th percentile."""
    return statistics.median(times), statistics.quantiles(times, n=20)[-1]


@contextmanager
def chromium(*scripts: str) -> Iterator[Callable[[str], Dashboard]]:
    """Opens a window of its own on the dashboard at an address, in which more scripts run first."""
    with sync_playwright() as playwright:
        expect.set_options(timeout=WAITING)
        browser = playwright.chromium.launch(executable_path=installed(), args=ARGUMENTS)
        yield lambda address: Dashboard(window(browser, *scripts).pages[0], address)
        browser.close()


def window(browser: Browser, *scripts: str):
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.set_default_timeout(WAITING)
    for script in (LISTENING, WATCHING, *scripts):
        context.add_init_script(script)
    context.new_page()
    return context


def thumb(dashboard: Dashboard, label: str) -> Locator:
    found = dashboard.page.get_by_test_id("stSlider").filter(has_text=label).locator("input").first
    expect(found).to_be_visible()
    dashboard.bring(found)
    return found


def mark(dashboard: Dashboard) -> Locator:
    """What is held on the figure of a page."""
    found = dashboard.main.locator(".held-mark .grip")
    expect(found).to_be_visible()
    return found


Come = Callable[[Dashboard], Locator | None]


def places() -> Iterator[tuple[str, Come]]:
    """Every slider by its name, and how its thumb is come to in a new window; None where the page has none."""

    def at(path: str, title: str, label: str) -> Come:
        return lambda dashboard: thumb(dashboard.open(path, title), label)

    def of_file(path: Path) -> Come:
        def come(dashboard: Dashboard) -> Locator | None:
            dashboard.open_file(path.stem, path).go("ROC and thresholds")
            return mark(dashboard) if dashboard.main.locator(".held-mark").count() else None

        return come

    yield "ROC cut, sample", lambda dashboard: mark(dashboard.open("/roc", "ROC and thresholds"))
    for path in (path for path in files("data/*.csv") if path.stem in SCORED):
        yield f"ROC cut, {path.stem}", of_file(path)
    yield "prevalence", lambda dashboard: mark(dashboard.open("/prevalence?sweep_at=30", "Prevalence"))
    yield "typed TPR", at("/prevalence?sweep_from=typed&sweep_tpr=70", "Prevalence", "TPR")
    two = "lab_a=r50_90_90_1000&lab_b=r5_90_90_1000"
    for name, asked in (("lab, five views", "lab_step=2a&lab_view=full"), ("lab, A and B", two)):
        yield name, at(f"/lab?{asked}", "Paradox lab", "Prevalence")


def nothing(opened: Callable[[str], Dashboard], relay: Relay) -> Slider:
    """The fragment of nothing but a slider."""
    page = opened(relay.address)
    page.page.goto(relay.address)
    return Slider("an empty fragment", thumb(page, "Nothing"), relay)


def _told(kind: str, slider: Slider, empty: Slider) -> str:
    median, late = summary(getattr(slider, kind))
    return f"{kind} {median:4.0f} {late:4.0f}, {median / summary(getattr(empty, kind))[0]:4.1f} ×"


def turns(empty: Slider, slider: Slider) -> None:
    """The two in turn, and what they took."""
    for turn in range(ROUNDS):
        empty.moves(turn)
        slider.moves(turn)
    for one in (empty, slider):
        print(f"{one.name:34} " + "; ".join(_told(kind, one, empty) for kind in ("sent", "heard", "painted")), flush=True)
        one.thumb.page.context.close()


def main() -> None:
    folder = Path(tempfile.mkdtemp())
    script = str(ROOT / "benchmarks" / "empty_fragment.py")
    print(f"{ROUNDS * MOVES} moves each, ms: median, 95th percentile, ratio of the medians to an empty fragment in turn with it")
    with (
        serving(folder, "-m", "streamlit", "run", script) as empty_address,
        serving(folder) as address,
        chromium() as opened,
        relaying(empty_address) as empty_relay,
    ):
        # One window beside the empty one, and a relay of its own: others would speak meanwhile.
        for name, come in places():
            with relaying(address) as relay:
                own = come(opened(relay.address))
                if own is not None:
                    turns(nothing(opened, empty_relay), Slider(name, own, relay))
    print(f"bounds: sent {BOUND}, painted {PAINTED}; load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
