"""One coefficient under every choice of mode (rows) and level (columns), the declared cell outlined."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from metrics.data.abstention import MODE_NAMES
from metrics.data.aggregation import LEVEL_NAMES
from metrics.figures import marks
from metrics.figures import theme as style
from metrics.figures.fitting import inward
from metrics.figures.marks import Point, Sheet, annotation
from metrics.figures.theme import Theme, escape, fit, text_width
from metrics.figures.traces import Figure, Trace, drawn
from metrics.results.estimate import Estimate
from metrics.results.words import UNDEFINED, behind, bounds, estimate, number, plain, tick

MODES, LEVELS = tuple(MODE_NAMES.values()), tuple(LEVEL_NAMES.values())
HEAD, ROW_HEAD, CELL, GAP, AXIS = 26, 24, 58, 6, 28
BETWEEN = 0.025
"""Share of the width between two columns."""
BOUNDS = 6
"""More height for a cell when intervals are written under the dots."""


@dataclass(frozen=True)
class Drawing(Sheet):
    cells: Sequence[Sequence[Estimate]]
    declared_cell: tuple[int, int] | None
    row_heads: Sequence[str]
    columns: Sequence[str]
    symbol: str
    width: float
    low: float
    high: float
    ticks: Sequence[float]
    cell_height: float

    def dot(self, row: int) -> float:
        return self.top(row) + self.px(33 if self.cell_height > CELL else 38)

    def top(self, row: int) -> float:
        return self.px(HEAD + ROW_HEAD + row * (ROW_HEAD + self.cell_height + GAP))

    @property
    def foot(self) -> float:
        return self.top(len(self.cells)) - self.px(ROW_HEAD)

    @property
    def share(self) -> float:
        """Share of the width that one column has."""
        return (1 - BETWEEN * (len(self.columns) - 1)) / len(self.columns)

    @property
    def panel(self) -> float:
        """Width of one column in px at the narrowest."""
        return self.width * self.share

    def along(self, length: float) -> float:
        """Return how long a difference of values is, as a share of the width."""
        return length / (self.high - self.low) * self.share

    def at(self, column: int, value: float) -> float:
        """Return where a value of a column stands across the figure, from 0 to 1: plotly draws one axis sooner than three."""
        return column * (self.share + BETWEEN) + self.along(value - self.low)


def choice_grid(
    cells: Sequence[Sequence[Estimate]],
    *,
    theme: Theme,
    symbol: str = "κ",
    declared: tuple[int, int] | None = None,
    row_heads: Sequence[str] = MODES,
    columns: Sequence[str] = LEVELS,
    scale: float = 1.0,
    width: float = 340,
) -> Figure:
    """Return the grid; a clicked cell returns `customdata` [row, column].

    Parameters
    ----------
    cells : rows of Estimate
        Row by row, as `row_heads` and `columns` name them.
    declared : (row, column) or None
        The outlined cell.
    row_heads : sequence of str
        What stands before the first comma is bold: "Exclude, coverage 80 %".
    width : float
        The narrowest width in px (before scaling) at which no two texts may meet.
    """
    colours = style.tokens(theme)
    everything = [cell for row in cells for cell in row]
    low, high, ticks = _range(everything)
    tall = CELL + BOUNDS * any(cell.ends for cell in everything)
    drawing = Drawing(colours, scale, cells, declared, row_heads, columns, symbol, width * scale, low, high, ticks, tall)
    texts = [*_heads(drawing), *_values(drawing)]
    return drawn(_layout(drawing), [_areas(drawing), _dots(drawing)], annotations=texts, shapes=_lines(drawing))


def alt(
    cells: Sequence[Sequence[Estimate]],
    *,
    symbol: str = "κ",
    declared: tuple[int, int] | None = None,
    row_heads: Sequence[str] = MODES,
    columns: Sequence[str] = LEVELS,
) -> str:
    """Return the grid in a sentence, for people who do not see it."""
    rows = []
    for head, row in zip(row_heads, cells, strict=True):
        values = ", ".join(f"{plain(name)} {_cell_text(cell)}" for name, cell in zip(columns, row, strict=True))
        rows.append(f"{plain(head)}: {values}")
    chosen = ""
    if declared is not None:
        chosen = f" Declared: {plain(row_heads[declared[0]])}, {plain(columns[declared[1]])}."
    return f"{symbol} by mode and level. {'; '.join(rows)}.{chosen}"


def _cell_text(cell: Estimate) -> str:
    if cell.defined:
        return estimate(cell)
    return f"undefined ({plain(cell.why)})" if cell.why else "undefined"


def _range(cells: Iterable[Estimate]) -> tuple[float, float, list[float]]:
    """Return the shared axis with room at both ends, and its ticks."""
    values = marks.reached(cells)
    low, high = min([0.0, *values]), max([1.0, *values])
    ticks = [0, 0.4, 0.8]
    if low < -0.4:
        low, ticks = min(low, -0.8), [-0.8, 0, 0.8]
    elif low < 0:
        low, ticks = -0.4, [-0.4, *ticks]
    pad = 0.12 * (high - low)
    return low - pad, high + pad, ticks


def _layout(drawing: Drawing) -> dict[str, Any]:
    ticks = [(drawing.at(column, value), value) for column in range(len(drawing.columns)) for value in drawing.ticks]
    axis = drawing.axis(0, 1, [at for at, _ in ticks], [tick(value) for _, value in ticks]) | {"showline": False}
    return drawing.list_layout(drawing.foot, axis, left=2, right=2, bottom=drawing.px(AXIS), barmode="overlay")


def _lines(drawing: Drawing) -> list[dict[str, Any]]:
    """Return the line of each column's axis."""
    line, below = {"color": drawing.colours.axis, "width": 1}, {"yref": "paper", "ysizemode": "pixel", "yanchor": 0}
    ends = [[drawing.at(column, end) for end in (drawing.low, drawing.high)] for column in range(len(drawing.columns))]
    return [marks.across(-0.5, line) | below | {"xref": "x", "x0": start, "x1": end} for start, end in ends]


