"""κ/φ over the two label rates: lines of equal value, the diagonal where κ = φ, and every criterion in its place."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from metrics.analyses.kappa_phi import surface as closed_form
from metrics.analyses.kappa_phi.rows import GapRow
from metrics.figures import marks
from metrics.figures import theme as style
from metrics.figures.fitting import Box, Places, around, distance, text_box
from metrics.figures.marks import Sheet, annotation
from metrics.figures.theme import Theme, escape, fit, text_width
from metrics.figures.traces import Figure, Trace, drawn, heatmap, scatter
from metrics.results.words import HARD_SPACE, number, p3, percent, plain, shorten_all, tick

BROAD, NARROW = 470, 340
"""Width in px of the figure in its place on a wide and on a narrow screen."""
LEFT, RIGHT, BOTTOM = 66, 24, 48
NAMED = 10
"""Points that carry their name: the furthest from the diagonal."""
EDGE = 0.84
"""Rate of the human at which the lines carry their value."""
DIAGONAL = 0.2
"""Where the name of the diagonal stands."""
DOT, CLEARANCE = 12, 4
NAME_SHARES = (0.5, 0.3, 0.2)
"""A name is at most so wide, as a share of the square; narrower where there is less room."""
REACHES = (24, 40, 60, 85, 115)
TURNS = (0.0, 0.4, -0.4, 0.8, -0.8, 1.2, -1.2, 2.2, -2.2, 3.1)
"""How far away a name may stand, in px, and in which directions, turned from straight away from the diagonal."""
NOTHING = "No criterion has a place here"
NO_MEAN = "A mean has no place here"
Spot = tuple[float, float]


@dataclass(frozen=True)
class Drawing(Sheet):
    rows: Sequence[GapRow]
    """Those with a table and a ratio, in the order given."""
    places: Sequence[int]
    """Their places in what was given."""
    positive: str
    width: float
    selected: str | None
    nothing: str
    """What stands where no row has a place."""

    @property
    def small(self) -> bool:
        return self.width < self.px(BROAD) * 0.8

    @property
    def size(self) -> float:
        return self.px(style.SMALL if self.small else style.TEXT)

    @property
    def side(self) -> float:
        """Of the square, in px."""
        return self.width - self.px(LEFT + RIGHT)

    def spot(self, pi: float, pihat: float) -> tuple[float, float]:
        return pi * self.side, (1 - pihat) * self.side


def gap_surface(
    rows: Sequence[GapRow],
    *,
    positive: str,
    theme: Theme,
    selected: str | None = None,
    scale: float = 1.0,
    width: float = BROAD,
) -> Figure:
    """Return the square of both rates; a clicked point returns `customdata` [index in `rows`].

    Parameters
    ----------
    positive : str
        The user's word for the positive label.
    selected : str or None
        Name of the outlined point.
    width : float
        Width in px (before scaling) of the figure; the square keeps its shape in a wider place.
    """
    places = [i for i, row in enumerate(rows) if row.placed]
    placed, colours = [rows[i] for i in places], style.tokens(theme)
    drawing = Drawing(colours, scale, placed, places, positive, width * scale, selected, _nothing(rows))
    traces = [_tint(drawing), _lines(drawing), _diagonal(drawing), *([_points(drawing)] if drawing.rows else [])]
    return drawn(_layout(drawing), traces, annotations=_texts(drawing))


def alt(rows: Sequence[GapRow], *, positive: str = "the positive label", small: bool = False) -> str:
    """Return the figure in a sentence, for people who do not see it, with the digits that are printed in it."""
    head = f"κ/φ over how often human and judge say {plain(positive)}; on the diagonal κ = φ"
    placed = [row for row in rows if row.placed]
    if not placed:
        return f"{head}. {_nothing(rows)}."
    return f"{head}. {'; '.join(_row_text(row, small) for row in placed)}."


def _nothing(rows: Sequence[GapRow]) -> str:
    return NOTHING if all(row.has_table for row in rows) else NO_MEAN


def _row_text(row: GapRow, small: bool) -> str:
    rates = f"human {percent(row.prevalence)}, judge {percent(row.predicted)}"
    return f"{plain(row.name)}: {rates}, κ/φ {_ratio(row, small)}"


def _ratio(row: GapRow, small: bool) -> str:
    """Return a ratio as it is printed: a small figure has room for two digits only."""
    return number(row.ratio) if small else p3(row.ratio)


def named(rows: Sequence[GapRow]) -> list[int]:
    """Return places of the rows that carry their name, the furthest from the diagonal first."""
    return sorted(range(len(rows)), key=lambda i: rows[i].ratio)[:NAMED]


def _layout(drawing: Drawing) -> dict[str, Any]:
    margin = style.margin(drawing.px(LEFT), drawing.px(RIGHT), drawing.px(BOTTOM), style.TOP)
    words = escape(fit(drawing.positive, 0.4 * drawing.side, drawing.size))
    axes = style.squared(_axis(drawing, f"human says {words}, π"), _axis(drawing, f"judge says {words}, π̂"))
    height = style.TOP + drawing.side + drawing.px(BOTTOM)
    return style.layout(drawing.colours, height=height, scale=drawing.scale, margin=margin, **axes)


def _axis(drawing: Drawing, title: str) -> dict[str, Any]:
    ticks = [0, 0.25, 0.5, 0.75, 1] if not drawing.small else [0, 0.5, 1]
    return style.share_axis(drawing.colours, ticks, drawing.scale, title, drawing.size)


def _tint(drawing: Drawing) -> Trace:
    rates, ratios = closed_form.grid()
    colours = drawing.colours
    scale = [[0, colours.below_zero], [0.35, colours.below_zero], [0.8, style.blend(colours.page, colours.correct_fill, 0.6)]]
    return heatmap(
        x=rates.astype(np.float32),
        y=rates.astype(np.float32),
        z=ratios.astype(np.float32),
        zmin=0,
        zmax=1,
        zsmooth="best",
        colorscale=[*scale, [0.95, colours.page], [1, colours.page]],
        showscale=False,
        hoverinfo="skip",
    )


def _lines(drawing: Drawing) -> Trace:
    both = [closed_form.line(level, lenient=lenient) for level in closed_form.LEVELS for lenient in (True, False)]
    gap = [np.nan]
    line = {"color": drawing.colours.neutral, "width": 1}
    x, y = (np.concatenate([np.concatenate([ends[at], gap]) for ends in both]).astype(np.float32) for at in (0, 1))
    return scatter(x=x, y=y, mode="lines", line=line, hoverinfo="skip", connectgaps=False)


def _diagonal(drawing: Drawing) -> Trace:
    line = {"color": drawing.colours.text, "width": 2}
    return scatter(x=[0, 1], y=[0, 1], mode="lines", line=line, hoverinfo="skip")


def _points(drawing: Drawing) -> Trace:
    chosen = [row.name == drawing.selected for row in drawing.rows]
    return scatter(
        x=[row.prevalence for row in drawing.rows],
        y=[row.predicted for row in drawing.rows],
        mode="markers",
        customdata=[[place] for place in drawing.places],
        hovertext=[_hover(row) for row in drawing.rows],
        cliponaxis=False,
        marker={
            "symbol": "circle",
            "color": drawing.colours.judge,
            "size": drawing.px(DOT * (0.75 if len(drawing.rows) > NAMED else 1)),
            "opacity": 1,
            "line": {
                "color": [drawing.colours.text if yes else drawing.colours.page for yes in chosen],
                "width": [3 if yes else 1 for yes in chosen],
            },
        },
        **marks.undimmed(),
    )


def _hover(row: GapRow) -> str:
    rates = f"human {percent(row.prevalence)}, judge {percent(row.predicted)}"
    return f"<b>{escape(row.name)}</b><br>κ/φ {escape(p3(row.ratio))}<br>{escape(rates)}"


def _texts(drawing: Drawing) -> list[dict[str, Any]]:
    """Return the fixed texts first; the names of the points where they leave room."""
    places = Places(drawing.side, drawing.side)
    texts = [*_edge_labels(drawing, places), _name_of_diagonal(drawing, places), *_corners(drawing, places)]
    for row in drawing.rows:
        places.add(around(drawing.spot(row.prevalence, row.predicted), drawing.px(DOT) / 2))
    shorts = shorten_all([row.name for row in drawing.rows])
    for i in named(drawing.rows):
        label = _label(drawing, drawing.rows[i], shorts[i], places)
        texts += [label] if label else []
    if not drawing.rows:
        chip = {"bgcolor": drawing.colours.page}
        texts.append(annotation(drawing.nothing, 0.5, 0.62, size=drawing.size, colour=drawing.colours.text, **chip))
    return texts


def _edge_labels(drawing: Drawing, places: Places) -> list[dict[str, Any]]:
    labels, size = [], drawing.px(style.SMALL if drawing.small else style.TICK)
    for level in closed_form.LEVELS:
        rate = float(closed_form.judge_rate_on_line(level, EDGE, lenient=False))
        text = tick(level)
        places.add(text_box(drawing.spot(EDGE, rate), (text_width(text, size) + 4, 1.2 * size)))
        chip = {"bgcolor": drawing.colours.page, "borderpad": 0}
        labels.append(annotation(text, EDGE, rate, size=size, colour=drawing.colours.text, **chip))
    return labels


def _name_of_diagonal(drawing: Drawing, places: Places) -> dict[str, Any]:
    places.add(around(drawing.spot(DIAGONAL, DIAGONAL), drawing.px(20)))
    chip = {"textangle": -45, "bgcolor": drawing.colours.page}
    return annotation("κ = φ", DIAGONAL, DIAGONAL, size=drawing.size, colour=drawing.colours.text, **chip)


def _corners(drawing: Drawing, places: Places) -> list[dict[str, Any]]:
    """Return which side of the diagonal is which; in the user's own word."""
    texts = []
    at = drawing.size / drawing.side
    for pi, pihat, anchor, word in ((at / 2, 1 - at, "left", "more"), (1 - at / 2, at, "right", "less")):
        rest = text_width(f"judge says  {word} often", drawing.size, bold=True)
        text = f"judge says {fit(drawing.positive, 0.66 * drawing.side - rest, drawing.size, bold=True)} {word} often"
        size = text_width(text, drawing.size, bold=True), 1.3 * drawing.size
        places.add(text_box(drawing.spot(pi, pihat), size, anchor))
        place = {"xanchor": anchor}
        texts.append(annotation(f"<b>{escape(text)}</b>", pi, pihat, size=drawing.size, colour=drawing.colours.text, **place))
    return texts


