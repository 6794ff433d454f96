"""Who thinks alike: what is drawn of raters or judges and their pairs, and on what."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.figures import marks
from metrics.figures import theme as style
from metrics.figures.axes import inner_ticks
from metrics.figures.marks import Sheet
from metrics.figures.rows import name_width
from metrics.figures.theme import escape, text_width
from metrics.results.estimate import Estimate
from metrics.results.words import HARD_SPACE, UNDEFINED, count, estimate, number, plain, several, shorten_all

WRITTEN, NAMED, MOST = 12, 80, 300
"""Raters up to whom every value stands in its cell, up to whom rows have names, and above whom only groups are drawn."""
TALL, CLOSE, SMALLEST = 44, 14, 11
"""Px of a row with values, of a row without, and of its name."""
FEW, TALLEST = 264, 88
"""Px that the rows of very few share, and the most that one of them gets."""
BROAD = 1.25
"""Widest cell with a value, or of a row without a name, in heights of its row."""
THIN, THINNEST, UNNAMED = 6, 4, 640
"""Most and least px of a row without a name, and what such rows share."""
LINE, HEAD, FOOT, GAP, EDGE = 16, 34, 62, 16, 12
NAMES, LABELS, STRIP = 0.2, 0.19, 0.13
"""Widest columns of names, of groups and of the reference, as shares of the figure."""
LEAST = 100
"""Px that names may have on the narrowest screens."""
IN_CELLS, BELOW, UNDER = "n: shared decisions", "under κ: shared decisions", "names under the pointer"
BLANK = "blank: no value"
UNEVEN, SMALL, ROOMY = 0.5, 2, 6
"""Least shared decisions of a pair, as a share of the most, below which they are drawn as the size of the cell; px of the
smallest cell, and least px of the largest."""
FEW_SHARED, HALF = 10, 0.5
"""Shared decisions below which a κ says little, and the share of pairs that need as many for a map of them."""
STRIP_TICKS = 4
BAR, THICK = 200, 11
"""Length and height in px of the colour bar."""
NARROWEST = 5
"""Px of a column that stands apart from the next."""
STEP = 0.2
NOTHING = "No two to compare"


@dataclass(frozen=True)
class Group:
    """Neighbours that agree: rows `first` to `last` in the order drawn.

    Attributes
    ----------
    mean : float
        Of their pairs.
    shares : tuple of str
        What they have in common: "15 × GPT-4", "2 × PaLM2".
    """

    first: int
    last: int
    mean: float
    shares: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class AgreementHeatmap:
    """What is drawn, in the order in which it is drawn.

    Attributes
    ----------
    values : (R, R) float array
        Symmetric; NaN where undefined; the diagonal is not read unless it is asked for.
    shared : (R, R) int array
        Items that both labelled.
    reference : sequence of Estimate or None
        Each rater's coefficient with the reference. None: there is none, as among human raters.
    diagonal : bool
        Whether the diagonal holds values like any other cell, as that of groups.
    note : str
        What is not drawn.
    """

    names: Sequence[str]
    values: NDArray[np.float64]
    shared: NDArray[np.int64]
    groups: Sequence[Group] = ()
    reference: Sequence[Estimate] | None = None
    reference_name: str = "human"
    symbol: str = "κ"
    who: str = "judges"
    diagonal: bool = False
    note: str = ""

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def drawn(self) -> NDArray[np.bool_]:
        """(R, R) cells that have a value or lack one."""
        return np.ones((len(self), len(self)), dtype=bool) if self.diagonal else ~np.eye(len(self), dtype=bool)

    @cached_property
    def pairs(self) -> NDArray[np.float64]:
        """(R, R) values of these cells, NaN elsewhere."""
        return np.where(self.drawn, self.values, np.nan)

    @property
    def sparse(self) -> bool:
        """Whether too few pairs of many raters share enough decisions for a map of all; then see `pair_list`."""
        enough = self.shared[self.drawn] >= FEW_SHARED
        return len(self) > WRITTEN and float(enough.mean()) < HALF

    @cached_property
    def undefined(self) -> NDArray[np.bool_]:
        """(R, R) pairs without a value."""
        return np.isnan(self.values) & self.drawn


@dataclass(frozen=True)
class Drawing(Sheet):
    data: AgreementHeatmap
    width: float

    @property
    def written(self) -> bool:
        return len(self.data) <= WRITTEN

    @property
    def named(self) -> bool:
        """Whether names stand beside the rows."""
        return len(self.data) <= NAMED

    @property
    def row(self) -> float:
        n = max(len(self.data), 1)
        if self.written:
            return self.px(min(max(FEW / n, TALL), TALLEST))
        return self.px(CLOSE if self.named else min(max(UNNAMED // n, THINNEST), THIN))

    @property
    def sized(self) -> bool:
        """Whether the size of a cell shows its shared decisions: where they differ much and stand in no cell."""
        there = self.data.shared[self.data.drawn & ~self.data.undefined]
        uneven = bool(there.size) and there.min() < UNEVEN * there.max()
        return self.named and not self.written and uneven and self.largest >= ROOMY

    @property
    def largest(self) -> float:
        """Px of the cell of the pair that shares most, where size shows that."""
        return min(self.cell, self.row) - 1

    @property
    def size(self) -> float:
        return self.px(style.SMALL if self.written else SMALLEST)

    @property
    def head(self) -> float:
        return style.TOP + self.px(HEAD)

    @property
    def tall(self) -> float:
        """Px of all rows."""
        return len(self.data) * self.row

    @cached_property
    def shorts(self) -> list[str]:
        shorts = shorten_all(self.data.names)
        return [f"{i + 1}{2 * HARD_SPACE}{name}" for i, name in enumerate(shorts)] if self.numbered else shorts

    @cached_property
    def columns(self) -> list[str]:
        """Names over the columns, where every value is written."""
        return [str(i + 1) if self.numbered else name for i, name in enumerate(shorten_all(self.data.names))]

    @cached_property
    def numbered(self) -> bool:
        """Whether columns have numbers, for want of room for their names."""
        room = min(0.4 * self.width / max(len(self.data), 1), BROAD * self.row)
        return self.written and any(text_width(name, self.size) > room - 4 for name in shorten_all(self.data.names))

    @cached_property
    def left(self) -> float:
        if not self.named:
            return EDGE
        most = max(NAMES * self.width, self.px(LEAST))
        return name_width(self.shorts, self.size, self.scale, most, gap=10)

    @property
    def plot(self) -> float:
        """Px of map, groups and strip together where the figure is narrowest."""
        most = self.width - self.left - EDGE
        return min(most, max(self.right_margin + self._square, self.aside)) if self._capped else most

    @property
    def _capped(self) -> bool:
        """Whether cells have a widest form; rows with names are many and flat, and take all there is."""
        return self.written or not self.named

    @property
    def _square(self) -> float:
        """Px of the map with the widest cells."""
        return max(len(self.data), 1) * BROAD * self.row

    @property
    def right_margin(self) -> float:
        """Px right of the map, for the groups and the strip."""
        return self.strip + self.labels + (GAP if self.strip else 0)

    @property
    def strip(self) -> float:
        return 0.0 if self.data.reference is None else STRIP * self.width

    @property
    def aside(self) -> float:
        """Px from the left of the map that what is under it takes."""
        bar = min(self.px(BAR), 0.6 * self._square)
        words = text_width("; ".join(self.colour_bar_notes(IN_CELLS)), self.px(style.TICK))
        return bar + words + self.px(40) + (GAP + self.strip if self.strip else 0)

    @property
    def broadest(self) -> float | None:
        """Px of the figure at which the cells are widest; None where more room is of use."""
        return self.left + EDGE + self._square / self.domains[0] if self._capped else None

    @cached_property
    def labels(self) -> float:
        """Px for the names of the groups."""
        texts = [text for group in self.data.groups for text in (self.mean(group), *group.shares)]
        widest = max((text_width(text, self.px(style.SMALL), bold=True) for text in texts), default=-2 * GAP)
        heads = (text_width(self.mean(group), self.px(style.SMALL), bold=True) for group in self.data.groups)
        least = max(heads, default=-2 * GAP) + 2 * GAP
        return min(widest + 2 * GAP, max(LABELS * self.width, least))

    def mean(self, group: Group) -> str:
        return f"mean {self.data.symbol} {number(group.mean)}"

    @cached_property
    def domains(self) -> tuple[float, float]:
        """Where the map ends and the strip begins, as shares of the plot."""
        end = 1 - self.right_margin / self.plot
        return min(end, self._square / self.plot) if self._capped else end, 1 - self.strip / self.plot

    @property
    def map_wide(self) -> float:
        return self.domains[0] * self.plot

    @property
    def strip_from(self) -> float:
        """Px from the left of the map to the strip, or to the end of the figure."""
        return self.plot if self.data.reference is None else self.domains[1] * self.plot

    @property
    def gap(self) -> int:
        """Px between cells; none where they are so narrow that it would pale them."""
        return int(self.named and self.cell >= NARROWEST)

    @property
    def cell(self) -> float:
        """Px of a column where the figure is narrowest."""
        return self.map_wide / max(len(self.data), 1)

    @cached_property
    def cell_size(self) -> float:
        """Px of a value in its cell; 0 where the cells have no room for it."""
        sizes = (self.px(style.TICK), self.px(SMALLEST))
        size = next((size for size in sizes if text_width("−0.00", size) <= self.cell), sizes[-1])
        fits = (text_width("0.00", size) + text_width("−0.00", size)) / 2 <= self.cell
        return size if self.written and fits else 0.0

    @cached_property
    def n_before(self) -> str | None:
        """What stands before the shared decisions of a pair in its cell; None where they have no room there."""
        most = count(int(self.data.shared[self.data.drawn].max(initial=0)))
        fitting = (lead for lead in ("n ", "") if text_width(f"{lead}{most}", self.px(SMALLEST)) <= self.cell - 2)
        return next(fitting, None) if self.cell_size else None

    @property
    def shared(self) -> str:
        """What is said of the shared decisions under the map."""
        if self.n_before is not None:
            return IN_CELLS if self.n_before else BELOW.replace("κ", self.data.symbol)
        there = self.data.shared[self.data.drawn & ~self.data.undefined]
        ends = (int(there.min(initial=there.max(initial=0))), int(there.max(initial=0)))
        start = f"n from {count(ends[0])} to" if ends[0] < ends[1] else "n"
        return f"{'size: ' if self.sized else ''}{start} {several(ends[1], 'shared decisions')}"

    def colour_bar_notes(self, shared: str) -> list[str]:
        """Return what is said beside the colour bar."""
        words = []
        if self.data.undefined.any():
            words = [f"{UNDEFINED} undefined" if self.written and self.data.shared[self.data.undefined].any() else BLANK]
        return [*words, shared, *([] if self.named else [UNDER]), *([self.data.note] if self.data.note else [])]

    @cached_property
    def low(self) -> float:
        """Where the colours begin: 0, or below the lowest value."""
        lowest = np.nanmin(self.data.pairs, initial=0.0)
        return min(math.floor(lowest / STEP + 1e-9) * STEP, 0.0)

    @property
    def colour(self) -> str:
        return style.coefficient(self.data.symbol, self.colours)[0]

    @property
    def colour_scale(self) -> list[list[Any]]:
        zero = -self.low / (1 - self.low)
        below = [[0.0, self.colours.below_zero]] if zero > 0 else []
        return [*below, [zero, self.colours.page], [1.0, self.colour]]

    def fill(self, value: float) -> str:
        if value < 0 and self.low < 0:
            return style.blend(self.colours.page, self.colours.below_zero, value / self.low)
        return style.blend(self.colours.page, self.colour, min(max(value, 0.0), 1.0))

    def ink(self, value: float) -> str:
        """Return black or white: of any two colours less far apart, neither is readable on every step of the scale."""
        return max(("#000000", "#FFFFFF"), key=lambda colour: style.contrast(colour, self.fill(value)))


def estimate_text(with_reference: Estimate) -> str:
    if with_reference.defined:
        return estimate(with_reference)
    return f"undefined{': ' + plain(with_reference.why) if with_reference.why else ''}"


def named(heatmap: AgreementHeatmap) -> str:
    """Return what the reference says of each; of groups it is a mean."""
    return f"{'mean ' if heatmap.diagonal else ''}{heatmap.symbol} with {plain(heatmap.reference_name)}"


def strip_hover(heatmap: AgreementHeatmap, i: int, with_reference: Estimate, what: str) -> str:
    return f"{escape(heatmap.names[i])}<br><b>{escape(what)} {escape(estimate_text(with_reference))}</b>"


def reach(reference: Sequence[Estimate]) -> tuple[float, float]:
    """Return ends of the axis of these."""
    ends = marks.reached(reference)
    low, high = min([0.0, *ends]), max([1.0, *ends])
    return low - 0.06 * (high - low), high + 0.06 * (high - low)


def strip_axis(sheet: Sheet, reference: Sequence[Estimate]) -> dict[str, Any]:
    ends = reach(reference)
    return sheet.axis(*ends, inner_ticks(*ends, STRIP_TICKS))
