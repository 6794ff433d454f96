"""A large part of a page is named instead of sent only while the browser is sure to hold it still."""

from __future__ import annotations

import tomllib

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.forward_msg_cache import populate_hash_if_needed
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.runtime.fragment import MemoryFragmentStorage
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext
from streamlit.runtime.state import SessionState
from streamlit.runtime.state.safe_session_state import SafeSessionState

from pages.shared.watch import large
from tests.browser.driver import ROOT

BROWSER = tomllib.loads((ROOT / ".streamlit/config.toml").read_text("utf-8"))["global"]["maxCachedMessageAge"]


@pytest.fixture(autouse=True)
def named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ScriptRunContext, "reset", large._reset)
    monkeypatch.setattr(ScriptRunContext, "enqueue", large._enqueue)
    monkeypatch.setattr(AppSession, "_clear_queue", large._clear)
    large.name_only_what_is_held()


class Session:
    """A session and its browser: each run is a new context, as after every answer."""

    def __init__(self) -> None:
        self.came: list[ForwardMsg] = []
        self.state = SessionState()
        self._session_state, self._browser_queue = self.state, ForwardMsgQueue()

    def _refuse(self) -> None:
        raise AssertionError("a newer request ends the run")

    def run(self, *texts: str, held: frozenset[str]) -> list[str]:
        """Send texts in a run of which the browser says that it holds messages; what came of each: its words or its name."""
        before = len(self.came)
        context = self.begun(held)
        for text in texts:
            context.enqueue(message(text))
        return [one.ref_hash or one.delta.new_element.markdown.body for one in self.came[before:]]

    def begun(self, held: frozenset[str]) -> ScriptRunContext:
        calm = SafeSessionState(self.state, lambda: None)
        context = ScriptRunContext(
            session_id="one", _enqueue=self.came.append, query_string="", session_state=calm,
            uploaded_file_mgr=MemoryUploadedFileManager("/upload"), main_script_path="", user_info={"email": None},
            fragment_storage=MemoryFragmentStorage(), pages_manager=PagesManager(""),
        )  # fmt: skip
        context.reset(cached_message_hashes=held)
        context.session_state = SafeSessionState(self.state, self._refuse)
        return context


def message(text: str) -> ForwardMsg:
    made = ForwardMsg()
    made.delta.new_element.markdown.body = text
    return made


def name(text: str) -> str:
    made = message(text)
    populate_hash_if_needed(made)
    return str(made.hash)


LARGE, OTHER, SMALL = "a figure " * 2000, "another figure " * 2000, "a word"
ALL = frozenset(map(name, (LARGE, OTHER)))
RUNS = range(1, 2 * large.MOST_RUNS)


def test_what_the_browser_holds_is_named_and_nothing_else() -> None:
    session = Session()
    assert session.run(LARGE, SMALL, held=frozenset()) == [LARGE, SMALL]
    assert session.run(LARGE, OTHER, SMALL, held=frozenset({name(LARGE)})) == [name(LARGE), OTHER, SMALL]
    assert session.run(LARGE, held=frozenset()) == [LARGE]


def test_what_is_sent_in_every_run_is_named_for_ever() -> None:
    session = Session()
    session.run(LARGE, held=frozenset())
    assert [session.run(LARGE, held=ALL) for _ in RUNS] == [[name(LARGE)] for _ in RUNS]


@pytest.mark.parametrize("between", RUNS)
def test_what_was_not_sent_for_some_runs_is_sent_anew_though_the_browser_holds_it(between: int) -> None:
    session = Session()
    session.run(LARGE, held=frozenset())
    for _ in range(between - 1):
        session.run(SMALL, held=ALL)
    came = session.run(LARGE, held=ALL)
    assert came == [name(LARGE) if between <= large.MOST_RUNS else LARGE]


def test_what_another_session_was_sent_is_not_named() -> None:
    Session().run(LARGE, held=frozenset())
    assert Session().run(LARGE, held=ALL) == [LARGE]


def test_the_browser_holds_messages_longer_than_they_are_named() -> None:
    """Each run that ends takes one from what a message has left, and at most those since it was sent last can have ended."""
    assert BROWSER >= 3 * large.MOST_RUNS


@pytest.mark.parametrize("fragment", ["a part", ""])
def test_what_a_part_of_a_page_named_leaves_the_queue_with_the_rest_of_it(fragment: str) -> None:
    """Alone it would reach the browser before the container that it stands in."""
    session = Session()
    for _ in range(2):
        context = session.begun(frozenset(one.hash for one in session.came))
        for place, one in enumerate((container(), message(LARGE), message(SMALL))):
            one.metadata.delta_path[:] = [0, 3, place] if place else [0, 3]
            one.delta.fragment_id = fragment
            context.enqueue(one)
    for one in session.came[3:]:
        session._browser_queue.enqueue(one)
    assert [one.WhichOneof("type") for one in session.came] == ["delta"] * 4 + ["ref_hash", "delta"]
    AppSession._clear_queue(session, ["a part"])  # type: ignore[arg-type]
    assert len(session._browser_queue) == (0 if fragment else 3)


def container() -> ForwardMsg:
    made = ForwardMsg()
    made.delta.add_block.allow_empty = True
    return made
