"""What the guide says of scales: every sentence that is about numbers is true of numbers."""

from __future__ import annotations

import numpy as np
import pytest

import metrics
from metrics.analyses import paired_numbers
from metrics.analyses.kappa_phi.surface import ratio_at
from metrics.analyses.ordered_catalogue import RECORDS
from metrics.content.scale_guide.fitting import BINARY, GUIDES, NOMINAL
from metrics.data.labels import Scale
from metrics.data.scales import SCALES
from metrics.measures import ordered
from metrics.measures.catalogue import BY_KEY
from metrics.measures.coefficients import accuracy, cohen_kappa, mcc_multiclass, phi
from metrics.measures.ordered import kendall_tau_b, spearman
from metrics.measures.rates import balanced_accuracy, class_scores, f1, youden_j


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(8)


def expanded(counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    rows, columns = np.indices(counts.shape)
    return np.repeat(rows.ravel(), counts.ravel()), np.repeat(columns.ravel(), counts.ravel())


def two(rng: np.random.Generator) -> np.ndarray:
    return rng.integers(1, 40, (200, 2, 2)).astype(float)


def test_every_scale_has_its_guide() -> None:
    assert tuple(GUIDES) == SCALES
    for guide in GUIDES.values():
        assert guide.fits
        assert guide.collapses
        assert guide.misfits
        assert guide.reporting_requirements


@pytest.mark.parametrize("scale", SCALES)
def test_keys_are_those_of_reports(scale: Scale) -> None:
    known = set(RECORDS) | set(paired_numbers.KEYS) if GUIDES[scale].source == "scores" else set(BY_KEY)
    assert {fit.key for fit in GUIDES[scale].fits} - {""} <= known
    assert len({fit.name for fit in GUIDES[scale].fits}) == len(GUIDES[scale].fits)


def test_five_names_of_one_number_on_two_labels(rng) -> None:
    counts = two(rng)
    for other in (mcc_multiclass(counts), ordered.pearson(counts, np.arange(2.0)), spearman(counts), kendall_tau_b(counts)):
        np.testing.assert_allclose(other, phi(counts), atol=1e-12)


def test_balanced_accuracy_is_youdens_j_in_other_words(rng) -> None:
    counts = two(rng)
    np.testing.assert_allclose(balanced_accuracy(counts), (1 + youden_j(counts)) / 2)


@pytest.mark.parametrize("k", [2, 3, 5])
def test_micro_f1_is_accuracy(rng, k: int) -> None:
    counts = rng.integers(0, 20, (50, k, k)).astype(float)
    diagonal = np.einsum("tii->t", counts)
    both = counts.sum((1, 2))
    np.testing.assert_allclose(2 * diagonal / (both + both), accuracy(counts))


def test_kappa_and_phi_are_equal_where_label_rates_are_or_both_are_zero(rng) -> None:
    equal = np.array([[30.0, 7], [7, 12]])
    assert cohen_kappa(equal) == pytest.approx(phi(equal))
    independent = np.outer([3.0, 1], [1, 4])
    assert cohen_kappa(independent) == pytest.approx(0)
    assert phi(independent) == pytest.approx(0)
    drifted = np.array([[30.0, 14], [2, 12]])
    assert cohen_kappa(drifted) < phi(drifted) - 1e-3


def test_weights_change_nothing_on_two_labels(rng) -> None:
    counts = two(rng)
    for weights in ("linear", "quadratic"):
        np.testing.assert_allclose(cohen_kappa(counts, weights=weights), cohen_kappa(counts))


def test_quadratic_kappa_is_concordance_on_equally_spaced_options(rng) -> None:
    for _ in range(20):
        counts = rng.integers(0, 9, (4, 4))
        reference, judge = expanded(counts)
        found = paired_numbers.measures(paired_numbers.Paired(reference.astype(float), judge.astype(float)), confidence=None)
        assert cohen_kappa(counts.astype(float), weights="quadratic") == pytest.approx(found["ccc"].value, abs=1e-12)


def test_rmse_holds_bias_and_spread(rng) -> None:
    counts = rng.integers(0, 9, (4, 4))
    values = np.array([0.0, 25, 60, 100])
    reference, judge = expanded(counts)
    difference = values[judge] - values[reference]
    rmse, bias = ordered.rmse(counts.astype(float), values), ordered.bias(counts.astype(float), values)
    assert rmse**2 == pytest.approx(bias**2 + difference.std() ** 2)


def test_concordance_and_icc_differ_with_one_over_n(rng) -> None:
    gaps = []
    for n in (20, 200, 2000):
        x = rng.normal(size=n)
        y = 0.8 * x + 0.3 + 0.5 * rng.normal(size=n)
        found = paired_numbers.measures(paired_numbers.Paired(x, y), confidence=None)
        gaps.append(abs(found["ccc"].value - found["icc_2_1"].value) * n)
    assert max(gaps) < 1
    assert min(gaps) > 0


def test_a_shift_leaves_rho_and_consistency_and_lowers_concordance(rng) -> None:
    x = rng.normal(size=50)
    found = paired_numbers.measures(paired_numbers.Paired(x, x + 1), confidence=None)
    assert found["spearman"].value == pytest.approx(1)
    assert found["icc_3_1"].value == pytest.approx(1)
    assert found["ccc"].value < 0.9


def test_kappa_never_exceeds_r_k_and_meets_it_where_rates_are_equal(rng) -> None:
    counts = rng.integers(1, 30, (300, 3, 3)).astype(float)
    kappa, r_k = cohen_kappa(counts), mcc_multiclass(counts)
    assert (np.abs(kappa) <= np.abs(r_k) + 1e-12).all()
    even = counts + counts.transpose(0, 2, 1)
    np.testing.assert_allclose(cohen_kappa(even), mcc_multiclass(even))
    independent = np.outer([20.0, 30, 50], [0.5, 0.25, 0.25])
    assert cohen_kappa(independent) == mcc_multiclass(independent) == 0
    (said,) = [collapse.why for collapse in NOMINAL.collapses if collapse.names == "κ and R_K"]
    assert "or both are 0" in said


def test_the_ratio_of_kappa_and_phi_follows_the_odds_of_the_label_rates() -> None:
    """Rates of 1 and 2 % are one point apart, and of 50 and 60 % ten: κ keeps less of φ where the odds differ more."""
    rare, common = ratio_at(0.01, 0.02), ratio_at(0.5, 0.6)
    assert rare < common
    (said,) = [fit.why for fit in BINARY.fits if fit.key == "phi"]
    assert "the odds of the two label rates" in said


def test_macro_j_can_follow_balanced_accuracy_of_classes_that_are_not_balanced() -> None:
    counts = np.array([[[48.0, 6, 6], [2, 16, 2], [1, 1, 8]]])  # TPR .8 and .1 to each other class, whatever the class
    scores = class_scores(counts)
    n = counts.shape[-1]
    assert len(set(counts.sum(-1).ravel())) > 1
    assert scores["youden_j"].mean() == pytest.approx((n * balanced_accuracy(counts)[0] - 1) / (n - 1))
    (said,) = [misfit.why for misfit in NOMINAL.misfits if "Youden" in misfit.names]
    assert "sure to follow" in said


def test_one_against_the_rest_is_the_recoded_table(rng) -> None:
    counts = rng.integers(0, 20, (100, 3, 3)).astype(float)
    folded = np.stack([counts[:, 0, 0], counts[:, 0, 1:].sum(1), counts[:, 1:, 0].sum(1), counts[:, 1:, 1:].sum((1, 2))], -1)
    np.testing.assert_allclose(class_scores(counts)["f1"][:, 0], f1(folded.reshape(-1, 2, 2)))


def test_numbers_of_a_guide_are_in_the_reports_of_data_on_that_scale() -> None:
    binary = metrics.read(b"item,human,verdict\na,MET,MET\nb,UNMET,MET\nc,UNMET,UNMET\nd,MET,CANNOT_ASSESS\n")
    two_way = metrics.agreement(binary, interval="none").judges["judge"].micro.values
    three_way = metrics.agreement(binary, abstention="as_category", interval="none").judges["judge"].micro.values
    likert = metrics.read(b"item,human,verdict\na,1,2\nb,3,3\nc,2,2\nd,4,1\n", scale="ordinal")
    ranked = metrics.scores(likert, interval="none").judges["judge"].pooled.values
    for scale, values in (("binary", two_way), ("nominal", three_way), ("ordinal", ranked)):
        assert {fit.key for fit in GUIDES[scale].fits} - {""} <= set(values)


def test_the_guide_says_of_one_label_what_the_numbers_are() -> None:
    (said,) = [text for text in BINARY.reporting_requirements if "one label only" in text]
    for table in ([[5, 0], [3, 0]], [[5, 3], [0, 0]]):
        assert float(cohen_kappa(table)) == 0
        assert np.isnan(phi(table))
    assert np.isnan(cohen_kappa([[5, 0], [0, 0]]))
    assert "κ is 0 there by construction, undefined where both sides say that label alone" in said
    assert "φ is undefined, never 0" in said
