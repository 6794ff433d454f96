"""The gate by criterion: bands, floor, verdict in word and symbol, what is undefined, and the next step."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from metrics.analyses.raters.gate import Bands
from metrics.figures.gate import GateRow, alt, floor_words, gate_rows
from metrics.figures.gate_cards import gate_cards
from metrics.figures.theme import DARK, LIGHT
from metrics.results.words import three
from tests.figures.drawn import estimate
from tests.figures.lab_tables import assert_apart, boxes, notes, said, shown, texts

LONG = "A criterion of forty characters, exactly"
STEP = "Sharpen the definition: 41 items split the raters; list them and agree on what is meant by it."
ROWS = [
    GateRow("Polite tone", estimate(-0.12, -0.31, 0.08), "fails", 60, 3, STEP),
    GateRow(LONG, estimate(0.58, 0.51, 0.65), "fails", 226, 12, "Training: rater_7 stands apart."),
    GateRow("Len", estimate(0.7, 0.52, 0.86), "undecided", 48, 3, "About 140 items would decide."),
    GateRow("Cites a source", estimate(math.nan), "undecided", 185, 3, "", "only one label was given: MET"),
    GateRow("Two items", estimate(1.0), "undecided", 2, 2, "Label more items.", "no interval from 2 items"),
    GateRow("<img src=x onerror=alert(1)>", estimate(0.91, 0.86, 0.95), "passes", 1130, 5, "Calibrate."),
]
MANY = [replace(ROWS[i % 6], name=f"{LONG} {i}") for i in range(40)]
DEEP = [GateRow("worse than chance", estimate(-0.8, -0.95, -0.5), "fails", 30, 2, "Reread it."), *ROWS]
CASES = {"all": ROWS, "one": ROWS[:1], "undefined": ROWS[3:4], "40": MANY, "deep": DEEP, "no step": [replace(ROWS[0], step="")]}
DRAWN = {"rows": (gate_rows, 640), "narrower rows": (gate_rows, 560), "wide rows": (gate_rows, 1200), "cards": (gate_cards, 340)}


@pytest.mark.parametrize("how", DRAWN)
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("scale", [1.0, 1.4])
def test_no_two_texts_meet_and_none_leaves_the_figure(how, case, scale) -> None:
    draw, width = DRAWN[how]
    assert_apart(draw(CASES[case], theme="light", scale=scale, width=width), width * scale)


@pytest.mark.parametrize("draw", [gate_rows, gate_cards])
def test_dots_are_the_values_and_undefined_rows_keep_their_place(draw) -> None:
    areas, dots = draw(ROWS, theme="light").data
    assert list(dots.x) == [-0.12, 0.58, 0.7, 1.0, 0.91]
    assert [place for (place,) in dots.customdata] == [0, 1, 2, 4, 5]
    assert [place for (place,) in areas.customdata] == [0, 1, 2, 3, 4, 5]
    assert list(dots.marker.symbol) == ["hexagon", "hexagon", "hexagon", "hexagon-open", "hexagon"]
    assert dots.error_x.array == pytest.approx([0.2, 0.07, 0.16, 0, 0.04])
    assert dots.error_x.arrayminus == pytest.approx([0.19, 0.07, 0.18, 0, 0.05])


@pytest.mark.parametrize("draw", [gate_rows, gate_cards])
def test_value_interval_n_verdict_and_step_are_written(draw) -> None:
    told = said(draw(ROWS, theme="light")).replace("\n", " ")
    for text in (
        "0.58 [0.51, 0.65]",
        "226 items, 12 raters",
        "2 items, 2 raters",
        "About 140 items would decide.",
        "floor 0.667",
    ):
        assert text in told
    assert "– only one label was given: MET" in told
    assert "1.00, no interval from 2 items" in told


@pytest.mark.parametrize("draw", [gate_rows, gate_cards])
def test_the_verdict_is_a_word_and_a_symbol(draw) -> None:
    verdicts = [shown(text) for text in texts(draw(ROWS, theme="light")) if shown(text)[:1] in "✓✕?–" and "only" not in text]
    assert verdicts == ["✕ fails", "✕ fails", "? undecided", "– no verdict", "? no verdict", "✓ passes"]


@pytest.mark.parametrize("draw", [gate_rows, gate_cards])
def test_floor_and_bands_are_those_asked_for(draw) -> None:
    asked = Bands(floor=0.5, edges=(0.3, 0.7), words=("low", "middle", "high"))
    shapes = draw(ROWS[:1], theme="light", asked=asked).to_dict()["layout"]["shapes"]
    filled = [shape for shape in shapes if shape["type"] == "rect"]
    assert [shape["x1"] for shape in filled[:-1]] == [0.3, 0.7]
    assert [one["x1"] for one in filled[:-1]] == [other["x0"] for other in filled[1:]]
    rules = {shape["x0"] for shape in shapes if shape.get("line", {}).get("color") == LIGHT.reference}
    assert rules == {0.5}
    told = texts(draw(ROWS[:1], theme="light", asked=asked))
    assert {"low", "middle", "high", "<b>floor 0.50</b>"} <= set(told)


@pytest.mark.parametrize("width", [340, 390, 640, 1200])
def test_a_band_is_named_over_itself(width) -> None:
    draw = gate_cards if width < 500 else gate_rows
    sheet = draw(ROWS[1:2], theme="dark", width=width)
    low, high = sheet.layout.xaxis.range
    places = {shown(note["text"]).replace("\n", " "): note["x"] for note in notes(sheet)}
    limits = [low, *Bands().edges, high]
    for name, start, end in zip(Bands().words, limits, limits[1:], strict=False):
        assert start <= places[name] <= end, name


def test_lower_bands_are_darker_so_that_grey_tells_them_apart() -> None:
    for theme, colours in (("light", LIGHT), ("dark", DARK)):
        shapes = gate_rows(ROWS, theme=theme).to_dict()["layout"]["shapes"]
        fills = [shape["fillcolor"] for shape in shapes if shape["type"] == "rect"]
        assert len(set(fills)) == 4
        assert (fills[0], fills[-1]) == (colours.grid, colours.page)


@pytest.mark.parametrize("draw", [gate_rows, gate_cards])
def test_the_axis_holds_everything_drawn(draw) -> None:
    low, high = draw(DEEP, theme="light").layout.xaxis.range
    assert low < -0.95
    assert high > 1
    assert draw(ROWS[1:3], theme="light").layout.xaxis.range[0] > -0.1


@pytest.mark.parametrize("draw", [gate_rows, gate_cards])
def test_names_and_steps_are_escaped_and_whole_on_hover(draw) -> None:
    figure = draw(ROWS, theme="light")
    json = figure.to_json().replace("\\u003c", "<").replace("\\u003e", ">")
    assert "<img" not in json
    assert STEP in [note.get("hovertext") for note in notes(figure)]
    assert LONG in figure.data[0].hovertext[1]


def test_the_selected_row_is_painted_and_shows_the_floor() -> None:
    figure = gate_rows(ROWS, theme="dark", selected=2)
    assert [fill == DARK.selected for fill in figure.data[0].marker.color] == [i == 2 for i in range(6)]
    above = [shape for shape in figure.to_dict()["layout"]["shapes"] if shape["layer"] == "above"]
    assert [shape["x0"] for shape in above] == [0.667]


def test_a_card_stands_in_the_order_name_value_whisker_step() -> None:
    figure = gate_cards(ROWS[:1], theme="light")
    places = {shown(text): (top + bottom) / 2 for text, _, top, _, bottom in boxes(figure, 340)}
    name, value = places["Polite tone"], places["−0.12 [−0.31, 0.08] · 60 items, 3 raters"]
    step = next(y for text, y in places.items() if text.startswith("Sharpen"))
    assert name == places["✕ fails"]
    assert name < value < figure.data[1].y[0] < step


@pytest.mark.parametrize(("floor", "text"), [(0.667, "0.667"), (0.6, "0.60"), (0.8, "0.80"), (-0.05, "−0.05")])
def test_the_floor_is_written_as_it_was_set(floor, text) -> None:
    assert floor_words(floor) == text
    assert three(floor).startswith(text)


def test_on_kappa_the_marks_are_those_of_kappa() -> None:
    dots = gate_rows(ROWS, theme="light", symbol="κ").data[1]
    assert dots.marker.color == LIGHT.kappa


def test_alt_says_every_number() -> None:
    told = alt(ROWS)
    assert told.startswith(
        "α by criterion against the floor of 0.667. Polite tone −0.12 [−0.31, 0.08], fails, 60 items, 3 raters"
    )
    assert "Cites a source undefined: only one label was given: MET, no verdict, 185 items, 3 raters" in told
    assert "About 140 items would decide" in told
    assert told.endswith(" Bands: revise below 0.40, sharpen below 0.667, usable below 0.80, well specified above.")
    assert alt([]) == "No criterion to show."
    for draw in (gate_rows, gate_cards):
        assert texts(draw([], theme="light")) == ["No criterion to show"]
