"""A lesson alone: its step, a bet before the next one, and the figure that one holds."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from metrics.content.lab import bets
from metrics.content.lab.lessons import lesson_of
from metrics.content.lab.scenes import Scene
from pages.shared.copying import copy_button
from pages.shared.lab import figure, held, lessons
from pages.shared.plain import escape
from pages.shared.state import enter_room
from pages.shared.teaching import following, links

COPY_WIDTH = 150
"""Px in which the name of the button stands whole."""


def story(scene: Scene) -> None:
    """The step in view."""
    with st.container(key="lab_story", gap="xsmall"):
        lessons.steps(scene)
        with st.container(key="lab_bet", gap="small"):
            _bet(scene)
        figure.held_figure(scene)
        _around(scene)


def _bet(scene: Scene) -> None:
    """What is asked before the next step."""
    one = bets.BETS.get(scene.step)
    if one is not None:
        bet(scene.step, bets.question(scene.step, scene.words), one.options, one.right, bets.why(scene.step, scene.words))


def bet(at: str, question: str, options: Sequence[str], right: int, why: str = "") -> None:
    """Ask for a bet, of which the first answer counts; a class sees how many gave which."""
    placed: dict[str, int] = st.session_state.setdefault(following.PLACED, {})
    chosen, key, shown = placed.get(at), f"lab bet {at}", [escape(option) for option in options]
    if chosen is not None:
        st.session_state[key] = chosen
    st.segmented_control(
        f"**Your bet.** {escape(question)}", range(len(shown)), format_func=shown.__getitem__, key=key,
        disabled=chosen is not None, on_change=_place, args=(at,),
    )  # fmt: skip
    if chosen is not None:
        verdict = ":material/check: **Right.**" if chosen == right else f":material/close: Right is **{shown[right]}.**"
        st.markdown(f"{verdict} {escape(why)}")
    if following.in_class():
        following.tally(at, tuple(shown))


def _place(at: str) -> None:
    option = st.session_state[f"lab bet {at}"]
    if option is not None:
        st.session_state.setdefault(following.PLACED, {}).setdefault(at, int(option))


def _around(scene: Scene) -> None:
    """The score, the source, and the ways out of the lesson."""
    lesson = lesson_of(scene.step)
    score = bets.score(st.session_state.get(following.PLACED, {}))
    lines = [line for line in (score, f"Source: {lesson.source}" if lesson.source else "") if line]
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="lab_out"):
        if scene.custom:
            st.button("Back to the step", key="lab.back", on_click=held.to_step, args=(scene.step,), icon=":material/undo:")
        st.button("Open the full lab", key="lab.full", on_click=held.open_full, args=(True,), icon=":material/science:")
        if st.button("Room view", key="lab.room", on_click=enter_room, icon=":material/fullscreen:"):
            st.rerun()
        with st.container(width=COPY_WIDTH):
            copy_button("Copy link", "lab.copy", links.address(scene.address()))
        st.markdown(f":small[{escape(' · '.join(lines))}]" if lines else "")
