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
from metrics.analyses.provenance import Header, copied
from metrics.analyses.records import AgreementReport, Block, JudgeReport
from metrics.data.aggregation import LEVEL_NAMES, LEVELS, Level
from metrics.figures.levels import LevelRow, levels_dots
from metrics.figures.levels import alt as alt_of
from metrics.measures.catalogue import BY_KEY
from metrics.results.tables import apart, as_text, in_full, selected
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
class Shown:
    its: state.Dataset
    level: Level
    metric: str
    report: AgreementReport
    judge: JudgeReport
    moved: tuple[Influence, ...]
    pooled: Pooling | None


def shown(its: state.Dataset, space: Space, report: AgreementReport, metric: str) -> Shown:
    judge = report.judges[space.judge]
    pooled = pooling(its.ratings, space.judge, space.base, judge)
    return Shown(its, space.level, metric, report, judge, influences(judge, metric), pooled)


def drawings(found: Shown) -> list[Callable[[], None]]:
    """Return what room view shows one after the other."""
    if _lacking(found):
        return [lambda: _lack(found)]
    return [lambda: _levels(found), lambda: _influence(found), lambda: _pooling(found)]


def draw(found: Shown) -> None:
    if _lacking(found):
        _lack(found)
        return
    parts.headline([_headline(found, level) for level in LEVELS if found.metric in found.judge.level(level).values])
    if len(found.judge.criteria) == 1:
        st.info(_one(found), icon=":material/info:")
    with st.container(horizontal=True, gap="medium"):
        with st.container(key="wide_levels"):
            _levels(found)
        with st.container(key="wide_influence"):
            _influence(found)
    _pooling(found)


def _lacking(found: Shown) -> bool:
    """The metric does not exist under the declared mode."""
    return found.metric not in found.judge.micro.values


def _lack(found: Shown) -> None:
    need = "two classes" if BY_KEY[found.metric].classes == "two" else "more than two classes"
    st.info(f"{BY_KEY[found.metric].symbol} needs {need}. Choose another metric or mode.", icon=":material/info:")


def _one(found: Shown) -> str:
    return ONE.format("micro, macro and item" if has_item_level(found.its.ratings) else "micro and macro")


def _headline(found: Shown, level: Level) -> parts.Headline:
    block = found.judge.level(level)
    copy = partial(copied, found.report, found.judge.name, level)
    return parts.number_of(block, found.metric, _extent(found.judge, level, found.metric), LEVEL_NAMES[level], copy)


def _extent(judge: JudgeReport, level: Level, metric: str) -> str:
    if level == "macro":
        defined, of = judge.macro[metric].of or (len(judge.criteria), len(judge.criteria))
        what = "criterion" if of == 1 else "criteria"
        return f"{count(of)} {what}" if defined == of else f"{count(defined)} of {count(of)} {what}"
    n = judge.level(level).n
    what = "item" if level == "item" else "decision"
    return f"{count(n)} {what}{'' if n == 1 else 's'}"


def _levels(found: Shown) -> None:
    symbol, unit = BY_KEY[found.metric].symbol, BY_KEY[found.metric].unit
    with parts.heading(f"{symbol} at every level", "dot and line: value and interval · outlined: the declared level"):
        pass
    rows, places = [], []
    for level in LEVELS:
        block = found.judge.level(level)
        if found.metric not in block.values:
            continue
        rows.append(_row(LEVEL_NAMES[level], block, found.metric, _extent(found.judge, level, found.metric)))
        places.append(level)
        if level == "micro" and found.metric == "kappa" and len(found.judge.criteria) > 1:
            rows.append(_row("κ within criteria", block, "kappa_within", rows[0].note))
            places.append(None)
    selected = places.index(found.level) if found.level in places else None
    chart = levels_dots(rows, theme=parts.theme(), symbol=symbol, unit=unit, selected=selected, scale=parts.scale())
    parts.figure(chart, LEVELS_KEY, alt_of(rows, symbol=symbol, unit=unit), on_select=lambda: _choose(places, found))
    parts.reading(escape(levels_reading(found.judge, found.metric)))


def _row(name: str, block: Block, metric: str, note: str) -> LevelRow:
    low, high = block[metric].ends or (None, None)
    return LevelRow(name, block.values[metric], low, high, note, block.undefined.get(metric, ""))


def _choose(places: list[Level | None], found: Shown) -> None:
    spot = parts.clicked(LEVELS_KEY, (found.level, found.metric))
    if spot is not None and places[spot[0]] is not None and len(found.judge.criteria) > 1:
        st.session_state["level"] = places[spot[0]]


def _influence(found: Shown) -> None:
    record = BY_KEY[found.metric]
    share = f" · π: how often the human says {found.judge.micro.labels[0]}" if len(found.judge.micro.labels) == 2 else ""
    line = f"micro {record.symbol} without the criterion · dashed: with all{share}"
    with parts.heading("Which criterion moves micro", line):
        pass
    if not found.moved:
        st.markdown("Without its only criterion nothing is left.")
        return
    pooled = found.judge.micro.values[found.metric]
    most = most_moving(found.moved, MOST)
    rows = [LevelRow(one.criterion, one.without, note=_note(one), reason=one.reason) for one in most]
    look = {"unit": record.unit, "rule": (pooled, "with all")}
    chart = levels_dots(rows, theme=parts.theme(), symbol=record.symbol, close=True, scale=parts.scale(), **look)
    parts.figure(chart, INFLUENCE_KEY, alt_of(rows, symbol=f"Micro {record.symbol} without each criterion", **look))
    if len(most) < len(found.moved):
        st.markdown(f"The {count(len(most))} of {count(len(found.moved))} criteria that move it most; the table below has all.")
    parts.reading(influence_reading(found.moved, found.metric, pooled, name=emphasis))


def _note(one: Influence) -> str:
    return "" if math.isnan(one.prevalence) else f"π {percent(one.prevalence)}"


def _pooling(found: Shown) -> None:
    """What pooling did to κ; a warning only where the data show it."""
    pooled = found.pooled
    if pooled is None:
        if state.in_room_view():
            st.info(_one(found), icon=":material/info:")
        return
    with parts.heading("What pooling does to κ", "(1 − micro κ) = (1 − κ within criteria) × (1 − κ of the label rates alone)"):
        pass
    text = WARNING.get(pooled.verdict)
    if text is not None:
        st.warning(text.format(within=number(pooled.within)), icon=":material/warning:")
    parts.reading(pooling_reading(pooled, name=emphasis))


def tables(found: Shown, above: Header) -> None:
    if _lacking(found):
        return
    record = BY_KEY[found.metric]
    table = levels_table(found.judge, found.metric, found.moved)
    with st.expander("The same as a table: levels, and micro without each criterion"):
        shown = selected(table, {"what": "what", "value": record.symbol, "n": "n"})
        st.table(escaped(as_text(apart(shown))), hide_index=True)
    d = found.report.declaration
    told = {"judge": found.judge.name, "declared_choices": above.text(), "file": d.file, "sha256": d.sha256}
    sheets.download("Levels and influence (CSV)", lambda: in_full(table), "aggregation.csv", "choices.levels_csv", told=told)
