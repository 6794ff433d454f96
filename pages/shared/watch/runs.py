"""Every run of the app is watched: how long it took, and what went wrong, in lines that hold nothing of anybody's file."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from time import perf_counter
from typing import Any

import streamlit as st

from metrics import InputError
from metrics.asker import usually
from metrics.readers import TextTable, open_table
from metrics.readers.opening import Chosen, open_sheets
from pages.shared import quota, uploads
from pages.shared.watch import clicks, downloads, large, logs

SESSION = "watch.session"


def begin() -> None:
    """Once per process, before anybody's file is read."""
    usually("page")
    logs.begin()
    downloads.keep_apart()
    clicks.keep_whole()
    large.name_only_what_is_held()


def session() -> str:
    """Return a random name of this session, which no address and no other session knows."""
    if SESSION not in st.session_state:
        st.session_state[SESSION] = secrets.token_hex(4)
        logs.log_event("session", session=st.session_state[SESSION])
    return str(st.session_state[SESSION])


@contextmanager
def run(page: str) -> Iterator[None]:
    """Draw a page; an error that nothing expected is one sentence there, and one line in the log."""
    started, how = perf_counter(), "again"
    try:
        session()
        yield
        how = "done"
    except Exception as error:
        if logs.whole():
            raise
        how = "error"
        _failed(page, error)
    finally:
        if logs.timed():
            _took(page, how, _since(started))


def opened(files: Sequence[tuple[str, bytes]], *, sheets: Chosen = (), **how: Any) -> TextTable:
    """Return the table of an upload, with how large it is and how long that took in the log.

    Parameters
    ----------
    files : sequence of (name, bytes)
        Several are joined.
    sheets : sequence of sequence of str
        Those that were chosen of each file; several are joined too.
    **how
        As `open_table` takes it.
    """
    started = perf_counter()
    known = {"session": session(), "bytes": sum(len(data) for _, data in files)}
    try:
        table = _table(files, sheets, how | {"limits": uploads.limits()})
        quota.take(table)
    except InputError:
        logs.log_event("refused", ms=_since(started), **known)
        raise
    logs.log_event("read", ms=_since(started), rows=table.n_read, columns=len(table.columns), **known)
    return table


def _table(files: Sequence[tuple[str, bytes]], sheets: Chosen, how: dict[str, Any]) -> TextTable:
    if any(sheets):
        return open_sheets([(_without_folders(name), data) for name, data in files], sheets, **how)
    name, data = files[0]
    return open_table(data, name, **how) if len(files) == 1 else open_table([_named(*file) for file in files], **how)


def _named(name: str, data: bytes) -> BytesIO:
    file = BytesIO(data)
    file.name = _without_folders(name)
    return file


def _without_folders(name: str) -> str:
    """Return the name of a browser's file, which has no folders."""
    return name.replace("/", "_")


def _failed(page: str, error: Exception) -> None:
    number = secrets.token_hex(3)
    logs.log_event("error", logging.ERROR, page=page, session=session(), number=number, **logs.kind_and_place(error))
    st.error(f"{logs.UNEXPECTED} Its number there is {number}.", icon=":material/error:")


def _took(page: str, how: str, ms: float) -> None:
    logs.log_event("run", page=page, session=session(), ms=ms, ended=how)
    if how == "done":
        st.caption(f"Drawn in {ms:.0f} ms on the server.")


def _since(started: float) -> float:
    return round((perf_counter() - started) * 1000, 1)
