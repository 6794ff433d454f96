"""What the server says about itself holds nothing of anybody's file, whatever goes wrong."""

from __future__ import annotations

import asyncio
import json
import locale
import logging
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest
from streamlit.proto.BackMsg_pb2 import BackendOperationRequest
from streamlit.proto.ForwardMsg_pb2 import BackendOperationResponse
from streamlit.runtime import memory_media_file_storage as storage
from streamlit.runtime.backend_operation_handler import DeferredFileHandler
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.media_file_storage import MediaFileKind
from streamlit.testing.v1 import AppTest

from metrics.results import words
from pages.shared.watch import downloads, logs

ROOT = Path(__file__).resolve().parents[2]
SECRET = "Quorvex"
EVERY_WAY_TO_FAIL = f"""
import asyncio, gc, logging, sys, threading, warnings
import numpy as np
from streamlit import error_util
from streamlit.logger import get_logger
from metrics.results import words
from pages.shared.watch import logs, runs

runs.begin()
runs.begin()

def fails(word="{SECRET}"):
    held = {{"name": word}}
    raise ValueError(f"{{word}} is no verdict", held)

def caught(way):
    try:
        way()
    except Exception as error:
        error_util._log_uncaught_app_exception(error)

caught(fails)
caught(lambda: np.linalg.inv(np.array([["{SECRET}"]])))
caught(lambda: open("/nowhere/{SECRET}"))
caught(lambda: exec("raise KeyError('{SECRET}') from ValueError('{SECRET}')"))
get_logger("streamlit.later").warning("cannot read %s", "{SECRET}")
get_logger("streamlit.later").error("{SECRET} %d", "{SECRET}")
logging.getLogger("asyncio").error("{SECRET}", exc_info=True)
thread = threading.Thread(target=fails, name="{SECRET}")
thread.start()
thread.join()
warnings.warn("{SECRET}: a mixed column", RuntimeWarning)

class Dies:
    def __del__(self):
        fails()

Dies()
gc.collect()

async def task():
    asyncio.get_running_loop().create_task(asyncio.sleep(0)).add_done_callback(lambda _: fails())
    await asyncio.sleep(0.01)

asyncio.run(task())
fails()
"""


