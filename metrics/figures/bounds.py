"""How far each metric could move had every open decision been made: a band behind the value and its interval."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from metrics.figures import marks
from metrics.figures import theme as style
from metrics.figures.marks import Point, Sheet, annotation, stacked
from metrics.figures.theme import Theme, escape, text_width, wrap
from metrics.figures.traces import Figure, Trace, drawn
from metrics.results import words

ROW, BAND, FOOT = 76, 30, 50
SHADE = 0.28
GAP, PAD = 6, 0.03
TICKS = (-1.0, -0.8, -0.6, -0.4, -0.2, 0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
MOST_TICKS = 6
NOTHING = "No metric to bound"


@dataclass(frozen=True)
class BoundRow:
    symbol: str
    value: float
    low: float | None = None
    high: float | None = None
    worst: float = math.nan
    best: float = math.nan
    reason: str = ""
    """Why there are no bounds."""

    @property
    def bounded(self) -> bool:
        return not math.isnan(self.worst)


@dataclass(frozen=True)
class Drawing(Sheet):
    rows: Sequence[BoundRow]

    @property
    def left(self) -> float:
        return max(text_width(row.symbol, self.px(style.TEXT), bold=True) for row in self.rows) + self.px(16)

    @property
    def plot(self) -> float:
        return self.px(style.NARROWEST) - self.left - self.px(8)

    @property
    def ends(self) -> tuple[float, float]:
        """The axis: everything drawn, and room for the numbers at both ends of the bands."""
        drawn = [x for row in self.rows for x in _finite(row.value, row.low, row.high, row.worst, row.best)] or [1.0]
        low, high = min(drawn), max(drawn)
        room = self.px(46) / self.plot
        pad = room * max(high - low, 0.2) / (1 - 2 * room)
        return min(low - pad, 0.4), max(high + pad, 1.0 + PAD)

    def middle(self, row: int) -> float:
        return style.TOP + (row + 0.58) * self.px(ROW)

    @property
    def foot(self) -> float:
        return style.TOP + len(self.rows) * self.px(ROW)


def _finite(*ends: float | None) -> list[float]:
    return [x for x in ends if x is not None and math.isfinite(x)]


def bound_bands(rows: Sequence[BoundRow], *, theme: Theme, n_open: int, unit: str = "decisions", scale: float = 1.0) -> Figure:
    """Return one row per metric: the band from worst to best case, the value where both answer and its interval on it.

    Parameters
    ----------
    n_open : int
        Decisions or items that a side left open.
    """
    if not rows:
        return marks.empty(NOTHING, style.tokens(theme), scale)
    below = f"if the {words.count(n_open)} open {unit} had been decided"
    drawing = Drawing(style.tokens(theme), scale, rows)
    texts = [
        *_names(drawing),
        *_numbers(drawing),
        *_reasons(drawing),
        *_cases(drawing),
        marks.below(drawing, below, FOOT),
    ]
    traces = [_hovers(drawing), *_values(drawing)]
    return drawn(_layout(drawing), traces, annotations=texts, shapes=[*_grid(drawing), *_bands(drawing)])


def alt(rows: Sequence[BoundRow], *, n_open: int, unit: str = "decisions") -> str:
    """Return the figure in a sentence, for people who do not see it."""
    if not rows:
        return f"{NOTHING}."
    return f"Bounds if the {words.count(n_open)} open {unit} had been decided. " + "; ".join(_row_text(row) for row in rows) + "."


def _row_text(row: BoundRow) -> str:
    value = "undefined" if math.isnan(row.value) else words.number(row.value)
    if marks.has_interval(row):
        value += f" {words.bounds((row.low, row.high))}"
    tail = f"from {words.number(row.worst)} to {words.number(row.best)}" if row.bounded else f"no bounds, {row.reason}"
    return f"{row.symbol} {value}, {tail}"


def _layout(drawing: Drawing) -> dict[str, Any]:
    low, high = drawing.ends
    inside = [tick for tick in TICKS if low <= tick <= high]
    ticks = inside if len(inside) <= MOST_TICKS else [tick for tick in inside if round(tick * 10) % 4 == 0]
    sides = {"left": drawing.left, "right": drawing.px(8), "bottom": drawing.px(FOOT)}
    return drawing.list_layout(drawing.foot, drawing.axis(low, high, ticks), **sides, barmode="overlay")


def _hovers(drawing: Drawing) -> Trace:
    """Return invisible rows that carry the exact numbers."""
    places = range(len(drawing.rows))
    return marks.areas(
        [(drawing.middle(i), drawing.px(ROW) - 4) for i in places],
        across=drawing.ends,
        clicks=[[i] for i in places],
        hovers=[_hover(row) for row in drawing.rows],
        chosen=[False for _ in places],
        colours=drawing.colours,
    )


def _hover(row: BoundRow) -> str:
    lines = [f"<b>{escape(row.symbol)} {words.p3(row.value)}</b>"]
    if marks.has_interval(row):
        lines[0] += f" [{words.p3(row.low)}, {words.p3(row.high)}]"
    lines.append(f"worst {words.p3(row.worst)}, best {words.p3(row.best)}" if row.bounded else escape(row.reason))
    return "<br>".join(lines)


def _values(drawing: Drawing) -> list[Trace]:
    traces = []
    for i, row in enumerate(drawing.rows):
        if math.isnan(row.value):
            continue
        colour, symbol = style.coefficient(row.symbol, drawing.colours)
        low, high = (row.low, row.high) if marks.has_interval(row) else (None, None)
        point = Point(row.value, drawing.middle(i), low, high, _hover(row), [i])
        traces.append(marks.dots([point], colour=colour, symbol=symbol, scale=drawing.scale))
    return traces


def _bands(drawing: Drawing) -> list[dict[str, Any]]:
    shapes: list[dict[str, Any]] = []
    half, grey = drawing.px(BAND) / 2, drawing.colours.abstention
    for i, row in enumerate(drawing.rows):
        if not row.bounded:
            continue
        y = drawing.middle(i)
        place = {"y0": y - half, "y1": y + half, "layer": "below"}
        band = {
            "type": "rect",
            "x0": row.worst,
            "x1": row.best,
            "fillcolor": style.see_through(grey, SHADE),
            "line": {"width": 0},
        }
        shapes.append(place | band)
        line = {"color": grey, "width": 2 * drawing.scale}
        shapes += [place | {"type": "line", "x0": end, "x1": end, "line": line} for end in (row.worst, row.best)]
    return shapes


def _names(drawing: Drawing) -> list[dict[str, Any]]:
    names = []
    for i, row in enumerate(drawing.rows):
        place = {"xref": "paper", "xanchor": "right", "xshift": -drawing.px(10)}
        text, size = escape(row.symbol), drawing.px(style.TEXT)
        names.append(annotation(text, 0, drawing.middle(i), size=size, colour=drawing.colours.text, **place))
    return names


def _numbers(drawing: Drawing) -> list[dict[str, Any]]:
    """Return the value above its dot, the two cases outside the band's ends."""
    numbers = []
    size, muted = drawing.px(style.TEXT), drawing.colours.muted
    for i, row in enumerate(drawing.rows):
        y = drawing.middle(i)
        if not math.isnan(row.value):
            colour, _ = style.coefficient(row.symbol, drawing.colours)
            text = f"<b>{words.number(row.value)}</b>"
            numbers.append(annotation(text, row.value, y - drawing.px(BAND / 2 + 11), size=size, colour=colour))
        if row.bounded:
            for end, anchor, shift in ((_left_of(row), "right", -GAP), (_right_of(row), "left", GAP)):
                text = words.number(row.worst if anchor == "right" else row.best)
                place = {"xanchor": anchor, "xshift": drawing.px(shift)}
                numbers.append(annotation(text, end, y, size=drawing.px(style.TICK), colour=muted, **place))
    return numbers


