"""A large part of a page is sent again unless the browser is sure to hold it still.

The browser says with every request which large messages it holds, and drops those that it has not used for some runs when a run
ends. One that ends after the request was made, and before the answer comes, takes away what the answer names: Streamlit then cuts
the connection for good. So the browser holds messages longer than the server names them.

Where a part of a page runs anew, Streamlit takes what it sent before out of the queue, but for names: those reach the browser
without the container that they stand in, and it shows nothing any more ("Bad delta path index"). So they are taken out too.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.forward_msg_cache import populate_hash_if_needed
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext
from streamlit.runtime.state import SessionState

HELD = "watch.large"
MOST_RUNS = 4
"""Runs since a message was last sent after which it is not named but sent. The browser holds messages for three times as many
(`global.maxCachedMessageAge`), since a message that a newer one overtakes on its way never reaches it.
"""
_reset, _enqueue, _clear = ScriptRunContext.reset, ScriptRunContext.enqueue, AppSession._clear_queue


class _Sent(NamedTuple):
    """In which run of its session a message was sent last, and of which part of the page it is; empty: of none."""

    run: int
    fragment: str


def name_only_what_is_held() -> None:
    """Once per process, before anything is sent."""
    ScriptRunContext.reset = _begin  # type: ignore[assignment, method-assign]
    ScriptRunContext.enqueue = _note  # type: ignore[assignment, method-assign]
    AppSession._clear_queue = _forget  # type: ignore[method-assign]


def _begin(run: ScriptRunContext, *arguments: Any, **more: Any) -> None:
    """Begin a run of a session: of what the browser says that it holds, count what was sent lately."""
    _reset(run, *arguments, **more)
    runs, sent = _of(run.session_state._state)
    sent = {name: last for name, last in sent.items() if runs - last.run < MOST_RUNS}
    run.session_state._state[HELD] = (runs + 1, sent)
    run.cached_message_hashes &= sent.keys()


def _note(run: ScriptRunContext, message: ForwardMsg) -> None:
    """Send a message, and take down in which run."""
    populate_hash_if_needed(message)
    if message.metadata.cacheable:
        # The state as it is: its guard would end the run here for a newer request.
        runs, sent = _of(run.session_state._state)
        sent[message.hash] = _Sent(runs, message.delta.fragment_id)
    _enqueue(run, message)


def _forget(session: AppSession, fragments: list[str] | None = None) -> None:
    """Take out of the queue of a session what a run sends anew: all of it, or what parts of the page sent."""
    _clear(session, fragments)
    if fragments:
        sent, queue = _of(session._session_state)[1], session._browser_queue
        queue._queue = [one for one in queue._queue if one.ref_hash not in sent or sent[one.ref_hash].fragment not in fragments]


def _of(state: SessionState) -> tuple[int, dict[str, _Sent]]:
    """Return the runs of a session so far, and of each message when it was sent last."""
    if HELD not in state:
        state[HELD] = (0, {})
    known: tuple[int, dict[str, _Sent]] = state[HELD]
    return known
