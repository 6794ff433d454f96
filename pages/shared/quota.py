"""How much a session may hold of the files that were dropped in, where others use the same server."""

from __future__ import annotations

import os
from typing import Any
from weakref import WeakValueDictionary

import streamlit as st

from metrics import InputError
from metrics.readers import TextTable

SETTING = "KAPPASCOPE_SESSION_MB"
"""Megabytes of a session's tables in memory; no limit where it is not set."""
MB = 1 << 20
TABLES = "quota.tables"


def most() -> int:
    """Return bytes; 0 stands for no limit."""
    given = os.environ.get(SETTING, "")
    return int(given) * MB if given.isdigit() else 0


def held() -> int:
    """Return bytes of the tables that this session has not let go of, whichever page took them."""
    return sum(table.nbytes for table in _tables().values())


def take(table: TextTable) -> None:
    """Count a table from now on, for as long as anything of the session keeps it; refuse one that has no room."""
    known, size, limit = _tables(), int(table.data.nbytes), most()
    before = sum(data.nbytes for digest, data in known.items() if digest != table.sha256)
    if limit and before + size > limit:
        raise InputError(_refusal(before, size, limit))
    known[table.sha256] = table.data


def _refusal(before: int, size: int, limit: int) -> str:
    if size > limit:
        return f"This file takes {_mb(size)} in memory, and a session may hold {_mb(limit)}. Send fewer rows or columns."
    return (
        f"Your files take {_mb(before)} of the {_mb(limit)} that a session may hold, and this one takes {_mb(size)}. Remove one "
        "on the page Data, then drop this one in again."
    )


def _mb(size: int) -> str:
    return f"{size / MB:.0f} MB" if size >= 10 * MB else f"{size / MB:.1f} MB"


def _tables() -> WeakValueDictionary[str, Any]:
    weak_value_dictionary: WeakValueDictionary[str, Any] = st.session_state.setdefault(TABLES, WeakValueDictionary())
    return weak_value_dictionary
