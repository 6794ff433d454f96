from __future__ import annotations

import itertools
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.analyses.prevalence.compute import range_at, ribbon, sweep
from metrics.figures.fitting import meet, spread_positions
from metrics.figures.prevalence import NOTHING, Place, alt, sweep_lines
from metrics.figures.theme import text_width, tokens
from metrics.results.words import bounds, number
from tests.figures.drawn import texts

KEYS = ("kappa", "phi", "gwet_ac1", "pabak", "youden_j", "accuracy", "balanced_accuracy")
PLACES = (Place("you are here", 0.34), Place("deployed", 0.05))


def test_every_line_has_its_name_and_equal_lines_share_one() -> None:
    figure = sweep_lines(sweep(0.9, 0.1), KEYS, PLACES, theme="light")
    names = {text for text in texts(figure) if text.startswith("<b>") and text.endswith("</b>")}
    assert names == {f"<b>{name}</b>" for name in ("κ", "φ", "AC1", "PABAK = J", "accuracy = BA")}
    uneven = " ".join(texts(sweep_lines(sweep(0.9, 0.2), KEYS, PLACES, theme="dark")))
    assert all(f"<b>{name}</b>" in uneven for name in ("PABAK", "J", "accuracy", "BA"))


def test_what_does_not_move_is_dashed() -> None:
    figure = sweep_lines(sweep(0.9, 0.2), KEYS, PLACES, theme="light")
    lines = [trace for trace in figure.data if trace.mode == "lines"]
    assert {trace.line.dash for trace in lines if np.ptp(np.asarray(trace.y)) < 1e-9} == {"dash"}
    assert {trace.line.dash for trace in lines if np.ptp(np.asarray(trace.y)) > 1e-9} == {"solid"}


def test_uprights_carry_the_numbers_of_the_sweep() -> None:
    figure = sweep_lines(sweep(0.9, 0.1), KEYS, PLACES, theme="light")
    assert "<b>you are here 34\u00a0%</b>: κ 0.78 · accuracy 0.90 · φ 0.78" in texts(figure)
    assert "<b>deployed 5\u00a0%</b>: κ 0.43 · accuracy 0.90 · φ 0.50 · AC1 0.88" in texts(figure)
    without = texts(sweep_lines(sweep(0.9, 0.1), ("pabak",), (Place("deployed", 0.005),), theme="light"))
    assert "<b>deployed 0.5\u00a0%</b>" in without
    square, diamond, circle = (trace for trace in figure.data if trace.mode == "markers")
    assert [trace.marker.symbol for trace in (square, diamond, circle)] == ["square", "diamond", "circle"]
    assert [round(y, 2) for y in square.y] == [0.9, 0.9]
    assert [round(y, 2) for y in circle.y] == [0.78, 0.43]
    assert [round(y, 2) for y in diamond.y] == [0.78, 0.50]


def test_the_zone_is_shaded() -> None:
    figure = sweep_lines(sweep(0.9, 0.1), KEYS, PLACES, theme="light")
    shaded = [(shape.x0, shape.x1) for shape in figure.layout.shapes if shape.type == "rect"]
    assert shaded == list(sweep(0.9, 0.1).zones)
    assert not [
        shape for shape in sweep_lines(sweep(0.6, 0.4), KEYS, PLACES, theme="light").layout.shapes if shape.type == "rect"
    ]


def test_the_band_is_that_of_the_ribbon() -> None:
    own = ribbon(0.9, 0.1, 100)
    figure = sweep_lines(sweep(0.9, 0.1), KEYS, PLACES, theme="light", ribbon=own)
    band = [trace for trace in figure.data if trace.fill == "tonexty"]
    assert len(band) == 1
    np.testing.assert_array_equal(np.asarray(band[0].y), own.high)
    without = sweep_lines(sweep(0.9, 0.1), ("phi",), PLACES, theme="light", ribbon=own)
    assert not [trace for trace in without.data if trace.fill == "tonexty"]


def test_names_keep_their_distance_inside_the_plot() -> None:
    for wanted in ([1, 2, 3], [95, 96, 97, 99], [0, 50, 51, 99]):
        placed = spread_positions(wanted, 18, 100)
        assert all(b - a >= 18 - 1e-9 for a, b in itertools.pairwise(placed))
        assert min(placed) >= 0
        assert max(placed) <= 100
    low, tall, high = spread_positions([40, 50, 60], 18, 100, (1, 4, 1))
    assert tall - low >= 45
    assert high - tall >= 45
    assert high <= 100


def test_the_name_of_many_equal_lines_leaves_room_for_the_plot() -> None:
    figure = sweep_lines(sweep(1.0, 0.0), KEYS, PLACES, theme="light")
    (name,) = (text for text in texts(figure) if text.endswith("</b>"))
    assert name == "<b>κ = φ = AC1 =<br>PABAK = J =<br>accuracy = BA</b>"
    assert figure.layout.margin.r < 340 * 0.4


def zone_names(one, places):
    figure = sweep_lines(one, KEYS, places, theme="light")
    return [note for note in figure.layout.annotations if note.text == "paradox zone"]


