"""The estimate from a random labelled part and the judge's verdicts on the rest."""

from __future__ import annotations

import json

import numpy as np
import pytest

import metrics
from metrics.analyses.labelling import Verification
from metrics.analyses.true_rate.golden import golden_set
from metrics.analyses.true_rate.measured import prediction_powered
from metrics.intervals.single_table import wilson


def test_from_its_definition() -> None:
    tp, fn, fp, tn, k, n = 45, 5, 12, 138, 300, 1000
    found = prediction_powered([[tp, fn], [fp, tn]], k, n)
    h = np.repeat([1, 1, 0, 0], [tp, fn, fp, tn])
    f = np.repeat([1, 0, 1, 0], [tp, fn, fp, tn])
    assert found.value == pytest.approx(found.weight * k / n + (h - found.weight * f).mean())
    assert found.weight == pytest.approx(np.cov(h, f)[0, 1] / np.var(f) / (1 + 200 / 1000), abs=0.02)
    variance = found.weight**2 * np.var(f) / n + np.var(h - found.weight * f) / 200
    assert found.worth == pytest.approx(np.var(h) / variance, rel=0.05)
    assert found.ends == pytest.approx(wilson(found.value * found.worth, found.worth, 0.95))


def test_a_judge_at_chance_adds_nothing() -> None:
    found = prediction_powered([[25, 25], [75, 75]], 600, 1000)
    assert found.weight == 0
    assert found.value == found.labels_alone.value == 0.25
    assert found.ends == pytest.approx(found.labels_alone.ends)
    assert found.worth == pytest.approx(200)


def test_a_perfect_judge_is_worth_nearly_all_answers() -> None:
    found = prediction_powered([[60, 0], [0, 140]], 300, 1000)
    assert found.worth > 900
    assert found.value == pytest.approx(0.3, abs=0.005)


@pytest.mark.slow("simulates")
@pytest.mark.parametrize("share", [0.05, 0.3])
def test_coverage_whatever_the_judge(share) -> None:
    rng, draws, n, rest = np.random.default_rng(13), 500, 150, 1500
    for tpr, fpr in ((0.9, 0.1), (0.5, 0.4)):
        hits, narrower = 0, []
        for _ in range(draws):
            truth = rng.random(n + rest) < share
            says = rng.random(n + rest) < np.where(truth, tpr, fpr)
            own = truth[:n] * 2 + says[:n]
            tn, fp, fn, tp = np.bincount(own, minlength=4)
            found = prediction_powered([[tp, fn], [fp, tn]], int(says[n:].sum()), rest)
            hits += found.ends[0] <= share <= found.ends[1]
            narrower.append((found.ends[1] - found.ends[0]) / (found.labels_alone.ends[1] - found.labels_alone.ends[0]))
        assert hits / draws == pytest.approx(0.95, abs=0.03)
        assert np.mean(narrower) < (0.95 if tpr > 0.8 else 1.02)


def test_never_outside_the_range_and_never_of_zero_width() -> None:
    for golden in ([[0, 0], [0, 40]], [[40, 0], [0, 0]], [[0, 3], [9, 0]], [[1, 0], [0, 1]]):
        for k in (0, 50, 100):
            found = prediction_powered(golden, k, 100)
            assert 0 <= found.ends[0] <= found.value <= found.ends[1] <= 1
            assert found.ends[0] < found.ends[1]
            json.dumps(found.to_dict(), allow_nan=False)


def test_impossible_inputs_are_refused() -> None:
    with pytest.raises(metrics.InputError, match="number of answers"):
        prediction_powered([[1, 2], [3, 4]], 5, 4)
    with pytest.raises(metrics.InputError, match="golden set"):
        prediction_powered([[0, 0], [0, 0]], 1, 4)


def test_labels_that_follow_the_verdict_are_no_random_part() -> None:
    for labels, said in ((Verification(57, 57, 0, 700), "TPR cannot be known"), (Verification(90, 100, 20, 400), "more common")):
        with pytest.raises(metrics.InputError, match=f"not.* a random part of these.*{said}"):
            prediction_powered([[45, 0], [12, 0]], 0, 700, labelled=labels)
    fair = Verification(57, 357, 143, 843)
    found = prediction_powered(golden_set([[45, 5], [12, 138]]), 300, 1000, labelled=fair)
    assert found.value == prediction_powered([[45, 5], [12, 138]], 300, 1000).value
