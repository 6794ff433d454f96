"""ROC space: verdicts as points, scores as a curve, Youden's J as the upright between a mark and the diagonal of chance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np

from metrics.analyses.roc.cuts import iso_accuracy, iso_j
from metrics.figures import marks
from metrics.figures import theme as style
from metrics.figures.fitting import Box, around
from metrics.figures.marks import annotation
from metrics.figures.roc_curves import Other, Scored, chosen, leader_end, room, thin_curves
from metrics.figures.roc_parts import (
    BOTTOM,
    BROAD,
    LEFT,
    LINE,
    RIGHT,
    TOP,
    Drawing,
    Spot,
    Texts,
    distinct_names,
    guessing,
    path,
    placed,
    scatter,
    square_layout,
    upright,
)
from metrics.figures.stops import Stops
from metrics.figures.theme import Theme, escape, fit, text_width
from metrics.figures.traces import Figure, Trace, drawn
from metrics.results.words import HARD_SPACE, number, percent, plain, tick

LEVELS = (0.2, 0.4, 0.6, 0.8)
ACCURACIES = (0.5, 0.6, 0.7, 0.8, 0.9)
Lines = Literal["j", "accuracy"]
NOTHING = "No point and no curve to draw"
NAMED = 7
"""Judges beside the chosen one that are named; of more, each is named under the pointer."""
NEAR, STEPS = 6, 12
"""Px between a leader and its name, and places tried for the column each way."""
SHARES = (0.4, 0.3, 0.2)
"""Of the square, for a name at most: the first with which the column finds a place."""


@dataclass(frozen=True)
class Verdicts:
    """Where the verdicts of a judge stand."""

    name: str
    fpr: float
    tpr: float
    j: float
    chosen: bool


def roc_space(
    verdicts: Sequence[Verdicts],
    scored: Scored | None,
    others: Sequence[Other] = (),
    *,
    positive: str,
    negative: str,
    theme: Theme,
    lines: Lines = "j",
    prevalence: float = 0.5,
    scale: float = 1.0,
    width: float = BROAD,
) -> Figure:
    """Return the square, one judge in full and the others grey; a click returns `customdata` [index in `verdicts` and `others`].

    Parameters
    ----------
    scored, others
        The curve of the chosen judge, drawn on top, and those of the other judges that give scores; their indices go on
        after those of `verdicts`.
    positive, negative : str
        The user's words for the labels.
    lines : {"j", "accuracy"}
        What the grey lines keep equal; accuracy at `prevalence`.
    width : float
        Width in px (before scaling) in which texts must not meet; the square keeps its shape in a wider place.
    """
    drawing = Drawing(style.tokens(theme), scale, positive, negative, width * scale)
    shown = [judge_verdicts for judge_verdicts in verdicts if not math.isnan(judge_verdicts.j)]
    texts = room(drawing, scored, others)
    for point in shown:
        texts.add(around(drawing.at((point.fpr, point.tpr)), drawing.px(6)))
    grey, notes = _iso(drawing, lines, prevalence)
    own = _chosen_name(drawing, shown, texts)
    leaders, names = column(drawing, _named(drawing, shown, others, led=not own), texts)
    notes += own + names
    on_top, words = ([], []) if scored is None else chosen(drawing, scored, texts)
    notes += [*words, guessing(drawing, texts)]
    if not shown and scored is None and not others:
        notes.append(marks.sentence(NOTHING, drawing.colours, scale) | {"bgcolor": drawing.colours.page})
    diagonal = path(drawing, [0, 1], [0, 1], drawing.colours.muted, 1.5, dash="dot")
    points = _points(drawing, shown, [verdicts.index(shown_point) for shown_point in shown])
    traces = [grey, diagonal, *leaders, *thin_curves(drawing, others, len(verdicts)), *on_top, *points]
    ticks = [0, 0.5, 1] if drawing.small else [0, 0.25, 0.5, 0.75, 1]
    return drawn(square_layout(drawing, ticks, room=(LEFT, RIGHT, BOTTOM, TOP)), traces, annotations=notes)


def stops(spots: Sequence[Spot], words: Sequence[str], *, theme: Theme) -> Stops:
    """Return the stops of a mark on the chosen curve, at each its J from the diagonal; see `metrics.figures.stops`."""
    return Stops(spots, words, [(style.tokens(theme).series[0], [((x, x), (x, y)) for x, y in spots])])


def alt(
    verdicts: Sequence[Verdicts], scored: Scored | None, others: Sequence[Other] = (), *, positive: str, negative: str
) -> str:
    """Return the figure in a sentence, for people who do not see it."""
    head = f"ROC space: how much {plain(positive)} is found against how much {plain(negative)} is called {plain(positive)}"
    clauses = [
        f"{plain(judge_verdicts.name)}: true positives {percent(judge_verdicts.tpr)}, false positives "
        f"{percent(judge_verdicts.fpr)}, J {number(judge_verdicts.j)}"
        for judge_verdicts in verdicts
        if not math.isnan(judge_verdicts.j)
    ]
    if scored is not None:
        clauses.append(f"curve of {plain(scored.name)}: AUC {scored.area}")
        if scored.best is not None:
            clauses.append(f"best threshold {scored.best_cut}: J {number(scored.j_here)} on these items")
        if scored.cut is not None:
            clauses.append(
                f"chosen {scored.cut_words}: true positives {percent(scored.cut[1])}, false positives {percent(scored.cut[0])}"
            )
    clauses += [f"curve of {plain(other.name)}: AUC {other.area}" for other in others]
    return f"{head}. {'; '.join(clauses) or NOTHING}."


def _iso(drawing: Drawing, lines: Lines, prevalence: float) -> tuple[Trace, list[dict[str, Any]]]:
    """Return grey lines and their values where they leave the square."""
    wanted = LEVELS if lines == "j" else ACCURACIES
    segments = [(level, iso_j(level) if lines == "j" else iso_accuracy(level, prevalence)) for level in wanted]
    notes, x, y = [], [], []
    for level, ends in segments:
        if ends is None:
            continue
        x += [ends[0][0], ends[1][0], None]
        y += [ends[0][1], ends[1][1], None]
        above = ends[1][1] >= 1 - 1e-9
        text = f"J {tick(level)}" if lines == "j" else percent(level)
        place = {"xanchor": "center", "yanchor": "bottom", "yshift": drawing.px(4)} if above else {"xanchor": "left", "xshift": 4}
        size, colour = drawing.px(style.SMALL), drawing.colours.muted
        notes.append(annotation(text, ends[1][0], ends[1][1], size=size, colour=colour, **place))
    if lines == "accuracy":
        head = f"equal accuracy at {percent(prevalence)} {escape(fit(drawing.positive, 0.3 * drawing.side, drawing.size))}"
        size, colour = drawing.px(style.SMALL), drawing.colours.muted
        shift = {"yref": "paper", "xref": "paper", "yanchor": "bottom", "yshift": drawing.px(24), "xanchor": "left"}
        notes.append(annotation(head, 0, 1, size=size, colour=colour, **shift))
    return scatter(x, y, "lines", line={"color": drawing.colours.axis, "width": 1}, hoverinfo="skip"), notes


def _named(drawing: Drawing, shown: Sequence[Verdicts], others: Sequence[Other], *, led: bool) -> list[Named]:
    """Return every other judge, at its point or else on its curve, and `led` the chosen one; of many only that one."""
    points = [Named(one.name, f"J{HARD_SPACE}{number(one.j)}", (one.fpr, one.tpr), own=one.chosen) for one in shown]
    there = {one.name for one in shown}
    curves = [other for other in others if other.name not in there]
    curved = [Named(one.name, f"AUC{HARD_SPACE}{one.area}", leader_end(drawing, one, others)) for one in curves]
    rest = [mark for mark in (*points, *curved) if not mark.own]
    return (rest if len(rest) <= NAMED else []) + [mark for mark in points if mark.own and led]


def _chosen_name(drawing: Drawing, shown: Sequence[Verdicts], texts: Texts) -> list[dict[str, Any]]:
    for one in (one for one in shown if one.chosen):
        for share in (0.4, 0.3, 0.2):
            name = fit(one.name, share * drawing.side, drawing.size, bold=True)
            line = f"{name} J{HARD_SPACE}{number(one.j)}"
            labels = placed(drawing, texts, (one.fpr, one.tpr), [line], drawing.colours.judge, inline=name)
            if labels:
                return labels
    return []


def _points(drawing: Drawing, shown: Sequence[Verdicts], indices: Sequence[int]) -> list[Trace]:
    """Return points of verdicts, the chosen one on top with its upright, the others grey."""
    if not shown:
        return []
    colours = drawing.colours
    last = sorted(range(len(shown)), key=lambda i: shown[i].chosen)
    shown, indices = [shown[i] for i in last], [indices[i] for i in last]
    uprights = [upright(drawing, (one.fpr, one.tpr), colours.judge) for one in shown if one.chosen]
    marker = {
        "symbol": ["square" if one.chosen else "circle" for one in shown],
        "opacity": 1,
        "size": [drawing.px(12 if one.chosen else 8) for one in shown],
        "color": [colours.judge if one.chosen else colours.neutral for one in shown],
        "line": {"width": drawing.px(1), "color": colours.page},
    }
    hover = {"hovertext": [_hover(one) for one in shown]}
    x, y, clicks = [one.fpr for one in shown], [one.tpr for one in shown], [[place] for place in indices]
    return [*uprights, scatter(x, y, "markers", customdata=clicks, marker=marker, **hover, **marks.undimmed())]


def _hover(judge_verdicts: Verdicts) -> str:
    return (
        f"<b>{escape(judge_verdicts.name)}</b><br>true positives {percent(judge_verdicts.tpr)} · false positives "
        f"{percent(judge_verdicts.fpr)}<br>J {number(judge_verdicts.j)}"
    )


@dataclass(frozen=True)
class Named:
    """A mark with its judge's name, and its number in words; `own` of the chosen judge."""

    name: str
    number: str
    spot: Spot
    own: bool = False


