"""Weights of items at every level: against repeated rows, against a jackknife by hand, and by simulation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import t

import metrics
from metrics.analyses.agreement.weighted import weighted
from metrics.analyses.evaluation import catalogue_family
from metrics.analyses.settings import settings_of
from metrics.measures.coefficients import cohen_kappa, kappa_within
from metrics.results.words import estimate
from tests.conftest import jackknifed_by_weight

CRITERIA = ("a", "b", "c")


def rows(human: np.ndarray, judge: np.ndarray, weight: np.ndarray) -> bytes:
    """Write labels of shape (n, C); -1 is none."""
    lines = ["item,criterion,human,verdict,weight"]
    for i, (h, j, w) in enumerate(zip(human, judge, weight, strict=True)):
        lines += [
            f"q{i},{c},{'MET' if one else 'UNMET'},{'MET' if other else 'UNMET'},{w:.12g}"
            for c, one, other in zip(CRITERIA, h, j, strict=True)
            if one >= 0
        ]
    return "\n".join(lines).encode()


def drawn(seed: int, n: int = 80, *, gaps: bool = False) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    human = (rng.random((n, 3)) < [0.5, 0.7, 0.85]).astype(int)
    judge = human ^ (rng.random((n, 3)) < [0.1, 0.25, 0.2])
    if gaps:
        human[rng.random((n, 3)) < 0.2] = -1
        human[:, 0] = np.where((human < 0).all(1), 1, human[:, 0])
    return human, judge, rng.choice([1.0, 2.0, 4.0], n)


def judge_of(content: bytes, **how):
    (judge,) = metrics.agreement(metrics.read(content), **how).judges.values()
    return judge


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_every_level_is_that_of_items_repeated_as_often(seed: int, gaps: bool) -> None:
    human, judge, weight = drawn(seed, gaps=gaps)
    repeated = np.repeat(np.arange(len(human)), weight.astype(int))
    expected = judge_of(rows(human[repeated], judge[repeated], np.ones(len(repeated))), interval="none")
    found = judge_of(rows(human, judge, weight)).weighted
    assert found is not None
    assert found.estimates["kappa_within"].value == pytest.approx(expected.micro.values["kappa_within"], abs=1e-12)
    for key in ("kappa", "accuracy", "f1", "recall", "drift"):
        assert found.estimates[key].value == pytest.approx(expected.micro.values[key], abs=1e-12)
        assert found.macro[key].value == pytest.approx(expected.macro.values[key], abs=1e-12)
        assert found.item is not None
        assert found.item.estimates[key].value == pytest.approx(expected.item.values[key], abs=1e-12)
        for name in CRITERIA:
            assert found.criteria[name].estimates[key].value == pytest.approx(expected.criteria[name].values[key], abs=1e-12)


def test_json_says_them_beside_the_numbers_in_which_every_decision_counts_once() -> None:
    judge = judge_of(rows(*drawn(1)))
    found = judge.to_dict()
    for level in ("micro", "macro", "item"):
        assert found[level]["weighted"]["column"] == "weight"
        assert found[level]["weighted"]["kappa"] != found[level]["kappa"]
    for name in CRITERIA:
        assert found["criteria"][name]["weighted"]["n_items"] == 80
    assert found["micro"]["weighted"]["kappa_within"] == judge.weighted.estimates["kappa_within"].value


def test_the_text_has_a_column_of_weighted_kappa_by_criterion() -> None:
    report = metrics.agreement(metrics.read(rows(*drawn(1))))
    (judge,) = report.judges.values()
    lines = report.summary().splitlines()
    assert any("κ, weighted" in line for line in lines)
    for name in CRITERIA:
        shown = next(line for line in lines if line.split()[:2] == [name, "80"])
        assert estimate(judge.weighted.criteria[name].estimates["kappa"]) in shown
    human, labels, _ = drawn(1)
    assert "weighted" not in metrics.agreement(metrics.read(rows(human, labels, np.ones(80)))).summary()


@pytest.mark.parametrize("key", ["kappa_within", "macro"])
def test_intervals_over_criteria_leave_one_item_out_of_all_of_them(key: str) -> None:
    human, judge, weight = drawn(7, gaps=True)

    def value(weights: np.ndarray) -> float:
        tables = np.array(
            [
                [[weights[(human[:, c] == one) & (judge[:, c] == other)].sum() for other in (1, 0)] for one in (1, 0)]
                for c in range(3)
            ]
        )
        return float(kappa_within(tables)) if key == "kappa_within" else float(cohen_kappa(tables).mean())

    square = jackknifed_by_weight(weight, value)
    numbers = judge_of(rows(human, judge, weight)).weighted
    found = numbers.estimates["kappa_within"] if key == "kappa_within" else numbers.macro["kappa"]
    centre, reach = np.arctanh(value(weight)), t.ppf(0.975, len(human) - 3) * square**0.5 / (1 - value(weight) ** 2)
    assert found.ends == pytest.approx((np.tanh(centre - reach), np.tanh(centre + reach)), abs=1e-9)


@pytest.mark.slow("simulates")
def test_levels_are_unbiased_and_covered_where_hard_items_are_drawn_more_often() -> None:
    rng = np.random.default_rng(5)
    n = 6000
    hard = rng.random(n) < 0.25
    human = (rng.random((n, 3)) < np.where(hard[:, None], [0.4, 0.6, 0.5], [0.6, 0.8, 0.7])).astype(int)
    judge = human ^ (rng.random((n, 3)) < np.where(hard[:, None], [0.35, 0.45, 0.3], [0.05, 0.1, 0.08]))
    whole = judge_of(rows(human, judge, np.ones(n)), interval="none")
    true = {
        "within": whole.micro.values["kappa_within"], "macro": whole.macro.values["kappa"], "item": whole.item.values["kappa"],
        "b": whole.criteria["b"].values["kappa"],
    }  # fmt: skip
    family = catalogue_family(("MET", "UNMET"))

    def both(items: np.ndarray) -> zip[tuple[np.ndarray, np.ndarray]]:
        return zip(human[items].T, judge[items].T, strict=True)

    estimates, hits, plain, runs = {key: [] for key in true}, dict.fromkeys(true, 0), [], 300
    for _ in range(runs):
        picked = np.concatenate([rng.choice(np.flatnonzero(part), 90, False) for part in (hard, ~hard)])
        weight = np.where(hard[picked], hard.sum() / 90, (~hard).sum() / 90)
        ratings = metrics.read(rows(human[picked], judge[picked], weight))
        found = weighted(ratings, ratings.judges[0], settings_of(ratings), family)
        plain.append(np.mean([cohen_kappa(np.bincount(2 * h + j, minlength=4).reshape(2, 2)) for h, j in both(picked)]))
        numbers = {
            "within": found.estimates["kappa_within"], "macro": found.macro["kappa"], "item": found.item.estimates["kappa"],
            "b": found.criteria["b"].estimates["kappa"],
        }  # fmt: skip
        for key, one in numbers.items():
            estimates[key].append(one.value)
            hits[key] += one.ends[0] <= true[key] <= one.ends[1]
    for key, value in true.items():
        assert abs(np.mean(estimates[key]) - value) < 4 * np.std(estimates[key]) / runs**0.5, key
        assert 0.92 <= hits[key] / runs <= 0.985, (key, hits[key] / runs)
    assert abs(np.mean(plain) - true["macro"]) > 0.05


@pytest.mark.parametrize("errors", [1, 3])
def test_few_errors_widen_a_criterion_beyond_the_jackknife(errors: int) -> None:
    human = np.tile([[1, 1, 1], [0, 0, 0]], (30, 1))
    judge, weight = human.copy(), np.repeat([1.0, 3.0], 30)
    judge[:errors, 0] ^= 1
    found = judge_of(rows(human, judge, weight)).weighted
    few, none = found.criteria["a"].estimates["accuracy"], found.criteria["b"].estimates["accuracy"]
    assert few.interval.note == f"small cell: {errors} item{'s' if errors > 1 else ''} with a disagreement"
    assert "dirichlet" in few.method
    assert none.ends[0] < none.value == 1.0
    worth = weight.sum() ** 2 / (weight**2).sum()
    assert none.ends[0] < 1 - 1 / worth
