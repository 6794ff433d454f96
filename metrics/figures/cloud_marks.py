"""The marks of a cloud of points: dots, discs whose area is a count, and a grid whose colour is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from metrics.analyses.scores.density import Cloud, Ends, Grid
from metrics.figures import marks
from metrics.figures import theme as style
from metrics.figures.marks import Sheet, annotation
from metrics.figures.theme import escape, fit, text_width
from metrics.figures.traces import Trace, heatmap, scatter
from metrics.measures.arrays import FloatArray
from metrics.results.words import count, several

DOT, SMALLEST, LARGEST, OF_STEP = 7, 4, 34, 0.85
"""Px across: a point, the smallest and the largest disc, and the largest as a share of the way to the next one."""
COMPARED = 400
"""Marks that are compared with each other for it."""
FEW, CROWDED = 60, 300
"""Marks that carry their count where it has room, and points from which they are drawn see-through."""
SPOKEN = 25
"""Places whose count the sentence beside the figure names."""
FAINT, FULL, PALE = 0.5, 0.85, 0.2
STOPS = 9


@dataclass(frozen=True)
class CloudSheet(Sheet):
    """Where a cloud is drawn.

    Attributes
    ----------
    plot : (float, float)
        Px across and upright.
    what : (str, str)
        What x and y are, for hover texts.
    """

    cloud: Cloud
    across: Ends
    upright: Ends
    plot: tuple[float, float]
    what: tuple[str, str]

    def at(self, x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return px from the left and from the top."""
        (left, right), (low, high) = self.across, self.upright
        return (x - left) / (right - left) * self.plot[0], (high - y) / (high - low) * self.plot[1]


def grid_traces(sheet: CloudSheet) -> list[Trace]:
    """Return the counted squares, where there are any."""
    return [] if sheet.cloud.grid is None else [_grid(sheet, sheet.cloud.grid)]


def mark_traces(sheet: CloudSheet) -> list[Trace]:
    """Return dots and discs; a clicked one returns `customdata` [place in the cloud]."""
    return [_marks(sheet)] if len(sheet.cloud.x) else []


def cloud_counts(sheet: CloudSheet) -> list[dict[str, Any]]:
    """Return counts of discs that have room for them."""
    cloud, size = sheet.cloud, sheet.px(style.SMALL)
    if len(cloud.x) > FEW or cloud.count.max(initial=0) < 2:
        return []
    across = disc_sizes(sheet)
    return [
        annotation(count(n), float(x), float(y), size=size, colour=sheet.colours.page)
        for x, y, n, wide in zip(cloud.x, cloud.y, cloud.count, across, strict=True)
        if text_width(count(n), size) + 6 <= wide
    ]


def crowding_text(cloud: Cloud) -> str:
    """Where the points crowd, for people who do not see it; empty where each stands alone."""
    if cloud.grid is not None:
        return _squares(cloud)
    if cloud.count.max(initial=0) < 2:
        return ""
    fullest = np.argsort(-cloud.count, kind="stable")[:SPOKEN]
    text = "; ".join(f"{_number(cloud.x[i])}, {_number(cloud.y[i])}: {count(int(cloud.count[i]))}" for i in fullest)
    which = "Pairs at each place" if len(cloud.x) <= SPOKEN else f"Pairs at the {SPOKEN} fullest of {count(len(cloud.x))} places"
    return f"{which} (across, upright): {text}"


def key_of_colour(sheet: CloudSheet) -> str:
    """Return what the squares' colours say; empty without a grid."""
    return _squares(sheet.cloud)


def _squares(cloud: Cloud) -> str:
    grid = cloud.grid
    if grid is None or not grid.count.any():
        return ""
    there = grid.count[grid.count > 0]
    return f"Squares: {count(there.min())} (pale) to {count(there.max())} pairs; dots: one each"


def key_below(sheet: CloudSheet, left: float, foot: float) -> list[dict[str, Any]]:
    """Return what the colours say, under the axis from the figure's left edge on.

    `foot` is the px under the plot, before scaling.
    """
    text = fit(key_of_colour(sheet), left + sheet.plot[0], sheet.px(style.TICK))
    return [marks.below(sheet, text, foot, xanchor="left", xshift=-left + 4)] if text else []


