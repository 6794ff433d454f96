"""From a confusion table of the dashboard to the same table in the paradox lab."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from metrics import InputError
from metrics.lab.scenes import Scene, words_of
from metrics.lab.tables import WORDS, Table
from metrics.words import shorten_all
from pages.shared import state

PAGE = "pages/learn/lab.py"


def open_in_lab(confusion: Any, labels: Sequence[str] = WORDS, *, abstention: int | None = None, name: str = "") -> None:
    """A link to the lab with this table; nothing where the lab cannot draw it, and in the room.

    Parameters
    ----------
    confusion : array_like or None
        Counts, reference in rows.
    labels : sequence of str
        Of rows and columns, positive first.
    abstention : int, optional
        Place of "no verdict" where that is a class of its own.
    name : str
        Which of several tables on the page: A, B.
    """
    query = None if state.in_room_view() else address(confusion, labels, abstention)
    if query:
        label = f"Open {name} in the lab" if name else "Open in the lab"
        st.page_link(PAGE, label=label, icon=":material/science:", query_params=query)


def address(confusion: Any, labels: Sequence[str], abstention: int | None = None) -> dict[str, str] | None:
    """What the link carries; None for an empty table, one beyond the lab's range, and one of more than two labels."""
    if confusion is None or len(confusion) != (2 if abstention is None else 3) or abstention not in (None, 2):
        return None
    try:
        table = Table.of_counts(confusion)
    except InputError:
        return None
    if not table.n:
        return None
    # Shortened here, so that labels which differ in their middle stay apart.
    words = words_of(shorten_all(labels))
    return Scene("", table, mode="as_category" if table.abstains else "exclude", words=words).address()