def test_an_error_is_told_by_its_kind_and_its_place() -> None:
    environment = {**os.environ, logs.SETTING: "json", "PYTHONPATH": str(ROOT)}
    run = subprocess.run(
        [sys.executable, "-c", EVERY_WAY_TO_FAIL], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert run.stdout == ""
    assert SECRET.lower() not in run.stderr.lower()
    told = [json.loads(line) for line in run.stderr.splitlines()]
    assert all(set(line) <= {"time", "level", "event", "of", "error", "place", "kind"} for line in told)
    kinds = Counter(line.get("error") or line.get("kind") for line in told)
    assert kinds == {"ValueError": 5, "UFuncTypeError": 1, "FileNotFoundError": 1, "KeyError": 1, "RuntimeWarning": 1, None: 3}
    assert next(line for line in told if line.get("error") == "UFuncTypeError")["place"].startswith("numpy.linalg")


def raise_from_a_library() -> None:
    locale.atof(SECRET)


def test_the_place_is_the_last_one_in_the_program_and_where_it_was_raised() -> None:
    with pytest.raises(TypeError) as wrong:
        words.listed(None)  # type: ignore[arg-type]
    assert logs.place_of(wrong.value.__traceback__).startswith("metrics/")
    with pytest.raises(ValueError, match=SECRET) as unread:
        raise_from_a_library()
    assert logs.kind_and_place(unread.value)["error"] == "ValueError"
    ours, theirs = logs.place_of(unread.value.__traceback__).split(", ")
    assert ours.startswith("tests/pages/test_watched.py:")
    assert theirs.startswith("locale:")


def test_a_line_as_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(logs.SETTING, "text")
    record = logs._record(logs.NAME, logging.ERROR, "", 1, {"event": "error", "page": "roc", "ms": 1.5}, None)
    assert record.getMessage().endswith("error error page=roc ms=1.5")
    assert logs._record("other", logging.INFO, "", 7, "%s " + SECRET, (SECRET,)).getMessage().endswith("library of=other:7")


def test_a_page_that_fails_is_one_sentence(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    def fails(_: str) -> None:
        raise ValueError(f"{SECRET} is no verdict")

    monkeypatch.setenv(logs.SETTING, "json")
    monkeypatch.setattr(logs, "begin", lambda: None)
    monkeypatch.setattr("pages.shared.sidebar.draw", fails)
    caplog.set_level(logging.INFO, logs.NAME)
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
    assert not app.exception
    (shown,) = app.error
    assert shown.value.startswith(logs.UNEXPECTED)
    told = [record.msg for record in caplog.records if record.name == logs.NAME]
    assert [line["event"] for line in told] == ["session", "error"]
    assert told[1]["number"] in shown.value
    assert told[1] | {"number": "", "session": ""} == {
        "event": "error", "page": "", "session": "", "number": "", "error": "ValueError", "place": told[1]["place"],
    }  # fmt: skip
    assert told[1]["place"].startswith("tests/pages/test_watched.py:")
    assert SECRET not in caplog.text + shown.value


def test_times_are_told_where_they_are_asked_for(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setenv(logs.SETTING, "json")
    monkeypatch.setenv(logs.TIMINGS, "1")
    monkeypatch.setattr(logs, "begin", lambda: None)
    caplog.set_level(logging.INFO, logs.NAME)
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
    (run,) = [record.msg for record in caplog.records if isinstance(record.msg, dict) and record.msg["event"] == "run"]
    assert run["ended"] == "done"
    assert f"Drawn in {run['ms']:.0f} ms on the server." in [caption.value for caption in app.caption]
    monkeypatch.delenv(logs.TIMINGS)
    assert not [caption for caption in app.run().caption if "ms on the server" in caption.value]


def test_two_large_downloads_that_differ_between_the_samples_have_two_addresses() -> None:
    """Of a file above 1 MiB Streamlit looks at its start, middle and end."""
    downloads.keep_apart()
    kept = storage.MemoryMediaFileStorage("/media")
    mine = b"a" * 400_000 + b"MET" + b"a" * 1_600_000
    theirs = mine.replace(b"MET", b"CAN")
    found = [kept.load_and_get_id(data, "text/csv", MediaFileKind.DOWNLOADABLE, "table.csv") for data in (mine, theirs, mine)]
    assert found[0] == found[2] != found[1]
    assert [kept.get_file(name).content for name in found[:2]] == [mine, theirs]


@pytest.mark.parametrize("gone", [0, 1])
def test_a_file_is_made_for_the_session_it_was_offered_to_and_is_there_until_that_goes_on(
    monkeypatch: pytest.MonkeyPatch, gone: int
) -> None:
    """Others draw their pages meanwhile, and Streamlit then looks for files that nobody holds: after it is held, and before."""
    downloads.keep_apart()
    manager = MediaFileManager(storage.MemoryMediaFileStorage("/media"))
    monkeypatch.setattr("streamlit.runtime.media_file_manager._get_session_id", lambda: "mine")
    monkeypatch.setattr(downloads.runtime, "exists", lambda: True)
    monkeypatch.setattr(downloads.runtime, "get_instance", lambda: SimpleNamespace(is_active_session=["mine"].__contains__))
    button = manager.add_deferred(lambda: SECRET, "text/csv", "0.1", "table.csv")
    handler, made, times = DeferredFileHandler(lambda: manager), downloads._made, []

    async def let_go(own: DeferredFileHandler, request: BackendOperationRequest, session: str) -> BackendOperationResponse:
        found = await made(own, request, session)
        times.append(session)
        for _ in range(3 * gone):
            manager.remove_orphaned_files()
        return found

    monkeypatch.setattr(downloads, "_made", let_go)

    def answer(session: str) -> BackendOperationResponse:
        asked = BackendOperationRequest(request_id="1", deferred_file={"file_id": button}, session_id=session)
        return asyncio.run(handler.handle(asked, session))

    theirs, mine = answer("theirs"), answer("mine")
    assert (theirs.error_msg, theirs.deferred_file.url) == (downloads.REFUSED, "")
    assert times == ["mine"] * (gone + 1)
    name = Path(mine.deferred_file.url).name
    for _ in range(3):
        manager.remove_orphaned_files()
    found = manager.read_file(name)
    assert found is not None
    assert found.content == SECRET.encode()
    manager.clear_session_refs()
    for _ in range(2):
        manager.remove_orphaned_files()
    assert manager.read_file(name) is None


def test_one_session_has_few_files_made_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    downloads.keep_apart()
    manager = SimpleNamespace(_deferred_callables={})
    go_on = asyncio.Event()

    async def slowly(own: object, request: BackendOperationRequest, session: str) -> BackendOperationResponse:
        await go_on.wait()
        return BackendOperationResponse(request_id=request.request_id)

    monkeypatch.setattr(downloads, "_made", slowly)
    handler = DeferredFileHandler(lambda: manager)  # type: ignore[arg-type, return-value]

    async def asked(session: str) -> str:
        found = await handler.handle(BackendOperationRequest(request_id="1", session_id=session), session)
        return str(found.error_msg)

    async def all_at_once() -> list[str]:
        asking = asyncio.gather(*(asked(session) for session in ["greedy"] * 10 + ["other"]))
        await asyncio.sleep(0)
        go_on.set()
        return [*await asking, await asked("greedy")]

    most = downloads.MOST_AT_ONCE
    assert asyncio.run(all_at_once()) == [""] * most + [downloads.BUSY] * (10 - most) + ["", ""]
    assert not downloads._under_way


def test_the_name_of_a_download_follows_from_every_part_of_it_and_from_a_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = [
        (b"ab", "c", None),
        (b"a", "bc", None),
        (b"ab", "c", ""),
        (b"ab", "c", "d"),
        (b"ab", "cd", None),
        (b"bab", "c", None),
    ]
    names = [downloads._address(*part) for part in parts]
    assert len({*names}) == len(parts)
    monkeypatch.setattr(downloads, "KEY", bytes(32))
    assert downloads._address(*parts[0]) != names[0]
