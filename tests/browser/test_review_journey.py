"""A meeting over a rubric: criteria turned by the keys, decided, saved, lost with the session, and loaded again."""

from __future__ import annotations

import json
import re

from playwright.sync_api import expect

import metrics
from metrics.analyses.review.before_after import before_after
from metrics.analyses.review.compute import review_criteria
from metrics.analyses.settings import Settings
from metrics.results.words import number
from tests.browser.driver import SAMPLE, Dashboard, Opener


def test_a_rubric_is_reviewed_on_a_projector_and_the_decisions_outlive_the_session(visit: Opener) -> None:
    names = [own.criterion for own in review_criteria(metrics.read(SAMPLE), "strict", Settings())]
    dashboard = visit()
    page = dashboard.page
    page.goto(f"{dashboard.address}/review?view=room")
    heading = dashboard.main.get_by_role("heading", level=2)
    expect(heading).to_contain_text(names[0])
    dashboard.settle().expect_arrows()
    page.keyboard.press("ArrowRight")
    expect(heading).to_contain_text(names[1])
    dashboard.settle()
    own = review_criteria(metrics.read(SAMPLE), "strict", Settings())[1]
    figure = dashboard.main.get_by_role("figure", name=re.compile(f"bands of Landis.*{re.escape(number(own.kappa.value))}"))
    expect(figure).to_be_visible()
    expect(dashboard.main.get_by_role("figure")).to_have_count(2)
    dashboard.main.get_by_text("Split in two", exact=True).click()
    dashboard.expect_said("1 of 5 decided: 1 split")
    note = dashboard.main.get_by_label("Note", exact=True)
    note.fill("two things in one")
    note.press("ArrowLeft")
    expect(heading).to_contain_text(names[1])
    note.press("Enter")
    dashboard.settle()
    dashboard.main.get_by_role("button", name="Leave room view").click()
    dashboard.expect_title("Rubric review")
    dashboard.settle().main.get_by_text("All decisions: save them, load them").click()
    saved = dashboard.download("Save the decisions (JSON)")
    assert json.loads(saved)["decisions"][names[1]]["note"] == "two things in one"
    dashboard = visit().open("/review", "Rubric review")
    dashboard.expect_said("0 of 5 decided")
    dashboard.main.get_by_role("button", name="Type the definition").press("Enter")
    expect(dashboard.page.get_by_role("textbox", name="Definition")).to_be_visible()
    there_and_back = ("Tab", "Definition"), ("Shift+Tab", "Type the definition"), ("Tab", "Definition")
    for key, field in (*there_and_back, ("Tab", "Save"), ("Tab", "Keep")):
        dashboard.page.keyboard.press(key)
        expect(dashboard.page.locator(":focus")).to_have_accessible_name(re.compile(field))
    expect(dashboard.page.get_by_test_id("stPopoverBody")).to_have_count(0)
    dashboard.settle().main.get_by_text("All decisions: save them, load them").click()
    dashboard.main.locator("input[type=file]").last.set_input_files(
        {"name": "review.json", "mimeType": "application/json", "buffer": saved.encode()}
    )
    dashboard.expect_said("1 of 5 decided: 1 split")
    dashboard.expect_nothing_broken()


def test_labels_corrected_at_the_desk_come_back_as_before_and_after(visit: Opener) -> None:
    """From the codes to the file, and from the file to what it changes on the rubric."""
    dashboard = visit().open("/disagreements", "Disagreements")
    for _ in range(4):
        dashboard.page.keyboard.press("2")
        dashboard.settle()
    dashboard.main.get_by_text("What the codes say: count them").click()
    corrected = dashboard.settle().download(re.compile("labels of people corrected"))
    dashboard.go("Rubric review")
    dashboard.main.get_by_text("Before and after: a second file of the same items").click()
    dashboard.settle().main.locator("input[type=file]").first.set_input_files(
        {"name": "corrected.csv", "mimeType": "text/csv", "buffer": corrected.encode()}
    )
    dashboard.expect_said("After: corrected.csv")
    changed = dashboard.settle().main.get_by_role("button", name=re.compile("labels that changed")).inner_text()
    before, after = (metrics.read(data) for data in (SAMPLE, corrected.encode()))
    assert (
        before_after(before, after, "strict", Settings(judges=("strict",))).n_relabelled
        == int(re.findall(r"\d+", changed)[0])
        > 0
    )
    dashboard.expect_nothing_broken()


def test_a_telephone_names_criteria_by_number_so_that_none_is_cut(telephone: Dashboard) -> None:
    telephone.open("/review", "Rubric review")
    dots = telephone.main.locator(".st-key-review-dots")
    assert dots.get_by_role("radio").count() == 5
    assert [
        text.split() for text in dots.get_by_test_id("stMarkdownContainer").all_inner_texts() if text.strip()[-1:].isdigit()
    ] == [["○", str(place)] for place in range(1, 6)]
    assert dots.evaluate("dots => dots.scrollHeight <= dots.clientHeight + 1")
    telephone.expect_nothing_broken()
