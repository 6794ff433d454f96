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
    """A line in px from the left upper corner of the plot, left to right, with the px its name takes.

    Attributes
    ----------
    x, y : ndarray, shape (n,)
    size : (float, float)
        Width and height of the name.
    """

    x: FloatArray
    y: FloatArray
    size: tuple[float, float]


def places_on_lines(paths: Sequence[Path], plot: tuple[float, float], taken: Sequence[Box] = ()) -> list[tuple[float, float]]:
    """Return the middle of each name in px, above its line or below it; empty where one of them finds no place.

    Parameters
    ----------
    plot : (float, float)
        Width and height of the plot in px.
    taken : sequence of Box
        Where no name may stand.
    """
    free, spots = Places(max(plot), list(taken)), []
    for path in paths:
        found = next((spot for spot in _spots(path, plot) if _clear(spot, path, paths, plot, free)), None)
        if found is None:
            return []
        free.add(_box(found, path))
        spots.append(found)
    return spots


def _spots(path: Path, plot: tuple[float, float]) -> list[tuple[float, float]]:
    """Return where the name is nearest to its line without touching it: above it all along, then below."""
    above, below, (wide, high) = [], [], path.size
    for x in (share * plot[0] for share in ALONG):
        under = _under(path, x - wide / 2, x + wide / 2)
        if len(under):
            above.append((x, float(under.min()) - high / 2 - CLEAR))
            below.append((x, float(under.max()) + high / 2 + CLEAR))
    return above + below


def _clear(spot: tuple[float, float], own: Path, paths: Sequence[Path], plot: tuple[float, float], free: Places) -> bool:
    box = left, top, right, foot = _box(spot, own)
    if left < 0 or top < 0 or right > plot[0] or foot > plot[1] or not free.free(box):
        return False
    crossing = (_under(path, left, right) for path in paths)
    return not any(((y > top - CLEAR + 1) & (y < foot + CLEAR - 1)).any() for y in crossing)


def _box(spot: tuple[float, float], path: Path) -> Box:
    wide, high = path.size
    return spot[0] - wide / 2, spot[1] - high / 2, spot[0] + wide / 2, spot[1] + high / 2


def _under(path: Path, left: float, right: float) -> FloatArray:
    """Return heights of the line between two places; empty where it has none there."""
    known = ~np.isnan(path.y)
    if not known.any():
        return np.empty(0)
    heights = np.interp(np.linspace(left, right, STEPS), path.x[known], path.y[known], np.nan, np.nan)
    return heights[~np.isnan(heights)]
