"""Items that stand for more or fewer others: weighted numbers against repeated rows, a jackknife by hand, and simulation."""

from __future__ import annotations

import json

import numpy as np
import pytest

import metrics
from metrics.analyses.records import AgreementReport
from metrics.errors import InputError
from metrics.measures.coefficients import cohen_kappa
from tests.conftest import jackknifed_by_weight


def rows(human, judge, weight) -> bytes:
    lines = ["item,human,verdict,weight"]
    lines += [
        f"q{i},{'yes' if h else 'no'},{'yes' if j else 'no'},{w}"
        for i, (h, j, w) in enumerate(zip(human, judge, weight, strict=True))
    ]
    return "\n".join(lines).encode()


def drawn(seed: int = 0, n: int = 60):
    rng = np.random.default_rng(seed)
    human = rng.random(n) < 0.6
    return human, human ^ (rng.random(n) < 0.25), rng.choice([1.0, 2.0, 5.0], n)


def judge_of(content: bytes, **how):
    (judge,) = metrics.agreement(metrics.read(content), **how).judges.values()
    return judge


@pytest.mark.parametrize("seed", range(4))
def test_weighted_numbers_are_those_of_items_repeated_as_often(seed: int) -> None:
    human, judge, weight = drawn(seed)
    repeated = np.repeat(np.arange(len(human)), weight.astype(int))
    expected = judge_of(rows(human[repeated], judge[repeated], np.ones(len(repeated)))).micro
    found = judge_of(rows(human, judge, weight)).weighted
    assert found is not None
    for key in ("kappa", "accuracy", "recall", "f1", "drift", "prevalence"):
        assert found.estimates[key].value == pytest.approx(expected.values[key], abs=1e-12)
    assert found.counts.tolist() == expected.confusion.tolist()


def test_the_interval_is_that_of_a_jackknife_by_hand() -> None:
    human, judge, weight = drawn(5, 200)
    found = judge_of(rows(human, judge, weight)).weighted.estimates["accuracy"]
    right, strata = (human == judge).astype(float), np.unique(weight)
    square = jackknifed_by_weight(weight, lambda own: float((own * right).sum() / own.sum()))
    from scipy.stats import t

    quantile = t.ppf(0.975, len(human) - len(strata))
    value = (weight * right).sum() / weight.sum()
    reach = quantile * square**0.5 / (value * (1 - value))
    centre = np.log(value / (1 - value))
    assert found.ends == pytest.approx((1 / (1 + np.exp(-centre + reach)), 1 / (1 + np.exp(-centre - reach))))


def test_weights_that_are_all_alike_change_no_digit() -> None:
    human, judge, _ = drawn(1)
    alike = metrics.agreement(metrics.read(rows(human, judge, np.full(len(human), 3.5))))
    (with_weight,) = alike.judges.values()
    without = judge_of(rows(human, judge, np.ones(len(human))))
    assert with_weight.weighted is None
    assert with_weight.micro.to_dict() == without.micro.to_dict()
    assert "weights" not in alike.to_dict()["declaration"]
    assert "all items weigh the same" in " ".join(warning.message for warning in alike.warnings)


def test_raw_counts_stay_and_weighted_values_stand_beside() -> None:
    human, judge, weight = drawn(2)
    report = metrics.agreement(metrics.read(rows(human, judge, weight)))
    found = report.to_dict()
    (micro,) = (one["micro"] for one in found["judges"].values())
    assert found["declaration"]["weights"] == "weight"
    assert all(isinstance(cell, int) for row in micro["confusion"] for cell in row)
    assert micro["n"] == 60
    beside = micro["weighted"]
    assert beside["column"] == "weight"
    assert beside["n_items"] == 60
    assert beside["n_effective"] == pytest.approx(weight.sum() ** 2 / (weight**2).sum())
    assert set(beside["intervals"]) >= {"kappa", "accuracy"}
    again = AgreementReport.from_json(report.to_json())
    assert again.to_dict() == found
    json.dumps(found, allow_nan=False)
    assert "weighted by ‘weight’, κ " in report.summary().replace("\n", " ").replace("    ", "")


def test_without_intervals_there_are_none() -> None:
    human, judge, weight = drawn(3)
    found = judge_of(rows(human, judge, weight), interval="none").weighted
    assert found.to_dict()["intervals"] == {}
    assert not np.isnan(found.estimates["kappa"].value)


