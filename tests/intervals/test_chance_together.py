"""κ, φ, J and balanced accuracy are at chance together on one table, so their intervals hold chance together or not at all."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
import pytest

import metrics
from metrics.analyses.records import Block
from metrics.intervals.chance_together import alike_at_chance, at_chance
from metrics.intervals.default import table_intervals
from metrics.measures.coefficients import cohen_kappa, mcc_multiclass, phi
from metrics.measures.rates import balanced_accuracy, youden_j
from metrics.measures.transforms import Interval

METHODS = ("auto", "jackknife", "dirichlet", "bootstrap", "bca")
CELLS = ("MET,MET", "MET,UNMET", "UNMET,MET", "UNMET,UNMET")


def tables(n: int) -> Iterator[tuple[int, ...]]:
    """Every table of n decisions, as its four cells."""
    return (cells for cells in itertools.product(range(n + 1), repeat=4) if sum(cells) == n)


def ratings_of(*criteria: tuple[int, ...]) -> metrics.Ratings:
    """Tables of criteria on the same items."""
    rows = ["item,criterion,judge,human,verdict"]
    for name, cells in enumerate(criteria):
        said = [label for label, times in zip(CELLS, cells, strict=True) for _ in range(times)]
        rows += [f"i{item},c{name},j,{own}" for item, own in enumerate(said)]
    return metrics.read("\n".join(rows).encode())


def conclusions(block: Block) -> set[bool]:
    """Whether chance is held, by each of the numbers that have an interval."""
    together = at_chance(np.eye(len(block.labels)))
    own = {key: block[key].ends for key in together}
    return {ends[0] <= together[key] <= ends[1] for key, ends in own.items() if ends is not None}


def test_the_four_have_one_sign_on_every_small_table() -> None:
    for cells in tables(7):
        table = np.array(cells, float).reshape(2, 2)
        signs = [float(np.sign(np.round(value, 12))) for value in (
            cohen_kappa(table), phi(table), youden_j(table), 2 * balanced_accuracy(table) - 1
        ) if not np.isnan(value)]  # fmt: skip
        defined = not np.isnan(phi(table))
        assert not defined or len(set(signs)) == 1, cells


def test_kappa_and_correlation_of_three_classes_have_one_sign() -> None:
    for seed in range(300):
        table = np.random.default_rng(seed).integers(0, 4, (3, 3)).astype(float)
        kappa, correlation = cohen_kappa(table), mcc_multiclass(table)
        if not np.isnan(kappa + correlation):
            assert np.sign(np.round(kappa, 12)) == np.sign(np.round(correlation, 12))


@pytest.mark.slow("every small table")
@pytest.mark.parametrize("method", METHODS)
def test_one_conclusion_on_every_small_table(method: str) -> None:
    held = {False: 0, True: 0}
    for cells in [*tables(5), (9, 0, 1, 4), (9, 1, 0, 4), (8, 1, 1, 5), (2, 0, 3, 15), (7, 1, 1, 7)]:
        judge = metrics.agreement(ratings_of(cells), interval=method, replicates=100).judges["j"]
        for block in (judge.micro, judge.macro, judge.item, judge.criteria["c0"]):
            found = conclusions(block)
            assert len(found) < 2, (cells, method)
            held[True in found] += bool(found)
        assert judge.micro["kappa_within"].ends == judge.micro["kappa"].ends
    assert all(held.values()), "both conclusions must occur"


@pytest.mark.slow("bootstraps made-up files")
@pytest.mark.parametrize("method", METHODS)
def test_one_conclusion_over_several_criteria(method: str) -> None:
    rng = np.random.default_rng(3)
    held = {False: 0, True: 0}
    for _ in range(15):
        criteria = [tuple(int(x) for x in rng.multinomial(12, rng.dirichlet((4, 1, 1, 2)))) for _ in range(2)]
        report = metrics.agreement(ratings_of(*criteria), interval=method, replicates=100).judges["j"]
        for block in (report.micro, *report.criteria.values(), report.item):
            found = conclusions(block)
            assert len(found) < 2, criteria
            held[True in found] += bool(found)
    assert all(held.values())


def test_means_over_criteria_are_not_tied() -> None:
    """A mean of κ and a mean of φ may have two signs, so that one may be beyond chance and the other not."""
    first, second = np.array([[1.0, 0], [9, 20]]), np.array([[10.0, 10], [11, 8]])
    kappas, phis = (float(np.mean([f(one) for one in (first, second)])) for f in (cohen_kappa, phi))
    assert (kappas > 0) == (phis > 0)
    opposed = [
        (a, b)
        for a, b in itertools.product(list(tables(6)), repeat=2)
        if (k := _mean(cohen_kappa, a, b)) * (p := _mean(phi, a, b)) < -1e-9 and not np.isnan(k + p)
    ]
    assert opposed, "two tables whose means of κ and of φ have opposite signs"
    kept = {"kappa": Interval(0.1, 0.5, "mover"), "phi": Interval(-0.1, 0.6, "mover")}
    assert alike_at_chance(kept, np.eye(2))["kappa"].low == 0.0


def _mean(function: object, *cells: tuple[int, ...]) -> float:
    own = [float(function(np.array(one, float).reshape(2, 2))) for one in cells]  # type: ignore[operator]
    return float(np.mean(own))


def test_three_raters_have_a_mean_over_pairs_which_is_not_tied() -> None:
    """Of three raters κ and φ are means over three tables; opposite signs of them occur, so each keeps its own interval."""
    rng, opposed = np.random.default_rng(0), 0
    for _ in range(4000):
        labels = (rng.random((10, 3)) < rng.random(3)).astype(int)
        pairs = [np.bincount(2 * labels[:, a] + labels[:, b], minlength=4).reshape(2, 2) for a, b in ((0, 1), (0, 2), (1, 2))]
        kappa, correlation = (float(np.mean([f(one) for one in pairs])) for f in (cohen_kappa, phi))
        opposed += bool(kappa * correlation < -1e-9)
    assert opposed


def test_ends_are_moved_to_chance_and_no_farther() -> None:
    found = {"kappa": Interval(0.02, 0.5, "a"), "phi": Interval(-0.01, 0.6, "a"), "balanced_accuracy": Interval(0.52, 0.8, "a")}
    held = alike_at_chance({**found, "accuracy": Interval(0.6, 0.9, "a")}, np.eye(2))
    assert held["kappa"].ends == (0.0, 0.5)
    assert held["phi"] == found["phi"]
    assert held["balanced_accuracy"].ends == (0.5, 0.8)
    assert held["accuracy"].ends == (0.6, 0.9)
    clear = {key: Interval(0.55, 0.9, "a") for key in found}
    assert alike_at_chance(clear, np.eye(2)) == clear
    assert alike_at_chance({**clear, "balanced_accuracy": Interval(0.4, 0.8, "a")}, np.eye(3))["kappa"] == clear["kappa"]
    nowhere = Interval(float("nan"), float("nan"), "bca")
    assert alike_at_chance({"kappa": nowhere, "phi": found["phi"]}, np.eye(2))["kappa"].ends is None


def test_a_number_asked_for_alone_has_the_same_interval() -> None:
    functions = {"kappa": cohen_kappa, "phi": phi, "youden_j": youden_j, "balanced_accuracy": balanced_accuracy}
    for cells in ((9, 0, 1, 4), (2, 0, 3, 15), (20, 3, 2, 25)):
        table = np.array(cells, float).reshape(2, 2)
        values = {key: float(function(table)) for key, function in functions.items()}
        every = table_intervals(table, functions, values, 0.95)
        for key, function in functions.items():
            assert table_intervals(table, {key: function}, {key: values[key]}, 0.95)[key].ends == every[key].ends
