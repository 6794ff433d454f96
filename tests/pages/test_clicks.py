"""A click is done whole: no request that comes meanwhile takes the rest of it, and none begins before its end."""

from __future__ import annotations

import time
from threading import Event, Thread
from typing import Any

import pytest
from streamlit.runtime.state import SessionState
from streamlit.runtime.state.safe_session_state import SafeSessionState

from pages.shared.watch import clicks


class Asked(Exception):
    """Another request of the browser has come."""


@pytest.fixture(autouse=True)
def whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SafeSessionState, "on_script_will_rerun", clicks._rerun)
    clicks.keep_whole()


def test_what_comes_meanwhile_is_heard_after_the_click(monkeypatch: pytest.MonkeyPatch) -> None:
    pending: list[str] = []

    def heard() -> None:
        if pending:
            raise Asked

    state = SafeSessionState(SessionState(), heard)

    def click(*_: Any, **__: Any) -> None:
        pending.append("another click")
        state["code"] = "judge"
        state["place"] = state["code"] + " 2"

    monkeypatch.setattr(SessionState, "on_script_will_rerun", click)
    state.on_script_will_rerun(None)
    pending.clear()
    assert (state["code"], state["place"]) == ("judge", "judge 2")
    pending.append("another click")
    with pytest.raises(Asked):
        state["code"] = "human"


def test_a_click_that_fails_leaves_requests_to_be_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError

    asked: list[int] = []
    state = SafeSessionState(SessionState(), lambda: asked.append(1))
    monkeypatch.setattr(SessionState, "on_script_will_rerun", fails)
    with pytest.raises(ZeroDivisionError):
        state.on_script_will_rerun(None)
    before = len(asked)
    state["code"] = "human"
    assert len(asked) == before + 1


def test_the_next_request_of_a_session_waits_for_the_click(monkeypatch: pytest.MonkeyPatch) -> None:
    session, begun, done = SessionState(), Event(), []

    def click(*_: Any, **__: Any) -> None:
        name = "next" if begun.is_set() else "first"
        begun.set()
        time.sleep(0.2 if name == "first" else 0)
        done.append(name)

    monkeypatch.setattr(SessionState, "on_script_will_rerun", click)
    first = Thread(target=SafeSessionState(session, lambda: None).on_script_will_rerun, args=(None,))
    first.start()
    begun.wait()
    SafeSessionState(session, lambda: None).on_script_will_rerun(None)
    first.join()
    assert done == ["first", "next"]
