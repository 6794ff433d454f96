"""What a session keeps by what was asked for: the newest last, and the oldest goes when there is too much."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import streamlit as st

Value = TypeVar("Value")


def held(name: str) -> dict[str, Any]:
    store: dict[str, Any] = st.session_state.setdefault(name, {})
    return store


def memoised_last(name: str, key: object, compute: Callable[[], Value]) -> Value:
    """Return the value of `compute()`, kept in the session until it is asked for under another key.

    Parameters
    ----------
    name : str
        Under which the session keeps it.
    key : object
        All that the value rests on; equal keys mean the same value.
    compute : callable
    """
    known: tuple[object, Value] | None = st.session_state.get(name)
    if known is None or known[0] != key:
        known = st.session_state[name] = key, compute()
    return known[1]


def put(kept: dict[str, Value], key: str, value: Value, most: int) -> None:
    kept.pop(key, None)
    kept[key] = value
    while len(kept) > most:
        kept.pop(next(iter(kept)))
