"""Invariants of every metric of the catalogue, driven by what its record says."""

from __future__ import annotations

import inspect
import itertools
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import metrics
from metrics.measures import coefficients, rates
from metrics.measures.catalogue import BY_KEY, CATALOGUE, WEIGHTED_KAPPA, applicable
from metrics.measures.metric import Classes, Group, Need, holds, why_undefined

RECORDS = [pytest.param(metric, id=metric.key) for metric in BY_KEY.values()]
OF_ONE_TABLE = [(m, k) for k in (2, 3, 4) for m in applicable(k, "table")]
OF_CRITERIA = [(m, k) for k in (2, 3) for m in applicable(k, "criteria")]
ANY = OF_ONE_TABLE + OF_CRITERIA
EACH = [pytest.param(m, k, id=f"{m.key}-{k}") for m, k in ANY]
EACH_OF_ONE_TABLE = [pytest.param(m, k, id=f"{m.key}-{k}") for m, k in OF_ONE_TABLE]
LABELS = ("MET", "UNMET", "CA", "other")
TINY = 1e-11


def counts(k: int, *leading: int) -> st.SearchStrategy[np.ndarray]:
    """Tables of which many have empty cells, rows or columns."""
    cells = st.one_of(st.just(0), st.integers(0, 3), st.integers(0, 500))
    return arrays(np.int64, (*leading, k, k), elements=cells, fill=st.just(0))


