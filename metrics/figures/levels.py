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
from metrics.figures.fitting import inward
from metrics.figures.marks import Point, annotation
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
from metrics.figures.theme import Theme, escape, text_width
from metrics.figures.traces import Figure, Trace, drawn
from metrics.results import words
from metrics.results.estimate import Estimate
from metrics.results.words import UNDEFINED, plain

HEAD = 24
ROOM = 0.05
NOTHING = "No value to show"


@dataclass(frozen=True)
class LevelRow:
    """One value, or why there is none in the place of its dot; `note` stands at the right edge."""

    name: str
    estimate: Estimate
    note: str = ""


@dataclass(frozen=True)
class Drawing(ValueRows):
    rows: Sequence[LevelRow]
    symbol: str
    unit: str
    rule: tuple[float, str] | None
    close: bool

    @property
    def head(self) -> float:
        return style.TOP + (self.px(HEAD) if self.rule else 0)

    @property
    def size(self) -> float:
        return self.px(style.TICK)

    @cached_property
    def columns(self) -> list[EdgeColumn]:
        notes = [row.note for row in self.rows]
        return [EdgeColumn("", notes)] if any(notes) else []

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
    if not rows:
        return marks.empty(NOTHING, drawing.colours, scale)
    traces = [row_areas(drawing, drawing.ends, [_hover(drawing, row) for row in rows]), _dots(drawing)]
    values = [_value(drawing, i, row) for i, row in enumerate(rows)]
    texts = [*row_names(drawing), *edge_columns(drawing), *values, *_rule_name(drawing)]
    return drawn(_layout(drawing), traces, annotations=texts, shapes=_guides(drawing))


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
    return rows_layout(drawing, axis)


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


def _value(drawing: Drawing, i: int, row: LevelRow) -> dict[str, Any]:
    value = row.estimate.value
    if not row.estimate.defined:
        return reason_in_place(drawing, i, f"{UNDEFINED} {plain(row.estimate.why)}", _hover(drawing, row))
    colour, _ = style.coefficient(drawing.symbol, drawing.colours)
    return value_above(drawing, i, words.value(value, drawing.unit), value, colour)


def _rule_name(drawing: Drawing) -> list[dict[str, Any]]:
    """Above the line, inside the axis."""
    if drawing.rule is None or math.isnan(drawing.rule[0]):
        return []
    at, name = drawing.rule
    text, size = f"{name} {words.value(at, drawing.unit)}", drawing.px(style.TICK)
    shift = inward(drawing.share(at) * drawing.plot, text_width(text, size), drawing.plot)
    y = drawing.head - drawing.px(HEAD / 2)
    return [annotation(escape(text), at, y, size=size, colour=drawing.colours.text, xshift=shift)]


def _guides(drawing: Drawing) -> list[dict[str, Any]]:
    reach = drawing.head - drawing.px(4), drawing.foot
    lines = [marks.upright(0, reach, {"color": drawing.colours.grid, "width": 1})] if drawing.ticks[0] < 0 else []
    if drawing.rule is not None and not math.isnan(drawing.rule[0]):
        lines.append(marks.upright(drawing.rule[0], reach, {"color": drawing.colours.reference, "width": 1.5, "dash": "dash"}))
    return lines
