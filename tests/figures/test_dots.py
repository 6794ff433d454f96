"""κ by criterion: every criterion keeps its row, whatever its value."""

from __future__ import annotations

import math

import pytest

from metrics.figures import theme
from metrics.figures.dots import DotRow, alt, criteria_dots
from tests.figures.drawn import estimate, texts

ROWS = [
    DotRow("Answers the question", estimate(0.83, 0.7, 0.91), 181, 0.65),
    DotRow("Cites a source", estimate(0.78), 178, 0.33),
    DotRow("Judge constant", estimate(0.0), 185, 0.95, True, "judge says MET only"),
    DotRow("A criterion of forty characters, exactly", estimate(math.nan), 12345, 1.0, True, "both say MET only"),
    DotRow("<img src=x onerror=alert(1)>", estimate(1.0, math.nan, math.nan), 2, 0.004, True, "2 decisions"),
]


def test_dots_are_the_values_and_undefined_rows_are_kept() -> None:
    areas, dots = criteria_dots(ROWS, theme="light").data
    assert list(dots.x) == [0.83, 0.78, 0.0, 1.0]
    assert [place[0] for place in dots.customdata] == [0, 1, 2, 4]
    assert [place[0] for place in areas.customdata] == [0, 1, 2, 3, 4]
    assert list(dots.marker.symbol) == ["circle", "circle", "circle-open", "circle-open"]


def test_values_names_counts_and_prevalence_are_written() -> None:
    said = texts(criteria_dots(ROWS, theme="light"))
    for text in ("0.83", "0.78", "n", "π", "181", "12\u202f345", "65\u00a0%", "&lt;1\u00a0%", "Cites a source"):
        assert text in said
    assert "– both say MET only" in [text.replace("<br>", " ") for text in said]
    assert "0.00, judge says MET only" in [text.replace("<br>", " ") for text in said]


def test_names_are_escaped_and_whole_on_hover() -> None:
    figure = criteria_dots(ROWS, theme="light")
    json = figure.to_json().replace("\\u003c", "<").replace("\\u003e", ">")
    assert "<img" not in json
    assert ROWS[3].name in [note.hovertext for note in figure.layout.annotations]
    assert ROWS[3].name in figure.data[0].hovertext[3]


def test_whiskers_only_where_there_is_an_interval() -> None:
    errors = criteria_dots(ROWS, theme="light").data[1].error_x
    assert errors.array == pytest.approx([0.08, 0, 0, 0])
    assert errors.arrayminus == pytest.approx([0.13, 0, 0, 0])
    assert errors.width == 0


def test_the_selected_row_is_painted() -> None:
    areas = criteria_dots(ROWS, theme="dark", selected=1).data[0]
    assert [fill == theme.DARK.selected for fill in areas.marker.color] == [False, True, False, False, False]
    assert areas.unselected.marker.opacity == 1


@pytest.mark.parametrize("n", [0, 1, 12, 13, 40])
@pytest.mark.parametrize("scale", [1.0, 1.4])
def test_height_grows_with_the_criteria(n: int, scale: float) -> None:
    figure = criteria_dots([ROWS[0]] * n, theme="light", scale=scale)
    assert figure.layout.height > 36 * scale * n
    assert bool(figure.data) == bool(n)


def test_the_axis_holds_everything_drawn() -> None:
    figure = criteria_dots([*ROWS, DotRow("Worse", estimate(-0.35, -0.6, 0.1), 40, 0.5)], theme="light")
    low, high = figure.layout.xaxis.range
    assert low < -0.6
    assert high > 1
    assert figure.layout.xaxis.ticktext[:2] == ("−.6", "0")
    assert criteria_dots(ROWS, theme="light").layout.xaxis.ticktext == ("0", ".4", ".6", ".8", "1")


def test_guide_lines_at_four_six_eight() -> None:
    assert [shape.x0 for shape in criteria_dots(ROWS, theme="light").layout.shapes] == [0.4, 0.6, 0.8]


def test_names_stay_left_of_the_plot_at_340_px() -> None:
    figure = criteria_dots(ROWS, theme="light")
    room = figure.layout.margin.l
    for note in figure.layout.annotations:
        if note.xref == "paper" and note.x == 0:
            assert all(theme.text_width(line, note.font.size) <= room for line in note.text.replace("&lt;", "<").split("<br>"))
    assert 340 - figure.layout.margin.l - figure.layout.margin.r >= 85


def test_all_undefined() -> None:
    figure = criteria_dots([ROWS[3]] * 2, theme="light")
    assert not len(figure.data[1].x)
    assert figure.to_json()


def test_equal_short_names_stay_apart() -> None:
    names = [f"Answers the question {i} of the customer in full" for i in range(2)]
    said = texts(criteria_dots([DotRow(name, estimate(0.5)) for name in names], theme="light"))
    assert sum("(2)" in text for text in said) == 1


def test_alt_says_every_number() -> None:
    said = alt(ROWS)
    assert "Answers the question 0.83 [0.70, 0.91], n 181, prevalence 65\u00a0%" in said
    assert "undefined, both say MET only" in said
    assert alt([]) == "No criterion to show."


@pytest.mark.parametrize("ends", [(-0.59, 0.82), (-0.95, 0.97)])
def test_a_reason_is_whole_where_a_whisker_leaves_no_room_beside_it(ends: tuple[float, float]) -> None:
    said = texts(criteria_dots([DotRow("c", estimate(0.0, *ends), 2, 0.5, True, "judge says only MET")], theme="light"))
    assert "0.00, judge says only MET" in [text.replace("<br>", " ") for text in said]


@pytest.mark.parametrize("low", [-0.06, -0.9])
def test_a_note_without_room_beside_its_mark_stands_whole_above_it(low: float) -> None:
    note = "the reference says only UNMET"
    rows = [
        DotRow("c3", estimate(0.0, low, 0.91), 20, 0.0, True, note),
        DotRow("c4", estimate(0.0, 0.0, 0.1), 20, 0.0, True, "short"),
    ]
    figure = criteria_dots(rows, theme="light")
    whole, short = (next(one for one in figure.layout.annotations if words in one.text) for words in ("reference", "short"))
    assert whole.text.replace("<br>", " ") == f"0.00, {note}"
    assert whole.text.count("<br>") <= 1
    middle = figure.data[1].y[0]
    assert whole.y < middle - 10
    assert short.y == figure.data[1].y[1]
    wide = max(theme.text_width(line, whole.font.size) for line in whole.text.split("<br>"))
    left, right = figure.layout.margin.l, 340 - figure.layout.margin.r
    begin, end = figure.layout.xaxis.range
    at = left + (whole.x - begin) / (end - begin) * (right - left) - (wide / 2 if whole.xanchor == "center" else 0)
    assert left - 1 <= at
    assert at + wide <= right + 1


def test_labels_without_a_prevalence_have_no_column_of_dashes() -> None:
    rows = [DotRow("Q0", estimate(0.1, -0.1, 0.3), 223), DotRow("Q1", estimate(0.2, 0.1, 0.3), 146)]
    without = criteria_dots(rows, theme="light")
    assert "π" not in texts(without)
    assert "–" not in texts(without)
    beside = criteria_dots([*rows, DotRow("Q2", estimate(0.2, 0.1, 0.3), 146, 0.4)], theme="light")
    assert "π" in texts(beside)
    assert texts(beside).count("–") == 2
    assert without.layout.margin.r < beside.layout.margin.r
