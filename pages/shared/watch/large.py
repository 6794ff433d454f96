"""A large part of a page is sent again unless the browser is sure to hold it still.

The browser says with every request which large messages it holds, and drops those that it has not used for some runs when a run
ends. One that ends after the request was made, and before the answer comes, takes away what the answer names: Streamlit then cuts
the connection for good. So the browser holds messages longer than the server names them.
"""

from __future__ import annotations

from typing import Any

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.forward_msg_cache import populate_hash_if_needed
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext

HELD = "watch.large"
MOST_RUNS = 4
"""Runs since a message was last sent after which it is not named but sent. The browser holds messages for three times as many
(`global.maxCachedMessageAge`), since a message that a newer one overtakes on its way never reaches it.
"""
_reset, _enqueue = ScriptRunContext.reset, ScriptRunContext.enqueue


def name_only_what_is_held() -> None:
    """Once per process, before anything is sent."""
    ScriptRunContext.reset = _begin  # type: ignore[assignment, method-assign]
    ScriptRunContext.enqueue = _note  # type: ignore[assignment, method-assign]


def _begin(run: ScriptRunContext, *arguments: Any, **more: Any) -> None:
    """Begin a run of a session: of what the browser says that it holds, count what was sent lately."""
    _reset(run, *arguments, **more)
    runs, sent = _of(run)
    sent = {name: at for name, at in sent.items() if runs - at < MOST_RUNS}
    run.session_state._state[HELD] = (runs + 1, sent)
    run.cached_message_hashes &= sent.keys()


def _note(run: ScriptRunContext, message: ForwardMsg) -> None:
    """Send a message, and take down in which run."""
    populate_hash_if_needed(message)
    if message.metadata.cacheable:
        runs, sent = _of(run)
        sent[message.hash] = runs
    _enqueue(run, message)


def _of(run: ScriptRunContext) -> tuple[int, dict[str, int]]:
    """Return the runs of a session so far, and in which of them each message was sent last."""
    session = run.session_state._state  # as it is: its guard would end the run here for a newer request
    if HELD not in session:
        session[HELD] = (0, {})
    known: tuple[int, dict[str, int]] = session[HELD]
    return known