def column(drawing: Drawing, judges: Sequence[Named], texts: Texts) -> tuple[list[Trace], list[dict[str, Any]]]:
    """Return the leaders and the names."""
    if not judges:
        return [], []
    box, names = _place(drawing, judges, texts)
    texts.add(box)
    high = drawing.size * LINE
    ends = [(box[0], box[1] + high * (row + 0.5)) for row in range(len(judges))]
    order = _uncrossed([drawing.at(judge.spot) for judge in judges], ends)
    look: dict[str, Any] = {"xanchor": "left", "bgcolor": drawing.colours.page, "opacity": 0.92, "size": drawing.size}
    notes, x, y = [], [], []
    for judge, name, row in zip(judges, names, order, strict=True):
        at = ends[row][0] / drawing.side, 1 - ends[row][1] / drawing.side
        text = f"{escape(name)}{HARD_SPACE}{escape(judge.number)}"
        colour = drawing.colours.judge if judge.own else drawing.colours.text
        notes.append(annotation(text, *at, colour=colour, xshift=NEAR / 2, **look))
        x += [judge.spot[0], at[0], math.nan]
        y += [judge.spot[1], at[1], math.nan]
    line = {"color": drawing.colours.neutral, "width": drawing.px(0.8)}
    return [scatter(x, y, "lines", line=line, hoverinfo="skip", connectgaps=False)], notes


