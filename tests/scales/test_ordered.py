"""Functions of ordered classes against scikit-learn, SciPy and NumPy on the judgments one by one."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats
from sklearn.metrics import cohen_kappa_score, precision_recall_fscore_support

import metrics
from metrics.analyses.ordered_catalogue import CUSTOM, ORDERED, RECORDS, functions_of, ordered_measures, why_undefined
from metrics.data.order import Order
from metrics.measures import ordered
from metrics.measures.arrays import FloatArray
from metrics.measures.coefficients import cohen_kappa, phi
from metrics.measures.rates import baseline_accuracy, class_scores

VALUES = np.array([0.0, 2.5, 3.0, 10.0])


def one_by_one(counts: FloatArray) -> tuple[FloatArray, FloatArray]:
    reference, judge = np.indices(counts.shape).reshape(2, -1)
    times = counts.ravel().astype(int)
    return np.repeat(reference, times), np.repeat(judge, times)


def expected(counts: FloatArray, values: FloatArray) -> dict[str, float]:
    """Every number from the judgments one by one, by other people's code where there is some."""
    reference, judge = one_by_one(counts)
    nothing = float("nan")
    if not len(reference):
        return dict.fromkeys((measure.key for measure in ORDERED), nothing)
    k, a, b = len(counts), values[reference], values[judge]
    vary = len(set(reference)) > 1 and len(set(judge)) > 1
    known = len(set(reference) | set(judge)) > 1

    def kappa(weights: str | None) -> float:
        return float(cohen_kappa_score(reference, judge, labels=list(range(k)), weights=weights)) if known else nothing

    within = [float((np.abs(reference - one) <= 1).mean()) for one in range(k)]
    return {
        "exact_agreement": float((reference == judge).mean()),
        "baseline_accuracy": float(np.bincount(reference).max() / len(reference)),
        "adjacent_agreement": float((np.abs(reference - judge) <= 1).mean()),
        "adjacent_baseline": max(within),
        "weighted_kappa_quadratic": kappa("quadratic"),
        "weighted_kappa_linear": kappa("linear"),
        "kappa": kappa(None),
        "spearman": float(stats.spearmanr(reference, judge).statistic) if vary else nothing,
        "kendall_tau_b": float(stats.kendalltau(reference, judge).statistic) if vary else nothing,
        "pearson": float(stats.pearsonr(a, b).statistic) if len(set(a)) > 1 and len(set(b)) > 1 else nothing,
        "rmse": float(np.sqrt(np.mean((b - a) ** 2))),
        "mae": float(np.mean(np.abs(b - a))),
        "bias": float(np.mean(b - a)),
    }


def check(counts: FloatArray, values: FloatArray) -> None:
    order = Order(tuple(map(str, range(len(counts)))), tuple(values.tolist()), "given")
    found = {key: float(function(counts)) for key, function in functions_of(order).items()}
    wanted = expected(counts, values)
    assert found == pytest.approx(wanted, abs=1e-12, nan_ok=True)
    for key, value in found.items():
        why = why_undefined(RECORDS[key], np.asarray(counts, float), order)
        assert bool(why) == np.isnan(value), (key, counts, why)
        record = RECORDS[key]
        assert np.isnan(value) or record.low - 1e-12 <= value <= record.high + 1e-12


@pytest.mark.slow("every small table")
def test_every_small_table_of_three_classes() -> None:
    for cells in itertools.islice(itertools.product(range(3), repeat=9), 0, None, 67):
        check(np.array(cells, float).reshape(3, 3), np.array([1.0, 2.0, 5.0]))


@given(arrays(np.int64, (4, 4), elements=st.integers(0, 30)))
def test_any_table_of_four_classes(counts: FloatArray) -> None:
    check(counts.astype(float), VALUES)


@given(arrays(np.int64, (3, 3), elements=st.integers(0, 12)))
def test_two_classes_of_one_value_are_one_for_pearson(counts: FloatArray) -> None:
    check(counts.astype(float), np.array([4.0, 4.0, 7.0]))


def test_a_side_is_constant_exactly_and_not_within_rounding() -> None:
    counts = np.array([[0.0, 0.0], [3.0, 4.0]])
    assert np.isnan(ordered.pearson(counts, [0.3, 0.1]))
    assert np.isnan(ordered.pearson(counts * 1e6 + 0.0, [1e-9, 0.1]))


@pytest.mark.parametrize("measure", ORDERED, ids=lambda measure: measure.key)
def test_leading_axes_are_kept_and_an_empty_table_is_undefined(measure) -> None:
    order = Order(("1", "2", "3", "4"), tuple(VALUES.tolist()), "given")
    function = functions_of(order)[measure.key]
    counts = np.random.default_rng(3).integers(0, 9, (2, 3, 4, 4)).astype(float)
    assert function(counts).shape == (2, 3)
    assert float(function(counts)[1, 2]) == pytest.approx(float(function(counts[1, 2])), abs=1e-15)
    assert np.isnan(function(np.zeros((4, 4))))
    assert why_undefined(measure, np.zeros((4, 4)), order) == "no decision is left"


def test_perfect_agreement_is_the_best_value_of_every_number() -> None:
    order = Order(("1", "2", "3", "4"), tuple(VALUES.tolist()), "given")
    counts = np.diag([4.0, 1, 2, 3])
    for key, function in functions_of(order).items():
        if RECORDS[key].has_interval:
            assert float(function(counts)) == pytest.approx(RECORDS[key].best, abs=1e-12)


