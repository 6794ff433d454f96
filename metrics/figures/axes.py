"""Ticks of an axis that holds values of one metric, in its own unit."""

from __future__ import annotations

import math
from collections.abc import Sequence

from metrics.figures.number_axes import step_of
from metrics.results import words

STEPS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
"""The first one only in points, where it has a tick of its own: +0.5."""
MOST_STEPS = 6


def axis_ticks(values: Sequence[float], unit: str, *, close: bool = False) -> list[float]:
    """Round places from below the smallest to above the largest value; with 0, and with 1 unless in points.

    Parameters
    ----------
    close : bool
        Only as far as the values reach.
    """
    ends = [end for end in values if math.isfinite(end)]
    low, high = min([0.0, *ends]), max([0.0, *ends] if unit == "points" else [1.0, *ends])
    if close and ends:
        low, high = min(ends), max(ends)
    steps = STEPS if unit == "points" else STEPS[1:]
    step = next((step for step in steps if (high - low) / step <= MOST_STEPS), 0.0) or step_of((low, high), MOST_STEPS)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(place * step, 6) for place in range(first, max(last, first + 1) + 1)]


def inner_ticks(low: float, high: float, most: int, steps: Sequence[float], *, last: float = math.inf) -> list[float]:
    """Round places inside an axis up to `last`, about `most` of them, apart by one of the steps."""
    step = next((step for step in steps if (high - low) / step <= most), steps[-1])
    first, end = math.ceil(low / step - 1e-9), math.floor(min(high, last) / step + 1e-9)
    return [round(step * place, 6) for place in range(first, end + 1)]


def tick_words(value: float, unit: str) -> str:
    """Return .4, −.2; 40 %; +2 points."""
    if unit == "%":
        return words.percent(value)
    if unit == "points":
        return f"{'+' if value > 0 else ''}{words.tick(100 * value)}".replace("+.", "+0.").replace("−.", "−0.")
    return words.tick(value)
