"""The jackknife on merged items against leaving out one item at a time, literally."""

from __future__ import annotations

import numpy as np
import pytest

import metrics
from metrics.data.abstention import apply_mode
from metrics.data.labels import Scheme
from metrics.data.patterns import Patterns, merge
from metrics.intervals.items import Coded, MacroJackknife
from metrics.intervals.jackknife import flat_errors, pooled_errors, within_errors
from metrics.measures.arrays import FloatArray
from metrics.measures.catalogue import applicable
from metrics.measures.transforms import covering, jackknife_error, transformed, wider

SCHEME = Scheme((("MET", "positive"), ("UNMET", "negative"), ("CANNOT_ASSESS", "abstention")))
MODES = ("exclude", "as_unmet", "as_category")
MISSING = SCHEME.state("missing")


def some_items(seed: int, n_items: int = 60, n_criteria: int = 4) -> tuple[Patterns, FloatArray]:
    """Correlated verdicts with abstentions and gaps; the raw tables item by item, shape (n_items, C, R, R)."""
    rng = np.random.default_rng(seed)
    effect = rng.normal(size=(n_items, 1))
    reference = np.where(effect + rng.normal(size=(n_items, n_criteria)) > -0.4, 0, 1)
    judge = np.where(rng.random((n_items, n_criteria)) < 0.8, reference, 1 - reference)
    for side in (reference, judge):
        side[rng.random(side.shape) < 0.1] = 2
        side[rng.random(side.shape) < 0.05] = MISSING
    item, criterion = np.divmod(np.arange(n_items * n_criteria), n_criteria)
    patterns = merge(
        item.astype(np.int32), criterion.astype(np.int32), reference.ravel().astype(np.int8), judge.ravel().astype(np.int8),
        n_items=n_items, n_criteria=n_criteria, n_states=SCHEME.n_states,
    )  # fmt: skip
    raw = np.zeros((n_items, n_criteria, SCHEME.n_states, SCHEME.n_states), np.int64)
    raw[item, criterion, reference.ravel(), judge.ravel()] = 1
    return patterns, raw


def literal(values: FloatArray) -> float:
    n = len(values)
    return float(np.sqrt((n - 1) / n * ((values - values.mean()) ** 2).sum()))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("seed", range(4))
def test_pooled_error_is_the_literal_one(mode: str, seed: int) -> None:
    patterns, raw = some_items(seed)
    by_item = apply_mode(raw, SCHEME, mode)
    by_item = by_item[by_item.sum((1, 2, 3)) > 0].sum(1)
    total = by_item.sum(0).astype(float)
    functions = {m.key: m.function for m in applicable(len(total), "table")}
    found = pooled_errors(Coded.of(patterns, SCHEME, mode), total, functions)
    for key, function in functions.items():
        assert found[key] == pytest.approx(literal(function(total - by_item)), abs=1e-12), key


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("seed", range(4))
def test_macro_error_is_the_literal_one_over_the_criteria_still_defined(mode: str, seed: int) -> None:
    patterns, raw = some_items(seed, n_items=14 if seed % 2 else 60)
    by_item = apply_mode(raw, SCHEME, mode)
    by_item = by_item[by_item.sum((1, 2, 3)) > 0]
    total = by_item.sum(0).astype(float)
    functions = {m.key: m.function for m in applicable(total.shape[-1], "table")}
    found = MacroJackknife.of(Coded.of(patterns, SCHEME, mode), total, functions).errors()
    for key, function, error in zip(functions, functions.values(), found, strict=True):
        left = function(total - by_item)
        defined = ~np.isnan(left)
        if not defined.any(1).all():
            assert np.isnan(error), key
            continue
        means = np.where(defined, left, 0).sum(1) / defined.sum(1)
        assert error == pytest.approx(literal(means), abs=1e-12), key


@pytest.mark.parametrize("mode", MODES)
def test_within_error_is_the_literal_one(mode: str) -> None:
    patterns, raw = some_items(9)
    by_item = apply_mode(raw, SCHEME, mode)
    by_item = by_item[by_item.sum((1, 2, 3)) > 0]
    total = by_item.sum(0).astype(float)
    clustered, flat = within_errors(Coded.of(patterns, SCHEME, mode), total)
    assert clustered == pytest.approx(literal(metrics.kappa_within(total - by_item)), abs=1e-12)
    decisions = np.concatenate(
        [np.repeat(np.eye(total.size)[cell][None], int(n), 0) for cell, n in enumerate(total.ravel()) if n]
    )
    assert flat == pytest.approx(literal(metrics.kappa_within(total - decisions.reshape(-1, *total.shape))), abs=1e-12)


def test_flat_error_takes_decisions_for_units() -> None:
    counts = np.array([[30.0, 10.0], [10.0, 20.0]])
    decisions = np.eye(4)[np.repeat(np.arange(4), counts.ravel().astype(int))].reshape(-1, 2, 2)
    expected = literal(metrics.cohen_kappa(counts - decisions))
    assert flat_errors(counts, {"kappa": metrics.cohen_kappa})["kappa"] == pytest.approx(expected, abs=1e-13)


def test_jackknife_of_a_mean_is_its_textbook_error() -> None:
    x = np.array([0.0, 1.0, 1.0, 5.0, 2.0])
    left = (x.sum() - x) / 4
    assert jackknife_error(left, np.ones(5)) == pytest.approx(x.std(ddof=1) / np.sqrt(5))


def test_one_unit_has_no_error() -> None:
    assert np.isnan(jackknife_error(np.array([0.3]), np.array([1.0])))


BOUNDARY = [(0.0, "logit"), (1.0, "logit"), (1.0, "fisher"), (-1.0, "fisher"), (1 - 2e-16, "fisher"), (1 - 2e-16, "logit")]


@pytest.mark.parametrize(("value", "transform"), BOUNDARY)
def test_a_value_on_the_boundary_or_within_rounding_of_it_has_no_transformed_interval(value: float, transform: str) -> None:
    assert np.isnan(transformed(value, 0.1, transform, 2.0)).all()


def test_transformed_ends_stay_inside_the_range_and_around_the_value() -> None:
    for value, transform, low, high in ((0.97, "logit", 0, 1), (-0.95, "fisher", -1, 1)):
        ends = transformed(value, 0.2, transform, 2.0)
        assert low < ends[0] < value < ends[1] < high


def test_no_width_is_no_interval() -> None:
    assert np.isnan(transformed(0.5, 0.0, "logit", 2.0)).all()
    assert np.isnan(transformed(0.5, 1e-17, "logit", 2.0)).all()


def test_wider_takes_end_by_end_and_ignores_the_undefined() -> None:
    assert wider((0.1, 0.5), (0.2, 0.7)) == (0.1, 0.7)
    assert wider((float("nan"), float("nan")), (0.2, 0.7)) == (0.2, 0.7)


def test_an_end_is_moved_to_a_value_it_would_exclude() -> None:
    assert covering(0.9, (0.2, 0.8)) == (0.2, 0.9)
