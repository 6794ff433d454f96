"""What somebody made of a data set, entry by entry: for the session, with the way back and forth again."""

from __future__ import annotations

import time
from collections.abc import Collection, Hashable, Mapping
from dataclasses import replace
from typing import Any, Generic, TypeVar

import streamlit as st

from pages.shared import session_cache
from pages.shared.plain import escape

MOST_STEPS = 200
PAUSE = 5.0
"""Seconds after which typing on in a field is a change of its own."""


K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class History(Generic[K, V]):
    """Entries by key, of each data set.

    Parameters
    ----------
    name : str
        Under which the session keeps them.
    blank : V, optional
        A frozen record that says nothing; entries that are changed field by field have a property `empty`.
    typed : collection of str
        Fields that are typed: going on to type in one of them is one change.
    """

    def __init__(self, name: str, blank: V | None = None, typed: Collection[str] = ()) -> None:
        self._blank, self._typed = blank, typed
        self._entries, self._back, self._forth, self._typing = (
            f"{name}.{part}" for part in ("decided", "steps", "undone", "typing")
        )

    def of(self, data: str) -> dict[K, V]:
        entries: dict[K, V] = session_cache.held(self._entries).get(data, {})
        return entries

    def begin(self, data: str, entries: Mapping[K, V]) -> None:
        """Take what was kept before, unless something has been made since."""
        session_cache.held(self._entries).setdefault(data, dict(entries))

    def merge(self, data: str, theirs: Mapping[K, V], base: Mapping[K, V], what: str) -> None:
        """Take what was changed elsewhere since `base`, the last that both had; what was changed here alone stays."""
        here = self.of(data)
        changed = {key for key in {*theirs, *base} if theirs.get(key) != base.get(key)}
        merged = {key: entry for key, entry in here.items() if key not in changed or key in theirs}
        self.put(data, merged | {key: theirs[key] for key in theirs if key in changed}, what)

    def change(self, data: str, key: K, what: str = "", **changes: Any) -> None:
        """Change one entry; for callbacks. `what` is said of it where it can be undone."""
        before = self.of(data)
        entry: Any = replace(before.get(key, self._blank), **changes)  # type: ignore[type-var]
        others = {name: one for name, one in before.items() if name != key}
        after = others if entry.empty else before | {key: entry}
        if self._types_on(data, (key, *changes)):
            session_cache.held(self._entries)[data] = after
        else:
            self.put(data, after, what)
            session_cache.held(self._typing)[data] = ((key, *changes), time.monotonic())

    def put(self, data: str, entries: Mapping[K, V], what: str = "") -> None:
        """Take these entries in the place of those held; nothing to undo where they are the same."""
        typing, back, forth, held = self._stores(self._typing, self._back, self._forth, self._entries)
        before = held.get(data, {})
        typing.pop(data, None)
        if before != entries:
            back[data] = [*back.get(data, ()), (before, what)][-MOST_STEPS:]
            forth.pop(data, None)
            held[data] = dict(entries)

    def undo(self, data: str) -> None:
        """The entries before the last change; for callbacks."""
        self._move(data, self._back, self._forth)

    def redo(self, data: str) -> None:
        """The entries before the last undo; for callbacks."""
        self._move(data, self._forth, self._back)

    def undoes(self, data: str) -> str | None:
        """Return what the last change was, which may be empty; None where there is none."""
        return self._what(self._back, data)

    def redoes(self, data: str) -> str | None:
        """Return what was undone last; None where nothing was."""
        return self._what(self._forth, data)

    def _move(self, data: str, back: str, forth: str) -> None:
        typing, taken, given, held = self._stores(self._typing, back, forth, self._entries)
        typing.pop(data, None)
        if taken.get(data):
            *rest, (entries, what) = taken[data]
            given[data] = [*given.get(data, ()), (held.get(data, {}), what)]
            taken[data], held[data] = rest, entries

    def _what(self, steps: str, data: str) -> str | None:
        kept: list[tuple[dict[K, V], str]] = session_cache.held(steps).get(data, [])
        return kept[-1][1] if kept else None

    @staticmethod
    def _stores(*names: str) -> list[dict[str, Any]]:
        """Return them all before one is changed: whenever the session is asked, a newer run may cut this one short."""
        return [session_cache.held(name) for name in names]

    def _types_on(self, data: str, where: tuple[Any, ...]) -> bool:
        """Return whether somebody goes on typing in a field: one change however often the field hands over what it has."""
        before, since = session_cache.held(self._typing).get(data, ((), 0.0))
        now = time.monotonic()
        goes_on = where == before and where[-1] in self._typed and now - since < PAUSE
        if goes_on:
            session_cache.held(self._typing)[data] = (where, now)
        return bool(goes_on)


def buttons(history: History[Any, Any], data: str, name: str) -> None:
    """Undo and redo, each saying what it takes back or brings again."""
    undoes, redoes = history.undoes(data), history.redoes(data)
    st.button(
        "Undo", key=f"{name}.undo", icon=":material/undo:", disabled=undoes is None, on_click=history.undo, args=(data,),
        help=f"Takes back: {escape(undoes)}." if undoes else None,
    )  # fmt: skip
    if redoes is not None:
        st.button(
            "Redo", key=f"{name}.redo", icon=":material/redo:", on_click=history.redo, args=(data,),
            help=f"Brings again: {escape(redoes)}." if redoes else None,
        )  # fmt: skip
