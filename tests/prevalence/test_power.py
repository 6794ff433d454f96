"""What a judge costs, against published values, the closed forms and simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import bdtr

import metrics
from metrics.analyses.prevalence.power import (
    answers_needed,
    carried,
    measured_rate,
    phi_at,
    rates_of,
    signal_to_noise,
    whole,
)

TABLES = {
    "table1.A": [[63, 20], [133, 784]], "table1.B": [[47, 36], [69, 848]],
    "table2.A": [[50, 150], [20, 780]], "table2.B": [[40, 160], [0, 800]],
}  # fmt: skip
RATE = st.floats(0.01, 0.99)


def order_probability(tpr: float, fpr: float, x1: float, x2: float, n: int) -> float:
    """Chance that n answers of each model put two prevalences in the right order; a tie counts as wrong."""
    y1, y2 = (float(measured_rate(tpr, fpr, x)) for x in sorted((x1, x2)))
    at_most, exactly = bdtr(np.arange(n), n, y1), np.diff(bdtr(np.arange(n + 1), n, y2))
    return float(at_most @ exactly)


@pytest.mark.parametrize(
    "entry",
    ["ext.required_n.1_0_0.05_0.1", "ext.required_n.0.9_0.05_0.05_0.1", "ext.required_n.0.9_0.05_0.15_0.25",
     "ext.required_n.0.7_0.3_0.15_0.25"],
)  # fmt: skip
def test_published_answers_needed(published, entry) -> None:
    given, expected = published[entry]["inputs"], published[entry]["expected"]
    rates = given["TPR"], given["FPR"]
    assert measured_rate(*rates, given["x1"]) == pytest.approx(expected["y1"], rel=1e-12)
    assert measured_rate(*rates, given["x2"]) == pytest.approx(expected["y2"], rel=1e-12)
    assert answers_needed(*rates, given["x1"], given["x2"]) == pytest.approx(expected["n_per_model"], rel=1e-10)


@pytest.mark.parametrize("entry", ["collot.table2.power_reversal", "collot.table1.power"])
def test_published_power_of_two_judges(published, entry) -> None:
    given, expected = published[entry]["inputs"], published[entry]["expected"]
    ends = given["x1"], given["x2"]
    for key, value in expected.items():
        what = key.split(".", 2)[2]
        table = TABLES[key.removesuffix(f".{what}")]
        rates = rates_of(table)
        if "n_per_model" in what:
            found = answers_needed(*rates, *ends)
        elif "p_correct_order" in what:
            found = order_probability(*map(float, rates), *ends, int(what.rsplit("_n", 1)[1]))
        else:
            found = phi_at(table, 0.2)
        assert found == pytest.approx(value, abs=1e-9), key


def test_the_judge_with_the_lower_j_needs_fewer_answers() -> None:
    a, b = TABLES["table2.A"], TABLES["table2.B"]
    assert metrics.youden_j(a) > metrics.youden_j(b)
    needed = [whole(float(answers_needed(*rates_of(table), 0.15, 0.25))) for table in (a, b)]
    assert needed == [2018, 1506]
    assert signal_to_noise(b, 0.2) > signal_to_noise(a, 0.2)


def test_published_slope(published) -> None:
    given, expected = published["collot.slope"]["inputs"], published["collot.slope"]["expected"]
    y = measured_rate(given["TPR"], given["FPR"], given["x"])
    np.testing.assert_allclose(y, expected["y"], atol=1e-12)
    assert y[1] - y[0] == pytest.approx(expected["delta_y"], abs=1e-12)
    assert metrics.youden_j(carried(given["TPR"], given["FPR"], 0.3)) == pytest.approx(expected["J"], abs=1e-12)


@settings(max_examples=50, deadline=None)
@given(tpr=RATE, fpr=RATE, x=RATE)
def test_phi_at_a_prevalence_is_slope_over_noise(tpr, fpr, x) -> None:
    table = carried(tpr, fpr, 0.4)
    y = fpr + (tpr - fpr) * x
    closed = (tpr - fpr) * math.sqrt(x * (1 - x) / (y * (1 - y)))
    assert phi_at(table, x) == pytest.approx(closed, abs=1e-9)
    assert measured_rate(tpr, fpr, x) == pytest.approx(y, abs=1e-12)


@settings(max_examples=50, deadline=None)
@given(st.tuples(*[st.integers(0, 60)] * 4), RATE)
def test_signal_to_noise_from_its_definition(cells, x) -> None:
    tp, fn, fp, tn = cells
    tpr, fpr = (tp + 0.5) / (tp + fn + 1), (fp + 0.5) / (fp + tn + 1)
    y = fpr + (tpr - fpr) * x
    assert signal_to_noise([[tp, fn], [fp, tn]], x) == pytest.approx((tpr - fpr) / math.sqrt(y * (1 - y)), abs=1e-9)


def test_cost_against_a_perfect_judge_goes_to_one_over_phi_squared() -> None:
    for tpr, fpr, x in ((0.9, 0.05, 0.1), (0.7, 0.3, 0.4), (0.2, 0.0, 0.2)):
        ratio = answers_needed(tpr, fpr, x - 5e-4, x + 5e-4) / answers_needed(1, 0, x - 5e-4, x + 5e-4)
        phi = phi_at(carried(tpr, fpr, 0.5), x)
        assert ratio == pytest.approx(1 / phi**2, rel=1e-3)
        assert ratio != pytest.approx(1 / (tpr - fpr) ** 2, rel=0.02)


def test_answers_needed_give_the_power_they_promise() -> None:
    rng, draws = np.random.default_rng(3), 20_000
    for tpr, fpr, x1, x2 in ((0.9, 0.05, 0.15, 0.25), (0.2, 0.0, 0.15, 0.25), (0.3, 0.8, 0.3, 0.4)):
        n = whole(float(answers_needed(tpr, fpr, x1, x2)))
        assert n is not None
        k = [rng.binomial(n, float(measured_rate(tpr, fpr, x)), draws) for x in (x1, x2)]
        pooled = (k[0] + k[1]) / (2 * n)
        found = np.abs(k[0] - k[1]) / n / np.sqrt(pooled * (1 - pooled) * 2 / n) > 1.959964
        assert found.mean() == pytest.approx(0.80, abs=0.012)


def test_a_judge_at_chance_needs_no_number_of_answers() -> None:
    assert answers_needed(0.3, 0.3, 0.1, 0.2) == math.inf
    assert whole(math.inf) is None
    assert math.isnan(float(answers_needed(math.nan, 0.1, 0.1, 0.2)))
    assert whole(math.nan) is None
    assert 0.44 < order_probability(0.3, 0.3, 0.1, 0.2, 100) < 0.5
    assert order_probability(0.2, 0.6, 0.1, 0.2, 100) < 0.3


def test_everything_broadcasts() -> None:
    tables = np.random.default_rng(0).integers(1, 50, (3, 4, 2, 2))
    assert signal_to_noise(tables, 0.2).shape == (3, 4)
    assert answers_needed(*rates_of(tables), 0.1, 0.2).shape == (3, 4)
    assert carried(np.full((3, 1), 0.9), 0.1, np.full(5, 0.2)).shape == (3, 5, 2, 2)
    np.testing.assert_allclose(carried(0.9, 0.1, [0.0, 0.3, 1.0]).sum((-1, -2)), 1.0)
