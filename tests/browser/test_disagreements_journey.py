"""A list of disagreements in the browser: turned by keys, chosen by a row, filtered, emptied, brought back, and taken away."""

from __future__ import annotations

import csv
import io
import re

from playwright.sync_api import Locator, expect

import metrics
from metrics.analyses.disagreements.listing import Listing, listing_of
from metrics.analyses.disagreements.query import Query, find
from metrics.analyses.settings import Settings
from metrics.results.words import count
from tests.browser.axe import Audit
from tests.browser.driver import SAMPLE, Dashboard, Opener
from tests.browser.test_accessible import both_themes
from tests.browser.test_layout import SIDEWAYS, WIDER_THAN_PAGE

HEAD, ROW = 35, 35
"""Px of the head of a list and of a row."""


def its_listing() -> Listing:
    return listing_of(metrics.read(SAMPLE), Settings(judges=("strict",)))


def names(listing: Listing, query: Query) -> list[str]:
    return listing.ratings.items.take(find(listing, query).items).to_pylist()  # type: ignore[no-any-return]


def heading(dashboard: Dashboard) -> Locator:
    return dashboard.main.get_by_role("heading", level=2).first


def expect_reads(dashboard: Dashboard, listed: list[str], place: int) -> None:
    expect(heading(dashboard)).to_contain_text(listed[place])
    dashboard.expect_said(f"{count(place + 1)} of {count(len(listed))}")


def test_items_are_turned_chosen_filtered_and_taken_away(visit: Opener) -> None:
    listing = its_listing()
    every = names(listing, Query("disagreements"))
    dashboard = visit().open("/disagreements", "Disagreements")
    page = dashboard.page
    expect(page.locator("html")).to_have_attribute("data-letters", "turn")
    expect_reads(dashboard, every, 0)
    for _ in range(3):
        page.keyboard.press("j")
    expect_reads(dashboard, every, 3)
    page.keyboard.press("k")
    expect_reads(dashboard, every, 2)
    table = dashboard.settle().main.get_by_test_id("stDataFrame").first
    table.click(position={"x": 180, "y": HEAD + 4 * ROW + 17})
    expect_reads(dashboard, every, 4)
    dashboard.settle()
    table.click(position={"x": 19, "y": HEAD + 5 * ROW + 17})
    expect_reads(dashboard, every, 5)
    page.keyboard.press("j")
    expect_reads(dashboard, every, 6)
    dashboard.settle()
    assert dashboard.choices["item"] == every[6]

    dashboard.select("Criterion", "Polite tone")
    polite = names(listing, Query("disagreements", criterion="Polite tone"))
    dashboard.expect_said(f"of {count(len(polite))}")
    search = dashboard.main.get_by_label("Search", exact=True)
    search.click()
    search.press_sequentially("ROUTER jk", delay=20)
    dashboard.expect_said("No item fits all filters.")
    for _ in range(3):
        search.press("Backspace")
    found = names(listing, Query("disagreements", criterion="Polite tone", search="router"))
    assert 0 < len(found) < len(polite)
    dashboard.expect_said(f"of {count(len(found))}")
    dashboard.settle()
    taken = list(csv.DictReader(io.StringIO(dashboard.download(re.compile(r"^This list: .* \(CSV\)$")))))
    assert [row["item"] for row in taken] == found
    assert {row["criterion"] for row in taken} == {"Polite tone"}
    assert all("router" in row["question"].lower() or "router" in row["answer"].lower() for row in taken)

    address = page.url
    search.fill("no such words")
    dashboard.expect_said("No item fits all filters.")
    dashboard.main.get_by_role("button", name="Clear the filters").click()
    dashboard.expect_said(f"of {count(len(every))}")
    dashboard.settle().main.get_by_role("button", name="Bring the filters back").click()
    dashboard.expect_said("No item fits all filters.")
    dashboard.expect_nothing_broken()

    again = visit()
    page = again.page
    page.goto(address)
    again.expect_title("Disagreements")
    again.expect_said(f"of {count(len(found))}")
    again.expect_nothing_broken()


