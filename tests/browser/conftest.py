"""A server of the dashboard and a headless Chromium for the journeys."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.driver import LISTENING, ROOT, Dashboard, Opener, Scheme
from tests.processes import running

ARGUMENTS = (
    "--no-sandbox --disable-gpu --disable-background-networking --disable-quic --no-first-run "
    "--disable-component-update --disable-sync --js-flags=--no-opt"
).split()
"""Without the last tier of the compiler: each page is new, and what it makes faster is gone with the page."""
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
APPLICATIONS = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
STARTING, WAITING = 120, 60_000


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/_stcore/health", timeout=1) as reply:
            return bool(reply.status == 200)
    except (urllib.error.URLError, OSError):
        return False


@contextmanager
def serving(folder: Path, *script: str, **variables: str) -> Iterator[str]:
    """A new server, as `make app` starts it unless told another script; no session has been on it yet."""
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    served = script or (str(ROOT / "deploy" / "serve.py"),)
    command = [sys.executable, *served, "--server.port", str(port), "--server.headless", "true"]
    others = "STREAMLIT_", "COV_", "KAPPASCOPE_"
    environment = {name: value for name, value in os.environ.items() if not name.startswith(others)}
    environment |= {"PORT": str(port), **variables}
    with (folder / f"server-{port}.log").open("w+") as log:
        how = {"cwd": ROOT, "env": environment, "stdout": log, "stderr": subprocess.STDOUT}
        with running(command, end=signal.SIGINT, **how) as server:
            until = time.monotonic() + STARTING
            while not answers(address):
                if server.poll() is not None or time.monotonic() > until:
                    log.seek(0)
                    pytest.fail(f"the server did not start:\n{log.read()}")
                time.sleep(0.1)
            yield address


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("server")) as address:
        yield address


@pytest.fixture
def cold_server(tmp_path: Path) -> Iterator[str]:
    with serving(tmp_path) as address:
        yield address


def installed() -> str | None:
    """A Chromium of this machine; None stands for Playwright's own."""
    given = os.environ.get("CHROMIUM")
    found = [path for path in map(shutil.which, (given, *NAMES) if given else NAMES) if path]
    found += [path for path in APPLICATIONS if Path(path).exists()]
    return found[0] if found else None


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        path = installed()
        own = Path(playwright.chromium.executable_path)
        if path is None and not own.exists() and "CI" not in os.environ:
            pytest.skip("no Chromium on this machine: `make test` installs one")
        expect.set_options(timeout=WAITING)
        launched = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield launched
        launched.close()


@dataclass
class Visitors:
    """People at one Chromium, none of whom shares anything with another.

    Their pages are used again: in one of them the dashboard is on the screen in a third of the time of a new one.
    """

    browser: Browser
    idle: dict[bool, list[Page]] = field(default_factory=lambda: {False: [], True: []})
    """By whether they are a telephone."""

    def come(self, width: int = 1440, height: int = 900, scheme: Scheme = "light", *, touch: bool = False) -> Page:
        page = self.idle[touch].pop() if self.idle[touch] else self.new(has_touch=touch, is_mobile=touch)
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)
        return page

    def new(self, **how: Any) -> Page:
        """The page of a browser that nobody has used."""
        context = self.browser.new_context(**how)
        context.set_default_timeout(WAITING)
        context.add_init_script(LISTENING)
        return context.new_page()

    def give_back(self, dashboard: Dashboard, *, touch: bool = False) -> None:
        dashboard.leave()
        self.idle[touch].append(dashboard.page)


OPEN = pytest.StashKey[tuple[ExitStack, Visitors]]()


@pytest.fixture
def visitors(pytestconfig: pytest.Config) -> Visitors:
    if OPEN not in pytestconfig.stash:
        stack = ExitStack()
        pytestconfig.stash[OPEN] = stack, Visitors(stack.enter_context(chromium()))
    return pytestconfig.stash[OPEN][1]


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Chromium ends with the last journey: while it is open, no other event loop runs in this thread."""
    over = nextitem is None or Path(__file__).parent not in nextitem.path.parents
    if over and OPEN in item.config.stash:
        stack, _ = item.config.stash[OPEN]
        del item.config.stash[OPEN]
        stack.close()


@pytest.fixture
def telephone(visitors: Visitors, server: str) -> Iterator[Dashboard]:
    """A page of the dashboard under a finger, 390 px wide."""
    dashboard = Dashboard(visitors.come(390, 844, touch=True), server)
    yield dashboard
    visitors.give_back(dashboard, touch=True)


@pytest.fixture
def visit(visitors: Visitors, server: str) -> Iterator[Opener]:
    """Opens a page of the dashboard, as wide as told; the session ends when the test does."""
    used: list[Dashboard] = []

    def opened(width: int = 1440, height: int = 900, scheme: Scheme = "light", *, address: str = server) -> Dashboard:
        used.append(Dashboard(visitors.come(width, height, scheme), address))
        return used[-1]

    yield opened
    for dashboard in reversed(used):
        visitors.give_back(dashboard)
