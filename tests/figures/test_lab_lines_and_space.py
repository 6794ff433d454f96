"""Lines along prevalence and the point in ROC space: the same numbers as the table, and what does not move stays."""

from __future__ import annotations

import math

import numpy as np
import pytest

from metrics.analyses.prevalence.power import metric_at
from metrics.content.lab.lessons import STEPS
from metrics.content.lab.pictures import GRID
from metrics.content.lab.scenes import at_step
from metrics.figures import lab_lines, lab_space
from metrics.figures.lab_lines import prevalence_lines
from metrics.figures.lab_space import roc_point
from metrics.figures.theme import DARK, LIGHT
from tests.figures.lab_tables import PAIRS, RARE, boxes, counted, driven, said, seen, shown, texts


def curves(figure):
    return [trace for trace in figure.data if trace.mode == "lines"]


def spots(figure):
    return [(trace.marker.symbol, trace.x[0], trace.y[0], trace.marker.color) for trace in figure.data if trace.mode == "markers"]


def test_the_lines_are_the_same_judge_elsewhere() -> None:
    phi, kappa = curves(prevalence_lines(seen(RARE), None, theme="light"))
    for trace, key, colour in ((phi, "phi", LIGHT.phi), (kappa, "kappa", LIGHT.kappa)):
        np.testing.assert_array_equal(trace.x, 100 * GRID)
        np.testing.assert_allclose(trace.y, metric_at(key, 0.9, 0.1, GRID), equal_nan=True)
        assert trace.line.color == colour


def test_the_marks_are_the_tables_values_filled_here_and_open_there() -> None:
    now, other = PAIRS["rare beside even"]
    figure = prevalence_lines(now, other, theme="dark")
    there, here = spots(figure)[:2], spots(figure)[2:]
    for found, picture in ((there, other), (here, now)):
        assert [symbol for symbol, *_ in found] == ["diamond", "circle"]
        assert [x for _, x, _, _ in found] == [pytest.approx(100 * picture.values["prevalence"])] * 2
        assert [y for _, _, y, _ in found] == [pytest.approx(picture.values[key]) for key in ("phi", "kappa")]
    assert {colour for *_, colour in there} == {DARK.page}
    assert [colour for *_, colour in here] == [DARK.phi, DARK.kappa]
    told = said(figure)
    assert "step 2b 5\u00a0%: κ 0.43 · φ 0.50" in told
    assert "step 2a 50\u00a0%: κ 0.80 · φ 0.80" in told
    assert [shape.line.dash for shape in figure.layout.shapes if shape.yref == "paper"] == ["dot", "solid"]
    assert "you are here 5\u00a0%: κ 0.43 · φ 0.50" in said(prevalence_lines(seen(RARE), None, theme="dark"))


def test_the_other_judge_has_thin_lines_and_the_same_judge_none() -> None:
    assert len(curves(prevalence_lines(*PAIRS["rare beside even"], theme="light"))) == 2
    figure = prevalence_lines(*PAIRS["Feinstein and Cicchetti"], theme="light")
    widths = [trace.line.width for trace in curves(figure)]
    assert len(widths) == 4
    assert max(widths[:2]) < min(widths[2:])
    assert {"φ, step 2d", "κ, step 2d", "<b>φ</b>", "<b>κ</b>"} <= set(texts(figure))


def test_lines_that_are_equal_share_one_name() -> None:
    figure = prevalence_lines(seen(counted(50, 0, 0, 50)), None, theme="light")
    assert "<b>κ = φ</b>" in texts(figure)
    assert len(curves(figure)) == 1


def test_an_undefined_value_has_no_mark_and_a_dash() -> None:
    figure = prevalence_lines(PAIRS["always negative"][0], None, theme="light")
    assert [symbol for symbol, *_ in spots(figure)] == ["circle"]
    assert "κ 0.00 · φ –" in said(figure)
    assert "φ undefined" in lab_lines.alt(PAIRS["always negative"][0], None)


@pytest.mark.parametrize(
    ("pair", "reason"),
    [
        ("no positive, by counts", "the human never says MET, so there is no TPR"),
        ("no negative, by counts", "the human never says UNMET, so there is no FPR"),
        ("third class", "TPR and FPR need two labels, and CANNOT_ASSESS is a class of its own here"),
    ],
)
def test_without_a_rate_both_views_say_why(pair, reason) -> None:
    now, other = PAIRS[pair]
    for what, draw, alt in (("line", prevalence_lines, lab_lines.alt), ("point", roc_point, lab_space.alt)):
        figure = draw(now, other, theme="light")
        assert " ".join(said(figure).split()) == f"No {what}: {reason}"
        assert not figure.data
        assert f"No {what}: {reason}" in alt(now, other)


def test_a_judge_given_by_rates_keeps_line_and_point_where_a_row_is_empty() -> None:
    now = PAIRS["no positive, by rates"][0]
    assert len(curves(prevalence_lines(now, None, theme="light"))) == 2
    assert spots(roc_point(now, None, theme="light"))[-1][1:3] == (pytest.approx(0.1), pytest.approx(0.9))


