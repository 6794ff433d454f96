"""The line from the true rate to the measured one, with one measured rate carried back along it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from metrics import words
from metrics.correcting.correction import Corrected
from metrics.correcting.said import ends1, percent1
from metrics.figures import marks
from metrics.figures import theme as style
from metrics.figures.marks import annotation
from metrics.figures.theme import Theme, Tokens, escape, fit, text_width
from metrics.sweeping.power import measured_rate

PLOT, LINE, GAP = 300, 18, 8
SHADE = 0.25
TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)
NOTHING = "The golden set gives no TPR and FPR, so there is no line"


@dataclass(frozen=True)
class Drawing:
    found: Corrected
    positive: str
    colours: Tokens
    scale: float
    narrowest: float

    def px(self, size: float) -> float:
        return size * self.scale

    @property
    def left(self) -> float:
        return self.px(40)

    @property
    def right(self) -> float:
        return self.px(30)

    @property
    def plot(self) -> float:
        return self.px(self.narrowest) - self.left - self.right

    @property
    def tpr(self) -> float:
        return self.found.golden.tpr

    @property
    def fpr(self) -> float:
        return self.found.golden.fpr

    @property
    def at(self) -> float:
        """Where the measured rate meets the line as it is used: that of the corrected rate."""
        return self.found.value


def rate_line(found: Corrected, *, theme: Theme, positive: str = "positive", scale: float = 1.0, width: float = 340) -> go.Figure:
    """Measured rate against true rate; where corrected, the measured one goes across to the line and down to the true one.

    Parameters
    ----------
    width : float
        The narrowest width in px (before scaling) at which no two texts may meet.
    """
    drawing = Drawing(found, positive, style.tokens(theme), scale, width)
    figure = go.Figure(layout=_layout(drawing))
    if math.isnan(drawing.tpr + drawing.fpr):
        figure.layout.annotations = [marks.sentence(NOTHING, drawing.colours, scale)]
        return figure
    figure.add_trace(_judge(drawing))
    figure.add_trace(_spot(drawing))
    figure.layout.annotations = [_line_name(drawing), _perfect_name(drawing), *_rule_names(drawing), *_axis_names(drawing)]
    figure.layout.shapes = [*_bands(drawing), _perfect(drawing), *_rules(drawing)]
    return figure


def alt(found: Corrected, positive: str) -> str:
    """The figure in a sentence, for people who do not see it."""
    golden = found.golden
    if math.isnan(golden.tpr + golden.fpr):
        return f"{NOTHING}."
    line = f"Measured rate of {positive} = {percent1(golden.fpr)} + {golden.youden_j:.2f} × true rate."
    raw = f"Measured {percent1(found.raw)} {ends1(found.raw_ends)}"
    return f"{line} {raw}; {f'true {percent1(found.value)} {ends1(found.ends)}' if not found.refused else found.refused}"


def _layout(drawing: Drawing) -> dict[str, Any]:
    head, foot = style.TOP + drawing.px(2 * LINE + GAP), drawing.px(GAP + 3 * LINE)
    axis = style.value_axis(drawing.colours, 0.0, 1.0, TICKS, drawing.scale)
    names = ["0", "25", "50", "75", f"100{chr(0xA0)}%"]
    return style.layout(
        drawing.colours,
        height=head + drawing.px(PLOT) + foot,
        scale=drawing.scale,
        margin=style.margin(math.ceil(drawing.left), math.ceil(drawing.right), foot, head),
        xaxis=axis | {"ticktext": names},
        yaxis=axis | {"ticktext": [*names[:-1], "100"], "range": [0, 1.02]},
    )


def _judge(drawing: Drawing) -> go.Scatter:
    steps = [i / 50 for i in range(51)]
    rates = [float(measured_rate(drawing.tpr, drawing.fpr, x)) for x in steps]
    return go.Scatter(
        x=steps, y=rates, mode="lines", line={"color": drawing.colours.judge, "width": 3 * drawing.scale},
        hovertext=[f"true {percent1(x)} is measured as {percent1(y)}" for x, y in zip(steps, rates, strict=True)],
        hovertemplate=marks.HOVER,
    )  # fmt: skip


def _spot(drawing: Drawing) -> go.Scatter:
    there = not drawing.found.refused
    return go.Scatter(
        x=[drawing.at] if there else [], y=[drawing.found.raw] if there else [], mode="markers", hoverinfo="skip",
        marker={"color": drawing.colours.judge, "symbol": "square", "size": 11 * drawing.scale, "opacity": 1},
    )  # fmt: skip


def _bands(drawing: Drawing) -> list[dict[str, Any]]:
    found = drawing.found
    low, high = found.raw_ends
    fill = {"fillcolor": style.see_through(drawing.colours.judge, SHADE), "line": {"width": 0}, "layer": "below"}
    across = {"type": "rect", "x0": 0, "x1": 1 if found.refused else found.value, "y0": low, "y1": high, **fill}
    if found.refused:
        return [across]
    own = {"fillcolor": style.see_through(drawing.colours.reference, SHADE), "line": {"width": 0}, "layer": "below"}
    return [across, {"type": "rect", "x0": found.ends[0], "x1": found.ends[1], "y0": 0, "y1": found.raw, **own}]


def _perfect(drawing: Drawing) -> dict[str, Any]:
    line = {"color": drawing.colours.neutral, "width": 1.5 * drawing.scale, "dash": "dot"}
    return {"type": "line", "x0": 0, "x1": 1, "y0": 0, "y1": 1, "line": line, "layer": "below"}


def _rules(drawing: Drawing) -> list[dict[str, Any]]:
    found = drawing.found
    line = {"color": drawing.colours.judge, "width": 2 * drawing.scale}
    across = {"type": "line", "x0": 0, "x1": 1 if found.refused else found.value, "y0": found.raw, "y1": found.raw, "line": line}
    if found.refused:
        return [across]
    down = {"color": drawing.colours.reference, "width": 2 * drawing.scale}
    return [across, {"type": "line", "x0": found.value, "x1": found.value, "y0": found.raw, "y1": 0, "line": down}]


def _rule_names(drawing: Drawing) -> list[dict[str, Any]]:
    """Both rates above the plot, one below the other, each in the colour of its rule."""
    found, colours = drawing.found, drawing.colours
    said = [(f"<b>measured {percent1(found.raw)}</b> {ends1(found.raw_ends)}", colours.judge)]
    if not found.refused:
        said.append((f"<b>true {percent1(found.value)}</b> {ends1(found.ends)}", colours.reference))
    return [
        annotation(
            text, 0, 1, size=drawing.px(style.TICK), colour=colour, xref="paper", yref="paper", xanchor="left",
            yshift=drawing.px(LINE * (len(said) - row - 0.5) + 4),
        )
        for row, (text, colour) in enumerate(said)
    ]  # fmt: skip


def _line_name(drawing: Drawing) -> dict[str, Any]:
    """Below a rising line and above a falling one, so far that its left end is clear of it."""
    size, rising = drawing.px(style.TICK), drawing.found.golden.youden_j >= 0
    text = f"y = {percent1(drawing.fpr)} {'+' if rising else words.MINUS} {abs(drawing.found.golden.youden_j):.2f} x"
    start = 0.98 - text_width(text, size, bold=True) / drawing.plot
    y = float(measured_rate(drawing.tpr, drawing.fpr, max(start, 0.0)))
    return annotation(
        f"<b>{text}</b>", 0.98, y, size=size, colour=drawing.colours.judge, xanchor="right", bgcolor=drawing.colours.page,
        yshift=drawing.px(-14 if rising else 14),
    )  # fmt: skip


def _perfect_name(drawing: Drawing) -> dict[str, Any]:
    return annotation(
        "a judge that never errs", 0.86, 0.93, size=drawing.px(style.TICK), colour=drawing.colours.muted, xanchor="right",
        bgcolor=drawing.colours.page,
    )  # fmt: skip


def _axis_names(drawing: Drawing) -> list[dict[str, Any]]:
    size = drawing.px(style.TICK)
    look: dict[str, Any] = {"size": size, "colour": drawing.colours.muted, "xref": "paper", "yref": "paper"}
    across = fit(f"true rate of {drawing.positive}", drawing.plot, size)
    return [annotation(escape(across), 0.5, 0, yshift=-drawing.px(GAP + 2 * LINE), **look)]
