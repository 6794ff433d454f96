"""On the page *Data*: whether this browser keeps the file, what it keeps, and the way to have it forget."""

from __future__ import annotations

import streamlit as st

from metrics.results.words import count
from pages.shared import state
from pages.shared.data import pending
from pages.shared.keeping import device, work

HELP = (
    "The browser keeps the file on this device alone, in its own storage. After a reload it sends the file to this server again, "
    f"on whichever page you are. Everybody who uses this browser can open it. The limit is {device.MOST_BYTES // device.MB} MB."
)
OFF = "This browser has no storage for this page, so the file is not remembered. A private window or blocked storage does that."
TOO_LARGE = f"More than {device.MOST_BYTES // device.MB} MB: the file is not remembered."
TOO_MUCH = "Your last decisions on this data set are not kept in this browser: there are too many. Save them from their pages."
WHY = {
    "gone": "The file is not remembered, because the browser cannot read it any more. Drop it in again.",
    "full": "The file is not remembered, because this browser has no room for it.",
}


def section() -> None:
    """Nothing before there is anything to keep."""
    offer()
    dataset = state.whole_dataset()
    if dataset is not None and work.text(dataset) is None:
        st.markdown(f":material/info: {TOO_MUCH}")
    _forget()


def offer() -> None:
    """Ask whether the files in view may be kept; nothing where there are none, and of the file that the server was started
    with.
    """
    dataset = state.whole_dataset()
    if dataset is None or not device.of_files(dataset.id) or pending.waiting():
        return
    if dataset.id != st.session_state.get(pending.NAMED):
        _toggle(dataset.id)


def _toggle(name: str) -> None:
    files, inventory, key = device.sent(name), device.inventory(), f"keep.file {name}"
    what = "this file" if len(files) < 2 else f"these {count(len(files))} files"
    wanted = device.remembered(name)
    if bool(st.session_state.get(key)) != wanted:  # written with every run it would take back what is clicked meanwhile
        st.session_state[key] = wanted
    st.toggle(
        f"Remember {what} on this device",
        key=key, on_change=_remember, args=(name, key), disabled=not files or inventory.off, help=HELP,
    )  # fmt: skip
    problem = OFF if inventory.off else TOO_LARGE if not files else WHY.get(inventory.why.get(name, ""), "")
    if problem:
        st.markdown(f":material/info: {problem}")


def _remember(name: str, key: str) -> None:
    device.remember(name, st.session_state[key])


def _forget() -> None:
    inventory = device.inventory()
    if not inventory.sets and not inventory.files:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f":small[{_kept_words(inventory)}]", width="stretch")
        st.button("Forget on this device", key="keep.forget", on_click=device.forget_all, icon=":material/delete:")


def _kept_words(inventory: device.Inventory) -> str:
    """Return what the browser keeps, in one sentence."""
    sets, n = f"{count(inventory.sets)} data {'set' if inventory.sets == 1 else 'sets'}", len(inventory.files)
    whose = "" if not n else " with its file" if inventory.sets == 1 else f", with the files of {count(n)}"
    size = sum(inventory.files.values()) / device.MB
    return f"This browser keeps your choices, answers and decisions on {sets}{whose}{f' ({max(size, 0.1):.1f} MB)' if n else ''}."
