"""A filter for the whole dashboard: only the items with some values in a column of the file, on every page."""

from __future__ import annotations

import streamlit as st

from metrics import InputError, Ratings
from metrics.data import filtering
from metrics.data.conditions import Condition, conditions_words
from metrics.data.item_columns import grouping_columns
from metrics.data.memo import memoised_last
from metrics.results.words import several
from pages.shared import asking
from pages.shared.plain import escape

COLUMN, VALUES = "where", "is"
"""In the address: a grouping column and its values; ids and texts of items are no grouping columns."""
HELP = "Every page, table and report then takes these items alone, and says so. Columns of the file with few values are listed."


def condition(ratings: Ratings) -> Condition | None:
    """Return what items have to be, as chosen in the sidebar or in the address; None without a filter that fits the file."""
    column = st.session_state.get(COLUMN) or (None if COLUMN in st.session_state else st.query_params.get(COLUMN))
    values = st.session_state.get(VALUES)
    if values is None:
        values = st.query_params.get_all(VALUES)
    known = grouping_columns(ratings).get(column or "", ())
    chosen = tuple(value for value in values if value in known)
    return Condition(str(column), "=", chosen) if chosen else None


def applied(ratings: Ratings) -> Ratings:
    """Return only the items that meet the filter; all of them where none does."""
    wanted = condition(ratings)
    if wanted is None:
        return ratings
    try:
        return memoised_last(ratings, ("only where",), (wanted.text,), lambda: filtering.only_where(ratings, [wanted.text]))
    except InputError:
        return ratings


def chooser(ratings: Ratings, no_effect: str) -> None:
    """Column and values, in the sidebar; nothing where no column of the file groups its items."""
    columns = grouping_columns(ratings) if ratings.has_rows else {}
    if not columns:
        return
    if st.session_state.get(COLUMN) not in (None, *columns):
        st.session_state[COLUMN] = None
    st.selectbox(
        "Only where", list(columns), index=None, key=COLUMN, placeholder="All items", help=no_effect or HELP,
        disabled=bool(no_effect), on_change=_without_values, **asking.BOUND,
    )  # fmt: skip
    column = st.session_state.get(COLUMN)
    if column is None:
        return
    if not set(st.session_state.get(VALUES) or ()) <= set(columns[column]):
        st.session_state[VALUES] = []
    st.multiselect(
        f"{column} is", columns[column], key=VALUES, placeholder="Choose values", disabled=bool(no_effect), **asking.BOUND
    )


def _without_values() -> None:
    if VALUES in st.session_state:
        st.session_state[VALUES] = []


def take_off() -> None:
    """All items again; for callbacks."""
    for key, nothing in ((COLUMN, None), (VALUES, [])):
        if key in st.session_state:
            st.session_state[key] = nothing
    for key in (COLUMN, VALUES):
        if key in st.query_params:
            del st.query_params[key]


def banner(whole: Ratings, part: Ratings) -> None:
    """Which items are in view, and one click that takes the filter off; nothing without a filter."""
    how = part.source.how.where[len(whole.source.how.where) :]
    if not how:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="where_banner"):
        words = conditions_words(how)
        of = several(whole.n_items, "items")
        st.markdown(
            f":material/filter_alt: **{escape(words[:1].upper() + words[1:])}**: {part.n_items} of {of}.", width="content"
        )
        st.button("All items", key="where.off", icon=":material/filter_alt_off:", on_click=take_off, type="tertiary")
