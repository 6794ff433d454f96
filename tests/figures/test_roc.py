"""ROC space and the reliability diagram: marks stand at their rates, everything named, no two texts meet."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace

import numpy as np
import pytest

from metrics.analyses.roc.calibration import Bin
from metrics.figures import reliability, theme
from metrics.figures.roc import ACCURACIES, LEVELS, NAMED, NOTHING, Verdicts, alt, roc_space
from metrics.figures.roc_curves import Other, Scored
from metrics.figures.roc_parts import BROAD, GUESSING, NARROW
from metrics.figures.theme import text_width
from metrics.measures.transforms import Interval
from metrics.results.estimate import Estimate
from metrics.results.words import percent, tick
from tests.figures.drawn import texts

STRICT = Verdicts("strict", 0.05, 0.77, 0.72, chosen=True)
LENIENT = Verdicts("lenient", 0.26, 0.93, 0.67, chosen=False)
GRID = np.linspace(0, 1, 41)
CURVE = Scored(
    "scored", GRID.tolist(), np.sqrt(GRID).tolist(), ["hover"] * 41, "0.67", (0.25, 0.5), "0.3", 0.25, (0.4, 0.63),
    "threshold 0.1", [(0.1, 0.3), (0.2, 0.45)],
)  # fmt: skip
WORDS = {"positive": "MET", "negative": "UNMET"}


def points_of(figure):
    return next(trace for trace in figure.data if trace.mode == "markers" and trace.customdata is not None)


def curves_of(figure):
    return next((trace for trace in figure.data if trace.mode == "lines+markers"), None)


def lines_of(figure) -> list[tuple[list[float], list[float]]]:
    return [(list(trace.x), list(trace.y)) for trace in figure.data if trace.mode == "lines"]


def test_points_stand_at_their_rates_and_j_is_the_upright_to_the_diagonal() -> None:
    figure = roc_space([STRICT, LENIENT], None, theme="light", **WORDS)
    marks = points_of(figure)
    assert (list(marks.x), list(marks.y)) == ([0.26, 0.05], [0.93, 0.77])
    assert [place[0] for place in marks.customdata] == [1, 0]
    assert ([0.05, 0.05], [0.05, 0.77]) in lines_of(figure)
    assert ([0.26, 0.26], [0.26, 0.93]) not in lines_of(figure)
    assert (marks.marker.color, marks.marker.symbol) == ((theme.LIGHT.neutral, theme.LIGHT.judge), ("circle", "square"))
    assert any("<b>strict</b>\u00a0J\u00a00.72" in text for text in texts(figure))


def test_the_curve_carries_its_area_and_the_best_cut_its_own_j() -> None:
    figure = roc_space([], CURVE, theme="dark", **WORDS)
    told = " ".join(texts(figure))
    for part in (
        "<b>scored</b><br>AUC 0.67",
        "best threshold 0.3<br>J 0.25 on these items",
        "threshold 0.1<br>J 0.23",
    ):
        assert part in told
    uprights = [(x, y) for x, y in lines_of(figure) if x[0] == x[-1] and y[0] != y[-1]]
    assert [x[0] for x, _ in uprights] == [0.25, 0.4]
    trail = next(trace for trace in figure.data if trace.mode == "markers" and len(trace.x) == 2)
    assert list(trail.x) == [0.1, 0.2]


def test_a_cut_that_is_the_best_one_is_drawn_once() -> None:
    figure = roc_space([], replace(CURVE, cut=CURVE.best), theme="light", **WORDS)
    assert "threshold 0.1" not in " ".join(texts(figure))


def test_a_curve_with_no_threshold_above_chance_has_no_ring() -> None:
    figure = roc_space([], replace(CURVE, best=None), theme="light", **WORDS)
    assert "best threshold" not in " ".join(texts(figure))


def test_grey_lines_are_named() -> None:
    assert {f"J {tick(level)}" for level in LEVELS} <= set(texts(roc_space([STRICT], None, theme="light", **WORDS)))
    figure = roc_space([STRICT], None, theme="light", lines="accuracy", prevalence=0.3, **WORDS)
    assert {percent(level) for level in ACCURACIES} <= set(texts(figure))
    assert any("30" in text and "MET" in text for text in texts(figure))


def others(n: int) -> list[Other]:
    """Curves one beside the other."""
    return [Other(f"other {i}", GRID.tolist(), (GRID ** (0.9 - 0.08 * i)).tolist(), f"0.5{i}") for i in range(n)]


def boxes(figure, width: float, scale: float) -> list[tuple[float, float, float, float]]:
    """Boxes of the texts inside the square, in px."""
    side = width * scale - (66 + 46) * scale
    found = []
    for note in figure.layout.annotations:
        if note.bgcolor is None:
            continue
        lines = re.sub("<(?!br).*?>", "", note.text).split("<br>")
        wide, high = max(text_width(line, note.font.size) for line in lines), note.font.size * 1.2 * len(lines)
        left = note.x * side + (note.xshift or 0) - (wide if note.xanchor == "right" else 0)
        middle = (1 - note.y) * side - (note.yshift or 0)
        found.append((left, middle - high / 2, left + wide, middle + high / 2))
    return found


@pytest.mark.parametrize("width", [BROAD, NARROW])
@pytest.mark.parametrize("scale", [1.0, 1.4])
@pytest.mark.parametrize("seed", range(6))
def test_no_two_texts_meet_and_none_leaves_the_square(width, scale, seed) -> None:
    rng = np.random.default_rng(seed)
    rates = np.sort(rng.random((8, 2)))
    names = ["a", "lenient", "a judge with a name of forty letters, at"]
    judges = [Verdicts(names[i % 3], x, y, y - x, chosen=i == 0) for i, (x, y) in enumerate(rates.tolist())]
    figure = roc_space(judges[: 2 + seed], CURVE, others(seed), theme="light", width=width, scale=scale, **WORDS)
    found = boxes(figure, width, scale)
    assert len(found) >= 3
    for one, other in itertools.combinations(found, 2):
        assert not (one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3])
    side = width * scale - (66 + 46) * scale
    assert all(box[0] >= -1 and box[1] >= -1 and box[2] <= side + 1 and box[3] <= side + 1 for box in found)


@pytest.mark.parametrize("lift", [0.0, 0.02, -0.02, 0.3])
@pytest.mark.parametrize("width", [BROAD, NARROW])
def test_the_name_of_the_diagonal_stands_off_curves_and_texts(lift, width) -> None:
    along = np.clip(GRID + lift * np.sin(np.pi * GRID), 0, 1)
    wavy = replace(CURVE, tpr=along.tolist(), best=(0.5, float(along[20])), cut=(0.7, float(along[28])))
    figure = roc_space([STRICT, LENIENT], wavy, theme="light", width=width, **WORDS)
    note = next(note for note in figure.layout.annotations if note.text == GUESSING)
    side = width - (66 + 46)
    x, y = note.x * side + note.xshift, (1 - note.y) * side - note.yshift
    reach = text_width(GUESSING, note.font.size) / 2
    for place in np.linspace(0, 40, 400):
        fpr, tpr = np.interp(place, range(41), GRID), np.interp(place, range(41), along)
        right, down = fpr * side - x, (1 - tpr) * side - y
        along_text, across_text = (right - down) / np.sqrt(2), (right + down) / np.sqrt(2)
        assert abs(along_text) > reach or abs(across_text) > 0.4 * note.font.size
    for left, top, far, foot in boxes(figure, width, 1.0):
        for part in np.linspace(-reach, reach, 20) / np.sqrt(2):
            assert not (left < x + part < far and top < y - part < foot)


def test_the_other_judges_curves_lie_thin_and_grey_below_the_chosen_one() -> None:
    figure = roc_space([STRICT], replace(CURVE, cut=None), others(2), theme="light", **WORDS)
    order = [trace.mode for trace in figure.data if len(trace.x) > 20]
    assert order == ["lines+markers", "lines"]
    grey, mine = curves_of(figure), next(trace for trace in figure.data if trace.mode == "lines" and len(trace.x) > 20)
    assert (grey.line.color, mine.line.color) == (theme.LIGHT.neutral, theme.LIGHT.series[0])
    assert grey.line.width < mine.line.width
    assert np.isnan(grey.x).sum() == 1
    assert grey.marker.opacity == grey.selected.marker.opacity == grey.unselected.marker.opacity == 0
    for one in others(2):
        assert f"curve of {one.name}: AUC {one.area}" in alt([], CURVE, others(2), **WORDS)


def test_a_click_on_a_curve_or_a_point_says_whose_it_is() -> None:
    figure = roc_space([STRICT, LENIENT], CURVE, others(3), theme="light", **WORDS)
    whose = {
        hover.split("</b>")[0]: place[0]
        for hover, place in zip(curves_of(figure).hovertext, curves_of(figure).customdata, strict=True)
    }
    assert whose == {"<b>other 0": 2, "<b>other 1": 3, "<b>other 2": 4}


def leaders(figure) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    """From mark to name, in shares of the square."""
    (trace,) = [trace for trace in figure.data if trace.mode == "lines" and trace.line.color == theme.LIGHT.neutral]
    return [((trace.x[i], trace.y[i]), (trace.x[i + 1], trace.y[i + 1])) for i in range(0, len(trace.x), 3)]


def crossing(one, other) -> bool:
    def side(a, b, c) -> float:
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

    (a, b), (c, d) = one, other
    return side(a, b, c) * side(a, b, d) < 0 > side(c, d, a) * side(c, d, b)


@pytest.mark.parametrize("width", [BROAD, NARROW])
@pytest.mark.parametrize("scale", [1.0, 1.4])
@pytest.mark.parametrize("seed", range(8))
def test_up_to_eight_judges_are_all_named_with_leaders_that_do_not_cross(width, scale, seed) -> None:
    rng = np.random.default_rng(seed)
    rates = np.sort(rng.beta(2, 2, (1 + NAMED, 2)) ** [2, 0.5])
    judges = [
        Verdicts(f"a judge with quite a name {i}", x, y, y - x, chosen=i == seed) for i, (x, y) in enumerate(rates.tolist())
    ]
    figure = roc_space(judges, CURVE, theme="light", width=width, scale=scale, **WORDS)
    found = leaders(figure)
    led = {start for start, _ in found}
    assert led >= {(one.fpr, one.tpr) for one in judges if not one.chosen}
    for one, other in itertools.combinations(found, 2):
        assert not crossing(one, other)
    for one in judges:
        named = [note for note in figure.layout.annotations if f"J\u00a0{one.j:.2f}".replace("-", "−") in note.text]
        assert named
        if (one.fpr, one.tpr) in led:
            ends = [end for start, end in found if start == (one.fpr, one.tpr)]
            assert any((note.x, note.y) == ends[0] for note in named)


def test_a_judge_without_verdicts_is_named_on_its_curve() -> None:
    figure = roc_space([STRICT], None, others(3), theme="light", **WORDS)
    for (x, y), _ in leaders(figure):
        assert any(np.interp(x, one.fpr, one.tpr) == pytest.approx(y, abs=0.02) for one in others(3))
    assert all(any(f"{one.name}\u00a0AUC\u00a0{one.area}" in text for text in texts(figure)) for one in others(3))


@pytest.mark.parametrize("width", [BROAD, NARROW])
def test_names_that_shorten_alike_are_told_apart(width) -> None:
    alike = [replace(one, name=f"gpt-4/rating{'_x' * i}_with_a_reference") for i, one in enumerate(others(3))]
    figure = roc_space([], replace(CURVE, cut=None, best=None), alike, theme="light", width=width, **WORDS)
    told = [text.split("\u00a0")[0] for text in texts(figure) if "gpt" in text]
    assert len(set(told)) == len(told) == 3


@pytest.mark.parametrize("chosen", [CURVE, None])
def test_of_more_judges_than_can_be_named_only_the_chosen_one_is_and_the_others_under_the_pointer(chosen) -> None:
    many = others(NAMED + 1)
    figure = roc_space([STRICT], chosen, many, theme="dark", **WORDS)
    grey = curves_of(figure)
    assert not any(one.name in text for one in many for text in texts(figure))
    assert {re.sub("<.*?>.*", "", hover.removeprefix("<b>")) for hover in grey.hovertext} == {one.name for one in many}
    assert np.isnan(grey.x).sum() == len(many) - 1
    assert any("strict" in text for text in texts(figure))


def test_the_chosen_point_lies_on_top() -> None:
    judges = [replace(STRICT, name=f"{i}", chosen=i == 2) for i in range(6)]
    marks = points_of(roc_space(judges, None, theme="light", **WORDS))
    assert (marks.customdata[-1][0], marks.marker.color[-1]) == (2, theme.LIGHT.judge)


def test_among_many_only_the_chosen_one_has_colour_and_upright() -> None:
    judges = [Verdicts(f"judge {i}", 0.3 + i / 200, 0.7 + i / 400, 0.4, chosen=i == 5) for i in range(65)]
    figure = roc_space(judges, None, theme="light", **WORDS)
    marks = points_of(figure)
    assert marks.marker.color.count(theme.LIGHT.judge) == 1
    assert marks.marker.color[[place[0] for place in marks.customdata].index(5)] == theme.LIGHT.judge
    assert len([x for x, y in lines_of(figure) if x[0] == x[-1] and y[0] != y[-1]]) == 1
    assert any("judge 5" in text for text in texts(figure))


def test_names_are_plain_text() -> None:
    figure = roc_space([replace(STRICT, name="<b>x</b> $y$")], None, theme="light", **WORDS)
    assert not any("<b>x</b>" in text.replace("<b>&lt;", "") for text in texts(figure))


def test_undefined_points_are_left_out_and_nothing_at_all_is_said() -> None:
    nowhere = Verdicts("j", float("nan"), 0.5, float("nan"), chosen=True)
    figure = roc_space([nowhere], None, theme="light", **WORDS)
    assert NOTHING in texts(figure)
    assert NOTHING in alt([nowhere], None, **WORDS)


def test_the_text_for_those_who_do_not_see_it_holds_the_numbers() -> None:
    told = alt([STRICT], CURVE, **WORDS)
    for part in (
        "strict: true positives 77\u00a0%, false positives 5\u00a0%, J 0.72",
        "AUC 0.67",
        "best threshold 0.3: J 0.25",
        "threshold 0.1",
    ):
        assert part in told


BINS = (
    Bin(0.1, 0.3, 20, 0.2, Estimate(0.1, Interval(0.03, 0.3, "wilson"))),
    Bin(0.6, 0.9, 30, 0.75, Estimate(0.9)),
)


def test_the_reliability_diagram_sets_promise_against_outcome() -> None:
    figure = reliability.reliability(BINS, label="MET", theme="light")
    drawn = next(trace for trace in figure.data if trace.mode == "lines+markers")
    assert (list(drawn.x), list(drawn.y)) == ([0.2, 0.75], [0.1, 0.9])
    assert list(drawn.error_y.array) == pytest.approx([0.2, 0.0])
    assert list(drawn.error_y.arrayminus) == pytest.approx([0.07, 0.0])
    assert "0.20: 10\u00a0% [3, 30\u00a0%] of 20; score 0.75: 90\u00a0% of 30" in reliability.alt(BINS, label="MET")


def test_a_corner_with_a_circle_stays_without_words() -> None:
    crowded = (*BINS, Bin(0.0, 0.1, 9, 0.05, Estimate(0.95)))
    assert "scores too low" in texts(reliability.reliability(BINS, label="MET", theme="light"))
    assert "scores too low" not in texts(reliability.reliability(crowded, label="MET", theme="light"))
