"""Every coefficient of one table as a bar, in one order, with its value and, where there is room, its formula in numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from metrics.content.lab.formulas import LONGEST, Worked
from metrics.content.lab.pictures import Picture
from metrics.figures import marks
from metrics.figures import theme as style
from metrics.figures.fitting import inward
from metrics.figures.lab_parts import called, nothing
from metrics.figures.marks import Sheet, annotation, stacked
from metrics.figures.theme import Theme, escape, text_width, wrap
from metrics.figures.traces import Figure, Trace, bar, drawn, scatter
from metrics.measures.catalogue import BY_KEY
from metrics.results.words import MINUS, UNDEFINED, number, plain

ROW, BAR, HEAD, GAP, EDGE = 32, 18, 22, 11, 3
ABOVE = 7
"""Px by which a mark makes room for a reason below it."""
STEPS = 4
"""The axis reaches down to a multiple of a quarter, so that it does not follow each move."""
LEAST = 150
"""Px of the bars beside which there is room for a formula."""
VALUE = f"{MINUS}0.00"
LETTER = 0.5
"""Width in em of a letter of a formula: figures, spaces, signs."""


@dataclass(frozen=True, eq=False)
class Drawing(Sheet):
    now: Picture
    other: Picture | None
    worked: Mapping[str, Worked]
    lit: str | None
    width: float
    row: float

    @property
    def keys(self) -> tuple[str, ...]:
        return self.now.bars

    @cached_property
    def others(self) -> Mapping[str, float]:
        """Values of the other table that this one has too."""
        values = {} if self.other is None else {key: self.other.values.get(key, math.nan) for key in self.keys}
        return {key: value for key, value in values.items() if not math.isnan(value)}

    @cached_property
    def low(self) -> float:
        """Left end of the axis."""
        lowest = min([0.0, *(self.now.values[key] for key in self.keys), *self.others.values()])
        return math.floor(lowest * STEPS + 1e-9) / STEPS

    @cached_property
    def left(self) -> float:
        names = (BY_KEY[key].symbol for key in self.keys)
        return max(text_width(name, self.px(style.TEXT), bold=True) for name in names) + self.px(1.5 * GAP)

    @cached_property
    def value(self) -> float:
        """Px of the values."""
        return text_width(VALUE, self.px(style.TEXT), bold=True) + self.px(1.5 * GAP)

    @cached_property
    def formula(self) -> float:
        """Px of the formulas; 0 where there is no room for them."""
        wanted = LETTER * LONGEST * self.px(style.SMALL) + self.px(GAP)
        spare = self.width - 2 * EDGE - self.left - self.value - self.px(LEAST)
        return wanted if spare >= wanted else 0.0

    @cached_property
    def plot(self) -> float:
        """Px from the left end of the axis to 1."""
        return self.width - 2 * EDGE - self.left - self.value - self.formula

    @cached_property
    def ends(self) -> tuple[float, float]:
        """What the figure shows, names and values included."""
        unit = self.plot / (1 - self.low)
        return self.low - self.left / unit, 1 + (self.value + self.formula) / unit

    def px_at(self, x: float) -> float:
        """Return px from the left end of the axis."""
        return (x - self.low) / (1 - self.low) * self.plot

    def y(self, place: int) -> float:
        return self.px(HEAD + self.row * (place + 0.5))

    def mark(self, place: int) -> float:
        """Return height of the other table's mark."""
        undefined = math.isnan(self.now.values[self.keys[place]])
        return self.y(place) - self.px(ABOVE) * undefined

    def colour(self, key: str, other: str) -> str:
        """Return the colour of κ or φ, of another metric `other`."""
        return {"kappa": self.colours.kappa, "phi": self.colours.phi}.get(key, other)


