"""A file is dropped in, confirmed and read off the page."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

import metrics
from metrics.results.words import number, percent
from tests.browser import tables
from tests.browser.driver import Dashboard, Opener, block
from tests.shared_data import data


def expect_numbers(dashboard: Dashboard, ratings: metrics.Ratings, **choice: str) -> None:
    judge = metrics.overview(ratings).leader  # whose numbers the overview showed
    assert judge is not None
    values = block(ratings, judge, **choice).values
    dashboard.expect_metric("Cohen’s κ", number(values["kappa"]))
    dashboard.expect_metric("Accuracy", percent(values["accuracy"]))


@pytest.mark.parametrize("name", ["llmrubric_real_binary.csv", "own.csv"])
def test_a_file_keeps_its_numbers_from_page_to_page(visit: Opener, name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    if name == "own.csv":
        path.write_bytes(tables.verdicts(labels=("MET", "UNMET", "CANNOT_ASSESS")))
    else:
        path = data(name)
    ratings = metrics.read(path)
    dashboard = visit().open_file(name, path)
    assert dashboard.choices["data"] == ratings.source.sha256[:8]
    expect_numbers(dashboard, ratings)
    dashboard.toggle("as_category", "macro")
    expect_numbers(dashboard, ratings, mode="as_category", level="macro")
    dashboard.go("Data")
    expect(dashboard.chosen("Data set")).to_have_value(name)
    expect(dashboard.main.get_by_role("heading", name="Rows used and left out")).to_be_visible()
    expect(dashboard.metric("Used").get_by_test_id("stMetricValue")).to_have_text(f"{ratings.rows_used:,}".replace(",", "\u202f"))
    dashboard.go("Agreement")
    for chosen in ("Keep as a class", "Criteria (macro)"):
        expect(dashboard.radio(chosen)).to_be_checked()
    expect_numbers(dashboard, ratings, mode="as_category", level="macro")
    dashboard.select("Data set", "Sample: Support answers, five criteria")
    expect(dashboard.main.get_by_text("made-up support answers")).to_be_visible()
    expect(dashboard.chosen("Reference")).to_have_value("Majority of the humans")
    dashboard.select("Data set", name)
    expect_numbers(dashboard, ratings, mode="as_category", level="macro")
    if len(ratings.humans) > 1:
        expect(dashboard.chosen("Reference")).to_have_value("The one human of each decision")
    dashboard.expect_nothing_broken()


def test_labels_nobody_knows_are_asked_for(visit: Opener) -> None:
    path = data("xstest_refusal.csv")
    meaning = {
        "full_compliance": ("positive", "positive: it is met"),
        "full_refusal": ("negative", "negative: it is not met"),
        "partial_refusal": ("abstention", "no verdict"),
    }
    dashboard = visit().open("/data", "Data").give(path.name, path)
    expect(dashboard.main.get_by_text("have no meaning yet")).to_be_visible()
    expect(dashboard.chosen("Meaning of INVALID")).to_have_value("invalid answer")
    for label, (_, words) in meaning.items():
        dashboard.select(f"Meaning of {label}", words)
    dashboard.expect_understood(path.name)
    dashboard.use()
    ratings = metrics.read(path, labels={label: kind for label, (kind, _) in meaning.items()})
    expect_numbers(dashboard, ratings)
    dashboard.toggle("as_unmet", "item")
    expect_numbers(dashboard, ratings, mode="as_unmet", level="item")
    dashboard.expect_nothing_broken()
