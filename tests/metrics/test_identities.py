"""What the coefficients owe each other, whatever the table."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import metrics
from metrics.measures.coefficients import penalties
from metrics.measures.cost_matrices import slide_cost
from metrics.measures.rates import class_scores

TINY = 1e-11


def table(k: int, largest: int = 400) -> st.SearchStrategy[np.ndarray]:
    cells = st.one_of(st.just(0), st.integers(0, 4), st.integers(0, largest))
    return arrays(np.int64, (k, k), elements=cells, fill=st.nothing())


def same(a, b) -> bool:
    return bool(np.allclose(a, b, rtol=0, atol=TINY, equal_nan=True))


def merged(counts: np.ndarray) -> np.ndarray:
    """The last two of three classes as one."""
    return np.add.reduceat(np.add.reduceat(counts, [0, 1], axis=-1), [0, 1], axis=-2)


@settings(max_examples=300, deadline=None)
@given(table(2))
def test_kappa_is_a_share_of_phi(counts) -> None:
    kappa, phi, ratio = metrics.cohen_kappa(counts), metrics.phi(counts), metrics.kappa_phi_ratio(counts)
    assert np.isnan(phi) == np.isnan(ratio)
    if np.isnan(phi):
        return
    assert abs(kappa) <= abs(phi) + TINY
    assert same(kappa, ratio * phi)
    pi, pihat = float(metrics.prevalence(counts)), float(metrics.predicted_prevalence(counts))
    assert same(ratio, 1 / np.cosh((np.log(pi / (1 - pi)) - np.log(pihat / (1 - pihat))) / 2))
    a, b = pi * (1 - pihat), pihat * (1 - pi)
    assert same(ratio, 2 * np.sqrt(a * b) / (a + b))
    assert same(metrics.kappa_phi_gap(counts), kappa - phi)
    if counts[0, 1] == counts[1, 0]:
        assert ratio == 1
        assert same(kappa, phi)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.integers(1, 10**6), min_size=2, max_size=4))
def test_perfect_agreement_is_exactly_one(diagonal) -> None:
    counts = np.diag(diagonal)
    for metric in metrics.CATALOGUE:
        fits = metric.takes == "table" and (metric.classes != "two" or len(diagonal) == 2)
        if fits and metric.group == "beyond chance" and metric.key != "kappa_phi_gap":
            assert metric.function(counts) == 1, metric.key
    if len(diagonal) == 2:
        assert metrics.kappa_phi_gap(counts) == 0


@settings(max_examples=200, deadline=None)
@given(st.integers(2, 5).flatmap(table))
def test_kappa_is_no_larger_than_the_correlation(counts) -> None:
    kappa, correlation = metrics.cohen_kappa(counts), metrics.mcc_multiclass(counts)
    assert np.isnan(correlation) or abs(kappa) <= abs(correlation) + TINY
    symmetric = counts + counts.T
    assert same(metrics.cohen_kappa(symmetric), metrics.mcc_multiclass(symmetric))


def test_kappa_equals_the_correlation_when_the_label_rates_agree_in_a_table_that_is_not_symmetric() -> None:
    counts = np.array([[10, 5, 1], [1, 10, 5], [5, 1, 10]])
    assert (counts.sum(0) == counts.sum(1)).all()
    assert (counts != counts.T).any()
    assert same(metrics.cohen_kappa(counts), metrics.mcc_multiclass(counts))


@settings(max_examples=200, deadline=None)
@given(table(2))
def test_two_classes_as_a_special_case(counts) -> None:
    assert same(metrics.mcc_multiclass(counts), metrics.phi(counts))
    assert same(metrics.macro_j(counts), metrics.youden_j(counts))
    scores = class_scores(counts)
    assert same(scores["f1"], [metrics.f1(counts), metrics.f1_negative(counts)])
    assert same(scores["recall"], [metrics.recall(counts), metrics.specificity(counts)])
    assert same(scores["precision"], [metrics.precision(counts), metrics.npv(counts)])
    assert same(scores["youden_j"], metrics.youden_j(counts))
    assert same(metrics.balanced_accuracy(counts), (metrics.youden_j(counts) + 1) / 2)
    assert same(metrics.macro_f1(counts), (metrics.f1(counts) + metrics.f1_negative(counts)) / 2)
    assert same(metrics.fpr(counts), 1 - metrics.specificity(counts))
    assert same(metrics.fnr(counts), 1 - metrics.recall(counts))


@settings(max_examples=200, deadline=None)
@given(table(2))
def test_definitions_in_rates(counts) -> None:
    pi, pihat, agreed = (metrics.BY_KEY[k].function(counts) for k in ("prevalence", "predicted_prevalence", "accuracy"))
    expected = pi * pihat + (1 - pi) * (1 - pihat)
    q = (pi + pihat) / 2
    assert same(metrics.expected_agreement(counts), expected)
    assert same(metrics.drift(counts), pihat - pi)
    assert same(metrics.bias_index(counts), metrics.drift(counts))
    assert same(metrics.pabak(counts), 2 * agreed - 1)
    assert same(metrics.baseline_accuracy(counts), np.maximum(pi, 1 - pi))
    assert same(metrics.gwet_ac1(counts), (agreed - 2 * q * (1 - q)) / (1 - 2 * q * (1 - q)))
    for function, chance in ((metrics.cohen_kappa, expected), (metrics.scott_pi, q**2 + (1 - q) ** 2)):
        value = function(counts)
        assert np.isnan(value) or same(value * (1 - chance), agreed - chance)


@settings(max_examples=100, deadline=None)
@given(table(2))
def test_a_side_that_never_varies_gives_exactly_zero_or_nothing(counts) -> None:
    counts[:, 0] = 0
    kappa = metrics.cohen_kappa(counts)
    assert np.isnan(kappa) if counts[0, 1] == 0 else kappa == 0
    kappa = metrics.cohen_kappa(counts.T)
    assert np.isnan(kappa) if counts[0, 1] == 0 else kappa == 0


@settings(max_examples=200, deadline=None)
@given(st.integers(2, 5).flatmap(table), st.sampled_from([0.25, 3.0]))
def test_nominal_costs_give_plain_kappa(counts, scale) -> None:
    plain = metrics.cohen_kappa(counts)
    assert same(metrics.weighted_kappa(counts, penalties(len(counts), None)), plain)
    assert same(metrics.weighted_kappa(counts, scale * (1 - np.eye(len(counts)))), plain)
    if len(counts) == 2:
        assert same(metrics.weighted_kappa(counts, "linear"), plain)
        assert same(metrics.weighted_kappa(counts, "quadratic"), plain)


@settings(max_examples=200, deadline=None)
@given(table(3))
def test_an_abstention_as_good_as_a_label_is_that_label(counts) -> None:
    assert same(metrics.weighted_kappa(counts, slide_cost(0.0)), metrics.cohen_kappa(merged(counts)))
    as_positive = merged(counts[np.ix_([1, 0, 2], [1, 0, 2])])
    assert same(metrics.weighted_kappa(counts, slide_cost(1.0)), metrics.cohen_kappa(as_positive))
    in_the_middle = counts[np.ix_([0, 2, 1], [0, 2, 1])]
    assert same(metrics.weighted_kappa(counts, slide_cost(0.5)), metrics.weighted_kappa(in_the_middle, "linear"))


@settings(max_examples=200, deadline=None)
@given(table(3))
def test_met_against_the_rest_equals_recoding(counts) -> None:
    recoded, scores = merged(counts), class_scores(counts)
    for key in ("precision", "recall", "f1", "youden_j"):
        assert same(scores[key][0], metrics.BY_KEY[key].function(recoded)), key


@settings(max_examples=100, deadline=None)
@given(table(3))
def test_a_class_that_no_side_uses_changes_nothing(counts) -> None:
    wider = np.zeros((4, 4), np.int64)
    wider[:3, :3] = counts
    for metric in metrics.CATALOGUE:
        if metric.classes in ("any", "many") and metric.takes == "table":
            assert same(metric.function(wider), metric.function(counts)), metric.key


def test_pooling_two_criteria_at_chance() -> None:
    tables = np.array([np.outer([p, 1 - p], [p, 1 - p]) * 10_000 for p in (0.80, 0.05)])
    assert same(metrics.cohen_kappa(tables), [0, 0])
    assert round(float(metrics.cohen_kappa(tables.sum(0))), 3) == 0.575
    assert abs(metrics.kappa_within(tables)) < TINY


@settings(max_examples=100, deadline=None)
@given(arrays(np.int64, (3, 2, 2), elements=st.integers(0, 60)))
def test_kappa_within_weighs_the_criteria_by_their_chance_disagreement(tables) -> None:
    n = tables.sum((1, 2))
    kappas = metrics.cohen_kappa(tables)
    chance = np.nan_to_num(n * (1 - metrics.expected_agreement(tables)))
    used = chance > 0
    expected = (kappas[used] * chance[used]).sum() / chance.sum() if used.any() else np.nan
    assert same(metrics.kappa_within(tables), expected)
    assert same(metrics.kappa_within(tables[:1]), kappas[0])
    baselines = np.nan_to_num(metrics.baseline_accuracy(tables))
    fair = (n * baselines).sum() / n.sum() if n.sum() else np.nan
    assert same(metrics.baseline_accuracy_by_criterion(tables), fair)
    if n.sum():
        assert fair >= metrics.baseline_accuracy(tables.sum(0)) - TINY
