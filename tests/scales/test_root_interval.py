"""The interval of the root mean squared difference covers with few items, and stays what it was with many."""

from __future__ import annotations

import numpy as np
import pytest

from metrics.analyses.paired_numbers import Paired, measures
from metrics.measures.transforms import least_error, transformed


def covered(draw, true: float, n: int, times: int) -> float:
    hits = 0
    for seed in range(times):
        difference = draw(np.random.default_rng([4, seed]), n)
        low, high = measures(Paired(np.zeros(n), difference))["rmse"].ends
        hits += low <= true <= high
    return hits / times


@pytest.mark.slow("simulates")
def test_coverage_with_20_items() -> None:
    """300 samples, s.e. 1.3 points; on the logarithm alone 93 and 88 %."""
    assert 0.92 <= covered(lambda rng, n: rng.normal(0.5, 1, n), np.sqrt(1.25), 20, 300) <= 0.99

    def rounded(rng, n):
        return np.round(rng.normal(0.2, 0.9, n))

    true = float(np.sqrt((rounded(np.random.default_rng(0), 2_000_000) ** 2).mean()))
    assert 0.92 <= covered(rounded, true, 20, 300) <= 0.99


def test_root_is_never_narrower_than_log_and_near_it_with_many() -> None:
    for n, most in ((20, 1.35), (2000, 1.02)):
        error = least_error(1.0, 1 / np.sqrt(2 * n), "root", n)
        root, log = (transformed(1.0, error, scale, 1.96) for scale in ("root", "log"))
        assert root[0] <= log[0]
        assert root[1] >= log[1]
        assert (root[1] - root[0]) / (log[1] - log[0]) < most


def test_differences_of_one_size_have_no_interval() -> None:
    assert least_error(1.0, 0.0, "root", 20) == 0.0
    assert least_error(1.0, 0.01, "log", 20) == 0.01
    found = measures(Paired(np.zeros(12), np.ones(12)))["rmse"]
    assert found.interval is None
    assert found.no_interval == "it does not move when one of the items is left out"
    assert measures(Paired(np.zeros(12), np.arange(12.0)))["rmse"].value == pytest.approx(np.sqrt(506 / 12))
