"""Names of the other judges in ROC space: a column in the free part of the square, a leader from each name to its mark."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from metrics.figures.fitting import Box
from metrics.figures.marks import annotation
from metrics.figures.roc_parts import LINE, Drawing, Spot, Texts, distinct_names, scatter
from metrics.figures.theme import escape, text_width
from metrics.figures.traces import Trace
from metrics.results.words import HARD_SPACE

NAMED = 7
"""Judges beside the chosen one that are named; of more, each is named under the pointer."""
NEAR, STEPS = 6, 12
"""Px between a leader and its name, and places tried for the column each way."""
SHARES = (0.4, 0.3, 0.2)
"""Of the square, for a name at most: the first with which the column finds a place."""


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