def _label(drawing: Drawing, row: GapRow, short: str, places: Places) -> dict[str, Any] | None:
    """Return a point's name and ratio beside it, else at the end of a line; None where there is no room for either."""
    spot = drawing.spot(row.prevalence, row.predicted)
    others = [drawing.spot(other.prevalence, other.predicted) for other in drawing.rows if other is not row]
    value = _ratio(row, drawing.small)
    high = drawing.size * 1.25
    texts = [fit(short, share * drawing.side, drawing.size) for share in NAME_SHARES]
    for name in dict.fromkeys(texts):
        wide = _wide(drawing, name, value)
        for anchor, dx, dy in _candidates(drawing, row, high):
            box = text_box(spot, (wide, high), anchor, dx, dy)
            if places.free(box) and _nearest(box, (spot[0] + dx, spot[1]) if dy == 0 else None, spot, others):
                places.add(box)
                return _written(drawing, row, (name, value), xanchor=anchor, xshift=dx, yshift=-dy)
    for name in dict.fromkeys(texts):
        label = _led(drawing, row, (name, value), high, places)
        if label:
            return label
    return None


def _wide(drawing: Drawing, name: str, value: str) -> float:
    return text_width(f"{name} ", drawing.size) + text_width(value, drawing.size, bold=True) + CLEARANCE