@pytest.mark.parametrize("weight", ["0", "-1", "heavy", "", "inf", "nan"])
def test_a_weight_that_no_item_can_have_is_refused_with_its_row(weight: str) -> None:
    human, judge, weights = drawn(4)
    told = [f"{one:g}" for one in weights]
    told[7] = weight
    with pytest.raises(InputError, match=r"row 9: a weight must be a number above 0"):
        metrics.agreement(metrics.read(rows(human, judge, told)))


def test_weights_of_criteria_are_not_those_of_items() -> None:
    lines = ["item,criterion,human,verdict,weight"]
    lines += [
        f"q{i},{c},{'yes' if i % 3 else 'no'},{'yes' if i % 4 else 'no'},{w}" for i in range(20) for c, w in (("a", 2), ("b", -1))
    ]
    report = metrics.agreement(metrics.read("\n".join(lines).encode()))
    (judge,) = report.judges.values()
    assert judge.weighted is None
    assert "it differs within an item" in " ".join(warning.message for warning in report.warnings)


def test_a_weight_of_one_item_goes_with_the_next() -> None:
    human, judge, _ = drawn(6)
    weight = np.ones(len(human))
    weight[0], weight[1:20] = 50.0, 3.0
    found = judge_of(rows(human, judge, weight)).weighted.estimates["accuracy"]
    assert found.ends is not None
    assert found.ends[0] < found.value < found.ends[1]


@pytest.mark.slow("simulates")
def test_estimates_are_unbiased_and_covered_where_hard_items_are_drawn_more_often() -> None:
    rng = np.random.default_rng(11)
    n = 4000
    hard = rng.random(n) < 0.3
    human = rng.random(n) < 0.5
    judge = human ^ (rng.random(n) < np.where(hard, 0.4, 0.05))
    table = np.array([[(human & judge).sum(), (human & ~judge).sum()], [(~human & judge).sum(), (~human & ~judge).sum()]])
    true = {"accuracy": float((human == judge).mean()), "kappa": float(cohen_kappa(table.astype(float)))}
    estimates, hits, plain = {key: [] for key in true}, dict.fromkeys(true, 0), []
    runs = 300
    for _ in range(runs):
        picked = np.concatenate([rng.choice(np.flatnonzero(hard), 100, False), rng.choice(np.flatnonzero(~hard), 100, False)])
        weight = np.where(hard[picked], hard.sum() / 100, (~hard).sum() / 100)
        found = judge_of(rows(human[picked], judge[picked], weight))
        plain.append(found.micro.values["accuracy"])
        for key, value in true.items():
            one = found.weighted.estimates[key]
            estimates[key].append(one.value)
            hits[key] += one.ends[0] <= value <= one.ends[1]
    for key, value in true.items():
        error = np.std(estimates[key]) / runs**0.5
        assert abs(np.mean(estimates[key]) - value) < 4 * error
        assert 0.92 <= hits[key] / runs <= 0.985
    assert abs(np.mean(plain) - true["accuracy"]) > 0.05


@pytest.mark.slow("simulates")
@pytest.mark.parametrize("n", [60, 120])
def test_a_few_errors_of_heavy_items_keep_the_coverage(n: int) -> None:
    """A fifth of the file makes most errors and is half of what was drawn: the others weigh four times as much."""
    rng, covered, runs = np.random.default_rng(n), 0, 150
    kappa = 1 - 2 * (0.2 * 0.35 + 0.8 * 0.05)
    for _ in range(runs):
        hard, human = np.arange(n) < n // 2, rng.random(n) < 0.5
        wrong = rng.random(n) < np.where(hard, 0.35, 0.05)
        lines = ["item,human,verdict,weight"]
        for i in range(n):
            said = human[i] ^ wrong[i]
            lines.append(f"{i},{('no', 'yes')[int(human[i])]},{('no', 'yes')[int(said)]},{0.4 if hard[i] else 1.6}")
        (judge,) = metrics.agreement(metrics.read("\n".join(lines).encode())).judges.values()
        low, high = judge.weighted.estimates["kappa"].ends
        covered += low <= kappa <= high
    assert covered / runs >= 0.92
