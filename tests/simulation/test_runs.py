"""Settings, blocks, stopping, studies, claims and sentences of the simulation, and the command `select`."""

from __future__ import annotations

import dataclasses
import json
import math
from fractions import Fraction

import numpy as np
import pytest

import metrics
from metrics.analyses.simulation import readings
from metrics.analyses.simulation.claims import CUT, VERDICTS, Gap, claims, lead_in_table, more_than_ba
from metrics.analyses.simulation.compute import CHOSEN_BY, OUTCOMES, Selection, parts, simulate
from metrics.analyses.simulation.scenarios import Setting
from metrics.analyses.simulation.studies import AXES, PRESETS, REGIMES, SIZES, Run, Study
from metrics.commands.cli import main
from tests.studies import run

SMALL = Setting(3000, n_eval=2000, n_golden=2000)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [({"scenarios": 0}, "scenarios must be a whole number from 1"), ({"models": 1}, "models must be"), ({"judges": 1}, "judges"),
     ({"n_eval": 0}, "n_eval"), ({"n_golden": 2.5}, "n_golden"), ({"seed": -1}, "seed"), ({"p_golden": (0.5, 0.1)}, "p_golden"),
     ({"tpr": (0, 1.2)}, "tpr must run upwards between 0 and 1"), ({"fpr": 0.3}, "fpr must be two numbers"),
     ({"p_model": (0.2, 0.2)}, "no true order"), ({"benchmark_prevalence": 0.0}, "benchmark_prevalence"),
     ({"p_model": (float("nan"), 0.2)}, "p_model")],
)  # fmt: skip
def test_what_cannot_be_simulated_is_refused(wrong, words) -> None:
    with pytest.raises(metrics.InputError, match=words):
        metrics.select_judge(**wrong)


def test_the_defaults_of_the_contract() -> None:
    assert metrics.select_judge(scenarios=10).to_dict()["settings"] == {
        "scenarios": 10, "models": 5, "judges": 3, "n_eval": 200, "n_golden": 800, "p_golden": [0.01, 0.5],
        "p_model": [0.01, 0.5], "tpr": [0.0, 1.0], "fpr": [0.0, 1.0], "benchmark_prevalence": 0.255, "seed": 0,
    }  # fmt: skip
    assert Setting().scenarios == 100_000


def test_the_same_seed_gives_the_same_digits_and_another_does_not() -> None:
    one, two = simulate(SMALL).to_dict(), simulate(SMALL).to_dict()
    assert one == two
    assert simulate(dataclasses.replace(SMALL, seed=1)).to_dict()["metrics"] != one["metrics"]


def test_a_stopped_run_is_the_beginning_of_the_whole() -> None:
    setting = Setting(25_000)
    pieces = list(parts(setting))
    assert [piece.done for piece in pieces] == [10_000, 20_000, 25_000]
    stopped = simulate(setting, lambda found: found.done >= 20_000)
    assert stopped.stopped
    assert stopped.to_dict() == pieces[1].to_dict()
    assert not pieces[-1].stopped
    shorter = simulate(Setting(20_000))
    assert shorter.to_dict()["metrics"] == stopped.to_dict()["metrics"]


def test_memory_follows_the_block_and_not_the_number_of_scenarios() -> None:
    assert Setting(models=50, judges=20).block < Setting().block
    assert Setting(10_000_000).block == Setting().block


def test_one_scenario_has_no_error() -> None:
    found = simulate(Setting(1))
    assert np.isnan(found.outcome("mean_loss", "f1").error)
    text = json.dumps(found.to_dict(), allow_nan=False)
    assert json.loads(text)["metrics"]["f1"]["standard_errors"] == dict.fromkeys(OUTCOMES)
    only = run(Study(Setting(1)))
    assert claims(only) == ()
    assert readings.reading(only) == "one scenario is not enough."
    assert "NaN" not in found.summary()
    assert "nan" not in found.summary()


def test_the_table_carries_the_setting_on_every_row() -> None:
    table = simulate(SMALL).to_frame()
    assert len(table) == len(CHOSEN_BY) * len(OUTCOMES)
    assert set(table["p_golden"]) == {"0.01–0.5"}
    assert set(table["scenarios_done"]) == {3000}


@pytest.mark.parametrize("along", AXES)
def test_a_study_is_its_settings_one_by_one(along) -> None:
    study = Study(Setting(400), along)
    found = run(study)
    assert [own.to_dict() for own in found.selections] == [simulate(point.setting).to_dict() for point in study.points]
    varied = {getattr(point.setting, along) for point in study.points} if along != "none" else {None}
    assert len(varied) == len(study.points) == {"none": 1, "p_golden": len(REGIMES)}.get(along, len(SIZES))
    assert len(found.to_frame()) == len(study.points) * len(CHOSEN_BY) * len(OUTCOMES)


