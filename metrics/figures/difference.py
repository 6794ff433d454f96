"""The difference of two judges: one large whisker, 0 marked, and which side speaks for whom."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from metrics.analyses.comparison.margin import stated
from metrics.figures import marks
from metrics.figures import theme as style
from metrics.figures.axes import inner_ticks, tick_words
from metrics.figures.fitting import inward
from metrics.figures.marks import Point, annotation
from metrics.figures.theme import Theme, Tokens, escape, fit, text_width, wrap
from metrics.figures.traces import Figure, Trace, drawn
from metrics.results import words
from metrics.results.estimate import Estimate
from metrics.results.words import plain, shorten

SMALL = 0.01
LEAST = 0.02
"""Reach of an axis on which nothing differs."""
ROOM = 0.07
"""Room at both ends of an axis, as a share of it."""
TICK_ROOM = 44
"""Px a tick label needs."""
BIG = 20
JOINTS = " /_-:.@"
"""After these a name may go on in the next line."""
HEIGHT, NOTHING, SIDES, NAME, DOT, AXIS, MARGIN = 156, 48, 12, 42, 86, 28, 12


@dataclass(frozen=True)
class Difference:
    """Value of B less that of A; `better` is 1 where more is better, -1 where less is, 0 where neither is."""

    a: str
    b: str
    estimate: Estimate
    better: int = 1
    margin: float | None = None
    """How much worse B may be; None where nobody stated it."""
    far: float | None = None
    """End on the worse side that the margin is held against."""

    @property
    def limit(self) -> float | None:
        """Where the margin lies; None without one."""
        return None if self.margin is None or not self.better else -self.better * self.margin


def difference_whisker(
    difference: Difference, *, theme: Theme, symbol: str = "κ", unit: str = "", scale: float = 1.0, width: float = 340
) -> Figure:
    """Return the whisker on an axis with 0 in the middle.

    Parameters
    ----------
    unit : {"", "%", "points"}
        Of the metric; differences of shares are in points.
    width : float
        The narrowest width in px (before scaling) at which no two texts may meet.
    """
    colours, room, estimate = style.tokens(theme), width * scale - 2 * MARGIN, difference.estimate
    most = max(map(abs, reach([*marks.reached([estimate]), difference.limit, difference.far])))
    axis = difference_axis(colours, (-most, most), unit, room, scale)
    layout = _layout(colours, axis, scale, drawn=estimate.defined)
    if not estimate.defined:
        text = escape(fit(f"Undefined: {estimate.why}", room, style.TEXT * scale))
        return drawn(layout, [], annotations=[marks.sentence(text, colours, scale) | {"hovertext": escape(estimate.why)}])
    texts = [*_sides(difference, colours, room, scale), *_texts(difference, colours, symbol, unit, room, most, scale)]
    texts += _margin_name(difference, colours, unit, scale)
    shapes = [_zero(colours, scale), *_margin_lines(difference, colours, scale)]
    return drawn(layout, [_dot(difference, colours, symbol, unit, scale)], annotations=texts, shapes=shapes)


def alt(difference: Difference, *, symbol: str = "κ", unit: str = "") -> str:
    """Return the figure in a sentence, for people who do not see it."""
    head = f"Difference in {symbol}, {plain(difference.b)} less {plain(difference.a)}:"
    apart = difference.estimate
    reason = f", {plain(apart.why)}" if apart.why else ""
    if not apart.defined:
        return f"{head} undefined{reason}."
    finely = hidden(apart.value, unit)
    ends = "" if apart.ends is None else f" {apart_interval(apart.ends, unit, finely=finely)}"
    margin = "" if difference.limit is None else f", margin at {margin_text(difference.limit, unit)}"
    return f"{head} {difference_text(apart.value, unit, finely=finely)}{ends}{reason}{margin}."


def difference_text(difference: float, unit: str, *, finely: bool = False) -> str:
    """Return a difference in its own unit: of shares in points; with three decimals where two would hide it."""
    return words.three(difference) if finely else words.value(difference, "points" if unit else "")


def margin_text(limit: float, unit: str) -> str:
    """Return where a margin lies, as it was typed."""
    return f"{words.MINUS if limit < 0 else '+' if unit else ''}{stated(abs(limit), unit)}"


def apart_interval(ends: tuple[float, float], unit: str, *, finely: bool = False) -> str:
    low, high = ends
    return f"[{words.three(low)}, {words.three(high)}]" if finely else words.bounds(ends, "points" if unit else "")


def hidden(difference: float, unit: str) -> bool:
    """Return whether two decimals would hide a difference."""
    return not unit and 0 < abs(difference) < SMALL


def in_lines(text: str, room: float, size: float) -> list[str]:
    """Return a text in at most two lines, broken where a name has a joint; where none helps, as `wrap` does."""
    if text_width(text, size) <= room:
        return [text]
    cuts = [i + 1 for i, letter in enumerate(text[:-1]) if letter in JOINTS and text_width(text[: i + 1].rstrip(), size) <= room]
    if cuts and text_width(text[cuts[-1] :], size) <= room:
        return [text[: cuts[-1]].rstrip(), text[cuts[-1] :]]
    return wrap(text, room, size)


def reach(values: Iterable[float | None]) -> tuple[float, float]:
    """Return ends of an axis that holds 0 and every value, with room beyond what is drawn."""
    there = [value for value in values if value is not None and math.isfinite(value)]
    low, high = min([-LEAST, *there]), max([LEAST, *there])
    room = ROOM * (high - low)
    return low - room, high + room


def difference_axis(colours: Tokens, ends: tuple[float, float], unit: str, room: float, scale: float) -> dict[str, Any]:
    """Return an axis with round ticks around 0, as many as stand apart in `room` px."""
    low, high = ends
    ticks = inner_ticks(low, high, max(2.0, room / (TICK_ROOM * scale)))
    return style.value_axis(colours, low, high, ticks, scale, [tick_words(value, "points" if unit else "") for value in ticks])


def _layout(colours: Tokens, axis: dict[str, Any], scale: float, *, drawn: bool) -> dict[str, Any]:
    foot = (HEIGHT - AXIS) * scale
    return style.layout(
        colours,
        height=style.TOP + (HEIGHT if drawn else NOTHING) * scale,
        scale=scale,
        margin=style.margin(MARGIN, MARGIN, AXIS * scale if drawn else 0, style.TOP),
        xaxis=axis | {"visible": drawn},
        yaxis=style.hidden_axis(foot, 0),
    )


def _dot(difference: Difference, colours: Tokens, symbol: str, unit: str, scale: float) -> Trace:
    (colour, shape), apart = style.coefficient(symbol, colours), difference.estimate
    shown = difference_text(apart.value, unit, finely=hidden(apart.value, unit))
    hover = f"<b>{shown}</b><br>{escape(difference.b)} less {escape(difference.a)}"
    point = Point(apart, DOT * scale, hover, [0], open=apart.ends is None)
    return marks.dots([point], colour=colour, symbol=shape, scale=scale, size=18, thick=5)


def _sides(difference: Difference, colours: Tokens, room: float, scale: float) -> list[dict[str, Any]]:
    """Return who is better on which side of 0."""
    word = "higher" if not difference.better else "better"
    left, right = (difference.b, difference.a) if difference.better < 0 else (difference.a, difference.b)
    size, texts = style.TEXT * scale, []
    for whole, at, anchor in ((left, 0, "left"), (right, 1, "right")):
        lines = [escape(line) for line in in_lines(f"{shorten(whole)} {word}", room / 2 - 24 * scale, size)]
        text = f"◂ {'<br>'.join(lines)}" if at == 0 else f"{'<br>'.join(lines)} ▸"
        place = {"xref": "paper", "xanchor": anchor, "hovertext": escape(whole)}
        texts.append(annotation(text, at, SIDES * scale, size=size, colour=colours.muted, **place))
    return texts


def _texts(
    difference: Difference, colours: Tokens, symbol: str, unit: str, room: float, most: float, scale: float
) -> list[dict[str, Any]]:
    (colour, _), apart = style.coefficient(symbol, colours), difference.estimate
    finely = hidden(apart.value, unit)
    below = f"no interval: {plain(apart.why)}" if apart.ends is None else apart_interval(apart.ends, unit, finely=finely)
    lines = [
        (difference_text(apart.value, unit, finely=finely), -24, BIG, colour, True),
        (below, 22, style.TEXT, colours.muted, False),
    ]
    texts = []
    for text, up, size, ink, bold in lines:
        shown = fit(text, room, size * scale, bold=bold)
        middle = (1 + apart.value / most) / 2 * room
        shift = inward(middle, text_width(shown, size * scale, bold=bold), room)
        shown = f"<b>{escape(shown)}</b>" if bold else escape(shown)
        place = {"xshift": shift, "bgcolor": colours.page, "hovertext": escape(text)}
        texts.append(annotation(shown, apart.value, (DOT + up) * scale, size=size * scale, colour=ink, **place))
    return texts


def _zero(colours: Tokens, scale: float) -> dict[str, Any]:
    line = {"color": colours.text, "width": 1.5}
    return marks.upright(0, (34 * scale, (HEIGHT - AXIS) * scale), line)


def _margin_lines(difference: Difference, colours: Tokens, scale: float) -> list[dict[str, Any]]:
    """Return the margin as a dashed line, and how far the difference may reach towards it."""
    limit, low, high = difference.limit, difference.estimate.low, difference.estimate.high
    if limit is None:
        return []
    lines = [marks.upright(limit, (34 * scale, (HEIGHT - AXIS) * scale), {"color": colours.text, "width": 1.5, "dash": "dash"})]
    end = low if difference.better > 0 else high
    if difference.far is not None and end is not None:
        line = {"color": colours.muted, "width": 1.5, "dash": "dot"}
        lines.append({"type": "line", "x0": end, "x1": difference.far, "y0": DOT * scale, "y1": DOT * scale, "line": line})
    return lines


def _margin_name(difference: Difference, colours: Tokens, unit: str, scale: float) -> list[dict[str, Any]]:
    """Return the margin in words at the head of its line, on the side of 0, where there is room."""
    if difference.limit is None:
        return []
    text, left = f"margin {margin_text(difference.limit, unit)}", difference.limit < 0
    place = {"xanchor": "left" if left else "right", "xshift": 4 if left else -4, "bgcolor": colours.page}
    return [annotation(escape(text), difference.limit, NAME * scale, size=style.TICK * scale, colour=colours.muted, **place)]
