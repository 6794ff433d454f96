"""Who thinks alike in rows: on a narrow screen group by group, each rater with its own coefficient; of many, pair by pair."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from typing import Any

import numpy as np

from metrics.figures import levels, marks
from metrics.figures import theme as style
from metrics.figures.agreement_heatmap import alt as whole
from metrics.figures.agreement_heatmap_groups import by_group, mean_of
from metrics.figures.agreement_heatmap_parts import (
    NAMED,
    NOTHING,
    SMALLEST,
    AgreementHeatmap,
    Group,
    estimate_text,
    named,
    strip_axis,
    strip_hover,
)
from metrics.figures.levels import LevelRow, levels_dots
from metrics.figures.marks import Point, Sheet, annotation, stacked
from metrics.figures.rows import edge_text, name_width, row_name
from metrics.figures.theme import Theme, Tokens, escape, fit, text_width, wrap
from metrics.figures.traces import Figure, Trace, drawn
from metrics.results.estimate import Estimate
from metrics.results.words import HARD_SPACE, UNDEFINED, count, number, plain, several, shorten_all

ROW, LINE, BEFORE, AFTER, AXIS, HEAD = 17, 17, 10, 2, 28, 22
"""Px of a rater and of a line of a heading, before and after a heading, of the axis, and of the name of the strip."""
NAMES, MARGIN, DOT = 0.5, 14, 8
NARROW = 340.0
NO_GROUP = "in no group"
PAIRS = 16
"""Pairs drawn."""
REASON = "one label only"
ENDS = 10
"""Raters at each end, where there are many and no groups."""


@dataclass(frozen=True)
class Part:
    """Neighbours under one heading."""

    first: int
    last: int
    lines: tuple[str, ...]
    grouped: bool


@dataclass(frozen=True)
class Drawing(Sheet):
    data: AgreementHeatmap
    estimates: tuple[Estimate, ...]
    """What the dots are: with the reference, else the mean with all others."""
    width: float
    given: tuple[Part, ...] = ()
    """Parts that are not the groups."""

    @cached_property
    def parts(self) -> list[Part]:
        """Groups in order, and what stands between them."""
        if self.given:
            return list(self.given)
        parts, at = [], 0
        for group in [*self.data.groups, None]:
            end = len(self.data) if group is None else group.first
            if at < end:
                parts.append(Part(at, end - 1, (NO_GROUP,) if self.data.groups else (), grouped=False))
            if group is not None:
                parts.append(Part(group.first, group.last, self._heading(group), grouped=True))
                at = group.last + 1
        return parts

    def _heading(self, group: Group) -> tuple[str, ...]:
        text = f"mean {self.data.symbol} {number(group.mean)}"
        shares = ", ".join(map(plain, group.shares)) or f"{count(group.last - group.first + 1)} {self.data.who}"
        shares = shares.replace(" × ", f"{HARD_SPACE}×{HARD_SPACE}")
        return tuple(wrap(f"{text} · {shares}", self.width - 8, self.px(style.TEXT), bold=True))

    @cached_property
    def tops(self) -> list[float]:
        """Px of every part, and of the end."""
        high = [self.above(part) + self.px(ROW) * (part.last - part.first + 1) for part in self.parts]
        return list(accumulate(high, initial=style.TOP + self.px(HEAD)))

    def above(self, part: Part) -> float:
        """Return px from the top of a part to its first rater."""
        return self.px(BEFORE + LINE * len(part.lines) + AFTER) if part.lines else 0.0

    @cached_property
    def middles(self) -> list[float]:
        """Px of every rater."""
        return [
            top + self.above(part) + self.px(ROW) * (i + 0.5)
            for part, top in zip(self.parts, self.tops, strict=False)
            for i in range(part.last - part.first + 1)
        ]

    @property
    def foot(self) -> float:
        return self.tops[-1] + self.px(4)

    @cached_property
    def shorts(self) -> list[str]:
        return shorten_all(self.data.names)

    @cached_property
    def left(self) -> float:
        return name_width(self.shorts, self.px(SMALLEST), self.scale, NAMES * self.width, gap=10 + MARGIN)

    @cached_property
    def right(self) -> float:
        return text_width("−0.00", self.px(style.SMALL)) + self.px(8)


def alike_list(heatmap: AgreementHeatmap, *, theme: Theme, scale: float = 1.0, width: float = NARROW) -> Figure:
    """Return `alike.alike` for narrow screens. A clicked dot returns `customdata` [index of the row].

    The dots are the reference's, as in the strip of the map; without a reference each rater's mean with all others.
    Above `NAMED` raters a group is one row, the mean over its members; without groups there are the `ENDS` raters with the lowest
    and the `ENDS` with the highest mean with the others.
    """
    colours = style.tokens(theme)
    drawing = _drawing(heatmap, colours, scale, width * scale)
    return marks.empty(drawing, colours, scale) if isinstance(drawing, str) else _figure(drawing)


def alt(heatmap: AgreementHeatmap) -> str:
    """Return what the map says, and the values of the dots where the map has none of them."""
    text, drawing = whole(heatmap), _drawing(heatmap, style.tokens("light"), 1.0, NARROW)
    if isinstance(drawing, str) or (heatmap.reference is not None and len(heatmap) <= NAMED):
        return text
    which = f"{' '.join(drawing.given[0].lines)} " if drawing.given else ""
    head = _named(drawing.data)
    spoken_values = "; ".join(
        f"{plain(name)} {estimate_text(with_reference)}"
        for name, with_reference in zip(drawing.data.names, drawing.estimates, strict=True)
    )
    return f"{text} {which}{head[:1].upper()}{head[1:]}: {spoken_values}."


def _drawing(heatmap: AgreementHeatmap, colours: Tokens, scale: float, width: float) -> Drawing | str:
    """Return what is drawn, or the sentence that stands in its place."""
    if len(heatmap) > NAMED and not heatmap.groups:
        return _ends(heatmap, colours, scale, width)
    if len(heatmap) > NAMED:
        heatmap = _groups_alone(heatmap)
    if len(heatmap) < 2 and not heatmap.groups:
        return NOTHING
    return Drawing(colours, scale, heatmap, _estimates(heatmap), width)


def _ends(heatmap: AgreementHeatmap, colours: Tokens, scale: float, width: float) -> Drawing | str:
    """Return the raters that agree least and most with the others, each under a line of text."""
    heatmap = replace(heatmap, reference=None)
    with_references = _estimates(heatmap)
    there = sorted(
        (i for i, with_reference in enumerate(with_references) if not math.isnan(with_reference.value)),
        key=lambda i: with_references[i].value,
    )
    each, gone = min(ENDS, len(there) // 2), len(heatmap) - len(there)
    everyone = several(len(heatmap), heatmap.who)
    if not each:
        return f"{everyone}: fewer than two with a {_named(heatmap)}"
    kept = [*there[:each], *there[-each:]]
    shown = replace(
        heatmap,
        names=[heatmap.names[i] for i in kept],
        values=heatmap.values[np.ix_(kept, kept)],
        shared=heatmap.shared[np.ix_(kept, kept)],
        note=f"{several(gone, heatmap.who)} without any {heatmap.symbol}" if gone else "",
    )
    who = f"the {each} with the lowest and the {each} with the highest {_named(heatmap)}" if each > 1 else "lowest and highest"
    size = scale * style.SMALL
    lines = wrap(f"No groups among {everyone}. Here are {who}.", width - 8, size, lines=4)
    part = Part(0, -1, tuple(lines), grouped=False)
    parts = (part, Part(0, each - 1, ("Lowest",), grouped=False), Part(each, 2 * each - 1, ("Highest",), grouped=False))
    return Drawing(colours, scale, shown, tuple(with_references[i] for i in kept), width, parts)


def _figure(drawing: Drawing) -> Figure:
    texts = [*_headings(drawing), *_names(drawing), *_values(drawing), _head(drawing), *_note(drawing)]
    return drawn(_layout(drawing), [_dots(drawing)], annotations=texts, shapes=_lines(drawing))


def _groups_alone(heatmap: AgreementHeatmap) -> AgreementHeatmap:
    """Return a group as one row under its own heading."""
    groups = by_group(heatmap)
    names = [f"{count(group.last - group.first + 1)} {heatmap.who}" for group in heatmap.groups]
    rows = tuple(replace(group, first=i, last=i) for i, group in enumerate(heatmap.groups))
    return replace(groups, names=names, groups=rows)


def _estimates(heatmap: AgreementHeatmap) -> tuple[Estimate, ...]:
    if heatmap.reference is not None:
        return tuple(heatmap.reference)
    return tuple(Estimate(mean_of(row), why="no pair has a value") for row in heatmap.pairs)


def _named(heatmap: AgreementHeatmap) -> str:
    if heatmap.reference is not None:
        return named(heatmap)
    return f"mean {heatmap.symbol} with the others"


def _layout(drawing: Drawing) -> dict[str, Any]:
    bottom = drawing.px(AXIS + (LINE if drawing.data.note else 0))
    axis = strip_axis(drawing, drawing.estimates)
    return drawing.list_layout(drawing.foot, axis, left=drawing.left, right=drawing.right, bottom=bottom)


def _dots(drawing: Drawing) -> Trace:
    heatmap = drawing.data
    points = [
        Point(estimate, y, strip_hover(heatmap, i, estimate, _named(heatmap)), [i])
        for i, (estimate, y) in enumerate(zip(drawing.estimates, drawing.middles, strict=True))
        if estimate.defined
    ]
    colour, symbol = style.coefficient(heatmap.symbol, drawing.colours)
    return marks.dots(points, colour=colour, symbol=symbol, scale=drawing.scale, size=DOT, thick=1.5)


def _headings(drawing: Drawing) -> list[dict[str, Any]]:
    texts = []
    for part, top in zip(drawing.parts, drawing.tops, strict=False):
        if not part.lines:
            continue
        text = f"<b>{stacked(part.lines)}</b>" if part.grouped else stacked(part.lines)
        y = top + drawing.px(BEFORE + LINE * len(part.lines) / 2)
        place = {"xref": "paper", "xanchor": "left", "xshift": -drawing.left + 4}
        size = drawing.px(style.TEXT if part.grouped else style.SMALL)
        colour = drawing.colours.text if part.grouped else drawing.colours.muted
        texts.append(annotation(text, 0, y, size=size, colour=colour, **place))
    return texts


def _names(drawing: Drawing) -> list[dict[str, Any]]:
    size, room = drawing.px(SMALLEST), drawing.left - 8 - MARGIN
    rows = zip(drawing.data.names, drawing.shorts, drawing.middles, strict=True)
    return [row_name(drawing, name, [fit(short, room, size)], y, size=size, gap=8) for name, short, y in rows]


def _values(drawing: Drawing) -> list[dict[str, Any]]:
    """Return every value at the right; where there is none, a dash, and its reason in the place of the dot."""
    size, colours = drawing.px(style.SMALL), drawing.colours
    texts, room = [], drawing.width - drawing.left - drawing.right
    for with_reference, y in zip(drawing.estimates, drawing.middles, strict=True):
        missing = math.isnan(with_reference.value)
        text, colour = (UNDEFINED, colours.muted) if missing else (number(with_reference.value), colours.text)
        texts.append(edge_text(text, y, drawing.right - 2, size=size, colour=colour))
        if missing and with_reference.why:
            place = {"xref": "paper", "xanchor": "left", "hovertext": escape(with_reference.why)}
            texts.append(annotation(escape(fit(with_reference.why, room, size)), 0, y, size=size, colour=colours.muted, **place))
    return texts


def _head(drawing: Drawing) -> dict[str, Any]:
    size = drawing.px(style.SMALL)
    text = fit(_named(drawing.data), drawing.width - 8, size)
    return edge_text(text, style.TOP + drawing.px(HEAD / 2), drawing.right - 2, size=size, colour=drawing.colours.muted)


def _note(drawing: Drawing) -> list[dict[str, Any]]:
    if not drawing.data.note:
        return []
    place = {"xref": "paper", "yref": "paper", "xanchor": "left", "xshift": -drawing.left + 4}
    y, size = -drawing.px(AXIS + LINE / 2), drawing.px(style.SMALL)
    text = escape(fit(drawing.data.note, drawing.width - 8, size))
    return [annotation(text, 0, 0, size=size, colour=drawing.colours.muted, yshift=y, **place)]


def _lines(drawing: Drawing) -> list[dict[str, Any]]:
    """Return a line along each group, and from 0 to 1 behind every dot."""
    ink, grid = ({"color": colour, "width": drawing.px(1.5)} for colour in (drawing.colours.text, drawing.colours.grid))
    beside = {"xref": "paper", "xsizemode": "pixel", "xanchor": 0, "x0": -drawing.left + 6, "x1": -drawing.left + 6}
    half, shapes = drawing.px(ROW) / 2 - 1, []
    for part in drawing.parts:
        if part.grouped:
            ends = {"y0": drawing.middles[part.first] - half, "y1": drawing.middles[part.last] + half}
            shapes.append({"type": "line", "line": ink, "layer": "above", **ends, **beside})
    for with_reference, y in zip(drawing.estimates, drawing.middles, strict=True):
        if not math.isnan(with_reference.value):
            shapes.append({"type": "line", "x0": 0, "x1": 1, "y0": y, "y1": y, "line": grid, "layer": "below"})
    return shapes


def pair_list(matrix: AgreementHeatmap, *, theme: Theme, scale: float = 1.0, width: float = 340) -> Figure:
    """Return a row per pair with its coefficient and shared decisions, the most first.

    Parameters
    ----------
    width : float
        The narrowest width in px (before scaling) at which no two texts may meet.
    """
    look = {"theme": theme, "scale": scale, "width": width}
    return levels_dots(_pair_rows(matrix), symbol=matrix.symbol, **look)  # type: ignore[arg-type]


def pairs_alt(matrix: AgreementHeatmap) -> str:
    """Return the figure in a sentence, for people who do not see it."""
    rows = _pair_rows(matrix)
    return levels.alt(rows, symbol=f"{matrix.symbol} of pairs of {matrix.who}") if rows else f"{NOTHING}."


def n_listed(matrix: AgreementHeatmap) -> int:
    """Return how many pairs are drawn."""
    return len(_pair_rows(matrix))


def lists_every_pair(matrix: AgreementHeatmap) -> bool:
    """Return whether there are two to compare, and every two that share a decision are drawn."""
    return 0 < int(np.triu(matrix.shared > 0, 1).sum()) <= PAIRS


def _pair_rows(matrix: AgreementHeatmap) -> list[LevelRow]:
    above = np.argwhere(np.triu(matrix.shared > 0, 1))
    pairs = sorted(above.tolist(), key=lambda pair: -int(matrix.shared[tuple(pair)]))[:PAIRS]
    return [
        LevelRow(
            f"{plain(matrix.names[i])} · {plain(matrix.names[j])}",
            Estimate(float(matrix.values[i, j]), why="" if np.isfinite(matrix.values[i, j]) else REASON),
            note=f"n {count(int(matrix.shared[i, j]))}",
        )
        for i, j in pairs
    ]
