"""The items of a list: which one is read, from one to the next, and all of them as a file."""

from __future__ import annotations

import streamlit as st

from metrics.analyses.disagreements import tables
from metrics.analyses.disagreements.listing import Listing
from metrics.analyses.disagreements.query import Matches, Query, position
from metrics.results.words import count, several
from pages.shared import asking as questions
from pages.shared import history, screen, session_cache, sheets, stage, state, turning
from pages.shared.disagreements import asking, coding
from pages.shared.disagreements.presets import ITEM
from pages.shared.plain import emphasis

ITEM_WIDTH = 120
AT, LINKED, BACK, NEXT = (f"disagreements.{name}" for name in ("at", "linked", "back", "next"))
MOST_ROWS = 200
HEIGHT, NARROW, ROW = 560, 220, 35
"""Px of the list, on a telephone, and of a row."""


def at(dataset: state.Dataset, listing: Listing, item_list: Matches) -> int:
    """Place of the item that is read: as a link names it, then as chosen; else the first."""
    linked = st.query_params.get(ITEM)
    if state.arriving() and linked:
        session_cache.held(AT)[dataset.id] = session_cache.held(LINKED)[dataset.id] = linked
    chosen = session_cache.held(AT).get(dataset.id)
    place = None if chosen is None else position(listing, item_list, chosen)
    if place is None and chosen is not None and chosen == session_cache.held(LINKED).get(dataset.id):
        _not_here(chosen)
    item = _name(listing, item_list, place or 0) if len(item_list.items) else ""
    if item:
        questions.write(ITEM, item)
    return place or 0


def _not_here(item: str) -> None:
    """A link led to an item that is not on the list: all decisions may hold it."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"Item {emphasis(item)} is not on this list.", width="content")
        st.button("Look among all decisions", key="disagreements.all", on_click=asking.everything)


def _name(listing: Listing, item_list: Matches, place: int) -> str:
    return str(listing.ratings.items[int(item_list.items[place])])


def bar(dataset: state.Dataset, listing: Listing, item_list: Matches, place: int) -> None:
    """Where in the list the item stands that is read, and the way to the next one."""
    last = len(item_list.items) - 1

    def go(to: int) -> None:
        session_cache.held(AT)[dataset.id] = _name(listing, item_list, to)

    room = state.in_room_view()
    bar = {"horizontal": True, "vertical_alignment": "center", "gap": "small", "key": "disagreements_bar"}
    with stage.dock() if room else st.container(**bar):
        st.button("Previous (K)", key=BACK, disabled=place == 0, on_click=go, args=(place - 1,))
        st.markdown(f"**{count(place + 1)} of {count(last + 1)}**", width="content")
        st.button("Next (J)", key=NEXT, disabled=place == last, on_click=go, args=(place + 1,))
        turning.every_press_counts(
            (BACK, NEXT),
            place,
            last,
            go,
            arrows=room,
            letters=True,
            marks=coding.marks(dataset, listing, item_list, place),
        )
        if coding.is_possible(listing):
            history.buttons(coding.HISTORY, dataset.id, "coding")
        if room:
            stage.leave()
    if not room and (progress := coding.progress_words(dataset, listing, item_list)):
        st.markdown(f":small[{progress}]")


def table(dataset: state.Dataset, listing: Listing, item_list: Matches, query: Query, place: int) -> None:
    """The items round the one that is read; a row that is chosen is read."""
    first = place // MOST_ROWS * MOST_ROWS
    shown = tables.listed(listing, item_list, query, first, first + MOST_ROWS, blind=coding.is_blind(listing))
    key = f"disagreements.items {first}"
    row = {"selection": {"rows": [place - first], "columns": [], "cells": []}}

    def choose() -> None:
        selected = st.session_state[key]["selection"]
        rows = [row for row, _ in selected["cells"]] or selected["rows"]
        if rows:
            session_cache.held(AT)[dataset.id] = _name(listing, item_list, first + rows[0])

    if key in st.session_state and st.session_state[key]["selection"] != row["selection"]:
        st.session_state[key] = row
    n, decisions = len(shown["item"]), "" if item_list.n == len(item_list.items) else f"{several(item_list.n, 'decisions')} on "
    part = f" Shown: {count(first + 1)} to {count(first + n)}; the download holds all." if n < len(item_list.items) else ""
    st.markdown(f":small[{decisions}{several(len(item_list.items), 'items')}.{part}]")
    st.dataframe(
        shown,
        hide_index=True,
        key=key,
        on_select=choose,
        selection_mode=["single-row-required", "single-cell"],
        selection_default=row,
        column_config=sheets.text_columns(shown) | {"item": st.column_config.TextColumn("item", width=ITEM_WIDTH)},
        height=min(NARROW if screen.narrow() else HEIGHT, ROW * (max(n, 2) + 1) + 3),
        placeholder="",
        alt=several(n, "items"),
    )


def download(listing: Listing, item_list: Matches, query: Query) -> None:
    """Every decision of the list, with reasons and texts."""
    sheets.download(
        f"This list: {several(len(item_list.decisions), 'decisions')} (CSV)",
        lambda: tables.listed_frame(listing, item_list, query),
        "disagreements.csv",
        "disagreements.csv",
    )
