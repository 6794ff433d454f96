"""Sessions whose browsers are gone are forgotten in time, and their memory goes back to the machine.

Streamlit drops such a session only when another one ends, and what it held lies about until Python next looks for garbage.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import importlib
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from guards import uploads
from streamlit import runtime
from streamlit.runtime.caching.cache_data_api import _data_caches
from streamlit.runtime.caching.cache_resource_api import _resource_caches
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.state import SessionState
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

EVERY = 5.0
"""Seconds between two looks."""


async def tidy(every: float = EVERY) -> None:
    """Look for sessions to forget, for as long as the server runs."""
    before: set[str] = set()
    while True:
        await asyncio.sleep(every)
        with going_on():
            forget()
            now = living()
            if before - now or not now:
                # Streamlit marks a file that nobody can ask for any more, and deletes it only when it looks a second time.
                runtime.get_instance().media_file_mgr.remove_orphaned_files()
            if before - now:
                await asyncio.to_thread(give_back)
            before = now


@contextmanager
def going_on() -> Iterator[None]:
    """An error here is a line in the log, by its kind and place, and ends nothing but what it stands in."""
    try:
        yield
    except Exception as error:
        name = importlib.import_module("pages.shared.watch.logs").NAME
        logging.getLogger(name).error({"event": "error"}, exc_info=error)


def sessions() -> WebsocketSessionManager:
    manager = runtime.get_instance()._session_mgr
    assert isinstance(manager, WebsocketSessionManager)
    return manager


def stored() -> MemorySessionStorage:
    storage = sessions()._session_storage
    assert isinstance(storage, MemorySessionStorage)
    return storage


def living() -> set[str]:
    """Sessions with a browser, and those that wait for theirs to come back."""
    return {one.session.id for one in (*sessions().list_active_sessions(), *stored().list())}


def forget() -> None:
    for _, gone in stored()._cache.expire():  # type: ignore[attr-defined]
        with going_on():
            gone.session.shutdown()
        # The server's own loop holds on to the session it served last, until another comes.
        gone.session._session_state = SessionState()
        gone.session._fragment_storage.clear()
    forget_what_came_late()


def forget_what_came_late() -> None:
    """An upload or a page that ends after its session would leave in memory what it made, for as long as the server runs."""
    known = living()
    for session in set(uploads().file_storage) - known:
        uploads().remove_session_files(session)
    for caches in (_data_caches, _resource_caches):
        for session in set(caches._function_caches) - known - {None}:
            caches.clear_session(session)
    offered = runtime.get_instance().media_file_mgr
    for session in set(offered._files_by_session_and_coord) - known:
        offered.clear_session_refs(session)


def give_back() -> None:
    importlib.import_module("metrics.report.as_pdf").forget()
    gc.collect()
    if sys.platform == "linux":
        # Not every C library has it.
        with suppress(OSError, AttributeError):
            ctypes.CDLL("libc.so.6").malloc_trim(0)
