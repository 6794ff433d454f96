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
from pages.shared import quota, uploads
from pages.shared.watch import downloads, logs

SESSION = "watch.session"


def begin() -> None:
    """Once per process, before anybody's file is read."""
    usually("page")
    logs.begin()
    downloads.keep_apart()


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


def opened(files: Sequence[tuple[str, bytes]], **how: Any) -> TextTable:
    """Return the table of an upload, with how large it is and how long that took in the log.

    Parameters
    ----------
    files : sequence of (name, bytes)
        Several are joined.
    **how
        As `open_table` takes it.
    """
    started = perf_counter()
    known = {"session": session(), "bytes": sum(len(data) for _, data in files)}
    try:
        name, data = files[0]
        source = data if len(files) == 1 else [_named(*file) for file in files]
        table = open_table(source, name if len(files) == 1 else None, **how, limits=uploads.limits())
        quota.take(table)
    except InputError:
        logs.log_event("refused", ms=_since(started), **known)
        raise
    logs.log_event("read", ms=_since(started), rows=table.n_read, columns=len(table.columns), **known)
    return table


def _named(name: str, data: bytes) -> BytesIO:
    file = BytesIO(data)
    file.name = name.replace("/", "_")  # a browser's file has no folders
    return file


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
