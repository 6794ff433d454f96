"""Practice by practice: a dot per system, by what is said of it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any

from metrics.figures import marks
from metrics.figures import theme as style
from metrics.figures.marks import Sheet, annotation
from metrics.figures.rows import edge_text
from metrics.figures.theme import Theme, escape, text_width, wrap
from metrics.figures.traces import Figure, Trace, drawn, scatter
from metrics.results.words import count, plain

KEY, LINE, DOT, GAP, NEAR = 20, 19, 20, 13, 7
SHARE = 0.55
"""Of the width, for names beside the dots at most."""
LARGEST = 10
"""Px across a dot, where there is room for it."""

Row = tuple[str, Mapping[str, Sequence[str]]]
"""A practice, and the names of the systems by the key of a part."""


@dataclass(frozen=True)
class Part:
    """One kind of dot.

    Attributes
    ----------
    role : {"met", "missed", "open", "none"}
        What it looks like: a disc, a cross, a ring, or a point.
    """

    key: str
    name: str
    role: str


SIGNS = {"met": ("●", "circle"), "missed": ("✕", "x"), "open": ("○", "circle-open"), "none": ("·", "circle")}


@dataclass(frozen=True)
class Drawing(Sheet):
    rows: Sequence[Row]
    parts: Sequence[Part]
    width: float
    names_beside: bool

    @property
    def lines(self) -> list[str]:
        """What the dots mean, in as many lines as the narrowest width needs."""
        lines: list[str] = []
        for part in self.parts:
            text = f"{SIGNS[part.role][0]} {part.name}"
            longer = f"{lines[-1]}   {text}" if lines else text
            if lines and text_width(longer, self.px(style.TICK)) <= self.width:
                lines[-1] = longer
            else:
                lines.append(text)
        return lines

    @property
    def head(self) -> float:
        return style.TOP + self.px(KEY * len(self.lines) + 4)

    @property
    def left(self) -> float:
        """Px of the names beside the dots; none where they stand above."""
        widest = max(text_width(name, self.px(style.TEXT)) for name, _ in self.rows)
        return min(widest, SHARE * self.width) + self.px(GAP) if self.names_beside else 1

    @cached_property
    def right(self) -> float:
        """Px of the counts."""
        return max(text_width(text, self.px(style.TEXT), bold=True) for text in self.counts) + self.px(4)

    @cached_property
    def counts(self) -> list[str]:
        """Of how many of those that are asked it is said that they meet the practice."""
        return [_met(systems, self.parts) for _, systems in self.rows]

    @property
    def size(self) -> float:
        """Px across a dot where the figure is narrowest."""
        return min(self.px(LARGEST), (self.width - self.left - self.right) / (_total(self.rows) + 1) - 2)

    @cached_property
    def names(self) -> list[list[str]]:
        """The name of each row, in one line or two."""
        room = self.left - self.px(GAP) if self.names_beside else self.width
        return [wrap(name, room, self.px(style.TEXT)) for name, _ in self.rows]

    @cached_property
    def tops(self) -> list[float]:
        """Where each row begins, and where the last one ends."""
        heights = [self.px(self.above(i) + self.tall(i) + (NEAR if self.names_beside else GAP)) for i in range(len(self.rows))]
        return list(accumulate(heights, initial=self.head))

    def middle(self, row: int) -> float:
        """Return where the dots of a row stand."""
        return self.tops[row] + self.px(self.above(row) + self.tall(row) / 2)

    def above(self, row: int) -> int:
        """Return px above the dots for their name."""
        return 0 if self.names_beside else LINE * len(self.names[row])

    def tall(self, row: int) -> int:
        """Return px of the dots, or of the name beside them where that needs more."""
        return max(DOT, LINE * len(self.names[row])) if self.names_beside else DOT


def practice_dots(
    rows: Sequence[Row],
    parts: Sequence[Part],
    *,
    theme: Theme,
    scale: float = 1.0,
    width: float = 340,
    beside: bool = False,
) -> Figure:
    """Return a row of dots per practice under its name, or `beside` it; at the right how many of those asked meet it.

    Parameters
    ----------
    rows : sequence of (name, names of systems by the key of a part)
        All with the same number of systems.
    width : float
        The narrowest width in px (before scaling) at which no two texts may meet.
    """
    drawing = Drawing(style.tokens(theme), scale, rows, parts, width * scale, beside)
    if not rows or not _total(rows):
        return marks.empty("No system to show", drawing.colours, scale)
    across = style.hidden_axis(0, _total(rows))
    layout = drawing.list_layout(drawing.tops[-1], across, left=drawing.left, right=math.ceil(drawing.right))
    traces = [_dots(drawing, part) for part in parts]
    return drawn(layout, traces, annotations=[*_key(drawing), *_names(drawing), *_counts(drawing)])


def alt(rows: Sequence[Row], parts: Sequence[Part]) -> str:
    """Return the dots in words, for people who do not see them."""
    spoken_rows = "; ".join(f"{plain(name)}: {_row_text(systems, parts)}" for name, systems in rows)
    return f"Systems by practice. {spoken_rows}." if rows and _total(rows) else "No system to show."


def _row_text(systems: Mapping[str, Sequence[str]], parts: Sequence[Part]) -> str:
    return ", ".join(f"{part.name.lower()} {count(len(systems[part.key]))}" for part in parts if systems[part.key])


def _met(systems: Mapping[str, Sequence[str]], parts: Sequence[Part]) -> str:
    met, asked = (
        sum(len(systems[part.key]) for part in parts if part.role in roles) for roles in (("met",), ("met", "missed", "open"))
    )
    return f"{count(met)} of {count(asked)}" if asked else ""


def _total(rows: Sequence[Row]) -> int:
    return sum(map(len, rows[0][1].values()))


def _look(drawing: Drawing, part: Part) -> dict[str, Any]:
    colours = drawing.colours
    colour = {"met": colours.judge, "missed": colours.false_positive, "open": colours.abstention, "none": colours.axis}[part.role]
    size = drawing.size / (3 if part.role == "none" else 1)
    return {"symbol": SIGNS[part.role][1], "color": colour, "size": size, "opacity": 1}


def _dots(drawing: Drawing, part: Part) -> Trace:
    """Return all dots of one kind, each under its system's name."""
    x, y, hovers = [], [], []
    for i, (name, systems) in enumerate(drawing.rows):
        before = sum(len(systems[other.key]) for other in drawing.parts[: drawing.parts.index(part)])
        for place, system in enumerate(systems[part.key], before):
            x.append(place + 0.5)
            y.append(drawing.middle(i))
            hovers.append(f"<b>{escape(system)}</b><br>{escape(name)}<br>{escape(part.name)}")
    return scatter(x=x, y=y, mode="markers", marker=_look(drawing, part), hovertext=hovers, **marks.undimmed())


