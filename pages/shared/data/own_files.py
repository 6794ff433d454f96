"""The files of this session, each with a way to let go of it."""

from __future__ import annotations

import streamlit as st

from metrics.results.words import count
from pages.shared import quota, state
from pages.shared.data import pending, same_shape
from pages.shared.keeping import device
from pages.shared.plain import short


def listed() -> None:
    """Nothing before the first file."""
    datasets = state.uploads()
    if not datasets:
        return
    with st.expander(f"Files of this session: {count(len(datasets))}"):
        for name, dataset in reversed(datasets.items()):
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(short(dataset.title), width="stretch")
                st.button(
                    "Remove", key=f"data.remove {name}", help=f"Forget {short(dataset.title)}", on_click=_remove, args=(name,)
                )
        if quota.most():
            st.markdown(f"Together {quota.held() / quota.MB:.1f} of {quota.most() // quota.MB} MB that a session may hold.")


def _remove(name: str) -> None:
    dataset = state.uploads().pop(name, None)
    if dataset is not None:
        same_shape.forget_file(dataset.title)
    pending.drop(name)
    device.forget(name)
    if st.session_state.get("data") == name:
        state.choose(next(reversed(state.uploads()), state.default_id()))
