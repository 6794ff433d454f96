"""The grid of choices: nine values on one axis, the declared one outlined."""

from __future__ import annotations

import math

import pytest

from metrics.figures import theme
from metrics.figures.grid import alt, choice_grid
from metrics.measures.transforms import Interval
from metrics.results.estimate import Estimate
from tests.figures.drawn import texts

VALUES = [[0.81, 0.72, 0.55], [0.64, 0.55, 0.43], [0.53, 0.44, 0.33]]
HEADS = ("Exclude, coverage 80\u00a0%", "Count as negative", "Keep as a class")


def cells(values, low=None, high=None, why="") -> list[list[Estimate]]:
    interval = None if low is None else Interval(low, high, "")
    return [[Estimate(value, interval, why) for value in row] for row in values]


def test_nine_values_on_one_axis() -> None:
    figure = choice_grid(cells(VALUES), theme="light", row_heads=HEADS, declared=(0, 0))
    dots = figure.data[1::2]
    assert [[dot.x[row] for dot in dots] for row in range(3)] == VALUES
    assert [[list(dot.customdata[row]) for dot in dots] for row in range(3)] == [[[r, c] for c in range(3)] for r in range(3)]
    axes = [figure.layout.xaxis, figure.layout.xaxis2, figure.layout.xaxis3]
    assert len({tuple(axis.range) for axis in axes}) == 1
    assert axes[0].ticktext == ("0", ".4", ".8")
    for value in (v for row in VALUES for v in row):
        assert f"<b>{value:.2f}</b>" in texts(figure)


def test_every_cell_takes_a_click_defined_or_not() -> None:
    figure = choice_grid(cells([[math.nan] * 3] * 3, why="judge says MET only"), theme="dark")
    areas = figure.data[::2]
    assert sorted(tuple(place) for area in areas for place in area.customdata) == [(r, c) for r in range(3) for c in range(3)]
    assert all("judge says MET only" in text for area in areas for text in area.hovertext)
    assert texts(figure).count("–") == 9
    assert all(not len(dot.x) for dot in figure.data[1::2])


def test_only_the_declared_cell_is_painted() -> None:
    figure = choice_grid(cells(VALUES), theme="light", declared=(1, 2))
    painted = [
        tuple(place)
        for area in figure.data[::2]
        for place, fill in zip(area.customdata, area.marker.color, strict=True)
        if fill == theme.LIGHT.selected
    ]
    assert painted == [(1, 2)]


def test_row_heads_are_bold_up_to_the_comma_and_escaped() -> None:
    said = texts(choice_grid(cells(VALUES), theme="light", row_heads=(*HEADS[:2], "<b>x</b>, y")))
    assert "<b>Exclude</b>, coverage 80\u00a0%" in said
    assert "<b>&lt;b&gt;x&lt;/b&gt;</b>, y" in said


def test_intervals_are_drawn_and_written_when_there_are_any() -> None:
    plain, bounded = (choice_grid(cells(VALUES, *bounds), theme="light") for bounds in ((), (0.2, 0.9)))
    assert bounded.data[1].error_x.visible
    assert not plain.data[1].error_x.visible
    assert "[0.20, 0.90]" in texts(bounded)
    assert bounded.data[1].x[0] + bounded.data[1].error_x.array[0] == pytest.approx(0.9)
    assert bounded.layout.height > plain.layout.height


@pytest.mark.parametrize("lowest", [-0.05, -0.3, -0.5, -1.0])
def test_the_axis_grows_below_zero(lowest: float) -> None:
    figure = choice_grid(cells([[lowest, 1.0, 0.0]] * 3), theme="light")
    low, high = figure.layout.xaxis.range
    assert low < lowest
    assert high > 1
    assert all(low <= tick <= high for tick in figure.layout.xaxis.tickvals)
    assert figure.layout.xaxis.tickvals[0] < 0


def test_values_stay_inside_their_column_at_340_px() -> None:
    figure = choice_grid(cells([[-1.0, 1.0, 0.0]] * 3, -1.0, 1.0), theme="light")
    low, high = figure.layout.xaxis.range
    for note in figure.layout.annotations:
        if note.xref == "paper":
            continue
        wide = theme.text_width(note.text.replace("<b>", "").replace("</b>", ""), note.font.size)
        per_px = (high - low) / (340 * 0.31)
        middle, half = note.x + (note.xshift or 0) * per_px, wide / 2 * per_px
        assert low <= middle - half
        assert middle + half <= high


def test_each_coefficient_has_its_symbol() -> None:
    looks = {
        symbol: choice_grid(cells(VALUES), theme="light", symbol=symbol).data[1].marker.symbol for symbol in ("κ", "φ", "AC1")
    }
    assert looks == {"κ": ("circle",) * 3, "φ": ("diamond",) * 3, "AC1": ("hexagon",) * 3}


def test_alt_says_every_number() -> None:
    said = alt([*cells(VALUES[:2]), [Estimate(math.nan, why="all MET")] * 3], row_heads=HEADS, declared=(0, 0))
    assert "Exclude, coverage 80\u00a0%: Micro 0.81, Macro 0.72, Item 0.55" in said
    assert "Micro undefined (all MET)" in said
    assert said.endswith("Declared: Exclude, coverage 80\u00a0%, Micro.")
    assert "0.81 [0.20, 0.90]" in alt(cells(VALUES, 0.2, 0.9))
