"""Headers of every answer, and how much one session may upload, without a server."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import importlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.runtime.state.session_state import SessionState

ROOT = Path(__file__).resolve().parents[2]
MB = 1 << 20


@pytest.fixture
def deploy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.syspath_prepend(str(ROOT / "deploy"))
    yield
    for name in ("guards", "production", "serve", "tidying"):
        sys.modules.pop(name, None)


@pytest.fixture
def guards(deploy: None) -> ModuleType:
    return importlib.import_module("guards")


@pytest.fixture
def production(deploy: None) -> ModuleType:
    return importlib.import_module("production")


def asked(
    app: ASGIApp, method: str, path: str, headers: dict[str, str] | None = None, client: str = "203.0.113.9"
) -> tuple[int, dict[str, str], str]:
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    raw = [(name.encode(), value.encode()) for name, value in (headers or {}).items()]
    scope = {"type": "http", "method": method, "path": path, "headers": raw, "client": (client, 50000)}
    asyncio.run(app(scope, receive, send))
    found = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], found, b"".join(message.get("body", b"") for message in sent).decode()


async def fine(scope: Scope, receive: Receive, send: Send) -> None:
    await PlainTextResponse("taken", 204 if scope["method"] == "PUT" else 200)(scope, receive, send)


def policy(fixed: dict[str, str]) -> dict[str, list[str]]:
    parts = (part.split() for part in fixed["Content-Security-Policy"].split(";"))
    return {name: values for name, *values in parts}


def test_the_documentation_alone_keeps_a_policy_of_its_own(guards: ModuleType) -> None:
    async def strict(scope: Scope, receive: Receive, send: Send) -> None:
        await PlainTextResponse("κ", headers={"Content-Security-Policy": "default-src 'none'"})(scope, receive, send)

    app = guards.SecurityHeaders(strict, guards.headers(()))
    _, sent, _ = asked(app, "GET", "/docs/index.html")
    assert sent["content-security-policy"] == "default-src 'none'"
    assert sent["x-frame-options"] == "DENY"
    for path in ("/media/docs.html", "/", "/overview"):
        assert "script-src" in asked(app, "GET", path)[1]["content-security-policy"]
    assert "script-src" in asked(guards.SecurityHeaders(fine, guards.headers(())), "GET", "/docs/")[1]["content-security-policy"]


def test_no_host_but_its_own_is_allowed_anything(guards: ModuleType) -> None:
    found = policy(guards.headers(guards.inline_scripts(guards.own_page())))
    known = {"'self'", "'none'", "data:", "blob:", "'unsafe-inline'", "'wasm-unsafe-eval'"}
    assert found["default-src"] == ["'none'"]
    assert not [value for values in found.values() for value in values if value not in known and "'sha256-" not in value]
    assert not {"'unsafe-inline'", "'unsafe-eval'", "data:"} & set(found["script-src"])
    assert {"base-uri", "form-action", "frame-ancestors", "connect-src", "img-src", "worker-src"} <= set(found)


def test_scripts_that_stand_in_the_page_are_known_by_their_digest(guards: ModuleType) -> None:
    text = "\n let a = 1 < 2\n"
    wanted = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    page = f'<script src="x.js"></script><script data-task="1">{text}</script><script type="module" src="y.js"></script>'
    assert list(guards.inline_scripts(page)) == [f"'sha256-{wanted}'"]


def test_every_script_that_a_page_writes_is_among_the_known_ones() -> None:
    """One that stood elsewhere would be blocked by the policy."""
    writers = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "pages").rglob("*.py")
        if re.search(r"unsafe_allow_javascript|<script", path.read_text("utf-8"))
    }
    assert writers == {"pages/shared/style.py", "pages/shared/access.py"}
    from pages.shared import style

    assert sum((ROOT / path).read_text("utf-8").count("<script") for path in writers) == len(style.SCRIPTS)


def test_who_may_frame_it_is_asked_for_by_name(guards: ModuleType) -> None:
    alone, framed = guards.headers([]), guards.headers([], ["https://intranet.example"])
    assert policy(alone)["frame-ancestors"] == ["'none'"]
    assert alone["X-Frame-Options"] == "DENY"
    assert policy(framed)["frame-ancestors"] == ["https://intranet.example"]
    assert "X-Frame-Options" not in framed


def test_refusals_carry_the_headers_too(guards: ModuleType) -> None:
    inner = guards.UploadQuota(fine, most_bytes=MB, most_files=1)
    app = guards.SecurityHeaders(inner, guards.headers([]))
    for method, path in (("GET", "/"), ("PUT", "/_stcore/upload_file/s/f")):
        _, found, _ = asked(app, method, path)
        assert found["x-content-type-options"] == "nosniff"
        assert found["referrer-policy"] == "no-referrer"
        assert "camera=()" in found["permissions-policy"]
        assert "content-security-policy" in found


def test_what_was_made_for_a_visitor_is_in_no_cache(guards: ModuleType) -> None:
    app = guards.SecurityHeaders(fine, guards.headers([]))
    kept = {path: asked(app, "GET", path)[1].get("cache-control") for path in ("/media/1.pdf", "/static/media/1.woff2", "/")}
    assert kept == {"/media/1.pdf": "no-store", "/static/media/1.woff2": None, "/": None}


@pytest.mark.parametrize(
    ("client", "passed_on", "status"),
    [
        ("127.0.0.1", {}, 200),
        ("::1", {}, 200),
        ("203.0.113.9", {}, 404),
        ("127.0.0.1", {"x-forwarded-for": "203.0.113.9"}, 404),
        ("127.0.0.1", {"forwarded": "for=203.0.113.9"}, 404),
    ],
)
def test_what_sessions_hold_is_told_to_this_machine_alone(
    guards: ModuleType, client: str, passed_on: dict[str, str], status: int
) -> None:
    app = guards.OwnSizes(fine)
    assert asked(app, "GET", "/_stcore/metrics", passed_on, client)[0] == status
    assert asked(app, "GET", "/_stcore/health", passed_on, client)[0] == 200


@pytest.fixture
def quota(guards: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A quota of 10 MB and three files, and what a session holds already."""
    holds: dict[str, dict[str, int]] = {"one": {"a": 4 * MB, "b": 5 * MB}}
    monkeypatch.setattr(guards, "held", lambda session: holds.get(session, {}))
    return guards.UploadQuota(fine, most_bytes=10 * MB, most_files=3), holds


