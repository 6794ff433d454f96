"""What the parts of ROC space stand on: the square, and the places where texts may go."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from metrics.figures import theme as style
from metrics.figures import traces
from metrics.figures.fitting import Box, Places, around, text_box
from metrics.figures.marks import Sheet, annotation
from metrics.figures.theme import escape, fit, text_width
from metrics.figures.traces import Trace
from metrics.measures.arrays import FloatArray
from metrics.results.words import HARD_SPACE

BROAD, NARROW = 470, 340
"""Width in px of the figure in its place on a wide and on a narrow screen."""
LEFT, RIGHT, TOP, BOTTOM = 66, 46, 46, 48
GAP, LINE, THICK = 10, 1.3, 1.5
EVERY = np.linspace(0.02, 0.98, 60)
"""Where a curve is looked at, as shares of its way."""
SHIFTS = (0.0, -0.8, 0.8, -1.6, 1.6, -2.4, 2.4, 3.2, -3.2, 4.2, -4.2, -5.4)
"""Lines by which a text may stand above or below its mark."""
KEY = "━━ "
GUESSING = "chance, J 0"
ALONG_DIAGONAL = (0.78, 0.7, 0.62, 0.54, 0.46, 0.38, 0.3, 0.22, 0.85, 0.15)
BESIDE_DIAGONAL = (10, -10, 18, 26, -18, 34, -26)
"""Px from the diagonal to the middle of its name; below it first, where texts of marks seldom go."""
Spot = tuple[float, float]
"""FPR and TPR."""


@dataclass(frozen=True, eq=False)
class Texts:
    """Boxes that texts must not meet, and curves, which they should not.

    Attributes
    ----------
    curves : ndarray, shape (n, 2)
        Px of points along them.
    """

    places: Places
    curves: FloatArray

    def add(self, box: Box) -> None:
        self.places.add(box)

    def free(self, box: Box, *, clear: bool = True) -> bool:
        """Return whether a text fits; not `clear`: also across a curve."""
        return self.places.free(box) and not (clear and self._crossed(box))

    def _crossed(self, box: Box) -> bool:
        x, y = self.curves.T
        return bool(((x > box[0] - THICK) & (x < box[2] + THICK) & (y > box[1] - THICK) & (y < box[3] + THICK)).any())


@dataclass(frozen=True)
class Drawing(Sheet):
    positive: str
    negative: str
    width: float

    @property
    def small(self) -> bool:
        return self.width <= self.px(NARROW)

    @property
    def size(self) -> float:
        return self.px(style.SMALL if self.small else style.TEXT)

    @property
    def side(self) -> float:
        return self.width - self.px(LEFT + RIGHT)

    def at(self, spot: Spot) -> Spot:
        """In px from the left upper corner of the square."""
        return spot[0] * self.side, (1 - spot[1]) * self.side

    def texts(self, curves: Sequence[tuple[Sequence[float], Sequence[float]]]) -> Texts:
        """Nothing taken yet but the curves, given by FPR and TPR."""
        curve_points = [np.empty((0, 2)), *(self._along(fpr, tpr) for fpr, tpr in curves)]
        return Texts(Places(self.side, self.side), np.concatenate(curve_points))

    def _along(self, fpr: Sequence[float], tpr: Sequence[float]) -> FloatArray:
        along = np.add(fpr, tpr) / 2
        x, y = self.at((np.interp(EVERY, along, fpr), np.interp(EVERY, along, tpr)))  # type: ignore[arg-type]
        return np.column_stack([x, y])


def scatter(x: Any, y: Any, mode: str, **look: Any) -> Trace:
    return traces.scatter(x=x, y=y, mode=mode, cliponaxis=False) | look


def path(drawing: Drawing, x: Sequence[float], y: Sequence[float], colour: str, width: float, *, dash: str = "solid") -> Trace:
    line = {"color": colour, "width": drawing.px(width), "dash": dash}
    return scatter(x, y, "lines", line=line, hoverinfo="skip")


def upright(drawing: Drawing, spot: Spot, colour: str, *, dash: str = "solid") -> Trace:
    """Return J: from the diagonal to the mark."""
    return path(drawing, [spot[0], spot[0]], [spot[0], spot[1]], colour, 2, dash=dash)


def circles(drawing: Drawing, spots: Sequence[Spot], colour: str, size: float, *, filled: bool) -> Trace:
    fill = colour if filled else drawing.colours.page
    marker = {"size": drawing.px(size), "color": fill, "line": {"color": colour, "width": drawing.px(2.5 if size > 10 else 1.5)}}
    x, y = [spot[0] for spot in spots], [spot[1] for spot in spots]
    return scatter(x, y, "markers", marker=marker, hoverinfo="skip")


def square_layout(drawing: Drawing, ticks: Sequence[float], *, room: tuple[float, float, float, float]) -> dict[str, Any]:
    """Return the layout of the square, its axes in the user's words; `room` is the px left, right, below and above it."""
    left, right, bottom, top = map(drawing.px, room)
    positive, negative = (escape(fit(label, 0.3 * drawing.side, drawing.size)) for label in (drawing.positive, drawing.negative))
    across, upright = (
        style.share_axis(drawing.colours, ticks, drawing.scale, title, drawing.size)
        for title in (f"{negative} called {positive}, FPR", f"{positive} found, TPR")
    )
    return style.layout(
        drawing.colours,
        height=drawing.side + bottom + top,
        scale=drawing.scale,
        margin=style.margin(left, right, bottom, top),
        **style.squared(across, upright),
    )


