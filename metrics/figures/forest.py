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
from metrics.figures.rows import HEAD, AxisRows, edge_text, name_width, row_areas, row_name, rows_layout
from metrics.figures.theme import Theme, escape, text_width, wrap
from metrics.figures.traces import Figure, Trace, drawn
from metrics.results import words
from metrics.results.estimate import Estimate
from metrics.results.words import UNDEFINED, plain, shorten_all

TALL, DENSE, LOW = 44, (24, 30), 17
"""Height of a row in px; of close rows, with names of one and of two lines; of another reading of the same difference."""
MANY, MANY_READ = 12, 8
"""Number of rows above which they stand close; where each has other readings under it."""
AXIS = 28
GAP, UP = 14, 8
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

    @property
    def heads(self) -> list[str]:
        return [*(["diff."] if self.dense else []), self.symbol, *([self.p_head] if self.p_head else [])]

    def texts(self, row: ForestRow) -> list[str]:
        """Return what stands at the right edge of a row, under the heads."""
        unequal = f" {UNEQUAL}" if row.disagree else ""
        first = [f"{_short(row.difference.value, self.unit)}{unequal}"] if self.dense else []
        return [*first, words.value(row.value, self.unit), *([words.p3(row.p)] if self.p_head else [])]

    @cached_property
    def columns(self) -> tuple[float, ...]:
        """Widths in px of the columns at the right edge: the difference where rows are many, then value and p."""
        rows = self.rows
        texts = [[head, *(self.texts(row)[place] for row in rows)] for place, head in enumerate(self.heads)]
        return tuple(max(text_width(text, self.size) for text in column) + self.px(GAP) for column in texts)

    @property
    def right(self) -> float:
        return sum(self.columns)

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
    layout = _layout(drawing)
    if not rows:
        return drawn(layout, [], annotations=[marks.sentence(NOTHING, drawing.colours, scale)])
    areas = row_areas(drawing, drawing.ends, [_hover(drawing, row) for row in rows])
    traces = [areas, _dots(drawing, apart=False), _dots(drawing, apart=True), *_low_dots(drawing)]
    reasons = [_reason(drawing, i, row) for i, row in enumerate(rows) if not row.difference.defined]
    texts = [*_heads(drawing), *_names(drawing), *_columns(drawing), *_above(drawing), *reasons, *_low_texts(drawing)]
    return drawn(layout, traces, annotations=texts, shapes=_zero(drawing))


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
    return rows_layout(drawing, axis, drawing.px(AXIS))


def _dots(drawing: Drawing, *, apart: bool) -> Trace:
    colour, symbol = style.coefficient(drawing.symbol, drawing.colours)
    points = [
        _point(row.difference, drawing.middle(i), _hover(drawing, row), i)
        for i, row in enumerate(drawing.rows)
        if row.difference.defined and row.differs == apart
    ]
    dots = marks.dots(points, colour=colour if apart else drawing.colours.neutral, symbol=symbol, scale=drawing.scale)
    if drawing.dense:
        dots["marker"]["size"] = drawing.px(DOT)
    return dots


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
    dots = marks.dots(points, colour=drawing.colours.neutral, symbol=symbol, scale=drawing.scale)
    dots["marker"]["size"], dots["error_x"]["thickness"] = drawing.px(SMALL_DOT), drawing.px(THIN)
    return [dots]


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


def _edge(drawing: Drawing, column: int, text: str, y: float, colour: str) -> dict[str, Any]:
    shift = sum(drawing.columns[: column + 1]) - 2
    return edge_text(text, y, shift, size=drawing.size, colour=colour)


def _heads(drawing: Drawing) -> list[dict[str, Any]]:
    y, muted = drawing.head - drawing.px(HEAD / 2), drawing.colours.muted
    zero = annotation("0", 0, y, size=drawing.size, colour=muted)
    return [zero, *(_edge(drawing, column, name, y, muted) for column, name in enumerate(drawing.heads))]


def _columns(drawing: Drawing) -> list[dict[str, Any]]:
    texts = []
    for i, row in enumerate(drawing.rows):
        colour = drawing.colours.text if row.differs else drawing.colours.muted
        texts += [_edge(drawing, column, text, drawing.middle(i), colour) for column, text in enumerate(drawing.texts(row))]
    return texts


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
        annotation(
            difference_text(row.difference.value, drawing.unit).replace(f"{words.HARD_SPACE}points", ""),
            row.difference.value,
            drawing.middle(i) - drawing.px(15),
            size=drawing.px(style.TEXT),
            colour=colour if row.differs else drawing.colours.muted,
            bgcolor=drawing.ground(i),
        )
        for i, row in enumerate(drawing.rows)
        if row.difference.defined
    ]


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
    """Write the reason of an undefined difference in place of its dot."""
    size = drawing.px(SMALLEST if drawing.dense else style.SMALL)
    text = wrap(f"{UNDEFINED} {plain(row.difference.why)}".strip(), drawing.plot - 4, size, lines=1 if drawing.dense else 2)
    return annotation(
        stacked(text),
        drawing.ends[0],
        drawing.middle(i),
        size=size,
        colour=drawing.colours.muted,
        xanchor="left",
        bgcolor=drawing.colours.page,
        hovertext=_hover(drawing, row),
    )


def _zero(drawing: Drawing) -> list[dict[str, Any]]:
    """Return the line below everything, and once more above the selected row, which covers it."""
    line = {"color": drawing.colours.text, "width": 1.5}
    lines = [marks.upright(0, (drawing.head - drawing.px(6), drawing.foot), line)]
    if drawing.selected is not None:
        top = drawing.head + drawing.selected * drawing.step
        lines.append(marks.upright(0, (top + 2, top + drawing.step - 2), line, layer="above"))
    return lines
