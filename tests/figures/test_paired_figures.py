"""Scatter and Bland-Altman: points stand where they are, lines carry their names and values, many points stay light."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import numpy as np
import pytest

from metrics.analyses.paired_numbers import Paired, measures
from metrics.analyses.scores.density import plane_of_differences, plane_of_pairs, share_between
from metrics.figures import theme
from metrics.figures.axes import number_text, tick, ticks
from metrics.figures.bland_altman import BROAD as WIDE
from metrics.figures.bland_altman import alt as alt_of_differences
from metrics.figures.bland_altman import bland_altman
from metrics.figures.scatter import BROAD, EQUAL, NARROW, alt, score_scatter
from metrics.results import words
from metrics.results.words import MINUS
from tests.figures.drawn import texts

NAMES = ("human", "gpt <b>4</b>")


def some(n: int = 40, shift: float = 0.8) -> Paired:
    rng = np.random.default_rng(4)
    x = rng.normal(3, 1, n)
    return Paired(x, x + rng.normal(shift, 0.5, n))


def levels(n: int = 500) -> Paired:
    rng = np.random.default_rng(5)
    x = rng.integers(1, 6, n).astype(float)
    return Paired(x, np.clip(x + rng.integers(-1, 2, n), 1, 5))


def scatter_of(paired: Paired, *, same_unit: bool = True, **look):
    return score_scatter(plane_of_pairs(paired, same_unit=same_unit), measures(paired), names=NAMES, theme="light", **look)


def differences_of(paired: Paired, **look):
    return bland_altman(plane_of_differences(paired), measures(paired), names=NAMES, theme="light", **look)


def marks(figure):
    return next(trace for trace in figure.data if trace.type == "scatter" and trace.mode == "markers")


def test_points_stand_at_their_numbers() -> None:
    paired = some()
    drawn = marks(scatter_of(paired))
    assert sorted(zip(drawn.x, drawn.y, strict=True)) == sorted(zip(paired.reference, paired.judge, strict=True))
    assert [place[0] for place in drawn.customdata] == list(range(40))
    of_difference = marks(differences_of(paired))
    expected = zip((paired.reference + paired.judge) / 2, paired.judge - paired.reference, strict=True)
    assert sorted(zip(of_difference.x, of_difference.y, strict=True)) == sorted(expected)


def test_discs_have_areas_in_the_ratio_of_their_counts() -> None:
    figure = scatter_of(levels())
    drawn = marks(figure)
    counts = [int(text.split("<b>")[1].split(" ")[0]) for text in drawn.hovertext]
    assert sum(counts) == 500
    size, most = np.array(drawn.marker.size), max(counts)
    np.testing.assert_allclose(size**2, np.array(counts) / most * size.max() ** 2, rtol=1e-9)
    assert any(text.isdigit() for text in texts(figure))


def test_the_diagonal_is_named_and_its_sides_too() -> None:
    figure = scatter_of(some())
    line = next(trace for trace in figure.data if trace.mode == "lines" and trace.line.dash == "solid")
    assert list(line.x) == list(line.y) == list(figure.layout.xaxis.range) == list(figure.layout.yaxis.range)
    assert EQUAL in texts(figure)
    assert {"<b>gpt &lt;b&gt;4&lt;/b&gt; higher</b>", "<b>gpt &lt;b&gt;4&lt;/b&gt; lower</b>"} <= set(texts(figure))


def test_the_bias_is_drawn_where_it_can_be_told_from_the_diagonal() -> None:
    far, near = scatter_of(some(shift=0.8)), scatter_of(some(shift=0.0))
    bias = measures(some(shift=0.8))["bias"].value
    line = next(trace for trace in far.data if trace.mode == "lines" and trace.line.dash == "dash")
    assert np.subtract(line.y, line.x) == pytest.approx([bias, bias])
    low, high = far.layout.xaxis.range
    assert min(line.x) >= low
    assert max(line.y) <= high + 1e-9
    assert f"bias +{bias:.2f}" in texts(far)
    assert not [trace for trace in near.data if trace.mode == "lines" and trace.line.dash == "dash"]
    below = scatter_of(some(shift=-0.8))
    assert any(text.startswith(f"bias {MINUS}0.") for text in texts(below))


def test_without_a_common_unit_there_is_no_diagonal() -> None:
    paired = Paired(some().reference, some().judge * 100)
    figure = scatter_of(paired, same_unit=False)
    assert not [trace for trace in figure.data if trace.mode == "lines"]
    assert EQUAL not in texts(figure)
    assert figure.layout.yaxis.scaleanchor is None
    assert figure.layout.xaxis.range[1] < 10 < figure.layout.yaxis.range[1]
    said = alt(plane_of_pairs(paired, same_unit=False), measures(paired), names=NAMES)
    assert "The two are not in one unit" in said
    assert "bias" not in said


@pytest.mark.parametrize("draw", [scatter_of, differences_of])
def test_a_hundred_thousand_points_are_light(draw) -> None:
    rng = np.random.default_rng(6)
    x = rng.normal(60, 15, 100_000)
    figure = draw(Paired(x, 0.8 * x + 15 + rng.normal(0, 8, 100_000)))
    grid = next(trace for trace in figure.data if trace.type == "heatmap")
    alone = marks(figure)
    assert np.nansum(grid.z) + len(alone.x) == 100_000
    assert 0 < len(alone.x) < 1_000
    assert len(figure.to_json()) < 100_000
    assert any(text.startswith("Squares: 2 (pale) to ") for text in texts(figure))


def test_bias_and_limits_are_lines_with_bands_and_names() -> None:
    paired = some()
    found, figure = measures(paired), differences_of(paired)
    lines = [shape.y0 for shape in figure.layout.shapes if shape.type == "line"]
    assert sorted(lines) == sorted([0.0, *(found[key].value for key in ("bias", "loa_low", "loa_high"))])
    bands = [(shape.y0, shape.y1) for shape in figure.layout.shapes if shape.type == "rect"]
    assert sorted(bands) == sorted(found[key].ends for key in ("bias", "loa_low", "loa_high"))
    low, high = found["bias"].ends
    assert f"<b>bias +{found['bias'].value:.2f}</b><br>[{low:.2f}, {high:.2f}]" in texts(figure)
    assert any(text.startswith(f"<b>upper limit {found['loa_high'].value:.2f}</b>") for text in texts(figure))
    assert EQUAL in texts(figure)
    bottom, top = figure.layout.yaxis.range
    assert all(bottom < end < top for band in bands for end in band)


def test_equal_numbers_have_lines_without_bands() -> None:
    figure = differences_of(Paired(np.arange(8.0), np.arange(8.0)))
    assert not [shape for shape in figure.layout.shapes if shape.type == "rect"]
    assert sum(shape.type == "line" for shape in figure.layout.shapes) == 4
    places = sorted(note.yshift for note in figure.layout.annotations if note.xref == "paper" and note.x == 1)
    assert all(b - a >= 17.9 for a, b in itertools.pairwise(places))


@pytest.mark.parametrize("paired", [Paired(np.zeros(0), np.zeros(0)), Paired(np.array([np.nan]), np.array([1.0]))])
def test_nothing_is_said(paired: Paired) -> None:
    for figure in (scatter_of(paired), differences_of(paired)):
        assert texts(figure) == ["No pair of numbers to draw"]
    assert alt(plane_of_pairs(paired), measures(paired), names=NAMES) == "No pair of numbers to draw."
    assert alt_of_differences(plane_of_differences(paired), measures(paired), names=NAMES) == "No pair of numbers to draw."


def test_one_pair_is_drawn_without_limits() -> None:
    paired = Paired(np.array([3.0]), np.array([4.0]))
    assert list(marks(scatter_of(paired)).x) == [3]
    assert sum(shape.type == "line" for shape in differences_of(paired).layout.shapes) == 2
    said = alt_of_differences(plane_of_differences(paired), measures(paired), names=NAMES)
    assert "upper limit undefined: only one pair has two numbers" in said


def test_what_is_seen_is_said() -> None:
    paired = some()
    found = measures(paired)
    said = alt(plane_of_pairs(paired), found, names=NAMES)
    higher = (paired.judge > paired.reference).mean()
    assert said.startswith("gpt <b>4</b> over human, 40 pairs. gpt <b>4</b> higher in")
    assert f"higher in {100 * higher:.0f}\u00a0%, equal in 0\u00a0%" in said
    low, high = found["pearson"].ends
    assert f"Pearson {found['pearson'].value:.2f} [{low:.2f}, {high:.2f}]" in said
    within = share_between(paired, found["loa_low"].value, found["loa_high"].value)
    of_difference = alt_of_differences(plane_of_differences(paired), found, names=NAMES, within=within)
    assert f"gpt <b>4</b> {MINUS} human over the mean of both, 40 pairs" in of_difference
    assert f"{100 * within:.0f}\u00a0% of the pairs are between the limits." in of_difference
    assert "nan" not in said + of_difference


@pytest.mark.parametrize("width", [NARROW, BROAD])
def test_texts_at_the_right_fit_beside_the_plot(width: int) -> None:
    figure = differences_of(some(), width=width)
    room = figure.layout.margin.r
    for note in figure.layout.annotations:
        if note.xref == "paper" and note.x == 1:
            size = note.font.size
            wide = max(theme.text_width(line.replace("<b>", "").replace("</b>", ""), size) for line in note.text.split("<br>"))
            assert note.xshift + wide <= room + 1
    assert width - room - figure.layout.margin.l > 0.5 * width
    assert figure.layout.margin.l + room < WIDE


def test_ticks_are_round_and_show_their_step() -> None:
    assert ticks((0.0, 1.0), 5) == ([0.0, 0.2, 0.4, pytest.approx(0.6), 0.8, 1.0], ["0", ".2", ".4", ".6", ".8", "1.0"])
    places, written = ticks((-1e-4, 2.2e-3), 5)
    assert places == pytest.approx([0, 5e-4, 1e-3, 1.5e-3, 2e-3])
    assert written == ["0", ".0005", ".0010", ".0015", ".0020"]
    assert ticks((0, 25_000), 3)[1] == ["0", "10\u202f000", "20\u202f000"]
    assert tick(-0.5, 0.5) == f"{MINUS}.5"
    assert tick(-1e-17, 0.1) == "0"


def test_decimals_tell_a_hundredth_of_the_axis() -> None:
    assert number_text(0.12345, 5) == "0.12"
    assert number_text(0.0012345, 0.01) == "0.0012"
    assert number_text(-0.001, 3) == "0.00"
    assert number_text(1 / 40 - 1e-17, 2) == words.number(1 / 40 - 1e-17) == "0.03"
    assert number_text(-12345.678, 1e5) == f"{MINUS}12\u202f345.68"
    assert number_text(3.0, 10, signed=True) == "+3.00"
    assert number_text(math.nan, 1) == "–"


def test_counts_of_discs_and_of_squares_are_spoken() -> None:
    few, many = levels(), some(60_000)
    counts = Counter(zip(few.reference, few.judge, strict=True))
    said = alt(plane_of_pairs(few), measures(few), names=NAMES)
    assert all(f"{x:g}, {y:g}: {n}" in said for (x, y), n in counts.items())
    key = next(text for text in texts(scatter_of(many)) if text.startswith("Squares"))
    assert key in alt(plane_of_pairs(many), measures(many), names=NAMES)
    assert "places" not in alt(plane_of_pairs(some()), measures(some()), names=NAMES)
