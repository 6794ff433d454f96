"""What the visitor's own browser keeps of a data set, and brings back after a reload; the server keeps nothing of it.

The browser is told with every run what there is to keep. What it kept before it says once for each data set, before anything of
it is written anew.
"""

from __future__ import annotations

import base64
import binascii
import contextlib
import hashlib
import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import streamlit as st

from pages.shared import component, session_cache
from pages.shared.watch import runs

JS = tuple(Path(__file__).with_name(name) for name in ("device.js", "typing.js"))
KEY, UPLOADER, PLACE = "unseen_keeping", "keep.files", "unseen_kept_files"
HEARD, SAID, INVENTORY, WANTED, FORGETS, GONE = (
    f"keep.{what}" for what in ("heard", "said", "inventory", "wanted", "forgets", "gone")
)
SENT, COMING, BESIDE = "keep.sent", "keep.coming", "keep.beside"
COMPARE, AFTER = "compare", "after"
"""What a second file is there for."""
MB = 1 << 20
MOST_BYTES = 50 * MB
"""Of the files of one data set. They are sent anew with every reload: 50 MB are about a million verdicts and a few seconds of a
slow line; a larger file is better counted first."""
MOST_TIME = 40
"""Letters of a time."""
MOST_TEXT, MOST_UNPACKED = 90_000, 4 * MB
"""Letters that pass by the connection of the page with every run, and bytes that they may stand for."""
Sent = tuple[tuple[str, int, str], ...]
"""Name, size and digest of each file as it was sent; no digest for what is too large to be kept."""


@dataclass(frozen=True)
class Beside:
    """A second file of the same items, or several as one, beside those of a data set.

    Attributes
    ----------
    role : str
        What it is there for: `COMPARE`, `AFTER`.
    sent : tuple
        Its files as they were sent.
    alone : mapping, or None
        `id`, `reading` and `sheets` of the data set that they are; None where they were read as the first file was.
    first : mapping, or None
        The same of the first file, where the data set is one of its own, made of both.
    """

    role: str
    sent: Sent
    alone: Mapping[str, Any] | None = None
    first: Mapping[str, Any] | None = None

    def to_dict(self) -> dict[str, Any]:
        return {**vars(self), "sent": len(self.sent)}


@dataclass(frozen=True)
class Heard:
    """What the browser keeps of a data set: what was done with it, and the addresses of its pages."""

    id: str
    content: Mapping[str, Any] = field(default_factory=dict)
    choices: Mapping[str, str] = field(default_factory=dict)
    at: str = ""
    """When it was written, in the visitor's own words for a time."""

    @property
    def title(self) -> str:
        return str(self.content.get("title") or "")


@dataclass(frozen=True)
class Inventory:
    """All that the browser keeps.

    Attributes
    ----------
    sets : int
        Data sets of which it keeps choices and work.
    files : mapping of str to int
        Bytes of the files of a data set, by its id.
    why : mapping of str to str
        Why the file of a data set is not kept though it was asked for: `gone`, `full`.
    off : bool
        Whether it has no storage for this page.
    """

    sets: int = 0
    files: Mapping[str, int] = field(default_factory=dict)
    why: Mapping[str, str] = field(default_factory=dict)
    off: bool = False


@dataclass(frozen=True)
class Kept:
    """What there is to keep of the data set in view.

    Attributes
    ----------
    id : str
        Of the data set, or the one that a link names and that is not open here.
    text : str, or None
        What was done with it, packed; None to leave what is kept as it is.
    work : bool
        Whether anything was done with it, which leaving the page would lose where it is not kept.
    unknown : bool
        Whether it is not open here.
    feed : bool
        Whether its files are to be handed to the uploader.
    asks : bool
        Whether the page says what is kept.
    gone : tuple of str
        Data sets of which nothing is to be kept any more.
    """

    id: str
    text: str | None = None
    work: bool = False
    unknown: bool = False
    feed: bool = False
    asks: bool = False
    gone: tuple[str, ...] = ()


def save_button(field: str) -> None:
    """End what is typed in a popover, and close it; without it Escape asks whether the words stay.

    The field, whose key it is given, hands over by itself when it is left for the button, so that nothing is left to do here.
    """
    st.button("Save", key=f"saves_{field}", type="primary")


def watch(kept: Kept) -> None:
    """Tell the browser what to keep; once on a page."""
    data = {
        "id": kept.id,
        "text": kept.text,
        "work": kept.work,
        "unknown": kept.unknown,
        "heard": kept.id in session_cache.held(HEARD),
        "feed": kept.id if kept.feed else "",
        "asks": kept.asks,
        "session": runs.session(),
        "remember": session_cache.held(WANTED).get(kept.id),
        "sent": sent(kept.id),
        "forgets": st.session_state.get(FORGETS, 0),
        "gone": kept.gone,
        "inventory": vars(inventory()),
        "uploader": f"st-key-{PLACE}",
    }
    told = {f"on_{what}_change": lambda: None for what in ("found", "inventory", "failed", "other")}
    component.mount("keeping", *JS, key=KEY, data=data, **told)


