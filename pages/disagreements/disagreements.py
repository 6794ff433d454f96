"""On which items do judge and reference differ, and what does the file say of them?"""

from __future__ import annotations

import streamlit as st

from metrics import InputError
from metrics.analyses.disagreements import readings
from metrics.results.words import NEEDS_ROWS
from pages.shared import as_lines, opening, parts, state
from pages.shared.disagreements import asking, found, listed, presets, reading
from pages.shared.plain import emphasis

TITLE, ASKS = "Disagreements", "On which items do judge and people disagree?"


def page() -> None:
    dataset = state.dataset()
    if dataset is None:
        parts.title(TITLE, ASKS)
        parts.nothing_open()
    elif not dataset.ratings.has_rows:
        parts.title(TITLE, NEEDS_ROWS if dataset.ratings.has_items else readings.NO_ITEMS)
        parts.to_data_page("Open the table that was counted")
    else:
        presets.arrive()
        try:
            show(dataset, state.choices())
        except InputError as error:
            parts.title(TITLE, ASKS)
            parts.refused(error)


def show(dataset: state.Dataset, chosen: state.Choices | None) -> None:
    listing = found.listing(dataset, chosen, asking.other(dataset, chosen))
    head = found.header(dataset, chosen)
    parts.title(TITLE, readings.opening(listing, emphasis))
    with opening.choosers():
        asking.choosers(dataset, listing)
    query = asking.query(listing)
    its = found.items(dataset, listing, query)
    if len(its.items):
        _items(dataset, listing, its, query)
    else:
        asking.nothing(listing, query)
    parts.declaration(head, f"{readings.opening(listing)} ({'; '.join(head.provenance())})")
    if state.in_room_view():
        return
    if len(its.items):
        listed.download(listing, its, query)
    parts.sample_note(dataset)
    as_lines.section(dataset, found.view(dataset, chosen, asking.other(dataset, chosen), query))


def _items(dataset: state.Dataset, listing: found.Listing, its: found.Found, query: found.Query) -> None:
    place = listed.at(dataset, listing, its)
    if state.in_room_view():
        listed.bar(dataset, listing, its, place)
        reading.section(dataset, listing, its, query, place)
        return
    with st.container(horizontal=True, gap="medium", vertical_alignment="top", key="items_row"):
        with st.container(key="items_list", gap="xsmall"):
            listed.table(dataset, listing, its, query, place)
        with st.container(key="items_read", gap="small"):
            listed.bar(dataset, listing, its, place)
            reading.section(dataset, listing, its, query, place)


page()
