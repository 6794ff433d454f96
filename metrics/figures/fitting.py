"""Axes that leave room for what is written beside their marks, and texts that keep out of each other's way."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise

STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0)
MOST_ROUNDS = 60

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


def ticks_between(low: float, high: float, room: float, each: float) -> list[float]:
    """Round values around 0, as many as stand apart by `each` px in `room` px."""
    step = next((step for step in STEPS if (high - low) / step * each <= room), STEPS[-1])
    return [step * i for i in range(math.ceil(low / step), math.floor(high / step) + 1)]


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


@dataclass
class Places:
    """Boxes already taken in a square, and whether a next one fits."""

    side: float
    taken: list[Box] = field(default_factory=list)

    def add(self, box: Box) -> None:
        self.taken.append(box)

    def free(self, box: Box) -> bool:
        inside = box[0] >= 0 and box[1] >= 0 and box[2] <= self.side and box[3] <= self.side
        return inside and not any(meet(box, other) for other in self.taken)


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
