"""Which columns of the file stand beside the labels in a list of decisions."""

from __future__ import annotations

import streamlit as st

from metrics.data.item_texts import shown_first
from pages.shared import state

SHOWN = "texts.shown"
HELP = "Columns of your file that stand beside the labels in every list of decisions. A download holds all of them."


def chosen(dataset: state.Dataset) -> list[str] | None:
    """Return the columns to show, kept for the session; None, for all, where there is nothing to choose."""
    columns, first = shown_first(dataset.ratings)
    key = f"{SHOWN} {dataset.id}"
    if choosable(dataset):
        # What is kept decides, also when another page shows the choice for the first time.
        st.session_state.setdefault(key, first)
        st.multiselect("Texts beside the labels", columns, key=key, help=HELP, placeholder="None", persist_state="session")
    return held(dataset)


def choosable(dataset: state.Dataset) -> bool:
    """Return whether there is something to choose from."""
    return len(shown_first(dataset.ratings)[0]) > 1 and not state.in_room_view()


def held(dataset: state.Dataset) -> list[str] | None:
    """Return the columns as chosen, without asking."""
    shown: list[str] | None = st.session_state.get(f"{SHOWN} {dataset.id}")
    return shown
