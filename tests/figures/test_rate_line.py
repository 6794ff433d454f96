from __future__ import annotations

import numpy as np
import pytest

from metrics.analyses.prevalence.power import measured_rate
from metrics.analyses.true_rate.compute import correct_prevalence
from metrics.analyses.true_rate.golden import golden_rates
from metrics.figures import theme as style
from metrics.figures.fitting import around, meet
from metrics.figures.rate import NOTHING, PERFECT, Drawing, alt, rate_line

GOLDEN = [[427, 140], [19, 433]]


def texts(figure) -> str:
    return " ".join(note.text for note in figure.layout.annotations)


def test_the_line_is_what_the_judge_reports() -> None:
    figure = rate_line(correct_prevalence(340, 1000, GOLDEN), theme="light")
    line = next(trace for trace in figure.data if trace.mode == "lines")
    assert (line.y[0], line.y[-1]) == pytest.approx((19 / 452, 427 / 567))
    assert "y = 4.2\u00a0% + 0.71 x" in texts(figure)
    assert "measured 34.0\u00a0%" in texts(figure)
    assert "true 41.9\u00a0%" in texts(figure)


def test_rules_and_bands_are_the_numbers() -> None:
    found = correct_prevalence(340, 1000, GOLDEN)
    shapes = rate_line(found, theme="dark").layout.shapes
    rects = [shape for shape in shapes if shape.type == "rect"]
    assert (rects[0].y0, rects[0].y1) == found.raw.ends
    assert (rects[1].x0, rects[1].x1) == found.ends
    down = [shape for shape in shapes if shape.type == "line" and shape.x0 == shape.x1]
    assert [shape.x0 for shape in down] == [found.value]


def test_refused_has_no_true_rate() -> None:
    found = correct_prevalence(30, 100, [[6, 5], [8, 9]])
    figure = rate_line(found, theme="light")
    assert "true " not in texts(figure).replace("true share of decisions for", "")
    assert len([shape for shape in figure.layout.shapes if shape.type == "rect"]) == 1
    assert "covers 0" in alt(found, "MET")


def test_no_line_without_rates() -> None:
    found = correct_prevalence(30, 100, [[0, 0], [8, 9]])
    assert texts(rate_line(found, theme="light")) == NOTHING
    assert alt(found, "MET") == f"{NOTHING}."


def test_a_falling_line_has_its_name_with_a_minus() -> None:
    assert "\u2212 0.61 x" in texts(rate_line(correct_prevalence(750, 1000, [[20, 63], [784, 133]]), theme="light"))


def test_the_alternative_text_has_the_numbers() -> None:
    said = alt(correct_prevalence(340, 1000, GOLDEN), "MET")
    assert "Measured share of decisions for MET = 4.2\u00a0% + 0.71 × true share" in said
    assert "true 41.9\u00a0% [37.0, 46.8\u00a0%]" in said
    assert "92.8\u00a0% \u2212 0.08 × true share" in alt(correct_prevalence(900, 1000, [[975, 171], [308, 24]]), "MET")


@pytest.mark.parametrize("tpr", [0.0, 0.2, 0.5, 0.85, 1.0])
@pytest.mark.parametrize("fpr", [0.0, 0.1, 0.5, 0.93, 1.0])
@pytest.mark.parametrize("k", [0, 340, 900])
def test_names_meet_neither_line_nor_each_other(tpr, fpr, k) -> None:
    found = correct_prevalence(k, 1000, golden_rates(tpr, fpr, 500, 500))
    drawing = Drawing(style.tokens("light"), 1.0, style.NARROWEST, found)
    boxes = []
    for note in rate_line(found, theme="light").layout.annotations:
        bare = note.text.removeprefix("<b>").removesuffix("</b>")
        if bare != PERFECT and not bare.startswith("y = "):
            continue
        wide = style.text_width(bare, style.TICK, bold=bare != note.text)
        x, y = drawing.at(note.x, note.y)
        left = x + (note.xshift or 0) - {"left": 0, "center": wide / 2, "right": wide}[note.xanchor]
        boxes.append((left, y - note.yshift - 7, left + wide, y - note.yshift + 7))
    assert len(boxes) == 2
    assert not meet(*boxes)
    shares = np.linspace(0, 1, 101)
    heights = (measured_rate(*rates, shares) for rates in (drawing.rates, (1.0, 0.0)))
    lines = [around(drawing.at(x, y), 3) for line in heights for x, y in zip(shares, line, strict=True)]
    for box in boxes:
        assert box[0] >= 0
        assert box[2] <= drawing.plot
        assert not any(meet(box, spot) for spot in lines)