def disc_sizes(sheet: CloudSheet) -> FloatArray:
    """Return px across each mark, shape (M,): areas in the ratio of the counts, but none too small to be seen."""
    cloud = sheet.cloud
    most = int(cloud.count.max(initial=1))
    if most == 1 or cloud.grid is not None:
        return np.full(len(cloud.x), sheet.px(DOT if cloud.grid is None else DOT - 2))
    largest = max(min(sheet.px(LARGEST), OF_STEP * _nearest_distance(sheet)), sheet.px(DOT))
    return np.maximum(largest * np.sqrt(cloud.count / most), sheet.px(SMALLEST))


def _nearest_distance(sheet: CloudSheet) -> float:
    """Return px from a mark to its nearest neighbour, in the middle of all; 0 where there are too many to compare."""
    cloud = sheet.cloud
    if not 1 < len(cloud.x) <= COMPARED:
        return sheet.px(LARGEST) if len(cloud.x) == 1 else 0.0
    x, y = sheet.at(cloud.x, cloud.y)
    apart = np.hypot(np.subtract.outer(x, x), np.subtract.outer(y, y))
    np.fill_diagonal(apart, np.inf)
    return float(np.median(apart.min(0)))


def _marks(sheet: CloudSheet) -> Trace:
    cloud, sizes = sheet.cloud, disc_sizes(sheet)
    single = bool((cloud.count == 1).all())
    faint = single and cloud.grid is None and cloud.n >= CROWDED
    opacity = FAINT if faint else FULL
    where = f"{_where(sheet, '%{x}', '%{y}')}<extra></extra>"
    hover = {"hovertemplate": where} if single else {"hovertext": [_hover(sheet, place) for place in range(len(cloud.x))]}
    return scatter(
        x=cloud.x.astype(np.float32) if cloud.grid is not None else cloud.x,
        y=cloud.y.astype(np.float32) if cloud.grid is not None else cloud.y,
        mode="markers",
        customdata=[[place] for place in range(len(cloud.x))],
        **hover,
        cliponaxis=False,
        marker={
            "symbol": "circle",
            "color": sheet.colours.judge,
            "size": float(sizes[0]) if single else sizes.tolist(),
            "opacity": opacity,
            "line": {"width": 0 if cloud.grid is not None or faint else 1, "color": sheet.colours.page},
        },
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": opacity}},
    )


def _grid(sheet: CloudSheet, grid: Grid) -> Trace:
    most = max(int(grid.count.max()), 2)
    shares = np.linspace(0, 1, STOPS)
    places = (most**shares - 1) / (most - 1)
    pale = style.blend(sheet.colours.page, sheet.colours.judge, PALE)
    colours = [style.blend(pale, sheet.colours.judge, float(share)) for share in shares]
    return heatmap(
        x=grid.x.astype(np.float32),
        y=grid.y.astype(np.float32),
        z=np.where(grid.count > 0, grid.count, np.nan).astype(np.float32),
        zmin=1,
        zmax=most,
        colorscale=[[float(place), colour] for place, colour in zip(places, colours, strict=True)],
        showscale=False,
        hoverongaps=False,
        hovertemplate=f"<b>%{{z}} pairs</b> around<br>{_where(sheet, '%{x:.3~g}', '%{y:.3~g}')}<extra></extra>",
    )


def _where(sheet: CloudSheet, x: str, y: str) -> str:
    return f"{escape(sheet.what[0])} {x}<br>{escape(sheet.what[1])} {y}"


def _hover(sheet: CloudSheet, place: int) -> str:
    cloud = sheet.cloud
    x, y = (_number(values[place]) for values in (cloud.x, cloud.y))
    return f"<b>{several(int(cloud.count[place]), 'pairs')}</b><br>{_where(sheet, x, y)}"


def _number(value: float) -> str:
    return f"{float(value):.6g}"