def _cells(drawing: Drawing) -> list[tuple[int, int, Estimate]]:
    """Return row, column and estimate of every cell."""
    return [(row, column, cell) for row, cells in enumerate(drawing.cells) for column, cell in enumerate(cells)]


def _areas(drawing: Drawing) -> Trace:
    tall, places = drawing.px(drawing.cell_height), [(row, column) for row, column, _ in _cells(drawing)]
    areas = marks.areas(
        [(drawing.top(row) + tall / 2, tall) for row, _ in places],
        across=(0, drawing.share),
        hovers=[_hover(drawing, *place) for place in places],
        colours=drawing.colours,
        selected=next((at for at, place in enumerate(places) if place == drawing.declared_cell), None),
        clicks=[list(place) for place in places],
    )
    return areas | {"base": [drawing.at(column, drawing.low) for _, column in places]}


def _dots(drawing: Drawing) -> Trace:
    colour, symbol = style.coefficient(drawing.symbol, drawing.colours)
    points = [
        Point(cell, drawing.dot(row), _hover(drawing, row, column), [row, column])
        for row, column, cell in _cells(drawing)
        if not math.isnan(cell.value)
    ]
    dots = marks.dots(points, colour=colour, symbol=symbol, scale=drawing.scale)
    whiskers = dots["error_x"]
    reach = {end: [drawing.along(length) for length in whiskers[end]] for end in ("array", "arrayminus")}
    x = [drawing.at(point.click[1], point.estimate.value) for point in points]
    return dots | {"x": x, "error_x": whiskers | reach}


def _hover(drawing: Drawing, row: int, column: int) -> str:
    cell = drawing.cells[row][column]
    lines = [
        f"<b>{escape(drawing.symbol)} {number(cell.value)}</b>{behind(cell.ends)}",
        f"{escape(drawing.row_heads[row])}",
        f"{escape(drawing.columns[column])}",
    ]
    return "<br>".join([*lines, escape(cell.undefined)] if cell.undefined else lines)


def _text(drawing: Drawing, text: str, x: float, y: float, **changes: Any) -> dict[str, Any]:
    base: dict[str, Any] = {"size": drawing.px(18), "colour": drawing.colours.text}
    return annotation(text, x, y, **(base | changes))


def _heads(drawing: Drawing) -> list[dict[str, Any]]:
    middle, size = (drawing.low + drawing.high) / 2, drawing.px(15)
    names = [escape(fit(name, drawing.panel - 4, size, bold=True)) for name in drawing.columns]
    y = drawing.px(HEAD / 2)
    columns = [_text(drawing, f"<b>{name}</b>", drawing.at(i, middle), y, size=size) for i, name in enumerate(names)]
    return columns + [_row_head(drawing, row, head) for row, head in enumerate(drawing.row_heads)]


def _row_head(drawing: Drawing, row: int, head: str) -> dict[str, Any]:
    bold, comma, rest = plain(head).partition(",")
    text = f"<b>{escape(bold)}</b>" + (f", {escape(rest)}" if comma else "")
    place = {"xref": "paper", "xanchor": "left", "xshift": 4, "size": drawing.px(style.TEXT)}
    return _text(drawing, text, 0, drawing.top(row) - drawing.px(ROW_HEAD / 2), **place)


def _values(drawing: Drawing) -> list[dict[str, Any]]:
    return [text for row, column, _ in _cells(drawing) for text in _value(drawing, row, column)]


def _value(drawing: Drawing, row: int, column: int) -> list[dict[str, Any]]:
    cell, muted = drawing.cells[row][column], drawing.colours.muted
    middle, top = (drawing.low + drawing.high) / 2, drawing.top(row)
    if math.isnan(cell.value):
        return [_text(drawing, UNDEFINED, drawing.at(column, middle), top + drawing.px(drawing.cell_height / 2), colour=muted)]
    value, x, y, size = number(cell.value), drawing.at(column, cell.value), drawing.dot(row), drawing.px(style.SMALL)
    at = drawing.along(cell.value - drawing.low) * drawing.width
    shift = inward(at, text_width(value, drawing.px(18), bold=True) + 12, drawing.panel)
    texts = [_text(drawing, f"<b>{value}</b>", x, y - drawing.px(19), xshift=shift)]
    if cell.ends:
        shown = bounds(cell.ends)
        look = {"size": size, "colour": muted, "xshift": inward(at, text_width(shown, size) + 12, drawing.panel)}
        texts.append(_text(drawing, shown, x, y + drawing.px(17), **look))
    return texts
