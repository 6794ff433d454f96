"""The eleven practices, a row each: state, numbers, and the one thing to do with the page that does it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from metrics.report.checklist.compute import MARKS, Checklist
from metrics.report.checklist.practice import Practice
from metrics.results.words import count
from pages.shared.page_records import REPORT, page_of
from pages.shared.plain import escape

SHOWN, FEW = 2, 3
"""Sentences in view where there are more than a few; the others are behind a click."""
STYLES = {"met": "green", "not met": "red", "not applicable": "gray"}


def summary(found: Checklist) -> None:
    """How many are met, and which are not."""
    missed = ", ".join(f"{one.number} {one.name}" for one in found.of("not met"))
    said = f":small[Not met: {escape(missed)}]" if missed else ""
    with st.container(key="lead_checklist"):
        st.markdown(f"## {escape(found.count_words)}\n{said}", anchors=False)


def everyone(found: Checklist) -> None:
    for one in found.practices:
        with st.container(border=True, gap="xsmall", key=f"practice_{one.number}"):
            _row(one)


def drawings(found: Checklist) -> list[Callable[[], None]]:
    """Return one practice at a time, after all of them in a line each."""
    return [partial(_overview, found), *(partial(_large, one) for one in found.practices)]


def _row(one: Practice) -> None:
    st.markdown(_heading(one))
    shown = len(one.evidence) if len(one.evidence) <= FEW else SHOWN
    _sentences(one.evidence[:shown])
    rest = one.evidence[shown:]
    if rest:
        with st.expander(f"{count(len(rest))} more"):
            _sentences(rest)
    _action(one)


def _heading(one: Practice) -> str:
    return f":{STYLES[one.state]}[**{MARKS[one.state]} {one.state}**] · **{one.number} {escape(one.name)}**"


def _sentences(sentences: tuple[str, ...]) -> None:
    if sentences:
        st.markdown("  \n".join(escape(text) for text in sentences))


def _action(one: Practice) -> None:
    if not one.on_screen:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f":material/arrow_forward: **{escape(one.on_screen)}**", width="content")
        if one.page not in ("", REPORT.name):
            page = page_of(one.page)
            st.page_link(page.path, label=f"Open {page.title}")


def _overview(found: Checklist) -> None:
    st.markdown(f"## {escape(found.count_words)}", anchors=False)
    st.markdown("  \n".join(_heading(one) for one in found.practices))


def _large(one: Practice) -> None:
    st.markdown(f"## {_heading(one)}", anchors=False)
    _sentences(one.evidence)
    if one.on_screen:
        st.markdown(f"### :material/arrow_forward: {escape(one.on_screen)}", anchors=False)
