"""The labels of several raters as units, and the number a label stands for."""

from __future__ import annotations

import numpy as np
import pytest

import metrics
from metrics.analyses.raters.units import NONE, units_of
from metrics.data.order import values_of
from metrics.errors import InputError

THREE = ("low", "mid", "high")


def test_numbers_are_used_for_interval_and_ratio_also_where_an_order_is_given() -> None:
    for ordered in (False, True):
        assert values_of(("10", "2", "1.0"), "interval", ordered=ordered).tolist() == [10, 2, 1]
        assert values_of(("10", "2", "1.0"), "ratio", ordered=ordered).tolist() == [10, 2, 1]


def test_an_ordinal_level_ranks_by_the_given_order_else_by_value() -> None:
    assert values_of(("10", "2", "1"), "ordinal", ordered=True).tolist() == [1, 2, 3]
    assert values_of(("10", "2", "1"), "ordinal").argsort().tolist() == [2, 1, 0]


def test_words_take_their_places_where_an_order_is_given() -> None:
    for level in ("ordinal", "interval", "ratio"):
        assert values_of(THREE, level, ordered=True).tolist() == [1, 2, 3]


@pytest.mark.parametrize("classes", [THREE, ("1", "nan"), ("1", "inf")])
@pytest.mark.parametrize("level", ["ordinal", "interval", "ratio"])
def test_words_without_an_order_are_refused(classes, level) -> None:
    with pytest.raises(InputError, match="order="):
        values_of(classes, level)


def test_what_else_is_refused() -> None:
    with pytest.raises(InputError, match="zero and more"):
        values_of(("-1", "0"), "ratio")
    with pytest.raises(InputError, match="Unknown level"):
        values_of(THREE, "rank")  # type: ignore[arg-type]


def file_of(rows: list[str]) -> metrics.Ratings:
    return metrics.read(("item,criterion,rater,role,label\n" + "\n".join(rows) + "\n").encode())


def test_an_answer_without_a_verdict_is_missing_unless_it_is_a_class() -> None:
    rows = [
        "i1,c,a,human,MET",
        "i1,c,b,human,UNMET",
        "i2,c,a,human,CANNOT_ASSESS",
        "i2,c,b,human,MET",
        "i3,c,a,human,CANNOT_ASSESS",
    ]
    ratings = file_of(rows)
    assert units_of(ratings).labels.tolist() == [[0, 1], [NONE, 0]]
    assert units_of(ratings, mode="as_category").labels.tolist() == [[0, 1], [2, 0], [2, NONE]]
    assert units_of(ratings, mode="as_unmet").labels.tolist() == [[0, 1], [1, 0], [1, NONE]]
    assert units_of(ratings, mode="as_category").votes.tolist() == [[1, 1, 0], [1, 0, 1], [0, 0, 1]]


def test_humans_are_meant_where_there_are_two_else_judges() -> None:
    both = [f"i1,c,{who},{role},MET" for who, role in (("a", "human"), ("b", "human"), ("x", "judge"), ("y", "judge"))]
    assert units_of(file_of(both)).raters == ("a", "b")
    assert units_of(file_of(both), "judge").raters == ("x", "y")
    assert units_of(file_of(both[1:])).role == "judge"
    with pytest.raises(InputError, match="two or more"):
        units_of(file_of(both[1:]), "human")


def test_some_raters_and_one_criterion() -> None:
    rows = ["i1,c,a,human,MET", "i1,c,b,human,UNMET", "i1,d,b,human,MET", "i2,d,e,human,MET"]
    units = units_of(file_of(rows))
    assert units.of_criterion(1).labels.tolist() == [[NONE, 0, NONE], [NONE, NONE, 0]]
    two = units.by(np.array([0, 1]))
    assert two.labels.tolist() == [[0, 1], [NONE, 0]]
    assert two.raters == ("a", "b")
    assert two.n_ratings == 3
