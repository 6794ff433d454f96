"""A rare label is named where it alone keeps raters who agree below the floor, and is not where they do not agree."""

from __future__ import annotations

import numpy as np
import pytest

import metrics
from metrics.analyses.overview.readings_raters import verdict_of
from metrics.analyses.raters.advice import next_step, short_step
from metrics.analyses.raters.compute import block_of
from metrics.analyses.raters.evidence import evidence
from metrics.analyses.raters.gate import LEAST_LOWERED, RARE_BAND, Bands
from metrics.analyses.raters.readings import gate_reading
from metrics.analyses.raters.tables import gate_words, paradoxes
from metrics.report.methods import _gate
from tests.raters.made import rows, units

NAMES = ["MET", "UNMET"]


def slips(share: float, error: float, n: int = 800, raters: int = 3, seed: int = 3) -> np.ndarray:
    """Raters who know the truth and slip: `share` of the items are UNMET."""
    rng = np.random.default_rng(seed)
    truth = (rng.random(n) < share).astype(int)
    return np.where(rng.random((n, raters)) < error, 1 - truth[:, None], truth[:, None]).astype(np.int16)


def report_of(codes: np.ndarray, **how) -> metrics.analyses.raters.result.RatersReport:
    return metrics.raters(metrics.read(rows(codes, NAMES).encode()), **how)


def steps(codes: np.ndarray) -> tuple[str, str]:
    ratings = metrics.read(rows(codes, NAMES).encode())
    gate, record = metrics.raters(ratings).criteria["c"].gate, evidence(ratings).criteria["c"]
    return (
        next_step(record, gate.verdict, gate.needed.n, rare=gate.rare),
        short_step(record, gate.verdict, gate.needed.n, rare=gate.rare),
    )


def test_raters_who_slip_on_a_rare_label_are_told_to_add_items_not_to_sharpen() -> None:
    codes = slips(0.02, 0.02)
    report = report_of(codes)
    gate = report.criteria["c"].gate
    assert gate.verdict == "fails"
    assert report.pooled.values["percent_agreement"] > 0.95
    assert gate.rare is not None
    assert gate.rare.labels == ("UNMET",)
    assert gate.rare.share == pytest.approx((codes == 1).mean())
    # alpha of the same agreement at equal rates: Do stays, De is one half
    assert gate.rare.balanced == pytest.approx(1 - (1 - report.pooled.values["percent_agreement"]) / 0.5)
    assert (gate.band, gate.bands) == (RARE_BAND, ("revise", "sharpen"))
    said = gate_reading(report)
    assert "UNMET is rare (4\u00a0% of labels), and that lowers α and κ (prevalence paradox)" in said
    assert "AC1 is 0.9" in said
    assert "So these labels do not show that the rubric is unclear." in said
    assert "not ready" not in said
    assert steps(codes) == (
        "Add items that should get UNMET before you change the rubric: it is only 4\u00a0% of labels. Then measure again.",
        "Add items that should get UNMET.",
    )
    assert gate_words(report.criteria["c"]) == "fails; UNMET is rare (4\u00a0% of labels)"
    assert "prevalence paradox" in report.summary()
    assert report.to_dict()["criteria"]["c"]["gate"]["rare_label"]["labels"] == ["UNMET"]


@pytest.mark.parametrize("codes", [slips(0.5, 0.2), slips(0.2, 0.15), slips(0.05, 0.06)], ids=["common", "fifth", "slips"])
def test_raters_who_do_not_agree_hear_nothing_of_rarity(codes) -> None:
    report = report_of(codes)
    assert report.criteria["c"].gate.verdict == "fails"
    assert report.criteria["c"].gate.rare is None
    assert "rare" not in gate_reading(report) + report.summary() + "".join(steps(codes))
    assert steps(codes)[1].startswith("Clarify the rubric")


def test_what_passes_hears_nothing_of_rarity() -> None:
    report = report_of(slips(0.05, 0.001))
    assert report.criteria["c"].gate.verdict == "passes"
    assert report.criteria["c"].gate.rare is None
    assert paradoxes(report) == []


def test_with_too_few_items_the_paradox_is_named_and_more_items_are_asked_for() -> None:
    codes = slips(0.02, 0.02, n=160, seed=8)
    report = report_of(codes)
    assert report.criteria["c"].gate.verdict == "undecided"
    assert "prevalence paradox" in gate_reading(report)
    assert steps(codes)[1].startswith("Label ")


def test_without_intervals_nothing_is_called_rare() -> None:
    assert report_of(slips(0.02, 0.02), interval="none").criteria["c"].gate.rare is None


@pytest.mark.parametrize(("share", "rare"), [(0.08, True), (0.12, False)])
def test_a_label_is_rare_below_a_tenth(share, rare) -> None:
    # no disagreement but on a few: agreement is high, and the floor is what keeps alpha below
    codes = np.zeros((1000, 2), np.int16)
    codes[: int(1000 * share)] = 1
    codes[:30, 0] = 0
    block = block_of(units(codes, 2), np.array([1.0, 2.0]), "nominal", Bands(floor=0.97))
    assert block.gate.verdict == "fails"
    assert (block.gate.rare is not None) is rare


def test_of_three_labels_the_rare_ones_are_named_together() -> None:
    codes = np.zeros((900, 3), np.int16)
    codes[:12, 0] = 1
    codes[12:20, 1] = 2
    block = block_of(units(codes), np.array([1.0, 2.0, 3.0]), "nominal", Bands())
    assert block.gate.rare is not None
    assert block.gate.rare.labels == ("2", "3")
    assert gate_words(block) == "fails; 2 and 3 are rare (1\u00a0% of labels)"


def test_a_perfect_alpha_is_not_said_to_be_lowered_by_a_rare_label() -> None:
    codes = np.zeros((90, 2), np.int16)
    codes[:2] = 1
    report = report_of(codes)
    gate = report.criteria["c"].gate
    assert report.pooled.values["alpha"] == 1
    assert gate.verdict == "undecided"
    assert gate.rare is not None
    assert not gate.rare.lowers
    said = gate_reading(report)
    assert "UNMET is rare (2\u00a0% of labels), too few to tell how far α reaches: the humans agree on 100\u00a0%" in said
    assert "lowers" not in said
    assert "equal label rates" not in said
    assert "lowers" not in _gate(report)
    assert "The raters agree, but a label is too rare to tell how far α reaches." in _gate(report)
    assert "That is too few to tell how far α reaches" in " ".join(each.text for each in verdict_of(report))


def test_a_lowered_alpha_is_that_at_the_rates_of_the_labels() -> None:
    codes = slips(0.02, 0.02)
    report = report_of(codes)
    rare = report.criteria["c"].gate.rare
    assert rare is not None
    assert rare.lowers
    assert report.pooled.values["alpha"] < rare.balanced - LEAST_LOWERED