def distinct_names(drawing: Drawing, names: Sequence[str], share: float) -> list[str]:
    """Return names in that share of the square; where different ones would look alike, they are numbered."""
    shorts = [fit(name, share * drawing.side, drawing.size, bold=True) for name in names]
    return [f"{short} ({shorts[:i].count(short) + 1})" if shorts.count(short) > 1 else short for i, short in enumerate(shorts)]


def placed(
    drawing: Drawing,
    texts: Texts,
    anchor: Spot,
    lines: Sequence[str],
    colour: str,
    *,
    bold: bool = False,
    inline: str = "",
    key: str = "",
    crossing: bool = True,
    beside: float = GAP,
) -> list[dict[str, Any]]:
    """Return a text beside its mark where nothing else stands; none where there is no room.

    Parameters
    ----------
    bold : bool
        The first of the lines.
    inline : str
        The bold beginning of a single line.
    key : str
        Colour of a short stroke before the text: of the curve it names, which may be one of a bundle.
    crossing : bool
        Across a curve rather than not at all.
    beside : float
        Px between text and mark, before scaling.
    """
    size = drawing.size
    stroke = text_width(KEY, size) if key else 0.0
    wide = max(text_width(line, size, bold=bold or bool(inline)) for line in lines) + stroke + 4
    gap = drawing.px(beside)
    ways = (True, False) if crossing else (True,)
    for dy, side, clear in ((dy, side, clear) for clear in ways for dy in SHIFTS for side in ("left", "right")):
        right = gap if side == "left" else -gap
        box = text_box(drawing.at(anchor), (wide, size * LINE * len(lines)), side, right, dy * size)
        if texts.free(box, clear=clear):
            texts.add(box)
            look: dict[str, Any] = {"xanchor": side, "bgcolor": drawing.colours.page, "opacity": 0.92}
            shift = {"xshift": right, "yshift": -dy * size}
            text = (f'<span style="color:{key}">{KEY}</span>' if key else "") + _text(lines, bold, inline)
            return [annotation(text, *anchor, size=size, colour=colour, **(look | shift))]
    return []


def _text(lines: Sequence[str], bold: bool, inline: str) -> str:
    if inline:
        return f"<b>{escape(inline)}</b>{HARD_SPACE}{escape(lines[0][len(inline) :])}"
    first = f"<b>{escape(lines[0])}</b>" if bold else escape(lines[0])
    return "<br>".join([first, *map(escape, lines[1:])])


def guessing(drawing: Drawing, texts: Texts) -> dict[str, Any]:
    """Return the name of the diagonal, along it where no mark and no curve stands."""
    size, colour = drawing.px(style.SMALL), drawing.colours.muted
    ways = [(at, beside) for beside in BESIDE_DIAGONAL for at in ALONG_DIAGONAL]
    tried = ((way, _tilted(drawing, *way, size), clear) for clear in (True, False) for way in ways)
    free = ((way, boxes) for way, boxes, clear in tried if all(texts.free(box, clear=clear) for box in boxes))
    (at, beside), boxes = next(free, (ways[0], _tilted(drawing, *ways[0], size)))
    for box in boxes:
        texts.add(box)
    step = drawing.px(beside) / math.sqrt(2)
    return annotation(
        GUESSING, at, at, size=size, colour=colour, textangle=-45, align="center", xshift=step, yshift=-step
    )  # fmt: skip


def _tilted(drawing: Drawing, at: float, beside: float, size: float) -> list[Box]:
    """Return boxes along a text that rises with the diagonal, `beside` px below it."""
    x, y = drawing.at((at, at))
    step, reach = drawing.px(beside) / math.sqrt(2), text_width(GUESSING, size) / 2 / math.sqrt(2)
    steps = np.linspace(-reach, reach, 8).tolist()
    return [around((x + step + along, y + step - along), 0.5 * size) for along in steps]
