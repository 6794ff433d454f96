"""Ticks of an axis that holds values of one metric, in its own unit, or numbers of any size, such as scores.

Those of scores are round, with decimals that show what differs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from metrics.figures import theme as style
from metrics.figures.theme import Tokens
from metrics.results import words
from metrics.results.words import MINUS, THIN_SPACE

MOST_STEPS = 6
FINEST, FINEST_POINTS = 0.01, 0.005
"""Steps that ticks with two decimals, and those in points, still tell apart."""
ROUND = (1.0, 2.0, 5.0, 10.0)
MOST_DECIMALS = 12
Ends = tuple[float, float]


def step_of(ends: Ends, most: float, least: float = 0.0) -> float:
    """Return the smallest round step, `least` or more, of which at most `most` fit between the ends."""
    wide = max((ends[1] - ends[0]) / max(most, 1), least)
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
    if not math.isfinite(value):
        return words.number(value)
    decimals = 2 if wide >= 1 or wide <= 0 else min(2 - math.floor(math.log10(wide) + 1e-9), MOST_DECIMALS)
    rounded = words.printed(abs(value), decimals)
    sign = "" if not rounded else MINUS if value < 0 else "+" if signed else ""
    return sign + f"{rounded:,.{decimals}f}".replace(",", THIN_SPACE)


def shown_ends(ends: Ends | None, wide: float) -> str:
    """Return an interval written so; empty where there is none."""
    return "" if ends is None else f"[{number_text(ends[0], wide)}, {number_text(ends[1], wide)}]"


def number_axis(colours: Tokens, ends: Ends, most: int, scale: float, **changes: Any) -> dict[str, Any]:
    """Return the axis between the ends with at most `most` ticks."""
    places, texts = ticks(ends, most)
    return style.value_axis(colours, *ends, places, scale, texts) | changes


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
    step = step_of((low, high), MOST_STEPS, FINEST_POINTS if unit == "points" else FINEST)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(place * step, 6) for place in range(first, max(last, first + 1) + 1)]


def inner_ticks(low: float, high: float, most: float, *, last: float = math.inf) -> list[float]:
    """Round places inside an axis up to `last`, about `most` of them."""
    step = step_of((low, high), most, FINEST)
    first, end = math.ceil(low / step - 1e-9), math.floor(min(high, last) / step + 1e-9)
    return [round(step * place, 6) for place in range(first, end + 1)]


def fifths(low: float, high: float, most: float) -> list[float]:
    """Every fifth inside an axis, where the limits of bands of κ lie; every other where these are more than `most`."""
    places = range(math.ceil(low * 5), math.floor(high * 5) + 1)
    return [place / 5 for place in places if len(places) <= most or place % 2 == 0]


def tick_words(value: float, unit: str) -> str:
    """Return .4, −.2; 40 %; +2 points."""
    if unit == "%":
        return words.percent(value)
    if unit == "points":
        return f"{'+' if value > 0 else ''}{words.tick(100 * value)}".replace("+.", "+0.").replace("−.", "−0.")
    return words.tick(value)
