"""The mosaic: every count is in it, the areas are true, no labels meet, nothing raises."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np
import plotly.graph_objects as go
import pytest

from metrics.figures import theme
from metrics.figures.confusion import alt, mosaic
from metrics.results.words import amount

BINARY = [[498, 35], [49, 323]]
THIRD = [[498, 35, 81], [49, 323, 77], [38, 23, 6]]
NONE = ("MET", "UNMET", "none")
LONG = ("A label of forty characters, quite exact", "Another label of forty characters, right")
NASTY = ("<img src=x onerror=alert(1)>", "<b>x</b>")
K7 = [[20 + i if i == j else (i * j) % 5 for j in range(7)] for i in range(7)]

TABLES = [
    (BINARY, ("MET", "UNMET"), None),
    (BINARY, LONG, None),
    (BINARY, NASTY, None),
    (THIRD, NONE, 2),
    ([[498, 3, 1], [2, 323, 1], [3, 0, 0]], NONE, 2),
    ([[0, 10], [0, 90]], ("MET", "UNMET"), None),
    ([[1, 0], [0, 0]], ("MET", "UNMET"), None),
    ([[0, 0], [0, 1]], ("MET", "UNMET"), None),
    ([[2, 1], [5, 900000]], ("MET", "UNMET"), None),
    ([[1, 99], [95, 2]], ("MET", "UNMET"), None),
    ([[30, 10, 5], [10, 20, 5], [5, 5, 10]], ("A", "B", "C"), None),
    ([[30, 1, 1, 1], [2, 40, 0, 3], [10, 2, 8, 1], [0, 1, 2, 60]], ("good", "fair", "poor", "none"), 3),
    (K7, tuple("ABCDEFG"), None),
    (np.full((7, 7), 123456) - 123455 * np.eye(7, dtype=int), tuple("ABCDEFG"), 6),
    ([[5]], ("MET",), None),
    ([[12.015, 1.335], [25.365, 228.285]], ("MET", "UNMET"), None),
    ([[0.02, 0.004], [0.3, 0.6]], ("MET", "UNMET"), None),
    ([[1e9, 1e9], [1e9, 1e9]], ("MET", "UNMET"), None),
    ([[1e9, 3], [123456789, 1e9]], ("MET", "UNMET"), None),
    ([[1e9, 1e9, 7], [1e9, 1e9, 1e9], [2, 1e9, 1e9]], NONE, 2),
    ([[333333333.3, 1000.4], [25.365, 228.285]], LONG, None),
]


def draw(case, **changes) -> go.Figure:
    counts, labels, abstention = case
    return mosaic(counts, labels, **({"theme": "light", "abstention": abstention} | changes))


def texts(figure: go.Figure) -> list[str]:
    return [note.text for note in figure.layout.annotations]


def shown(html: str) -> str:
    return re.sub(r"<[^<>]*>", "", html.replace("<br>", "\n")).replace("&lt;", "<").replace("&gt;", ">")


def size_of(line: str, note) -> float:
    inner = re.search(r"font-size:([\d.]+)px", line)
    return float(inner[1]) if inner and "▾" not in line and "▴" not in line else note.font.size


def boxes(figure: go.Figure, width: float) -> list[tuple[str, float, float, float, float]]:
    """(text, left, right, top, bottom) of every text at this width of the figure."""
    margin = figure.layout.margin
    found = []
    for note in figure.layout.annotations:
        lines = note.text.split("<br>")
        sizes = [size_of(line, note) for line in lines]
        wide = max(theme.text_width(shown(line), size) for line, size in zip(lines, sizes, strict=True))
        x = margin.l + note.x * (width - margin.l - margin.r) + (note.xshift or 0)
        left = x - {"left": 0, "center": wide / 2, "right": wide}[note.xanchor]
        tall = max(sizes) + 1.2 * note.font.size * (len(lines) - 1)
        found.append((note.text, left, left + wide, note.y - tall / 2, note.y + tall / 2))
    return found


@pytest.mark.parametrize("case", TABLES)
@pytest.mark.parametrize("mode", ["light", "dark"])
def test_every_table_draws_and_every_count_is_clickable(case, mode) -> None:
    figure = draw(case, theme=mode)
    counts = np.asarray(case[0])
    (bars,) = figure.data
    clicked = {
        tuple(place): (x, width, top, tall)
        for place, x, width, top, tall in zip(bars.customdata, bars.x, bars.width, bars.base, bars.y, strict=True)
    }
    assert set(clicked) == {(int(r), int(c)) for r, c in zip(*np.nonzero(counts), strict=True)}
    assert figure.to_json()


@pytest.mark.parametrize("case", TABLES)
@pytest.mark.parametrize("width", [340, 420, 620])
@pytest.mark.parametrize("scale", [1.0, 1.4])
def test_no_two_texts_meet_and_none_leaves_the_figure(case, width, scale) -> None:
    no_texts_meet(draw(case, scale=scale), width * scale)


def no_texts_meet(figure: go.Figure, width: float) -> None:
    placed = boxes(figure, width)
    for i, (text, left, right, top, bottom) in enumerate(placed):
        assert left >= -1, text
        assert right <= width + 1, text
        assert top >= -1, text
        assert bottom <= figure.layout.height + 2, text
        for other, left2, right2, top2, bottom2 in placed[:i]:
            apart = right <= left2 + 1 or right2 <= left + 1 or bottom <= top2 + 3 or bottom2 <= top + 3
            assert apart, (text, other)


@pytest.mark.parametrize("case", TABLES[:4])
def test_areas_are_the_counts(case) -> None:
    (bars,) = draw(case).data
    counts = np.asarray(case[0])
    for (row, column), width in zip(bars.customdata, bars.width, strict=True):
        assert width == pytest.approx(counts[row, column] / counts[row].sum())


def test_row_heights_are_the_references_rates() -> None:
    (bars,) = draw(TABLES[0]).data
    heights = dict(zip(map(tuple, bars.customdata), bars.y, strict=True))
    assert heights[0, 0] / heights[1, 0] == pytest.approx(533 / 372)
    assert heights[0, 0] == heights[0, 1]


def at(prevalence: float, n: int = 1000) -> list[list[float]]:
    positive, negative = n * prevalence, n * (1 - prevalence)
    return [[0.9 * positive, 0.1 * positive], [0.1 * negative, 0.9 * negative]]


PREVALENCES = [0, 1e-6, 0.001, 0.01, 0.02, 0.05, 0.07, 0.1, 0.5, 0.93, 0.95, 0.99, 0.999, 1]
RARE_OF_THREE = [
    [[5, 2, 3], [95, 800, 90], [0, 0, 0]],
    [[5, 2, 3], [3, 8, 4], [400, 300, 500]],
    [[40, 0, 3], [95, 800, 90], [2, 1, 1]],
    [[400, 20, 30], [1, 1, 1], [0, 1, 0]],
    [[0, 0, 0], [0, 0, 0], [2, 1, 1]],
    [[5, 0, 0], [0, 0, 0], [2000, 1000, 1000]],
]
TRUE = [(at(p), ("MET", "UNMET"), None) for p in PREVALENCES]
TRUE += [(at(p), LONG, None) for p in (0, 0.01, 0.99)]
TRUE += [(at(p, 10**9), ("MET", "UNMET"), None) for p in (0.001, 0.01, 0.999)]
TRUE += [(counts, NONE, 2) for counts in RARE_OF_THREE]


@pytest.mark.parametrize("prevalence", PREVALENCES)
@pytest.mark.parametrize("scale", [1.0, 1.4])
@pytest.mark.parametrize("height", [320, 170])
def test_true_rows_are_the_shares_down_to_a_hairline(prevalence, scale, height) -> None:
    def rows(counts) -> tuple[dict[int, float], float]:
        figure = draw((counts, ("MET", "UNMET"), None), true=True, scale=scale, height=height)
        (bars,) = figure.data
        found = {place[0]: tall for place, tall in zip(bars.customdata, bars.y, strict=True)}
        empty = [row for row in (0, 1) if row not in found]
        found |= {row: s.y1 - s.y0 for row, s in zip(empty, figure.layout.shapes, strict=True)}
        return found, sum(found.values())

    _, whole = rows(at(0.5))
    found, here = rows(at(prevalence))
    assert here == pytest.approx(whole)
    thinnest = 2 * scale
    for row, share in enumerate((prevalence, 1 - prevalence)):
        drawn = min(max(share * whole, thinnest), whole - thinnest)
        assert found[row] == pytest.approx(drawn)


def test_true_rows_stay_where_they_are_as_prevalence_moves() -> None:
    ends = []
    for prevalence in PREVALENCES:
        figure = draw((at(prevalence), ("MET", "UNMET"), None), true=True)
        places = [*zip(figure.data[0].base, figure.data[0].y, strict=True)]
        places += [(s.y0, s.y1 - s.y0) for s in figure.layout.shapes]
        ends.append((min(top for top, _ in places), max(top + tall for top, tall in places)))
    assert all(end == pytest.approx(ends[0]) for end in ends)


def test_true_cells_are_the_shares_down_to_a_hairline() -> None:
    (bars,) = draw(([[990, 10], [1, 999]], ("MET", "UNMET"), None), true=True, width=500).data
    wide = dict(zip(map(tuple, bars.customdata), bars.width, strict=True))
    assert wide[0, 1] == pytest.approx(0.01)
    assert 0.001 < wide[1, 0] < 0.01
    assert dict(zip(map(tuple, bars.customdata), bars.marker.line.width, strict=True)) == {
        (0, 0): 2, (0, 1): 0, (1, 0): 0, (1, 1): 2,
    }  # fmt: skip


@pytest.mark.parametrize("prevalence", PREVALENCES)
def test_every_number_of_a_thin_row_is_read_beside_it(prevalence) -> None:
    counts = at(prevalence)
    said = [shown(text).split() for text in texts(draw((counts, ("MET", "UNMET"), None), true=True))]
    words = [word for line in said for word in line]
    for n in np.ravel(counts):
        assert not n or amount(n) in words
    assert (["0", "decisions"] in said) == (prevalence in (0, 1))


@pytest.mark.parametrize("case", TRUE)
@pytest.mark.parametrize("scale", [1.0, 1.4])
@pytest.mark.parametrize("height", [320, 170])
def test_no_two_texts_meet_beside_thin_rows(case, scale, height) -> None:
    figure = draw(case, true=True, scale=scale, height=height)
    for width in (340, 500):
        no_texts_meet(figure, width * scale)


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_a_hairline_is_seen_on_the_page(mode) -> None:
    (bars,) = draw((at(0.001), ("MET", "UNMET"), None), true=True, theme=mode).data
    for place, fill in zip(bars.customdata, bars.marker.color, strict=True):
        if place[0] == 0:
            assert theme.contrast(fill, theme.tokens(mode).page) >= 3


def test_a_lit_hairline_is_not_covered_by_its_outline() -> None:
    figure = draw((at(0.001), ("MET", "UNMET"), None), true=True, lit={(0, 0)})
    (bars,), (frame,) = figure.data, figure.layout.shapes
    tops = {tuple(place): (t, h) for place, t, h in zip(bars.customdata, bars.base, bars.y, strict=True)}
    top, tall = tops[0, 0]
    assert frame.y0 + frame.line.width / 2 <= top
    assert frame.y1 - frame.line.width / 2 >= top + tall


def test_cells_of_a_row_touch_and_fill_it() -> None:
    for case, true in [*((case, False) for case in TABLES), *((case, True) for case in TRUE)]:
        (bars,) = draw(case, true=true).data
        for row in {place[0] for place in bars.customdata}:
            cells = sorted(
                (x - w / 2, x + w / 2) for (r, _), x, w in zip(bars.customdata, bars.x, bars.width, strict=True) if r == row
            )
            assert cells[0][0] == pytest.approx(0)
            assert cells[-1][1] == pytest.approx(1)
            assert all(a[1] == pytest.approx(b[0]) for a, b in pairwise(cells))


def test_errors_are_labelled_at_their_edge() -> None:
    said = " | ".join(shown(text) for text in texts(draw(TABLES[0])))
    assert "judge: MET" in said
    assert re.search(r"35\s+missed passes, 7\u00a0%\s+▾", said)
    assert re.search(r"▴\s+false passes, 13\u00a0%", said)
    assert "93\u00a0% of human MET" in said
    assert "both say UNMET" in said
    assert "59\u00a0%" in said


@pytest.mark.parametrize(
    ("counts", "reference", "said"),
    [
        ([[518, 628], [140, 192]], "human", "45\u00a0% of MET"),
        ([[420, 628], [140, 192]], "human", "58\u00a0% of human UNMET"),
        ([[900, 100], [140, 192]], "the majority of all annotators", "90\u00a0% of the…tors MET"),
    ],
)
def test_whose_label_it_is_stands_in_full_or_tells_something_or_is_left_out(counts, reference: str, said: str) -> None:
    lines = [
        line for text in texts(draw((counts, ("MET", "UNMET"), None), reference=reference)) for line in shown(text).split("\n")
    ]
    assert said in lines
    assert not any("hu…n" in line for line in lines)


def test_the_third_class_is_hatched_and_named() -> None:
    figure = draw(TABLES[3])
    (bars,) = figure.data
    hatched = {tuple(p) for p, shape in zip(bars.customdata, bars.marker.pattern.shape, strict=True) if shape}
    assert hatched == {(0, 2), (1, 2), (2, 0), (2, 1)}
    said = " | ".join(shown(text) for text in texts(figure))
    assert "human gave none: 38 MET, 23 UNMET, 6 neither" in said


def test_nothing_is_hatched_without_a_third_class() -> None:
    """Of a pattern that no cell has plotly complains in the console, with a trace each time."""
    assert "pattern" not in mosaic([[8, 2], [1, 9]], ("MET", "UNMET"), theme="light").to_dict()["data"][0]["marker"]


def test_zero_errors_are_said_too() -> None:
    said = [shown(text).split() for text in texts(draw(([[5, 0], [0, 5]], ("MET", "UNMET"), None)))]
    assert ["0", "missed", "passes"] in said
    assert ["0", "false", "passes"] in said


def test_an_empty_row_is_an_outline_with_a_zero() -> None:
    figure = draw(TABLES[6])
    assert "0" in texts(figure)
    assert len(figure.layout.shapes) == 1


def test_nominal_classes_have_no_false_alarms() -> None:
    said = " ".join(texts(draw(TABLES[10])))
    assert "missed" not in said
    assert "false pass" not in said


FOUR = [[3, 10, 98, 5], [52, 32, 280, 37], [5, 71, 456, 76], [1, 104, 442, 29]]


def test_labels_that_are_numbers_are_told_from_counts() -> None:
    said = [shown(text) for text in texts(mosaic(FOUR, ("1", "2", "3", "4"), theme="light"))]
    for cell in ("▾ 3 as 1", "98 as 3", "280 as 3", "▴ as 1", "456\nas 3\n75\u00a0%", "29 as 4 ▴"):
        assert cell in said
    assert "1 · 7\u00a0%" in said
    words = [shown(text) for text in texts(mosaic(FOUR, ("poor", "fair", "good", "best"), theme="light"))]
    assert "280 good" in words
    assert not any("as " in text for text in words)


@pytest.mark.parametrize("counts", [FOUR, K7, [[1, 104, 442, 29]] * 4])
def test_every_text_stands_on_its_axis(counts) -> None:
    figure = mosaic(counts, tuple("1234567"[: len(counts)]), theme="light")
    assert all(0 <= note.x <= 1 for note in figure.layout.annotations)
    assert all(0 <= note.y <= figure.layout.height for note in figure.layout.annotations)


def test_nothing_to_show() -> None:
    figure = mosaic([[0, 0], [0, 0]], ("MET", "UNMET"), theme="dark")
    assert texts(figure) == ["No decision to show"]
    assert not figure.data
    assert alt([[0, 0], [0, 0]], ("MET", "UNMET")) == "No decision to show."


def test_the_selected_cell_is_outlined_and_no_other_is_dimmed() -> None:
    figure = draw(TABLES[0], selected=(0, 1))
    (frame,) = figure.layout.shapes
    assert frame.line.color == theme.LIGHT.judge
    assert frame.line.width == 3
    assert frame.x1 == pytest.approx(1)
    assert figure.data[0].unselected.marker.opacity == 1
    assert not draw(TABLES[5], selected=(0, 0)).layout.shapes


def test_the_cells_that_a_number_uses_are_outlined_and_the_others_pale() -> None:
    usual, lit = draw(TABLES[0]), draw(TABLES[0], lit={(0, 0), (1, 1)})
    bars = {tuple(place): fill for place, fill in zip(lit.data[0].customdata, lit.data[0].marker.color, strict=True)}
    before = {tuple(place): fill for place, fill in zip(usual.data[0].customdata, usual.data[0].marker.color, strict=True)}
    assert {place for place in bars if bars[place] == before[place]} == {(0, 0), (1, 1)}
    frames = [(shape.x0, shape.line.width) for shape in lit.layout.shapes]
    assert frames == [(0, 3), (pytest.approx(49 / 372), 3)]
    assert texts(lit) == texts(usual)
    assert draw(TABLES[0], lit=()).to_json() == draw(TABLES[0]).to_json()


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("case", TABLES[:5])
def test_text_in_a_pale_cell_is_still_readable(case, mode) -> None:
    figure = draw(case, theme=mode, lit={(0, 1)})
    (bars,) = figure.data
    for note in figure.layout.annotations:
        inside = [
            fill
            for fill, x, width, top, tall in zip(bars.marker.color, bars.x, bars.width, bars.base, bars.y, strict=True)
            if note.xref == "x" and note.xanchor == "center" and abs(note.x - x) < width / 2 and top < note.y < top + tall
        ]
        for fill in inside:
            assert theme.contrast(note.font.color, fill) >= 4.5, shown(note.text)


def test_a_lit_cell_without_decisions_has_no_outline() -> None:
    assert len(draw(TABLES[5], lit={(0, 0), (0, 1)}).layout.shapes) == 1


def test_counts_on_average_have_a_decimal() -> None:
    said = " | ".join(shown(text) for text in texts(draw(TABLES[15])))
    for part in ("12", "228.3", "1.3 missed passes", "25.4 false passes"):
        assert part in said
    assert "human MET 13.4 (5\u00a0%), of these judge MET 12 (90\u00a0%), UNMET 1.3 " in alt(TABLES[15][0], ("MET", "UNMET"))
    noise = [[45000000.00000001, 4999999.999999999], [94999999.99999997, 855000000.0]]
    assert alt(noise, ("MET", "UNMET")) == alt(np.rint(noise).astype(int), ("MET", "UNMET"))


def test_labels_from_a_file_are_shown_as_typed() -> None:
    json = draw(TABLES[2]).to_json().replace("\\u003c", "<").replace("\\u003e", ">")
    assert "<img" not in json
    assert "<b>x" not in json


def test_long_labels_are_whole_on_hover() -> None:
    figure = draw(TABLES[1])
    hovers = [note.hovertext for note in figure.layout.annotations if note.hovertext]
    assert set(LONG) <= set(hovers)
    assert any(LONG[0] in text for text in figure.data[0].hovertext)


def test_alt_says_every_number() -> None:
    said = alt(THIRD, NONE, judge="cautious", abstention=2)
    assert said.startswith(
        "Confusion matrix of 1\u202f130 decisions: human MET 614 (54\u00a0%), of these cautious MET 498 (81\u00a0%), "
    )
    for n in np.ravel(THIRD):
        assert str(n) in said
    assert "human UNMET 0 (0\u00a0%), of these judge MET 0, UNMET 0." in alt([[5, 1], [0, 0]], ("MET", "UNMET"))


def test_what_is_counted_has_its_name() -> None:
    figure = mosaic([[5, 1], [2, 7]], ("MET", "UNMET"), theme="light", unit="items")
    assert "<b>5</b> items" in " ".join(figure.data[0].hovertext)
    assert "Confusion matrix of 15 items:" in alt([[5, 1], [2, 7]], ("MET", "UNMET"), unit="items")
    assert "Confusion matrix of 15 decisions:" in alt([[5, 1], [2, 7]], ("MET", "UNMET"))


def test_shares_of_one_whole_add_up() -> None:
    said = " ".join(shown(text) for text in texts(mosaic([[192, 63], [63, 282]], ("MET", "UNMET"), theme="light")))
    assert "42.5\u00a0%" in said
    assert "57.5\u00a0%" in said
    assert "(42.5\u00a0%)" in alt([[192, 63], [63, 282]], ("MET", "UNMET"))
    assert "40\u00a0%" in " ".join(texts(mosaic([[30, 10], [20, 40]], ("MET", "UNMET"), theme="light")))


@pytest.mark.parametrize("width", [390, 320])
def test_a_label_too_long_for_its_cell_stands_outside_it_whole(width: int) -> None:
    """Where six of 42 are wrong, the cell has room for "o…2", which tells nothing."""
    figure = mosaic([[36, 6], [13, 45]], ("output_1", "output_2"), theme="light", named=True, height=300, width=width)
    said = [shown(text) for text in texts(figure)]
    assert not [text for text in said if "…" in text]
    assert any("output_2" in text and "▾" in text for text in said)
    wide = [shown(text) for text in texts(mosaic([[36, 36], [30, 45]], ("output_1", "output_2"), theme="light", named=True))]
    assert any(text.startswith("36\noutput_2") for text in wide)
    assert not any("▾" in text for text in wide)
