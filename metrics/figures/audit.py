"""Practice by practice: of how many systems something is said, as a row of one bar in up to four parts, each with its count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any

from metrics.figures import marks
from metrics.figures import theme as style
from metrics.figures.marks import Sheet, annotation
from metrics.figures.theme import Theme, escape, readable, text_width, wrap
from metrics.figures.traces import Figure, Trace, bar, drawn
from metrics.results.words import count, plain

KEY, LINE, BAR, GAP, NEAR = 20, 19, 20, 13, 7
SHARE = 0.55
"""Of the width, for names beside the bars at most."""
LEAST = 11
"""Px that a count of one digit needs."""


@dataclass(frozen=True)
class Part:
    """One part of every bar.

    Attributes
    ----------
    role : {"met", "missed", "open", "none"}
        What it looks like: filled, filled and striped, hatched the other way, or outlined only.
    """

    key: str
    name: str
    role: str


@dataclass(frozen=True)
class Drawing(Sheet):
    rows: Sequence[tuple[str, Mapping[str, int]]]
    parts: Sequence[Part]
    width: float
    names_beside: bool

    @property
    def lines(self) -> list[str]:
        """What the looks mean, in as many lines as the narrowest width needs."""
        signs = {"met": "■", "missed": "▧", "open": "▨", "none": "□"}
        lines: list[str] = []
        for part in self.parts:
            text = f"{signs[part.role]} {part.name}"
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
        """Px of the names beside the bars; none where they stand above."""
        widest = max(text_width(name, self.px(style.TEXT)) for name, _ in self.rows)
        return min(widest, SHARE * self.width) + self.px(GAP) if self.names_beside else 1

    @cached_property
    def names(self) -> list[list[str]]:
        """The name of each bar, in one line or two."""
        room = self.left - self.px(GAP) if self.names_beside else self.width
        return [wrap(name, room, self.px(style.TEXT)) for name, _ in self.rows]

    @cached_property
    def tops(self) -> list[float]:
        """Where each row begins, and where the last one ends."""
        heights = [self.px(self.above(i) + self.tall(i) + (NEAR if self.names_beside else GAP)) for i in range(len(self.rows))]
        return list(accumulate(heights, initial=self.head))

    def bar(self, row: int) -> float:
        """Where the middle of a bar stands."""
        return self.tops[row] + self.px(self.above(row) + self.tall(row) / 2)

    def above(self, row: int) -> int:
        """Return px above a bar for its name."""
        return 0 if self.names_beside else LINE * len(self.names[row])

    def tall(self, row: int) -> int:
        """Return px of a bar, or of the name beside it where that needs more."""
        return max(BAR, LINE * len(self.names[row])) if self.names_beside else BAR

    @property
    def foot(self) -> float:
        return self.tops[-1]


def practice_bars(
    rows: Sequence[tuple[str, Mapping[str, int]]],
    parts: Sequence[Part],
    *,
    theme: Theme,
    scale: float = 1.0,
    width: float = 340,
    beside: bool = False,
) -> Figure:
    """Return a bar per practice under its name, or `beside` it.

    Parameters
    ----------
    rows : sequence of (name, counts by the key of a part)
        All with the same sum.
    width : float
        The narrowest width in px (before scaling) at which no two texts may meet.
    """
    drawing = Drawing(style.tokens(theme), scale, rows, parts, width * scale, beside)
    if not rows or not _total(rows):
        return marks.empty("No system to show", drawing.colours, scale)
    layout = style.layout(
        drawing.colours,
        height=drawing.foot,
        scale=scale,
        margin=style.margin(drawing.left, 1, 0),
        xaxis=style.hidden_axis(0, _total(rows)),
        yaxis=style.hidden_axis(drawing.foot, 0),
        barmode="stack",
    )
    return drawn(
        layout, [_bars(drawing, part) for part in parts], annotations=[*_key(drawing), *_names(drawing), *_counts(drawing)]
    )


def alt(rows: Sequence[tuple[str, Mapping[str, int]]], parts: Sequence[Part]) -> str:
    """Return the bars in words, for people who do not see them."""
    spoken_rows = "; ".join(f"{plain(name)}: {_row_text(counts, parts)}" for name, counts in rows)
    return f"Systems by practice. {spoken_rows}." if rows and _total(rows) else "No system to show."


def _row_text(counts: Mapping[str, int], parts: Sequence[Part]) -> str:
    return ", ".join(f"{part.name.lower()} {count(counts[part.key])}" for part in parts if counts[part.key])


def _total(rows: Sequence[tuple[str, Mapping[str, int]]]) -> int:
    return sum(rows[0][1].values())


def _look(drawing: Drawing, part: Part) -> dict[str, Any]:
    colours = drawing.colours
    fill = {"met": colours.judge, "missed": colours.false_positive, "open": colours.page, "none": marks.CLEAR}[part.role]
    line = {"met": colours.judge, "missed": colours.false_positive, "open": colours.abstention, "none": colours.axis}[part.role]
    look: dict[str, Any] = {"color": fill, "line": {"color": line, "width": 1}}
    if part.role == "open":
        look["pattern"] = {"shape": "/", "fgcolor": colours.abstention, "bgcolor": colours.page, "size": 8, "solidity": 0.12}
    elif part.role == "missed":
        look["pattern"] = {"shape": "\\", "fgcolor": colours.page, "bgcolor": fill, "size": 6, "solidity": 0.15}
    return look


def _bars(drawing: Drawing, part: Part) -> Trace:
    return bar(
        x=[counts[part.key] for _, counts in drawing.rows],
        y=[drawing.bar(i) for i in range(len(drawing.rows))],
        width=[drawing.px(BAR)] * len(drawing.rows),
        orientation="h",
        marker=_look(drawing, part),
        hovertext=[f"{escape(name)}<br>{escape(part.name)}: <b>{count(counts[part.key])}</b>" for name, counts in drawing.rows],
        hovertemplate=marks.HOVER,
        **marks.undimmed(),
    )


def _key(drawing: Drawing) -> list[dict[str, Any]]:
    size, colour = drawing.px(style.TICK), drawing.colours.muted
    return [
        annotation(escape(line), 0, style.TOP + drawing.px(KEY * (i + 0.5)), size=size, colour=colour, **_at_left(drawing))
        for i, line in enumerate(drawing.lines)
    ]


def _names(drawing: Drawing) -> list[dict[str, Any]]:
    texts = []
    for i, lines in enumerate(drawing.names):
        y = drawing.bar(i) if drawing.names_beside else drawing.tops[i] + drawing.px(drawing.above(i) / 2 - 2)
        look: dict[str, Any] = {"size": drawing.px(style.TEXT), "colour": drawing.colours.text, **_at_left(drawing)}
        texts.append(annotation(marks.stacked(lines), 0, y, **look))
    return texts


def _at_left(drawing: Drawing) -> dict[str, Any]:
    """From the left edge of the figure on."""
    return {"xref": "paper", "xanchor": "left", "xshift": 1 - round(drawing.left)}


def _counts(drawing: Drawing) -> list[dict[str, Any]]:
    """Write the count in the middle of its part; on a chip where the part is hatched."""
    texts, colours, total = [], drawing.colours, _total(drawing.rows)
    for i, (_, counts) in enumerate(drawing.rows):
        left = 0
        for part in drawing.parts:
            n_systems = counts[part.key]
            if n_systems and n_systems / total * (drawing.width - drawing.left) >= drawing.px(LEAST):
                fill = _look(drawing, part)["color"]
                colour = colours.text if part.role in ("open", "none") else readable(fill, colours)
                chip = {"open": {"bgcolor": colours.page, "borderpad": 2}, "missed": {"bgcolor": fill}}.get(part.role, {})
                texts.append(
                    annotation(
                        count(n_systems), left + n_systems / 2, drawing.bar(i), size=drawing.px(style.TICK), colour=colour, **chip
                    )
                )
            left += n_systems
    return texts
