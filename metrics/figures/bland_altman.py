"""Bland and Altman's figure: how far the judge lies from the reference, over the mean of both."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from metrics.analyses.scores.density import Ends, Plane, reach
from metrics.figures import marks
from metrics.figures import theme as style
from metrics.figures.axes import number_axis, number_text, shown_ends, ticks
from metrics.figures.cloud_marks import (
    CloudSheet,
    cloud_counts,
    crowding_text,
    grid_traces,
    key_below,
    key_of_colour,
    mark_traces,
)
from metrics.figures.plots import EndName, end_names, names_room
from metrics.figures.scatter import EQUAL, estimate_text
from metrics.figures.theme import Theme, Tokens, escape, fit, text_width
from metrics.figures.traces import Figure, drawn
from metrics.results.estimate import Estimate
from metrics.results.words import MINUS, percent, plain, several

BROAD, NARROW = 640, 340
"""Width in px of the figure in its place on a wide and on a narrow screen."""
PLOT, BOTTOM, KEY, GAP = 300, 46, 20, 10
MOST_ACROSS, MOST_UPRIGHT = 6, 7
SHADE = {"bias": 0.22, "loa_low": 0.16, "loa_high": 0.16}
LEVELS = {"loa_high": "upper limit", "bias": "bias", "loa_low": "lower limit"}
NOTHING = "No pair of numbers to draw"


@dataclass(frozen=True)
class Drawing(CloudSheet):
    names: tuple[str, str]
    """Of the reference and the judge."""
    estimates: Mapping[str, Estimate]
    width: float

    @property
    def wide(self) -> float:
        """Span of the differences, for the decimals."""
        return self.upright[1] - self.upright[0]

    @property
    def small(self) -> bool:
        return self.width < self.px(BROAD) * 0.8

    @property
    def size(self) -> float:
        return self.px(style.SMALL if self.small else style.TEXT)

    @cached_property
    def levels(self) -> list[str]:
        """Keys of the lines that are drawn, from high to low."""
        return [key for key in LEVELS if not math.isnan(self.estimates[key].value)]

    def colour(self, key: str) -> str:
        return self.colours.judge if key == "bias" else self.colours.text


def bland_altman(
    plane: Plane,
    estimates: Mapping[str, Estimate],
    *,
    names: tuple[str, str],
    theme: Theme,
    scale: float = 1.0,
    width: float = BROAD,
) -> Figure:
    """Return differences over means with the bias and the limits of agreement, each with its band.

    A clicked mark returns `customdata` [place in the cloud].

    Parameters
    ----------
    plane : Plane
        As `plane_of_differences` has it.
    estimates : mapping
        As `metrics.analyses.paired_numbers.measures` has it. What has no interval has no band.
    names : (str, str)
        What the reference and the judge are called.
    width : float
        Width in px (before scaling) in which no two texts may meet.
    """
    colours = style.tokens(theme)
    if not plane.cloud.n:
        return marks.empty(NOTHING, colours, scale)
    drawing, margins = _drawing(plane, estimates, names, colours, scale, width * scale)
    named = end_names(drawing, _names(drawing), drawing.upright, drawing.plot[1], drawing.size)
    notes = [*cloud_counts(drawing), *named, *key_below(drawing, margins[0], BOTTOM + KEY)]
    traces = [*grid_traces(drawing), *mark_traces(drawing)]
    return drawn(_layout(drawing, margins), traces, annotations=notes, shapes=[*_bands(drawing), *_lines(drawing)])


def alt(plane: Plane, estimates: Mapping[str, Estimate], *, names: tuple[str, str], within: float = math.nan) -> str:
    """Return the figure in a sentence, for people who do not see it; `within` is the share of pairs between the limits."""
    n, wide = plane.cloud.n, plane.upright[1] - plane.upright[0]
    if not n:
        return f"{NOTHING}."
    head = f"{plain(names[1])} {MINUS} {plain(names[0])} over the mean of both, {several(n, 'pairs')}"
    clauses = [
        estimate_text(name, estimates[key], wide)
        for key, name in (("bias", "bias"), *((k, LEVELS[k]) for k in ("loa_low", "loa_high")))
    ]
    share = "" if math.isnan(within) else f"{percent(within)} of the pairs are between the limits"
    return ". ".join(part for part in (head, "; ".join(clauses), share, crowding_text(plane.cloud)) if part) + "."


def _drawing(
    plane: Plane, estimates: Mapping[str, Estimate], names: tuple[str, str], colours: Tokens, scale: float, width: float
) -> tuple[Drawing, Ends]:
    ends = [end for key in LEVELS for end in (estimates[key].value, *(estimates[key].ends or ())) if not math.isnan(end)]
    upright = _wider(plane.upright, reach(ends)) if ends else plane.upright
    before = Drawing(colours, scale, plane.cloud, plane.across, upright, (width, 0.0), _what(names), names, estimates, width)
    _, texts = ticks(upright, MOST_UPRIGHT)
    left = max(text_width(text, style.TICK * scale) for text in texts) + (GAP + style.TEXT + 12) * scale
    right = names_room(before, _names(before), before.size)
    plot = width - left - right, PLOT * scale
    return Drawing(colours, scale, plane.cloud, plane.across, upright, plot, _what(names), names, estimates, width), (left, right)


def _wider(ends: Ends, other: Ends) -> Ends:
    return min(ends[0], other[0]), max(ends[1], other[1])


def _what(names: tuple[str, str]) -> tuple[str, str]:
    return "mean", f"{names[1]} {MINUS} {names[0]}"


def _layout(drawing: Drawing, margins: Ends) -> dict[str, Any]:
    foot = drawing.px(BOTTOM + (KEY if key_of_colour(drawing) else 0))
    title = {"font": {"size": drawing.size, "color": drawing.colours.muted}, "standoff": 6}
    below = escape(fit("mean of both", drawing.plot[0], drawing.size))
    beside = [fit(name, 0.45 * drawing.plot[1], drawing.size) for name in drawing.names]
    most = max(2, round(drawing.plot[0] / drawing.px(60)))
    across = number_axis(drawing.colours, drawing.across, min(most, MOST_ACROSS), drawing.scale, title=title | {"text": below})
    upright = number_axis(
        drawing.colours,
        drawing.upright,
        MOST_UPRIGHT,
        drawing.scale,
        title=title | {"text": escape(f"{beside[1]} {MINUS} {beside[0]}")},
    )
    return style.layout(
        drawing.colours,
        height=style.TOP + drawing.plot[1] + foot,
        scale=drawing.scale,
        margin=style.margin(math.ceil(margins[0]), math.ceil(margins[1]), foot, style.TOP),
        xaxis=across,
        yaxis=upright,
    )


def _bands(drawing: Drawing) -> list[dict[str, Any]]:
    bands = []
    for key in drawing.levels:
        ends = drawing.estimates[key].ends
        if ends is not None:
            fill = style.see_through(drawing.colour(key), SHADE[key])
            span = {"type": "rect", "xref": "paper", "x0": 0, "x1": 1, "y0": ends[0], "y1": ends[1]}
            bands.append(span | {"fillcolor": fill, "line": {"width": 0}, "layer": "below"})
    return bands


def _lines(drawing: Drawing) -> list[dict[str, Any]]:
    thin = {"color": drawing.colours.muted, "width": drawing.px(1), "dash": "dot"}
    lines = [marks.across(0.0, thin)]
    for key in drawing.levels:
        look = {"color": drawing.colour(key), "width": drawing.px(2), "dash": "solid" if key == "bias" else "dash"}
        lines.append(marks.across(drawing.estimates[key].value, look) | {"layer": "above"})
    return lines


def _names(drawing: Drawing) -> list[EndName]:
    """Return the name of each level and of equal numbers, from low to high; on a narrow screen without the interval."""
    names = [EndName(0.0, [EQUAL], drawing.colours.muted)]
    for key in reversed(drawing.levels):
        estimate = drawing.estimates[key]
        value = number_text(estimate.value, drawing.wide, signed=key == "bias")
        lines = [LEVELS[key], value] if drawing.small else [f"{LEVELS[key]} {value}", shown_ends(estimate.ends, drawing.wide)]
        names.append(EndName(estimate.value, [line for line in lines if line], drawing.colour(key), bold=1))
    return sorted(names, key=lambda name: name.at)
