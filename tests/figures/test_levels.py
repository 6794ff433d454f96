"""Rows of one metric: values, whiskers, the rule and the words beside them."""

from __future__ import annotations

import math

import pytest

from metrics.figures.levels import LevelRow, alt, levels_dots
from tests.figures.drawn import estimate, texts

ROWS = [
    LevelRow("Micro", estimate(0.89, 0.87, 0.91), "2 000 decisions"),
    LevelRow("κ within criteria", estimate(0.74, 0.70, 0.78), "2 000 decisions"),
    LevelRow("Macro", estimate(0.55, 0.49, 0.61), "2 criteria"),
    LevelRow("Item", estimate(math.nan, why="no decision is left"), "0 items"),
]


@pytest.mark.parametrize("look", ["light", "dark"])
def test_values_and_whiskers(look):
    _, dots = levels_dots(ROWS, theme=look).data
    assert list(dots.x) == [0.89, 0.74, 0.55]
    assert list(dots.error_x.array) == pytest.approx([0.02, 0.04, 0.06])
    assert list(dots.error_x.arrayminus) == pytest.approx([0.02, 0.04, 0.06])


def test_every_row_is_named_with_its_value_or_its_reason():
    said = texts(levels_dots(ROWS, theme="light"))
    assert {"Micro", "Macro", "Item", "0.89", "0.74", "0.55", "2 criteria", "0 items"} <= set(said)
    assert any("no decision is left" in text for text in said)


def test_the_selected_row_is_outlined():
    area = levels_dots(ROWS, theme="light", selected=2).data[0]
    assert list(area.marker.line.width) == [0, 0, 2.5, 0]
    assert [list(spot) for spot in area.customdata] == [[0], [1], [2], [3]]


def test_the_rule_is_named_and_stands_at_its_value():
    figure = levels_dots(ROWS[:3], theme="light", rule=(0.6, "with all"))
    assert [shape.x0 for shape in figure.layout.shapes if shape.line.dash == "dash"] == [0.6]
    assert "with all 0.60" in texts(figure)
    missing = levels_dots(ROWS[:3], theme="light", rule=(math.nan, "with all"))
    assert not [shape for shape in missing.layout.shapes if shape.line.dash == "dash"]


def test_a_close_axis_reaches_only_as_far_as_the_values():
    rows = [LevelRow("a", estimate(0.80)), LevelRow("b", estimate(0.82))]
    low, high = levels_dots(rows, theme="light", rule=(0.81, "with all"), close=True).layout.xaxis.range
    assert 0.78 < low < 0.80
    assert 0.82 < high < 0.84
    low, high = levels_dots(rows, theme="light").layout.xaxis.range
    assert low < 0
    assert high > 1


def test_shares_are_in_percent():
    rows = [LevelRow("Micro", estimate(0.91, 0.89, 0.93))]
    assert "91\u00a0%" in texts(levels_dots(rows, theme="light", symbol="accuracy", unit="%"))
    assert alt(rows, symbol="accuracy", unit="%") == "accuracy. Micro 91\u00a0% [89, 93\u00a0%]."


def test_alt_has_every_number():
    said = alt(ROWS, rule=(0.6, "with all"))
    assert said == (
        "κ. Micro 0.89 [0.87, 0.91], 2 000 decisions; κ within criteria 0.74 [0.70, 0.78], 2 000 decisions; "
        "Macro 0.55 [0.49, 0.61], 2 criteria; Item undefined: no decision is left, 0 items. Line at 0.60: with all."
    )
    assert alt([]) == "No value to show."


def test_long_names_of_a_file_are_shortened_and_escaped():
    rows = [LevelRow("without <b>" + "x" * 40, estimate(0.5)), LevelRow("without <b>" + "x" * 41, estimate(0.6))]
    figure = levels_dots(rows, theme="light")
    assert all("<b>" not in text for text in texts(figure))
    assert figure.layout.margin.l <= 0.42 * 340 + 1


def test_nothing_to_show():
    assert texts(levels_dots([], theme="light")) == ["No value to show"]
