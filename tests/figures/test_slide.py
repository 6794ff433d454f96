"""Weighted κ along the line: what is drawn is what was computed, and every text keeps its place."""

from __future__ import annotations

import math

import numpy as np
import pytest

from metrics.analyses.abstention.third_answer import CostPath, Weighted
from metrics.figures import theme
from metrics.figures.cost_path import NOTHING, alt, slide_line
from metrics.measures.cost_matrices import COSTS, PLACES, cost_of, slide_cost
from metrics.measures.transforms import Interval
from tests.figures.drawn import texts

LABELS = ("MET", "UNMET", "CANNOT_ASSESS")


def point(cost, value: float, half: float | None = 0.1, reason: str = "") -> Weighted:
    interval = None if half is None or math.isnan(value) else Interval(value - half, value + half, "jackknife")
    return Weighted(value, interval, reason, cost=cost)


def made(start: float = 0.4, end: float = 0.3, labels=LABELS, nominal: float = 0.28, half: float | None = 0.1) -> CostPath:
    along = tuple(
        (s, point(cost_of(slide_cost(s)), start + s * (end - start), half, "r")) for s in np.linspace(0, 1, 21).tolist()
    )
    values = {name: start + s * (end - start) for name, s in PLACES.items()} | {"nominal": nominal}
    presets = {name: point(cost_of(name), values[name], half, "r") for name in COSTS}
    return CostPath(along, presets, labels, np.ones((3, 3), np.int64), 0.95)


def own(cost="halfway", value: float = 0.35) -> Weighted:
    return point(cost_of(cost), value)


def test_line_band_and_presets_are_the_numbers() -> None:
    slide = made()
    low, high, line, presets, spot = slide_line(slide, own(), theme="light").data
    values = [found.value for _, found in slide.along]
    assert list(line.x) == [s for s, _ in slide.along]
    assert list(line.y) == pytest.approx(values)
    assert list(low.y) == pytest.approx([value - 0.1 for value in values])
    assert list(high.y) == pytest.approx([value + 0.1 for value in values])
    assert high.fill == "tonexty"
    assert dict(zip(presets.x, presets.y, strict=True)) == pytest.approx({0.0: 0.4, 0.5: 0.35, 1.0: 0.3})
    assert (spot.x[0], spot.y[0]) == (0.5, 0.35)


def test_a_matrix_on_the_line_is_an_upright_rule_and_another_a_level() -> None:
    on = slide_line(made(), own("0,2,0.5;2,0,1.5;0.5,1.5,0", 0.325), theme="light")
    assert [shape.x0 for shape in on.layout.shapes if shape.yref == "paper"] == [0.75]
    assert "chosen 0.33 [0.23, 0.43]" in texts(on)
    off = slide_line(made(), own("0,1,3;1,0,1;1,1,0", 0.37), theme="light")
    assert not [shape for shape in off.layout.shapes if shape.yref == "paper"]
    assert [shape.y0 for shape in off.layout.shapes if shape.line.dash == "solid"] == [0.37]
    assert "<b>chosen 0.37</b>" in texts(off)
    assert [shape.y0 for shape in off.layout.shapes if shape.line.dash == "dot"] == [0.28]
    assert "nominal 0.28" in texts(off)


def test_the_nominal_matrix_is_named_once() -> None:
    figure = slide_line(made(), own("nominal", 0.28), theme="light")
    assert [text for text in texts(figure) if "0.28" in text] == ["<b>nominal 0.28</b>"]


@pytest.mark.parametrize(("start", "end"), [(0.4, 0.3), (0.3, 0.4)])
def test_values_stand_off_the_line(start: float, end: float) -> None:
    figure = slide_line(made(start, end), own(), theme="light")
    left = next(note for note in figure.layout.annotations if note.text == f"<b>{start:.2f}</b>")
    right = next(note for note in figure.layout.annotations if note.text == f"<b>{end:.2f}</b>")
    assert left.yshift * (start - end) > 0
    assert right.yshift * (end - start) > 0


@pytest.mark.parametrize("nominal", [0.2, 0.345, 0.35, 0.6])
def test_names_of_levels_keep_apart(nominal: float) -> None:
    figure = slide_line(made(nominal=nominal), own("0,1,3;1,0,1;1,1,0", 0.35), theme="light")
    low, high = figure.layout.yaxis.range
    names = [note for note in figure.layout.annotations if note.text.strip("</b>").startswith(("nominal", "chosen"))]
    heights = sorted((note.y - low) / (high - low) * 230 + note.yshift for note in names)
    assert len(heights) == 2
    assert heights[1] - heights[0] >= 17.9


@pytest.mark.parametrize("which", ["light", "dark"])
@pytest.mark.parametrize("labels", [LABELS, ("A" * 40, "N" * 40, "?" * 40), ("<b>", "$x$", "&")])
def test_every_text_fits_and_is_shown_as_typed(which, labels) -> None:
    figure = slide_line(made(labels=labels), own("as-positive", 0.3), theme=which)
    margin = figure.layout.margin
    plot = 340 - margin.l - margin.r
    for note in figure.layout.annotations:
        assert note.font.color in vars(theme.tokens(which)).values()
        if note.text.startswith("as good as"):
            for line in note.text.split("<br>"):
                assert theme.text_width(line, note.font.size) <= plot / 2 or "&" in line
    assert not any("<b></b>" in text or text.startswith("as good as <b>") for text in texts(figure))


def test_without_intervals_there_is_no_band_and_no_whisker() -> None:
    low, high, *_ = slide_line(made(half=None), own(), theme="light").data
    assert len(low.x or ()) == len(high.x or ()) == 0


def test_an_undefined_line_is_a_sentence() -> None:
    slide = made(math.nan, math.nan, nominal=math.nan)
    figure = slide_line(slide, own(value=math.nan), theme="light")
    assert texts(figure) == [NOTHING]
    assert alt(slide, own(value=math.nan)) == f"{NOTHING}: r."


def test_the_text_for_those_who_do_not_see_it_has_the_numbers() -> None:
    said = alt(made(), own())
    for part in (
        "CANNOT_ASSESS as good as UNMET 0.40 [0.30, 0.50]",
        "as good as MET 0.30",
        "nominal 0.28",
        "chosen 0.35 [0.25, 0.45]",
    ):
        assert part in said


def test_room_view_is_larger() -> None:
    small, large = (slide_line(made(), own(), theme="light", scale=scale) for scale in (1.0, 1.4))
    assert large.layout.height > 1.3 * small.layout.height
    assert large.layout.annotations[0].font.size == pytest.approx(1.4 * small.layout.annotations[0].font.size)


@pytest.mark.parametrize("value", [0.985, 0.7951])
def test_a_line_shorter_than_the_finest_step_of_the_axis_is_drawn_without_a_tick(value: float) -> None:
    figure = slide_line(made(value, value, nominal=value, half=0.0002), own(value=value), theme="light")
    assert not figure.layout.yaxis.tickvals
    assert figure.layout.margin.l > 0
