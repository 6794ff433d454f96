"""Closed-form variances against exact fractions, statsmodels, and sampling."""

from __future__ import annotations

import numpy as np
import pytest
from statsmodels.stats.inter_rater import cohens_kappa

import metrics
from metrics.analyses.kappa_phi.variances import kappa_variance, phi_variance

# (p11, p10, p01, p00), N Var(kappa), N Var(phi): exact fractions by the multinomial delta method.
EXACT = [
    ((0.4, 0.1, 0.1, 0.4), 16 / 25, 16 / 25),
    ((0.3, 0.1, 0.1, 0.5), 14275 / 20736, 14275 / 20736),
    ((0.4, 0.1, 0.2, 0.3), 504 / 625, 13 / 16),
    ((0.05, 0.05, 0.01, 0.89), 4143225 / 1874161, 3096725 / 1610361),
    ((0.2, 0.0, 0.6, 0.2), 9600 / 83521, 75 / 512),
]


@pytest.mark.parametrize(("shares", "kappa", "phi"), EXACT)
def test_exact(shares, kappa, phi) -> None:
    counts = 100 * np.reshape(shares, (2, 2))
    assert 100 * kappa_variance(counts) == pytest.approx(kappa, abs=1e-12)
    assert 100 * phi_variance(counts) == pytest.approx(phi, abs=1e-12)


@pytest.mark.parametrize("k", [2, 3, 5])
def test_kappa_is_that_of_statsmodels(k) -> None:
    for seed in range(20):
        counts = np.random.default_rng([k, seed]).integers(1, 40, (k, k))
        assert kappa_variance(counts) == pytest.approx(cohens_kappa(counts).var_kappa, rel=1e-10)


def test_the_gap_is_of_second_order_in_the_drift() -> None:
    def gap(d: float) -> float:
        counts = np.array([[0.4, 0.15 + d / 2], [0.15 - d / 2, 0.3]])
        return float(phi_variance(counts) - kappa_variance(counts))

    assert gap(0.0) == pytest.approx(0.0, abs=1e-12)
    assert gap(0.01) == pytest.approx(gap(-0.01), abs=1e-12)
    assert gap(0.01) / 0.01**2 == pytest.approx(0.9127024085921607, abs=0.01)


def test_sampling_agrees() -> None:
    shares = np.array([0.4, 0.1, 0.2, 0.3])
    draws = np.random.default_rng(3).multinomial(2000, shares, 100_000).reshape(-1, 2, 2)
    for metric, variance in ((metrics.cohen_kappa, kappa_variance), (metrics.phi, phi_variance)):
        assert metric(draws).var() == pytest.approx(float(variance(2000 * shares.reshape(2, 2))), rel=0.02)


def test_leading_axes_and_undefined() -> None:
    tables = np.array([[[40, 10], [20, 30]], [[0, 10], [0, 90]], [[5, 0], [0, 0]], [[0, 0], [0, 0]]], float)
    kappas, phis = kappa_variance(tables), phi_variance(tables)
    assert kappas[0] == kappa_variance(tables[0])
    assert phis[0] == phi_variance(tables[0])
    assert np.isnan(phis[1:]).all()
    assert np.isnan(kappas[2:]).all()
    assert kappas[1] == pytest.approx(0.0)
