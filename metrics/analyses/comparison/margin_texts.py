"""A margin in words: as it was stated, and how far a difference may reach beside it."""

from __future__ import annotations

from metrics.analyses.comparison.margin import Held
from metrics.results import words

FINEST = 6
"""Decimals beyond which a number is not told from a margin any more."""


def stated(margin: float, unit: str = "") -> str:
    """Return a margin as it was typed, in points where its metric is a share: 0.085, 7.25 points."""
    return f"{100 * margin:g}{words.HARD_SPACE}points" if unit else f"{margin:g}"


def told_from(size: float, margin: float, unit: str = "") -> str:
    """Return how far a judge may be worse, with as many decimals as tell it from the margin."""
    return f"{_decimals(_scaled(size, unit), decimals(size, margin, unit))}{f'{words.HARD_SPACE}points' if unit else ''}"


def decimals(size: float, margin: float, unit: str = "") -> int:
    """Return decimals with which a size, rounded, lies on the same side of a margin as it does unrounded."""
    far, line = _scaled(size, unit), _scaled(margin, unit)
    least = (1 if abs(far) < 9.95 else 0) if unit else 2
    return least if far == line else next((n for n in range(least, FINEST) if round(far, n) != round(line, n)), FINEST)


def interval_words(one: Held, unit: str = "") -> str:
    """Return the interval that decides on a margin: that of the difference, its end on the worse side farther out.

    Parameters
    ----------
    one : Held
        With an interval.
    unit : str
        Of the metric; empty for none.
    """
    assert one.interval is not None
    n, end = decimals(one.worst, one.margin, unit), f"{words.HARD_SPACE}points" if unit else ""
    low, high = (words.signed(_scaled(x, unit), n) if unit else _decimals(x, n) for x in one.interval)
    return f"the interval for a margin is [{low}, {high}{end}]"


def _scaled(size: float, unit: str) -> float:
    return 100 * size if unit else size


def _decimals(x: float, n: int) -> str:
    return words.signed(x, n).lstrip("+")
