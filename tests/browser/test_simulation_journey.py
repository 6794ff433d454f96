"""A simulation is asked for, read, handed on as a link, and stopped half-way."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from metrics.analyses.simulation import readings
from metrics.analyses.simulation.claims import VERDICTS, claims
from metrics.analyses.simulation.studies import PRESETS, Run
from tests.browser.driver import Dashboard, Opener
from tests.browser.test_choose_and_rate import fill, fits
from tests.studies import run


@pytest.fixture(scope="module")
def figure4() -> Run:
    return run(PRESETS["figure4"].study)


def expect_run(dashboard: Dashboard, found: Run) -> None:
    own = found.selections[-1]
    dashboard.expect_metric("SNR picks best", readings.success_parts(own.outcome(readings.SUCCESS, "snr"))[0])
    dashboard.expect_metric("Least loss", readings.loss_parts(own.outcome(readings.LOSS, readings.by_loss(own)[0]))[0])
    dashboard.expect_said(readings.loss_reading(found))


def test_a_preset_is_chosen_by_keyboard_and_its_claims_are_read(visit: Opener, figure4: Run) -> None:
    dashboard = visit().open("/simulation", "Simulation")
    expect(dashboard.main.get_by_text(readings.loss_reading(run(PRESETS["start"].study)))).to_be_visible()
    box = dashboard.chosen("Preset")
    box.focus()
    box.press_sequentially("Figure 4")
    box.press("Enter")
    expect_run(dashboard, figure4)
    rows = dashboard.settle().main.get_by_role("table").get_by_role("row")
    expect(rows).to_have_count(1 + len(claims(figure4)))
    for row, claim in zip(rows.all()[1:], claims(figure4), strict=True):
        expect(row).to_contain_text(re.compile(re.escape(claim.evidence).replace("-", "-\u2060?")))
        expect(row).to_contain_text(VERDICTS[claim.verdict])
    fits(dashboard, "Simulation")
    dashboard.expect_nothing_broken()


def test_a_long_run_is_stopped_and_keeps_what_is_done(visit: Opener) -> None:
    dashboard = visit().open("/simulation", "Simulation")
    fill(dashboard, "Scenarios", "10000000")
    dashboard.expect_said("Not run yet.")
    dashboard.main.get_by_role("button", name="Run", exact=True).click()
    expect(dashboard.main.get_by_test_id("stProgress")).to_contain_text("scenarios")
    dashboard.main.get_by_role("button", name="Stop", exact=True).click()
    stopped = dashboard.main.get_by_text(re.compile(r"Stopped after .* of 10\s000\s000 scenarios; these are kept and shown\."))
    expect(stopped).to_be_visible()
    done = re.search(r"after ([\d\s]+) of", stopped.inner_text())
    assert done
    dashboard.settle().expect_said(f"{done[1]} scenarios, of 10 000 000 asked, stopped")
    assert dashboard.choices["sim_scenarios"] == "10000000"
    dashboard.expect_nothing_broken()
