"""The figures of a report, drawn by `metrics.figures` from the values a report holds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from metrics.figures import dots, error_table, kappa_bands
from metrics.figures.shapes import PAGE, Drawing, drawing
from metrics.figures.theme import Theme
from metrics.figures.traces import Figure as Plot
from metrics.measures.transforms import Interval
from metrics.report import texts
from metrics.report.document import Figure
from metrics.results.estimate import Estimate

NARROWEST = 310
"""Px for which texts are measured: less than any screen has, as a report is read in another typeface than the dashboard's."""
ON_A_PAGE = 14
"""Rows of a figure that stand on one page beside other things."""
SAID = ("reference", "judge", "unit", "named", "ordered")


def plot(figure: Figure, theme: Theme, width: float = NARROWEST) -> Plot:
    """Return the figure for plotly.js, in the colours of a theme.

    Parameters
    ----------
    figure : Figure
    theme : Theme
    width : float
        Px for which texts are measured.
    """
    if figure.kind == "confusion":
        options = {key: figure.shows[key] for key in SAID if key in figure.shows}
        shows = figure.shows
        return error_table.error_table(
            shows["counts"], shows["labels"], theme=theme, abstention=shows.get("abstention"), width=width, **options
        )
    if figure.kind == "bands":
        shown = {name: _estimate(value, low, high, reason) for name, value, low, high, reason in figure.shows["rows"]}
        return kappa_bands.kappa_bands(shown, theme=theme, width=width)
    return _dots(figure, rows(figure), theme, width)


def rows(figure: Figure) -> list[dots.DotRow]:
    """Return the rows of a figure of criteria; a value that is not there is undefined."""
    return [_row(*row) for row in figure.shows["rows"]]


def _row(
    name: str, value: Any, low: Any, high: Any, n: int, prevalence: Any, degenerate: bool, reason: str | None
) -> dots.DotRow:
    shown = _estimate(value, low, high)
    return dots.DotRow(name, shown, n or 0, math.nan if prevalence is None else prevalence, bool(degenerate), reason or None)


def _estimate(value: float | None, low: float | None, high: float | None, reason: str | None = None) -> Estimate:
    """Return a number as a report has it, in which what is not there is null."""
    interval = None if low is None or high is None else Interval(low, high, "")
    return Estimate(math.nan if value is None else float(value), interval, reason or "")


def _dots(figure: Figure, shown: Sequence[dots.DotRow], theme: Theme, width: float) -> Plot:
    # Pieces of one figure share their axis.
    limits = dots.limits_of(rows(figure))
    return dots.criteria_dots(shown, theme=theme, symbol=figure.shows["symbol"], limits=limits, width=width)


def on_paper(figure: Figure) -> list[Drawing]:
    """Return the figure as rectangles, lines, dots and texts at their places in px; a long one in pieces that fit a page."""
    width = 0.9 * PAGE
    if figure.kind != "criteria":
        return [_on_paper(plot(figure, "light", width))]
    every = rows(figure)
    pieces = [every[at : at + ON_A_PAGE] for at in range(0, max(len(every), 1), ON_A_PAGE)]
    return [_on_paper(_dots(figure, piece, "light", width)) for piece in pieces]


def _on_paper(figure: Plot) -> Drawing:
    """Return what is drawn of a figure, its texts as every file can hold them."""
    shapes = drawing(figure)
    for run in (run for note in shapes["texts"] for line in note["lines"] for run in line):
        run["text"] = texts.encodable(run["text"])
    return shapes
