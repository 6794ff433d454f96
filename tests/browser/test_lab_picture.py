"""The lab's figures saved as one picture: it stands alone, holds every word drawn, and carries text as text."""

from __future__ import annotations

import re
import struct
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from playwright.sync_api import Page, expect

SVG = "{http://www.w3.org/2000/svg}"
SILENT = "/lab?lab_a=30_10_10_20_5_5_5_5_10&lab_mode=as_category&lab_words=%3Cb%3Eyes%26~no~NA"
DRAWN = """() => [...document.querySelectorAll('.st-key-lab_views .js-plotly-plot')].filter(plot => plot.checkVisibility())
    .flatMap(plot => [...plot.querySelectorAll('.main-svg text')]).filter(text => !text.closest('.hoverlayer'))
    .map(text => text.textContent)"""
APART = """([one, other]) => {
    const [above, below] = [one, other].map(start => [...document.querySelectorAll('text')].find(
        text => text.textContent.startsWith(start)).getBoundingClientRect());
    return below.top - above.bottom;
}"""
FITS = """() => {
    const { width, height } = document.documentElement.getBoundingClientRect();
    return [...document.querySelectorAll('text')].map(text => [text.textContent, text.getBoundingClientRect()]).filter(
        ([, box]) => box.left < 0 || box.top < 0 || box.right > width + 1 || box.bottom > height + 1).map(([words]) => words);
}"""


def plain(words: str | None) -> str:
    return " ".join((words or "").split())


def saved(page: Page, kind: str, folder: Path) -> Path:
    with page.expect_download() as waiting:
        page.get_by_role("button", name=f"Picture ({kind})").press("Enter")
    expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    assert waiting.value.suggested_filename == f"lab.{kind.lower()}"
    path = folder / waiting.value.suggested_filename
    waiting.value.save_as(path)
    return path


def points_outside(text: str) -> list[str]:
    """What a picture refers to that is neither in it nor a name of XML."""
    found = re.findall(r"(?:href|src)=.(?!#|data:)[^>]*|url\([^#d)][^)]*\)|url\(d(?!ata:)[^)]*\)|@import", text)
    return found + re.findall(r"https?://(?!www\.w3\.org/(?:2000/svg|1999/xlink)\")[^\"]*", text)


def test_the_picture_of_a_phone_and_of_a_desk(visit: Any, tmp_path: Path) -> None:
    for width, height, scheme in ((1440, 900, "light"), (390, 844, "dark")):
        lab = visit(width, height, scheme).open(SILENT, "Paradox lab")
        path = saved(lab.page, "SVG", tmp_path)
        text = path.read_text("utf-8")
        picture = ElementTree.fromstring(text)
        words = [plain("".join(element.itertext())) for element in picture.iter(f"{SVG}text")]
        drawn = [plain(word) for word in lab.page.evaluate(DRAWN)]
        assert any("<b>yes&" in word for word in drawn)
        assert {word for word in drawn if word} <= set(words)
        assert "Your own table" in words
        assert "Binary · abstentions kept as a class" in " ".join(words)
        assert not points_outside(text)
        assert "select" not in " ".join(words)
        assert not {element.tag for element in picture.iter()} & {f"{SVG}foreignObject", f"{SVG}script", f"{SVG}image"}
        assert 'font-family: "Source Sans"' in text
        ids = [element.get("id") for element in picture.iter() if element.get("id")]
        assert len(ids) == len(set(ids))
        named = set(re.findall(r"url\(#([^)]+)\)", text))
        assert named
        assert named <= set(ids)
        own = int(picture.get("width", 0)), int(picture.get("height", 0))
        head = saved(lab.page, "PNG", tmp_path).read_bytes()[:24]
        assert struct.unpack(">II", head[16:24]) == (2 * own[0], 2 * own[1])
        lab.expect_nothing_broken()
        lab.page.goto(path.as_uri())
        assert lab.page.evaluate(FITS) == []
        assert lab.page.evaluate(APART, ["the same table in four numbers", "accuracy"]) < 80
        assert not {"κ and φ along prevalence", "In ROC space"} & set(words)
        page = path.with_suffix(".html")
        page.write_text(f'<img src="{path.name}">')
        lab.page.goto(page.as_uri())
        image = lab.page.evaluate("async () => { const own = document.images[0]; await own.decode(); return own.naturalWidth; }")
        assert image == own[0]
