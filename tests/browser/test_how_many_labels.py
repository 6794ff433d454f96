"""How many labels would settle it: the question is changed and the answer read; a bootstrap that takes long is stopped."""

from __future__ import annotations

import re

from playwright.sync_api import expect

import metrics
from metrics.analyses.planning.compute import plan_floor
from metrics.analyses.planning.sizes import about
from tests.browser import tables
from tests.browser.driver import SAMPLE, Dashboard, Opener

LONG = "/data?interval=bootstrap&unit=hierarchical&replicates=5000"


def fill(dashboard: Dashboard, label: str, value: str) -> None:
    box = dashboard.main.get_by_label(label, exact=True)
    dashboard.bring(box)
    box.fill(value)
    box.press("Enter")


def many_ways(n_items: int) -> bytes:
    """Hardly two items alike, so that there is no shortcut for a bootstrap."""
    return tables.verdicts([f"criterion {place}" for place in range(12)], n_items=n_items)


def test_a_bootstrap_that_is_stopped_keeps_what_is_done(visit: Opener) -> None:
    dashboard = visit().open(LONG, "Data").give("large.csv", many_ways(1500))
    dashboard.expect_understood("large.csv")
    dashboard.use()
    expect(dashboard.main.get_by_text("The bootstrap has not run.")).to_be_visible()
    dashboard.main.get_by_role("button", name="Run the bootstrap").click()
    expect(dashboard.main.get_by_test_id("stProgress")).to_contain_text(re.compile(r"[1-9]\d\s%"))
    dashboard.main.get_by_role("button", name="Stop").click()
    said = dashboard.main.get_by_text(re.compile(r"was stopped after .* of 5\s000 replicates in Exclude, which are kept\."))
    expect(said).to_be_visible()
    done = re.search(r"after (\d\s?\d+) of", said.inner_text())
    assert done
    assert 100 <= int(re.sub(r"\s", "", done[1])) < 5000
    expect(dashboard.settle().main.get_by_text(f"{done[1]} replicates, seed 0").first).to_be_visible()
    dashboard.expect_nothing_broken()


def test_back_asks_the_same_question_and_a_typed_line_another(visit: Opener) -> None:
    dashboard = visit().open().go("How many labels").go("Report")
    dashboard.page.go_back()
    dashboard.expect_title("How many labels")
    expect(dashboard.settle().main.get_by_label("Line", exact=True)).to_have_value("0.60")
    expect(dashboard.main.get_by_role("heading", name=re.compile("above 0.60?"))).to_be_visible()
    fill(dashboard, "Line", "0.65")
    sample = metrics.read(SAMPLE)
    judge = metrics.agreement(sample, judges=[sample.judges[0]]).judges[sample.judges[0]]
    plan = plan_floor(judge, "kappa_within", 0.65)
    expect(dashboard.main.get_by_role("heading", name=plan.question)).to_be_visible()
    dashboard.expect_metric("Items needed", about(plan.needed.n) if plan.needed.n else "–")
    assert dashboard.settle().choices["labels.line"] == "0.65"
    dashboard.expect_nothing_broken()
