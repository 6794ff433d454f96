from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import plotly.io as pio
import pytest
import streamlit as st
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.testing.v1 import AppTest, app_test, local_script_runner

from deploy import serve
from metrics.figures.traces import Figure
from pages.shared import cached, sheets
from tests.pages.seen import every_number_can_be_quoted

ROOT = Path(__file__).resolve().parents[2]
Open = Callable[..., AppTest]


def _until_it_ends(runner: local_script_runner.LocalScriptRunner, timeout: float) -> None:
    assert runner._script_thread is not None
    runner._script_thread.join(timeout)
    assert runner.script_stopped(), f"the page still runs after {timeout} s"


@pytest.fixture(scope="package", autouse=True)
def done_once() -> Iterator[None]:
    """What a server does once, every AppTest does anew: search all installed packages for components, compile the scripts.

    Together that took longer than most of what is tested. Samples are read once too: on a server they are kept for all sessions.
    One value of a session is looked up as it is there. The end of a run is waited for, and not asked for every millisecond.
    """
    found, scripts = manifest_scanner.scan_component_manifests(), ScriptCache()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", lambda: found)
        for module in (app_test, local_script_runner):
            patch.setattr(module, "ScriptCache", lambda: scripts)
        patch.setattr(local_script_runner, "require_widgets_deltas", _until_it_ends)
        patch.setattr(SafeSessionState, "filtered_state", property(serve.Looked))
        for name in ("_sample", "_sample_table"):
            patch.setattr(cached, name, cache(getattr(cached, name).__wrapped__))
        yield


def _empty() -> None:
    st.cache_data.clear()
    st.cache_resource.clear()


@pytest.fixture(scope="module", autouse=True)
def empty_caches() -> Iterator[None]:
    """All AppTests are one session to the caches: what a file has worked out serves the rest of that file, and no other."""
    _empty()
    yield
    _empty()


@pytest.fixture(autouse=True)
def cold(request: pytest.FixtureRequest) -> Iterator[None]:
    """A test that changes how something is worked out finds nothing worked out, and leaves nothing."""
    changing = "monkeypatch" in request.fixturenames
    if changing:
        _empty()
    yield
    if changing:
        _empty()


@pytest.fixture(scope="package")
def registered(done_once: None) -> dict[str, Any]:
    """The pages behind the addresses; an AppTest knows them after its first run only."""
    return AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()._registered_pages


def _filled(part: Any) -> Any:
    """Without what is empty and without the template, which says nothing."""
    if isinstance(part, dict):
        return {name: _filled(own) for name, own in part.items() if name != "template" and own not in ([], {}, None)}
    return [_filled(own) for own in part] if isinstance(part, list) else part


@pytest.fixture(scope="session")
def known_figures() -> set[str]:
    """What was sent and is just what plotly makes of it, as text: the same figure need not be asked about twice."""
    return set()


@pytest.fixture(autouse=True)
def figures_that_plotly_knows(known_figures: set[str]) -> Iterator[None]:
    """A page sends its figures unchecked; here each must be what plotly makes of it once looked into."""
    send = Figure.to_dict

    def checked(figure: Figure) -> dict[str, Any]:
        found = send(figure)
        sent = pio.to_json(found, validate=False)
        if sent not in known_figures:
            assert figure.data is not None
            known = pio.to_json(send(figure), validate=False)
            ours, theirs = (_filled(json.loads(one)) for one in (sent, known))
            assert ours == theirs
            known_figures.add(sent)
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Figure, "to_dict", checked)
        yield


@pytest.fixture
def file_names(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Names of the files that the pages offer, filled as they are drawn."""
    found: set[str] = set()
    button = sheets.button

    def named(label: str, make: Callable[[], str | bytes], name: str, key: str, mime: str = "text/csv") -> None:
        found.add(name)
        button(label, make, name, key, mime)

    monkeypatch.setattr(sheets, "button", named)
    return found


@pytest.fixture
def visit(registered: dict[str, Any]) -> Open:
    """The app as a visitor meets it who follows a link to a page."""

    def start(page: str | None = None, **query: str) -> AppTest:
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
        for key, value in query.items():
            app.query_params[key] = value
        if page is not None:
            app._registered_pages = registered
            app.switch_page(page)
        app.run()
        assert not app.exception
        assert every_number_can_be_quoted(app)
        return app

    return start
