"""Lists by their address: what other pages link to."""

from __future__ import annotations

from typing import Any

import streamlit as st

from metrics.analyses.disagreements import readings
from metrics.analyses.disagreements.listing import Rows
from metrics.analyses.disagreements.query import Sort
from pages.shared import state
from pages.shared.page_records import DISAGREEMENTS

ROWS, CELL, CRITERION, COLUMN, VALUE, SEARCH, SORT, OTHER, ITEM = (
    "rows", "cell", "criterion", "column", "value", "search", "sort", "other", "item",
)  # fmt: skip
BLIND = "blind"
"""Whether labels and reasons of others are hidden until the reader has given one."""
KEYS = (ROWS, CELL, CRITERION, COLUMN, VALUE, SEARCH, SORT, OTHER)
"""Names of the choices of a list in the address, and in the session."""
SORTS: dict[Sort, str] = {
    "clearest": "Clearest first", "most": "Most criteria first", "file": "As in the file",
}  # fmt: skip


def preset(
    *,
    rows: Rows | None = None,
    cell: tuple[str, str] | None = None,
    criterion: str = "",
    item: str = "",
    judge: str = "",
    other: str = "",
    column: tuple[str, str] | None = None,
    search: str = "",
    sort: Sort | None = None,
) -> dict[str, str]:
    """Return a list as the address of the page has it, for `link` and `st.switch_page`.

    Parameters
    ----------
    rows : Rows, optional
        Default: disagreements, of raters alone those among them; of a cell in which both sides say the same, all decisions.
    cell : (str, str), optional
        Labels of the reference and of the judge, on the axis of the mode.
    criterion, item : str
        The criterion that is listed, and the item that is read.
    judge, other : str
        The judge in view, and the one that it is compared with, for the rows `only_judge`, `only_other` and `neither`.
    column : (str, str), optional
        A column of the file and its value.
    search : str
    sort : Sort, optional
    """
    if rows is None and cell is not None and cell[0] == cell[1]:
        rows = "all"
    wanted = {
        ROWS: readings.ROWS[rows or "disagreements"], CELL: readings.cell_words(*cell) if cell else "",
        CRITERION: criterion, COLUMN: column[0] if column else "", VALUE: column[1] if column else "", SEARCH: search,
        SORT: "" if sort is None else SORTS[sort], OTHER: other, "judge": judge, ITEM: item,
    }  # fmt: skip
    return {name: text for name, text in wanted.items() if text}


def link(label: str = "Read them item by item", **wanted: Any) -> None:
    """A link to a list; arguments as in `preset`."""
    if not state.in_room_view():
        st.page_link(DISAGREEMENTS.path, label=label, icon=":material/list:", query_params=preset(**wanted))


def arrive() -> None:
    """Take an address that asks for a list as all that is asked: what another list was filtered by does not stay."""
    state.translate({ROWS: dict[str, str](readings.ROWS), SORT: dict[str, str](SORTS)})
    if state.arriving() and any(key in st.query_params for key in (*KEYS, ITEM)):
        for key in KEYS:
            if key not in st.query_params:
                st.session_state.pop(key, None)
