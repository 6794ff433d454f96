"""Wrong on the same items: both marks of every row, their shares, and what is undefined."""

from __future__ import annotations

import math

import pytest

from metrics.analyses.ensembles.errors import Run
from metrics.figures.joint_errors import alt, wrong_together
from metrics.figures.theme import DARK, LIGHT
from tests.figures.lab_tables import assert_apart, said, texts

ROWS = [
    Run(0, 0, 70, 0.7, 0.5),
    Run(1, 1, 10, 0.1, 0.3),
    Run(2, 2, 5, 0.05, 0.12),
    Run(3, 3, 5, 0.05, 0.05),
    Run(4, 4, 4, 0.04, 0.0004),
    Run(5, 5, 6, 0.06, 0.0),
]
MANY = [Run(i, i, i, 0.09 / (1 + i % 7), 0.08 / (1 + i % 5)) for i in range(66)]
UNDEFINED = [Run(0, 0, 3, 1.0, math.nan), Run(1, 4, 0, math.nan, 0.2)]
CASES = {
    "five": (ROWS, 5),
    "65": (MANY, 65),
    "undefined": (UNDEFINED, 4),
    "one": (ROWS[:1], 1),
    "nothing": ([Run(0, 0, 0, 0.0, 0.0)], 2),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("width", [340, 390, 640, 1200])
@pytest.mark.parametrize("scale", [1.0, 1.4])
def test_no_two_texts_meet_and_none_leaves_the_figure(case, width, scale) -> None:
    assert_apart(wrong_together(*CASES[case], theme="light", scale=scale, width=width), width * scale)


def test_each_row_has_two_marks_and_what_lies_between() -> None:
    areas, between, expected, observed = wrong_together(ROWS, 5, theme="light").data
    assert list(observed.x) == [row.share for row in ROWS]
    assert list(expected.x) == [row.by_chance for row in ROWS]
    assert list(observed.y) == list(expected.y) == list(areas.y)
    assert [between.x[i : i + 2] for i in range(0, 18, 3)] == [(row.share, row.by_chance) for row in ROWS]
    assert [place for (place,) in areas.customdata] == list(range(6))


def test_the_two_marks_differ_in_form_and_colour_and_are_named_with_both() -> None:
    for theme, colours in (("light", LIGHT), ("dark", DARK)):
        figure = wrong_together(ROWS, 5, theme=theme)
        _, _, expected, observed = figure.data
        assert (observed.marker.symbol, observed.marker.color) == ("square", colours.judge)
        assert (expected.marker.symbol, expected.marker.color) == ("line-ns-open", colours.reference)
        inks = {note.text: note.font.color for note in figure.layout.annotations}
        assert inks["■ observed"] == colours.judge
        assert inks["┃ independent"] == colours.reference


def test_shares_and_numbers_of_judges_are_written() -> None:
    told = texts(wrong_together(ROWS, 5, theme="light"))
    for text in ("none", "1", "4", "all 5", "70\u00a0%", "50\u00a0%", "&lt;1\u00a0%", "0\u00a0%", "share of items"):
        assert text in told


def test_what_is_undefined_has_a_dash_and_no_mark() -> None:
    _, between, expected, observed = wrong_together(UNDEFINED, 4, theme="light").data
    assert (list(observed.x), list(expected.x), list(between.x)) == ([1.0], [0.2], [])
    assert [place for (place,) in observed.customdata] == [0]
    assert [place for (place,) in expected.customdata] == [1]
    told = texts(wrong_together(UNDEFINED, 4, theme="light"))
    assert told.count("–") == 2
    assert "1–4" in told


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("width", [340, 640])
def test_the_axis_begins_at_zero_holds_everything_and_has_a_tick_beside_zero(case, width) -> None:
    rows, judges = CASES[case]
    axis = wrong_together(rows, judges, theme="light", width=width).layout.xaxis
    low, high = axis.range
    assert axis.ticktext[0] == "0"
    assert len(axis.ticktext) >= 2
    assert low < 0 < max(axis.tickvals) <= high
    assert all(share <= high for row in rows for share in (row.share, row.by_chance) if not math.isnan(share))


def test_hover_counts_the_items() -> None:
    figure = wrong_together(ROWS, 5, theme="light")
    assert figure.data[0].hovertext[5] == (
        "<b>all 5 wrong</b><br>observed 6\u00a0%, 6 items<br>if errors were independent 0\u00a0%"
    )
    decisions = wrong_together(ROWS, 5, theme="light", units="decisions")
    assert "6 decisions" in decisions.data[0].hovertext[5]
    assert "share of decisions" in texts(decisions)
    assert "1 item<" in wrong_together([Run(2, 2, 1, 0.5, 0.5)], 5, theme="light").data[0].hovertext[0]


def test_the_selected_row_is_painted() -> None:
    fills = wrong_together(ROWS, 5, theme="dark", selected=2).data[0].marker.color
    assert [fill == DARK.selected for fill in fills] == [i == 2 for i in range(6)]


def test_alt_says_every_number() -> None:
    told = alt(ROWS, 5)
    assert told.startswith(
        "Share of items by how many of 5 judges are wrong, observed and if errors were independent. none wrong"
    )
    assert (
        "4 wrong 4\u00a0% (4 items), if independent <1\u00a0%; all 5 wrong 6\u00a0% (6 items), if independent 0\u00a0%." in told
    )
    assert "if independent undefined" in alt(UNDEFINED, 4)
    assert "1–4 wrong undefined" in alt(UNDEFINED, 4)
    assert alt([], 3) == said(wrong_together([], 3, theme="light")) + "."