def test_a_stopped_study_leaves_all_points_equally_far() -> None:
    found = run(Study(Setting(30_000), "p_golden"), lambda part: part.share > 0.5)
    assert {own.done for own in found.selections} == {20_000}
    assert found.stopped
    assert "of 30\u202f000 asked, stopped" in readings.declaration(found)


def verdicts(found) -> dict[str, str]:
    return {claim.text: claim.verdict for claim in claims(found)}


def test_where_the_source_is_wrong_the_claims_say_so() -> None:
    """Known exceptions: tiny golden sets of rare positives, and judges better than chance with rare positives."""
    for name in ("rare", "better"):
        found = verdicts(run(PRESETS[name].study))
        assert set(list(found.values())[:3]) == {"not"}, name


def test_the_claims_of_table_3() -> None:
    found = claims(run(PRESETS["table3"].study))
    assert [claim.verdict for claim in found[:3]] == ["reproduced", "reproduced", "level"]
    more = next(claim for claim in found if "30–50" in claim.text)
    assert more.verdict == "not"
    assert sum(claim.where == "Table 3" for claim in found) == 4


def test_the_extra_loss_by_the_printed_table(published) -> None:
    expected = published["collot.sec6.3.relative_loss"]["expected"]
    for metric, key in (("accuracy", "accuracy"), ("f1", "f1"), ("macro_f1", "macrof1")):
        assert more_than_ba(metric) == pytest.approx(expected[f"extra_loss_{key}_vs_BA"], abs=1e-12)
        assert 1 - 1 / (1 + more_than_ba(metric)) == pytest.approx(expected[f"reduction_vs_{key}"], abs=1e-12)
        assert pytest.approx(expected[f"reduction_vs_{key}"], abs=0.005) == CUT[metric]


def test_a_difference_below_the_printed_digits_is_level_and_one_above_is_not() -> None:
    study = Study(Setting(10_000))
    for behind, wanted in ((0.0007, "level"), (0.0013, "not"), (-0.0007, "reproduced")):
        losses = {"balanced_accuracy": 0.05, **dict.fromkeys(("phi", "kappa", "snr"), 0.05 - behind)}
        made = Run(study, (loss_only(study.setting, losses),))
        claim = next(claim for claim in claims(made) if "lose no less" in claim.text)
        assert claim.verdict == wanted
    assert "more than 0.001, the last digit of the paper’s Table 3" in readings.DECIDED
    assert VERDICTS["level"] in readings.DECIDED.lower()


def test_what_an_error_hides_is_neither_level_nor_settled() -> None:
    gap = Gap(-0.0007, 0.0005, "x")
    assert (gap.sure, gap.beyond(0.001)) == pytest.approx((-1.4, 0.6))


def test_the_rank_gap_of_table_3_is_the_mean_over_all_scenarios_and_the_caption_of_figure_5_fits_another_world(published) -> None:
    found = claims(run(PRESETS["table3"].study))
    gap = next(claim for claim in found if "rank gap is" in claim.text)
    caption = next(claim for claim in found if claim.where == "Fig. 5")
    assert gap.verdict == caption.verdict == "not"
    entry = published["sim.judge_selection.200_800_U(.5,1)"]["expected"]
    conditional = entry["BA.gap"] / (1 - entry["BA.first"])
    assert float(gap.evidence.split()[0]) == pytest.approx(conditional, abs=0.003)
    assert float(gap.evidence.split("; ")[1].split()[0]) == pytest.approx(entry["BA.gap"], abs=0.001)
    assert gap.evidence.endswith("over all, which Table 3 prints")
    assert entry["BA.gap"] == pytest.approx(0.033, abs=0.0015)
    assert lead_in_table("f1") == pytest.approx(float(Fraction(135, 1000)))
    assert lead_in_table("accuracy") == pytest.approx(float(Fraction(77, 1000)))
    assert "by Table 3 13.5 and 7.7" in caption.evidence
    assert 0.02 <= lead(published, "U(.05,.2)", "F1") <= 0.05 < lead(published, "U(.3,.7)", "F1")
    assert lead(published, "U(.05,.2)", "Acc") >= 0.10 > lead(published, "U(.3,.7)", "Acc")


def lead(published, golden: str, metric: str) -> float:
    """Of balanced accuracy over another metric in success, with 2000 answers of each kind."""
    entry = published[f"sim.judge_selection.2000_2000_{golden}"]["expected"]
    return float(entry["BA.first"] - entry[f"{metric}.first"])


def test_the_presets_say_what_the_source_leaves_open(published) -> None:
    entry = published["sim.judge_selection.2000_2000_U(.01,.5)"]["expected"]
    assert round(entry["BA.gap"], 3) == 0.015
    assert "about 0.015, not the printed 0.033" in PRESETS["table3"].says
    assert "rare golden positives" in PRESETS["figure5"].says


def test_claims_of_another_setting_leave_the_printed_numbers_alone() -> None:
    assert all(claim.where != "Table 3" for claim in claims(run(PRESETS["start"].study)))


