"""The judge of one table as a point of ROC space: prevalence does not move it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from metrics.analyses.prevalence.readings import share
from metrics.content.lab.pictures import Picture
from metrics.figures import theme as style
from metrics.figures.fitting import around, inward, text_box
from metrics.figures.lab_parts import called, nothing, why_none
from metrics.figures.marks import annotation
from metrics.figures.roc_parts import LINE, Drawing, Spot, Texts, circles, guessing, path, placed, square_layout, upright
from metrics.figures.theme import Theme, escape, text_width
from metrics.figures.traces import Figure, drawn
from metrics.results.words import HARD_SPACE, number, plain

LEFT, RIGHT, TOP, BOTTOM = 58, 18, 20, 46
MOST = 330
"""Px of the widest the square gets."""
SMALL, LARGE = 12, 19
"""Px of the point, and of the open one around it where both stand in one place."""
TICKS = (0.0, 0.5, 1.0)
SAME = 1e-9


@dataclass(frozen=True)
class Square(Drawing):
    """ROC space with less around it than where curves are."""

    @property
    def size(self) -> float:
        return self.px(style.TICK)

    @property
    def side(self) -> float:
        return self.width - self.px(LEFT + RIGHT)


def roc_point(now: Picture, other: Picture | None, *, theme: Theme, scale: float = 1.0, width: float = 340) -> Figure:
    """Return the square with the point and Youden's J as the upright to the diagonal; the other table's is an open circle.

    Parameters
    ----------
    other : Picture or None
        The step before, or the table beside this one.
    width : float
        The narrowest width in px (before scaling) at which no two texts may meet; the square is never wider than `MOST`.
    """
    positive, negative = (plain(label) for label in now.labels[:2])
    square = Square(style.tokens(theme), scale, positive, negative, min(width, MOST) * scale)
    why, height = why_none(now, "point"), square.side + square.px(TOP + BOTTOM)
    if why:
        return nothing(why, square.colours, scale, height=height, width=square.width)
    here, there = _spot(now), None if other is None or why_none(other, "point") else _spot(other)
    texts = square.texts([_upright(here)])
    for spot in (here, there):
        if spot is not None:
            texts.add(around(square.at(spot), square.px(LARGE / 2)))
    colour = square.colours.judge
    traces = [path(square, [0, 1], [0, 1], square.colours.muted, 1.5, dash="dot"), upright(square, here, colour)]
    same = there is not None and math.dist(here, there) < SAME
    if there is not None:
        traces.append(circles(square, [there], colour, LARGE if same else SMALL, filled=False))
    traces.append(circles(square, [here], colour, SMALL, filled=True))
    notes = _named(square, texts, [(now, here)] if other is None or there is None else [(now, here), (other, there)])
    layout = square_layout(square, TICKS, room=(LEFT, RIGHT, BOTTOM, TOP))
    return drawn(layout, traces, annotations=[*notes, guessing(square, texts)])


def alt(now: Picture, other: Picture | None) -> str:
    """Return the figure in a sentence, for people who do not see it."""
    clauses = []
    for place, picture in enumerate((now, other)):
        if picture is None:
            continue
        name = f"{plain(picture.name) or ('the other table' if place else 'this table')}: " if other is not None else ""
        why = why_none(picture, "point")
        tpr, fpr = picture.rates
        clauses.append(name + (plain(why) if why else f"TPR {share(tpr)}, FPR {share(fpr)}, J {number(tpr - fpr)}"))
    return f"ROC space. {'; '.join(clauses)}."


def _spot(picture: Picture) -> Spot:
    tpr, fpr = picture.rates
    return fpr, tpr


def _upright(spot: Spot) -> tuple[Spot, Spot]:
    """Return J's line by FPR and TPR, from its lower end, which is the point where the judge is worse than guessing."""
    return (spot[0], spot[0]), (min(spot), max(spot))


def _named(square: Square, texts: Texts, tables: list[tuple[Picture, Spot]]) -> list[dict[str, Any]]:
    """Return J beside each point; from the nearer edge inwards, so that texts pushed aside keep the order of their points."""
    rates = [tpr for _, (_, tpr) in tables]
    inwards = sorted(tables, key=lambda table: table[1][1], reverse=sum(rates) > len(rates) / 2)
    notes, now = [], tables[0][0]
    for picture, spot in inwards:
        colour = square.colours.judge if picture is now else square.colours.muted
        text = _text(square, picture, spot, named=len(tables) > 1)
        bold, gap = picture is now, LARGE / 2 + 4
        notes += (
            placed(square, texts, spot, [text], colour, bold=bold, beside=gap, crossing=False)
            or _over_or_under(square, texts, spot, text, colour, bold=bold)
            or placed(square, texts, spot, [text], colour, bold=bold, beside=gap)
        )
    return notes


def _over_or_under(square: Square, texts: Texts, spot: Spot, text: str, colour: str, *, bold: bool) -> list[dict[str, Any]]:
    """Return a text below its point, else above it, where there is no room beside it but across J's line.

    None if neither is free.
    """
    wide, high = text_width(text, square.size, bold=bold) + 2, square.size * LINE
    right = inward(square.at(spot)[0], wide, square.side)
    for way in (1, -1):
        down = way * (square.px(LARGE / 2) + 1 + high / 2)
        box = text_box(square.at(spot), (wide, high), right=right, down=down)
        if texts.free(box):
            texts.add(box)
            shown = f"<b>{escape(text)}</b>" if bold else escape(text)
            return [annotation(shown, *spot, size=square.size, colour=colour, xshift=right, yshift=-down)]
    return []


def _text(square: Square, picture: Picture, spot: Spot, *, named: bool) -> str:
    value = f"J{HARD_SPACE}{number(spot[1] - spot[0])}"
    name = called(picture, square.size, "") if named else ""
    return f"{name} {value}" if name else value
