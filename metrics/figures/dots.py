"""One coefficient by criterion: a dot with its whisker, n and prevalence at the right edge."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from metrics.figures import marks
from metrics.figures import theme as style
from metrics.figures.marks import Point, annotation
from metrics.figures.theme import Theme, Tokens, escape, text_width, wrap
from metrics.words import UNDEFINED, count, interval, number, percent, plain, shorten_all

TALL, LOW, MANY = 44, 38, 12
HEAD, AXIS = 26, 28
SHARE_COLUMN = 44
GUIDES = (0.4, 0.6, 0.8)
PAD = 0.07
"""Room at both ends of the axis, as a share of it."""
SMALLEST = 11
NOTHING = "No criterion to show"


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
    counts: float
    """Width of the column of n in px."""

    def px(self, size: float) -> float:
        return size * self.scale

    @property
    def head(self) -> float:
        return style.TOP + self.px(HEAD)

    def middle(self, row: int) -> float:
        """Lower than the middle of the row: the value stands above the dot."""
        return self.head + (row + 0.64) * self.step

    @property
    def foot(self) -> float:
        return self.head + len(self.rows) * self.step + self.px(4)

    @property
    def right(self) -> float:
        return self.counts + self.px(SHARE_COLUMN)


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
        The narrowest width in px (before scaling) at which no two texts may meet.
    """
    colours = style.tokens(theme)
    low, high = _range(rows, limits)
    width *= scale
    left = _name_width(rows, width, scale)
    counts = max((text_width(count(row.n), style.TEXT * scale) for row in rows), default=0) + 14 * scale
    plot = width - left - counts - SHARE_COLUMN * scale
    step = (TALL if len(rows) <= MANY else LOW) * scale
    drawing = Drawing(rows, symbol, colours, scale, low, high, selected, left, plot, step, counts)
    figure = go.Figure(layout=_layout(drawing))
    if not rows:
        figure.add_annotation(marks.sentence(NOTHING, colours, scale))
        return figure
    figure.add_trace(_areas(drawing))
    figure.add_trace(_dots(drawing))
    figure.layout.annotations = [*_heads(drawing), *_names(drawing), *_sides(drawing), *_values(drawing)]
    figure.layout.shapes = _guides(drawing)
    return figure


def alt(rows: Sequence[DotRow], *, symbol: str = "κ") -> str:
    """The figure in a sentence, for people who do not see it."""
    if not rows:
        return f"{NOTHING}."
    return f"{symbol} by criterion. " + "; ".join(_spoken(row) for row in rows) + "."


def _spoken(row: DotRow) -> str:
    value = "undefined" if math.isnan(row.value) else number(row.value)
    if _has_bounds(row):
        value += f" {interval((row.low, row.high))}"
    reason = f", {plain(row.reason)}" if row.reason else ""
    return f"{plain(row.name)} {value}{reason}, n {count(row.n)}, prevalence {percent(row.prevalence)}"


def _has_bounds(row: DotRow) -> bool:
    return not math.isnan(row.value) and marks.has_bounds(row.low, row.high)


def _range(rows: Sequence[DotRow], limits: tuple[float, float]) -> tuple[float, float]:
    values = [m for row in rows for m in (row.value, row.low, row.high) if m is not None and math.isfinite(m)]
    low, high = min([limits[0], *values]), max([limits[1], *values])
    return (low if low >= limits[0] else math.floor(low * 5) / 5), high


def _name_width(rows: Sequence[DotRow], width: float, scale: float) -> float:
    longest = max((text_width(plain(row.name), style.TEXT * scale) for row in rows), default=0)
    return min(max(longest, 40 * scale) + 16, 0.4 * width)


def _layout(drawing: Drawing) -> dict[str, Any]:
    pad = PAD * (drawing.high - drawing.low)
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
    pad = PAD * (drawing.high - drawing.low)
    rows = range(len(drawing.rows))
    return marks.areas(
        [(drawing.head + (row + 0.5) * drawing.step, drawing.step - 2) for row in rows],
        across=(drawing.low - pad, drawing.high + pad),
        clicks=[[row] for row in rows],
        hovers=[_hover(drawing, row) for row in drawing.rows],
        chosen=[row == drawing.selected for row in rows],
        colours=drawing.colours,
    )


def _dots(drawing: Drawing) -> go.Scatter:
    colour, symbol = style.coefficient(drawing.symbol, drawing.colours)
    points = [
        Point(row.value, drawing.middle(i), row.low, row.high, _hover(drawing, row), [i], row.degenerate)
        for i, row in enumerate(drawing.rows)
        if not math.isnan(row.value)
    ]
    return marks.dots(points, colour=colour, symbol=symbol, scale=drawing.scale)


