"""ROC space: verdicts as points, scores as a curve, Youden's J as the upright between a mark and the diagonal of guessing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import plotly.graph_objects as go

from metrics.figures import marks
from metrics.figures import theme as style
from metrics.figures.fitting import Box, Places, around
from metrics.figures.marks import annotation
from metrics.figures.theme import Theme, Tokens, escape, fit, text_width
from metrics.ranking.lines import iso_accuracy, iso_j
from metrics.words import HARD_SPACE, number, percent, plain, tick

BROAD, NARROW = 470, 340
"""Width in px of the figure in its place on a wide and on a narrow screen."""
LEFT, RIGHT, TOP, BOTTOM = 66, 46, 46, 48
LEVELS = (0.2, 0.4, 0.6, 0.8)
ACCURACIES = (0.5, 0.6, 0.7, 0.8, 0.9)
UPRIGHTS, NAMED = 4, 8
"""Points that all get an upright, and that get a name where there is room."""
SYMBOLS = ("square", "diamond", "triangle-up", "triangle-down")
GAP, LINE = 10, 1.3
ALONG = (0.6, 0.45, 0.75, 0.3, 0.9, 0.15)
"""False-alarm rates at which the curve may carry its name."""
CORNERS = ((1.0, 0.15), (1.0, 0.3), (0.0, 0.1))
"""Where its name stands when there is no room along it."""
GUESSING = ((0.8, 0.74), (0.3, 0.24), (0.72, 0.8), (0.2, 0.28))
"""Where the diagonal may carry its name."""
SHIFTS = (0.0, -0.8, 0.8, -1.6, 1.6, -2.4, 2.4, 3.2, -3.2, 4.2)
"""Lines by which a text may stand above or below its mark."""
Lines = Literal["j", "accuracy"]
Spot = tuple[float, float]
NOTHING = "No point and no curve to draw"


@dataclass(frozen=True)
class Verdicts:
    """Where the verdicts of a judge stand."""

    name: str
    fpr: float
    tpr: float
    j: float
    chosen: bool


@dataclass(frozen=True, eq=False)
class Scored:
    """The curve of a judge, its best cut, and the cut that is being looked at.

    Attributes
    ----------
    hovers : sequence of str
        One per point of the curve.
    best, best_cut : spot and its cut in words
    j_here, j_held_out : float
        J of the best cut where it was chosen and on other items; NaN where there is none.
    cut : spot or None
        The cut looked at.
    trail : sequence of spots
        Cuts looked at before, oldest first.
    """

    name: str
    fpr: Sequence[float]
    tpr: Sequence[float]
    hovers: Sequence[str]
    area: float
    best: Spot | None
    best_cut: str
    j_here: float
    j_held_out: float
    cut: Spot | None = None
    cut_words: str = ""
    trail: Sequence[Spot] = ()


@dataclass(frozen=True)
class Texts:
    """Boxes that texts must not meet, and the curve, which they should not."""

    places: Places
    curve: Places

    def add(self, box: Box) -> None:
        self.places.add(box)

    def free(self, box: Box, *, clear: bool = True) -> bool:
        """Whether a text fits; not `clear`: also across the curve."""
        return self.places.free(box) and (not clear or self.curve.free(box))


@dataclass(frozen=True)
class Drawing:
    positive: str
    negative: str
    colours: Tokens
    scale: float
    width: float

    def px(self, size: float) -> float:
        return size * self.scale

    @property
    def small(self) -> bool:
        return self.width < self.px(BROAD) * 0.8

    @property
    def size(self) -> float:
        return self.px(style.SMALL if self.small else style.TEXT)

    @property
    def side(self) -> float:
        return self.width - self.px(LEFT + RIGHT)

    def at(self, spot: Spot) -> Spot:
        """In px from the left upper corner of the square."""
        return spot[0] * self.side, (1 - spot[1]) * self.side


def roc_space(
    verdicts: Sequence[Verdicts],
    scored: Scored | None,
    *,
    positive: str,
    negative: str,
    theme: Theme,
    lines: Lines = "j",
    prevalence: float = 0.5,
    scale: float = 1.0,
    width: float = BROAD,
) -> go.Figure:
    """The square; a clicked point returns `customdata` [index in `verdicts`].

    Parameters
    ----------
    positive, negative : str
        The user's words for the labels.
    lines : {"j", "accuracy"}
        What the grey lines keep equal; accuracy at `prevalence`.
    width : float
        Width in px (before scaling) in which texts must not meet; the square keeps its shape in a wider place.
    """
    drawing = Drawing(positive, negative, style.tokens(theme), scale, width * scale)
    shown = [one for one in verdicts if not math.isnan(one.j)]
    figure = go.Figure(layout=_layout(drawing))
    notes = _iso(figure, drawing, lines, prevalence)
    figure.add_trace(_path(drawing, [0, 1], [0, 1], drawing.colours.muted, 1.5, dash="dot"))
    places = Texts(Places(drawing.side), Places(drawing.side))
    for one in shown:
        places.add(around(drawing.at((one.fpr, one.tpr)), drawing.px(6)))
    if scored is not None:
        _keep_off(drawing, scored, places)
    notes.append(_guessing(drawing, places))
    notes += _names(drawing, shown, places)
    if scored is not None:
        notes += _curve(figure, drawing, scored, places)
    _points(figure, drawing, shown, [verdicts.index(one) for one in shown])
    if not shown and scored is None:
        notes.append(marks.sentence(NOTHING, drawing.colours, scale) | {"bgcolor": drawing.colours.page})
    figure.layout.annotations = notes
    return figure


def alt(verdicts: Sequence[Verdicts], scored: Scored | None, *, positive: str, negative: str) -> str:
    """The figure in a sentence, for people who do not see it."""
    head = f"ROC space: how much {plain(positive)} is found against how much {plain(negative)} is called {plain(positive)}"
    told = [
        f"{plain(one.name)}: found {percent(one.tpr)}, false alarms {percent(one.fpr)}, J {number(one.j)}"
        for one in verdicts
        if not math.isnan(one.j)
    ]
    if scored is not None:
        told.append(f"curve of {plain(scored.name)}: AUC {number(scored.area)}")
        if scored.best is not None:
            told.append(f"best cut {scored.best_cut}: J {number(scored.j_here)}, on items held out {number(scored.j_held_out)}")
        if scored.cut is not None:
            told.append(
                f"cut looked at, {scored.cut_words}: found {percent(scored.cut[1])}, false alarms {percent(scored.cut[0])}"
            )
    return f"{head}. {'; '.join(told) or NOTHING}."


def _layout(drawing: Drawing) -> dict[str, Any]:
    margin = {"l": LEFT, "r": RIGHT, "t": TOP, "b": BOTTOM}
    words = escape(fit(drawing.positive, 0.3 * drawing.side, drawing.size))
    others = escape(fit(drawing.negative, 0.3 * drawing.side, drawing.size))
    axes = {
        "xaxis": _axis(drawing, f"{others} called {words}, FPR") | {"constrain": "domain", "constraintoward": "left"},
        "yaxis": _axis(drawing, f"{words} found, TPR") | {"scaleanchor": "x", "constrain": "domain", "constraintoward": "top"},
    }
    height = drawing.side + drawing.px(TOP + BOTTOM)
    edges = {side: round(drawing.px(wide)) for side, wide in margin.items()} | {"pad": 0, "autoexpand": False}
    return style.layout(drawing.colours, height=height, scale=drawing.scale, margin=edges, **axes)


def _axis(drawing: Drawing, title: str) -> dict[str, Any]:
    ticks = [0, 0.5, 1] if drawing.small else [0, 0.25, 0.5, 0.75, 1]
    axis = style.value_axis(drawing.colours, 0, 1, ticks, drawing.scale)
    return axis | {
        "ticktext": ["0" if at == 0 else percent(at) for at in ticks],
        "ticklabeloverflow": "allow",
        "title": {"text": title, "font": {"size": drawing.size, "color": drawing.colours.muted}, "standoff": 6},
    }


def _iso(figure: go.Figure, drawing: Drawing, lines: Lines, prevalence: float) -> list[dict[str, Any]]:
    """Grey lines and their values where they leave the square."""
    wanted = LEVELS if lines == "j" else ACCURACIES
    found = [(level, iso_j(level) if lines == "j" else iso_accuracy(level, prevalence)) for level in wanted]
    notes, x, y = [], [], []
    for level, ends in found:
        if ends is None:
            continue
        x += [ends[0][0], ends[1][0], None]
        y += [ends[0][1], ends[1][1], None]
        above = ends[1][1] >= 1 - 1e-9
        text = f"J {tick(level)}" if lines == "j" else percent(level)
        place = {"xanchor": "center", "yanchor": "bottom", "yshift": drawing.px(4)} if above else {"xanchor": "left", "xshift": 4}
        size, colour = drawing.px(style.SMALL), drawing.colours.muted
        notes.append(annotation(text, ends[1][0], ends[1][1], size=size, colour=colour, **place))
    line = {"color": drawing.colours.axis, "width": 1}
    figure.add_trace(go.Scatter(x=x, y=y, mode="lines", line=line, hoverinfo="skip"))
    if lines == "accuracy":
        head = f"equal accuracy at {percent(prevalence)} {escape(fit(drawing.positive, 0.3 * drawing.side, drawing.size))}"
        size, colour = drawing.px(style.SMALL), drawing.colours.muted
        shift = {"yref": "paper", "xref": "paper", "yanchor": "bottom", "yshift": drawing.px(24), "xanchor": "left"}
        notes.append(annotation(head, 0, 1, size=size, colour=colour, **shift))
    return notes


def _path(
    drawing: Drawing, x: Sequence[float], y: Sequence[float], colour: str, width: float, *, dash: str = "solid"
) -> go.Scatter:
    line = {"color": colour, "width": drawing.px(width), "dash": dash}
    return go.Scatter(x=x, y=y, mode="lines", line=line, hoverinfo="skip", cliponaxis=False)


def _upright(drawing: Drawing, spot: Spot, colour: str, *, dash: str = "solid") -> go.Scatter:
    """J: from the diagonal to the mark."""
    return _path(drawing, [spot[0], spot[0]], [spot[0], spot[1]], colour, 2, dash=dash)


def _curve(figure: go.Figure, drawing: Drawing, its: Scored, places: Texts) -> list[dict[str, Any]]:
    colour = drawing.colours.series[0]
    figure.add_trace(
        go.Scatter(
            x=np.asarray(its.fpr, np.float32), y=np.asarray(its.tpr, np.float32), mode="lines", cliponaxis=False,
            line={"color": colour, "width": drawing.px(2.5)}, hovertext=list(its.hovers), hovertemplate=marks.HOVER,
        )
    )  # fmt: skip
    notes = []
    if its.trail:
        figure.add_trace(_circles(drawing, its.trail, drawing.colours.neutral, 7, filled=False))
    if its.best is not None:
        figure.add_trace(_upright(drawing, its.best, colour, dash="dash"))
        figure.add_trace(_circles(drawing, [its.best], colour, 13, filled=False))
        texts = [f"best cut {its.best_cut}", f"J {number(its.j_here)} on these items"]
        texts += [f"J {number(its.j_held_out)} on items held out"] if not math.isnan(its.j_held_out) else []
        middle = its.best[0], (its.best[0] + its.best[1]) / 2
        notes += _placed(drawing, places, middle, texts, colour)
    if its.cut is not None and its.cut != its.best:
        figure.add_trace(_upright(drawing, its.cut, colour))
        figure.add_trace(_circles(drawing, [its.cut], colour, 11, filled=True))
        notes += _placed(drawing, places, its.cut, [its.cut_words, f"J {number(its.cut[1] - its.cut[0])}"], colour)
    told = [fit(its.name, 0.45 * drawing.side, drawing.size, bold=True), f"AUC {number(its.area)}"]
    for spot in [*(_on_curve(its, at) for at in ALONG), *CORNERS]:
        found = _placed(drawing, places, spot, told, colour, bold=True)
        if found:
            return [*notes, *found]
    return notes


def _keep_off(drawing: Drawing, its: Scored, places: Texts) -> None:
    """The best cut, the one looked at, and where there is room the curve itself."""
    for spot in (its.best, its.cut):
        if spot is not None:
            places.add(around(drawing.at(spot), drawing.px(8)))
    every = np.linspace(0.02, 0.98, 40)
    along = np.add(its.fpr, its.tpr) / 2
    for x, y in zip(np.interp(every, along, its.fpr).tolist(), np.interp(every, along, its.tpr).tolist(), strict=True):
        places.curve.add(around(drawing.at((x, y)), drawing.px(1.5)))


def _on_curve(its: Scored, at: float) -> Spot:
    """The point of the curve nearest to a false-alarm rate."""
    place = min(range(len(its.fpr)), key=lambda i: abs(its.fpr[i] - at))
    return float(its.fpr[place]), float(its.tpr[place])


def _circles(drawing: Drawing, spots: Sequence[Spot], colour: str, size: float, *, filled: bool) -> go.Scatter:
    fill = colour if filled else drawing.colours.page
    marker = {"size": drawing.px(size), "color": fill, "line": {"color": colour, "width": drawing.px(2.5 if size > 10 else 1.5)}}
    x, y = [spot[0] for spot in spots], [spot[1] for spot in spots]
    return go.Scatter(x=x, y=y, mode="markers", marker=marker, hoverinfo="skip", cliponaxis=False)


def _order(shown: Sequence[Verdicts]) -> list[int]:
    """The chosen judge first, then by J."""
    return sorted(range(len(shown)), key=lambda i: (not shown[i].chosen, -shown[i].j))


def _names(drawing: Drawing, shown: Sequence[Verdicts], places: Texts) -> list[dict[str, Any]]:
    """Names of a few points, or of the chosen one and of the best among many, where there is room."""
    few, notes = len(shown) <= UPRIGHTS, []
    for i in _order(shown)[: max(NAMED, UPRIGHTS)]:
        one = shown[i]
        colour = drawing.colours.judge if few or one.chosen else drawing.colours.muted
        for share in (0.4, 0.3, 0.2) if few or one.chosen else (0.4,):
            name = fit(one.name, share * drawing.side, drawing.size, bold=True)
            found = _placed(drawing, places, (one.fpr, one.tpr), [f"{name} J{HARD_SPACE}{number(one.j)}"], colour, inline=name)
            if found:
                notes += found
                break
    return notes


def _points(figure: go.Figure, drawing: Drawing, shown: Sequence[Verdicts], indices: Sequence[int]) -> None:
    """Points of verdicts; few have their own symbols and uprights, among many only the chosen one."""
    few, colours = len(shown) <= UPRIGHTS, drawing.colours
    for one in shown:
        if few or one.chosen:
            figure.add_trace(_upright(drawing, (one.fpr, one.tpr), colours.judge))
    symbols = {i: SYMBOLS[rank % len(SYMBOLS)] if few else "circle" for rank, i in enumerate(_order(shown))}
    symbols |= {i: "square" for i, one in enumerate(shown) if one.chosen}
    every = range(len(shown))
    figure.add_trace(
        go.Scatter(
            x=[one.fpr for one in shown], y=[one.tpr for one in shown], mode="markers", cliponaxis=False,
            customdata=[[place] for place in indices], hovertemplate=marks.HOVER, hovertext=[_hover(one) for one in shown],
            marker={
                "symbol": [symbols[i] for i in every], "opacity": 1,
                "size": [drawing.px(12 if few or shown[i].chosen else 8) for i in every],
                "color": [colours.judge if few or shown[i].chosen else colours.neutral for i in every],
                "line": {"width": drawing.px(1), "color": colours.page},
            },
            **marks.undimmed(),
        )
    )  # fmt: skip


def _hover(one: Verdicts) -> str:
    return f"<b>{escape(one.name)}</b><br>found {percent(one.tpr)} · false alarms {percent(one.fpr)}<br>J {number(one.j)}"


def _placed(
    drawing: Drawing, places: Texts, anchor: Spot, lines: Sequence[str], colour: str, *, bold: bool = False, inline: str = ""
) -> list[dict[str, Any]]:
    """A text beside its mark where nothing else stands; none where there is no room."""
    wide = max(text_width(line, drawing.size, bold=bold or bool(inline)) for line in lines) + 4
    high = drawing.size * LINE * len(lines)
    x, y = drawing.at(anchor)
    gap = drawing.px(GAP)
    for dy, side, clear in ((dy, side, clear) for clear in (True, False) for dy in SHIFTS for side in ("left", "right")):
        left = x + gap if side == "left" else x - gap - wide
        middle = y + dy * drawing.size
        box = (left, middle - high / 2, left + wide, middle + high / 2)
        if places.free(box, clear=clear):
            places.add(box)
            text = _text(lines, bold, inline)
            look: dict[str, Any] = {"xanchor": side, "bgcolor": drawing.colours.page, "opacity": 0.92}
            shift = {"xshift": gap if side == "left" else -gap, "yshift": -dy * drawing.size}
            return [annotation(text, anchor[0], anchor[1], size=drawing.size, colour=colour, **(look | shift))]
    return []


def _text(lines: Sequence[str], bold: bool, inline: str) -> str:
    if inline:
        return f"<b>{escape(inline)}</b>{HARD_SPACE}{escape(lines[0][len(inline) :])}"
    first = f"<b>{escape(lines[0])}</b>" if bold else escape(lines[0])
    return "<br>".join([first, *map(escape, lines[1:])])


def _guessing(drawing: Drawing, places: Texts) -> dict[str, Any]:
    """The name of the diagonal, below it, where texts of marks seldom go."""
    reach = drawing.px(34)
    spot = next((spot for spot in GUESSING if places.free(around(drawing.at(spot), reach))), GUESSING[0])
    places.add(around(drawing.at(spot), reach))
    size, colour = drawing.px(style.SMALL), drawing.colours.muted
    return annotation("guessing, J 0", *spot, size=size, colour=colour, textangle=-45, align="center")
