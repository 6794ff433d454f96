"""The simulation against the values of the reference, and against a slow one written from the source's own words."""

from __future__ import annotations

import itertools
import math
import re

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, cohen_kappa_score, f1_score, matthews_corrcoef

import metrics
from metrics.analyses.simulation.compute import CHOSEN_BY, OUTCOMES, outcomes, scores, simulate
from metrics.analyses.simulation.scenarios import Setting, Worlds, draw

REFERENCE = [
    "sim.judge_selection.200_800_U(.5,1)",
    "sim.judge_selection.200_800_U(.01,.5)",
    "sim.judge_selection.2000_2000_U(.01,.5)",
    "sim.judge_selection.2000_2000_U(.3,.7)",
    "sim.judge_selection.2000_2000_U(.05,.2)",
    "sim.judge_selection.2000_2000_U(.005,.05)",
]
METRICS = {"BA": "balanced_accuracy", "MacroF1": "macro_f1", "Acc": "accuracy", "F1": "f1", "MCC": "phi", "SNR": "snr"}
NAMES = {"any": "success_any_best", "first": "success_first_index", "gap": "mean_loss"}


def ends(text: str) -> tuple[float, float]:
    """`U(.01,.5)` as two numbers."""
    low, high = re.findall(r"\.?\d+\.?\d*", text)
    return float(low), float(high)


@pytest.mark.parametrize("name", REFERENCE)
def test_the_reference_values(published, name) -> None:
    entry = published[name]
    given, expected = entry["inputs"], entry["expected"]
    assert given["scenarios"] == 200_000
    found = metrics.select_judge(
        scenarios=100_000, models=given["K"], judges=given["J"], n_eval=given["n_eval"], n_golden=given["n_golden"],
        p_golden=ends(given["p_golden"]), p_model=ends(given["p_model"]), seed=11,
    )  # fmt: skip
    for key, value in expected.items():
        metric, outcome = key.split(".")
        own = found.outcome(NAMES[outcome], METRICS[metric])
        error = math.hypot(own.error, own.error / math.sqrt(2))
        assert abs(own.value - value) < 4 * error, key


def test_the_spreads_of_the_reference_are_the_errors_stated(published) -> None:
    entry = published["sim.judge_selection.200_800_U(.01,.5)"]
    found = metrics.select_judge(scenarios=50_000)
    for key, tolerance in entry["tolerance"]["abs_per_key"].items():
        metric, outcome = key.split(".")
        own = found.outcome(NAMES[outcome], METRICS[metric])
        assert own.error * math.sqrt(50_000 / 200_000) * math.sqrt(2) * 5 == pytest.approx(tolerance, rel=0.05)


def slow(right: list[int], golden: np.ndarray, benchmark: float, pairs: int) -> dict[str, list[float]]:
    """One scenario, judge by judge, with scikit-learn."""
    found: dict[str, list[float]] = {key: [] for key in CHOSEN_BY}
    for (tp, fn), (fp, tn) in golden.astype(int):
        truth = [1] * (tp + fn) + [0] * (fp + tn)
        said = [1] * tp + [0] * fn + [1] * fp + [0] * tn
        tpr, tnr = tp / (tp + fn) if tp + fn else 0.0, tn / (fp + tn) if fp + tn else 0.0
        one_label = len({*truth, *said}) == 1
        kappa = 0.0 if one_label else cohen_kappa_score(truth, said, labels=[0, 1])
        smooth = (tp + 0.5) / (tp + fn + 1), (fp + 0.5) / (fp + tn + 1)
        rate = smooth[1] + (smooth[0] - smooth[1]) * benchmark
        found["balanced_accuracy"].append((tpr + tnr) / 2)
        found["accuracy"].append(accuracy_score(truth, said))
        found["f1"].append(f1_score(truth, said, zero_division=0))
        found["macro_f1"].append(f1_score(truth, said, labels=[0, 1], average="macro", zero_division=0))
        found["phi"].append(0.0 if one_label else matthews_corrcoef(truth, said))
        found["kappa"].append(kappa)
        found["snr"].append((smooth[0] - smooth[1]) / math.sqrt(rate * (1 - rate)))
    best = max(right)
    result = {}
    for key, values in found.items():
        chosen = next(place for place, value in enumerate(values) if value > max(values) - 1e-12)
        result[key] = [float(right[chosen] == best), float(chosen == right.index(best)), (best - right[chosen]) / pairs]
    return result


