"""The words of Landis & Koch for a κ, and which of them an interval leaves open.

References: Landis & Koch (1977), doi:10.2307/2529310, who call their division clearly arbitrary.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

SOURCE = "Landis & Koch 1977"
EDGES = (0.0, 0.2, 0.4, 0.6, 0.8)
WORDS = ("poor", "slight", "fair", "moderate", "substantial", "almost perfect")


@dataclass(frozen=True)
class Band:
    """One of the six.

    Attributes
    ----------
    low, high : float
        `poor` lies below 0, `slight` holds 0 and 0.20; each of the others holds its upper end, not its lower.
    """

    word: str
    low: float
    high: float


BANDS = tuple(Band(word, low, high) for word, low, high in zip(WORDS, (-1.0, *EDGES), (*EDGES, 1.0), strict=True))


def band_of(value: float) -> Band | None:
    """Return the band of a κ; None where it is undefined."""
    if math.isnan(value):
        return None
    return BANDS[0] if value < 0 else next(band for band in BANDS[1:] if value <= band.high)


def touched(ends: tuple[float, float]) -> tuple[Band, ...]:
    """Return every band from the one of the lower end to the one of the upper."""
    low, high = (band_of(end) for end in ends)
    return () if low is None or high is None else BANDS[BANDS.index(low) : BANDS.index(high) + 1]


def band_words(value: float, ends: tuple[float, float] | None) -> str:
    """Return the band in words; where the interval reaches over several, the first and the last of them."""
    band = band_of(value)
    if band is None:
        return "no band: κ is undefined"
    over = () if ends is None else touched(ends)
    if len(over) < 2:
        beside = "" if ends is not None else ", without an interval"
        return f"{band.word}{beside}"
    between = "or" if len(over) == 2 else "to"
    many = "two bands" if len(over) == 2 else f"{len(over)} bands"
    return f"{over[0].word} {between} {over[-1].word}: the interval touches {many}"
