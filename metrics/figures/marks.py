"""Marks the figures share: texts, clickable areas, dots with whiskers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from metrics.figures import theme as style
from metrics.figures.theme import Tokens
from metrics.words import UNDEFINED, interval

CLEAR = "rgba(0,0,0,0)"
HOVER = "%{hovertext}<extra></extra>"


@dataclass(frozen=True)
class Point:
    value: float
    y: float
    low: float | None
    high: float | None
    hover: str
    click: list[int]
    """What a click returns as `customdata`."""
    open: bool = False


def undimmed() -> dict[str, Any]:
    """A click chooses, it does not fade what was not chosen."""
    return {"selected": {"marker": {"opacity": 1}}, "unselected": {"marker": {"opacity": 1}}}


def annotation(text: str, x: float, y: float, *, size: float, colour: str, **changes: Any) -> dict[str, Any]:
    """A text; aligned to its anchor, so that it stays in place when the font comes late."""
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
    """What stands in a figure that has nothing to draw."""
    place = {"xref": "paper", "yref": "paper"}
    return annotation(text, 0.5, 0.5, size=style.TEXT * scale, colour=colours.muted, **place)


def has_bounds(low: float | None, high: float | None) -> bool:
    return interval((low, high)) != UNDEFINED


def areas(
    spans: Sequence[tuple[float, float]],
    *,
    across: tuple[float, float],
    clicks: Sequence[list[int]],
    hovers: Sequence[str],
    chosen: Sequence[bool],
    colours: Tokens,
    xaxis: str = "x",
) -> go.Bar:
    """Rectangles that take the click: (middle, height) upright, `across` sideways. Only the chosen one is painted."""
    low, high = across
    return go.Bar(
        x=[high - low for _ in spans],
        base=[low for _ in spans],
        y=[middle for middle, _ in spans],
        width=[height for _, height in spans],
        orientation="h",
        xaxis=xaxis,
        customdata=list(clicks),
        hovertext=list(hovers),
        hovertemplate=HOVER,
        cliponaxis=False,
        marker={
            "color": [colours.selected if yes else CLEAR for yes in chosen],
            "line": {"color": colours.judge, "width": [2.5 if yes else 0 for yes in chosen]},
        },
        **undimmed(),
    )


def dots(points: Sequence[Point], *, colour: str, symbol: str, scale: float, xaxis: str = "x") -> go.Scatter:
    bounded = [has_bounds(point.low, point.high) for point in points]
    return go.Scatter(
        x=[point.value for point in points],
        y=[point.y for point in points],
        mode="markers",
        xaxis=xaxis,
        customdata=[point.click for point in points],
        hovertext=[point.hover for point in points],
        hovertemplate=HOVER,
        cliponaxis=False,
        marker={
            "color": colour,
            "symbol": [f"{symbol}-open" if point.open else symbol for point in points],
            "size": 11 * scale,
            "opacity": 1,
            "line": {"width": [2 if point.open else 0 for point in points], "color": colour},
        },
        error_x={
            "type": "data",
            "symmetric": False,
            "array": [(p.high or 0) - p.value if yes else 0 for yes, p in zip(bounded, points, strict=True)],
            "arrayminus": [p.value - (p.low or 0) if yes else 0 for yes, p in zip(bounded, points, strict=True)],
            "color": colour,
            "thickness": style.WHISKER * scale,
            "width": 0,
            "visible": any(bounded),
        },
        **undimmed(),
    )
