"""From the checklist to the files: a field filled, a practice met, and a report that its file bears out."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from metrics.report.verifying import verify
from metrics.report.writing import FORMATS
from tests.browser.driver import ROOT, Dashboard, Opener

BEGINS = {
    "HTML": b"<!", "PDF": b"%PDF-", "Markdown": b"# ", "LaTeX": b"%", "Excel": b"PK", "CSV": b"", "JSON": b"{",
}  # fmt: skip
ANSWER = "Both could tick “cannot assess”"
SAMPLE = ROOT / "assets" / "support_answers.csv"


def taken(dashboard: Dashboard, name: str) -> tuple[str, bytes]:
    button = dashboard.main.get_by_role("button", name=name, exact=True)
    with dashboard.page.expect_download() as waiting:
        button.click()
    return waiting.value.suggested_filename, Path(waiting.value.path()).read_bytes()


def test_an_answer_meets_a_practice_and_every_file_says_so(visit: Opener) -> None:
    dashboard = visit().open().go("Report")
    heading = dashboard.main.get_by_role("heading", level=2)
    expect(heading.filter(has_text="8 of 11 reporting practices met")).to_be_visible()
    field = dashboard.main.get_by_role("textbox", name="How abstentions were asked for")
    field.fill(ANSWER)
    field.press("Enter")
    expect(heading.filter(has_text="9 of 11 reporting practices met")).to_be_visible()
    dashboard.settle()
    for suffix, its in FORMATS.items():
        name, data = taken(dashboard, its.name)
        assert name == f"support_answers-report{suffix}"
        assert data.startswith(BEGINS[its.name]), (its.name, data[:40])
        if suffix in (".html", ".md", ".json"):
            assert "cannot assess" in data.decode("utf-8-sig"), its.name
        if suffix == ".json":
            assert verify(data, SAMPLE).same
    dashboard.go("Data").go("Report")
    expect(dashboard.main.get_by_role("textbox", name="How abstentions were asked for")).to_have_value(ANSWER)
    dashboard.expect_nothing_broken()
