"""A lesson that a teacher wrote: loaded from a small file, shared by its link, walked in the lab."""

from __future__ import annotations

from hashlib import sha256

import streamlit as st

from metrics import InputError
from metrics.content.lab.lesson_file import EXAMPLE, OwnLesson, OwnStep, packed, unpacked
from pages.shared import parts, turning
from pages.shared.lab import story, views
from pages.shared.plain import escape
from pages.shared.teaching import links

LESSON, AT = "lesson", "own lesson at"


def load() -> None:
    """Take a lesson from a file, and give its link."""
    st.markdown("**A lesson of your own**: a small JSON file of tables, sentences and bets.")
    st.download_button("Example", EXAMPLE, "lesson.json", "application/json", key="own.example")
    given = st.file_uploader("Lesson file", type=["json"], key="own.file")
    if given is None:
        return
    try:
        parameters = {LESSON: packed(given.getvalue())}
    except InputError as error:
        parts.refused(error)
        return
    links.link(parameters, "own_qr")
    if st.button("Walk it", key="own.walk", type="primary"):
        st.query_params[LESSON] = parameters[LESSON]
        st.rerun()


def walked() -> bool:
    """Draw the lesson of the address, if there is one; return whether there is."""
    text = st.query_params.get(LESSON, "")
    if not text:
        return False
    try:
        _walk(unpacked(text), sha256(text.encode()).hexdigest()[:12])
    except InputError as error:
        parts.refused(error)
        _leave()
    return True


@st.fragment
def _walk(lesson: OwnLesson, name: str) -> None:
    last = len(lesson.steps) - 1
    place = min(int(st.session_state.get(f"{AT} {name}", 0)), last)
    step = lesson.steps[place]

    def go(to: int) -> None:
        st.session_state[f"{AT} {name}"] = to

    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="own_steps"):
        st.button("Previous", key="own.previous", disabled=place == 0, on_click=go, args=(place - 1,))
        st.markdown(f"{place + 1} of {last + 1}", width="content")
        st.button("Next", key="own.next", type="primary", disabled=place == last, on_click=go, args=(place + 1,))
        turning.every_press_counts(("own.previous", "own.next"), place, last, go, arrows=True)
        _leave()
    st.header(escape(step.filled(step.title)), anchor=False)
    st.markdown(escape(step.filled(step.sentence)))
    if step.bet is not None:
        story.bet(f"{name} {place}", step.bet.question, step.bet.options, step.bet.right)
    _figures(step)
    st.markdown(f":small[{escape(f'{lesson.title}. {lesson.source}' if lesson.source else lesson.title)}]")
    if step.note:
        with st.expander("Note for the teacher"):
            st.markdown(escape(step.note))


def _leave() -> None:
    if st.button("To the lab’s lessons", key="own.leave"):
        del st.query_params[LESSON]
        st.rerun(scope="app")


def _figures(step: OwnStep) -> None:
    scene = step.scene
    with st.container(horizontal=True, gap="medium"):
        with st.container(key="wide_own_table"):
            views.mosaic(scene, scene.picture, "a")
            if scene.b is not None and scene.other is not None:
                views.mosaic(scene, scene.other, "b")
        with st.container(key="wide_own_chance"):
            views.drawings(scene)["split"]()
