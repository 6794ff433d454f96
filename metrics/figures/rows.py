"""What figures with a row per thing share: where the rows stand, what takes their click, and what is written beside them."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any, ClassVar

from metrics.figures import marks
from metrics.figures import theme as style
from metrics.figures.marks import CLEAR, FramedSheet, Sheet, annotation, stacked
from metrics.figures.theme import escape, text_width, wrap
from metrics.figures.traces import Trace
from metrics.results.words import plain, shorten_all

AXIS = 28
"""Px of the labels of an axis."""
CELL, WIDEST = 24, 260
"""Px that a cell of a table has beside its text, and the most a column of names has."""
SHORTEST, NAMES = 40, 0.4
"""Px a column of names has at least, and its largest share of the figure."""
LOW, MANY = 38, 12
"""Height in px of one of many rows, and how many are many."""
LOWER = 0.64
"""Where the dot of such a row stands, as a share of its height."""
BETWEEN = 10
"""Px between columns at the right edge."""


@dataclass(frozen=True)
class EdgeColumn:
    """Texts at the right edge, one to a row, under a head of one line or two; grey unless they have colours."""

    head: str
    texts: Sequence[str]
    head_colour: str = ""
    colours: Sequence[str] = ()
    widest: str = ""
    """A text there is room for anyway: the pieces of a long figure on paper have one axis."""


@dataclass(frozen=True)
class RowSheet(FramedSheet, ABC):
    """Equal rows from the top down; their height and the margins beside them are each figure's own."""

    ROW: ClassVar[int] = 44
    HEAD: ClassVar[int] = 26
    """Px of a row, and of what stands above all of them, before scaling."""
    rows: Sequence[Any]
    selected: int | None
    """The outlined row."""

    @property
    def step(self) -> float:
        """Height of a row in px."""
        return self.px(self.ROW)

    @property
    def size(self) -> float:
        """Px of the texts at the right edge."""
        return self.px(style.TEXT)

    @property
    def head_size(self) -> float:
        """Px of their heads."""
        return self.size

    @cached_property
    def columns(self) -> list[EdgeColumn]:
        return []

    @property
    def lead(self) -> float:
        """Px from the axis to the columns."""
        return 0.0

    @cached_property
    def column_ends(self) -> list[float]:
        """Px from the axis to the right end of each column; first where they begin."""
        widths = []
        for column in self.columns:
            heads = [text_width(line, self.head_size) for line in column.head.split("\n")]
            texts = [text_width(text, self.size) for text in (column.widest, *column.texts)]
            widths.append(max(*heads, *texts) + self.px(BETWEEN))
        return list(accumulate(widths, initial=self.lead))

    @property
    def right(self) -> float:
        return max(self.column_ends[-1], self.px(4))

    @property
    def head(self) -> float:
        return style.TOP + self.px(self.HEAD)

    @property
    def foot(self) -> float:
        return self.head + len(self.rows) * self.step + self.px(4)

    def centre(self, row: int) -> float:
        return self.head + (row + 0.5) * self.step

    def middle(self, row: int) -> float:
        """Where the mark and the name of a row stand."""
        return self.centre(row)

    def ground(self, row: int) -> str:
        """Return the colour behind a text, which keeps it apart from lines; none on the selected row, which covers them."""
        return CLEAR if row == self.selected else self.colours.page


@dataclass(frozen=True)
class AxisRows(RowSheet):
    """Rows on one axis of values."""

    width: float
    """Of the figure in px where it is narrowest."""

    @property
    @abstractmethod
    def ends(self) -> tuple[float, float]:
        """Of the axis."""

    @property
    def plot(self) -> float:
        """Width of the axis in px where the figure is narrowest."""
        return self.width - self.left - self.right

    def share(self, value: float) -> float:
        """Return how far along the axis a value is, from 0 to 1."""
        return (value - self.ends[0]) / (self.ends[1] - self.ends[0])


@dataclass(frozen=True)
class ValueRows(AxisRows):
    """Rows with a value above each dot, or in its place why there is none; of many rows, closer ones."""

    @property
    def step(self) -> float:
        return self.px(self.ROW if len(self.rows) <= MANY else LOW)

    @cached_property
    def left(self) -> float:
        return name_width([plain(row.name) for row in self.rows], self.px(style.TEXT), self.scale, NAMES * self.width)

    def middle(self, row: int) -> float:
        return self.head + (row + LOWER) * self.step


def column_width(texts: Sequence[object]) -> int:
    """Return px of a table's column in which none of these is cut, unless it is very long."""
    return min(math.ceil(max((text_width(plain(text), style.TEXT) for text in {*texts}), default=0)) + CELL, WIDEST)


