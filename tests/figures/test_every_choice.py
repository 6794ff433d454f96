"""A column per analysis: values, whiskers, squares and outline are those of the multiverse, upright and turned."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

import metrics
from metrics.analyses.multiverse.compute import Dimension, Option, evaluated, space_of
from metrics.analyses.multiverse.result import Column, Multiverse, multiverse
from metrics.analyses.settings import settings_of
from metrics.figures import theme
from metrics.figures.axes import axis_ticks, tick_words
from metrics.figures.specification_curve import FEWEST, MOST, TABLE, alt, every_choice
from metrics.figures.specification_rows import turned_choices
from metrics.measures.transforms import Interval
from metrics.results.words import number

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def real() -> Multiverse:
    ratings = metrics.read(ROOT / "assets/support_answers.csv")
    space = space_of(ratings, "cautious", settings_of(ratings, judges=["cautious"]), "macro")
    return multiverse(space, {s: evaluated(ratings, "cautious", s) for s in map(space.settings, space.analyses)}, "kappa")


def made(real: Multiverse, values: list[float], metric: str = "kappa", declared: int | None = 0) -> Multiverse:
    """So many analyses that differ in the reference; undefined ones last."""
    options = tuple(Option(f"h{i}", f"human <b>{i}</b>") for i in range(len(values)))
    one = [replace(dimension, options=dimension.options[:1]) for dimension in real.space.dimensions]
    one[1] = replace(one[1], options=(Option("micro", "Micro", ("macro",)),))
    one[3] = Dimension("reference", options)
    base = replace(real.space.base, reference=f"h{declared}" if declared is not None else "h0")
    space = replace(real.space, dimensions=tuple(one), base=base, kinds={})
    columns = tuple(
        Column(
            value,
            None if math.isnan(value) else Interval(value - 0.1, value + 0.05, "jackknife"),
            "both sides give only MET" if math.isnan(value) else "",
            analysis=(0, 0, -1, i, 0, 0),
            names=space.names((0, 0, -1, i, 0, 0)),
        )
        for i, value in enumerate(values)
    )
    return Multiverse(metric, space, columns, 0, len(values))


def texts(figure) -> list[str]:
    written = [trace.text for trace in figure.data if trace.type == "scatter" and trace.mode == "text"]
    return [note.text for note in figure.layout.annotations] + [text for own in written for text in own]


def bars(figure):
    return next(trace for trace in figure.data if trace.type == "bar")


def dots(figure) -> dict[int, tuple[float, float, float]]:
    """Place to value and ends of the whisker."""
    found = {}
    for trace in figure.data:
        if trace.type == "scatter" and trace.yaxis == "y2":
            for x, y, up, down in zip(trace.x, trace.y, trace.error_y.array, trace.error_y.arrayminus, strict=True):
                found[x] = (y, y - down, y + up)
    return found


def px(figure, value: float) -> float:
    """Where a value stands, from the top."""
    low, high = figure.layout.yaxis2.range
    return figure.layout.height * (high - value) / (high - low)


@pytest.mark.parametrize("look", ["light", "dark"])
def test_dots_and_whiskers_are_the_columns(real, look):
    figure = every_choice(real, theme=look)
    drawn = dots(figure)
    assert sorted(drawn) == list(range(36))
    for i, column in enumerate(real.columns):
        assert drawn[i] == pytest.approx((column.value, *column.ends))
    assert all(drawn[a][0] <= drawn[b][0] for a, b in pairwise(range(36)))


def test_values_stand_above_the_squares(real):
    figure = every_choice(real, theme="light")
    squares = [y for trace in figure.data if trace.type == "scatter" and trace.yaxis is None for y in trace.y]
    lowest = max(px(figure, low) for _, low, _ in dots(figure).values())
    assert lowest < min(squares)
    assert max(squares) < figure.layout.height
    assert px(figure, 1.0) > theme.TOP


def test_squares_are_the_choices(real):
    figure = every_choice(real, theme="light")
    empty, filled = (trace for trace in figure.data if trace.type == "scatter" and trace.yaxis is None)
    rows = {note.y: note.text for note in figure.layout.annotations if note.xref == "paper" and note.yref == "y"}
    assert list(rows.values()) == [
        "Exclude", "Count as negative", "Keep as a class", "Micro", "Macro", "Item", "All met", "Score ≥ 0.50",
        "Both agree", "ana", "ben",
    ]  # fmt: skip
    for i, column in enumerate(real.columns):
        names = {rows[y] for x, y in zip(filled.x, filled.y, strict=True) if x == i}
        assert names == {column.names[key] for key in ("mode", "level", "rule", "reference") if key in column.names}
    assert len(empty.x) + len(filled.x) == 36 * 11


def test_the_declared_column_is_outlined_through_both_and_named(real):
    figure = every_choice(real, theme="light")
    bar, place = bars(figure), real.declared_place
    assert [i for i, width in enumerate(bar.marker.line.width) if width] == [place]
    assert bar.base[place] < px(figure, 1.0)
    assert bar.base[place] + bar.y[place] > max(
        y for trace in figure.data if trace.type == "scatter" and trace.yaxis is None for y in trace.y
    )
    assert f"<b>declared {number(real.columns[place].value)}</b>" in texts(figure)
    assert f"lowest <b>{number(real.columns[0].value)}</b>" in texts(figure)
    assert f"highest <b>{number(real.columns[-1].value)}</b>" in texts(figure)
    assert [list(spot) for spot in bar.customdata] == [[i] for i in range(36)]


@pytest.mark.parametrize(("declared", "says"), [(0, "declared 0.10"), (29, "declared 0.39")])
def test_one_that_is_declared_and_extreme_is_named_once(real, declared, says):
    said = texts(every_choice(made(real, [0.1 + 0.01 * i for i in range(30)], declared=declared), theme="light"))
    assert f"<b>{says}</b>" in said
    assert sum("lowest" in text or "highest" in text for text in said) == 1


def test_an_undefined_declared_one_is_named_and_outlined(real):
    figure = every_choice(made(real, [0.1 + 0.01 * i for i in range(30)] + [math.nan], declared=30), theme="light")
    assert "<b>declared –</b>" in texts(figure)
    assert [i for i, width in enumerate(bars(figure).marker.line.width) if width] == [30]


def test_where_most_are_undefined_the_ends_share_a_label(real):
    figure = every_choice(made(real, [0.1, 0.3] + [math.nan] * 20, declared=10), theme="light")
    assert "<b>0.10</b> to <b>0.30</b>" in texts(figure)


def test_above_eighty_no_column_is_dropped(real):
    many = made(real, [i / (MOST + 20) for i in range(MOST + 20)] + [math.nan] * 5, declared=40)
    figure = every_choice(many, theme="light")
    assert len(dots(figure)) == MOST + 20
    assert len(bars(figure).x) == MOST + 25
    assert not [trace for trace in figure.data if trace.type == "scatter" and trace.yaxis is None]
    assert "5 undefined" in texts(figure)
    exactly = every_choice(made(real, [i / MOST for i in range(MOST)]), theme="light")
    assert [trace for trace in exactly.data if trace.type == "scatter" and trace.yaxis is None]


def test_few_columns_carry_their_values(real):
    figure = every_choice(made(real, [0.2, 0.4, math.nan], declared=1), theme="light")
    said = texts(figure)
    assert {"0.20", "<b>0.40</b>", "<b>declared</b>", "–", "1 undefined"} <= set(said)
    assert figure.layout.xaxis.range[1] == FEWEST - 0.5


def test_all_undefined(real):
    figure = every_choice(made(real, [math.nan] * 3), theme="light")
    assert texts(figure).count("–") == 3
    assert not dots(figure)
    assert "Undefined: 3" in alt(made(real, [math.nan] * 3))


def test_nothing_to_show(real):
    none = made(real, [])
    for draw in (every_choice, turned_choices):
        assert len(texts(draw(none, theme="light"))) == 1
    assert alt(none).startswith("No analysis")


def test_names_from_the_file_are_text(real):
    figure = every_choice(made(real, [0.1, 0.2]), theme="light")
    assert any("human &lt;b&gt;0" in text for text in texts(figure))
    assert all("&lt;b&gt;" in text for text in bars(figure).hovertext)
    assert "human <b>0</b>" in alt(made(real, [0.1, 0.2]))


def test_alt_has_the_numbers(real):
    said = alt(real)
    lowest, declared = real.columns[0], real.columns[real.declared_place]
    assert said.startswith("κ under 36 sets of choices. Lowest: " + number(lowest.value))
    assert alt(made(real, [0.1])).startswith("κ under 1 set of choices. ")
    assert f"Declared: {number(declared.value)}" in said
    assert all(number(column.value) in said for column in real.columns)
    assert all(name in said for name in ("Exclude", "Macro", "Both agree"))
    assert f"are in the table “{TABLE}”." in said


def test_alt_has_the_whiskers(real):
    ends = [Interval(column.value - 0.1, column.value + 0.1, "jackknife") for column in real.columns]
    bounded = replace(real, columns=tuple(replace(column, interval=own) for column, own in zip(real.columns, ends, strict=True)))
    said = alt(bounded)
    for column in bounded.columns:
        assert f"{number(column.value)} [{number(column.value - 0.1)}, {number(column.value + 0.1)}]" in said


def test_turned_has_a_row_each_with_its_choices(real):
    figure = turned_choices(real, theme="dark")
    bar = bars(figure)
    assert len(bar.y) == 36
    assert [i for i, width in enumerate(bar.marker.line.width) if width] == [real.declared_place]
    said = texts(figure)
    assert "Exclude · Item · All met · ana" in said
    assert "<b>Exclude · Macro · Both agree</b>" in said
    assert [text.removeprefix("<b>").removesuffix("</b>").strip() for text in said[36:]] == [
        number(column.value) for column in real.columns
    ]
    values = sorted(x for trace in figure.data if trace.type == "scatter" and trace.mode == "markers" for x in trace.x)
    assert values == [column.value for column in real.columns]


def test_turned_above_eighty_keeps_every_row(real):
    figure = turned_choices(made(real, [i / 100 for i in range(100)] + [math.nan]), theme="light")
    assert len(bars(figure).y) == 101
    assert not texts(figure)
    assert figure.layout.height < 1000


@pytest.mark.parametrize("scale", [1.0, 1.4])
def test_room_view_is_larger(real, scale):
    figure = every_choice(real, theme="light", scale=scale)
    assert {note.font.size for note in figure.layout.annotations} == {14 * scale, 13 * scale}
    assert figure.layout.height > 500 * scale


@pytest.mark.parametrize(
    ("values", "unit", "expected"),
    [
        ([0.3, 0.9], "", [0, 0.2, 0.4, 0.6, 0.8, 1]),
        ([-0.15, 0.5], "", [-0.2, 0, 0.2, 0.4, 0.6, 0.8, 1]),
        ([-0.04, 0.05], "points", [-0.04, -0.02, 0, 0.02, 0.04, 0.06]),
        ([], "", [0, 0.2, 0.4, 0.6, 0.8, 1]),
        ([0.0], "points", [0, 0.005]),
        ([0.004, 0.012], "points", [0, 0.005, 0.01, 0.015]),
    ],
)
def test_ticks(values, unit, expected):
    assert axis_ticks(values, unit) == pytest.approx(expected)


@pytest.mark.parametrize(("most", "last"), [(7.5, 8), (48, 50), (850, 1000), (12_345, 15_000)])
def test_an_axis_of_large_numbers_has_few_ticks(most: float, last: float) -> None:
    ticks = axis_ticks([0.2, most], "")
    assert ticks[0] == 0
    assert ticks[-1] == last
    assert len(ticks) <= 7


def test_close_ticks_hold_the_values():
    ticks = axis_ticks([0.79, 0.82], "", close=True)
    assert ticks[0] <= 0.79
    assert ticks[-1] >= 0.82
    assert ticks[-1] - ticks[0] < 0.06


def test_words_of_ticks():
    assert [tick_words(*pair) for pair in ((0.2, ""), (-0.2, ""), (0.4, "%"), (0.02, "points"), (-0.005, "points"))] == [
        ".2", "−.2", "40\u00a0%", "+2", "−0.5",
    ]  # fmt: skip
