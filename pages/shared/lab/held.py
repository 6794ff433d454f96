"""The picture in view: kept for the session, taken from the address on arrival, and written back to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import streamlit as st

from metrics import InputError
from metrics.lab.lessons import Step
from metrics.lab.scenes import FIRST, KEYS, Scene, at_step, from_address
from metrics.lab.tables import Table

SCENE, PAST, HERE, TOP = "lab scene", "lab past", "lab lesson", "lab top"
MOST_PAST = 50


def arrive() -> InputError | None:
    """Take the picture of a link when the page is opened; why it could not be read, if so."""
    told = {key: st.query_params[key] for key in KEYS if key in st.query_params}
    new = HERE not in st.session_state
    # A widget's state goes when its page is left, so this one tells an arrival from an answer on the page.
    if not new or not told:
        return None
    try:
        start(from_address(told))
    except InputError as error:
        return error
    return None


def scene() -> Scene:
    found: Scene = st.session_state.setdefault(SCENE, at_step(FIRST))
    return found


def keep(new: Scene) -> None:
    """Show a picture, and remember the one before it."""
    past: list[Scene] = st.session_state.setdefault(PAST, [])
    if SCENE in st.session_state and st.session_state[SCENE] != new:
        past.append(st.session_state[SCENE])
        del past[:-MOST_PAST]
    st.session_state[SCENE] = new


def undo() -> None:
    if st.session_state.get(PAST):
        st.session_state[SCENE] = st.session_state[PAST].pop()


def undoable() -> bool:
    return bool(st.session_state.get(PAST))


def start(new: Scene) -> None:
    """Show a picture that is not made from the one in view."""
    keep(new)
    for side in "ab":
        st.session_state.pop(f"{TOP} {side}", None)


def to_step(key: str) -> None:
    start(at_step(key, scene().task))


def go(step: Step | None) -> None:
    if step is not None:
        to_step(step.key)


def change(**what: object) -> None:
    keep(replace(scene(), **what))  # type: ignore[arg-type]


def change_table(make: Callable[[Table], Table], *, second: bool) -> None:
    """Make one of the two tables anew; one that cannot be is left as it was."""
    now = scene()
    own = now.b if second else now.a
    if own is not None:
        keep(now.with_table(make(own), second=second))


def write_link() -> None:
    """Put the picture into the address."""
    told = scene().address()
    for key in KEYS:
        if key in told and st.query_params.get(key) != told[key]:
            st.query_params[key] = told[key]
        elif key not in told and key in st.query_params:
            del st.query_params[key]
