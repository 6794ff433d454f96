"""Every view of a table by hand: any table is drawn, its texts keep apart, what plotly reads is what it knows."""

from __future__ import annotations

import plotly.graph_objects as go
import pytest

from metrics.content.lab.formulas import worked
from metrics.figures import lab_bars, lab_lines, lab_space, lab_split
from metrics.figures.theme import DARK, NOTHING
from tests.figures.lab_tables import PAIRS, assert_apart, notes, said


def bars(now, other, **look):
    return lab_bars.coefficient_bars(now, other, {key: worked(key, now) for key in now.bars}, "kappa", **look)


def bars_alt(now, other):
    return lab_bars.alt(now, other, {key: worked(key, now) for key in now.bars})


VIEWS = {
    "split": (lab_split.agreement_split, lab_split.alt),
    "bars": (bars, bars_alt),
    "lines": (lab_lines.prevalence_lines, lab_lines.alt),
    "space": (lab_space.roc_point, lab_space.alt),
}


def height(figure) -> float:
    return figure.to_dict()["layout"]["height"]


EACH = pytest.mark.parametrize(("view", "pair"), [(view, pair) for view in VIEWS for pair in PAIRS])


@EACH
@pytest.mark.parametrize(("width", "scale"), [(340, 1.0), (340, 1.4), (640, 1.0)])
def test_no_two_texts_meet_and_none_leaves_the_figure(view, pair, width, scale) -> None:
    figure = VIEWS[view][0](*PAIRS[pair], theme="light", width=width, scale=scale)
    for wider in (1.0, 1.25, 1.9):
        assert_apart(figure, width * scale * wider)


@EACH
def test_plotly_knows_every_part(view, pair) -> None:
    figure = VIEWS[view][0](*PAIRS[pair], theme="dark")
    checked = go.Figure(figure.to_dict())
    assert len(checked.data) == len(figure.data)
    assert {note.font.color for note in checked.layout.annotations} <= set(vars(DARK).values())


@EACH
def test_every_table_is_told_and_labels_of_the_user_are_shown_as_typed(view, pair) -> None:
    now, other = PAIRS[pair]
    figure = VIEWS[view][0](now, other, theme="light")
    for note in notes(figure):
        for text in (note["text"], note.get("hovertext") or ""):
            assert "<b>x" not in text
            assert "$" not in text
    told = VIEWS[view][1](now, other)
    assert told.endswith(".")
    assert "nan" not in told


@pytest.mark.parametrize("view", VIEWS)
def test_without_decisions_there_is_a_sentence(view) -> None:
    for pair in ("nothing", "nothing beside"):
        assert NOTHING in said(VIEWS[view][0](*PAIRS[pair], theme="dark"))
        assert NOTHING.lower() in VIEWS[view][1](*PAIRS[pair]).lower()


@pytest.mark.parametrize("view", ["split", "lines", "space"])
def test_what_stands_below_a_view_does_not_move_with_the_table(view) -> None:
    draw = VIEWS[view][0]
    pairs = [pair for pair in PAIRS.values() if pair[0].words[0] == "MET"]
    alone = {height(draw(now, None, theme="light")) for now, _ in pairs}
    beside = {height(draw(*pair, theme="light")) for pair in pairs if pair[1]}
    assert len(alone) == len(beside) == 1


@pytest.mark.parametrize("view", VIEWS)
def test_room_view_is_larger(view) -> None:
    small, large = (VIEWS[view][0](*PAIRS["rare beside even"], theme="light", scale=scale) for scale in (1.0, 1.4))
    assert height(large) > 1.3 * height(small)
    assert notes(large)[0]["font"]["size"] == pytest.approx(1.4 * notes(small)[0]["font"]["size"])
