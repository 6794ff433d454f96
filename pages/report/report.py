"""What must be said with this number?"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from metrics import InputError
from metrics.analyses.provenance import citation, header
from metrics.analyses.raters import provenance as among
from metrics.analyses.scores import provenance as ordered
from metrics.report.checklist.contents import Contents
from metrics.report.making import Report
from metrics.report.sections_overview import whose_follow
from metrics.report.writing import FORMATS, file_name, today, write
from pages.shared import as_lines, parts, stage, state
from pages.shared.copying import copy_button
from pages.shared.plain import escape
from pages.shared.report import asking, numbers, rows

ASKS = "What must be said with this number?"


def page() -> None:
    dataset, chosen = state.dataset(), state.choices()
    parts.title(ASKS)
    if dataset is None:
        parts.nothing_open()
        return
    try:
        show(dataset, chosen)
    except InputError as error:
        parts.refused(error)
        parts.to_data_page("Open another file")


def show(dataset: state.Dataset, chosen: state.Choices | None) -> None:
    if state.in_room_view():
        _room(dataset, chosen)
        return
    parts.sample_note(dataset)
    top = st.container()
    with st.container(horizontal=True, gap="medium", key="report_sides"):
        left, right = st.container(key="most_report"), st.container(key="third_report")
    with right:
        files = st.container()
        contents, answers = _ask_questions(dataset, chosen)
    asked = numbers.wanted(dataset, chosen, contents.level)
    with top:
        report = numbers.report(asked, contents, answers, chosen)
        rows.verdict(report)
        _show_declaration(report)
        numbers.waits(dataset, chosen, asked)
        rows.summary(report.material.checklist)
    with left:
        rows.everyone(report.material.checklist)
    with files:
        parts.headed("The report", "Made when it is clicked; Excel and CSV hold its tables")
        _downloads(report)
    _methods(report)
    as_lines.section(replace(dataset, ratings=asked.whole), numbers.view(asked, chosen, contents, answers))


def _room(dataset: state.Dataset, chosen: state.Choices | None) -> None:
    contents = asking.held_contents(chosen)
    asked = numbers.wanted(dataset, chosen, contents.level)
    report = numbers.report(asked, contents, asking.held_answers(dataset), chosen)
    _show_declaration(report)
    stage.one_at_a_time([*rows.drawings(report.material.checklist), lambda: _methods(report)])


def _ask_questions(dataset: state.Dataset, chosen: state.Choices | None) -> tuple[Contents, dict[str, str]]:
    parts.headed("What the data do not contain", "Short answers; they stay in this browser and go into the report")
    answers = asking.answers(dataset)
    with st.expander("What the report shows"):
        return asking.contents(dataset, chosen), answers


def _show_declaration(report: Report) -> None:
    """What the numbers rest on: of the labels that were counted, else of the scores, else of the raters."""
    material, judge = report.material, report.material.contents.judge
    if material.agreement is not None:
        level = material.contents.level
        if whose := whose_follow(material):
            st.markdown(escape(whose))
        parts.declaration(header(material.agreement, judge, level), citation(material.agreement, judge, level, "kappa"))
        return
    for scored in material.scored[:1]:
        key = ordered.HEADLINE if scored.on == "label" else "pearson"
        parts.declaration(ordered.header(scored, judge), ordered.citation(scored, judge, key))
        return
    for raters in (material.findings.humans, material.findings.between):
        if raters is not None:
            parts.declaration(among.header(raters), among.citation(raters, raters.pooled.judged))
            return


def _downloads(report: Report) -> None:
    with st.container(horizontal=True, gap="small", key="report_downloads"):
        for suffix, file_format in FORMATS.items():
            name = file_name(report, suffix)
            parts.download(file_format.name, partial(write, report, suffix, today()), name, f"report{suffix}", file_format.mime)


def _methods(report: Report) -> None:
    """The paragraph of methods, true for what is shown now."""
    parts.headed("Methods, ready to paste", "It follows every choice and every field above")
    with st.container(border=True, key="report_methods"):
        st.markdown(escape(report.methods))
        copy_button("Copy the paragraph", "copy_methods", report.methods)


page()
