"""All pairs of raters at once against one pair at a time, and the means over pairs with an item left out."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score, matthews_corrcoef

from metrics.analyses.raters import pairwise
from metrics.analyses.raters.alpha import krippendorff_alpha
from metrics.analyses.raters.coefficients import fleiss_kappa
from metrics.analyses.raters.pairwise import MIN_SHARED, kappa_of_sums, means_over_pairs, pairs_of, phi_of_sums, sums_of
from metrics.measures.coefficients import cohen_kappa, mcc_multiclass
from tests.raters.made import labels, votes


def both(own: np.ndarray, a: int, b: int) -> tuple[np.ndarray, np.ndarray]:
    shared = (own[:, a] >= 0) & (own[:, b] >= 0)
    return own[shared, a], own[shared, b]


@pytest.fixture(params=["dense", "sparse"], autouse=True)
def way(request, monkeypatch) -> None:
    monkeypatch.setattr(pairwise, "SPARSE", 0.0 if request.param == "dense" else 1.1)


@pytest.mark.parametrize("missing", [0.0, 0.3, 0.8])
def test_scikit_learn_agrees_on_every_pair(missing) -> None:
    own = labels(5, n=150, raters=6, missing=missing)
    pairs = pairs_of(own, 3)
    assert len(pairs) == 15
    for place, (a, b) in enumerate(zip(pairs.a, pairs.b, strict=True)):
        first, second = both(own, a, b)
        assert a < b
        assert pairs.n[place] == len(first)
        assert pairs.kappa[place] == pytest.approx(cohen_kappa_score(first, second), abs=1e-12)
        both_vary = len(set(first)) > 1 and len(set(second)) > 1
        wanted = matthews_corrcoef(first, second) if both_vary else np.nan
        assert pairs.phi[place] == pytest.approx(wanted, abs=1e-12, nan_ok=True)
        assert pairs.agreement[place] == pytest.approx((first == second).mean(), abs=1e-12)


def test_the_tables_keep_who_said_what() -> None:
    own = np.array([[0, 1], [0, 1], [1, 2], [2, -1]], np.int16)
    assert pairs_of(own, 3).tables.tolist() == [[[0, 2, 0], [0, 0, 1], [0, 0, 0]]]


def test_raters_that_share_nothing_are_no_pair() -> None:
    own = np.array([[0, 0, -1], [1, 1, -1], [-1, -1, 1]], np.int16)
    pairs = pairs_of(own, 2)
    assert (pairs.a.tolist(), pairs.b.tolist()) == ([0], [1])
    square = pairs.square(pairs.kappa, 1.0)
    assert square[0, 1] == square[1, 0] == 1
    assert np.isnan(square[0, 2])
    assert np.diagonal(square).tolist() == [1, 1, 1]


def test_nobody_and_nothing() -> None:
    assert len(pairs_of(np.empty((0, 3), np.int16), 2)) == 0
    mean = means_over_pairs(np.empty((0, 3), np.int16), pairs_of(np.empty((0, 3), np.int16), 2), (kappa_of_sums,))[0]
    assert np.isnan(mean.value)
    assert mean.n_pairs == 0


def test_a_pair_counts_from_ten_shared_items_on() -> None:
    own = np.full((30, 3), -1, np.int16)
    own[:, 0] = np.arange(30) % 2
    own[:MIN_SHARED, 1] = own[:MIN_SHARED, 0]
    own[MIN_SHARED : 2 * MIN_SHARED - 1, 2] = own[MIN_SHARED : 2 * MIN_SHARED - 1, 0]
    pairs = pairs_of(own, 2)
    assert sorted(zip(pairs.n.tolist(), pairs.counted.tolist(), strict=True)) == [(9, False), (10, True)]
    assert means_over_pairs(own, pairs, (kappa_of_sums,))[0].n_pairs == 1


def test_an_undefined_pair_leaves_the_mean_and_is_not_counted() -> None:
    own = np.zeros((20, 3), np.int16)
    own[:7, 2] = own[:3, 1] = 1
    kappa, phi = means_over_pairs(own, pairs_of(own, 2), (kappa_of_sums, phi_of_sums))
    assert (kappa.n_pairs, phi.n_pairs) == (3, 1)
    assert phi.value == pytest.approx(np.corrcoef(own[:, 1], own[:, 2])[0, 1])
    assert kappa.value == pytest.approx(cohen_kappa_score(own[:, 1], own[:, 2]) / 3)


BOTH = [(cohen_kappa, kappa_of_sums), (mcc_multiclass, phi_of_sums)]


@pytest.mark.parametrize(("function", "of_sums"), BOTH)
@pytest.mark.parametrize("k", [2, 3, 7])
def test_a_coefficient_of_sums_is_that_of_the_table(function, of_sums, k) -> None:
    tables = np.random.default_rng(k).poisson(0.6, (400, k, k)).astype(float)
    tables[0], tables[1, 1:], tables[1, :, 1:], tables[2, 1:], tables[3, :, 1:] = 0, 0, 0, 0, 0
    wanted = function(tables)
    assert np.isnan(wanted[:2]).all()
    np.testing.assert_array_equal(of_sums(sums_of(tables)), wanted)


@pytest.mark.parametrize(("function", "of_sums"), BOTH)
@pytest.mark.parametrize("missing", [0.0, 0.3])
@pytest.mark.parametrize("k", [2, 3, 12])
def test_the_mean_without_one_item_is_exact(function, of_sums, missing, k) -> None:
    own = labels(9, n=40, raters=4, k=k, missing=missing)
    pairs = pairs_of(own, k)
    mean = means_over_pairs(own, pairs, (of_sums,))[0]
    assert mean.value == pytest.approx(np.nanmean(function(pairs.tables[pairs.counted])), abs=1e-12)
    used = [(a, b) for a, b, counted in zip(pairs.a, pairs.b, pairs.counted, strict=True) if counted]
    wanted = []
    for unit in range(len(own)):
        if sum(own[unit, a] >= 0 and own[unit, b] >= 0 for a, b in used):
            left = pairs_of(np.delete(own, unit, 0), k)
            tables = [left.tables[(left.a == a) & (left.b == b)][0] for a, b in used]
            wanted.append(np.nanmean(function(np.stack(tables))))
    assert mean.left_out == pytest.approx(wanted, abs=1e-12)


def test_many_labels_need_no_table_for_each_cell() -> None:
    own = labels(9, n=100, raters=6, k=30, missing=0)
    pairs = pairs_of(own, 30)
    tracemalloc.start()
    means_over_pairs(own, pairs, (kappa_of_sums, phi_of_sums))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20e6  # a table for each cell of each pair takes 97 MB


def test_a_pair_that_one_item_defines_is_gone_without_it() -> None:
    own = np.zeros((12, 3), np.int16)
    own[0] = 1
    own[1:6, 2] = 1
    pairs = pairs_of(own, 2)
    phi = means_over_pairs(own, pairs, (phi_of_sums,))[0]
    assert phi.n_pairs == 3
    assert np.isnan(phi.left_out[0])
    assert not np.isnan(phi.left_out[1:]).any()


def test_items_with_several_units_add_up_to_first_order() -> None:
    own = labels(9, n=600, raters=3, missing=0)
    group = np.repeat(np.arange(200), 3)
    mean = means_over_pairs(own, pairs_of(own, 3), (kappa_of_sums,), group)[0]
    wanted = [pairs_of(own[group != item], 3).kappa.mean() for item in range(200)]
    assert len(mean.left_out) == 200
    assert np.std(mean.left_out) == pytest.approx(np.std(wanted), rel=0.02)


def test_judges_of_unequal_rates(published) -> None:
    entry = published["rao.obs2.unequal_marginals"]
    own = np.zeros((100, 2), np.int16)
    own[:20, 0] = own[:80, 1] = 1
    wanted, pairs = entry["expected"], pairs_of(own, 2)
    assert pairs.phi.mean() == pytest.approx(wanted["average_pairwise_phi"], abs=1e-12)
    assert pairs.kappa.mean() == pytest.approx(wanted["cohen_kappa"], abs=1e-12)
    assert fleiss_kappa(votes(own, 2)) == pytest.approx(wanted["fleiss_kappa"], abs=1e-12)
    assert krippendorff_alpha(votes(own, 2)) == pytest.approx(wanted["krippendorff_alpha"], abs=1e-12)


def test_three_nested_judges(published) -> None:
    entry = published["rao.obs2.nested_three_judges"]
    own = (np.arange(100)[:, None] < np.array(entry["inputs"]["met_counts_nested"])).astype(np.int16)
    wanted, pairs = entry["expected"], pairs_of(own, 2)
    assert pairs.phi.mean() == pytest.approx(wanted["average_pairwise_phi"], abs=1e-12)
    assert pairs.kappa.mean() == pytest.approx(wanted["average_pairwise_cohen_kappa"], abs=1e-12)
    assert fleiss_kappa(votes(own, 2)) == pytest.approx(wanted["fleiss_kappa"], abs=1e-12)
    assert krippendorff_alpha(votes(own, 2)) == pytest.approx(wanted["krippendorff_alpha"], abs=1e-12)


def test_guide_example_of_kappa(published) -> None:
    entry = published["irr.kappa_example"]
    given = entry["inputs"]
    cells = [given[key] for key in ("TP_pass_pass", "FN_pass_fail", "FP_fail_pass", "TN_fail_fail")]
    own = np.repeat(np.array([[0, 0], [0, 1], [1, 0], [1, 1]], np.int16), cells, axis=0)
    pairs = pairs_of(own, 2)
    assert pairs.kappa[0] == pytest.approx(entry["expected"]["cohen_kappa"], abs=1e-12)
    assert pairs.phi[0] == pytest.approx(entry["expected"]["phi_mcc"], abs=1e-12)
