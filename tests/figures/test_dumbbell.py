"""κ and φ on one row: marks, ratio and drift are those of the counts, and every text has room."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import pytest

import metrics
from metrics.analyses.kappa_phi.rows import GapRow
from metrics.analyses.records import Block
from metrics.figures import theme
from metrics.figures.axes import inner_ticks
from metrics.figures.dumbbell import alt, dumbbells
from metrics.figures.dumbbell_parts import BROAD, COEFFICIENTS, DRIFT, EDGE
from metrics.figures.fitting import Mark, axis_ends
from metrics.measures.catalogue import applicable
from metrics.measures.metric import why_undefined
from metrics.measures.transforms import Interval
from metrics.results.estimate import estimates_of

STRICT, LENIENT, EVEN = [[20, 30], [5, 45]], [[45, 5], [30, 20]], [[40, 10], [10, 40]]
NEGATIVE, CONSTANT, NOTHING = [[10, 40], [20, 30]], [[20, 0], [80, 0]], [[0, 0], [0, 0]]
LONG = "A criterion whose name takes forty characters"


def row(name: str, counts, *, ends: tuple[float, float] | None = None, pooled: bool = False) -> GapRow:
    table = np.asarray(counts, np.int64)
    labels = ("MET", "UNMET")
    values = {metric.key: float(metric.function(table)) for metric in applicable(2, "table")}
    reasons = {metric.key: why_undefined(metric, table, labels) for metric in applicable(2, "table")}
    intervals = {"drift": Interval(*ends, "jackknife")} if ends else {}
    block = Block(int(table.sum()), labels, table, estimates=estimates_of(values, reasons))
    return GapRow(name, block.with_intervals(intervals), pooled)


ROWS = [
    row("strict on it", STRICT, ends=(-0.34, -0.16)),
    row("lenient on it", LENIENT, ends=(0.16, 0.34)),
    row(LONG, NEGATIVE),
    row("<img src=x onerror=alert(1)>", CONSTANT),
    row("even", EVEN, ends=(-0.09, 0.09)),
]
POOLED = row("All criteria (micro)", [[155, 85], [145, 215]], ends=(0.05, 0.15), pooled=True)


@dataclass(frozen=True)
class Written:
    """A text of the figure: where its anchor stands and to which side of it it goes."""

    text: str
    xref: str
    x: float
    y: float
    anchor: str
    size: float
    shift: float


def written(figure) -> list[Written]:
    """Texts of annotations and of marks; beside a mark they start at its rim."""
    found = [
        Written(note.text, note.xref, note.x, note.y, note.xanchor, note.font.size, note.xshift or 0)
        for note in figure.layout.annotations
    ]
    for trace in figure.data:
        if trace.type == "scatter" and trace.text is not None:
            rim = (trace.marker.size or 0) / 2 + 2
            for text, x, y, place in zip(trace.text, trace.x, trace.y, trace.textposition, strict=True):
                anchor = "right" if place == "middle left" else "left"
                shift = rim if anchor == "left" else -rim
                found.append(Written(text, trace.xaxis or "x", x, y, anchor, trace.textfont.size, shift))
    return found


def texts(figure) -> list[str]:
    return [one.text.replace("\u00a0", " ").strip() for one in written(figure)]


def traces(figure, symbol: str):
    return next(trace for trace in figure.data if trace.type == "scatter" and trace.marker.symbol == symbol)


def many(n: int) -> list[GapRow]:
    return [row(f"judge number {i} of the many", [[20 + i, 30], [5, 45]], ends=(-0.3, -0.1)) for i in range(n)]


def test_kappa_and_phi_share_a_row() -> None:
    figure = dumbbells(ROWS, pooled=POOLED, theme="light")
    kappas, phis = traces(figure, "circle"), traces(figure, "diamond")
    drawn = [POOLED, *ROWS[:3], ROWS[4]]
    assert list(kappas.x) == [float(metrics.cohen_kappa(one.block.confusion)) for one in drawn]
    assert list(phis.x) == [float(metrics.phi(one.block.confusion)) for one in drawn]
    assert list(kappas.y) == list(phis.y)
    assert [place[0] for place in kappas.customdata] == [0, 1, 2, 3, 5]
    assert kappas.marker.color == theme.LIGHT.kappa
    assert phis.marker.color == theme.LIGHT.phi


def test_the_pooled_row_is_apart_on_top() -> None:
    figure = dumbbells(ROWS, pooled=POOLED, theme="light")
    assert "<b>All criteria (micro)</b>" in texts(figure)
    y = traces(figure, "circle").y
    assert y[0] < y[1]
    assert y[1] - y[0] > y[2] - y[1]
    assert len(dumbbells(ROWS, theme="light").layout.shapes) == len(figure.layout.shapes) - 2


def test_a_line_joins_kappa_and_phi_where_both_are_there() -> None:
    for narrow in (False, True):
        figure = dumbbells(ROWS, pooled=POOLED, theme="light", narrow=narrow, selected="even")
        kappas, phis = traces(figure, "circle"), traces(figure, "diamond")
        joined = [shape for shape in figure.layout.shapes if shape.xref == "x" and shape.y0 == shape.y1]
        assert [(line.x0, line.x1, line.y0) for line in joined] == list(zip(kappas.x, phis.x, kappas.y, strict=True))
        assert {line.layer for line in joined} == {"below"}
        last = max(i for i, shape in enumerate(figure.layout.shapes) if shape.fillcolor == theme.LIGHT.selected)
        assert all(figure.layout.shapes.index(line) > last for line in joined)


def test_values_ratios_and_drifts_are_written() -> None:
    said = texts(dumbbells(ROWS, pooled=POOLED, theme="light"))
    for text in ("0.30", "0.35", "0.866", "−25", "+25", "+10", "0", "–", "<b>κ/φ</b>"):
        assert any(text in one for one in said), text
    assert any("<b>κ</b>" in one for one in said)
    assert any("<b>φ</b>" in one for one in said)
    assert any(one.startswith("κ 0.00, φ –") and "one label only" in one.replace("<br>", " ") for one in said)
    assert any(one.endswith("pts") for one in said)


def test_the_smaller_stands_at_the_left() -> None:
    """φ is the smaller one where it is below 0."""
    sides = {one.text.replace("\u00a0", " ").strip(): one.anchor for one in written(dumbbells([ROWS[0], ROWS[2]], theme="light"))}
    assert sides["<b>κ</b> 0.30"] == "right"
    assert sides["0.35 <b>φ</b>"] == "left"
    assert sides["−0.22"] == "right"
    assert sides["−0.20"] == "left"


def test_the_bar_and_the_whisker_are_the_drift() -> None:
    figure = dumbbells(ROWS, theme="light")
    bars = next(trace for trace in figure.data if trace.type == "bar" and trace.base is None)
    assert list(bars.x) == [-0.25, 0.25, -0.2, 0.8, 0.0]
    ends = zip(bars.x, bars.error_x.arrayminus, bars.error_x.array, strict=True)
    assert [round(end, 9) for x, down, up in ends for end in (x - down, x + up)] == [
        -0.34, -0.16, 0.16, 0.34, -0.2, -0.2, 0.8, 0.8, -0.09, 0.09,
    ]  # fmt: skip
    low, high = figure.layout.xaxis2.range
    assert low < -0.34
    assert high > 0.8
    assert 0 in figure.layout.xaxis2.tickvals
    assert all(text.startswith(("+", "−", "0")) for text in figure.layout.xaxis2.ticktext)


def test_no_interval_no_whisker() -> None:
    figure = dumbbells([ROWS[2]], theme="light")
    (bars,) = (trace for trace in figure.data if trace.type == "bar" and trace.base is None)
    assert not bars.error_x.visible


def test_a_narrow_figure_says_the_drift_under_the_name() -> None:
    figure = dumbbells(ROWS, pooled=POOLED, theme="light", narrow=True)
    said = texts(figure)
    for name, drift in (("strict on it", "−25 points [−34, −16]"), ("lenient on it", "+25 points [+16, +34]")):
        assert any(
            text.startswith(name) and f'<br><span style="color:{theme.LIGHT.judge}">{drift}</span>' in text for text in said
        )
    assert any(">−20 points</span>" in text for text in said)
    assert "xaxis2" not in figure.layout.to_plotly_json()


@pytest.mark.parametrize("narrow", [False, True])
@pytest.mark.parametrize("scale", [1.0, 1.4])
@pytest.mark.parametrize("rows", [ROWS, many(12), many(13), many(64)])
def test_texts_have_room_at_the_narrowest(rows, narrow, scale) -> None:
    figure = dumbbells(rows, pooled=POOLED, theme="dark", narrow=narrow, scale=scale)
    margin = figure.layout.margin
    room = (340 if narrow else BROAD) * scale - margin.l - margin.r
    low, high = figure.layout.xaxis.range
    domain = (0, 1) if narrow else COEFFICIENTS
    for one in written(figure):
        lines = re.sub(r"</?b>|</?span[^>]*>", "", one.text).replace("&lt;", "<").replace("&gt;", ">").split("<br>")
        wide = max(theme.text_width(line.strip("\u00a0"), one.size) for line in lines)
        if one.xref == "x":
            start = (one.x - low) / (high - low) * room * (domain[1] - domain[0]) + one.shift
            left, right = (start, start + wide) if one.anchor == "left" else (start - wide, start)
            assert left >= -1, one.text
            assert right <= room * (domain[1] - domain[0]) + 3, one.text
        if one.xref == "x2":
            ends = figure.layout.xaxis2.range
            start = (one.x - ends[0]) / (ends[1] - ends[0]) * room * (DRIFT[1] - DRIFT[0]) + one.shift
            left, right = (start, start + wide) if one.anchor == "left" else (start - wide, start)
            assert left >= -1, one.text
            assert right <= room * (DRIFT[1] - DRIFT[0]) + EDGE * scale, one.text
        if one.xref == "paper" and one.x == 0:
            names = [line for line in lines if "points" not in line]
            assert max(theme.text_width(line, one.size) for line in names) <= margin.l + 2, one.text


@pytest.mark.parametrize("narrow", [False, True])
@pytest.mark.parametrize("n", [0, 1, 2, 12, 13, 30, 65])
def test_the_height_grows_with_the_rows(n, narrow) -> None:
    figure = dumbbells(many(n), theme="light", narrow=narrow)
    assert figure.layout.height > 24 * n
    assert bool(figure.data) == bool(n)


@pytest.mark.parametrize("narrow", [False, True])
def test_the_selected_row_is_grounded_and_bold(narrow) -> None:
    plain = dumbbells(ROWS, theme="light", narrow=narrow)
    chosen = dumbbells(ROWS, theme="light", narrow=narrow, selected="even")
    grounds = [shape for shape in chosen.layout.shapes if shape.fillcolor == theme.LIGHT.selected]
    assert len(grounds) == 3
    assert len(chosen.layout.shapes) == len(plain.layout.shapes) + 3
    assert all(shape.y0 < traces(chosen, "circle").y[-1] < shape.y1 for shape in grounds)
    assert any(text.startswith("<b>even</b>") for text in texts(chosen))


def test_every_row_is_clickable_on_both_sides() -> None:
    figure = dumbbells(ROWS, pooled=POOLED, theme="light")
    areas = [trace for trace in figure.data if trace.type == "bar" and trace.base is not None]
    assert [trace.xaxis for trace in areas] == ["x", "x2"]
    for trace in areas:
        assert [place[0] for place in trace.customdata] == list(range(6))


def test_names_are_escaped_and_whole_on_hover() -> None:
    figure = dumbbells(ROWS, theme="light")
    json = figure.to_json().replace("\\u003c", "<").replace("\\u003e", ">")
    assert "<img" not in json
    assert LONG in [note.hovertext for note in figure.layout.annotations]


def test_all_undefined_and_nothing() -> None:
    figure = dumbbells([row("a", CONSTANT), row("b", NOTHING)], theme="light")
    said = [text.replace("<br>", " ") for text in texts(figure)]
    assert "κ, φ – no decision is left" in said
    assert texts(dumbbells([], theme="light")) == ["No criterion to show"]


def test_the_alternative_text_has_the_numbers() -> None:
    text = alt(ROWS, pooled=POOLED, positive="yes").replace("\u00a0", " ")
    assert text.startswith("κ, φ, κ/φ and how much more often the judge says yes than the human. All criteria (micro): ")
    assert "strict on it: κ 0.30, φ 0.35, κ/φ 0.866, label-rate bias −25 points [−34, −16 points]" in text
    assert "κ 0.00, φ undefined (the judge gives one label only, MET), κ/φ –, label-rate bias +80 points" in text
    assert alt([]) == "No criterion to show."


def test_an_axis_makes_room_for_what_is_written() -> None:
    low, high = axis_ends([Mark(0.2, 0.8, 40, 40)], 0.2, 0.8, 200)
    each = 200 / (high - low)
    assert (0.2 - low) * each >= 39.5
    assert (high - 0.8) * each >= 39.5
    assert axis_ends([], 0, 1, 100) == (0, 1)
    assert inner_ticks(-0.25, 0.25, 200 / 40) == pytest.approx([-0.2, -0.1, 0, 0.1, 0.2])
