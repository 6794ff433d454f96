"""The panel's agreement by its size: values, band and whiskers, the levels it is compared with, and what is undefined."""

from __future__ import annotations

import math

import pytest

from metrics.analyses.ensembles.growth import Size
from metrics.figures.growth import Rule, alt, panel_growth
from metrics.figures.theme import LIGHT
from tests.figures.drawn import estimate
from tests.figures.lab_tables import assert_apart, notes, shown, texts

LONG = "A judge of forty characters, exactly so!"
RULES = [Rule("best single judge", 0.92, LONG), Rule("mean single judge", 0.61)]


def size(n: int, value: float, band=(math.nan, math.nan), ends=(), independent=math.nan, panels=0, undefined=0) -> Size:
    return Size(n, panels, True, estimate(value, *ends), undefined, 0.0, *band, 1.0, independent)


FEW = [
    size(1, 0.62, (0.5, 0.7), (0.55, 0.69), 0.62, 5),
    size(3, 0.7, (0.66, 0.74), (0.63, 0.77), 0.8, 10),
    size(5, 0.72, ends=(0.66, 0.78), independent=0.91, panels=1),
]
SIZES = (1, 3, 5, 7, 9, 11, 15, 21, 31, 45, 65)
MANY = [size(n, 0.75 - 0.15 / n, (0.7 - 0.3 / n, 0.8), (0.6, 0.85), 1 - 0.4 / n, 1000) for n in SIZES]
GAP = [size(1, math.nan, panels=5, undefined=5), size(3, -0.04), size(5, 0.05)]
CASES = {
    "few": (FEW, RULES),
    "many": (MANY, RULES),
    "gap": (GAP, RULES[:1]),
    "one": (FEW[:1], []),
    "all undefined": ([GAP[0]], [Rule("best single judge", math.nan)]),
    "levels alike": (FEW, [Rule(f"level {i}", 0.72 + i / 1000, LONG) for i in range(5)]),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("width", [340, 390, 640, 1200])
@pytest.mark.parametrize("scale", [1.0, 1.4])
def test_no_two_texts_meet_and_none_leaves_the_figure(case, width, scale) -> None:
    points, rules = CASES[case]
    assert_apart(panel_growth(points, rules, theme="light", scale=scale, width=width), width * scale)


def test_dots_whiskers_and_band_are_the_points() -> None:
    low, high, independent, dots = panel_growth(FEW, RULES, theme="light").data
    assert [round(10**x) for x in dots.x] == [1, 3, 5]
    assert list(dots.y) == [0.62, 0.7, 0.72]
    assert dots.error_y.array == pytest.approx([0.07, 0.07, 0.06])
    assert dots.error_y.arrayminus == pytest.approx([0.07, 0.07, 0.06])
    assert (list(low.y), list(high.y), high.fill) == ([0.5, 0.66], [0.7, 0.74], "tonexty")
    assert list(independent.y) == [0.62, 0.8, 0.91]
    assert dots.marker.color == LIGHT.kappa
    assert [place for (place,) in dots.customdata] == [0, 1, 2]


def test_levels_are_drawn_and_named_with_their_value() -> None:
    figure = panel_growth(MANY, RULES, theme="light", width=640)
    dashes = {shape["y0"]: shape["line"]["dash"] for shape in figure.to_dict()["layout"]["shapes"] if shape["line"].get("dash")}
    assert dashes == {0.92: "dash", 0.61: "dash"}
    told = [shown(text) for text in texts(figure)]
    assert any(text.startswith("best single judge 0.92\nA judge") for text in told)
    assert {"mean single judge 0.61", "65 together 0.75", "if independent 0.99"} <= set(told)


def test_names_stand_in_the_order_of_their_levels() -> None:
    figure = panel_growth(*CASES["levels alike"], theme="dark")
    named = [note for note in notes(figure) if shown(note["text"]).startswith("level")]
    high = figure.layout.yaxis.range[1]
    assert [note["y"] for note in named] == sorted(note["y"] for note in named)
    assert all(note["y"] < high for note in named)


def test_few_sizes_have_their_values_and_many_have_them_under_the_pointer() -> None:
    assert {"0.62", "0.70"} <= set(texts(panel_growth(FEW, RULES, theme="light")))
    figure = panel_growth(MANY, RULES, theme="light")
    assert "0.60" not in texts(figure)
    assert "κ 0.60 [0.60, 0.85]" in figure.data[-1].hovertext[0]
    assert "1\u202f000 panels" in figure.data[-1].hovertext[0]


def test_a_size_without_a_value_keeps_its_place() -> None:
    figure = panel_growth(GAP, [], theme="light")
    assert list(figure.data[-1].y) == [-0.04, 0.05]
    assert [place for (place,) in figure.data[-1].customdata] == [1, 2]
    dashes = [note for note in notes(figure) if note["text"] == "–"]
    assert [note["x"] for note in dashes] == [0]
    assert "κ is undefined in 5 of 5 panels" in dashes[0]["hovertext"]
    assert "1" in figure.layout.xaxis.ticktext


@pytest.mark.parametrize("case", CASES)
def test_the_axes_hold_everything_drawn(case) -> None:
    points, rules = CASES[case]
    layout = panel_growth(points, rules, theme="light").layout
    low, high = layout.yaxis.range
    drawn = [end for one in points for end in (one.kappa.value, one.low, one.high, one.independent, *(one.kappa.ends or ()))]
    for value in [*drawn, *(rule.value for rule in rules)]:
        assert math.isnan(value) or low < value < high
    first, last = layout.xaxis.range
    assert first < math.log10(points[0].size) <= math.log10(points[-1].size) < last


def test_sizes_on_the_axis_stand_apart_and_the_last_is_among_them() -> None:
    assert panel_growth(MANY, RULES, theme="light").layout.xaxis.ticktext[-1] == "65"
    assert len(panel_growth(MANY, RULES, theme="light", width=1200).layout.xaxis.ticktext) == len(SIZES)


def test_names_are_escaped() -> None:
    figure = panel_growth(FEW, [Rule("best single judge", 0.9, "<img src=x>")], theme="light")
    assert "<img" not in figure.to_json().replace("\\u003c", "<").replace("\\u003e", ">")


def test_alt_says_every_number() -> None:
    told = alt(FEW, [*RULES, Rule("level", math.nan)], band="Band: eight in ten panels")
    assert "1 0.62 [0.55, 0.69], panels [0.50, 0.70], if independent 0.62; 3 0.70" in told
    assert f"best single judge {LONG} 0.92; mean single judge 0.61; level undefined. Band: eight in ten panels." in told
    assert "1 undefined: κ is undefined in 5 of 5 panels; 3 −0.04" in alt(GAP)
    assert alt([]) == "No panel to show."
    assert texts(panel_growth([], theme="light")) == ["No panel to show"]
