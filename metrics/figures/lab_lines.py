"""κ and φ of the judge of one table at every prevalence, and where the table stands on them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from metrics.analyses.prevalence.readings import share
from metrics.content.lab.pictures import GRID, LINES, Picture
from metrics.figures import marks
from metrics.figures import theme as style
from metrics.figures.lab_parts import HERE, called, nothing, why_none
from metrics.figures.plots import GAP, LINE, ROW, EndName, PlotSheet, Upright
from metrics.figures.theme import Theme, escape, fit, text_width
from metrics.figures.traces import Figure, Trace, drawn, scatter
from metrics.measures.arrays import FloatArray
from metrics.results.words import HARD_SPACE, number, percent, plain

HIGH = 1.02
THICK, THIN, MARK = 2.8, 1.3, 11
SYMBOLS = {"kappa": "κ", "phi": "φ"}
LEVELS = (-0.8, -0.4, 0.0, 0.4, 0.8)
TICKS = (0, 25, 50, 75, 100)
PERCENT = 100 * GRID
SAME = 1e-9
STEP = 0.2
"""The axis reaches down to a multiple of it."""


@dataclass(frozen=True, eq=False)
class Curve:
    """A line with its name; κ and φ share one where they are equal everywhere."""

    keys: tuple[str, ...]
    values: FloatArray
    of: str
    """Whose it is, where it is not the table in view."""

    @property
    def name(self) -> str:
        symbols = " = ".join(SYMBOLS[key] for key in self.keys)
        return f"{symbols}, {self.of}" if self.of else symbols

    @property
    def end(self) -> float:
        """The last value of the line."""
        return float(self.values[~np.isnan(self.values)][-1])


@dataclass(frozen=True, eq=False)
class Drawing(PlotSheet):
    PLOT: ClassVar = 210
    now: Picture
    other: Picture | None
    positive: str

    @cached_property
    def lines(self) -> tuple[Curve, ...]:
        """Those of the table in view last; the other's only where it is another judge."""
        curves = _curves(self.now, "")
        if self.other is None or not _drawn_too(self.now, self.other):
            return curves
        return (*_curves(self.other, called(self.other, self.px(style.SMALL), "the other")), *curves)

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """Tables that have a place on a line, the one in view first."""
        both = [self.now] if self.other is None else [self.now, self.other]
        return tuple(picture for picture in both if picture.two and picture.n)

    @cached_property
    def names(self) -> list[EndName]:
        lines = sorted(self.lines, key=lambda line: (line.end, line.keys == ("phi",), not line.of))
        return [EndName(line.end, [line.name], self.colour(line.keys[0]), bold=not line.of) for line in lines]

    @property
    def across(self) -> tuple[float, float]:
        return 0.0, 100.0

    @cached_property
    def uprights(self) -> list[Upright]:
        """Of each table whose it is and what κ and φ are there, the one in view next to the plot."""
        uprights = []
        for picture in reversed(self.pictures):
            here, at = picture is self.now, picture.values["prevalence"]
            name = f"{called(picture, self.px(style.TICK), HERE if here else 'the other')} {share(at)}"
            values = f": {' · '.join(f'{SYMBOLS[key]} {number(picture.values[key])}' for key in LINES)}"
            uprights.append(Upright(100 * at, values, name) if here else Upright(100 * at, name + values, dash="dot"))
        return uprights

    @property
    def head(self) -> float:
        return style.TOP + self.px(ROW) * (1 + (self.other is not None))

    @cached_property
    def ends(self) -> tuple[float, float]:
        lowest = min(float(np.nanmin(line.values)) for line in self.lines)
        return 0.0 if lowest >= -SAME else math.floor(lowest / STEP + SAME) * STEP, HIGH

    @cached_property
    def ticks(self) -> list[float]:
        return [y for y in LEVELS if y >= self.ends[0] - SAME]

    def colour(self, key: str) -> str:
        return self.colours.kappa if key == "kappa" else self.colours.phi


