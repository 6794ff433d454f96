"""The matrix of ordered options: equal, higher, lower and far off are seen, said and clickable; no text leaves its cell."""

from __future__ import annotations

import re
from itertools import combinations, pairwise
from types import SimpleNamespace

import numpy as np
import plotly.graph_objects as go
import pytest

from metrics.figures import theme
from metrics.figures.distance import alt, distance_matrix
from metrics.results.words import percent

FOUR = [[3, 10, 98, 5], [52, 32, 280, 37], [5, 71, 456, 76], [1, 104, 442, 29]]
WORDS = ("not at all helpful", "slightly helpful", "moderately helpful", "very helpful", "extremely helpful")
HALVES = ("0", "0.5", "1", "2", "3", "4", "5", "6", "7", "7.5", "8", "8.5", "9", "10")
NASTY = ("<img src=x onerror=alert(1)>", "<b>x</b>", "$x^2$")


def made(size: int, most: int = 40) -> list[list[int]]:
    """Most of it near the diagonal, nothing far from it."""
    return [[max(most - (most // 3) * abs(i - j) + i, 0) for j in range(size)] for i in range(size)]


def numbers(size: int) -> tuple[str, ...]:
    return tuple(str(i + 1) for i in range(size))


CASES = {
    "four": (FOUR, numbers(4)),
    **{f"{size} options": (made(size), numbers(size)) for size in range(2, 15)},
    "thousands": (made(14, 123456), HALVES),
    "never given": ([[0, 0, 0], [4, 0, 900000], [0, 0, 0]], ("low", "mid", "high")),
    "one cell": ([[0, 0], [1, 0]], ("fail", "pass")),
    "one option": ([[7]], ("only",)),
    "words": (made(5, 900), WORDS),
    "many words": (made(9), tuple(f"Option number {i} of the scale" for i in range(9))),
    "alike when short": (made(3), tuple(f"A long option told apart only in the middle, {i}, by one digit" for i in "123")),
    "wide letters": (made(4), ("完全に同意しない", "同意しない", "同意する", "完全に同意する")),
    "markup": (made(3), NASTY),
    "averages": ([[12.015, 0.02], [25.365, 228.285]], ("fail", "pass")),
    "billions": ([[1e9, 3], [123456789, 1e9]], ("fail", "pass")),
}  # fmt: skip


def draw(case: str, **changes) -> go.Figure:
    counts, labels = CASES[case]
    return distance_matrix(counts, labels, **({"theme": "light"} | changes))


def shown(html: str) -> str:
    text = re.sub(r"<[^<>]*>", "", html.replace("<br>", "\n"))
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&#36;", "$").replace("&amp;", "&")


def said(figure: go.Figure) -> str:
    return " | ".join(shown(note.text) for note in notes(figure))


def cells(figure: go.Figure) -> dict[tuple[int, int], tuple[str, float, float, float, float]]:
    """(fill, left, right, top, bottom) of each cell, level places in columns and upright ones in px."""
    (bars,) = figure.to_dict()["data"]
    parts = zip(bars["customdata"], bars["marker"]["color"], bars["x"], bars["width"], bars["base"], bars["y"], strict=True)
    return {tuple(place): (fill, x - wide / 2, x + wide / 2, top, top + tall) for place, fill, x, wide, top, tall in parts}


def notes(figure: go.Figure) -> list[SimpleNamespace]:
    """The texts, as they were written down: plotly's own objects take longer than all else."""
    base = {"hovertext": None, "xshift": 0}
    found = [base | note for note in figure.to_dict()["layout"]["annotations"]]
    return [SimpleNamespace(**note | {"font": SimpleNamespace(**note["font"])}) for note in found]


def where(note: SimpleNamespace) -> tuple[str, float, float]:
    return note.text, note.x, note.y


def boxes(figure: go.Figure, width: float) -> list[tuple[SimpleNamespace, float, float, float, float]]:
    """Each text with its left, right, top and bottom in px at this width of the figure."""
    layout, found = figure.to_dict()["layout"], []
    margin, columns = SimpleNamespace(**layout["margin"]), layout["xaxis"]["range"][1]
    for note in notes(figure):
        lines = note.text.split("<br>")
        inner = [re.search(r"font-size:([\d.]+)px", line) for line in lines]
        sizes = [float(size[1]) if size else note.font.size for size in inner]
        wide = max(theme.text_width(shown(line), size, bold="<b>" in line) for line, size in zip(lines, sizes, strict=True))
        share = note.x / columns if note.xref == "x" else note.x
        x = margin.l + share * (width - margin.l - margin.r) + (note.xshift or 0)
        left = x - {"left": 0, "center": wide / 2, "right": wide}[note.xanchor]
        tall = 0.8 * max(sizes) + 1.2 * note.font.size * (len(lines) - 1)
        found.append((note, left, left + wide, note.y - tall / 2, note.y + tall / 2))
    return found


def inside(figure: go.Figure) -> list[tuple[SimpleNamespace, tuple[int, int]]]:
    """The texts that stand in a cell, each with its cell."""
    there = cells(figure)
    return [
        (note, place)
        for note in notes(figure)
        for place, (_, left, right, top, bottom) in there.items()
        if note.xref == "x" and note.xanchor != "right" and left <= note.x < right and top <= note.y < bottom
    ]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("mode", ["light", "dark"])
def test_every_cell_is_drawn_and_returns_its_place(case, mode) -> None:
    figure = draw(case, theme=mode)
    size = len(CASES[case][1])
    there = cells(figure)
    assert there.keys() == {(row, column) for row in range(size) for column in range(size)}
    for (row, column), (_, left, right, top, bottom) in there.items():
        assert (left, right) == (column, column + 1)
        assert top == pytest.approx(there[0, 0][3] + row * (bottom - top))
    assert figure.to_json()


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("width", [340, 420, 700])
@pytest.mark.parametrize("scale", [1.0, 1.4])
def test_no_text_leaves_its_cell_or_the_figure_or_meets_another(case, width, scale) -> None:
    figure = draw(case, width=width, scale=scale)
    placed, own = boxes(figure, width * scale), {where(note): place for note, place in inside(figure)}
    layout, there = figure.to_dict()["layout"], cells(figure)
    margin = SimpleNamespace(**layout["margin"])
    column = (width * scale - margin.l - margin.r) / len(CASES[case][1])
    for note, left, right, top, bottom in placed:
        assert left >= -1, note.text
        assert right <= width * scale + 1, note.text
        assert top >= 0, note.text
        assert bottom <= layout["height"], note.text
        if where(note) in own:
            _, first, last, high, low = there[own[where(note)]]
            assert margin.l + first * column <= left, note.text
            assert right <= margin.l + last * column, note.text
            assert high <= top, note.text
            assert bottom <= low, note.text
    for (note, left, right, top, bottom), (other, left2, right2, top2, bottom2) in combinations(placed, 2):
        apart = right <= left2 + 1 or right2 <= left + 1 or bottom <= top2 + 1 or bottom2 <= top + 1
        assert apart, (note.text, other.text)


@pytest.mark.parametrize("size", range(2, 6))
def test_counts_and_shares_of_the_row_stand_in_up_to_five_options_on_a_phone(size) -> None:
    counts = np.array(made(size, 900))
    figure = distance_matrix(counts, numbers(size), theme="light", width=340)
    texts = {place: shown(note.text) for note, place in inside(figure) if note.xanchor == "center"}
    shares = counts / counts.sum(1, keepdims=True)
    for (row, column), text in texts.items():
        n, share = text.split("\n") if "\n" in text else (text, "")
        assert n == str(counts[row, column])
        assert share == (percent(shares[row, column]) if counts[row, column] else "")
    assert len(texts) == size**2


def test_where_cells_are_too_narrow_the_larger_counts_are_under_the_pointer() -> None:
    phone, wide = draw("thousands"), draw("thousands", width=1300)
    written = [place for note, place in inside(phone) if note.xanchor == "center"]
    assert 0 < len(written) < 14**2
    assert "larger counts under the pointer" in said(phone)
    assert "123\u202f456" in phone.data[0].hovertext[phone.data[0].customdata.index([0, 0])]
    assert len([place for note, place in inside(wide) if note.xanchor == "center"]) == 14**2
    assert "pointer" not in said(wide)


def test_the_words_under_the_cells_are_the_shares_of_all_decisions() -> None:
    line = said(draw("four", width=700))
    for part in (
        "equal 31\u00a0%",
        "judge higher 30\u00a0%",
        "judge lower 40\u00a0%",
        "two or more apart (outside the steps) 15\u00a0%",
    ):
        assert part in line
    assert "apart" not in said(draw("2 options"))


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_sides_have_their_colour_their_sign_and_their_word(mode) -> None:
    figure, colours = draw("four", theme=mode), theme.tokens(mode)
    signs = {place: note.text for note, place in inside(figure) if note.xanchor == "left"}
    assert signs == {
        (row, column): f"{'+' if column > row else '−'}{abs(column - row)}"
        for row in range(4) for column in range(4) if row != column
    }  # fmt: skip
    marks = "".join(note.text for note in notes(figure))
    for mark, colour, word in (("◥", colours.false_positive, "higher"), ("◣", colours.false_negative, "lower")):
        assert f"<span style='color:{colour}'>{mark}</span>\u00a0judge {word}" in marks
    whole = cells(distance_matrix([[0, 1, 0], [1, 0, 0], [0, 0, 1]], "abc", theme=mode))
    fills = [whole[place][0] for place in ((0, 1), (1, 0), (2, 2))]
    assert fills == [colours.false_positive, colours.false_negative, colours.correct]
    hover = dict(zip(map(tuple, figure.data[0].customdata), figure.data[0].hovertext, strict=True))
    assert "judge 2 options higher" in hover[0, 2]
    assert "judge 1 option lower" in hover[3, 2]
    assert "equal" in hover[1, 1]


def test_the_diagonal_has_the_border_of_agreement_and_nothing_covers_it() -> None:
    (bars,) = draw("four").data
    borders = dict(
        zip(map(tuple, bars.customdata), zip(bars.marker.line.color, bars.marker.line.width, strict=True), strict=True)
    )
    assert {place for place, border in borders.items() if border == (theme.LIGHT.correct, 2)} == {(i, i) for i in range(4)}
    assert list(borders)[-4:] == [(i, i) for i in range(4)]


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_colours_deepen_with_the_share_of_the_row(mode) -> None:
    page = theme.tokens(mode).page
    for counts in ([[50, 10, 40], [0, 1, 0], [0, 0, 1]], [[1, 0, 0], [0, 1, 0], [400, 100, 500]]):
        figure = distance_matrix(counts, "abc", theme=mode)
        row = 0 if counts[0][1] else 2
        there = {column: cells(figure)[row, column][0] for column in range(3)}
        near, far = (1, 2) if row == 0 else (1, 0)
        assert 1 < theme.contrast(there[near], page) < theme.contrast(there[far], page)
    assert cells(figure)[0, 1][0] == page


@pytest.mark.parametrize("size", range(3, 15))
def test_stepped_lines_part_one_option_off_from_two(size) -> None:
    figure = draw(f"{size} options")
    there = cells(figure)
    corners = [
        [tuple(map(float, point.split())) for point in shape.path.removeprefix("M").split("L")] for shape in figure.layout.shapes
    ]
    upper, lower = corners
    drawn = {(a, b) for line in (upper, lower) for a, b in pairwise(line)}
    edges = set()
    for (row, column), (_, left, right, top, bottom) in there.items():
        if column - row == 2:
            edges |= {((left, top), (left, bottom)), ((left, bottom), (right, bottom))}
        if row - column == 2:
            edges |= {((left, top), (right, top)), ((right, top), (right, bottom))}
    rounded = {tuple((x, round(y, 2)) for x, y in edge) for edge in drawn}
    assert rounded == {tuple((x, round(float(f"{y:g}"), 2)) for x, y in edge) for edge in edges}
    assert not draw("2 options").layout.shapes


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("mode", ["light", "dark"])
def test_text_is_read_on_its_cell_also_without_colour(case, mode) -> None:
    figure = draw(case, theme=mode, width=700)
    there, seen = cells(figure), inside(figure)
    assert seen
    for note, place in seen:
        assert theme.contrast(note.font.color, there[place][0]) >= 4.5, shown(note.text)


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_text_is_read_on_every_depth_of_each_colour(mode) -> None:
    for share in range(1, 100):
        for counts in ([[100 - share, share], [0, 1]], [[1, 0], [share, 100 - share]]):
            figure = distance_matrix(counts, ("fail", "pass"), theme=mode)
            there = cells(figure)
            assert all(theme.contrast(note.font.color, there[place][0]) >= 4.5 for note, place in inside(figure))


def test_an_option_that_the_reference_never_gave_has_dashes() -> None:
    figure = draw("never given", width=700)
    texts = {place: shown(note.text) for note, place in inside(figure) if note.xanchor == "center"}
    assert [texts[0, column] for column in range(3)] == ["–"] * 3
    assert [texts[1, column].split("\n")[0] for column in range(3)] == ["4", "0", "900\u202f000"]
    assert "low · 0\u00a0%" in said(figure)
    hover = dict(zip(map(tuple, figure.data[0].customdata), figure.data[0].hovertext, strict=True))
    assert hover[0, 2].endswith("– human never gave low")


def test_rows_say_how_often_the_reference_gave_their_option() -> None:
    words = said(draw("four"))
    for part in ("1 · 7\u00a0%", "2 · 24\u00a0%", "3 · 36\u00a0%", "4 · 34\u00a0%"):
        assert part in words


def test_nothing_to_show() -> None:
    for counts, labels in (([[0, 0], [0, 0]], ("fail", "pass")), (np.zeros((0, 0)), ())):
        figure = distance_matrix(counts, labels, theme="dark")
        assert said(figure) == "No decision to show"
        assert not figure.data
        assert alt(counts, labels) == "No decision to show."


def test_the_selected_cell_is_outlined_and_no_other_is_dimmed() -> None:
    figure = draw("2 options", selected=(0, 1))
    (frame,) = figure.layout.shapes
    assert (frame.x0, frame.x1, frame.y0, frame.y1) == cells(figure)[0, 1][1:]
    assert (frame.line.color, frame.line.width) == (theme.LIGHT.judge, 3)
    assert figure.data[0].unselected.marker.opacity == 1


def test_options_without_room_are_numbered_over_the_columns_and_beside_the_rows() -> None:
    phone, wide = draw("words"), draw("words", width=900)
    heads = [shown(note.text) for note in notes(phone) if note.hovertext in WORDS and note.xanchor == "center"]
    assert heads == list("12345")
    assert "3\u00a0\u00a0moderately" in said(phone)
    assert all(word in said(wide) for word in ("not at all helpful", "extremely helpful"))
    assert "3\u00a0\u00a0" not in said(wide)
    assert "1\u00a0\u00a0" not in said(draw("thousands"))


def test_options_that_are_shortened_are_whole_on_hover_and_stay_apart() -> None:
    figure = draw("alike when short", width=400)
    labels = CASES["alike when short"][1]
    assert set(labels) <= {note.hovertext for note in notes(figure)}
    heads = [note.text for note in notes(figure) if note.hovertext in labels and note.xanchor == "center"]
    assert len(set(heads)) == 3
    two = distance_matrix(made(2), ("Completely useless for the task", "Completely useful for the task"), theme="light")
    assert any("…" in note.text for note in notes(two))


def test_labels_from_a_file_are_shown_as_typed() -> None:
    figure = distance_matrix(made(3), NASTY, theme="light", reference="<i>me</i>", judge="<u>it</u>", width=900)
    json = figure.to_json().replace("\\u003c", "<").replace("\\u003e", ">")
    for markup in ("<img", "<b>x", "<i>", "<u>", "$x"):
        assert markup not in json
    assert "<b>x</b>" in said(figure)


def test_alt_says_every_number() -> None:
    words = alt(FOUR, numbers(4), judge="gpt-4")
    assert words.startswith(
        "Confusion matrix of 1\u202f701 decisions, from 1 (low) to 4 (high): equal 31\u00a0%, judge higher 30\u00a0%, "
        "judge lower 40\u00a0%, two or more apart 15\u00a0%. human 1 116 (7\u00a0%), of these gpt-4 1 3 (3\u00a0%), "
    )
    for n in np.ravel(FOUR):
        assert re.search(rf"\b[1-4] {n} \(", words)
    assert "human low never given; human mid 900\u202f004 (100\u00a0%)" in alt(*CASES["never given"])
    assert "apart" not in alt(*CASES["2 options"])
