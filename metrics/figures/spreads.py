"""How far the interval of independent decisions reaches from a value, above how far the one of whole items does."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from metrics.analyses.planning.independence import Spread
from metrics.figures import marks
from metrics.figures import theme as style
from metrics.figures.axes import inner_ticks
from metrics.figures.marks import Point, Sheet, annotation
from metrics.figures.theme import Theme, escape, text_width
from metrics.figures.traces import Figure, Trace, drawn
from metrics.measures.catalogue import BY_KEY
from metrics.measures.transforms import Interval
from metrics.results import words
from metrics.results.estimate import Estimate

STEP, HEAD, AXIS = 54, 38, 50
FLAT, ITEMS = 0.3, 0.66
"""Where the two whiskers stand in a row, as shares of it."""
KIND, COLUMN = 42, 52
PAD = 0.05
MOST_TICKS = 4
NOTHING = "No interval to compare"


@dataclass(frozen=True)
class Drawing(Sheet):
    rows: Sequence[Spread]
    low: float
    high: float

    @property
    def head(self) -> float:
        return style.TOP + self.px(HEAD)

    def at(self, row: int, share: float) -> float:
        return self.head + (row + share) * self.px(STEP)

    @property
    def foot(self) -> float:
        return self.at(len(self.rows), 0)

    @property
    def left(self) -> float:
        texts = [text for row in self.rows for text in _names(row)]
        widest = max(text_width(text, self.px(style.TEXT), bold=True) for text in texts)
        return widest + self.px(KIND) + self.px(8)


def flat_beside_items(rows: Sequence[Spread], *, theme: Theme, scale: float = 1.0) -> Figure:
    """Return one row per metric with two whiskers around its value.

    At the right how wide the flat one is, and the design effect.
    """
    if not any(row.flat.ends or row.clustered.ends for row in rows):
        return marks.empty(NOTHING, style.tokens(theme), scale)
    drawing = Drawing(style.tokens(theme), scale, rows, *_range(rows))
    traces = [trace for i, row in enumerate(rows) if row.flat.defined for trace in _whiskers(drawing, i, row)]
    return drawn(_layout(drawing), traces, annotations=[*_heads(drawing), *_texts(drawing)], shapes=_guides(drawing))


def alt(rows: Sequence[Spread]) -> str:
    """Return the figure in a sentence, for people who do not see it."""
    if not rows:
        return f"{NOTHING}."
    return f"Independent decisions against whole items. {'; '.join(_row_text(row) for row in rows)}."


def _row_text(row: Spread) -> str:
    unit = BY_KEY[row.metric].unit
    ends = [words.bounds(estimate.ends, unit, without="no interval") for estimate in (row.flat, row.clustered)]
    effect = f"{words.number(row.times)} times as wide, design effect {words.number(row.effect)}"
    return f"{BY_KEY[row.metric].symbol} {words.value(row.flat.value, unit)}: flat {ends[0]}, by item {ends[1]}, {effect}"


def _names(row: Spread) -> tuple[str, str]:
    record = BY_KEY[row.metric]
    return record.symbol, words.value(row.flat.value, record.unit)


def _range(rows: Sequence[Spread]) -> tuple[float, float]:
    """Return symmetric about 0, where every value stands."""
    reach = [abs(end - estimate.value) for row in rows for estimate in (row.flat, row.clustered) for end in estimate.ends or ()]
    most = (1 + PAD) * max(reach, default=1.0)
    return -most, most


def _layout(drawing: Drawing) -> dict[str, Any]:
    ticks = inner_ticks(drawing.low, drawing.high, MOST_TICKS)
    axis = drawing.axis(drawing.low, drawing.high, ticks, [f"{'+' if tick > 0 else ''}{words.tick(tick)}" for tick in ticks])
    left, right = math.ceil(drawing.left), math.ceil(drawing.px(2 * COLUMN))
    return drawing.list_layout(drawing.foot, axis, left=left, right=right, bottom=drawing.px(AXIS))


def _whiskers(drawing: Drawing, i: int, row: Spread) -> list[Trace]:
    colour, shape = style.coefficient(BY_KEY[row.metric].symbol, drawing.colours)
    kinds = ((FLAT, row.flat, drawing.colours.muted, True), (ITEMS, row.clustered, colour, False))
    traces = []
    for share, estimate, ink, is_open in kinds:
        low, high = estimate.ends or (math.nan, math.nan)
        about_zero = Estimate(0.0, Interval(low - estimate.value, high - estimate.value, estimate.method))
        hover = f"<b>{'independent decisions' if is_open else 'whole items'}</b><br>{_estimate_text(row.metric, estimate)}"
        point = Point(about_zero, drawing.at(i, share), hover, [i], open=is_open)
        traces.append(marks.dots([point], colour=ink, symbol=shape, scale=drawing.scale))
    return traces


def _estimate_text(metric: str, estimate: Estimate) -> str:
    unit = BY_KEY[metric].unit
    return f"{words.value(estimate.value, unit)} {words.bounds(estimate.ends, unit, without='no interval')}"


def _heads(drawing: Drawing) -> list[dict[str, Any]]:
    size, colour = drawing.px(style.TICK), drawing.colours.muted
    y = style.TOP + drawing.px(HEAD / 2)
    heads = (("flat is<br>× as wide", COLUMN), ("design<br>effect", 0))
    return [
        annotation(text, 1, y, size=size, colour=colour, xref="paper", xanchor="right", xshift=drawing.px(2 * COLUMN - shift))
        for text, shift in heads
    ]


def _texts(drawing: Drawing) -> list[dict[str, Any]]:
    texts = [marks.below(drawing, "distance from the value", AXIS, xref="x")]
    size, text, muted = drawing.px(style.TEXT), drawing.colours.text, drawing.colours.muted
    for i, row in enumerate(drawing.rows):
        symbol, value = (escape(text) for text in _names(row))
        middle = drawing.at(i, (FLAT + ITEMS) / 2)
        near, far = {"xref": "paper", "xanchor": "right"}, {"xref": "paper", "xanchor": "left"}
        for name, share in ((f"<b>{symbol}</b>", FLAT), (value, ITEMS)):
            texts.append(annotation(name, 0, drawing.at(i, share), size=size, colour=text, xshift=-drawing.left + 2, **far))
        for word, share in (("flat", FLAT), ("items", ITEMS)):
            y = drawing.at(i, share)
            texts.append(annotation(word, 0, y, size=drawing.px(style.TICK), colour=muted, xshift=-drawing.px(8), **near))
        for shown, column in ((words.number(row.times), COLUMN), (words.number(row.effect), 0)):
            shift = drawing.px(2 * COLUMN - column)
            texts.append(annotation(shown, 1, middle, size=size, colour=text, xshift=shift, **near))
    return texts


def _guides(drawing: Drawing) -> list[dict[str, Any]]:
    line = {"color": drawing.colours.grid, "width": 1}
    return [marks.upright(at, (drawing.head, drawing.foot), line) for at in inner_ticks(drawing.low, drawing.high, MOST_TICKS)]