def random_counts(k: int, n: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng([seed, k])
    return rng.poisson(rng.choice([0.3, 2, 30], (n, 1, 1)) * rng.random((n, k, k)))


def shaped(metric, k: int, n: int, seed: int = 0) -> np.ndarray:
    """Random input of a metric: n tables, or n stacks of three criteria."""
    tables = random_counts(k, 3 * n, seed)
    return tables.reshape(n, 3, k, k) if metric.takes == "criteria" else tables[:n]


def same(a, b) -> bool:
    return bool(np.allclose(a, b, rtol=0, atol=TINY, equal_nan=True))


@pytest.mark.parametrize("metric", RECORDS)
def test_record_is_complete(metric) -> None:
    assert metric.name
    assert metric.symbol
    assert 0 < len(metric.answers.split()) <= 35
    assert metric.answers.endswith(".")
    assert metric.source
    assert metric.formula
    assert metric.classes in get_args(Classes)
    assert metric.group in get_args(Group)
    assert set(metric.needs) <= set(get_args(Need))
    assert metric.low < metric.high
    assert metric.unit in ("", "%", "points")
    assert getattr(metrics, metric.function.__name__).__wrapped__ is metric.function
    for other in (metric.transposed, metric.flipped):
        assert not other or other.removeprefix("-") in BY_KEY


@pytest.mark.parametrize("metric", RECORDS)
def test_changing_places_twice_changes_nothing(metric) -> None:
    for field in ("transposed", "flipped"):
        there = getattr(metric, field)
        if there:
            back = getattr(BY_KEY[there.removeprefix("-")], field)
            assert back.removeprefix("-") == metric.key
            assert back.startswith("-") == there.startswith("-")


def test_keys_names_and_symbols_are_distinct() -> None:
    for field in ("key", "name", "symbol", "function"):
        values = [getattr(metric, field) for metric in (*CATALOGUE, WEIGHTED_KAPPA)]
        assert len(set(values)) == len(values)


def test_every_count_level_function_of_the_package_has_a_record() -> None:
    public = {
        name
        for module in (coefficients, rates)
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__ and name in metrics.__all__
    }
    assert public == {metric.function.__name__ for metric in BY_KEY.values()}
    helpers = {"class_scores", "classes_used", "disagreements", "penalties"}
    every = {
        name
        for module in (coefficients, rates)
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__ and not name.startswith("_")
    }
    assert every - public == helpers


@pytest.mark.parametrize(("metric", "k"), EACH)
def test_leading_axes_equal_a_loop(metric, k: int) -> None:
    tables = shaped(metric, k, 12).reshape(3, 4, *((3,) if metric.takes == "criteria" else ()), k, k)
    values = metric.function(tables)
    assert values.shape == (3, 4)
    for i, j in itertools.product(range(3), range(4)):
        assert same(values[i, j], metric.function(tables[i, j]))
        assert np.shape(metric.function(tables[i, j].tolist())) == ()
    assert metric.function(tables[:0]).shape == (0, 4)


@pytest.mark.parametrize(("metric", "k"), EACH)
def test_input_is_left_alone(metric, k: int) -> None:
    tables = shaped(metric, k, 5)
    before = tables.copy()
    metric.function(tables)
    assert (tables == before).all()


@settings(max_examples=40, deadline=None)
@given(data=st.data(), k=st.sampled_from([2, 3, 4]), factor=st.sampled_from([2, 7, 1000, 0.5]))
def test_scale_does_not_matter(data, k: int, factor: float) -> None:
    tables = data.draw(counts(k, 4))
    for metric in applicable(k):
        assert same(metric.function(tables * factor), metric.function(tables)), metric.key


def moved(field: str, tables: np.ndarray) -> np.ndarray:
    return np.swapaxes(tables, -1, -2) if field == "transposed" else tables[..., ::-1, ::-1]


@settings(max_examples=60, deadline=None)
@given(data=st.data(), k=st.sampled_from([2, 3, 4]), field=st.sampled_from(["transposed", "flipped"]))
def test_changing_places_does_what_the_record_says(data, k: int, field: str) -> None:
    tables = data.draw(counts(k, 3))
    for metric in applicable(k):
        there = getattr(metric, field)
        if there:
            sign = -1 if there.startswith("-") else 1
            other = BY_KEY[there.removeprefix("-")].function
            assert same(metric.function(moved(field, tables)), sign * other(tables)), (metric.key, there)


@pytest.mark.parametrize("field", ["transposed", "flipped"])
@pytest.mark.parametrize(("metric", "k"), EACH)
def test_an_empty_field_means_that_it_becomes_no_metric(metric, k: int, field: str) -> None:
    tables = shaped(metric, k, 60)
    there = metric.function(moved(field, tables))
    becomes = {
        sign + other.key
        for other in applicable(k, metric.takes)
        for sign in ("", "-")
        if same(there, (-1 if sign else 1) * other.function(tables))
    }
    declared = getattr(metric, field)
    assert declared in becomes if declared else not becomes


@settings(max_examples=60, deadline=None)
@given(data=st.data(), k=st.sampled_from([2, 3, 4]))
def test_any_order_of_the_classes_will_do(data, k: int) -> None:
    tables, order = data.draw(counts(k, 3)), data.draw(st.permutations(range(k)))
    for metric in applicable(k):
        if metric.classes != "two":
            mixed = tables[..., order, :][..., order]
            assert same(metric.function(mixed), metric.function(tables)), metric.key


@settings(max_examples=60, deadline=None)
@given(data=st.data(), k=st.sampled_from([2, 3, 4]))
def test_values_stay_in_their_range(data, k: int) -> None:
    tables = data.draw(counts(k, 4))
    for metric in applicable(k):
        values = np.atleast_1d(metric.function(tables))
        values = values[~np.isnan(values)]
        assert np.isfinite(values).all(), metric.key
        assert (values >= metric.low - TINY).all(), metric.key
        assert (values <= metric.high + TINY).all(), metric.key


@pytest.mark.parametrize(("metric", "k"), EACH_OF_ONE_TABLE)
def test_the_ends_of_the_range_are_reached(metric, k: int) -> None:
    small = np.array(list(itertools.product(range(3), repeat=4)), float).reshape(-1, 2, 2)
    tables = np.zeros((len(small), k, k))
    tables[:, :2, :2] = small
    values = metric.function(tables)
    if metric.key == "kappa_phi_gap":
        many = metric.function(random_counts(2, 3000))
        assert np.nanmin(many) < -0.1
        assert np.nanmax(many) > 0.02
        return
    if metric.key in ("gwet_ac1", "pabak") or k > 2:
        assert np.nanmax(values) == metric.high
        return
    low = {"kappa_phi_ratio": 0.9, "baseline_accuracy": 0.5}.get(metric.key, metric.low)
    assert np.nanmin(values) <= low
    assert np.nanmax(values) == pytest.approx(metric.high)


@settings(max_examples=150, deadline=None)
@given(data=st.data(), k=st.sampled_from([2, 3]))
def test_undefined_exactly_where_a_need_does_not_hold(data, k: int) -> None:
    table = data.draw(counts(k))
    for metric in applicable(k, "table"):
        unmet = not table.sum() or not all(holds(need, table) for need in metric.needs)
        assert np.isnan(metric.function(table)) == unmet, (metric.key, table)
        assert bool(why_undefined(metric, table.astype(float), LABELS[:k])) == unmet


def test_undefined_exactly_where_a_need_does_not_hold_on_every_pattern_of_empty_cells() -> None:
    for k, cells in ((2, range(3)), (3, range(2))):
        for table in itertools.product(cells, repeat=k * k):
            counted = np.reshape(table, (k, k)).astype(float)
            for metric in applicable(k, "table"):
                unmet = not counted.sum() or not all(holds(need, counted) for need in metric.needs)
                assert np.isnan(metric.function(counted)) == unmet, (metric.key, table)


@settings(max_examples=60, deadline=None)
@given(data=st.data(), k=st.sampled_from([2, 3]))
def test_over_criteria_undefined_exactly_without_any_chance_of_disagreement(data, k: int) -> None:
    tables = data.draw(counts(k, 3))
    both_constant = [(t.sum(0) + t.sum(1) > 0).sum() < 2 for t in tables]
    assert np.isnan(metrics.kappa_within(tables)) == all(both_constant)
    assert np.isnan(metrics.baseline_accuracy_by_criterion(tables)) == (tables.sum() == 0)


@settings(max_examples=60, deadline=None)
@given(data=st.data(), k=st.sampled_from([2, 3]))
def test_over_criteria_neither_order_nor_empty_criteria_matter(data, k: int) -> None:
    tables, order = data.draw(counts(k, 4)), data.draw(st.permutations(range(4)))
    more = np.concatenate([tables[order], np.zeros((2, k, k), np.int64)])
    for metric in applicable(k, "criteria"):
        assert same(metric.function(more), metric.function(tables))


def test_metrics_of_two_classes_are_not_offered_for_three() -> None:
    two, three = ({m.key for m in applicable(k)} for k in (2, 3))
    assert "phi" in two - three
    assert "kappa_phi_gap" in two - three
    assert {"pabak", "gwet_ac1"} <= two - three
    assert three - two == {"mcc_multiclass", "macro_j"}
    assert applicable(3) == applicable(7)
