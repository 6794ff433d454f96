"""What a person does with the dashboard, and what they read off it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import CDPSession, Error, Locator, Page, expect

import metrics
from metrics.analyses.records import Block
from pages.shared.page_records import LEARN, PAGES, page_of
from pages.shared.page_records import Page as PageRecord

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "assets" / "support_answers.csv"
MODES = {"exclude": "Exclude", "as_unmet": "Count as negative", "as_category": "Keep as a class"}
LEVELS = {"micro": "Decisions (micro)", "macro": "Criteria (macro)", "item": "Items"}
LEVEL_HEADS = {"micro": "Micro", "macro": "Macro", "item": "Item"}
MOSAIC, GRID, CRITERIA = "Where the judge and the reference disagree", "by abstention handling and averaging", "by criterion"
FOREST = "All judges against a baseline"
LOCAL = {"127.0.0.1", "localhost"}

FIND_MARK = """([plot, spot]) => {
    for (const group of plot.querySelectorAll('.barlayer .trace')) {
        const trace = group.__data__[0].trace;
        const place = trace.customdata.findIndex(found => String(found) === String(spot));
        if (place < 0) continue;
        const box = group.querySelectorAll('.point')[place].getBoundingClientRect();
        return [box.x, box.y, box.width, box.height];
    }
    return null;
}"""
CHOSEN_MARKS = """plot => plot._fullData.filter(trace => trace.type === 'bar').flatMap(
    trace => trace.customdata.filter((spot, place) => [trace.marker.line.width].flat()[place] > 0))"""
LISTENING = """(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('[data-testid=stSkeleton] { animation: none !important }');
    document.adoptedStyleSheets.push(sheet);
    const now = () => performance.now(), looks = new Map(), { setInterval: again, clearInterval: end } = window;
    window.talk = { asked: 0, heard: 0, looks };
    window.setInterval = (act, ms, ...what) => {
        const timer = again(act, ms, ...what);
        if (ms === 250) looks.set(timer, act);
        return timer;
    };
    window.clearInterval = (timer) => { looks.delete(timer); end(timer); };
    const Plain = window.WebSocket;
    window.WebSocket = class extends Plain {
        constructor(...where) {
            super(...where);
            window.talk.socket = this;
            this.addEventListener('message', () => { window.talk.heard = now(); });
        }
        send(what) {
            window.talk.asked = now();
            super.send(what);
        }
    };
})()"""
"""For `Browser.new_context().add_init_script`: when the page last asked its server something, and last heard of it.

