"""Three keys for whoever speaks in the room: N the notes, B a blank screen, Q the code of the step."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.shared.lab import held
from pages.shared.teaching import following, links, notes

JS = Path(__file__).with_suffix(".js")
HELP = "N notes · B blank · Q code"


@st.cache_resource(show_spinner=False, max_entries=1)
def _component() -> object:
    return st.components.v2.component("speaking", js=JS.read_text("utf-8"))


def keys() -> None:
    """Listen for the keys, with what they show of the step in view; the class hears of it."""
    following.tell()
    scene, own = held.scene(), following.taught()
    parameters = scene.address() | ({following.CODE: own[0]} if own is not None else {})
    whole = links.address(parameters)
    code = links.qr_svg(whole) if len(whole) <= links.LONGEST else ""
    data = {"notes": notes.note(scene.step), "code": code, "address": whole}
    _component()(key="unseen_speaking", data=data, height="content")  # type: ignore[operator]
