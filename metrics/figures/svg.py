"""A figure as SVG without a browser: on a ground of its own, so that it reads on a light page and on a dark one; no script."""

from __future__ import annotations

import math
from collections.abc import Iterator
from html import escape
from typing import Any

from metrics.figures import theme as style
from metrics.figures.shapes import PAGE, Drawing, drawing
from metrics.figures.traces import Figure
from metrics.results.words import plain

FRAME = 12
"""Px of ground around the figure."""
LINE = 1.3
"""Height of a line of text in its size."""
SIDES = {"left": "start", "center": "middle", "right": "end"}
LOOK = "max-width: 100%; height: auto; border-radius: 4px;"


def svg_of(figure: Figure, alt: str) -> str:
    """Return a figure of rows or a mosaic as one `svg` element.

    Parameters
    ----------
    figure : Figure
        Drawn in the light theme; see `metrics.figures.shapes.drawing`.
    alt : str
        The figure in words.
    """
    shapes = drawing(figure)
    width, height = PAGE + 2 * FRAME, shapes["height"] + 2 * FRAME
    size = f'width="{width}" height="{height}" viewBox="{-FRAME} {-FRAME} {width} {height}"'
    ground = f'<rect x="{-FRAME}" y="{-FRAME}" width="{width}" height="{height}" fill="{style.LIGHT.page}"/>'
    parts = "".join(_parts(shapes))
    font = escape(style.FONT)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{_attribute(alt)}" {size} style="{LOOK}" '
        f'font-family="{font}">{ground}{parts}</svg>'
    )


def _parts(shapes: Drawing) -> Iterator[str]:
    yield from map(_box, shapes["below"])
    yield from map(_line, shapes["lines"])
    yield from map(_box, shapes["boxes"])
    yield from map(_line, shapes["above"])
    yield from map(_dot, shapes["dots"])
    yield from map(_text, shapes["texts"])


def _line(line: Drawing) -> str:
    ends = f'x1="{_px(line["x0"])}" y1="{_px(line["y0"])}" x2="{_px(line["x1"])}" y2="{_px(line["y1"])}"'
    return f'<line {ends} stroke="{line["colour"]}" stroke-width="{_px(line["line"])}"/>'


def _box(box: Drawing) -> str:
    place = " ".join(f'{name}="{_px(box[name])}"' for name in ("x", "y", "width", "height"))
    border = f' stroke="{box["border"]}" stroke-width="{_px(box["line"])}"' if box["line"] else ""
    return f'<rect {place} fill="{box["fill"] or "none"}"{border}/>'


def _dot(dot: Drawing) -> str:
    half = dot["size"] / 2
    if dot["symbol"] == "circle":
        return f'<circle cx="{_px(dot["x"])}" cy="{_px(dot["y"])}" r="{_px(half)}" fill="{dot["colour"]}"/>'
    corners = 4 if dot["symbol"] == "diamond" else 6
    turns = (2 * math.pi * corner / corners for corner in range(corners))
    points = " ".join(f"{_px(dot['x'] + 1.15 * half * math.cos(t))},{_px(dot['y'] + 1.15 * half * math.sin(t))}" for t in turns)
    return f'<polygon points="{points}" fill="{dot["colour"]}"/>'


def _text(note: Drawing) -> str:
    """Return lines of text around their middle; what lies behind them is covered where the figure says so."""
    heights = [LINE * max((run["size"] for run in line), default=style.SMALL) for line in note["lines"]]
    top, lines = note["y"] - sum(heights) / 2, []
    chip = _chip(note, heights) if note["chip"] else ""
    for runs, height in zip(note["lines"], heights, strict=True):
        spans = "".join(_run(run) for run in runs)
        baseline = _px(top + 0.75 * height)
        lines.append(
            f'<text x="{_px(note["x"])}" y="{baseline}" text-anchor="{SIDES[note["anchor"]]}" fill="{note["colour"]}" '
            f'xml:space="preserve">{spans}</text>'
        )
        top += height
    return chip + "".join(lines)


def _chip(note: Drawing, heights: list[float]) -> str:
    width = max(sum(style.text_width(run["text"], run["size"], bold=run["bold"]) for run in line) for line in note["lines"])
    left = note["x"] - {"left": 0, "center": width / 2, "right": width}[note["anchor"]]
    place = {"x": left, "y": note["y"] - sum(heights) / 2, "width": width, "height": sum(heights)}
    return _box(place | {"fill": note["chip"], "line": 0}) if note["chip"].startswith("#") else ""


def _run(run: Drawing) -> str:
    weight = ' font-weight="bold"' if run["bold"] else ""
    colour = f' fill="{run["colour"]}"' if run["colour"] else ""
    return f'<tspan font-size="{_px(run["size"])}"{weight}{colour}>{_escaped(run["text"])}</tspan>'


def _px(number: Any) -> str:
    return f"{float(number):.2f}".rstrip("0").rstrip(".")


def _attribute(text: str) -> str:
    return _escaped(" ".join(text.split()))


def _escaped(text: str) -> str:
    """Return text of which no letter is markup or turns the reading direction, the blanks at its ends kept."""
    before, after = (len(text) - len(part) for part in (text.lstrip(" "), text.rstrip(" ")))
    shown = f"{' ' * before}{plain(text)}{' ' * after}" if text.strip(" ") else text
    return escape(shown.encode("utf-8", "replace").decode())
