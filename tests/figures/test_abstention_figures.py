"""Figures of abstention: what is drawn is what was computed, every text has its place, words of a file stay text."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import plotly.graph_objects as go
import pytest

from metrics.analyses.abstention.bounds import Bound
from metrics.analyses.abstention.nonresponse import Group
from metrics.analyses.abstention.shares import NO_SHARE, Share
from metrics.figures import theme
from metrics.figures.bounds import BoundRow, bound_bands
from metrics.figures.bounds import alt as bounds_alt
from metrics.figures.rates import alt as rates_alt
from metrics.figures.rates import silence_rates
from metrics.figures.tradeoff import FEW, TradeCurve, TradePoint, trade
from metrics.figures.tradeoff import alt as trade_alt
from metrics.measures.transforms import Interval
from metrics.results.words import percent
from tests.figures.drawn import estimate

IMAGE = "<img src=x onerror=alert(1)>"
LONG = "A judge whose name takes forty characters"


def share(value: float, low: float, high: float, count: int, total: int) -> Share:
    return Share(value, Interval(low, high, ""), count=count, total=total, n_items=total)


BOUNDS = [
    BoundRow("accuracy", estimate(0.91, 0.89, 0.93), Bound(0.73, 0.93)),
    BoundRow("F1", estimate(0.92), Bound(0.76, 0.94)),
    BoundRow("κ", estimate(0.81, 0.77, 0.84), Bound(0.44, 0.85)),
    BoundRow("φ", estimate(math.nan), Bound(math.nan, math.nan, reason="no way to fill the gaps gives it a value")),
]
RATES = [
    Group("Answers the question", share(0.14, 0.10, 0.19, 31, 222), share(0.10, 0.07, 0.15, 22, 222)),
    Group(IMAGE, share(0.0, 0.0, 0.02, 0, 224), NO_SHARE),
    Group(LONG, share(0.04, 0.02, 0.08, 9, 1224), share(0.02, 0.01, 0.05, 4, 1224)),
]
JUDGES = [
    TradePoint("strict", 0.91, estimate(0.84), n=1019),
    TradePoint("lenient", 0.92, estimate(0.835), n=1022),
    TradePoint("cautious", 0.82, estimate(0.91, 0.89, 0.93), 915),
]
CURVE = TradeCurve("cautious", np.linspace(0.01, 0.93, 400).tolist(), np.linspace(0.99, 0.87, 400).tolist())


def crowd(n: int) -> list[TradePoint]:
    rng = np.random.default_rng(1)
    return [
        TradePoint(f"GPT-4/Rating_Metrics_Reference_{i}", 1.0 if i % 3 else 0.97, estimate(float(a)), n=100)
        for i, a in enumerate(rng.uniform(0.5, 0.96, n))
    ]


def texts(figure: go.Figure) -> list[str]:
    return [note.text for note in figure.layout.annotations]


def unbold(text: str) -> str:
    return text.replace("<b>", "").replace("</b>", "").replace("&lt;", "<").replace("&gt;", ">")


# Bounds


def test_bands_run_from_worst_to_best() -> None:
    figure = bound_bands(BOUNDS, theme="light", n_open=225)
    bands = [(shape.x0, shape.x1) for shape in figure.layout.shapes if shape.type == "rect"]
    assert bands == [(0.73, 0.93), (0.76, 0.94), (0.44, 0.85)]
    assert {shape.fillcolor for shape in figure.layout.shapes if shape.type == "rect"} == {"rgba(107,109,116,0.28)"}
    ends = [shape.x0 for shape in figure.layout.shapes if shape.type == "line" and shape.line.color == theme.LIGHT.abstention]
    assert ends == [0.73, 0.93, 0.76, 0.94, 0.44, 0.85]


def test_values_stand_on_the_bands_with_their_symbols() -> None:
    drawn = bound_bands(BOUNDS, theme="light", n_open=225).data[1:]
    assert [list(trace.x) for trace in drawn] == [[0.91], [0.92], [0.81]]
    assert [trace.marker.symbol[0] for trace in drawn] == ["hexagon", "hexagon", "circle"]
    assert drawn[0].error_x.array[0] == pytest.approx(0.02)
    assert not drawn[1].error_x.visible


def test_everything_of_a_bound_is_written() -> None:
    said = texts(bound_bands(BOUNDS, theme="light", n_open=225, unit="items"))
    for text in ("<b>0.91</b>", "0.73", "0.93", "<b>0.81</b>", "0.44", "0.85", "worst case", "best case", "φ"):
        assert text in said
    assert "if the 225 open items had been decided" in said
    assert any(text.replace("<br>", " ") == "– no way to fill the gaps gives it a value" for text in said)
    hover = bound_bands(BOUNDS, theme="dark", n_open=225).data[0].hovertext[2]
    assert hover == "<b>κ 0.810</b> [0.770, 0.840]<br>worst 0.440, best 0.850"


@pytest.mark.parametrize(
    "rows",
    [
        BOUNDS,
        [BoundRow("κ", estimate(-0.4, -0.9, 0.3), Bound(-1.0, 1.0))],
        [BoundRow("F1", estimate(1.0, 0.97, 1.0), Bound(0.1, 1.0))],
    ],
)
@pytest.mark.parametrize("scale", [1.0, 1.4])
def test_numbers_of_bounds_stay_inside_at_340_px(rows: list[BoundRow], scale: float) -> None:
    figure = bound_bands(rows, theme="light", n_open=9, scale=scale)
    low, high = figure.layout.xaxis.range
    plot = 340 * scale - figure.layout.margin.l - figure.layout.margin.r
    for note in figure.layout.annotations:
        if note.xref != "x":
            continue
        at = (note.x - low) / (high - low) * plot + (note.xshift or 0)
        wide = theme.text_width(unbold(note.text).split("<br>")[0], note.font.size)
        start = {"left": at, "right": at - wide, "center": at - wide / 2}[note.xanchor]
        assert start >= -2, note.text
        assert start + wide <= plot + figure.layout.margin.r + 2, note.text


def test_nothing_to_bound() -> None:
    assert texts(bound_bands([], theme="dark", n_open=0)) == ["No metric to bound"]
    assert bounds_alt([], n_open=0) == "No metric to bound."


def test_bounds_are_spoken() -> None:
    said = bounds_alt(BOUNDS, n_open=225)
    assert "κ 0.81 [0.77, 0.84], from 0.44 to 0.85" in said
    assert "φ undefined, no bounds, no way to fill" in said


# Rates


def test_rates_of_both_sides_are_drawn_apart() -> None:
    _, judge, human = silence_rates(RATES, theme="light").data
    assert list(judge.x) == [0.14, 0.0, 0.04]
    assert list(human.x) == [0.10, 0.02]
    assert judge.marker.symbol[0] == "square"
    assert human.marker.symbol[0] == "square-open"
    assert (judge.marker.color, human.marker.color) == (theme.LIGHT.judge, theme.LIGHT.reference)
    assert all(a < b for a, b in zip(judge.y[::2], human.y, strict=True))
    assert judge.error_x.array[0] == pytest.approx(0.05)


def test_one_side_alone_has_lower_rows_and_no_other_name() -> None:
    rows = [Group(row.name, row.judge) for row in RATES]
    one, two = silence_rates(rows, theme="light"), silence_rates(RATES, theme="light")
    assert one.layout.height < two.layout.height
    assert "■ judge" in texts(one)
    assert "■ judge   □ human" in texts(two)


def test_rates_are_written_with_their_number() -> None:
    said = texts(silence_rates(RATES, theme="light"))
    for text in ("14\u00a0%", "10\u00a0%", "0\u00a0%", "–", "222", "1\u202f224", "n"):
        assert text in said
    assert "31 of 222 open" in silence_rates(RATES, theme="light").data[0].hovertext[0]


@pytest.mark.parametrize("scale", [1.0, 1.4])
def test_rates_keep_their_numbers_left_of_the_column(scale: float) -> None:
    figure = silence_rates(RATES, theme="light", scale=scale)
    low, high = figure.layout.xaxis.range
    plot = 340 * scale - figure.layout.margin.l - figure.layout.margin.r
    for note in figure.layout.annotations:
        if note.xref == "x":
            end = (note.x - low) / (high - low) * plot + note.xshift + theme.text_width(note.text, note.font.size)
            assert end <= plot + 4, note.text
        elif note.x == 0 and note.xanchor == "right":
            assert all(
                theme.text_width(unbold(line), note.font.size) <= figure.layout.margin.l for line in note.text.split("<br>")
            )


def test_words_of_a_file_stay_text() -> None:
    for figure in (
        silence_rates(RATES, theme="light"),
        trade([TradePoint(IMAGE, 0.9, estimate(0.8))], 0, TradeCurve(IMAGE, [0.5, 1], [1, 0.8]), theme="light"),
    ):
        assert "<img" not in figure.to_json().replace("\\u003c", "<").replace("\\u003e", ">")
    hovers = [note.hovertext for note in silence_rates(RATES, theme="light").layout.annotations]
    assert LONG in hovers


def test_rates_are_spoken() -> None:
    said = rates_alt(RATES, "criterion")
    assert "Answers the question judge 14\u00a0% [10, 19\u00a0%] of 222, human 10\u00a0% [7, 15\u00a0%] of 222" in said
    assert "human undefined of 0" in said
    assert rates_alt([], "prompt") == "No decision to show."
    assert texts(silence_rates([], theme="light")) == ["No decision to show"]


# What abstaining buys


def test_points_and_curve_are_where_they_were_computed() -> None:
    line, others, chosen = trade(JUDGES, 2, CURVE, theme="light").data
    assert list(others.x) == [0.91, 0.92]
    assert list(others.y) == [0.84, 0.835]
    assert (chosen.x[0], chosen.y[0], chosen.customdata[0][0]) == (0.82, 0.91, 2)
    assert chosen.error_y.array[0] == pytest.approx(0.02)
    assert line.x[0] >= 0.3
    assert (line.x[-1], line.y[-1]) == (CURVE.coverage[-1], CURVE.accuracy[-1])
    assert np.interp(line.x, CURVE.coverage, CURVE.accuracy) == pytest.approx(line.y)


def test_few_judges_are_all_named_and_many_only_at_the_ends() -> None:
    named = {unbold(text) for text in texts(trade(JUDGES, 0, CURVE, theme="light"))}
    assert {"strict", "lenient", "cautious", "cautious, threshold moving"} <= named
    points = crowd(65)
    figure = trade(points, 7, theme="light")
    names = [note for note in figure.layout.annotations if "GPT-4" in note.text]
    assert 1 <= len(names) <= 5
    assert [note for note in names if note.text.startswith("<b>")]
    assert len(figure.data[0].x) + len(figure.data[1].x) == 65
    assert figure.data[0].marker.color == theme.LIGHT.neutral
    assert trade(JUDGES, 0, theme="light").data[0].marker.color == theme.LIGHT.judge
    assert len([text for text in texts(trade(points[:FEW], 0, theme="light")) if "GPT-4" in text]) >= FEW // 2


def boxes(figure: go.Figure, scale: float) -> list[tuple[float, float, float, float, str]]:
    """Of the texts inside the plot, in px at 340 px."""
    margin = figure.layout.margin
    plot, tall = 340 * scale - margin.l - margin.r, figure.layout.height - margin.t - margin.b
    (left, right), (low, high) = figure.layout.xaxis.range, figure.layout.yaxis.range
    found = []
    for note in figure.layout.annotations:
        if note.xref != "x":
            continue
        x = (note.x - left) / (right - left) * plot + (note.ax if note.showarrow else note.xshift)
        y = (note.y - low) / (high - low) * tall + (-note.ay if note.showarrow else note.yshift)
        wide = theme.text_width(unbold(note.text), note.font.size)
        found.append((x - wide / 2, y - 7 * scale, x + wide / 2, y + 7 * scale, note.text))
    return found


CROWDED = [
    (JUDGES, 0, CURVE),
    (JUDGES, 2, None),
    (crowd(65), 3, None),
    (crowd(10), 0, CURVE),
    ([TradePoint(LONG, 0.7, estimate(0.71, 0.6, 0.81))], 0, None),
    ([TradePoint(f"same {i}", 1.0, estimate(1.0)) for i in range(4)], 1, None),
]


@pytest.mark.parametrize(("points", "chosen", "curve"), CROWDED)
@pytest.mark.parametrize("scale", [1.0, 1.4])
def test_names_neither_meet_nor_leave_the_figure(
    points: list[TradePoint], chosen: int, curve: TradeCurve | None, scale: float
) -> None:
    figure = trade(points, chosen, curve, theme="dark", scale=scale)
    found = boxes(figure, scale)
    assert any(text.startswith("<b>") for *_, text in found)
    for (a, b, c, d, one), (e, f, g, h, other) in combinations(found, 2):
        assert c <= e or g <= a or d <= f or h <= b, (one, other)
    plot = 340 * scale - figure.layout.margin.l
    assert all(a >= 0 and c <= plot for a, _, c, _, _ in found)


def test_a_crowded_judge_is_named_at_the_end_of_a_line() -> None:
    rng = np.random.default_rng(4)
    points = [TradePoint(f"judge {i}", float(x), estimate(float(y))) for i, (x, y) in enumerate(rng.uniform(0.8, 0.98, (400, 2)))]
    points += [TradePoint("corner", 0.7, estimate(0.7)), TradePoint("other corner", 1.0, estimate(1.0))]
    led = [note for note in trade(points, 5, theme="light").layout.annotations if note.showarrow]
    assert [unbold(note.text) for note in led] == ["judge 5"]
    assert math.hypot(led[0].ax, led[0].ay) > 20
    assert not [note for note in trade(JUDGES, 0, theme="light").layout.annotations if note.showarrow]


def test_the_axes_hold_everything_and_end_at_all() -> None:
    figure = trade(JUDGES, 2, CURVE, theme="light")
    (left, right), (low, high) = figure.layout.xaxis.range, figure.layout.yaxis.range
    assert left < 0.3
    assert right > 1.0
    assert low < 0.835
    assert high > max(figure.data[0].y)
    assert max(figure.layout.xaxis.tickvals) == 1.0


def test_no_judge_with_a_decision() -> None:
    nothing = [TradePoint("a", 0.0, estimate(math.nan))]
    assert texts(trade(nothing, 0, theme="light")) == ["No judge with a decision to show"]
    assert trade_alt(nothing, 0) == "No judge with a decision to show."


def test_the_trade_is_spoken() -> None:
    said = trade_alt(JUDGES, 2, CURVE)
    assert said.startswith("Accuracy where 3 judges answer, against coverage. cautious right 91\u00a0% [89, 93")
    assert "cautious right 91\u00a0% [89, 93\u00a0%] at coverage 82\u00a0%" in said
    drawn = next(trace for trace in trade(JUDGES, 2, CURVE, theme="light").data if trace.mode == "lines")
    first = f"{percent(drawn.y[0])} at {percent(drawn.x[0])}"
    assert f"cautious as its threshold moves: from {first} to 87\u00a0% at 93\u00a0%." in said
    assert drawn.x[0] > CURVE.coverage[0]


def test_every_point_of_a_crowd_is_spoken() -> None:
    points = crowd(30)
    said = trade_alt(points, 4)
    assert all(f"{point.name} right {percent(point.accuracy.value)} at" in said for point in points)
