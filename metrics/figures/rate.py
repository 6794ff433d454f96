"""The line from the true rate to the measured one, with one measured rate carried back along it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, ClassVar

import numpy as np

from metrics.analyses.prevalence.power import measured_rate
from metrics.analyses.true_rate.compute import Corrected
from metrics.analyses.true_rate.golden import Golden
from metrics.figures import marks
from metrics.figures import theme as style
from metrics.figures.fitting import Box, Path, places_on_lines
from metrics.figures.marks import annotation
from metrics.figures.plots import GAP, LINE, PlotSheet
from metrics.figures.stops import HELD, Stops
from metrics.figures.stops import Path as HeldPath
from metrics.figures.theme import Theme, fit, text_width
from metrics.figures.traces import Figure, Trace, drawn, scatter
from metrics.results import words
from metrics.results.words import TENTHS, percent1

TOP = 1.02
SHADE = 0.25
TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)
PERFECT = "a judge that never errs"
NOTHING = "The golden set gives no TPR and FPR, so there is no line"


@dataclass(frozen=True)
class Drawing(PlotSheet):
    PLOT: ClassVar = 300
    corrected: Corrected

    @property
    def head(self) -> float:
        return style.TOP + self.px(2 * LINE + GAP)

    @property
    def ends(self) -> tuple[float, float]:
        return 0.0, TOP

    @cached_property
    def ticks(self) -> list[float]:
        return [*TICKS]

    @property
    def tick_texts(self) -> list[str]:
        return ["0", "25", "50", "75", "100"]

    @property
    def right(self) -> float:
        return self.px(30)

    @property
    def rates(self) -> tuple[float, float]:
        return self.corrected.golden.tpr, self.corrected.golden.fpr


def rate_line(corrected: Corrected, *, theme: Theme, positive: str = "positive", scale: float = 1.0) -> Figure:
    """Return measured rate against true rate.

    Where corrected, the measured one goes across to the line and down to the true one.
    """
    drawing = Drawing(style.tokens(theme), scale, style.NARROWEST * scale, corrected)
    if math.isnan(sum(drawing.rates)):
        return marks.empty(NOTHING, drawing.colours, scale)
    axis = marks.below(
        drawing, fit(f"true share of decisions for {positive}", drawing.plot, drawing.px(style.TICK)), GAP + 3 * LINE
    )
    texts = [*_line_names(drawing), *_rule_names(drawing), axis]
    shapes = [*_bands(drawing), _perfect(drawing), *_rules(drawing)]
    return drawn(_layout(drawing), [_judge(drawing), _spot(drawing)], annotations=texts, shapes=shapes)


def stops(rates: Sequence[Corrected], said: Sequence[str], *, theme: Theme) -> Stops:
    """Return the stops of the measured rate on the judge's line; see `metrics.figures.stops`.

    Parameters
    ----------
    rates : sequence of Corrected
        Of one golden set, by measured rate. One that no true rate fits stops at the end that it lies beyond.
    """
    colours = style.tokens(theme)
    spots = [(_across(rate), rate.raw.value) for rate in rates]
    sideways = [((0.0, y), (x, y)) for x, y in spots]
    down: list[HeldPath] = [((x, y), (x, 0.0)) if rate.defined else () for rate, (x, y) in zip(rates, spots, strict=True)]
    measured: list[HeldPath] = [((0.0, low), (x, high)) for (x, _), (low, high) in zip(spots, map(_raw_ends, rates), strict=True)]
    true: list[HeldPath] = [((rate.ends[0], 0.0), (rate.ends[1], rate.raw.value)) if rate.ends else () for rate in rates]
    bands = [(style.see_through(colours.judge, SHADE), measured), (style.see_through(colours.reference, SHADE), true)]
    return Stops(spots, said, [(colours.judge, sideways), (colours.reference, down)], bands)


def _across(rate: Corrected) -> float:
    """Return the true rate; of one that is none the end of the line beyond which it was measured."""
    if rate.defined:
        return rate.value
    low, high = measured_rate(rate.golden.tpr, rate.golden.fpr, (0.0, 1.0)).tolist()
    return float(abs(rate.raw.value - high) < abs(rate.raw.value - low))


def _raw_ends(rate: Corrected) -> tuple[float, float]:
    return rate.raw.ends or (rate.raw.value, rate.raw.value)


def alt(corrected: Corrected, positive: str) -> str:
    """Return the figure in a sentence, for people who do not see it."""
    golden = corrected.golden
    if math.isnan(golden.tpr + golden.fpr):
        return f"{NOTHING}."
    line = f"Measured share of decisions for {positive} = {_equation(golden)} × true share."
    true = f"true {words.estimate(corrected, TENTHS)}" if corrected.defined else corrected.why
    return f"{line} Measured {words.estimate(corrected.raw, TENTHS)}; {true}"


def _equation(golden: Golden) -> str:
    """Return the line up to its x: 4.2 % + 0.71."""
    j = golden.youden_j.value
    return f"{percent1(golden.fpr)} {'+' if j >= 0 else words.MINUS} {words.number(abs(j))}"


def _layout(drawing: Drawing) -> dict[str, Any]:
    across = drawing.axis(*drawing.across, TICKS, [*drawing.tick_texts[:-1], f"100{words.HARD_SPACE}%"])
    return drawing.plot_layout(drawing.px(GAP + 3 * LINE), across, drawing.upright_axis())


def _judge(drawing: Drawing) -> Trace:
    x = [i / 50 for i in range(51)]
    y = measured_rate(*drawing.rates, x).tolist()
    return scatter(
        x=x, y=y, mode="lines",
        line={"color": drawing.colours.judge, "width": 3 * drawing.scale},
        hovertext=[f"true {percent1(true)} is measured as {percent1(measured)}" for true, measured in zip(x, y, strict=True)],
    )  # fmt: skip


def _spot(drawing: Drawing) -> Trace:
    corrected, there = drawing.corrected, drawing.corrected.defined
    return scatter(
        x=[corrected.value] if there else [], y=[corrected.raw.value] if there else [], mode="markers", hoverinfo="skip",
        cliponaxis=False, meta=HELD,
        marker={"color": drawing.colours.judge, "symbol": "square", "size": 11 * drawing.scale, "opacity": 1},
    )  # fmt: skip


def _bands(drawing: Drawing) -> list[dict[str, Any]]:
    corrected, judge = drawing.corrected, style.see_through(drawing.colours.judge, SHADE)
    look: dict[str, Any] = {"type": "rect", "line": {"width": 0}, "layer": "below", "name": HELD}
    low, high = _raw_ends(corrected)
    sideways = look | {"x0": 0, "x1": corrected.value if corrected.defined else 1, "y0": low, "y1": high, "fillcolor": judge}
    if corrected.ends is None:
        return [sideways]
    true = style.see_through(drawing.colours.reference, SHADE)
    return [
        sideways,
        look | {"x0": corrected.ends[0], "x1": corrected.ends[1], "y0": 0, "y1": corrected.raw.value, "fillcolor": true},
    ]


def _perfect(drawing: Drawing) -> dict[str, Any]:
    line = {"color": drawing.colours.neutral, "width": 1.5 * drawing.scale, "dash": "dot"}
    return {"type": "line", "x0": 0, "x1": 1, "y0": 0, "y1": 1, "line": line, "layer": "below"}


def _rules(drawing: Drawing) -> list[dict[str, Any]]:
    corrected, wide = drawing.corrected, 2 * drawing.scale
    over = {"color": drawing.colours.judge, "width": wide}
    sideways = {
        "type": "line",
        "x0": 0,
        "x1": corrected.value if corrected.defined else 1,
        "y0": corrected.raw.value,
        "y1": corrected.raw.value,
        "line": over,
        "name": HELD,
    }
    if not corrected.defined:
        return [sideways]
    down = {"color": drawing.colours.reference, "width": wide}
    return [sideways, marks.upright(corrected.value, (corrected.raw.value, 0), down, layer="above", name=HELD)]


def _rule_names(drawing: Drawing) -> list[dict[str, Any]]:
    """Return both rates above the plot, one below the other, each in the colour of its rule."""
    corrected, colours = drawing.corrected, drawing.colours
    texts = [(f"<b>measured {percent1(corrected.raw.value)}</b>{words.behind(corrected.raw.ends, TENTHS)}", colours.judge)]
    if corrected.defined:
        texts.append((f"<b>true {percent1(corrected.value)}</b>{words.behind(corrected.ends, TENTHS)}", colours.reference))
    return [
        annotation(
            text, 0, 1, size=drawing.px(style.TICK), colour=colour, xref="paper", yref="paper", xanchor="left", name=HELD,
            yshift=drawing.px(LINE * (len(texts) - row - 0.5) + 4),
        )
        for row, (text, colour) in enumerate(texts)
    ]  # fmt: skip


def _line_names(drawing: Drawing) -> list[dict[str, Any]]:
    """Return the judge's line and the dotted one by name, where they meet neither a line nor, if there is room, a band."""
    equation, colours, size = f"y = {_equation(drawing.corrected.golden)} x", drawing.colours, drawing.px(style.TICK)
    names = (
        (f"<b>{equation}</b>", text_width(equation, size, bold=True), drawing.rates, colours.judge),
        (PERFECT, text_width(PERFECT, size), (1.0, 0.0), colours.muted),
    )
    along = np.linspace(0, 1, 101)
    paths = [
        Path(along * drawing.plot, 1 - measured_rate(*rates, along) / TOP, (wide + drawing.px(8), 1.2 * size))
        for _, wide, rates, _ in names
    ]
    place = partial(places_on_lines, paths, drawing.plot, [drawing.tall])
    spots = place([*_banded(drawing)]) or place()
    return [
        annotation(
            text, spot.x / drawing.plot, TOP * (1 - spot.share), size=size, colour=colour, yshift=-spot.shift,
            bgcolor=colours.page,
        )
        for (text, _, _, colour), spot in zip(names, spots, strict=False)
    ]  # fmt: skip


def _banded(drawing: Drawing) -> Iterator[Box]:
    for band in _bands(drawing):
        (left, top), (right, bottom) = drawing.at(band["x0"], band["y1"]), drawing.at(band["x1"], band["y0"])
        yield left, top, right, bottom
