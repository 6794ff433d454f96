"""Two raters have the interval of a judge and its reference, three have their own."""

from __future__ import annotations

import numpy as np
import pytest

import metrics

PAIRS = {"mean_pairwise_kappa": "kappa", "mean_pairwise_phi": "phi", "gwet_ac1": "gwet_ac1", "percent_agreement": "accuracy"}


def drawn(n: int, c: int, error: float = 0.2) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(6)
    first = rng.integers(0, 2, (n, c))
    return first, np.where(rng.random((n, c)) < error, 1 - first, first)


def long_of(*sides: np.ndarray, roles: tuple[str, ...]) -> metrics.Ratings:
    rows = ["item,criterion,rater,role,label"]
    for item, criterion in np.ndindex(sides[0].shape):
        for place, (side, role) in enumerate(zip(sides, roles, strict=True)):
            rows.append(f"i{item},c{criterion},r{place},{role},{('MET', 'UNMET')[side[item, criterion]]}")
    return metrics.read("\n".join(rows).encode())


@pytest.mark.parametrize("criteria", [1, 3])
def test_two_raters_have_one_interval_with_agreement(criteria: int) -> None:
    first, second = drawn(30, criteria)
    pair = metrics.raters(long_of(first, second, roles=("human", "human"))).pooled
    block = metrics.agreement(long_of(first, second, roles=("human", "judge"))).judges["r1"].micro
    for key, name in PAIRS.items():
        assert pair.values[key] == pytest.approx(block.values[name])
        assert pair.intervals[key].ends == pytest.approx(block[name].ends, abs=1e-12)
    assert (pair.intervals["mean_pairwise_kappa"].low > 0) == (pair.intervals["mean_pairwise_phi"].low > 0)


def test_three_raters_leave_items_out() -> None:
    first, second = drawn(40, 1)
    third = np.where(np.arange(40)[:, None] % 5 == 0, 1 - first, first)
    block = metrics.raters(long_of(first, second, third, roles=("human",) * 3)).pooled
    assert {block.intervals[key].method for key in PAIRS} == {"jackknife"}


def test_other_numbers_of_raters_keep_their_own() -> None:
    first, second = drawn(30, 1)
    ratings = long_of(first, second, roles=("human", "human"))
    block = metrics.raters(ratings).pooled
    assert block.intervals["alpha"].method == "jackknife"
