from __future__ import annotations

import pytest

from metrics.correcting.correction import correct_prevalence
from metrics.figures.rate import NOTHING, alt, rate_line

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
    assert (rects[0].y0, rects[0].y1) == found.raw_ends
    assert (rects[1].x0, rects[1].x1) == found.ends
    down = [shape for shape in shapes if shape.type == "line" and shape.x0 == shape.x1]
    assert [shape.x0 for shape in down] == [found.value]


def test_refused_has_no_true_rate() -> None:
    found = correct_prevalence(30, 100, [[6, 5], [8, 9]])
    figure = rate_line(found, theme="light")
    assert "true " not in texts(figure).replace("true rate of", "")
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
    assert "Measured rate of MET = 4.2\u00a0% + 0.71 × true rate" in said
    assert "true 41.9\u00a0% [37.0, 46.8\u00a0%]" in said