def test_a_link_asks_for_its_own_list_and_nothing_of_the_one_before(visit: Opener) -> None:
    dashboard = visit().open("/disagreements", "Disagreements")
    search = dashboard.main.get_by_label("Search", exact=True)
    search.fill("router")
    router = names(its_listing(), Query("disagreements", search="router"))
    dashboard.expect_said(f"of {count(len(router))}")
    dashboard.settle().go("Agreement")
    dashboard.select("Outcome", "human UNMET · judge MET")
    dashboard.select("Criterion", "Polite tone", dashboard.main)
    dashboard.settle().main.get_by_role("link", name="Read them item by item").click()
    dashboard.expect_title("Disagreements")
    query = Query("disagreements", cell=(1, 0), criterion="Polite tone")
    dashboard.expect_said(f"of {count(len(names(its_listing(), query)))}")
    expect_reads(dashboard, names(its_listing(), query), 0)
    expect(dashboard.main.get_by_label("Search", exact=True)).to_have_value("")
    dashboard.settle()
    assert dashboard.choices["cell"] == "reference UNMET, judge MET"
    assert "search" not in dashboard.choices
    dashboard.go("Compare judges")
    dashboard.settle().main.get_by_role("link", name="Read them item by item").click()
    dashboard.expect_title("Disagreements")
    listing = listing_of(metrics.read(SAMPLE), Settings(judges=("strict",)), other="lenient")
    expect_reads(dashboard, names(listing, Query("only_other")), 0)
    dashboard.settle()
    assert dashboard.choices["other"] == "lenient"
    assert "cell" not in dashboard.choices
    assert "criterion" not in dashboard.choices
    dashboard.expect_nothing_broken()


def test_a_telephone_turns_items_below_their_list(telephone: Dashboard) -> None:
    every = names(its_listing(), Query("disagreements"))
    telephone.open("/disagreements", "Disagreements")
    expect_reads(telephone, every, 0)
    onward = telephone.main.get_by_role("button", name="Next (J)")
    onward.tap()
    expect_reads(telephone, every, 1)
    table = telephone.settle().main.get_by_test_id("stDataFrame").first
    below, above = (what.bounding_box() for what in (onward, table))
    assert below is not None
    assert above is not None
    assert above["y"] + above["height"] <= below["y"]
    assert telephone.page.evaluate(SIDEWAYS) <= 0
    assert not telephone.page.evaluate(WIDER_THAN_PAGE)
    telephone.expect_nothing_broken()


def test_axe_finds_nothing_on_an_empty_list_in_either_theme(visit: Opener) -> None:
    audit, dashboard = Audit(), visit()
    dashboard.page.emulate_media(reduced_motion="reduce")
    dashboard.open("/disagreements?search=no+such+words", "Disagreements")
    both_themes(dashboard, audit, "an empty list")
    dashboard.page.emulate_media(reduced_motion="no-preference")
    assert not audit.findings, "\n".join(audit.findings)


def test_every_key_is_a_code_however_fast_and_a_reload_keeps_them(visit: Opener) -> None:
    dashboard = visit().open("/disagreements", "Disagreements")
    page = dashboard.page
    expect(page.locator("html")).to_have_attribute("data-letters", "turn")
    dashboard.settle()
    n = int(its_listing().differs.sum())
    for press in range(12):
        page.keyboard.press(str(1 + press % 4))
        page.wait_for_timeout(40)
    dashboard.expect_said(
        f"12 of {count(n)} disagreements coded: 3 judge wrong, 3 human wrong, 3 rubric unclear, 3 both defensible"
    )
    dashboard.settle()
    search = dashboard.main.get_by_label("Search", exact=True)
    search.click()
    search.press_sequentially("1", delay=20)
    dashboard.settle()
    search.press("Backspace")
    dashboard.settle()
    dashboard.expect_said(f"12 of {count(n)} disagreements coded")
    page.wait_for_timeout(1500)
    page.reload()
    dashboard.expect_said(f"12 of {count(n)} disagreements coded")
    dashboard.settle().main.get_by_text("What the codes say").click()
    dashboard.expect_said("No code is the commonest")
    dashboard.expect_nothing_broken()
