"""What a matrix of options is drawn of, and on what. Px hold at the narrowest width."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from metrics.figures import theme as style
from metrics.figures.marks import Sheet
from metrics.figures.theme import blend, contrast, fit, text_width, wrap
from metrics.results.words import HARD_SPACE, amount, percent, plain

ALL, TALLEST, FLATTEST = 300, 80, 24
"""Px that the rows share unless told, and the most and the least that one of them gets."""
LINE, SIDE = 18, 4
PAD, CLOSE = 4, 0.08
"""Px that stay free on both sides of a count; in narrow cells a share of them."""
SIZES, SMALLEST = (16, 14, 13, 12, 11), 11
"""Type sizes of a count, the first that fits; the share of the row under it has the last but one or the last."""
NARROW = 70
"""Px of a column below which options that do not fit are numbered rather than shortened."""
PALE = 0.15
"""How much of its colour a cell has whose share of the row is next to nothing."""
BROADEST = 0.31
"""Widest margin beside the rows, as a share of the figure."""


@dataclass(frozen=True)
class Drawing(Sheet):
    """The table and the room it has; px hold at the narrowest width."""

    counts: NDArray[np.float64]
    labels: tuple[str, ...]
    reference: str
    judge: str
    width: float
    unit: str
    ordered: bool = True
    """Whether options go from low to high."""
    abstention: int | None = None
    """The class that stands for "no verdict"."""
    room: float = ALL
    """Px that the rows share, before scaling."""

    @property
    def size(self) -> int:
        return len(self.labels)

    @cached_property
    def rows(self) -> NDArray[np.float64]:
        """(K,) decisions of each of the reference's options."""
        rows: NDArray[np.float64] = self.counts.sum(1)
        return rows

    @cached_property
    def shares(self) -> NDArray[np.float64]:
        """(K, K) shares of the row; NaN where the reference never gave its option."""
        with np.errstate(invalid="ignore"):
            shares: NDArray[np.float64] = self.counts / self.rows[:, None]
        return shares

    @property
    def tall(self) -> float:
        return self.px(min(max(self.room / self.size, FLATTEST), TALLEST))

    @cached_property
    def heads(self) -> tuple[list[list[str]], float]:
        """The lines over each column and their type size: its option, or its number where that has no room."""
        room, size = self._column(False) - 2, self.px(style.TICK)
        for type_size in (size, self.px(SMALLEST)):
            lines = [wrap(label, room, type_size, bold=True) for label in self.labels]
            if all(
                _at_joints(label, head) and self._within(head, room, type_size)
                for label, head in zip(self.labels, lines, strict=True)
            ):
                return lines, type_size
        short = [[fit(label, room, size, bold=True)] for label in self.labels]
        told_apart = len({line for (line,) in short}) == self.size
        if room >= self.px(NARROW) and told_apart and all(self._within(line, room, size) for line in short):
            return short, size
        return [[str(i + 1)] for i in range(self.size)], size

    @cached_property
    def numbered(self) -> bool:
        """Whether columns have numbers, which then stand before the options beside the rows."""
        numbers = [[str(i + 1)] for i in range(self.size)]
        return self.heads[0] == numbers != [[plain(label)] for label in self.labels]

    def _within(self, lines: Sequence[str], room: float, size: float) -> bool:
        return all(text_width(line, size, bold=True) <= room for line in lines)

    def option(self, row: int) -> str:
        """Return what a row is called, with its column's number where columns have numbers."""
        lead = f"{row + 1}{2 * HARD_SPACE}" if self.numbered else ""
        return lead + plain(self.labels[row])

    def rate(self, row: int) -> str:
        return percent(self.rows[row] / self.rows.sum())

    def rate_label(self, row: int) -> str:
        """Return the rate of a row where it stands behind its option."""
        return f"· {self.rate(row)}"

    @cached_property
    def margin(self) -> float:
        """Px left of the cells."""
        return self._margin(self.numbered)

    @cached_property
    def cell(self) -> float:
        """Px of a column."""
        return self._column(self.numbered)

    def _column(self, numbered: bool) -> float:
        return (self.width - self._margin(numbered) - SIDE) / self.size

    def _margin(self, numbered: bool) -> float:
        size = self.px(style.TICK)
        options = [self.option(row) if numbered else plain(self.labels[row]) for row in range(self.size)]
        beside = (
            text_width(option, size, bold=True) + text_width(f" {self.rate_label(row)}", size)
            for row, option in enumerate(options)
        )
        widest = max(*beside, text_width(plain(self.reference), self.px(style.TEXT)))
        return min(widest + 14, BROADEST * self.width)

    @property
    def head(self) -> float:
        """Px above the cells."""
        return style.TOP + self.px(LINE) * (1 + max(map(len, self.heads[0]))) + self.px(4)

    def top(self, row: int) -> float:
        return self.head + row * self.tall

    @property
    def foot(self) -> float:
        return self.top(self.size)

    @cached_property
    def count_size(self) -> float:
        """Px of the counts: the largest with room for the longest of them, else the smallest."""
        sizes = (size for size in map(self.px, SIZES) if size + self.px(6) <= self.tall and self._all_fit(size))
        return next(sizes, self.px(SMALLEST))

    @cached_property
    def complete(self) -> bool:
        """Whether every count stands in its cell."""
        return self._all_fit(self.count_size)

    def _all_fit(self, size: float) -> bool:
        return all(self.fits(amount(n), size) for n in np.unique(self.counts))

    @cached_property
    def share_size(self) -> float:
        """Px of the share of the row under each count; 0 where there is no room for it."""
        if not self.complete:
            return 0.0
        texts = {percent(share) for share in self.shares[self.counts > 0]}
        for size in map(self.px, SIZES[-2:]):
            if 1.25 * (self.count_size + size) <= self.tall and all(self.fits(text, size, bold=False) for text in texts):
                return size
        return 0.0

    def fits(self, text: str, size: float, *, bold: bool = True) -> bool:
        return text_width(text, size, bold=bold) <= self.cell - 2 * min(self.px(PAD), CLOSE * self.cell)

    @cached_property
    def signs(self) -> bool:
        """Whether the corner of a cell has room for how far apart the two are."""
        block = 1.25 * (self.count_size + self.share_size)
        return self.ordered and bool(self.share_size) and self.tall - block >= 2 * self.px(SMALLEST)

    def hue(self, row: int, column: int) -> str:
        if row == column:
            return self.colours.correct
        if self.abstention in (row, column):
            return self.colours.abstention
        return self.colours.false_positive if column > row or not self.ordered else self.colours.false_negative

    def fill(self, row: int, column: int) -> str:
        if not self.counts[row, column]:
            return self.colours.page
        return blend(self.colours.page, self.hue(row, column), PALE + (1 - PALE) * float(self.shares[row, column]))

    def ink(self, row: int, column: int) -> str:
        """Return black or white: of any two colours less far apart, neither is readable on every step of the scale."""
        if not self.counts[row, column]:
            return self.colours.muted
        fill = self.fill(row, column)
        return max(("#000000", "#FFFFFF"), key=lambda colour: contrast(colour, fill))


def _at_joints(label: str, lines: Sequence[str]) -> bool:
    """Return whether these lines are the whole label, broken only where words end."""
    whole = plain(label)
    end = len(lines[0])
    return lines == [whole] or " ".join(lines) == whole or ("".join(lines) == whole and whole[end - 1] in "_-/")
