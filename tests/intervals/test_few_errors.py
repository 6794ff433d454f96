"""Few items in error: the sample cannot tell whether criteria err together, or whether some items are wrong throughout."""

from __future__ import annotations

import numpy as np
import pytest

from metrics.intervals.default import Unit, macro_intervals, micro_intervals
from metrics.intervals.items import Coded
from metrics.measures.coefficients import accuracy, cohen_kappa, kappa_within, pabak

FUNCTIONS = {"kappa": cohen_kappa, "accuracy": accuracy, "pabak": pabak}


def unit_of(cell: np.ndarray) -> Unit:
    """Complete items from their confusion cells, shape (items, C), with two classes."""
    kinds, weight = np.unique(cell, axis=0, return_counts=True)
    coded = Coded(kinds.T.astype(np.int16), weight, 2)
    return Unit(coded, coded.per_criterion(), 0.95)


def levels(cell: np.ndarray):
    unit = unit_of(cell)
    pooled = {key: float(function(unit.by_criterion.sum(0))) for key, function in FUNCTIONS.items()}
    pooled["kappa_within"] = float(kappa_within(unit.by_criterion))
    own = {key: function(unit.by_criterion) for key, function in FUNCTIONS.items()}
    mean = {key: float(np.nanmean(column)) for key, column in own.items()}
    return micro_intervals(unit, FUNCTIONS, pooled), macro_intervals(unit, FUNCTIONS, mean, own)


def drawn(seed: int, n: int, c: int, whole: float, single: float = 0.0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    reference = (rng.random((n, c)) < 0.5).astype(int)
    wrong = (rng.random((n, 1)) < whole) | (rng.random((n, c)) < single)
    return 2 * reference + (reference ^ wrong)


def test_without_an_error_macro_is_as_wide_as_micro() -> None:
    micro, macro = levels(drawn(1, 50, 10, 0.0))
    assert macro["accuracy"].ends == pytest.approx(micro["accuracy"].ends, abs=1e-9)
    assert macro["accuracy"].low == pytest.approx(50 / (50 + 1.959964**2), abs=1e-4)
    assert macro["kappa"].low < 0.88
    assert micro["kappa_within"].low == pytest.approx(macro["kappa"].low, abs=0.01)
    assert macro["accuracy"].note == "small cell: 0 items with a disagreement"


def test_pabak_is_accuracy_on_its_own_scale() -> None:
    for level in levels(drawn(1, 50, 10, 0.0)):
        assert level["pabak"].ends == pytest.approx([2 * end - 1 for end in level["accuracy"].ends], abs=1e-9)


def test_with_many_items_in_error_the_jackknife_stands() -> None:
    micro, macro = levels(drawn(2, 200, 5, 0.0, single=0.15))
    assert {key: (own.method, own.note) for key, own in macro.items()} == dict.fromkeys(FUNCTIONS, ("jackknife", ""))
    assert macro["accuracy"].ends == pytest.approx(micro["accuracy"].ends, abs=1e-6)


@pytest.mark.slow("twenty made-up files")
def test_macro_is_never_narrower_than_micro_at_accuracy() -> None:
    for seed in range(20):
        micro, macro = levels(drawn(seed, 30, 6, 0.05, single=0.02))
        assert macro["accuracy"].low <= micro["accuracy"].low + 1e-9
        assert macro["accuracy"].high >= micro["accuracy"].high - 1e-9


@pytest.mark.slow("simulates 60 samples")
def test_two_items_are_as_wide_as_micro() -> None:
    micro, macro = levels(np.array([[0, 0, 0, 1], [0, 3, 3, 1]]))
    for key in ("accuracy", "pabak"):
        assert macro[key].low <= micro[key].low + 1e-9
        assert macro[key].high >= micro[key].high - 1e-9
        assert macro[key].note
    assert micro["kappa_within"].ends == pytest.approx((-1, 1), abs=0.002)  # as that of κ
    covered = 0
    for seed in range(60):
        found = levels(drawn([9, seed], 2, 4, 0.0, single=0.15))[0]
        covered += "kappa_within" not in found or found["kappa_within"].low <= 0.7 <= found["kappa_within"].high
    assert covered >= 0.9 * 60


def single_errors(n: int, c: int, wrong: int) -> np.ndarray:
    """Items of half positives, the first of them wrong on one criterion each."""
    reference = np.add.outer(np.arange(n), np.arange(c)) % 2
    error = np.zeros((n, c), int)
    error[np.arange(wrong), 3 * np.arange(wrong) % c] = 1
    return 2 * reference + (reference ^ error)


def test_single_errors_do_not_hide_items_that_are_wrong_throughout() -> None:
    n, c, z = 50, 10, 1.959963985
    micro, macro = levels(single_errors(n, c, 5))
    value, share = 1 - 5 / (n * c), z**2 / (n + z**2)
    single, unseen = z * np.sqrt(value * (1 - value) / (n * c - 1)), share * value
    assert micro["accuracy"].low == pytest.approx(value - np.hypot(single, unseen), abs=1e-9)
    assert micro["accuracy"].high < 0.998
    assert macro["accuracy"].ends == pytest.approx(micro["accuracy"].ends, abs=1e-4)
    assert {own.note for own in micro.values()} == {"small cell: 5 items with a disagreement"}
    assert micro["accuracy"].method == "jackknife+mover"


def test_ten_items_in_error_reach_no_farther() -> None:
    micro, macro = levels(single_errors(50, 10, 10))
    assert micro["accuracy"].method == macro["accuracy"].method == "jackknife"
    assert micro["accuracy"].high - micro["accuracy"].low < 0.03


@pytest.mark.slow("simulates 50 samples of each setting")
@pytest.mark.parametrize(("n", "c", "whole", "single"), [(50, 10, 0.03, 0.0), (50, 20, 0.03, 0.0), (50, 10, 0.02, 0.01)])
def test_coverage_where_errors_take_whole_items(n: int, c: int, whole: float, single: float) -> None:
    """50 samples, s.e. 3 points at 95 %; without the rule 67 to 85 %."""
    true = 1 - (whole + (1 - whole) * single)
    targets = {
        "accuracy": true,
        "kappa": 2 * true - 1,
        "kappa_within": 2 * true - 1,
        "pooled": true,
        "pooled_kappa": 2 * true - 1,
    }
    hits = dict.fromkeys(targets, 0)
    for seed in range(50):
        micro, macro = levels(drawn([3, seed], n, c, whole, single))
        found = macro | {"kappa_within": micro["kappa_within"], "pooled": micro["accuracy"], "pooled_kappa": micro["kappa"]}
        for key, target in targets.items():
            hits[key] += found[key].low <= target <= found[key].high
    assert min(hits.values()) >= 0.9 * 50, hits


def test_more_cells_than_there_are_points_for_leave_the_jackknife_alone() -> None:
    """25 labels on 40 criteria of 19 items: 25,000 cells."""
    rng, k, shape = np.random.default_rng(0), 25, (40, 19)
    reference = rng.integers(0, k, shape)
    judge = np.where(rng.random(shape) < 0.7, reference, rng.integers(0, k, shape))
    coded = Coded((reference * k + judge).astype(np.int16), np.ones(19, np.int64), k)
    found = Unit(coded, coded.per_criterion(), 0.95)
    value = float(kappa_within(found.by_criterion))
    interval = micro_intervals(found, {}, {"kappa_within": value})["kappa_within"]
    assert interval.method == "jackknife"
    assert interval.low < value < interval.high
    assert found.small
