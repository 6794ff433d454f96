"""A number leaves the page with its declaration."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

import metrics
from metrics.declaration import copied
from tests.browser.driver import SAMPLE, Opener

pytestmark = pytest.mark.browser


def test_a_number_is_copied_by_mouse_and_by_keyboard_with_and_without_a_clipboard(visit: Opener) -> None:
    report = metrics.agreement(metrics.read(SAMPLE), judges=["strict"])
    board = visit().open("/?judge=strict")
    page = board.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=board.address)
    page.get_by_role("button", name="Copy Cohen’s κ").click()
    expect(page.get_by_role("status").filter(has_text="Copied")).to_have_count(1)
    assert page.evaluate("navigator.clipboard.readText()") == copied(report, "strict", "micro", "kappa")
    board.toggle("exclude", "macro")
    page.evaluate("clipboard = navigator.clipboard, Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    button = page.get_by_role("button", name="Copy φ")
    button.focus()
    page.keyboard.press("Enter")
    expect(button).to_have_attribute("data-done", "yes")
    expect(button).to_be_focused()
    assert page.evaluate("clipboard.readText()") == copied(report, "strict", "macro", "phi")
    assert page.locator(".copy-number").count() == board.main.get_by_test_id("stMetric").count()
    expect(page.get_by_role("button", name=re.compile("^Copy "))).to_have_count(5)
    board.expect_nothing_broken()
