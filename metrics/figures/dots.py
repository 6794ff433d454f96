"""One coefficient by criterion: a dot with its whisker, n and prevalence at the right edge."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from metrics.figures import theme as style
from metrics.figures.theme import Theme, Tokens, escape, fit, text_width, wrap
from metrics.words import UNDEFINED, count, interval, number, percent, plain, shorten_all

TALL, LOW, MANY = 44, 36, 12
HEAD, AXIS = 26, 28
COUNT_COLUMN, SHARE_COLUMN = 42, 48
GUIDES = (0.4, 0.6, 0.8)


@dataclass(frozen=True)
class DotRow:
    name: str
    value: float
    low: float | None = None
    high: float | None = None
    n: int = 0
    prevalence: float = math.nan
    degenerate: bool = False
    reason: str | None = None
    """Why the value is undefined or means little: "judge says MET only"."""


@dataclass(frozen=True)
class Drawing:
    rows: Sequence[DotRow]
    symbol: str
    colours: Tokens
    scale: float
    low: float
    high: float
    selected: int | None
    left: float
    plot: float
    step: float

    def px(self, size: float) -> float:
        return size * self.scale

    def middle(self, row: int) -> float:
        """Lower than the middle of the row: the value stands above the dot."""
        return self.px(HEAD) + (row + 0.6) * self.step

    @property
    def foot(self) -> float:
        return self.px(HEAD) + len(self.rows) * self.step + self.px(4)

    @property
    def right(self) -> float:
        return self.px(COUNT_COLUMN + SHARE_COLUMN)


def criteria_dots(
    rows: Sequence[DotRow],
    *,
    theme: Theme,
    symbol: str = "κ",
    limits: tuple[float, float] = (0.0, 1.0),
    selected: int | None = None,
    scale: float = 1.0,
    width: float = 340,
) -> go.Figure:
    """One row per criterion, in the order given; a clicked row returns `customdata` [index].

    Parameters
    ----------
    limits : (float, float)
        The axis; it grows to hold every value and interval.
    selected : int or None
        The outlined row.
    width : float
        The narrowest width in px at which no two texts may meet.
    """
    colours = style.tokens(theme)
    low, high = _range(rows, limits)
    left = _name_width(rows, width, scale)
    plot = width - left - (COUNT_COLUMN + SHARE_COLUMN) * scale
    step = (TALL if len(rows) <= MANY else LOW) * scale
    drawing = Drawing(rows, symbol, colours, scale, low, high, selected, left, plot, step)
    figure = go.Figure(layout=_layout(drawing))
    if not rows:
        muted = {"size": style.TEXT * scale, "color": colours.muted}
        figure.add_annotation(text=style.NOTHING, xref="paper", x=0.5, yref="paper", y=0.5, showarrow=False, font=muted)
        return figure
    figure.add_trace(_areas(drawing))
    figure.add_trace(_dots(drawing))
    figure.layout.annotations = [*_heads(drawing), *_names(drawing), *_sides(drawing), *_values(drawing)]
    figure.layout.shapes = _guides(drawing)
    return figure


def alt(rows: Sequence[DotRow], *, symbol: str = "κ") -> str:
    """The figure in a sentence, for people who do not see it."""
    if not rows:
        return f"{style.NOTHING}."
    return f"{symbol} by criterion. " + "; ".join(_spoken(row) for row in rows) + "."


def _spoken(row: DotRow) -> str:
    value = "undefined" if math.isnan(row.value) else number(row.value)
    if _has_bounds(row):
        value += f" {interval((row.low, row.high))}"
    reason = f", {plain(row.reason)}" if row.reason else ""
    return f"{plain(row.name)} {value}{reason}, n {count(row.n)}, prevalence {percent(row.prevalence)}"


def _has_bounds(row: DotRow) -> bool:
    return not math.isnan(row.value) and interval((row.low, row.high)) != UNDEFINED


def _range(rows: Sequence[DotRow], limits: tuple[float, float]) -> tuple[float, float]:
    marks = [m for row in rows for m in (row.value, row.low, row.high) if m is not None and math.isfinite(m)]
    low, high = min([limits[0], *marks]), max([limits[1], *marks])
    return (low if low >= limits[0] else math.floor(low * 5) / 5), high


def _name_width(rows: Sequence[DotRow], width: float, scale: float) -> float:
    longest = max((text_width(plain(row.name), style.TEXT * scale) for row in rows), default=0)
    return min(max(longest, 40 * scale) + 14, 0.4 * width)


def _layout(drawing: Drawing) -> dict[str, Any]:
    pad = 0.07 * (drawing.high - drawing.low)
    low, high = drawing.low - pad, drawing.high + pad
    ticks = [0, *GUIDES, 1] if drawing.low >= 0 else [drawing.low, 0, 0.4, 0.8]
    axis = style.value_axis(drawing.colours, low, high, [t for t in ticks if low <= t <= high], drawing.scale)
    return style.layout(
        drawing.colours,
        height=drawing.foot + drawing.px(AXIS),
        scale=drawing.scale,
        margin={
            "l": round(drawing.left),
            "r": round(drawing.right),
            "t": 0,
            "b": round(drawing.px(AXIS)),
            "pad": 0,
            "autoexpand": False,
        },
        xaxis=axis | {"visible": bool(drawing.rows)},
        yaxis=style.hidden_axis(drawing.foot, 0),
        barmode="overlay",
    )


def _areas(drawing: Drawing) -> go.Bar:
    """The whole row takes the click; only the selected one is painted."""
    pad = 0.07 * (drawing.high - drawing.low)
    chosen = [row == drawing.selected for row in range(len(drawing.rows))]
    return go.Bar(
        x=[drawing.high - drawing.low + 2 * pad for _ in chosen],
        base=[drawing.low - pad for _ in chosen],
        y=[drawing.px(HEAD) + (row + 0.5) * drawing.step for row in range(len(chosen))],
        width=[drawing.step - 2 for _ in chosen],
        orientation="h",
        customdata=[[row] for row in range(len(chosen))],
        hovertext=[_hover(drawing, row) for row in drawing.rows],
        hovertemplate="%{hovertext}<extra></extra>",
        cliponaxis=False,
        marker={
            "color": [drawing.colours.selected if yes else "rgba(0,0,0,0)" for yes in chosen],
            "line": {"color": drawing.colours.judge, "width": [2.5 if yes else 0 for yes in chosen]},
        },
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 1}},
    )


def _dots(drawing: Drawing) -> go.Scatter:
    colour, symbol = style.coefficient(drawing.symbol, drawing.colours)
    shown = [(i, row) for i, row in enumerate(drawing.rows) if not math.isnan(row.value)]
    bounded = [_has_bounds(row) for _, row in shown]
    return go.Scatter(
        x=[row.value for _, row in shown],
        y=[drawing.middle(i) for i, _ in shown],
        mode="markers",
        customdata=[[i] for i, _ in shown],
        hovertext=[_hover(drawing, row) for _, row in shown],
        hovertemplate="%{hovertext}<extra></extra>",
        cliponaxis=False,
        marker={
            "color": colour,
            "symbol": [f"{symbol}-open" if row.degenerate else symbol for _, row in shown],
            "size": drawing.px(11),
            "opacity": 1,
            "line": {"width": 2},
        },
        error_x={
            "type": "data",
            "symmetric": False,
            "array": [(row.high or 0) - row.value if yes else 0 for yes, (_, row) in zip(bounded, shown, strict=True)],
            "arrayminus": [row.value - (row.low or 0) if yes else 0 for yes, (_, row) in zip(bounded, shown, strict=True)],
            "color": colour,
            "thickness": style.WHISKER * drawing.scale,
            "width": 0,
            "visible": any(bounded),
        },
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 1}},
    )


def _hover(drawing: Drawing, row: DotRow) -> str:
    first = f"<b>{escape(drawing.symbol)} {number(row.value)}</b>"
    if _has_bounds(row):
        first += f" {interval((row.low, row.high))}"
    last = f"n {count(row.n)}, π {escape(percent(row.prevalence))}"
    reason = [escape(row.reason)] if row.reason else []
    return "<br>".join([escape(row.name), first, *reason, last])


def _annotation(drawing: Drawing, text: str, x: float, y: float, size: float, **changes: Any) -> dict[str, Any]:
    base: dict[str, Any] = {
        "text": text,
        "x": x,
        "y": y,
        "xref": "x",
        "yref": "y",
        "xanchor": "center",
        "yanchor": "middle",
        "showarrow": False,
        "borderpad": 0,
        "font": {"size": drawing.px(size), "color": drawing.colours.muted},
    }
    return base | changes


def _edge(drawing: Drawing, text: str, shift: float, y: float) -> dict[str, Any]:
    return _annotation(drawing, text, 1, y, style.TEXT, xref="paper", xanchor="right", xshift=drawing.px(shift))


def _heads(drawing: Drawing) -> list[dict[str, Any]]:
    y = drawing.px(HEAD / 2)
    return [_edge(drawing, "n", COUNT_COLUMN, y), _edge(drawing, "π", COUNT_COLUMN + SHARE_COLUMN - 2, y)]


def _sides(drawing: Drawing) -> list[dict[str, Any]]:
    found = []
    for i, row in enumerate(drawing.rows):
        found.append(_edge(drawing, count(row.n), COUNT_COLUMN, drawing.middle(i)))
        found.append(_edge(drawing, escape(percent(row.prevalence)), COUNT_COLUMN + SHARE_COLUMN - 2, drawing.middle(i)))
    return found


def _names(drawing: Drawing) -> list[dict[str, Any]]:
    size, room = drawing.px(style.TEXT), drawing.left - 12
    found = []
    for i, (row, short) in enumerate(zip(drawing.rows, shorten_all([row.name for row in drawing.rows]), strict=True)):
        lines = wrap(short, room, size)
        text = "<br>".join(escape(line) for line in lines)
        font = {"size": size, "color": drawing.colours.text}
        whole = None if lines == [plain(row.name)] else escape(row.name)
        place = {"xref": "paper", "xanchor": "right", "xshift": -8, "align": "right"}
        found.append(_annotation(drawing, text, 0, drawing.middle(i), style.TEXT, font=font, hovertext=whole, **place))
    return found


def _values(drawing: Drawing) -> list[dict[str, Any]]:
    return [_value(drawing, i, row) for i, row in enumerate(drawing.rows)]


def _value(drawing: Drawing, i: int, row: DotRow) -> dict[str, Any]:
    if math.isnan(row.value) or (row.degenerate and row.reason):
        return _reason(drawing, i, row)
    colour, _ = style.coefficient(drawing.symbol, drawing.colours)
    font = {"size": drawing.px(style.TEXT), "color": colour}
    chip = {"bgcolor": drawing.colours.selected if i == drawing.selected else drawing.colours.page}
    return _annotation(
        drawing, number(row.value), row.value, drawing.middle(i) - drawing.px(16), style.TEXT, font=font, **chip
    )


def _reason(drawing: Drawing, i: int, row: DotRow) -> dict[str, Any]:
    """The value in words beside its place: an undefined one has no dot, a degenerate one an open dot."""
    undefined = math.isnan(row.value)
    lead = UNDEFINED if undefined else number(row.value)
    start = drawing.low if undefined else row.value
    share = (start - drawing.low) / ((drawing.high - drawing.low) or 1)
    to_left = share > 0.5
    room = drawing.plot * (share if to_left else 1 - share) - drawing.px(4)
    lines = wrap(f"{lead} {plain(row.reason or 'undefined')}", max(room, drawing.px(60)), drawing.px(style.SMALL))
    shift = 0.0 if undefined else drawing.px(10)
    chip = {"bgcolor": drawing.colours.selected if i == drawing.selected else drawing.colours.page}
    return _annotation(
        drawing,
        "<br>".join(escape(line) for line in lines),
        start,
        drawing.middle(i) - drawing.px(1),
        style.SMALL,
        xanchor="right" if to_left else "left",
        xshift=-shift if to_left else shift,
        align="right" if to_left else "left",
        hovertext=_hover(drawing, row),
        **chip,
    )


def _guides(drawing: Drawing) -> list[dict[str, Any]]:
    marks = [mark for mark in GUIDES if drawing.low <= mark <= drawing.high]
    marks += [0.0] if drawing.low < 0 else []
    line = {"color": drawing.colours.grid, "width": 1}
    return [
        {"type": "line", "x0": m, "x1": m, "y0": drawing.px(HEAD - 6), "y1": drawing.foot, "line": line, "layer": "below"}
        for m in marks
    ]
