"""Curves of ROC space: the chosen judge's with its cuts, and thin grey ones of the others."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from metrics.figures.fitting import around
from metrics.figures.roc_parts import Drawing, Spot, Texts, circles, placed, scatter, upright
from metrics.figures.stops import HELD
from metrics.figures.theme import escape, fit
from metrics.figures.traces import Trace
from metrics.results.words import number

THICK, THIN, TARGET = 2.5, 1.3, 9
"""Px of the chosen curve, of the others, and around a point of these that takes a click."""
ALONG = (0.6, 0.45, 0.75, 0.3, 0.9, 0.15)
"""False-alarm rates at which the chosen curve may carry its name."""
CORNERS = ((1.0, 0.15), (1.0, 0.3), (0.0, 0.9), (0.0, 0.1))
"""Where its name and the words of its cuts stand when there is no room beside them."""
ALONG_OTHERS = tuple(at / 20 for at in range(2, 19))
"""Places along another judge's curve at which its leader may end."""
Drawn = tuple[list[Trace], list[dict[str, Any]]]


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
    j_here : float
        J of the best cut where it was chosen. A held-out J is of thresholds that some of the items chose, and has no place on it.
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
    curves = [(other.fpr, other.tpr) for other in others]
    curves += [] if scored is None else [(scored.fpr, scored.tpr)]
    texts = drawing.texts(curves)
    for spot in () if scored is None else (spot for spot in (scored.best, scored.cut) if spot is not None):
        texts.add(around(drawing.at(spot), drawing.px(8)))
    return texts


def chosen(drawing: Drawing, scored: Scored, texts: Texts) -> Drawn:
    """Return the thick curve, its best cut, the cut looked at and the ones before."""
    colour = drawing.colours.series[0]
    look = {"line": {"color": colour, "width": drawing.px(THICK)}, "hovertext": list(scored.hovers)}
    x, y = np.asarray(scored.fpr, np.float32), np.asarray(scored.tpr, np.float32)
    traces, notes = [scatter(x, y, "lines", **look)], []
    if scored.trail:
        traces.append(circles(drawing, scored.trail, drawing.colours.text, 7, filled=False))
    if scored.best is not None:
        traces += [upright(drawing, scored.best, colour, dash="dash"), circles(drawing, [scored.best], colour, 13, filled=False)]
        here = "here" if drawing.small else "on these items"
        lines = [f"best threshold {scored.best_cut}", f"J {number(scored.j_here)} {here}"]
        middle = scored.best[0], (scored.best[0] + scored.best[1]) / 2
        notes += _first(drawing, texts, [middle, scored.best, *CORNERS], lines, colour)
    if scored.cut is not None and scored.cut != scored.best:
        marks_of_cut = [upright(drawing, scored.cut, colour), circles(drawing, [scored.cut], colour, 11, filled=True)]
        traces += [trace | {"meta": HELD} for trace in marks_of_cut]
        middle = scored.cut[0], (scored.cut[0] + scored.cut[1]) / 2
        lines = [scored.cut_words, f"J {number(scored.cut[1] - scored.cut[0])}"]
        notes += [note | {"name": HELD} for note in _first(drawing, texts, [scored.cut, middle, *CORNERS], lines, colour)]
    name_lines = [fit(scored.name, 0.45 * drawing.side, drawing.size, bold=True), f"AUC {scored.area}"]
    spots = [*(_at_fpr(scored, at) for at in ALONG), *CORNERS]
    return traces, notes + _first(drawing, texts, spots, name_lines, colour, bold=True, key=colour)


def thin_curves(drawing: Drawing, others: Sequence[Other], first: int) -> list[Trace]:
    """Return the other judges' curves in one grey trace, a gap between each and the next; a click returns `first` and on."""
    if not others:
        return []
    gap = [math.nan]
    x = np.concatenate([[*other.fpr, *gap] for other in others])[:-1]
    y = np.concatenate([[*other.tpr, *gap] for other in others])[:-1]
    each = [(i, f"<b>{escape(other.name)}</b><br>AUC {other.area}") for i, other in enumerate(others, first)]
    points = [point for point, other in zip(each, others, strict=True) for _ in (*other.fpr, *gap)][:-1]
    unseen = {"size": drawing.px(TARGET), "opacity": 0}
    look = {"line": {"color": drawing.colours.neutral, "width": drawing.px(THIN)}, "marker": unseen}
    hover = {"hovertext": [text for _, text in points]}
    clicks = {"customdata": [[i] for i, _ in points], "selected": {"marker": {"opacity": 0}}}
    clicks["unselected"] = clicks["selected"]
    return [scatter(x.astype(np.float32), y.astype(np.float32), "lines+markers", **look, **hover, **clicks)]


def leader_end(drawing: Drawing, other: Other, others: Sequence[Other]) -> Spot:
    """Return the place along a curve that is farthest from all other curves."""
    spots = [_along(other, at) for at in ALONG_OTHERS]
    rest = [drawing.at(_along(one, at)) for one in others if one is not other for at in ALONG_OTHERS]
    return max(spots, key=lambda spot: min((math.dist(drawing.at(spot), away) for away in rest), default=0.0))


def _first(
    drawing: Drawing, texts: Texts, spots: Sequence[Spot], lines: Sequence[str], colour: str, *, bold: bool = False, key: str = ""
) -> list[dict[str, Any]]:
    """Return a text at the first of the spots where it fits, across a curve only where it fits nowhere else."""
    put = partial(placed, drawing, texts, lines=lines, colour=colour, bold=bold, key=key)
    placements = (put(anchor=spot, crossing=crossing) for crossing in (False, True) for spot in spots)
    return next(filter(None, placements), [])


def _at_fpr(scored: Scored, at: float) -> Spot:
    """Return the point of the curve nearest to a false-alarm rate."""
    place = min(range(len(scored.fpr)), key=lambda i: abs(scored.fpr[i] - at))
    return float(scored.fpr[place]), float(scored.tpr[place])


def _along(other: Other, at: float) -> Spot:
    """Return the point so far along a curve, from 0 at its beginning to 1 at its end."""
    along = np.add(other.fpr, other.tpr) / 2
    return float(np.interp(at, along, other.fpr)), float(np.interp(at, along, other.tpr))
