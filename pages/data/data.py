"""What is in the file, and what was left out?"""

from __future__ import annotations

import streamlit as st

from pages.shared import parts, state
from pages.shared.data import opening, outcome, pending, understood
from pages.shared.page_records import OVERVIEW
from pages.shared.plain import escape


def page() -> None:
    st.session_state.pop(pending.ASKS, None)
    if pending.just_opened():
        parts.go_to(OVERVIEW.path)
    parts.title("What is in the file, and what was left out?")
    if state.unknown_id() and not pending.waiting():
        parts.nothing_open(here=True)
    with st.container(horizontal=True, gap="large"):
        with st.container(key="wide_open"):
            opening.column()
        draft, dataset = pending.current(), state.dataset()
        with st.container(key="wide_understood"):
            if draft is not None:
                understood.column(draft)
            elif dataset is not None:
                understood.summary(dataset)
    if pending.waiting() and dataset is not None:
        st.info(f"Until you use the new file, every page still shows {escape(dataset.title)}.", icon=":material/info:")
    elif dataset is not None:
        outcome.account(dataset)
        outcome.again(dataset)
    table = draft.table if draft is not None else dataset.table if dataset is not None else None
    if table is not None:
        outcome.preview(table)


page()