def _left_of(row: BoundRow) -> float:
    """Left of the band and of what sticks out of it."""
    return min(_finite(row.worst, row.value, row.low))


def _right_of(row: BoundRow) -> float:
    return max(_finite(row.best, row.value, row.high))


def _reasons(drawing: Drawing) -> list[dict[str, Any]]:
    reasons = []
    low, _ = drawing.ends
    for i, row in enumerate(drawing.rows):
        if row.bounded:
            continue
        lead = words.UNDEFINED if math.isnan(row.value) else "no bounds:"
        text = wrap(f"{lead} {row.reason}", drawing.plot - 8, drawing.px(style.SMALL), lines=2)
        y = drawing.middle(i) + (0 if math.isnan(row.value) else drawing.px(22))
        place = {"xanchor": "left", "bgcolor": drawing.colours.page, "hovertext": _hover(row)}
        reasons.append(annotation(stacked(text), low, y, size=drawing.px(style.SMALL), colour=drawing.colours.muted, **place))
    return reasons


def _cases(drawing: Drawing) -> list[dict[str, Any]]:
    """Return names of the two ends, under the widest band."""
    bounded = [i for i, row in enumerate(drawing.rows) if row.bounded]
    if not bounded:
        return []
    last = max(bounded, key=lambda i: (round(drawing.rows[i].best - drawing.rows[i].worst, 3), -i))
    row, size = drawing.rows[last], drawing.px(style.SMALL)
    low, high = drawing.ends
    wide = (row.best - row.worst) / (high - low) * drawing.plot
    if wide < text_width("worst case", size) + text_width("best case", size) + drawing.px(16):
        return []
    y = drawing.middle(last) + drawing.px(BAND / 2 + 9)
    ends = ((row.worst, "left", "worst case"), (row.best, "right", "best case"))
    return [annotation(text, at, y, size=size, colour=drawing.colours.muted, xanchor=anchor) for at, anchor, text in ends]


def _grid(drawing: Drawing) -> list[dict[str, Any]]:
    low, high = drawing.ends
    line = {"color": drawing.colours.grid, "width": 1}
    return [marks.upright(at, (style.TOP, drawing.foot), line) for at in (0.0, 0.4, 0.6, 0.8) if low <= at <= high]
