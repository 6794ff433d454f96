"""The dashboard as it is served to many: nothing breaks under the policy, nothing foreign gets in, and files have a limit."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

import metrics
from tests.browser import tables
from tests.browser.conftest import serving
from tests.browser.driver import CRITERIA, ROOT, Opener

PRODUCTION = str(ROOT / "deploy" / "production.py")
FOREIGN = """async () => {
    const blocked = [];
    document.addEventListener("securitypolicyviolation", event => blocked.push(event.effectiveDirective));
    const put = (tag, more) => document.body.appendChild(Object.assign(document.createElement(tag), more));
    put("img", { src: "https://elsewhere.invalid/x.png" });
    put("script", { src: "https://elsewhere.invalid/x.js" });
    put("script", { textContent: "window.intruded = 1" });
    put("iframe", { src: "https://elsewhere.invalid/" });
    put("link", { rel: "stylesheet", href: "https://elsewhere.invalid/x.css" });
    put("img", { src: "x:" }).setAttribute("onerror", "window.intruded = 2");
    await fetch("https://elsewhere.invalid/").catch(() => 0);
    try { new WebSocket("wss://elsewhere.invalid/"); } catch { }
    await new Promise(done => setTimeout(done, 300));
    return [blocked.sort(), window.intruded ?? false];
}"""


@pytest.fixture(scope="module")
def production(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("production"), PRODUCTION, SESSION_MB="1", UPLOAD_MB="1") as address:
        yield address


def test_health_says_ready_and_version_alone(production: str) -> None:
    with urllib.request.urlopen(f"{production}/healthz", timeout=5) as reply:
        assert reply.status == 200
        assert json.load(reply) == {"status": "ok", "version": metrics.__version__}
        assert "default-src 'none'" in reply.headers["Content-Security-Policy"]


def test_a_link_is_the_first_request(visit: Opener, production: str) -> None:
    board = visit(address=production).open("/raters?mode=as_category", "Do the people agree?")
    expect(board.page.get_by_role("dialog")).to_have_count(0)
    board.expect_nothing_broken()


def test_files_and_figures_come_and_go_and_nothing_foreign_gets_in(visit: Opener, production: str, tmp_path: Path) -> None:
    board = visit(address=production).open("/data", "Data")
    board.give("own.csv", tables.verdicts(labels=("MET", "UNMET", "CANNOT_ASSESS")))
    board.expect_understood("own.csv")
    board.use()
    assert board.download("All numbers of all judges (CSV)")
    board.click_mark("Where the judge and the reference disagree", (0, 1))
    board.settle()
    chart = board.figure(CRITERIA)
    for kind, start in (("SVG", b"<svg"), ("PNG", b"\x89PNG")):
        with board.page.expect_download() as waiting:
            chart.get_by_role("button", name=f"{kind}").press("Enter")
        assert Path(waiting.value.path()).read_bytes().startswith(start)
    board.expect_nothing_broken()
    blocked, intruded = board.page.evaluate(FOREIGN)
    assert not intruded
    assert {"img-src", "script-src-elem", "connect-src", "frame-src", "style-src-elem", "script-src-attr"} <= set(blocked)
