"""Curves of ROC space: the chosen judge's with its cuts, and thin ones of the others."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from metrics.figures import marks
from metrics.figures.fitting import around
from metrics.figures.roc_parts import Drawing, Spot, Texts, circles, distinct_names, placed, scatter, upright
from metrics.figures.theme import contrast, escape, fit
from metrics.figures.traces import Trace
from metrics.results.words import number

MOST_NAMED = 8
"""Curves that get a colour and a name, with the chosen one; of more only the chosen one does."""
THICK, THIN = 2.5, 1.3
ALONG = (0.6, 0.45, 0.75, 0.3, 0.9, 0.15)
"""False-alarm rates at which the chosen curve may carry its name."""
CORNERS = ((1.0, 0.15), (1.0, 0.3), (0.0, 0.9), (0.0, 0.1))
"""Where its name and the words of its cuts stand when there is no room beside them."""
ALONG_OTHERS = (0.5, 0.35, 0.65, 0.2, 0.8, 0.1)
COLUMN = tuple((1.0, at) for at in (0.4, 0.32, 0.24, 0.16, 0.08, 0.48))
"""Where a name stands when its curve runs in a bundle: below the diagonal, with a stroke of its colour."""
NEAR = (0.0, -0.8, 0.8, -1.6, 1.6, 2.4)
"""Lines by which a name may stand above or below its thin curve."""
LEGIBLE = 4.5
Drawn = tuple[list[Trace], list[dict[str, Any]]]
"""Traces and texts."""


@dataclass(frozen=True, eq=False)
class Scored:
    """The curve of the chosen judge, its best cut, and the cut that is being looked at.

    Attributes
    ----------
    hovers : sequence of str
        One per point of the curve.
    area : str
        AUC in words; a pooled one with the mean over criteria.
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
    area: str
    best: Spot | None
    best_cut: str
    j_here: float
    j_held_out: float
    cut: Spot | None = None
    cut_words: str = ""
    trail: Sequence[Spot] = ()


@dataclass(frozen=True, eq=False)
class Other:
    """The curve of another judge, with its AUC in words."""

    name: str
    fpr: Sequence[float]
    tpr: Sequence[float]
    area: str


def room(drawing: Drawing, scored: Scored | None, others: Sequence[Other]) -> Texts:
    """Where texts may go: off the cuts, and off the curves where they can."""
    curves = [(other.fpr, other.tpr) for other in others] if named(scored, others) else []
    texts = drawing.texts(curves if scored is None else [*curves, (scored.fpr, scored.tpr)])
    for spot in () if scored is None else (spot for spot in (scored.best, scored.cut) if spot is not None):
        texts.add(around(drawing.at(spot), drawing.px(8)))
    return texts


def named(scored: Scored | None, others: Sequence[Other]) -> bool:
    """Return whether the curves are few enough for names."""
    return len(others) + (scored is not None) <= MOST_NAMED


def chosen(drawing: Drawing, scored: Scored, texts: Texts) -> Drawn:
    """Return the thick curve, its best cut, the cut looked at and the ones before."""
    colour = drawing.colours.series[0]
    look = {"line": {"color": colour, "width": drawing.px(THICK)}, "hovertext": list(scored.hovers), "hovertemplate": marks.HOVER}
    x, y = np.asarray(scored.fpr, np.float32), np.asarray(scored.tpr, np.float32)
    traces, notes = [scatter(x, y, "lines", **look)], []
    if scored.trail:
        traces.append(circles(drawing, scored.trail, drawing.colours.text, 7, filled=False))
    if scored.best is not None:
        traces += [upright(drawing, scored.best, colour, dash="dash"), circles(drawing, [scored.best], colour, 13, filled=False)]
        here, out = ("here", "held out") if drawing.small else ("on these items", "on held-out items")
        lines = [f"best threshold {scored.best_cut}", f"J {number(scored.j_here)} {here}"]
        lines += [f"J {number(scored.j_held_out)} {out}"] if not math.isnan(scored.j_held_out) else []
        middle = scored.best[0], (scored.best[0] + scored.best[1]) / 2
        notes += _first(drawing, texts, [middle, scored.best, *CORNERS], lines, colour)
    if scored.cut is not None and scored.cut != scored.best:
        traces += [upright(drawing, scored.cut, colour), circles(drawing, [scored.cut], colour, 11, filled=True)]
        middle = scored.cut[0], (scored.cut[0] + scored.cut[1]) / 2
        lines = [scored.cut_words, f"J {number(scored.cut[1] - scored.cut[0])}"]
        notes += _first(drawing, texts, [scored.cut, middle, *CORNERS], lines, colour)
    name_lines = [fit(scored.name, 0.45 * drawing.side, drawing.size, bold=True), f"AUC {scored.area}"]
    spots = [*(_at_fpr(scored, at) for at in ALONG), *CORNERS]
    return traces, notes + _first(drawing, texts, spots, name_lines, colour, bold=True, key=colour)