def news() -> Iterator[Heard]:
    """Yield what the browser has said since the last run; anything that it cannot have written is passed over.

    What comes is done with once the next is asked for: a run may be cut short by what the browser says next.
    """
    answers, before, known = st.session_state.get(KEY) or {}, session_cache.held(SAID), session_cache.held(HEARD)
    for what in ("found", "inventory"):
        answer = answers.get(what)
        if answer is None or answer == before.get(what):
            continue
        try:
            st.session_state[INVENTORY] = _inventory(answer["inventory"] if what == "found" else answer)
            heard = _heard(answer) if what == "found" and answer["id"] not in known else None
        except (KeyError, TypeError, ValueError, AttributeError):
            heard = None
        if heard is not None:
            yield heard
            known[heard.id] = heard
        before[what] = answer


def _heard(found: Any) -> Heard:
    choices = {str(page): str(address) for page, address in found["choices"].items()}
    return Heard(str(found["id"]), unpacked(found["text"]), choices, str(found.get("at") or "")[:MOST_TIME])


def of_another_tab() -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Yield what another tab of this browser wrote of a data set, and what both had before, where that is news; as `news`."""
    answer, before = (st.session_state.get(KEY) or {}).get("other"), session_cache.held(SAID)
    if answer is None or answer == before.get("other"):
        return
    with contextlib.suppress(KeyError, TypeError, ValueError, AttributeError):
        yield str(answer["id"]), unpacked(answer["text"]), unpacked(answer["base"])
    before["other"] = answer


def _inventory(said: Any) -> Inventory:
    why = {str(name): str(reason) for name, reason in said["why"].items()}
    for name in why:
        session_cache.held(WANTED).pop(name, None)
    return Inventory(int(said["sets"]), {str(name): int(n) for name, n in said["files"].items()}, why, bool(said["off"]))


def heard(name: str) -> Heard | None:
    """Return what the browser keeps of a data set; None before it has said so."""
    known: Heard | None = session_cache.held(HEARD).get(name)
    return known


def inventory() -> Inventory:
    known: Inventory = st.session_state.get(INVENTORY) or Inventory()
    return known


def failed(name: str) -> bool:
    """Return whether the browser could not hand over the files of a data set."""
    return bool((st.session_state.get(KEY) or {}).get("failed") == name)


def remember(name: str, wanted: bool) -> None:
    """Have the browser keep the files of a data set, or no longer; for callbacks."""
    session_cache.held(WANTED)[name] = wanted


def remembered(name: str) -> bool:
    """Return whether the files of a data set are kept, or are about to be."""
    return bool(session_cache.held(WANTED).get(name, name in inventory().files))


def forget_all() -> None:
    """Have the browser delete all that it keeps; for callbacks."""
    st.session_state[FORGETS] = st.session_state.get(FORGETS, 0) + 1
    st.session_state[INVENTORY] = Inventory(off=inventory().off)
    st.session_state[HEARD] = {name: Heard(name) for name in session_cache.held(HEARD)}
    session_cache.held(WANTED).clear()


def forget(name: str) -> None:
    """Have the browser delete what it keeps of a data set; for callbacks."""
    session_cache.held(GONE)[name] = True
    session_cache.held(HEARD)[name] = Heard(name)
    session_cache.held(WANTED).pop(name, None)


def noted(files: Sequence[Any]) -> Sequence[Any]:
    """Return uploads, and take down by what the browser knows them again."""
    total = sum(file.size for file in files)
    digest = (lambda data: hashlib.sha256(data).hexdigest()) if total <= MOST_BYTES else lambda _: ""
    st.session_state[COMING] = tuple((file.name, file.size, digest(file.getbuffer())) for file in files)
    return files


def coming() -> Sent:
    """Return the uploads that were noted last."""
    files: Sent = st.session_state.get(COMING, ())
    return files


def came(name: str, beside: str = "") -> None:
    """The uploads noted last are a data set, together with those of another that they were added to."""
    session_cache.held(SENT)[name] = (*(sent(beside) if beside else ()), *coming())


def take_beside(name: str, second: Beside | None) -> None:
    """A data set has a second file beside its own, or none any more."""
    if second is None:
        session_cache.held(BESIDE).pop(name, None)
    else:
        session_cache.held(BESIDE)[name] = second


def beside(name: str) -> Beside | None:
    """Return the second file of a data set."""
    known: Beside | None = session_cache.held(BESIDE).get(name)
    return known


def came_from(name: str, first: str) -> None:
    """A data set was made of another one and a second file; it is kept where the other one is."""
    session_cache.held(SENT)[name] = session_cache.held(SENT).get(first, ())
    if remembered(first):
        remember(name, wanted=True)


def of_files(name: str) -> bool:
    """Return whether a data set was read from files that were sent."""
    return bool(session_cache.held(SENT).get(name))


def sent(name: str) -> Sent:
    """Return the files of a data set as they were sent, a second one last; none where they are too large to be kept, or where
    it is of no file.
    """
    second = beside(name)
    files: Sent = (*session_cache.held(SENT).get(name, ()), *(second.sent if second else ()))
    return files if sum(size for _, size, _ in files) <= MOST_BYTES else ()


def packed(content: Mapping[str, Any]) -> str | None:
    """Return it as a short text; empty where there is nothing, None where there is too much."""
    if not content:
        return ""
    whole = json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    text = base64.b64encode(zlib.compress(whole)).decode()
    return text if len(text) <= MOST_TEXT and len(whole) <= MOST_UNPACKED else None


def unpacked(text: str) -> dict[str, Any]:
    """Return what `packed` was given; nothing for any other text."""
    try:
        whole = zlib.decompressobj().decompress(base64.b64decode(text, validate=True), MOST_UNPACKED)
        content = json.loads(whole) if whole else {}
    except (binascii.Error, zlib.error, ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}
