"""A figure of rows, or a mosaic, as rectangles, lines, dots and texts at their places, for media that plotly does not draw on."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from metrics.figures.traces import Figure

PAGE = 620
"""Px across a page of paper."""
_TAG = re.compile(r"(</?b>|<span style='font-size:[\d.]+px'>|<span style='color:#[0-9A-F]{6}'>|</span>)")

Drawing = dict[str, Any]


@dataclass(frozen=True)
class _Frame:
    """Where values stand on paper."""

    left: float
    right: float
    low: float
    high: float

    def x(self, value: float, ref: str = "x") -> float:
        share = value if ref == "paper" else (value - self.low) / (self.high - self.low)
        return self.left + share * (PAGE - self.left - self.right)


def drawing(figure: Figure) -> Drawing:
    """Return what is drawn of a figure, in px from its left upper corner on a page.

    Parameters
    ----------
    figure : Figure
        With one axis of values across, and heights in px.
    """
    plotly_figure = json.loads(figure.to_json())
    layout = plotly_figure["layout"]
    low, high = layout["xaxis"]["range"] if "range" in layout.get("xaxis", {}) else (0, 1)
    frame = _Frame(layout["margin"]["l"], layout["margin"]["r"], low, high)
    bars = [trace for trace in plotly_figure["data"] if trace["type"] == "bar" and trace.get("orientation") != "h"]
    points = [trace for trace in plotly_figure["data"] if trace["type"] == "scatter"]
    return {
        "width": PAGE,
        "height": layout["height"],
        "below": list(_outlines(frame, layout, filled=True)),
        "lines": [
            *_guides(frame, layout),
            *_axis(frame, layout),
            *(line for trace in points for line in _whiskers(frame, trace)),
        ],
        "boxes": [box for trace in bars for box in _boxes(frame, trace)] + list(_outlines(frame, layout, filled=False)),
        "above": list(_steps(frame, layout)),
        "dots": [dot for trace in points for dot in _points(frame, trace)],
        "texts": [_text(frame, layout, note) for note in layout.get("annotations", ())] + list(_ticks(frame, layout)),
    }


def _boxes(frame: _Frame, trace: Drawing) -> Iterator[Drawing]:
    marker = trace["marker"]
    looks = zip(marker["color"], marker["line"]["color"], marker["line"]["width"], strict=True)
    places = zip(trace["x"], trace["width"], trace["base"], trace["y"], strict=True)
    for (x, wide, top, tall), (fill, border, line) in zip(places, looks, strict=True):
        left, right = frame.x(x - wide / 2), frame.x(x + wide / 2)
        place = {"x": left, "y": top, "width": right - left, "height": tall}
        yield place | {"fill": fill, "border": border, "line": line}


def _outlines(frame: _Frame, layout: Drawing, *, filled: bool) -> Iterator[Drawing]:
    """Yield rectangles that are no bars: bands that are filled and lie below all else, or frames round what is there."""
    for shape in layout.get("shapes", ()):
        fill = shape.get("fillcolor") if shape.get("layer") == "below" else None
        if shape["type"] == "rect" and (fill is not None) is filled:
            left, right = frame.x(shape["x0"]), frame.x(shape["x1"])
            place = {"x": left, "y": shape["y0"], "width": right - left, "height": shape["y1"] - shape["y0"]}
            yield place | {"fill": fill, "border": shape["line"]["color"], "line": shape["line"]["width"]}


def _guides(frame: _Frame, layout: Drawing) -> Iterator[Drawing]:
    for shape in layout.get("shapes", ()):
        if shape["type"] == "line":
            ends = {"x0": frame.x(shape["x0"]), "x1": frame.x(shape["x1"]), "y0": shape["y0"], "y1": shape["y1"]}
            yield ends | {"colour": shape["line"]["color"], "line": shape["line"]["width"]}


def _steps(frame: _Frame, layout: Drawing) -> Iterator[Drawing]:
    for shape in layout.get("shapes", ()):
        if shape["type"] == "path":
            points = [tuple(map(float, point.split())) for point in shape["path"].removeprefix("M").split("L")]
            for (x0, y0), (x1, y1) in pairwise(points):
                ends = {"x0": frame.x(x0), "x1": frame.x(x1), "y0": y0, "y1": y1}
                yield ends | {"colour": shape["line"]["color"], "line": shape["line"]["width"]}


def _foot(layout: Drawing) -> float:
    return float(layout["height"] - layout["margin"]["b"])


def _axis(frame: _Frame, layout: Drawing) -> Iterator[Drawing]:
    axis = layout["xaxis"]
    if axis.get("visible"):
        y, look = _foot(layout), {"colour": axis["linecolor"], "line": 1}
        yield {"x0": frame.x(0, "paper"), "x1": frame.x(1, "paper"), "y0": y, "y1": y} | look
        for value in axis["tickvals"]:
            x = frame.x(value)
            yield {"x0": x, "x1": x, "y0": y, "y1": y + axis["ticklen"]} | look


def _ticks(frame: _Frame, layout: Drawing) -> Iterator[Drawing]:
    axis = layout["xaxis"]
    if axis.get("visible"):
        font = axis["tickfont"]
        for value, text in zip(axis["tickvals"], axis["ticktext"], strict=True):
            note = {"x": value, "y": _foot(layout) + 14, "text": text, "xanchor": "center", "font": font}
            yield _text(frame, layout, note)


def _whiskers(frame: _Frame, trace: Drawing) -> Iterator[Drawing]:
    bars = trace["error_x"]
    if bars["visible"]:
        for x, y, up, down in zip(trace["x"], trace["y"], bars["array"], bars["arrayminus"], strict=True):
            ends = {"x0": frame.x(x - down), "x1": frame.x(x + up), "y0": y, "y1": y}
            yield ends | {"colour": bars["color"], "line": bars["thickness"]}


def _points(frame: _Frame, trace: Drawing) -> Iterator[Drawing]:
    marker = trace["marker"]
    for x, y, symbol in zip(trace["x"], trace["y"], marker["symbol"], strict=True):
        yield {"x": frame.x(x), "y": y, "size": marker["size"], "symbol": symbol, "colour": marker["color"]}


def _text(frame: _Frame, layout: Drawing, note: Drawing) -> Drawing:
    font = note["font"]
    return {
        "x": frame.x(note["x"], note.get("xref", "x")) + note.get("xshift", 0),
        "y": note["y"] * layout["height"] if note.get("yref") == "paper" else note["y"],
        "anchor": note["xanchor"],
        "colour": font["color"],
        "chip": note.get("bgcolor"),
        "lines": [_runs(line, font["size"]) for line in note["text"].split("<br>")],
    }


def _runs(line: str, usual: float) -> list[Drawing]:
    """Return a line as pieces of one size, weight and colour, the line's own where it is None; letters of the file stand in
    it as entities.
    """
    runs, bold, size, colour = [], False, usual, None
    for part in _TAG.split(line):
        if part in ("<b>", "</b>"):
            bold = part == "<b>"
        elif _TAG.fullmatch(part):
            size = float(part.split(":")[1].removesuffix("px'>")) if "font-size" in part else usual
            colour = part.split(":")[1].removesuffix("'>") if "color" in part else None
        elif part:
            runs.append({"text": html.unescape(part), "bold": bold, "size": size, "colour": colour})
    return runs
