"""One coefficient by criterion: a dot with its whisker, n and prevalence, where there is one, at the right edge."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from metrics.figures import marks
from metrics.figures import theme as style
from metrics.figures.marks import Point, annotation, stacked
from metrics.figures.rows import (
    EdgeColumn,
    ValueRows,
    edge_columns,
    reason_in_place,
    row_areas,
    row_names,
    rows_layout,
    value_above,
)
from metrics.figures.theme import Theme, escape, text_width, wrap
from metrics.figures.traces import Figure, Trace, drawn
from metrics.results.estimate import Estimate
from metrics.results.words import ELLIPSIS, UNDEFINED, behind, count, estimate, number, percent, plain

GUIDES = (0.4, 0.6, 0.8)
PAD = 0.07
"""Room at both ends of the axis, as a share of it."""
SMALLEST = 11
NOTHING = "No criterion to show"


@dataclass(frozen=True)
class DotRow:
    name: str
    estimate: Estimate
    n: int = 0
    prevalence: float = math.nan
    degenerate: bool = False
    reason: str | None = None
    """Why the value is undefined or means little: "judge says MET only"."""
    muted: bool = False
    """Whether it rests on too little to be compared; drawn in grey."""


@dataclass(frozen=True)
class Drawing(ValueRows):
    rows: Sequence[DotRow]
    symbol: str
    limits: tuple[float, float]

    @cached_property
    def columns(self) -> list[EdgeColumn]:
        """n, and π where any row has one: labels in an order, or of many kinds, have none."""
        columns = [EdgeColumn("n", [count(row.n) for row in self.rows])]
        shares = [row.prevalence for row in self.rows]
        if any(map(math.isfinite, shares)):
            columns.append(EdgeColumn("π", [percent(share) for share in shares], widest=percent(1)))
        return columns

    @cached_property
    def span(self) -> tuple[float, float]:
        """What the axis has to hold."""
        values = marks.reached(row.estimate for row in self.rows)
        low, high = min([self.limits[0], *values]), max([self.limits[1], *values])
        return (low if low >= self.limits[0] else math.floor(low * 5) / 5), high

    @property
    def ends(self) -> tuple[float, float]:
        low, high = self.span
        return low - PAD * (high - low), high + PAD * (high - low)


def criteria_dots(
    rows: Sequence[DotRow],
    *,
    theme: Theme,
    symbol: str = "κ",
    limits: tuple[float, float] = (0.0, 1.0),
    selected: int | None = None,
    scale: float = 1.0,
    width: float = 340,
) -> Figure:
    """Return one row per criterion, in the order given; a clicked row returns `customdata` [index].

    Parameters
    ----------
    limits : (float, float)
        The axis; it grows to hold every value and interval.
    selected : int or None
        The outlined row.
    width : float
        The narrowest width in px (before scaling) at which no two texts may meet.
    """
    drawing = Drawing(style.tokens(theme), scale, rows, selected, width * scale, symbol, limits)
    if not rows:
        return marks.empty(NOTHING, drawing.colours, scale)
    traces = [row_areas(drawing, drawing.ends, [_hover(drawing, row) for row in rows]), _dots(drawing, muted=False)]
    traces += [_dots(drawing, muted=True)] if any(row.muted for row in rows) else []
    values = [_value(drawing, i, row) for i, row in enumerate(rows)]
    texts = [*row_names(drawing), *edge_columns(drawing), *values]
    return drawn(_layout(drawing), traces, annotations=texts, shapes=_guides(drawing))


def close_limits(rows: Sequence[DotRow]) -> tuple[float, float]:
    """Return the ends of an axis from 0 to the next fifth above every value and interval, where there is no width for more."""
    return 0.0, math.ceil(max([0.2, *marks.reached(row.estimate for row in rows)]) * 5 - 1e-9) / 5


def limits_of(rows: Sequence[DotRow]) -> tuple[float, float]:
    """Return the ends of an axis from 0 to 1, and as much further as values and intervals go."""
    values = marks.reached(row.estimate for row in rows)
    return math.floor(min([0.0, *values]) * 5) / 5, max([1.0, *values])


def alt(rows: Sequence[DotRow], *, symbol: str = "κ", by: str = "criterion") -> str:
    """Return the figure in a sentence, for people who do not see it; `by` is what a row stands for."""
    if not rows:
        return f"{NOTHING}."
    return f"{symbol} by {plain(by)}. " + "; ".join(_row_text(row) for row in rows) + "."


def _row_text(row: DotRow) -> str:
    value = estimate(row.estimate) if row.estimate.defined else "undefined"
    reason = f", {plain(row.reason)}" if row.reason else ""
    share = f", prevalence {percent(row.prevalence)}" if math.isfinite(row.prevalence) else ""
    return f"{plain(row.name)} {value}{reason}, n {count(row.n)}{share}"


def _layout(drawing: Drawing) -> dict[str, Any]:
    low, high = drawing.ends
    ticks = [0, *GUIDES, 1] if drawing.span[0] >= 0 else [drawing.span[0], 0, 0.4, 0.8]
    return rows_layout(drawing, drawing.axis(low, high, [t for t in ticks if low <= t <= high]))


def _dots(drawing: Drawing, *, muted: bool) -> Trace:
    colour, symbol = style.coefficient(drawing.symbol, drawing.colours)
    points = [
        Point(row.estimate, drawing.middle(i), _hover(drawing, row), [i], row.degenerate)
        for i, row in enumerate(drawing.rows)
        if row.estimate.defined and row.muted == muted
    ]
    lengths = [point.estimate.width for point in points if point.estimate.ends]
    per_px = (drawing.ends[1] - drawing.ends[0]) / drawing.plot
    small = bool(lengths) and sorted(lengths)[len(lengths) // 2] < marks.DOT * drawing.scale * per_px
    colour = drawing.colours.neutral if muted else colour
    return marks.dots(points, colour=colour, symbol=symbol, scale=drawing.scale, size=marks.SMALL_DOT if small else marks.DOT)


def _hover(drawing: Drawing, row: DotRow) -> str:
    first = f"<b>{escape(drawing.symbol)} {number(row.estimate.value)}</b>{behind(row.estimate.ends)}"
    last = f"n {count(row.n)}{f', π {escape(percent(row.prevalence))}' if math.isfinite(row.prevalence) else ''}"
    reason = [escape(row.reason)] if row.reason else []
    return "<br>".join([escape(row.name), first, *reason, last])


def _value(drawing: Drawing, i: int, row: DotRow) -> dict[str, Any]:
    value = row.estimate.value
    if not row.estimate.defined:
        return reason_in_place(drawing, i, f"{UNDEFINED} {plain(row.reason or '')}", _hover(drawing, row))
    if row.degenerate and row.reason:
        return _beside(drawing, i, row, f"{number(value)}, {plain(row.reason)}")
    return value_above(drawing, i, number(value), value, style.coefficient(drawing.symbol, drawing.colours)[0])


def _beside(drawing: Drawing, i: int, row: DotRow, text: str) -> dict[str, Any]:
    """Return a value that means little in words, beside its open dot; where it is cut there, above."""
    low, high = row.estimate.ends or (row.estimate.value, row.estimate.value)
    to_left = drawing.share(low) > 1 - drawing.share(high)
    start, shift = low if to_left else high, drawing.px(10)
    room = drawing.plot * (drawing.share(start) if to_left else 1 - drawing.share(start)) - shift
    size = drawing.px(style.SMALL)
    lines = wrap(text, room, size)
    if any(text_width(line, size) > room or ELLIPSIS in line for line in lines):
        return _above(drawing, i, row, text)
    look = {"xanchor": "right" if to_left else "left", "xshift": -shift if to_left else shift}
    return _note(drawing, i, lines, start, drawing.middle(i), size=size, **look)


def _above(drawing: Drawing, i: int, row: DotRow, text: str) -> dict[str, Any]:
    """Return a note above its mark, where the values of other rows stand: over the dot, or else from the left end of the axis."""
    size, room = drawing.px(SMALLEST), drawing.plot - 4
    lines = wrap(text, room, size)
    wide, at = max(text_width(line, size) for line in lines), drawing.share(row.estimate.value)
    y = drawing.middle(i) - drawing.px(15 if len(lines) == 1 else 22)
    if at * drawing.plot >= wide / 2 and (1 - at) * drawing.plot >= wide / 2:
        return _note(drawing, i, lines, row.estimate.value, y, size=size, xanchor="center")
    return _note(drawing, i, lines, drawing.ends[0], y, size=size, xanchor="left")


def _note(drawing: Drawing, i: int, lines: list[str], x: float, y: float, *, size: float, **look: Any) -> dict[str, Any]:
    colour, hover = drawing.colours.muted, _hover(drawing, drawing.rows[i])
    return annotation(stacked(lines), x, y, size=size, colour=colour, bgcolor=drawing.ground(i), hovertext=hover, **look)


def _guides(drawing: Drawing) -> list[dict[str, Any]]:
    low, high = drawing.span
    reach, line = (drawing.head - drawing.px(6), drawing.foot), {"color": drawing.colours.grid, "width": 1}
    zero = [0.0] if low < 0 else []
    return [marks.upright(at, reach, line) for at in (*zero, *GUIDES) if low <= at <= high]