Also how the page looks at itself every quarter of a second, so that a test need not wait for the next look. The grey places
are still from the start, not only once the style of the page has come: their pulse would be painted sixty times a second."""
AT_REST = """async (hastened) => {
    const measure = MEASURE, frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    const look = () => [...window.talk.looks.values()].forEach((act) => act());
    const wait = () => new Promise((done) => setTimeout(done, 250)), until = performance.now() + 60_000;
    for (let before = "", alike = 0; ;) {
        await (hastened ? look() : wait());
        await frame();
        await frame();
        const found = measure(), now = JSON.stringify(found);
        alike = now === before ? alike + 1 : 0;
        if (alike === 3) return found;
        if (performance.now() > until) throw new Error(`never at rest: ${before} ${now}`);
        before = now;
    }
}"""
"""What is measured, once it is the same after each of three looks of the page at itself."""
READY = """([quiet, patience]) => {
    const { asked, heard } = window.talk, now = performance.now();
    const answered = heard > asked || now - asked > patience;
    if (!answered || now - Math.max(asked, heard) < quiet) return false;
    const app = document.querySelector('[data-testid=stApp]');
    const window_is = matchMedia('(max-width: 640px)').matches ? 'narrow' : 'broad';
    if (document.documentElement.dataset.drawnFor !== window_is) return false;
    if (!app || app.dataset.testScriptState !== 'notRunning' || document.querySelector('[data-testid=stSkeleton]')) return false;
    return [...document.querySelectorAll('[data-testid=stPlotlyChart]')].every(chart => {
        if (!chart.offsetParent) return true;
        const plot = chart.querySelector('.js-plotly-plot');
        return plot && plot._fullLayout && Math.abs(plot._fullLayout.width - chart.clientWidth) < 2;
    });
}"""

UNREST = """() => ({
    ...window.talk, socket: undefined, looks: undefined, now: performance.now(),
    ...document.querySelector('[data-testid=stApp]')?.dataset,
    drawn: document.documentElement.dataset.drawnFor, skeletons: document.querySelectorAll('[data-testid=stSkeleton]').length,
    charts: [...document.querySelectorAll('[data-testid=stPlotlyChart]')].filter(chart => chart.offsetParent).map(
        chart => [chart.clientWidth, chart.querySelector('.js-plotly-plot')?._fullLayout?.width]),
})"""
"""What `READY` looks at, for whoever reads that it never came."""
SAYS = r"""words => {
    const said = document.querySelector('[data-testid=stMain]')?.innerText ?? '';
    return said.replace(/\u2060/g, '').replace(/\s+/g, ' ').includes(words);
}"""
UNEXPECTED = "This is a fault of the program"
QUIET, PATIENCE = 120, 3000
"""Milliseconds: without a message, after which a page counts as still; and after which none is to be expected any more."""
ONE_PRESS = 20_000
"""Milliseconds for a page to show its title."""


@dataclass
class Dashboard:
    """One open page of the dashboard and all it asked of the network and of the console."""

    page: Page
    address: str
    hosts: set[str] = field(default_factory=set)
    complaints: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    scripts: list[CDPSession] = field(default_factory=list)

    def __post_init__(self) -> None:
        for event, heard in self._heard().items():
            self.page.on(event, heard)  # type: ignore[call-overload]

    def begin_with(self, script: str) -> Dashboard:
        """Have whatever is opened run a script first, until this visitor leaves."""
        session = self.page.context.new_cdp_session(self.page)
        session.send("Page.enable")
        session.send("Page.addScriptToEvaluateOnNewDocument", {"source": script})
        self.scripts.append(session)
        return self

    def leave(self) -> None:
        """End the session and leave the page as a new one."""
        for session in self.scripts:
            session.detach()
        for event, heard in self._heard().items():
            self.page.remove_listener(event, heard)
        self.page.unroute_all()
        self.page.evaluate("window.sessionStorage.clear()")
        self.page.goto("about:blank")
        storage = self.page.context.new_cdp_session(self.page)
        storage.send("Storage.clearDataForOrigin", {"origin": self.address, "storageTypes": "local_storage,indexeddb"})
        storage.detach()

    def _heard(self) -> dict[str, Callable[[Any], None]]:
        return {
            "request": self._on_request,
            "websocket": self._on_socket,
            "pageerror": self._on_error,
            "console": self._on_console,
        }

    def _on_request(self, request: Any) -> None:
        self._called(request.url)

    def _on_socket(self, socket: Any) -> None:
        self._called(socket.url)

    def _on_error(self, error: Any) -> None:
        self.complaints.append(str(error))

    def _on_console(self, message: Any) -> None:
        self._said(message.type, message.text)

    def _called(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme in ("http", "https", "ws", "wss"):
            self.hosts.add(parts.hostname or "")

    def _said(self, kind: str, text: str) -> None:
        if kind == "error" and "404" not in text:
            self.complaints.append(text)
        elif kind == "warning":
            self.warnings.append(text)

    def open(self, path: str = "/agreement", title: str = "Agreement") -> Dashboard:
        self.page.goto(self.address + path)
        self.expect_title(title)
        return self.settle()

    def settle(self) -> Dashboard:
        """Until what was asked is answered, the script has run for a window of this width, and every figure fills its place.

        The script state alone will not do: between a click and the first word from the server it is still that of before.
        """
        self.page.wait_for_timeout(30)
        try:
            self.page.wait_for_function(READY, arg=[QUIET, PATIENCE], polling=30)
        except Error as late:
            raise AssertionError(f"the page does not come to rest: {self.page.evaluate(UNREST)}") from late
        return self

    def at_rest(self, measure: str, *, hastened: bool = True) -> Any:
        """What a function finds once the page is fitted to its window; the looks of the page are taken at once where hastened."""
        return self.settle().page.evaluate(AT_REST.replace("MEASURE", measure), hastened)

    def turn(self, scheme: Scheme) -> Dashboard:
        """Until the open page has turned light or dark and the run is over that it asks for then, for its figures."""
        asked = self.page.evaluate("window.talk.asked")
        self.page.emulate_media(color_scheme=scheme)
        self.page.wait_for_function("before => window.talk.asked > before", arg=asked, polling=30)
        return self.settle()

    def title(self, title: str) -> Locator:
        return self.main.get_by_role("heading", level=1, name=title, exact=True)

    def expect_title(self, title: str) -> None:
        expect(self.title(title)).to_be_visible()

    def expect_nothing_broken(self) -> None:
        expect(self.page.get_by_test_id("stException")).to_have_count(0)
        expect(self.page.get_by_text(UNEXPECTED)).to_have_count(0)
        assert not self.complaints, self.complaints
        assert self.hosts <= LOCAL

    @property
    def main(self) -> Locator:
        return self.page.get_by_test_id("stMain")

    @property
    def sidebar(self) -> Locator:
        return self.page.get_by_test_id("stSidebar")

    @property
    def choices(self) -> dict[str, str]:
        """The part of the address after the question mark."""
        return {name: values[-1] for name, values in parse_qs(urlsplit(self.page.url).query).items()}

    def go(self, title: str) -> Dashboard:
        """To a page by the navigation and the tabs of its entry; pressed again where it was drawn anew under the pointer."""
        page = next(page for page in PAGES if page.title == title)
        self.press(page)
        try:
            expect(self.title(title)).to_be_visible(timeout=ONE_PRESS)
        except AssertionError:
            self.press(page)
        self.expect_title(title)
        return self.settle()

    def press(self, page: PageRecord) -> None:
        navigation = self.page.get_by_role("navigation", name="App pages")
        if page.entry == LEARN:
            entry = self.page.get_by_role("menuitem", name=page.title, exact=True)
            if not entry.is_visible():
                navigation.get_by_role("button", name=LEARN).click()
            entry.click()
            return
        if page.leads or page_of(urlsplit(self.page.url).path.strip("/")) not in page.siblings:
            navigation.get_by_role("link", name=page.entry, exact=True).click()
        if not page.leads:
            self.settle().main.locator(".st-key-tabs").get_by_role("link", name=page.label, exact=True).click()

    def metric(self, label: str) -> Locator:
        return self.main.get_by_test_id("stMetric").filter(has=self.page.get_by_text(label, exact=True))

    def expect_metric(self, label: str, value: str) -> None:
        """A large number; an interval may stand behind it.

        While a page is drawn anew, what stood there before may stand below it for a moment; in the end there is one.
        """
        shown = self.metric(label).get_by_test_id("stMetricValue")
        expect(shown.first).to_have_text(re.compile(rf"^\s*{re.escape(value)}(\s*\[|\s*$)"))
        expect(shown).to_have_count(1)

    def expect_arrows(self) -> None:
        """Wait until the page listens to the arrow keys: only once its own script is there, which comes after the page."""
        expect(self.page.locator("html")).to_have_attribute("data-arrows", "turn")

    def expect_said(self, words: str) -> None:
        """Somewhere on the page, whatever the kind of space and wherever its lines break."""
        wanted = re.sub(r"\s+", " ", words)
        try:
            self.page.wait_for_function(SAYS, arg=wanted, polling=50)
        except Error as late:
            browser = "\n".join((*self.complaints, *self.warnings))
            raise AssertionError(f"not on the page: {wanted}\n{self.main.inner_text()}\nthe browser: {browser}") from late

    def radio(self, name: str) -> Locator:
        return self.sidebar.get_by_role("radio", name=name, exact=True)

    def toggle(self, mode: str, level: str) -> Dashboard:
        """Mode and level by their names in `metrics`, chosen with the mouse."""
        for name in (MODES[mode], LEVELS[level]):
            self.sidebar.get_by_test_id("stMarkdownContainer").get_by_text(name, exact=True).click()
            expect(self.radio(name)).to_be_checked()
        declared = re.compile(rf"Declared: {MODES[mode]}[^.]*, {LEVEL_HEADS[level]}\.")
        expect(self.figure(GRID).first).to_have_attribute("aria-label", declared)
        expect(self.settle().figure(GRID)).to_have_count(1)
        return self

    def select(self, label: str, option: str, within: Locator | None = None) -> Dashboard:
        box = (within or self.page).get_by_role("combobox", name=label, exact=True)
        self.bring(box)
        box.click()
        # A long list draws its rows anew as it is scrolled to one of them, and a press on a row that goes is none.
        row = self.page.get_by_role("option", name=option, exact=True)
        self.bring(row)
        row.click()
        expect(row).to_be_hidden()
        return self.settle()

    def bring(self, what: Locator) -> None:
        """Into view, and until it stands still: a list closes when the page scrolls under it."""
        what.scroll_into_view_if_needed()
        self.settle()
        what.evaluate(
            """async element => {
                const place = () => JSON.stringify(element.getBoundingClientRect());
                for (let before = "", still = 0; still < 5; still = place() === before ? still + 1 : 0) {
                    before = place();
                    await new Promise(done => setTimeout(done, 50));
                }
            }"""
        )

    def chosen(self, label: str) -> Locator:
        return self.page.get_by_role("combobox", name=label, exact=True)

    def figure(self, name: str) -> Locator:
        starts = {
            MOSAIC: "^Confusion matrix|^Nothing",
            GRID: r"by mode and level\.",
            CRITERIA: r"by criterion\.",
            FOREST: r"^Difference in [^.]+ from ",
        }[name]
        charts = self.main.get_by_test_id("stPlotlyChart")
        return charts.and_(self.page.get_by_role("figure", name=re.compile(starts)))

    def plot(self, name: str) -> Locator:
        return self.figure(name).locator(".js-plotly-plot")

    def marked(self, name: str) -> list[list[int]]:
        """The outlined places of a figure, as a click on them would name them."""
        found: list[list[int]] = self.plot(name).evaluate(CHOSEN_MARKS)
        return found

    def click_mark(self, name: str, spot: Sequence[int]) -> Dashboard:
        """A click with the mouse on a cell or a row of a figure."""
        plot = self.plot(name)
        plot.scroll_into_view_if_needed()
        box = self.page.evaluate_handle(FIND_MARK, [plot.element_handle(), list(spot)]).json_value()
        assert box is not None, f"no mark {list(spot)} in the figure"
        x, y, width, height = box
        self.page.mouse.move(x + width / 2 - 3, y + height / 2)
        self.page.mouse.click(x + width / 2, y + height / 2)
        return self

    def download(self, name: str | re.Pattern[str]) -> str:
        button = self.main.get_by_role("button", name=name)
        self.bring(button)
        with self.page.expect_download() as waiting:
            button.click()
        return Path(waiting.value.path()).read_bytes().decode("utf-8")

    def give(self, name: str, data: bytes | Path) -> Dashboard:
        """A file dropped in on the page Data, not confirmed yet."""
        what: Any = data if isinstance(data, Path) else {"name": name, "mimeType": "text/csv", "buffer": data}
        self.main.locator("input[type=file]").first.set_input_files(what)
        return self

    def expect_understood(self, name: str) -> None:
        expect(self.main.get_by_text("What we understood")).to_be_visible()
        written = "\u2060?".join(map(re.escape, name))  # what would be markup is kept apart by a joiner that nobody sees
        expect(self.main.get_by_role("button", name="Analyse this file")).to_be_enabled()
        expect(self.main.get_by_text("Until you use the new file")).to_be_visible()
        expect(self.main.get_by_text(re.compile(rf"{written}.*: .+ rows, .+ columns"))).to_be_visible()
        self.settle()

    def use(self) -> Dashboard:
        """Confirm what was understood, and go from the overview, which opens then, to the numbers."""
        self.main.get_by_role("button", name="Analyse this file").click()
        self.expect_title("Overview")
        return self.settle().go("Agreement")

    def open_file(self, name: str, data: bytes | Path) -> Dashboard:
        """From a new session to the numbers of a file that needs no question answered."""
        self.open("/data", "Data").give(name, data)
        self.expect_understood(name)
        return self.use()


Scheme = Literal["light", "dark"]
Opener = Callable[..., Dashboard]


def block(ratings: metrics.Ratings, judge: str, mode: str = "exclude", level: str = "micro") -> Block:
    """What the page ought to show."""
    return metrics.agreement(ratings, abstention=mode, judges=[judge], interval="none").judges[judge].level(level)  # type: ignore[arg-type]
