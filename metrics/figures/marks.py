"""Marks the figures share: texts, clickable areas, dots with whiskers."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from metrics.figures import theme as style
from metrics.figures.theme import Tokens, escape
from metrics.figures.traces import Figure, Trace, bar, drawn, scatter
from metrics.results.estimate import Estimate

CLEAR = "rgba(0,0,0,0)"
DOT, SMALL_DOT = 11, 6
"""Widths of a dot in px before scaling; a small one where most intervals would not reach beyond the other."""


@dataclass(frozen=True)
class Point:
    estimate: Estimate
    y: float
    hover: str
    click: list[int]
    """What a click returns as `customdata`."""
    open: bool = False


@dataclass(frozen=True)
class Sheet:
    """What a figure is drawn on; its own measures are added by each figure."""

    colours: Tokens
    scale: float

    def px(self, size: float) -> float:
        return size * self.scale

    def axis(self, low: float, high: float, ticks: Sequence[float], texts: Sequence[str] | None = None) -> dict[str, Any]:
        return style.value_axis(self.colours, low, high, ticks, self.scale, texts)

    def list_layout(
        self, foot: float, xaxis: dict[str, Any], *, left: float, right: float, bottom: float = 0.0, **changes: Any
    ) -> dict[str, Any]:
        """Return the layout of what stands at px from the top down to `foot`; `bottom` is the px of the axis below."""
        return style.layout(
            self.colours,
            height=foot + bottom,
            scale=self.scale,
            margin=style.margin(left, right, bottom),
            xaxis=xaxis,
            yaxis=style.hidden_axis(foot, 0),
            **changes,
        )


@dataclass(frozen=True)
class FramedSheet(Sheet, ABC):
    """A sheet with margins beside what is drawn, which are each figure's own."""

    @property
    @abstractmethod
    def left(self) -> float:
        """Px left of the axis, for names or numbers."""

    @property
    @abstractmethod
    def right(self) -> float:
        """Px right of the axis."""


def undimmed() -> dict[str, Any]:
    """Return a click chooses, it does not fade what was not chosen."""
    return {"selected": {"marker": {"opacity": 1}}, "unselected": {"marker": {"opacity": 1}}}


def annotation(text: str, x: float, y: float, *, size: float, colour: str, **changes: Any) -> dict[str, Any]:
    """Return a text; aligned to its anchor, so that it stays in place when the font comes late."""
    anchor = changes.get("xanchor", "center")
    base: dict[str, Any] = {
        "text": text,
        "x": x,
        "y": y,
        "xref": "x",
        "yref": "y",
        "xanchor": anchor,
        "yanchor": "middle",
        "align": anchor,
        "showarrow": False,
        "borderpad": 0,
        "font": {"size": size, "color": colour},
    }
    return base | changes


def sentence(text: str, colours: Tokens, scale: float) -> dict[str, Any]:
    """Return what stands in a figure that has nothing to draw."""
    place = {"xref": "paper", "yref": "paper"}
    return annotation(text, 0.5, 0.5, size=style.TEXT * scale, colour=colours.muted, **place)


def empty(text: str, colours: Tokens, scale: float) -> Figure:
    """Return a figure of nothing but the sentence why."""
    hidden = {"xaxis": {"visible": False}, "yaxis": {"visible": False}}
    layout = style.layout(colours, height=style.TOP + 60 * scale, scale=scale, **hidden)
    return drawn(layout, [], annotations=[sentence(text, colours, scale)])


def stacked(lines: Sequence[str]) -> str:
    """Return Lines of text from a file as one text of the figure."""
    return "<br>".join(escape(line) for line in lines)


def below(sheet: Sheet, text: str, foot: float, **changes: Any) -> dict[str, Any]:
    """Return what an axis is of, under its ticks; `foot` is the px under the plot, before scaling."""
    place = {"xref": "paper", "yref": "paper", "yshift": -sheet.px(foot - 11)} | changes
    return annotation(escape(text), 0 if changes else 0.5, 0, size=sheet.px(style.TICK), colour=sheet.colours.muted, **place)


