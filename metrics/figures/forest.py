"""All judges against one baseline: a row each, the difference with its whisker, the judge's own value and p."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from metrics import words
from metrics.figures import marks
from metrics.figures import theme as style
from metrics.figures.difference import apart, apart_interval, difference_axis, in_lines, reach
from metrics.figures.marks import Point, annotation
from metrics.figures.theme import Theme, Tokens, escape, text_width, wrap
from metrics.words import UNDEFINED, plain, shorten_all

TALL, DENSE, MANY = 44, (24, 30), 12
"""Height of a row in px; of close rows, with names of one and of two lines; number of rows above which they stand close."""
HEAD, AXIS = 26, 28
GAP = 14
SMALLEST = 11
DOT = 8
NOTHING = "No judge to compare"


@dataclass(frozen=True)
class ForestRow:
    name: str
    difference: float
    low: float | None = None
    high: float | None = None
    value: float = math.nan
    p: float = math.nan
    n: int = 0
    apart: bool = False
    """Whether it is told apart from the baseline; drawn in colour."""
    reason: str = ""
    """Why there is no difference, or no interval of it."""


@dataclass(frozen=True)
class Drawing:
    rows: Sequence[ForestRow]
    symbol: str
    unit: str
    p_head: str
    colours: Tokens
    scale: float
    selected: int | None
    left: float
    ends: tuple[float, float]
    """Of the axis."""
    columns: tuple[float, ...]
    """Widths in px of the columns at the right edge: the difference where rows are many, then value and p."""
    plot: float
    names: tuple[tuple[str, ...], ...]
    """The lines of each name."""

    def px(self, size: float) -> float:
        return size * self.scale

    @property
    def dense(self) -> bool:
        return len(self.rows) > MANY

    @property
    def step(self) -> float:
        return self.px(DENSE[max(map(len, self.names)) > 1] if self.dense else TALL)

    @property
    def size(self) -> float:
        return self.px(style.SMALL if self.dense else style.TEXT)

    @property
    def head(self) -> float:
        return style.TOP + self.px(HEAD)

    @property
    def foot(self) -> float:
        return self.head + len(self.rows) * self.step + self.px(4)

    def middle(self, row: int) -> float:
        """Of few rows, lower than the middle: the difference stands above the dot."""
        return self.head + (row + (0.5 if self.dense else 0.64)) * self.step


def forest(
    rows: Sequence[ForestRow],
    *,
    theme: Theme,
    symbol: str = "κ",
    unit: str = "",
    p_head: str = "p",
    selected: int | None = None,
    scale: float = 1.0,
    width: float = 340,
) -> go.Figure:
    """One row per judge in the order given, 0 marked; a clicked row returns `customdata` [index].

    Parameters
    ----------
    unit : {"", "%", "points"}
        Of the metric; differences of shares are in points.
    p_head : str
        Head of the column of p: "p" or "p Holm".
    selected : int or None
        The outlined row.
    width : float
        The narrowest width in px (before scaling) at which no two texts may meet.
    """
    drawing = _drawing(rows, symbol, unit, p_head, style.tokens(theme), scale, selected, width * scale)
    figure = go.Figure(layout=_layout(drawing))
    if not rows:
        figure.add_annotation(marks.sentence(NOTHING, drawing.colours, scale))
        return figure
    figure.add_trace(_areas(drawing))
    figure.add_trace(_dots(drawing, apart=False))
    figure.add_trace(_dots(drawing, apart=True))
    figure.layout.annotations = [*_heads(drawing), *_names(drawing), *_columns(drawing), *_above(drawing), *_reasons(drawing)]
    figure.layout.shapes = _zero(drawing)
    return figure


def alt(rows: Sequence[ForestRow], baseline: str, *, symbol: str = "κ", unit: str = "", p_head: str = "p") -> str:
    """The figure in a sentence, for people who do not see it."""
    if not rows:
        return f"{NOTHING}."
    said = "; ".join(_spoken(row, unit, p_head) for row in rows)
    return f"Difference in {symbol} from {plain(baseline)}. {said}."


def _spoken(row: ForestRow, unit: str, p_head: str) -> str:
    if math.isnan(row.difference):
        return f"{plain(row.name)} undefined{': ' + plain(row.reason) if row.reason else ''}"
    ends = f" {apart_interval(row.low, row.high, unit)}" if marks.has_bounds(row.low, row.high) else ""
    return f"{plain(row.name)} {apart(row.difference, unit)}{ends}, {p_head} {words.p3(row.p)}"


def _drawing(
    rows: Sequence[ForestRow],
    symbol: str,
    unit: str,
    p_head: str,
    colours: Tokens,
    scale: float,
    selected: int | None,
    width: float,
) -> Drawing:
    dense = len(rows) > MANY
    size = (style.SMALL if dense else style.TEXT) * scale
    texts = [[words.value(row.value, unit) for row in rows] + [symbol], [words.p3(row.p) for row in rows] + [p_head]]
    if dense:
        texts.insert(0, [_short(row, unit) for row in rows])
    columns = tuple(max(text_width(text, size) for text in column) + GAP * scale for column in texts)
    names, left = _left(rows, SMALLEST * scale if dense else size, 0.34 * width, scale)
    ends = reach(end for row in rows for end in (row.difference, row.low, row.high))
    plot = width - left - sum(columns)
    return Drawing(rows, symbol, unit, p_head, colours, scale, selected, left, ends, columns, plot, names)


def _left(rows: Sequence[ForestRow], size: float, most: float, scale: float) -> tuple[tuple[tuple[str, ...], ...], float]:
    """The names in their lines, and the room they take."""
    shorts = shorten_all([row.name for row in rows])
    longest = max((text_width(name, size) for name in shorts), default=0)
    left = min(max(longest, 40 * scale) + 16, most)
    return tuple(tuple(in_lines(name, left - 14, size)) for name in shorts), left


def _short(row: ForestRow, unit: str) -> str:
    """The difference without the word for its unit, which stands in the head."""
    return apart(row.difference, unit).split(words.HARD_SPACE)[0]


def _layout(drawing: Drawing) -> dict[str, Any]:
    axis = difference_axis(drawing.colours, drawing.ends, drawing.unit, drawing.plot, drawing.scale)
    return style.layout(
        drawing.colours,
        height=drawing.foot + drawing.px(AXIS),
        scale=drawing.scale,
        margin={
            "l": round(drawing.left),
            "r": round(sum(drawing.columns)),
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
    rows = range(len(drawing.rows))
    return marks.areas(
        [(drawing.head + (row + 0.5) * drawing.step, drawing.step - 2) for row in rows],
        across=drawing.ends,
        clicks=[[row] for row in rows],
        hovers=[_hover(drawing, row) for row in drawing.rows],
        chosen=[row == drawing.selected for row in rows],
        colours=drawing.colours,
    )


def _dots(drawing: Drawing, *, apart: bool) -> go.Scatter:
    colour, symbol = style.coefficient(drawing.symbol, drawing.colours)
    points = [
        Point(row.difference, drawing.middle(i), row.low, row.high, _hover(drawing, row), [i], not _bounded(row))
        for i, row in enumerate(drawing.rows)
        if not math.isnan(row.difference) and row.apart == apart
    ]
    drawn = marks.dots(points, colour=colour if apart else drawing.colours.neutral, symbol=symbol, scale=drawing.scale)
    if drawing.dense:
        drawn.marker.size = drawing.px(DOT)
    return drawn


def _bounded(row: ForestRow) -> bool:
    return marks.has_bounds(row.low, row.high)


def _hover(drawing: Drawing, row: ForestRow) -> str:
    lines = [escape(row.name), f"<b>difference {apart(row.difference, drawing.unit)}</b>"]
    if not math.isnan(row.difference) and _bounded(row):
        lines[-1] += f" {apart_interval(row.low, row.high, drawing.unit)}"
    lines += [escape(row.reason)] if row.reason else []
    lines.append(f"{escape(drawing.symbol)} {words.value(row.value, drawing.unit)}, {drawing.p_head} {escape(words.p3(row.p))}")
    return "<br>".join([*lines, f"{words.count(row.n)} shared items"])


def _edge(drawing: Drawing, column: int, text: str, y: float, colour: str) -> dict[str, Any]:
    place = {"xref": "paper", "xanchor": "right", "xshift": sum(drawing.columns[: column + 1]) - 2}
    return annotation(escape(text), 1, y, size=drawing.size, colour=colour, **place)


def _heads(drawing: Drawing) -> list[dict[str, Any]]:
    y, muted = drawing.head - drawing.px(HEAD / 2), drawing.colours.muted
    names = [drawing.symbol, drawing.p_head]
    if drawing.dense:
        names.insert(0, "diff.")
    zero = annotation("0", 0, y, size=drawing.size, colour=muted)
    return [zero, *(_edge(drawing, column, name, y, muted) for column, name in enumerate(names))]


def _columns(drawing: Drawing) -> list[dict[str, Any]]:
    found = []
    for i, row in enumerate(drawing.rows):
        texts = [words.value(row.value, drawing.unit), words.p3(row.p)]
        if drawing.dense:
            texts.insert(0, _short(row, drawing.unit))
        colour = drawing.colours.text if row.apart else drawing.colours.muted
        found += [_edge(drawing, column, text, drawing.middle(i), colour) for column, text in enumerate(texts)]
    return found


def _names(drawing: Drawing) -> list[dict[str, Any]]:
    size, found = drawing.px(SMALLEST if drawing.dense else style.TEXT), []
    for i, (row, lines) in enumerate(zip(drawing.rows, drawing.names, strict=True)):
        whole = None if lines == (plain(row.name),) else escape(row.name)
        place = {"xref": "paper", "xanchor": "right", "xshift": -12, "hovertext": whole}
        text = "<br>".join(escape(line) for line in lines)
        found.append(annotation(text, 0, drawing.middle(i), size=size, colour=drawing.colours.text, **place))
    return found


def _above(drawing: Drawing) -> list[dict[str, Any]]:
    """The difference above its dot, where the rows are few."""
    if drawing.dense:
        return []
    colour, _ = style.coefficient(drawing.symbol, drawing.colours)
    return [
        annotation(
            apart(row.difference, drawing.unit).replace(f"{words.HARD_SPACE}points", ""),
            row.difference,
            drawing.middle(i) - drawing.px(15),
            size=drawing.px(style.TEXT),
            colour=colour if row.apart else drawing.colours.muted,
            bgcolor=marks.CLEAR if i == drawing.selected else drawing.colours.page,
        )
        for i, row in enumerate(drawing.rows)
        if not math.isnan(row.difference)
    ]


def _reasons(drawing: Drawing) -> list[dict[str, Any]]:
    return [_reason(drawing, i, row) for i, row in enumerate(drawing.rows) if math.isnan(row.difference)]


def _reason(drawing: Drawing, i: int, row: ForestRow) -> dict[str, Any]:
    """An undefined difference has no dot; its reason stands in its place."""
    size = drawing.px(SMALLEST if drawing.dense else style.SMALL)
    text = wrap(f"{UNDEFINED} {plain(row.reason)}".strip(), drawing.plot - 4, size, lines=1 if drawing.dense else 2)
    return annotation(
        "<br>".join(escape(line) for line in text),
        drawing.ends[0],
        drawing.middle(i),
        size=size,
        colour=drawing.colours.muted,
        xanchor="left",
        bgcolor=drawing.colours.page,
        hovertext=_hover(drawing, row),
    )


def _zero(drawing: Drawing) -> list[dict[str, Any]]:
    """The line below everything, and once more above the selected row, which covers it."""
    line = {"type": "line", "x0": 0, "x1": 0, "line": {"color": drawing.colours.text, "width": 1.5}}
    found = [line | {"y0": drawing.head - drawing.px(6), "y1": drawing.foot, "layer": "below"}]
    if drawing.selected is not None:
        top = drawing.head + drawing.selected * drawing.step
        found.append(line | {"y0": top + 2, "y1": top + drawing.step - 2, "layer": "above"})
    return found
