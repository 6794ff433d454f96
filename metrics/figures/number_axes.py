"""Axes of numbers of any size, such as scores: round ticks, and decimals that show what differs."""

from __future__ import annotations

import math
from typing import Any

from metrics.figures import theme as style
from metrics.figures.theme import Tokens
from metrics.results import words
from metrics.results.words import MINUS, THIN_SPACE

ROUND = (1.0, 2.0, 5.0, 10.0)
MOST_DECIMALS = 12
Ends = tuple[float, float]


def step_of(ends: Ends, most: int) -> float:
    """Return the smallest round step of which at most `most` fit between the ends."""
    wide = (ends[1] - ends[0]) / max(most, 1)
    power = 10.0 ** math.floor(math.log10(wide))
    return next(power * part for part in ROUND if power * part >= wide * (1 - 1e-9))


def ticks(ends: Ends, most: int) -> tuple[list[float], list[str]]:
    """Round places between the ends and what is written there."""
    step = step_of(ends, most)
    first, last = math.ceil(ends[0] / step - 1e-9), math.floor(ends[1] / step + 1e-9)
    places = [place * step for place in range(first, last + 1)]
    return places, [tick(place, step) for place in places]


def tick(value: float, step: float) -> str:
    """As `words.tick`, with as many decimals as the step has and spaces between thousands."""
    decimals = min(max(0, -math.floor(math.log10(step) + 1e-9)), MOST_DECIMALS)
    text = f"{abs(value):,.{decimals}f}".replace(",", THIN_SPACE)
    if text.startswith("0.") and float(text):
        text = text[1:]
    zero = not float(text.replace(THIN_SPACE, ""))
    return "0" if zero else f"{MINUS}{text}" if value < 0 else text


def number_text(value: float, wide: float, *, signed: bool = False) -> str:
    """Return a number with two decimals, or with as many more as an axis so wide needs to tell a hundredth of it."""
    if math.isnan(value):
        return words.UNDEFINED
    decimals = 2 if wide >= 1 or wide <= 0 else min(2 - math.floor(math.log10(wide) + 1e-9), MOST_DECIMALS)
    text = f"{abs(value):,.{decimals}f}".replace(",", THIN_SPACE)
    zero = not float(text.replace(THIN_SPACE, ""))
    sign = MINUS if value < 0 else "+" if signed else ""
    return text if zero else sign + text


def shown_ends(ends: Ends | None, wide: float) -> str:
    """Return an interval written so; empty where there is none."""
    return "" if ends is None else f"[{number_text(ends[0], wide)}, {number_text(ends[1], wide)}]"


def number_axis(colours: Tokens, ends: Ends, most: int, scale: float, **changes: Any) -> dict[str, Any]:
    """Return the axis between the ends with at most `most` ticks."""
    places, texts = ticks(ends, most)
    return style.value_axis(colours, *ends, places, scale) | {"ticktext": texts} | changes
