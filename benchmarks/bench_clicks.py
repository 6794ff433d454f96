"""Five clicks, from the press to the painted answer, and where the time goes: mode, level, judge, page, slider.

The real server and a headless Chromium, which share the machine. Beside each click, in turn in the same run, stands the same
click in an app of nothing but these choices (`empty_app.py`), and with `--against` in another checkout of the dashboard. Of
each click: from the press until the browser asks; from there to the last word of the server (`relay.py`), with its size; from
the press to the last change in view. Of the browser's work between: calls of plotly, with the layout that they force, and how
many; time of the processor in all tasks of its page and, of these, in style and layout, which plotly forces in part. Work
overlaps with the server, and a page rests between. Last comes the server's part in process: a run of the Agreement page, and in
it what hands the figures over.
Run: PYTHONPATH=. python benchmarks/bench_clicks.py [--rounds 10] [--against FOLDER] [--busy 4] [--only mode page]
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Locator
from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.bench_slider import STILL, WHOLE, chromium  # noqa: E402
from benchmarks.relay import Relay, relaying  # noqa: E402
from tests.browser.conftest import serving  # noqa: E402
from tests.browser.driver import Dashboard  # noqa: E402

CLICKS, FIRST = 5, 4
"""Clicks of each kind in every round; the first ones of all are not counted."""
GOALS = {"mode": 2.5, "level": 2.5, "judge": 2.5, "page": 3.0}
"""Times the empty app's paint, at the median."""
SLIDER = 100
"""Milliseconds, painted."""
DRAWING = """(() => {
    window.drawing = { took: 0, calls: 0 };
    let own;
    const timed = call => (...given) => {
        const start = performance.now();
        try { return call(...given); } finally { drawing.took += performance.now() - start; drawing.calls += 1; }
    };
    Object.defineProperty(window, 'Plotly', { configurable: true, get: () => own, set: plotly => {
        own = plotly;
        for (const name of ['react', 'newPlot', 'purge']) plotly[name] = timed(plotly[name]);
    } });
    const press = event => { drawing.pressed ||= event.timeStamp; };
    for (const kind of ['click', 'keydown']) addEventListener(kind, press, true);
    const Plain = window.WebSocket.prototype, send = Plain.send;
    Plain.send = function (what) { drawing.asked ||= performance.now(); return send.call(this, what); };
})()"""
FORGET = """Object.assign(talk, { asked: 0, heard: 0, painted: 0 }),
    Object.assign(drawing, { took: 0, calls: 0, pressed: 0, asked: 0 })"""
SEEN = "[drawing.asked - drawing.pressed, talk.painted - drawing.pressed, drawing.took, drawing.calls]"
WORK = {"tasks": "TaskDuration", "style": "RecalcStyleDuration", "layout": "LayoutDuration"}
Press = Callable[[], object]


