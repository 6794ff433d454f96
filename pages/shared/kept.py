"""What a session keeps by what was asked for: the newest last, and the oldest goes when there is too much."""

from __future__ import annotations

from typing import Any, TypeVar

import streamlit as st

Value = TypeVar("Value")


def held(name: str) -> dict[str, Any]:
    found: dict[str, Any] = st.session_state.setdefault(name, {})
    return found


def put(kept: dict[str, Value], key: str, value: Value, most: int) -> None:
    kept.pop(key, None)
    kept[key] = value
    while len(kept) > most:
        kept.pop(next(iter(kept)))
