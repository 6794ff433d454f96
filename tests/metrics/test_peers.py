"""Values against scikit-learn, statsmodels and SciPy on random tables."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy import stats
from sklearn import metrics as sk
from statsmodels.stats.inter_rater import cohens_kappa

import metrics
from metrics.measures.rates import class_scores

pytestmark = pytest.mark.slow("numbers of another package on the same tables")


def random_tables(seed: int, k: int, n: int = 60) -> np.ndarray:
    """Tables of very different sizes, some with empty rows or columns, none empty."""
    rng = np.random.default_rng([seed, k])
    tables = rng.poisson(rng.choice([0.5, 3, 40], (n, 1, 1)) * rng.random((n, k, k)) * (rng.random((n, k, k)) < 0.8))
    tables[:, -1, -1] += tables.sum((1, 2)) == 0
    return tables


def vectors(table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Class codes of reference and judge, one per decision."""
    k = len(table)
    place = np.repeat(np.arange(k * k), table.ravel())
    return place // k, place % k


def same(value, peer) -> bool:
    return bool(np.isclose(value, peer, rtol=0, atol=1e-12, equal_nan=True))


@pytest.mark.parametrize("k", [2, 3, 5])
def test_scikit_learn_on_any_number_of_classes(k: int) -> None:
    for table in random_tables(1, k):
        truth, judged = vectors(table)
        labels = np.arange(k)
        assert (sk.confusion_matrix(truth, judged, labels=labels) == table).all()
        assert same(metrics.accuracy(table), sk.accuracy_score(truth, judged))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for weights in (None, "linear", "quadratic"):
                peer = sk.cohen_kappa_score(truth, judged, labels=labels, weights=weights)
                assert same(metrics.cohen_kappa(table, weights=weights), peer), (table, weights)
            if min((table.sum(axis) > 0).sum() for axis in (0, 1)) > 1:
                assert same(metrics.mcc_multiclass(table), sk.matthews_corrcoef(truth, judged))
            else:
                assert np.isnan(metrics.mcc_multiclass(table))
            if k > 2 or (table.sum(1) > 0).all():
                assert same(metrics.balanced_accuracy(table), sk.balanced_accuracy_score(truth, judged))
            options = {"labels": labels, "zero_division": np.nan}
            scores = class_scores(table)
            assert np.allclose(scores["precision"], sk.precision_score(truth, judged, average=None, **options), equal_nan=True)
            assert np.allclose(scores["recall"], sk.recall_score(truth, judged, average=None, **options), equal_nan=True)
            f1 = sk.f1_score(truth, judged, average=None, **options)
            f1 = np.where(table.sum(0) + table.sum(1) > 0, np.nan_to_num(f1), np.nan)
            assert np.allclose(scores["f1"], f1, equal_nan=True)
            assert same(metrics.macro_f1(table), np.nanmean(f1) if k > 2 else f1.mean())


def test_scikit_learn_on_two_classes() -> None:
    for table in random_tables(2, 2):
        truth, judged = vectors(table)
        for positive, names in ((0, ("precision", "recall", "f1")), (1, ("npv", "specificity", "f1_negative"))):
            options = {"pos_label": positive, "zero_division": np.nan}
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                assert same(getattr(metrics, names[0])(table), sk.precision_score(truth, judged, **options))
                assert same(getattr(metrics, names[1])(table), sk.recall_score(truth, judged, **options))
                if table.sum(0)[positive] + table.sum(1)[positive]:
                    peer = sk.f1_score(truth, judged, pos_label=positive, zero_division=0)
                    assert same(getattr(metrics, names[2])(table), peer)


@pytest.mark.parametrize("k", [2, 3, 5])
def test_statsmodels(k: int) -> None:
    ordered = np.arange(k, dtype=float)
    costs = {"linear": np.abs(ordered[:, None] - ordered), "quadratic": (ordered[:, None] - ordered) ** 2}
    for table in random_tables(3, k):
        with np.errstate(all="ignore"):
            simple = cohens_kappa(table, return_results=False)
            assert same(metrics.cohen_kappa(table), simple)
            for name, cost in costs.items():
                peer = cohens_kappa(table, weights=cost, return_results=False)
                assert same(metrics.weighted_kappa(table, name), peer)
                assert same(metrics.weighted_kappa(table, cost), peer)


def test_one_number_under_five_names(published) -> None:
    entry = published["rao.obs1"]
    rng = np.random.default_rng(4)
    for _ in range(entry["inputs"]["random_binary_pairs"]):
        a, b = (rng.random((2, int(rng.integers(4, 60)))) < rng.random((2, 1))).astype(int)
        table = np.array([[((a == i) & (b == j)).sum() for j in (1, 0)] for i in (1, 0)])
        value = metrics.phi(table)
        if np.ptp(a) == 0 or np.ptp(b) == 0:
            assert np.isnan(value)
            continue
        peers = (stats.pearsonr(a, b)[0], stats.spearmanr(a, b)[0], stats.kendalltau(a, b)[0], sk.matthews_corrcoef(a, b))
        assert np.allclose([*peers, metrics.mcc_multiclass(table)], value, rtol=0, atol=1e-12)


def test_an_asymmetric_cost_is_read_with_the_reference_in_rows() -> None:
    table, cost = np.array([[5, 4, 1], [2, 6, 0], [3, 1, 8]]), np.array([[0, 3, 1], [1, 0, 0], [2, 5, 0]])
    n = table.sum()
    observed = sum(table[i, j] * cost[i, j] for i in range(3) for j in range(3)) / n
    chance = sum(table[i].sum() * table[:, j].sum() * cost[i, j] for i in range(3) for j in range(3)) / n**2
    assert metrics.weighted_kappa(table, cost) == pytest.approx(1 - observed / chance, abs=1e-14)
    assert metrics.weighted_kappa(table, cost) != pytest.approx(float(metrics.weighted_kappa(table, cost.T)))


@pytest.mark.parametrize(
    ("weights", "says"),
    [
        ("cubic", "linear"),
        ([[0, 1], [1, 0]], "3 x 3"),
        ([[0, 1, 1], [1, 1, 1], [1, 1, 0]], "diagonal"),
        ([[0, -1, 1], [1, 0, 1], [1, 1, 0]], "not negative"),
        ([[0, np.inf, 1], [1, 0, 1], [1, 1, 0]], "finite"),
        (np.zeros((3, 3)), "all zero"),
    ],
)
def test_costs_that_make_no_sense_are_refused(weights, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        metrics.weighted_kappa(np.ones((3, 3)), weights)


@pytest.mark.parametrize(
    "counts", [5, [1, 2], [[1, 2, 3], [4, 5, 6]], [[1]], [[1, -1], [2, 3]], [[np.nan, 1], [2, 3]], [[np.inf, 1], [2, 3]]]
)
def test_tables_that_are_none_are_refused(counts) -> None:
    for metric in metrics.CATALOGUE:
        if metric.takes == "table":
            with pytest.raises(ValueError, match=r"counts must|defined for"):
                metric.function(counts)


def test_two_class_metrics_refuse_three_classes() -> None:
    for metric in metrics.CATALOGUE:
        if metric.classes == "two" and metric.key not in {"pabak", "gwet_ac1", "scott_pi"}:
            with pytest.raises(ValueError, match="2 classes"):
                metric.function(np.ones((3, 3)))
