"""How far does the number move with choices that reports leave unstated?"""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from metrics import ItemRule
from metrics.analyses.multiverse.compute import Space
from metrics.analyses.multiverse.result import multiverse
from metrics.analyses.provenance import Header, citation, header
from metrics.analyses.records import AgreementReport, JudgeReport
from metrics.results.words import number, p3
from pages.shared import as_lines, cached, intervals, opening, parts, stage, state
from pages.shared.choices import asking, every, filling, levels
from pages.shared.plain import escape

ASKS = "How far does the number move with choices that reports leave unstated?"
TWO_CRITERIA = "rao_two_criteria"
"""The sample that comes from a text whose number is another one; a footnote says what the text says, and what is right."""


@dataclass(frozen=True, eq=False)
class ViewContext:
    """What both views say above and below their figures."""

    report: AgreementReport
    above: Header
    note: str
    declared: as_lines.View


def answer(dataset: state.Dataset, chosen: state.Choices) -> None:
    report = cached.report(dataset, chosen, None, asking.wanted(dataset))
    space = asking.space(dataset, chosen)
    metric = asking.metric(space)
    parts.sample_note_at_desk(dataset)
    above = header(report, chosen.judge, chosen.level, metric)
    parts.declaration(above, citation(report, chosen.judge, chosen.level, metric))
    if not state.in_room_view():
        asking.choosers(dataset, chosen, space)
    note = _footnote(dataset.id, report.judges[chosen.judge], all_met=chosen.rule == ItemRule())
    declared = as_lines.call("agreement", asking.wanted(dataset).added_to(chosen.settings()), dataset)
    level = "micro" if asking.view() == "levels" else chosen.level
    place = as_lines.path("judges", [chosen.judge], level, [metric])
    context = ViewContext(report, above, note, as_lines.View(declared, place))
    if asking.view() == "levels":
        _levels(dataset, space, metric, context)
    else:
        _every(dataset, space, metric, context)


def _levels(dataset: state.Dataset, space: Space, metric: str, context: ViewContext) -> None:
    view = levels.levels_view(dataset, space, context.report, metric)
    if state.in_room_view():
        stage.one_at_a_time(levels.drawings(view))
        return
    levels.draw(view)
    _note(context)
    levels.tables(view, context.above)
    as_lines.section(dataset, context.declared)


def _note(context: ViewContext) -> None:
    if context.note:
        st.markdown(f":small[{escape(context.note)}]")


def _every(dataset: state.Dataset, whole: Space, metric: str, context: ViewContext) -> None:
    space = whole.held(asking.held(whole))
    filled = filling.filled(dataset, space)
    all_analyses = multiverse(space, filled.results, metric)
    if state.in_room_view():
        stage.one_at_a_time(every.drawings(all_analyses, context.above, ready=filled.ready))
        filling.go_on(dataset, space, filled, None)
        return
    bar = filling.status(filled)
    parts.headline(every.headline(all_analyses, context.above, ready=filled.ready))
    every.figure(all_analyses)
    every.remarks(all_analyses, whole, drawn=intervals.chosen(dataset).drawn)
    _note(context)
    every.tables(all_analyses, context.above, context.report.declaration)
    as_lines.section(dataset, context.declared)
    filling.go_on(dataset, space, filled, bar)


def _footnote(sample: str, report: JudgeReport, *, all_met: bool) -> str:
    """Return the footnote of an open sample; empty where the text it comes from is right or there is none."""
    if sample != TWO_CRITERIA:
        return ""
    micro, within = (report.micro.values[key] for key in ("kappa", "kappa_within"))
    kappas = " and ".join(number(block.values["kappa"]) for block in report.criteria.values())
    return (
        f"Rao and Callison-Burch, Section 5.1, give micro κ “near 0.85”, “dominated by A”. With the judge’s rates equal to the "
        f"human’s, micro κ is {p3(micro)} on these tables (κ {kappas} by criterion); 0.85 needs a judge that says MET on about "
        "10.5\u00a0% of B. And A does not dominate: both criteria bring equally many decisions, and two criteria with κ 0.20 "
        f"each can pool to 0.85. Micro is high because one criterion is common and the other rare; within criteria κ is "
        f"{number(within)}." + (_of_items(report) if all_met else "")
    )


def _of_items(report: JudgeReport) -> str:
    return (
        f" When all criteria must be met, κ of the items is {number(report.item.values['kappa'])} here, where the criteria fall "
        "together independently; the same two tables allow anything from −0.05 to 1.00."
    )


opening.page(ASKS, answer)
