"""Rank correlations of pairs of numbers, whole and without each pair, against SciPy and by counting all pairs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from metrics.measures import ranks
from metrics.measures.arrays import FloatArray
from metrics.measures.ranks import Ranked, midranks, places, smaller_before


def of_scipy(x: FloatArray, y: FloatArray) -> tuple[float, float]:
    if len(x) < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return float("nan"), float("nan")
    return float(stats.spearmanr(x, y).statistic), float(stats.kendalltau(x, y).statistic)


def counted(x: FloatArray, y: FloatArray) -> tuple[float, float]:
    """By comparing every pair with every other."""
    if len(x) < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return float("nan"), float("nan")
    signs = [np.sign(np.subtract.outer(side, side)) for side in (x, y)]
    ranks_of = [sign.sum(1) for sign in signs]
    tau = (signs[0] * signs[1]).sum() / np.sqrt((signs[0] ** 2).sum() * (signs[1] ** 2).sum())
    return float(np.corrcoef(*ranks_of)[0, 1]), float(tau)


def by_deletion(x: FloatArray, y: FloatArray) -> FloatArray:
    return np.array([counted(np.delete(x, i), np.delete(y, i)) for i in range(len(x))]).reshape(-1, 2)


def drawn(kind: str, n: int, seed: int) -> tuple[FloatArray, FloatArray]:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    y = 0.7 * x + rng.normal(size=n)
    if kind == "levels":
        return np.clip(np.round(x), -2, 2), np.clip(np.round(y), -2, 2)
    if kind == "one side in levels":
        return np.round(x), y
    if kind == "judge in levels":
        return x, np.round(y)
    if kind == "many ties":
        return np.round(x, 1), np.round(y, 1)
    return x, y


@pytest.fixture(params=[False, True], ids=["as it comes", "never a table"])
def tables(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param:
        monkeypatch.setattr(ranks, "MOST_CELLS", 0)


KINDS = ("levels", "one side in levels", "judge in levels", "many ties", "continuous")


@pytest.mark.usefixtures("tables")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n", [3, 10, 60, 1000])
def test_values_are_scipys(kind: str, n: int) -> None:
    for seed in range(10 if n < 1000 else 2):
        x, y = drawn(kind, n, seed)
        found = Ranked.of(x, y)
        assert (found.spearman(), found.kendall_tau_b()) == pytest.approx(of_scipy(x, y), abs=1e-12, nan_ok=True)


@pytest.mark.usefixtures("tables")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n", [2, 3, 10, 45])
def test_values_without_each_pair_are_those_of_the_others(kind: str, n: int) -> None:
    for seed in range(5):
        x, y = drawn(kind, n, seed)
        found, expected = Ranked.of(x, y), by_deletion(x, y)
        np.testing.assert_allclose(found.spearman_without_each(), expected[:, 0], atol=1e-12)
        np.testing.assert_allclose(found.kendall_tau_b_without_each(), expected[:, 1], atol=1e-12)


@pytest.mark.usefixtures("tables")
@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=2, max_size=12))
def test_any_small_list(pairs: list[tuple[int, int]]) -> None:
    x, y = np.array(pairs, float).T
    found, expected = Ranked.of(x, y), by_deletion(x, y)
    assert (found.spearman(), found.kendall_tau_b()) == pytest.approx(counted(x, y), abs=1e-12, nan_ok=True)
    np.testing.assert_allclose(found.spearman_without_each(), expected[:, 0], atol=1e-12)
    np.testing.assert_allclose(found.kendall_tau_b_without_each(), expected[:, 1], atol=1e-12)


@pytest.mark.usefixtures("tables")
@pytest.mark.parametrize("kind", KINDS)
def test_a_row_may_stand_for_many_pairs(kind: str) -> None:
    x, y = drawn(kind, 60, 3)
    weight = np.random.default_rng(0).integers(1, 5, 60)
    found, every = Ranked.of(x, y, weight), Ranked.of(x.repeat(weight), y.repeat(weight))
    first = np.cumsum(weight) - weight
    assert (found.spearman(), found.kendall_tau_b()) == pytest.approx((every.spearman(), every.kendall_tau_b()), abs=1e-14)
    np.testing.assert_allclose(found.spearman_without_each(), every.spearman_without_each()[first], atol=1e-14)
    np.testing.assert_allclose(found.kendall_tau_b_without_each(), every.kendall_tau_b_without_each()[first], atol=1e-14)


@pytest.mark.usefixtures("tables")
@pytest.mark.parametrize("x", [[], [1.0], [2.0, 2.0, 2.0]])
def test_nothing_one_pair_and_a_constant_side_are_undefined(x: list[float]) -> None:
    for one, other in ((x, range(len(x))), (range(len(x)), x)):
        found = Ranked.of(np.array(one, float), np.array(other, float))
        assert np.isnan([found.spearman(), found.kendall_tau_b()]).all()
        assert np.isnan(found.spearman_without_each()).all()
        assert np.isnan(found.kendall_tau_b_without_each()).all()


@pytest.mark.slow("a million pairs")
def test_a_million_pairs_keep_their_digits() -> None:
    rng = np.random.default_rng(5)
    x = rng.normal(size=10**6)
    y = x + rng.normal(size=10**6)
    found = Ranked.of(x, y)
    assert found.table is None
    assert (found.spearman(), found.kendall_tau_b()) == pytest.approx(of_scipy(x, y), abs=1e-12)


def test_values_without_a_pair_keep_their_digits_too() -> None:
    rng = np.random.default_rng(6)
    x = rng.normal(size=10**5)
    y = x + rng.normal(size=10**5)
    found, place = Ranked.of(x, y), 4_321
    spearman, tau = of_scipy(np.delete(x, place), np.delete(y, place))
    assert found.spearman_without_each()[place] == pytest.approx(spearman, abs=1e-12)
    assert found.kendall_tau_b_without_each()[place] == pytest.approx(tau, abs=1e-12)


def test_smaller_numbers_before_and_the_sorted_place() -> None:
    rng = np.random.default_rng(1)
    for top in (1, 2, 5, 64, 1000):
        values = rng.integers(0, top, 200)
        weight = rng.integers(1, 9, 200)
        found, at = smaller_before(values, weight)
        assert found.tolist() == [int(weight[:i][values[:i] < values[i]].sum()) for i in range(200)]
        assert at.tolist() == np.argsort(np.argsort(values, kind="stable"), kind="stable").tolist()


@pytest.mark.parametrize(
    "values",
    [
        np.array([3, 1, 5, 1]),
        np.array([3.0, 1.0, 5.0, 1.0]),
        np.array([0.5, 2.5, 1e300, -1e300]),
        np.array([2.0**60, 2.0**60 + 1024, 0.0]),
        np.array([1.0, 1.0 + 2.0**-52, 1.0]),
        np.array([-4, -4000, 7], np.int16),
        np.array([10.0**6, 10.0**6 + 3, 10.0**6 + 1.5]),
    ],
)
def test_places_keep_order_and_ties(values: FloatArray) -> None:
    found = places(values)
    assert found.min() == 0
    assert (np.sign(np.subtract.outer(found, found)) == np.sign(np.subtract.outer(values.astype(float), values))).all()


def test_whole_numbers_in_a_narrow_span_are_not_sorted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(np, "unique", None)
    assert places(np.array([5.0, 1.0, 4.0])).tolist() == [4, 0, 3]


@given(st.lists(st.tuples(st.floats(-1e6, 1e6) | st.integers(-3, 3), st.integers(1, 4)), max_size=30))
def test_midranks_are_those_of_scipy(pairs: list[tuple[float, int]]) -> None:
    values, times = np.array([value for value, _ in pairs], float), np.array([n for _, n in pairs], int)
    np.testing.assert_array_equal(midranks(values), stats.rankdata(values))
    several = midranks(values, times)
    np.testing.assert_array_equal(np.repeat(several, times), stats.rankdata(np.repeat(values, times)))
