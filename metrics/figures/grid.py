"""One coefficient under every choice of mode (rows) and level (columns), the declared cell outlined."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from metrics.figures import theme as style
from metrics.figures.theme import Theme, Tokens, escape, fit, text_width
from metrics.words import UNDEFINED, interval, number, plain

MODES = ("Exclude", "Recode as negative", "Third class")
LEVELS = ("Micro", "Macro", "Item")
HEAD, ROW_HEAD, CELL, GAP, AXIS = 26, 24, 46, 6, 28
BOUNDS = 18
"""More height for a cell when intervals are written under the dots."""
STEP = 0.4


@dataclass(frozen=True)
class GridCell:
    value: float
    low: float | None = None
    high: float | None = None
    note: str = ""
    """Shown on hover; for an undefined value its reason."""


@dataclass(frozen=True)
class Drawing:
    cells: Sequence[Sequence[GridCell]]
    declared: tuple[int, int] | None
    row_heads: Sequence[str]
    columns: Sequence[str]
    symbol: str
    colours: Tokens
    scale: float
    width: float
    low: float
    high: float
    cell_height: float

    def px(self, size: float) -> float:
        return size * self.scale

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
    cells: Sequence[Sequence[GridCell]],
    *,
    theme: Theme,
    symbol: str = "κ",
    declared: tuple[int, int] | None = None,
    row_heads: Sequence[str] = MODES,
    columns: Sequence[str] = LEVELS,
    scale: float = 1.0,
    width: float = 340,
) -> go.Figure:
    """The grid; a clicked cell returns `customdata` [row, column].

    Parameters
    ----------
    cells : rows of GridCell
        Row by row, as `row_heads` and `columns` name them.
    declared : (row, column) or None
        The outlined cell.
    row_heads : sequence of str
        What stands before the first comma is bold: "Exclude, coverage 80 %".
    """
    colours = style.tokens(theme)
    everything = [cell for row in cells for cell in row]
    low, high = _range(everything)
    tall = CELL + BOUNDS * any(_has_bounds(cell) for cell in everything)
    drawing = Drawing(cells, declared, row_heads, columns, symbol, colours, scale, width, low, high, tall)
    figure = go.Figure(layout=_layout(drawing))
    for column in range(len(columns)):
        figure.add_trace(_areas(drawing, column))
        figure.add_trace(_dots(drawing, column))
    figure.layout.annotations = [*_heads(drawing), *_values(drawing)]
    return figure


def alt(
    cells: Sequence[Sequence[GridCell]],
    *,
    symbol: str = "κ",
    declared: tuple[int, int] | None = None,
    row_heads: Sequence[str] = MODES,
    columns: Sequence[str] = LEVELS,
) -> str:
    """The grid in a sentence, for people who do not see it."""
    rows = []
    for head, row in zip(row_heads, cells, strict=True):
        values = ", ".join(f"{plain(name)} {_spoken(cell)}" for name, cell in zip(columns, row, strict=True))
        rows.append(f"{plain(head)}: {values}")
    chosen = ""
    if declared is not None:
        chosen = f" Declared: {plain(row_heads[declared[0]])}, {plain(columns[declared[1]])}."
    return f"{symbol} by mode and level. {'; '.join(rows)}.{chosen}"


def _spoken(cell: GridCell) -> str:
    if math.isnan(cell.value):
        return f"undefined ({plain(cell.note)})" if cell.note else "undefined"
    return f"{number(cell.value)} {interval((cell.low, cell.high))}" if _has_bounds(cell) else number(cell.value)


def _has_bounds(cell: GridCell) -> bool:
    return interval((cell.low, cell.high)) != UNDEFINED


def _range(cells: Iterable[GridCell]) -> tuple[float, float]:
    marks = [mark for cell in cells for mark in (cell.value, cell.low, cell.high) if mark is not None and math.isfinite(mark)]
    lowest = STEP * math.floor(round(min([0.0, *marks]) / STEP, 9))
    highest = max([1.0, *marks])
    pad = 0.12 * (highest - lowest)
    return lowest - pad, highest + pad


def _domain(column: int, columns: int) -> tuple[float, float]:
    between = 0.025
    wide = (1 - between * (columns - 1)) / columns
    return column * (wide + between), column * (wide + between) + wide


def _axis(column: int, letter: str = "x") -> str:
    return letter if column == 0 else f"{letter}{column + 1}"


def _layout(drawing: Drawing) -> dict[str, Any]:
    height = drawing.foot + drawing.px(AXIS)
    lowest = round(drawing.low / STEP) * STEP
    ticks = [lowest + STEP * i for i in range(12) if lowest + STEP * i <= min(drawing.high, 1)]
    axes = {}
    for column in range(len(drawing.columns)):
        name = "xaxis" if column == 0 else f"xaxis{column + 1}"
        axis = style.value_axis(drawing.colours, drawing.low, drawing.high, ticks, drawing.scale)
        axes[name] = axis | {"domain": list(_domain(column, len(drawing.columns))), "anchor": "y"}
    return style.layout(
        drawing.colours,
        height=height,
        scale=drawing.scale,
        margin={"l": 2, "r": 2, "t": 0, "b": round(drawing.px(AXIS)), "pad": 0, "autoexpand": False},
        yaxis=style.hidden_axis(drawing.foot, 0),
        barmode="overlay",
        **axes,
    )


def _areas(drawing: Drawing, column: int) -> go.Bar:
    """The whole cell takes the click; only the declared one is painted."""
    rows = range(len(drawing.cells))
    chosen = [(row, column) == drawing.declared for row in rows]
    return go.Bar(
        x=[drawing.high - drawing.low for _ in rows],
        base=[drawing.low for _ in rows],
        y=[drawing.top(row) + drawing.px(drawing.cell_height) / 2 for row in rows],
        width=[drawing.px(drawing.cell_height) for _ in rows],
        orientation="h",
        xaxis=_axis(column),
        customdata=[[row, column] for row in rows],
        hovertext=[_hover(drawing, row, column) for row in rows],
        hovertemplate="%{hovertext}<extra></extra>",
        cliponaxis=False,
        marker={
            "color": [drawing.colours.selected if yes else "rgba(0,0,0,0)" for yes in chosen],
            "line": {"color": drawing.colours.judge, "width": [2.5 if yes else 0 for yes in chosen]},
        },
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 1}},
    )


def _dots(drawing: Drawing, column: int) -> go.Scatter:
    colour, symbol = style.coefficient(drawing.symbol, drawing.colours)
    shown = [(row, cells[column]) for row, cells in enumerate(drawing.cells) if not math.isnan(cells[column].value)]
    bounded = [_has_bounds(cell) for _, cell in shown]
    return go.Scatter(
        x=[cell.value for _, cell in shown],
        y=[_dot_y(drawing, row) for row, _ in shown],
        mode="markers",
        xaxis=_axis(column),
        customdata=[[row, column] for row, _ in shown],
        hovertext=[_hover(drawing, row, column) for row, _ in shown],
        hovertemplate="%{hovertext}<extra></extra>",
        cliponaxis=False,
        marker={"color": colour, "symbol": symbol, "size": drawing.px(11), "opacity": 1},
        error_x={
            "type": "data",
            "symmetric": False,
            "array": [(cell.high or 0) - cell.value if yes else 0 for yes, (_, cell) in zip(bounded, shown, strict=True)],
            "arrayminus": [cell.value - (cell.low or 0) if yes else 0 for yes, (_, cell) in zip(bounded, shown, strict=True)],
            "color": colour,
            "thickness": style.WHISKER * drawing.scale,
            "width": 0,
            "visible": any(bounded),
        },
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 1}},
    )


def _dot_y(drawing: Drawing, row: int) -> float:
    return drawing.top(row) + drawing.px(33)


def _hover(drawing: Drawing, row: int, column: int) -> str:
    cell = drawing.cells[row][column]
    lines = [
        f"<b>{escape(drawing.symbol)} {number(cell.value)}</b>",
        f"{escape(drawing.row_heads[row])}",
        f"{escape(drawing.columns[column])}",
    ]
    if _has_bounds(cell):
        lines[0] += f" {interval((cell.low, cell.high))}"
    return "<br>".join([*lines, escape(cell.note)] if cell.note else lines)


def _annotation(drawing: Drawing, text: str, column: int, x: float, y: float, size: float, **changes: Any) -> dict[str, Any]:
    base: dict[str, Any] = {
        "text": text,
        "x": x,
        "y": y,
        "xref": _axis(column),
        "yref": "y",
        "xanchor": "center",
        "yanchor": "middle",
        "showarrow": False,
        "borderpad": 0,
        "font": {"size": drawing.px(size), "color": drawing.colours.text},
    }
    return base | changes


def _heads(drawing: Drawing) -> list[dict[str, Any]]:
    middle = (drawing.low + drawing.high) / 2
    room = drawing.panel - 4
    columns = [
        _annotation(drawing, f"<b>{escape(fit(name, room, drawing.px(15), bold=True))}</b>", i, middle, drawing.px(HEAD / 2), 15)
        for i, name in enumerate(drawing.columns)
    ]
    return columns + [_row_head(drawing, i, head) for i, head in enumerate(drawing.row_heads)]


def _row_head(drawing: Drawing, row: int, head: str) -> dict[str, Any]:
    bold, comma, rest = plain(head).partition(",")
    y = drawing.top(row) - drawing.px(ROW_HEAD / 2)
    text = f"<b>{escape(bold)}</b>{comma}{' ' * bool(rest)}{escape(rest)}"
    return _annotation(drawing, text, 0, 0, y, style.TEXT, xref="paper", xanchor="left", xshift=4)


def _values(drawing: Drawing) -> list[dict[str, Any]]:
    found = []
    for row, cells in enumerate(drawing.cells):
        for column, cell in enumerate(cells):
            found += _value(drawing, row, column, cell)
    return found


def _value(drawing: Drawing, row: int, column: int, cell: GridCell) -> list[dict[str, Any]]:
    middle = (drawing.low + drawing.high) / 2
    if math.isnan(cell.value):
        y = drawing.top(row) + drawing.px(drawing.cell_height / 2)
        muted = {"size": drawing.px(18), "color": drawing.colours.muted}
        return [_annotation(drawing, UNDEFINED, column, middle, y, 18, font=muted)]
    text = number(cell.value)
    x = _clamp(drawing, cell.value, text_width(text, drawing.px(18), bold=True))
    found = [_annotation(drawing, f"<b>{text}</b>", column, x, drawing.top(row) + drawing.px(14), 18)]
    if _has_bounds(cell):
        bounds = interval((cell.low, cell.high))
        x = _clamp(drawing, cell.value, text_width(bounds, drawing.px(style.SMALL)))
        muted = {"size": drawing.px(style.SMALL), "color": drawing.colours.muted}
        found.append(_annotation(drawing, bounds, column, x, drawing.top(row) + drawing.px(50), style.SMALL, font=muted))
    return found


def _clamp(drawing: Drawing, x: float, wide: float) -> float:
    """The place nearest to x at which a text of this width stays inside its column."""
    half = min((wide / 2 + 4) / drawing.panel, 0.5) * (drawing.high - drawing.low)
    return min(max(x, drawing.low + half), drawing.high - half)
