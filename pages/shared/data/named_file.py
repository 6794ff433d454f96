"""The file that the server was started with: open when a session begins, as if it had been dropped in."""

from __future__ import annotations

import os
from pathlib import Path

import streamlit as st

from metrics.readers import Proposal
from pages.shared import parts, state
from pages.shared.data import pending
from pages.shared.page_records import DATA

FILE = "KAPPASCOPE_FILE"


def open_once() -> None:
    """Open the named file once in a session, beside what its link names; where something is in doubt, the page *Data* asks."""
    path = os.environ.get(FILE)
    if not path or pending.NAMED in st.session_state:
        return
    st.session_state[pending.NAMED] = ""
    if _opened(Path(path)):
        wanted = st.query_params.get("data", "")
        if wanted in state.titles():
            state.choose(wanted)
    else:
        parts.go_to(DATA.path)


def _opened(path: Path) -> bool:
    """Return whether the file is in use; otherwise it waits for an answer, or was refused."""
    try:
        content = path.read_bytes()
    except OSError as error:
        st.session_state[pending.ERROR] = f"{path.name} cannot be read: {error.strerror}."
        return False
    pending.read(((path.name, content),))
    draft = pending.current()
    if draft is None or not pending.waiting():
        return False
    st.session_state[pending.NAMED] = draft.id
    proposal = draft.start()
    if isinstance(proposal, Proposal) and not proposal.blocking:
        pending.offer(draft, proposal)
        pending.use(draft.id)
    return not pending.waiting() and not pending.error()
