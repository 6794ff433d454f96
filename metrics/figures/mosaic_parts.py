"""Where the cells of a mosaic and the labels beside them go. Upright places are px, level ones shares of the row."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from metrics.analyses.prevalence.readings import share
from metrics.figures import theme as style
from metrics.figures.marks import Sheet
from metrics.figures.theme import text_width
from metrics.results.words import amount, halves, plain

NARROW = 36
LINE, ROW, GAP, SIDE = 21, 18, 4, 4
SMALLEST_CELL = 5
HAIRLINE = 2
"""Px that a row keeps where areas are true, and a cell one more, for its neighbour's border."""
SLIM = 5
"""Below so many px a cell has no border, which would hide it, and agreement the colour of its border."""
ARROW = 20
TWO_LINES = 36
"""Px of a row with two lines beside it."""
LEGIBLE = 8
"""Letters that a shortened label has at least, to tell anything."""
THIN = 0.2
"""Below this share of the decisions a row may be too low for two lines beside it."""

Counts = NDArray[np.float64]
Anchor = Literal["left", "center", "right"]
Role = Literal["agreement", "abstention", "false negative", "false positive", "error"]


@dataclass(frozen=True)
class Drawing(Sheet):
    """The table and the room it has; px hold at the narrowest width."""

    counts: Counts
    labels: tuple[str, ...]
    reference: str
    judge: str
    abstention: int | None
    width: float
    height: float
    margin: float
    lit: frozenset[tuple[int, int]] = frozenset()
    unit: str = "decisions"
    true: bool = False
    """Whether rows and cells are as small as their share says, down to a hairline."""
    named: bool = False
    """Whether errors are called by the judge's label, not missed and false passes."""

    @property
    def size(self) -> int:
        return len(self.labels)

    @property
    def span(self) -> float:
        """Width of a row in px."""
        return self.width - self.margin - SIDE

    @property
    def binary(self) -> bool:
        return not self.named and self.size - (self.abstention is not None) == 2

    def label_text(self, column: int, room: float = math.inf) -> str:
        """Return the judge's label as it stands with a count: “as 3” where a bare number would read as a second count."""
        lead = "as " if any(plain(label)[:1].isdigit() for label in self.labels) else ""
        size = self.px(style.TICK)
        return lead + style.fit(self.labels[column], room - text_width(lead, size), size)

    def rate(self, x: float) -> str:
        """Return a share of the decisions or of a row, with the half of a percent that two may share."""
        return share(x) if self.true else halves(x)

    def slim(self, cell: Cell) -> bool:
        return self.true and min(cell.height, cell.share * self.span) < self.px(SLIM)

    def role(self, row: int, column: int) -> Role:
        if row == column:
            return "agreement"
        if self.abstention in (row, column):
            return "abstention"
        if not self.binary:
            return "error"
        return "false negative" if row < column else "false positive"

    def faint(self, row: int, column: int) -> bool:
        """Return whether a cell stands back behind those that are lit."""
        return bool(self.lit) and (row, column) not in self.lit


@dataclass(frozen=True)
class Cell:
    row: int
    column: int
    n: float
    of: float
    left: float
    share: float
    top: float = 0.0
    height: float = 0.0

    @property
    def middle(self) -> float:
        return self.left + self.share / 2


@dataclass(frozen=True)
class Tag:
    """A label outside its cell: `at` is a share of the row, `shift` the px its neighbours push it by."""

    number: str
    words: tuple[str, ...]
    """The wordings that may stand, longest first."""
    colour: str
    at: float
    anchor: Anchor
    rank: float
    arrow: str
    shift: float = 0.0


def margin(counts: Counts, labels: Sequence[str], reference: str, width: float, height: float, scale: float) -> float:
    """Return room for the longest label and the name above them, and in thin rows for a label's beginning and the rate on one
    line.
    """
    size, rows = style.TEXT * scale, height - style.TOP - (2 + len(labels) - 1) * LINE * scale - 2 * GAP
    thin = max(THIN, TWO_LINES * scale / max(rows, 1))
    wide = [text_width(plain(label), size, bold=True) for label in labels]
    shares = counts.sum(1) / (counts.sum() or 1)
    beside = [
        min(label, 56 * scale) + text_width(f" {share(part)}", size)
        for label, part in zip(wide, shares, strict=True)
        if part < thin
    ]
    return min(max([44 * scale, *beside, *wide, text_width(plain(reference), size)]) + 14, 0.31 * width)


