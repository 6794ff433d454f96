"""The figures of a report, drawn by `metrics.figures` from the values a report holds."""

from __future__ import annotations

import math
from typing import Any

from metrics.figures import confusion, dots
from metrics.figures.theme import Theme
from metrics.figures.traces import Figure as Plot
from metrics.report.document import Figure

NARROWEST = 310
"""Px for which texts are measured: less than any screen has, as a report is read in another typeface than the dashboard's."""
SAID = ("reference", "judge", "unit")


def plot(figure: Figure, theme: Theme) -> Plot:
    """The figure for plotly.js, in the colours of a theme."""
    if figure.kind == "confusion":
        said = {key: figure.shows[key] for key in SAID if key in figure.shows}
        shows = figure.shows
        return confusion.mosaic(
            shows["counts"], shows["labels"], theme=theme, abstention=shows.get("abstention"), width=NARROWEST, **said
        )
    return dots.criteria_dots(rows(figure), theme=theme, symbol=figure.shows["symbol"], width=NARROWEST)


def rows(figure: Figure) -> list[dots.DotRow]:
    """The rows of a figure of criteria; a value that is not there is undefined."""
    return [_row(*row) for row in figure.shows["rows"]]


def _row(
    name: str, value: Any, low: Any, high: Any, n: int, prevalence: Any, degenerate: bool, reason: str | None
) -> dots.DotRow:
    known = [math.nan if number is None else float(number) for number in (value, prevalence)]
    return dots.DotRow(name, known[0], low, high, n or 0, known[1], bool(degenerate), reason or None)
