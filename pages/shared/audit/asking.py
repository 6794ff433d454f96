"""Which systems are in view, and which one is open; every choice stands in the address."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from metrics.content.audit.counting import Wanted
from metrics.content.audit.readings import CATEGORY_NAMES, NONE
from metrics.content.audit.systems import BY_KEY, MEASURES, NONE_NAMED, SEVERAL, SYSTEMS, System
from metrics.data.scale_words import SCALE_NAMES
from pages.shared import asking, state

CATEGORY, SCALE, MEASURE, TEXT, SYSTEM = ("audit_" + name for name in ("category", "scale", "measure", "text", "system"))
SCALES: dict[str, str] = {**{str(scale): name for scale, name in SCALE_NAMES.items()}, SEVERAL: "Several, or by task"}
REPORTED: dict[str, str] = {**MEASURES, NONE_NAMED: NONE}
CATEGORIES: dict[str, str] = {**CATEGORY_NAMES}
NAMES = {system.key: system.name for system in SYSTEMS}


def translate() -> None:
    """Links may name choices as `metrics` does."""
    state.translate({CATEGORY: CATEGORIES, SCALE: SCALES, MEASURE: REPORTED, SYSTEM: NAMES})


def wanted() -> Wanted:
    """Return the filter, with its widgets."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        _show_filter("Category", CATEGORIES, CATEGORY, "Every category", 150)
        _show_filter("Scale", SCALES, SCALE, "Every scale", 180)
        _show_filter("Reports", REPORTED, MEASURE, "Whatever it reports", 230)
        st.text_input("Search", key=TEXT, placeholder="name, author, licence", width=200, **asking.BOUND)
    return Wanted(*(str(st.session_state.get(key) or "") for key in (CATEGORY, SCALE, MEASURE, TEXT)))


def _show_filter(label: str, names: Mapping[str, str], key: str, every: str, width: int) -> None:
    st.selectbox(
        label, list(names), index=None, format_func=lambda name: names.get(name, name), key=key, placeholder=every, width=width,
        **asking.BOUND,
    )  # fmt: skip


def loosen() -> None:
    """Take back the whole filter; for callbacks."""
    for key in (CATEGORY, SCALE, MEASURE):
        st.session_state[key] = None
    st.session_state[TEXT] = ""


def opened(systems: Sequence[System]) -> System:
    """Return the system whose details are shown, with its selector: the first in view until another is chosen."""
    keys = [system.key for system in systems]
    if st.session_state.get(SYSTEM) not in (None, *keys):
        st.session_state[SYSTEM] = keys[0]
    chosen = st.selectbox(
        "System", keys, format_func=lambda key: NAMES.get(key, key), key=SYSTEM, width=320,
        help="Or choose a row of the table.", **asking.BOUND,
    )  # fmt: skip
    return BY_KEY[chosen if chosen in keys else keys[0]]


def open_row(table: str, keys: Sequence[str]) -> None:
    """The row that was chosen in the table; for callbacks. Taking a choice back leaves the system open."""
    rows = st.session_state[table]["selection"]["rows"]
    if rows and rows[0] < len(keys):
        st.session_state[SYSTEM] = keys[rows[0]]
