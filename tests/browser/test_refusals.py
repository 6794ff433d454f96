"""What cannot be read is refused in a sentence, and what was open stays open."""

from __future__ import annotations

import io
import re

from playwright.sync_api import expect

import metrics
from metrics.results.words import number, shorten
from tests.browser import tables
from tests.browser.driver import MOSAIC, Opener, block

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20
JOINER = "\u2060"
"""Takes no room; the page uses it to keep text from being read as an emoji or a link."""


def test_a_refusal_is_a_sentence_and_leaves_the_open_file(visit: Opener) -> None:
    mine = tables.verdicts()
    dashboard = visit().open_file("mine.csv", mine).go("Data")
    nul = b"item,human,verdict\na,MET,MET\nb,ME\x00T,UNMET\n"
    for name, data in (("nul.csv", nul), ("picture.csv", PNG), ("picture.png", PNG), ("tool.exe", b"MZ\x90\0" + PNG)):
        dashboard.settle().give(name, data)
        alert = dashboard.main.get_by_role("alert").filter(has_text=name)
        expect(alert).to_be_visible()
        expect(alert).to_contain_text("Still showing mine.csv.")
        expect(dashboard.chosen("Data set")).to_have_value("mine.csv")
    dashboard.go("Agreement")
    values = block(metrics.read(io.BytesIO(mine)), "judge").values
    dashboard.expect_metric("Cohen’s κ", number(values["kappa"]))
    dashboard.expect_nothing_broken()


def test_hostile_text_is_shown_as_typed(visit: Opener) -> None:
    data = tables.verdicts(
        criteria=tables.HOSTILE, labels=tables.HOSTILE, judge=tables.HOSTILE[0], n_items=60, answer=tables.HOSTILE[0]
    )
    kinds = ("positive: it is met", "negative: it is not met", "no verdict", "no verdict")
    dashboard = visit().open("/data", "Data").give("<b>hostile<b>.csv", data)
    for label, words in zip(tables.HOSTILE, kinds, strict=True):
        dashboard.select(f"Meaning of {label}", words)
    dashboard.expect_understood("hostile")
    shown = dashboard.main.inner_text().replace(JOINER, "")
    for label in tables.HOSTILE:
        assert shorten(label) in shown
    dashboard.use()
    stated = {
        label: words.split(":")[0].replace("no verdict", "abstention") for label, words in zip(tables.HOSTILE, kinds, strict=True)
    }
    ratings = metrics.read(io.BytesIO(data), labels=stated)
    values = block(ratings, tables.HOSTILE[0]).values
    dashboard.expect_metric("Cohen’s κ", number(values["kappa"]))
    drawn = " ".join(dashboard.main.locator(".js-plotly-plot text").all_text_contents())
    for label in tables.HOSTILE[2:]:
        assert label in drawn
    dashboard.click_mark(MOSAIC, (0, 1))
    expect(dashboard.main.get_by_text(re.compile(r"decisions\.$")).first).to_be_visible()
    dashboard.toggle("as_category", "item")
    assert dashboard.page.evaluate("typeof window.hacked") == "undefined"
    assert dashboard.page.locator("img[src=x]").count() == 0
    assert dashboard.main.locator("b", has_text="hostile").count() == 0
    assert dashboard.main.locator(".katex").count() == 0
    dashboard.expect_nothing_broken()
