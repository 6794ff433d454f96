"""How far each metric could move had every open decision been made: a band behind the value and its interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from metrics.analyses.abstention.bounds import Bound
from metrics.figures import marks
from metrics.figures import theme as style
from metrics.figures.axes import fifths
from metrics.figures.marks import Point, annotation, stacked
from metrics.figures.rows import AxisRows, name_width, row_areas, row_name, rows_layout
from metrics.figures.theme import Theme, escape, text_width, wrap
from metrics.figures.traces import Figure, Trace, drawn
from metrics.results import words
from metrics.results.estimate import Estimate

BAND, FOOT = 30, 50
SHADE = 0.28
GAP, PAD = 6, 0.03
MOST_TICKS = 6
NOTHING = "No metric to bound"


@dataclass(frozen=True)
class BoundRow:
    symbol: str
    estimate: Estimate
    bound: Bound
    """From the worst to the best case."""


@dataclass(frozen=True)
class Drawing(AxisRows):
    ROW: ClassVar = 76
    HEAD: ClassVar = 0
    rows: Sequence[BoundRow]

    @cached_property
    def left(self) -> float:
        return name_width([row.symbol for row in self.rows], self.px(style.TEXT), self.scale, self.width)

    @cached_property
    def ends(self) -> tuple[float, float]:
        """The axis: everything drawn, and room for the numbers at both ends of the bands."""
        cases = [end for row in self.rows for end in row.bound.ends or ()]
        drawn = [*marks.reached(row.estimate for row in self.rows), *cases] or [1.0]
        low, high = min(drawn), max(drawn)
        room = self.px(46) / self.plot
        pad = room * max(high - low, 0.2) / (1 - 2 * room)
        return min(low - pad, 0.4), max(high + pad, 1.0 + PAD)

    def middle(self, row: int) -> float:
        return self.head + (row + 0.58) * self.step


def bound_bands(rows: Sequence[BoundRow], *, theme: Theme, n_open: int, unit: str = "decisions", scale: float = 1.0) -> Figure:
    """Return one row per metric: the band from worst to best case, the value where both answer and its interval on it.

    Parameters
    ----------
    n_open : int
        Decisions or items that a side left open.
    """
    if not rows:
        return marks.empty(NOTHING, style.tokens(theme), scale)
    below = f"if the {words.count(n_open)} open {unit} had been decided"
    drawing = Drawing(style.tokens(theme), scale, rows, None, style.NARROWEST * scale)
    texts = [
        *_names(drawing),
        *_numbers(drawing),
        *_reasons(drawing),
        *_cases(drawing),
        marks.below(drawing, below, FOOT),
    ]
    traces = [row_areas(drawing, drawing.ends, [_hover(row) for row in rows]), *_values(drawing)]
    low, high = drawing.ends
    axis = drawing.axis(low, high, fifths(max(low, -1.0), min(high, 1.0), MOST_TICKS))
    return drawn(rows_layout(drawing, axis, FOOT), traces, annotations=texts, shapes=[*_grid(drawing), *_bands(drawing)])


def alt(rows: Sequence[BoundRow], *, n_open: int, unit: str = "decisions") -> str:
    """Return the figure in a sentence, for people who do not see it."""
    if not rows:
        return f"{NOTHING}."
    return f"Bounds if the {words.count(n_open)} open {unit} had been decided. " + "; ".join(_row_text(row) for row in rows) + "."


def _row_text(row: BoundRow) -> str:
    value = words.estimate(row.estimate) if row.estimate.defined else "undefined"
    if row.bound.ends is None:
        return f"{row.symbol} {value}, no bounds, {row.bound.reason}"
    return f"{row.symbol} {value}, from {words.number(row.bound.low)} to {words.number(row.bound.high)}"


def _hover(row: BoundRow) -> str:
    lines = [f"<b>{escape(row.symbol)} {words.p3(row.estimate.value)}</b>"]
    if row.estimate.ends:
        lines[0] += f" [{words.p3(row.estimate.low)}, {words.p3(row.estimate.high)}]"
    bound = row.bound
    lines.append(f"worst {words.p3(bound.low)}, best {words.p3(bound.high)}" if bound.ends else escape(bound.reason))
    return "<br>".join(lines)


def _values(drawing: Drawing) -> list[Trace]:
    traces = []
    for i, row in enumerate(drawing.rows):
        if not row.estimate.defined:
            continue
        colour, symbol = style.coefficient(row.symbol, drawing.colours)
        point = Point(row.estimate, drawing.middle(i), _hover(row), [i])
        traces.append(marks.dots([point], colour=colour, symbol=symbol, scale=drawing.scale))
    return traces


def _bands(drawing: Drawing) -> list[dict[str, Any]]:
    shapes: list[dict[str, Any]] = []
    half, grey = drawing.px(BAND) / 2, drawing.colours.abstention
    for i, row in enumerate(drawing.rows):
        if row.bound.ends is None:
            continue
        worst, best = row.bound.ends
        y = drawing.middle(i)
        place = {"y0": y - half, "y1": y + half, "layer": "below"}
        band = {"type": "rect", "x0": worst, "x1": best, "fillcolor": style.see_through(grey, SHADE), "line": {"width": 0}}
        shapes.append(place | band)
        line = {"color": grey, "width": 2 * drawing.scale}
        shapes += [place | {"type": "line", "x0": end, "x1": end, "line": line} for end in row.bound.ends]
    return shapes


def _names(drawing: Drawing) -> list[dict[str, Any]]:
    look = {"size": drawing.px(style.TEXT), "gap": drawing.px(10)}
    return [row_name(drawing, row.symbol, [row.symbol], drawing.middle(i), **look) for i, row in enumerate(drawing.rows)]


def _numbers(drawing: Drawing) -> list[dict[str, Any]]:
    """Return the value above its dot, the two cases outside the band's ends."""
    numbers = []
    size, muted = drawing.px(style.TEXT), drawing.colours.muted
    for i, row in enumerate(drawing.rows):
        y, value = drawing.middle(i), row.estimate.value
        if row.estimate.defined:
            colour, _ = style.coefficient(row.symbol, drawing.colours)
            text = f"<b>{words.number(value)}</b>"
            numbers.append(annotation(text, value, y - drawing.px(BAND / 2 + 11), size=size, colour=colour))
        if row.bound.ends:
            # Beside the band and what sticks out of it.
            (worst, best), drawn = row.bound.ends, [*row.bound.ends, *marks.reached([row.estimate])]
            for case, end, anchor, shift in ((worst, min(drawn), "right", -GAP), (best, max(drawn), "left", GAP)):
                place = {"xanchor": anchor, "xshift": drawing.px(shift)}
                numbers.append(annotation(words.number(case), end, y, size=drawing.px(style.TICK), colour=muted, **place))
    return numbers


