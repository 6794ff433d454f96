"""Numbers and names as they are written."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.results import words
from metrics.results.estimate import Estimate, Interval
from metrics.results.tables import Column, Format, Table, as_text, with_interval_columns


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.81, "0.81"), (-0.04, "−0.04"), (-0.001, "0.00"), (0, "0.00"), (1, "1.00"), (np.float64(0.5), "0.50")],
)
def test_numbers_have_two_decimals_and_a_true_minus(value: float, text: str) -> None:
    assert words.number(value) == text


@given(st.floats(-1e6, 1e6), st.integers(2, 3))
def test_a_number_that_others_write_reads_as_here(value: float, digits: int) -> None:
    """Python and the browser write −0.004 as "-0.00"."""
    shown = f"{words.printed(value, digits):.{digits}f}".replace("-", words.MINUS)
    assert shown == (words.number if digits == 2 else words.three)(value)


def test_only_what_reads_0_loses_its_sign() -> None:
    assert math.copysign(1, words.printed(-0.004)) == 1
    assert words.printed(-0.006) == -0.01
    assert math.isnan(words.printed(None))
    assert words.printed(-math.inf) == -math.inf


@pytest.mark.parametrize("write", [words.number, words.p3, words.count, words.percent, words.points, words.tick])
def test_undefined_is_a_dash(write) -> None:
    assert write(math.nan) == write(None) == "–"


def test_infinite_values_are_said() -> None:
    assert words.number(math.inf) == "∞"
    assert words.number(-math.inf) == "−∞"
    assert words.percent(math.inf) == "–"


def test_three_decimals() -> None:
    assert words.p3(0.04) == "0.040"
    assert words.p3(-0.0006) == "−0.001"
    assert words.p3(0.0001) == "<0.001"
    assert words.p3(0.0) == "0.000"


@pytest.mark.parametrize(
    ("value", "text"), [(0, "0"), (905, "905"), (1130, "1\u202f130"), (900000, "900\u202f000"), (-1130, "−1\u202f130")]
)
def test_counts_have_thin_spaces(value: int, text: str) -> None:
    assert words.count(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (26.7, "26.7"), (1130.0, "1\u202f130"), (1234.56, "1\u202f234.6"), (0.0, "0"), (0.04, "<0.1"), (0.05, "0.1"),
        (90.25, "90.3"), (0.25, "0.3"), (-0.01, "0"),
        (12.015, "12"), (45000000.00000001, "45\u202f000\u202f000"), (4999999.999999999, "5\u202f000\u202f000"),
        (-1.5, "−1.5"), (math.nan, "–"),
    ],
)  # fmt: skip
def test_a_count_on_average_has_one_decimal_where_it_is_not_whole(value: float, text: str) -> None:
    assert words.amount(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.8, "80\u00a0%"), (0, "0\u00a0%"), (1, "100\u00a0%"), (0.0001, "<1\u00a0%"), (0.9999, ">99\u00a0%"), (1.2, "120\u00a0%")],
)
def test_percent(value: float, text: str) -> None:
    assert words.percent(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.015, "+1.5\u00a0points"),
        (-0.17, "−17\u00a0points"),
        (0.0001, "0\u00a0points"),
        (-0.0996, "−10\u00a0points"),
        (0.02, "+2.0\u00a0points"),
    ],
)
def test_points(value: float, text: str) -> None:
    assert words.points(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.8, ".8"), (-0.4, "−.4"), (0, "0"), (-0.0, "0"), (1, "1"), (10.5, "10.5"), (0.1 + 0.2, ".3"), (-1, "−1")],
)
def test_ticks_go_without_the_zero(value: float, text: str) -> None:
    assert words.tick(value) == text


def test_intervals() -> None:
    assert words.bounds((0.77, 0.84)) == "[0.77, 0.84]"
    assert words.bounds((-0.02, 0.12)) == "[−0.02, 0.12]"
    assert words.bounds((0.8458, 0.8544), "%") == "[84.6, 85.4\u00a0%]"
    assert words.bounds((0.9961, 0.9984), "%") == "[99.6, 99.8\u00a0%]"
    assert words.bounds((0.9961, 0.9999), "%") == words.bounds((0.9996, 0.9999), "%") == "[>99, >99\u00a0%]"
    assert words.bounds((0.0001, 0.0003), "%") == "[<1, <1\u00a0%]"
    assert words.bounds((1, 1), "%") == "[100, 100\u00a0%]"
    assert words.bounds(None) == words.bounds((None, 0.3)) == words.bounds((0.1, math.nan)) == "–"


def test_a_percentage_reads_as_one_within_its_interval() -> None:
    close = Estimate(0.953, interval=Interval(0.9521, 0.9539, "wilson"))
    assert words.estimate(close, "%") == "95.3\u00a0% [95.2, 95.4\u00a0%]"
    certain = Estimate(1.0, interval=Interval(1.0, 1.0, "jackknife"))
    assert words.estimate(certain, "%") == "100\u00a0% [100, 100\u00a0%]"


@pytest.mark.parametrize(
    ("x", "line", "text"),
    [
        (0.666, 0.667, "0.666"),
        (0.6669, 0.667, "0.6669"),
        (0.667, 0.667, "0.67"),
        (0.664, 0.667, "0.66"),
        (0.5997, 0.6, "0.5997"),
        (0.604, 0.6, "0.60"),
        (-0.001, 0.0, "−0.001"),
        (math.nan, 0.6, "–"),
    ],
)
def test_a_number_reads_on_its_side_of_a_line(x: float, line: float, text: str) -> None:
    assert words.on_its_side(x, line) == text
    assert words.bounds((-0.5, x), line=line) == (f"[−0.50, {text}]" if text != "–" else "–")


def test_an_end_beside_a_line_keeps_the_sign_that_two_decimals_hide() -> None:
    assert words.bounds((-0.001, 0.43), line=0.667) == words.bounds((-0.001, 0.43)) == "[−0.001, 0.43]"


@pytest.mark.parametrize(
    ("estimate", "form", "text"),
    [
        (Estimate(0.22, Interval(-0.001, 0.43, "jackknife")), "number", "0.22 [−0.001, 0.43]"),
        (Estimate(0.22, Interval(-0.001, 0.43, "jackknife")), "signed", "+0.22 [−0.001, 0.43]"),
        (Estimate(0.953, Interval(0.952, 0.954, "jackknife")), "percent", "95.3\u00a0% [95.2, 95.4\u00a0%]"),
        (Estimate(0.05, Interval(-0.02, 0.12, "jackknife")), "points", "+5.0\u00a0points [−2.0, +12\u00a0points]"),
        (Estimate(0.666, Interval(0.6, 0.666, "jackknife"), line=0.667), "number", "0.666 [0.60, 0.666]"),
        (Estimate(0.0003, Interval(0.0, 0.2, "jackknife")), "three", "<0.001 [0.000, 0.200]"),
    ],
)
def test_a_table_writes_a_number_as_a_sentence_does(estimate: Estimate, form: Format, text: str) -> None:
    table = Table("t", "", (Column("x", form, ("low", "high")),), ((estimate,),))
    assert as_text(table) == {"x": [text]}
    assert " ".join(cells[0] for cells in as_text(with_interval_columns(table)).values()) == text


def test_a_value_and_its_interval_apart_are_those_together() -> None:
    for ends in ((0.952, 0.954), (0.9, 0.96), None):
        close = Estimate(0.953, None if ends is None else Interval(*ends, "wilson"))
        assert " ".join(filter(None, words.apart(close, "%", ""))) == words.estimate(close, "%")


def test_short_names_stay_whole() -> None:
    assert words.shorten("Polite tone") == "Polite tone"
    assert words.shorten("x" * 28) == "x" * 28


def test_long_names_are_shortened_in_the_middle() -> None:
    short = words.shorten("Answers the question of the customer in full")
    assert short == "Answers the qu…tomer in full"
    assert len(short) == 28


@pytest.mark.parametrize("limit", range(4, 28))
def test_a_name_that_is_cut_twice_has_one_gap(limit: int) -> None:
    """The second of two alike has its number behind it, so that its gap is left of the middle."""
    names = [f"claude-sonnet-judge-{part}-a-long-prompt-A" for part in ("with", "for")]
    for name in words.shorten_all(names):
        assert words.shorten(name, limit).count(words.ELLIPSIS) == 1


def test_control_characters_and_reading_direction_are_dropped() -> None:
    assert words.plain("a\nb\u202ec\x00") == "a bc"


@given(st.text(), st.integers(2, 40))
def test_nothing_is_longer_than_its_limit(text: str, limit: int) -> None:
    assert len(words.shorten(text, limit)) <= limit


def test_different_names_stay_different() -> None:
    names = [f"Answers the question {i} of the customer in full" for i in range(3)] + ["Polite tone"]
    short = words.shorten_all(names)
    assert len(set(short)) == 4
    assert all(len(name) <= 28 for name in short)
    assert words.shorten_all([names[0], names[0]]) == [words.shorten(names[0])] * 2


@pytest.mark.parametrize(
    ("n", "units", "said"),
    [
        (0, "items", "0 items"),
        (1, "items", "1 item"),
        (1, "criteria", "1 criterion"),
        (1, "sets of choices", "1 set of choices"),
        (1, "groups by ‘prompts’", "1 group by ‘prompts’"),
        (1200, "criteria", "1\u202f200 criteria"),
    ],
)
def test_a_number_of_things(n, units, said) -> None:
    assert words.several(n, units) == said


@pytest.mark.parametrize(
    ("x", "as_percent", "as_number"),
    [(0.975, "98", "0.98"), (0.425, "43", "0.43"), (0.575, "58", "0.58"), (0.125, "13", "0.13"), (0.974, "97", "0.97")],
)
def test_a_half_reads_alike_in_percent_and_with_decimals(x: float, as_percent: str, as_number: str) -> None:
    assert (words.percent(x), words.number(x)) == (f"{as_percent}\u00a0%", as_number)
    assert words.number(-x) == f"−{as_number}"
    assert words.number(math.nextafter(x, 0)) == as_number


def test_numbers_that_no_decimal_holds_are_still_written() -> None:
    assert words.number(1e300).startswith("1000")
    assert words.number(1e-300) == "0.00"
    assert words.side_of_0((-math.inf, math.inf)) == 0


def test_a_share_beside_its_rest_keeps_the_half_that_both_have() -> None:
    assert [words.halves(x) for x in (0.425, 0.575)] == ["42.5\u00a0%", "57.5\u00a0%"]
    assert [words.halves(x) for x in (0.42, 0.58, 0.333, math.nan)] == ["42\u00a0%", "58\u00a0%", "33\u00a0%", "–"]