def test_on_equal_steps_quadratic_kappa_is_the_concordance_correlation() -> None:
    counts = np.random.default_rng(5).integers(0, 20, (4, 4)).astype(float)
    reference, judge = one_by_one(counts)
    covariance = np.mean((reference - reference.mean()) * (judge - judge.mean()))
    lin = 2 * covariance / (reference.var() + judge.var() + (reference.mean() - judge.mean()) ** 2)
    assert float(cohen_kappa(counts, weights="quadratic")) == pytest.approx(lin, abs=1e-12)


def test_two_classes_bring_all_coefficients_back_to_kappa_and_phi() -> None:
    counts = np.random.default_rng(9).integers(1, 30, (200, 2, 2)).astype(float)
    found = {key: function(counts) for key, function in functions_of(Order(("no", "yes"), (1.0, 2.0), "places")).items()}
    for key in ("weighted_kappa_quadratic", "weighted_kappa_linear"):
        np.testing.assert_allclose(found[key], cohen_kappa(counts), atol=1e-12)
    for key in ("spearman", "kendall_tau_b", "pearson"):
        np.testing.assert_allclose(found[key], phi(counts), atol=1e-12)
    np.testing.assert_allclose(found["mae"], 1 - found["exact_agreement"], atol=1e-12)
    for key in ("adjacent_agreement", "adjacent_baseline"):
        assert np.isnan(found[key]).all(), "two options are always adjacent"


def test_adjacent_agreement_needs_three_options(build_of_tables) -> None:
    two = metrics.scores(build_of_tables([[9, 2], [3, 9]])).judges["j"]
    assert two.pooled.undefined["adjacent_agreement"] == "two options are always adjacent"
    assert "adjacent_agreement" not in two.pooled.intervals
    criterion = two.to_dict()["criteria"]["c0"]
    assert criterion["adjacent_agreement"] is None
    assert criterion["undefined"]["adjacent_agreement"] == "two options are always adjacent"
    kinds = dict.fromkeys("123", "class")
    three = metrics.scores(build_of_tables([[9, 2, 1], [3, 9, 1], [2, 1, 9]], labels="123", kinds=kinds)).judges["j"]
    assert three.pooled.values["adjacent_agreement"] == pytest.approx(34 / 37)


def test_swapping_the_sides_turns_the_bias_and_keeps_the_rest() -> None:
    order = Order(("a", "b", "c", "d"), tuple(VALUES.tolist()), "given")
    counts = np.random.default_rng(2).integers(0, 9, (50, 4, 4)).astype(float)
    for key, function in functions_of(order).items():
        here, there = function(counts), function(np.swapaxes(counts, -1, -2))
        if "baseline" not in key:
            np.testing.assert_allclose(here, -there if key == "bias" else there, atol=1e-12)


def test_a_cost_matrix_joins_the_weighted_kappas() -> None:
    order = Order(("1", "2", "3"), (1.0, 2.0, 3.0), "labels")
    cost = np.array([[0.0, 1, 4], [1, 0, 1], [4, 1, 0]])
    counts = np.random.default_rng(4).integers(0, 9, (3, 3)).astype(float)
    found = functions_of(order, cost)
    assert [measure.key for measure in ordered_measures(with_cost=True)] == list(found)
    assert float(found[CUSTOM.key](counts)) == pytest.approx(float(found["weighted_kappa_quadratic"](counts)), abs=1e-12)
    free = np.array([[0.0, 0, 1], [0, 0, 1], [1, 1, 0]])
    empty = np.array([[2.0, 1, 0], [1, 2, 0], [0, 0, 0]])
    assert np.isnan(functions_of(order, free)[CUSTOM.key](empty))
    assert why_undefined(CUSTOM, empty, order, free) == "the cost matrix puts no cost on the labels in use"


@given(arrays(np.int64, (4, 4), elements=st.integers(0, 20)))
def test_scores_of_every_option_against_the_rest(counts: FloatArray) -> None:
    reference, judge = one_by_one(counts.astype(float))
    found = class_scores(counts)
    if not len(reference):
        return
    wanted = precision_recall_fscore_support(reference, judge, labels=range(4), zero_division=np.nan)
    for key, column in zip(("precision", "recall", "f1"), wanted[:3], strict=True):
        np.testing.assert_allclose(found[key], column, atol=1e-12, err_msg=key)


def test_values_must_be_one_number_for_each_class() -> None:
    for values in ([1.0, 2.0], [1.0, 2.0, np.nan], [[1.0, 2.0, 3.0]]):
        with pytest.raises(ValueError, match="3 finite numbers"):
            ordered.rmse(np.ones((3, 3)), values)


def test_a_middle_option_reaches_everything_on_a_scale_of_three() -> None:
    counts = np.random.default_rng(1).integers(1, 9, (3, 3))
    assert float(ordered.adjacent_baseline(counts)) == 1
    assert float(baseline_accuracy(counts)) < 1


def test_records_are_complete() -> None:
    assert len({measure.key for measure in (*ORDERED, CUSTOM)}) == len(ORDERED) + 1
    for measure in ORDERED:
        assert measure.answers.endswith(".")
        assert len(measure.answers.split()) <= 35
        assert measure.symbol
        assert measure.source
