"""Every defensible set of choices on a narrow screen: a row per analysis, its choices in words above its whisker."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from metrics.analyses.multiverse.result import Multiverse
from metrics.figures import marks
from metrics.figures import theme as style
from metrics.figures.axes import tick_words
from metrics.figures.marks import Point
from metrics.figures.specification_curve import MOST, NOTHING, Choices, choices, hover
from metrics.figures.theme import Theme, escape, fit, text_width
from metrics.figures.traces import Figure, Trace, drawn, scatter
from metrics.results import words
from metrics.results.words import HARD_SPACE, UNDEFINED

TALL, DENSE, AXIS, WIDTH = 40, 7, 28, 340
"""Height of a row in px, with words and without; the axis; the narrowest width."""
ROOM = 0.03


@dataclass(frozen=True)
class Drawing(Choices):
    @property
    def worded(self) -> bool:
        return len(self.multiverse.columns) <= MOST

    @property
    def step(self) -> float:
        return self.px(TALL if self.worded else DENSE)

    @property
    def head(self) -> float:
        return style.TOP + self.px(2)

    @property
    def foot(self) -> float:
        return self.head + len(self.multiverse.columns) * self.step

    @cached_property
    def right(self) -> float:
        """Place of the values in px."""
        texts = [words.value(column.value, self.unit) for column in self.multiverse.columns] if self.worded else []
        return max((text_width(text, self.px(style.TEXT), bold=True) for text in texts), default=0.0) + self.px(8)


def turned_choices(multiverse: Multiverse, *, theme: Theme, scale: float = 1.0) -> Figure:
    """Return a row per analysis, lowest first; a clicked row returns `customdata` [index]. Above `MOST` rows without words."""
    drawing = Drawing(style.tokens(theme), scale, multiverse)
    if not multiverse.columns:
        return marks.empty(NOTHING, drawing.colours, scale)
    worded = [_words(drawing), _values(drawing)] if drawing.worded else []
    return drawn(_layout(drawing), [_areas(drawing), *_dots(drawing), *worded], shapes=_guides(drawing))


def _ends(drawing: Drawing) -> tuple[float, float]:
    pad = ROOM * (drawing.ticks[-1] - drawing.ticks[0])
    return drawing.ticks[0] - pad, drawing.ticks[-1] + pad


def _layout(drawing: Drawing) -> dict[str, Any]:
    axis = drawing.axis(*_ends(drawing), drawing.ticks, [tick_words(at, drawing.unit) for at in drawing.ticks])
    right, bottom = round(drawing.right) + 2, round(drawing.px(AXIS))
    return drawing.list_layout(drawing.foot, axis, left=4, right=right, bottom=bottom, barmode="overlay")


def _areas(drawing: Drawing) -> Trace:
    rows, tall = range(len(drawing.multiverse.columns)), max(drawing.step - 2, 3)
    return marks.areas(
        [(drawing.head + (row + 0.5) * drawing.step, tall) for row in rows],
        across=_ends(drawing),
        hovers=[hover(drawing.multiverse, row) for row in rows],
        colours=drawing.colours,
        selected=drawing.multiverse.declared_place,
    )


def _middle(drawing: Drawing, row: int) -> float:
    return drawing.head + (row + (0.72 if drawing.worded else 0.5)) * drawing.step


def _dots(drawing: Drawing) -> list[Trace]:
    """Return the declared one last, on top."""
    colour, symbol = drawing.look
    places = [i for i, column in enumerate(drawing.multiverse.columns) if column.defined]
    declared = [_point(drawing, i) for i in places if i == drawing.multiverse.declared_place]
    others = [_point(drawing, i) for i in places if i != drawing.multiverse.declared_place]
    size, thick = (9.0, style.WHISKER) if drawing.worded else (4.0, 1.0)
    look: dict[str, Any] = {"colour": colour, "symbol": symbol, "scale": drawing.scale}
    return [
        marks.dots(others, size=size, thick=thick, whisker=drawing.colours.neutral, **look),
        marks.dots(declared, size=13.0, **look),
    ]


def _point(drawing: Drawing, i: int) -> Point:
    return Point(drawing.multiverse.columns[i], _middle(drawing, i), hover(drawing.multiverse, i), [i])


def _words(drawing: Drawing) -> Trace:
    """Return the choices of every row, in one trace: a note for each would be slow to make."""
    size, room = drawing.px(style.SMALL), drawing.px(WIDTH) - 12 - drawing.right
    texts = [" · ".join(choices(drawing.multiverse, column)) or "no choice" for column in drawing.multiverse.columns]
    texts = [escape(fit(text, room, size)) for text in texts]
    heights = [drawing.head + i * drawing.step + drawing.px(12) for i in range(len(texts))]
    return _text(drawing, texts, heights, _ends(drawing)[0], size, drawing.colours.muted)


def _values(drawing: Drawing) -> Trace:
    columns = drawing.multiverse.columns
    texts = [escape(words.value(column.value, drawing.unit)) if column.defined else UNDEFINED for column in columns]
    texts = [f"{HARD_SPACE}{text}" for text in texts]
    heights = [drawing.head + (i + 0.5) * drawing.step for i in range(len(texts))]
    return _text(drawing, texts, heights, _ends(drawing)[1], drawing.px(style.TEXT), drawing.colours.text)


def _text(drawing: Drawing, texts: list[str], heights: list[float], x: float, size: float, colour: str) -> Trace:
    """Return one text per row, the declared one bold."""
    declared = drawing.multiverse.declared_place
    return scatter(
        x=[x] * len(texts),
        y=heights,
        mode="text",
        text=[f"<b>{text}</b>" if i == declared else text for i, text in enumerate(texts)],
        textposition="middle right",
        textfont={"size": size, "color": [drawing.colours.text if i == declared else colour for i in range(len(texts))]},
        cliponaxis=False,
        hoverinfo="skip",
    )


def _guides(drawing: Drawing) -> list[dict[str, Any]]:
    line = {"color": drawing.colours.grid, "width": 1}
    return [marks.upright(0, (drawing.head, drawing.foot), line)] if drawing.ticks[0] < 0 else []
