"""Rates of giving no verdict: a row per group, the judge filled and the human open, each with its whisker."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from metrics.analyses.abstention.nonresponse import Group
from metrics.analyses.abstention.shares import Share
from metrics.figures import marks
from metrics.figures import theme as style
from metrics.figures.axes import inner_ticks
from metrics.figures.marks import Point, annotation
from metrics.figures.rows import AxisRows, edge_text, name_width, row_areas, row_names, rows_layout
from metrics.figures.theme import Theme, escape, text_width
from metrics.figures.traces import Figure, drawn
from metrics.results import words
from metrics.results.words import count, plain

TALL, TWO = 40, 52
"""Height of a row in px with one side and with two."""
MOST_TICKS = 5
NOTHING = "No decision to show"


@dataclass(frozen=True)
class Drawing(AxisRows):
    rows: Sequence[Group]

    @property
    def step(self) -> float:
        return self.px(TWO if any(len(row.sides) > 1 for row in self.rows) else TALL)

    @property
    def left(self) -> float:
        names = [plain(row.name) for row in self.rows]
        return name_width(names, self.px(style.TEXT), self.scale, 0.36 * self.width)

    @property
    def right(self) -> float:
        counts = [count(estimate.total) for row in self.rows for _, estimate in row.sides]
        return max(text_width(text, self.px(style.TEXT)) for text in counts) + self.px(16)

    @cached_property
    def ends(self) -> tuple[float, float]:
        """The largest value, with room for the number right of it."""
        drawn = marks.reached(estimate for row in self.rows for _, estimate in row.sides)
        top = max([0.05, *drawn]) / (1 - self.px(46) / self.plot)
        return -0.02 * top, top

    def place(self, row: int, side: str) -> float:
        if len(self.rows[row].sides) < 2:
            return self.centre(row)
        return self.centre(row) + self.px(-11 if side == "judge" else 11)


def silence_rates(rows: Sequence[Group], *, theme: Theme, selected: int | None = None, scale: float = 1.0) -> Figure:
    """Return rates of every group in the order given; a clicked row returns `customdata` [index]."""
    colours = style.tokens(theme)
    drawing = Drawing(colours, scale, rows, selected, style.NARROWEST * scale)
    if not rows:
        return marks.empty(NOTHING, colours, scale)
    traces = [row_areas(drawing, drawing.ends, [_hover(row) for row in rows])]
    for side, colour, symbol in (("judge", colours.judge, "square"), ("human", colours.reference, "square-open")):
        points = _points(drawing, side)
        if points:
            traces.append(marks.dots(points, colour=colour, symbol=symbol, scale=scale))
    return drawn(_layout(drawing), traces, annotations=[*_heads(drawing), *row_names(drawing), *_numbers(drawing)])


def alt(rows: Sequence[Group], what: str) -> str:
    """Return the figure in a sentence, for people who do not see it."""
    if not rows:
        return f"{NOTHING}."
    return f"No verdict by {what}. " + "; ".join(_row_text(row) for row in rows) + "."


def _row_text(row: Group) -> str:
    return f"{plain(row.name)} " + ", ".join(
        f"{side} {_rate_text(estimate)} of {count(estimate.total)}" for side, estimate in row.sides
    )


def _rate_text(estimate: Share) -> str:
    return words.estimate(estimate, "%") if estimate.defined else "undefined"


def _layout(drawing: Drawing) -> dict[str, Any]:
    ticks = inner_ticks(0.0, drawing.ends[1], MOST_TICKS, last=1.0)
    axis = drawing.axis(*drawing.ends, ticks, [words.percent(tick) for tick in ticks])
    return rows_layout(drawing, axis)


def _hover(row: Group) -> str:
    lines = [
        f"{side} <b>{_rate_text(estimate)}</b>: {count(estimate.count)} of {count(estimate.total)} open"
        for side, estimate in row.sides
    ]
    return "<br>".join([escape(row.name), *lines])


def _points(drawing: Drawing, side: str) -> list[Point]:
    return [
        Point(estimate, drawing.place(i, side), _hover(row), [i])
        for i, row in enumerate(drawing.rows)
        for which, estimate in row.sides
        if which == side and estimate.defined
    ]


def _heads(drawing: Drawing) -> list[dict[str, Any]]:
    y, muted, size = drawing.head - drawing.px(drawing.HEAD / 2), drawing.colours.muted, drawing.px(style.TICK)
    sides = [side for side in ("judge", "human") if any(side == which for row in drawing.rows for which, _ in row.sides)]
    marks_of = {"judge": "■ judge", "human": "□ human"}
    text = "   ".join(marks_of[side] for side in sides)
    return [
        annotation(text, 0, y, size=size, colour=muted, xref="paper", xanchor="left"),
        edge_text("n", y, drawing.right - 2, size=size, colour=muted),
    ]


def _numbers(drawing: Drawing) -> list[dict[str, Any]]:
    """Return the rate right of its whisker, and how many decisions it rests on at the edge."""
    texts = []
    for i, row in enumerate(drawing.rows):
        for side, estimate in row.sides:
            y, bold = drawing.place(i, side), side == "judge"
            colour = drawing.colours.judge if bold else drawing.colours.reference
            at = max(marks.reached([estimate]), default=0.0)
            text = words.percent(estimate.value)
            place = {"xanchor": "left", "xshift": drawing.px(8), "bgcolor": marks.CLEAR}
            texts.append(annotation(text, at, y, size=drawing.px(style.TEXT), colour=colour, **place))
            edge: dict[str, Any] = {"size": drawing.px(style.TICK), "colour": drawing.colours.muted}
            texts.append(edge_text(count(estimate.total), y, drawing.right - 2, **edge))
    return texts
