"""What is in the file, and what was left out?"""

from __future__ import annotations

import streamlit as st

from pages.data import _draft, _opening, _outcome, _understood
from pages.shared import parts, state
from pages.shared.plain import escape


def page() -> None:
    parts.title("Data", "What is in the file, and what was left out?")
    if state.unknown_id() and not _draft.waiting():
        parts.nothing_open(here=True)
    with st.container(horizontal=True, gap="large"):
        with st.container(key="wide_open"):
            _opening.column()
        draft, its = _draft.current(), state.dataset()
        with st.container(key="wide_understood"):
            if draft is not None:
                _understood.column(draft)
            elif its is not None:
                _understood.summary(its)
    if _draft.waiting() and its is not None:
        st.info(f"Until you use the new file, every page still shows {escape(its.title)}.", icon=":material/info:")
    elif its is not None:
        _outcome.account(its)
    table = draft.table if draft is not None else its.table if its is not None else None
    if table is not None:
        _outcome.preview(table)


page()
