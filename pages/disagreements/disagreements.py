"""On which items do judge and reference differ, and what does the file say of them?"""

from __future__ import annotations

import streamlit as st

from metrics import InputError
from metrics.analyses.disagreements import readings
from metrics.results.words import NEEDS_ROWS
from pages.shared import opening, parts, state
from pages.shared.disagreements import asking, found, listed, presets, reading
from pages.shared.plain import emphasis

TITLE, ASKS = "Disagreements", "On which items do judge and people disagree?"


def page() -> None:
    dataset = state.dataset()
    if dataset is None:
        parts.title(TITLE, ASKS)
        parts.nothing_open()
    elif not dataset.ratings.has_rows:
        parts.title(TITLE, readings.NO_ITEMS if not dataset.ratings.has_items else NEEDS_ROWS)
        parts.to_data_page("Open a file")
    else:
        try:
            show(dataset, state.choices())
        except InputError as error:
            parts.title(TITLE, ASKS)
            parts.refused(error)


def show(dataset: state.Dataset, chosen: state.Choices | None) -> None:
    presets.arrive()
    listing = found.listing(dataset, chosen, asking.other(dataset, chosen))
    head = found.header(dataset, chosen)
    parts.title(TITLE, readings.opening(listing, emphasis))
    if listing.first == "all" and chosen is None:
        parts.one_side_only(dataset)
        return
    if not state.in_room_view():
        parts.sample_note(dataset)
    parts.declaration(head, f"{readings.opening(listing)} ({'; '.join(head.provenance())})")
    with opening.choosers():
        asking.choosers(dataset, listing)
    query = asking.query(listing)
    its = found.items(dataset, listing, query)
    if not len(its.items):
        asking.nothing(listing, query)
        return
    at = listed.at(dataset, listing, its)
    listed.bar(dataset, listing, its, at)
    with st.container(horizontal=True, gap="medium", vertical_alignment="top", key="disagreements_row"):
        with st.container(key="third_disagreements_list"):
            listed.table(dataset, listing, its, query, at)
        with st.container(key="most_disagreements_item"):
            reading.section(dataset, listing, its, query, at)
    listed.download(listing, its, query)


page()
