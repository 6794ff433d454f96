"""Names on lines: where beside its own line a name meets neither another line nor a mark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from metrics.figures.fitting import Box, Places
from metrics.measures.arrays import FloatArray

ALONG = (0.3, 0.4, 0.2, 0.5, 0.6, 0.7, 0.15, 0.8, 0.88)
"""Shares of the plot at which the middle of a name may stand, the first that is free."""
CLEAR, STEPS = 4, 24
"""Px between a name and any line, and points at which a line is looked at under a name."""


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
        y, (wide, tall) = self.share * high + self.shift, size
        return self.x - wide / 2, y - tall / 2, self.x + wide / 2, y + tall / 2


def places_on_lines(
    paths: Sequence[Path], wide: float, heights: Sequence[float], taken: Sequence[tuple[float, float]] = ()
) -> list[Spot]:
    """Return where each name stands, above its line or below it; empty where one of them finds no place.

    Parameters
    ----------
    wide : float
        Px of the plot.
    heights : sequence of float
        Px that the plot may have; the names are clear of everything at each of them.
    taken : sequence of (float, float)
        Px from the left, from which to which no name may stand.
    """
    free = {high: Places(max(wide, high), [(left, 0.0, right, high) for left, right in taken]) for high in heights}
    spots: list[Spot] = []
    for path in paths:
        clear = (spot for spot in _spots(path, wide) if all(_clear(spot, path, paths, wide, *one) for one in free.items()))
        found = next(clear, None)
        if found is None:
            return []
        for high, places in free.items():
            places.add(found.box(path.size, high))
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


def _clear(spot: Spot, own: Path, paths: Sequence[Path], wide: float, high: float, free: Places) -> bool:
    box = left, top, right, foot = spot.box(own.size, high)
    if left < 0 or top < 0 or right > wide or foot > high or not free.free(box):
        return False
    crossing = (_under(path, left, right) * high for path in paths)
    return not any(((y > top - CLEAR + 1) & (y < foot + CLEAR - 1)).any() for y in crossing)


def _under(path: Path, left: float, right: float) -> FloatArray:
    """Return heights of the line between two places; empty where it has none there."""
    known = ~np.isnan(path.y)
    if not known.any():
        return np.empty(0)
    heights = np.interp(np.linspace(left, right, STEPS), path.x[known], path.y[known], np.nan, np.nan)
    return heights[~np.isnan(heights)]
