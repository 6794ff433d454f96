"""The cost matrix set by hand, by preset and by link; ties treated in their own way on every page."""

from __future__ import annotations

import re

from playwright.sync_api import expect

import metrics
from metrics.measures.cost_matrices import cost_of
from metrics.results.words import number
from tests.browser.driver import SAMPLE, Dashboard, Opener

COST = "/abstention?abstention_show=Cost+matrix"
TIES = "item,human,verdict\n" + "".join(
    f"q{i},{'MET' if i % 3 else 'UNMET'},{'TIE' if i % 7 == 0 else 'MET' if i % 4 else 'UNMET'}\n" for i in range(60)
)


def weighted(cost: str) -> str:
    ratings = metrics.read(SAMPLE)
    judge = ratings.judges[0]
    report = metrics.agreement(ratings, abstention="as_category", judges=[judge], cost=cost_of(cost), interval="none")
    return number(report.judges[judge].micro.values["weighted_kappa"])


def test_the_matrix_by_preset_by_hand_and_by_link(visit: Opener) -> None:
    first = visit().open(COST, "Abstention")
    first.expect_metric("Weighted κ", weighted("halfway"))
    first.main.get_by_text("As good as UNMET", exact=True).first.click()
    first.settle()
    first.expect_metric("Weighted κ", weighted("as-negative"))
    expect(first.page).to_have_url(re.compile("cost="))
    assert first.choices["cost"] == "0,1,1;1,0,0;1,0,0"
    cell = first.main.get_by_label("Cost of human MET, judge UNMET", exact=True)
    cell.fill("4")
    cell.press("Enter")
    first.settle()
    wanted = "0,4,1;1,0,0;1,0,0"
    first.expect_metric("Weighted κ", weighted(wanted))
    first.page.wait_for_function("wanted => new URLSearchParams(location.search).get('cost') === wanted", arg=wanted)
    second = visit(390, 844).open(first.page.url.removeprefix(first.address), "Abstention")
    second.expect_metric("Weighted κ", weighted(wanted))
    expect(second.main.get_by_label("Cost of human MET, judge UNMET", exact=True)).to_have_value("4")
    for dashboard in (first, second):
        dashboard.expect_nothing_broken()


def kappa(handling: dict[str, str]) -> str:
    ratings = metrics.read(TIES.encode(), labels={"TIE": "tie"})
    report = metrics.agreement(ratings, handling=handling, interval="none")
    return number(report.judges["judge"].micro.values["kappa"])


def more(dashboard: Dashboard) -> None:
    dashboard.sidebar.get_by_text("More choices").first.click()


def test_ties_counted_as_unmet_and_back(visit: Opener) -> None:
    dashboard = visit().open("/data", "Data").give("ties.csv", TIES.encode())
    dashboard.select("Meaning of TIE", "tie")
    dashboard.use().go("The judge", "Agreement")
    dashboard.expect_metric("Cohen’s κ", kappa({}))
    more(dashboard)
    dashboard.select("Ties", "Recode as negative")
    dashboard.expect_metric("Cohen’s κ", kappa({"tie": "as_unmet"}))
    expect(dashboard.page).to_have_url(re.compile(r"tie=Recode\+as\+negative"))
    expect(dashboard.main.get_by_text("ties counted as UNMET").first).to_be_visible()
    dashboard.sidebar.get_by_role("button", name="Treat them as usual").click()
    dashboard.settle()
    dashboard.expect_metric("Cohen’s κ", kappa({}))
    expect(dashboard.page).not_to_have_url(re.compile("tie="))
    dashboard.expect_nothing_broken()