def _led(drawing: Drawing, row: GapRow, text: tuple[str, str], high: float, places: Places) -> dict[str, Any] | None:
    """Return a label away from its point, with a line to it that crosses nothing."""
    spot, wide = drawing.spot(row.prevalence, row.predicted), _wide(drawing, *text)
    away = math.pi * (1.25 if row.drift >= 0 else 0.25)
    for far in REACHES:
        for turn in TURNS:
            dx, dy = (drawing.px(far) * part for part in (math.cos(away + turn), math.sin(away + turn)))
            anchor = "left" if dx >= 0 else "right"
            box = text_box(spot, (wide, high), anchor, dx, dy)
            steps = [(spot[0] + dx * step / 16, spot[1] + dy * step / 16) for step in range(3, 16)]
            if places.free(box) and all(places.free(around(step, 1)) or _at(spot, step, drawing) for step in steps):
                places.add(box)
                line = {"showarrow": True, "arrowhead": 0, "arrowwidth": 1, "arrowcolor": drawing.colours.judge}
                return _written(drawing, row, text, xanchor=anchor, ax=dx, ay=dy, **line)
    return None


def _at(spot: Spot, step: Spot, drawing: Drawing) -> bool:
    return math.dist(spot, step) < drawing.px(DOT)


def _nearest(box: Box, start: Spot | None, spot: Spot, others: Sequence[Spot]) -> bool:
    """Return whether a label belongs to its point at sight: the nearest to where it starts, or by far the nearest to its box."""
    if start is not None:
        return all(math.dist(start, spot) < math.dist(start, other) for other in others if other != spot)
    return all(distance(box, spot) + CLEARANCE < distance(box, other) for other in others if other != spot)


def _written(drawing: Drawing, row: GapRow, text: tuple[str, str], **place: Any) -> dict[str, Any]:
    look = {"bgcolor": drawing.colours.page, "hovertext": _hover(row)} | place
    shown = f"{escape(text[0])}{HARD_SPACE}<b>{escape(text[1])}</b>"
    return annotation(shown, row.prevalence, row.predicted, size=drawing.size, colour=drawing.colours.judge, **look)


def _candidates(drawing: Drawing, row: GapRow, high: float) -> list[tuple[str, float, float]]:
    """Return anchors and shifts in px, away from the diagonal first."""
    gap = drawing.px(DOT) / 2 + drawing.px(CLEARANCE)
    outward = "right" if row.drift >= 0 else "left"
    sides = [outward, "left" if outward == "right" else "right"]
    up = -1 if row.drift >= 0 else 1
    candidates: list[tuple[str, float, float]] = []
    for lift in (0.0, 0.35, 0.7, 1.1, 1.6, 2.2):
        for way in (up, -up) if lift else (up,):
            for anchor in sides:
                across = gap if lift < 0.9 else gap / 2
                candidates.append((anchor, across if anchor == "left" else -across, way * lift * high))
            if lift >= 0.7:
                candidates.append(("center", 0.0, way * (lift * high + gap / 2)))
    return candidates
