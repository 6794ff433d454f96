"""Axes that leave room for what is written beside their marks, and texts that keep out of each other's way, on lines too."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise

import numpy as np

from metrics.measures.arrays import FloatArray

MOST_ROUNDS = 60
ALONG = (0.3, 0.4, 0.2, 0.5, 0.6, 0.7, 0.25, 0.75, 0.15, 0.8, 0.88)
"""Shares of the plot at which the middle of a name may stand, the first that is free."""
CLEAR, STEPS = 4, 24
"""Px between a name and any line, and points at which a line is looked at under a name."""

Box = tuple[float, float, float, float]
"""Left, top, right and bottom in px."""


@dataclass(frozen=True)
class Mark:
    """What is drawn from `low` to `high`, with texts of so many px at its left and right."""

    low: float
    high: float
    left: float = 0.0
    right: float = 0.0


def axis_ends(marks: Sequence[Mark], low: float, high: float, room: float) -> tuple[float, float]:
    """Return the axis from `low` to `high`, widened until every text fits into `room` px."""
    for _ in range(MOST_ROUNDS):
        share = (high - low) / room
        left = min([low, *(mark.low - mark.left * share for mark in marks)])
        right = max([high, *(mark.high + mark.right * share for mark in marks)])
        if right - left <= (high - low) * 1.001:
            break
        low, high = left, right
    return low, high


def spread_positions(wanted: Sequence[float], step: float, room: float, rows: Sequence[int] = ()) -> list[float]:
    """Return ascending places at least `step` from each other and inside the room, as near to the wanted ones as squares can
    say.

    Without the steps this is a monotone fit: neighbours in the wrong order share their mean.

    `rows`: how many lines of `step` each text has; one unless said, as is what the room is measured for.
    """
    if not wanted:
        return []
    reach = [step / 2 * many for many in rows or [1] * len(wanted)]
    steps = list(accumulate((half + other for half, other in pairwise(reach)), initial=0.0))
    blocks: list[tuple[float, int]] = []
    for want, offset in zip(wanted, steps, strict=True):
        blocks.append((want - offset, 1))
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            (average, m), (other, n) = blocks[-2:]
            blocks[-2:] = [((m * average + n * other) / (m + n), m + n)]
    low, high = reach[0] - step / 2, room + step / 2 - reach[-1] - steps[-1]
    level = [min(max(mean, low), high) for mean, n in blocks for _ in range(n)]
    return [place + shift for place, shift in zip(level, steps, strict=True)]


def inward(middle: float, wide: float, room: float) -> float:
    """Return px by which a text that is centred on a place moves to stay between 0 and `room`."""
    return max(0.0, wide / 2 - middle) - max(0.0, middle + wide / 2 - room)


@dataclass
class Places:
    """Boxes already taken in a plot, and whether a next one fits."""

    wide: float
    high: float
    taken: list[Box] = field(default_factory=list)

    def add(self, box: Box) -> None:
        self.taken.append(box)

    def free(self, box: Box) -> bool:
        inside = box[0] >= 0 and box[1] >= 0 and box[2] <= self.wide and box[3] <= self.high
        return inside and not any(meet(box, other) for other in self.taken)


def text_box(
    spot: tuple[float, float], size: tuple[float, float], anchor: str = "center", right: float = 0.0, down: float = 0.0
) -> Box:
    """Return the box of a text of that width and height, anchored so many px right of a spot and below it."""
    (wide, high), middle = size, spot[1] + down
    left = spot[0] + right - {"left": 0.0, "center": 0.5, "right": 1.0}[anchor] * wide
    return left, middle - high / 2, left + wide, middle + high / 2


def around(spot: tuple[float, float], reach: float) -> Box:
    """Return a box of twice `reach` px with the spot in its middle."""
    return spot[0] - reach, spot[1] - reach, spot[0] + reach, spot[1] + reach


def distance(box: Box, spot: tuple[float, float]) -> float:
    """Return px from a spot to a box; 0 inside."""
    across = max(box[0] - spot[0], 0.0, spot[0] - box[2])
    upright = max(box[1] - spot[1], 0.0, spot[1] - box[3])
    return math.hypot(across, upright)


def meet(box: Box, other: Box) -> bool:
    return box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3]


@dataclass(frozen=True, eq=False)
class Path:
    """A line from the left upper corner of the plot, left to right, with the px its name takes.

    Attributes
    ----------
    x : ndarray, shape (n,)
        Px.
    y : ndarray, shape (n,)
        Shares of the plot's height.
    size : (float, float)
        Width and height of the name.
    """

    x: FloatArray
    y: FloatArray
    size: tuple[float, float]


@dataclass(frozen=True)
class Spot:
    """The middle of a name: px from the left, and so many px below a height that is a share of the plot's."""

    x: float
    share: float
    shift: float

    def box(self, size: tuple[float, float], high: float) -> Box:
        return text_box((self.x, self.share * high), size, down=self.shift)


def places_on_lines(paths: Sequence[Path], wide: float, heights: Sequence[float], taken: Sequence[Box] = ()) -> list[Spot]:
    """Return where each name stands, above its line or below it; empty where one of them finds no place.

    Parameters
    ----------
    wide : float
        Px of the plot.
    heights : sequence of float
        Px that the plot may have; the names are clear of everything at each of them.
    taken : sequence of Box
        Where no name may stand.
    """
    free = [Places(wide, high, [*taken]) for high in heights]
    spots: list[Spot] = []
    for path in paths:
        clear = (spot for spot in _spots(path, wide) if all(_clear(spot, path, paths, places) for places in free))
        found = next(clear, None)
        if found is None:
            return []
        for places in free:
            places.add(found.box(path.size, places.high))
        spots.append(found)
    return spots


def _spots(path: Path, plot: float) -> list[Spot]:
    """Return where the name is nearest to its line without touching it: above it all along, then below."""
    above, below, (wide, high) = [], [], path.size
    for x in (share * plot for share in ALONG):
        under = _under(path, x - wide / 2, x + wide / 2)
        if len(under):
            above.append(Spot(x, float(under.min()), -high / 2 - CLEAR))
            below.append(Spot(x, float(under.max()), high / 2 + CLEAR))
    return above + below


def _clear(spot: Spot, own: Path, paths: Sequence[Path], places: Places) -> bool:
    box = left, top, right, foot = spot.box(own.size, places.high)
    if not places.free(box):
        return False
    crossing = (_under(path, left, right) * places.high for path in paths)
    return not any(((y > top - CLEAR + 1) & (y < foot + CLEAR - 1)).any() for y in crossing)


def _under(path: Path, left: float, right: float) -> FloatArray:
    """Return heights of the line between two places; empty where it has none there."""
    known = ~np.isnan(path.y)
    if not known.any():
        return np.empty(0)
    heights = np.interp(np.linspace(left, right, STEPS), path.x[known], path.y[known], np.nan, np.nan)
    return heights[~np.isnan(heights)]
