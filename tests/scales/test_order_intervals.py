"""Intervals of ordered labels: the rules, and the jackknife against leaving items out one at a time."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats
from scipy.stats import binomtest

import metrics
from metrics.analyses.ordered_blocks import MOST_CLASSES, ordered_table, rules_of
from metrics.analyses.ordered_catalogue import RECORDS, functions_of
from metrics.data.order import Order
from metrics.intervals.items import Coded
from metrics.intervals.jackknife import pooled_errors
from metrics.measures.arrays import FloatArray
from metrics.measures.transforms import transformed

FOUR = Order(("1", "2", "3", "4"), (1.0, 2.0, 3.0, 4.0), "labels")
BOTH = "jackknife+dirichlet"
KINDS = {"1": "class", "2": "class", "3": "class", "4": "class", "NA": "abstention"}


def some_items(seed: int, n_items: int, n_criteria: int, k: int = 4) -> tuple[FloatArray, FloatArray]:
    """Correlated options of reference and judge, shape (n_items, C); -1 where there is none."""
    rng = np.random.default_rng(seed)
    effect = rng.normal(size=(n_items, 1))
    reference = np.clip(np.round(k / 2 + effect + rng.normal(size=(n_items, n_criteria))), 0, k - 1).astype(int)
    judge = np.clip(reference + rng.choice([-1, 0, 0, 1, 2], size=reference.shape), 0, k - 1)
    reference[rng.random(reference.shape) < 0.1] = -1
    return reference, judge


def ratings_of(build_paired, reference, judge) -> metrics.Ratings:
    names = [*FOUR.classes, "NA"]
    sides = [[[names[one] for one in row] for row in side.tolist()] for side in (reference, judge)]
    return build_paired(*sides, kinds=KINDS)


def tables(reference, judge, k: int = 4) -> FloatArray:
    """Table of every criterion, shape (C, K, K)."""
    out = np.zeros((reference.shape[1], k, k))
    item, criterion = np.nonzero(reference >= 0)
    np.add.at(out, (criterion, reference[item, criterion], judge[item, criterion]), 1)
    return out


def left_out_error(values: list[float]) -> float:
    values, n = np.array(values), len(values)
    return float(np.sqrt((n - 1) / n * ((values - values.mean()) ** 2).sum()))


@pytest.mark.parametrize(("n_criteria", "k"), [(2, 4), (9, 4), (20, 3), (70, 3), (3, 9)])
def test_items_of_many_criteria_and_classes_are_left_out_one_at_a_time(n_criteria, k) -> None:
    reference, judge = some_items(n_criteria, 80, n_criteria, k)
    cell = np.where(reference >= 0, reference * k + judge, k * k).T.astype(np.int16)
    coded = Coded(cell, np.ones(80, np.int64), k)
    order = Order(tuple(map(str, range(k))), tuple(map(float, range(k))), "labels")
    functions = functions_of(order)
    counts = tables(reference, judge, k).sum(0)
    found = pooled_errors(coded, counts, functions)
    single = [tables(reference[[i]], judge[[i]], k).sum(0) for i in range(80)]
    for key, function in functions.items():
        assert found[key] == pytest.approx(left_out_error([float(function(counts - own)) for own in single]), abs=1e-12)
    distinct, units = coded.tables()
    assert units.sum() == 80
    np.testing.assert_array_equal(np.tensordot(units, distinct, 1), counts)


def test_pooled_and_mean_intervals_are_the_item_jackknife(build_paired) -> None:
    reference, judge = some_items(3, 150, 4)
    its = metrics.scores(ratings_of(build_paired, reference, judge)).judges["j"]
    counts, functions = tables(reference, judge), functions_of(FOUR)
    kept = [i for i in range(150) if (reference[i] >= 0).any()]
    without = [counts - tables(reference[[i]], judge[[i]]) for i in kept]
    quantile = float(stats.t.ppf(0.975, len(kept) - 1))
    for key in its.pooled.intervals:
        transform = RECORDS[key].transform
        error = left_out_error([float(functions[key](left.sum(0))) for left in without])
        assert its.pooled[key].ends == pytest.approx(transformed(its.pooled.values[key], error, transform, quantile))
        error = left_out_error([float(np.mean(functions[key](left))) for left in without])
        assert its.mean[key].ends == pytest.approx(transformed(its.mean.values[key], error, transform, quantile))
        assert its.pooled.intervals[key].method == its.mean.intervals[key].method == "jackknife"


def test_the_log_scale() -> None:
    low, high = transformed(2.0, 0.5, "log", 1.96)
    assert (low, high) == pytest.approx((2 * math.exp(-0.49), 2 * math.exp(0.49)))
    assert np.isnan(transformed(0.0, 0.5, "log", 1.96)).all()


def test_one_decision_per_item_has_the_rule_of_its_number() -> None:
    counts = np.array([[20.0, 5, 1, 0], [4, 22, 6, 1], [0, 7, 25, 4], [0, 1, 5, 30]])
    functions = functions_of(FOUR)
    values = {key: float(function(counts)) for key, function in functions.items()}
    found = ordered_table(counts, {key: functions[key] for key in functions if RECORDS[key].has_interval}, values, 0.95)
    methods = {key: interval.method for key, interval in found.items()}
    assert methods == {
        "exact_agreement": "wilson", "adjacent_agreement": "wilson", "weighted_kappa_quadratic": BOTH,
        "weighted_kappa_linear": BOTH, "kappa": BOTH, "spearman": BOTH, "kendall_tau_b": BOTH,
        "pearson": BOTH, "rmse": "jackknife", "mae": "jackknife", "bias": "jackknife",
    }  # fmt: skip
    wilson = binomtest(97, 131).proportion_ci(method="wilson")
    assert found["exact_agreement"].ends == pytest.approx((wilson.low, wilson.high))
    differences = [float(column - row) for row in range(4) for column in range(4) for _ in range(int(counts[row, column]))]
    middle, error = np.mean(differences), stats.sem(differences)
    reach = stats.t.ppf(0.975, 130) * error
    assert found["bias"].ends == pytest.approx((middle - reach, middle + reach))


def test_no_interval_has_no_width_and_none_leaves_its_range() -> None:
    tables_of_all_kinds = [
        np.diag([5.0, 5, 5, 5]), np.diag([20.0, 0, 0, 1]), np.fliplr(np.diag([3.0, 3, 3, 3])), np.eye(4)[::-1] * 0 + np.eye(4),
        np.array([[0.0, 0, 0, 9], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]),
        np.array([[0.0, 9, 0, 0], [0, 9, 0, 0], [0, 9, 0, 0], [0, 1, 0, 0]]),
        np.array([[1.0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]),
    ]  # fmt: skip
    functions, rules = functions_of(FOUR), rules_of(FOUR)
    for counts in tables_of_all_kinds:
        values = {key: float(function(counts)) for key, function in functions.items()}
        found = ordered_table(counts, {key: functions[key] for key in functions if RECORDS[key].has_interval}, values, 0.95)
        defined = {key for key in functions if RECORDS[key].has_interval and not np.isnan(values[key])}
        assert set(found) == defined
        for key, interval in found.items():
            assert interval.low < interval.high, (key, counts)
            assert interval.low <= values[key] <= interval.high
            assert rules.record(key).low - 1e-9 <= interval.low
            assert interval.high <= rules.record(key).high + (RECORDS[key].transform is None or key in ("rmse", "mae"))


def test_one_decision_has_no_interval_and_two_have_one() -> None:
    functions = functions_of(FOUR)
    for counts, some in ((np.eye(4)[:1].T @ np.eye(4)[1:2], False), (np.diag([1.0, 1, 0, 0]), True)):
        values = {key: float(function(counts)) for key, function in functions.items()}
        assert bool(ordered_table(counts, functions, values, 0.95)) is some


def test_distances_of_few_decisions_end_where_the_options_do() -> None:
    functions, rules = functions_of(FOUR), rules_of(FOUR)
    for pairs in (((0, 1), (2, 2)), ((0, 1), (2, 2), (3, 2)), ((0, 1), (1, 2), (2, 0), (0, 1))):
        counts = np.zeros((4, 4))
        for row, column in pairs:
            counts[row, column] += 1
        values = {key: float(function(counts)) for key, function in functions.items()}
        found = rules.single(counts, functions, values, 0.95)
        assert {found[key].method for key in ("rmse", "mae", "bias")} == {"dirichlet" if len(pairs) < 4 else "jackknife"}
        for key in ("rmse", "mae", "bias"):
            low, high = found[key].ends or (np.nan, np.nan)
            assert rules.record(key).low <= low <= values[key] <= high <= rules.record(key).high


def test_a_side_that_hardly_leaves_one_option_is_a_small_cell(build_paired) -> None:
    reference, judge = some_items(5, 60, 3)
    judge[:] = 2
    judge[:3, 0], reference[:3] = 3, 1
    its = metrics.scores(ratings_of(build_paired, reference, judge)).judges["j"]
    found = its.pooled.intervals["weighted_kappa_quadratic"]
    assert found.method == "jackknife+dirichlet"
    assert found.note == "small cell: 3 items with a verdict outside the judge’s commonest option"
    assert "fewer than 5 decisions outside the commonest option of a side" in its.mean.intervals["weighted_kappa_quadratic"].note


def test_a_criterion_of_one_decision_leaves_the_mean_a_finite_interval(build_paired) -> None:
    reference, judge = some_items(8, 30, 2)
    reference[1:, 1] = -1
    reference[0, 1], judge[0, 1] = 0, 3
    its = metrics.scores(
        ratings_of(build_paired, reference, judge), cost=[[0, 1, 1, 2], [1, 0, 1, 1], [1, 1, 0, 1], [2, 1, 1, 0]]
    )
    mean = its.judges["j"].mean
    assert {"rmse", "bias", "kappa"} <= set(mean.intervals)
    assert "weighted_kappa" not in mean.intervals
    for interval in mean.intervals.values():
        assert np.isfinite([interval.low, interval.high]).all()


def test_whole_groups_are_left_out_where_a_column_is_the_unit(tmp_path) -> None:
    rng = np.random.default_rng(1)
    effect = np.repeat(rng.normal(size=80), 4)
    human = np.clip(np.round(2.5 + effect), 1, 4).astype(int)
    judge = np.clip(human + np.repeat(rng.choice([-1, 0, 1], 80), 4), 1, 4)
    path = tmp_path / "grouped.csv"
    lines = [f"i{i},c,{human[i]},{judge[i]},p{i // 4}" for i in range(320)]
    path.write_text("item,criterion,human,verdict,prompt\n" + "\n".join(lines) + "\n")
    ratings = metrics.read(path, order=FOUR.classes)
    flat, grouped = (metrics.scores(ratings, unit=unit).judges["judge"].pooled for unit in ("item", "prompt"))
    assert flat.values == grouped.values
    groups = [tables(human[i : i + 4, None] - 1, judge[i : i + 4, None] - 1)[0] for i in range(0, 320, 4)]
    counts = np.sum(groups, axis=0)
    error = left_out_error([float(functions_of(FOUR)["bias"](counts - own)) for own in groups])
    reach = stats.t.ppf(0.975, 79) * error
    assert grouped.intervals["bias"].method == "jackknife"
    assert grouped["bias"].ends == pytest.approx((grouped.values["bias"] - reach, grouped.values["bias"] + reach))
    assert grouped["bias"].ends[1] - grouped["bias"].ends[0] > 1.4 * (flat["bias"].ends[1] - flat["bias"].ends[0])


def test_very_many_options_have_the_jackknife_alone() -> None:
    k = MOST_CLASSES + 1
    order = Order(tuple(map(str, range(k))), tuple(map(float, range(k))), "labels")
    rng = np.random.default_rng(2)
    counts = np.zeros((k, k))
    reference = rng.integers(0, k, 300)
    np.add.at(counts, (reference, np.clip(reference + rng.integers(-2, 3, 300), 0, k - 1)), 1)
    functions = functions_of(order)
    values = {key: float(function(counts)) for key, function in functions.items()}
    found = ordered_table(counts, {key: functions[key] for key in functions if RECORDS[key].has_interval}, values, 0.95)
    assert {interval.method for interval in found.values()} == {"wilson", "jackknife"}
    assert set(found) == {key for key in functions if RECORDS[key].has_interval}
