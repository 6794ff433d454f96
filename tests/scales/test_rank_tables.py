"""Spearman and Kendall's tau-b from tables, against SciPy on the judgments one by one."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from metrics.measures.arrays import FloatArray
from metrics.measures.coefficients import phi
from metrics.measures.ordered import kendall_tau_b, spearman


def one_by_one(counts: FloatArray) -> tuple[FloatArray, FloatArray]:
    reference, judge = np.indices(counts.shape).reshape(2, -1)
    times = counts.ravel().astype(int)
    return np.repeat(reference, times).astype(float), np.repeat(judge, times).astype(float)


def of_scipy(counts: FloatArray) -> tuple[float, float]:
    reference, judge = one_by_one(counts)
    if len(set(reference)) < 2 or len(set(judge)) < 2:
        return float("nan"), float("nan")
    return float(stats.spearmanr(reference, judge).statistic), float(stats.kendalltau(reference, judge).statistic)


@pytest.mark.slow("every small table by SciPy")
def test_every_small_table_of_three_classes() -> None:
    tables = np.array(list(itertools.product(range(3), repeat=9)), dtype=float).reshape(-1, 3, 3)[::7]
    expected = np.array([of_scipy(table) for table in tables])
    np.testing.assert_allclose(spearman(tables), expected[:, 0], atol=1e-12)
    np.testing.assert_allclose(kendall_tau_b(tables), expected[:, 1], atol=1e-12)
    assert np.isnan(expected).any()
    assert np.isfinite(expected).sum() > 2000


@given(st.integers(2, 7).flatmap(lambda k: arrays(np.int64, (k, k), elements=st.integers(0, 40))))
def test_any_table(counts: FloatArray) -> None:
    expected = of_scipy(counts)
    assert float(spearman(counts)) == pytest.approx(expected[0], abs=1e-12, nan_ok=True)
    assert float(kendall_tau_b(counts)) == pytest.approx(expected[1], abs=1e-12, nan_ok=True)


def test_leading_axes_are_kept() -> None:
    counts = np.random.default_rng(7).integers(0, 9, (2, 3, 4, 4)).astype(float)
    for function in (spearman, kendall_tau_b):
        assert function(counts).shape == (2, 3)
        assert function(counts)[1, 2] == function(counts[1, 2])


def test_two_classes_give_phi() -> None:
    counts = np.random.default_rng(7).integers(0, 30, (500, 2, 2)).astype(float)
    np.testing.assert_allclose(spearman(counts), phi(counts), atol=1e-13)
    np.testing.assert_allclose(kendall_tau_b(counts), phi(counts), atol=1e-13)


@pytest.mark.parametrize("counts", [np.zeros((3, 3)), np.diag([0, 5, 0]), [[0, 0, 0], [3, 4, 5], [0, 0, 0]], [[1, 0], [7, 0]]])
def test_a_side_of_one_class_leaves_both_undefined(counts: FloatArray) -> None:
    assert np.isnan(spearman(counts))
    assert np.isnan(kendall_tau_b(counts))


def test_one_side_of_one_class_in_fractions_is_undefined_too() -> None:
    counts = np.array([[0.0, 0.0, 0.0], [0.1, 0.2, 0.7], [0.0, 0.0, 0.0]])
    assert np.isnan(spearman(counts))
    assert np.isnan(kendall_tau_b(counts))


def test_empty_classes_between_and_around_change_nothing() -> None:
    small = np.array([[4.0, 1.0, 0.0], [2.0, 5.0, 3.0], [1.0, 0.0, 6.0]])
    wide = np.zeros((7, 7))
    wide[np.ix_([1, 3, 4], [1, 3, 4])] = small
    assert spearman(wide) == spearman(small)
    assert kendall_tau_b(wide) == kendall_tau_b(small)


def test_agreement_and_its_reverse_reach_the_ends() -> None:
    diagonal = np.diag([3.0, 0.0, 5.0, 1.0])
    assert spearman(diagonal) == pytest.approx(1, abs=1e-15)
    assert kendall_tau_b(diagonal) == pytest.approx(1, abs=1e-15)
    even = np.diag([2.0, 3.0, 2.0])[:, ::-1]
    assert spearman(even) == pytest.approx(-1, abs=1e-15)
    assert kendall_tau_b(even) == pytest.approx(-1, abs=1e-15)


def test_a_million_judgments_keep_their_digits() -> None:
    counts = np.random.default_rng(7).integers(20_000, 60_000, (5, 5)).astype(float)
    expected = of_scipy(counts)
    assert float(spearman(counts)) == pytest.approx(expected[0], abs=1e-12)
    assert float(kendall_tau_b(counts)) == pytest.approx(expected[1], abs=1e-12)
