"""The surface: points stand at their two rates, lines carry their value, names keep apart and near their points."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from metrics.analyses.kappa_phi.rows import GapRow
from metrics.analyses.kappa_phi.surface import LEVELS, ratio_at
from metrics.analyses.records import Block
from metrics.figures import theme
from metrics.figures.surface import BROAD, NAMED, NARROW, alt, gap_surface, named
from metrics.measures.catalogue import applicable
from metrics.measures.metric import why_undefined
from metrics.results.estimate import estimates_of
from metrics.results.words import tick

STRICT, LENIENT, EVEN, CONSTANT = [[20, 30], [5, 45]], [[45, 5], [30, 20]], [[40, 10], [10, 40]], [[20, 0], [80, 0]]


def row(name: str, counts) -> GapRow:
    table, labels = np.asarray(counts, np.int64), ("MET", "UNMET")
    values = {metric.key: float(metric.function(table)) for metric in applicable(2, "table")}
    reasons = {metric.key: why_undefined(metric, table, labels) for metric in applicable(2, "table")}
    return GapRow(name, Block(int(table.sum()), labels, table, estimates=estimates_of(values, reasons)))


ROWS = [row("strict", STRICT), row("lenient", LENIENT), row("<img src=x>", EVEN), row("constant", CONSTANT)]


def many(n: int) -> list[GapRow]:
    rng = np.random.default_rng(n)
    return [row(f"criterion number {i} of the many", rng.integers(1, 60, (2, 2))) for i in range(n)]


def points(figure):
    return next(trace for trace in figure.data if trace.type == "scatter" and trace.mode == "markers")


def labels(figure) -> list:
    """The names of points, with what they say."""
    return [note for note in figure.layout.annotations if "<b>" in note.text and "\u00a0" in note.text]


def test_points_stand_at_their_rates() -> None:
    figure = gap_surface(ROWS, positive="MET", theme="light")
    drawn = points(figure)
    assert list(drawn.x) == [0.5, 0.5, 0.5]
    assert list(drawn.y) == [0.25, 0.75, 0.5]
    assert [place[0] for place in drawn.customdata] == [0, 1, 2]
    assert drawn.marker.color == theme.LIGHT.judge
    said = [note.text for note in labels(figure)]
    assert "strict\u00a0<b>0.866</b>" in said
    assert "lenient\u00a0<b>0.866</b>" in said


def test_lines_and_diagonal_are_named() -> None:
    figure = gap_surface(ROWS, positive="yes", theme="light")
    said = [note.text for note in figure.layout.annotations]
    assert {tick(level) for level in LEVELS} <= set(said)
    assert "κ = φ" in said
    assert "<b>judge says yes more often</b>" in said
    assert "<b>judge says yes less often</b>" in said
    assert figure.layout.xaxis.title.text == "human says yes, π"
    assert figure.layout.yaxis.title.text == "judge says yes, π̂"
    for note in figure.layout.annotations:
        if note.text in {tick(level) for level in LEVELS}:
            assert float(ratio_at(note.x, note.y)) == pytest.approx(float(f"0{note.text}"))


def test_the_drawn_lines_have_their_value() -> None:
    figure = gap_surface([], positive="MET", theme="light")
    lines = next(trace for trace in figure.data if trace.type == "scatter" and trace.connectgaps is False)
    ratios = ratio_at(np.float64(lines.x), np.float64(lines.y))
    found = ratios[~np.isnan(ratios)]
    assert np.abs(found[:, None] - np.array(LEVELS)).min(1).max() < 0.01


def test_the_tint_is_that_of_the_closed_form() -> None:
    tint = next(trace for trace in gap_surface([], positive="MET", theme="dark").data if trace.type == "heatmap")
    assert tint.z[20][45] == pytest.approx(float(ratio_at(tint.x[45], tint.y[20])), abs=1e-6)
    assert tint.colorscale[-1][1] == theme.DARK.page


def test_only_the_ten_furthest_are_named() -> None:
    rows = many(40)
    kept = named(rows)
    assert len(kept) == NAMED
    limit = max(rows[i].ratio for i in kept)
    assert all(rows[i].ratio >= limit for i in range(40) if i not in kept)
    assert 3 <= len(labels(gap_surface(rows, positive="MET", theme="light"))) <= NAMED


@pytest.mark.parametrize("width", [BROAD, NARROW])
@pytest.mark.parametrize("n", [1, 5, 12, 65])
def test_names_do_not_meet_and_stay_inside(width, n) -> None:
    figure = gap_surface(many(n), positive="MET", theme="light", width=width)
    margin = figure.layout.margin
    side = width - margin.l - margin.r
    boxes = []
    for note in figure.layout.annotations:
        if note.textangle:
            continue
        text = note.text.replace("<b>", "").replace("</b>", "")
        wide, high = theme.text_width(text, note.font.size), note.font.size
        x = note.x * side + (note.ax if note.showarrow else note.xshift or 0)
        y = (1 - note.y) * side + (note.ay if note.showarrow else -(note.yshift or 0))
        left = x - {"left": 0, "right": wide, "center": wide / 2}[note.xanchor]
        boxes.append((left, y - high / 2, left + wide, y + high / 2, text))
    for left, top, right, bottom, text in boxes:
        assert left >= -1, text
        assert right <= side + 1, text
        assert top >= -1, text
        assert bottom <= side + 1, text
    for one, other in itertools.combinations(boxes, 2):
        assert not (one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]), (one[4], other[4])


def test_the_square_is_square() -> None:
    for width in (BROAD, NARROW):
        figure = gap_surface(ROWS, positive="MET", theme="light", width=width)
        margin = figure.layout.margin
        assert width - margin.l - margin.r == pytest.approx(figure.layout.height - margin.t - margin.b, abs=2)
        assert figure.layout.yaxis.scaleanchor == "x"


def test_the_selected_point_is_outlined() -> None:
    assert list(points(gap_surface(ROWS, positive="MET", theme="light", selected="lenient")).marker.line.width) == [1, 3, 1]


def test_names_and_labels_are_escaped() -> None:
    figure = gap_surface(ROWS, positive="<b onclick=x>yes", theme="light")
    json = figure.to_json().replace("\\u003c", "<").replace("\\u003e", ">")
    assert "<img" not in json
    assert "<b onclick" not in json


def test_nothing_has_a_place() -> None:
    figure = gap_surface([ROWS[3]], positive="MET", theme="light")
    assert "No criterion has a place here" in [note.text for note in figure.layout.annotations]
    assert alt([ROWS[3]]).endswith("No criterion has a place here.")


def mean(name: str) -> GapRow:
    whole = row(name, STRICT).block
    return GapRow(name, Block(None, whole.labels, None, estimates=whole.estimates))


def test_a_mean_over_criteria_has_no_place() -> None:
    figure = gap_surface([ROWS[0], mean("all"), ROWS[1]], positive="MET", theme="light")
    assert list(points(figure).y) == [0.25, 0.75]
    assert [place[0] for place in points(figure).customdata] == [0, 2]
    assert "all:" not in alt([ROWS[0], mean("all")])
    assert "strict:" in alt([ROWS[0], mean("all")])
    alone = gap_surface([mean("all")], positive="MET", theme="light")
    assert not [trace for trace in alone.data if trace.type == "scatter" and trace.mode == "markers"]
    assert "A mean has no place here" in [note.text for note in alone.layout.annotations]
    assert alt([mean("all")]).endswith("A mean has no place here.")


def test_the_alternative_text_has_the_numbers() -> None:
    text = alt(ROWS, positive="yes").replace("\u00a0", " ")
    assert text.startswith("κ/φ over how often human and judge say yes; on the diagonal κ = φ. ")
    assert "strict: human 50 %, judge 25 %, κ/φ 0.866" in text
    assert "κ/φ 0.87" in alt(ROWS, positive="yes", small=True)
    assert "constant" not in text
