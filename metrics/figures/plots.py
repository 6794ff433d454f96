"""What figures with an axis across and one upright share: the room around the plot, its levels, and names right of it."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from metrics.figures import marks
from metrics.figures import theme as style
from metrics.figures.axes import inner_ticks, tick_words
from metrics.figures.fitting import inward, spread_positions
from metrics.figures.marks import CLEAR, FramedSheet, Sheet, annotation, stacked
from metrics.figures.stops import HELD
from metrics.figures.theme import escape, text_width

MOST_TICKS = 7
ROW, LINE, GAP, LEAD, EDGE = 22, 19, 8, 10, 16
"""Px of a line of words above the plot, of a line of a name, from the plot to the names, more where lines lead to them, and right
of a plot without names: half of the last tick label.
"""


@dataclass(frozen=True, eq=False)
class EndName:
    """A name right of the plot, at the height of a value.

    Attributes
    ----------
    lines : sequence of str
    bold : int
        How many of the lines are bold, from the first.
    lead : str
        Colour of a line from the value to the name; empty for none.
    """

    at: float
    lines: Sequence[str]
    colour: str
    bold: int = 0
    lead: str = ""

    def wide(self, size: float) -> float:
        return max(text_width(line, size, bold=place < self.bold) for place, line in enumerate(self.lines))

    @property
    def html(self) -> str:
        bold, rest = stacked(self.lines[: self.bold]), stacked(self.lines[self.bold :])
        return "<br>".join(part for part in (f"<b>{bold}</b>" if bold else "", rest) if part)


@dataclass(frozen=True, eq=False)
class Upright:
    """An upright line with words above the plot, in a line of their own.

    Attributes
    ----------
    lead, words : str
        What stands there: its beginning, which is bold, and the rest.
    line : bool
        Whether the line is drawn; where it lies beyond the axis, the words alone stand at its end.
    held : bool
        Whether it can be held; see `metrics.figures.stops`.
    """

    at: float
    words: str
    lead: str = ""
    dash: str = "solid"
    colour: str = ""
    hover: str | None = None
    line: bool = True
    held: bool = False

    @property
    def name(self) -> dict[str, str]:
        return {"name": HELD} if self.held else {}


@dataclass(frozen=True)
class PlotSheet(FramedSheet, ABC):
    """A plot between its margins."""

    PLOT: ClassVar[int] = 250
    """Px of the plot before scaling."""
    width: float
    """Of the figure in px where it is narrowest."""

    @property
    def tall(self) -> float:
        return self.px(self.PLOT)

    @property
    def across(self) -> tuple[float, float]:
        """Ends of the axis across."""
        return 0.0, 1.0

    @property
    @abstractmethod
    def ends(self) -> tuple[float, float]:
        """Of the upright axis."""

    @property
    def unit(self) -> str:
        """Of the upright axis."""
        return ""

    @cached_property
    def ticks(self) -> list[float]:
        """Of the upright axis."""
        return inner_ticks(*self.ends, MOST_TICKS)

    @property
    def tick_texts(self) -> list[str]:
        return [tick_words(at, self.unit) for at in self.ticks]

    @cached_property
    def names(self) -> list[EndName]:
        """What is named at the right, from low to high."""
        return []

    @cached_property
    def uprights(self) -> list[Upright]:
        """From the top line of words down."""
        return []

    @property
    def head(self) -> float:
        """Px above the plot."""
        return style.TOP + self.px(ROW) * len(self.uprights)

    @property
    def left(self) -> float:
        return max((text_width(text, self.px(style.TICK)) for text in self.tick_texts), default=0.0) + self.px(GAP) + 6

    @property
    def right(self) -> float:
        return names_room(self, self.names, self.px(style.TEXT))

    @property
    def plot(self) -> float:
        """Width of the plot in px where the figure is narrowest."""
        return self.width - self.left - self.right

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return px from the left upper corner of the plot at its narrowest."""
        (left, right), (low, high) = self.across, self.ends
        return (x - left) / (right - left) * self.plot, (high - y) / (high - low) * self.tall

    def upright_axis(self) -> dict[str, Any]:
        return self.axis(*self.ends, self.ticks, self.tick_texts)

    def level_axis(self) -> dict[str, Any]:
        """Return an upright axis of numbers alone: its line is that of each level, behind what is drawn."""
        return self.upright_axis() | {"showline": False, "ticklen": 5, "tickcolor": CLEAR}

    def levels_behind(self) -> list[dict[str, Any]]:
        """Return a line at each level, as shapes, because plotly draws its own grid over shapes behind a trace."""
        return [marks.across(at, {"color": self.colours.grid, "width": 1}) for at in self.ticks]

    def end_names(self) -> list[dict[str, Any]]:
        return end_names(self, self.names, self.ends, self.tall, self.px(style.TEXT))

    def upright_words(self) -> list[dict[str, Any]]:
        """Return what stands above the plot, each over its line as far as the figure reaches."""
        texts, size = [], self.px(style.TICK)
        for row, upright in enumerate(self.uprights):
            wide = text_width(upright.lead + upright.words, size, bold=bool(upright.lead))
            shift = inward(self.left + self.at(upright.at, 0)[0], wide, self.width)
            place = {"yref": "paper", "xshift": shift, "yshift": self.px(ROW) * (len(self.uprights) - row - 0.5)}
            look = {"bgcolor": self.colours.page, "hovertext": upright.hover} | upright.name
            html = (f"<b>{escape(upright.lead)}</b>" if upright.lead else "") + escape(upright.words)
            texts.append(annotation(html, upright.at, 1, size=size, colour=self.ink(upright), **place, **look))
        return texts

    def upright_lines(self) -> list[dict[str, Any]]:
        lines = []
        for row, upright in enumerate(self.uprights):
            if upright.line:
                top = 1 + self.px(ROW) / self.tall * (len(self.uprights) - row - 0.95)
                look = {"color": self.ink(upright), "width": self.px(1.5), "dash": upright.dash}
                lines.append(marks.upright(upright.at, (0, top), look, yref="paper", **upright.name))
        return lines

    def ink(self, upright: Upright) -> str:
        return upright.colour or self.colours.reference

    def plot_layout(self, foot: float, xaxis: dict[str, Any], yaxis: dict[str, Any] | None = None) -> dict[str, Any]:
        """Return the layout of the plot, `foot` px above the lower end of the figure; its upright axis is one of levels."""
        return style.layout(
            self.colours,
            height=self.head + self.tall + foot,
            scale=self.scale,
            margin=style.margin(math.ceil(self.left), math.ceil(self.right), foot, self.head),
            xaxis=xaxis,
            yaxis=yaxis or self.level_axis(),
        )


