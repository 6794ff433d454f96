"""The grid of choices: nine values on one axis, the declared one outlined."""

from __future__ import annotations

import math

import numpy as np
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


def columns_of(figure) -> list[tuple[float, float, list[float]]]:
    """Where the line of each column begins and ends, and the places of its ticks."""
    lines = [(line.x0, line.x1) for line in figure.layout.shapes]
    return [(start, end, [at for at in figure.layout.xaxis.tickvals if start <= at <= end]) for start, end in lines]


def read_off(figure, places) -> list[float]:
    """What the ticks of its column say of each place."""
    said = {
        at: float(text.replace("−", "-"))
        for at, text in zip(figure.layout.xaxis.tickvals, figure.layout.xaxis.ticktext, strict=True)
    }
    values = []
    for place in places:
        first, *_, last = next(ticks for start, end, ticks in columns_of(figure) if start <= place <= end)
        values.append(said[first] + (place - first) / (last - first) * (said[last] - said[first]))
    return values


def test_nine_values_on_one_axis() -> None:
    figure = choice_grid(cells(VALUES), theme="light", row_heads=HEADS, declared=(0, 0))
    dots, places = figure.data[1], [(r, c) for r in range(3) for c in range(3)]
    assert read_off(figure, dots.x) == pytest.approx([VALUES[r][c] for r, c in places])
    assert [tuple(place) for place in dots.customdata] == places
    assert [column for _, column in places] == [
        next(i for i, (start, end, _) in enumerate(columns_of(figure)) if start <= x <= end) for x in dots.x
    ]
    wide = [end - start for start, end, _ in columns_of(figure)]
    assert wide == pytest.approx([wide[0]] * 3)
    assert figure.layout.xaxis.ticktext == ("0", ".4", ".8") * 3
    assert "xaxis2" not in figure.layout.to_plotly_json()
    for value in (v for row in VALUES for v in row):
        assert f"<b>{value:.2f}</b>" in texts(figure)


def test_every_cell_takes_a_click_defined_or_not() -> None:
    figure = choice_grid(cells([[math.nan] * 3] * 3, why="judge says MET only"), theme="dark")
    areas, dots = figure.data
    assert [tuple(place) for place in areas.customdata] == [(r, c) for r in range(3) for c in range(3)]
    for (_, column), start, wide in zip(areas.customdata, areas.base, areas.x, strict=True):
        assert (start, start + wide) == pytest.approx(columns_of(figure)[column][:2])
    assert all("judge says MET only" in text for text in areas.hovertext)
    assert texts(figure).count("–") == 9
    assert not len(dots.x)


def test_only_the_declared_cell_is_painted() -> None:
    figure = choice_grid(cells(VALUES), theme="light", declared=(1, 2))
    painted = [
        tuple(place)
        for place, fill in zip(figure.data[0].customdata, figure.data[0].marker.color, strict=True)
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
    dots = bounded.data[1]
    assert read_off(bounded, np.add(dots.x, dots.error_x.array)) == pytest.approx([0.9] * 9)
    assert read_off(bounded, np.subtract(dots.x, dots.error_x.arrayminus)) == pytest.approx([0.2] * 9)
    assert bounded.layout.height > plain.layout.height


@pytest.mark.parametrize("lowest", [-0.05, -0.3, -0.5, -1.0])
def test_the_axis_grows_below_zero(lowest: float) -> None:
    figure = choice_grid(cells([[lowest, 1.0, 0.0]] * 3), theme="light")
    (start, end, ticks), *_ = columns_of(figure)
    low, high = read_off(figure, (start, end))
    assert low < lowest
    assert high > 1
    assert len(ticks) * 3 == len(figure.layout.xaxis.tickvals)
    assert read_off(figure, ticks)[0] < 0


def test_values_stay_inside_their_column_at_340_px() -> None:
    figure = choice_grid(cells([[-1.0, 1.0, 0.0]] * 3, -1.0, 1.0), theme="light")
    for note in figure.layout.annotations:
        if note.xref == "paper":
            continue
        low, high, _ = next(column for column in columns_of(figure) if column[0] <= note.x <= column[1])
        wide = theme.text_width(note.text.replace("<b>", "").replace("</b>", ""), note.font.size)
        middle, half = note.x + (note.xshift or 0) / 340, wide / 2 / 340
        assert low <= middle - half
        assert middle + half <= high


def test_each_coefficient_has_its_symbol() -> None:
    looks = {
        symbol: choice_grid(cells(VALUES), theme="light", symbol=symbol).data[1].marker.symbol for symbol in ("κ", "φ", "AC1")
    }
    assert looks == {"κ": ("circle",) * 9, "φ": ("diamond",) * 9, "AC1": ("hexagon",) * 9}


def test_alt_says_every_number() -> None:
    said = alt([*cells(VALUES[:2]), [Estimate(math.nan, why="all MET")] * 3], row_heads=HEADS, declared=(0, 0))
    assert "Exclude, coverage 80\u00a0%: Micro 0.81, Macro 0.72, Item 0.55" in said
    assert "Micro undefined (all MET)" in said
    assert said.endswith("Declared: Exclude, coverage 80\u00a0%, Micro.")
    assert "0.81 [0.20, 0.90]" in alt(cells(VALUES, 0.2, 0.9))
