"""Bounds over all completions: equal to trying every one, and to what was published."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import metrics
from metrics.analyses.abstention.bounds import (
    BOUNDED,
    MOST_TABLES,
    NEVER,
    NO_DECISION,
    TOO_MANY,
    _axis,
    bounds,
    completions,
    macro_bounds,
    table_bounds,
)
from metrics.analyses.settings import settings_of
from metrics.data.abstention import apply_mode
from metrics.data.pairs import patterns_of
from metrics.measures.catalogue import BY_KEY

ROOT = Path(__file__).resolve().parents[2]

APPENDIX_B = np.array([[30, 10, 5], [10, 20, 5], [5, 5, 10]])
SMALL = st.lists(st.integers(0, 3), min_size=9, max_size=9).map(lambda cells: np.array(cells).reshape(3, 3))
FILLED = {
    (0, 2): ((0, 0), (0, 1)),
    (1, 2): ((1, 0), (1, 1)),
    (2, 0): ((0, 0), (1, 0)),
    (2, 1): ((0, 1), (1, 1)),
    (2, 2): ((0, 0), (0, 1), (1, 0), (1, 1)),
}


def every_completion(table: np.ndarray) -> np.ndarray:
    """One decision after the other, each filled in every way it can be."""
    done = {tuple(table[:2, :2].ravel().tolist())}
    for place, cells in FILLED.items():
        for _ in range(int(table[place])):
            done = {tuple(n + (i == 2 * row + column) for i, n in enumerate(filled)) for filled in done for row, column in cells}
    return np.array(sorted(done), float).reshape(-1, 2, 2)


def brute_force(key: str, table: np.ndarray) -> tuple[float, float, int, int]:
    values = BY_KEY[key].function(every_completion(table))
    defined = values[~np.isnan(values)]
    ends = (defined.min(), defined.max()) if len(defined) else (np.nan, np.nan)
    return *ends, len(values) - len(defined), len(values)


@pytest.mark.slow("brute force")
@settings(max_examples=120, deadline=None)
@given(SMALL.filter(lambda table: table.sum() > 0))
def test_every_metric_equals_brute_force(table: np.ndarray) -> None:
    found = table_bounds(table).by_metric
    assert set(found) == set(BOUNDED)
    for key, bound in found.items():
        low, high, undefined, tables = brute_force(key, table)
        assert (bound.low, bound.high) == pytest.approx((low, high), abs=1e-12, nan_ok=True), key
        if undefined:
            assert (bound.undefined, bound.tables) == (undefined, tables), key
        else:
            assert bound.undefined == 0, key


@pytest.mark.slow("every pattern of gaps")
@pytest.mark.parametrize("open_cells", list(product([0, 1], repeat=5)))
def test_every_pattern_of_gaps_in_a_table_with_and_without_holes(open_cells: tuple[int, ...]) -> None:
    """Exhaustive over which gaps there are and which cells are empty, degenerate tables among them."""
    for given_cells in product([0, 2], repeat=4):
        table = np.zeros((3, 3), np.int64)
        table[:2, :2] = np.array(given_cells).reshape(2, 2)
        for place, n in zip(FILLED, open_cells, strict=True):
            table[place] = 2 * n
        if not table.sum():
            continue
        for key, bound in table_bounds(table).by_metric.items():
            low, high, _, _ = brute_force(key, table)
            assert (bound.low, bound.high) == pytest.approx((low, high), abs=1e-12, nan_ok=True), (key, table)
            assert bool(bound.reason) == np.isnan(low)


def test_the_published_table() -> None:
    kappa = table_bounds(APPENDIX_B).by_metric["kappa"]
    assert (kappa.low, kappa.high) == pytest.approx((-0.0101, 0.6000), abs=5e-5)
    assert (kappa.low, kappa.high) == pytest.approx(brute_force("kappa", APPENDIX_B)[:2], abs=1e-12)


def test_the_ends_need_not_be_vertices() -> None:
    table = np.array([[10, 5, 0], [5, 10, 0], [0, 0, 10]])
    kappa = table_bounds(table).by_metric["kappa"]
    assert (kappa.low, kappa.high) == pytest.approx((0.0, 0.5), abs=1e-12)
    corners = [np.array([[10, 5], [5, 10]], float) + 10 * np.eye(4)[i].reshape(2, 2) for i in range(4)]
    assert kappa.high > max(BY_KEY["kappa"].function(np.array(corners))) + 0.01


def test_completions_are_all_there_is() -> None:
    table = np.array([[2, 1, 3], [0, 2, 1], [2, 2, 2]])
    assert np.array_equal(completions(table), every_completion(table))


def test_no_gap_no_room() -> None:
    table = np.array([[30, 10, 0], [10, 20, 0], [0, 0, 0]])
    for key, bound in table_bounds(table).by_metric.items():
        assert bound.low == bound.high == pytest.approx(float(BY_KEY[key].function(table[:2, :2])), abs=1e-15), key


def test_nothing_and_never() -> None:
    assert {bound.reason for bound in table_bounds(np.zeros((3, 3), int)).by_metric.values()} == {NO_DECISION}
    silent_judge = np.array([[0, 0, 5], [0, 0, 0], [0, 0, 0]])
    phi = table_bounds(silent_judge).by_metric["phi"]
    assert phi.reason == NEVER
    assert phi.ends is None
    assert phi.undefined == phi.tables == 6


def test_too_many_degenerate_completions_claim_nothing() -> None:
    table = np.array([[500, 40, 100], [0, 0, 0], [100, 30, 60]])
    found = table_bounds(table).by_metric
    assert found["phi"].reason == TOO_MANY
    assert found["phi"].ends is None
    assert found["accuracy"].ends == pytest.approx((500 / 830, 790 / 830))


def test_more_classes_bound_accuracy_alone() -> None:
    table = np.array([[5, 1, 0, 2], [1, 6, 0, 0], [0, 2, 4, 1], [1, 0, 0, 3]])
    found = table_bounds(table)
    assert set(found.by_metric) == {"accuracy"}
    assert found.by_metric["accuracy"].ends == pytest.approx((15 / 26, 22 / 26))
    assert (found.n_open, found.n_total) == (7, 26)


def test_macro_is_the_mean_over_criteria_with_a_value() -> None:
    tables = np.array([APPENDIX_B, [[4, 1, 2], [0, 5, 0], [1, 0, 1]], np.zeros((3, 3))], dtype=np.int64)
    found = macro_bounds(tables)
    own = [table_bounds(table).by_metric for table in tables[:2]]
    for key in BOUNDED:
        assert found.by_metric[key].ends == pytest.approx(
            (np.mean([one[key].low for one in own]), np.mean([one[key].high for one in own]))
        )
        assert found.criteria[key] == (2, 3)
    assert found.n_open == 34
    hidden = np.array([[500, 40, 100], [0, 0, 0], [100, 30, 60]])
    assert macro_bounds(np.array([APPENDIX_B, hidden])).by_metric["phi"].reason == TOO_MANY


def test_levels_of_a_file() -> None:
    ratings = metrics.read(ROOT / "assets/support_answers.csv")
    human = ratings.humans[0]  # one, whose votes cannot split
    chosen = settings_of(ratings, judges=["cautious"], interval="none", reference=human)
    raw = apply_mode(patterns_of(ratings, "cautious", chosen.reference).raw, ratings.scheme, "as_category")
    assert bounds(ratings, "cautious", chosen) == table_bounds(raw.sum(0))
    assert bounds(ratings, "cautious", chosen, "macro") == macro_bounds(raw)
    report = metrics.agreement(ratings, judges=["cautious"], abstention="as_category", interval="none", reference=human)
    item = report.judges["cautious"].item.confusion
    assert bounds(ratings, "cautious", chosen, "item") == table_bounds(item)
    other = settings_of(ratings, judges=["cautious"], abstention="as_unmet", interval="none", reference=human)
    assert bounds(ratings, "cautious", other, "item") == bounds(ratings, "cautious", chosen, "item")


def test_the_published_sample_and_its_missing_items() -> None:
    ratings = metrics.read(ROOT / "assets/rao_abstention.csv")
    chosen = settings_of(ratings, interval="none")
    judge = ratings.judges[0]
    kappa = bounds(ratings, judge, chosen).by_metric["kappa"]
    assert (kappa.low, kappa.high) == pytest.approx((-0.0101, 0.6), abs=5e-5)
    assert "counts" in bounds(ratings, judge, chosen, "item").by_metric["kappa"].reason


def test_a_long_axis_has_the_ends_of_all_its_tables() -> None:
    rng = np.random.default_rng(2)
    for _ in range(2):
        counts = rng.integers(1, 10, 9) * rng.choice([1, 1000, 100_000], 9)
        counts[8] = MOST_TABLES + 20_000
        table = counts.reshape(3, 3)
        upper, lower = _axis(table, np.arange(counts[8] + 1))
        found = table_bounds(table, ("kappa", "phi", "macro_f1", "recall")).by_metric
        for key, bound in found.items():
            function = BY_KEY[key].function
            assert (bound.low, bound.high) == pytest.approx((function(lower).min(), function(upper).max()), abs=1e-14)
