"""The teacher's pack, behind one button of the lab: a class, links for slides and for paper, and a lesson of one's own."""

from __future__ import annotations

import streamlit as st

from metrics.content.lab.lessons import first_needs
from pages.shared.lab import held
from pages.shared.page_records import AUDIT
from pages.shared.teaching import following, links, own_lesson, shown, speaking


def section() -> None:
    """The button, and after the first lesson a real κ below all its criteria; the class hears of the step in view."""
    following.tell()
    with st.container(horizontal=True, gap="small", key="teaching"):
        with st.popover("Teach", icon=":material/school:"):
            _pack()
        if held.is_full() or not first_needs(held.scene().step):
            st.page_link(AUDIT.path, label="A real κ below every criterion", icon=":material/arrow_forward:")


def _pack() -> None:
    following.panel()
    step = held.scene().address()
    st.markdown("**This step alone**, for slides and course sites (720 × 480):")
    st.code(links.address({**step, shown.SHOW: shown.FIGURE}), language=None, wrap_lines=True)
    st.markdown("**This lesson on paper**, with tasks, and what solves them on a sheet of its own:")
    st.code(links.address({**step, shown.SHOW: shown.PRINT}), language=None, wrap_lines=True)
    st.markdown(f"**In room view:** {speaking.HELP}.")
    own_lesson.load()
