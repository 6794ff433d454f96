"""Rows of one metric with whiskers: the levels side by side, or micro without each criterion beside the pooled value."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from metrics.figures import marks
from metrics.figures import theme as style
from metrics.figures.axes import axis_ticks, tick_words
from metrics.figures.marks import Point, annotation, stacked
from metrics.figures.rows import AxisRows, edge_text, name_width, row_areas, row_names, rows_layout
from metrics.figures.theme import Theme, escape, text_width, wrap
from metrics.figures.traces import Figure, Trace, drawn
from metrics.results import words
from metrics.results.estimate import Estimate
from metrics.results.words import UNDEFINED, plain

TALL, LOW, MANY = 46, 36, 12
"""Height of a row in px, of one of many, and how many are many."""
HEAD, AXIS, GAP = 24, 28, 12
ROOM = 0.05
NOTHING = "No value to show"


@dataclass(frozen=True)
class LevelRow:
    """One value, or why there is none in the place of its dot; `note` stands at the right edge."""

    name: str
    estimate: Estimate
    note: str = ""


@dataclass(frozen=True)
class Drawing(AxisRows):
    rows: Sequence[LevelRow]
    symbol: str
    unit: str
    rule: tuple[float, str] | None
    close: bool

    @property
    def step(self) -> float:
        return self.px(TALL if len(self.rows) <= MANY else LOW)

    @property
    def head(self) -> float:
        return style.TOP + (self.px(HEAD) if self.rule else 0)

    def middle(self, row: int) -> float:
        """Return lower than the middle of the row: the value stands above the dot."""
        return self.head + (row + 0.66) * self.step

    @cached_property
    def left(self) -> float:
        names = [plain(row.name) for row in self.rows]
        return name_width(names, self.px(style.TEXT), self.scale, 0.42 * self.width)

    @cached_property
    def right(self) -> float:
        widest = max((text_width(row.note, self.px(style.TICK)) for row in self.rows), default=0.0)
        return widest + self.px(GAP) if widest else self.px(4)

    @cached_property
    def ticks(self) -> list[float]:
        ends = [*marks.reached(row.estimate for row in self.rows), *([self.rule[0]] if self.rule else [])]
        return axis_ticks(ends, self.unit, close=self.close)

    @cached_property
    def ends(self) -> tuple[float, float]:
        pad = ROOM * (self.ticks[-1] - self.ticks[0])
        return self.ticks[0] - pad, self.ticks[-1] + pad


def levels_dots(
    rows: Sequence[LevelRow],
    *,
    theme: Theme,
    symbol: str = "κ",
    unit: str = "",
    selected: int | None = None,
    rule: tuple[float, str] | None = None,
    close: bool = False,
    scale: float = 1.0,
    width: float = 340,
) -> Figure:
    """Return one row per value, in the order given; a clicked row returns `customdata` [index].

    Parameters
    ----------
    selected : int or None
        The outlined row.
    rule : (float, str) or None
        An upright line with its name.
    close : bool
        The axis reaches only as far as the values, without 0 and 1.
    width : float
        The narrowest width in px (before scaling) at which no two texts may meet.
    """
    drawing = Drawing(style.tokens(theme), scale, rows, selected, width * scale, symbol, unit, rule, close)
    layout = _layout(drawing)
    if not rows:
        return drawn(layout, [], annotations=[marks.sentence(NOTHING, drawing.colours, scale)])
    traces = [row_areas(drawing, drawing.ends, [_hover(drawing, row) for row in rows]), _dots(drawing)]
    texts = [*row_names(drawing, gap=10), *_notes(drawing), *_values(drawing), *_rule_name(drawing)]
    return drawn(layout, traces, annotations=texts, shapes=_guides(drawing))


def alt(rows: Sequence[LevelRow], *, symbol: str = "κ", unit: str = "", rule: tuple[float, str] | None = None) -> str:
    """Return the figure in a sentence, for people who do not see it."""
    if not rows:
        return f"{NOTHING}."
    line = f" Line at {words.value(rule[0], unit)}: {rule[1]}." if rule else ""
    return f"{symbol}. {'; '.join(_row_text(row, unit) for row in rows)}.{line}"


def _row_text(row: LevelRow, unit: str) -> str:
    note = f", {row.note}" if row.note else ""
    why = row.estimate.undefined
    value = words.estimate(row.estimate, unit) if row.estimate.defined else f"undefined{': ' + plain(why) if why else ''}"
    return f"{plain(row.name)} {value}{note}"


def _layout(drawing: Drawing) -> dict[str, Any]:
    axis = drawing.axis(*drawing.ends, drawing.ticks, [tick_words(at, drawing.unit) for at in drawing.ticks])
    return rows_layout(drawing, axis, round(drawing.px(AXIS)))


def _hover(drawing: Drawing, row: LevelRow) -> str:
    lines = [escape(row.name), f"<b>{escape(drawing.symbol)} {escape(words.estimate(row.estimate, drawing.unit))}</b>"]
    return "<br>".join([*lines, *(escape(text) for text in (row.note, row.estimate.undefined) if text)])


def _dots(drawing: Drawing) -> Trace:
    colour, symbol = style.coefficient(drawing.symbol, drawing.colours)
    points = [
        Point(row.estimate, drawing.middle(i), _hover(drawing, row), [i])
        for i, row in enumerate(drawing.rows)
        if row.estimate.defined
    ]
    return marks.dots(points, colour=colour, symbol=symbol, scale=drawing.scale)


def _notes(drawing: Drawing) -> list[dict[str, Any]]:
    look: dict[str, Any] = {"size": drawing.px(style.TICK), "colour": drawing.colours.muted}
    return [edge_text(row.note, drawing.middle(i), drawing.right - 2, **look) for i, row in enumerate(drawing.rows) if row.note]


def _values(drawing: Drawing) -> list[dict[str, Any]]:
    return [_value(drawing, i) if row.estimate.defined else _reason(drawing, i) for i, row in enumerate(drawing.rows)]


def _value(drawing: Drawing, i: int) -> dict[str, Any]:
    value, size = drawing.rows[i].estimate.value, drawing.px(style.TEXT)
    colour, _ = style.coefficient(drawing.symbol, drawing.colours)
    y, text = drawing.middle(i) - drawing.px(16), escape(words.value(value, drawing.unit))
    return annotation(text, value, y, size=size, colour=colour, bgcolor=drawing.ground(i))


def _reason(drawing: Drawing, i: int) -> dict[str, Any]:
    row, size = drawing.rows[i], drawing.px(style.SMALL)
    text = wrap(f"{UNDEFINED} {plain(row.estimate.why)}".strip(), drawing.plot - 6, size, lines=2)
    return annotation(
        stacked(text),
        drawing.ends[0],
        drawing.middle(i) - drawing.px(4),
        size=size,
        colour=drawing.colours.muted,
        xanchor="left",
        xshift=4,
        bgcolor=drawing.ground(i),
        hovertext=_hover(drawing, row),
    )


def _rule_name(drawing: Drawing) -> list[dict[str, Any]]:
    """Above the line, inside the axis."""
    if drawing.rule is None or math.isnan(drawing.rule[0]):
        return []
    at, name = drawing.rule
    text = f"{name} {words.value(at, drawing.unit)}"
    half = text_width(text, drawing.px(style.TICK)) / 2 / max(drawing.plot, 1)
    share = drawing.share(at)
    anchor = "left" if share < half else "right" if share > 1 - half else "center"
    y, size = drawing.head - drawing.px(HEAD / 2), drawing.px(style.TICK)
    return [annotation(escape(text), at, y, size=size, colour=drawing.colours.text, xanchor=anchor)]


def _guides(drawing: Drawing) -> list[dict[str, Any]]:
    reach = drawing.head - drawing.px(4), drawing.foot
    lines = [marks.upright(0, reach, {"color": drawing.colours.grid, "width": 1})] if drawing.ticks[0] < 0 else []
    if drawing.rule is not None and not math.isnan(drawing.rule[0]):
        lines.append(marks.upright(drawing.rule[0], reach, {"color": drawing.colours.reference, "width": 1.5, "dash": "dash"}))
    return lines
