"""The order of classes, and what they are worth."""

from __future__ import annotations

import pytest

from metrics.data.labels import Scheme
from metrics.data.order import Order, order_of
from metrics.errors import InputError

WORDS = Scheme((("mid", "class"), ("high", "class"), ("low", "class")))


def numbers(*labels: str, **options: object) -> Scheme:
    return Scheme(tuple((label, "class") for label in labels), **options)  # type: ignore[arg-type]


def test_numbers_are_ordered_by_value_and_not_by_letters() -> None:
    found = order_of(numbers("10", "9", "2", "1.0"))
    assert found == Order(("1.0", "2", "9", "10"), (1.0, 2.0, 9.0, 10.0), "labels")
    assert found.rises
    assert not found.reversed


def test_words_need_an_order_and_take_their_places() -> None:
    with pytest.raises(InputError, match=r"f.csv: ‘mid’, ‘high’, ‘low’ have no order. Give it with order="):
        order_of(WORDS, file="f.csv")
    assert order_of(WORDS, ("low", "MID", "high")) == Order(("low", "mid", "high"), (1.0, 2.0, 3.0), "places")


def test_given_values_order_words_and_stand_beside_a_given_order() -> None:
    worth = {"high": 5, "low": 0, "mid": 1}
    assert order_of(WORDS, values=worth) == Order(("low", "mid", "high"), (0.0, 1.0, 5.0), "given")
    assert order_of(WORDS, ("high", "mid", "low"), worth).values == (5.0, 1.0, 0.0)
    assert order_of(numbers("1", "2"), values={"1": 0, "2.0": 25}).values == (0.0, 25.0)


def test_the_order_of_the_scheme_holds_and_numbers_keep_their_values() -> None:
    falling = order_of(numbers("1", "2", "3", order=("3", "2", "1")))
    assert falling.classes == ("3", "2", "1")
    assert falling.values == (3.0, 2.0, 1.0)
    assert falling.reversed


def test_an_order_may_name_options_nobody_chose_but_none_may_lack() -> None:
    assert order_of(numbers("1", "3"), ("1", "2", "3")).classes == ("1", "2", "3")
    with pytest.raises(InputError, match=r"the order 1, 2 lacks ‘3’"):
        order_of(numbers("1", "3"), ("1", "2"))
    with pytest.raises(InputError, match="names a class twice"):
        order_of(numbers("1", "2"), ("1", "2", "2.0"))


def test_labels_that_occur_nowhere_are_no_options_unless_the_order_names_them() -> None:
    assert order_of(numbers("1", "2", "9", unused=("9",))).classes == ("1", "2")
    assert order_of(numbers("1", "2", "9", unused=("9",), order=("1", "2", "9"))).classes == ("1", "2", "9")


def test_of_two_labels_the_negative_one_is_lower() -> None:
    binary = Scheme((("MET", "positive"), ("UNMET", "negative"), ("NA", "abstention")), unused=("UNMET",))
    assert order_of(binary) == Order(("UNMET", "MET"), (1.0, 2.0), "places")


def test_one_label_is_no_scale() -> None:
    with pytest.raises(InputError, match="every label is ‘3’: nothing to tell apart"):
        order_of(numbers("3"))
    assert order_of(numbers("3"), ("1", "2", "3")).k == 3


@pytest.mark.parametrize(
    ("values", "said"),
    [({"low": 0}, "lack ‘mid’, ‘high’"), ({"low": 0, "mid": 1, "high": 2, "top": 3}, "‘top’, which is no class"),
     ({"low": 0, "mid": float("nan"), "high": 2}, "every value must be a number")],
)  # fmt: skip
def test_values_must_fit(values, said) -> None:
    with pytest.raises(InputError, match=said):
        order_of(WORDS, ("low", "mid", "high"), values)


def test_numbers_that_no_label_is_called_are_named() -> None:
    assert order_of(numbers("1", "2", "5")).missing_numbers() == (3, 4)
    assert order_of(numbers("5", "2", order=("5", "2"))).missing_numbers() == (3, 4)
    assert order_of(numbers("1", "2", "3")).missing_numbers() == ()
    assert order_of(numbers("0", "0.5", "3")).missing_numbers() == ()
    assert order_of(WORDS, values={"low": 1, "mid": 2, "high": 9}).missing_numbers() == ()


def test_a_class_is_found_under_any_spelling() -> None:
    order = order_of(numbers("1", "2", "3"))
    assert order.place("2.0") == 1
    with pytest.raises(InputError, match=r"No class is called '7'\. The order is 1 < 2 < 3"):
        order.place("7")
