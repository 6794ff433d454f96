"""What is asked of a list of items: which rows, filters, and their order."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import streamlit as st

from metrics.analyses.disagreements import readings
from metrics.analyses.disagreements.listing import Listing, Rows
from metrics.analyses.disagreements.query import Filter, Query, cells_in_use, columns_with_values, loosened
from metrics.results.words import count, several
from pages.shared import asking, state, texts
from pages.shared.disagreements.presets import (
    BLIND,
    CELL,
    COLUMN,
    CRITERION,
    OTHER,
    ROWS,
    SEARCH,
    SORT,
    SORTS,
    VALUE,
)

CLEARED = "disagreements.cleared"
FILTERS = (ROWS, CELL, CRITERION, COLUMN, VALUE, SEARCH)
WIDTH = 165
"""Px of a field: two stand beside each other on a telephone."""
OTHER_HELP = "Adds the decisions on which only one of the two judges is right."
BLIND_HELP = "Hides what people and judge say of a decision until you have given your own label: it then says who was wrong."
SEARCH_HELP = "In ids, texts and reasons, as typed; upper and lower case are alike."
NAMES: dict[Filter, str] = {"cell": "the cell", "criterion": "the criterion", "column": "the column", "search": "the search"}


def other(dataset: state.Dataset, chosen: state.Choices | None) -> str:
    """Return the judge that the one in view is compared with; empty without one."""
    wanted = st.session_state.get(OTHER, st.query_params.get(OTHER))
    return wanted if chosen is not None and wanted in dataset.ratings.judges and wanted != chosen.judge else ""


def choosers(dataset: state.Dataset, listing: Listing) -> None:
    _rows(listing)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="disagreements_filters"):
        st.text_input("Search", key=SEARCH, width=WIDTH, help=SEARCH_HELP, live=asking.WHILE_TYPING, **asking.BOUND)
        asking.criterion(listing.ratings.criteria, CRITERION, WIDTH)
        st.selectbox("Order", list(SORTS), format_func=lambda sort: SORTS.get(sort, sort), key=SORT, width=WIDTH, **asking.BOUND)
        blind(listing)
        others = _other_judges(listing)
        if cells_in_use(listing) or columns_with_values(listing.ratings) or others or texts.choosable(dataset):
            # The room has all of it behind a button already.
            with nullcontext() if state.in_room_view() else st.popover(_more_words(), icon=":material/filter_list:"):
                _cell(listing)
                _column(listing)
                _other(others)
                texts.chosen(dataset)
        if st.session_state.get(CLEARED) and not _in_use(listing):
            st.button("Bring the filters back", key="disagreements.undo", icon=":material/undo:", on_click=_bring_back)


def blind(listing: Listing) -> None:
    """Whether the reader labels first, where labels can be wrong."""
    if listing.judge is not None and listing.numbers is None:
        st.toggle("Label blind first", key=BLIND, help=BLIND_HELP, width="content", **asking.BOUND)


def _more_words() -> str:
    """Return what the button for the other filters is called: how many of them are in use."""
    held = (st.session_state.get(key, st.query_params.get(key)) for key in (CELL, VALUE, OTHER))
    n = sum(map(bool, held))
    return f"More filters ({count(n)})" if n else "More filters"


def _rows(listing: Listing) -> None:
    """Which decisions, with how many there are."""
    kinds = list(listing.kinds)
    unit = "items" if listing.by_item else "decisions"
    if st.session_state.get(ROWS) not in kinds:
        st.session_state.pop(ROWS, None)
    st.radio(
        f"Which {unit}",
        kinds,
        format_func=lambda rows: readings.ROWS.get(rows, rows),
        captions=[count(listing.count(mask)) for mask in listing.kinds.values()],
        horizontal=True,
        key=ROWS,
        label_visibility="collapsed",
        **asking.BOUND,
    )


def _cell(listing: Listing) -> None:
    cells = cells_in_use(listing)
    if cells:
        names = {cell: readings.cell_words(*(listing.labels[place] for place in cell)) for cell in cells}
        st.selectbox(
            "Cell of the table", cells, index=None, format_func=lambda cell: names.get(tuple(cell), str(cell)), key=CELL,
            placeholder="Every cell", on_change=_both_sides_alike, **asking.BOUND,
        )  # fmt: skip


def _both_sides_alike() -> None:
    """A cell in which both sides say the same holds no disagreement: all decisions are looked at then."""
    cell = st.session_state[CELL]
    if cell and cell[0] == cell[1] and st.session_state.get(ROWS) in (None, "disagreements"):
        st.session_state[ROWS] = "all"


def _column(listing: Listing) -> None:
    columns = columns_with_values(listing.ratings)
    if not columns:
        return
    st.selectbox(
        "Column", list(columns), index=None, key=COLUMN, placeholder="Any column", on_change=_without_value,
        **asking.BOUND,
    )  # fmt: skip
    values = columns.get(st.session_state.get(COLUMN) or "")
    if values:
        st.selectbox("Its value", values, index=None, key=VALUE, placeholder="Any value", **asking.BOUND)


def _without_value() -> None:
    if VALUE in st.session_state:
        st.session_state[VALUE] = None


def _other_judges(listing: Listing) -> list[str]:
    """Return judges that the one in view can be compared with: who is right can be said of labels."""
    if listing.judge is None or listing.numbers is not None:
        return []
    return [name for name in listing.ratings.judges if name != listing.judge.name]


def _other(others: list[str]) -> None:
    if others:
        st.selectbox(
            "Other judge", others, index=None, key=OTHER, placeholder="None",
            help=OTHER_HELP, **asking.BOUND,
        )  # fmt: skip


def query(listing: Listing) -> Query:
    """Return the list as it is asked for, without what these data do not have."""
    held = st.session_state
    rows: Rows = held.get(ROWS) if held.get(ROWS) in listing.kinds else listing.first
    cell, column, ratings = held.get(CELL), held.get(COLUMN), listing.ratings
    values = columns_with_values(ratings).get(column or "", [])
    value = held.get(VALUE) if held.get(VALUE) in values else None
    criterion = held.get(CRITERION)
    return Query(
        rows=rows,
        cell=tuple(cell) if cell and tuple(cell) in cells_in_use(listing) else None,
        criterion=criterion if criterion in ratings.criteria and len(ratings.criteria) > 1 else "",
        column=column if value else "",
        value=value or "",
        search=str(held.get(SEARCH) or "").strip(),
        sort=asking.held(SORT, tuple(SORTS)),
    )


def _in_use(listing: Listing) -> bool:
    asked = query(listing)
    return bool(asked.filters) or asked.rows != listing.first


def nothing(listing: Listing, asked: Query) -> None:
    """Why a list is empty, and the way back to one that is not."""
    left = loosened(listing, asked)
    without = [f"without {NAMES[name]} {several(n, 'items')}" for name, n in left.items() if n]
    if not asked.filters:
        text = f"No decision is in this list: {readings.ROWS[asked.rows].lower()}."
    elif without:
        text = f"No item fits all filters. There are {', '.join(without)}."
    else:
        text = "No item fits all filters, and leaving out one of them does not help."
    st.info(text, icon=":material/info:")
    if _in_use(listing):
        st.button("Clear the filters", key="disagreements.clear", type="primary", on_click=_clear)


def _clear() -> None:
    held: Any = st.session_state
    held[CLEARED] = {key: held.get(key) for key in FILTERS if key in held}
    _put({key: "" if key == SEARCH else None for key in FILTERS if key != ROWS})
    held.pop(ROWS, None)


def everything() -> None:
    """All decisions without a filter; for callbacks."""
    _clear()
    st.session_state[ROWS] = "all"


def _bring_back() -> None:
    _put(st.session_state.pop(CLEARED))


def _put(answers: dict[str, Any]) -> None:
    for key, value in answers.items():
        if key in st.session_state or value:
            st.session_state[key] = value
