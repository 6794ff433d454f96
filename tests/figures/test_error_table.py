"""The table of errors: two labels are a mosaic, more a heat map that knows an order only where there is one."""

from __future__ import annotations

import re

import numpy as np
import plotly.graph_objects as go
import pytest

from metrics.figures import confusion, distance, theme
from metrics.figures.error_table import alt, error_table, judge_place

TWO = ([[40, 5], [3, 52]], ("MET", "UNMET"))
THREE = ([[412, 55, 4], [30, 633, 9], [11, 3, 7]], ("MET", "UNMET", "CANNOT_ASSESS"))


def fills(figure: go.Figure) -> dict[tuple[int, int], str]:
    (bars,) = figure.data
    return dict(zip(map(tuple, bars.customdata), bars.marker.color, strict=True))


def words(figure: go.Figure) -> str:
    return " | ".join(re.sub(r"<[^<>]*>", "", note.text) for note in figure.layout.annotations)


def test_two_labels_are_the_mosaic_whatever_else_is_said() -> None:
    counts, labels = TWO
    for ordered in (False, True):
        drawn = error_table(counts, labels, theme="light", ordered=ordered, selected=(0, 1), height=300)
        assert drawn == confusion.mosaic(counts, labels, theme="light", selected=(0, 1), height=300)
        assert alt(counts, labels, ordered=ordered) == confusion.alt(counts, labels)
    assert (judge_place(labels), judge_place(THREE[1])) == ("split", "column")


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("abstention", [None, 2])
def test_labels_without_an_order_are_neither_high_nor_low(mode, abstention) -> None:
    counts, labels = THREE
    figure, colours = error_table(counts, labels, theme=mode, abstention=abstention, width=700), theme.tokens(mode)
    shares = np.array(counts) / np.array(counts).sum(1, keepdims=True)
    for (row, column), fill in fills(figure).items():
        silent = abstention in (row, column)
        hue = colours.correct if row == column else colours.abstention if silent else colours.false_positive
        assert fill == theme.blend(colours.page, hue, 0.15 + 0.85 * shares[row, column])
    assert not figure.layout.shapes
    assert not re.search("higher|lower|steps|[+−][12]", words(figure) + " ".join(figure.data[0].hovertext))
    differ = ("different 10\u00a0%",) if abstention is None else ("different 7\u00a0%", "CANNOT_ASSESS 2\u00a0%")
    shown = re.findall(r"■\u00a0(\S+ \d+\u00a0%)", words(figure))
    assert shown == ["equal 90\u00a0%", *differ]
    assert alt(counts, labels, abstention=abstention) == confusion.alt(counts, labels, abstention=abstention)


def test_ordered_labels_are_the_matrix_of_distances() -> None:
    counts, labels = THREE[0], ("1", "2", "3")
    figure = error_table(counts, labels, theme="light", ordered=True, selected=(2, 0))
    assert figure == distance.distance_matrix(counts, labels, theme="light", selected=(2, 0))
    assert "judge higher" in words(figure)
    assert alt(counts, labels, ordered=True) == distance.alt(counts, labels)


@pytest.mark.parametrize("ordered", [False, True])
def test_a_lower_figure_has_lower_rows_and_every_cell(ordered) -> None:
    counts, labels = THREE
    tall, low = (error_table(counts, labels, theme="light", ordered=ordered, height=height) for height in (340, 235))
    assert low.layout.height < tall.layout.height
    for figure in (tall, low):
        assert set(fills(figure)) == {(row, column) for row in range(3) for column in range(3)}
        bold = re.findall(r"<b>(\d+)</b>", " ".join(note.text for note in figure.layout.annotations))
        assert sorted(map(int, bold)) == sorted(np.ravel(counts))


def test_lit_cells_are_outlined_in_either_form_where_they_hold_anything() -> None:
    for counts, labels in (([[5, 2], [0, 3]], ("a", "b")), ([[5, 2, 0], [1, 3, 4], [0, 0, 7]], ("a", "b", "c"))):
        every = [(row, column) for row in range(len(labels)) for column in range(len(labels))]
        bare, lit = (error_table(counts, labels, theme="light", lit=cells, true=True) for cells in ((), every))
        filled = sum(count > 0 for row in counts for count in row)
        outlined = [shape for shape in lit.layout.shapes if shape.type == "rect" and shape.line.color == theme.LIGHT.judge]
        assert len(outlined) == filled
        assert not [shape for shape in bare.layout.shapes if shape.type == "rect" and shape.line.color == theme.LIGHT.judge]
