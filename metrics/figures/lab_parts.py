"""What the views of a table by hand share: whose values they are, how shares are printed, a view with nothing to draw."""

from __future__ import annotations

import math

from metrics.content.lab.pictures import Picture
from metrics.figures import marks
from metrics.figures import theme as style
from metrics.figures.theme import Tokens, fit, wrap
from metrics.figures.traces import Figure, drawn
from metrics.results.words import MINUS

HERE = "you are here"
KEPT = 2
"""Decimals that a share always has."""
NAME = 90
"""Px that the name of a table may take."""


def in_order(now: Picture, other: Picture | None) -> list[Picture]:
    """As they are read: A before B, a step after the one before it."""
    both = [now] if other is None else [now, other]
    return sorted(both, key=lambda picture: (not picture.name, picture.name))


def called(picture: Picture, size: float, alone: str = HERE) -> str:
    """Return the name of a table, as long as there is room for it."""
    return fit(picture.name, NAME * size / style.TEXT, size, bold=True) if picture.name else alone


def why_none(picture: Picture, what: str) -> str:
    """Return why a view that needs TPR and FPR has no line or point to draw; empty where it has.

    Counts may leave them undefined; a table that is driven by rates has them even where a row is empty.
    """
    if not picture.n:
        return style.NOTHING
    reason = picture.without_rates
    return f"No {what}: {reason}" if reason else ""


def nothing(why: str, colours: Tokens, scale: float, *, height: float, width: float) -> Figure:
    """Return a view of nothing but the reason, as tall as it is with something in it, so that nothing below it moves."""
    hidden = {"xaxis": style.hidden_axis(0, 1), "yaxis": style.hidden_axis(0, 1)}
    size = style.TEXT * scale
    text = marks.stacked(wrap(why, width - 8 * scale, size, lines=3))
    note = marks.sentence("", colours, scale) | {"text": text}
    return drawn(style.layout(colours, height=height, scale=scale, **hidden), [], annotations=[note])


def decimals(x: float, digits: int) -> str:
    """Return a share or a difference of two, as in a formula: .90, .824, −.05, 0, 1.

    Two decimals and as many more as it has.
    """
    if math.isclose(x, round(x), rel_tol=0, abs_tol=1e-12):
        return f"{round(x)}".replace("-", MINUS)
    text = f"{abs(x):.{digits}f}"
    whole, part = text.split(".")
    kept = part[:KEPT] + part[KEPT:].rstrip("0")
    return f"{MINUS if x < 0 else ''}{whole if whole != '0' else ''}.{kept}"
