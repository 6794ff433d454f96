"""A class that neither side gives changes no interval, whichever command gives it."""

from __future__ import annotations

import io
import itertools

import numpy as np
import pytest

import metrics
from metrics.intervals.rare_events import with_unseen
from metrics.measures.arrays import among, classes_in_use, spread_out
from tests.conftest import of_tables
from tests.one_number.gathered import OF_TWO, Asked, Number, gathered
from tests.one_number.made import BINARY, TWO, drawn, file_of

BY_NAME = ("jackknife", "dirichlet")
AGREEMENT = [[13, 4], [5, 8]]
FILES = {
    "small": lambda: file_of(drawn(1, 30, 1, 2, 0.5), TWO),
    "few errors": lambda: file_of(drawn(5, 40, 3, 2, 0.06), TWO),
    "three criteria": BINARY["three criteria"],
    "one criterion an item": BINARY["one criterion an item"],
}


def of_two(found: list[Number]) -> dict[tuple[str, str, str, str], Number]:
    """By what a number is, the correlation and J of two classes under one name whatever the number of classes is said to be."""
    names = {**OF_TWO, "macro_j": "youden_j"}
    return {(one.source, one.judge, one.level, names.get(one.metric, one.metric)): one for one in found}


@pytest.mark.parametrize(
    ("name", "asked"),
    [*((name, {}) for name in FILES), ("few errors", {"unit": "page"}), *(("small", {"interval": kind}) for kind in BY_NAME)],
)
def test_abstentions_that_nobody_gives_change_no_interval(name: str, asked: dict[str, str]) -> None:
    ratings = FILES[name]()
    plain, third = (of_two(gathered(ratings, Asked(mode, **asked))) for mode in ("exclude", "as_category"))
    shared = plain.keys() & third.keys()
    assert {one[3] for one in shared} >= {"kappa", "phi", "accuracy", "balanced_accuracy", "macro_f1", "youden_j"}
    if not {"interval", "unit"} & set(asked):
        assert {one[0] for one in shared} >= {"agreement", "compare", "choose", "report", "review", "ensemble", "raters"}
    for key in shared:
        one, other = plain[key], third[key]
        if one.ends is not None and one.value == pytest.approx(other.value, abs=1e-9) and one.rests_on == other.rests_on:
            assert other.ends == pytest.approx(one.ends, abs=1e-9), key


def test_the_interval_of_thirty_decisions() -> None:
    for mode, level in itertools.product(("exclude", "as_category"), ("micro", "macro", "item")):
        block = metrics.agreement(of_tables(AGREEMENT), abstention=mode).judges["j"].level(level)  # type: ignore[arg-type]
        assert block["kappa"].ends == pytest.approx((0.026, 0.650), abs=1e-3)


def test_a_class_that_somebody_gives_has_an_interval_of_its_own() -> None:
    ratings = of_tables([[13, 4, 1], [5, 8, 0], [0, 0, 0]])
    ends = [metrics.agreement(ratings, abstention=mode).judges["j"].micro["kappa"].ends for mode in ("exclude", "as_category")]
    assert ends[0] != pytest.approx(ends[1], abs=1e-3)


def classes(*tables: list[list[int]], labels: tuple[str, ...]) -> metrics.Ratings:
    rows = ["item,criterion,judge,human,verdict"]
    for name, table in enumerate(tables):
        cells = [(r, c) for r, c in np.ndindex(len(table), len(table)) for _ in range(table[r][c])]
        rows += [f"i{item},c{name},j,{labels[r]},{labels[c]}" for item, (r, c) in enumerate(cells)]
    return metrics.read(io.StringIO("\n".join(rows)), labels=dict.fromkeys(labels, "class"))


def test_options_of_another_criterion_change_no_interval_of_one() -> None:
    """Red and green on the first criterion; the second has blue as well, which comes first by name."""
    third = [[9, 2, 1], [1, 8, 2], [2, 1, 9]]
    alone = classes([[15, 3], [4, 13]], labels=("green", "red"))
    both = classes([[0, 0, 0], [0, 15, 3], [0, 4, 13]], third, labels=("blue", "green", "red"))
    one, other = (metrics.agreement(ratings).judges["j"].criteria["c0"] for ratings in (alone, both))
    assert other["kappa"].ends == pytest.approx(one["kappa"].ends, abs=1e-9)
    assert other["mcc_multiclass"].ends == pytest.approx(one["phi"].ends or one["mcc_multiclass"].ends, abs=1e-9)


def test_grades_that_nobody_gives_change_no_interval() -> None:
    ratings = file_of(drawn(11, 40, 2, 3, 0.4), ("1", "2", "3"))
    few, many = (metrics.scores(ratings, order=order) for order in (("1", "2", "3"), ("1", "2", "3", "4", "5")))
    for key in ("weighted_kappa_quadratic", "spearman", "kappa"):
        one, other = (report.judges["a"].pooled for report in (few, many))
        assert one.values[key] == pytest.approx(other.values[key])
        assert other[key].ends == pytest.approx(one[key].ends, abs=1e-9)


def test_items_not_seen_err_among_the_classes_in_use() -> None:
    three = np.zeros((3, 3))
    three[:2, :2] = AGREEMENT
    found = with_unseen(three, 30, 0.95)
    assert found[:2, :2] == pytest.approx(with_unseen(three[:2, :2], 30, 0.95))
    assert not found[2].any()
    assert not found[:, 2].any()


def test_two_classes_count_at_least() -> None:
    one = np.zeros((3, 3))
    one[1, 1] = 7
    assert classes_in_use(one).tolist() == [True, True, False]
    assert classes_in_use(one[None] * 2).tolist() == [True, True, False]
    used = classes_in_use(np.diag([3.0, 0, 4]))
    assert spread_out(among(np.diag([3.0, 0, 4]), used), used).tolist() == np.diag([3.0, 0, 4]).tolist()
