"""A comparison while somebody waits: a bar and a stop button where it takes long; what is done is kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from pages.shared import session_cache
from pages.shared.throttle import SLOW, Pace

MOST_KEPT = 24
FOUND, PARTS, STOPPED = "compare.found", "compare.parts", "compare.stopped"


@dataclass
class Job:
    """One piece of work of this session, by what was asked for.

    Attributes
    ----------
    part : any
        What is done so far; it outlives a run of the script that is cut short by the stop button.
    """

    key: str
    what: str
    _pace: Pace = field(default_factory=lambda: Pace(SLOW))
    _slot: Any = field(default_factory=st.empty)
    _bar: Any = None

    @property
    def part(self) -> Any:
        return session_cache.held(PARTS).get(self.key)

    @property
    def stopped(self) -> bool:
        return st.session_state.get(STOPPED) == self.key

    def tell(self, part: Any, share: float, text: str) -> None:
        """Keep what is done, and move the bar now and then."""
        session_cache.put(session_cache.held(PARTS), self.key, part, MOST_KEPT)
        if not self._pace.due():
            return
        if self._bar is None:
            with self._slot.container(border=True):
                with st.container(horizontal=True, vertical_alignment="center"):
                    st.markdown(self.what)
                    st.button("Stop", key=f"compare.stop {hash(self.key)}", on_click=_stop, args=(self.key,))
                self._bar = st.progress(0.0)
        self._bar.progress(min(share, 1.0), text=text)

    def done(self, result: Any) -> Any:
        """Keep the result instead of its parts."""
        self._slot.empty()
        session_cache.held(PARTS).pop(self.key, None)
        if self.stopped:
            st.session_state[STOPPED] = ""
        session_cache.put(session_cache.held(FOUND), self.key, result, MOST_KEPT)
        return result


def memoised(key: str, what: str, work: Callable[[Job], Any]) -> Any:
    """Return the result of `work`, kept for the session."""
    results = session_cache.held(FOUND)
    if key in results:
        return results[key]
    job = Job(key, what)
    return job.done(work(job))


def again(key: str) -> None:
    """Forget a result that was stopped, so that it is worked out whole."""
    session_cache.held(FOUND).pop(key, None)


def _stop(key: str) -> None:
    st.session_state[STOPPED] = key
