"""What a click does is done whole, whatever the browser asks for meanwhile."""

from __future__ import annotations

from threading import RLock
from typing import Any

from streamlit.runtime.state.safe_session_state import SafeSessionState

_rerun = SafeSessionState.on_script_will_rerun
_going = [RLock() for _ in range(256)]
"""Held while a click of a session is done; two sessions that share one wait for each other, some milliseconds."""


def keep_whole() -> None:
    """Once per process, before anybody's click.

    What a click does reads and writes the session, and at each of these Streamlit drops the rest of it for a request that has
    come meanwhile: a decision was lost, or a key that was pressed counted for the item before.
    """
    SafeSessionState.on_script_will_rerun = _in_one_go  # type: ignore[method-assign]


def _in_one_go(state: SafeSessionState, *arguments: Any, **more: Any) -> None:
    """Let what a click does be done before the next request is heard, and before that one's own clicks are done."""
    heard = state._yield_callback
    heard()
    with _going[id(state._state) // 64 % len(_going)]:
        object.__setattr__(state, "_yield_callback", lambda: None)
        try:
            _rerun(state, *arguments, **more)
        finally:
            object.__setattr__(state, "_yield_callback", heard)
