"""Metrics of one judge against prevalence: one line each, the paradox zone, and where you are."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from metrics.analyses.prevalence.compute import STILL, Ribbon, Sweep
from metrics.analyses.prevalence.readings import ribbon_note, share, span
from metrics.figures import marks
from metrics.figures import theme as style
from metrics.figures.fitting import Path, Spot, places_on_lines
from metrics.figures.marks import annotation
from metrics.figures.plots import GAP, LINE, EndName, PlotSheet, Upright, end_names
from metrics.figures.stops import HELD, Stops
from metrics.figures.theme import Theme, escape, fit, text_width
from metrics.figures.traces import Figure, Trace, drawn, scatter
from metrics.measures.arrays import FloatArray
from metrics.measures.catalogue import BY_KEY
from metrics.results import words

EDGE = 22
NAME = 100
"""Px a name may take at the right; longer ones, of many equal lines, are broken."""
HEADED = ("kappa", "accuracy", "phi", "gwet_ac1")
"""Metrics whose values stand above an upright, as many as there is room for."""
MARKED = {"accuracy": "square", "phi": "diamond", "kappa": "circle"}
"""Metrics with a mark where an upright crosses them, the last on top."""
ZONE = "paradox zone"
SHADE, ZONE_GAP = 0.22, 4
TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)
HIGH = 1.02
"""Upper end of the axis."""
ALONG = (0.1, 0.5, 0.9)
"""Prevalences at which the sentence beside the figure says where the lines are."""
NOTHING = "None of these metrics has a value for this judge"


@dataclass(frozen=True, eq=False)
class Place:
    """An upright: a prevalence with its name, and whether it can be held."""

    name: str
    prevalence: float
    held: bool = False


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
    def rows(self) -> tuple[str, ...]:
        """The name, broken between the metrics that coincide."""
        lines = [BY_KEY[self.keys[0]].symbol]
        for key in self.keys[1:]:
            longer = f"{lines[-1]} = {BY_KEY[key].symbol}"
            if text_width(longer, style.TEXT, bold=True) <= NAME:
                lines[-1] = longer
            else:
                lines[-1] += " ="
                lines.append(BY_KEY[key].symbol)
        return tuple(lines)

    @property
    def end(self) -> float:
        """Last value that is defined, at the right."""
        defined = self.values[~np.isnan(self.values)]
        return float(defined[-1]) if len(defined) else math.nan


@dataclass(frozen=True, eq=False)
class Drawing(PlotSheet):
    PLOT: ClassVar = 330
    sweep: Sweep
    keys: tuple[str, ...]
    places: tuple[Place, ...]
    ribbon: Ribbon | None
    positive: str
    stretched: tuple[float, ...]
    at_place: Mapping[float, Mapping[str, float]]

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """One line for metrics that are equal everywhere."""
        lines: list[Line] = []
        for key in self.keys:
            values, still = self.sweep.values[key], key in self.sweep.still
            if np.isnan(values).all():
                continue
            same = next((i for i, line in enumerate(lines) if np.allclose(line.values, values, 0, STILL, equal_nan=True)), None)
            if same is None:
                lines.append(Line((key,), values, still))
            else:
                lines[same] = Line((*lines[same].keys, key), values, still)
        return tuple(lines)

    @cached_property
    def uprights(self) -> list[Upright]:
        """Of each place its name and what κ and φ are there, as many values as there is room for."""
        uprights = []
        for row, place in enumerate(self.places):
            name, value_by_key = f"{place.name} {share(place.prevalence)}", self.at_place[place.prevalence]
            shown = [f"{BY_KEY[key].symbol} {words.number(value_by_key[key])}" for key in HEADED if key in self.keys]
            texts = [f": {' · '.join(shown[:several])}" for several in range(len(shown), 0, -1)]
            fitting = (text for text in texts if text_width(name + text, self.px(style.TICK), bold=True) <= self.width)
            dash = "dash" if row else "solid"
            uprights.append(Upright(place.prevalence, next(fitting, ""), name, dash, held=place.held))
        return uprights

    @property
    def foot(self) -> float:
        """Px below the plot."""
        return self.px(GAP + 3 * LINE)

    @property
    def high(self) -> float:
        """Px of the whole figure."""
        return self.head + self.tall + self.foot

    @cached_property
    def heights(self) -> list[float]:
        """Px that the plot may have."""
        return [share * self.high - self.head - self.foot for share in self.stretched]

    @cached_property
    def on_lines(self) -> list[Spot]:
        """Where each name stands on its line; empty where one has no room there, then all stand at the end."""
        wide, size = self.width - self.left - self.px(EDGE), self.px(style.TEXT)
        paths = [
            Path(
                self.sweep.prevalence * wide,
                (HIGH - line.values) / (HIGH - self.low),
                (text_width(line.name, size, bold=True), size),
            )
            for line in self.lines
        ]
        uprights = [(x - self.px(8), 0.0, x + self.px(8), math.inf) for x in (place.prevalence * wide for place in self.places)]
        return places_on_lines(paths, wide, self.heights, uprights)

    @cached_property
    def names(self) -> list[EndName]:
        lines = sorted(self.lines, key=lambda line: line.end)
        return [EndName(line.end, line.rows, self.name_colour(line), bold=len(line.rows)) for line in lines]

    @property
    def right(self) -> float:
        return self.px(EDGE) if self.on_lines else super().right

    @cached_property
    def low(self) -> float:
        lowest = min((float(np.nanmin(line.values)) for line in self.lines), default=0.0)
        return 0.0 if lowest >= -0.005 else math.floor(lowest * 5) / 5

    @property
    def ends(self) -> tuple[float, float]:
        return self.low, HIGH

    @cached_property
    def ticks(self) -> list[float]:
        return [round(self.low + 0.2 * i, 1) for i in range(round((1 - self.low) / 0.2) + 1)]

    def colour(self, line: Line) -> str:
        if "kappa" in line.keys:
            return self.colours.kappa
        if "phi" in line.keys:
            return self.colours.phi
        others = [other for other in self.lines if not {"kappa", "phi"} & set(other.keys)]
        return self.colours.series[(others.index(line) + 5) % len(self.colours.series)]

    def name_colour(self, line: Line) -> str:
        return style.legible(self.colour(line), self.colours)


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
    stretched: Sequence[float] = (1.0,),
) -> Figure:
    """Return each metric as a line against prevalence, dashed where it does not move.

    Parameters
    ----------
    places : sequence of Place
        Uprights with the values at them, from the top row down.
    positive : str
        The label whose share is the prevalence.
    width : float
        The narrowest width in px (before scaling) at which no two texts may meet.
    stretched : sequence of float
        Heights at which no name may meet a line or another name, as multiples of the one that is drawn.
    """
    colours = style.tokens(theme)
    at = {place.prevalence: sweep.at(place.prevalence) for place in places}
    drawing = Drawing(colours, scale, width * scale, sweep, tuple(keys), tuple(places), ribbon, positive, tuple(stretched), at)
    if not drawing.lines:
        return marks.empty(NOTHING, colours, scale)
    texts = [*_names(drawing), *drawing.upright_words(), *_zone_names(drawing), _below(drawing)]
    shapes = [*_zones(drawing), *drawing.levels_behind(), *drawing.upright_lines()]
    traces = [*_band(drawing), *_traces(drawing), *_spots(drawing)]
    return drawn(_layout(drawing), traces, annotations=texts, shapes=shapes)


def stops(sweep: Sweep, keys: Sequence[str], said: Sequence[str], *, theme: Theme) -> Stops:
    """Return the stops of the upright that is held, at every prevalence of the sweep; see `metrics.figures.stops`."""
    colours, across = style.tokens(theme), sweep.prevalence.tolist()
    low = Drawing(colours, 1.0, 0.0, sweep, tuple(keys), (), None, "", (1.0,), {}).low
    return Stops([(x, low) for x in across], said, [(colours.reference, [((x, low), (x, HIGH)) for x in across])])


def alt(sweep: Sweep, keys: Sequence[str], places: Sequence[Place], ribbon: Ribbon | None = None) -> str:
    """Return the figure in a sentence, for people who do not see it: the marked values, the lines along the axis, the band."""
    parts = []
    for place in places:
        value_by_key = sweep.at(place.prevalence)
        values = ", ".join(f"{BY_KEY[key].symbol} {words.number(value_by_key[key])}" for key in keys)
        parts.append(f"{place.name}, prevalence {share(place.prevalence)}: {values}")
    zones = " and ".join(span(low, high) for low, high in sweep.zones) or "nowhere"
    rates = f"TPR {words.percent(sweep.tpr)}, TNR {words.percent(1 - sweep.fpr)}"
    sentences = [f"Metrics against prevalence for a judge with {rates}", "; ".join(parts), _along(sweep, keys)]
    return f"{'. '.join(part for part in sentences if part)}. Paradox zone: {zones}.{_reach(ribbon, places)}"


def _along(sweep: Sweep, keys: Sequence[str]) -> str:
    """Where the lines that move go through at a few prevalences."""
    moving, places = [key for key in keys if key in sweep.moving], [_nearest(sweep.prevalence, at) for at in ALONG]
    lines = [f"{BY_KEY[key].symbol} {', '.join(words.number(sweep.values[key][i]) for i in places)}" for key in moving]
    return f"At {words.listed([share(sweep.prevalence[i]) for i in places])}: {'; '.join(lines)}" if lines else ""


def _reach(ribbon: Ribbon | None, places: Sequence[Place]) -> str:
    """Return the band at the places that are marked, or as near as it is known."""
    if ribbon is None:
        return ""
    near = list(dict.fromkeys(_nearest(ribbon.prevalence, place.prevalence) for place in places))
    clauses = [f"at {share(ribbon.prevalence[i])} {words.bounds((ribbon.low[i], ribbon.high[i]))}" for i in near]
    note = ribbon_note(ribbon.key, ribbon.n)
    return f" {note[:1].upper()}{note[1:]}: {', '.join(clauses)}." if clauses else ""


def _nearest(places: FloatArray, at: float) -> int:
    return int(np.abs(places - at).argmin())


def _layout(drawing: Drawing) -> dict[str, Any]:
    across = drawing.axis(*drawing.across, TICKS, [words.percent(x) if x == 1 else f"{100 * x:.0f}" for x in TICKS])
    return drawing.plot_layout(drawing.foot, across)


def _zones(drawing: Drawing) -> list[dict[str, Any]]:
    fill = {"fillcolor": drawing.colours.warning_fill, "line": {"width": 0}, "layer": "below"}
    return [
        {"type": "rect", "x0": low, "x1": high, "yref": "paper", "y0": 0, "y1": 1, **fill} for low, high in drawing.sweep.zones
    ]


def _zone_names(drawing: Drawing) -> list[dict[str, Any]]:
    """At the foot of each zone: inside it where there is room beside the uprights, else beside its inner edge."""
    size, texts = drawing.px(style.TICK), list[dict[str, Any]]()
    wide = text_width(ZONE, size) + 2 * ZONE_GAP
    for low, high in drawing.sweep.zones:
        outwards, edge = (1, high) if low < 0.5 else (-1, low)
        if _crossed(drawing, edge + outwards * wide / 2 / drawing.plot, wide):  # then beside the other edge, if there is room
            other = low if outwards > 0 else high
            beyond = other - outwards * wide / drawing.plot
            if 0 <= beyond <= 1 and not _crossed(drawing, (other + beyond) / 2, wide):
                outwards, edge = -outwards, other
        fits = (high - low) * drawing.plot >= wide and not _crossed(drawing, (low + high) / 2, wide)
        at, anchor = ((low + high) / 2, "center") if fits else (edge, "left" if outwards > 0 else "right")
        shift = {} if fits else {"xshift": outwards * ZONE_GAP, "bgcolor": drawing.colours.page}
        near = any(abs(at - note["x"]) * drawing.plot < 2 * wide for note in texts)
        place = {"xanchor": anchor, "yref": "paper", "yanchor": "bottom", "yshift": drawing.px(6 + LINE * near)} | shift
        texts.append(annotation(ZONE, at, 0, size=size, colour=drawing.colours.warning, **place))
    return texts


def _crossed(drawing: Drawing, middle: float, wide: float) -> bool:
    """Return whether an upright goes through a text of so many px."""
    return any(abs(place.prevalence - middle) * drawing.plot < wide / 2 for place in drawing.places)


def _band(drawing: Drawing) -> list[Trace]:
    ribbon = drawing.ribbon
    if ribbon is None or ribbon.key not in drawing.keys:
        return []
    there = ~np.isnan(ribbon.low)
    colour = drawing.colour(next(line for line in drawing.lines if ribbon.key in line.keys))
    inside = style.see_through(colour, SHADE)
    look: dict[str, Any] = {"fillcolor": inside, "hoverinfo": "skip"}
    low = np.maximum(ribbon.low[there], drawing.low)
    return marks.band(ribbon.prevalence[there].tolist(), low.tolist(), ribbon.high[there].tolist(), line={"width": 0}, **look)


def _traces(drawing: Drawing) -> list[Trace]:
    at = [words.percent(x) for x in drawing.sweep.prevalence]
    return [
        scatter(
            x=drawing.sweep.prevalence.astype(np.float32),
            y=line.values.astype(np.float32),
            mode="lines",
            line={
                "color": drawing.colour(line), "dash": "dash" if line.still else "solid",
                "width": (3 if "kappa" in line.keys else 2.2) * drawing.scale,
            },
            customdata=at,
            hovertext=[words.number(y) for y in line.values],
            hovertemplate=f"<b>{line.name} %{{hovertext}}</b><br>at prevalence %{{customdata}}<extra></extra>",
        )
        for line in drawing.lines
    ]  # fmt: skip


def _spots(drawing: Drawing) -> list[Trace]:
    """Return κ, φ and accuracy where the uprights cross them."""
    traces = []
    for key, symbol in MARKED.items():
        line = next((line for line in drawing.lines if key in line.keys), None)
        if line is None:
            continue
        points = [(place.prevalence, drawing.at_place[place.prevalence][key], place.held) for place in drawing.places]
        marker = {"color": drawing.colour(line), "symbol": symbol, "size": 11 * drawing.scale, "opacity": 1}
        for held in dict.fromkeys(place.held for place in drawing.places):
            x, y = ([point[i] for point in points if not math.isnan(point[1]) and point[2] == held] for i in (0, 1))
            trace = scatter(x=x, y=y, mode="markers", hoverinfo="skip", marker=marker)
            traces.append(trace | ({"meta": HELD} if held else {}))
    return traces


def _names(drawing: Drawing) -> list[dict[str, Any]]:
    """Return the name of each line: on it, or where that crowds the plot all at the right end, pushed apart.

    Each is so many px from a place of its line, which stay as they are where the plot becomes lower or higher.
    """
    size, span = drawing.px(style.TEXT), HIGH - drawing.low
    if drawing.on_lines:
        return [
            annotation(
                f"<b>{escape(line.name)}</b>", spot.x / drawing.plot, HIGH - spot.share * span, size=size,
                colour=drawing.name_colour(line), yshift=-spot.shift,
            )
            for line, spot in zip(drawing.lines, drawing.on_lines, strict=True)
        ]  # fmt: skip
    return end_names(drawing, drawing.names, drawing.ends, min(drawing.heights), size)


def _below(drawing: Drawing) -> dict[str, Any]:
    size = drawing.px(style.TICK)
    text = fit(
        f"prevalence, %: share of the human’s decisions for {drawing.positive}", drawing.plot + drawing.left + drawing.right, size
    )
    short = fit(f"prevalence: decisions for {drawing.positive}", drawing.plot + drawing.right, size)
    whole = text if "…" not in text else short
    return marks.below(drawing, whole, GAP + 3 * LINE)
