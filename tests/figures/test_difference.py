"""The difference of two judges: one whisker, 0 in the middle, and a name on either side."""

from __future__ import annotations

import math

import pytest

from metrics.figures import theme
from metrics.figures.difference import Difference, alt, difference_whisker
from tests.figures.drawn import estimate, texts

ONE = Difference("strict", "lenient", estimate(-0.03, -0.09, 0.03))


def test_the_dot_is_the_difference_and_zero_is_in_the_middle() -> None:
    figure = difference_whisker(ONE, theme="light")
    (dot,) = figure.data
    assert list(dot.x) == [-0.03]
    assert dot.error_x.array == pytest.approx([0.06])
    low, high = figure.layout.xaxis.range
    assert low == -high
    assert low < -0.09
    assert [shape.x0 for shape in figure.layout.shapes] == [0]


def test_value_and_interval_are_written() -> None:
    said = texts(difference_whisker(ONE, theme="dark"))
    assert "<b>−0.03</b>" in said
    assert "[−0.09, 0.03]" in said


@pytest.mark.parametrize(
    ("better", "left", "right"),
    [
        (1, "◂ strict better", "lenient better ▸"),
        (-1, "◂ lenient better", "strict better ▸"),
        (0, "◂ strict higher", "lenient higher ▸"),
    ],
)
def test_each_side_names_who_it_speaks_for(better, left, right) -> None:
    said = texts(difference_whisker(Difference("strict", "lenient", estimate(0.1, 0.0, 0.2), better), theme="light"))
    assert said[:2] == [left, right]


def test_without_an_interval_the_symbol_is_open_and_the_reason_said() -> None:
    figure = difference_whisker(Difference("a", "b", estimate(0.5, why="there is only one shared item")), theme="light")
    assert list(figure.data[0].marker.symbol) == ["circle-open"]
    assert "no interval: there is only one shared item" in texts(figure)


def test_undefined_says_why() -> None:
    figure = difference_whisker(Difference("a", "b", estimate(math.nan, why="b: both sides give only MET")), theme="light")
    assert not figure.data
    assert texts(figure) == ["Undefined: b: both sides give only MET"]


@pytest.mark.parametrize(("value", "low", "high"), [(0.0, None, None), (2.0, 2.0, 2.0), (-1.0, -1.0, 1.0), (1e-6, -1e-6, 1e-6)])
@pytest.mark.parametrize("unit", ["", "%"])
def test_extremes_stay_inside(value, low, high, unit) -> None:
    figure = difference_whisker(Difference("a", "b", estimate(value, low, high)), theme="light", unit=unit)
    start, end = figure.layout.xaxis.range
    assert start < value < end
    assert 2 <= len(figure.layout.xaxis.tickvals) <= 10
    assert 0 in figure.layout.xaxis.tickvals


def test_names_are_escaped_and_whole_on_hover() -> None:
    evil = "<b onmouseover=alert(1)>$x$ a judge with a name of more than forty characters"
    figure = difference_whisker(Difference(evil, "b", estimate(0.1, 0, 0.2)), theme="light")
    assert "<b onmouse" not in figure.to_json().replace("\\u003c", "<")
    assert theme.escape(evil) in [note.hovertext for note in figure.layout.annotations]


def test_alt_says_every_number() -> None:
    assert alt(ONE) == "Difference in κ, lenient less strict: −0.03 [−0.09, 0.03]."
    assert alt(Difference("a", "b", estimate(math.nan, why="none"))) == "Difference in κ, b less a: undefined, none."
    assert "+5.0\u00a0points" in alt(Difference("a", "b", estimate(0.05)), symbol="accuracy", unit="%")


def test_a_difference_that_two_decimals_would_hide_has_three() -> None:
    small = Difference("a", "b", estimate(-0.0042, -0.0124, 0.0003))
    assert {"<b>−0.004</b>", "[−0.012, 0.000]"} <= set(texts(difference_whisker(small, theme="light")))
    assert "−0.004 [−0.012, 0.000]" in alt(small)
    assert "<b>0.00</b>" in texts(difference_whisker(Difference("a", "b", estimate(0.0)), theme="light"))
    assert "<b>0.0\u00a0points</b>" not in texts(difference_whisker(small, theme="light", unit="%"))
