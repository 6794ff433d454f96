"""Metrics of one judge against prevalence: one line each, the paradox zone, and where you are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import plotly.graph_objects as go

from metrics import words
from metrics.arrays import FloatArray
from metrics.catalogue import BY_KEY
from metrics.figures import marks
from metrics.figures import theme as style
from metrics.figures.fitting import apart
from metrics.figures.marks import annotation
from metrics.figures.theme import Theme, Tokens, escape, fit, text_width
from metrics.sweeping.sweeps import STILL, Ribbon, Sweep

PLOT, ROW, LINE, GAP = 330, 22, 18, 8
SHADE = 0.22
TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)
LABELLED = 0.995
NOTHING = "None of these metrics has a value for this judge"


@dataclass(frozen=True, eq=False)
class Place:
    """An upright: a prevalence with its name."""

    name: str
    prevalence: float


@dataclass(frozen=True, eq=False)
class Line:
    """Metrics whose lines coincide."""

    keys: tuple[str, ...]
    values: FloatArray
    still: bool

    @property
    def name(self) -> str:
        return " = ".join(BY_KEY[key].symbol for key in self.keys)

    @property
    def end(self) -> float:
        """Last value that is defined, at the right."""
        defined = self.values[~np.isnan(self.values)]
        return float(defined[-1]) if len(defined) else math.nan


@dataclass(frozen=True, eq=False)
class Drawing:
    sweep: Sweep
    keys: tuple[str, ...]
    places: tuple[Place, ...]
    ribbon: Ribbon | None
    positive: str
    colours: Tokens
    scale: float
    narrowest: float
    at: dict[float, dict[str, float]] = field(default_factory=dict)

    def px(self, size: float) -> float:
        return size * self.scale

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """One line for metrics that are equal everywhere."""
        found: list[Line] = []
        for key in self.keys:
            values, still = self.sweep.values[key], key in self.sweep.still
            if np.isnan(values).all():
                continue
            same = next((i for i, line in enumerate(found) if np.allclose(line.values, values, 0, STILL, equal_nan=True)), None)
            if same is None:
                found.append(Line((key,), values, still))
            else:
                found[same] = Line((*found[same].keys, key), values, still)
        return tuple(found)

    @property
    def left(self) -> float:
        return self.px(34)

    @property
    def right(self) -> float:
        return max((text_width(line.name, self.px(style.TEXT), bold=True) for line in self.lines), default=0.0) + self.px(GAP) + 6

    @property
    def plot(self) -> float:
        return self.px(self.narrowest) - self.left - self.right

    @property
    def low(self) -> float:
        lowest = min((float(np.nanmin(line.values)) for line in self.lines), default=0.0)
        return 0.0 if lowest >= -0.005 else math.floor(lowest * 5) / 5

    def colour(self, line: Line) -> str:
        if "kappa" in line.keys:
            return self.colours.kappa
        if "phi" in line.keys:
            return self.colours.phi
        others = [other for other in self.lines if not {"kappa", "phi"} & set(other.keys)]
        return self.colours.series[(others.index(line) + 5) % len(self.colours.series)]


def sweep_lines(
    sweep: Sweep,
    keys: Sequence[str],
    places: Sequence[Place],
    *,
    theme: Theme,
    ribbon: Ribbon | None = None,
    positive: str = "positive",
    scale: float = 1.0,
    width: float = 340,
) -> go.Figure:
    """Each metric as a line against prevalence, dashed where it does not move.

    Parameters
    ----------
    places : sequence of Place
        Uprights with the values at them, from the top row down.
    positive : str
        The label whose share is the prevalence.
    width : float
        The narrowest width in px (before scaling) at which no two texts may meet.
    """
    colours = style.tokens(theme)
    at = {place.prevalence: sweep.at(place.prevalence) for place in places}
    drawing = Drawing(sweep, tuple(keys), tuple(places), ribbon, positive, colours, scale, width, at)
    figure = go.Figure(layout=_layout(drawing))
    if not drawing.lines:
        figure.layout.annotations = [marks.sentence(NOTHING, colours, scale)]
        return figure
    for trace in (*_band(drawing), *_traces(drawing), *_spots(drawing)):
        figure.add_trace(trace)
    figure.layout.annotations = [*_names(drawing), *_heads(drawing), *_zone_names(drawing), _below(drawing)]
    figure.layout.shapes = [*_zones(drawing), *_grid(drawing), *_uprights(drawing)]
    return figure


def alt(sweep: Sweep, keys: Sequence[str], places: Sequence[Place]) -> str:
    """The figure in a sentence, for people who do not see it."""
    parts = []
    for place in places:
        own = sweep.at(place.prevalence)
        values = ", ".join(f"{BY_KEY[key].symbol} {words.number(own[key])}" for key in keys)
        parts.append(f"{place.name}, prevalence {words.percent(place.prevalence)}: {values}")
    zones = " and ".join(f"{words.percent(low)} to {words.percent(high)}" for low, high in sweep.zones) or "nowhere"
    rates = f"TPR {words.percent(sweep.tpr)}, TNR {words.percent(1 - sweep.fpr)}"
    return f"Metrics against prevalence for a judge with {rates}. {'; '.join(parts)}. Paradox zone: {zones}."


def _layout(drawing: Drawing) -> dict[str, Any]:
    head = style.TOP + drawing.px(ROW) * max(len(drawing.places), 1)
    foot = drawing.px(GAP + 3 * LINE)
    across = style.value_axis(drawing.colours, 0.0, 1.0, TICKS, drawing.scale)
    names = [words.percent(x) if x == 1 else f"{100 * x:.0f}" for x in TICKS]
    upright = style.value_axis(drawing.colours, drawing.low, 1.02, _levels(drawing), drawing.scale)
    return style.layout(
        drawing.colours,
        height=head + drawing.px(PLOT) + foot,
        scale=drawing.scale,
        margin=style.margin(math.ceil(drawing.left), math.ceil(drawing.right), foot, head),
        xaxis=across | {"ticktext": names},
        yaxis=upright | {"showline": False, "ticklen": 5, "tickcolor": marks.CLEAR},
    )


def _levels(drawing: Drawing) -> list[float]:
    return [round(drawing.low + 0.2 * i, 1) for i in range(round((1 - drawing.low) / 0.2) + 1)]


def _grid(drawing: Drawing) -> list[dict[str, Any]]:
    line = {"color": drawing.colours.grid, "width": 1}
    return [
        {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": y, "y1": y, "line": line, "layer": "below"}
        for y in _levels(drawing)
        if y in (0.0, 0.4, 0.6, 0.8)
    ]


def _zones(drawing: Drawing) -> list[dict[str, Any]]:
    fill = {"fillcolor": drawing.colours.warning_fill, "line": {"width": 0}, "layer": "below"}
    return [
        {"type": "rect", "x0": low, "x1": high, "yref": "paper", "y0": 0, "y1": 1, **fill} for low, high in drawing.sweep.zones
    ]


def _zone_names(drawing: Drawing) -> list[dict[str, Any]]:
    size, found = drawing.px(style.TICK), []
    for low, high in drawing.sweep.zones:
        if (high - low) * drawing.plot < size * 1.2:
            continue
        at = high - 0.6 * size / drawing.plot if low < 0.5 else low + 0.6 * size / drawing.plot
        found.append(
            annotation(
                "paradox zone", at, 0, size=size, colour=drawing.colours.warning, textangle=-90, yref="paper",
                yanchor="bottom", yshift=drawing.px(6),
            )
        )  # fmt: skip
    return found


def _band(drawing: Drawing) -> list[go.Scatter]:
    own = drawing.ribbon
    if own is None or own.key not in drawing.keys:
        return []
    there = ~np.isnan(own.low)
    colour = drawing.colour(next(line for line in drawing.lines if own.key in line.keys))
    inside = style.see_through(colour, SHADE)
    look: dict[str, Any] = {"mode": "lines", "line": {"width": 0}, "hoverinfo": "skip"}
    return [
        go.Scatter(x=own.prevalence[there], y=np.maximum(own.low[there], drawing.low), **look),
        go.Scatter(x=own.prevalence[there], y=own.high[there], fill="tonexty", fillcolor=inside, **look),
    ]  # fmt: skip


def _traces(drawing: Drawing) -> list[go.Scatter]:
    return [
        go.Scatter(
            x=drawing.sweep.prevalence,
            y=line.values,
            mode="lines",
            line={
                "color": drawing.colour(line), "dash": "dash" if line.still else "solid",
                "width": (3 if "kappa" in line.keys else 2.2) * drawing.scale,
            },
            hovertext=[
                f"<b>{escape(line.name)} {words.number(y)}</b><br>at prevalence {words.percent(x)}"
                for x, y in zip(drawing.sweep.prevalence, line.values, strict=True)
            ],
            hovertemplate=marks.HOVER,
        )
        for line in drawing.lines
    ]  # fmt: skip


def _spots(drawing: Drawing) -> list[go.Scatter]:
    """κ and φ where the uprights cross them."""
    found = []
    for key, symbol in (("phi", "diamond"), ("kappa", "circle")):
        if key not in drawing.keys:
            continue
        points = [(x, own[key]) for x, own in drawing.at.items() if not math.isnan(own[key])]
        colour = drawing.colours.kappa if key == "kappa" else drawing.colours.phi
        found.append(
            go.Scatter(
                x=[x for x, _ in points], y=[y for _, y in points], mode="markers", hoverinfo="skip",
                marker={"color": colour, "symbol": symbol, "size": 11 * drawing.scale, "opacity": 1},
            )
        )  # fmt: skip
    return found


def _names(drawing: Drawing) -> list[dict[str, Any]]:
    """Names at the right end of the lines, pushed apart where they would overlap."""
    lines = sorted(drawing.lines, key=lambda line: line.end)
    unit = drawing.px(PLOT) / (1.02 - drawing.low)
    placed = apart([(line.end - drawing.low) * unit for line in lines], drawing.px(LINE), drawing.px(PLOT))
    found = []
    for line, place in zip(lines, placed, strict=True):
        colour = drawing.colour(line)
        colour = colour if style.contrast(colour, drawing.colours.page) >= 4.5 else drawing.colours.text
        found.append(
            annotation(
                f"<b>{escape(line.name)}</b>", 1, drawing.low + place / unit, size=drawing.px(style.TEXT), colour=colour,
                xref="paper", xanchor="left", xshift=drawing.px(GAP) - 2,
            )
        )  # fmt: skip
    return found


def _heads(drawing: Drawing) -> list[dict[str, Any]]:
    """Above each upright its name and what κ and φ are there."""
    size, found = drawing.px(style.TICK), []
    for row, place in enumerate(drawing.places):
        own = drawing.at[place.prevalence]
        shown = [f"{BY_KEY[key].symbol} {words.number(own[key])}" for key in ("kappa", "phi") if key in drawing.keys]
        name = f"{place.name} {words.percent(place.prevalence)}"
        text = ": ".join([name, *([" · ".join(shown)] if shown else [])])
        x, wide = place.prevalence, text_width(text, size, bold=True) / 2
        room = x * drawing.plot + drawing.left, (1 - x) * drawing.plot + drawing.right
        anchor = "left" if room[0] < wide else "right" if room[1] < wide else "center"
        found.append(
            annotation(
                f"<b>{escape(name)}</b>{escape(text[len(name):])}", x, 1, size=size, colour=drawing.colours.reference,
                yref="paper", xanchor=anchor, bgcolor=drawing.colours.page,
                yshift=drawing.px(ROW) * (len(drawing.places) - row - 0.5),
            )
        )  # fmt: skip
    return found


def _uprights(drawing: Drawing) -> list[dict[str, Any]]:
    line = {"color": drawing.colours.reference, "width": 1.5 * drawing.scale}
    tall = drawing.px(ROW) / drawing.px(PLOT)
    return [
        {
            "type": "line", "x0": place.prevalence, "x1": place.prevalence, "yref": "paper", "y0": 0, "layer": "below",
            "y1": 1 + tall * (len(drawing.places) - row - 0.95), "line": line | {"dash": "dash" if row else "solid"},
        }
        for row, place in enumerate(drawing.places)
    ]  # fmt: skip


def _below(drawing: Drawing) -> dict[str, Any]:
    size = drawing.px(style.TICK)
    text = fit(
        f"prevalence, %: share of items the human calls {drawing.positive}", drawing.plot + drawing.left + drawing.right, size
    )
    short = fit(f"prevalence: share of {drawing.positive}", drawing.plot + drawing.right, size)
    whole = text if "…" not in text else short
    return annotation(
        escape(whole), 0.5, 0, size=size, colour=drawing.colours.muted, xref="paper", yref="paper",
        yshift=-drawing.px(GAP + 2 * LINE),
    )  # fmt: skip