@pytest.mark.parametrize("pair", [name for name, (now, _) in PAIRS.items() if now.two and not math.isnan(sum(now.rates))])
def test_the_axis_holds_every_value(pair) -> None:
    figure = prevalence_lines(*PAIRS[pair], theme="light")
    low, high = figure.layout.yaxis.range
    values = [y for trace in figure.data for y in trace.y if not math.isnan(y)]
    assert low - 1e-9 <= min(values)
    assert max(values) <= high


def test_prevalence_does_not_move_the_point() -> None:
    rare, even = (roc_point(seen(driven(x)), None, theme="light").to_dict() for x in (0.05, 0.5))
    assert rare == even


def test_j_is_the_upright_from_the_diagonal() -> None:
    for pair, (fpr, tpr) in (("even", (0.1, 0.9)), ("κ above φ", (20 / 50, 10 / 50))):
        figure = roc_point(PAIRS[pair][0], None, theme="light")
        (upright,) = [trace for trace in curves(figure) if trace.x[0] == trace.x[1]]
        assert (upright.x[0], *upright.y) == (pytest.approx(fpr), pytest.approx(fpr), pytest.approx(tpr))
        assert spots(figure)[-1][1:3] == (pytest.approx(fpr), pytest.approx(tpr))
    assert "J\u00a0−0.20" in said(figure)


def test_the_other_point_is_open_and_around_this_one_where_they_are_the_same() -> None:
    same, apart = (roc_point(*PAIRS[pair], theme="light") for pair in ("rare beside even", "Feinstein and Cicchetti"))
    for figure in (same, apart):
        there, here = (trace.marker for trace in figure.data if trace.mode == "markers")
        assert (there.color, here.color) == (LIGHT.page, LIGHT.judge)
        assert (there.size > here.size) == (figure is same)
    for (_, fpr, tpr, _), picture in zip(spots(apart), reversed(PAIRS["Feinstein and Cicchetti"]), strict=True):
        assert (tpr, fpr) == picture.rates
    assert "step 2b J\u00a00.80" in said(same)
    assert "step 2a J\u00a00.80" in said(same)


@pytest.mark.parametrize("pair", ["finds one", "little chance", "below zero"])
def test_names_that_make_room_keep_the_order_of_their_points(pair) -> None:
    now, other = PAIRS[pair]
    tops = {shown(box[0]).split(" J")[0]: box[2] for box in boxes(roc_point(now, other, theme="light"), 340)}
    higher, lower = sorted((now, other), key=lambda picture: -picture.rates[0])
    assert tops[higher.name] < tops[lower.name]


@pytest.mark.parametrize("scale", [1.0, 1.4])
@pytest.mark.parametrize("step", [key for key in STEPS if key[0] != "7"])
def test_no_name_stands_across_the_upright(step: str, scale: float) -> None:
    scene = at_step(step)
    figure = roc_point(scene.picture, scene.other, theme="light", scale=scale)
    layout, width = figure.to_dict()["layout"], lab_space.MOST * scale
    side = width - layout["margin"]["l"] - layout["margin"]["r"]
    tpr, fpr = scene.picture.rates
    x = layout["margin"]["l"] + side * fpr
    high, low = (layout["margin"]["t"] + side * (1 - y) for y in (max(tpr, fpr), min(tpr, fpr)))
    placed = boxes(figure, width)
    assert len(placed) == sum(not math.isnan(sum(one.rates)) for one in (scene.picture, scene.other) if one is not None)
    for text, left, top, right, bottom in placed:
        assert right < x or left > x or bottom < high or top > low, text


def test_a_wide_place_does_not_make_the_square_taller_than_the_screen() -> None:
    heights = [roc_point(seen(RARE), None, theme="light", width=width).layout.height for width in (300, 340, 640)]
    assert heights[0] < heights[1] == heights[2] < 350


def test_the_texts_for_those_who_do_not_see_them_have_the_numbers() -> None:
    pair = PAIRS["rare beside even"]
    assert "step 2b: TPR 90\u00a0%, FPR 10\u00a0%, J 0.80; step 2a: TPR 90\u00a0%" in lab_space.alt(*pair)
    told = lab_lines.alt(*pair)
    assert "TPR 90\u00a0%, TNR 90\u00a0%: κ at most 0.80 and φ at most 0.80" in told
    assert "step 2b, prevalence 5\u00a0%: κ 0.43, φ 0.50; step 2a, prevalence 50\u00a0%: κ 0.80" in told
    assert "the other" not in told


def test_the_lines_of_another_judge_are_told_too() -> None:
    now, other = seen(counted(40, 10, 20, 30)), seen(counted(5, 5, 0, 90))
    most = " and ".join(f"{name} at most {np.nanmax(other.lines[key]):.2f}" for key, name in (("kappa", "κ"), ("phi", "φ")))
    assert f", for the other, with TPR 50\u00a0%, TNR 100\u00a0%: {most}. " in lab_lines.alt(now, other)
    assert "the other, with" not in lab_lines.alt(now, seen(counted(0, 0, 20, 30)))
