"""Ranks as a table: a cell holds the rank that the ranking has, and looks like it."""

from __future__ import annotations

import math

import pytest

from metrics.analyses.judge_selection.candidates import RANKED, SYMBOLS
from metrics.analyses.judge_selection.classes import CLASSES, REVERSAL
from metrics.analyses.judge_selection.golden import OF_MANY
from metrics.analyses.judge_selection.ranking import rank_tables
from metrics.figures.ranks import MOST, NOTHING, rank_table
from metrics.figures.ranks import table_alt as alt
from metrics.figures.theme import contrast, text_width, tokens
from metrics.results.words import UNDEFINED, value
from tests.figures.drawn import CROWD, texts

TABLES = {"Judge A": [[50, 150], [20, 780]], "Judge B": [[40, 160], [0, 800]], "best": [[195, 5], [8, 792]]}


@pytest.fixture(scope="module")
def three():
    return rank_tables(TABLES, prevalence=0.2)


@pytest.fixture(scope="module")
def crowd():
    return rank_tables(CROWD)


def test_every_cell_holds_the_rank_of_its_judge_under_its_metric(three) -> None:
    (table,) = rank_table(three, theme="light").data
    for row, one in enumerate(three.order):
        ranks = tuple(three.ranks[key][row] for key in RANKED)
        assert tuple(table.z[row]) == ranks == three.ranks_of(one.name)
        for place, key in enumerate(RANKED):
            assert f"<b>{one.name}</b><br>{SYMBOLS[key]} " in table.hovertext[row][place]
            assert table.hovertext[row][place].endswith(f", rank {ranks[place]}")
    written = [text for text in texts(rank_table(three, theme="light")) if text.isdigit()]
    assert written == [str(rank) for row in table.z for rank in row]


def test_the_metric_that_orders_the_judges_is_bold(three) -> None:
    shown = texts(rank_table(three, theme="light"))
    assert f"<b>{SYMBOLS[three.by]}</b>" in shown
    assert sum(text.startswith("<b>") for text in shown) == 1


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_better_rank_is_stronger_and_every_number_can_be_read(crowd, theme) -> None:
    figure = rank_table(crowd, theme=theme)
    (table,) = figure.data
    assert len(table.z) == MOST
    (_, best), (_, worst) = table.colorscale
    page = tokens(theme).page
    assert contrast(best, page) > 3 > contrast(worst, page)
    for note in figure.layout.annotations:
        if note.text == "1":
            assert contrast(note.font.color, best) >= 4.5
        if note.text == str(table.zmax):
            assert contrast(note.font.color, worst) >= 4.5


@pytest.mark.parametrize("scale", [1.0, 1.4])
@pytest.mark.parametrize("width", [340, 470, 900])
def test_no_two_names_of_metrics_meet(crowd, scale, width) -> None:
    figure = rank_table(crowd, theme="light", scale=scale, width=width)
    margin = figure.layout.margin
    cell = (width * scale - margin.l - margin.r) / len(RANKED)
    heads = [note for note in figure.layout.annotations if note.text.replace("<b>", "").replace("</b>", "") in SYMBOLS.values()]
    assert len(heads) == len(RANKED)
    for one in heads:
        for other in heads:
            if one.x < other.x and one.y == other.y:
                halves = sum(text_width(note.text.strip("</b>"), note.font.size, bold=True) / 2 for note in (one, other))
                assert (other.x - one.x) * cell >= halves


def test_a_judge_without_a_value_under_a_metric_has_a_dash() -> None:
    found = rank_tables({"always": [[0, 40], [0, 60]], "good": [[35, 5], [5, 55]]}, by="balanced_accuracy")
    assert math.isnan(found.order[1].values["phi"])
    figure = rank_table(found, theme="light")
    assert figure.data[0].z[1][found.keys.index("phi")] is None
    assert UNDEFINED in texts(figure)
    assert f"φ {UNDEFINED}" in alt(found)
    assert f"φ {value(math.nan)}, rank {UNDEFINED}" in figure.data[0].hovertext[1][found.keys.index("phi")]


def test_equal_judges_share_a_rank() -> None:
    found = rank_tables({name: [[35, 5], [5, 55]] for name in ("a", "b", "c")})
    assert {rank for row in rank_table(found, theme="light").data[0].z for rank in row} == {1}


def test_judges_of_three_classes_have_metrics_of_their_own() -> None:
    found = rank_tables(REVERSAL, labels=CLASSES)
    assert [len(row) for row in rank_table(found, theme="dark").data[0].z] == [len(OF_MANY)] * 2
    assert "macro J 2" in alt(found)


def test_nothing_to_rank_says_so() -> None:
    found = rank_tables({"a": [[0, 0], [3, 4]], "b": [[0, 0], [0, 9]]}, prevalence=0.2)
    assert texts(rank_table(found, theme="light")) == [NOTHING]
    assert alt(found) == f"{NOTHING}."


def test_the_alternative_text_has_the_ranks(three) -> None:
    assert "Judge A: SNR 3, BA 2, J 2" in alt(three)