def coefficient_bars(
    now: Picture,
    other: Picture | None,
    worked: Mapping[str, Worked],
    lit: str | None,
    *,
    theme: Theme,
    scale: float = 1.0,
    width: float = 340,
    row: float = ROW,
) -> Figure:
    """Return one row a metric, in the order of `now.bars`; a clicked row returns `customdata` [its index].

    Parameters
    ----------
    other : Picture or None
        The step before, or the table beside this one: an open mark on each row.
    worked : mapping of metric to Worked
        Their formulas; `short` stands behind the value where `width` has room for it.
    lit : str or None
        The metric whose row is outlined.
    width : float
        The narrowest width in px (before scaling) at which no two texts may meet.
    row : float
        Px (before scaling) of a row, which takes the click: more for a finger than for a mouse.
    """
    drawing = Drawing(style.tokens(theme), scale, now, other, worked, lit, width * scale, row)
    height = drawing.px(HEAD + row * len(drawing.keys)) + 2 * EDGE
    if not now.n:
        return nothing(style.NOTHING, drawing.colours, scale, height=height, width=drawing.width)
    layout = style.layout(
        drawing.colours,
        height=height,
        scale=scale,
        margin=style.margin(EDGE, EDGE, EDGE, EDGE),
        xaxis=style.hidden_axis(*drawing.ends),
        yaxis=style.hidden_axis(height - 2 * EDGE, 0),
        barmode="overlay",
    )
    texts = [note for place, key in enumerate(drawing.keys) for note in _row(drawing, place, key)]
    traces = [_areas(drawing), _bars(drawing), *_open(drawing)]
    return drawn(layout, traces, annotations=[*texts, *_named(drawing)], shapes=_rules(drawing))


def alt(now: Picture, other: Picture | None, worked: Mapping[str, Worked], lit: str | None = None) -> str:
    """Return the figure in a sentence, for people who do not see it."""
    if not now.n:
        return f"{style.NOTHING}."
    clauses = []
    for key in now.bars:
        why, formula = now.why(key), worked.get(key)
        before = f", {plain(other.name)} {number(other.values[key])}" if other is not None and key in other.values else ""
        by_hand = f" = {formula.short}" if formula is not None and formula.short else ""
        chosen = ", chosen" if key == lit else ""
        clauses.append(f"{BY_KEY[key].symbol} {number(now.values[key])}{f' ({plain(why)})' if why else by_hand}{before}{chosen}")
    name = f"{plain(now.name)}: " if now.name else ""
    return f"Coefficients. {name}{'; '.join(clauses)}."


def _areas(drawing: Drawing) -> Trace:
    """Return rows that take the click."""
    tall = drawing.px(drawing.row)
    return marks.areas(
        [(drawing.y(place), tall - 2) for place in range(len(drawing.keys))],
        across=drawing.ends,
        hovers=[_hover(drawing, key) for key in drawing.keys],
        colours=drawing.colours,
        selected=next((place for place, key in enumerate(drawing.keys) if key == drawing.lit), None),
    )


def _hover(drawing: Drawing, key: str) -> str:
    worked, why = drawing.worked.get(key), drawing.now.why(key)
    lines = [f"<b>{BY_KEY[key].name}: {number(drawing.now.values[key])}</b>"]
    lines += [escape(why)] if why else []
    lines += [escape(worked.general), escape(worked.substituted)] if worked is not None else []
    if key in drawing.others and drawing.other is not None:
        lines.append(f"{escape(called(drawing.other, style.TEXT, 'the other table'))}: {number(drawing.others[key])}")
    return "<br>".join(lines)


def _bars(drawing: Drawing) -> Trace:
    there = [(place, key) for place, key in enumerate(drawing.keys) if not math.isnan(drawing.now.values[key])]
    return bar(
        orientation="h",
        base=[min(drawing.now.values[key], 0.0) for _, key in there],
        x=[abs(drawing.now.values[key]) for _, key in there],
        y=[drawing.y(place) for place, _ in there],
        width=[drawing.px(BAR)] * len(there),
        hoverinfo="skip",
        marker={"color": [drawing.colour(key, drawing.colours.axis) for _, key in there], "line": {"width": 0}},
    )


