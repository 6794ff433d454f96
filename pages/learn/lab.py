"""Why can 90 % agreement be worth nothing?"""

from __future__ import annotations

import streamlit as st

from pages.shared import as_lines, parts, state
from pages.shared.lab import around, held, lessons, views
from pages.shared.teaching import following, own_lesson, pack, shown, speaking

TITLE, ASKS = "Paradox lab", "Why can 90 % agreement be worth nothing?"


def page() -> None:
    unread = held.arrive()
    if shown.taken_over():
        return
    room_view = state.in_room_view()
    if not room_view:
        parts.title(TITLE, ASKS)
    if unread is not None:
        parts.refused(unread)
    if room_view:
        room()
    else:
        following.follow()
        if not own_lesson.walked():
            desk()


@st.fragment
def desk() -> None:
    """Controls and views; a move draws only these again."""
    scene = held.scene()
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
    """For a projector: the sentence, the table, one view beside it; the arrow keys turn the steps."""
    scene = held.scene()
    with views.figures_last(), st.container(key="lab_room", gap="xsmall"):
        lessons.on_a_projector(scene)
        with st.container(horizontal=True, gap="medium", key="lab_views"):
            with st.container(key="wide_lab_mosaic"):
                views.tables(scene)
            with st.container(key="wide_lab_beside"):
                views.drawings(scene)[lessons.shown_beside()]()
        around.declaration(scene)
        held.write_link()
    speaking.keys()
    held.drawn()


page()
