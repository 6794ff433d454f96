"""A judge at every prevalence: the same as tables made for each, exact sampling ranges, the paradox zone."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import metrics
from metrics.analyses.prevalence import compute
from metrics.analyses.prevalence.compute import furthest_from_chance, never_move, range_at, ribbon, sweep, values_at
from metrics.measures.catalogue import BY_KEY, applicable

RATE = st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.8, 0.95, 1.0])


@pytest.mark.parametrize(("tpr", "fpr"), [(0.9, 0.1), (0.76, 0.15), (0.2, 0.0), (0.3, 0.7)])
def test_equals_direct_computation_from_generated_tables(tpr, fpr) -> None:
    points = np.array([0.05, 0.2, 0.34, 0.5, 0.8])
    found = sweep(tpr, fpr, points)
    for place, x in enumerate(points):
        n = 10_000
        positive, negative = round(n * x), round(n * (1 - x))
        tp, fp = round(positive * tpr), round(negative * fpr)
        table = np.array([[tp, positive - tp], [fp, negative - fp]])
        for metric in applicable(2, "table"):
            direct = float(metric.function(table))
            assert found.values[metric.key][place] == pytest.approx(direct, abs=1e-9, nan_ok=True), (metric.key, x)


def test_at_its_own_prevalence_a_judge_has_its_own_numbers() -> None:
    table = np.array([[63, 20], [133, 784]])
    own = values_at(63 / 83, 133 / 917, 0.083)
    for metric in applicable(2, "table"):
        assert own[metric.key] == pytest.approx(float(metric.function(table)), abs=1e-12)


def test_numbers_of_the_picture() -> None:
    found = sweep(0.9, 0.1)
    here, deployed = found.at(0.34), found.at(0.05)
    assert [round(here[key], 2) for key in ("kappa", "phi", "gwet_ac1")] == [0.78, 0.78, 0.82]
    assert [round(deployed[key], 2) for key in ("kappa", "phi", "gwet_ac1", "accuracy")] == [0.43, 0.50, 0.88, 0.90]
    half = found.at(0.5)
    assert {round(half[key], 12) for key in ("kappa", "phi", "gwet_ac1", "pabak", "youden_j")} == {0.8}


def test_which_metrics_move() -> None:
    assert set(never_move()) == {"balanced_accuracy", "youden_j", "recall", "specificity", "fpr", "fnr"}
    even = sweep(0.9, 0.1)
    assert set(even.still) - set(never_move()) == {"accuracy", "pabak"}
    uneven = sweep(0.9, 0.2)
    assert set(uneven.still) == set(never_move())
    chance = sweep(0.4, 0.4)
    assert {"kappa", "phi", "kappa_phi_gap", "predicted_prevalence"} <= set(chance.still)
    for one in (even, uneven, chance):
        assert sorted([*one.moving, *one.still]) == sorted(metric.key for metric in applicable(2, "table"))


@pytest.mark.parametrize("tpr", [0.0, 0.1, 0.5, 0.8, 0.95, 1.0])
@pytest.mark.parametrize("fpr", [0.0, 0.1, 0.25, 0.6, 1.0])
def test_paradox_zone_is_where_its_definition_holds(tpr, fpr) -> None:
    points = np.linspace(0.0013, 0.9987, 997)
    found = sweep(tpr, fpr, points)
    accuracy, kappa = found.values["accuracy"], found.values["kappa"]
    inside = np.any([(points >= low) & (points <= high) for low, high in found.zones], axis=0) & np.ones(len(points), bool)
    clear = (np.abs(accuracy - 0.8) > 0.003) & ~(np.abs(kappa - 0.6) < 0.02)
    assert clear.sum() > 500
    np.testing.assert_array_equal(inside[clear], ((accuracy >= 0.8) & (kappa < 0.6))[clear])


@pytest.mark.parametrize(
    ("tpr", "fpr"), [(0.9, 0.1), (0.3, 0.01), (0.7, 0.2), (0.2, 0.8), (0.0, 0.4), (0.6, 1.0), (0.31, 0.0), (1.0, 0.3)]
)
def test_kappa_is_furthest_from_chance_where_it_is_said_to_be(tpr: float, fpr: float) -> None:
    at, kappa = furthest_from_chance(tpr, fpr)
    points = np.linspace(0, 1, 20_001)[1:-1]
    values = np.abs(sweep(tpr, fpr, points).values["kappa"])
    assert abs(kappa) >= values.max() - 1e-12
    assert points[values.argmax()] == pytest.approx(at, abs=1e-4)
    assert np.sign(kappa) == np.sign(tpr - fpr)


def test_paradox_zone_of_the_picture() -> None:
    (low, first), (second, high) = sweep(0.9, 0.1).zones
    turn = (1 - math.sqrt(1 - 0.375)) / 2  # chance agrees on 1.6 π² − 1.6 π + 0.9, which is 0.75 where κ is 0.60
    assert (low, first, second, high) == pytest.approx((0.0, turn, 1 - turn, 1.0), abs=1e-4)
    assert sweep(0.6, 0.4).zones == ()
    assert len(sweep(0.99, 0.01).zones) == 2


@settings(max_examples=6, deadline=None)
@given(st.sampled_from(["kappa", "phi", "f1", "balanced_accuracy"]), st.sampled_from([12, 20]), RATE, RATE)
def test_ribbon_against_every_outcome(key, n, tpr, fpr) -> None:
    found = ribbon(tpr, fpr, n, key)
    for x, low, high, lost in zip(found.prevalence, found.low, found.high, found.undefined, strict=True):
        positives = round(x * n)
        values, weights = _outcomes(key, positives, n - positives, tpr, fpr)
        gone = np.isnan(values)
        assert lost == pytest.approx(weights[gone].sum(), abs=1e-4)
        if not gone.all():
            inside = weights[~gone & (values >= low - 1e-12) & (values <= high + 1e-12)].sum()
            assert inside >= 0.95 * weights[~gone].sum() - 1e-4
            below = weights[~gone & (values < low - 1e-12)].sum()
            above = weights[~gone & (values > high + 1e-12)].sum()
            assert max(below, above) <= 0.025 * weights[~gone].sum() + 1e-4


def _outcomes(key, n_positive, n_negative, tpr, fpr):
    values, weights = [], []
    for tp in range(n_positive + 1):
        for fp in range(n_negative + 1):
            table = [[tp, n_positive - tp], [fp, n_negative - fp]]
            values.append(float(BY_KEY[key].function(table)))
            weights.append(
                math.comb(n_positive, tp) * tpr**tp * (1 - tpr) ** (n_positive - tp)
                * math.comb(n_negative, fp) * fpr**fp * (1 - fpr) ** (n_negative - fp)
            )  # fmt: skip
    return np.array(values), np.array(weights)


def test_range_against_drawn_golden_sets() -> None:
    x, ends = range_at(0.8, 0.1, 300, 0.2)
    rng, positives = np.random.default_rng(5), 60
    tp, fp = rng.binomial(positives, 0.8, 40_000), rng.binomial(240, 0.1, 40_000)
    drawn = metrics.cohen_kappa(np.stack([tp, positives - tp, fp, 240 - fp], axis=-1).reshape(-1, 2, 2))
    assert x == 0.2
    assert ends == pytest.approx(np.quantile(drawn, [0.025, 0.975]), abs=0.006)


def test_range_at_the_nearest_possible_prevalence() -> None:
    own = ribbon(0.9, 0.1, 40)
    for place, x in enumerate(own.prevalence):
        assert range_at(0.9, 0.1, 40, float(x)) == (x, (own.low[place], own.high[place]))
    assert range_at(0.9, 0.1, 40, 0.001)[0] == 1 / 40
    assert range_at(0.9, 0.1, 40, 0.999)[0] == 39 / 40


def test_ribbon_narrows_with_more_items_and_holds_the_curve() -> None:
    widths = []
    for n in (50, 500):
        found = ribbon(0.9, 0.1, n)
        middle = int(np.argmin(np.abs(found.prevalence - 0.5)))
        widths.append(found.high[middle] - found.low[middle])
        curve = sweep(0.9, 0.1, found.prevalence).values["kappa"]
        assert ((found.low <= curve + 0.02) & (curve - 0.02 <= found.high)).all()
    assert widths[1] < widths[0] / 2.5


@pytest.mark.parametrize("rates", [(1.2, 0.1), (0.9, -0.1), (math.nan, 0.1)])
def test_rates_outside_the_range_are_refused(rates) -> None:
    with pytest.raises(metrics.InputError, match="between 0 and 1"):
        sweep(*rates)


@pytest.mark.parametrize("n", [compute.FEWEST - 1, compute.MOST + 1])
def test_golden_sets_of_odd_sizes_are_refused(n) -> None:
    with pytest.raises(metrics.InputError, match="golden set"):
        ribbon(0.9, 0.1, n)