def _reasons(drawing: Drawing) -> list[dict[str, Any]]:
    reasons = []
    low, _ = drawing.ends
    for i, row in enumerate(drawing.rows):
        if row.bound.ends:
            continue
        lead = "no bounds:" if row.estimate.defined else words.UNDEFINED
        text = wrap(f"{lead} {row.bound.reason}", drawing.plot - 8, drawing.px(style.SMALL), lines=2)
        y = drawing.middle(i) + (drawing.px(22) if row.estimate.defined else 0)
        place = {"xanchor": "left", "bgcolor": drawing.colours.page, "hovertext": _hover(row)}
        reasons.append(annotation(stacked(text), low, y, size=drawing.px(style.SMALL), colour=drawing.colours.muted, **place))
    return reasons


def _cases(drawing: Drawing) -> list[dict[str, Any]]:
    """Return names of the two ends, under the widest band."""
    bounded = [(i, row.bound.ends) for i, row in enumerate(drawing.rows) if row.bound.ends]
    if not bounded:
        return []
    last, (worst, best) = max(bounded, key=lambda row: (round(row[1][1] - row[1][0], 3), -row[0]))
    (low, high), size = drawing.ends, drawing.px(style.SMALL)
    wide = (best - worst) / (high - low) * drawing.plot
    if wide < text_width("worst case", size) + text_width("best case", size) + drawing.px(16):
        return []
    y = drawing.middle(last) + drawing.px(BAND / 2 + 9)
    ends = ((worst, "left", "worst case"), (best, "right", "best case"))
    return [annotation(text, at, y, size=size, colour=drawing.colours.muted, xanchor=anchor) for at, anchor, text in ends]


def _grid(drawing: Drawing) -> list[dict[str, Any]]:
    low, high = drawing.ends
    line = {"color": drawing.colours.grid, "width": 1}
    return [marks.upright(at, (style.TOP, drawing.foot), line) for at in (0.0, 0.4, 0.6, 0.8) if low <= at <= high]