def put(app: ASGIApp, session: str, file: str, size: int | None) -> tuple[int, str]:
    headers = {} if size is None else {"content-length": str(size)}
    status, _, text = asked(app, "PUT", f"/_stcore/upload_file/{session}/{file}", headers)
    return status, text


def test_a_session_holds_no_more_than_its_quota(quota: Any) -> None:
    app, holds = quota
    assert put(app, "one", "c", MB)[0] == 204
    status, text = put(app, "one", "c", 2 * MB)
    assert (status, text) == (413, "One session may hold 10 MB of files. Remove one and try again.")
    assert put(app, "two", "c", 9 * MB)[0] == 204, "another session has a quota of its own"
    assert put(app, "one", "b", 6 * MB)[0] == 204, "a file that is sent again counts once"
    holds["one"]["c"] = 0
    status, text = put(app, "one", "d", 1)
    assert (status, text) == (413, "One session may hold 3 files at a time. Remove one and try again.")
    del holds["one"]["a"]
    assert put(app, "one", "d", 4 * MB)[0] == 204, "what is removed frees its place"


def test_all_sessions_together_hold_no_more_than_the_server_may(guards: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
    from streamlit.runtime.uploaded_file_manager import UploadedFileRec

    files = MemoryUploadedFileManager("")
    monkeypatch.setattr(guards.runtime, "get_instance", lambda: SimpleNamespace(uploaded_file_mgr=files))
    for session in ("one", "two"):
        files.add_file(session, UploadedFileRec("a", "a.csv", "text/csv", bytes(4 * MB)))
    bounded, unbounded = (guards.UploadQuota(fine, 10 * MB, 3, most_of_all) for most_of_all in (10 * MB, 0))
    assert put(bounded, "three", "a", 2 * MB)[0] == 204
    status, text = put(bounded, "three", "a", 3 * MB)
    assert (status, text) == (413, "This server holds as many files as it can now. Try again later.")
    assert put(bounded, "one", "a", 6 * MB)[0] == 204, "a file that is sent again counts once"
    assert put(unbounded, "three", "a", 9 * MB)[0] == 204
    bounded.coming["two"] = 2 * MB
    assert put(bounded, "three", "a", MB)[0] == 413, "what is under way counts"
    del bounded.coming["two"]
    files.remove_session_files("two")
    assert put(bounded, "three", "a", 6 * MB)[0] == 204, "who goes makes room"


def test_an_upload_that_hides_its_length_is_refused(quota: Any) -> None:
    app, _ = quota
    assert put(app, "one", "c", None)[0] == 411
    assert asked(app, "DELETE", "/_stcore/upload_file/one/a")[0] == 200


def test_uploads_under_way_count(guards: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guards, "held", lambda session: {})
    inside: list[int] = []

    async def slow(scope: Scope, receive: Receive, send: Send) -> None:
        if not inside:
            inside.append(1)
            inside.append(await anyhow())
        await fine(scope, receive, send)

    async def anyhow() -> int:
        seen: list[Message] = []

        async def send(message: Message) -> None:
            seen.append(message)

        async def receive() -> Message:
            return {"type": "http.request"}

        path = "/_stcore/upload_file/one/second"
        headers = [(b"content-length", str(6 * MB).encode())]
        await app({"type": "http", "method": "PUT", "path": path, "headers": headers}, receive, send)
        return int(seen[0]["status"])

    app = guards.UploadQuota(slow, most_bytes=10 * MB, most_files=3)
    assert put(app, "one", "first", 6 * MB)[0] == 204
    assert inside == [1, 413]
    assert put(app, "one", "third", 6 * MB)[0] == 204
    assert not app.coming
    assert not app.files_coming


def test_an_upload_that_stands_still_leaves_its_place(guards: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guards, "held", lambda session: {})
    monkeypatch.setattr(guards, "PATIENCE", 0.3)
    monkeypatch.setattr(guards, "SLOWEST", 5 * MB)
    path, parts = "/_stcore/upload_file/one/a", iter([MB, MB, 1])

    async def whole(scope: Scope, receive: Receive, send: Send) -> None:
        found = [len(part) async for part in Request(scope, receive).stream()]
        await PlainTextResponse(str(sum(found)))(scope, receive, send)

    async def receive() -> Message:
        size = next(parts, 0)
        if not size:
            await asyncio.sleep(60)
        await asyncio.sleep(0.2 if size == MB else 0)  # together longer than anybody waits for the first byte
        return {"type": "http.request", "body": bytes(size), "more_body": True}

    async def send(message: Message) -> None:
        sent.append(message)

    app, sent = guards.UploadQuota(whole, most_bytes=10 * MB, most_files=3), list[Message]()
    headers = [(b"content-length", str(9 * MB).encode())]
    scope = {"type": "http", "method": "PUT", "path": path, "headers": headers}
    asyncio.run(app(scope, receive, send))
    assert next(parts, None) is None, "what comes fast enough is taken"
    assert sent[0]["status"] == 408
    assert not app.coming


def heard(guards: ModuleType, *said: bytes | None) -> list[bytes | None]:
    """What of these messages gets to Streamlit."""
    messages: Iterator[Message] = iter(
        [*({"type": "websocket.receive", "bytes": one} for one in said), {"type": "websocket.disconnect"}]
    )
    found: list[bytes | None] = []

    async def receive() -> Message:
        return next(messages)

    async def listening(scope: Scope, receive: Receive, send: Send) -> None:
        while (message := await receive())["type"] == "websocket.receive":
            found.append(message["bytes"])

    asyncio.run(guards.OnlyPages(listening)({"type": "websocket"}, receive, receive))
    return found


def test_only_what_a_page_says_is_heard(guards: ModuleType) -> None:
    from streamlit.proto.BackMsg_pb2 import BackMsg

    said = [
        BackMsg(rerun_script={"query_string": "a=1"}),
        BackMsg(stop_script=True),
        BackMsg(app_heartbeat=True),
        BackMsg(file_urls_request={"file_names": ["a.csv"] * 1000}),
        BackMsg(backend_operation_request={"deferred_file": {"file_id": "1"}}),
    ]
    unsaid = [
        BackMsg(clear_cache=True),
        BackMsg(load_git_info=True),
        BackMsg(set_run_on_save=True),
        BackMsg(debug_shutdown_runtime=True),
        BackMsg(file_urls_request={"file_names": [""] * 1001}),
        BackMsg(),
    ]
    ours, theirs = ([message.SerializeToString() for message in messages] for messages in (said, unsaid))
    assert heard(guards, *theirs, *ours, *theirs) == ours
    assert heard(guards, b"\xff\xff") == [b"\xff\xff"], "Streamlit ends such a connection"


def test_a_message_is_bounded_before_it_is_gathered(production: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    from streamlit.web.server.starlette import starlette_server

    monkeypatch.setattr(starlette_server, "get_max_message_size_bytes", None)
    monkeypatch.setattr(production.resource, "setrlimit", lambda *_: None)
    production.bound()
    assert starlette_server._get_uvicorn_config_kwargs()["ws_max_size"] == 4_000_000


def test_tidying_goes_on_after_an_error_and_takes_what_came_late(
    deploy: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from streamlit.runtime.caching.cache_resource_api import _resource_caches
    from streamlit.runtime.media_file_manager import MediaFileManager
    from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage
    from streamlit.runtime.memory_session_storage import MemorySessionStorage
    from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
    from streamlit.runtime.session_manager import ActiveSessionInfo, SessionInfo
    from streamlit.runtime.uploaded_file_manager import UploadedFileRec
    from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

    tidying = importlib.import_module("tidying")
    clock, ended = [0.0], []
    files, storage = MemoryUploadedFileManager(""), MemorySessionStorage(ttl_seconds=30)
    storage._cache._timer = lambda: clock[0]  # type: ignore[attr-defined]
    manager = WebsocketSessionManager(storage, files, Any, None)

    def one(name: str) -> Any:
        def shutdown() -> None:
            ended.append(name)
            raise KeyError("zqsecret")

        return SimpleNamespace(id=name, shutdown=shutdown, _fragment_storage={})

    manager._active_session_info_by_id["open"] = ActiveSessionInfo(Any, one("open"))
    for moment, name in ((0, "gone"), (0, "gone too"), (20, "away")):
        clock[0] = moment
        storage.save(SessionInfo(None, one(name)))
    for name in ("open", "away", "gone", "long gone"):
        files.add_file(name, UploadedFileRec("f", "f.csv", "text/csv", b"1"))
    offered = MediaFileManager(MemoryMediaFileStorage("/media"))
    for name in ("open", "long gone"):
        monkeypatch.setattr("streamlit.runtime.media_file_manager._get_session_id", lambda name=name: name)
        offered.add_deferred(bytes, "text/csv", "0.0")
        monkeypatch.setattr("streamlit.runtime.caching.cache_resource_api.get_session_id_or_throw", lambda name=name: name)
        _resource_caches.get_cache(name, name, 1, None, None, lambda _: None, "session")
    known = SimpleNamespace(_session_mgr=manager, uploaded_file_mgr=files, media_file_mgr=offered)
    looks = iter([RuntimeError("zqsecret")])

    def get_instance() -> Any:
        found = next(looks, known)
        if isinstance(found, Exception):
            raise found
        return found

    monkeypatch.setattr(tidying.runtime, "get_instance", get_instance)
    clock[0] = 40

    async def for_a_moment() -> None:
        task = asyncio.create_task(tidying.tidy(0.001))
        async with asyncio.timeout(5):
            while len(files.file_storage) > 2:
                assert not task.done()
                await asyncio.sleep(0.001)
        assert not task.done()
        task.cancel()

    asyncio.run(for_a_moment())
    assert ended == ["gone", "gone too"]
    assert set(files.file_storage) == {"open", "away"}
    assert set(offered._files_by_session_and_coord) == {"open"}
    assert set(_resource_caches._function_caches) - {None} == {"open"}
    _resource_caches.clear_session("open")
    assert len(caplog.records) == 3
    assert {record.name for record in caplog.records} == {"kappascope"}


def test_how_it_is_served_is_read_from_the_environment(production: ModuleType) -> None:
    plain = production.Wanted.of({})
    assert (plain.address, plain.port, plain.processes) == ("127.0.0.1", 8501, 1)
    given = {"PORT": "80", "ADDRESS": "0.0.0.0", "EMBED": "https://a.example https://b.example", "UPLOAD_MB": "", "PATH": "/bin"}
    wanted = production.Wanted.of(given)
    assert (wanted.address, wanted.port, wanted.upload_mb) == ("0.0.0.0", 80, plain.upload_mb)
    assert wanted.embed == ("https://a.example", "https://b.example")
    assert (plain.options["server.xsrfCookieSameSite"], wanted.options["server.xsrfCookieSameSite"]) == ("lax", "none")
    with pytest.raises(ValueError, match="eighty"):
        production.Wanted.of({"PORT": "eighty"})


def test_every_option_is_known_to_streamlit(production: ModuleType) -> None:
    from streamlit import config

    known = config.get_config_options()
    assert set(production.Wanted().options) <= set(known)
    assert production.Wanted().options["client.showErrorDetails"] == "none"
    assert production.Wanted().options["logger.hideWelcomeMessage"], "its greeting asks another host for this one's address"


@pytest.mark.usefixtures("deploy", "unprepared")
def test_nobody_elsewhere_is_asked_whether_an_origin_may_come(monkeypatch: pytest.MonkeyPatch) -> None:
    import requests
    from streamlit import net_util
    from streamlit.web.server.server_util import is_url_from_allowed_origins

    asked_for: list[Any] = []
    monkeypatch.setattr(net_util, "_external_ip", None)
    monkeypatch.setattr(requests.Session, "request", lambda *told, **_: asked_for.append(told))
    monkeypatch.setattr("urllib.request.urlopen", lambda *told, **_: asked_for.append(told))
    assert not is_url_from_allowed_origins("https://foreign.example")
    assert asked_for, "without it Streamlit asks"
    asked_for.clear()
    importlib.import_module("serve").prepare()
    assert not is_url_from_allowed_origins("https://foreign.example")
    assert is_url_from_allowed_origins("http://localhost:8501")
    assert not asked_for


def test_every_cache_of_the_dashboard_is_bounded() -> None:
    unbounded = []
    for path in [*(ROOT / "pages").rglob("*.py"), ROOT / "app.py"]:
        for decorator in re.findall(r"@st\.cache_\w+(?:\([^\n]*)?\n+def (?:\w+\(\)|.*)", path.read_text("utf-8")):
            if not re.search(r"max_entries=|ttl=", decorator):
                unbounded.append(decorator)
    assert not unbounded


@pytest.mark.usefixtures("deploy", "unprepared")
def test_one_value_of_a_session_is_looked_up_without_the_others() -> None:
    whole = SafeSessionState.filtered_state
    importlib.import_module("serve").prepare()
    state = SafeSessionState(SessionState(), lambda: None)
    state["mode"], state["none"] = "exclude", None
    assert dict(state.filtered_state) == whole.fget(state) == {"mode": "exclude", "none": None}
    assert len(state.filtered_state) == 2
    looked = state.filtered_state
    assert "level" not in looked
    assert looked.get("none", "absent") is None
    with pytest.raises(KeyError):
        looked["level"]
