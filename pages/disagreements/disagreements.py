"""On which items do judge and reference differ, and what does the file say of them?"""

from __future__ import annotations

import streamlit as st

from metrics import InputError
from metrics.analyses.disagreements import readings
from metrics.results.words import NEEDS_ROWS
from pages.shared import as_lines, opening, parts, stage, state
from pages.shared.disagreements import asking, coding, listed, matches, presets, reading
from pages.shared.plain import emphasis

ASKS = "On which items do judge and people disagree?"


def page() -> None:
    dataset = state.dataset()
    if dataset is None:
        parts.title(ASKS)
        parts.nothing_open()
    elif not dataset.ratings.has_rows:
        parts.title(NEEDS_ROWS if dataset.ratings.has_items else readings.NO_ITEMS)
        parts.to_data_page("Open the table that was counted")
    else:
        presets.arrive()
        try:
            show(dataset, state.choices())
        except InputError as error:
            parts.title(ASKS)
            parts.refused(error)


def show(dataset: state.Dataset, chosen: state.Choices | None) -> None:
    listing = matches.listing(dataset, chosen, asking.other(dataset, chosen))
    head = matches.header(dataset, chosen)
    parts.title(readings.opening(listing, emphasis))
    with opening.choosers():
        asking.choosers(dataset, listing)
    query = asking.query(listing)
    item_list = matches.items(dataset, listing, query)
    if len(item_list.items):
        _items(dataset, listing, item_list, query)
    else:
        asking.nothing(listing, query)
    parts.declaration(head, f"{readings.opening(listing)} ({'; '.join(head.provenance())})")
    if state.in_room_view():
        return
    if len(item_list.items):
        listed.download(listing, item_list, query)
    if coding.is_possible(listing):
        coding.summary(dataset, listing)
    parts.sample_note(dataset)
    as_lines.section(dataset, matches.view(dataset, chosen, asking.other(dataset, chosen), query))


def _items(dataset: state.Dataset, listing: matches.Listing, item_list: matches.Matches, query: matches.Query) -> None:
    place = listed.at(dataset, listing, item_list)
    if state.in_room_view():
        listed.bar(dataset, listing, item_list, place)
        with stage.slide(place, headed=False):
            reading.section(dataset, listing, item_list, query, place)
        return
    with st.container(horizontal=True, gap="medium", vertical_alignment="top", key="items_row"):
        with st.container(key="items_list", gap="xsmall"):
            listed.table(dataset, listing, item_list, query, place)
        with st.container(key="items_read", gap="small"):
            listed.bar(dataset, listing, item_list, place)
            reading.section(dataset, listing, item_list, query, place)


page()
