"""What figures with a row per thing share: where the rows stand, what takes their click, and what is written beside them."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from metrics.figures import marks
from metrics.figures import theme as style
from metrics.figures.marks import CLEAR, FramedSheet, Sheet, annotation, stacked
from metrics.figures.theme import escape, text_width, wrap
from metrics.figures.traces import Trace
from metrics.results.words import plain, shorten_all

HEAD = 26
CELL, WIDEST = 24, 260
"""Px that a cell of a table has beside its text, and the most a column of names has."""
SHORTEST = 40
"""Px a column of names has at least."""


@dataclass(frozen=True)
class RowSheet(FramedSheet, ABC):
    """Equal rows from the top down; their height and the margins beside them are each figure's own."""

    rows: Sequence[Any]
    selected: int | None
    """The outlined row."""

    @property
    @abstractmethod
    def step(self) -> float:
        """Height of a row in px."""

    @property
    def head(self) -> float:
        return style.TOP + self.px(HEAD)

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


def column_width(texts: Sequence[object]) -> int:
    """Return px of a table's column in which none of these is cut, unless it is very long."""
    return min(math.ceil(max((text_width(plain(text), style.TEXT) for text in {*texts}), default=0)) + CELL, WIDEST)


def rows_layout(sheet: RowSheet, axis: dict[str, Any], bottom: float) -> dict[str, Any]:
    """Return the layout of rows above one axis; `bottom` is the px of its labels. What is above `head` names the columns."""
    shown = axis | {"visible": bool(sheet.rows)}
    look = {"barmode": "overlay", "meta": [{"head": sheet.head}]}
    return sheet.list_layout(sheet.foot, shown, left=sheet.left, right=sheet.right, bottom=bottom, **look)


def row_areas(sheet: RowSheet, across: tuple[float, float], hovers: Sequence[str]) -> Trace:
    """Return the rows that take the click; the selected one is painted."""
    spans = [(sheet.centre(row), sheet.step - 2) for row in range(len(sheet.rows))]
    return marks.areas(spans, across=across, hovers=hovers, colours=sheet.colours, selected=sheet.selected)


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