def _key(drawing: Drawing) -> list[dict[str, Any]]:
    size, colour = drawing.px(style.TICK), drawing.colours.muted
    return [
        annotation(escape(line), 0, style.TOP + drawing.px(KEY * (i + 0.5)), size=size, colour=colour, **_at_left(drawing))
        for i, line in enumerate(drawing.lines)
    ]


def _names(drawing: Drawing) -> list[dict[str, Any]]:
    texts = []
    for i, lines in enumerate(drawing.names):
        y = drawing.middle(i) if drawing.names_beside else drawing.tops[i] + drawing.px(drawing.above(i) / 2 - 2)
        look: dict[str, Any] = {"size": drawing.px(style.TEXT), "colour": drawing.colours.text, **_at_left(drawing)}
        texts.append(annotation(marks.stacked(lines), 0, y, **look))
    return texts


def _at_left(drawing: Drawing) -> dict[str, Any]:
    """From the left edge of the figure on."""
    return {"xref": "paper", "xanchor": "left", "xshift": 1 - round(drawing.left)}


def _counts(drawing: Drawing) -> list[dict[str, Any]]:
    size, colour = drawing.px(style.TEXT), drawing.colours.text
    return [
        edge_text(text, drawing.middle(i), math.ceil(drawing.right), size=size, colour=colour)
        for i, text in enumerate(drawing.counts)
        if text
    ]