def _open(drawing: Drawing) -> list[Trace]:
    """Where the other table has its values."""
    there = [(place, key) for place, key in enumerate(drawing.keys) if key in drawing.others]
    looks = [style.coefficient(BY_KEY[key].symbol, drawing.colours) for _, key in there]
    marker = {
        "symbol": [symbol for _, symbol in looks],
        "color": drawing.colours.page,
        "size": drawing.px(10),
        "opacity": 1,
        "line": {"color": [colour for colour, _ in looks], "width": drawing.px(2)},
    }
    x, y = [drawing.others[key] for _, key in there], [drawing.mark(place) for place, _ in there]
    return [scatter(x=x, y=y, mode="markers", marker=marker, hoverinfo="skip", cliponaxis=False)] if there else []


def _named(drawing: Drawing) -> list[dict[str, Any]]:
    """Return whose the open marks are, above the first of them."""
    key = drawing.keys[0]
    if drawing.other is None or key not in drawing.others:
        return []
    size, at = drawing.px(style.SMALL), drawing.others[key]
    name = called(drawing.other, size, "the other table")
    shift = inward(drawing.left + drawing.px_at(at), text_width(name, size, bold=True), drawing.width)
    colour, y = drawing.colours.muted, drawing.px(HEAD - 6)
    return [annotation(escape(name), at, y, size=size, colour=colour, xshift=shift)]


def _row(drawing: Drawing, place: int, key: str) -> list[dict[str, Any]]:
    """Name, value, and the formula or why there is no value."""
    y, size, small = drawing.y(place), drawing.px(style.TEXT), drawing.px(style.SMALL)
    colour = drawing.colour(key, drawing.colours.text)
    name = f"<b>{BY_KEY[key].symbol}</b>"
    gap, value = drawing.px(GAP), drawing.now.values[key]
    label = annotation(name, drawing.low, y, size=size, colour=colour, xanchor="right", xshift=-gap)
    if math.isnan(value):
        return [label, _reason(drawing, place, key)]
    shown = annotation(f"<b>{number(value)}</b>", 1, y, size=size, colour=colour, xanchor="right", xshift=drawing.value - gap / 2)
    worked = drawing.worked.get(key)
    if worked is None or not worked.short or text_width(worked.short, small) + gap > drawing.formula:
        return [label, shown]
    muted, beside = drawing.colours.muted, drawing.value + gap
    return [label, shown, annotation(escape(worked.short), 1, y, size=small, colour=muted, xanchor="left", xshift=beside)]


def _reason(drawing: Drawing, place: int, key: str) -> dict[str, Any]:
    """In the place of bar and value, and below the other table's mark."""
    size, gap, why = drawing.px(style.SMALL), drawing.px(GAP / 2), drawing.now.why(key)
    marked = key in drawing.others
    room = drawing.plot + drawing.value + drawing.formula - 2 * gap
    lines = wrap(f"{UNDEFINED} {why}", room, size, lines=1 if marked else 2)
    whole = None if " ".join(lines) == f"{UNDEFINED} {plain(why)}" else escape(why)
    y = drawing.y(place) + drawing.px(ABOVE) * marked
    look: dict[str, Any] = {"xanchor": "left", "xshift": gap, "hovertext": whole}
    if drawing.low < 0:  # the line of 0 would cross it
        look["bgcolor"] = drawing.colours.selected if key == drawing.lit else drawing.colours.page
    return annotation(stacked(lines), drawing.low, y, size=size, colour=drawing.colours.muted, **look)


def _rules(drawing: Drawing) -> list[dict[str, Any]]:
    """Return 0, where bars begin, and 1, the most a metric can be."""
    ends = (drawing.px(HEAD), drawing.px(HEAD + drawing.row * len(drawing.keys)))
    lines = ((0.0, drawing.colours.muted), (1.0, drawing.colours.grid))
    return [marks.upright(at, ends, {"color": colour, "width": 1}) for at, colour in lines]
