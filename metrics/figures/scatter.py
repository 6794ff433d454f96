"""The judge's number over the reference's, pair by pair: on the diagonal both are equal."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from metrics.analyses.scores.density import Plane
from metrics.figures import marks
from metrics.figures import theme as style
from metrics.figures.axes import number_axis, number_text, shown_ends, ticks
from metrics.figures.cloud_marks import (
    CloudSheet,
    cloud_counts,
    crowding_text,
    disc_sizes,
    grid_traces,
    key_below,
    key_of_colour,
    mark_traces,
)
from metrics.figures.marks import annotation
from metrics.figures.theme import Theme, escape, fit, text_width
from metrics.figures.traces import Figure, Trace, drawn
from metrics.figures.traces import scatter as trace
from metrics.results.estimate import Estimate
from metrics.results.words import percent, plain, several

BROAD, NARROW = 400, 340
"""Width in px of the figure in its place on a wide and on a narrow screen."""
RIGHT, BOTTOM, KEY, GAP = 24, 46, 20, 10
MOST_TICKS, FEWER_TICKS = 6, 4
NEAREST = 14
"""Px between the diagonal and the line of the bias, below which that is not drawn."""
CHIP = 0.8
"""How far a text covers what stands behind it."""
ALONG = np.linspace(0.12, 0.88, 20)
"""Where on a line its name may stand, as shares of the line."""
EQUAL = "equal"
NOTHING = "No pair of numbers to draw"
TOLD = {"pearson": "Pearson", "spearman": "Spearman", "bias": "bias"}


@dataclass(frozen=True)
class Drawing(CloudSheet):
    plane: Plane
    names: tuple[str, str]
    """Of the reference and the judge."""
    left: float

    @property
    def size(self) -> float:
        return self.px(style.SMALL if self.plot[0] < self.px(BROAD) * 0.75 else style.TEXT)


def score_scatter(
    plane: Plane,
    estimates: Mapping[str, Estimate],
    *,
    names: tuple[str, str],
    theme: Theme,
    scale: float = 1.0,
    width: float = BROAD,
) -> Figure:
    """Return the square of both numbers; a clicked mark returns `customdata` [place in the cloud].

    Parameters
    ----------
    plane : Plane
        As `plane_of_pairs` has it. Without a common unit there is no diagonal, and each axis has its own ends.
    estimates : mapping
        As `metrics.analyses.paired_numbers.measures` has it; the bias is drawn where it can be told from the diagonal.
    names : (str, str)
        What the reference and the judge are called.
    width : float
        Width in px (before scaling) of the figure; in one unit the square keeps its shape in a wider place.
    """
    colours = style.tokens(theme)
    if not plane.cloud.n:
        return marks.empty(NOTHING, colours, scale)
    drawing = _drawing(plane, names, colours, scale, width)
    lines, texts = _lines(drawing, estimates["bias"].value) if plane.same_unit else ([], [])
    corners = _corners(drawing) if plane.same_unit else []
    notes = [*cloud_counts(drawing), *texts, *corners, *key_below(drawing, drawing.left, BOTTOM + KEY)]
    return drawn(_layout(drawing), [*grid_traces(drawing), *lines, *mark_traces(drawing)], annotations=notes)


def alt(plane: Plane, estimates: Mapping[str, Estimate], *, names: tuple[str, str]) -> str:
    """Return the figure in a sentence, for people who do not see it."""
    reference, judge = map(plain, names)
    n, wide = plane.cloud.n, plane.upright[1] - plane.upright[0]
    if not n:
        return f"{NOTHING}."
    parts = [f"{judge} over {reference}, {several(n, 'pairs')}"]
    if plane.same_unit:
        shares = [percent(part / n) for part in (plane.higher, plane.equal, plane.lower)]
        parts.append(f"{judge} higher in {shares[0]}, equal in {shares[1]}, lower in {shares[2]}")
    else:
        parts.append("The two are not in one unit, so there is no diagonal")
    name_by_key = TOLD if plane.same_unit else {key: name for key, name in TOLD.items() if key != "bias"}
    parts.append(
        "; ".join(estimate_text(name, estimates[key], wide if key == "bias" else 1.0) for key, name in name_by_key.items())
    )
    parts.append(crowding_text(plane.cloud))
    return ". ".join(part for part in parts if part) + "."


def estimate_text(name: str, estimate: Estimate, wide: float) -> str:
    """Return a number by its name, with its interval or the reason why it is undefined."""
    if math.isnan(estimate.value):
        return f"{name} undefined: {estimate.undefined}"
    return " ".join(part for part in (name, number_text(estimate.value, wide), shown_ends(estimate.ends, wide)) if part)


def _drawing(plane: Plane, names: tuple[str, str], colours: style.Tokens, scale: float, width: float) -> Drawing:
    _, texts = ticks(plane.upright, MOST_TICKS)
    size = style.TICK * scale
    left = max((text_width(text, size) for text in texts), default=0.0) + (GAP + style.TEXT + 12) * scale
    side = width * scale - left - RIGHT * scale
    return Drawing(colours, scale, plane.cloud, plane.across, plane.upright, (side, side), names, plane, names, left)


def _layout(drawing: Drawing) -> dict[str, Any]:
    foot = drawing.px(BOTTOM + (KEY if key_of_colour(drawing) else 0))
    reference, judge = (escape(fit(name, 0.9 * drawing.plot[0], drawing.size)) for name in drawing.names)
    most = MOST_TICKS if drawing.size > drawing.px(style.SMALL) else FEWER_TICKS
    title = {"font": {"size": drawing.size, "color": drawing.colours.muted}}
    across = number_axis(drawing.colours, drawing.across, most, drawing.scale, title=title | {"text": reference, "standoff": 6})
    upright = number_axis(drawing.colours, drawing.upright, most, drawing.scale, title=title | {"text": judge, "standoff": 6})
    return style.layout(
        drawing.colours,
        height=style.TOP + drawing.plot[1] + foot,
        scale=drawing.scale,
        margin=style.margin(math.ceil(drawing.left), drawing.px(RIGHT), foot, style.TOP),
        **(style.squared(across, upright) if drawing.plane.same_unit else {"xaxis": across, "yaxis": upright}),
    )


def _lines(drawing: Drawing, bias: float) -> tuple[list[Trace], list[dict[str, Any]]]:
    """Return the diagonal and, where it lies apart, the line of the bias, each with its name where the fewest points are."""
    low, high = drawing.across
    wide = high - low
    traces = [_line([low, high], [low, high], drawing.colours.text, "solid")]
    texts = [_name(drawing, EQUAL, 0.0, drawing.colours.text)]
    if abs(bias) / wide * drawing.plot[0] / math.sqrt(2) >= drawing.px(NEAREST) and abs(bias) < 0.6 * wide:
        ends = (low, high - bias) if bias > 0 else (low - bias, high)
        traces.append(_line(list(ends), [end + bias for end in ends], drawing.colours.judge, "dash"))
        texts.append(_name(drawing, f"bias {number_text(bias, wide, signed=True)}", bias, drawing.colours.judge))
    return traces, texts


def _line(x: list[float], y: list[float], colour: str, dash: str) -> Trace:
    return trace(x=x, y=y, mode="lines", line={"color": colour, "width": 1.5, "dash": dash}, hoverinfo="skip")


def _name(drawing: Drawing, text: str, shift: float, colour: str) -> dict[str, Any]:
    """Return a name along a line that lies `shift` above the diagonal, on the side away from it, where the fewest points are."""
    (low, high), size = drawing.across, drawing.size
    unit = (high - low) / drawing.plot[0]
    half = text_width(text, size) / 2 / math.sqrt(2) * unit
    away = math.copysign(0.75 * size, shift) * unit / 2
    start, end = low + max(0.0, -shift) + half, high - max(0.0, shift) - half
    middles = start + ALONG * (end - start) if end > start else np.array([(low + high) / 2])
    crowd = [_points_near(drawing, float(x) - away, float(x) + shift + away, half) for x in middles]
    best = min(range(len(middles)), key=lambda i: (crowd[i], -i))
    x = float(middles[best])
    chip = {"textangle": -45, "bgcolor": style.see_through(drawing.colours.page, CHIP)}
    return annotation(escape(text), x - away, x + shift + away, size=size, colour=colour, **chip)


def _points_near(drawing: Drawing, x: float, y: float, reach: float) -> float:
    """Return points whose marks reach into the square around a place."""
    cloud, (low, high) = drawing.cloud, drawing.across
    beyond = reach + disc_sizes(drawing) / 2 / drawing.plot[0] * (high - low)
    n_points = float(cloud.count[(np.abs(cloud.x - x) <= beyond) & (np.abs(cloud.y - y) <= beyond)].sum())
    if cloud.grid is not None:
        rows, columns = np.abs(cloud.grid.y - y) <= reach, np.abs(cloud.grid.x - x) <= reach
        n_points += float(cloud.grid.count[np.ix_(rows, columns)].sum())
    return n_points


def _corners(drawing: Drawing) -> list[dict[str, Any]]:
    """Return which side of the diagonal is which, outside the square: above it and right of it."""
    texts = []
    for x, y, word, place in (
        (0, 1, "higher", {"xanchor": "left", "yanchor": "bottom", "yshift": 2}),
        (1, 0, "lower", {"xanchor": "left", "yanchor": "bottom", "xshift": 4, "textangle": 90}),
    ):
        rest = text_width(f" {word}", drawing.size, bold=True)
        text = f"{fit(drawing.names[1], 0.8 * drawing.plot[0] - rest, drawing.size, bold=True)} {word}"
        shown = f"<b>{escape(text)}</b>"
        texts.append(
            annotation(shown, drawing.across[x], drawing.upright[y], size=drawing.size, colour=drawing.colours.text, **place)
        )
    return texts
