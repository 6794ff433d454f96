"""All judges against one baseline: a row each, the difference with its whisker, the judge's own value and p."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from metrics.figures import marks
from metrics.figures import theme as style
from metrics.figures.difference import apart_interval, difference_axis, difference_text, in_lines, reach
from metrics.figures.marks import Point, annotation, stacked
from metrics.figures.rows import (
    AxisRows,
    EdgeColumn,
    edge_columns,
    edge_text,
    name_width,
    reason_in_place,
    row_areas,
    row_name,
    rows_layout,
    rule_behind,
    value_above,
)
from metrics.figures.theme import Theme, escape, wrap
from metrics.figures.traces import Figure, Trace, drawn
from metrics.results import words
from metrics.results.estimate import Estimate
from metrics.results.words import UNDEFINED, plain, shorten_all

TALL, DENSE, LOW = 44, (24, 30), 17
"""Height of a row in px; of close rows, with names of one and of two lines; of another reading of the same difference."""
MANY, MANY_READ = 12, 8
"""Number of rows above which they stand close; where each has other readings under it."""
UP = 8
SMALLEST = 11
DOT, SMALL_DOT, THIN = 8, 6, 1.5
DISAGREE, UNEQUAL = ("readings", "disagree"), "≠"
"""What stands beside a row whose readings disagree, and beside its difference where rows stand close."""
NOTHING = "No judge to compare"


@dataclass(frozen=True)
class ForestRow:
    name: str
    difference: Estimate
    value: float = math.nan
    p: float = math.nan
    n: int = 0
    differs: bool = False
    """Whether it is told apart from the baseline; drawn in colour."""
    note: str = ""
    """What must be known of the intervals, such as a small cell."""
    others: Mapping[str, Estimate] = field(default_factory=dict)
    """Other readings of the difference by their names, in small rows under it."""
    disagree: bool = False
    """Whether the readings disagree, so that neither judge is better."""


@dataclass(frozen=True)
class Drawing(AxisRows):
    rows: Sequence[ForestRow]
    symbol: str
    unit: str
    p_head: str

    @property
    def dense(self) -> bool:
        return len(self.rows) > (MANY_READ if any(row.others for row in self.rows) else MANY)

    @property
    def low_rows(self) -> int:
        """Small rows that every row has room for."""
        return 0 if self.dense else max((len(row.others) for row in self.rows), default=0)

    @property
    def step(self) -> float:
        return self.px(DENSE[max(map(len, self.names)) > 1] if self.dense else TALL + LOW * self.low_rows)

    @property
    def size(self) -> float:
        return self.px(style.SMALL if self.dense else style.TEXT)

    @property
    def name_size(self) -> float:
        return self.px(SMALLEST) if self.dense else self.size

    @cached_property
    def shorts(self) -> list[str]:
        return shorten_all([row.name for row in self.rows])

    @cached_property
    def left(self) -> float:
        most = 0.34 * self.width
        small = name_width(self.low_names, self.px(SMALLEST), self.scale, most)
        return max(small, name_width(self.shorts, self.name_size, self.scale, most))

    @property
    def low_names(self) -> list[str]:
        return [] if self.dense else [_low_name(*other, self.unit) for row in self.rows for other in row.others.items()]

    @cached_property
    def names(self) -> list[list[str]]:
        """The lines of each name."""
        return [in_lines(name, self.left - 14, self.name_size) for name in self.shorts]

    @cached_property
    def columns(self) -> list[EdgeColumn]:
        """The difference where rows are many, then value and p."""
        texts = {self.symbol: [words.value(row.value, self.unit) for row in self.rows]}
        if self.dense:
            unequal = [f" {UNEQUAL}" if row.disagree else "" for row in self.rows]
            apart = [_short(row.difference.value, self.unit) for row in self.rows]
            texts = {"diff.": [text + mark for text, mark in zip(apart, unequal, strict=True)]} | texts
        if self.p_head:
            texts[self.p_head] = [words.p3(row.p) for row in self.rows]
        colours = [self.colours.text if row.differs else self.colours.muted for row in self.rows]
        return [EdgeColumn(head, column, colours=colours) for head, column in texts.items()]

    @cached_property
    def ends(self) -> tuple[float, float]:
        """Of the axis."""
        shown = [row.difference for row in self.rows]
        shown += [] if self.dense else [other for row in self.rows for other in row.others.values()]
        return reach(marks.reached(shown))

    def middle(self, row: int) -> float:
        """Of few rows, lower than the middle: the difference stands above the dot."""
        return self.centre(row) if self.dense else self.head + row * self.step + 0.64 * self.px(TALL)

    def low_middle(self, row: int, place: float) -> float:
        """Of a small row, from the top."""
        return self.head + row * self.step + self.px(TALL + LOW * (place + 0.5) - 2)


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
) -> Figure:
    """Return one row per judge in the order given, 0 marked; a clicked row returns `customdata` [index].

    Parameters
    ----------
    unit : {"", "%", "points"}
        Of the metric; differences of shares are in points.
    p_head : str
        Head of the column of p: "p" or "p Holm"; empty for none.
    selected : int or None
        The outlined row.
    width : float
        The narrowest width in px (before scaling) at which no two texts may meet.
    """
    drawing = Drawing(style.tokens(theme), scale, rows, selected, width * scale, symbol, unit, p_head)
    if not rows:
        return marks.empty(NOTHING, drawing.colours, scale)
    areas = row_areas(drawing, drawing.ends, [_hover(drawing, row) for row in rows])
    traces = [areas, _dots(drawing, apart=False), _dots(drawing, apart=True), *_low_dots(drawing)]
    reasons = [_reason(drawing, i, row) for i, row in enumerate(rows) if not row.difference.defined]
    texts = [_zero(drawing), *_names(drawing), *edge_columns(drawing), *_above(drawing), *reasons, *_low_texts(drawing)]
    line = {"color": drawing.colours.text, "width": 1.5}
    return drawn(_layout(drawing), traces, annotations=texts, shapes=rule_behind(drawing, 0, line))


def alt(rows: Sequence[ForestRow], baseline: str, *, symbol: str = "κ", unit: str = "", p_head: str = "p") -> str:
    """Return the figure in a sentence, for people who do not see it."""
    if not rows:
        return f"{NOTHING}."
    few = len(rows) <= MANY_READ
    sentence = "; ".join(
        _row_text(row, unit)
        + _value_clause(row, symbol, unit)
        + _p(row, p_head)
        + (_read(row, unit) if few or row.disagree else "")
        for row in rows
    )
    return f"Difference in {symbol} from {plain(baseline)}. {sentence}."


def _row_text(row: ForestRow, unit: str) -> str:
    if row.difference.defined:
        return _with_ends(row.name, row.difference, unit)
    return f"{plain(row.name)} undefined{': ' + plain(row.difference.why) if row.difference.why else ''}"


def _value_clause(row: ForestRow, symbol: str, unit: str) -> str:
    return "" if math.isnan(row.value) else f", its {plain(symbol)} {words.value(row.value, unit)}"


def _p(row: ForestRow, head: str) -> str:
    return f", {head} {words.p3(row.p)}" if head and row.difference.defined else ""


def _read(row: ForestRow, unit: str) -> str:
    """Return the other readings, and whether they disagree."""
    text = "".join(f", {_with_ends(*other, unit)}" for other in row.others.items())
    return f"{text}, {' '.join(DISAGREE)}" if row.disagree else text


def _with_ends(name: str, difference: Estimate, unit: str) -> str:
    """Name, difference and its interval."""
    return f"{plain(name)} {difference_text(difference.value, unit)}{_behind(difference, unit)}"


def _behind(difference: Estimate, unit: str) -> str:
    return "" if difference.ends is None else f" {apart_interval(difference.ends, unit)}"


def _short(difference: float, unit: str) -> str:
    """Return the difference without the word for its unit, which stands in the head."""
    return difference_text(difference, unit).split(words.HARD_SPACE)[0]


def _low_name(name: str, difference: Estimate, unit: str) -> str:
    return f"{name} {_short(difference.value, unit)}"


def _layout(drawing: Drawing) -> dict[str, Any]:
    axis = difference_axis(drawing.colours, drawing.ends, drawing.unit, drawing.plot, drawing.scale)
    return rows_layout(drawing, axis)


def _dots(drawing: Drawing, *, apart: bool) -> Trace:
    colour, symbol = style.coefficient(drawing.symbol, drawing.colours)
    points = [
        _point(row.difference, drawing.middle(i), _hover(drawing, row), i)
        for i, row in enumerate(drawing.rows)
        if row.difference.defined and row.differs == apart
    ]
    ink, size = colour if apart else drawing.colours.neutral, DOT if drawing.dense else marks.DOT
    return marks.dots(points, colour=ink, symbol=symbol, scale=drawing.scale, size=size)


def _low_dots(drawing: Drawing) -> list[Trace]:
    """Return the other readings in grey: the colour is that of a corrected p, which they have not."""
    if not drawing.low_rows:
        return []
    points = [
        _point(other, drawing.low_middle(i, place), _hover(drawing, row), i)
        for i, row in enumerate(drawing.rows)
        for place, other in enumerate(row.others.values())
        if other.defined
    ]
    _, symbol = style.coefficient(drawing.symbol, drawing.colours)
    look: dict[str, Any] = {"size": SMALL_DOT, "thick": THIN, "scale": drawing.scale}
    return [marks.dots(points, colour=drawing.colours.neutral, symbol=symbol, **look)]


def _point(difference: Estimate, y: float, hover: str, row: int) -> Point:
    return Point(difference, y, hover, [row], difference.ends is None)


def _hover(drawing: Drawing, row: ForestRow) -> str:
    difference = f"<b>difference {difference_text(row.difference.value, drawing.unit)}</b>"
    lines = [escape(row.name), f"{difference}{_behind(row.difference, drawing.unit)}"]
    lines += [escape(text) for text in (row.difference.why, row.note) if text]
    lines += [_with_ends(*other, drawing.unit) for other in row.others.items()]
    lines += [" ".join(DISAGREE)] if row.disagree else []
    lines.append(f"{escape(drawing.symbol)} {words.value(row.value, drawing.unit)}{escape(_p(row, drawing.p_head))}")
    return "<br>".join([*lines, f"{words.count(row.n)} shared {'item' if row.n == 1 else 'items'}"])


def _zero(drawing: Drawing) -> dict[str, Any]:
    return annotation("0", 0, drawing.head - drawing.px(drawing.HEAD / 2), size=drawing.size, colour=drawing.colours.muted)


def _names(drawing: Drawing) -> list[dict[str, Any]]:
    """Two lines stand higher where small rows follow."""
    size, up = drawing.px(SMALLEST if drawing.dense else style.TEXT), drawing.px(UP)
    return [
        row_name(drawing, row.name, lines, drawing.middle(i) - up * (len(lines) > 1 and drawing.low_rows > 0), size=size)
        for i, (row, lines) in enumerate(zip(drawing.rows, drawing.names, strict=True))
    ]


def _above(drawing: Drawing) -> list[dict[str, Any]]:
    """Return the difference above its dot, where the rows are few."""
    if drawing.dense:
        return []
    colour, _ = style.coefficient(drawing.symbol, drawing.colours)
    return [
        value_above(
            drawing, i, _short(row.difference.value, drawing.unit), row.difference.value,
            colour if row.differs else drawing.colours.muted,
        )
        for i, row in enumerate(drawing.rows)
        if row.difference.defined
    ]  # fmt: skip


def _low_texts(drawing: Drawing) -> list[dict[str, Any]]:
    """Name and difference of the other readings, and beside them whether they disagree."""
    if not drawing.low_rows:
        return []
    size, muted, texts = drawing.px(SMALLEST), drawing.colours.muted, []
    for i, row in enumerate(drawing.rows):
        for place, other in enumerate(row.others.items()):
            text = wrap(_low_name(*other, drawing.unit), drawing.left - 14, size, lines=1)
            line = row_name(drawing, "", text, drawing.low_middle(i, place), size=size)
            texts.append(line | {"font": {"size": size, "color": muted}, "hovertext": None})
        if row.disagree and row.others:
            y, colour = drawing.low_middle(i, (len(row.others) - 1) / 2), drawing.colours.text
            texts.append(edge_text(" ", y, drawing.right - 2, size=size, colour=colour) | {"text": stacked(DISAGREE)})
    return texts


def _reason(drawing: Drawing, i: int, row: ForestRow) -> dict[str, Any]:
    text = f"{UNDEFINED} {plain(row.difference.why)}"
    look = {"px": SMALLEST, "lines": 1} if drawing.dense else {}
    return reason_in_place(drawing, i, text, _hover(drawing, row), **look)
