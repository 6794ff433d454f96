"""Only some items of a data set, on every page, for the session: those with a value in a column that groups items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import streamlit as st

from metrics import InputError, Ratings
from metrics.analyses.cautions import Tuned, tuned_items
from metrics.data.filtering import Condition, conditions, conditions_words, only_where
from metrics.data.item_columns import values_to_filter_by
from metrics.results.words import count, several, shorten
from pages.shared import asking, session_cache
from pages.shared.plain import escape, short
from pages.shared.view import Dataset

WHERE = "where"
"""In the address: the condition as it is typed."""
ASKED, MADE = "filter.asked", "filter.made"
COLUMN, VALUES = "filter.column", "filter.values"
"""Keys of the controls."""
MOST_KEPT = 4
"""Filtered data sets that a session keeps, so that to go back to one costs nothing."""
HELP = "Every number on every page is then of these items alone, as if the file held no others."


@dataclass(frozen=True)
class FilterRequest:
    """A filter as it was asked for; without values it takes nothing away yet."""

    column: str
    values: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """As it is typed, empty while no value is chosen."""
        return Condition(self.column, "=", self.values).text if self.values else ""


def filter_request(data: str) -> FilterRequest | None:
    """Return the filter of a data set."""
    request: FilterRequest | None = session_cache.held(ASKED).get(data)
    return request


def put(data: str, column: str, values: Sequence[str] = ()) -> None:
    """Ask for a filter in the place of the one before; for callbacks."""
    session_cache.held(ASKED)[data] = FilterRequest(column, tuple(values))


def remove(data: str) -> None:
    """Take it away again; for callbacks."""
    session_cache.held(ASKED).pop(data, None)


def hold_out(whole: Dataset) -> None:
    """Begin a data set that has just been opened with its items for a test alone, where a judge may have been tuned on others."""
    tuned = tuned_items(whole.ratings)
    if tuned is not None and _can_filter(whole.ratings, tuned):
        put(whole.id, tuned.column, tuned.test)


def _can_filter(ratings: Ratings, tuned: Tuned) -> bool:
    return bool(tuned.test) and _fits(ratings, FilterRequest(tuned.column, tuned.test))


def filtered(whole: Dataset) -> Dataset:
    """Return the data set with the items asked for alone; as it is where nothing was asked, or its file has no such items."""
    request = filter_request(whole.id)
    if request is None or not request.text or not _fits(whole.ratings, request):
        return whole
    made, key = session_cache.held(MADE), repr((whole.id, request))
    if key not in made or made[key][0] is not whole.ratings:
        try:
            ratings = only_where(whole.ratings, request.text)
        except InputError:
            return whole
        session_cache.put(made, key, (whole.ratings, replace(whole, ratings=ratings)), MOST_KEPT)
    dataset: Dataset = made[key][1]
    return dataset


def _fits(ratings: Ratings, request: FilterRequest) -> bool:
    """Return whether the file has the column and the values; another one may have been read in its place."""
    return set(request.values) <= set(values_to_filter_by(ratings).get(request.column, ()))


def restore(data: str) -> None:
    """Take the filter of a data set from the address."""
    try:
        asked = conditions(st.query_params[WHERE]) if WHERE in st.query_params else ()
    except InputError:
        return
    for condition in asked:
        if condition.operator == "=":
            put(data, condition.column, condition.values)


def write(data: str) -> None:
    """Put the filter of the data set in view into the address."""
    request = filter_request(data)
    asking.write(WHERE, None if request is None else request.text or None)


def chooser(whole: Dataset, no_effect: str) -> None:
    """The column and its values, for the sidebar; nothing where no column groups the items of the file."""
    columns = values_to_filter_by(whole.ratings)
    if not columns:
        return
    request = filter_request(whole.id)
    known = request is not None and _fits(whole.ratings, request)
    column = request.column if request is not None and known else None
    _show(COLUMN, column)
    st.selectbox(
        "Only where", list(columns), index=None, placeholder="All items", format_func=shorten, key=COLUMN,
        help=no_effect or HELP, disabled=bool(no_effect), on_change=_column_chosen, args=(whole.id,),
    )  # fmt: skip
    if request is None or column is None:
        return
    _show(VALUES, list(request.values))
    st.multiselect(
        f"{short(column)} is", columns[column], placeholder="Choose values", format_func=shorten, key=VALUES,
        disabled=bool(no_effect), on_change=_values_chosen, args=(whole.id, column),
    )  # fmt: skip


def _show(key: str, value: object) -> None:
    """Let a control show what was asked for; written with every run it would take back what is clicked meanwhile."""
    if st.session_state.get(key) != value:
        st.session_state[key] = value


def _column_chosen(data: str) -> None:
    column = st.session_state[COLUMN]
    if column is None:
        remove(data)
    else:
        put(data, column)


def _values_chosen(data: str, column: str) -> None:
    put(data, column, st.session_state[VALUES])


def banner(whole: Dataset | None) -> None:
    """Say beside the title of a page which items it is about, with the way back to all; nothing without a filter."""
    part = None if whole is None else filtered(whole)
    if whole is None or part is None or part is whole:
        return
    text = conditions_words(part.ratings.source.how.where)
    of = f"{count(part.ratings.n_items)} of {several(whole.ratings.n_items, 'items')}"
    with st.container(horizontal=True, vertical_alignment="center", key="filter.banner"):
        st.markdown(f":material/filter_alt: {escape(f'{text[:1].upper()}{text[1:]}: {of}.')}", width="content")
        st.button("Show all items", key="filter.off", type="tertiary", icon=":material/close:", on_click=remove, args=(whole.id,))


def tuning_note(whole: Dataset | None, no_effect: str) -> None:
    """Say which items a judge may have been tuned on, with the click that leaves them out; nothing where none counts."""
    tuned = None if whole is None or no_effect else tuned_items(filtered(whole).ratings)
    if whole is None or tuned is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="filter.tuning"):
        st.markdown(f":material/info: {escape(tuned.what())}", width="content")
        if _can_filter(whole.ratings, tuned):
            label = f"Only {' or '.join(map(short, tuned.test))}"
            args = (whole.id, tuned.column, tuned.test)
            st.button(label, key="filter.only_test", type="tertiary", icon=":material/filter_alt:", on_click=put, args=args)
