"""Weighted κ as giving no verdict goes from "as good as the negative label" to "as good as the positive one"."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from metrics.analyses.abstention.third_answer import CostPath, Weighted
from metrics.figures import marks
from metrics.figures import theme as style
from metrics.figures.marks import Point, annotation, stacked
from metrics.figures.plots import GAP, LINE, EndName, PlotSheet, Upright
from metrics.figures.theme import Theme, escape, wrap
from metrics.figures.traces import Figure, Trace, drawn, scatter
from metrics.measures.cost_matrices import PLACES, place_of, preset_of
from metrics.results import words
from metrics.results.estimate import Estimate

PAD = 0.08
"""Room above and below what is drawn, as a share of it."""

SHADE = 0.18
NOTHING = "Weighted κ is undefined along the whole line"


@dataclass(frozen=True)
class Drawing(PlotSheet):
    PLOT: ClassVar = 230
    cost_path: CostPath
    chosen: Weighted

    @property
    def place(self) -> float | None:
        """Where the chosen matrix lies on the line."""
        return None if math.isnan(self.chosen.value) else place_of(self.chosen.cost)

    @cached_property
    def uprights(self) -> list[Upright]:
        return [] if self.place is None else [Upright(self.place, f"chosen {words.estimate(self.chosen)}")]

    @cached_property
    def ends(self) -> tuple[float, float]:
        along = marks.reached(point for _, point in self.cost_path.along)
        shown = [*along, *(name.at for name in self.names)]
        pad = PAD * ((max(shown) - min(shown)) or 1.0)
        return min(shown) - pad, max(shown) + pad

    @cached_property
    def names(self) -> list[EndName]:
        """Of the levels of matrices that do not lie on the line, the chosen one bold."""
        nominal = self.cost_path.presets["nominal"].value
        is_nominal = preset_of(self.chosen.cost) == "nominal"
        levels = [("nominal", nominal, is_nominal)]
        if self.place is None and not is_nominal:
            levels.append(("chosen", self.chosen.value, True))
        there = sorted((level for level in levels if not math.isnan(level[1])), key=lambda level: level[1])
        return [EndName(at, [f"{name} {words.number(at)}"], self.colours.text, bold=int(bold)) for name, at, bold in there]


def slide_line(slide: CostPath, weighted: Weighted, *, theme: Theme, scale: float = 1.0) -> Figure:
    """Return weighted κ as a line with its interval as a band.

    The chosen matrix is an upright rule, or a level where it is not on it.

    Parameters
    ----------
    weighted : Weighted
        Under the chosen matrix.
    """
    if not slide.defined:
        return marks.empty(NOTHING, style.tokens(theme), scale)
    drawing = Drawing(style.tokens(theme), scale, style.NARROWEST * scale, slide, weighted)
    traces = [*_band(drawing), _line(drawing), _presets(drawing), *_spot(drawing)]
    texts = [*_values(drawing), *drawing.end_names(), *_below(drawing), *drawing.upright_words()]
    shapes = [*drawing.levels_behind(), *_levels(drawing), *drawing.upright_lines()]
    return drawn(_layout(drawing), traces, annotations=texts, shapes=shapes)


def alt(slide: CostPath, weighted: Weighted) -> str:
    """Return the figure in a sentence, for people who do not see it."""
    if not slide.defined:
        return f"{NOTHING}: {words.plain(slide.along[0][1].why)}."
    positive, negative, silent = (words.plain(label) for label in slide.labels)
    shown = {
        f"{silent} as good as {negative}": slide.presets["as-negative"],
        "halfway": slide.presets["halfway"],
        f"as good as {positive}": slide.presets["as-positive"],
        "nominal": slide.presets["nominal"],
        "chosen": weighted,
    }
    return (
        "Weighted κ by what no verdict counts as: "
        + "; ".join(f"{name} {words.estimate(point)}" for name, point in shown.items())
        + "."
    )


def _layout(drawing: Drawing) -> dict[str, Any]:
    across = drawing.axis(*drawing.across, sorted(PLACES.values()), [""] * len(PLACES))
    return drawing.plot_layout(drawing.px(GAP + 3 * LINE), across)


def _band(drawing: Drawing) -> list[Trace]:
    inside = [(s, point.ends) for s, point in drawing.cost_path.along if point.ends is not None]
    return marks.band(
        [s for s, _ in inside],
        [low for _, (low, _) in inside],
        [high for _, (_, high) in inside],
        line={"color": drawing.colours.kappa, "width": 1 * drawing.scale},
        fillcolor=style.see_through(drawing.colours.kappa, SHADE),
        hoverinfo="skip",
    )


def _line(drawing: Drawing) -> Trace:
    along = drawing.cost_path.along
    return scatter(
        x=[s for s, _ in along],
        y=[point.value for _, point in along],
        mode="lines",
        line={"color": drawing.colours.kappa, "width": 2.5 * drawing.scale},
        hovertext=[_hover(drawing, s, point) for s, point in along],
    )


def _hover(drawing: Drawing, s: float, point: Weighted) -> str:
    positive, negative, silent = (escape(words.shorten(label)) for label in drawing.cost_path.labels)
    costs = f"{silent} for {positive} costs {words.number(1 - s)}, for {negative} {words.number(s)}"
    return f"<b>κ_w {words.estimate(point)}</b><br>{costs}"


def _presets(drawing: Drawing) -> Trace:
    points = [
        Point(Estimate(s), drawing.cost_path.presets[name].value, _hover(drawing, s, drawing.cost_path.presets[name]), [0])
        for name, s in PLACES.items()
        if not math.isnan(drawing.cost_path.presets[name].value)
    ]
    return marks.dots(points, colour=drawing.colours.kappa, symbol="circle", scale=drawing.scale)


def _spot(drawing: Drawing) -> list[Trace]:
    """Return where the rule of the chosen matrix meets the line."""
    if drawing.place is None:
        return []
    hover = _hover(drawing, drawing.place, drawing.chosen)
    point = Point(Estimate(drawing.place), drawing.chosen.value, hover, [0], open=True)
    return [marks.dots([point], colour=drawing.colours.reference, symbol="square", scale=drawing.scale)]


def _values(drawing: Drawing) -> list[dict[str, Any]]:
    """Return values at the two ends and halfway, beside their dots and off the line."""
    points = drawing.cost_path.presets
    side = 1 if points["as-negative"].value >= points["as-positive"].value else -1
    spots = {"as-negative": ("left", 4, side), "halfway": ("center", 0, 1), "as-positive": ("right", -4, -side)}
    chip = style.blend(drawing.colours.page, drawing.colours.kappa, SHADE)
    look: dict[str, Any] = {"bgcolor": chip, "size": drawing.px(style.TEXT)}
    return [
        annotation(
            f"<b>{words.number(points[name].value)}</b>", PLACES[name], points[name].value, colour=drawing.colours.kappa,
            xanchor=anchor, xshift=drawing.px(along), yshift=drawing.px(16 * up), **look,
        )
        for name, (anchor, along, up) in spots.items()
        if not math.isnan(points[name].value)
    ]  # fmt: skip


def _below(drawing: Drawing) -> list[dict[str, Any]]:
    """Return what the two ends and the middle of the line mean."""
    positive, negative, _ = drawing.cost_path.labels
    half, size = drawing.plot / 2 - drawing.px(GAP), drawing.px(style.TICK)
    ends = ((0, "left", negative), (1, "right", positive))
    paper = {"xref": "paper", "yref": "paper"}
    texts = [
        annotation(
            stacked(wrap(f"as good as {label}", half, size)), at, 0, size=size,
            colour=drawing.colours.text, xanchor=anchor, yanchor="top", yshift=-drawing.px(GAP + LINE), **paper,
        )
        for at, anchor, label in ends
    ]  # fmt: skip
    middle = annotation("halfway", 0.5, 0, size=size, colour=drawing.colours.muted, yshift=-drawing.px(GAP + 8), **paper)
    return [*texts, middle]


def _levels(drawing: Drawing) -> list[dict[str, Any]]:
    line = {"color": drawing.colours.text, "width": 1.5 * drawing.scale}
    return [marks.across(name.at, line | {"dash": "solid" if name.bold else "dot"}) for name in drawing.names]
