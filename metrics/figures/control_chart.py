"""A number over batches: limits as a band, batches outside in another shape and in words, and where something else changed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from metrics.figures import marks
from metrics.figures import theme as style
from metrics.figures.axes import axis_ticks
from metrics.figures.marks import annotation
from metrics.figures.plots import GAP, PlotSheet, Upright
from metrics.figures.theme import Theme, escape, fit, text_width
from metrics.figures.traces import Figure, Trace, drawn, scatter
from metrics.results import words

FOOT = 46
"""Px of the batches' names below the plot."""
PAD, SHADE = 0.08, 0.16
"""Room above and below, as a share of what is drawn, and how far a band covers what is behind."""
SIDES = {-1: ("triangle-down", "below"), 1: ("triangle-up", "above")}
LINES = (0, 1)
"""Lines in which the words of batches outside stand, away from the limits."""
NOTHING = "No batch to show"


@dataclass(frozen=True)
class BatchRow:
    """A batch; limits, where it has some, and the side on which it lies outside (−1, 1, else 0).

    Attributes
    ----------
    baseline : bool
        Whether the limits rest on it.
    changed : str
        What changed before it: “prompt v2”; empty where nothing did.
    """

    name: str
    value: float
    low: float = math.nan
    high: float = math.nan
    outside: int = 0
    n: int = 0
    baseline: bool = False
    changed: str = ""


@dataclass(frozen=True)
class Drawing(PlotSheet):
    PLOT: ClassVar = 240
    rows: Sequence[BatchRow]
    centre: float
    symbol: str
    metric_unit: str

    @property
    def unit(self) -> str:
        return self.metric_unit

    @cached_property
    def ticks(self) -> list[float]:
        return axis_ticks(_values(self.rows), self.unit, close=True)

    @cached_property
    def ends(self) -> tuple[float, float]:
        values = [*_values(self.rows), *self.ticks]
        pad = PAD * ((max(values) - min(values)) or 1.0)
        return min(values) - pad, max(values) + pad

    @property
    def right(self) -> float:
        return self.px(GAP)

    @cached_property
    def uprights(self) -> list[Upright]:
        """Where something else changed, and what."""
        size, ink = self.px(style.TICK), self.colours.warning
        return [
            Upright(at - 0.5, fit(row.changed, self.width - 4, size), dash="dot", colour=ink, hover=escape(row.changed))
            for at, row in enumerate(self.rows)
            if row.changed
        ]

    @property
    def across(self) -> tuple[float, float]:
        return -0.5, len(self.rows) - 0.5

    def px_of(self, at: float) -> float:
        """Return px from the left end of the plot to a batch, where the figure is narrowest."""
        return self.at(at, 0)[0]


def control_chart(
    rows: Sequence[BatchRow],
    *,
    centre: float,
    theme: Theme,
    symbol: str = "κ",
    unit: str = "",
    scale: float = 1.0,
    width: float = 340,
) -> Figure:
    """Return batches from left to right, a band for the limits of each, and a line at the value of the baseline.

    Parameters
    ----------
    rows : sequence of BatchRow
        Earliest first.
    centre : float
        Of the baseline; NaN where there are no limits.
    width : float
        The narrowest width in px (before scaling) at which no two texts may meet.
    """
    colours = style.tokens(theme)
    if not _values(rows):
        return marks.empty(NOTHING, colours, scale)
    drawing = Drawing(colours, scale, width * scale, rows, centre, symbol, unit)
    traces = [part for part in (_line(drawing), _inside(drawing), *(_outside(drawing, side) for side in SIDES)) if part]
    texts = [*_names(drawing), *_outside_words(drawing), *drawing.upright_words()]
    return drawn(
        _layout(drawing), traces, annotations=texts, shapes=[*_bands(drawing), *_centre(drawing), *drawing.upright_lines()]
    )


def alt(rows: Sequence[BatchRow], *, centre: float, symbol: str = "κ", unit: str = "") -> str:
    """Return the figure in sentences, for people who do not see it."""
    if not _values(rows):
        return f"{NOTHING}."
    said = "; ".join(_row_text(row, unit) for row in rows)
    first = words.count(sum(row.baseline for row in rows))
    base = "" if math.isnan(centre) else f" Baseline {words.value(centre, unit)}, of the first {first}."
    return f"{symbol} in {words.count(len(rows))} batches, earliest first.{base} {said}."


def _row_text(row: BatchRow, unit: str) -> str:
    parts = [f"{words.plain(row.name)} {words.value(row.value, unit)}"]
    if not math.isnan(row.low):
        side = f"{SIDES[row.outside][1]} its" if row.outside else "within its"
        parts.append(f"{side} limits {words.bounds((row.low, row.high), unit)}")
    if row.changed:
        parts.append(f"here begins {words.plain(row.changed)}")
    return ", ".join(parts)


def _values(rows: Sequence[BatchRow]) -> list[float]:
    return [end for row in rows for end in (row.value, row.low, row.high) if math.isfinite(end)]


def _layout(drawing: Drawing) -> dict[str, Any]:
    across = style.hidden_axis(*drawing.across)
    return drawing.plot_layout(drawing.px(FOOT), across, drawing.upright_axis())


