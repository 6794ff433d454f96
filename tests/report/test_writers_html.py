"""The report as HTML: valid, alone, and of the file's texts nothing but letters."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import html5lib
import pytest
from playwright.sync_api import Browser

from metrics.report import as_html, texts
from metrics.report.document import Document
from metrics.results import words
from tests.browser.axe import Audit
from tests.browser.conftest import chromium
from tests.report import documents

SAID = 'figures => figures.map(figure => figure.getAttribute("aria-label") ?? "")'
EXAMPLES = {"usual": documents.usual, "hostile": documents.hostile, "empty": documents.empty}


@pytest.fixture
def without_plotly(monkeypatch: pytest.MonkeyPatch) -> None:
    """A strict parser reads for 10 seconds in plotly.js."""
    monkeypatch.setattr(as_html, "_plotly", lambda: "window.Plotly = {};")


def page(document: Document) -> ElementTree.Element:
    parser = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False)
    return parser.parse(as_html.write(document), transport_encoding="utf-8")


def said(element: ElementTree.Element) -> str:
    return "".join(element.itertext())


def test_with_its_library_it_is_valid() -> None:
    names = [script.text or "" for script in page(documents.usual()).iter("script")]
    assert any(len(text) > 1_000_000 for text in names)


@pytest.mark.usefixtures("without_plotly")
@pytest.mark.parametrize("name", EXAMPLES)
def test_it_is_valid_and_the_same_each_time(name: str) -> None:
    document = EXAMPLES[name]()
    tree = page(document)
    names = [element.attrib["id"] for element in tree.iter() if "id" in element.attrib]
    assert len(names) == len(set(names))
    assert {link.attrib["href"] for link in tree.iter("a")} == {f"#{section.key}" for section in document.sections}
    assert as_html.write(document) == as_html.write(document)


@pytest.mark.usefixtures("without_plotly")
def test_every_text_and_number_is_there() -> None:
    document = documents.usual()
    tree = page(document)
    table = next(tree.iter("table"))
    assert [said(head) for head in table.iter("th")] == [column.name for column in documents.COLUMNS]
    rows = [[said(cell) for cell in row.iter("td")] for row in table.iter("tr")][1:]
    assert rows[0][:5] == ["Cites a source", words.count(226), "0.64", "[0.43, 0.81]", words.percent(0.62)]
    assert rows[2][2] == words.UNDEFINED
    assert all(head.attrib["scope"] == "col" for head in tree.iter("th"))
    alts = [figure.alt for figure in document.figures()]
    assert [said(words) for words in tree.findall(".//figure/details/p")] == alts
    assert {place.attrib["aria-label"] for place in tree.iter("div") if "data-figure" in place.attrib} == set(alts)
    states = [said(mark).split() for mark in tree.iter("p") if mark.attrib.get("class") == "practice"]
    assert [(state[0], state[-1]) for state in states] == [("✓", "met"), ("✕", "met"), ("–", "applicable")]


@pytest.mark.usefixtures("without_plotly")
def test_no_text_of_the_file_becomes_markup() -> None:
    tree = page(documents.hostile())
    shown = [said(cell) for row in next(tree.iter("table")).iter("tr") for cell in row.findall("td")[:1]]
    assert shown == [texts.line(text) for text in documents.HOSTILE]
    assert len(list(tree.iter("script"))) == 2 + len(list(documents.hostile().figures()))
    assert not list(tree.iter("img"))
    assert not [name for element in tree.iter() for name in element.attrib if name.startswith("on")]
    blocks = [script for script in tree.iter("script") if script.attrib.get("type") == "application/json"]
    assert all(set(json.loads(script.text or "")) == {"light", "dark", "config"} for script in blocks)


@pytest.mark.usefixtures("without_plotly")
def test_only_its_own_scripts_may_run_and_nothing_is_loaded() -> None:
    tree = page(documents.hostile())
    policy = next(meta.attrib["content"] for meta in tree.iter("meta") if "http-equiv" in meta.attrib)
    own = [script.text or "" for script in tree.iter("script") if "type" not in script.attrib]
    digests = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in own]
    assert re.findall(r"sha256-([^']+)'", policy) == digests
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert not list(tree.iter("link"))
    assert not [element for element in tree.iter() if "src" in element.attrib]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as launched:
        yield launched


@pytest.mark.browser
@pytest.mark.parametrize(("name", "scheme"), [("usual", "dark"), ("hostile", "light")])
def test_offline_every_figure_is_drawn_and_nothing_is_asked_for(browser: Browser, tmp_path: Path, name: str, scheme: str) -> None:
    document = EXAMPLES[name]()
    file = tmp_path / "report.html"
    file.write_bytes(as_html.write(document))
    with browser.new_context(viewport={"width": 390, "height": 844}, color_scheme=scheme, offline=True) as context:  # type: ignore[arg-type]
        opened = context.new_page()
        asked: list[str] = []
        wrong: list[str] = []
        opened.on("request", lambda request: asked.append(request.url))
        opened.on("pageerror", lambda error: wrong.append(str(error)))
        opened.on("dialog", lambda dialog: wrong.append(dialog.message))
        opened.goto(file.as_uri())
        for kind in ("light", "dark") if scheme == "dark" else ("light",):
            drawn = opened.locator(f".plot.{kind} .main-svg:first-of-type")
            assert drawn.count() >= len(list(document.figures()))
        assert opened.locator(f".plot.{scheme}").first.is_visible()
        assert opened.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert all(re.search(r"\d", said) for said in opened.locator(f".plot.{scheme}").evaluate_all(SAID))
        findings = Audit()
        findings.look(opened, scheme)
        assert not findings.findings
        assert (asked, wrong, opened.evaluate("window.pwned")) == ([file.as_uri()], [], None)
        opened.get_by_role("button", name="Copy this paragraph").click()
        opened.get_by_text(re.compile("^(Copied|Select the text)")).wait_for()
