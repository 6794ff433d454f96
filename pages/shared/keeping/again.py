"""After a reload: the file that this browser keeps is opened again, on whichever page it was, and work and choices come back."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import parse_qs

import streamlit as st

from metrics import InputError
from metrics.readers import Proposal
from metrics.report.recipe import reading_of
from pages.shared import filters, panels, session_cache, state
from pages.shared.compare import second as comparing
from pages.shared.data import opening, pending
from pages.shared.data.reading import How
from pages.shared.keeping import device, work
from pages.shared.page_records import DATA
from pages.shared.plain import escape, short
from pages.shared.review import again as after

GIVEN_UP, VISITED = "keep.given up", "keep.visited"
OF_NO_WIDGET = {"data", "view", panels.RULE, panels.OF, filters.WHERE}
"""In the address of every page, without a widget of that name or with one that is not brought back."""
SECONDS = {device.COMPARE: comparing, device.AFTER: after}
"""What joins a second file to the first: `take_open` a data set that is open, `take_upload` an upload."""
# Nothing is said of a link before the browser has said whether it knows it; where it says nothing, the page comes by itself.
UNTIL_HEARD = """<style>
[data-testid="stMainBlockContainer"] {animation: until-heard 1ms 2s both;}
@keyframes until-heard {from {visibility: hidden;} to {visibility: visible;}}
</style>"""


def restore() -> None:
    """Take what the browser has kept, and open its file once it has come; before anything is drawn."""
    for heard in device.news():
        work.put(heard.id, dict(heard.content))
        _open_typed(heard)
        _tell(heard)
    for other in device.of_another_tab():
        work.merge(*other)
    waiting = _waiting()
    if waiting is None:
        return
    st.session_state[state.PAGE] = None  # or the page that is drawn at last would not know that it has just been opened
    files = _in_order(waiting)
    if files is not None:
        _open(waiting, files)


def _tell(heard: device.Heard) -> None:
    """Say what work comes back, and of when."""
    try:
        back = work.kept_words(dict(heard.content))
    except (InputError, KeyError, TypeError, ValueError, AttributeError):
        return
    if back:
        when = f", kept {escape(heard.at)}" if heard.at else ""
        st.toast(f"Brought back: {back}{when}.", icon=":material/history:", duration="long")


def show(page: Callable[[], None]) -> None:
    """The page; while its file is on the way, what is waited for."""
    waiting, heard = _waiting(), device.heard(state.unknown_id())
    device.watch(_kept(waiting))
    if waiting is not None:
        _say(waiting)
        return
    if state.unknown_id() and heard is None:
        st.html(UNTIL_HEARD)
    _bring_choices()
    page()


def _kept(waiting: device.Heard | None) -> device.Kept:
    dataset = state.whole_dataset()
    asks = st.session_state.get(state.PAGE) == DATA.name
    gone = tuple(name for name in session_cache.held(device.GONE) if name not in state.uploads())
    if dataset is None:
        return device.Kept(state.unknown_id(), unknown=True, feed=waiting is not None, asks=asks, gone=gone)
    return device.Kept(dataset.id, work.text(dataset), work.is_any(dataset), asks=asks, gone=gone)


def _waiting() -> device.Heard | None:
    """Return what the browser keeps of the data set of a link, where it keeps its file too."""
    name = state.unknown_id()
    heard = device.heard(name)
    if heard is None or name not in device.inventory().files or not heard.content.get("sent"):
        return None
    return None if device.failed(name) or name in session_cache.held(GIVEN_UP) else heard


def _say(waiting: device.Heard) -> None:
    st.info(f"Opening {short(waiting.title)} again …", icon=":material/hourglass_top:")
    st.button("Do not open it", key="keep.stop", on_click=_give_up, args=(waiting.id,))
    with st.container(key=device.PLACE):
        st.file_uploader(
            "Files that this browser keeps", key=device.UPLOADER, accept_multiple_files=True, label_visibility="collapsed"
        )


def _give_up(name: str) -> None:
    session_cache.held(GIVEN_UP)[name] = True


def _in_order(waiting: device.Heard) -> list[Any] | None:
    """Return the files as they were sent first; None while one is missing."""
    came = {(file.name, file.size): file for file in st.session_state.get(device.UPLOADER) or ()}
    try:
        return [came[name, size] for name, size, _ in waiting.content["sent"]]
    except (KeyError, TypeError, ValueError):
        return None


def _open(waiting: device.Heard, files: list[Any]) -> None:
    """Open the files as they were; where that fails, the page *Data* shows how far it came."""
    second: Mapping[str, Any] = waiting.content.get("beside") or {}
    try:
        with contextlib.suppress(InputError, KeyError, TypeError, ValueError, AttributeError, IndexError):
            _open_all({"id": waiting.id, **waiting.content}, second, files)
    except Exception:
        _give_up(waiting.id)  # or no page would come any more
        raise
    _give_up(waiting.id)  # not before: where a run is cut short the next one opens them
    if st.session_state.get("data") == waiting.id:
        panels.restore(waiting.id)
        filters.remove(waiting.id)  # the address has the one that was in view
        filters.restore(waiting.id)


def _open_all(content: Mapping[str, Any], second: Mapping[str, Any], files: list[Any]) -> None:
    """Open the files, and the second one beside them as the page did that asked for it."""
    own = len(files) - int(second.get("sent", 0))
    alone = _open_one(second["alone"], files[own:]) if second.get("alone") else None
    first = _open_one(second.get("first") or content, files[:own])
    if first is None or not second:
        return
    join = SECONDS[second["role"]]
    if alone is not None:
        join.take_open(first, alone)
    else:
        join.take_upload(first, files[-1])


def _open_one(content: Mapping[str, Any], files: list[Any]) -> state.Dataset | None:
    """Open files as one data set, as they were read before; None where that fails, or where they make another one."""
    sheets = tuple(tuple(map(str, chosen)) for chosen in content.get("sheets") or ())
    contents = pending.contents(device.noted(files))
    pending.read(contents, How.of(reading_of(content["reading"]), sheets, len(contents)))
    draft = pending.current()
    if draft is None or not pending.waiting() or draft.id != content["id"]:
        return None
    proposal = draft.start()
    if not isinstance(proposal, Proposal):
        return None
    pending.offer(draft, proposal)
    pending.use(draft.id)
    return state.uploads().get(draft.id)


def _open_typed(heard: device.Heard) -> None:
    """A table that was typed is small, and opened from what was typed."""
    typed = heard.content.get("typed")
    if not typed or heard.id != state.unknown_id():
        return
    try:
        opening.keep_typed(*typed)
    except (InputError, TypeError, ValueError):
        return
    panels.restore(heard.id)
    filters.restore(heard.id)


def _bring_choices() -> None:
    """Put the choices of a page that was looked at before into its address, when it is come to without any of its own.

    The page of the reload itself has its choices in the address, and a link has those of who made it.
    """
    name, page = str(st.session_state.get("data") or state.unknown_id()), str(st.session_state.get(state.PAGE))
    visited = session_cache.held(VISITED).setdefault(name, {})
    heard, first = device.heard(name), not visited
    if page in visited:
        return
    visited[page] = True
    if first or heard is None or any(key not in OF_NO_WIDGET and key not in st.session_state for key in st.query_params):
        return
    before = parse_qs(heard.choices.get(page, "").removeprefix("?"))
    missing = {key: value for key, value in before.items() if key not in OF_NO_WIDGET and key not in st.session_state}
    if missing:
        st.query_params.update(missing)
        st.session_state[state.PAGE] = None
        st.rerun()
