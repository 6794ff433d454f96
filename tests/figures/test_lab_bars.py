"""Coefficients as bars: one order, true lengths, formulas where there is room, and a click that chooses."""

from __future__ import annotations

import math

import pytest

from metrics.content.lab.formulas import LONGEST, Worked, worked
from metrics.content.lab.pictures import BARS, BARS_OF_THREE
from metrics.figures.lab_bars import alt, coefficient_bars
from metrics.figures.theme import LIGHT, text_width
from metrics.results.words import number
from tests.figures.lab_tables import ONLY_NEGATIVE, PAIRS, counted, driven, said, seen, shown, texts

WIDE = 480


def draw(now, other=None, lit=None, **look):
    return coefficient_bars(now, other, {key: worked(key, now) for key in now.bars}, lit, **({"theme": "light"} | look))


DRAWN = [pair for pair, (now, _) in PAIRS.items() if now.n]
EMPTY = [pair for pair in PAIRS if pair not in DRAWN]


@pytest.mark.parametrize("pair", EMPTY)
def test_of_no_decision_there_is_nothing_but_that_it_is_so(pair) -> None:
    figure = draw(*PAIRS[pair])
    assert not figure.data
    assert texts(figure) == ["No decision to show"]


@pytest.mark.parametrize("pair", DRAWN)
def test_bars_reach_from_zero_to_the_value_in_one_order(pair) -> None:
    now, other = PAIRS[pair]
    areas, bars, *_ = draw(now, other).data
    there = [key for key in now.bars if not math.isnan(now.values[key])]
    assert [place for (place,) in areas.customdata] == list(range(len(now.bars)))
    heights = dict(zip(now.bars, areas.y, strict=True))
    assert list(bars.y) == [heights[key] for key in there]
    for key, base, length in zip(there, bars.base, bars.x, strict=True):
        assert (base, base + length) == pytest.approx(sorted((0.0, now.values[key])))
    told = texts(draw(now, other))
    for key in there:
        assert f"<b>{number(now.values[key])}</b>" in told


def test_the_order_is_that_of_the_picture() -> None:
    for pair, keys in (("rare beside even", BARS), ("third class", BARS_OF_THREE)):
        now = PAIRS[pair][0]
        names = [shown(note.text) for note in draw(now).layout.annotations if note.xanchor == "right" and note.x <= 0]
        assert now.bars == keys
        assert len(names) == len(keys)
        assert names[0] == "accuracy"
        assert names[-1] == "κ"


def test_kappa_and_phi_have_their_colours_and_the_others_none() -> None:
    bars = draw(PAIRS["rare beside even"][0]).data[1]
    assert list(bars.marker.color) == [LIGHT.axis] * 5 + [LIGHT.phi, LIGHT.kappa]


def test_open_marks_are_the_other_tables_values_and_named_once() -> None:
    now, other = PAIRS["rare beside even"]
    _, _, marks = draw(now, other).data
    assert list(marks.x) == [pytest.approx(other.values[key]) for key in BARS]
    assert marks.marker.color == LIGHT.page
    assert list(marks.marker.symbol[-2:]) == ["diamond", "circle"]
    assert texts(draw(now, other)).count("step 2a") == 1
    assert len(draw(now).data) == 2
    third, before = PAIRS["third class"]
    shared = [key for key in third.bars if key in before.values]
    assert list(draw(third, before).data[2].x) == [pytest.approx(before.values[key]) for key in shared]


def test_an_undefined_value_is_a_dash_and_its_reason() -> None:
    always = PAIRS["always negative"][0]
    told = said(draw(always))
    assert "– the judge gives one label only, UNMET" in told
    assert "φ – (the judge gives one label only, UNMET)" in alt(always, None, {})
    only = draw(seen(ONLY_NEGATIVE), PAIRS["rare beside even"][1])
    _, bars, marks = only.data
    assert len(bars.x) == 3
    assert len(marks.x) == 7
    reasons = [note for note in only.layout.annotations if note.text.startswith("–")]
    assert len(reasons) == 4
    for note in reasons:
        assert min(abs(note.y - y) for y in marks.y) >= 13, "a reason keeps clear of the mark in its row"


def test_formulas_stand_only_where_there_is_room() -> None:
    now = PAIRS["rare beside even"][0]
    assert "(.90 − .824) / (1 − .824)" not in said(draw(now, width=340))
    told = said(draw(now, width=WIDE))
    for text in ("(45 + 855) / 1\u202f000", "(.90 + .90) / 2", "2 · .90 − 1", "(.90 − .824) / (1 − .824)"):
        assert text in told
    assert said(draw(now, width=WIDE, scale=1.4)) == told


def test_no_formula_is_wider_than_its_room() -> None:
    now = PAIRS["even"][0]
    long = Worked("kappa", "", "", "m" * LONGEST, "0.80", "", ())
    figure = coefficient_bars(now, None, {"kappa": long}, None, theme="light", width=WIDE)
    assert long.short not in said(figure)
    low, high = figure.layout.xaxis.range
    unit = (WIDE - 6) / (high - low)
    shown_ = draw(now, width=WIDE)
    for note in shown_.layout.annotations:
        if note.font.size == 12 and note.x == 1:
            assert note.xshift + text_width(note.text, 12) <= (high - 1) * unit + 1


def test_the_lit_row_is_the_only_one_painted() -> None:
    areas = draw(PAIRS["even"][0], lit="phi").data[0]
    assert [width > 0 for width in areas.marker.line.width] == [key == "phi" for key in BARS]
    assert areas.marker.color[5] == LIGHT.selected
    assert not any(draw(PAIRS["even"][0]).data[0].marker.line.width)


def test_the_axis_keeps_still_while_values_move() -> None:
    ends = {tuple(draw(seen(driven(x / 50))).layout.xaxis.range) for x in range(51)}
    assert len(ends) == 1
    below = draw(seen(counted(0, 50, 50, 900))).layout.xaxis.range
    assert below == draw(seen(counted(0, 90, 90, 820))).layout.xaxis.range
    assert below[0] < min(end[0] for end in ends)


def test_the_pointer_is_told_the_formula_and_the_other_value() -> None:
    hover = draw(*PAIRS["rare beside even"]).data[0].hovertext[-1]
    for part in ("κ: 0.43", "(agreement − chance) / (1 − chance)", "(.90 − .824) / (1 − .824)", "step 2a: 0.80"):
        assert part in hover


def test_the_text_for_those_who_do_not_see_it_has_the_numbers() -> None:
    now, other = PAIRS["rare beside even"]
    told = alt(now, other, {key: worked(key, now) for key in now.bars}, "kappa")
    assert "κ 0.43 = (.90 − .824) / (1 − .824), step 2a 0.80, chosen" in told
    assert "φ 0.50, step 2a 0.80" in told
