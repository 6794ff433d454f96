from __future__ import annotations

import itertools
import math
from dataclasses import replace

import pytest

from metrics.analyses.judge_selection.classes import CLASSES, REVERSAL
from metrics.analyses.judge_selection.ranking import rank_tables
from metrics.figures.ranks import MOST, NOTHING, Bracket, alt, drawn_brackets, ranked_dots
from tests.figures.drawn import CROWD, texts

TABLE2 = {"Judge A": [[50, 150], [20, 780]], "Judge B": [[40, 160], [0, 800]]}


@pytest.fixture(scope="module")
def table2():
    return rank_tables(TABLE2, prevalence=0.2)


@pytest.fixture(scope="module")
def crowd():
    return rank_tables(CROWD)


def test_rows_are_the_judges_in_order_with_what_they_cost(table2) -> None:
    figure = ranked_dots(table2, theme="light")
    assert list(figure.data[0].x) == [one.values["snr"] for one in table2.order]
    said = texts(figure)
    assert said.index("Judge B") < said.index("Judge A")
    assert {"1\u202f506", "2\u202f018", "<b>1.02</b>", "<b>0.88</b>", "SNR at 20\u00a0%"} <= set(said)


def test_whiskers_are_the_intervals(table2) -> None:
    bars = ranked_dots(table2, theme="dark").data[0]
    for one, value, up, down in zip(table2.order, bars.x, bars.error_x.array, bars.error_x.arrayminus, strict=True):
        assert (value - down, value + up) == pytest.approx(one["snr"].ends)


def test_a_bracket_joins_what_cannot_be_told_apart(table2) -> None:
    figure = ranked_dots(table2, theme="light")
    shapes, rows = figure.layout.shapes, figure.data[0].y
    assert len(shapes) == 3
    assert shapes[0].y0 < min(rows) < max(rows) < shapes[0].y1
    apart = rank_tables({"good": [[95, 5], [5, 95]], "bad": [[60, 40], [50, 50]]}, prevalence=0.2)
    assert not ranked_dots(apart, theme="light").layout.shapes


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_many_judges_with_long_names(crowd, theme) -> None:
    figure = ranked_dots(crowd, theme=theme)
    assert len(figure.data[0].x) == MOST
    assert all(len(text) <= 60 for text in texts(figure))
    assert figure.layout.margin.l < 140


def test_percentages_are_written_as_such() -> None:
    figure = ranked_dots(rank_tables(TABLE2, by="balanced_accuracy"), theme="light")
    assert {"<b>61\u00a0%</b>", "<b>60\u00a0%</b>", "BA"} <= set(texts(figure))
    assert all(text.endswith("%") for text in figure.layout.xaxis.ticktext)
    assert "Judge A 61\u00a0% [58, 64\u00a0%]" in alt(rank_tables(TABLE2, by="balanced_accuracy"))


def test_judges_of_three_classes_have_no_cost() -> None:
    found = rank_tables(REVERSAL, labels=CLASSES)
    assert "answers" not in texts(ranked_dots(found, theme="light"))
    assert "answers" not in alt(found)


def test_nothing_to_rank_says_so() -> None:
    found = rank_tables({"a": [[0, 0], [3, 4]], "b": [[0, 0], [0, 9]]}, prevalence=0.2)
    assert texts(ranked_dots(found, theme="light")) == [NOTHING]
    assert "none has a value" in alt(found)


def test_a_judge_at_chance_has_a_dash_for_its_cost() -> None:
    found = rank_tables({"good": [[95, 5], [5, 95]], "coin": [[50, 50], [50, 50]]}, prevalence=0.2)
    assert found.order[1].answers.value == math.inf
    assert "–" in texts(ranked_dots(found, theme="light"))


def test_alternative_texts_have_the_numbers(table2) -> None:
    said = alt(table2)
    assert "Judges by SNR: Judge B 1.02 [0.86, 1.16], 1\u202f506 answers per model" in said
    assert "Tied: Judge B and Judge A." in said


def row_by_row(n: int, width: int):
    """Judges in order; neighbours fewer than `width` apart cannot be told apart."""
    found = rank_tables({f"j{i:02d}": [[180 - 2 * i, 20 + 2 * i], [20 + 2 * i, 180 - 2 * i]] for i in range(n)})
    names = [one.name for one in found.order]
    runs = tuple(tuple(names[i : i + width]) for i in range(n - width + 1))
    return replace(found, brackets=runs)


def test_brackets_that_share_a_row_stand_side_by_side() -> None:
    few, deep = drawn_brackets(row_by_row(15, 3)), drawn_brackets(row_by_row(15, 8))
    assert [(one.first, one.last, one.lane) for one in few[:5]] == [(0, 2, 0), (1, 3, 1), (2, 4, 2), (3, 5, 0), (4, 6, 1)]
    for found in (few, deep):
        for one, other in itertools.combinations(found, 2):
            assert one.lane != other.lane or one.last < other.first or other.last < one.first
    assert max(one.lane for one in deep) == 7
    assert ranked_dots(row_by_row(15, 8), theme="light").layout.margin.r < 140


def test_a_bracket_that_goes_on_below_is_open_and_says_so() -> None:
    found = row_by_row(40, 20)
    assert drawn_brackets(found) == (Bracket(0, MOST - 1, 0, goes_on=True),)
    shapes = ranked_dots(found, theme="light").layout.shapes
    assert [shape.y0 == shape.y1 for shape in shapes] == [False, True]
    assert "Tied: j00 to j14, 15 in order, and more below." in alt(found)
    short = row_by_row(40, 2)
    assert sum(one.goes_on for one in drawn_brackets(short)) == 0
    assert "Tied: j00 and j01; j01 and j02;" in alt(short)