@pytest.mark.parametrize(
    "setting", [Setting(), Setting(n_eval=10, n_golden=12, p_golden=(0.0, 0.2)), Setting(judges=6, models=3)]
)
def test_each_scenario_equals_a_loop_with_scikit_learn(setting) -> None:
    worlds = draw(setting, 25, np.random.default_rng(4))
    fast = outcomes(worlds, setting.benchmark)
    for place in range(25):
        wanted = slow(worlds.right[place].tolist(), worlds.golden[place], setting.benchmark, worlds.pairs)
        for metric, key in enumerate(CHOSEN_BY):
            assert fast[:, metric, place].tolist() == pytest.approx(wanted[key], abs=1e-12), (place, key)


def test_ties_of_scores_go_to_the_first_judge_also_when_rounding_parts_them() -> None:
    golden = np.array([[[1, 9], [3, 7]], [[7, 3], [9, 1]], [[5, 5], [7, 3]]], float)[None]
    right = np.array([[3, 5, 1]])
    found = outcomes(Worlds(golden, right, 10), 0.5)
    assert found[:, CHOSEN_BY.index("balanced_accuracy"), 0].tolist() == pytest.approx([0, 0, 0.2])


def test_a_share_of_nothing_is_zero_in_a_score() -> None:
    nothing = np.array([[[0, 0], [0, 6]], [[0, 0], [2, 4]]], float)
    found = dict(zip(CHOSEN_BY, scores(nothing, 0.25), strict=True))
    assert found["balanced_accuracy"].tolist() == pytest.approx([0.5, 1 / 3])
    assert found["f1"].tolist() == [0, 0]
    assert found["macro_f1"].tolist() == pytest.approx([0.5, 0.4])
    assert found["phi"].tolist() == [0, 0]
    assert found["kappa"].tolist() == [0, 0]


def test_the_measured_rates_rank_the_models() -> None:
    perfect = Setting(models=6, judges=2, n_eval=1_000_000, p_model=(0.1, 0.9), tpr=(1, 1), fpr=(0, 0))
    assert (draw(perfect, 20, np.random.default_rng(0)).right >= 14).all()
    useless = Setting(models=6, judges=2, n_eval=50, tpr=(0, 0), fpr=(0, 0))
    assert not draw(useless, 20, np.random.default_rng(0)).right.any()
    upside_down = Setting(models=6, judges=2, n_eval=1_000_000, p_model=(0.1, 0.9), tpr=(0, 0), fpr=(1, 1))
    assert (draw(upside_down, 20, np.random.default_rng(0)).right <= 1).all()


def test_golden_labels_are_shared_and_evaluation_samples_are_not() -> None:
    worlds = draw(Setting(judges=4, n_golden=50, tpr=(0.7, 0.7), fpr=(0.2, 0.2), n_eval=30), 200, np.random.default_rng(1))
    positives = worlds.golden[..., 0, :].sum(-1)
    assert (positives == positives[:, :1]).all()
    assert (worlds.golden.sum((-2, -1)) == 50).all()
    assert len(np.unique(positives[:, 0])) > 5
    assert (worlds.right != worlds.right[:, :1]).any()


def test_equal_judges_are_chosen_alike_by_every_metric() -> None:
    """With four judges of one quality no metric can do better than a draw."""
    found = simulate(Setting(20_000, judges=4, tpr=(0.8, 0.8), fpr=(0.1, 0.1)))
    for key in CHOSEN_BY:
        own = found.outcome("success_any_best", key)
        assert own.value == pytest.approx(found.outcome("success_any_best", "accuracy").value, abs=6 * own.error)


def test_moments_equal_a_plain_mean_and_deviation() -> None:
    setting = Setting(3000, seed=9)
    found = simulate(setting)
    each = outcomes(draw(setting, 3000, np.random.default_rng(9)), setting.benchmark)
    for (place, name), (row, key) in itertools.product(enumerate(OUTCOMES), enumerate(CHOSEN_BY)):
        own = found.outcome(name, key)
        assert own.value == pytest.approx(each[place, row].mean(), abs=1e-12)
        assert own.error == pytest.approx(each[place, row].std(ddof=1) / math.sqrt(3000), rel=1e-9)
    apart = found.difference("mean_loss", "f1", "snr")
    loss = each[2, CHOSEN_BY.index("f1")] - each[2, CHOSEN_BY.index("snr")]
    assert apart.value == pytest.approx(loss.mean(), abs=1e-12)
    assert apart.error == pytest.approx(loss.std(ddof=1) / math.sqrt(3000), rel=1e-9)


def test_the_error_of_a_ratio_is_that_of_repeated_runs() -> None:
    runs = [simulate(Setting(2000, seed=seed)).ratio("mean_loss", "balanced_accuracy", "f1") for seed in range(60)]
    assert np.std([run.value for run in runs], ddof=1) == pytest.approx(np.mean([run.error for run in runs]), rel=0.3)