def row_cells(drawing: Drawing, row: int) -> list[Cell]:
    """Return the cells of a row, without their height; an empty row is one cell of count 0 and column −1."""
    given = drawing.counts[row]
    used = np.flatnonzero(given)
    if not used.size:
        return [Cell(row, -1, 0, 0, 0.0, 1.0)]
    smallest = drawing.px(HAIRLINE + 1) if drawing.true else SMALLEST_CELL
    shares = _at_least(given[used] / given.sum(), smallest / drawing.span)
    lefts = np.concatenate([[0.0], np.cumsum(shares)[:-1]])
    return [
        Cell(row, int(column), float(given[column]), float(given.sum()), float(left), float(share))
        for column, left, share in zip(used, lefts, shares, strict=True)
    ]


def place(drawing: Drawing, rows: list[list[Cell]], head: int, strips: list[bool]) -> list[list[Cell]]:
    """Return the cells with their height."""
    totals = drawing.counts.sum(1)
    line = drawing.px(LINE)
    free = drawing.height - style.TOP - head * line - 6 - line * sum(strips) - GAP * (drawing.size - 1)
    placed, top = [], style.TOP + head * line + 2
    smallest = drawing.px(HAIRLINE if drawing.true else ROW)
    for row, tall in enumerate(_at_least(totals / totals.sum() * free, smallest)):
        placed.append([replace(cell, top=top, height=float(tall)) for cell in rows[row]])
        top += tall + GAP + line * strips[row]
    return placed


def _at_least(sizes: NDArray[np.float64], smallest: float) -> NDArray[np.float64]:
    """Return the sizes with none below `smallest`; what the small ones gain the others give up in proportion."""
    fixed = np.zeros(len(sizes), dtype=bool)
    result = sizes.copy()
    while (result[~fixed] < smallest).any():
        fixed |= result < smallest
        rest = sizes[~fixed].sum()
        result[fixed] = smallest
        result[~fixed] = sizes[~fixed] * max(sizes.sum() - smallest * fixed.sum(), 0) / (rest or 1)
    return result


def count_size(drawing: Drawing, cell: Cell) -> float | None:
    """Return the type size in which the count stands inside its cell; None if it must stand outside."""
    wide = cell.share * drawing.span
    for size in (20, style.TEXT, style.SMALL):
        tall_enough = not cell.height or cell.height >= drawing.px(size) + (4 if size > style.TEXT else 2)
        if tall_enough and text_width(amount(cell.n), drawing.px(size), bold=True) + 8 <= wide and wide >= NARROW - 4:
            return drawing.px(size)
    return None


def label_place(drawing: Drawing, cell: Cell) -> Literal["below", "beside", ""]:
    """Where in its cell the judge's label has room under or beside the count; cells of two labels are named in other ways."""
    size, room, small = count_size(drawing, cell), cell.share * drawing.span - 8, drawing.px(style.TICK)
    if size is None or drawing.binary or drawing.role(cell.row, cell.column) == "abstention":
        return ""
    wording = drawing.label_text(cell.column, room)
    low = cell.height < size + 8 + drawing.px(ROW)
    if not low and text_width(wording, small) <= room and tells(wording, drawing.label_text(cell.column)):
        return "below"
    wide = text_width(amount(cell.n), size, bold=True) + text_width(f" {drawing.label_text(cell.column)}", small)
    return "beside" if wide <= room else ""


def tells(short: str, whole: str) -> bool:
    """Return whether enough is left of a shortened label to know it by."""
    return len(short) >= min(len(plain(whole)), LEGIBLE)


def tags(drawing: Drawing, row: int, cells: list[Cell]) -> list[Tag]:
    """Return the labels that stand outside the cells of one row: above the first row, below the others.

    Of a count inside its cell, a label that has no room there; where room is short, it is the first to be left out.
    """
    if not cells[0].n:
        return [Tag("0", (drawing.unit, ""), drawing.colours.muted, 1.0, "right", 0, "")] if drawing.true else []
    if row == drawing.abstention and row:
        silent = _silent_row(drawing, cells)
        beyond = tag_width(drawing, silent) - drawing.span
        if beyond <= drawing.margin - SIDE:
            return [replace(silent, shift=-max(beyond, 0))]
    row_tags = [tag for cell in cells if (tag := _tag(drawing, cell)) is not None]
    if row == 0 and drawing.binary and not drawing.counts[0, 1]:
        row_tags.append(Tag("0", ("missed passes",), drawing.colours.muted, 1.0, "right", 0, ""))
    if row == 1 and drawing.binary and not drawing.counts[1, 0]:
        row_tags.insert(0, Tag("0", ("false passes",), drawing.colours.muted, 0.0, "left", 0, ""))
    return arrange(drawing, row_tags)


