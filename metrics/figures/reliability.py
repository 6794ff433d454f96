"""The reliability diagram: what scores promise against what happens, bin by bin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from metrics.analyses.roc.calibration import Bin
from metrics.figures import marks
from metrics.figures import theme as style
from metrics.figures.marks import annotation
from metrics.figures.theme import Theme, Tokens, escape, fit
from metrics.figures.traces import Figure, Trace, drawn, scatter
from metrics.results.words import count, estimate, number, plain, tick

LEFT, RIGHT, BOTTOM = 66, 24, 48
HEIGHT = 340
NEAR = 0.3
"""A corner with a circle this near stays without its words."""


def reliability(bins: Sequence[Bin], *, label: str, theme: Theme, scale: float = 1.0) -> Figure:
    """Return one circle per bin with its interval; on the dotted line a score means what it says."""
    colours = style.tokens(theme)
    line = {"color": colours.muted, "width": 1.5 * scale, "dash": "dot"}
    diagonal = scatter(x=[0, 1], y=[0, 1], mode="lines", line=line, hoverinfo="skip")
    corners = [("scores too low", 0.02, 0.97, "left"), ("scores too high", 0.98, 0.04, "right")]
    texts = [
        annotation(text, x, y, size=style.SMALL * scale, colour=colours.muted, xanchor=side)
        for text, x, y, side in corners
        if not any(abs(score_bin.mean - x) < NEAR and abs(score_bin.observed.value - y) < NEAR for score_bin in bins)
    ]
    return drawn(_layout(label, colours, scale), [diagonal, _circles(bins, colours, scale)], annotations=texts)


def alt(bins: Sequence[Bin], *, label: str) -> str:
    """Return the figure in a sentence, for people who do not see it."""
    clauses = [
        f"score {number(score_bin.mean)}: {estimate(score_bin.observed, '%')} of {count(score_bin.n)}" for score_bin in bins
    ]
    return f"Reliability diagram: mean score of each bin and share of {plain(label)}. {'; '.join(clauses)}."


def _layout(label: str, colours: Tokens, scale: float) -> dict[str, Any]:
    margin = style.margin(LEFT * scale, RIGHT * scale, BOTTOM * scale, style.TOP)
    ticks = [0, 0.25, 0.5, 0.75, 1]
    size = style.TEXT * scale
    what = escape(fit(label, 120 * scale, size))
    across = style.share_axis(colours, ticks, scale, "mean score of the bin", size) | {"ticktext": [tick(at) for at in ticks]}
    upright = style.share_axis(colours, ticks, scale, f"{what} by the reference", size)
    height = HEIGHT * scale + style.TOP + BOTTOM * scale
    return style.layout(colours, height=height, scale=scale, margin=margin, xaxis=across, yaxis=upright)


def _circles(bins: Sequence[Bin], colours: Tokens, scale: float) -> Trace:
    values, ends = [score_bin.observed.value for score_bin in bins], [score_bin.observed.ends for score_bin in bins]
    return scatter(
        x=[score_bin.mean for score_bin in bins],
        y=values,
        mode="lines+markers",
        line={"color": colours.series[0], "width": 1.5 * scale},
        marker={"color": colours.series[0], "size": 10 * scale},
        hovertext=[_hover(score_bin) for score_bin in bins],
        cliponaxis=False,
        error_y=marks.whiskers(values, ends, colour=colours.series[0], thickness=style.WHISKER * scale),
    )


def _hover(score_bin: Bin) -> str:
    scores = f"scores {number(score_bin.low)} to {number(score_bin.high)}, mean {number(score_bin.mean)}"
    return f"{scores}<br>{estimate(score_bin.observed, '%')} of {count(score_bin.n)} decisions"
