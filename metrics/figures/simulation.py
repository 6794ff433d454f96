"""What choosing a judge by each metric comes to: a dot per metric, or a line per metric along an axis, with Monte Carlo bars."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from metrics.analyses.simulation.compute import CHOSEN_BY, NAMES, SYMBOLS, Simulated
from metrics.analyses.simulation.readings import LOSS, SUCCESS, by_loss, loss_words, success_words
from metrics.analyses.simulation.studies import AXIS_NAMES, Run
from metrics.figures import marks
from metrics.figures import theme as style
from metrics.figures.axes import axis_ticks, tick_words
from metrics.figures.fitting import Mark, axis_ends
from metrics.figures.plots import EndName, PlotSheet
from metrics.figures.rows import ValueRows, row_names, rows_layout, value_above
from metrics.figures.theme import Theme, Tokens, escape, text_width
from metrics.figures.traces import Figure, Trace, drawn, scatter

EDGE = 16
"""Px that stay free at the right."""
FOOT = 50
LABELLED = (25, 400, 6400, 51200)
"""Numbers of answers written at a logarithmic axis; in the alternative text too."""
MARKERS = {
    "balanced_accuracy": "triangle-up", "accuracy": "triangle-down", "f1": "cross", "macro_f1": "x", "phi": "diamond",
    "kappa": "circle", "snr": "hexagon",
}  # fmt: skip
SAID = {LOSS: ("Mean loss", loss_words), SUCCESS: ("Best judge picked", success_words)}
UNITS = {LOSS: "", SUCCESS: "%"}
SERIES = {"balanced_accuracy": 4, "snr": 6, "f1": 7, "macro_f1": 8, "accuracy": 9}
"""Places among the series colours that keep farthest from each other and from those of κ and φ, in both themes."""
FROM_0 = 0.25
"""Losses whose spread is at least this share of the largest stand on an axis from 0."""
LEAST = 0.01
PAD = 0.05


def look(key: str, colours: Tokens) -> tuple[str, str]:
    """Return colour and marker of the line of a metric."""
    if key == "kappa":
        return colours.kappa, MARKERS[key]
    if key == "phi":
        return colours.phi, MARKERS[key]
    return colours.series[SERIES[key]], MARKERS[key]


@dataclass(frozen=True)
class MetricRow:
    name: str
    estimate: Simulated


@dataclass(frozen=True)
class Dots(ValueRows):
    """Rows in the order of the loss, whatever is drawn."""

    HEAD: ClassVar = 0
    rows: Sequence[MetricRow]
    outcome: str

    @property
    def right(self) -> float:
        return self.px(EDGE)

    def value_text(self, row: MetricRow) -> str:
        return SAID[self.outcome][1](row.estimate)

    @cached_property
    def ticks(self) -> list[float]:
        return _ticks([row.estimate for row in self.rows], self.outcome)

    @cached_property
    def ends(self) -> tuple[float, float]:
        """The axis, wide enough that every value fits above its dot."""
        halves = [text_width(self.value_text(row), self.px(style.TEXT), bold=True) / 2 for row in self.rows]
        values = [row.estimate.value for row in self.rows]
        reach = [Mark(value, value, half, half) for value, half in zip(values, halves, strict=True)]
        pad = PAD * (self.ticks[-1] - self.ticks[0])
        return axis_ends(reach, self.ticks[0] - pad, self.ticks[-1] + pad, self.plot)


def metric_dots(run: Run, outcome: str, *, theme: Theme, scale: float = 1.0, width: float = 340) -> Figure:
    """Return one row per metric, the least loss on top, bars of two Monte Carlo standard errors; of the last point of the run.

    Parameters
    ----------
    outcome : {"mean_loss", "success_any_best"}
    width : float
        The narrowest width in px (before scaling) at which no two texts may meet.
    """
    selection = run.selections[-1]
    rows = [MetricRow(NAMES[key], selection.outcome(outcome, key)) for key in by_loss(selection)]
    sheet = Dots(style.tokens(theme), scale, rows, None, width * scale, outcome)
    axis = sheet.axis(*sheet.ends, sheet.ticks, [tick_words(tick, UNITS[outcome]) for tick in sheet.ticks])
    line, colour = {"color": sheet.colours.grid, "width": 1}, sheet.colours.text
    values = [value_above(sheet, i, sheet.value_text(row), row.estimate.value, colour) for i, row in enumerate(rows)]
    return drawn(
        rows_layout(sheet, axis),
        [marks.dots([_point(sheet, i) for i in range(len(rows))], colour=sheet.colours.judge, symbol="circle", scale=scale)],
        annotations=[*row_names(sheet), *values],
        shapes=[marks.upright(tick, (sheet.head, sheet.foot), line) for tick in sheet.ticks],
    )


def dots_alt(run: Run, outcome: str) -> str:
    """Return the figure in a sentence, for people who do not see it."""
    selection, (name, wording) = run.selections[-1], SAID[outcome]
    rows = "; ".join(f"{NAMES[key]} {wording(selection.outcome(outcome, key))}" for key in by_loss(selection))
    return f"{name} by the metric that chooses the judge, least loss first{_spread(rows)}: {rows}."


def _point(sheet: Dots, place: int) -> marks.Point:
    row = sheet.rows[place]
    hover = f"<b>{escape(row.name)}</b><br>{SAID[sheet.outcome][0].lower()} {escape(sheet.value_text(row))}"
    return marks.Point(row.estimate, sheet.middle(place), hover, [place])


def _ticks(estimates: Sequence[Simulated], outcome: str) -> list[float]:
    """Round places from below the smallest to above the largest; from 0 where losses differ by much."""
    values = [estimate.value for estimate in estimates]
    low, high = min(values), max(values)
    if outcome == LOSS and high - low >= FROM_0 * high:
        low, high = 0.0, max(high, LEAST)
    if outcome == SUCCESS:
        low = min(low, 1 - LEAST)
    ticks = axis_ticks([low, high], UNITS[outcome], close=True)
    return [tick for tick in ticks if outcome == LOSS or tick <= 1]


@dataclass(frozen=True)
class Lines(PlotSheet):
    PLOT: ClassVar = 270
    run: Run
    outcome: str

    @property
    def places(self) -> list[float]:
        """Where each point of the run stands: numbers of answers by their logarithm."""
        return [math.log10(point.size) if point.size else float(i) for i, point in enumerate(self.run.study.points)]

    def estimates(self, key: str) -> list[Simulated]:
        return [selection.outcome(self.outcome, key) for selection in self.run.selections]

    @property
    def unit(self) -> str:
        return UNITS[self.outcome]

    @cached_property
    def ticks(self) -> list[float]:
        every = [estimate for key in CHOSEN_BY for estimate in self.estimates(key)]
        return _ticks(every, self.outcome)

    @property
    def ends(self) -> tuple[float, float]:
        pad = PAD * (self.ticks[-1] - self.ticks[0])
        return self.ticks[0] - pad, self.ticks[-1] + pad

    @cached_property
    def names(self) -> list[EndName]:
        names = []
        for value, key in sorted((self.estimates(key)[-1].value, key) for key in CHOSEN_BY):
            colour, _ = look(key, self.colours)
            names.append(EndName(value, [SYMBOLS[key]], style.legible(colour, self.colours), bold=1, lead=colour))
        return names

    @property
    def across(self) -> tuple[float, float]:
        """The lines end where the plot does, beside their names."""
        places = self.places
        return places[0] - (0.04 if self.run.study.points[0].size else 0.12) * (places[-1] - places[0]), places[-1]


def metric_lines(run: Run, outcome: str, *, theme: Theme, scale: float = 1.0) -> Figure:
    """Return one line per metric along the axis of the run, named at its end, bars of two Monte Carlo standard errors.

    Parameters
    ----------
    outcome : {"mean_loss", "success_any_best"}
    """
    sheet = Lines(style.tokens(theme), scale, style.NARROWEST * scale, run, outcome)
    traces = [_line(sheet, key) for key in reversed(by_loss(run.selections[-1]))]
    texts = [*sheet.end_names(), marks.below(sheet, _axis_name(run), FOOT)]
    return drawn(_lines_layout(sheet), traces, annotations=texts, shapes=sheet.levels_behind())


def lines_alt(run: Run, outcome: str) -> str:
    """Return the figure in a sentence, for people who do not see it."""
    name, wording = SAID[outcome]
    parts = []
    for point, selection in zip(run.study.points, run.selections, strict=True):
        if point.size is None or point.size in LABELLED:
            values = ", ".join(f"{SYMBOLS[key]} {wording(selection.outcome(outcome, key))}" for key in by_loss(selection))
            parts.append(f"at {point.name}: {values}")
    sentence = "; ".join(parts)
    return f"{name} by the metric that chooses the judge, against {AXIS_NAMES[run.study.along]}{_spread(sentence)}. {sentence}."


def _spread(text: str) -> str:
    """Return what the figures behind ± are, where there are any."""
    return ", ± one Monte Carlo standard error" if "±" in text else ""


def _axis_name(run: Run) -> str:
    return AXIS_NAMES[run.study.along] + (", log scale" if run.study.points[0].size else "")


def _lines_layout(sheet: Lines) -> dict[str, Any]:
    points = sheet.run.study.points
    shown = [(place, p.name) for place, p in zip(sheet.places, points, strict=True) if p.size is None or p.size in LABELLED]
    across = sheet.axis(*sheet.across, [place for place, _ in shown], [escape(name) for _, name in shown])
    return sheet.plot_layout(sheet.px(FOOT), across)


def _line(sheet: Lines, key: str) -> Trace:
    colour, symbol = look(key, sheet.colours)
    estimates, wording = sheet.estimates(key), SAID[sheet.outcome][1]
    values = [estimate.value for estimate in estimates]
    ends = [estimate.ends for estimate in estimates]
    names = [point.name for point in sheet.run.study.points]
    return scatter(
        x=sheet.places,
        y=values,
        mode="lines+markers",
        line={"color": colour, "width": 2.2 * sheet.scale},
        marker={"symbol": symbol, "size": 8 * sheet.scale, "opacity": 1, "color": colour},
        error_y=marks.whiskers(values, ends, colour=colour, thickness=1.5 * sheet.scale),
        hovertext=[
            f"<b>{escape(NAMES[key])}</b><br>{escape(wording(estimate))} at {escape(name)}"
            for estimate, name in zip(estimates, names, strict=True)
        ],
        cliponaxis=False,
    )
