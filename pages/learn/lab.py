"""Why can 90 % agreement be worth nothing?"""

from __future__ import annotations

import streamlit as st

from pages.shared import as_lines, parts, sheets, stage, state
from pages.shared.lab import around, figure, held, lessons, story, views
from pages.shared.lab.lessons import SHOWN
from pages.shared.page_records import LAB
from pages.shared.teaching import following, own_lesson, pack, shown, speaking

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
        pack.section()
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
    pack.section()
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


page()