def rows_layout(sheet: RowSheet, axis: dict[str, Any], bottom: float = AXIS) -> dict[str, Any]:
    """Return the layout of rows above one axis; what is above `head` names the columns.

    `bottom` is the px of the labels of the axis, before scaling.
    """
    look = {"barmode": "overlay", "meta": [{"head": sheet.head}]}
    return sheet.list_layout(sheet.foot, axis, left=sheet.left, right=sheet.right, bottom=sheet.px(bottom), **look)


def row_areas(sheet: RowSheet, across: tuple[float, float], hovers: Sequence[str], xaxis: str = "x") -> Trace:
    """Return the rows that take the click; the selected one is painted."""
    spans = [(sheet.centre(row), sheet.step - 2) for row in range(len(sheet.rows))]
    return marks.areas(spans, across=across, hovers=hovers, colours=sheet.colours, selected=sheet.selected, xaxis=xaxis)


def name_width(names: Sequence[str], size: float, scale: float, most: float, *, gap: float = 16) -> float:
    """Return px for a column of names and the gap beside it, at most `most`."""
    longest = max((text_width(name, size) for name in names), default=0.0)
    return min(max(longest, SHORTEST * scale) + gap, most)


def row_name(sheet: Sheet, name: str, lines: Sequence[str], y: float, *, size: float, gap: float = 12) -> dict[str, Any]:
    """Return a name in its lines left of the axis; whole under the pointer where it was cut or broken."""
    whole = None if list(lines) == [plain(name)] else escape(name)
    place = {"xref": "paper", "xanchor": "right", "xshift": -gap, "hovertext": whole}
    return annotation(stacked(lines), 0, y, size=size, colour=sheet.colours.text, **place)


def row_names(sheet: RowSheet, *, gap: float = 12) -> list[dict[str, Any]]:
    """Return the name of every row in at most two lines."""
    size, shorts = sheet.px(style.TEXT), shorten_all([row.name for row in sheet.rows])
    return [
        row_name(sheet, row.name, wrap(short, sheet.left - 14, size), sheet.middle(i), size=size, gap=gap)
        for i, (row, short) in enumerate(zip(sheet.rows, shorts, strict=True))
    ]


def edge_text(text: str, y: float, shift: float, *, size: float, colour: str) -> dict[str, Any]:
    """Return a text right of the axis that ends `shift` px beyond it."""
    return annotation(escape(text), 1, y, size=size, colour=colour, xref="paper", xanchor="right", xshift=shift)


def edge_columns(sheet: RowSheet) -> list[dict[str, Any]]:
    """Return the columns at the right edge with their heads."""
    texts, y, muted = [], sheet.head - sheet.px(sheet.HEAD / 2), sheet.colours.muted
    for column, end in zip(sheet.columns, sheet.column_ends[1:], strict=True):
        if column.head:
            head = edge_text("", y, end - 2, size=sheet.head_size, colour=column.head_colour or muted)
            texts.append(head | {"text": stacked(column.head.split("\n"))})
        for i, text in enumerate(column.texts):
            colour = column.colours[i] if column.colours else muted
            texts.append(edge_text(text, sheet.middle(i), end - 2, size=sheet.size, colour=colour))
    return texts


def value_above(sheet: RowSheet, row: int, text: str, value: float, colour: str) -> dict[str, Any]:
    """Return what stands above the dot of a row."""
    y, size = sheet.middle(row) - sheet.px(15), sheet.px(style.TEXT)
    return annotation(escape(text), value, y, size=size, colour=colour, bgcolor=sheet.ground(row))


def reason_in_place(sheet: AxisRows, row: int, text: str, hover: str, *, px: int = style.SMALL, lines: int = 2) -> dict[str, Any]:
    """Return why a row has no value, in the place of its dot."""
    size = sheet.px(px)
    shown = stacked(wrap(text.strip(), sheet.plot - 4, size, lines=lines))
    look = {"xanchor": "left", "xshift": 4, "bgcolor": sheet.ground(row), "hovertext": hover}
    return annotation(shown, sheet.ends[0], sheet.middle(row), size=size, colour=sheet.colours.muted, **look)


def rule_behind(sheet: RowSheet, at: float, line: dict[str, Any]) -> list[dict[str, Any]]:
    """Return an upright line behind all rows, and once more above the selected one, which covers it."""
    lines = [marks.upright(at, (sheet.head - sheet.px(6), sheet.foot), line)]
    if sheet.selected is not None:
        top = sheet.head + sheet.selected * sheet.step
        lines.append(marks.upright(at, (top + 2, top + sheet.step - 2), line, layer="above"))
    return lines
