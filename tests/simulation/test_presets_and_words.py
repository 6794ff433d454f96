"""Presets found again by what they hold, studies as they grow, and what the page says of a setting."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

import metrics
from metrics.analyses.simulation import readings
from metrics.analyses.simulation.compute import CHOSEN_BY, simulated
from metrics.analyses.simulation.scenarios import Setting, SettingError
from metrics.analyses.simulation.studies import PRESETS, Study, preset_of, steps
from tests.studies import run


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_known_by_what_it_simulates(name) -> None:
    study = PRESETS[name].study
    assert preset_of(study) == name
    assert preset_of(replace(study, setting=replace(study.setting, seed=1))) is None


def test_a_number_that_varies_does_not_tell_presets_apart() -> None:
    study = PRESETS["figure4"].study
    assert preset_of(replace(study, setting=replace(study.setting, n_golden=7))) == "figure4"
    assert preset_of(replace(study, setting=replace(study.setting, n_eval=7))) is None
    assert preset_of(replace(study, along="n_eval")) == "figure5"


def test_a_study_grows_to_what_a_run_finds() -> None:
    study = Study(Setting(25_000), "p_golden")
    parts = list(steps(study))
    assert [part.done for part in parts] == [10_000, 20_000, 25_000]
    assert [part.share for part in parts] == [0.4, 0.8, 1.0]
    assert parts[-1].to_dict() == run(study).to_dict()
    assert study.cells == 3 * 25_000 * 5 * 3


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"p_golden": (0.5, 0.005)}, "Golden prevalence runs from 50\u00a0% down to 0.5\u00a0%. Swap its ends"),
        ({"fpr": (1.0, 0.0)}, "FPR runs from 100\u00a0% down to 0\u00a0%."),
        ({"p_model": (0.3, 0.3)}, "Model prevalence: both ends are 30\u00a0%"),
        ({"models": 1}, "models must be a whole number from 2"),
        ({"benchmark_prevalence": 1.0}, "benchmark_prevalence must lie between 0 and 1"),
        ({"tpr": 0.5}, "tpr must be two numbers"),
    ],
)
def test_why_a_setting_is_impossible(wrong, words) -> None:
    with pytest.raises(metrics.InputError) as refused:
        Setting(**wrong)
    assert words in readings.impossible(refused.value)
    assert isinstance(refused.value, SettingError)
    assert refused.value.field == next(iter(wrong))


def test_two_errors_to_both_sides() -> None:
    assert simulated(0.5, 0.1).ends == pytest.approx((0.3, 0.7))
    assert simulated(0.5, math.nan).ends is None


def test_values_and_errors_in_words() -> None:
    assert readings.success_parts(simulated(0.8291, 0.0012)) == ("82.9\u00a0%", "± 0.1 points")
    assert readings.loss_parts(simulated(0.03152, 0.00031)) == ("0.0315", "± 0.0003")
    assert readings.loss_words(simulated(0.03152, 0.00001)) == "0.0315 ± <0.0001"
    assert readings.loss_parts(simulated(0.1, math.nan)) == ("0.1000", "error unknown")
    assert readings.success_words(simulated(1.0, math.nan)) == "100.0\u00a0%, error unknown"
    assert readings.success_words(simulated(0.8291, 0.0012)) == "82.9 ± 0.1\u00a0%"
    assert readings.loss_words(simulated(0.1, math.nan)) == "0.1000, error unknown"


def test_the_header_says_what_was_drawn_and_how_far_it_is() -> None:
    study = Study(Setting(30_000, p_golden=(0.005, 0.05), benchmark_prevalence=0.055, seed=3), "n_eval")
    part = next(steps(study))
    drawn = "10\u202f000 scenarios at each point, of 30\u202f000 asked, stopped"
    assert readings.header(part).bold == f"{drawn}; answers per model varied; golden set 800 at 0.5–5\u00a0%."
    assert "asked, running" in readings.header(part, running=True).bold
    assert "SNR for 5.5\u00a0%; seed 3; varied: answers per model." in readings.header(part).rest
    assert readings.header(part).text() == readings.declaration(part)


def test_what_is_copied_can_be_quoted() -> None:
    found = run(Study(Setting(500), "n_golden"))
    text, own = readings.quote(found), found.selections[-1]
    losses = [readings.loss_words(own.outcome(readings.LOSS, key)) for key in readings.by_loss(own)]
    assert [text.index(loss) for loss in losses] == sorted(text.index(loss) for loss in losses)
    assert "at golden answers 51\u202f200" in text
    assert readings.declaration(found) in text
    assert sorted(readings.by_loss(own)) == sorted(CHOSEN_BY)


def test_readings_where_nothing_tells_metrics_apart() -> None:
    """Judges that are all the same rank alike by chance only: their scores tie, and every metric takes the first."""
    found = run(Study(Setting(200, tpr=(1.0, 1.0), fpr=(0.0, 0.0), n_golden=50)))
    assert "all metrics lose the same" in readings.reading(found)
    assert "is tied with" in readings.loss_reading(found)
    assert "is not enough" in readings.loss_reading(run(Study(Setting(1))))


def test_a_metric_loses_more_only_beyond_the_monte_carlo_error() -> None:
    few, many = (readings.reading(run(Study(Setting(scenarios)))) for scenarios in (100, 500))
    assert "no metric loses more than another beyond the Monte Carlo error (0.0180 ± 0.0111 at most)" in few
    assert "choosing by" not in few
    assert "choosing by accuracy loses 0.0294 ± 0.0058 more ranking accuracy than by φ" in many
    assert "Monte Carlo" not in many