def reached(estimates: Iterable[Estimate]) -> list[float]:
    """Return every value that is defined and the ends of their intervals, which an axis has to hold."""
    ends = (end for estimate in estimates for end in (estimate.value, *(estimate.ends or ())))
    return [end for end in ends if math.isfinite(end)]


def upright(at: float, ends: tuple[float, float], line: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """Return a line from one height to another, behind what is drawn."""
    return {"type": "line", "x0": at, "x1": at, "y0": ends[0], "y1": ends[1], "line": line, "layer": "below"} | changes


def across(at: float, line: dict[str, Any]) -> dict[str, Any]:
    """Return a line over the whole width at one height, behind what is drawn."""
    return {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": at, "y1": at, "line": line, "layer": "below"}


def areas(
    spans: Sequence[tuple[float, float]],
    *,
    across: tuple[float, float],
    hovers: Sequence[str],
    colours: Tokens,
    selected: int | None = None,
    clicks: Sequence[list[int]] | None = None,
    xaxis: str = "x",
    turned: bool = False,
) -> Trace:
    """Return rectangles that take the click: (middle, height) upright, `across` sideways, or `turned` the other way round.

    Only the selected one is painted. A click returns `clicks`, unless told the place of the rectangle.
    """
    low, high = across
    chosen = [place == selected for place in range(len(spans))]
    lengths, middles = [high - low for _ in spans], [middle for middle, _ in spans]
    return bar(
        x=middles if turned else lengths,
        base=[low for _ in spans],
        y=lengths if turned else middles,
        width=[height for _, height in spans],
        orientation="v" if turned else "h",
        xaxis=xaxis,
        customdata=[[place] for place in range(len(spans))] if clicks is None else list(clicks),
        hovertext=list(hovers),
        cliponaxis=False,
        marker={
            "color": [colours.selected if yes else CLEAR for yes in chosen],
            "line": {"color": colours.judge, "width": [2.5 if yes else 0 for yes in chosen]},
        },
        **undimmed(),
    )


def whiskers(
    values: Sequence[float], ends: Sequence[tuple[float, float] | None], *, colour: str, thickness: float
) -> dict[str, Any]:
    """Return error bars from the ends of each value, where it has any."""
    reached = [interval or (value, value) for value, interval in zip(values, ends, strict=True)]
    return {
        "type": "data",
        "symmetric": False,
        "array": [high - value for value, (_, high) in zip(values, reached, strict=True)],
        "arrayminus": [value - low for value, (low, _) in zip(values, reached, strict=True)],
        "color": colour,
        "thickness": thickness,
        "width": 0,
        "visible": any(interval is not None for interval in ends),
    }


def band(x: Sequence[float], low: Sequence[float], high: Sequence[float], *, line: dict[str, Any], **look: Any) -> list[Trace]:
    """Return the room between two lines over the same places."""
    return [
        scatter(x=list(x), y=list(y), mode="lines", line=line, fill=fill, **look) for y, fill in ((low, None), (high, "tonexty"))
    ]


def dots(
    points: Sequence[Point],
    *,
    colour: str,
    symbol: str,
    scale: float,
    size: float = DOT,
    thick: float = style.WHISKER,
    whisker: str = "",
    xaxis: str = "x",
) -> Trace:
    """Return dots with their whiskers, `size` px across and `thick` px high before scaling, whiskers in a colour of their own."""
    values, ends = [point.estimate.value for point in points], [point.estimate.ends for point in points]
    return scatter(
        x=values,
        y=[point.y for point in points],
        mode="markers",
        xaxis=xaxis,
        customdata=[point.click for point in points],
        hovertext=[point.hover for point in points],
        cliponaxis=False,
        marker={
            "color": colour,
            "symbol": [f"{symbol}-open" if point.open else symbol for point in points],
            "size": size * scale,
            "opacity": 1,
            "line": {"width": [2 if point.open else 0 for point in points], "color": colour},
        },
        error_x=whiskers(values, ends, colour=whisker or colour, thickness=thick * scale),
        **undimmed(),
    )
