"""Ordered labels: the table of options with its distances, and one number by criterion."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from metrics.analyses.ordered_catalogue import RECORDS
from metrics.analyses.records import Block
from metrics.analyses.scores import readings
from metrics.figures.distance import alt as matrix_alt
from metrics.figures.distance import distance_matrix
from metrics.figures.levels import LevelRow, alt, levels_dots
from metrics.results.words import count
from pages.shared import parts
from pages.shared.plain import escape
from pages.shared.scores import asking

BY_KEY = "scores.by_criterion"
POOLED, MEAN = "All, pooled", "Mean over criteria"


def section(asked: asking.ScoresView) -> None:
    parts.reading(escape(readings.near_reading(asked.report, asked.chosen.judge, asked.criterion)))
    parts.side_by_side({"wide_scores_matrix": lambda: matrix(asked), "wide_scores_criteria": lambda: criteria(asked)})
    st.markdown(escape(readings.bias_reading(asked.report, asked.chosen.judge, asked.criterion)))
    if ranks := readings.rank_reading(asked.report, asked.chosen.judge, asked.criterion):
        st.markdown(escape(ranks))
    asking.turning(asked)


def drawings(asked: asking.ScoresView) -> list[Callable[[], None]]:
    """Return what room view shows one after the other."""
    return [lambda: matrix(asked), lambda: criteria(asked)]


def matrix(asked: asking.ScoresView) -> None:
    block = asked.block
    parts.headed("Which option for which", "rows: the reference · columns: the judge · outlined: equal")
    parts.drawing("scores.matrix", distance_matrix, matrix_alt, block.confusion, block.labels)
    parts.reading(escape(readings.matrix_reading(asked.report, asked.chosen.judge, asked.criterion)))


def criteria(asked: asking.ScoresView, *, of_mean: bool = False) -> None:
    """One number by criterion, with the pooled one and the mean, of which one is in view."""
    record = RECORDS[asked.key]
    parts.headed(f"{record.name} by criterion", "dot and line: value and interval · outlined: in view · click chooses")
    names: list[str | None] = list(asked.judge.criteria)
    rows = [_row(name, block, asked.key) for name, block in asked.judge.criteria.items()]
    if asked.many:
        rows += [_row(POOLED, asked.judge.pooled, asked.key), _row(MEAN, asked.judge.mean, asked.key)]
    selected = names.index(asked.criterion) if asked.criterion in names else len(names) + of_mean if asked.many else None
    facts = {"symbol": record.symbol, "unit": "%" if record.unit == "%" else ""}
    choose = partial(_choose, asked, names)
    parts.drawing(BY_KEY, levels_dots, alt, rows, look={"selected": selected}, on_select=choose, **facts)
    if record.transform == "fisher":
        parts.reading(escape(readings.chance_reading(asked.report, asked.chosen.judge, asked.criterion, asked.key)))


def _row(name: str, block: Block, key: str) -> LevelRow:
    return LevelRow(name, block[key], "" if block.n is None else f"n {count(block.n)}")


def _choose(asked: asking.ScoresView, names: list[str | None]) -> None:
    spot = parts.clicked(BY_KEY, asked.place)
    if spot is not None and asked.many:
        st.session_state[asking.CRITERION] = names[spot[0]] if spot[0] < len(names) else None