def names_room(sheet: Sheet, names: Sequence[EndName], size: float) -> float:
    """Return px right of a plot for its names."""
    lead = LEAD if any(name.lead for name in names) else 0
    return max([sheet.px(EDGE), *(name.wide(size) + sheet.px(GAP + lead) + 4 for name in names)])


def end_names(
    sheet: Sheet, names: Sequence[EndName], ends: tuple[float, float], tall: float, size: float
) -> list[dict[str, Any]]:
    """Return names right of the plot, pushed apart where they would meet.

    Parameters
    ----------
    names : sequence of EndName
        From low to high.
    ends : (float, float)
        Of the upright axis.
    tall : float
        Px of the plot.
    """
    low, high = ends
    wanted = [(name.at - low) / (high - low) * tall for name in names]
    placed = spread_positions(wanted, sheet.px(LINE), tall, [len(name.lines) for name in names])
    return [
        annotation(
            name.html, 1, name.at, size=size, colour=name.colour, xref="paper", xanchor="left", **_moved(sheet, name, y - want)
        )
        for name, want, y in zip(names, wanted, placed, strict=True)
    ]


def _moved(sheet: Sheet, name: EndName, up: float) -> dict[str, Any]:
    """Return how a name is so many px above its value, with the line that leads to it where it has one."""
    if not name.lead:
        return {"xshift": sheet.px(GAP) - 2, "yshift": up}
    line = {"showarrow": True, "arrowhead": 0, "arrowwidth": 1.2 * sheet.scale, "arrowcolor": name.lead, "standoff": 2}
    return line | {"ax": sheet.px(GAP + LEAD) - 2, "ay": -up}
