"""How far the interval of independent decisions reaches from a value, above how far the one of whole items does."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from metrics.analyses.planning.independence import Spread
from metrics.figures import marks
from metrics.figures import theme as style
from metrics.figures.axes import inner_ticks
from metrics.figures.marks import Point, annotation
from metrics.figures.rows import AxisRows, EdgeColumn, edge_columns, rows_layout
from metrics.figures.theme import Theme, escape, text_width
from metrics.figures.traces import Figure, Trace, drawn
from metrics.measures.catalogue import BY_KEY
from metrics.measures.transforms import Interval
from metrics.results import words
from metrics.results.estimate import Estimate

AXIS = 50
FLAT, ITEMS = 0.3, 0.66
"""Where the two whiskers stand in a row, as shares of it."""
KIND = 42
PAD = 0.05
STEPS = 2.5
"""Most ticks on a side; round steps are at most this many times the next smaller one, so there is one tick at least."""
NOTHING = "No interval to compare"


@dataclass(frozen=True)
class Drawing(AxisRows):
    ROW: ClassVar = 54
    HEAD: ClassVar = 38
    rows: Sequence[Spread]

    @property
    def head_size(self) -> float:
        return self.px(style.TICK)

    @cached_property
    def columns(self) -> list[EdgeColumn]:
        """How wide the flat interval is, and the design effect."""
        colours = [self.colours.text] * len(self.rows)
        numbers = {"flat is\n× as wide": [row.times for row in self.rows], "design\neffect": [row.effect for row in self.rows]}
        return [EdgeColumn(head, [*map(words.number, column)], colours=colours) for head, column in numbers.items()]

    def at(self, row: int, share: float) -> float:
        return self.head + (row + share) * self.step

    @cached_property
    def left(self) -> float:
        texts = [text for row in self.rows for text in _names(row)]
        widest = max(text_width(text, self.px(style.TEXT), bold=True) for text in texts)
        return widest + self.px(KIND) + self.px(8)

    @cached_property
    def ends(self) -> tuple[float, float]:
        """Symmetric about 0, where every value stands."""
        estimates = [(row.flat, row.clustered) for row in self.rows]
        reach = [abs(end - one.value) for pair in estimates for one in pair for end in one.ends or ()]
        most = (1 + PAD) * max(reach, default=1.0)
        return -most, most

    @cached_property
    def ticks(self) -> list[float]:
        """0 and the last round distance on both sides of it."""
        last = inner_ticks(0.0, self.ends[1], STEPS)[-1]
        return sorted({-last, 0.0, last})


def flat_beside_items(rows: Sequence[Spread], *, theme: Theme, scale: float = 1.0) -> Figure:
    """Return one row per metric with two whiskers around its value.

    At the right how wide the flat one is, and the design effect.
    """
    if not any(row.flat.ends or row.clustered.ends for row in rows):
        return marks.empty(NOTHING, style.tokens(theme), scale)
    drawing = Drawing(style.tokens(theme), scale, rows, None, style.NARROWEST * scale)
    traces = [trace for i, row in enumerate(rows) if row.flat.defined for trace in _whiskers(drawing, i, row)]
    return drawn(_layout(drawing), traces, annotations=[*edge_columns(drawing), *_texts(drawing)], shapes=_guides(drawing))


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


def _layout(drawing: Drawing) -> dict[str, Any]:
    texts = [f"{'+' if tick > 0 else ''}{words.tick(tick)}" for tick in drawing.ticks]
    return rows_layout(drawing, drawing.axis(*drawing.ends, drawing.ticks, texts), AXIS)


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
    return " ".join(words.apart(estimate, unit, "no interval"))


def _texts(drawing: Drawing) -> list[dict[str, Any]]:
    texts = [marks.below(drawing, "distance from the value", AXIS, xref="x")]
    size, text, muted = drawing.px(style.TEXT), drawing.colours.text, drawing.colours.muted
    for i, row in enumerate(drawing.rows):
        symbol, value = (escape(text) for text in _names(row))
        near, far = {"xref": "paper", "xanchor": "right"}, {"xref": "paper", "xanchor": "left"}
        for name, share in ((f"<b>{symbol}</b>", FLAT), (value, ITEMS)):
            texts.append(annotation(name, 0, drawing.at(i, share), size=size, colour=text, xshift=-drawing.left + 2, **far))
        for word, share in (("flat", FLAT), ("items", ITEMS)):
            y = drawing.at(i, share)
            texts.append(annotation(word, 0, y, size=drawing.px(style.TICK), colour=muted, xshift=-drawing.px(8), **near))
    return texts


def _guides(drawing: Drawing) -> list[dict[str, Any]]:
    line = {"color": drawing.colours.grid, "width": 1}
    return [marks.upright(at, (drawing.head, drawing.foot), line) for at in drawing.ticks]
