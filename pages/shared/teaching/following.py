"""A teacher's class: one opens it, others follow by its link, and may let go."""

from __future__ import annotations

import secrets

import streamlit as st

from metrics import InputError
from pages.shared import parts
from pages.shared.lab import held
from pages.shared.teaching import links
from pages.shared.teaching.classroom import GONE, Classrooms

CODE = "class"
"""In the address: the class that somebody follows."""
TAUGHT, PERSON, TURN, LET_GO = "class taught", "class person", "class turn", "class let go"
PLACED, SENT = "lab bets", "class bets sent"
EVERY = 2.0
"""Seconds between two looks at what the teacher shows."""


@st.cache_resource(show_spinner=False, max_entries=1)
def classrooms() -> Classrooms:
    """All classes of this process."""
    return Classrooms()


def taught() -> tuple[str, str] | None:
    """Return code and key of the class that this session teaches."""
    known: tuple[str, str] | None = st.session_state.get(TAUGHT)
    return known


def followed() -> str:
    """Return code of the class that this session follows; empty for none."""
    code = st.query_params.get(CODE, "")
    own = taught()
    return "" if own is not None and own[0] == code else code


def tell() -> None:
    """Put the step in view before the class, where this session teaches one."""
    own = taught()
    if own is not None and not classrooms().show(*own, held.scene().address()):
        del st.session_state[TAUGHT]


def open_class() -> None:
    """Open a class; for callbacks."""
    try:
        st.session_state[TAUGHT] = classrooms().open()
    except InputError as error:
        st.session_state["class refused"] = str(error)
        return
    tell()


def close_class() -> None:
    """End the class; for callbacks."""
    own = st.session_state.pop(TAUGHT, None)
    if own is not None:
        classrooms().close(*own)


def panel() -> None:
    """What a teacher needs of the class: its link, its code as a picture, and how to end it."""
    refused = st.session_state.pop("class refused", "")
    if refused:
        parts.refused(InputError(refused))
    own = taught()
    if own is None:
        st.markdown("Students who open the link of a class see your step, and may let go. It lasts four hours at most.")
        st.button("Open a class", key="class.open", on_click=open_class, icon=":material/groups:")
        return
    st.markdown(f"Class **{own[0]}** is open. Its link:")
    links.link({CODE: own[0]}, "class_qr")
    st.button("End the class", key="class.close", on_click=close_class)


def follow() -> None:
    """Below the head of the page, for students: whether they follow, and the teacher's step as it comes."""
    code = followed()
    if not code:
        return
    if classrooms().seen(code) is None:
        st.info(GONE, icon=":material/info:")
        return
    with st.container(horizontal=True, vertical_alignment="center", key="class_bar"):
        st.toggle("Follow the teacher", value=True, key=LET_GO)
        _watch(code)


@st.fragment(run_every=EVERY)
def _watch(code: str) -> None:
    """The teacher's step, once it is another; and what was bet here goes to the class."""
    _send_bets(code)
    shown = classrooms().seen(code)
    if shown is None:
        st.markdown("The class is over.")
        return
    turn, address = shown
    if st.session_state.get(LET_GO, True) and st.session_state.get(TURN) != (code, turn) and turn:
        st.session_state[TURN] = (code, turn)
        held.turn_back(address)
        st.rerun()
    st.markdown(":small[following]" if st.session_state.get(LET_GO, True) else ":small[on your own]")


def _send_bets(code: str) -> None:
    """Count in a class what was bet in this session, each bet once for a class."""
    person = st.session_state.setdefault(PERSON, secrets.token_urlsafe(8))
    sent: set[tuple[str, str]] = st.session_state.setdefault(SENT, set())
    for question, option in st.session_state.get(PLACED, {}).items():
        if (code, question) not in sent and classrooms().bet(code, question, person, int(option)):
            sent.add((code, question))


@st.fragment(run_every=EVERY)
def tally(question: str, options: tuple[str, ...]) -> None:
    """How the class has bet so far, for its teacher and for those who follow."""
    own = taught()
    code = own[0] if own is not None else followed()
    if not code:
        return
    counts = classrooms().tally(code, question, len(options))
    st.markdown(" · ".join(f"{option}: **{n}**" for option, n in zip(options, counts, strict=True)))


def in_class() -> bool:
    """Return whether this session teaches or follows a class."""
    return taught() is not None or bool(followed())
