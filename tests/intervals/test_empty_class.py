"""A class of abstentions that nobody gave changes no interval."""

from __future__ import annotations

import pytest

import metrics
from tests.conftest import of_tables


def ends(ratings: metrics.Ratings, mode: str, level: str, **how: str) -> dict[str, tuple[float, float] | None]:
    block = metrics.agreement(ratings, abstention=mode, **how).judges["j"].level(level)  # type: ignore[arg-type]
    return {key: block.ends(key) for key in ("kappa", "accuracy", "balanced_accuracy")}


@pytest.mark.parametrize("level", ["micro", "macro", "item"])
@pytest.mark.parametrize("tables", [[[[13, 4], [5, 8]]], [[[20, 0], [0, 20]], [[18, 2], [1, 19]]]])
def test_one_number_has_one_interval_whatever_an_abstention_would_be(level: str, tables: list[list[list[int]]]) -> None:
    ratings = of_tables(*tables)
    assert ends(ratings, "as_category", level) == ends(ratings, "exclude", level)


def test_a_class_that_somebody_gave_keeps_its_own_interval() -> None:
    ratings = of_tables([[13, 4, 1], [5, 8, 0], [0, 0, 0]])
    assert ends(ratings, "as_category", "micro") != ends(ratings, "exclude", "micro")


def test_costs_of_three_classes_do_not_stop_it() -> None:
    report = metrics.agreement(of_tables([[13, 4], [5, 8]]), abstention="as_category", cost="halfway")
    assert report.judges["j"].micro.ends("weighted_kappa") is not None
