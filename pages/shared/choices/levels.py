"""The view *Aggregation*: the three levels side by side, which criterion moves micro, and what pooling does to κ."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import streamlit as st

from metrics.analyses.multiverse.compute import Space, has_item_level
from metrics.analyses.multiverse.pooling import (
    Influence,
    Pooling,
    influence_reading,
    influences,
    levels_reading,
    most_moving,
    pooling,
    pooling_reading,
)
from metrics.analyses.multiverse.tables import levels_table
from metrics.analyses.provenance import Header, citation
from metrics.analyses.records import AgreementReport, JudgeReport
from metrics.data.aggregation import LEVEL_NAMES, LEVELS, Level
from metrics.figures.levels import LevelRow, levels_dots
from metrics.figures.levels import alt as alt_of
from metrics.measures.catalogue import BY_KEY
from metrics.results.estimate import Estimate
from metrics.results.tables import as_text, in_full, selected, with_interval_columns
from metrics.results.words import count, number, percent
from pages.shared import parts, sheets, state
from pages.shared.plain import emphasis, escape, escaped

LEVELS_KEY, INFLUENCE_KEY = "choices.levels", "choices.influence"
MOST = 12
"""Criteria drawn."""
ONE = "There is one criterion, so {} are the same number, and pooling has nothing to mix."
WARNING = {
    "lifted": "Micro κ is lifted by pooling. The answer to the question it seems to ask is κ within criteria, **{within}**.",
    "lowered": "Micro κ is lowered by pooling. The answer to the question it seems to ask is κ within criteria, **{within}**.",
}


@dataclass(frozen=True, eq=False)
class LevelsView:
    dataset: state.Dataset
    level: Level
    metric: str
    report: AgreementReport
    judge: JudgeReport
    moved: tuple[Influence, ...]
    pooled: Pooling | None


def levels_view(dataset: state.Dataset, space: Space, report: AgreementReport, metric: str) -> LevelsView:
    judge = report.judges[space.judge]
    pooled = pooling(dataset.ratings, space.judge, space.base, judge)
    return LevelsView(dataset, space.level, metric, report, judge, influences(judge, metric), pooled)


def drawings(view: LevelsView) -> list[Callable[[], None]]:
    """Return what room view shows one after the other."""
    if _lacking(view):
        return [lambda: _lack(view)]
    return [lambda: _levels(view), lambda: _influence(view), lambda: _pooling(view)]


def draw(view: LevelsView) -> None:
    if _lacking(view):
        _lack(view)
        return
    parts.headline([_headline(view, level) for level in LEVELS if view.metric in view.judge.level(level).values])
    if len(view.judge.criteria) == 1:
        st.info(_one_level_note(view), icon=":material/info:")
    with st.container(horizontal=True, gap="medium"):
        with st.container(key="wide_levels"):
            _levels(view)
        with st.container(key="wide_influence"):
            _influence(view)
    _pooling(view)


def _lacking(view: LevelsView) -> bool:
    """The metric does not exist under the declared mode."""
    return view.metric not in view.judge.micro.values


def _lack(view: LevelsView) -> None:
    need = "two classes" if BY_KEY[view.metric].classes == "two" else "more than two classes"
    st.info(f"{BY_KEY[view.metric].symbol} needs {need}. Choose another metric or mode.", icon=":material/info:")


def _one_level_note(view: LevelsView) -> str:
    return ONE.format("micro, macro and item" if has_item_level(view.dataset.ratings) else "micro and macro")


def _headline(view: LevelsView, level: Level) -> parts.Headline:
    block = view.judge.level(level)
    copy = partial(citation, view.report, view.judge.name, level)
    return parts.number_of(block, view.metric, _extent(view.judge, level, view.metric), LEVEL_NAMES[level], copy)


def _extent(judge: JudgeReport, level: Level, metric: str) -> str:
    if level == "macro":
        defined, of = judge.macro[metric].of or (len(judge.criteria), len(judge.criteria))
        what = "criterion" if of == 1 else "criteria"
        return f"{count(of)} {what}" if defined == of else f"{count(defined)} of {count(of)} {what}"
    n = judge.level(level).n
    what = "item" if level == "item" else "decision"
    return f"{count(n)} {what}{'' if n == 1 else 's'}"


def _levels(view: LevelsView) -> None:
    symbol, unit = BY_KEY[view.metric].symbol, BY_KEY[view.metric].unit
    parts.lone_heading(f"{symbol} at every level", "dot and line: value and interval · outlined: the declared level")
    rows, places = [], []
    for level in LEVELS:
        block = view.judge.level(level)
        if view.metric not in block.values:
            continue
        rows.append(LevelRow(LEVEL_NAMES[level], block[view.metric], _extent(view.judge, level, view.metric)))
        places.append(level)
        if level == "micro" and view.metric == "kappa" and len(view.judge.criteria) > 1:
            rows.append(LevelRow("κ within criteria", block["kappa_within"], rows[0].note))
            places.append(None)
    look = {"selected": places.index(view.level) if view.level in places else None}
    choose = partial(_choose, places, view)
    parts.drawing(LEVELS_KEY, levels_dots, alt_of, rows, look=look, on_select=choose, symbol=symbol, unit=unit)
    parts.reading(escape(levels_reading(view.judge, view.metric)))


def _choose(places: list[Level | None], view: LevelsView) -> None:
    spot = parts.clicked(LEVELS_KEY, (view.level, view.metric))
    if spot is not None and places[spot[0]] is not None and len(view.judge.criteria) > 1:
        st.session_state["level"] = places[spot[0]]


def _influence(view: LevelsView) -> None:
    record = BY_KEY[view.metric]
    share = f" · π: how often the human says {view.judge.micro.labels[0]}" if len(view.judge.micro.labels) == 2 else ""
    line = f"micro {record.symbol} without the criterion · dashed: with all{share}"
    parts.lone_heading("Which criterion moves micro", line)
    if not view.moved:
        st.markdown("Without its only criterion nothing is left.")
        return
    pooled = view.judge.micro.values[view.metric]
    most = most_moving(view.moved, MOST)
    rows = [LevelRow(moved.criterion, Estimate(moved.without, why=moved.reason), _note(moved)) for moved in most]
    facts, alt = {"unit": record.unit, "rule": (pooled, "with all")}, f"Micro {record.symbol} without each criterion"
    look = {"symbol": record.symbol, "close": True}
    parts.drawing(INFLUENCE_KEY, levels_dots, partial(alt_of, symbol=alt), rows, look=look, **facts)
    if len(most) < len(view.moved):
        st.markdown(f"The {count(len(most))} of {count(len(view.moved))} criteria that move it most; the table below has all.")
    parts.reading(influence_reading(view.moved, view.metric, pooled, name=emphasis))


def _note(influence: Influence) -> str:
    return "" if math.isnan(influence.prevalence) else f"π {percent(influence.prevalence)}"


def _pooling(view: LevelsView) -> None:
    """What pooling did to κ; a warning only where the data show it."""
    pooled = view.pooled
    if pooled is None:
        if state.in_room_view():
            st.info(_one_level_note(view), icon=":material/info:")
        return
    parts.lone_heading("How pooling changes κ", "(1 − micro κ) = (1 − κ within criteria) × (1 − κ of the label rates alone)")
    text = WARNING.get(pooled.verdict)
    if text is not None:
        st.warning(text.format(within=number(pooled.within)), icon=":material/warning:")
    parts.reading(pooling_reading(pooled, name=emphasis))


def tables(view: LevelsView, above: Header) -> None:
    if _lacking(view):
        return
    record = BY_KEY[view.metric]
    table = levels_table(view.judge, view.metric, view.moved)
    with st.expander("The same as a table: levels, and micro without each criterion"):
        shown = selected(table, {"what": "what", "value": record.symbol, "n": "n"})
        st.table(escaped(as_text(with_interval_columns(shown))), hide_index=True)
    d = view.report.declaration
    extra_columns = {"judge": view.judge.name, "declared_choices": above.text(), **d.file_columns()}
    sheets.download(
        "Levels and influence (CSV)", lambda: in_full(table), "aggregation.csv", "choices.levels_csv", extra_columns=extra_columns
    )
