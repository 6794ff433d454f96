"""What figures with an axis across and one upright share: the room around the plot, its levels, and names right of it."""

from __future__ import annotations

import math
from abc import ABC
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from metrics.figures import marks
from metrics.figures import theme as style
from metrics.figures.fitting import spread_positions
from metrics.figures.marks import CLEAR, FramedSheet, Sheet, annotation


@dataclass(frozen=True, eq=False)
class EndName:
    """A name right of the plot, in its lines, at the height of a value."""

    at: float
    html: str
    colour: str
    lines: int = 1


@dataclass(frozen=True)
class PlotSheet(FramedSheet, ABC):
    """A plot between its margins."""

    width: float
    """Of the figure in px where it is narrowest."""

    @property
    def plot(self) -> float:
        """Width of the plot in px where the figure is narrowest."""
        return self.width - self.left - self.right

    def level_axis(self, low: float, high: float, ticks: Sequence[float], texts: Sequence[str] | None = None) -> dict[str, Any]:
        """Return an upright axis of numbers alone: its line is that of each level, behind what is drawn."""
        return self.axis(low, high, ticks, texts) | {"showline": False, "ticklen": 5, "tickcolor": CLEAR}

    def levels_behind(self, ticks: Sequence[float]) -> list[dict[str, Any]]:
        """Return a line at each level, as shapes, because plotly draws its own grid over shapes behind a trace."""
        return [marks.across(at, {"color": self.colours.grid, "width": 1}) for at in ticks]

    def plot_layout(self, tall: float, head: float, foot: float, xaxis: dict[str, Any], yaxis: dict[str, Any]) -> dict[str, Any]:
        """Return the layout of a plot `tall` px high between what stands above and below it."""
        return style.layout(
            self.colours,
            height=head + tall + foot,
            scale=self.scale,
            margin=style.margin(math.ceil(self.left), math.ceil(self.right), foot, head),
            xaxis=xaxis,
            yaxis=yaxis,
        )


def end_names(
    sheet: Sheet, names: Sequence[EndName], ends: tuple[float, float], tall: float, *, size: float, line: float, gap: float
) -> list[dict[str, Any]]:
    """Return names right of the plot, pushed apart where they would meet.

    Parameters
    ----------
    names : sequence of EndName
        From low to high.
    ends : (float, float)
        Of the upright axis.
    tall, line, gap : float
        Px of the plot, of a line of text, and from the plot to the names.
    """
    low, high = ends
    wanted = [(name.at - low) / (high - low) * tall for name in names]
    placed = spread_positions(wanted, line, tall, [name.lines for name in names])
    place = {"xref": "paper", "xanchor": "left", "xshift": gap}
    return [
        annotation(name.html, 1, name.at, size=size, colour=name.colour, yshift=y - want, **place)
        for name, want, y in zip(names, wanted, placed, strict=True)
    ]
