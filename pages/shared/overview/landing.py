"""What a visitor meets first: what this is, a place to drop a file, three samples."""

from __future__ import annotations

import streamlit as st

from metrics.readers import Proposal
from metrics.readers.settled import settled
from pages.shared import cached, parts, state
from pages.shared.data import pending, sheet_choice
from pages.shared.keeping import device
from pages.shared.page_records import DATA
from pages.shared.plain import escape, sentence

UPLOAD = "landing.upload"
PROMISE = (
    "Can you trust your LLM judge? Drop in its labels and those of people, and read how good it is, where it fails, and how sure "
    "that is."
)
CARDS = ("support_answers", "rao_always_negative", "pooled_at_chance")
"""Samples on the first page, each for another lesson."""


def show(dataset: state.Dataset) -> None:
    parts.title(PROMISE, "Kappascope")
    with st.container(horizontal=True, gap="medium"):
        with st.container(key="wide_drop"):
            drop_zone()
        with st.container(key="wide_samples", gap="xsmall"):
            st.markdown("**Or look at a sample**")
            for name in CARDS:
                st.button(
                    escape(cached.samples()[name]["title"]),
                    key=f"landing.sample {name}",
                    help=escape(cached.samples()[name]["description"]),
                    on_click=state.choose,
                    args=(name,),
                    disabled=dataset.id == name,
                    width="stretch",
                )
    st.header(f"Sample: {escape(cached.samples()[dataset.id]['title'])}", anchor=False, divider="gray")


def drop_zone() -> None:
    """Files to open: at once where they leave nothing open, else by the questions of the page Data."""
    st.file_uploader(
        "Your file, or several to join",
        key=UPLOAD,
        accept_multiple_files=True,
        on_change=_dropped,
        help="CSV, Excel, Parquet, JSON, or an export of Langfuse, MLflow, Phoenix and others. Nothing leaves the machine that "
        "serves this page.",
    )
    if pending.error():
        st.error(sentence(pending.error()), icon=":material/error:")
    if st.session_state.get(pending.ASKS):
        st.switch_page(DATA.path)


def _dropped() -> None:
    files = st.session_state.get(UPLOAD)
    if not files:
        return
    pending.receive(" ".join(file.file_id for file in files), lambda: pending.contents(device.noted(files)))
    draft = pending.current() if pending.waiting() else None
    start, asked = draft.start() if draft is not None else None, sheet_choice.is_asked()
    known = draft is not None and not (asked or draft.as_before or draft.unlike)
    if draft is not None and known and isinstance(start, Proposal) and settled(draft.table, start):
        pending.offer(draft, start)
        pending.use(draft.id)
    st.session_state[pending.ASKS] = pending.waiting() or asked
