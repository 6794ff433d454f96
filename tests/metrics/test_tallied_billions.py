"""A tally of ten thousand million items of each kind has the coefficients of one with ten thousand: no sum leaves its word."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest

import metrics
from metrics.analyses.paired_numbers import Paired, measures
from metrics.analyses.roc.area import Scores, auc
from metrics.analyses.roc.cuts import best_cut
from metrics.data.ratings import Ratings
from metrics.measures.ranks import Ranked
from tests.tallies import tally_of

FEW, MANY = 10**4, 10**10
"""Items of each kind: enough that n - 1 and n are one number to six digits."""
VALUES = ("auc", "youden_j", "threshold", "kendall_tau_b", "spearman", "pearson", "ccc", "kappa", "phi", "alpha")


@cache
def small() -> Ratings:
    rng = np.random.default_rng(8)
    rows = []
    for item in range(60):
        for name, role in (("h1", "human"), ("h2", "human"), ("a", "judge"), ("b", "judge")):
            score = round(float(np.clip(item / 60 + rng.normal(0, 0.3), 0, 1)), 1)
            rows.append((f"i{item}", name, role, "yes" if score > 0.4 else "no", score))
    frame = pd.DataFrame(rows, columns=["item", "rater", "role", "label", "score"])
    return tally_of(frame, labels={"yes": "positive", "no": "negative"})


def times(n: int) -> Ratings:
    ratings = small()
    assert ratings.multiplicity is not None
    return replace(ratings, multiplicity=ratings.multiplicity * n, memo={})


def coefficients(found: Any, path: str = "") -> dict[str, float]:
    """Every value of a coefficient in a report, with where it stands; one chosen on other items is not the same."""
    if not isinstance(found, dict):
        known = path.rsplit(".", 1)[-1] in VALUES and isinstance(found, (int, float))
        return {path: found} if known else {}
    parts = [coefficients(part, f"{path}.{name}") for name, part in found.items() if name != "held_out"]
    return {key: own for part in parts for key, own in part.items()}


REPORTS: dict[str, Callable[[Ratings], Any]] = {
    "roc": metrics.roc,
    "numbers": lambda ratings: metrics.scores(ratings, on="score"),
    "item scores": metrics.item_scores,
    "agreement": metrics.agreement,
    "raters": metrics.raters,
}


@pytest.mark.parametrize("key", list(REPORTS))
def test_coefficients_do_not_change_with_the_number_of_items(key: str) -> None:
    few, many = (coefficients(REPORTS[key](times(n)).to_dict()) for n in (FEW, MANY))
    assert len(few) > 1
    assert many == pytest.approx(few, abs=1e-5)


def test_mcnemar_of_many_is_no_chance() -> None:
    few, many = (metrics.compare(times(n), "a", "b", replicates=50) for n in (FEW, MANY))
    assert few.mcnemar is not None
    assert many.mcnemar is not None
    assert many.mcnemar.only_a != many.mcnemar.only_b
    assert many.mcnemar.p <= few.mcnemar.p < 1e-6


def test_area_and_best_cut_of_billions_are_those_of_whole_numbers() -> None:
    ups, downs = [3_000_000_000, 5_000_000_001, 9_000_000_007], [8_000_000_000, 5_000_000_003, 2_000_000_001]
    which, positive = np.tile([0, 1, 2], 2), np.repeat([True, False], 3)
    scores = Scores(np.arange(6), np.array([0.1, 0.5, 0.9]), which, positive, 6, copies=np.array([*ups, *downs]))
    won = sum(2 * ups[i] * downs[j] if i > j else ups[i] * downs[j] if i == j else 0 for i in range(3) for j in range(3))
    assert auc(scores.tally()) == pytest.approx(float(Fraction(won, 2 * sum(ups) * sum(downs))), abs=1e-15)
    best = best_cut(scores.tally())
    assert best is not None
    assert (best.threshold, best.n_optimal) == (0.9, 1)


def test_ranks_of_billions_without_a_pair_are_those_of_fewer() -> None:
    x, y = np.array([0, 0, 1, 2, 2, 3]), np.array([0, 1, 1, 3, 2, 2])
    weight = np.array([3, 1, 4, 1, 5, 9])
    found = []
    for n in (1, 10**10):
        ranked = Ranked.of(x, y, weight * n)
        found.append((ranked.spearman(), ranked.kendall_tau_b()))
        assert ranked.kendall_tau_b_without_each() == pytest.approx(ranked.kendall_tau_b(), abs=1 / n)
        assert ranked.spearman_without_each() == pytest.approx(ranked.spearman(), abs=1 / n)
    assert found[1] == pytest.approx(found[0], abs=1e-12)


def test_without_its_only_other_pair_a_side_of_billions_is_constant() -> None:
    ranked = Ranked.of(np.array([0, 1]), np.array([0, 1]), np.array([10**10, 1]))
    assert np.isnan(ranked.kendall_tau_b_without_each()).tolist() == [False, True]
    assert np.isnan(ranked.spearman_without_each()).tolist() == [False, True]
    assert measures(Paired(np.array([0.0, 1.0]), np.array([0.0, 1.0]), copies=np.array([10**10, 1])))["kendall_tau_b"].value == 1
