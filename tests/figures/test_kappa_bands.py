"""κ on its bands: what is marked, what is said, and that no name covers another."""

from __future__ import annotations

import itertools
import json
import math

import pytest

from metrics.analyses.review.readings import WORDS
from metrics.figures.kappa_bands import alt, kappa_bands
from metrics.figures.shapes import drawing
from metrics.figures.svg import svg_of
from metrics.figures.theme import text_width, tokens
from metrics.measures.transforms import Interval
from metrics.results.estimate import Estimate


def kappa(value: float, low: float, high: float) -> Estimate:
    return Estimate(value, Interval(low, high, ""))


ROWS = {"": kappa(0.62, 0.48, 0.75)}


def names(chart) -> list:
    return [note for note in chart.layout.annotations if note.text.replace("<b>", "").replace("</b>", "") in WORDS]


def test_the_bands_of_the_interval_are_marked_and_its_own_is_bold() -> None:
    chart = kappa_bands(ROWS, theme="light")
    marked = [shape for shape in chart.layout.shapes if shape.fillcolor == tokens("light").selected]
    assert [(shape.x0, shape.x1) for shape in marked] == [(0.4, 0.6), (0.6, 0.8)]
    assert [note.text for note in names(chart) if note.text.startswith("<b>")] == ["<b>substantial</b>"]
    assert chart.data[0].x == (0.62,)
    assert "κ 0.62 [0.48, 0.75], moderate or substantial: the interval touches two bands" in alt(ROWS)


@pytest.mark.parametrize("scale", [1.0, 1.4])
@pytest.mark.parametrize("width", [280, 340, 420])
@pytest.mark.parametrize("value", [-0.9, -0.2, 0.0, 0.5, 1.0])
def test_no_two_names_meet_and_none_leaves_the_figure(value: float, width: float, scale: float) -> None:
    chart = kappa_bands({"": kappa(value, max(-1, value - 0.1), min(1, value + 0.1))}, theme="dark", scale=scale, width=width)
    low, high = chart.layout.xaxis.range
    span = width * scale - 28
    by_line: dict[float, list[tuple[float, float]]] = {}
    for note in names(chart):
        bold = note.text.startswith("<b>")
        wide = text_width(note.text.replace("<b>", "").replace("</b>", ""), note.font.size, bold=bold)
        start = (note.x - low) / (high - low) * span
        assert -0.5 <= start <= span - wide + 0.5
        by_line.setdefault(note.y, []).append((start, start + wide))
    assert by_line
    for spans in by_line.values():
        spans.sort()
        assert all(end < start for (_, end), (start, _) in itertools.pairwise(spans))


def test_before_and_after_are_two_rows_and_an_undefined_one_says_why() -> None:
    rows = {"before": kappa(0.3, 0.1, 0.5), "after": Estimate(math.nan, why="the judge says only <b>MET</b>")}
    chart = kappa_bands(rows, theme="light", width=480)
    texts = [note.text for note in chart.layout.annotations]
    assert "before" in texts
    assert any(text.startswith("undefined: the judge") and "&lt;b&gt;" in text for text in texts)
    assert alt(rows).endswith("after: κ is undefined, the judge says only <b>MET</b>.")
    assert not kappa_bands({"": Estimate(math.nan, why="no decision is left")}, theme="light").data


@pytest.mark.parametrize("width", [280, 340])
@pytest.mark.parametrize("ends", [(-0.59, 0.82), (-0.9, -0.7), (0.5, 0.7)])
def test_every_band_has_its_name_above_it(ends: tuple[float, float], width: float) -> None:
    chart = kappa_bands({"": kappa(sum(ends) / 2, *ends)}, theme="light", width=width)
    said = {note.text.replace("<b>", "").replace("</b>", "") for note in names(chart)}
    assert said == set(WORDS)
    assert all(note.y >= 8 for note in names(chart))


def test_on_paper_the_bands_are_filled_and_lie_below_the_value() -> None:
    """What is no screen draws the same rectangles as plotly, the band that the interval touches in its own colour."""
    figure = kappa_bands(ROWS, theme="light")
    made = drawing(figure)
    fills = [shape["fillcolor"] for shape in json.loads(figure.to_json())["layout"]["shapes"] if shape["type"] == "rect"]
    assert [box["fill"] for box in made["below"]] == fills
    assert len(set(fills)) == 3
    assert made["boxes"] == []
    drawn = svg_of(figure, "")
    assert drawn.index(f'fill="{fills[0]}"') < drawn.index("<circle")