def _hover(drawing: Drawing, row: DotRow) -> str:
    first = f"<b>{escape(drawing.symbol)} {number(row.value)}</b>"
    if _has_bounds(row):
        first += f" {interval((row.low, row.high))}"
    last = f"n {count(row.n)}, π {escape(percent(row.prevalence))}"
    reason = [escape(row.reason)] if row.reason else []
    return "<br>".join([escape(row.name), first, *reason, last])


def _edge(drawing: Drawing, text: str, shift: float, y: float) -> dict[str, Any]:
    place = {"xref": "paper", "xanchor": "right", "xshift": shift}
    return annotation(text, 1, y, size=drawing.px(style.TEXT), colour=drawing.colours.muted, **place)


def _heads(drawing: Drawing) -> list[dict[str, Any]]:
    y = drawing.head - drawing.px(HEAD / 2)
    return [_edge(drawing, "n", drawing.counts, y), _edge(drawing, "π", drawing.right - 2, y)]


def _sides(drawing: Drawing) -> list[dict[str, Any]]:
    found = []
    for i, row in enumerate(drawing.rows):
        found.append(_edge(drawing, count(row.n), drawing.counts, drawing.middle(i)))
        found.append(_edge(drawing, escape(percent(row.prevalence)), drawing.right - 2, drawing.middle(i)))
    return found


def _names(drawing: Drawing) -> list[dict[str, Any]]:
    size, room = drawing.px(style.TEXT), drawing.left - 14
    found = []
    for i, (row, short) in enumerate(zip(drawing.rows, shorten_all([row.name for row in drawing.rows]), strict=True)):
        lines = wrap(short, room, size)
        text = "<br>".join(escape(line) for line in lines)
        whole = None if lines == [plain(row.name)] else escape(row.name)
        place = {"xref": "paper", "xanchor": "right", "xshift": -12, "hovertext": whole}
        found.append(annotation(text, 0, drawing.middle(i), size=size, colour=drawing.colours.text, **place))
    return found


def _values(drawing: Drawing) -> list[dict[str, Any]]:
    return [_value(drawing, i, row) for i, row in enumerate(drawing.rows)]


def _value(drawing: Drawing, i: int, row: DotRow) -> dict[str, Any]:
    if math.isnan(row.value) or (row.degenerate and row.reason):
        return _reason(drawing, i, row)
    colour, _ = style.coefficient(drawing.symbol, drawing.colours)
    y, size = drawing.middle(i) - drawing.px(15), drawing.px(style.TEXT)
    return annotation(number(row.value), row.value, y, size=size, colour=colour, bgcolor=_ground(drawing, i))


def _ground(drawing: Drawing, i: int) -> str:
    """A chip keeps the text apart from the grid lines; the selected row already covers them."""
    return marks.CLEAR if i == drawing.selected else drawing.colours.page


def _reason(drawing: Drawing, i: int, row: DotRow) -> dict[str, Any]:
    """The value in words beside its place: an undefined one has no dot, a degenerate one an open dot."""
    undefined = math.isnan(row.value)
    lead = UNDEFINED if undefined else f"{number(row.value)},"
    pad = PAD * (drawing.high - drawing.low)

    def share(value: float) -> float:
        return (value - drawing.low + pad) / (drawing.high - drawing.low + 2 * pad)

    to_left = not undefined and share(_end(row, low=True)) > 1 - share(_end(row, low=False))
    start = drawing.low if undefined else _end(row, low=to_left)
    shift = 0.0 if undefined else drawing.px(10)
    room = drawing.plot * (share(start) if to_left else 1 - share(start)) - shift
    size, lines = (style.SMALL, 2) if room > drawing.px(70) else (SMALLEST, 3)
    text = wrap(f"{lead} {plain(row.reason or '')}".strip(), room, drawing.px(size), lines=lines)
    return annotation(
        "<br>".join(escape(line) for line in text),
        start,
        drawing.middle(i) - (drawing.px(6) if len(text) == 3 else 0),
        size=drawing.px(size),
        colour=drawing.colours.muted,
        xanchor="right" if to_left else "left",
        xshift=-shift if to_left else shift,
        bgcolor=_ground(drawing, i),
        hovertext=_hover(drawing, row),
    )


def _end(row: DotRow, *, low: bool) -> float:
    """Where a row's mark ends: its whisker, else its dot."""
    end = row.low if low else row.high
    return row.value if end is None or not _has_bounds(row) else end


def _guides(drawing: Drawing) -> list[dict[str, Any]]:
    zero = [0.0] if drawing.low < 0 else []
    line = {"color": drawing.colours.grid, "width": 1}
    return [
        {
            "type": "line",
            "x0": at,
            "x1": at,
            "y0": drawing.head - drawing.px(6),
            "y1": drawing.foot,
            "line": line,
            "layer": "below",
        }
        for at in (*zero, *GUIDES)
        if drawing.low <= at <= drawing.high
    ]
