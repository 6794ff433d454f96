"""The eleven practices, a row each: state, numbers, and the one thing to do with the page that does it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from metrics.report.checklist.compute import MARKS, Checklist
from metrics.report.checklist.practice import Practice
from metrics.report.making import Report
from metrics.results.words import count
from pages.shared.page_records import OVERVIEW, REPORT, page_of
from pages.shared.plain import escape

SHOWN, FEW = 2, 3
"""Sentences in view where there are more than a few; the others are behind a click."""
STYLES = {"met": "green", "not met": "red", "not applicable": "gray"}


def verdict(report: Report) -> None:
    """The first sentence of the report, and the page that has all of it."""
    overview = report.material.overview
    if overview is None:
        return
    with st.container(border=True, gap="xsmall", key="report_verdict"):
        st.markdown(f"## {escape(overview.verdict[0].text)}", anchors=False)
        st.page_link(OVERVIEW.path, label="Open Overview", icon=":material/arrow_forward:")


def summary(checklist: Checklist) -> None:
    """How many are met, and which are not."""
    missed = ", ".join(f"{practice.number} {practice.name}" for practice in checklist.of("not met"))
    missed_note = f":small[Not met: {escape(missed)}]" if missed else ""
    with st.container(key="lead_checklist"):
        st.markdown(f"## {escape(checklist.count_words)}\n{missed_note}", anchors=False)


def everyone(checklist: Checklist) -> None:
    for practice in checklist.practices:
        with st.container(border=True, gap="xsmall", key=f"practice_{practice.number}"):
            _row(practice)


def drawings(checklist: Checklist) -> list[Callable[[], None]]:
    """Return one practice at a time, after all of them in a line each."""
    return [partial(_overview, checklist), *(partial(_large, practice) for practice in checklist.practices)]


def _row(practice: Practice) -> None:
    st.markdown(_heading(practice))
    shown = len(practice.evidence) if len(practice.evidence) <= FEW else SHOWN
    _sentences(practice.evidence[:shown])
    rest = practice.evidence[shown:]
    if rest:
        with st.expander(f"{count(len(rest))} more"):
            _sentences(rest)
    _action(practice)


def _heading(practice: Practice) -> str:
    return (
        f":{STYLES[practice.state]}[**{MARKS[practice.state]} {practice.state}**] · **{practice.number} {escape(practice.name)}**"
    )


def _sentences(sentences: tuple[str, ...]) -> None:
    if sentences:
        st.markdown("  \n".join(escape(text) for text in sentences))


def _action(practice: Practice) -> None:
    if not practice.on_screen:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f":material/arrow_forward: **{escape(practice.on_screen)}**", width="content")
        if practice.page not in ("", REPORT.name):
            page = page_of(practice.page)
            st.page_link(page.path, label=f"Open {page.title}")


def _overview(checklist: Checklist) -> None:
    st.markdown(f"## {escape(checklist.count_words)}", anchors=False)
    st.markdown("  \n".join(_heading(practice) for practice in checklist.practices))


def _large(practice: Practice) -> None:
    st.markdown(f"## {_heading(practice)}", anchors=False)
    _sentences(practice.evidence)
    if practice.on_screen:
        st.markdown(f"### :material/arrow_forward: {escape(practice.on_screen)}", anchors=False)
