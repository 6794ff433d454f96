from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager, nullcontext
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import plotly.io as pio
import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime import Runtime
from streamlit.runtime.caching.cache_data_api import _data_caches
from streamlit.runtime.caching.cache_resource_api import _resource_caches
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
    What stands in for the server is made once, and with it all that pages ask of it.
    """
    found, scripts, server = manifest_scanner.scan_component_manifests(), ScriptCache(), MagicMock(spec=Runtime)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", lambda: found)
        for module in (app_test, local_script_runner):
            patch.setattr(module, "ScriptCache", lambda: scripts)
        patch.setattr(app_test, "MagicMock", lambda spec: server)
        patch.setattr(local_script_runner, "require_widgets_deltas", _until_it_ends)
        patch.setattr(SafeSessionState, "filtered_state", property(serve.Looked))
        for name in ("_sample", "_sample_table"):
            patch.setattr(cached, name, cache(getattr(cached, name).__wrapped__))
        yield


@contextmanager
def _nothing_worked_out() -> Iterator[None]:
    """Caches of a server that has just started, until the end; what was kept before is kept afterwards."""
    with pytest.MonkeyPatch.context() as patch:
        for caches in (_data_caches, _resource_caches):
            patch.setattr(caches, "_function_caches", {})
        yield


@pytest.fixture(autouse=True)
def cold(request: pytest.FixtureRequest) -> Iterator[None]:
    """All AppTests are one session to the caches: what a test has worked out serves all others, as visitors of a server.

    A test that changes how something is worked out finds nothing worked out, and leaves nothing.
    """
    with _nothing_worked_out() if "monkeypatch" in request.fixturenames else nullcontext():
        yield


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


class Visit(AppTest):
    """An app of which is known whether a test did more than look at it."""

    STATE = frozenset({"session_state", "query_params", "context", "switch_page", "_run"})
    touched = False

    def __getattribute__(self, name: str) -> Any:
        if name in Visit.STATE:
            self.touched = True
        return super().__getattribute__(name)


@pytest.fixture(scope="module")
def as_met() -> defaultdict[Hashable, list[Visit]]:
    """Visits at which the tests of a file have only looked, by where they led: the next test is shown the same."""
    return defaultdict(list)


@pytest.fixture
def visit(
    registered: dict[str, Any], as_met: defaultdict[Hashable, list[Visit]], request: pytest.FixtureRequest
) -> Iterator[Open]:
    """The app as a visitor meets it who follows a link to a page; two visits of one test are two visitors."""
    met: list[tuple[Hashable, Visit]] = []
    alike = "monkeypatch" not in request.fixturenames

    def start(page: str | None = None, **query: Any) -> AppTest:
        where = page, repr(query)
        if alike and as_met[where]:
            met.append((where, as_met[where].pop()))
            return met[-1][1]
        app = Visit(ROOT / "app.py", default_timeout=60)
        for key, value in query.items():
            app.query_params[key] = value
        if page is not None:
            app._registered_pages = registered
            app.switch_page(page)
        app.run()
        assert not app.exception
        assert every_number_can_be_quoted(app)
        app.touched = False
        met.append((where, app))
        return app

    yield start
    if alike:
        for where, app in met:
            if not app.touched:
                as_met[where].append(app)
