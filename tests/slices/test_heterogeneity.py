"""Tests between groups against other programs, against arithmetic by hand, and against what they promise."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from statsmodels.stats.meta_analysis import combine_effects

import metrics
from metrics.analyses.slices import readings
from metrics.analyses.slices.heterogeneity import compared, dersimonian_laird, shrunk
from metrics.analyses.slices.parts import gauge_of
from metrics.analyses.slices.studentised import Gauge, Units
from metrics.measures.coefficients import cohen_kappa
from metrics.measures.rates import recall


def made(seed: int, n: int = 200, criteria: int = 1, error: float = 0.15) -> Units:
    """Return units of one judge that errs at one rate, whatever the group."""
    rng = np.random.default_rng(seed)
    positive = rng.random((n, criteria)) < 0.6
    judge = positive ^ (rng.random((n, criteria)) < error)
    tables = np.zeros((n, 2, 2))
    for criterion in range(criteria):
        np.add.at(tables, (np.arange(n), 1 - positive[:, criterion], 1 - judge[:, criterion].astype(int)), 1)
    return Units(tables, np.ones(n, np.int64))


def groups_of(seed: int, n: int, size: int) -> NDArray[np.int64]:
    return np.random.default_rng(seed + 1).integers(0, size, n)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@given(st.lists(st.tuples(st.floats(-2, 2), st.floats(0.01, 1)), min_size=2, max_size=8))
@settings(max_examples=60, deadline=None)
def test_q_and_the_variance_between_groups_are_those_of_statsmodels(pairs: list[tuple[float, float]]) -> None:
    value, error = (np.array(column) for column in zip(*pairs, strict=True))
    q, tau2, centre = dersimonian_laird(value, error)
    theirs = combine_effects(value, error**2, method_re="dl")
    assert q == pytest.approx(theirs.q, abs=1e-9)
    # statsmodels leaves a negative variance as it is.
    assert tau2 == pytest.approx(max(theirs.tau2, 0.0), abs=1e-9)
    if theirs.tau2 >= 0:
        assert centre == pytest.approx(theirs.mean_effect_re, abs=1e-9)


def test_without_variance_between_groups_all_pooled_values_are_one_and_with_much_they_are_the_groups() -> None:
    value, error = np.array([0.1, 0.5, 0.9]), np.array([0.2, 0.1, 0.3])
    assert shrunk(value, error, 0.0, 0.4) == pytest.approx([0.4, 0.4, 0.4])
    assert shrunk(value, error, 1e9, 0.4) == pytest.approx(value)
    half = shrunk(value, error, 0.04, 0.4)
    assert half[0] == pytest.approx((0.1 + 0.4) / 2)
    assert (np.abs(half - 0.4) <= np.abs(value - 0.4)).all()


@pytest.mark.parametrize("criteria", [1, 4])
def test_the_error_of_a_large_group_is_that_of_the_jackknife(criteria: int) -> None:
    units = made(3, n=3000, criteria=criteria)
    gauge = gauge_of(units, "kappa")
    value, error = gauge.standing(units.moments().sum(0))
    total = units.tables.sum(0)
    left = cohen_kappa(total - units.tables)
    n = len(left)
    jackknife = math.sqrt((n - 1) / n * float(((left - left.mean()) ** 2).sum())) / (1 - float(cohen_kappa(total)) ** 2)
    assert float(error) == pytest.approx(jackknife, rel=0.01)
    assert float(np.tanh(value)) == pytest.approx(float(cohen_kappa(total)), abs=0.002)


def test_a_group_without_an_error_has_a_finite_value_and_an_error() -> None:
    units = made(5)
    gauge = gauge_of(units, "recall")
    none_wrong = Units(np.repeat([[[1.0, 0.0], [0.0, 0.0]]], 12, 0), np.ones(12, np.int64))
    value, error = gauge.standing(none_wrong.moments().sum(0))
    assert np.isfinite(value)
    assert error > 0.3
    empty = gauge.standing(np.zeros(units.moments().shape[1]))
    assert np.isnan(empty[0])


def test_a_unit_that_stands_for_several_counts_as_often() -> None:
    units = made(7, n=120, criteria=2)
    group = groups_of(7, 120, 3)
    cells = units.tables.reshape(120, -1)
    distinct, which, times = np.unique(np.column_stack([cells, group]), axis=0, return_inverse=True, return_counts=True)
    merged = Units(distinct[:, :-1].reshape(-1, 2, 2), times)
    gauge, all_tested = Gauge.of(units.moments().sum(0), cohen_kappa, "fisher", 2), np.ones(3, bool)
    whole = compared(units, group, all_tested, gauge, replicates=99)
    again = compared(merged, distinct[:, -1].astype(np.int64), all_tested, gauge, replicates=99)
    assert len(which) == 120
    assert again.test.q == pytest.approx(whole.test.q)
    assert again.z == pytest.approx(whole.z)
    assert again.pooled == pytest.approx(whole.pooled)


def test_names_of_groups_play_no_part() -> None:
    units, group = made(11), groups_of(11, 200, 4)
    gauge, tested = gauge_of(units, "kappa"), np.ones(4, bool)
    first = compared(units, group, tested, gauge, replicates=199)
    turned = compared(units, 3 - group, tested, gauge, replicates=199)
    assert turned.test.q == pytest.approx(first.test.q)
    assert turned.z == pytest.approx(first.z[::-1])


def test_one_group_that_fails_is_told_apart_and_no_other() -> None:
    rng = np.random.default_rng(2)
    good, bad = made(1, n=450, error=0.08), made(2, n=90, error=0.4)
    units = Units(np.concatenate([good.tables, bad.tables]), np.ones(540, np.int64))
    group = np.concatenate([rng.integers(0, 4, 450), np.full(90, 4)])
    out = compared(units, group, np.ones(5, bool), gauge_of(units, "kappa"))
    assert out.test.p < 0.01
    assert out.test.tau2 > 0
    assert out.z[4] < -3
    assert out.p[4] < 0.01


def test_groups_that_are_not_tested_take_no_part_and_are_drawn_to_the_others() -> None:
    units, group = made(13, n=200), groups_of(13, 200, 4)
    gauge = gauge_of(units, "kappa")
    without = np.array([True, True, True, False])
    out = compared(units, group, without, gauge, replicates=99)
    alone = compared(
        Units(units.tables[group < 3], units.weight[group < 3]), group[group < 3], np.ones(3, bool), gauge, replicates=99
    )
    assert out.test.q == pytest.approx(alone.test.q)
    assert math.isnan(out.p[3])
    assert math.isnan(out.z[3])
    assert np.isfinite(out.pooled[3])


def test_too_few_groups_and_too_many_units_say_why() -> None:
    units, group = made(17, n=60), groups_of(17, 60, 2)
    gauge = gauge_of(units, "kappa")
    one = compared(units, group, np.array([True, False]), gauge)
    assert math.isnan(one.test.q)
    assert "fewer than two groups" in one.test.why
    many = Units(np.concatenate([units.tables] * 2), np.full(120, 100, np.int64))
    large = compared(many, np.concatenate([group, group]), np.ones(2, bool), gauge)
    assert large.test.method == "chi-square"
    assert 0 < large.test.p <= 1
    few = np.concatenate([group, group])
    few[:] = 0
    few[0], many.weight[0] = 1, 5
    thin = compared(many, few, np.ones(2, bool), gauge)
    assert math.isnan(thin.test.p)
    assert "fewer than 20" in thin.test.why


def test_two_groups_are_one_test() -> None:
    units, group = made(19, n=150), groups_of(19, 150, 2)
    out = compared(units, group, np.ones(2, bool), gauge_of(units, "kappa"), replicates=199)
    assert out.z[0] == pytest.approx(-out.z[1])
    assert out.p[0] == pytest.approx(out.p[1], abs=0.02)


@pytest.mark.slow("simulates")
def test_the_permutation_keeps_its_level_where_errors_take_whole_items() -> None:
    """Of 60 files in which no group differs at most 8 are said to differ: P(more) < 0.005 at 5 %."""
    rng, rejected = np.random.default_rng(23), 0
    for seed in range(60):
        units = made(seed, n=120, criteria=1)
        whole = Units(units.tables * 4, units.weight)
        group = rng.integers(0, 4, 120)
        rejected += compared(whole, group, np.ones(4, bool), gauge_of(whole, "kappa"), replicates=99).test.p <= 0.05
    assert rejected <= 8


def test_recall_is_measured_by_the_positives_alone() -> None:
    units = made(29, n=400)
    gauge = Gauge.of(units.moments().sum(0), recall, "logit", 2)
    only = Units(units.tables[units.tables[:, 0].sum(1) > 0], np.ones(int((units.tables[:, 0].sum(1) > 0).sum()), np.int64))
    assert float(gauge.standing(units.moments().sum(0))[0]) == pytest.approx(float(gauge.standing(only.moments().sum(0))[0]))


def test_no_spread_that_is_seen_is_no_proof_of_none() -> None:
    rows = "".join(
        f"i{at},{'yes' if at % 2 else 'no'},{'yes' if at % 2 ^ (at % 7 == 0) else 'no'},{at % 3}\n" for at in range(90)
    )
    report = metrics.slices(metrics.read(f"item,human,verdict,language\n{rows}".encode()), "language")
    said = " ".join(readings.sentences(report, next(iter(report.judges.values()))))
    assert "No spread of the groups beyond chance is seen, though there may be some." in said
