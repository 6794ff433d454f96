"""Agreement among raters by weights of items: against repeated items, by a jackknife by hand, and by simulation."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.stats import t

import metrics
from metrics.analyses.raters.alpha import krippendorff_alpha
from metrics.analyses.raters.result import RatersReport
from tests.conftest import jackknifed_by_weight


def rows(labels: np.ndarray, weight: np.ndarray, criteria: int = 1) -> bytes:
    """Write labels of shape (n, C, R); -1 is none."""
    lines = ["item,criterion,rater,role,label,weight"]
    names = ("UNMET", "MET") if labels.max() < 2 else ("1", "2", "3")
    for i, item in enumerate(labels.reshape(len(labels), criteria, -1)):
        lines += [
            f"q{i},c{c},r{r},human,{names[label]},{weight[i]:.12g}"
            for c, said in enumerate(item)
            for r, label in enumerate(said)
            if label >= 0
        ]
    return "\n".join(lines).encode()


def drawn(seed: int, n: int = 90, raters: int = 3, k: int = 2, *, gaps: bool = True) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, k, (n, 2, 1))
    labels = np.where(rng.random((n, 2, raters)) < 0.2, rng.integers(0, k, (n, 2, raters)), truth)
    if gaps:
        labels[rng.random(labels.shape) < 0.15] = -1
        labels[:, 0, 0] = np.maximum(labels[:, 0, 0], 0)
    return labels, rng.choice([1.0, 2.0, 5.0], n)


def report_of(content: bytes, **how) -> RatersReport:
    scale = {"scale": "ordinal"} if b",human,3," in content else {}
    return metrics.raters(metrics.read(content, **scale), **how)


@pytest.mark.parametrize("level", ["nominal", "ordinal"])
@pytest.mark.parametrize("seed", range(3))
def test_statistics_are_those_of_items_repeated_as_often(seed: int, level: str) -> None:
    labels, weight = drawn(seed, k=3)
    times = np.repeat(np.arange(len(labels)), weight.astype(int))
    expected = report_of(rows(labels[times], np.ones(len(times)), 2), level=level, interval="none")
    found = report_of(rows(labels, weight, 2), level=level)
    for criterion in (None, "c0", "c1"):
        numbers, block = found.block(criterion).weighted, expected.block(criterion)
        assert numbers is not None
        assert set(numbers.estimates) == set(block.values)
        for key, value in block.values.items():
            if key != "alpha":
                assert numbers.estimates[key].value == pytest.approx(value, abs=1e-12), key
        every = range(2) if criterion is None else [int(criterion[1])]
        rated = np.concatenate([(labels[:, c] >= 0).sum(1) for c in every])
        m = np.where(rated >= 2, rated, 0)
        w = np.tile(weight, len(list(every)))
        worth, n = (w * m).sum() ** 2 / (w**2 * m).sum(), (w * m).sum()
        ratio = (1 - numbers.estimates["alpha"].value) / (1 - block.values["alpha"])
        assert ratio == pytest.approx((worth - 1) / worth / ((n - 1) / n), rel=1e-9)


def test_the_interval_of_alpha_is_a_jackknife_within_strata_by_hand() -> None:
    labels, weight = drawn(3, gaps=False)
    found = report_of(rows(labels, weight, 2)).pooled.weighted.estimates["percent_agreement"]
    agreed = np.stack([(labels[..., a] == labels[..., b]).mean(1) for a, b in ((0, 1), (0, 2), (1, 2))], -1).mean(1)
    square = jackknifed_by_weight(weight, lambda own: float((own * agreed).sum() / own.sum()))
    value = (weight * agreed).sum() / weight.sum()
    centre, reach = np.log(value / (1 - value)), t.ppf(0.975, len(labels) - 3) * square**0.5 / (value * (1 - value))
    assert found.ends == pytest.approx((1 / (1 + np.exp(reach - centre)), 1 / (1 + np.exp(-reach - centre))))


def test_weights_that_are_all_alike_change_no_digit() -> None:
    labels, _ = drawn(4)
    alike = report_of(rows(labels, np.full(len(labels), 2.5), 2))
    without = report_of(rows(labels, np.ones(len(labels)), 2).replace(b",weight", b",other"))
    assert [block.to_dict() for _, block in alike.blocks()] == [block.to_dict() for _, block in without.blocks()]
    assert all(block.weighted is None for _, block in alike.blocks())
    assert "all items weigh the same" in " ".join(warning.message for warning in alike.warnings)


def test_the_report_says_them_and_that_the_gate_counts_every_item_once() -> None:
    report = report_of(rows(*drawn(5), 2))
    told = " ".join(warning.message for warning in report.warnings)
    assert "Weighted by ‘weight’, α is " in told
    assert "count every item once" in told
    assert report.to_dict()["declaration"]["weights"] == "weight"
    assert RatersReport.from_json(report.to_json()).to_dict() == report.to_dict()
    json.dumps(report.to_dict(), allow_nan=False)
    assert not report_of(rows(*drawn(5), 2), interval="none").pooled.weighted.to_dict()["intervals"]


def test_where_the_weights_change_the_verdict_of_the_gate_it_is_said() -> None:
    easy, hard = np.tile([[[0, 0, 0]], [[1, 1, 1]]], (60, 1, 1)), np.tile([[[0, 1, 0]], [[1, 0, 1]]], (60, 1, 1))
    report = report_of(rows(np.concatenate([easy, hard]), np.repeat([20.0, 1.0], 120)))
    assert report.pooled.gate.verdict == "fails"
    assert report.pooled.weighted.gate.verdict == "passes"
    assert "By weights the gate is another one: c0 passes." in " ".join(warning.message for warning in report.warnings)


def test_unanimous_raters_have_an_interval_as_wide_as_the_items_are_worth() -> None:
    labels = np.tile([[[0, 0]], [[1, 1]]], (20, 1, 1))
    found = report_of(rows(labels, np.tile([1.0, 9.0], 20))).pooled.weighted
    alike = report_of(rows(labels, np.ones(40))).pooled
    assert found.estimates["alpha"].value == 1.0
    assert found.estimates["alpha"].ends[0] < alike["alpha"].ends[0] < 1.0


@pytest.mark.slow("simulates")
def test_estimates_are_unbiased_and_covered_where_hard_items_are_drawn_more_often() -> None:
    rng = np.random.default_rng(8)
    n = 5000
    hard = rng.random(n) < 0.2
    truth = rng.integers(0, 2, (n, 1))
    wrong = rng.random((n, 3)) < np.where(hard, 0.35, 0.06)[:, None]
    labels = np.where(wrong, 1 - truth, truth)
    votes = np.stack([(labels == k).sum(1) for k in (0, 1)], 1)
    true = {"alpha": float(krippendorff_alpha(votes)), "percent_agreement": float((votes * (votes - 1)).sum(1).mean() / 6)}
    estimates, hits, plain, runs = {key: [] for key in true}, dict.fromkeys(true, 0), [], 300
    for _ in range(runs):
        picked = np.concatenate([rng.choice(np.flatnonzero(part), 70, False) for part in (hard, ~hard)])
        weight = np.where(hard[picked], hard.sum() / 70, (~hard).sum() / 70)
        block = report_of(rows(labels[picked][:, None], weight)).pooled
        plain.append(block.values["alpha"])
        for key, value in true.items():
            one = block.weighted.estimates[key]
            estimates[key].append(one.value)
            hits[key] += one.ends[0] <= value <= one.ends[1]
    for key, value in true.items():
        assert abs(np.mean(estimates[key]) - value) < 4 * np.std(estimates[key]) / runs**0.5, key
        assert 0.92 <= hits[key] / runs <= 0.985, (key, hits[key] / runs)
    assert abs(np.mean(plain) - true["alpha"]) > 0.1