@dataclass
class Clicked:
    """A window on a server, a kind of click in it, and what each took."""

    name: str
    board: Dashboard
    relay: Relay
    ready: Callable[[Dashboard, int], Press]
    """Opens what must be open before, and returns the click itself."""
    took: list[dict[str, float]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.browser = self.board.page.context.new_cdp_session(self.board.page)
        self.browser.send("Performance.enable", {"timeDomain": "threadTicks"})

    def _work(self) -> dict[str, float]:
        found = {one["name"]: one["value"] for one in self.browser.send("Performance.getMetrics")["metrics"]}
        return {name: 1000 * found[own] for name, own in WORK.items()}

    def click(self, place: int) -> dict[str, float]:
        page, press = self.board.page, self.ready(self.board, (place + 1) % 2)
        page.evaluate(FORGET)
        self.relay.forget()
        before = self._work()
        press()
        page.wait_for_function(WHOLE, arg=STILL, polling=30)
        asked, painted, plotly, calls = page.evaluate(SEEN)
        work = {name: value - before[name] for name, value in self._work().items()}
        size = self.relay.size / 1000
        return (
            {"painted": painted, "asked": asked, "sent": self.relay.took, "plotly": plotly, "calls": calls} | work | {"kB": size}
        )

    def turn(self, number: int) -> None:
        self.board.page.bring_to_front()
        places = range(FIRST + number * CLICKS, FIRST + (number + 1) * CLICKS)
        for place in range(FIRST) if number == 0 else ():
            self.click(place)
        self.took += [self.click(place) for place in places]

    def median(self, part: str) -> float:
        return statistics.median(one[part] for one in self.took)


def mode(board: Dashboard, place: int) -> Press:
    return board.sidebar.get_by_test_id("stRadioOption").nth(place).click


def level(board: Dashboard, place: int) -> Press:
    return board.sidebar.get_by_test_id("stButtonGroup").first.get_by_role("radio").nth(place).click


def judge(board: Dashboard, place: int) -> Press:
    board.chosen("Judge").click()
    option = board.page.get_by_role("option").nth(place)
    option.wait_for()
    return option.click


def page(board: Dashboard, place: int) -> Press:
    return board.main.locator(".st-key-tabs").get_by_role("link").nth(1 - place).click


def slider(board: Dashboard, place: int) -> Press:
    _cut(board).focus()
    return lambda: board.page.keyboard.press(("ArrowLeft", "ArrowRight")[place])


def _cut(board: Dashboard) -> Locator:
    """The mark that is held on the figure, or the slider of the empty app."""
    return board.main.locator(".held-mark .grip, [data-testid=stSlider] input").first


KINDS: dict[str, tuple[str, str, Callable[[Dashboard, int], Press]]] = {
    "mode": ("/agreement", "Agreement", mode),
    "level": ("/agreement", "Agreement", level),
    "judge": ("/agreement", "Agreement", judge),
    "page": ("/agreement", "Agreement", page),
    "slider": ("/roc", "ROC and thresholds", slider),
}


@contextmanager
def busy(loops: int) -> Iterator[None]:
    """So many processes beside it that do nothing but count."""
    others = [multiprocessing.Process(target=_count, daemon=True) for _ in range(loops)]
    for other in others:
        other.start()
    try:
        yield
    finally:
        for other in others:
            other.terminate()


def _count() -> None:
    while True:
        pass


def told(windows: list[Clicked], kind: str) -> None:
    empty = windows[0]
    for one in windows:
        shown = [f"{one.median(part):6.0f}" for part in one.took[0]]
        print(f"{kind:8}{one.name:10}{one.median('painted') / empty.median('painted'):6.1f} ×" + "".join(shown), flush=True)


def clicks(kind: str, addresses: dict[str, str], opened: Callable[[str], Dashboard], rounds: int) -> list[Clicked]:
    path, title, ready = KINDS[kind]
    with ExitStack() as stack:
        windows = []
        for name, address in addresses.items():
            relay = stack.enter_context(relaying(address))
            board = opened(relay.address)
            if name == "empty":
                board.page.goto(relay.address)
                _cut(board).wait_for()
            else:
                board.open(path, title)
            windows.append(Clicked(name, board, relay, ready))
        for number in range(rounds):
            for one in windows:
                one.turn(number)
        for one in windows:
            one.board.page.context.close()
    return windows


def on_the_server(rounds: int) -> None:
    """Milliseconds of a run of the Agreement page after a change of mode, and of them in handing its figures over."""
    sys.path.insert(0, str(ROOT))
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120).run()
    app.switch_page("pages/judge/agreement.py").run()
    from pages.shared import parts

    plain, handing, runs, handed = parts.figure, 0.0, [], []

    def figure(*given: object, **named: object) -> None:
        nonlocal handing
        start = time.perf_counter()
        plain(*given, **named)  # type: ignore[arg-type]
        handing += time.perf_counter() - start

    parts.figure = figure
    for place in range(FIRST + rounds * CLICKS):
        app.radio(key="mode").set_value(("as_unmet", "exclude")[place % 2])
        handing, start = 0.0, time.perf_counter()
        app.run()
        runs.append(1000 * (time.perf_counter() - start))
        handed.append(1000 * handing)
    parts.figure = plain
    run, of_it = statistics.median(runs[FIRST:]), statistics.median(handed[FIRST:])
    print(f"server: a run {run:.0f} ms, of them figures handed over {of_it:.0f}")


def main() -> None:
    asked = argparse.ArgumentParser(description="Five clicks, from the press to the painted answer.")
    asked.add_argument("--rounds", type=int, default=10, help=f"of {CLICKS} clicks each")
    asked.add_argument("--against", type=Path, help="another checkout, whose dashboard is clicked in turn")
    asked.add_argument("--busy", type=int, default=0, help="loops beside it that take the cores")
    asked.add_argument("--only", nargs="*", default=list(KINDS), choices=KINDS)
    told_so = asked.parse_args()
    folder = Path(tempfile.mkdtemp())
    with ExitStack() as stack:
        served = {"empty": ("-m", "streamlit", "run", str(ROOT / "benchmarks" / "empty_app.py"))}
        if told_so.against:
            served["against"] = (str(told_so.against.resolve() / "deploy" / "serve.py"),)
        served["own"] = (str(ROOT / "deploy" / "serve.py"),)
        addresses = {name: stack.enter_context(serving(folder, *script)) for name, script in served.items()}
        opened = stack.enter_context(chromium(DRAWING))
        stack.enter_context(busy(told_so.busy))
        missed = []
        for place, kind in enumerate(told_so.only):
            windows = clicks(kind, addresses, opened, told_so.rounds)
            if place == 0:
                print(
                    f"{told_so.rounds * CLICKS} clicks, medians, ms\n{'':18}{'painted':>8}"
                    + "".join(f"{x:>6.6}" for x in windows[0].took[0])
                )
            told(windows, kind)
            empty, own = windows[0].median("painted"), windows[-1].median("painted")
            if own > (SLIDER if kind == "slider" else GOALS[kind] * empty):
                missed.append(kind)
    on_the_server(told_so.rounds)
    print(f"goals, × the empty app: {GOALS}, slider {SLIDER} ms; missed: {', '.join(missed) or 'none'}")
    print(f"load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
