"""Measures of the dumbbell figure: where its rows, its columns and its axes lie."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from metrics.analyses.kappa_phi.rows import GapRow
from metrics.figures import theme as style
from metrics.figures.fitting import Mark, axis_ends
from metrics.figures.rows import RowSheet, name_width
from metrics.figures.theme import text_width, wrap
from metrics.results.words import HARD_SPACE, number, points, shorten_all

BROAD, NARROW = 540, 340
"""Narrowest width in px at which no two texts may meet, with bars for the drift and with words."""
TALL, CLOSE, CLOSE_TWO, MANY = (46, 70), (26, 46), (33, 58), 12
"""Height of a row, broad and narrow; of close rows with names of one line and of two; rows above which they stand close."""
AXIS, APART = 30, 14
COEFFICIENTS, RATIO, DRIFT = (0.0, 0.48), 0.57, (0.66, 1.0)
"""Where the three parts lie across, as shares of the room beside the names."""
RATIO_COLUMN, EDGE = 52, 16
KAPPA, PHI, JOINING = 12, 13, 4
BAR = 0.45
"""Height of a bar as a share of its row, and how far its colour stands from the page."""
TICK_ROOM = 30


@dataclass(frozen=True)
class Drawing(RowSheet):
    HEAD: ClassVar = 28
    rows: Sequence[GapRow]
    """The pooled row first, where there is one."""
    narrow: bool
    width: float

    @cached_property
    def shorts(self) -> list[str]:
        return shorten_all([row.name for row in self.rows])

    @cached_property
    def left(self) -> float:
        most = (0.36 if self.narrow else 0.3) * self.width
        return name_width(self.shorts, self.size * style.BOLD, self.scale, most, gap=18)

    @property
    def right(self) -> float:
        return self.px(RATIO_COLUMN if self.narrow else EDGE)

    @cached_property
    def names(self) -> list[list[str]]:
        """The lines of each name."""
        named = enumerate(zip(self.shorts, self.rows, strict=True))
        return [wrap(name, self.left - 16, self.size, bold=row.pooled or i == self.selected) for i, (name, row) in named]

    @property
    def close(self) -> bool:
        return len(self.rows) > MANY

    @property
    def size(self) -> float:
        return self.px(style.SMALL if self.close else style.TEXT)

    @property
    def step(self) -> float:
        two = max(map(len, self.names)) > 1
        return self.px(((CLOSE_TWO if two else CLOSE) if self.close else TALL)[self.narrow])

    def top(self, row: int) -> float:
        return self.head + row * self.step + (self.px(APART) if row and self.rows[0].pooled else 0)

    def centre(self, row: int) -> float:
        return self.top(row) + self.step / 2

    def middle(self, row: int) -> float:
        """Where the marks of a row stand; in a narrow figure the drift stands beneath."""
        return self.top(row) + self.step * (0.3 if self.narrow else 0.5)

    @property
    def foot(self) -> float:
        return self.top(len(self.rows)) + self.px(4)

    @property
    def room(self) -> float:
        """Px of the coefficients at the narrowest."""
        share = 1 if self.narrow else COEFFICIENTS[1] - COEFFICIENTS[0]
        return share * (self.width - self.left - self.right)

    @property
    def drift_room(self) -> float:
        """Px of the bars at the narrowest."""
        return (DRIFT[1] - DRIFT[0]) * (self.width - self.left - self.right)

    @property
    def first(self) -> int | None:
        """The row that carries the names κ and φ."""
        return next((i for i, row in enumerate(self.rows) if not math.isnan(row.phi)), None)


def coefficient_ends(drawing: Drawing) -> tuple[float, float]:
    marks = []
    for i, row in enumerate(drawing.rows):
        if not math.isnan(row.phi):
            ends = sorted((row.kappa, row.phi))
            named = " κ " * (i == drawing.first)
            rooms = [text_width(number(end) + named, drawing.size) + drawing.px(16) for end in ends]
            marks.append(Mark(ends[0], ends[1], *rooms))
    low = math.floor(5 * min((mark.low for mark in marks), default=0.0)) / 5
    high = math.ceil(5 * max((mark.high for mark in marks), default=1.0)) / 5
    low, high = (low, high) if high - low >= 0.4 else (low - 0.2, high + 0.2)
    return axis_ends(marks, low, high, drawing.room)


def drift_ends(drawing: Drawing) -> tuple[float, float]:
    marks = []
    for i, row in enumerate(drawing.rows):
        if not math.isnan(row.drift):
            left, right = reach(row)
            room = text_width(drift_text(row, i), drawing.size) + drawing.px(10)
            marks.append(Mark(left, right, *((room, 0.0) if row.drift < 0 else (0.0, room))))
    pad = drawing.px(6)
    return axis_ends([*marks, Mark(0, 0, pad, pad)], -0.01, 0.01, drawing.drift_room)


def reach(row: GapRow) -> tuple[float, float]:
    """Where the bar and the whisker of a drift begin and end."""
    ends = row.drift_ends or (row.drift, row.drift)
    return min(0.0, row.drift, ends[0]), max(0.0, row.drift, ends[1])


def drift_text(row: GapRow, i: int) -> str:
    """Return all of its words in the topmost row, the number alone below."""
    return points(row.drift).replace("points", "pts") if i == 0 else points(row.drift).split(HARD_SPACE)[0]
