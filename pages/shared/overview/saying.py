"""The overview in words: what was understood, the verdict, items to read first, and what to do next."""

from __future__ import annotations

import streamlit as st

from metrics import Overview
from metrics.analyses.overview import tables
from metrics.analyses.provenance import columns_of
from metrics.readers.import_text import understood_line
from metrics.results.words import several
from pages.shared import parts, sheets, state
from pages.shared.page_records import DATA, page_of
from pages.shared.plain import escape

MOST_AT_ONCE = 3
"""Statements in view; with the first one, what a reader takes in within a minute."""


def declare(found: Overview) -> None:
    """What the tables of the overview rest on; they take all judges, so none is named."""
    coverage = next((row.coverage for row in found.judges), "")
    columns = columns_of(found.declaration, level=found.level, coverage=coverage)
    sheets.declare({**columns, "declaration": tables.declared(found)})


def understood(dataset: state.Dataset) -> None:
    """One line on what the file was taken for, and the way to change it."""
    if dataset.kind == "sample":
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="understood"):
        st.markdown(f":small[{escape(understood_line(dataset.ratings))}]", width="content")
        st.page_link(DATA.path, label="Change")


def verdict(found: Overview) -> None:
    """The statements, the first of them large; what is beyond a first look stands behind a click."""
    first, *others = (statement.text for statement in found.verdict)
    with st.container(border=True, key="verdict"):
        st.markdown(f"### {escape(first)}", anchors=False)
        for text in others[:MOST_AT_ONCE]:
            st.markdown(escape(text))
        rest = others[MOST_AT_ONCE:]
        if rest and state.in_room_view():
            for text in rest:
                st.markdown(escape(text))
        elif rest:
            with st.expander(f"{several(len(rest), 'more findings') if len(rest) > 1 else '1 more finding'}"):
                for text in rest:
                    st.markdown(escape(text))


def items(dataset: state.Dataset, found: Overview) -> None:
    """The items to read first, and why."""
    declare(found)
    parts.headed("Read these first", _chosen_how(found))
    if not found.items:
        st.markdown(escape(f"No item to read: {found.no_items or 'judge and reference agree on every decision'}."))
        return
    table = tables.items(found)
    sheets.frame(
        {column.name: list(cells) for column, cells in zip(table.columns, zip(*table.rows, strict=True), strict=True)},
        "Items to read first (CSV)",
        "items.csv",
        "overview.items",
        alt="Items to read first",
        row_height=36,
    )


def _chosen_how(found: Overview) -> str:
    alike = " · the last of them by the order of the file" if found.items_alike else ""
    return f"{len(found.items)} of {several(found.n_items_wrong, 'items')}, worst first{alike}" if found.items else "none"


def steps(dataset: state.Dataset, found: Overview) -> None:
    """What to do next, each with the page that does it."""
    if not found.next:
        return
    st.header("What to do next", anchor=False)
    for step in found.next:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(f"- {escape(step.text)}", width="content")
            page = page_of(step.key)
            st.page_link(page.path, label=f"Open {page.tab or page.title}", icon=":material/arrow_forward:")
