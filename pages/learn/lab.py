"""Why can 90 % agreement be worth nothing?"""

from __future__ import annotations

import streamlit as st

from metrics.content.lab.lessons import first_needs
from pages.shared import as_lines, parts, sheets, stage, state
from pages.shared.lab import around, figure, held, lessons, story, views
from pages.shared.lab.lessons import SHOWN
from pages.shared.page_records import AUDIT, LAB
from pages.shared.teaching import following, links, own_lesson, shown, speaking

DRAWN = "lab drawn full"
ASKS = "Why can 90 % agreement be worth nothing?"


def page() -> None:
    unread = held.arrive()
    if shown.taken_over():
        return
    room_view = state.in_room_view()
    if not room_view:
        head()
    if unread is not None:
        parts.refused(unread)
    if room_view:
        room()
    else:
        following.follow()
        if not own_lesson.walked():
            desk()


def head() -> None:
    """The title; above a lesson it takes one line, and no question of its own."""
    if held.is_full():
        parts.title(ASKS)
    else:
        sheets.declare({})
        st.title(LAB.title, anchor=False)


@st.fragment
def desk() -> None:
    """Controls and views; a move draws only these again."""
    scene = held.scene()
    if held.is_full() != st.session_state.setdefault(DRAWN, held.is_full()):
        st.session_state[DRAWN] = held.is_full()
        st.rerun()
    if not held.is_full():
        story.story(scene)
        _teaching()
        as_lines.section(None, *views.calls(scene))
        held.write_link()
        held.drawn()
        return
    with views.figures_last():
        lessons.steps(scene)
        around.declaration(scene)
        views.everything(scene, around.below)
        as_lines.section(None, *views.calls(scene))
        held.write_link()
    _teaching()
    held.drawn()


@st.fragment
def room() -> None:
    """For a projector: the sentence and the figure, or the table and one view beside it; the arrow keys turn the steps."""
    scene = held.scene()
    with views.figures_last(), st.container(key="lab_room", gap="xsmall"):
        lessons.on_a_projector(scene)
        beside = lessons.shown_beside()
        if beside == held.FIGURE:
            figure.held_figure(scene)
        else:
            st.html(stage.SLIDE)
            with st.container(key="room_slide"), st.container(horizontal=True, gap="medium", key="lab_views"):
                with st.container(key="wide_lab_mosaic"):
                    views.tables(scene)
                with st.container(key="wide_lab_beside"):
                    views.drawings(scene)[beside]()
            stage.fit(list(SHOWN).index(beside))
        around.declaration(scene)
        held.write_link()
    speaking.keys()
    held.drawn()


def _teaching() -> None:
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


page()