def test_the_claims_of_figure_3() -> None:
    found = claims(run(PRESETS["figure3"].study))
    doubled = next(claim for claim in found if "more than doubles" in claim.text)
    assert doubled.verdict == "reproduced"
    assert doubled.evidence.startswith("0.02")


def test_few_runs_do_not_settle_a_claim() -> None:
    found = verdicts(run(Study(Setting(30, n_eval=2000, n_golden=2000))))
    assert "unsettled" in found.values()


def loss_only(setting: Setting, loss: dict[str, float], n: int = 10_000) -> Selection:
    """A run whose losses are as told, without noise to speak of."""
    sums = np.zeros((3, len(CHOSEN_BY)))
    sums[2] = [n * loss.get(key, 0.1) for key in CHOSEN_BY]
    sums[1] = n * 0.5
    products = np.einsum("oi,oj->oij", sums, sums) / n + 1e-9 * np.eye(len(CHOSEN_BY))
    return Selection(setting, n, sums, products)


def test_a_claim_follows_the_numbers_both_ways() -> None:
    study = Study(Setting(10_000))
    for own, wanted in ((0.01, "reproduced"), (0.2, "not")):
        selection = loss_only(study.setting, {"balanced_accuracy": own})
        made = Run(study, (selection,))
        claim = next(claim for claim in claims(made) if "loses the least" in claim.text)
        assert claim.verdict == wanted


def test_a_gap_without_error_is_sure() -> None:
    assert Gap(0.1, 0.0, "").sure == np.inf
    assert Gap(-0.1, 0.0, "").sure == -np.inf
    assert Gap(0.0, 0.0, "").sure == 0


def test_what_cannot_be_compared_confirms_nothing() -> None:
    assert math.isnan(Gap(math.nan, math.nan, "").sure)
    assert math.isnan(Gap(0.1, math.nan, "").sure)
    study = Study(Setting(10_000), "n_golden")
    none = loss_only(study.setting, dict.fromkeys(CHOSEN_BY, 0.0))
    found = claims(Run(study, (none,) * len(study.points)))
    half = next(claim for claim in found if "less than half" in claim.text)
    assert (half.verdict, half.evidence) == ("unsettled", "no loss to compare")
    table3 = PRESETS["table3"].study
    ratios = [c for c in claims(Run(table3, (loss_only(table3.setting, dict.fromkeys(CHOSEN_BY, 0.0)),)))
              if c.where == "App. A.2" or "30–50" in c.text]  # fmt: skip
    assert len(ratios) == 1 + len(CUT)
    assert {(claim.verdict, claim.evidence) for claim in ratios} == {("unsettled", "no loss to compare")}


def test_the_reading_names_the_numbers() -> None:
    found = run(Study(SMALL))
    text = readings.reading(found)
    snr = found.selections[0].outcome("success_any_best", "snr")
    assert f"{100 * snr.value:.1f} ± {100 * snr.error:.1f}\u00a0%" in text
    assert "3\u202f000 scenarios" in text
    assert text.endswith("Seed 0.")
    worst = max(CHOSEN_BY, key=lambda key: found.selections[0].outcome("mean_loss", key).value)
    assert worst == "accuracy"
    assert "choosing by accuracy loses" in text


def call(capsys: pytest.CaptureFixture[str], *args: object) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stop:
        main([str(arg) for arg in args])
    out, err = capsys.readouterr()
    return int(stop.value.code or 0), out, err


def test_the_command_prints_what_python_finds(capsys) -> None:
    code, out, err = call(
        capsys, "select", "--scenarios", 500, "--models", 4, "--judges", 2, "--n-eval", 50, "--n-golden", 60, "--p-golden",
        ".1,.2", "--p-model", "0,1", "--tpr", ".5,1", "--fpr", "0,.5", "--benchmark-prevalence", 0.3, "--seed", 7, "--json",
    )  # fmt: skip
    assert (code, err) == (0, "")
    found = metrics.select_judge(
        scenarios=500, models=4, judges=2, n_eval=50, n_golden=60, p_golden=(0.1, 0.2), p_model=(0, 1), tpr=(0.5, 1),
        fpr=(0, 0.5), benchmark_prevalence=0.3, seed=7,
    )  # fmt: skip
    assert json.loads(out) == found.to_dict()
    code, out, _ = call(capsys, "select", "--scenarios", 500)
    assert code == 0
    assert out.strip() == simulate(Setting(500)).summary().strip()


@pytest.mark.parametrize(
    ("given", "words"),
    [(("--tpr", "1"), "--tpr: two numbers"), (("--p-model", ".2,.2"), "p_model"), (("--models", "1"), "models")],
)
def test_the_command_refuses_in_one_sentence(capsys, given, words) -> None:
    code, out, err = call(capsys, "select", *given, "--json")
    assert (code, out) == (2, "")
    assert words in err
