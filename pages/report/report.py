"""What must be said with this number?"""

from __future__ import annotations

import streamlit as st

from metrics import InputError
from metrics.analyses.provenance import copied, header
from metrics.analyses.raters import provenance as among
from metrics.analyses.scores import provenance as ordered
from metrics.report.checklist.contents import Contents
from metrics.report.making import Report
from pages.shared import parts, state
from pages.shared.report import asking, leaving, numbers, rows

TITLE, ASKS = "Checklist and report", "What must be said with this number?"


def page() -> None:
    its, chosen = state.dataset(), state.choices()
    parts.title(TITLE, ASKS)
    if its is None:
        parts.nothing_open()
        return
    try:
        show(its, chosen)
    except InputError as error:
        parts.refused(error)
        parts.to_data_page("Open another file")


def show(its: state.Dataset, chosen: state.Choices | None) -> None:
    if state.in_room_view():
        _room(its, chosen)
        return
    parts.sample_note(its)
    top = st.container()
    with st.container(horizontal=True, gap="medium", key="report_sides"):
        left, right = st.container(key="most_report"), st.container(key="third_report")
    with right:
        files = st.container()
        contents, answers = _asked(its, chosen)
    asked = numbers.wanted(its, chosen, contents.level)
    with top:
        found = numbers.report(asked, contents, answers, asking.review(its))
        _declared(found)
        numbers.waits(its, chosen, asked)
        rows.summary(found.material.checklist)
    with left:
        rows.everyone(found.material.checklist)
    with files:
        parts.headed("The report", "Made when it is clicked; Excel and CSV hold its tables")
        leaving.downloads(found)
    leaving.methods(found)


def _room(its: state.Dataset, chosen: state.Choices | None) -> None:
    contents = asking.held_contents(chosen)
    found = numbers.report(numbers.wanted(its, chosen, contents.level), contents, asking.held_answers(its), asking.review(its))
    _declared(found)
    parts.one_at_a_time([*rows.drawings(found.material.checklist), lambda: leaving.methods(found)])


def _asked(its: state.Dataset, chosen: state.Choices | None) -> tuple[Contents, dict[str, str]]:
    parts.headed("What the data cannot tell", "Short answers; they stay in this session and go into the report")
    answers = asking.answers(its)
    with st.expander("What the report shows"):
        return asking.contents(its, chosen), answers


def _declared(report: Report) -> None:
    """What the numbers rest on: of the labels that were counted, else of the scores, else of the raters."""
    found, judge = report.material, report.material.contents.judge
    if found.agreement is not None:
        level = found.contents.level
        parts.declaration(header(found.agreement, judge, level), copied(found.agreement, judge, level, "kappa"))
        return
    for scored in found.scored[:1]:
        key = ordered.HEADLINE if scored.on == "label" else "pearson"
        parts.declaration(ordered.header(scored, judge), ordered.copied(scored, judge, key))
        return
    for raters in (found.findings.humans, found.findings.between):
        if raters is not None:
            parts.declaration(among.header(raters), among.copied(raters, raters.pooled.judged))
            return


page()
