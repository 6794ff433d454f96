"""How far does the number move with choices nobody sees?"""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from metrics import ItemRule
from metrics.analyses.multiverse.compute import Space
from metrics.analyses.multiverse.result import multiverse
from metrics.analyses.provenance import Header, copied, header
from metrics.analyses.records import AgreementReport
from pages.shared import cached, intervals, opening, parts, state
from pages.shared.choices import asking, every, filling, levels
from pages.shared.choices.footnotes import footnote
from pages.shared.plain import escape

TITLE, ASKS = "Every choice at once", "How far does the number move with choices nobody sees?"


@dataclass(frozen=True, eq=False)
class Told:
    """What both views say above and below their figures."""

    report: AgreementReport
    above: Header
    note: str


def answer(its: state.Dataset, chosen: state.Choices) -> None:
    report = cached.report(its, chosen, None, asking.wanted(its))
    space = asking.space(its, chosen)
    metric = asking.metric(space)
    room = state.in_room_view()
    if not room:
        parts.sample_note(its)
    above = header(report, chosen.judge, chosen.level, metric)
    parts.declaration(above, copied(report, chosen.judge, chosen.level, metric))
    if not room:
        asking.choosers(its, chosen, space)
    told = Told(report, above, footnote(its.id, report.judges[chosen.judge], all_met=chosen.rule == ItemRule()))
    if asking.view() == "levels":
        _levels(its, space, metric, told)
    else:
        _every(its, space, metric, told)


def _levels(its: state.Dataset, space: Space, metric: str, told: Told) -> None:
    found = levels.shown(its, space, told.report, metric)
    if state.in_room_view():
        parts.one_at_a_time(levels.drawings(found))
        return
    levels.draw(found)
    _note(told)
    levels.tables(found, told.above)


def _note(told: Told) -> None:
    if told.note:
        st.markdown(f":small[{escape(told.note)}]")


def _every(its: state.Dataset, whole: Space, metric: str, told: Told) -> None:
    space = whole.held(asking.held(whole))
    filled = filling.filled(its, space)
    found = multiverse(space, filled.results, metric)
    if state.in_room_view():
        parts.one_at_a_time(every.drawings(found, told.above, ready=filled.ready))
        filling.go_on(its, space, filled, lambda left: None)
        return
    tell = filling.status(filled)
    parts.headline(every.headline(found, told.above, ready=filled.ready))
    every.figure(found)
    every.remarks(found, whole, drawn=intervals.chosen(its).drawn)
    _note(told)
    every.tables(found, told.above, told.report.declaration)
    filling.go_on(its, space, filled, tell)


opening.page(TITLE, ASKS, answer)