def thin_curves(
    drawing: Drawing, scored: Scored | None, others: Sequence[Other], texts: Texts
) -> tuple[list[Trace], list[dict[str, Any]], int]:
    """Return thin curves: of a few judges in their colours and with their names, else grey and named under the pointer.

    Last comes of how many among a few the name found no room.
    """
    if not named(scored, others):
        return [_thin(drawing, others, drawing.colours.neutral)], [], 0
    traces, notes, grey = [], [], []
    for place, (other, short) in enumerate(zip(others, _shorts(drawing, others), strict=True)):
        colour = drawing.colours.series[1 + place]
        labels = _name(drawing, other, short, colour, texts)
        if labels:
            traces.append(_thin(drawing, [other], colour))
            notes += labels
        else:
            grey.append(other)
    return ([_thin(drawing, grey, drawing.colours.neutral)] if grey else []) + traces, notes, len(grey)


def _first(
    drawing: Drawing, texts: Texts, spots: Sequence[Spot], lines: Sequence[str], colour: str, *, bold: bool = False, key: str = ""
) -> list[dict[str, Any]]:
    """Return a text at the first of the spots where it fits, across a curve only where it fits nowhere else."""
    put = partial(placed, drawing, texts, lines=lines, colour=colour, bold=bold, key=key)
    placements = (put(anchor=spot, crossing=crossing) for crossing in (False, True) for spot in spots)
    return next(filter(None, placements), [])


def _shorts(drawing: Drawing, others: Sequence[Other]) -> list[str]:
    """Return shortened names; those that would be equal are longer."""
    names = [other.name for other in others]
    shorts, longer = (distinct_names(drawing, names, share) for share in (0.35, 0.5))
    plain = [fit(name, 0.35 * drawing.side, drawing.size, bold=True) for name in names]
    return [whole if plain.count(name) > 1 else short for name, short, whole in zip(plain, shorts, longer, strict=True)]


def _name(drawing: Drawing, other: Other, name: str, colour: str, texts: Texts) -> list[dict[str, Any]]:
    legible = contrast(colour, drawing.colours.page) >= LEGIBLE
    ink = colour if legible else drawing.colours.text
    put = partial(placed, drawing, texts, lines=[f"{name} AUC {other.area}"], colour=ink, inline=name, key=colour)
    beside = (put(anchor=_along(other, at), shifts=NEAR, crossing=False) for at in ALONG_OTHERS)
    below = (put(anchor=spot) for spot in COLUMN)
    return next(filter(None, chain(beside, below)), [])


def _thin(drawing: Drawing, several: Sequence[Other], colour: str) -> Trace:
    """Return curves in one trace, a gap between each and the next."""
    gap = [math.nan]
    x = np.concatenate([[*other.fpr, *gap] for other in several])[:-1]
    y = np.concatenate([[*other.tpr, *gap] for other in several])[:-1]
    each = [f"<b>{escape(other.name)}</b><br>AUC {other.area}" for other in several]
    hovers = [hover for hover, other in zip(each, several, strict=True) for _ in (*other.fpr, *gap)][:-1]
    line = {"color": colour, "width": drawing.px(THIN)}
    text = hovers if len(several) > 1 else hovers[0]
    return scatter(x.astype(np.float32), y.astype(np.float32), "lines", line=line, hovertext=text, hovertemplate=marks.HOVER)


def _at_fpr(scored: Scored, at: float) -> Spot:
    """Return the point of the curve nearest to a false-alarm rate."""
    place = min(range(len(scored.fpr)), key=lambda i: abs(scored.fpr[i] - at))
    return float(scored.fpr[place]), float(scored.tpr[place])


def _along(other: Other, at: float) -> Spot:
    """Return the point so far along a curve, from 0 at its beginning to 1 at its end."""
    along = np.add(other.fpr, other.tpr) / 2
    return float(np.interp(at, along, other.fpr)), float(np.interp(at, along, other.tpr))