def _place(drawing: Drawing, judges: Sequence[Named], texts: Texts) -> tuple[Box, list[str]]:
    """Return where the column stands, and the names as long as fit: below the diagonal, else wherever nothing else is."""
    for clear in (True, False):
        for share in SHARES:
            names = distinct_names(drawing, [judge.name for judge in judges], share)
            boxes = _boxes(drawing, judges, names)
            free = next((box for box in boxes if texts.free(box, clear=clear)), None)
            if free is not None:
                return free, names
    return boxes[0], names


def _boxes(drawing: Drawing, judges: Sequence[Named], names: Sequence[str]) -> list[Box]:
    """Return places for the column from the right lower corner on, the nearest to it first."""
    lines = (f"{name}{HARD_SPACE}{judge.number}" for judge, name in zip(judges, names, strict=True))
    wide = max(text_width(line, drawing.size) for line in lines) + NEAR
    high = drawing.size * LINE * len(judges)
    room = drawing.side - wide, drawing.side - high
    corners = [(room[0] * (1 - i / STEPS), room[1] * (1 - j / STEPS)) for i in range(STEPS + 1) for j in range(STEPS + 1)]
    near = sorted(corners, key=lambda corner: (room[0] - corner[0]) + (room[1] - corner[1]))
    return [(left, top, left + wide, top + high) for left, top in near]


def _uncrossed(spots: Sequence[Spot], ends: Sequence[Spot]) -> list[int]:
    """Return the row of each spot with which the leaders are shortest in sum: then no two of them cross."""
    long = np.array([[math.dist(spot, end) for end in ends] for spot in spots])
    rows, shorter = list(range(len(spots))), True
    while shorter:
        shorter = False
        for i, j in combinations(range(len(rows)), 2):
            if long[i, rows[j]] + long[j, rows[i]] < long[i, rows[i]] + long[j, rows[j]] - 1e-9:
                rows[i], rows[j], shorter = rows[j], rows[i], True
    return rows