def test_the_zone_is_named_inside_or_beside_it() -> None:
    for rates in ((0.9, 0.1), (0.9, 0.001), (0.383, 0.074), (0.73, 0.05)):
        one = sweep(*rates)
        names = zone_names(one, (Place("deployed", 0.5),))
        assert len(names) == len(one.zones) > 0
        for (low, high), note in zip(one.zones, names, strict=True):
            wide = high - low > 0.35
            assert not note.textangle
            assert (note.xanchor == "center") == wide
            assert low <= note.x <= high
            assert wide or (note.xanchor == "left") == (note.x == high) == (low < 0.5)
    first, second = zone_names(sweep(0.73, 0.05), (Place("deployed", 0.5),))
    assert second.x - first.x < 0.65
    assert second.yshift > first.yshift + first.font.size
    crossed = zone_names(sweep(0.383, 0.074), (Place("deployed", 0.25),))
    assert all(note.xanchor != "center" for note in crossed)


@pytest.mark.parametrize("stretched", [(1.0,), (0.45, 1.0, 1.35)])
@given(st.floats(0.02, 0.98), st.floats(0.02, 0.98), st.floats(0.02, 0.98), st.floats(0.02, 0.98))
@settings(max_examples=60, deadline=None)
def test_names_meet_no_line_no_upright_and_no_other_name_however_high_the_plot(stretched, tpr, fpr, here, deployed) -> None:
    places = (Place("you are here", here), Place("deployed", deployed))
    figure = sweep_lines(sweep(tpr, fpr), ("kappa", "accuracy", "phi"), places, theme="light", stretched=stretched)
    for part in stretched:
        expect_names_apart(figure, places, part)


def expect_names_apart(figure, places, part) -> None:
    margin, (low, high) = figure.layout.margin, figure.layout.yaxis.range
    wide, tall = 340 - margin.l - margin.r, part * figure.layout.height - margin.t - margin.b
    names = [note for note in figure.layout.annotations if re.fullmatch("<b>.*</b>", note.text)]
    lines = [trace for trace in figure.data if trace.mode == "lines" and trace.hovertext]
    assert len(names) == len(lines)
    boxes = []
    for note in names:
        half = text_width(note.text[3:-4], note.font.size, bold=True) / 2
        middle = (high - note.y) / (high - low) * tall - note.yshift
        boxes.append((note.x * wide - half, middle - note.font.size / 2, note.x * wide + half, middle + note.font.size / 2))
    if names[0].xref == "paper":
        assert not any(meet(one, other) for one, other in itertools.combinations(boxes, 2))
        return
    for box in boxes:
        assert not any(box[0] < place.prevalence * wide < box[2] for place in places)
        for line in lines:
            x, y = np.asarray(line.x, float) * wide, (high - np.asarray(line.y, float)) / (high - low) * tall
            inside = (x > box[0]) & (x < box[2]) & ~np.isnan(y)
            assert not ((y[inside] > box[1]) & (y[inside] < box[3])).any()
    assert not any(meet(one, other) for one, other in itertools.combinations(boxes, 2))


def test_two_lines_are_named_on_the_lines_and_many_close_ones_at_their_ends() -> None:
    judge = sweep(0.73, 0.05)
    two = sweep_lines(judge, ("kappa", "accuracy"), PLACES, theme="light")
    assert [note.xref for note in two.layout.annotations if note.text in ("<b>κ</b>", "<b>accuracy</b>")] == ["x", "x"]
    assert two.layout.margin.r < 30
    many = sweep_lines(judge, tuple(judge.values), PLACES, theme="light")
    names = [note for note in many.layout.annotations if re.fullmatch("<b>.*</b>", note.text)]
    assert {note.xref for note in names} == {"paper"}


def test_names_are_moved_no_further_than_needed() -> None:
    assert spread_positions([10, 40, 80], 18, 100) == [10, 40, 80]
    assert spread_positions([50, 50, 50], 10, 100) == [40, 50, 60]
    assert spread_positions([2, 2, 90], 10, 100) == [0, 10, 90]
    assert spread_positions([], 10, 100) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("rates", [(0.9, 0.1), (0.2, 0.8), (0.5, 0.5), (1.0, 0.0), (0.0, 0.0)])
def test_any_judge_is_drawn(theme, rates) -> None:
    figure = sweep_lines(sweep(*rates), KEYS, PLACES, theme=theme)
    assert figure.layout.yaxis.range[0] <= min(np.nanmin(t.y) for t in figure.data if t.mode == "lines" and len(t.y))
    assert tokens(theme).kappa in {trace.line.color for trace in figure.data if trace.mode == "lines"}


def test_no_metric_chosen_says_so() -> None:
    assert texts(sweep_lines(sweep(0.9, 0.1), (), PLACES, theme="light")) == [NOTHING]


def test_the_alternative_text_has_the_numbers() -> None:
    said = alt(sweep(0.9, 0.1), ("kappa", "phi"), PLACES)
    assert "TPR 90\u00a0%, TNR 90\u00a0%" in said
    assert "deployed, prevalence 5\u00a0%: κ 0.43, φ 0.50" in said
    assert "Paradox zone: below 10.5\u00a0% and above 89.5\u00a0%." in said
    assert said.endswith("above 89.5\u00a0%.")


def test_the_alternative_text_says_how_lines_run_and_how_far_the_band_reaches() -> None:
    judge, band = sweep(0.9, 0.1), ribbon(0.9, 0.1, 100)
    said = alt(judge, ("kappa", "accuracy"), PLACES, band)
    a, b, c = (number(judge.at(x)["kappa"]) for x in (0.1, 0.5, 0.9))
    assert f"At 10\u00a0%, 50\u00a0% and 90\u00a0%: κ {a}, {b}, {c}. " in said
    _, ends = range_at(0.9, 0.1, 100, PLACES[0].prevalence)
    assert "Band: κ in 95\u00a0% of golden sets of 100: at " in said
    assert bounds(ends) in said.partition("Band:")[2]
