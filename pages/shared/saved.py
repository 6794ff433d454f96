"""Work that was saved as a file, taken up again."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from metrics import InputError
from pages.shared import session_cache, state
from pages.shared.plain import escape

Taken = Callable[[state.Dataset, bytes, str], str]
"""Takes up what a file holds, from its content and its name, and returns what became of it; refuses with an `InputError`."""


def loader(dataset: state.Dataset, label: str, key: str, told: str, take: Taken) -> None:
    """Where the file is chosen, and what became of the last one."""
    st.file_uploader(label, type=["json"], key=key, on_change=_load, args=(key, take), help=told)
    refused, text = session_cache.held(f"{key} told").get(dataset.id, (False, ""))
    if refused:
        st.error(escape(text), icon=":material/error:")
    elif text:
        st.info(escape(text), icon=":material/info:")


def _load(key: str, take: Taken) -> None:
    file, dataset = st.session_state[key], state.dataset_of_the_file()
    if file is None or dataset is None:
        return
    try:
        said = False, take(dataset, file.getvalue(), file.name)
    except InputError as problem:
        said = True, str(problem)
    session_cache.held(f"{key} told")[dataset.id] = said