def _hover(drawing: Drawing, row: BatchRow) -> str:
    lines = [escape(row.name), f"<b>{escape(drawing.symbol)} {escape(words.value(row.value, drawing.unit))}</b>"]
    if not math.isnan(row.low):
        lines.append(f"limits {escape(words.bounds((row.low, row.high), drawing.unit))}")
    kind = "baseline, " if row.baseline else ""
    return "<br>".join([*lines, f"{kind}n {words.count(row.n)}"])


def _places(drawing: Drawing, side: int) -> list[int]:
    return [at for at, row in enumerate(drawing.rows) if row.outside == side and math.isfinite(row.value)]


def _marks(drawing: Drawing, places: Sequence[int], **look: Any) -> Trace | None:
    if not places:
        return None
    rows = [drawing.rows[at] for at in places]
    return scatter(
        x=list(places), y=[row.value for row in rows], mode="markers", hovertext=[_hover(drawing, row) for row in rows],
        cliponaxis=False, marker=look,
    )  # fmt: skip


def _line(drawing: Drawing) -> Trace:
    y = [row.value if math.isfinite(row.value) else None for row in drawing.rows]
    line = {"color": drawing.colours.neutral, "width": 1}
    return scatter(x=list(range(len(y))), y=y, mode="lines", line=line, hoverinfo="skip")


def _inside(drawing: Drawing) -> Trace | None:
    places = _places(drawing, 0)
    colour, symbol = style.coefficient(drawing.symbol, drawing.colours)
    shown = [drawing.rows[at] for at in places]
    symbols = [f"{symbol}-open" if row.baseline or math.isnan(row.low) else symbol for row in shown]
    return _marks(drawing, places, color=colour, symbol=symbols, size=9 * drawing.scale, line={"width": 2, "color": colour})


def _outside(drawing: Drawing, side: int) -> Trace | None:
    colour = drawing.colours.false_positive
    return _marks(drawing, _places(drawing, side), color=colour, symbol=SIDES[side][0], size=13 * drawing.scale)


def _bands(drawing: Drawing) -> list[dict[str, Any]]:
    """Return the limits of each batch as a part of the band."""
    fill = style.see_through(drawing.colours.neutral, SHADE + 0.1)
    return [
        {
            "type": "rect", "x0": at - 0.5, "x1": at + 0.5, "y0": row.low, "y1": row.high, "fillcolor": fill, "layer": "below",
            "line": {"width": 0},
        }
        for at, row in enumerate(drawing.rows)
        if not math.isnan(row.low)
    ]  # fmt: skip


def _centre(drawing: Drawing) -> list[dict[str, Any]]:
    if math.isnan(drawing.centre):
        return []
    return [marks.across(drawing.centre, {"color": drawing.colours.muted, "width": 1, "dash": "dash"})]


def _names(drawing: Drawing) -> list[dict[str, Any]]:
    """Return the names of the first and the last batch, and of as many between as fit."""
    size, last = drawing.px(style.TICK), len(drawing.rows) - 1
    names = [fit(row.name, 0.45 * drawing.plot, size) for row in drawing.rows]
    spans = [_span(drawing, at, text_width(name, size)) for at, name in enumerate(names)]
    kept = [0]
    for at in range(1, last):
        if spans[at][0] > spans[kept[-1]][1] + 12 and spans[at][1] < spans[last][0] - 12:
            kept.append(at)
    out = []
    for at in dict.fromkeys((*kept, last)):
        shift = sum(spans[at]) / 2 - drawing.px_of(at)
        look = {"yref": "paper", "yshift": -drawing.px(16), "xshift": shift, "hovertext": escape(drawing.rows[at].name)}
        out.append(annotation(escape(names[at]), at, 0, size=size, colour=drawing.colours.muted, **look))
    return [*out, marks.below(drawing, "batches, earliest first", FOOT)]


def _span(drawing: Drawing, at: int, wide: float) -> tuple[float, float]:
    """Return the px from the plot's left end between which a name below a batch stands, within the figure."""
    start = min(max(drawing.px_of(at) - wide / 2, 2 - drawing.left), drawing.plot + drawing.px(GAP) - wide)
    return start, start + wide


def _outside_words(drawing: Drawing) -> list[dict[str, Any]]:
    """Return the words of batches outside, in two lines where they would meet; `alt` says those that have no room."""
    size, out = drawing.px(style.SMALL), []
    taken = {(side, line): -math.inf for side in SIDES for line in LINES}
    for at, row in enumerate(drawing.rows):
        if not row.outside or math.isnan(row.value):
            continue
        text = f"{words.value(row.value, drawing.unit)} {SIDES[row.outside][1]}"
        wide = text_width(text, size, bold=True)
        x = min(max(drawing.px_of(at), wide / 2), drawing.plot - wide / 2)
        line = next((line for line in LINES if taken[row.outside, line] + 4 < x - wide / 2), None)
        if line is None:
            continue
        taken[row.outside, line] = x + wide / 2
        lift = row.outside * drawing.px(16 + 15 * line)
        look = {"yshift": lift, "xshift": x - drawing.px_of(at), "bgcolor": drawing.colours.page}
        out.append(annotation(f"<b>{escape(text)}</b>", at, row.value, size=size, colour=drawing.colours.false_positive, **look))
    return out