def prevalence_lines(now: Picture, other: Picture | None, *, theme: Theme, scale: float = 1.0, width: float = 340) -> Figure:
    """Return both lines, named at their ends; an upright through the table in view, a dashed one through the other.

    Parameters
    ----------
    other : Picture or None
        The step before, or the table beside this one: open marks, and thin lines where it is another judge.
    width : float
        The narrowest width in px (before scaling) at which no two texts may meet.
    """
    drawing = Drawing(style.tokens(theme), scale, width * scale, now, other, now.labels[0])
    why, foot = why_none(now, "line"), drawing.px(GAP + 3 * LINE)
    if why:
        height = drawing.head + drawing.tall + foot
        return nothing(why, drawing.colours, scale, height=height, width=drawing.width)
    across = drawing.axis(*drawing.across, TICKS, [*map(str, TICKS[:-1]), percent(1)])
    layout = drawing.plot_layout(foot, across)
    traces = [*(_line(drawing, line) for line in drawing.lines), *_spots(drawing)]
    texts = [*drawing.end_names(), *drawing.upright_words(), _below(drawing)]
    return drawn(layout, traces, annotations=texts, shapes=[*drawing.levels_behind(), *drawing.upright_lines()])


def alt(now: Picture, other: Picture | None) -> str:
    """Return the figure in a sentence, for people who do not see it."""
    why = why_none(now, "line")
    if why:
        return f"{plain(why)}."
    clauses = []
    for place, picture in enumerate((now, other)):
        if picture is None or not picture.two or not picture.n:
            continue
        name = plain(picture.name) or ("the other table" if place else HERE)
        values = ", ".join(f"{SYMBOLS[key]} {number(picture.values[key])}" for key in LINES)
        clauses.append(f"{name}, prevalence {share(picture.values['prevalence'])}: {values}")
    beside = f", for the other, with {_judge(other)}" if other is not None and _drawn_too(now, other) else ""
    return f"κ and φ along prevalence for a judge with {_judge(now)}{beside}. {'; '.join(clauses)}."


def _drawn_too(now: Picture, other: Picture) -> bool:
    """Return whether the other table is of another judge, with lines of its own."""
    return other.two and not np.allclose(other.rates, now.rates, rtol=0, atol=SAME) and bool(_curves(other, ""))


def _judge(picture: Picture) -> str:
    tpr, fpr = picture.rates
    most = " and ".join(f"{SYMBOLS[key]} {_most(picture.lines[key])}" for key in LINES)
    return f"TPR {share(tpr)}, TNR {share(1 - fpr)}: {most}"


def _most(line: FloatArray) -> str:
    return "undefined" if np.isnan(line).all() else f"at most {number(np.nanmax(line))}"


def _curves(picture: Picture, of: str) -> tuple[Curve, ...]:
    kappa, phi = (picture.lines[key] for key in LINES)
    if np.isnan(kappa).all():
        return ()
    if np.isnan(phi).all():
        return (Curve(("kappa",), kappa, of),)
    both = ~np.isnan(kappa) & ~np.isnan(phi)
    if np.allclose(kappa[both], phi[both], rtol=0, atol=SAME):
        return (Curve(LINES, kappa, of),)
    return Curve(("phi",), phi, of), Curve(("kappa",), kappa, of)


def _line(drawing: Drawing, line: Curve) -> Trace:
    thick = THIN if line.of else THICK
    return scatter(
        x=PERCENT,
        y=line.values,
        mode="lines",
        line={"color": drawing.colour(line.keys[0]), "width": drawing.px(thick)},
        hovertemplate=f"<b>{escape(line.name)} %{{y:.2f}}</b><br>at prevalence %{{x:.1f}}{HARD_SPACE}%<extra></extra>",
    )


def _spots(drawing: Drawing) -> list[Trace]:
    """Return κ and φ of the tables, φ below κ, open for the other one."""
    traces = []
    for picture in reversed(drawing.pictures):
        for key, symbol in (("phi", "diamond"), ("kappa", "circle")):
            value, colour = picture.values[key], drawing.colour(key)
            if math.isnan(value):
                continue
            marker = {
                "symbol": symbol,
                "size": drawing.px(MARK),
                "opacity": 1,
                "color": colour if picture is drawing.now else drawing.colours.page,
                "line": {"color": colour, "width": drawing.px(2)},
            }
            x, y = [100 * picture.values["prevalence"]], [value]
            traces.append(scatter(x=x, y=y, mode="markers", marker=marker, hoverinfo="skip", cliponaxis=False))
    return traces


def _below(drawing: Drawing) -> dict[str, Any]:
    size = drawing.px(style.TICK)
    whole = f"prevalence π: share of {drawing.now.unit} that are {plain(drawing.positive)}"
    text = whole if text_width(whole, size) <= drawing.plot else fit(f"prevalence of {drawing.positive}", drawing.plot, size)
    return marks.below(drawing, text, GAP + 3 * LINE)
