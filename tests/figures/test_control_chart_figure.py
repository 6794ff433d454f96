"""Batches over time: limits are a band, batches outside have another shape and words, and changes their names."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest

from metrics.figures import theme
from metrics.figures.control_chart import BatchRow, alt, control_chart
from tests.figures.drawn import texts

LONG = "prompt_version a name of more than forty characters, exactly"


def batches(n: int = 12, outside: dict[int, int] | None = None, changed: dict[int, str] | None = None) -> list[BatchRow]:
    where, what = outside or {}, changed or {}
    return [
        BatchRow(
            f"week of 2026-{1 + at // 4:02d}-{1 + at % 4 * 7:02d}",
            0.7 + 0.35 * where.get(at, 0),
            0.5 if at >= 3 else math.nan,
            0.9 if at >= 3 else math.nan,
            where.get(at, 0),
            40,
            at < 3,
            what.get(at, ""),
        )
        for at in range(n)
    ]


ROWS = batches(outside={7: -1, 9: 1}, changed={6: "prompt v2", 9: LONG})


def test_limits_are_a_band_of_the_batches_that_have_some() -> None:
    bands = [shape for shape in control_chart(ROWS, centre=0.7, theme="light").layout.shapes if shape.type == "rect"]
    assert [(band.x0, band.x1, band.y0, band.y1) for band in bands] == [(at - 0.5, at + 0.5, 0.5, 0.9) for at in range(3, 12)]


def test_batches_outside_have_a_shape_of_their_own_and_words() -> None:
    figure = control_chart(ROWS, centre=0.7, theme="light")
    line, inside, below, above = figure.data
    assert list(line.y) == [row.value for row in ROWS]
    assert list(inside.x) == [0, 1, 2, 3, 4, 5, 6, 8, 10, 11]
    assert list(inside.marker.symbol) == ["circle-open"] * 3 + ["circle"] * 7
    assert (list(below.x), below.marker.symbol) == ([7], "triangle-down")
    assert (list(above.x), above.marker.symbol) == ([9], "triangle-up")
    assert {"<b>0.35 below</b>", "<b>1.05 above</b>"} <= set(texts(figure))


def test_words_of_neighbours_outside_stand_in_two_lines() -> None:
    figure = control_chart(batches(outside={6: -1, 7: -1}), centre=0.7, theme="light")
    notes = [note for note in figure.layout.annotations if str(note.text).endswith("below</b>")]
    assert len(notes) == 2
    assert notes[0].yshift > notes[1].yshift
    assert all(note.yshift < 0 for note in notes)


def test_what_changed_stands_above_a_line_before_its_batch() -> None:
    figure = control_chart(ROWS, centre=0.7, theme="light", width=310)
    lines = [shape.x0 for shape in figure.layout.shapes if shape.line.dash == "dot"]
    assert lines == [5.5, 8.5]
    assert "prompt v2" in texts(figure)
    notes = [note for note in figure.layout.annotations if note.hovertext == LONG]
    assert notes
    assert "…" in notes[0].text


def test_the_words_say_every_batch() -> None:
    said = alt(ROWS, centre=0.7)
    assert "week of 2026-02-22 0.35, below its limits [0.50, 0.90]" in said
    assert "week of 2026-03-08 1.05, above its limits" in said
    assert "here begins prompt v2" in said
    assert "Baseline 0.70, of the first 3." in said


def test_without_limits_there_is_no_band_and_no_baseline() -> None:
    rows = [BatchRow(str(at), 0.5 + at / 10, n=5) for at in range(4)]
    figure = control_chart(rows, centre=math.nan, theme="dark")
    assert not figure.layout.shapes
    assert "Baseline" not in alt(rows, centre=math.nan)
    assert "limits" not in alt(rows, centre=math.nan)


def test_nothing_to_show_is_said() -> None:
    rows = [BatchRow("a", math.nan)]
    assert "No batch to show" in texts(control_chart(rows, centre=math.nan, theme="light"))
    assert alt(rows, centre=math.nan) == "No batch to show."


def test_names_are_escaped() -> None:
    rows = [BatchRow("<img src=x onerror=alert(1)>", 0.5, changed="<b>x</b>"), BatchRow("b", 0.6)]
    json = control_chart(rows, centre=math.nan, theme="light").to_json().replace("\\u003c", "<").replace("\\u003e", ">")
    assert "<img" not in json
    assert "<b>x" not in json


@pytest.mark.parametrize("n", [1, 2, 5, 12, 40])
@pytest.mark.parametrize("scale", [1.0, 1.4])
def test_no_two_names_of_batches_meet_where_the_figure_is_narrow(n: int, scale: float) -> None:
    figure = control_chart(batches(n), centre=0.7, theme="light", scale=scale, width=340)
    plot = 340 * scale - figure.layout.margin.l - figure.layout.margin.r
    names = [note for note in figure.layout.annotations if note.hovertext and str(note.text).startswith("week")]
    size = theme.TICK * scale
    middles = [((note.x + 0.5) / n * plot + note.xshift, theme.text_width(note.text, size) / 2) for note in names]
    ends = sorted((middle - half, middle + half) for middle, half in middles)
    assert ends
    assert ends[0][0] >= -figure.layout.margin.l
    assert ends[-1][1] <= plot + figure.layout.margin.r + 1
    assert all(first[1] < second[0] for first, second in pairwise(ends))
