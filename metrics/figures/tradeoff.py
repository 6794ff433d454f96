"""What abstaining buys: accuracy where a judge answers against coverage, every judge a point, scores a curve."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar

from metrics.figures import marks
from metrics.figures import theme as style
from metrics.figures.axes import inner_ticks
from metrics.figures.fitting import Box, Places, around, text_box
from metrics.figures.marks import annotation
from metrics.figures.plots import PlotSheet
from metrics.figures.theme import Theme, escape, text_width
from metrics.figures.traces import Figure, Trace, drawn, scatter
from metrics.results import words
from metrics.results.estimate import Estimate
from metrics.results.words import percent, plain, shorten

FOOT = 50
FEW = 10
"""Judges up to which each is named."""
LONGEST, TALL = 22, 18
SYMBOLS = ("square", "diamond", "triangle-up")
"""Of the first judges; the others are squares too."""
MOST_TICKS = 6
FIRST_COVERAGE = 0.3
"""Where a curve starts at the latest."""
MOST_DRAWN = 300
"""Points of a curve, about."""
NOTHING = "No judge with a decision to show"


@dataclass(frozen=True)
class TradePoint:
    name: str
    coverage: float
    accuracy: Estimate
    n: int = 0


@dataclass(frozen=True)
class TradeCurve:
    name: str
    coverage: Sequence[float]
    accuracy: Sequence[float]


Shift = tuple[float, float]


@dataclass(frozen=True)
class Drawing(PlotSheet):
    PLOT: ClassVar = 330
    points: Sequence[TradePoint]
    chosen: int
    curve: TradeCurve | None
    reach: tuple[tuple[float, float], tuple[float, float]]
    """Ends of both axes."""

    @property
    def across(self) -> tuple[float, float]:
        return self.reach[0]

    @property
    def unit(self) -> str:
        return "%"

    @property
    def ends(self) -> tuple[float, float]:
        return self.reach[1]

    @cached_property
    def ticks(self) -> list[float]:
        return _ticks(*self.ends)


def trade(
    points: Sequence[TradePoint],
    chosen: int,
    curve: TradeCurve | None = None,
    *,
    theme: Theme,
    scale: float = 1.0,
) -> Figure:
    """Return every judge a point, the chosen one in colour; up to ten are named, of more the chosen and the extreme ones.

    A clicked point returns `customdata` [index].
    """
    known = [point for point in points if point.accuracy.defined]
    if not known:
        return marks.empty(NOTHING, style.tokens(theme), scale)
    shown = _clipped(curve, known)
    drawing = Drawing(style.tokens(theme), scale, style.NARROWEST * scale, points, chosen, shown, _ranges(known, shown))
    line = [] if shown is None else [_line(drawing, shown)]
    traces = [*line, _marks(drawing, chosen=False), _marks(drawing, chosen=True)]
    texts = [*_labels(drawing), marks.below(drawing, "coverage: share both decided", FOOT)]
    return drawn(_layout(drawing), traces, annotations=texts, shapes=drawing.levels_behind())


def alt(points: Sequence[TradePoint], chosen: int, curve: TradeCurve | None = None) -> str:
    """Return the figure in a sentence, for people who do not see it."""
    known = [point for point in points if point.accuracy.defined]
    if not known:
        return f"{NOTHING}."
    first = _named(points, chosen)
    order = [*first, *(i for i, point in enumerate(points) if i not in first and point.accuracy.defined)]
    sentence = "; ".join(_point_text(points[i]) for i in order)
    text = (
        f"Accuracy where {len(points)} {'judge answers' if len(points) == 1 else 'judges answer'}, against coverage. {sentence}."
    )
    shown = _clipped(curve, known)
    if shown is None:
        return text
    ends = [f"{percent(shown.accuracy[i])} at {percent(shown.coverage[i])}" for i in (0, -1)]
    return f"{text} {plain(shown.name)} as its threshold moves: from {ends[0]} to {ends[1]}."


def _point_text(point: TradePoint) -> str:
    return f"{plain(point.name)} right {words.estimate(point.accuracy, '%')} at coverage {percent(point.coverage)}"


def _clipped(curve: TradeCurve | None, points: Sequence[TradePoint]) -> TradeCurve | None:
    """Return the curve from the coverage where the figure begins; its first few decisions are mostly noise."""
    if curve is None:
        return None
    start = min(FIRST_COVERAGE, min(point.coverage for point in points) / 2)
    kept = [i for i, coverage in enumerate(curve.coverage) if coverage >= start]
    if len(kept) < 2:
        return None
    step = max(1, len(kept) // MOST_DRAWN)
    kept = sorted({*kept[::step], kept[-1]})
    return TradeCurve(curve.name, [curve.coverage[i] for i in kept], [curve.accuracy[i] for i in kept])


def _ranges(points: Sequence[TradePoint], curve: TradeCurve | None) -> tuple[tuple[float, float], tuple[float, float]]:
    coverages = [point.coverage for point in points] + (list(curve.coverage) if curve else [])
    heights = marks.reached(point.accuracy for point in points) + (list(curve.accuracy) if curve else [])
    across = _padded(min([0.9, *coverages]), 1.0, 0.05)
    return (across[0], 1.0 + 0.04 * (1 - across[0])), _padded(min(heights), max(heights), 0.08)


def _padded(low: float, high: float, share: float) -> tuple[float, float]:
    pad = share * max(high - low, 0.05)
    return max(0.0, low - pad), min(1.0, high + pad) if high < 1 else 1.0 + 0.04 * (1 - low + pad)


def _ticks(low: float, high: float) -> list[float]:
    return inner_ticks(low, high, MOST_TICKS, last=1.0)


def _layout(drawing: Drawing) -> dict[str, Any]:
    ticks = _ticks(*drawing.across)
    across = drawing.axis(*drawing.across, ticks, [percent(tick) for tick in ticks])
    return drawing.plot_layout(drawing.px(FOOT), across)


def _line(drawing: Drawing, curve: TradeCurve) -> Trace:
    hovers = [
        f"<b>{escape(curve.name)}</b>, threshold moving<br>right {percent(y)} at coverage {percent(x)}"
        for x, y in zip(curve.coverage, curve.accuracy, strict=True)
    ]
    return scatter(
        x=list(curve.coverage),
        y=list(curve.accuracy),
        mode="lines",
        line={"color": drawing.colours.series[0], "width": 2.5 * drawing.scale},
        hovertext=hovers,
    )


def _marks(drawing: Drawing, *, chosen: bool) -> Trace:
    points = [(i, point) for i, point in enumerate(drawing.points) if (i == drawing.chosen) == chosen and point.accuracy.defined]
    colour = drawing.colours.judge if chosen or len(drawing.points) <= FEW else drawing.colours.neutral
    heights, ends = [point.accuracy.value for _, point in points], [point.accuracy.ends for _, point in points]
    return scatter(
        x=[point.coverage for _, point in points],
        y=heights,
        mode="markers",
        customdata=[[i] for i, _ in points],
        hovertext=[_hover(point) for _, point in points],
        cliponaxis=False,
        marker={
            "color": colour,
            "symbol": [_symbol(drawing, i) for i, _ in points],
            "size": (13 if chosen else 10) * drawing.scale,
            "line": {"width": 0},
            "opacity": 1,
        },
        error_y=marks.whiskers(heights, ends, colour=colour, thickness=drawing.px(style.WHISKER)),
        **marks.undimmed(),
    )


def _symbol(drawing: Drawing, place: int) -> str:
    return SYMBOLS[place] if len(drawing.points) <= len(SYMBOLS) else "square"


def _hover(point: TradePoint) -> str:
    shown, ends = words.apart(point.accuracy, "%", "")
    return (
        f"{escape(point.name)}<br><b>right {shown}</b>{f' {ends}' if ends else ''}<br>"
        f"coverage {percent(point.coverage)}, {words.count(point.n)} decisions"
    )


def _named(points: Sequence[TradePoint], chosen: int) -> list[int]:
    """Return places of the judges that get a name, the chosen one first."""
    known = [i for i, point in enumerate(points) if point.accuracy.defined]
    if len(known) <= FEW:
        return sorted(known, key=lambda i: i != chosen)
    by_accuracy = sorted(known, key=lambda i: points[i].accuracy.value)
    by_coverage = sorted(known, key=lambda i: points[i].coverage)
    ends = [by_accuracy[-1], by_accuracy[0], by_coverage[-1], by_coverage[0]]
    first = [chosen] if chosen in known else []
    return list(dict.fromkeys([*first, *ends]))


def _labels(drawing: Drawing) -> list[dict[str, Any]]:
    """Return names beside their points, or at the end of a line from them, where they meet neither a point nor each other.

    What finds no place is left to the hover; the chosen judge is placed first.
    """
    size, labels = drawing.px(style.TEXT), []
    taken = Places(drawing.plot + drawing.right, drawing.tall, [*_obstacles(drawing)])
    for i in _named(drawing.points, drawing.chosen):
        point, bold = drawing.points[i], i == drawing.chosen
        text = shorten(point.name, LONGEST)
        colour = drawing.colours.judge if bold or len(drawing.points) <= FEW else drawing.colours.text
        spot, wide = (point.coverage, point.accuracy.value), text_width(text, size, bold=bold)
        near, far = _near_shifts(drawing, wide), _further(drawing) if bold else []
        placed = _placed(drawing, drawing.at(*spot), wide, taken, [*near, *far])
        if placed is not None:
            label = _label(drawing, spot, text, placed, colour, bold=bold)
            labels.append(label if placed in near else _led(drawing, label, placed, colour))
    if drawing.curve is not None:
        labels += _curve_label(drawing, drawing.curve, taken)
    return labels


def _led(drawing: Drawing, label: dict[str, Any], shift: Shift, colour: str) -> dict[str, Any]:
    """Return the label with a line from its point."""
    line = {"showarrow": True, "arrowhead": 0, "arrowwidth": 1.5 * drawing.scale, "arrowcolor": colour, "standoff": drawing.px(6)}
    return label | line | {"ax": shift[0], "ay": shift[1], "xshift": 0, "yshift": 0}


def _curve_label(drawing: Drawing, curve: TradeCurve, taken: Places) -> list[dict[str, Any]]:
    text = f"{shorten(curve.name, LONGEST)}, threshold moving"
    wide = text_width(text, drawing.px(style.TEXT))
    for share in (0.3, 0.5, 0.15, 0.7):
        place = int(share * (len(curve.coverage) - 1))
        spot = curve.coverage[place], curve.accuracy[place]
        placed = _placed(drawing, drawing.at(*spot), wide, taken, _near_shifts(drawing, wide))
        if placed is not None:
            return [_label(drawing, spot, text, placed, drawing.colours.text, bold=False)]
    return []


def _obstacles(drawing: Drawing) -> Iterator[Box]:
    """Yield boxes of points and of the curve, in px."""
    half = drawing.px(7)
    for point in drawing.points:
        if point.accuracy.defined:
            x, y = drawing.at(point.coverage, point.accuracy.value)
            yield around((x, y), half)
            if point.accuracy.ends:
                ends = [drawing.at(point.coverage, end)[1] for end in point.accuracy.ends]
                yield x - 3, ends[1], x + 3, ends[0]
    if drawing.curve is not None:
        spots = [drawing.at(x, y) for x, y in zip(drawing.curve.coverage, drawing.curve.accuracy, strict=True)]
        for (x0, y0), (x1, y1) in pairwise(spots):
            yield min(x0, x1), min(y0, y1) - 2, max(x0, x1), max(y0, y1) + 2


def _near_shifts(drawing: Drawing, wide: float) -> list[Shift]:
    """Where a text of this width stands close to its point."""
    gap = drawing.px(10)
    aside, over = wide / 2 + gap, drawing.px(TALL) / 2 + gap
    close = [(0.0, -over), (0.0, over), (-aside, 0.0), (aside, 0.0)]
    return close + [(side * aside, height * over) for height in (-1, 1) for side in (-1, 1)]


def _further(drawing: Drawing) -> list[Shift]:
    """Return places all over the plot, the nearest first."""
    across, upright = int(drawing.plot), int(drawing.tall)
    step = round(drawing.px(10))
    spots = [(float(dx), float(dy)) for dx in range(-across, across, step) for dy in range(-upright, upright, step)]
    return sorted(spots, key=lambda spot: math.hypot(*spot))


def _placed(drawing: Drawing, spot: tuple[float, float], wide: float, taken: Places, tries: Sequence[Shift]) -> Shift | None:
    """Shift of a text's middle from its point, right and down, the first of some that is free; the place is then taken."""
    for shift in tries:
        box = text_box(spot, (wide, drawing.px(TALL)), "center", *shift)
        if taken.free(box):
            taken.add(box)
            return shift
    return None


def _label(drawing: Drawing, spot: tuple[float, float], text: str, shift: Shift, colour: str, *, bold: bool) -> dict[str, Any]:
    shown = f"<b>{escape(text)}</b>" if bold else escape(text)
    return annotation(shown, *spot, size=drawing.px(style.TEXT), colour=colour, xshift=shift[0], yshift=-shift[1])
