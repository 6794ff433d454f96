"""All judges against a baseline: every judge keeps its row, 0 is marked, p and value stand beside."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from metrics.figures import theme
from metrics.figures.forest import MANY_READ, ForestRow, alt, forest
from metrics.measures.transforms import Interval
from metrics.results.estimate import Estimate
from tests.figures.drawn import texts
from tests.figures.lab_tables import assert_apart


def apart(value: float, low: float, high: float) -> Estimate:
    return Estimate(value, Interval(low, high, ""))


ROWS = [
    ForestRow("lenient", apart(0.05, -0.02, 0.12), 0.71, 0.16, 214),
    ForestRow("strict", apart(-0.12, -0.17, -0.07), 0.69, 0.0004, 226, True),
    ForestRow("A judge whose name takes forty characters", Estimate(-0.01, why="only one item"), 0.81, 1.0, 226),
    ForestRow("<img src=x onerror=alert(1)>", Estimate(math.nan, why="both sides give only MET"), n=3),
]


def many(n: int) -> list[ForestRow]:
    name = "GPT-4/Rating_Metrics_Reference"
    return [ForestRow(f"{name} {i}", apart(-0.01 * i, -0.01 * i - 0.1, 0.1 - 0.01 * i), 0.5) for i in range(n)]


def test_dots_are_the_differences_and_undefined_rows_are_kept() -> None:
    areas, plain, told_apart = forest(ROWS, theme="light").data
    assert list(plain.x) == [0.05, -0.01]
    assert list(told_apart.x) == [-0.12]
    assert [place[0] for place in plain.customdata] == [0, 2]
    assert [place[0] for place in told_apart.customdata] == [1]
    assert [place[0] for place in areas.customdata] == [0, 1, 2, 3]
    assert plain.marker.color == theme.LIGHT.neutral
    assert told_apart.marker.color == theme.LIGHT.kappa


def test_a_difference_without_interval_is_open() -> None:
    _, plain, _ = forest(ROWS, theme="light").data
    assert list(plain.marker.symbol) == ["circle", "circle-open"]
    assert plain.error_x.array == pytest.approx([0.07, 0])
    assert plain.error_x.arrayminus == pytest.approx([0.07, 0])


def test_values_p_and_reasons_are_written() -> None:
    said = texts(forest(ROWS, theme="light", p_head="p Holm"))
    for text in ("lenient", "0.05", "−0.12", "0.71", "0.160", "κ", "p Holm", "–"):
        assert text in said
    assert any(text.replace("<br>", " ") == "– both sides give only MET" for text in said)


@pytest.mark.parametrize("rows", [ROWS[:1], ROWS, many(12), many(13), many(64)])
@pytest.mark.parametrize("scale", [1.0, 1.4])
def test_zero_is_marked_and_inside(rows, scale) -> None:
    figure = forest(rows, theme="dark", scale=scale)
    assert [shape.x0 for shape in figure.layout.shapes] == [0]
    low, high = figure.layout.xaxis.range
    assert low < 0 < high
    assert 0 in figure.layout.xaxis.tickvals
    for row in rows:
        if row.difference.ends is not None:
            assert low < row.difference.low
            assert high > row.difference.high


@pytest.mark.parametrize("n", [0, 1, 2, 12, 13, 65])
def test_height_grows_with_the_judges(n) -> None:
    figure = forest(many(n), theme="light")
    assert figure.layout.height > 20 * n
    assert bool(figure.data) == bool(n)


def test_many_rows_carry_their_difference_in_a_column() -> None:
    figure = forest(many(30), theme="light")
    assert "diff." in texts(figure)
    notes = [note for note in figure.layout.annotations if note.text == "−0.25"]
    assert notes
    assert all(note.xref == "paper" for note in notes)


def test_shares_differ_in_points() -> None:
    figure = forest([ForestRow("b", apart(0.05, -0.02, 0.12), 0.91, 0.2)], theme="light", symbol="accuracy", unit="%")
    assert "91\u00a0%" in texts(figure)
    assert "+5.0" in texts(figure)
    assert "difference +5.0\u00a0points</b> [−2.0, +12\u00a0points]" in figure.data[0].hovertext[0]


def test_names_are_escaped_and_whole_on_hover() -> None:
    figure = forest(ROWS, theme="light")
    json = figure.to_json().replace("\\u003c", "<").replace("\\u003e", ">")
    assert "<img" not in json
    assert ROWS[2].name in [note.hovertext for note in figure.layout.annotations]
    assert ROWS[2].name in figure.data[0].hovertext[2]


@pytest.mark.parametrize("rows", [ROWS, many(64)])
def test_names_stay_left_of_the_plot_at_340_px(rows) -> None:
    figure = forest(rows, theme="light")
    room = figure.layout.margin.l
    for note in figure.layout.annotations:
        if note.xref == "paper" and note.x == 0:
            lines = note.text.replace("&lt;", "<").replace("&gt;", ">").split("<br>")
            assert all(theme.text_width(line, note.font.size) <= room for line in lines)
    assert 340 - figure.layout.margin.l - figure.layout.margin.r >= 85


def test_names_alike_stay_apart() -> None:
    names = [f"Answers the question {i} of the customer in full" for i in range(2)]
    said = texts(forest([ForestRow(name, Estimate(0.1)) for name in names], theme="light"))
    assert sum("(2)" in text for text in said) == 1


def test_the_selected_row_is_painted() -> None:
    areas = forest(ROWS, theme="dark", selected=1).data[0]
    assert [fill == theme.DARK.selected for fill in areas.marker.color] == [False, True, False, False]


def test_zero_shows_through_the_selected_row() -> None:
    lines = forest(ROWS, theme="dark", selected=1).layout.shapes
    assert [line.layer for line in lines] == ["below", "above"]
    assert [line.x0 for line in lines] == [0, 0]


def test_all_undefined() -> None:
    figure = forest([ROWS[3]] * 20, theme="light")
    assert not len(figure.data[1].x)
    assert figure.to_json()


def test_alt_says_every_number() -> None:
    said = alt(ROWS, "cautious", p_head="p Holm")
    assert said.startswith("Difference in κ from cautious. lenient 0.05 [−0.02, 0.12], its κ 0.71, p Holm 0.160; strict −0.12")
    assert "forty characters −0.01, its κ 0.81, p Holm 1.000; " in said
    assert "undefined: both sides give only MET" in said
    assert alt([], "cautious") == "No judge to compare."


OTHERS = (
    ("micro", apart(-0.11, -0.18, -0.04)), ("macro", apart(0.28, 0.2, 0.36)), ("all answered", Estimate(0.004)),
    ("as negative", Estimate(math.nan)),
)  # fmt: skip
READ = [replace(row, others=dict(OTHERS[: 2 + place]), disagree=place == 0) for place, row in enumerate(ROWS)]


def test_other_readings_stand_under_their_row_in_grey() -> None:
    *_, told_apart, low = forest(READ, theme="light").data
    assert low.marker.color == theme.LIGHT.neutral
    assert list(low.x[:4]) == [-0.11, 0.28, -0.11, 0.28]
    assert [place[0] for place in low.customdata[:5]] == [0, 0, 1, 1, 1]
    assert told_apart.y[0] < low.y[2] < low.y[3]
    said = texts(forest(READ, theme="light"))
    for text in ("micro −0.11", "macro 0.28", "all answered 0.00", "as negative –"):
        assert text in said
    assert said.count("readings<br>disagree") == 1
    low_end, high_end = forest(READ, theme="light").layout.xaxis.range
    assert (low_end < -0.18, high_end > 0.36) == (True, True)


def test_without_other_readings_nothing_is_added() -> None:
    assert len(forest(ROWS, theme="light").data) == 3
    assert "disagree" not in " ".join(texts(forest(ROWS, theme="light")))
    assert "disagree" not in alt(ROWS, "cautious")


@pytest.mark.parametrize("width", [340, 700])
@pytest.mark.parametrize("scale", [1.0, 1.4])
@pytest.mark.parametrize("unit", ["", "%"])
def test_small_rows_stay_apart(width, scale, unit) -> None:
    for rows in (READ, READ[:1], [replace(READ[0], others=dict(OTHERS[1:2]))]):
        figure = forest(rows, theme="dark", unit=unit, symbol="κ within", p_head="p joint", width=width, scale=scale, selected=0)
        assert_apart(figure, width * scale)


def test_close_rows_carry_a_sign_where_readings_disagree() -> None:
    rows = [replace(row, others=dict(OTHERS[:2]), disagree=place == 3) for place, row in enumerate(many(MANY_READ + 1))]
    figure, said = forest(rows, theme="light"), alt(rows, "cautious")
    assert [text for text in texts(figure) if "≠" in text] == ["−0.03 ≠"]
    assert len(figure.data) == 3
    assert said.count("micro −0.11 [−0.18, −0.04], macro 0.28 [0.20, 0.36], readings disagree") == 1
    assert said.count("micro") == 1
    assert "macro 0.28 [0.20, 0.36]" in figure.data[0].hovertext[0]


def test_alt_says_every_reading_of_a_few_rows() -> None:
    said = alt(READ, "cautious")
    assert (
        "lenient 0.05 [−0.02, 0.12], its κ 0.71, p 0.160, micro −0.11 [−0.18, −0.04], macro 0.28 [0.20, 0.36], readings" in said
    )
    assert said.count("readings disagree") == 1
    assert "p <0.001, micro −0.11 [−0.18, −0.04], macro 0.28 [0.20, 0.36], all answered 0.00;" in said


@pytest.mark.parametrize("scale", [1.0, 1.4])
def test_a_name_of_two_lines_keeps_off_the_small_rows_under_it(scale) -> None:
    """The second line of "gpt-3.5-turbo-16k" ran into "macro 0.00"."""
    row = ForestRow("gpt-3.5-turbo-16k", apart(-0.03, -0.08, 0.01), 0.04, 0.18, others={"macro": apart(0.0, -0.04, 0.04)})
    notes = forest([row], theme="light", scale=scale).layout.annotations
    name = next(note for note in notes if note.text.startswith("gpt-3.5-"))
    small = next(note for note in notes if note.text.startswith("macro"))
    assert "<br>" in name.text
    assert name.y + 1.3 * name.font.size <= small.y - 0.5 * small.font.size
    (alone,) = [note for note in forest([replace(row, name="short")], theme="light").layout.annotations if note.text == "short"]
    (plain,) = [
        note for note in forest([replace(row, name="short", others={})], theme="light").layout.annotations if note.text == "short"
    ]
    assert alone.y == plain.y