def _silent_row(drawing: Drawing, cells: list[Cell]) -> Tag:
    last = drawing.size - 1
    given = ", ".join(f"{amount(c.n)} {'neither' if c.column == last else plain(drawing.labels[c.column])}" for c in cells)
    words = f"{plain(drawing.reference)} gave {plain(drawing.labels[last])}: {given}"
    return Tag("", (words,), drawing.colours.muted, 0.0, "left", 0, "▴")


def _tag(drawing: Drawing, cell: Cell) -> Tag | None:
    role = drawing.role(cell.row, cell.column)
    outside = count_size(drawing, cell) is None
    named = role in ("false negative", "false positive") or (role == "abstention" and cell.row == 0)
    unsaid = not named and not drawing.binary and role != "abstention" and not label_place(drawing, cell)
    if not outside and not named and not unsaid:
        return None
    anchor: Anchor = "left" if cell.middle < 0.5 else "right"
    # Plotly draws no text that stands beyond the axis, however little.
    at = cell.left if anchor == "left" else min(cell.left + cell.share, 1.0)
    return Tag(
        amount(cell.n) if outside else "",
        _wordings(drawing, cell, role),
        _colour(drawing, role),
        at,
        anchor,
        cell.n if outside or named else cell.n - drawing.counts.sum(),
        "▾" if cell.row == 0 else "▴",
    )


def _wordings(drawing: Drawing, cell: Cell, role: Role) -> tuple[str, ...]:
    if role in ("false negative", "false positive"):
        word = f"{'missed' if role == 'false negative' else 'false'} {'pass' if cell.n == 1 else 'passes'}"
        return f"{word}, {drawing.rate(cell.n / cell.of)}", word
    if role == "agreement" and drawing.binary:
        return "agree", ""
    return drawing.label_text(cell.column), drawing.label_text(cell.column, drawing.px(60)), ""


def _colour(drawing: Drawing, role: Role) -> str:
    colours = drawing.colours
    return {
        "false negative": colours.false_negative,
        "false positive": colours.false_positive,
        "abstention": colours.muted,
        "agreement": colours.text,
        "error": colours.text,
    }[role]


def arrange(drawing: Drawing, row_tags: list[Tag]) -> list[Tag]:
    """Return the wording in which the labels of one line fit side by side, the smallest left out where none does."""
    for form in range(3):
        if _width(drawing, row_tags, form) <= drawing.span:
            return _without_overlap(
                drawing, [replace(tag, words=(tag.words[min(form, len(tag.words) - 1)],)) for tag in row_tags]
            )
    smallest = min(row_tags, key=lambda tag: tag.rank)
    return arrange(drawing, [tag for tag in row_tags if tag is not smallest])


def tag_width(drawing: Drawing, tag: Tag, form: int = 0) -> float:
    bold = text_width(tag.number, drawing.px(style.TICK), bold=True)
    return bold + text_width(f" {tag.words[min(form, len(tag.words) - 1)]} ", drawing.px(style.TICK)) + drawing.px(12)


def _width(drawing: Drawing, row_tags: list[Tag], form: int) -> float:
    return sum(tag_width(drawing, tag, form) for tag in row_tags)


def _without_overlap(drawing: Drawing, row_tags: list[Tag]) -> list[Tag]:
    """Return labels pushed sideways until none overlaps: first to the right, then back from the right end."""
    wide = [tag_width(drawing, tag) for tag in row_tags]
    lead = {"left": 0.0, "center": 0.5, "right": 1.0}
    wanted = [tag.at * drawing.span - lead[tag.anchor] * w for tag, w in zip(row_tags, wide, strict=True)]
    lefts, end = [], 0.0
    for want, w in zip(wanted, wide, strict=True):
        lefts.append(max(want, end))
        end = lefts[-1] + w
    end = drawing.span
    for i in reversed(range(len(row_tags))):
        lefts[i] = min(lefts[i], end - wide[i])
        end = lefts[i]
    return [replace(tag, shift=left - want) for tag, left, want in zip(row_tags, lefts, wanted, strict=True)]
