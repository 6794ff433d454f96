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
from metrics.results.words import UNDEFINED, behind, bounds, estimate, number, plain

MODES, LEVELS = tuple(MODE_NAMES.values()), tuple(LEVEL_NAMES.values())
HEAD, ROW_HEAD, CELL, GAP, AXIS = 26, 24, 58, 6, 28
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
    def panel(self) -> float:
        """Width of one column in px at the narrowest."""
        return self.width * _domain(0, len(self.columns))[1]


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
    traces = [trace for column in range(len(columns)) for trace in (_areas(drawing, column), _dots(drawing, column))]
    return drawn(_layout(drawing), traces, annotations=[*_heads(drawing), *_values(drawing)])


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


def _domain(column: int, columns: int) -> tuple[float, float]:
    between = 0.025
    wide = (1 - between * (columns - 1)) / columns
    return column * (wide + between), column * (wide + between) + wide


def _axis(column: int) -> str:
    return "x" if column == 0 else f"x{column + 1}"


def _layout(drawing: Drawing) -> dict[str, Any]:
    axes = {}
    for column in range(len(drawing.columns)):
        name = "xaxis" if column == 0 else f"xaxis{column + 1}"
        axis = drawing.axis(drawing.low, drawing.high, drawing.ticks)
        axes[name] = axis | {"domain": list(_domain(column, len(drawing.columns))), "anchor": "y"}
    return drawing.list_layout(drawing.foot, left=2, right=2, bottom=drawing.px(AXIS), barmode="overlay", **axes)


def _areas(drawing: Drawing, column: int) -> Trace:
    rows = range(len(drawing.cells))
    tall = drawing.px(drawing.cell_height)
    return marks.areas(
        [(drawing.top(row) + tall / 2, tall) for row in rows],
        across=(drawing.low, drawing.high),
        hovers=[_hover(drawing, row, column) for row in rows],
        colours=drawing.colours,
        selected=next((row for row in rows if (row, column) == drawing.declared_cell), None),
        clicks=[[row, column] for row in rows],
        xaxis=_axis(column),
    )


def _dots(drawing: Drawing, column: int) -> Trace:
    colour, symbol = style.coefficient(drawing.symbol, drawing.colours)
    cells = [(row, cells[column]) for row, cells in enumerate(drawing.cells)]
    points = [
        Point(cell, drawing.dot(row), _hover(drawing, row, column), [row, column])
        for row, cell in cells
        if not math.isnan(cell.value)
    ]
    return marks.dots(points, colour=colour, symbol=symbol, scale=drawing.scale, xaxis=_axis(column))


def _hover(drawing: Drawing, row: int, column: int) -> str:
    cell = drawing.cells[row][column]
    lines = [
        f"<b>{escape(drawing.symbol)} {number(cell.value)}</b>{behind(cell.ends)}",
        f"{escape(drawing.row_heads[row])}",
        f"{escape(drawing.columns[column])}",
    ]
    return "<br>".join([*lines, escape(cell.undefined)] if cell.undefined else lines)


def _text(drawing: Drawing, text: str, column: int, x: float, y: float, **changes: Any) -> dict[str, Any]:
    base: dict[str, Any] = {"size": drawing.px(18), "colour": drawing.colours.text, "xref": _axis(column)}
    return annotation(text, x, y, **(base | changes))


def _heads(drawing: Drawing) -> list[dict[str, Any]]:
    middle, size = (drawing.low + drawing.high) / 2, drawing.px(15)
    names = [escape(fit(name, drawing.panel - 4, size, bold=True)) for name in drawing.columns]
    columns = [_text(drawing, f"<b>{name}</b>", i, middle, drawing.px(HEAD / 2), size=size) for i, name in enumerate(names)]
    return columns + [_row_head(drawing, row, head) for row, head in enumerate(drawing.row_heads)]


def _row_head(drawing: Drawing, row: int, head: str) -> dict[str, Any]:
    bold, comma, rest = plain(head).partition(",")
    text = f"<b>{escape(bold)}</b>" + (f", {escape(rest)}" if comma else "")
    place = {"xref": "paper", "xanchor": "left", "xshift": 4, "size": drawing.px(style.TEXT)}
    return _text(drawing, text, 0, 0, drawing.top(row) - drawing.px(ROW_HEAD / 2), **place)


def _values(drawing: Drawing) -> list[dict[str, Any]]:
    places = [(row, column) for row, cells in enumerate(drawing.cells) for column in range(len(cells))]
    return [text for row, column in places for text in _value(drawing, row, column)]


def _value(drawing: Drawing, row: int, column: int) -> list[dict[str, Any]]:
    cell, muted = drawing.cells[row][column], drawing.colours.muted
    middle, top = (drawing.low + drawing.high) / 2, drawing.top(row)
    if math.isnan(cell.value):
        return [_text(drawing, UNDEFINED, column, middle, top + drawing.px(drawing.cell_height / 2), colour=muted)]
    value, y, size = number(cell.value), drawing.dot(row), drawing.px(style.SMALL)
    at = (cell.value - drawing.low) / (drawing.high - drawing.low) * drawing.panel
    shift = inward(at, text_width(value, drawing.px(18), bold=True) + 12, drawing.panel)
    texts = [_text(drawing, f"<b>{value}</b>", column, cell.value, y - drawing.px(19), xshift=shift)]
    if cell.ends:
        shown = bounds(cell.ends)
        look = {"size": size, "colour": muted, "xshift": inward(at, text_width(shown, size) + 12, drawing.panel)}
        texts.append(_text(drawing, shown, column, cell.value, y + drawing.px(17), **look))
    return texts
